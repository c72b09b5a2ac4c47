package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// callBuiltin checks a call of a built-in function.
func (b *body) callBuiltin(e *syntax.CallExpr) *Type {
	name := e.Name.Name
	b.info.setTarget(e, Builtin(name))
	if len(e.TypeArgs) > 0 {
		b.errorf("P0427", e.Name.Span(), "builtin function '%s' does not accept type arguments", name)
	}
	switch name {
	case "print":
		if !b.arity(e, 1) {
			return b.u.Void
		}
		if t := b.expr(e.Args[0], nil); !shown(t) {
			b.errorf("P0424", e.Args[0].Span(), "print() does not support type %s", t)
		}
		return b.u.Void
	case "expect":
		b.silent(e.Args)
		b.errorf("P1301", e.Span(), "expect() must be followed by an assertion method like .to_equal(), .to_be_true(), or .to_be_false()")
		return b.u.Invalid
	case "time_ns", "gc_heap_size":
		b.arity(e, 0)
		return b.u.Int
	case "bytes_new":
		b.arity(e, 0)
		return b.u.Bytes
	case "abs":
		if !b.arity(e, 1) {
			return b.u.Invalid
		}
		t := b.expr(e.Args[0], nil)
		if b.number(t) || bad(t) {
			return t
		}
		b.errorf("P0426", e.Args[0].Span(), "abs() expects int or float, found %s", t)
		return b.u.Invalid
	case "min", "max":
		return b.twoNumbers(e, "%s() expects int or float arguments, found %s")
	case "pow":
		return b.twoNumbers(e, "%s() expects int,int or float,float, found %s")
	}
	if b.arity(e, 1) {
		if t, ok := b.exact(e.Args[0], b.u.Float); !ok {
			b.errorf("P0426", e.Args[0].Span(), "%s() expects float, found %s", name, t)
		}
	}
	return b.u.Float
}

func (b *body) number(t *Type) bool { return t == b.u.Int || t == b.u.Float }

// twoNumbers checks a call with two ints or two floats; the format takes the name and a
// type that is neither.
func (b *body) twoNumbers(e *syntax.CallExpr, unfit string) *Type {
	if !b.arity(e, 2) {
		return b.u.Invalid
	}
	x, y := b.expr(e.Args[0], nil), b.expr(e.Args[1], nil)
	switch {
	case bad(x) || bad(y):
	case x != y:
		b.errorf("P0426", e.Span(), "%s() requires matching argument types, found %s and %s", e.Name.Name, x, y)
	case !b.number(x):
		b.errorf("P0426", e.Span(), unfit, e.Name.Name, x)
	default:
		return x
	}
	return b.u.Invalid
}

// arity checks the number of arguments of a built-in function.
func (b *body) arity(e *syntax.CallExpr, n int) bool {
	if len(e.Args) == n {
		return true
	}
	b.wrongCount(e, e.Name.Name, n, e.Args)
	return false
}

// wrongCount complains about the number of arguments of something built in, and looks at
// the arguments all the same.
func (b *body) wrongCount(e syntax.Expr, name string, n int, args []syntax.Expr) {
	plural := "s"
	if n == 1 {
		plural = ""
	}
	b.errorf("P0406", e.Span(), "%s() expects %d argument%s, got %d", name, n, plural, len(args))
	b.silent(args)
}

// isExpect says whether a call is `expect(...)` of the built-in function.
func (b *body) isExpect(e *syntax.CallExpr) bool {
	if e.Name.Name != "expect" {
		return false
	}
	if l, ok := b.vars["expect"]; ok && l.v.Type.Kind == KFunc {
		return false
	}
	_, declared := b.c.lookup(b.mod, "expect").(*Func)
	return !declared
}

// expect checks `expect(x).matcher(args)`.
func (b *body) expect(e *syntax.MethodExpr, call *syntax.CallExpr) *Type {
	b.info.setTarget(call, Builtin("expect"))
	b.info.setTarget(e, BuiltinMethod(e.Name.Name))
	t := b.u.Invalid
	if len(call.Args) == 1 {
		t = b.expr(call.Args[0], nil)
	} else {
		b.errorf("P0406", call.Span(), "expect() takes exactly 1 argument, got %d", len(call.Args))
		b.silent(call.Args)
	}
	b.info.setType(call, t)
	switch name := e.Name.Name; name {
	case "to_equal":
		if len(e.Args) != 1 {
			b.wrongCount(e, name, 1, e.Args)
			break
		}
		b.toEqual(e, t)
	case "to_be_true", "to_be_false":
		if len(e.Args) != 0 {
			b.wrongCount(e, name, 0, e.Args)
		}
		if t != b.u.Bool && !bad(t) {
			b.errorf("P1304", e.Name.Span(), "%s requires bool, found %s", name, t)
		}
	default:
		b.errorf("P1302", e.Name.Span(), "unknown assertion method: %s", name)
		b.silent(e.Args)
	}
	return b.u.Void
}

func (b *body) toEqual(e *syntax.MethodExpr, t *Type) {
	arg, ok := b.exact(e.Args[0], t)
	switch {
	case bad(t):
	case t.Kind == KBytes:
		b.errorf("P1303", e.Name.Span(), "cannot use to_equal() with bytes; compare elements individually")
	case !ok:
		b.errorf("P1303", e.Args[0].Span(), "to_equal: expected type %s but expect() wraps %s", arg, t)
	case !t.IsPrim():
		b.c.report(diag.PhaseCodegen, diag.NoToEqual, b.file, e.Name.Span(), "to_equal not supported for %s", t)
	}
}
