package golang

import (
	"go/ast"
	"go/token"

	"github.com/settgraph/sett/graph"
)

// What locals are called: see lang.Local.
const (
	aParameter     = "parameter"
	aReceiver      = "receiver"
	aResult        = "result"
	aVariable      = "variable"
	aConstant      = "constant"
	aLabel         = "label"
	aTypeParameter = "type parameter"
	anImport       = "import"
	aType          = "type" // a node of the graph, but it hides locals of its name
)

// A local is a name that a scope of one file declares.
type local struct {
	name  string
	kind  string
	at    *ast.Ident // nil for an import that is not renamed
	node  ast.Node   // what declares it
	sites []localSite
}

type localSite struct {
	id   *ast.Ident
	kind graph.EdgeKind
}

type scope struct {
	outer *scope
	names map[string]*local // nil: declared by the package
}

// labels are those of one function.
type labels struct {
	outer    *labels
	declared map[string]*local
	uses     []*ast.Ident
}

// A binder binds the names of one file to the locals that they mean, by the rules of
// scope alone. One thing those rules leave open: the key of a composite literal is a
// name in scope or a field, depending on the type.
type binder struct {
	locals []*local
	scope  *scope
	labels *labels
	types  map[*ast.Ident]*local // names of local types and type parameters
	keys   []literalKey
	free   []*ast.Ident // before a dot, and not declared in the file
}

// A literalKey is a key that is a use of a local unless its literal is a struct.
type literalKey struct {
	id      *ast.Ident
	local   *local
	literal *literalType
}

// A literalType is the type of a composite literal: as written, or that of the elements
// (or keys) of the literal around it.
type literalType struct {
	expr   ast.Expr
	around *literalType
	isKey  bool
}

// bind binds the names of a file.
func bind(f *ast.File) *binder {
	b := &binder{types: map[*ast.Ident]*local{}}
	b.open()
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				b.scope.names[d.Name.Name] = nil
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					b.scope.names[s.Name.Name] = nil
				case *ast.ValueSpec:
					for _, id := range s.Names {
						b.scope.names[id.Name] = nil
					}
				}
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			b.function(d.Recv, d.Type, d.Body)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					b.typeSpec(s)
				case *ast.ValueSpec:
					b.expr(s.Type)
					b.exprs(s.Values)
				}
			}
		}
	}
	return b
}

func (b *binder) open()  { b.scope = &scope{b.scope, map[string]*local{}} }
func (b *binder) close() { b.scope = b.scope.outer }

// newLocal makes a local; it is not in any scope yet.
func (b *binder) newLocal(id *ast.Ident, kind string, node ast.Node) *local {
	l := &local{name: id.Name, kind: kind, at: id, node: node}
	b.locals = append(b.locals, l)
	return l
}

func (b *binder) declare(id *ast.Ident, kind string, node ast.Node) {
	if id.Name != "_" {
		b.scope.names[id.Name] = b.newLocal(id, kind, node)
	}
}

// lookup finds what a name means; known says that the file declares it at all.
func (b *binder) lookup(name string) (l *local, known bool) {
	for s := b.scope; s != nil; s = s.outer {
		if l, known = s.names[name]; known {
			return l, true
		}
	}
	return nil, false
}

// use writes down that a name is used.
func (b *binder) use(id *ast.Ident, kind graph.EdgeKind) {
	l, _ := b.lookup(id.Name)
	if l == nil {
		return
	}
	switch l.kind {
	case aType, aTypeParameter:
		b.types[id] = l
		kind = graph.EdgeTypeRef
	case aConstant:
		kind = graph.EdgeReads
	}
	l.sites = append(l.sites, localSite{id, kind})
}

