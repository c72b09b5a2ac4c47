package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// body checks the body of a function: it makes the facts about everything in it.
func (c *checker) body(f *Func) {
	if f.Decl == nil || f.Decl.Body == nil {
		return
	}
	class := f.Class
	if f.App != nil {
		class = f.App.Class
	}
	b := c.newBody(c.envOf(f), class, f.Self)
	b.frame.result = f.Result
	for _, p := range f.Params {
		b.info.define(p.Decl, p)
		b.bind(p)
	}
	b.stmts(f.Decl.Body.Stmts)
	if f.Generic == nil && (f.Class == nil || f.Class.Generic == nil || f.Default != nil) {
		c.missingReturn(f)
	}
}

// missingReturn complains when a path through a body ends without the value that it must
// return.
func (c *checker) missingReturn(f *Func) {
	if f.Decl == nil || f.Decl.Body == nil || bad(f.Result) || f.Result.Kind == KVoid || terminates(f.Decl.Body) {
		return
	}
	c.report(c.phase, "P0514", f.File, lastByte(f.Decl.Body), "missing return statement in function with return type %s", f.Result)
}

// terminates says that a block always returns or raises.
func terminates(b *syntax.Block) bool {
	if b == nil {
		return false
	}
	for _, s := range b.Stmts {
		if terminal(s) {
			return true
		}
	}
	return false
}

func terminal(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.ReturnStmt, *syntax.RaiseStmt:
		return true
	case *syntax.Block:
		return terminates(s)
	case *syntax.IfStmt:
		return s.Else != nil && terminates(s.Then) && terminal(s.Else)
	case *syntax.MatchStmt:
		for _, a := range s.Arms {
			if !terminates(a.Body) {
				return false
			}
		}
		return len(s.Arms) > 0
	}
	return false
}

// block checks a block in a scope of its own.
func (b *body) block(blk *syntax.Block) {
	if blk == nil {
		return
	}
	mark := b.open()
	b.stmts(blk.Stmts)
	b.close(mark)
}

func (b *body) stmts(list []syntax.Stmt) {
	for _, s := range list {
		b.stmt(s)
	}
}

func (b *body) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.LetStmt:
		b.let(s)
	case *syntax.ExprStmt:
		b.exprStmt(s)
	case *syntax.AssignStmt:
		b.assign(s)
	case *syntax.ReturnStmt:
		b.returnStmt(s)
	case *syntax.IfStmt:
		b.condition(s.Cond)
		b.block(s.Then)
		if s.Else != nil {
			b.stmt(s.Else)
		}
	case *syntax.Block:
		b.block(s)
	case *syntax.WhileStmt:
		if t := b.expr(s.Cond, nil); t != b.u.Bool && !bad(t) {
			b.errorf("P0509", s.Cond.Span(), "while condition must be bool, found %s", t)
		}
		b.loop(s.Body)
	case *syntax.ForStmt:
		b.forStmt(s)
	case *syntax.BreakStmt:
		if b.frame.loops == 0 {
			b.errorf("P0512", s.Span(), "'break' can only be used inside a loop")
		}
	case *syntax.ContinueStmt:
		if b.frame.loops == 0 {
			b.errorf("P0512", s.Span(), "'continue' can only be used inside a loop")
		}
	case *syntax.IncDecStmt:
		b.incDec(s)
	case *syntax.MatchStmt:
		b.matchStmt(s)
	case *syntax.RaiseStmt:
		b.raise(s)
	case *syntax.AssertStmt:
		if t := b.expr(s.Cond, nil); t != b.u.Bool && !bad(t) {
			b.errorf("P0520", s.Cond.Span(), "assert expression must be bool, found %s", t)
		}
	case *syntax.LetChanStmt:
		b.letChan(s)
	case *syntax.SelectStmt:
		b.selectStmt(s)
	case *syntax.ScopeStmt:
		b.scopeStmt(s)
	}
}

func (b *body) condition(e syntax.Expr) {
	if t := b.expr(e, nil); t != b.u.Bool && !bad(t) {
		b.errorf("P0509", e.Span(), "condition must be bool, found %s", t)
	}
}

func (b *body) loop(blk *syntax.Block) {
	b.frame.loops++
	b.block(blk)
	b.frame.loops--
}

