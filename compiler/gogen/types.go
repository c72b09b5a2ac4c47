package gogen

import (
	"strings"

	"github.com/settgraph/sett/compiler/check"
)

// goType is the Go type of values of a Pluto type. It asks for the declarations behind it.
func (g *generator) goType(t *check.Type) string {
	switch t.Kind {
	case check.KInt:
		return "int64"
	case check.KFloat:
		return "float64"
	case check.KBool:
		return "bool"
	case check.KString:
		return "string"
	case check.KByte:
		return "byte"
	case check.KBytes:
		return "*rt.Bytes"
	case check.KError:
		return "rt.Error"
	case check.KArray:
		return "*rt.Array[" + g.goType(t.Elem) + "]"
	case check.KMap:
		return "*rt.Map[" + g.goType(t.Key) + ", " + g.goType(t.Elem) + "]"
	case check.KSet:
		return "*rt.Set[" + g.goType(t.Elem) + "]"
	case check.KTask:
		return "*rt.Task[" + g.goType(t.Elem) + "]"
	case check.KSender:
		return "*rt.Sender[" + g.goType(t.Elem) + "]"
	case check.KReceiver:
		return "*rt.Receiver[" + g.goType(t.Elem) + "]"
	case check.KNullable:
		if g.optional(t) {
			return "rt.Opt[" + g.goType(t.Elem) + "]"
		}
		return g.goType(t.Elem)
	case check.KFunc:
		if g.shipped(t) {
			return "*rt.Fn[" + g.funcType(t) + "]"
		}
		return g.funcType(t)
	case check.KClass:
		g.needClass(t.Class)
		return "*" + g.named[t.Class]
	case check.KEnum:
		g.needEnum(t.Enum)
		return g.named[t.Enum]
	case check.KTrait:
		g.needTrait(t.Trait)
		return g.named[t.Trait]
	case check.KErrorValue:
		return "*" + g.errorType(t.Err)
	}
	return "rt.Void" // void; ranges and type parameters are of no value
}

// funcType is the Go type of the function in a closure.
func (g *generator) funcType(t *check.Type) string {
	params := make([]string, len(t.Params))
	for i, p := range t.Params {
		params[i] = g.goType(p)
	}
	text := "func(" + strings.Join(params, ", ") + ")"
	if !isVoid(t.Result) {
		text += " " + g.goType(t.Result)
	}
	return text
}

func isVoid(t *check.Type) bool { return t == nil || t.Kind == check.KVoid }

// isNone says whether t is the type of a `none` that nothing gave a type to.
func isNone(t *check.Type) bool { return t.Kind == check.KNullable && t.Elem.Kind == check.KVoid }

// optional says whether a nullable type is an rt.Opt; others use nil.
func (g *generator) optional(t *check.Type) bool {
	e := t.Elem
	return e.IsPrim() || e.Kind == check.KVoid || e.Kind == check.KEnum && unitOnly(e.Enum)
}

// unitOnly says whether no variant has fields: such an enum is a Go integer.
func unitOnly(e *check.Enum) bool {
	for _, v := range e.Variants {
		if len(v.Fields) > 0 {
			return false
		}
	}
	return true
}

// zero is the zero value of a type as Go text that needs a type from its context.
func (g *generator) zero(t *check.Type) string {
	switch t.Kind {
	case check.KInt, check.KByte, check.KFloat:
		return "0"
	case check.KBool:
		return "false"
	case check.KString:
		return `""`
	case check.KNullable:
		if g.optional(t) {
			return g.goType(t) + "{}"
		}
	case check.KEnum:
		if unitOnly(t.Enum) {
			return "0"
		}
	case check.KVoid, check.KInvalid, check.KRange:
		return "rt.Void{}"
	}
	return "nil"
}

// convert makes a value of one type one of another that it is assignable to.
func (f *fn) convert(v val, from, to *check.Type) val {
	if from == to || from == nil || to == nil {
		return v
	}
	switch to.Kind {
	case check.KNullable:
		switch {
		case from.Kind == check.KNullable && isNone(from):
			return f.none(to)
		case from.Kind == check.KNullable:
			return v
		}
		v = f.convert(v, from, to.Elem)
		if f.g.optional(to) {
			return val{text: "rt.Some(" + v.typed() + ")", eff: v.eff}
		}
		return v
	case check.KTrait:
		v.conv = f.g.goType(to)
		return v
	case check.KFunc:
		if from.Kind == check.KFunc {
			return f.adapt(v, from, to)
		}
	}
	return v
}

// none is the absent value of a nullable type.
func (f *fn) none(t *check.Type) val {
	if f.g.optional(t) {
		return val{text: f.g.goType(t) + "{}", prec: precComposite}
	}
	return val{text: "nil", conv: f.g.goType(t)}
}

// narrow undoes a conversion: it makes a value of type from one of type to, which is
// assignable to from. Only closures that are used under a wider type need it.
func (f *fn) narrow(v val, from, to *check.Type) val {
	switch {
	case from == to:
		return v
	case from.Kind == check.KNullable && to.Kind != check.KNullable:
		if f.g.optional(from) {
			return f.narrow(val{text: v.operand(precPrimary) + ".V", eff: v.eff | heap}, from.Elem, to)
		}
		return f.narrow(v, from.Elem, to)
	case from.Kind == check.KTrait && to.Kind == check.KClass:
		return val{text: v.operand(precPrimary) + ".(" + f.g.goType(to) + ")", eff: v.eff | heap}
	case from.Kind == check.KFunc:
		return f.adapt(v, from, to)
	}
	return v
}

// adapt wraps a closure so that it has another type. Where both are the same to Go the
// closure stays itself, and keeps its identity.
func (f *fn) adapt(v val, from, to *check.Type) val {
	if f.g.goType(from) == f.g.goType(to) {
		return v
	}
	inner := f.temp("inner")
	f.emit(inner + " := " + v.typed())
	outer := f.enter(to.Result)
	var params, list []string
	for i, p := range to.Params {
		name := f.temp("arg")
		params = append(params, name+" "+f.g.goType(p))
		list = append(list, f.narrow(val{text: name}, p, from.Params[i]).text)
	}
	text := f.callClosure(inner, from, strings.Join(list, ", "))
	if isVoid(to.Result) {
		f.emit(text)
	} else {
		f.returnValue(f.convert(val{text: text, eff: acts}, from.Result, to.Result))
	}
	body := f.leaveClosure(outer)
	return f.funcLit(to, params, body, []capture{{inner, from}})
}
