package check

import "github.com/settgraph/sett/compiler/syntax"

// inspect calls f for n and, where f says so, for everything below it in the order of the
// text: statements, expressions, types, parameters, arms, handlers and field values. Names
// (*syntax.Ident) are not visited, and nothing that is missing is.
func inspect(n syntax.Node, f func(syntax.Node) bool) {
	if n == nil || !f(n) {
		return
	}
	switch n := n.(type) {
	case *syntax.FuncDecl:
		inspectEach(n.Params, f)
		inspectType(n.Result, f)
		inspectEach(n.Requires, f)
		inspectEach(n.Ensures, f)
		inspectBlock(n.Body, f)
	case *syntax.ClassDecl:
		inspectEach(n.Deps, f)
		for _, m := range n.Members {
			inspect(m, f)
		}
	case *syntax.TraitDecl:
		inspectEach(n.Methods, f)
	case *syntax.EnumDecl:
		for _, v := range n.Variants {
			inspectEach(v.Fields, f)
		}
	case *syntax.ErrorDecl:
		inspectEach(n.Fields, f)
	case *syntax.ExternDecl:
		inspectEach(n.Params, f)
		inspectType(n.Result, f)
	case *syntax.AppDecl:
		inspectEach(n.Deps, f)
		inspectEach(n.Methods, f)
	case *syntax.TestDecl:
		inspectBlock(n.Body, f)
	case *syntax.TestsDecl:
		inspectEach(n.Tests, f)
	case *syntax.Param:
		inspectType(n.Type, f)
	case *syntax.Clause:
		inspectExpr(n.Cond, f)

	case *syntax.NamedType:
		inspectEach(n.Args, f)
	case *syntax.ArrayType:
		inspectType(n.Elem, f)
	case *syntax.FuncType:
		inspectEach(n.Params, f)
		inspectType(n.Result, f)
	case *syntax.NullableType:
		inspectType(n.Elem, f)

	case syntax.Stmt:
		inspectStmt(n, f)
	case syntax.Expr:
		inspectInside(n, f)

	case *syntax.FieldInit:
		inspectExpr(n.Value, f)
	case *syntax.MatchArm:
		inspectBlock(n.Body, f)
		inspectExpr(n.Value, f)
	case *syntax.SelectArm:
		inspectExpr(n.Chan, f)
		inspectExpr(n.Value, f)
		inspectBlock(n.Body, f)
	case *syntax.Handler:
		inspectBlock(n.Body, f)
	}
}

func inspectStmt(n syntax.Stmt, f func(syntax.Node) bool) {
	switch n := n.(type) {
	case *syntax.Block:
		inspectEach(n.Stmts, f)
	case *syntax.LetStmt:
		inspectType(n.Type, f)
		inspectExpr(n.Value, f)
	case *syntax.LetChanStmt:
		inspectType(n.Elem, f)
		inspectExpr(n.Capacity, f)
	case *syntax.ReturnStmt:
		inspectExpr(n.Value, f)
	case *syntax.AssertStmt:
		inspectExpr(n.Cond, f)
	case *syntax.RaiseStmt:
		inspectEach(n.Fields, f)
	case *syntax.IfStmt:
		inspectExpr(n.Cond, f)
		inspectBlock(n.Then, f)
		if n.Else != nil {
			inspect(n.Else, f)
		}
	case *syntax.WhileStmt:
		inspectExpr(n.Cond, f)
		inspectBlock(n.Body, f)
	case *syntax.ForStmt:
		inspectExpr(n.Iter, f)
		inspectBlock(n.Body, f)
	case *syntax.MatchStmt:
		inspectExpr(n.X, f)
		inspectEach(n.Arms, f)
	case *syntax.SelectStmt:
		inspectEach(n.Arms, f)
	case *syntax.ScopeStmt:
		inspectEach(n.Seeds, f)
		inspectEach(n.Bindings, f)
		inspectBlock(n.Body, f)
	case *syntax.AssignStmt:
		inspectExpr(n.Target, f)
		inspectExpr(n.Value, f)
	case *syntax.IncDecStmt:
		inspectExpr(n.Target, f)
	case *syntax.ExprStmt:
		inspectExpr(n.X, f)
	}
}

func inspectInside(n syntax.Expr, f func(syntax.Node) bool) {
	switch n := n.(type) {
	case *syntax.StringLit:
		for i := range n.Parts {
			inspectExpr(n.Parts[i].X, f)
		}
	case *syntax.ParenExpr:
		inspectExpr(n.X, f)
	case *syntax.CallExpr:
		inspectEach(n.TypeArgs, f)
		inspectEach(n.Args, f)
	case *syntax.MethodExpr:
		inspectExpr(n.X, f)
		inspectEach(n.Args, f)
	case *syntax.StaticExpr:
		inspectEach(n.TypeArgs, f)
		inspectEach(n.Args, f)
	case *syntax.FieldExpr:
		inspectExpr(n.X, f)
	case *syntax.GenericExpr:
		inspectEach(n.Args, f)
	case *syntax.IndexExpr:
		inspectExpr(n.X, f)
		inspectExpr(n.Index, f)
	case *syntax.LitExpr:
		inspectEach(n.TypeArgs, f)
		inspectEach(n.Fields, f)
	case *syntax.MapLit:
		inspectType(n.Key, f)
		inspectType(n.Value, f)
		for i, k := range n.Keys {
			inspectExpr(k, f)
			if i < len(n.Vals) {
				inspectExpr(n.Vals[i], f)
			}
		}
	case *syntax.SetLit:
		inspectType(n.Elem, f)
		inspectEach(n.Elems, f)
	case *syntax.ArrayLit:
		inspectEach(n.Elems, f)
	case *syntax.UnaryExpr:
		inspectExpr(n.X, f)
	case *syntax.BinaryExpr:
		inspectExpr(n.X, f)
		inspectExpr(n.Y, f)
	case *syntax.CastExpr:
		inspectExpr(n.X, f)
		inspectType(n.Type, f)
	case *syntax.RangeExpr:
		inspectExpr(n.Lo, f)
		inspectExpr(n.Hi, f)
	case *syntax.ClosureExpr:
		inspectEach(n.Params, f)
		inspectType(n.Result, f)
		inspectBlock(n.Body, f)
		inspectExpr(n.Value, f)
	case *syntax.SpawnExpr:
		inspectExpr(n.Call, f)
	case *syntax.IfExpr:
		inspectExpr(n.Cond, f)
		inspectBlock(n.Then, f)
		inspectBlock(n.Else, f)
		if n.ElseIf != nil {
			inspect(n.ElseIf, f)
		}
	case *syntax.MatchExpr:
		inspectExpr(n.X, f)
		inspectEach(n.Arms, f)
	case *syntax.UnwrapExpr:
		inspectExpr(n.X, f)
	case *syntax.PropagateExpr:
		inspectExpr(n.X, f)
	case *syntax.CatchExpr:
		inspectExpr(n.X, f)
		inspectEach(n.Handlers, f)
		inspectExpr(n.Default, f)
	}
}

func inspectEach[N syntax.Node](ns []N, f func(syntax.Node) bool) {
	for _, n := range ns {
		inspect(n, f)
	}
}

func inspectExpr(e syntax.Expr, f func(syntax.Node) bool) {
	if e != nil {
		inspect(e, f)
	}
}

func inspectType(t syntax.TypeExpr, f func(syntax.Node) bool) {
	if t != nil {
		inspect(t, f)
	}
}

func inspectBlock(b *syntax.Block, f func(syntax.Node) bool) {
	if b != nil {
		inspect(b, f)
	}
}
