package golang

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/settgraph/sett/graph"
)

// A table says what is declared where. Objects of go/types are looked up by position,
// which instances of generics share with what they are instances of.
type table map[token.Pos]entry

type entry struct {
	kind graph.Kind
	qual string
}

// A declared is one declaration that becomes a node.
type declared struct {
	id       *ast.Ident // nil for an embedded field: see at
	at       token.Pos  // where the name stands
	name     string
	kind     graph.Kind
	qual     string
	parent   *declared // nil: see recv
	recv     string    // the type a method belongs to
	node     ast.Node  // *ast.FuncDecl, *ast.TypeSpec, *ast.ValueSpec or *ast.Field
	gen      *ast.GenDecl
	index    int // among the names of the spec
	embedded bool
	abstract bool // a method of an interface
}

// file enters the package-level declarations of f, whose base name is given.
func (t table) file(f *ast.File, base string, kinds kindTable) {
	d := declarer{kinds: kinds, visit: func(d *declared) { t[d.at] = entry{d.kind, d.qual} }}
	d.file(f, base)
}

// A declarer walks declarations.
type declarer struct {
	kinds kindTable // kinds that are not as written
	visit func(*declared)
}

// see settles the kind of a declaration and visits it.
func (d *declarer) see(x *declared) {
	if kind, ok := d.kinds[x.qual]; ok {
		x.kind = kind
	}
	d.visit(x)
}

func (d *declarer) file(f *ast.File, base string) {
	inits := 0
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.Name == "init" && decl.Recv == nil {
				inits++
				q := "init@" + base
				if inits > 1 {
					q += ":" + strconv.Itoa(inits)
				}
				d.function(decl, q)
				continue
			}
			d.function(decl, funcQual(decl))
		case *ast.GenDecl:
			d.gen(decl, "", nil)
		}
	}
}

// funcQual returns the qualified name of a function or method.
func funcQual(decl *ast.FuncDecl) string {
	if decl.Recv != nil {
		if recv := receiverName(decl); recv != "" {
			return recv + "." + decl.Name.Name
		}
	}
	return decl.Name.Name
}

func (d *declarer) function(decl *ast.FuncDecl, qual string) {
	x := &declared{
		id: decl.Name, at: decl.Name.Pos(), name: decl.Name.Name, kind: graph.KindFunction, qual: qual, node: decl,
	}
	if decl.Recv != nil {
		x.kind = graph.KindMethod
		x.recv = receiverName(decl)
	}
	if x.name != "_" {
		d.see(x)
		d.nested(decl.Type, qual, x)
	}
}

// gen walks a declaration of types, constants or variables; prefix and parent are of
// the function around it.
func (d *declarer) gen(decl *ast.GenDecl, prefix string, parent *declared) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.typeSpec(decl, spec, prefix+spec.Name.Name, parent)
		case *ast.ValueSpec:
			d.valueSpec(decl, spec)
		}
	}
}

func (d *declarer) typeSpec(gen *ast.GenDecl, spec *ast.TypeSpec, qual string, parent *declared) *declared {
	x := &declared{
		id: spec.Name, at: spec.Name.Pos(), name: spec.Name.Name, kind: typeKind(spec), qual: qual,
		parent: parent, node: spec, gen: gen,
	}
	if x.name != "_" {
		d.see(x)
		d.nested(spec.Type, qual, x)
	}
	return x
}

// typeKind returns the kind of a type as it is written.
func typeKind(spec *ast.TypeSpec) graph.Kind {
	if !spec.Assign.IsValid() {
		switch ast.Unparen(spec.Type).(type) {
		case *ast.StructType:
			return graph.KindStruct
		case *ast.InterfaceType:
			return graph.KindInterface
		}
	}
	return graph.KindType
}

func (d *declarer) valueSpec(gen *ast.GenDecl, spec *ast.ValueSpec) {
	kind := graph.KindVariable
	if gen.Tok == token.CONST {
		kind = graph.KindConst
	}
	for i, id := range spec.Names {
		if id.Name == "_" {
			continue
		}
		x := &declared{id: id, at: id.Pos(), name: id.Name, kind: kind, qual: id.Name, node: spec, gen: gen, index: i}
		d.see(x)
		if i == 0 && spec.Type != nil {
			d.nested(spec.Type, id.Name, x)
		}
		if i < len(spec.Values) {
			d.nested(spec.Values[i], id.Name, x)
		}
	}
}

// nested declares the fields and methods of the struct and interface types written
// within n, outside of function bodies.
func (d *declarer) nested(n ast.Node, prefix string, parent *declared) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BasicLit:
			return false
		case *ast.FuncType:
			for _, list := range []*ast.FieldList{n.Params, n.Results} {
				if list == nil {
					continue
				}
				for _, f := range list.List {
					p := prefix
					if len(f.Names) > 0 && f.Names[0].Name != "_" {
						p += "." + f.Names[0].Name
					}
					d.nested(f.Type, p, parent)
				}
			}
			return false
		case *ast.StructType:
			if n.Fields != nil {
				d.members(n.Fields.List, graph.KindField, prefix, parent)
			}
			return false
		case *ast.InterfaceType:
			if n.Methods != nil {
				d.members(n.Methods.List, graph.KindMethod, prefix, parent)
			}
			return false
		}
		return true
	})
}

func (d *declarer) members(list []*ast.Field, kind graph.Kind, prefix string, parent *declared) {
	for _, f := range list {
		if len(f.Names) == 0 {
			id := embeddedName(f.Type)
			if kind == graph.KindField && id != nil && id.Name != "_" {
				d.see(&declared{
					at: id.Pos(), name: id.Name, kind: kind, qual: prefix + "." + id.Name, parent: parent, node: f, embedded: true,
				})
			}
			d.nested(f.Type, prefix, parent)
			continue
		}
		inner := parent
		innerPrefix := prefix
		for i, id := range f.Names {
			if id.Name == "_" {
				continue
			}
			x := &declared{
				id: id, at: id.Pos(), name: id.Name, kind: kind, qual: prefix + "." + id.Name, parent: parent, node: f, index: i,
				abstract: kind == graph.KindMethod,
			}
			d.see(x)
			if inner == parent {
				inner, innerPrefix = x, x.qual
			}
		}
		d.nested(f.Type, innerPrefix, inner)
	}
}

// embeddedName returns the name that an embedded field gets from its type.
func embeddedName(t ast.Expr) *ast.Ident {
	for {
		switch x := t.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			return x.Sel
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		default:
			return nil
		}
	}
}
