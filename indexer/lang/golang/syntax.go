package golang

import (
	"go/ast"
	"go/token"
	"go/types"
)

// expr walks an expression or type that stands in the role u.
func (x *extractor) expr(e ast.Expr, u use) {
	switch e := e.(type) {
	case nil:
	case *ast.Ident:
		x.ident(e, u)
	case *ast.SelectorExpr:
		x.selector(e, u)
	case *ast.ParenExpr:
		x.expr(e.X, u)
	case *ast.CallExpr:
		x.call(e)
	case *ast.CompositeLit:
		x.literal(e)
	case *ast.FuncLit:
		x.expr(e.Type, asType)
		x.stmt(e.Body)
	case *ast.BinaryExpr:
		x.expr(e.X, u)
		x.expr(e.Y, u)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			x.expr(e.X, asWritten)
		case token.TILDE:
			x.expr(e.X, asType)
		default:
			x.expr(e.X, asValue)
		}
	case *ast.StarExpr:
		if u != asType && u != asEmbedded {
			u = asValue
		}
		x.expr(e.X, u)
	case *ast.IndexExpr:
		x.index(e.X, u, e.Index)
	case *ast.IndexListExpr:
		x.index(e.X, u, e.Indices...)
	case *ast.SliceExpr:
		x.expr(e.X, asValue)
		x.expr(e.Low, asValue)
		x.expr(e.High, asValue)
		x.expr(e.Max, asValue)
	case *ast.TypeAssertExpr:
		x.expr(e.X, asValue)
		x.expr(e.Type, asType)
	case *ast.KeyValueExpr:
		x.expr(e.Key, asValue)
		x.expr(e.Value, asValue)
	case *ast.Ellipsis:
		x.expr(e.Elt, asType)
	case *ast.ArrayType:
		x.expr(e.Len, asValue)
		x.expr(e.Elt, asType)
	case *ast.MapType:
		x.expr(e.Key, asType)
		x.expr(e.Value, asType)
	case *ast.ChanType:
		x.expr(e.Value, asType)
	case *ast.FuncType:
		x.fieldList(e.TypeParams)
		x.fieldList(e.Params)
		x.fieldList(e.Results)
	case *ast.StructType:
		x.members(e.Fields)
	case *ast.InterfaceType:
		x.members(e.Methods)
	}
}

// call walks a call or conversion.
func (x *extractor) call(e *ast.CallExpr) {
	x.expr(e.Fun, asCallee)
	args := e.Args
	if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && len(args) > 0 {
		if b, ok := x.info.Uses[id].(*types.Builtin); ok {
			switch b.Name() {
			case "new":
				x.expr(args[0], asLiteral)
				args = args[1:]
			case "make":
				x.expr(args[0], asType)
				args = args[1:]
			}
		}
	}
	for _, a := range args {
		x.expr(a, asValue)
	}
}

// literal walks a composite literal. Its keys are fields, which it writes, or values.
func (x *extractor) literal(e *ast.CompositeLit) {
	switch e.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		x.expr(e.Type, asType)
	default:
		x.expr(e.Type, asLiteral)
	}
	for _, elt := range e.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			x.expr(elt, asValue)
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok {
			x.key(key)
		} else {
			x.expr(kv.Key, asValue)
		}
		x.expr(kv.Value, asValue)
	}
}

func (x *extractor) key(id *ast.Ident) {
	switch obj := x.info.Uses[id].(type) {
	case nil:
		if x.info.Defs[id] == nil && id.Name != "_" {
			x.missing(id.Pos(), id.Name, "type unknown")
		}
	case *types.Var:
		if obj.IsField() {
			x.refer(id, obj, asWritten)
		} else {
			x.refer(id, obj, asValue)
		}
	default:
		x.refer(id, obj, asValue)
	}
}