func (b *body) let(s *syntax.LetStmt) {
	var t *Type
	if s.Type != nil {
		t = b.c.resolve(b.env, s.Type)
		if got, ok := b.fit(s.Value, t); !ok {
			b.errorf("P0404", s.Value.Span(), "type mismatch: expected %s, found %s", t, got)
		}
	} else if t = b.expr(s.Value, nil); unresolved(t) && !bad(t) {
		b.noneUnknown(s.Value)
		t = b.u.Invalid
	}
	if _, free := b.declare(s.Name, LetVar, t, s.Mut); !free {
		return
	}
	if global := b.c.shadowed(b.mod, s.Name.Name); global != "" {
		b.errorf("P0503", s.Name.Span(), "variable '%s' shadows %s", s.Name.Name, global)
	}
}

func (b *body) exprStmt(s *syntax.ExprStmt) {
	x := s.X
	for {
		p, ok := x.(*syntax.ParenExpr)
		if !ok {
			break
		}
		x = p.X
	}
	if e, ok := x.(*syntax.SpawnExpr); ok {
		b.errorf("P1101", e.Span(), "Task handle must be used -- call .get(), .detach(), or assign to a variable")
	}
	b.expr(s.X, nil)
}

func (b *body) returnStmt(s *syntax.ReturnStmt) {
	f := b.frame
	switch {
	case f.result == nil && s.Value != nil && emptyArray(s.Value):
		f.returns = append(f.returns, pendingReturn{stmt: s})
	case f.result == nil:
		got := b.u.Void
		if s.Value != nil {
			got = b.expr(s.Value, f.hint)
		}
		f.returns = append(f.returns, pendingReturn{s, got})
	case s.Value == nil:
		b.returned(s, b.u.Void)
	default:
		b.returnValue(s)
	}
}

// returnValue checks a return with a value where the result is known.
func (b *body) returnValue(s *syntax.ReturnStmt) {
	if got, ok := b.fit(s.Value, b.frame.result); !ok {
		b.badReturn(s, got)
	}
}

// returned checks a return whose value was looked at before.
func (b *body) returned(s *syntax.ReturnStmt, got *Type) {
	switch {
	case !b.c.assignable(got, b.frame.result):
		b.badReturn(s, got)
	case s.Value != nil && got != b.frame.result:
		b.adopt(s.Value, b.frame.result)
	}
}

func (b *body) badReturn(s *syntax.ReturnStmt, got *Type) {
	at := s.Span()
	if s.Value != nil {
		at = s.Value.Span()
	}
	b.errorf("P0513", at, "return type mismatch: expected %s, found %s", b.frame.result, got)
}

func (b *body) forStmt(s *syntax.ForStmt) {
	t := b.iterated(s.Iter)
	mark := b.open()
	b.declare(s.Name, LoopVar, t, true)
	b.loop(s.Body)
	b.close(mark)
}

// iterated checks what a for goes over and finds the type of its elements.
func (b *body) iterated(e syntax.Expr) *Type {
	x := e
	for {
		p, ok := x.(*syntax.ParenExpr)
		if !ok {
			break
		}
		b.info.setType(p, b.u.Range)
		x = p.X
	}
	if r, ok := x.(*syntax.RangeExpr); ok {
		b.bounds(r)
		b.info.setType(r, b.u.Range)
		return b.u.Int
	}
	t := b.settled(e)
	switch t.Kind {
	case KArray, KReceiver:
		return t.Elem
	case KString:
		return b.u.String
	case KBytes:
		return b.u.Byte
	case KInvalid:
	default:
		b.errorf("P0510", e.Span(), "for loop requires array, range, string, bytes, receiver, or stream, found %s", t)
	}
	return b.u.Invalid
}

func (b *body) bounds(r *syntax.RangeExpr) {
	if t, ok := b.exact(r.Lo, b.u.Int); !ok {
		b.errorf("P0511", r.Lo.Span(), "range start must be int, found %s", t)
	}
	if t, ok := b.exact(r.Hi, b.u.Int); !ok {
		b.errorf("P0511", r.Hi.Span(), "range end must be int, found %s", t)
	}
}

