package golang

import (
	"go/ast"
	"go/token"
)

// A narrower cuts a declaration down to what the types in one stretch of it depend on: the
// statement around it, the heads of the statements around that, and the declarations
// before it that they mention. Nodes in the stretch itself stay the same ones.
type narrower struct{ from, to token.Pos }

func (p narrower) in(n ast.Node) bool { return n.Pos() <= p.from && p.to <= n.End() }

// optional is in for what may be missing.
func (p narrower) stmtIn(s ast.Stmt) bool { return s != nil && p.in(s) }
func (p narrower) exprIn(e ast.Expr) bool { return e != nil && p.in(e) }

// block narrows a body, or empties it when the stretch is elsewhere.
func (p narrower) block(b *ast.BlockStmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: b.Lbrace, List: p.stmts(b.List), Rbrace: b.Rbrace}
}

func (p narrower) stmts(list []ast.Stmt) []ast.Stmt {
	for i, s := range list {
		if p.stmtIn(s) {
			kept := p.stmt(s)
			return append(before(list[:i], kept), kept)
		}
	}
	return nil
}

// before returns the declarations among statements that what follows them mentions.
func before(list []ast.Stmt, then ast.Stmt) []ast.Stmt {
	names := map[string]bool{}
	mention := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				names[id.Name] = true
			}
			return true
		})
	}
	mention(then)
	var kept []ast.Stmt
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		if l, ok := s.(*ast.LabeledStmt); ok {
			s = l.Stmt
		}
		if anyDeclared(s, names) {
			s = declarationOnly(s)
			mention(s)
			kept = append(kept, s)
		}
	}
	for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
		kept[i], kept[j] = kept[j], kept[i]
	}
	return kept
}

// anyDeclared reports whether a statement declares one of the names for those after it.
func anyDeclared(s ast.Stmt, names map[string]bool) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return false
		}
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); ok && names[id.Name] {
				return true
			}
		}
	case *ast.DeclStmt:
		g, ok := s.Decl.(*ast.GenDecl)
		if !ok {
			return false
		}
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if names[spec.Name.Name] {
					return true
				}
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					if names[id.Name] {
						return true
					}
				}
			}
		}
	}
	return false
}

// declarationOnly returns a statement that declares the same.
func declarationOnly(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return &ast.AssignStmt{Lhs: s.Lhs, TokPos: s.TokPos, Tok: s.Tok, Rhs: typesOnly(s.Rhs)}
	case *ast.DeclStmt:
		g, ok := s.Decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			return s
		}
		d := *g
		d.Specs = nil
		for _, spec := range g.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok {
				spec = &ast.ValueSpec{Names: v.Names, Type: v.Type, Values: typesOnly(v.Values)}
			}
			d.Specs = append(d.Specs, spec)
		}
		return &ast.DeclStmt{Decl: &d}
	}
	return s
}

// blockOf makes a block of statements, of which any may be missing; those before the last
// only declare.
func blockOf(list ...ast.Stmt) ast.Stmt {
	b := &ast.BlockStmt{}
	for i, s := range list {
		if s == nil {
			continue
		}
		if i < len(list)-1 {
			s = declarationOnly(s)
		}
		b.List = append(b.List, s)
	}
	return b
}