// function binds a signature and a body, which share one scope.
func (b *binder) function(recv *ast.FieldList, t *ast.FuncType, body *ast.BlockStmt) {
	b.open()
	defer b.close()
	if recv != nil {
		for _, f := range recv.List {
			b.receiverType(f)
		}
	}
	b.typeParams(t.TypeParams)
	// Types do not see the parameters.
	b.fieldTypes(t.Params)
	b.fieldTypes(t.Results)
	b.fieldNames(recv, aReceiver)
	b.fieldNames(t.Params, aParameter)
	b.fieldNames(t.Results, aResult)
	if body == nil {
		return
	}
	b.labels = &labels{b.labels, map[string]*local{}, nil}
	b.stmts(body.List)
	for _, id := range b.labels.uses {
		if l := b.labels.declared[id.Name]; l != nil {
			l.sites = append(l.sites, localSite{id, graph.EdgeRefs})
		}
	}
	b.labels = b.labels.outer
}

// receiverType binds the type of a receiver, which declares its type parameters.
func (b *binder) receiverType(f *ast.Field) {
	t := f.Type
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
			continue
		case *ast.StarExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			b.expr(x.X)
			b.receiverParams(f, x.Index)
		case *ast.IndexListExpr:
			b.expr(x.X)
			b.receiverParams(f, x.Indices...)
		default:
			b.expr(t)
		}
		return
	}
}

func (b *binder) receiverParams(f *ast.Field, list ...ast.Expr) {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok {
			b.declare(id, aTypeParameter, f.Type)
		}
	}
}

func (b *binder) typeParams(list *ast.FieldList) {
	b.fieldNames(list, aTypeParameter) // which their own constraints see
	b.fieldTypes(list)
}

func (b *binder) fieldNames(list *ast.FieldList, kind string) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			b.declare(id, kind, f)
		}
	}
}

func (b *binder) fieldTypes(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		b.expr(f.Type)
	}
}

func (b *binder) typeSpec(s *ast.TypeSpec) {
	b.open()
	b.typeParams(s.TypeParams)
	b.expr(s.Type)
	b.close()
}

func (b *binder) exprs(list []ast.Expr) {
	for _, e := range list {
		b.expr(e)
	}
}

// expr binds the names of an expression or a type.
func (b *binder) expr(e ast.Expr) {
	if e == nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			b.use(n, graph.EdgeReads)
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				if _, known := b.lookup(id.Name); !known {
					b.free = append(b.free, id)
				}
			}
			b.expr(n.X)
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				b.use(id, graph.EdgeCalls)
			} else {
				b.expr(n.Fun)
			}
			b.exprs(n.Args)
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				b.write(n.X)
				return false
			}
		case *ast.CompositeLit:
			b.literal(n, nil)
			return false
		case *ast.FuncLit:
			b.function(nil, n.Type, n.Body)
			return false
		case *ast.FuncType:
			b.function(nil, n, nil)
			return false
		case *ast.StructType:
			b.fieldTypes(n.Fields)
			return false
		case *ast.InterfaceType:
			b.fieldTypes(n.Methods)
			return false
		}
		return true
	})
}

// write binds what is assigned to, or whose address is taken.
func (b *binder) write(e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		b.use(id, graph.EdgeWrites)
	} else if e != nil {
		b.expr(e)
	}
}

// literal binds a composite literal; elided is its type when none is written.
func (b *binder) literal(lit *ast.CompositeLit, elided *literalType) {
	t := elided
	if lit.Type != nil || t == nil {
		b.expr(lit.Type)
		t = &literalType{expr: lit.Type}
	}
	element := func(e ast.Expr, isKey bool) {
		if inner, ok := e.(*ast.CompositeLit); ok && inner.Type == nil {
			b.literal(inner, &literalType{around: t, isKey: isKey})
		} else {
			b.expr(e)
		}
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			element(e, false)
			continue
		}
		if id, ok := kv.Key.(*ast.Ident); !ok {
			element(kv.Key, true)
		} else if l, _ := b.lookup(id.Name); l != nil {
			b.keys = append(b.keys, literalKey{id, l, t})
		}
		element(kv.Value, false)
	}
}

func (b *binder) stmts(list []ast.Stmt) {
	for _, s := range list {
		b.stmt(s)
	}
}

// block binds statements in a scope of their own.
func (b *binder) block(list []ast.Stmt) {
	b.open()
	b.stmts(list)
	b.close()
}

