package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// assign checks `target = value` and `target op= value`.
func (b *body) assign(s *syntax.AssignStmt) {
	if s.Op != 0 {
		// `x op= y` is `x = x op y`: the value must fit as that would.
		t := b.place(s.Target, true)
		v := b.expr(s.Value, nil)
		if !bad(t) {
			b.arithmetic(s.Op, t, v, s.Span())
		}
		return
	}
	switch x := s.Target.(type) {
	case *syntax.FieldExpr:
		t := b.place(x, false)
		if v, ok := b.exact(s.Value, t); !ok {
			b.errorf("P0430", s.Value.Span(), "field '%s': expected %s, found %s", x.Name.Name, t, v)
		}
	case *syntax.IndexExpr:
		t := b.place(x, false)
		v, ok := b.exact(s.Value, t)
		if ok {
			return
		}
		what := ""
		if b.info.Type(x.X).Kind == KBytes {
			what = "bytes "
		}
		b.errorf("P0507", s.Value.Span(), "%sindex assignment: expected %s, found %s", what, t, v)
	default:
		t := b.place(x, false)
		if v, ok := b.fit(s.Value, t); !ok {
			b.errorf("P0507", s.Value.Span(), "type mismatch in assignment: expected %s, found %s", t, v)
		}
	}
}

// incDec checks `target++` and `target--`, which are `target += 1` and `target -= 1`.
func (b *body) incDec(s *syntax.IncDecStmt) {
	if t := b.place(s.Target, true); !bad(t) {
		b.arithmetic(syntax.PLUS, t, b.u.Int, s.Span())
	}
}

// place checks the target of an assignment and finds its type; read says that its old value
// is used too.
func (b *body) place(e syntax.Expr, read bool) *Type {
	t := b.u.Invalid
	switch e := e.(type) {
	case *syntax.IdentExpr:
		t = b.placeVar(e, read)
	case *syntax.FieldExpr:
		t = b.placeField(e)
	case *syntax.IndexExpr:
		t = b.placeIndex(e)
	}
	b.info.setType(e, t)
	return t
}

func (b *body) placeVar(e *syntax.IdentExpr, read bool) *Type {
	l, ok := b.vars[e.Name]
	if !ok {
		return b.ident(e)
	}
	v := l.v
	b.info.setTarget(e, v)
	b.assigned(v)
	if read {
		b.use(v)
	}
	switch {
	case v.Kind == SenderVar || v.Kind == ReceiverVar:
		b.errorf(diag.Immutable, e.Span(), "cannot reassign channel sender/receiver variable")
	case !v.Mut:
		d := b.errorf(diag.Immutable, e.Span(), "cannot assign to immutable variable '%s'", v.Name)
		if v.Kind == LetVar {
			d.Note(b.file, v.Decl.Span(), "declare it with 'let mut' to assign to it")
		}
	}
	return v.Type
}

func (b *body) placeField(e *syntax.FieldExpr) *Type {
	if _, ok := b.head(e.X); ok {
		return b.field(e)
	}
	t := b.expr(e.X, nil)
	if t.Kind != KClass {
		if !bad(t) {
			b.errorf("P0524", e.Name.Span(), "field assignment on non-class type %s", t)
		}
		return b.u.Invalid
	}
	f := t.Class.Field(e.Name.Name)
	if f == nil {
		b.noField(t.Class, e.Name)
		return b.u.Invalid
	}
	b.info.setTarget(e, f)
	if v := b.root(e.X); v != nil && !v.Mut {
		b.errorf(diag.ImmutableField, e.Span(), "cannot assign to field of immutable variable '%s'; declare with 'let mut' to allow mutation", v.Name)
	}
	return f.Type
}

func (b *body) placeIndex(e *syntax.IndexExpr) *Type {
	t := b.settled(e.X)
	switch t.Kind {
	case KArray:
		b.indexInt(e, "array")
		return t.Elem
	case KBytes:
		b.indexInt(e, "bytes")
		return b.u.Byte
	case KMap:
		b.mapKey(e, t)
		return t.Elem
	}
	b.expr(e.Index, b.u.Invalid)
	if !bad(t) {
		b.errorf("P0524", e.X.Span(), "index assignment on non-indexable type %s", t)
	}
	return b.u.Invalid
}