// stmt narrows a statement that holds the stretch.
func (p narrower) stmt(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return p.block(s)
	case *ast.LabeledStmt:
		return p.stmt(s.Stmt)
	case *ast.IfStmt:
		switch {
		case p.stmtIn(s.Init):
			return blockOf(p.stmt(s.Init))
		case p.exprIn(s.Cond):
			return blockOf(s.Init, p.exprStmt(s.Cond))
		case p.in(s.Body):
			return blockOf(s.Init, p.block(s.Body))
		case p.stmtIn(s.Else):
			return blockOf(s.Init, p.stmt(s.Else))
		}
	case *ast.ForStmt:
		switch {
		case p.stmtIn(s.Init):
			return blockOf(p.stmt(s.Init))
		case p.exprIn(s.Cond):
			return blockOf(s.Init, p.exprStmt(s.Cond))
		case p.stmtIn(s.Post):
			return blockOf(s.Init, p.stmt(s.Post))
		case p.in(s.Body):
			return blockOf(s.Init, p.block(s.Body))
		}
	case *ast.RangeStmt:
		c := *s
		if p.exprIn(s.X) {
			if c.X = p.expr(s.X); c.Tok == token.DEFINE {
				c.Key, c.Value, c.Tok = nil, nil, token.ILLEGAL
			}
		} else {
			c.X = typeOnly(s.X)
		}
		c.Body = p.block(s.Body)
		return &c
	case *ast.SwitchStmt:
		switch {
		case p.stmtIn(s.Init):
			return blockOf(p.stmt(s.Init))
		case p.exprIn(s.Tag):
			return blockOf(s.Init, p.exprStmt(s.Tag))
		}
		for _, clause := range s.Body.List {
			cc, ok := clause.(*ast.CaseClause)
			if !ok || !p.in(cc) {
				continue
			}
			if list := p.exprsIn(cc.List); list != nil {
				c := *s
				if c.Init != nil {
					c.Init = declarationOnly(c.Init)
				}
				if c.Tag != nil {
					c.Tag = typeOnly(c.Tag)
				}
				c.Body = emptied(s.Body)
				c.Body.List = []ast.Stmt{&ast.CaseClause{Case: cc.Case, List: list, Colon: cc.Colon}}
				return &c
			}
			return blockOf(s.Init, &ast.BlockStmt{List: p.stmts(cc.Body)})
		}
	case *ast.TypeSwitchStmt:
		return p.typeSwitch(s)
	case *ast.SelectStmt:
		for _, clause := range s.Body.List {
			if cc, ok := clause.(*ast.CommClause); ok && p.in(cc) {
				if p.stmtIn(cc.Comm) {
					return blockOf(p.stmt(cc.Comm))
				}
				return blockOf(cc.Comm, &ast.BlockStmt{List: p.stmts(cc.Body)})
			}
		}
	default:
		return p.simple(s)
	}
	return &ast.EmptyStmt{}
}

func (p narrower) exprStmt(e ast.Expr) ast.Stmt { return &ast.ExprStmt{X: p.expr(e)} }

// exprsIn returns the narrowed one of expressions that holds the stretch.
func (p narrower) exprsIn(list []ast.Expr) []ast.Expr {
	for _, e := range list {
		if p.exprIn(e) {
			return []ast.Expr{p.expr(e)}
		}
	}
	return nil
}

func (p narrower) typeSwitch(s *ast.TypeSwitchStmt) ast.Stmt {
	if p.stmtIn(s.Init) {
		return blockOf(p.stmt(s.Init))
	}
	c := *s
	if c.Init != nil {
		c.Init = declarationOnly(c.Init)
	}
	guard := p.stmtIn(s.Assign)
	if !guard {
		c.Assign = declarationOnly(c.Assign)
	}
	c.Body = emptied(s.Body)
	for _, clause := range s.Body.List {
		cc, ok := clause.(*ast.CaseClause)
		if !ok || !guard && !p.in(cc) {
			continue
		}
		c.Body.List = append(c.Body.List, &ast.CaseClause{Case: cc.Case, List: cc.List, Colon: cc.Colon, Body: p.stmts(cc.Body)})
	}
	return &c
}

