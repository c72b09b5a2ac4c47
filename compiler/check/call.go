package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// call checks `name(args)`. A variable of a function type comes first, then functions, then
// built-ins; other variables hide neither.
func (b *body) call(e *syntax.CallExpr) *Type {
	name := e.Name.Name
	l, isVar := b.vars[name]
	if isVar && (l.v.Type.Kind == KFunc || bad(l.v.Type)) {
		return b.callVar(e, l.v)
	}
	if name == "old" && b.post {
		return b.old(e)
	}
	if f, ok := b.c.lookup(b.mod, name).(*Func); ok {
		return b.callFunc(e, f, e.Name, e.TypeArgs, e.Args)
	}
	if builtinFuncs[name] {
		return b.callBuiltin(e)
	}
	b.silent(e.Args)
	d := b.errorf("P0402", e.Name.Span(), "undefined function '%s'", name)
	if isVar {
		d.Note(nil, source.Span{}, "'%s' is a variable of type %s, which cannot be called", name, l.v.Type)
	} else {
		b.meantFunction(d, name)
	}
	return b.u.Invalid
}

// silent checks arguments of a call that is wrong anyway: only what is wrong within them is
// reported.
func (b *body) silent(args []syntax.Expr) {
	for _, a := range args {
		b.expr(a, b.u.Invalid)
	}
}

func (b *body) callVar(e *syntax.CallExpr, v *Var) *Type {
	b.use(v)
	b.info.setTarget(e, v)
	t := v.Type
	switch {
	case bad(t):
		b.silent(e.Args)
		return t
	case len(e.TypeArgs) > 0:
		b.errorf("P0427", e.Name.Span(), "function '%s' is not generic and does not accept type arguments", v.Name)
	}
	if len(e.Args) != len(t.Params) {
		b.errorf("P0406", e.Span(), "'%s' expects %d arguments, got %d", v.Name, len(t.Params), len(e.Args))
		b.silent(e.Args)
		return t.Result
	}
	for i, a := range e.Args {
		b.arg(i, a, v.Name, t.Params[i])
	}
	return t.Result
}

// arg checks the argument i, from 0, of a call.
func (b *body) arg(i int, e syntax.Expr, callee string, to *Type) {
	if t, ok := b.fit(e, to); !ok {
		b.badArg(i, e, callee, to, t)
	}
}

func (b *body) badArg(i int, e syntax.Expr, callee string, to, got *Type) *diag.Diagnostic {
	return b.errorf("P0405", e.Span(), "argument %d of '%s': expected %s, found %s", i+1, callee, to, got)
}

// args checks the arguments of a function or method, whose kind is the word before its name
// in messages.
func (b *body) args(at source.Span, kind, name string, params []*Var, args []syntax.Expr) {
	if len(args) != len(params) {
		b.errorf("P0406", at, "%s '%s' expects %d arguments, got %d", kind, name, len(params), len(args))
		b.silent(args)
		return
	}
	for i, a := range args {
		b.arg(i, a, name, params[i].Type)
	}
}

// callFunc checks a call of a declared function; e is the whole call.
func (b *body) callFunc(e syntax.Expr, f *Func, name *syntax.Ident, targs []syntax.TypeExpr, args []syntax.Expr) *Type {
	if f.isGeneric() {
		return b.callGeneric(e, f, name, targs, args)
	}
	if len(targs) > 0 {
		b.errorf("P0427", name.Span(), "function '%s' is not generic and does not accept type arguments", f.Name)
	}
	b.info.setTarget(e, f)
	b.args(e.Span(), "function", f.Name, f.Params, args)
	return f.Result
}

// callGeneric checks a call of a generic function: the type arguments are written or
// inferred from the arguments. An argument that has no type of its own, an empty array,
// does not take part in the inference and is checked after it.
func (b *body) callGeneric(e syntax.Expr, g *Func, name *syntax.Ident, targs []syntax.TypeExpr, args []syntax.Expr) *Type {
	if len(targs) > 0 {
		types, ok := b.typeArgs(targs)
		if !ok {
			b.silent(args)
			return b.u.Invalid
		}
		f := b.c.instantiateFunc(g, types, b.file, e.Span())
		if f == nil {
			b.silent(args)
			return b.u.Invalid
		}
		b.info.setTarget(e, f)
		b.args(e.Span(), "function", g.Name, f.Params, args)
		return f.Result
	}
	if len(args) != len(g.Params) {
		b.errorf("P0406", e.Span(), "function '%s' expects %d arguments, got %d", g.Name, len(g.Params), len(args))
		b.silent(args)
		return b.u.Invalid
	}
	got := make([]*Type, len(args))
	later := false
	for i, a := range args {
		if emptyArray(a) {
			later = true
			continue
		}
		got[i] = b.expr(a, nil)
		if bad(got[i]) {
			b.silent(args[i+1:])
			return b.u.Invalid
		}
	}
	types := b.c.inferTypeArgs(g, got, b.file, e.Span())
	if types == nil {
		return b.u.Invalid
	}
	f := b.c.instantiateFunc(g, types, b.file, e.Span())
	if f == nil {
		return b.u.Invalid
	}
	b.info.setTarget(e, f)
	for i, a := range args {
		to := f.Params[i].Type
		switch {
		case got[i] == nil && later:
			b.arg(i, a, g.Name, to)
		case got[i] == to || bad(to):
		case b.c.assignable(got[i], to):
			b.adopt(a, to)
		default:
			b.badArg(i, a, g.Name, to, got[i])
		}
	}
	return f.Result
}

