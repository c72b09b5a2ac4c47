package xref

import (
	"path"
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/syntax"
)

// index leads from what the checker and the trees know to declarations.
type index struct {
	program *check.Program
	list    func(*syntax.File) []*Decl
	files   map[*syntax.File][]*Decl
	order   []listed
	byName  map[*syntax.Ident]*Decl // by the name in the declaration
	byTest  map[*syntax.TestDecl]*Decl
	bodies  map[syntax.Node]facts // of *syntax.FuncDecl, *syntax.TestDecl and, for invariants, *syntax.Clause

	checked map[*load.Module]*check.Module
	modules map[*load.Module]Key
	imports map[binding]imported
	errors  map[binding]*Decl // the errors of a module by name, those too that repeat predeclared ones
}

// listed are the declarations of a file in a module.
type listed struct {
	mod   *load.Module
	decls []*Decl
}

// facts are all that is known about one text: those about it as it is written come first,
// and there are so many of them.
type facts struct {
	infos   []*check.Info
	written int
}

// binding is a name in a module.
type binding struct {
	mod  *load.Module
	name string
}

// imported is what the first import of a name in a module says, which is the one that counts.
type imported struct {
	path string
	mod  *load.Module // nil when it could not be loaded
}

func dotted(imp *syntax.Import) string {
	names := make([]string, len(imp.Path))
	for i, id := range imp.Path {
		names[i] = id.Name
	}
	return strings.Join(names, ".")
}

func newIndex(p *check.Program) *index { return indexOf(p, Decls) }

// indexOf is the index of a program whose declarations decls lists.
func indexOf(p *check.Program, decls func(*syntax.File) []*Decl) *index {
	ix := &index{
		program: p,
		list:    decls,
		files:   map[*syntax.File][]*Decl{},
		byName:  map[*syntax.Ident]*Decl{},
		byTest:  map[*syntax.TestDecl]*Decl{},
		bodies:  make(map[syntax.Node]facts, len(p.Funcs)),
		checked: map[*load.Module]*check.Module{},
		modules: map[*load.Module]Key{},
		imports: map[binding]imported{},
		errors:  map[binding]*Decl{},
	}
	for _, m := range p.Modules {
		if m.Src == nil {
			continue
		}
		ix.checked[m.Src] = m
		ix.modules[m.Src] = moduleKey(m.Src)
		for _, f := range m.Src.Files {
			ix.fileOf(m.Src, f)
		}
	}
	ix.facts()
	return ix
}

func (ix *index) fileOf(m *load.Module, f *syntax.File) {
	for _, imp := range f.Imports {
		if name := imp.Binding(); name != nil {
			if b := (binding{m, name.Name}); ix.imports[b].path == "" {
				ix.imports[b] = imported{dotted(imp), m.Imports[name.Name]}
			}
		}
	}
	decls, ok := ix.files[f]
	if !ok {
		decls = ix.list(f)
		ix.files[f] = decls
		ix.order = append(ix.order, listed{m, decls})
	}
	for d := range All(decls) {
		switch n := d.Node.(type) {
		case *syntax.TestDecl:
			ix.byTest[n] = d
			continue
		case *syntax.ErrorDecl:
			if b := (binding{m, d.Name}); ix.errors[b] == nil {
				ix.errors[b] = d
			}
		}
		ix.byName[nameOf(d.Node)] = d
	}
}

// nameOf is the name in a declaration that has one.
func nameOf(n syntax.Node) *syntax.Ident {
	switch n := n.(type) {
	case *syntax.Param:
		return n.Name
	case *syntax.Variant:
		return n.Name
	case syntax.Decl:
		return n.DeclName()
	}
	return nil
}

// moduleKey names a module by its file, or by its folder when an import means that.
func moduleKey(m *load.Module) Key {
	key := Key{Kind: Module}
	switch {
	case len(m.Files) == 0:
		key.File = strings.ReplaceAll(m.Path, ".", "/")
	case m.Folder:
		key.File = path.Dir(m.Files[0].Src.Name)
	default:
		key.File = m.Files[0].Src.Name
	}
	return key
}

func (ix *index) facts() {
	g := ix.program.General()
	for _, f := range g.Funcs {
		ix.add(textOf(f), f.Info, true)
	}
	for _, ct := range g.Invariants {
		ix.add(ct.Clause, ct.Info, true)
	}
	for _, f := range ix.program.Funcs {
		ix.add(textOf(f), f.Info, false)
	}
	for _, cl := range ix.program.Classes {
		for _, ct := range cl.Invariants {
			ix.add(ct.Clause, ct.Info, false)
		}
	}
}

func (ix *index) add(n syntax.Node, info *check.Info, written bool) {
	if n == nil || info == nil {
		return
	}
	b := ix.bodies[n]
	b.infos = append(b.infos, info)
	if written {
		b.written++
	}
	ix.bodies[n] = b
}

// textOf is what a function was checked of.
func textOf(f *check.Func) syntax.Node {
	switch {
	case f.Test != nil:
		return f.Test
	case f.Decl != nil:
		return f.Decl
	}
	return nil
}

// of is the declaration of an object; nil for what is built in, and for locals.
func (ix *index) of(o check.Object) *Decl {
	var name *syntax.Ident
	switch o := o.(type) {
	case *check.Var:
		if o.Kind != check.ParamVar {
			return nil
		}
		name = o.Decl
	case *check.Func:
		switch {
		case o.Extern != nil:
			name = o.Extern.Name
		case o.Decl != nil:
			name = o.Decl.Name
		}
	case *check.Class:
		name = o.Decl.Name
	case *check.Field:
		if name = o.Decl; o.Ambient && o.Type.Kind == check.KClass {
			name = o.Type.Class.Decl.Name
		}
	case *check.Enum:
		name = o.Decl.Name
	case *check.Variant:
		name = o.Decl.Name
	case *check.VariantField:
		name = o.Decl
	case *check.Trait:
		name = o.Decl.Name
	case *check.TraitMethod:
		name = o.Decl.Name
	case *check.ErrorDecl:
		if o.Decl != nil {
			name = o.Decl.Name
		}
	case *check.ErrorField:
		name = o.Decl
	}
	if name == nil {
		return nil
	}
	return ix.byName[name]
}

// lookup is what a module declares under a name, errors left out; or nil.
func (ix *index) lookup(m *check.Module, name string) *Decl {
	if o, ok := m.Scope[name]; ok {
		return ix.of(o)
	}
	return nil
}

// errorOf is the error that a module declares under a name, or nil.
func (ix *index) errorOf(m *check.Module, name string) *Decl {
	return ix.errors[binding{m.Src, name}]
}

// imported is the module of an import of m; nil when there is none, or it is missing.
func (ix *index) imported(m *check.Module, name string) *check.Module {
	return ix.checked[m.Src.Imports[name]]
}

// called says whether a module goes by the name of its file or folder.
func called(key Key, name string) bool {
	base := path.Base(key.File)
	return strings.TrimSuffix(base, path.Ext(base)) == name
}

// member is a member of a declaration by its name; nil when there is none, or no declaration.
func (d *Decl) member(kind Kind, name string) *Decl {
	if d == nil || name == "" {
		return nil
	}
	for _, m := range d.Members {
		if m.Kind == kind && m.Name == name {
			return m
		}
	}
	return nil
}
