package rt

import (
	"math"
	"strconv"
)

// FloatToInt is f as int: towards zero, the ends for what does not fit, 0 for not-a-number.
func FloatToInt(f float64) int64 {
	if f >= math.MinInt64 && f < math.MaxInt64 {
		return int64(f)
	}
	return saturate(f)
}

//go:noinline
func saturate(f float64) int64 {
	switch {
	case f != f:
		return 0
	case f < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// BoolToInt is b as int.
func BoolToInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// AbsInt is abs of an int; the smallest int is its own.
func AbsInt(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// AbsFloat is abs of a float.
func AbsFloat(x float64) float64 { return math.Abs(x) }

// PowInt is pow of ints: wraps, and raises MathError for a negative exponent.
func PowInt(base, exp int64) (int64, Error) {
	if exp < 0 {
		return 0, negativeExponent()
	}
	r := int64(1)
	for ; exp > 0; exp >>= 1 {
		if exp&1 == 1 {
			r *= base
		}
		base *= base
	}
	return r, nil
}

//go:noinline
func negativeExponent() Error {
	return &MathError{Raised: raisedHere(), Message: "negative exponent in integer pow"}
}

// NaN, Inf and NegZero are the floats that no Go literal gives.
func NaN() float64 { return math.NaN() }

// Inf is an infinity.
func Inf(positive bool) float64 {
	if positive {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// NegZero is -0.0.
func NegZero() float64 { return math.Copysign(0, -1) }

// DivZero is x / 0 and x % 0 where the zero is a constant, which Go refuses to compile.
func DivZero(x int64) int64 { panic(Fault("pluto: division by zero")) }

// PowFloat is pow of floats.
func PowFloat(base, exp float64) float64 { return math.Pow(base, exp) }

// ModFloat is a % b of floats.
func ModFloat(a, b float64) float64 { return math.Mod(a, b) }

// Sqrt, Floor, Ceil, Round, Sin, Cos, Tan and Log are the functions of these names.
func Sqrt(x float64) float64 { return math.Sqrt(x) }

// Floor is floor(x).
func Floor(x float64) float64 { return math.Floor(x) }

// Ceil is ceil(x).
func Ceil(x float64) float64 { return math.Ceil(x) }

// Round is round(x): halves go away from zero.
func Round(x float64) float64 { return math.Round(x) }

// Sin is sin(x).
func Sin(x float64) float64 { return math.Sin(x) }

// Cos is cos(x).
func Cos(x float64) float64 { return math.Cos(x) }

// Tan is tan(x).
func Tan(x float64) float64 { return math.Tan(x) }

// Log is log(x), the natural one.
func Log(x float64) float64 { return math.Log(x) }

// ShowInt, ShowFloat, ShowBool and ShowByte are the texts of print and of interpolation.
func ShowInt(v int64) string { return strconv.FormatInt(v, 10) }

// ShowFloat is a float as C's %.15g prints it.
func ShowFloat(v float64) string {
	var buf [32]byte
	return string(appendFloat(buf[:0], v))
}

// ShowBool is true or false.
func ShowBool(v bool) string {
	if v {
		return "true"
	}
	return "false"
}

// ShowByte is a byte in decimal.
func ShowByte(v byte) string { return strconv.FormatInt(int64(v), 10) }

func appendFloat(buf []byte, v float64) []byte {
	switch {
	case v != v:
		return append(buf, "nan"...)
	case v > math.MaxFloat64:
		return append(buf, "inf"...)
	case v < -math.MaxFloat64:
		return append(buf, "-inf"...)
	}
	return strconv.AppendFloat(buf, v, 'g', 15, 64)
}
