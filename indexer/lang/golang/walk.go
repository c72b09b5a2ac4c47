package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
)

// A use says in which role a name stands.
type use uint8

const (
	asValue use = iota
	asType
	asWritten
	asCallee
	asLiteral // the type of a composite literal, or what new makes
	asEmbedded
	asArgument // a type argument
)

func (x *extractor) walkFile() {
	for _, decl := range x.f.ast.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			x.function(decl)
		case *ast.GenDecl:
			x.gen(decl)
		}
	}
}

// within runs walk with another declaration as the user.
func (x *extractor) within(sym int, qual string, walk func()) {
	from, q := x.from, x.qual
	x.from, x.qual = sym, qual
	walk()
	x.from, x.qual = from, q
}

func (x *extractor) function(d *ast.FuncDecl) {
	e, ok := x.lookup(d.Name.Pos())
	sym, qual := x.fileSym, "_"
	if ok && d.Name.Name != "_" {
		sym, qual = x.symbol(e.kind, e.qual), e.qual
	}
	x.locals = nil
	x.within(sym, qual, func() {
		if x.eflags != 0 && d.Recv == nil {
			x.example(d.Name)
		}
		x.fieldList(d.Recv)
		x.expr(d.Type, asType)
		if d.Body != nil {
			x.stmt(d.Body)
		}
	})
}

func (x *extractor) lookup(at token.Pos) (entry, bool) { return x.s.pkg.lookup(at, x.s.unit) }

// node returns the symbol declared at a position, or the current user.
func (x *extractor) node(at token.Pos, orElse int) (int, string) {
	if e, ok := x.lookup(at); ok {
		return x.symbol(e.kind, e.qual), e.qual
	}
	return orElse, ""
}

// gen walks a declaration at package level or in a function.
func (x *extractor) gen(d *ast.GenDecl) {
	local := x.from != x.fileSym || x.qual != ""
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ImportSpec:
			x.imports(spec)
		case *ast.TypeSpec:
			if local {
				x.localType(d, spec)
			}
			sym, qual := x.node(spec.Name.Pos(), x.from)
			if qual == "" {
				qual = x.qual
			}
			x.within(sym, qual, func() {
				x.fieldList(spec.TypeParams)
				x.expr(spec.Type, asType)
			})
		case *ast.ValueSpec:
			x.valueSpec(spec, local)
		}
	}
}

func (x *extractor) valueSpec(spec *ast.ValueSpec, local bool) {
	user := func(i int, walk func()) {
		if local {
			walk()
			return
		}
		x.locals = nil
		sym, qual := x.fileSym, "_"
		if name := spec.Names[min(i, len(spec.Names)-1)]; name.Name != "_" {
			sym, qual = x.node(name.Pos(), x.fileSym)
		}
		x.within(sym, qual, walk)
	}
	if spec.Type != nil {
		user(0, func() { x.expr(spec.Type, asType) })
	}
	for i, v := range spec.Values {
		user(i, func() { x.expr(v, asValue) })
	}
}

// localType declares a type of a function, and what is in it.
func (x *extractor) localType(gen *ast.GenDecl, spec *ast.TypeSpec) {
	if x.locals == nil {
		x.locals = map[string]int{}
	}
	qual := x.qual + "." + spec.Name.Name
	x.locals[qual]++
	if n := x.locals[qual]; n > 1 {
		qual += "@" + strconv.Itoa(n)
	}
	var parent *declared
	if e, ok := x.symbolOf(x.from); ok {
		parent = &declared{kind: e.kind, qual: e.qual}
	}
	t := x.s.entries
	if x.test {
		t = x.s.testTable
	}
	d := declarer{visit: func(d *declared) {
		t[d.at] = entry{d.kind, d.qual}
		x.declare(d)
	}}
	d.typeSpec(gen, spec, qual, parent)
}

// symbolOf returns what a symbol of the package stands for; nothing for the file.
func (x *extractor) symbolOf(sym int) (entry, bool) {
	if sym == x.fileSym {
		return entry{}, false
	}
	s := x.b.facts.Symbols[sym]
	return entry{s.Kind, s.Qual}, true
}

