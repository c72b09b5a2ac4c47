package syntax

import "slices"

// Walk calls f for n and, where f says true, for everything in it, in the order of the text.
func Walk(n Node, f func(Node) bool) {
	var visit func(Node)
	visit = func(n Node) {
		if f(n) {
			Children(n, visit)
		}
	}
	visit(n)
}

// At is the path of nodes around an offset, the file first, the smallest node last. Where
// two nodes touch, the one that begins at the offset wins, then the one that ends there.
func At(f *File, offset int32) []Node {
	path := []Node{f}
	for n := Node(f); n != nil; {
		var in Node
		Children(n, func(c Node) {
			if c.Span().Contains(offset) {
				in = c
			}
		})
		if n = in; in != nil {
			path = append(path, in)
		}
	}
	return path
}

// Children calls visit for the nodes directly in n, in the order of the text.
func Children(n Node, visit func(Node)) {
	switch n := n.(type) {
	case *File:
		all(n.Imports, visit)
		all(n.Decls, visit)
	case *Import:
		all(n.Path, visit)
		one(n.Alias, visit)
	case Decl:
		declChildren(n, visit)
	case Stmt:
		stmtChildren(n, visit)
	case Expr:
		exprChildren(n, visit)
	case TypeExpr:
		typeChildren(n, visit)
	case *TypeParam:
		one(n.Name, visit)
		all(n.Bounds, visit)
	case *Param:
		one(n.Name, visit)
		one(n.Type, visit)
	case *Clause:
		one(n.Cond, visit)
	case *Variant:
		one(n.Name, visit)
		all(n.Fields, visit)
	case *AmbientLine:
		one(n.Type, visit)
	case *Override:
		one(n.Class, visit)
	case *FieldInit:
		one(n.Name, visit)
		one(n.Value, visit)
	case *MatchArm:
		one(n.Module, visit)
		one(n.Enum, visit)
		one(n.Variant, visit)
		all(n.Bindings, visit)
		one(n.Body, visit)
		one(n.Value, visit)
	case *Binding:
		one(n.Field, visit)
		if n.Name != n.Field {
			one(n.Name, visit)
		}
	case *SelectArm:
		one(n.Name, visit)
		one(n.Chan, visit)
		one(n.Value, visit)
		one(n.Body, visit)
	case *Handler:
		one(n.Name, visit)
		one(n.Module, visit)
		one(n.Type, visit)
		one(n.Body, visit)
	}
}

// one visits a node unless it is nil: an interface without a value or a pointer to nothing.
func one[T interface {
	comparable
	Node
}](n T, visit func(Node)) {
	var none T
	if n != none {
		visit(n)
	}
}

func all[T Node](nodes []T, visit func(Node)) {
	for _, n := range nodes {
		visit(n)
	}
}

func declChildren(n Decl, visit func(Node)) {
	switch n := n.(type) {
	case *FuncDecl:
		one(n.Name, visit)
		all(n.TypeParams, visit)
		all(n.Params, visit)
		one(n.Result, visit)
		all(n.Clauses(), visit)
		one(n.Body, visit)
	case *ClassDecl:
		one(n.Name, visit)
		all(n.TypeParams, visit)
		all(n.Uses, visit)
		all(n.Deps, visit)
		all(n.Impls, visit)
		all(n.Members, visit)
	case *TraitDecl:
		one(n.Name, visit)
		all(n.Methods, visit)
	case *EnumDecl:
		one(n.Name, visit)
		all(n.TypeParams, visit)
		all(n.Variants, visit)
	case *ErrorDecl:
		one(n.Name, visit)
		all(n.Fields, visit)
	case *ExternDecl:
		one(n.Name, visit)
		all(n.Params, visit)
		one(n.Result, visit)
	case *AppDecl:
		one(n.Name, visit)
		all(n.Deps, visit)
		all(n.Members, visit)
	case *TestDecl:
		one(n.Body, visit)
	case *TestsDecl:
		one(n.Scheduler, visit)
		all(n.Tests, visit)
	}
}

// Clauses is the contract clauses of the function in the order of the text.
func (d *FuncDecl) Clauses() []*Clause {
	if len(d.Ensures) == 0 {
		return d.Requires
	}
	clauses := slices.Concat(d.Requires, d.Ensures)
	slices.SortStableFunc(clauses, func(a, b *Clause) int { return int(a.At.Start - b.At.Start) })
	return clauses
}

