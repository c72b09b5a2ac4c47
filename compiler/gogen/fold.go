package gogen

import (
	"math"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// foldBinary computes an operation on constants as Pluto does. Go would refuse some of them
// (overflow, division by zero) and computes floats with more digits. It says no when the
// operation must be left to run time: it fails, or it has operands of other types.
func foldBinary(op syntax.Kind, x, y any) (any, bool) {
	switch a := x.(type) {
	case int64:
		if b, ok := y.(int64); ok {
			return foldInts(op, a, b)
		}
	case float64:
		if b, ok := y.(float64); ok {
			return foldFloats(op, a, b)
		}
	case string:
		if b, ok := y.(string); ok {
			return foldStrings(op, a, b)
		}
	case bool:
		if b, ok := y.(bool); ok {
			return foldBools(op, a, b)
		}
	case byte:
		if b, ok := y.(byte); ok {
			return compare(op, a, b)
		}
	}
	return nil, false
}

func foldInts(op syntax.Kind, a, b int64) (any, bool) {
	switch op {
	case syntax.PLUS:
		return a + b, true
	case syntax.MINUS:
		return a - b, true
	case syntax.STAR:
		return a * b, true
	case syntax.SLASH:
		if b != 0 {
			return a / b, true
		}
		return nil, false
	case syntax.PERCENT:
		if b != 0 {
			return a % b, true
		}
		return nil, false
	case syntax.AND:
		return a & b, true
	case syntax.OR:
		return a | b, true
	case syntax.XOR:
		return a ^ b, true
	case syntax.SHL:
		return a << uint(b&63), true
	case syntax.SHR:
		return a >> uint(b&63), true
	}
	return compare(op, a, b)
}

func foldFloats(op syntax.Kind, a, b float64) (any, bool) {
	switch op {
	case syntax.PLUS:
		return a + b, true
	case syntax.MINUS:
		return a - b, true
	case syntax.STAR:
		return a * b, true
	case syntax.SLASH:
		return a / b, true
	case syntax.PERCENT:
		return math.Mod(a, b), true
	}
	return compare(op, a, b)
}

// maxFolded bounds the texts that folding builds.
const maxFolded = 1 << 16

func foldStrings(op syntax.Kind, a, b string) (any, bool) {
	switch op {
	case syntax.PLUS:
		return a + b, len(a)+len(b) <= maxFolded
	case syntax.EQ:
		return a == b, true
	case syntax.NE:
		return a != b, true
	}
	return nil, false
}

func foldBools(op syntax.Kind, a, b bool) (any, bool) {
	switch op {
	case syntax.EQ:
		return a == b, true
	case syntax.NE:
		return a != b, true
	case syntax.ANDAND:
		return a && b, true
	case syntax.OROR:
		return a || b, true
	}
	return nil, false
}

func compare[T int64 | float64 | byte](op syntax.Kind, a, b T) (any, bool) {
	switch op {
	case syntax.EQ:
		return a == b, true
	case syntax.NE:
		return a != b, true
	case syntax.LT:
		return a < b, true
	case syntax.LE:
		return a <= b, true
	case syntax.GT:
		return a > b, true
	case syntax.GE:
		return a >= b, true
	}
	return nil, false
}

func foldUnary(op syntax.Kind, x any) (any, bool) {
	switch a := x.(type) {
	case int64:
		switch op {
		case syntax.MINUS:
			return -a, true
		case syntax.TILDE:
			return ^a, true
		}
	case float64:
		if op == syntax.MINUS {
			return -a, true
		}
	case bool:
		if op == syntax.NOT {
			return !a, true
		}
	}
	return nil, false
}

// castConstant is a constant as another type: to int, float, bool or byte.
func castConstant(x any, to check.TypeKind) any {
	switch a := x.(type) {
	case int64:
		switch to {
		case check.KFloat:
			return float64(a)
		case check.KBool:
			return a != 0
		case check.KByte:
			return byte(a)
		}
	case float64:
		return truncate(a)
	case bool:
		if a {
			return int64(1)
		}
		return int64(0)
	case byte:
		return int64(a)
	}
	return x
}

// truncate is a float as an int: towards zero, the ends for what does not fit.
func truncate(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}

// foldMinMax is min or max of two constants; nil when they are not both constants.
func foldMinMax(name string, x, y any) any {
	switch a := x.(type) {
	case int64:
		if b, ok := y.(int64); ok && name == "min" {
			return min(a, b)
		} else if ok {
			return max(a, b)
		}
	case float64:
		if b, ok := y.(float64); ok && name == "min" {
			return min(a, b)
		} else if ok {
			return max(a, b)
		}
	}
	return nil
}
