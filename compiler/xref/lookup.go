package xref

import (
	"sync"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/syntax"
)

// Index is a checked program to look things up in, one at a time: what a name in a file
// means, and what the checker knows of a body. It is safe for concurrent use.
type Index struct {
	index *index
	facts func() *Facts
	where map[string]place // the files of the program, by name

	mu    sync.Mutex
	sites map[string][]Site
	decls map[string]map[Key]*Decl
}

// place is a file of a program.
type place struct {
	file *syntax.File
	mod  *load.Module
}

// NewIndex makes the index of a program; decls gives what [Decls] does.
func NewIndex(p *check.Program, decls func(*syntax.File) []*Decl) *Index {
	ix := indexOf(p, decls)
	x := &Index{index: ix, where: map[string]place{}, sites: map[string][]Site{}, decls: map[string]map[Key]*Decl{}}
	x.facts = sync.OnceValue(func() *Facts { return factsOf(ix) })
	for _, m := range p.Modules {
		if m.Src == nil {
			continue
		}
		for _, f := range m.Src.Files {
			if _, ok := x.where[f.Src.Name]; !ok {
				x.where[f.Src.Name] = place{f, m.Src}
			}
		}
	}
	return x
}

// File is a file of the program and the module that it is in; nil for others.
func (x *Index) File(name string) (*syntax.File, *load.Module) {
	at := x.where[name]
	return at.file, at.mod
}

// Module is what a key of the kind Module names: a module of the program, or nil.
func (x *Index) Module(k Key) *load.Module {
	for m, key := range x.index.modules {
		if key == k {
			return m
		}
	}
	return nil
}

// Sites are the uses in one file, those of the library too, as [Sites] has them. The slice is
// shared.
func (x *Index) Sites(name string) []Site {
	x.mu.Lock()
	defer x.mu.Unlock()
	if sites, ok := x.sites[name]; ok {
		return sites
	}
	at := x.where[name]
	if at.file == nil {
		return nil
	}
	w := &walker{index: x.index, caught: map[*syntax.Ident]*Decl{}}
	w.step = w.node
	w.file(x.index.checked[at.mod], at.file)
	sort(w.out)
	x.sites[name] = w.out
	return w.out
}

// Decl is a declaration of the program by its key; nil when there is none.
func (x *Index) Decl(k Key) *Decl {
	x.mu.Lock()
	defer x.mu.Unlock()
	known, ok := x.decls[k.File]
	if !ok {
		known = map[Key]*Decl{}
		for d := range All(x.index.files[x.where[k.File].file]) {
			known[d.Key] = d
		}
		x.decls[k.File] = known
	}
	return known[k]
}

// Of is the declaration of an object of the checker; nil for locals and what is built in.
func (x *Index) Of(o check.Object) *Decl { return x.index.of(o) }

// Facts is what [FactsOf] says of the program.
func (x *Index) Facts() *Facts { return x.facts() }

// Infos are what the checker knows of a text with expressions: a *syntax.FuncDecl, a
// *syntax.TestDecl, or the *syntax.Clause of an invariant. checked is each time that the
// program needed it to be checked, so there are several for what is generic or inherited;
// written is about the text as it stands, type parameters standing for themselves.
func (x *Index) Infos(body syntax.Node) (checked, written []*check.Info) {
	b := x.index.bodies[body]
	return b.infos[b.written:], b.infos[:b.written]
}

// Decls are the declarations of a file of the program.
func (x *Index) Decls(f *syntax.File) []*Decl { return x.index.files[f] }