// index walks an index expression or an instantiation.
func (x *extractor) index(base ast.Expr, u use, args ...ast.Expr) {
	id := embeddedName(base)
	_, generic := x.info.Instances[id]
	if !generic && id != nil && u != asValue && u != asWritten {
		_, generic = x.info.Uses[id].(*types.TypeName)
	}
	if !generic {
		if u != asType && u != asEmbedded && u != asLiteral {
			u = asValue
		}
		x.expr(base, u)
		for _, a := range args {
			x.expr(a, asValue)
		}
		return
	}
	x.expr(base, u)
	for _, a := range args {
		x.expr(a, asArgument)
	}
}

// fieldList walks parameters and results.
func (x *extractor) fieldList(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		x.expr(f.Type, asType)
	}
}

// members walks the fields of a struct or the methods and elements of an interface.
func (x *extractor) members(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		if len(f.Names) == 0 {
			x.expr(f.Type, asEmbedded)
			continue
		}
		if _, method := f.Type.(*ast.FuncType); method {
			if e, ok := x.lookup(f.Names[0].Pos()); ok {
				if sym := x.symbol(e.kind, e.qual); x.b.facts.Symbols[sym].Kind.IsCallable() {
					x.within(sym, x.qual, func() { x.expr(f.Type, asType) })
					continue
				}
			}
		}
		x.expr(f.Type, asType)
	}
}

// stmt walks a statement.
func (x *extractor) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		if s != nil {
			x.stmts(s.List)
		}
	case *ast.ExprStmt:
		x.expr(s.X, asValue)
	case *ast.AssignStmt:
		for _, e := range s.Lhs {
			if s.Tok != token.DEFINE {
				x.expr(e, asWritten)
			} else if id, ok := e.(*ast.Ident); !ok || x.info.Uses[id] != nil {
				x.expr(e, asWritten)
			}
		}
		for _, e := range s.Rhs {
			x.expr(e, asValue)
		}
	case *ast.IncDecStmt:
		x.expr(s.X, asWritten)
	case *ast.IfStmt:
		x.stmt(s.Init)
		x.expr(s.Cond, asValue)
		x.stmt(s.Body)
		x.stmt(s.Else)
	case *ast.ForStmt:
		x.stmt(s.Init)
		x.expr(s.Cond, asValue)
		x.stmt(s.Post)
		x.stmt(s.Body)
	case *ast.RangeStmt:
		if s.Tok == token.ASSIGN {
			x.expr(s.Key, asWritten)
			x.expr(s.Value, asWritten)
		}
		x.expr(s.X, asValue)
		x.stmt(s.Body)
	case *ast.ReturnStmt:
		for _, e := range s.Results {
			x.expr(e, asValue)
		}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			x.gen(d)
		}
	case *ast.DeferStmt:
		x.call(s.Call)
	case *ast.GoStmt:
		x.call(s.Call)
	case *ast.SendStmt:
		x.expr(s.Chan, asValue)
		x.expr(s.Value, asValue)
	case *ast.LabeledStmt:
		x.stmt(s.Stmt)
	case *ast.SwitchStmt:
		x.stmt(s.Init)
		x.expr(s.Tag, asValue)
		x.stmt(s.Body)
	case *ast.TypeSwitchStmt:
		x.stmt(s.Init)
		x.typeSwitch(s.Assign)
		x.stmt(s.Body)
	case *ast.CaseClause:
		for _, e := range s.List {
			x.expr(e, asValue)
		}
		x.stmts(s.Body)
	case *ast.SelectStmt:
		x.stmt(s.Body)
	case *ast.CommClause:
		x.stmt(s.Comm)
		x.stmts(s.Body)
	}
}

func (x *extractor) stmts(list []ast.Stmt) {
	for _, s := range list {
		x.stmt(s)
	}
}

// typeSwitch walks the guard of a type switch, whose variable is a local one.
func (x *extractor) typeSwitch(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, e := range s.Rhs {
			x.expr(e, asValue)
		}
	case *ast.ExprStmt:
		x.expr(s.X, asValue)
	}
}
