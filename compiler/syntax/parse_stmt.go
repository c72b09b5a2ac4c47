package syntax

import (
	"slices"

	"github.com/settgraph/sett/compiler/diag"
)

// block reads `{ statements }`, one statement at a time so that each can fail alone.
func (p *parser) block() *Block {
	start := p.start()
	if p.tok.kind == LBRACE {
		p.advance()
		return p.blockRest(start)
	}
	p.expected(LBRACE.String())
	return &Block{base: p.to(start)}
}

// blockRest reads what follows the opening brace.
func (p *parser) blockRest(start int32) *Block {
	head := p.head
	p.head = false
	b := &Block{}
	if p.enter() {
		mark := len(p.stmts)
		for p.tok.kind != RBRACE && p.tok.kind != EOF && !p.unwind {
			first := p.pos
			p.unit = p.tok.at.Start
			p.stmts = append(p.stmts, p.stmt())
			if p.failed {
				p.syncStmt(first)
			}
		}
		b.Stmts = slices.Clone(p.stmts[mark:])
		p.stmts = p.stmts[:mark]
		if !p.unwind {
			p.expect(RBRACE)
		}
	}
	p.leave()
	p.head = head
	b.base = p.to(start)
	return b
}

func (p *parser) stmt() Stmt {
	start := p.start()
	switch p.tok.kind {
	case LET:
		return p.letStmt(start)
	case RETURN:
		p.advance()
		s := &ReturnStmt{}
		if !p.tok.nl && p.tok.kind != RBRACE && p.tok.kind != EOF {
			s.Value = p.expr()
		}
		s.base = p.to(start)
		p.endStmt()
		return s
	case BREAK:
		p.advance()
		s := &BreakStmt{p.to(start)}
		p.endStmt()
		return s
	case CONTINUE:
		p.advance()
		s := &ContinueStmt{p.to(start)}
		p.endStmt()
		return s
	case ASSERT:
		p.advance()
		s := &AssertStmt{Cond: p.expr()}
		s.base = p.to(start)
		p.endStmt()
		return s
	case RAISE:
		return p.raiseStmt(start)
	case IF:
		return p.ifStmt()
	case WHILE:
		p.advance()
		s := &WhileStmt{Cond: p.headExpr()}
		s.Body = p.block()
		s.base = p.to(start)
		return s
	case FOR:
		p.advance()
		s := &ForStmt{Name: p.ident()}
		p.expect(IN)
		s.Iter = p.headExpr()
		s.Body = p.block()
		s.base = p.to(start)
		return s
	case MATCH:
		return p.matchStmt(start)
	case SELECT:
		return p.selectStmt(start)
	case SCOPE:
		return p.scopeStmt(start)
	}
	return p.simpleStmt(start)
}

func (p *parser) letStmt(start int32) Stmt {
	p.advance()
	mut := p.got(MUT)
	if p.tok.kind == LPAREN {
		return p.letChan(start, mut)
	}
	s := &LetStmt{Mut: mut, Name: p.ident()}
	if p.got(COLON) {
		s.Type = p.typ()
	}
	p.expect(ASSIGN)
	s.Value = p.expr()
	s.base = p.to(start)
	p.endStmt()
	return s
}

func (p *parser) letChan(start int32, mut bool) Stmt {
	p.advance()
	s := &LetChanStmt{Mut: mut, Tx: p.ident()}
	p.expect(COMMA)
	s.Rx = p.ident()
	p.expect(RPAREN)
	p.expect(ASSIGN)
	if !p.failed && (p.tok.kind != IDENT || p.lit(p.pos) != "chan" || p.peek(1) != LT) {
		p.fail(diag.ChanExpected, "expected `chan<T>()` after `let (tx, rx) =`, found %s", p.found())
	} else if !p.failed {
		p.advance()
	}
	p.expect(LT)
	s.Elem = p.typ()
	p.closeAngle()
	p.expect(LPAREN)
	if p.tok.kind != RPAREN && p.tok.kind != EOF {
		s.Capacity = p.freeExpr()
	}
	p.expect(RPAREN)
	s.base = p.to(start)
	p.endStmt()
	return s
}

func (p *parser) raiseStmt(start int32) Stmt {
	p.advance()
	s := &RaiseStmt{Name: p.ident()}
	if p.tok.kind == DOT && !p.tok.nl {
		p.advance()
		s.Module, s.Name = s.Name, p.ident()
	}
	s.Fields = p.fieldInits()
	s.base = p.to(start)
	p.endStmt()
	return s
}

func (p *parser) ifStmt() *IfStmt {
	first := &IfStmt{}
	chain := []*IfStmt{}
	for s := first; ; {
		s.At.Start = p.start()
		chain = append(chain, s)
		p.expect(IF)
		s.Cond = p.headExpr()
		s.Then = p.block()
		if p.unwind || !p.got(ELSE) {
			break
		}
		p.chain(len(chain))
		if p.tok.kind != IF {
			s.Else = p.block()
			break
		}
		next := &IfStmt{}
		s.Else = next
		s = next
	}
	for _, s := range chain {
		s.base = p.to(s.At.Start)
	}
	return first
}

func (p *parser) matchStmt(start int32) Stmt {
	p.advance()
	s := &MatchStmt{X: p.headExpr()}
	p.members(func() {
		start := p.start()
		arm := p.armPath()
		if p.bindingsAhead() {
			p.bindings(arm)
		}
		arm.Body = p.block()
		arm.base = p.to(start)
		s.Arms = append(s.Arms, arm)
	})
	s.base = p.to(start)
	return s
}