// simple narrows a statement without statements in it.
func (p narrower) simple(s ast.Stmt) ast.Stmt {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return p.exprStmt(s.X)
	case *ast.SendStmt:
		return &ast.SendStmt{Chan: p.expr(s.Chan), Arrow: s.Arrow, Value: p.expr(s.Value)}
	case *ast.GoStmt:
		return p.exprStmt(s.Call)
	case *ast.DeferStmt:
		return p.exprStmt(s.Call)
	case *ast.AssignStmt:
		return &ast.AssignStmt{Lhs: p.exprs(s.Lhs), TokPos: s.TokPos, Tok: s.Tok, Rhs: p.exprs(s.Rhs)}
	case *ast.ReturnStmt:
		return &ast.ReturnStmt{Return: s.Return, Results: p.exprs(s.Results)}
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok {
			return &ast.DeclStmt{Decl: p.gen(g)}
		}
	}
	return s
}

// gen narrows the values of variables.
func (p narrower) gen(g *ast.GenDecl) *ast.GenDecl {
	if g.Tok != token.VAR {
		return g
	}
	d := *g
	d.Specs = nil
	for _, spec := range g.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			c := *v
			c.Values = p.exprs(v.Values)
			spec = &c
		}
		d.Specs = append(d.Specs, spec)
	}
	return &d
}

func (p narrower) exprs(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = p.expr(e)
	}
	return out
}

// expr narrows an expression; one that does not hold the stretch keeps its type.
func (p narrower) expr(e ast.Expr) ast.Expr {
	if e == nil || e.Pos() == p.from && e.End() == p.to {
		return e
	}
	if !p.in(e) {
		return typeOnly(e)
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		return &ast.FuncLit{Type: e.Type, Body: p.block(e.Body)}
	case *ast.CompositeLit:
		return p.literal(e)
	case *ast.KeyValueExpr:
		return &ast.KeyValueExpr{Key: p.key(e.Key), Colon: e.Colon, Value: p.expr(e.Value)}
	case *ast.ParenExpr:
		return &ast.ParenExpr{Lparen: e.Lparen, X: p.expr(e.X), Rparen: e.Rparen}
	case *ast.SelectorExpr:
		return &ast.SelectorExpr{X: p.expr(e.X), Sel: e.Sel}
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: p.expr(e.X)}
	case *ast.UnaryExpr:
		return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: p.expr(e.X)}
	case *ast.BinaryExpr:
		return &ast.BinaryExpr{X: p.expr(e.X), OpPos: e.OpPos, Op: e.Op, Y: p.expr(e.Y)}
	case *ast.CallExpr:
		c := *e
		c.Fun, c.Args = p.expr(e.Fun), p.exprs(e.Args)
		return &c
	case *ast.IndexExpr:
		return &ast.IndexExpr{X: p.expr(e.X), Lbrack: e.Lbrack, Index: p.expr(e.Index), Rbrack: e.Rbrack}
	case *ast.TypeAssertExpr:
		return &ast.TypeAssertExpr{X: p.expr(e.X), Lparen: e.Lparen, Type: e.Type, Rparen: e.Rparen}
	}
	return e
}

// key narrows the key of an element, which is a field's name when it is a name.
func (p narrower) key(e ast.Expr) ast.Expr {
	if _, ok := e.(*ast.Ident); ok {
		return e
	}
	return p.expr(e)
}

// literal narrows a composite literal. Only in one of a slice or map can elements be left
// out.
func (p narrower) literal(e *ast.CompositeLit) ast.Expr {
	if p.exprIn(e.Type) {
		if openArray(e.Type) {
			return e
		}
		return &ast.CompositeLit{Type: e.Type, Lbrace: e.Lbrace, Rbrace: e.Rbrace}
	}
	c := *e
	alike := false
	switch t := e.Type.(type) {
	case *ast.MapType:
		alike = true
	case *ast.ArrayType:
		alike = t.Len == nil
	}
	c.Elts = nil
	for _, elt := range e.Elts {
		if p.in(elt) {
			elt = p.expr(elt)
		} else if alike {
			continue
		} else if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = &ast.KeyValueExpr{Key: kv.Key, Colon: kv.Colon, Value: typeOnly(kv.Value)}
		} else {
			elt = typeOnly(elt)
		}
		c.Elts = append(c.Elts, elt)
	}
	return &c
}