// imports writes down one import.
func (x *extractor) imports(spec *ast.ImportSpec) {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil || p == "C" {
		return
	}
	sym := graph.Symbol{Kind: graph.KindPackage, Module: p, External: true}
	switch d := x.s.deps[p]; {
	case d != nil:
		sym.Module, sym.External = d.path, d.external
	case p != "unsafe":
		d, missing := x.s.run.repo.resolve(x.s.unit.dir, p)
		if d != nil {
			sym.Module, sym.External = d.imports, false
		} else if missing {
			x.missing(spec.Path.Pos()+1, p, "package not found")
		}
	}
	at := x.f.pos(spec.Path.Pos())
	at.Col++
	x.add(graph.FactEdge{
		Kind: graph.EdgeImports, From: x.fileSym, To: x.b.sym(sym), Pos: at, Len: uint16(min(utf8.RuneCountInString(p), 1<<16-1)),
	})
}

func (x *extractor) add(e graph.FactEdge) {
	e.File = x.f.file.index
	e.Flags |= x.eflags
	x.b.facts.Edges = append(x.b.facts.Edges, e)
}

func (x *extractor) missing(at token.Pos, name, reason string) {
	x.b.facts.Missing = append(x.b.facts.Missing, graph.FactMiss{
		File: x.f.file.index, Pos: x.f.pos(at), Name: name, Reason: reason,
	})
}

// example makes the edge from an Example function to what it is an example of.
func (x *extractor) example(id *ast.Ident) {
	rest, ok := strings.CutPrefix(id.Name, "Example")
	if !ok || rest == "" || rest[0] == '_' || x.s.types == nil {
		return
	}
	parts := strings.Split(rest, "_")
	obj := x.s.types.Scope().Lookup(parts[0])
	if obj == nil {
		return
	}
	if len(parts) > 1 {
		r, _ := utf8.DecodeRuneInString(parts[1])
		if t, ok := obj.(*types.TypeName); ok && unicode.IsUpper(r) {
			if m, _, _ := types.LookupFieldOrMethod(t.Type(), true, x.s.types, parts[1]); m != nil {
				obj = m
			}
		}
	}
	if to := x.target(obj); to >= 0 {
		x.add(graph.FactEdge{
			Kind: graph.EdgeTests, From: x.from, To: to, Pos: x.f.pos(id.Pos()), Len: uint16(min(utf8.RuneCountInString(id.Name), 1<<16-1)),
		})
	}
}

// ident writes down the use of one name.
func (x *extractor) ident(id *ast.Ident, u use) {
	obj := x.info.Uses[id]
	if obj == nil {
		x.unbound(id)
		return
	}
	x.refer(id, obj, u)
}

// refer writes down that a name refers to an object.
func (x *extractor) refer(id *ast.Ident, obj types.Object, u use) {
	to := x.target(obj)
	if to < 0 {
		return
	}
	e := graph.FactEdge{From: x.from, To: to, Pos: x.f.pos(id.Pos())}
	switch obj := obj.(type) {
	case *types.Func:
		e.Kind = graph.EdgeRefs
		if u == asCallee {
			e.Kind = graph.EdgeCalls
			if recv := obj.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
				e.Flags = graph.EdgeDynamic
			}
		}
	case *types.TypeName:
		switch u {
		case asLiteral:
			e.Kind = graph.EdgeConstructs
		case asEmbedded:
			e.Kind = graph.EdgeEmbeds
		case asArgument:
			e.Kind = graph.EdgeInstantiates
		default:
			e.Kind = graph.EdgeTypeRef
		}
		x.seeInterface(obj.Type())
	case *types.Var:
		e.Kind = graph.EdgeReads
		if u == asWritten {
			e.Kind = graph.EdgeWrites
		}
	case *types.Const:
		e.Kind = graph.EdgeReads
	default:
		return
	}
	x.add(e)
}

// target returns the symbol of an object; negative when it is not a node.
func (x *extractor) target(obj types.Object) int {
	if v, ok := obj.(*types.Var); ok {
		if k := v.Kind(); k != types.PackageVar && k != types.FieldVar {
			return -1
		}
	}
	i, ok := x.b.objs[obj]
	if !ok {
		i = x.find(obj)
		x.b.objs[obj] = i
	}
	return i
}

