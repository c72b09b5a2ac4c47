package syntax

// block lays a block out whose closing brace is at the level.
func (l *layout) block(b *Block, level int) {
	for _, s := range b.Stmts {
		l.line(l.first(s), level+1, 0)
		l.stmt(s, level+1)
	}
	l.line(l.last(b), level, 0)
}

// inner lays a block within an expression out: it stays on its line when it was on one and
// is no more than a simple statement.
func (l *layout) inner(b *Block, in indent) {
	if l.fits(b) {
		for _, s := range b.Stmts {
			l.stmt(s, in.cur)
		}
		return
	}
	l.block(b, in.cur)
}

// fits says whether the block is on one line and can stay there.
func (l *layout) fits(b *Block) bool {
	for i, end := l.first(b)+1, l.last(b); i <= end; i++ {
		if l.broken(i) {
			return false
		}
	}
	fits := true
	Walk(b, func(n Node) bool {
		switch n := n.(type) {
		case *Block:
			fits = fits && len(n.Stmts) <= 1
		case *IfStmt, *WhileStmt, *ForStmt, *MatchStmt, *SelectStmt, *ScopeStmt, *MatchExpr:
			fits = false
		}
		return fits
	})
	return fits
}

// stmt lays a statement out whose first token begins a line.
func (l *layout) stmt(s Stmt, level int) {
	in := indent{level, level}
	switch s := s.(type) {
	case *Block:
		l.block(s, level)
	case *LetStmt:
		if s.Type != nil {
			l.typ(s.Type)
		}
		l.expr(s.Value, in)
	case *LetChanStmt:
		l.typeArgs([]TypeExpr{s.Elem})
		if s.Capacity != nil {
			l.expr(s.Capacity, in)
		}
	case *ReturnStmt:
		if s.Value != nil {
			l.expr(s.Value, in)
		}
	case *AssertStmt:
		l.expr(s.Cond, in)
	case *RaiseStmt:
		l.list(l.last(s.Name)+1, l.inits(s.Fields), l.last(s), in)
	case *IfStmt:
		l.expr(s.Cond, in)
		l.block(s.Then, level)
		if s.Else != nil {
			l.stmt(s.Else, level)
		}
	case *WhileStmt:
		l.expr(s.Cond, in)
		l.block(s.Body, level)
	case *ForStmt:
		l.expr(s.Iter, in)
		l.block(s.Body, level)
	case *MatchStmt:
		l.expr(s.X, in)
		l.arms(s.Arms, l.last(s), in)
	case *SelectStmt:
		for _, a := range s.Arms {
			l.line(l.first(a), level+1, 0)
			l.selectArm(a, level+1)
		}
		l.line(l.last(s), level, 0)
	case *ScopeStmt:
		l.scope(s, in)
	case *AssignStmt:
		l.expr(s.Value, l.expr(s.Target, in))
	case *IncDecStmt:
		l.expr(s.Target, in)
	case *ExprStmt:
		l.expr(s.X, in)
	}
}

func (l *layout) selectArm(a *SelectArm, level int) {
	in := indent{level, level}
	switch a.Kind {
	case SelectRecv:
		l.selector(a.Chan, in)
	case SelectSend:
		in = l.selector(a.Chan, in)
		open := l.last(a.Chan) + 3 // after .send
		l.list(open, []entry{l.entry(a.Value)}, l.closing(l.last(a.Value)), in)
	}
	l.block(a.Body, level)
}

// selector lays an operand and the dot after it out.
func (l *layout) selector(x Expr, in indent) indent {
	in = l.expr(x, in)
	if dot := l.last(x) + 1; l.pieces[dot].lines > 0 {
		in = l.hang(dot, in)
	}
	return in
}

func (l *layout) scope(s *ScopeStmt, in indent) {
	seeds := l.entries(s.Seeds)
	end := l.closing(l.lastOf(0, seeds))
	l.list(l.first(s)+1, seeds, end, in)
	var params []entry
	for _, b := range s.Bindings {
		params = append(params, l.param(b))
	}
	open := end + 1
	end = l.closing(l.lastOf(open, params))
	l.list(open, params, end, in)
	l.set(open, tightAfter)
	l.set(end, tightBefore)
	l.block(s.Body, in.base)
}

// arms lays the arms of a match out, each on its line.
func (l *layout) arms(arms []*MatchArm, end int, in indent) {
	level := in.cur + 1
	for _, a := range arms {
		l.line(l.first(a), level, 0)
		at := indent{level, level}
		if a.Braces {
			var entries []entry
			for _, b := range a.Bindings {
				entries = append(entries, entry{l.first(b), l.last(b), nil})
			}
			open := l.last(a.Variant) + 1
			l.list(open, entries, l.closing(l.lastOf(open, entries)), at)
		}
		if a.Body != nil {
			l.block(a.Body, level)
			continue
		}
		l.expr(a.Value, at)
		l.set(l.last(a), comma)
		if i := l.last(a) + 1; l.pieces[i].kind == COMMA {
			l.set(i, dropped)
		}
	}
	l.line(end, in.cur, 0)
}
