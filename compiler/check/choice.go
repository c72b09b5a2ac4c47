package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// ifExpr checks an if with a value.
func (b *body) ifExpr(e *syntax.IfExpr, want *Type) *Type {
	if t := b.expr(e.Cond, nil); t != b.u.Bool && !bad(t) {
		b.errorf("P0509", e.Cond.Span(), "if condition must be bool, found %s", t)
	}
	then := b.branch(e.Then, want)
	var other *Type
	switch {
	case e.ElseIf != nil:
		other = b.expr(e.ElseIf, want)
	case e.Else != nil:
		other = b.branch(e.Else, want)
	default:
		return b.u.Invalid
	}
	t := b.unified(e, then, other)
	if t.Kind == KNullable && (then == b.u.None) != (other == b.u.None) {
		b.adoptBlock(e.Then, t)
		b.adoptBlock(e.Else, t)
		if e.ElseIf != nil {
			b.adopt(e.ElseIf, t)
		}
	}
	return t
}

// unified is the common type of two branches; it complains when there is none.
func (b *body) unified(at syntax.Node, x, y *Type) *Type {
	none := b.u.None
	switch {
	case x == y || bad(y):
		return x
	case bad(x):
		return y
	case x.Kind == KNullable && (y == none || y == x.Elem):
		return x
	case y.Kind == KNullable && (x == none || x == y.Elem):
		return y
	}
	b.errorf("P0437", at.Span(), "if-expression branches have incompatible types: then-branch has type %s, else-branch has type %s", x, y)
	return b.u.Invalid
}

// branch checks a branch of an if with a value and finds the value's type: that of a final
// expression, or of a final if with an else; void when there is none.
func (b *body) branch(blk *syntax.Block, want *Type) *Type {
	mark := b.open()
	defer b.close(mark)
	if len(blk.Stmts) == 0 {
		return b.u.Void
	}
	last := len(blk.Stmts) - 1
	b.stmts(blk.Stmts[:last])
	switch s := blk.Stmts[last].(type) {
	case *syntax.ExprStmt:
		return b.expr(s.X, want)
	case *syntax.IfStmt:
		if s.Else != nil {
			return b.branchIf(s, want)
		}
	}
	b.stmt(blk.Stmts[last])
	return b.u.Void
}

// branchIf checks an if statement that is the value of a branch.
func (b *body) branchIf(s *syntax.IfStmt, want *Type) *Type {
	b.condition(s.Cond)
	then := b.branch(s.Then, want)
	other := b.u.Void
	switch e := s.Else.(type) {
	case *syntax.Block:
		other = b.branch(e, want)
	case *syntax.IfStmt:
		if e.Else != nil {
			other = b.branchIf(e, want)
		} else {
			b.stmt(e)
		}
	}
	t := b.unified(s, then, other)
	if t.Kind == KNullable && (then == b.u.None) != (other == b.u.None) {
		b.adoptIf(s, t)
	}
	return t
}

// catch checks `call catch ...`: its type is that of the call, and handlers and the fallback
// value must fit it.
func (b *body) catch(e *syntax.CatchExpr) *Type {
	t := b.expr(e.X, nil)
	want := t
	if !isCall(unparen(e.X)) {
		want = b.u.Invalid // it is refused as a whole
	}
	for _, h := range e.Handlers {
		b.handler(h, want)
	}
	if e.Default != nil {
		if got, ok := b.fit(e.Default, want); !ok {
			b.errorf(diag.HandlerType, e.Default.Span(), "catch handler type mismatch: expected %s, found %s", t, got)
		}
	}
	return t
}

func (b *body) handler(h *syntax.Handler, want *Type) {
	caught := b.u.Error
	if h.Type != nil {
		caught = b.u.Invalid
		if err := b.errorDecl(h.Module, h.Type); err != nil {
			b.info.setErr(h, err)
			caught = b.u.ErrorValue(err)
		}
	}
	mark := b.open()
	b.declare(h.Name, CatchVar, caught, true)
	got, at, exempt := b.handlerValue(h.Body, want)
	b.close(mark)
	if !exempt && !b.c.assignable(got, want) {
		b.errorf(diag.HandlerType, at.Span(), "catch handler type mismatch: expected %s, found %s", want, got)
	}
}

// handlerValue checks the block of a handler: the type of its value, where the value is, and
// whether the block ends in a return and so needs no value.
func (b *body) handlerValue(blk *syntax.Block, want *Type) (t *Type, at syntax.Node, exempt bool) {
	mark := b.open()
	defer b.close(mark)
	if len(blk.Stmts) == 0 {
		return b.u.Void, blk, false
	}
	last := len(blk.Stmts) - 1
	b.stmts(blk.Stmts[:last])
	switch s := blk.Stmts[last].(type) {
	case *syntax.ExprStmt:
		t, ok := b.fit(s.X, want)
		return t, s, ok
	case *syntax.ReturnStmt:
		b.stmt(s)
		return nil, s, true
	default:
		b.stmt(s)
		return b.u.Void, blk, false
	}
}

// errorDecl finds the error that a raise or a handler names; nil after a complaint.
func (b *body) errorDecl(module, name *syntax.Ident) *ErrorDecl {
	m, text := b.mod, name.Name
	if module != nil {
		text = module.Name + "." + text
		if m = b.c.imported(b.mod, module.Name); m == nil {
			b.errorf(diag.UnknownError, module.Span(), "unknown error type '%s'", text)
			return nil
		}
		if m.Missing {
			return nil
		}
	}
	e := b.c.lookupError(m, name.Name)
	if e == nil {
		b.errorf(diag.UnknownError, name.Span(), "unknown error type '%s'", text)
	}
	return e
}
