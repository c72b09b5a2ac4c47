package check

import "github.com/settgraph/sett/compiler/syntax"

// children calls f with every statement and expression directly below n, in the order of
// evaluation: for nearly all nodes that of the text. Names and types are not visited; arms
// and handlers are no steps of their own.
func children(n syntax.Node, f func(syntax.Node)) {
	switch n := n.(type) {
	case *syntax.Block:
		for _, s := range n.Stmts {
			f(s)
		}
	case *syntax.LetStmt:
		visit(f, n.Value)
	case *syntax.LetChanStmt:
		visit(f, n.Capacity)
	case *syntax.ReturnStmt:
		visit(f, n.Value)
	case *syntax.AssertStmt:
		visit(f, n.Cond)
	case *syntax.RaiseStmt:
		visitInits(f, n.Fields)
	case *syntax.IfStmt:
		visit(f, n.Cond)
		visitBlock(f, n.Then)
		if n.Else != nil {
			f(n.Else)
		}
	case *syntax.WhileStmt:
		visit(f, n.Cond)
		visitBlock(f, n.Body)
	case *syntax.ForStmt:
		visit(f, n.Iter)
		visitBlock(f, n.Body)
	case *syntax.MatchStmt:
		visit(f, n.X)
		visitArms(f, n.Arms)
	case *syntax.SelectStmt:
		for _, a := range n.Arms {
			visit(f, a.Chan)
			visit(f, a.Value)
			visitBlock(f, a.Body)
		}
	case *syntax.ScopeStmt:
		visit(f, n.Seeds...)
		visitBlock(f, n.Body)
	case *syntax.AssignStmt:
		visit(f, n.Target, n.Value)
	case *syntax.IncDecStmt:
		visit(f, n.Target)
	case *syntax.ExprStmt:
		visit(f, n.X)
	case syntax.Expr:
		operands(n, f)
	}
}

// operands is children of an expression.
func operands(n syntax.Expr, f func(syntax.Node)) {
	switch n := n.(type) {
	case *syntax.StringLit:
		for _, p := range n.Parts {
			visit(f, p.X)
		}
	case *syntax.ParenExpr:
		visit(f, n.X)
	case *syntax.CallExpr:
		visit(f, n.Args...)
	case *syntax.MethodExpr:
		visit(f, n.X)
		visit(f, n.Args...)
	case *syntax.StaticExpr:
		visit(f, n.Args...)
	case *syntax.FieldExpr:
		visit(f, n.X)
	case *syntax.IndexExpr:
		visit(f, n.X, n.Index)
	case *syntax.LitExpr:
		visitInits(f, n.Fields)
	case *syntax.MapLit:
		for i, k := range n.Keys {
			visit(f, k)
			if i < len(n.Vals) {
				visit(f, n.Vals[i])
			}
		}
	case *syntax.SetLit:
		visit(f, n.Elems...)
	case *syntax.ArrayLit:
		visit(f, n.Elems...)
	case *syntax.UnaryExpr:
		visit(f, n.X)
	case *syntax.BinaryExpr:
		visit(f, n.X, n.Y)
	case *syntax.CastExpr:
		visit(f, n.X)
	case *syntax.RangeExpr:
		visit(f, n.Lo, n.Hi)
	case *syntax.ClosureExpr:
		visitBlock(f, n.Body)
		visit(f, n.Value)
	case *syntax.SpawnExpr:
		visit(f, n.Call)
	case *syntax.IfExpr:
		visit(f, n.Cond)
		visitBlock(f, n.Then)
		visitBlock(f, n.Else)
		if n.ElseIf != nil {
			f(n.ElseIf)
		}
	case *syntax.MatchExpr:
		visit(f, n.X)
		visitArms(f, n.Arms)
	case *syntax.UnwrapExpr:
		visit(f, n.X)
	case *syntax.PropagateExpr:
		visit(f, n.X)
	case *syntax.CatchExpr:
		visit(f, n.X)
		for _, h := range n.Handlers {
			visitBlock(f, h.Body)
		}
		visit(f, n.Default)
	}
}

func visit(f func(syntax.Node), xs ...syntax.Expr) {
	for _, x := range xs {
		if x != nil {
			f(x)
		}
	}
}

func visitBlock(f func(syntax.Node), b *syntax.Block) {
	if b != nil {
		f(b)
	}
}

func visitInits(f func(syntax.Node), inits []*syntax.FieldInit) {
	for _, i := range inits {
		visit(f, i.Value)
	}
}

func visitArms(f func(syntax.Node), arms []*syntax.MatchArm) {
	for _, a := range arms {
		visitBlock(f, a.Body)
		visit(f, a.Value)
	}
}

// unparen strips parentheses.
func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// Children calls f with every statement and expression directly below n, in the order of
// evaluation: for nearly all nodes that of the text. Names and types are not visited; arms
// and handlers are no steps of their own.
func Children(n syntax.Node, f func(syntax.Node)) { children(n, f) }
