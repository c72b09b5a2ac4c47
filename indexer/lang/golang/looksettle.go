package golang

import (
	"go/ast"
	"go/types"
)

// mostRounds is how often declarations are checked to find the members that they ask for:
// more than any chain of selectors in one statement is long.
const mostRounds = 24

// settle checks declarations on their own, again and again, until the types of all
// expressions in them have the members that they ask for, and returns what the last check
// found. Their package does not get to know what they declare. The names in extra are
// declared before, for them alone.
func (w *lookWorld) settle(f *lookFile, decls []ast.Decl, extra ...types.Object) *types.Info {
	want := wanted{names: map[string]bool{}}
	for _, d := range decls {
		members(d, want.names)
	}
	for round := 1; ; round++ {
		need := w.needs(f, decls...)
		scratch := types.NewPackage(f.pkg.path, f.pkg.types.Name())
		for _, obj := range extra {
			scratch.Scope().Insert(obj)
		}
		for name := range need.names {
			if obj := f.pkg.objs[name]; obj != nil {
				scratch.Scope().Insert(obj)
			}
		}
		info := &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		}
		w.check(scratch, need, decls, info)
		for name := range w.extra {
			want.names[name] = true
		}
		changed := false
		seen := map[types.Type]bool{}
		for _, tv := range info.Types {
			changed = w.expandType(tv.Type, want, seen) || changed
		}
		if !changed || round == mostRounds {
			return info
		}
	}
}

// members collects the names that may be of members.
func members(n ast.Node, into map[string]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			into[n.Sel.Name] = true
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				into[id.Name] = true
			}
		}
		return true
	})
}

// typesOnly returns expressions of the same types without what these do not depend on.
func typesOnly(list []ast.Expr) []ast.Expr {
	out := make([]ast.Expr, len(list))
	for i, e := range list {
		out[i] = typeOnly(e)
	}
	return out
}

// typeOnly returns an expression of the same type: without the bodies of functions, and
// without the elements of literals of which the type says everything.
func typeOnly(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncLit:
		return &ast.FuncLit{Type: e.Type, Body: emptied(e.Body)}
	case *ast.CompositeLit:
		if e.Type == nil || openArray(e.Type) {
			return e
		}
		return &ast.CompositeLit{Type: e.Type, Lbrace: e.Lbrace, Rbrace: e.Rbrace}
	case *ast.ParenExpr:
		return &ast.ParenExpr{Lparen: e.Lparen, X: typeOnly(e.X), Rparen: e.Rparen}
	case *ast.UnaryExpr:
		return &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: typeOnly(e.X)}
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: typeOnly(e.X)}
	case *ast.SelectorExpr:
		return &ast.SelectorExpr{X: typeOnly(e.X), Sel: e.Sel}
	case *ast.CallExpr:
		c := *e
		c.Fun, c.Args = typeOnly(e.Fun), typesOnly(e.Args)
		return &c
	case *ast.IndexExpr:
		c := *e
		c.X, c.Index = typeOnly(e.X), typeOnly(e.Index)
		return &c
	case *ast.BinaryExpr:
		c := *e
		c.X, c.Y = typeOnly(e.X), typeOnly(e.Y)
		return &c
	}
	return e
}

func emptied(b *ast.BlockStmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: b.Lbrace, Rbrace: b.Rbrace}
}

// openArray reports whether the elements of a literal count for its type: [...]T{}.
func openArray(t ast.Expr) bool {
	a, ok := t.(*ast.ArrayType)
	if !ok {
		return false
	}
	_, ok = a.Len.(*ast.Ellipsis)
	return ok
}