func stmtChildren(n Stmt, visit func(Node)) {
	switch n := n.(type) {
	case *Block:
		all(n.Stmts, visit)
	case *LetStmt:
		one(n.Name, visit)
		one(n.Type, visit)
		one(n.Value, visit)
	case *LetChanStmt:
		one(n.Tx, visit)
		one(n.Rx, visit)
		one(n.Elem, visit)
		one(n.Capacity, visit)
	case *ReturnStmt:
		one(n.Value, visit)
	case *AssertStmt:
		one(n.Cond, visit)
	case *RaiseStmt:
		one(n.Module, visit)
		one(n.Name, visit)
		all(n.Fields, visit)
	case *IfStmt:
		one(n.Cond, visit)
		one(n.Then, visit)
		one(n.Else, visit)
	case *WhileStmt:
		one(n.Cond, visit)
		one(n.Body, visit)
	case *ForStmt:
		one(n.Name, visit)
		one(n.Iter, visit)
		one(n.Body, visit)
	case *MatchStmt:
		one(n.X, visit)
		all(n.Arms, visit)
	case *SelectStmt:
		all(n.Arms, visit)
	case *ScopeStmt:
		all(n.Seeds, visit)
		all(n.Bindings, visit)
		one(n.Body, visit)
	case *AssignStmt:
		one(n.Target, visit)
		one(n.Value, visit)
	case *IncDecStmt:
		one(n.Target, visit)
	case *ExprStmt:
		one(n.X, visit)
	}
}

func exprChildren(n Expr, visit func(Node)) {
	switch n := n.(type) {
	case *StringLit:
		for _, part := range n.Parts {
			one(part.X, visit)
		}
	case *ParenExpr:
		one(n.X, visit)
	case *CallExpr:
		one(n.Name, visit)
		all(n.TypeArgs, visit)
		all(n.Args, visit)
	case *MethodExpr:
		one(n.X, visit)
		one(n.Name, visit)
		all(n.Args, visit)
	case *StaticExpr:
		one(n.Trait, visit)
		one(n.Name, visit)
		all(n.TypeArgs, visit)
		all(n.Args, visit)
	case *FieldExpr:
		one(n.X, visit)
		one(n.Name, visit)
	case *GenericExpr:
		one(n.Module, visit)
		one(n.Name, visit)
		all(n.Args, visit)
	case *IndexExpr:
		one(n.X, visit)
		one(n.Index, visit)
	case *LitExpr:
		args := 0 // the type arguments come before this name
		if len(n.TypeArgs) > 0 {
			args = n.ArgsAt + 1
		}
		all(n.Path[:args], visit)
		all(n.TypeArgs, visit)
		all(n.Path[args:], visit)
		all(n.Fields, visit)
	case *MapLit:
		one(n.Key, visit)
		one(n.Value, visit)
		for i := range n.Keys {
			one(n.Keys[i], visit)
			one(n.Vals[i], visit)
		}
	case *SetLit:
		one(n.Elem, visit)
		all(n.Elems, visit)
	case *ArrayLit:
		all(n.Elems, visit)
	case *UnaryExpr:
		one(n.X, visit)
	case *BinaryExpr:
		one(n.X, visit)
		one(n.Y, visit)
	case *CastExpr:
		one(n.X, visit)
		one(n.Type, visit)
	case *RangeExpr:
		one(n.Lo, visit)
		one(n.Hi, visit)
	case *ClosureExpr:
		all(n.Params, visit)
		one(n.Result, visit)
		one(n.Body, visit)
		one(n.Value, visit)
	case *SpawnExpr:
		one(n.Call, visit)
	case *IfExpr:
		one(n.Cond, visit)
		one(n.Then, visit)
		one(n.Else, visit)
		one(n.ElseIf, visit)
	case *MatchExpr:
		one(n.X, visit)
		all(n.Arms, visit)
	case *UnwrapExpr:
		one(n.X, visit)
	case *PropagateExpr:
		one(n.X, visit)
	case *CatchExpr:
		one(n.X, visit)
		all(n.Handlers, visit)
		one(n.Default, visit)
	}
}

func typeChildren(n TypeExpr, visit func(Node)) {
	switch n := n.(type) {
	case *NamedType:
		one(n.Module, visit)
		one(n.Name, visit)
		all(n.Args, visit)
	case *ArrayType:
		one(n.Elem, visit)
	case *FuncType:
		all(n.Params, visit)
		one(n.Result, visit)
	case *NullableType:
		one(n.Elem, visit)
	}
}
