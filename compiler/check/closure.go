package check

import "github.com/settgraph/sett/compiler/syntax"

// closure checks a closure. Without a written result, that of a body is the type of its
// first return with a value that is no deeper than the body itself, or void.
func (b *body) closure(e *syntax.ClosureExpr, want *Type) *Type {
	f := &frame{}
	if want != nil && want.Kind == KNullable {
		want = want.Elem
	}
	if want != nil && want.Kind == KFunc {
		f.hint = want.Result
	} else if want != nil && bad(want) {
		f.hint = want
	}
	outerFrame, outerOwner := b.frame, b.owner
	b.frame, b.owner = f, e
	mark := b.open()
	params := make([]*Type, len(e.Params))
	for i, p := range e.Params {
		params[i] = b.c.resolve(b.env, p.Type)
		b.declare(p.Name, ParamVar, params[i], true)
	}
	if e.Result != nil {
		f.result = b.c.resolve(b.env, e.Result)
	}
	if e.Body == nil {
		b.closureValue(e)
	} else {
		b.closureBody(e.Body)
	}
	b.close(mark)
	b.frame, b.owner = outerFrame, outerOwner
	return b.u.Func(params, f.result)
}

// closureValue checks a closure that is `=> value`.
func (b *body) closureValue(e *syntax.ClosureExpr) {
	f := b.frame
	if f.result != nil {
		if t, ok := b.fit(e.Value, f.result); !ok {
			b.errorf("P0513", e.Value.Span(), "return type mismatch: expected %s, found %s", f.result, t)
		}
		return
	}
	t := b.expr(e.Value, f.hint)
	if len(f.unwraps) > 0 && f.hint != nil && f.hint.Kind == KNullable && b.c.assignable(t, f.hint) {
		t = f.hint
		b.adopt(e.Value, t)
	}
	b.settle(t)
}

// closureBody checks a closure whose body is a block.
func (b *body) closureBody(body *syntax.Block) {
	f := b.frame
	mark := b.open()
	for _, s := range body.Stmts {
		if r, ok := s.(*syntax.ReturnStmt); ok && r.Value != nil && f.result == nil {
			b.settle(b.expr(r.Value, f.hint))
			continue
		}
		b.stmt(s)
	}
	b.close(mark)
	if f.result == nil {
		b.settle(b.u.Void)
	}
}

// settle fixes the result of a closure, and checks what waited for it. The names of the
// nested blocks are gone by now, but an empty array needs none.
func (b *body) settle(t *Type) {
	f := b.frame
	f.result = t
	for _, r := range f.returns {
		if r.got == nil {
			r.got = b.u.Void
			if r.stmt.Value != nil {
				b.returnValue(r.stmt)
				continue
			}
		}
		b.returned(r.stmt, r.got)
	}
	for _, u := range f.unwraps {
		b.unwrapIn(u, t)
	}
	f.returns, f.unwraps = nil, nil
}

// adoptClosure gives a closure without a written result the result of the function type
// that it is used as.
func (b *body) adoptClosure(e *syntax.ClosureExpr, to *Type) {
	if to.Kind == KNullable {
		to = to.Elem
	}
	t := b.info.Type(e)
	if to.Kind != KFunc || e.Result != nil || t == to || t.Result == to.Result || t.Result.Kind == KVoid {
		return
	}
	b.info.setType(e, b.u.Func(t.Params, to.Result))
	if e.Body == nil {
		b.adopt(e.Value, to.Result)
		return
	}
	eachReturn(e.Body, func(r *syntax.ReturnStmt) {
		if r.Value != nil {
			b.adopt(r.Value, to.Result)
		}
	})
}

// eachReturn calls f with the returns in a body, those of closures in it left out.
func eachReturn(n syntax.Node, f func(*syntax.ReturnStmt)) {
	switch n := n.(type) {
	case *syntax.ReturnStmt:
		f(n)
	case *syntax.ClosureExpr:
	default:
		syntax.Children(n, func(child syntax.Node) { eachReturn(child, f) })
	}
}

// spawn checks `spawn call`. What the call mentions is captured by the task.
func (b *body) spawn(e *syntax.SpawnExpr) *Type {
	outer := b.owner
	b.owner = e
	t := b.expr(e.Call, nil)
	b.owner = outer
	return b.u.Wrapped(KTask, t)
}
