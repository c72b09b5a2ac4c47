package gogen

import (
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// call is a lowered call, before anybody looked at its results.
type call struct {
	text   string
	eff    effect
	typ    *check.Type // of its value; void when there is none
	fails  bool        // its last result is an rt.Error
	valued bool        // it has a Go value even where typ is void
	after  string      // a statement to run right after it, or ""
	k      any         // instead of text, when it is a constant
}

// calling is a call whose operands are still to be lowered.
type calling struct {
	name  string // for people
	lower []func() val
	types []*check.Type // of the operands
	build func([]val) call
}

// add adds an operand. Without a type it has that of the parameter already.
func (c *calling) add(f *fn, e syntax.Expr, t *check.Type) {
	if t == nil {
		t = f.info.Type(e)
	}
	c.types = append(c.types, t)
	c.lower = append(c.lower, func() val { return f.exprAs(e, t) })
}

func (c *calling) addArgs(f *fn, es []syntax.Expr, params []*check.Var) {
	for i, e := range es {
		var t *check.Type
		if params != nil {
			t = params[i].Type
		}
		c.add(f, e, t)
	}
}

// call lowers a call up to its results.
func (f *fn) call(e syntax.Expr) call {
	c := f.calling(e)
	return c.build(f.operands(c.lower...))
}

func (f *fn) calling(e syntax.Expr) calling {
	switch e := e.(type) {
	case *syntax.CallExpr:
		switch o := f.info.Target(e).(type) {
		case *check.Func:
			return f.callFunc(o, e.Args)
		case check.Builtin:
			return f.builtin(e, string(o))
		case *check.Var:
			return f.callVar(o, e.Args)
		}
	case *syntax.MethodExpr:
		switch o := f.info.Target(e).(type) {
		case *check.Func:
			if o.Class == nil && o.App == nil { // of a module
				return f.callFunc(o, e.Args)
			}
			return f.callMethod(o, e)
		case *check.TraitMethod:
			return f.callTrait(o, e)
		case check.BuiltinMethod:
			return f.builtinMethod(e, string(o))
		}
	case *syntax.StaticExpr:
		return f.static(e)
	}
	return calling{build: func([]val) call { return call{text: voidValue.text, typ: f.info.Type(e), valued: true} }}
}

// callVar is the call of a closure.
func (f *fn) callVar(v *check.Var, es []syntax.Expr) calling {
	c := calling{name: v.Name, types: []*check.Type{v.Type}, lower: []func() val{func() val { return f.read(v) }}}
	for i, e := range es {
		c.add(f, e, v.Type.Params[i])
	}
	c.build = func(vs []val) call {
		return call{text: f.callClosure(vs[0].text, v.Type, args(vs[1:])), eff: acts, typ: v.Type.Result}
	}
	return c
}

// callClosure is the call of a closure of a type.
func (f *fn) callClosure(fun string, t *check.Type, args string) string {
	if f.g.shipped(t) {
		return fun + ".Call(" + args + ")"
	}
	return fun + "(" + args + ")"
}

// callFunc is the call of a function, or of an extern.
func (f *fn) callFunc(to *check.Func, es []syntax.Expr) calling {
	c := calling{name: to.Name}
	c.addArgs(f, es, to.Params)
	c.build = func(vs []val) call {
		name := f.g.named[to]
		if to.Extern != nil {
			name = f.g.extern(to)
		}
		return call{text: name + "(" + args(vs) + ")", eff: acts, typ: to.Result, fails: to.Fallible()}
	}
	return c
}

// extern is the Go function behind an extern.
func (g *generator) extern(x *check.Func) string {
	name := x.Extern.Name
	in, ok := Lookup(name.Name)
	switch sig := signature(x); {
	case !ok:
		g.report(diag.PhaseLink, diag.UnknownExtern, x.File, name.Span(), "undefined extern function '%s'", name.Name)
		return "rt.Fail"
	case sig != in.Sig:
		g.report(diag.PhaseLink, diag.UnknownExtern, x.File, name.Span(), "extern function '%s' is declared as %s, but it is %s", name.Name, sig, in.Sig)
	}
	if in.Pkg == "" {
		return "rt." + in.Func
	}
	g.imports[in.Pkg] = true
	return g.packageName(in.Pkg) + "." + in.Func
}

// signature is the signature of an extern as [Intrinsic.Sig] has it.
func signature(x *check.Func) string {
	types := make([]string, len(x.Params))
	for i, p := range x.Params {
		types[i] = p.Type.String()
	}
	text := "(" + strings.Join(types, ", ") + ")"
	if !isVoid(x.Result) {
		text += " " + x.Result.String()
	}
	return text
}

func (g *generator) report(phase diag.Phase, code diag.Code, file *source.File, at source.Span, format string, args ...any) {
	g.p.Diags.Report(phase, code, file, at, format, args...)
}

// callTrait is a call through a trait.
func (f *fn) callTrait(m *check.TraitMethod, e *syntax.MethodExpr) calling {
	c := calling{name: m.Name}
	c.add(f, e.X, nil)
	c.addArgs(f, e.Args, m.Params)
	c.build = func(vs []val) call {
		text := vs[0].operand(precPrimary) + "." + f.g.named[m] + "(" + args(vs[1:]) + ")"
		return call{text: text, eff: acts, typ: m.Result, fails: len(m.Raises) > 0}
	}
	return c
}

// callMethod is the call of a method of a class. Where its class has invariants they are
// checked after a method that may change the object.
func (f *fn) callMethod(to *check.Func, e *syntax.MethodExpr) calling {
	c := calling{name: to.Name}
	c.add(f, e.X, nil)
	c.addArgs(f, e.Args, to.Params)
	c.build = func(vs []val) call {
		recv := vs[0]
		out := call{eff: acts, typ: to.Result, fails: to.Fallible()}
		if to.Class != nil && len(to.Class.Invariants) > 0 && to.Decl.Self == syntax.MutSelf {
			if recv.eff&^reassigned != 0 || recv.prec != precPrimary {
				recv = f.spill(recv)
			}
			out.after = f.g.invariantFunc(to.Class) + "(" + recv.text + ")"
		}
		out.text = recv.operand(precPrimary) + "." + f.g.methods[to.Short] + "(" + args(vs[1:]) + ")"
		return out
	}
	return c
}

// callValue is the value of a call that cannot fail.
func (f *fn) callValue(c call) val {
	switch {
	case c.k != nil:
		return constant(c.k)
	case isVoid(c.typ):
		f.emit(c.text)
		if c.after != "" {
			f.emit(c.after)
		}
		return voidValue
	}
	v := val{text: c.text, eff: c.eff}
	if c.after != "" {
		v = f.spill(v)
		f.emit(c.after)
	}
	return v
}

// finish puts the value of a call that cannot fail where it goes.
func (f *fn) finish(c call, d dest) {
	switch {
	case isVoid(c.typ):
		f.callValue(c)
		if d.kind == destReturn {
			f.returnValue(val{})
		}
	case d.kind == destDrop && c.eff&acts != 0:
		f.emit(c.text)
		if c.after != "" {
			f.emit(c.after)
		}
	default:
		f.put(d, f.callValue(c), c.typ)
	}
}
