package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// floatFuncs are the built-in functions from float to float.
var floatFuncs = map[string]string{
	"sqrt": "rt.Sqrt", "floor": "rt.Floor", "ceil": "rt.Ceil", "round": "rt.Round",
	"sin": "rt.Sin", "cos": "rt.Cos", "tan": "rt.Tan", "log": "rt.Log",
}

// builtin is the call of a built-in function.
func (f *fn) builtin(e *syntax.CallExpr, name string) calling {
	t := f.info.Type(e)
	if name == "old" {
		return calling{build: func([]val) call { return call{text: f.old(e), typ: t} }}
	}
	c := calling{name: name}
	c.addArgs(f, e.Args, nil)
	c.build = func(vs []val) call {
		if name == "print" {
			return call{text: "rt.Print" + kindWord(c.types[0]) + "(" + args(vs) + ")", eff: acts, typ: t}
		}
		return builtinCall(name, vs, t)
	}
	return c
}

// builtinCall is the call of a built-in function with a result of type t.
func builtinCall(name string, vs []val, t *check.Type) call {
	list := "(" + args(vs) + ")"
	pure := func(fun string) call { return call{text: fun + list, eff: effects(vs...), typ: t} }
	switch name {
	case "time_ns":
		return call{text: "rt.TimeNs()", eff: acts, typ: t}
	case "gc_heap_size":
		return call{text: "rt.GCHeapSize()", eff: acts, typ: t}
	case "bytes_new":
		return pure("rt.NewBytes")
	case "abs":
		return pure("rt.Abs" + kindWord(t))
	case "min", "max":
		if k := foldMinMax(name, vs[0].k, vs[1].k); k != nil {
			return call{k: k, typ: t}
		}
		return pure(name)
	case "pow":
		if t.Kind == check.KInt {
			return call{text: "rt.PowInt" + list, eff: acts, typ: t, fails: true}
		}
		return pure("rt.PowFloat")
	}
	return pure(floatFuncs[name])
}

// stringMethods are the functions behind the methods of strings.
var stringMethods = map[string]string{
	"is_empty": "rt.StrIsEmpty", "is_whitespace": "rt.StrIsWhitespace", "contains": "rt.StrContains",
	"starts_with": "rt.StrStartsWith", "ends_with": "rt.StrEndsWith", "index_of": "rt.StrIndexOf",
	"last_index_of": "rt.StrLastIndexOf", "count": "rt.StrCount", "substring": "rt.StrSubstring",
	"trim": "rt.StrTrim", "trim_start": "rt.StrTrimStart", "trim_end": "rt.StrTrimEnd",
	"to_upper": "rt.StrToUpper", "to_lower": "rt.StrToLower", "replace": "rt.StrReplace",
	"split": "rt.StrSplit", "char_at": "rt.StrAt", "byte_at": "rt.StrByteAt",
	"repeat": "rt.StrRepeat", "to_int": "rt.StrToInt", "to_float": "rt.StrToFloat",
	"to_bytes": "rt.StrToBytes",
}

// goMethod is a method of a runtime type, and what calling it does.
type goMethod struct {
	name  string
	eff   effect
	fails bool
}

// collectionMethods are the methods of arrays, maps, sets and bytes, as far as the runtime
// has one method for all element types.
var collectionMethods = map[string]goMethod{
	"len": {"Len", reads, false}, "is_empty": {"IsEmpty", reads, false},
	"first": {"First", reads, false}, "last": {"Last", reads, false},
	"slice": {"Slice", reads, false}, "contains": {"Contains", reads, false},
	"to_string": {"ToString", reads, false},
	"push":      {"Push", acts, false}, "pop": {"Pop", acts, false},
	"clear": {"Clear", acts, false}, "reverse": {"Reverse", acts, false},
	"insert_at": {"InsertAt", acts, false}, "remove_at": {"RemoveAt", acts, false},
	"insert": {"Insert", acts, false}, "remove": {"Remove", acts, false},
}

