package syntax

// LocalKind says how a local name came to be.
type LocalKind uint8

const (
	LocalVariable  LocalKind = iota // let, for, match, catch, select, scope, a channel's ends
	LocalParam                      // of a function or a closure
	LocalTypeParam                  // of a function, class or enum
	LocalImport                     // what an import is called in its file
)

// String is the word for the kind: "variable", "parameter", "type parameter", "import".
func (k LocalKind) String() string {
	return [...]string{"variable", "parameter", "type parameter", "import"}[k]
}

// Local is a name that means something in a part of one file only.
type Local struct {
	Name string
	Kind LocalKind
	Decl *Ident
	In   Node // what declares it: *LetStmt, *ForStmt, *Param, *TypeParam, *Import, *Binding ...
	Uses []LocalUse
}

// LocalUse is one use of a local: an *IdentExpr, or the *Ident of a call, of a type, or of a
// module before a dot.
type LocalUse struct {
	At    Node
	Write bool // it is assigned
	Call  bool
}

// Locals lists the locals of a file in the order of their declarations, by the text alone:
// a name means the innermost declaration around it, whether or not the checker allows that
// one. Names that no local has are not in it.
func Locals(f *File) []*Local {
	l := &localizer{}
	l.push()
	for _, imp := range f.Imports {
		if b := imp.Binding(); b != nil {
			l.declare(b, LocalImport, imp)
		}
	}
	for _, d := range f.Decls {
		l.visit(d)
	}
	return l.out
}

type localizer struct {
	out    []*Local
	scopes []map[string]*Local
}

func (l *localizer) push() { l.scopes = append(l.scopes, nil) }
func (l *localizer) pop()  { l.scopes = l.scopes[:len(l.scopes)-1] }

func (l *localizer) declare(id *Ident, kind LocalKind, in Node) {
	if id == nil || id.Name == "" {
		return
	}
	top := &l.scopes[len(l.scopes)-1]
	if *top == nil {
		*top = map[string]*Local{}
	}
	x := &Local{Name: id.Name, Kind: kind, Decl: id, In: in}
	(*top)[id.Name] = x
	l.out = append(l.out, x)
}

// use enters a use of the innermost local of that name, if its kind is one of those given.
func (l *localizer) use(name string, at Node, how LocalUse, kinds ...LocalKind) {
	for i := len(l.scopes) - 1; i >= 0; i-- {
		x, ok := l.scopes[i][name]
		if !ok {
			continue
		}
		for _, k := range kinds {
			if x.Kind == k {
				how.At = at
				x.Uses = append(x.Uses, how)
				return
			}
		}
	}
}

func (l *localizer) module(id *Ident) {
	if id != nil {
		l.use(id.Name, id, LocalUse{}, LocalImport)
	}
}

func (l *localizer) children(n Node) { Children(n, l.visit) }

func (l *localizer) typeParams(list []*TypeParam) {
	for _, t := range list {
		l.declare(t.Name, LocalTypeParam, t)
	}
}

func (l *localizer) params(list []*Param, kind LocalKind) {
	for _, p := range list {
		l.visitAll(p.Type)
		l.declare(p.Name, kind, p)
	}
}

// visitAll visits what is there: a nil of a concrete type must not get here.
func (l *localizer) visitAll(nodes ...Node) {
	for _, n := range nodes {
		if n != nil {
			l.visit(n)
		}
	}
}

func (l *localizer) visit(n Node) {
	switch n := n.(type) {
	case *FuncDecl:
		l.function(n)
	case *ClassDecl:
		l.push()
		l.typeParams(n.TypeParams)
		l.children(n)
		l.pop()
	case *EnumDecl:
		l.push()
		l.typeParams(n.TypeParams)
		l.children(n)
		l.pop()
	case *ExternDecl:
		l.push()
		l.params(n.Params, LocalParam)
		l.visitAll(n.Result)
		l.pop()
	case *Block:
		l.push()
		l.children(n)
		l.pop()
	case *LetStmt:
		l.visitAll(n.Type, n.Value)
		l.declare(n.Name, LocalVariable, n)
	case *LetChanStmt:
		l.visitAll(n.Elem, n.Capacity)
		l.declare(n.Tx, LocalVariable, n)
		l.declare(n.Rx, LocalVariable, n)
	case *ForStmt:
		l.visitAll(n.Iter)
		l.scoped(n.Body, func() { l.declare(n.Name, LocalVariable, n) })
	case *SelectArm:
		l.visitAll(n.Chan, n.Value)
		l.scoped(n.Body, func() { l.declare(n.Name, LocalVariable, n) })
	case *ScopeStmt:
		for _, s := range n.Seeds {
			l.visitAll(s)
		}
		l.scoped(n.Body, func() { l.params(n.Bindings, LocalVariable) })
	case *Handler:
		l.module(n.Module)
		l.scoped(n.Body, func() { l.declare(n.Name, LocalVariable, n) })
	case *MatchArm:
		l.module(n.Module)
		l.push()
		for _, b := range n.Bindings {
			l.declare(b.Name, LocalVariable, b)
		}
		if n.Body != nil {
			l.visit(n.Body)
		}
		l.visitAll(n.Value)
		l.pop()
	case *ClosureExpr:
		l.push()
		l.params(n.Params, LocalParam)
		l.visitAll(n.Result)
		if n.Body != nil {
			l.visit(n.Body)
		}
		l.visitAll(n.Value)
		l.pop()
	case *AssignStmt:
		l.target(n.Target)
		l.visitAll(n.Value)
	case *IncDecStmt:
		l.target(n.Target)
	default:
		l.names(n)
		l.children(n)
	}
}

// names enters the uses in a node itself.
func (l *localizer) names(n Node) {
	switch n := n.(type) {
	case *IdentExpr:
		l.use(n.Name, n, LocalUse{}, LocalVariable, LocalParam, LocalImport)
	case *CallExpr:
		if n.Name != nil {
			l.use(n.Name.Name, n.Name, LocalUse{Call: true}, LocalVariable, LocalParam)
		}
	case *NamedType:
		if n.Module != nil {
			l.module(n.Module)
		} else if n.Name != nil {
			l.use(n.Name.Name, n.Name, LocalUse{}, LocalTypeParam)
		}
	case *RaiseStmt:
		l.module(n.Module)
	case *GenericExpr:
		l.module(n.Module)
	case *LitExpr:
		if len(n.Path) > 1 {
			l.module(n.Path[0])
		}
	case *StaticExpr:
		if n.Trait != nil {
			l.use(n.Trait.Name, n.Trait, LocalUse{}, LocalTypeParam)
		}
	}
}

func (l *localizer) target(e Expr) {
	if id, ok := e.(*IdentExpr); ok {
		l.use(id.Name, id, LocalUse{Write: true}, LocalVariable, LocalParam)
		return
	}
	l.visitAll(e)
}

// scoped visits a block in which something is declared before its first statement.
func (l *localizer) scoped(body *Block, declare func()) {
	l.push()
	declare()
	if body != nil {
		l.visit(body)
	}
	l.pop()
}

func (l *localizer) function(n *FuncDecl) {
	l.push()
	l.typeParams(n.TypeParams)
	for _, t := range n.TypeParams {
		l.children(t)
	}
	l.params(n.Params, LocalParam)
	l.visitAll(n.Result)
	for _, list := range [][]*Clause{n.Requires, n.Ensures} {
		for _, c := range list {
			l.visit(c)
		}
	}
	if n.Body != nil {
		l.visit(n.Body)
	}
	l.pop()
}
