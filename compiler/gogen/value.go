package gogen

import (
	"math"
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/check"
)

// effect says what the evaluation of Go text depends on and does. Go fixes the order of
// calls among each other, but not that of calls and reads of memory.
type effect uint8

const (
	reassigned effect = 1 << iota // reads a variable that is assigned somewhere
	heap                          // reads memory, or can fail, outside of calls
	reads                         // calls what changes nothing
	acts                          // calls what may change anything
)

// How tightly the outermost operator of Go text binds; the smaller, the tighter.
const (
	precPrimary = iota
	precUnary
	precMul
	precAdd
	precCompare
	precAnd
	precOr
	precComposite // a composite literal, which must not stand bare in a header
)

// val is a lowered expression: Go text without statements left to run.
type val struct {
	text string
	prec int8
	eff  effect
	k    any    // int64, float64, bool, string or byte when it is a constant
	conv string // the Go type to convert to where the context gives none; constants know theirs

	chain *chain // of && or ||
}

// operand is the text for a place where only operators up to the given precedence may stand
// without parentheses.
func (v val) operand(prec int8) string {
	if v.prec > prec {
		return "(" + v.text + ")"
	}
	return v.text
}

// head is the text for the header of an if, for or switch.
func (v val) head() string { return v.operand(precOr) }

// typed is the text for a place where Go takes the type from the value.
func (v val) typed() string {
	switch v.k.(type) {
	case int64:
		return "int64(" + v.text + ")"
	case byte:
		return "byte(" + v.text + ")"
	}
	if v.conv != "" {
		return conversion(v.conv, v.text)
	}
	return v.text
}

// conversion is T(text).
func conversion(goType, text string) string {
	if strings.HasPrefix(goType, "*") || strings.HasPrefix(goType, "func") {
		goType = "(" + goType + ")"
	}
	return goType + "(" + text + ")"
}

// constant is the value of a constant.
func constant(k any) val {
	switch k := k.(type) {
	case int64:
		v := val{text: strconv.FormatInt(k, 10), k: k}
		if k < 0 {
			v.prec = precUnary
		}
		return v
	case byte:
		return val{text: strconv.Itoa(int(k)), k: k}
	case bool:
		return val{text: strconv.FormatBool(k), k: k}
	case string:
		return val{text: strconv.Quote(k), k: k}
	}
	return floatConstant(k.(float64))
}

// floatConstant writes a float so that Go takes it for a float64 of exactly this value.
// Those that no literal gives are made by the runtime.
func floatConstant(x float64) val {
	switch {
	case x != x:
		return val{text: "rt.NaN()", k: x}
	case math.IsInf(x, 0):
		return val{text: "rt.Inf(" + strconv.FormatBool(x > 0) + ")", k: x}
	case x == 0 && math.Signbit(x):
		return val{text: "rt.NegZero()", k: x}
	}
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	v := val{text: text, k: x}
	if x < 0 {
		v.prec = precUnary
	}
	return v
}

// known is the constant that a value is, when it is one of type T.
func known[T any](v val) (T, bool) {
	k, ok := v.k.(T)
	return k, ok
}

// voidValue is what an expression without a value gives.
var voidValue = val{text: "rt.Void{}", prec: precComposite}

// effects is the union of the effects of values.
func effects(vs ...val) effect {
	var e effect
	for _, v := range vs {
		e |= v.eff
	}
	return e
}

// args joins values as arguments for parameters whose types are given by the callee.
func args(vs []val) string {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = v.text
	}
	return strings.Join(texts, ", ")
}

// kindWord is a primitive type in the names of the runtime's functions: ShowInt, PrintFloat.
func kindWord(t *check.Type) string {
	switch t.Kind {
	case check.KInt:
		return "Int"
	case check.KFloat:
		return "Float"
	case check.KBool:
		return "Bool"
	case check.KByte:
		return "Byte"
	}
	return "String"
}