// taskMethods are the methods of tasks and of the ends of channels.
var taskMethods = map[string]goMethod{
	"get": {"Get", acts, true}, "detach": {"Detach", acts, false}, "cancel": {"Cancel", acts, false},
	"send": {"Send", acts, true}, "try_send": {"TrySend", acts, true}, "close": {"Close", acts, false},
	"recv": {"Recv", acts, true}, "try_recv": {"TryRecv", acts, true},
}

// builtinMethod is the call of a method of a built-in type.
func (f *fn) builtinMethod(e *syntax.MethodExpr, name string) calling {
	if c, ok := f.expectation(e); ok {
		return c
	}
	if kept := f.heldAt(e.X); kept != nil && kept.base == nil && name == "len" {
		kept.use()
		return calling{name: name, build: func([]val) call {
			return call{text: "int64(len(" + kept.name + "))", typ: f.info.Type(e)}
		}}
	}
	c := calling{name: name}
	c.add(f, e.X, nil)
	c.addArgs(f, e.Args, nil)
	on, t := f.info.Type(e.X), f.info.Type(e)
	c.build = func(vs []val) call {
		out := call{typ: t, eff: effects(vs...)}
		list := "(" + args(vs[1:]) + ")"
		recv := vs[0].operand(precPrimary)
		switch on.Kind {
		case check.KString:
			return stringMethod(name, vs, t)
		case check.KTask, check.KSender, check.KReceiver:
			m := taskMethods[name]
			if name == "get" && len(f.info.Raised[e]) == 0 {
				m = goMethod{"MustGet", acts, false}
			}
			out.valued = on.Kind != check.KSender && m.eff == acts
			out.text, out.eff, out.fails = recv+"."+m.name+list, out.eff|m.eff, m.fails
			return out
		}
		if text, ok := f.typedMethod(name, vs, on); ok {
			out.text, out.eff = text, out.eff|reads
			return out
		}
		m := collectionMethods[name]
		out.text, out.eff = recv+"."+m.name+list, out.eff|m.eff
		return out
	}
	return c
}

func stringMethod(name string, vs []val, t *check.Type) call {
	if name == "len" {
		if k, ok := known[string](vs[0]); ok {
			return call{k: int64(len(k)), typ: t}
		}
		return call{text: "int64(len(" + vs[0].text + "))", eff: effects(vs...), typ: t}
	}
	return call{text: stringMethods[name] + "(" + args(vs) + ")", eff: effects(vs...) | reads, typ: t}
}

// typedMethod lowers methods for which the runtime has functions by the type of elements.
func (f *fn) typedMethod(name string, vs []val, on *check.Type) (string, bool) {
	list, recv := args(vs), vs[0].operand(precPrimary)
	switch {
	case on.Kind == check.KArray && (name == "index_of" || name == "contains"):
		if f.g.boxed(on.Elem) {
			text := "rt.ArrayIndexOfFunc(" + list + ")"
			if name == "contains" {
				text = "(" + text + " >= 0)"
			}
			return text, true
		}
		fun := map[string]string{"index_of": "rt.ArrayIndexOf", "contains": "rt.ArrayContains"}[name]
		return fun + "[" + f.g.goType(on.Elem) + "](" + list + ")", true
	case on.Kind == check.KMap && (name == "keys" || name == "values"):
		method := map[string]string{"keys": "Keys", "values": "Values"}[name]
		switch {
		case on.Key.Kind == check.KBool:
			return "rt.Bool" + method + "(" + list + ")", true
		case on.Key.Kind == check.KEnum && !unitOnly(on.Key.Enum):
			return recv + "." + method + "()", true
		}
		return "rt.Map" + method + "(" + list + ")", true
	case on.Kind == check.KSet && name == "to_array":
		switch {
		case on.Elem.Kind == check.KBool:
			return "rt.BoolSetToArray(" + list + ")", true
		case on.Elem.Kind == check.KEnum && !unitOnly(on.Elem.Enum):
			return recv + ".ToArray()", true
		}
		return "rt.SetToArray(" + list + ")", true
	}
	return "", false
}
