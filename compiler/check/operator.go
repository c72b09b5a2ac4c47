package check

import (
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

func (b *body) unary(e *syntax.UnaryExpr) *Type {
	t := b.expr(e.X, nil)
	switch {
	case bad(t):
	case e.Op == syntax.MINUS:
		if t == b.u.Int || t == b.u.Float {
			return t
		}
		b.errorf("P0411", e.Span(), "cannot negate type %s", t)
	case e.Op == syntax.NOT:
		if t == b.u.Bool {
			return t
		}
		b.errorf("P0411", e.Span(), "cannot apply '!' to type %s", t)
		return b.u.Bool
	case e.Op == syntax.TILDE:
		if t == b.u.Int {
			return t
		}
		b.errorf("P0411", e.Span(), "cannot apply '~' to type %s", t)
	}
	return b.u.Invalid
}

func (b *body) binary(e *syntax.BinaryExpr) *Type {
	x, y := b.expr(e.X, nil), b.expr(e.Y, nil)
	switch e.Op {
	case syntax.PLUS, syntax.MINUS, syntax.STAR, syntax.SLASH, syntax.PERCENT:
		return b.arithmetic(e.Op, x, y, e.Span())
	case syntax.EQ, syntax.NE:
		b.equality(e, x, y)
	case syntax.LT, syntax.GT, syntax.LE, syntax.GE:
		switch {
		case bad(x) || bad(y):
		case x != y:
			b.errorf("P0408", e.Span(), "cannot compare %s with %s", x, y)
		case x != b.u.Int && x != b.u.Float && x != b.u.Byte:
			b.errorf("P0408", e.Span(), "comparison not supported for type %s", x)
		}
	case syntax.ANDAND, syntax.OROR:
		if !b.both(x, y, b.u.Bool) {
			b.errorf("P0409", e.Span(), "logical operators require bool operands, found %s and %s", x, y)
		}
	case syntax.AND, syntax.OR, syntax.XOR, syntax.SHL, syntax.SHR:
		if !b.both(x, y, b.u.Int) {
			b.errorf("P0410", e.Span(), "bitwise operators require int operands, found %s and %s", x, y)
			return b.u.Invalid
		}
		return b.u.Int
	}
	return b.u.Bool
}

// both says whether two operands have a type, as far as they have types at all.
func (b *body) both(x, y, t *Type) bool { return (x == t || bad(x)) && (y == t || bad(y)) }

// arithmetic is the type of `x op y`.
func (b *body) arithmetic(op syntax.Kind, x, y *Type, at source.Span) *Type {
	switch {
	case bad(x) || bad(y):
	case x != y:
		b.errorf("P0407", at, "operand type mismatch: %s vs %s", x, y)
	case x == b.u.Int || x == b.u.Float || x == b.u.String && op == syntax.PLUS:
		return x
	default:
		b.errorf("P0407", at, "operator not supported for type %s", x)
	}
	return b.u.Invalid
}

// equality checks the operands of == and !=.
func (b *body) equality(e *syntax.BinaryExpr, x, y *Type) {
	none := b.u.None
	switch {
	case bad(x) || bad(y):
	case x != y && x == none && y.Kind == KNullable:
		b.adopt(e.X, y)
	case x != y && y == none && x.Kind == KNullable:
		b.adopt(e.Y, x)
	case x != y || x.Kind == KVoid || x.Kind == KError || x.Kind == KErrorValue:
		b.errorf("P0408", e.Span(), "cannot compare %s with %s", x, y)
	case x.Kind == KBytes:
		b.errorf("P0408", e.Span(), "cannot compare bytes with ==; use element-wise comparison")
	case x != none && unresolved(x):
		b.noneUnknown(e.X)
	}
}
