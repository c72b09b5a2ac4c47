package check

import (
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// expr checks an expression and records its type. want is what the context expects, or nil:
// it gives empty arrays their type and closures a hint of their result, and is not enforced.
// An invalid want silences complaints about missing context. The type of `none` is that of
// the bare literal; [body.fit] turns it into what the context wants.
func (b *body) expr(e syntax.Expr, want *Type) *Type {
	if e == nil {
		return b.u.Invalid
	}
	t := b.exprOf(e, want)
	b.info.setType(e, t)
	return t
}

func (b *body) exprOf(e syntax.Expr, want *Type) *Type {
	switch e := e.(type) {
	case *syntax.IdentExpr:
		return b.ident(e)
	case *syntax.IntLit:
		return b.u.Int
	case *syntax.StringLit:
		return b.stringLit(e)
	case *syntax.BinaryExpr:
		return b.binary(e)
	case *syntax.CallExpr:
		return b.call(e)
	case *syntax.MethodExpr:
		return b.methodCall(e)
	case *syntax.FieldExpr:
		return b.field(e)
	case *syntax.IndexExpr:
		return b.index(e)
	case *syntax.FloatLit:
		return b.u.Float
	case *syntax.BoolLit:
		return b.u.Bool
	case *syntax.NoneLit:
		return b.u.None
	case *syntax.SelfExpr:
		return b.selfExpr(e)
	case *syntax.ParenExpr:
		return b.expr(e.X, want)
	case *syntax.StaticExpr:
		return b.static(e)
	case *syntax.LitExpr:
		return b.literal(e)
	case *syntax.MapLit:
		return b.mapLit(e)
	case *syntax.SetLit:
		return b.setLit(e)
	case *syntax.ArrayLit:
		return b.arrayLit(e, want)
	case *syntax.UnaryExpr:
		return b.unary(e)
	case *syntax.CastExpr:
		return b.cast(e)
	case *syntax.RangeExpr:
		b.bounds(e)
		b.errorf("P0436", e.Span(), "range expressions can only be used as for loop iterables")
		return b.u.Invalid
	case *syntax.ClosureExpr:
		return b.closure(e, want)
	case *syntax.SpawnExpr:
		return b.spawn(e)
	case *syntax.IfExpr:
		return b.ifExpr(e, want)
	case *syntax.MatchExpr:
		return b.matchExpr(e, want)
	case *syntax.UnwrapExpr:
		return b.unwrap(e)
	case *syntax.PropagateExpr:
		return b.expr(e.X, want)
	case *syntax.CatchExpr:
		return b.catch(e)
	case *syntax.GenericExpr:
		if o, _ := b.head(e); o != nil {
			b.errorf("P0401", e.Span(), "undefined variable '%s'", e.Name.Name)
		}
	}
	return b.u.Invalid
}

// fit checks an expression where everything assignable to a type may stand, and says
// whether it is.
func (b *body) fit(e syntax.Expr, to *Type) (*Type, bool) {
	t := b.expr(e, to)
	if t == to {
		return t, true
	}
	if !b.c.assignable(t, to) {
		return t, false
	}
	b.adopt(e, to)
	return t, true
}

// exact checks an expression where nothing but the very type may stand.
func (b *body) exact(e syntax.Expr, to *Type) (*Type, bool) {
	t := b.expr(e, to)
	return t, b.c.same(t, to)
}

// bad says that a type is of something that was already complained about, so that nothing
// more is to be said.
func bad(t *Type) bool { return t == nil || t.broken }

// unresolved says that a type contains the type of a `none` that no context gave a meaning.
func unresolved(t *Type) bool {
	switch t.Kind {
	case KNullable:
		return t.Elem.Kind == KVoid || unresolved(t.Elem)
	case KArray, KSet, KTask, KSender, KReceiver:
		return unresolved(t.Elem)
	case KMap:
		return unresolved(t.Key) || unresolved(t.Elem)
	case KFunc:
		for _, p := range t.Params {
			if unresolved(p) {
				return true
			}
		}
		return unresolved(t.Result)
	}
	return false
}

// adopt lets an expression that fits a type take part in it: what is `none` in value
// position becomes a none of that type, and a closure without a written result gives that
// of the type.
func (b *body) adopt(e syntax.Expr, to *Type) {
	switch e := e.(type) {
	case *syntax.NoneLit:
		if to.Kind == KNullable {
			b.info.setType(e, to)
		}
	case *syntax.ParenExpr:
		b.adopt(e.X, to)
		b.info.setType(e, b.info.Type(e.X))
	case *syntax.IfExpr:
		if b.info.Type(e) == b.u.None && to.Kind == KNullable {
			b.info.setType(e, to)
			b.adoptBlock(e.Then, to)
			b.adoptBlock(e.Else, to)
			if e.ElseIf != nil {
				b.adopt(e.ElseIf, to)
			}
		}
	case *syntax.MatchExpr:
		if b.info.Type(e) == b.u.None && to.Kind == KNullable {
			b.info.setType(e, to)
			for _, a := range e.Arms {
				b.adopt(a.Value, to)
			}
		}
	case *syntax.ClosureExpr:
		b.adoptClosure(e, to)
	}
}

// adoptBlock is adopt for the final expression of a branch of an if.
func (b *body) adoptBlock(blk *syntax.Block, to *Type) {
	if blk == nil || len(blk.Stmts) == 0 {
		return
	}
	switch s := blk.Stmts[len(blk.Stmts)-1].(type) {
	case *syntax.ExprStmt:
		b.adopt(s.X, to)
	case *syntax.IfStmt:
		b.adoptIf(s, to)
	}
}

func (b *body) adoptIf(s *syntax.IfStmt, to *Type) {
	b.adoptBlock(s.Then, to)
	switch e := s.Else.(type) {
	case *syntax.Block:
		b.adoptBlock(e, to)
	case *syntax.IfStmt:
		b.adoptIf(e, to)
	}
}

func (b *body) ident(e *syntax.IdentExpr) *Type {
	if l, ok := b.vars[e.Name]; ok {
		b.use(l.v)
		b.info.setTarget(e, l.v)
		return l.v.Type
	}
	if f := b.ambient(e.Name); f != nil {
		b.useSelf()
		b.info.setTarget(e, f)
		return f.Type
	}
	b.undefined(e.Name, e.Span())
	return b.u.Invalid
}

// undefined complains about a name that is no variable, unless it is the name of an import
// that failed and was complained about.
func (b *body) undefined(name string, at source.Span) {
	if m := b.c.imported(b.mod, name); m != nil && m.Missing {
		return
	}
	d := b.errorf("P0401", at, "undefined variable '%s'", name)
	switch b.c.lookup(b.mod, name).(type) {
	case *Func:
		d.Note(nil, source.Span{}, "functions are not values; wrap the call in a closure")
	case *Class, *Enum, *Trait:
		d.Note(nil, source.Span{}, "'%s' is a type, not a value", name)
	default:
		b.meantVariable(d, name)
	}
}

func (b *body) selfExpr(e *syntax.SelfExpr) *Type {
	if b.self == nil {
		b.errorf("P0403", e.Span(), "'self' used outside of class method (undefined variable 'self')")
		return b.u.Invalid
	}
	b.use(b.self)
	b.info.setTarget(e, b.self)
	return b.self.Type
}

// shown says whether values of a type have a text form, as print and interpolation need.
func shown(t *Type) bool { return t.IsPrim() || bad(t) }

func (b *body) stringLit(e *syntax.StringLit) *Type {
	for i := range e.Parts {
		if x := e.Parts[i].X; x != nil {
			if t := b.expr(x, nil); !shown(t) {
				b.errorf("P0425", x.Span(), "cannot interpolate %s into string", t)
			}
		}
	}
	return b.u.String
}

func (b *body) index(e *syntax.IndexExpr) *Type {
	t := b.settled(e.X)
	switch t.Kind {
	case KArray:
		b.indexInt(e, "array")
		return t.Elem
	case KString:
		b.indexInt(e, "string")
		return b.u.String
	case KBytes:
		b.indexInt(e, "bytes")
		return b.u.Byte
	case KMap:
		b.mapKey(e, t)
		return t.Elem
	case KInvalid:
		b.expr(e.Index, b.u.Invalid)
	default:
		b.expr(e.Index, b.u.Invalid)
		b.errorf("P0418", e.X.Span(), "index on non-indexable type %s", t)
	}
	return b.u.Invalid
}

func (b *body) indexInt(e *syntax.IndexExpr, what string) {
	if t, ok := b.exact(e.Index, b.u.Int); !ok {
		b.errorf("P0418", e.Index.Span(), "%s index must be int, found %s", what, t)
	}
}

func (b *body) mapKey(e *syntax.IndexExpr, t *Type) {
	if k, ok := b.exact(e.Index, t.Key); !ok {
		b.errorf("P0418", e.Index.Span(), "map key type mismatch: expected %s, found %s", t.Key, k)
	}
}

// settled checks an expression that is taken apart at once, so that no later context can
// say what a none in it is.
func (b *body) settled(e syntax.Expr) *Type {
	t := b.expr(e, nil)
	if t.Kind != KNullable && unresolved(t) {
		b.noneUnknown(e)
		return b.u.Invalid
	}
	return t
}

func (b *body) noneUnknown(e syntax.Expr) {
	b.errorf("P0413", e.Span(), "cannot infer type of `none`; add a type annotation (e.g. `let x: int? = none`)")
}

func (b *body) cast(e *syntax.CastExpr) *Type {
	from := b.expr(e.X, nil)
	to := b.c.resolve(b.env, e.Type)
	if bad(from) || bad(to) {
		return to
	}
	switch [2]TypeKind{from.Kind, to.Kind} {
	case [2]TypeKind{KInt, KFloat}, [2]TypeKind{KFloat, KInt}, [2]TypeKind{KInt, KBool},
		[2]TypeKind{KBool, KInt}, [2]TypeKind{KInt, KByte}, [2]TypeKind{KByte, KInt}:
		return to
	}
	b.errorf("P0412", e.Span(), "cannot cast from %s to %s", from, to)
	return b.u.Invalid
}

// unwrap checks `x?`, which leaves the function or closure when x is none.
func (b *body) unwrap(e *syntax.UnwrapExpr) *Type {
	t := b.expr(e.X, nil)
	if bad(t) {
		return t
	}
	if t.Kind != KNullable {
		b.errorf("P0434", e.Span(), "'?' applied to non-nullable type %s", t)
		return b.u.Invalid
	}
	if b.frame.result == nil {
		b.frame.unwraps = append(b.frame.unwraps, e)
	} else {
		b.unwrapIn(e, b.frame.result)
	}
	return t.Elem
}

// unwrapIn checks that `x?` may leave something that returns a type.
func (b *body) unwrapIn(e *syntax.UnwrapExpr, result *Type) {
	if k := result.Kind; k != KNullable && k != KVoid && k != KInvalid {
		b.errorf("P0435", e.Span(), "'?' cannot be used in function returning non-nullable type %s", result)
	}
}

// static checks `TypeInfo::kind<T>()`: the compiler implements that trait for every type.
func (b *body) static(e *syntax.StaticExpr) *Type {
	targs := make([]*Type, len(e.TypeArgs))
	for i, a := range e.TypeArgs {
		targs[i] = b.c.resolve(b.env, a)
	}
	for _, a := range e.Args {
		b.expr(a, b.u.Invalid)
	}
	trait, ok := b.c.lookup(b.mod, e.Trait.Name).(*Trait)
	if !ok {
		b.errorf("P0440", e.Trait.Span(), "unknown trait '%s'", e.Trait.Name)
		return b.u.Invalid
	}
	m := trait.Method(e.Name.Name)
	switch {
	case m == nil:
		b.errorf("P0440", e.Name.Span(), "trait '%s' has no method '%s'", trait.Name, e.Name.Name)
	case trait.Module.Src != nil:
		b.errorf("P0440", e.Span(), "only the methods of TypeInfo can be called on a type")
	case len(targs) != 1:
		b.errorf("P0440", e.Span(), "'%s' expects 1 type arguments, got %d", m.Name, len(targs))
	case len(e.Args) != 0:
		b.errorf("P0440", e.Span(), "'%s' expects 0 arguments, got %d", m.Name, len(e.Args))
	default:
		b.info.setTarget(e, m)
		return m.Result
	}
	return b.u.Invalid
}