func (b *binder) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		b.assign(s)
	case *ast.BlockStmt:
		if s != nil {
			b.block(s.List)
		}
	case *ast.BranchStmt:
		if s.Label != nil {
			b.labels.uses = append(b.labels.uses, s.Label)
		}
	case *ast.DeclStmt:
		b.declStmt(s)
	case *ast.DeferStmt:
		b.expr(s.Call)
	case *ast.ExprStmt:
		b.expr(s.X)
	case *ast.ForStmt:
		b.open()
		b.stmt(s.Init)
		b.expr(s.Cond)
		b.stmt(s.Post)
		b.stmt(s.Body)
		b.close()
	case *ast.GoStmt:
		b.expr(s.Call)
	case *ast.IfStmt:
		b.open()
		b.stmt(s.Init)
		b.expr(s.Cond)
		b.stmt(s.Body)
		b.stmt(s.Else)
		b.close()
	case *ast.IncDecStmt:
		b.write(s.X)
	case *ast.LabeledStmt:
		if _, twice := b.labels.declared[s.Label.Name]; !twice && s.Label.Name != "_" {
			b.labels.declared[s.Label.Name] = b.newLocal(s.Label, aLabel, s)
		}
		b.stmt(s.Stmt)
	case *ast.RangeStmt:
		b.rangeStmt(s)
	case *ast.ReturnStmt:
		b.exprs(s.Results)
	case *ast.SelectStmt:
		for _, c := range s.Body.List {
			if c, ok := c.(*ast.CommClause); ok {
				b.open()
				b.stmt(c.Comm)
				b.stmts(c.Body)
				b.close()
			}
		}
	case *ast.SendStmt:
		b.expr(s.Chan)
		b.expr(s.Value)
	case *ast.SwitchStmt:
		b.open()
		b.stmt(s.Init)
		b.expr(s.Tag)
		b.clauses(s.Body, nil)
		b.close()
	case *ast.TypeSwitchStmt:
		b.typeSwitch(s)
	}
}

func (b *binder) assign(s *ast.AssignStmt) {
	b.exprs(s.Rhs)
	if s.Tok != token.DEFINE {
		for _, e := range s.Lhs {
			b.write(e)
		}
		return
	}
	var fresh []*ast.Ident
	for _, e := range s.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok {
			b.expr(e)
		} else if b.scope.names[id.Name] != nil {
			b.use(id, graph.EdgeWrites)
		} else {
			fresh = append(fresh, id)
		}
	}
	for _, id := range fresh {
		b.declare(id, aVariable, s)
	}
}

func (b *binder) declStmt(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	kind := aVariable
	if d.Tok == token.CONST {
		kind = aConstant
	}
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			b.declare(s.Name, aType, s)
			b.typeSpec(s)
		case *ast.ValueSpec:
			b.expr(s.Type)
			b.exprs(s.Values)
			for _, id := range s.Names {
				b.declare(id, kind, s)
			}
		}
	}
}

func (b *binder) rangeStmt(s *ast.RangeStmt) {
	b.expr(s.X)
	b.open()
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
			b.declare(id, aVariable, s)
		} else {
			b.write(e)
		}
	}
	b.stmt(s.Body)
	b.close()
}

// typeSwitch binds `switch x := y.(type)`: x is one variable to the reader, though each
// clause has its own.
func (b *binder) typeSwitch(s *ast.TypeSwitchStmt) {
	b.open()
	b.stmt(s.Init)
	var l *local
	if a, ok := s.Assign.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 {
		b.exprs(a.Rhs)
		if id, ok := a.Lhs[0].(*ast.Ident); ok && id.Name != "_" {
			l = b.newLocal(id, aVariable, s)
		}
	} else {
		b.stmt(s.Assign)
	}
	b.clauses(s.Body, l)
	b.close()
}

// clauses binds those of a switch; each declares l, if there is one.
func (b *binder) clauses(body *ast.BlockStmt, l *local) {
	if body == nil {
		return
	}
	for _, c := range body.List {
		c, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		b.exprs(c.List)
		b.open()
		if l != nil {
			b.scope.names[l.name] = l
		}
		b.stmts(c.Body)
		b.close()
	}
}