// armPath reads `[module.]Enum.Variant`.
func (p *parser) armPath() *MatchArm {
	arm := &MatchArm{Enum: p.ident()}
	p.expect(DOT)
	arm.Variant = p.ident()
	if p.got(DOT) {
		arm.Module, arm.Enum, arm.Variant = arm.Enum, arm.Variant, p.ident()
	}
	return arm
}

// bindingsAhead says whether the brace opens bindings: nothing but names, commas and colons
// up to its end, and then another brace.
func (p *parser) bindingsAhead() bool {
	if p.tok.kind != LBRACE {
		return false
	}
	for i := p.pos + 1; ; i++ {
		switch p.kindAt(i) {
		case IDENT, COMMA, COLON:
		case RBRACE:
			return p.kindAt(i+1) == LBRACE
		default:
			return false
		}
	}
}

func (p *parser) bindings(arm *MatchArm) {
	arm.Braces = true
	p.expect(LBRACE)
	for p.tok.kind != RBRACE && p.tok.kind != EOF {
		start := p.start()
		b := &Binding{Field: p.ident()}
		b.Name = b.Field
		if p.got(COLON) {
			b.Name = p.ident()
		}
		b.base = p.to(start)
		arm.Bindings = append(arm.Bindings, b)
		p.got(COMMA)
	}
	p.expect(RBRACE)
}

func (p *parser) selectStmt(start int32) Stmt {
	at := p.tok.at
	p.advance()
	s := &SelectStmt{}
	dflt := false
	p.members(func() {
		if p.tok.kind == DEFAULT {
			if dflt {
				p.reportAt(p.tok.at, diag.SelectForm, "duplicate default arm in select")
			}
			dflt = true
		}
		s.Arms = append(s.Arms, p.selectArm())
	})
	if len(s.Arms) == 0 && !p.failed {
		p.reportAt(at, diag.SelectForm, "select must have at least one arm or a default")
	}
	s.base = p.to(start)
	return s
}

func (p *parser) selectArm() *SelectArm {
	start := p.start()
	arm := &SelectArm{}
	switch {
	case p.got(DEFAULT):
		arm.Kind = SelectDefault
	case p.tok.kind == IDENT && p.peek(1) == ASSIGN:
		arm.Name = p.ident()
		p.advance()
		call := p.channelCall("recv", 0, "select recv arm must be: binding = channel.recv() { ... }")
		arm.Chan = call.X
	default:
		arm.Kind = SelectSend
		call := p.channelCall("send", 1, "select send arm must be: channel.send(value) { ... }")
		arm.Chan, arm.Value = call.X, call.Args[0]
	}
	arm.Body = p.block()
	arm.base = p.to(start)
	return arm
}

// channelCall reads a call of the method with n arguments.
func (p *parser) channelCall(method string, n int, msg string) *MethodExpr {
	first := p.tok.at
	x := p.headExpr()
	if call, ok := x.(*MethodExpr); ok && call.Name.Name == method && len(call.Args) == n {
		return call
	}
	p.failAt(first, diag.SelectForm, "%s", msg)
	return &MethodExpr{X: x, Args: []Expr{p.badExpr()}}
}

func (p *parser) scopeStmt(start int32) Stmt {
	p.advance()
	s := &ScopeStmt{}
	if p.tok.kind == LPAREN && p.peek(1) == RPAREN {
		p.fail(diag.ScopeForm, "scope block requires at least one seed expression")
	}
	s.Seeds = p.args()
	if p.tok.kind == OROR {
		p.fail(diag.ScopeForm, "scope block requires at least one binding")
	}
	p.expect(OR)
	if p.tok.kind == OR {
		p.fail(diag.ScopeForm, "scope block requires at least one binding")
	}
	for p.more(OR, len(s.Bindings)) {
		s.Bindings = append(s.Bindings, p.param())
	}
	p.expect(OR)
	s.Body = p.block()
	s.base = p.to(start)
	return s
}

// simpleStmt reads an expression, an assignment, or an increment.
func (p *parser) simpleStmt(start int32) Stmt {
	x := p.expr()
	switch k := p.tok.kind; k {
	case ASSIGN, PLUSASSIGN, MINUSASSIGN, STARASSIGN, SLASHASSIGN, PERCENTASSIGN:
		if !p.target(x, k != ASSIGN) {
			return &ExprStmt{p.to(start), x}
		}
		p.advance()
		s := &AssignStmt{Target: x, Op: assignOp(k), Value: p.expr()}
		s.base = p.to(start)
		p.endStmt()
		return s
	case INC, DEC:
		if !p.target(x, true) {
			return &ExprStmt{p.to(start), x}
		}
		p.advance()
		s := &IncDecStmt{p.to(start), x, k == DEC}
		p.endStmt()
		return s
	}
	s := &ExprStmt{p.to(start), x}
	p.endStmt()
	return s
}

// target fails unless x can be assigned.
func (p *parser) target(x Expr, compound bool) bool {
	switch x.(type) {
	case *IdentExpr, *FieldExpr, *IndexExpr:
		return true
	}
	msg := "invalid assignment target"
	if compound {
		msg = "invalid compound assignment target"
	}
	p.failAt(x.Span(), diag.AssignTarget, "%s", msg)
	return false
}

// assignOp is the operator in a compound assignment; 0 for a plain one.
func assignOp(k Kind) Kind {
	switch k {
	case PLUSASSIGN:
		return PLUS
	case MINUSASSIGN:
		return MINUS
	case STARASSIGN:
		return STAR
	case SLASHASSIGN:
		return SLASH
	case PERCENTASSIGN:
		return PERCENT
	}
	return 0
}