func (x *extractor) find(obj types.Object) int {
	p := obj.Pkg()
	if p == nil {
		if _, ok := obj.(*types.Func); ok && obj.Name() == "Error" {
			return x.b.sym(graph.Symbol{Kind: graph.KindMethod, Module: "builtin", Qual: "error.Error", External: true})
		}
		return -1
	}
	owner := x.s.run.owner(p)
	if owner == nil {
		return -1
	}
	e, ok := owner.lookup(obj.Pos(), x.s.unit)
	if !ok {
		return -1
	}
	return x.b.sym(graph.Symbol{Kind: e.kind, Module: owner.path, Qual: e.qual, External: owner.external})
}

// unbound deals with a name that the checker did not resolve: code around an error is
// not always visited, but what scopes it made are still there.
func (x *extractor) unbound(id *ast.Ident) {
	if id.Name == "_" || x.info.Defs[id] != nil {
		return
	}
	if _, ok := x.info.Defs[id]; ok {
		return
	}
	if scope := x.p.types.Scope().Innermost(id.Pos()); scope != nil {
		if _, obj := scope.LookupParent(id.Name, id.Pos()); obj != nil {
			x.refer(id, obj, asValue)
			return
		}
	}
	x.missing(id.Pos(), id.Name, "undefined")
}

// selector writes down x.Sel.
func (x *extractor) selector(e *ast.SelectorExpr, u use) {
	q, isIdent := e.X.(*ast.Ident)
	if isIdent {
		if pn := x.packageName(q); pn != nil {
			x.qualified(e, pn, u)
			return
		}
	}
	x.expr(e.X, asValue)
	if obj := x.info.Uses[e.Sel]; obj != nil {
		x.refer(e.Sel, obj, u)
	} else if e.Sel.Name != "_" {
		x.missing(e.Sel.Pos(), e.Sel.Name, "type unknown")
	}
}

// packageName returns the import that a name stands for, if it does.
func (x *extractor) packageName(id *ast.Ident) *types.PkgName {
	obj := x.info.Uses[id]
	if obj == nil {
		if scope := x.p.types.Scope().Innermost(id.Pos()); scope != nil {
			_, obj = scope.LookupParent(id.Name, id.Pos())
		}
	}
	pn, _ := obj.(*types.PkgName)
	return pn
}

// qualified writes down p.Sel for an imported package p.
func (x *extractor) qualified(e *ast.SelectorExpr, pn *types.PkgName, u use) {
	if obj := x.info.Uses[e.Sel]; obj != nil {
		x.refer(e.Sel, obj, u)
		return
	}
	imp := pn.Imported()
	if imp.Path() == "C" || imp == types.Unsafe || e.Sel.Name == "_" {
		return
	}
	if obj := imp.Scope().Lookup(e.Sel.Name); obj != nil {
		x.refer(e.Sel, obj, u)
		return
	}
	d, missing := x.s.run.repo.resolve(x.s.unit.dir, imp.Path())
	if x.s.shells[imp.Path()] != imp || d == nil && missing {
		x.missing(e.Sel.Pos(), e.Sel.Name, "undefined")
		return
	}
	// The package was not read: its symbol is guessed from the way it is used.
	sym := graph.Symbol{Module: imp.Path(), Qual: e.Sel.Name, External: d == nil, Kind: graph.KindVariable}
	if d != nil {
		sym.Module = d.imports
	}
	edge := graph.FactEdge{From: x.from, Kind: graph.EdgeReads}
	switch {
	case u == asCallee:
		sym.Kind, edge.Kind = graph.KindFunction, graph.EdgeCalls
	case u == asLiteral:
		sym.Kind, edge.Kind = graph.KindType, graph.EdgeConstructs
	case u == asEmbedded:
		sym.Kind, edge.Kind = graph.KindType, graph.EdgeEmbeds
	case u == asArgument:
		sym.Kind, edge.Kind = graph.KindType, graph.EdgeInstantiates
	case u == asWritten:
		edge.Kind = graph.EdgeWrites
	case u == asType:
		sym.Kind, edge.Kind = graph.KindType, graph.EdgeTypeRef
	}
	edge.To = x.b.sym(sym)
	edge.Pos = x.f.pos(e.Sel.Pos())
	x.add(edge)
}