func (b *body) raise(s *syntax.RaiseStmt) {
	err := b.errorDecl(s.Module, s.Name)
	if err == nil {
		for _, f := range s.Fields {
			b.expr(f.Value, b.u.Invalid)
		}
		return
	}
	b.info.setErr(s, err)
	if len(s.Fields) != len(err.Fields) {
		b.errorf(diag.ErrorFields, s.Span(), "error '%s' has %d fields, but %d were provided", err.Name, len(err.Fields), len(s.Fields))
	}
	for i, init := range s.Fields {
		f := err.Field(init.Name.Name)
		if f == nil {
			b.errorf(diag.ErrorFields, init.Name.Span(), "error '%s' has no field '%s'", err.Name, init.Name.Name)
			b.expr(init.Value, b.u.Invalid)
			continue
		}
		b.repeated(s.Fields, i)
		if t, ok := b.exact(init.Value, f.Type); !ok {
			b.badField(init, f.Type, t)
		}
	}
}

// Field finds a field, or nil.
func (e *ErrorDecl) Field(name string) *ErrorField {
	for _, f := range e.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func (b *body) letChan(s *syntax.LetChanStmt) {
	elem := b.c.resolve(b.env, s.Elem)
	if s.Capacity != nil {
		if t, ok := b.exact(s.Capacity, b.u.Int); !ok {
			b.errorf("P1102", s.Capacity.Span(), "channel capacity must be int, found %s", t)
		}
	}
	b.declare(s.Tx, SenderVar, b.u.Wrapped(KSender, elem), false)
	b.declare(s.Rx, ReceiverVar, b.u.Wrapped(KReceiver, elem), false)
}

func (b *body) selectStmt(s *syntax.SelectStmt) {
	for _, a := range s.Arms {
		mark := b.open()
		switch a.Kind {
		case syntax.SelectRecv:
			elem := b.u.Invalid
			if t := b.settled(a.Chan); t.Kind == KReceiver {
				elem = t.Elem
			} else if !bad(t) {
				b.errorf("P1104", a.Chan.Span(), "select recv arm requires a Receiver, found %s", t)
			}
			b.declare(a.Name, SelectVar, elem, true)
		case syntax.SelectSend:
			b.selectSend(a)
		}
		b.block(a.Body)
		b.close(mark)
	}
}

func (b *body) selectSend(a *syntax.SelectArm) {
	t := b.settled(a.Chan)
	if t.Kind != KSender {
		b.expr(a.Value, b.u.Invalid)
		if !bad(t) {
			b.errorf("P1104", a.Chan.Span(), "select send arm requires a Sender, found %s", t)
		}
		return
	}
	if v, ok := b.exact(a.Value, t.Elem); !ok {
		b.errorf("P1103", a.Value.Span(), "select send expects %s, found %s", t.Elem, v)
	}
}

// scopeStmt checks a scope block. What it binds may shadow.
func (b *body) scopeStmt(s *syntax.ScopeStmt) {
	seeds := make([]*Type, len(s.Seeds))
	for i, e := range s.Seeds {
		seeds[i] = b.seed(e)
	}
	wiring, types := b.c.wire(b.env, s, seeds)
	if wiring != nil {
		b.info.setWiring(s, wiring)
	}
	mark := b.open()
	for i, p := range s.Bindings {
		t := b.u.Invalid
		if i < len(types) && types[i] != nil {
			t = types[i]
		}
		if old, ok := b.vars[p.Name.Name]; ok && old.depth == b.depth {
			b.errorf("P0501", p.Name.Span(), "variable '%s' is already declared in this scope", p.Name.Name)
		}
		v := &Var{Name: p.Name.Name, Type: t, Decl: p.Name, Kind: ScopeVar, Mut: true, Owner: b.owner}
		b.info.define(p.Name, v)
		b.bind(v)
	}
	b.block(s.Body)
	b.close(mark)
}

// seed checks a seed of a scope block.
func (b *body) seed(e syntax.Expr) *Type {
	if lit, ok := e.(*syntax.LitExpr); ok && len(lit.Path) == 1 && len(lit.TypeArgs) == 0 {
		if _, ok := b.c.lookup(b.mod, lit.Path[0].Name).(*Class); !ok {
			b.errorf("P0428", lit.Path[0].Span(), "unknown class '%s' in scope seed", lit.Path[0].Name)
			t := b.failedLit(lit)
			b.info.setType(e, t)
			return t
		}
	}
	return b.settled(e)
}