// emptyArray says whether an expression is `[]`.
func emptyArray(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ArrayLit:
		return len(e.Elems) == 0
	case *syntax.ParenExpr:
		return emptyArray(e.X)
	}
	return false
}

// typeArgs resolves written type arguments; ok is false when one is invalid.
func (b *body) typeArgs(args []syntax.TypeExpr) (types []*Type, ok bool) {
	types, ok = make([]*Type, len(args)), true
	for i, a := range args {
		types[i] = b.c.resolve(b.env, a)
		ok = ok && !bad(types[i])
	}
	return types, ok
}

// old checks `old(e)` of an ensures clause.
func (b *body) old(e *syntax.CallExpr) *Type {
	b.info.setTarget(e, Builtin("old"))
	if len(e.Args) != 1 {
		b.errorf("P0406", e.Span(), "old() expects 1 argument, got %d", len(e.Args))
		b.silent(e.Args)
		return b.u.Invalid
	}
	return b.settled(e.Args[0])
}

// methodCall checks `x.name(args)`, where x may be a module.
func (b *body) methodCall(e *syntax.MethodExpr) *Type {
	if o, ok := b.head(e.X); ok {
		return b.pathCall(e, o)
	}
	if call, ok := e.X.(*syntax.CallExpr); ok && b.isExpect(call) {
		return b.expect(e, call)
	}
	t := b.settled(e.X)
	switch t.Kind {
	case KInvalid:
	case KClass:
		m := t.Class.Method(e.Name.Name)
		if m == nil || m.Self == nil {
			b.noMethod(e, t, "class '%s' has no method '%s'", t.Class.Name)
			break
		}
		b.info.setTarget(e, m)
		b.mutates(e, m.Decl)
		b.args(e.Span(), "method", m.Short, m.Params, e.Args)
		return m.Result
	case KTrait:
		m := t.Trait.Method(e.Name.Name)
		if m == nil || m.Decl.Self == syntax.NoSelf {
			b.noMethod(e, t, "trait '%s' has no method '%s'", t.Trait.Name)
			break
		}
		b.info.setTarget(e, m)
		b.mutates(e, m.Decl)
		b.args(e.Span(), "method", m.Name, m.Params, e.Args)
		return m.Result
	case KParam:
		for _, bound := range b.env.bounds[t] {
			if m := bound.Method(e.Name.Name); m != nil && m.Decl.Self != syntax.NoSelf {
				b.info.setTarget(e, m)
				b.args(e.Span(), "method", m.Name, m.Params, e.Args)
				return m.Result
			}
		}
	default:
		return b.builtinMethod(e, t)
	}
	b.silent(e.Args)
	return b.u.Invalid
}

// noMethod complains about a method that the type of the receiver lacks; the format takes
// the owner and the method.
func (b *body) noMethod(e *syntax.MethodExpr, t *Type, format, owner string) {
	d := b.errorf("P0421", e.Name.Span(), format, owner, e.Name.Name)
	if t.Kind == KClass {
		if m := t.Class.Method(e.Name.Name); m != nil {
			d.Note(m.File, m.Decl.Name.Span(), "it has no 'self' parameter, so it cannot be called on a value")
			return
		}
		if f := t.Class.Field(e.Name.Name); f != nil && f.Type.Kind == KFunc {
			d.Note(nil, source.Span{}, "'%s' is a field; read it into a variable and call that", f.Name)
			return
		}
	}
	meantMember(d, t, e.Name.Name, true)
}

// mutates checks the root variable of a call of a `mut self` method.
func (b *body) mutates(e *syntax.MethodExpr, m *syntax.FuncDecl) {
	if m.Self != syntax.MutSelf {
		return
	}
	if v := b.root(e.X); v != nil && !v.Mut {
		b.errorf(diag.ImmutableMethod, e.Span(),
			"cannot call mutating method '%s' on immutable variable '%s'; declare with 'let mut' to allow mutation", e.Name.Name, v.Name)
	}
}

// root is the variable that a chain of fields starts at, or nil.
func (b *body) root(e syntax.Expr) *Var {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return b.root(e.X)
	case *syntax.FieldExpr:
		return b.root(e.X)
	case *syntax.IdentExpr:
		v, _ := b.info.Target(e).(*Var)
		return v
	}
	return nil
}

// pathCall checks `x.name(args)` where x is a module, or something that has no functions.
func (b *body) pathCall(e *syntax.MethodExpr, o Object) *Type {
	switch o := o.(type) {
	case *Module:
		if o.Missing {
			break
		}
		if f, ok := b.item(o, e.Name).(*Func); ok {
			return b.callFunc(e, f, e.Name, nil, e.Args)
		}
		s := meant(e.Name.Name)
		b.c.eachFunc(o, s.try)
		s.note(b.errorf("P0402", e.Name.Span(), "undefined function '%s.%s'", b.text(e.X), e.Name.Name))
	case *Enum:
		b.errorf("P0402", e.Name.Span(), "undefined function '%s.%s'", o.Name, e.Name.Name).
			Note(nil, source.Span{}, "variants with fields are built with braces: %s.%s { ... }", o.Name, e.Name.Name)
	}
	b.silent(e.Args)
	return b.u.Invalid
}

// item is what a module has under a name, or nil.
func (b *body) item(m *Module, name *syntax.Ident) Object {
	if m.Missing {
		return nil
	}
	return b.c.lookup(m, name.Name)
}

// isGeneric says that a function is a generic declaration, not an instance.
func (f *Func) isGeneric() bool {
	return f.Decl != nil && len(f.Decl.TypeParams) > 0 && f.Generic == nil
}
