package refactor

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// space is a namespace: the modules whose declarations see each other without a qualifier.
type space struct {
	name    string // of the file or the folder that imports name; "" for one that nothing imports
	dir     string // where its imports are looked up
	modules []*workspace.Module
	root    bool // it is the one of a program
}

// space finds the namespace of a module, also of one that does not exist yet.
func (d *draft) space(p string) *space {
	if sp := d.spaces[p]; sp != nil {
		return sp
	}
	sp := d.findSpace(p)
	d.spaces[p] = sp
	return sp
}

func (d *draft) findSpace(p string) *space {
	dir := path.Dir(p)
	imported := d.importedModules()
	one := d.s.Module(p)
	switch {
	case imported[p] && one != nil:
		return &space{name: p, dir: dir, modules: []*workspace.Module{one}}
	case imported[dir]:
		sp := &space{name: dir, dir: dir}
		for _, m := range d.s.Modules() {
			if path.Dir(m.Path) == dir {
				sp.modules = append(sp.modules, m)
			}
		}
		return sp
	}
	var best *workspace.Group
	for _, g := range d.s.Groups() {
		in := slices.Contains(g.Files, p) || one == nil && !g.Standalone && path.Dir(g.Entry) == dir
		if in && !g.Test && (best == nil || len(g.Files) > len(best.Files)) {
			best = g
		}
	}
	sp := &space{dir: dir, root: true}
	switch {
	case best != nil:
		for _, f := range best.Files {
			if m := d.s.Module(f); m != nil {
				sp.modules = append(sp.modules, m)
			}
		}
	case one != nil:
		sp.modules = append(sp.modules, one)
	}
	return sp
}

// importedModules are the files and folders that some import of the project names.
func (d *draft) importedModules() map[string]bool {
	if d.imported != nil {
		return d.imported
	}
	d.imported = map[string]bool{}
	checked, err := d.s.Checked(d.ctx)
	if err != nil {
		return d.imported
	}
	for _, m := range d.s.Modules() {
		for _, site := range checked.Sites(m.Path) {
			if site.Use == xref.Import {
				d.imported[site.Target.File] = true
			}
		}
	}
	return d.imported
}

func (sp *space) has(p string) bool {
	return slices.ContainsFunc(sp.modules, func(m *workspace.Module) bool { return m.Path == p })
}

// loose says whether the namespace is one file at most, and no program: it can become a
// module by being imported.
func (sp *space) loose() bool {
	if len(sp.modules) == 0 {
		return true
	}
	return len(sp.modules) == 1 && !slices.ContainsFunc(sp.modules[0].Decls, func(d *xref.Decl) bool {
		return d.Kind == xref.App || d.Kind == xref.Function && d.Name == "main"
	})
}

func (sp *space) same(other *space) bool {
	return sp == other || sp.name == other.name && sp.dir == other.dir && sp.root == other.root
}

// free refuses a name for a declaration of the kind that is taken in the namespace; what is
// in place of except does not count.
func (sp *space) free(kind xref.Kind, name, path string, except *xref.Decl) error {
	for _, m := range sp.modules {
		for _, old := range m.Decls {
			switch {
			case except != nil && old.Key == except.Key:
			case kind == xref.Test || old.Kind == xref.Test:
				if kind == old.Kind && m.Path == path && old.Name == name {
					return refuse(Conflict, "there is a test \"%s\" already", name).at(m.File.Src, old.NameAt.Start)
				}
			case old.Name == name:
				return refuse(Conflict, "'%s' is already declared as %s", name, article(old.Kind)).at(m.File.Src, old.NameAt.Start)
			case kind == xref.App && old.Kind == xref.App:
				return refuse(Conflict, "the program has an app declaration already").at(m.File.Src, old.NameAt.Start)
			case kind == xref.App && old.Kind == xref.Function && old.Name == "main", old.Kind == xref.App && kind == xref.Function && name == "main":
				return refuse(Conflict, "a program cannot have both an app and a function main").at(m.File.Src, old.NameAt.Start)
			}
		}
		if kind == xref.Test {
			continue
		}
		for _, imp := range m.File.Imports {
			if b := imp.Binding(); b != nil && b.Name == name {
				return refuse(Conflict, "'%s' is the name of an import", name).at(m.File.Src, b.Span().Start)
			}
		}
	}
	return nil
}

// hides refuses a name for a declaration that a variable has, where the language forbids
// that: in the files of a program itself, and in those that are run as tests.
func (sp *space) hides(name string) error {
	for _, m := range sp.modules {
		tested := slices.ContainsFunc(m.Decls, func(d *xref.Decl) bool { return d.Kind == xref.Test })
		if !sp.root && !tested {
			continue
		}
		var in *syntax.Ident
		for _, decl := range m.File.Decls {
			syntax.Walk(decl, func(n syntax.Node) bool {
				if let, ok := n.(*syntax.LetStmt); ok && let.Name.Name == name {
					in = let.Name
				}
				return in == nil
			})
		}
		if in != nil {
			return refuse(Conflict, "a variable has the name '%s', and would hide the declaration", name).at(m.File.Src, in.Span().Start)
		}
	}
	return nil
}

// freeBinding refuses a name for an import when it means something else in the namespace.
func (sp *space) freeBinding(name, path string) error {
	for _, m := range sp.modules {
		for _, imp := range m.File.Imports {
			if b := imp.Binding(); b != nil && b.Name == name && dotted(imp) != path {
				return refuse(Conflict, "the import '%s' cannot be added: '%s' is the name of the import '%s'", path, name, dotted(imp)).
					at(m.File.Src, imp.Span().Start).hint("import it under another name with `as`")
			}
		}
		for _, old := range m.Decls {
			if old.Kind != xref.Test && old.Name == name {
				return refuse(Conflict, "the import '%s' cannot be added: '%s' is declared as %s", path, name, article(old.Kind)).
					at(m.File.Src, old.NameAt.Start).hint("import it under another name with `as`")
			}
		}
	}
	return nil
}

// freeMember refuses a name that another member of the declaration has.
func freeMember(parent *xref.Decl, like *xref.Decl, name string, except *xref.Decl) error {
	for _, old := range parent.Members {
		if old == except || old.Name != name || old.Kind != like.Kind {
			continue
		}
		return refuse(Conflict, "%s has a %s '%s' already", describe(parent.Key), old.Kind, name).at(old.File.Src, old.NameAt.Start)
	}
	return nil
}

// lookup finds the declaration of a key and its module.
func lookup(s *workspace.State, k xref.Key) (*xref.Decl, *workspace.Module, error) {
	m := s.Module(k.File)
	t := s.Decl(k)
	if t == nil || m == nil {
		if m == nil && strings.HasPrefix(k.File, "std/") {
			return nil, nil, refuse(Outside, "%s belongs to the standard library", describe(k))
		}
		return nil, nil, missing(k)
	}
	if err := editable(m); err != nil {
		return nil, nil, err
	}
	return t, m, nil
}

func missing(k xref.Key) *Error {
	if k.Kind == xref.Module {
		return refuse(NotFound, "there is no module '%s'", k.File)
	}
	return refuse(NotFound, "there is no %s '%s' in '%s'", k.Kind, k.Qual, k.File)
}

// describe is how messages name a declaration.
func describe(k xref.Key) string {
	if k.Kind == xref.Module {
		return fmt.Sprintf("module '%s'", k.File)
	}
	return fmt.Sprintf("%s '%s'", k.Kind, k.Qual)
}

// where prints the place of a site.
func where(s *workspace.State, site xref.Site) string {
	m := s.Module(site.File)
	if m == nil {
		return site.File
	}
	line, col := m.File.Src.Position(site.At.Start)
	return Place{site.File, line, col}.String()
}

func sortSites(sites []xref.Site) {
	slices.SortStableFunc(sites, func(a, b xref.Site) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.At.Start, b.At.Start))
	})
}

// importPath is how a namespace imports another; false when it cannot.
func (sp *space) importPath(to *space) (string, bool) {
	if to.name == "" {
		return "", false
	}
	rel := to.name
	if sp.dir != "." {
		var below bool
		if rel, below = strings.CutPrefix(to.name, sp.dir+"/"); !below {
			return "", false
		}
	}
	rel = strings.TrimSuffix(rel, path.Ext(rel))
	for _, part := range strings.Split(rel, "/") {
		if checkName(xref.Param, part) != nil {
			return "", false
		}
	}
	return strings.ReplaceAll(rel, "/", "."), true
}

// bindingOf is under which name a namespace imports what a key says, seen from one of its
// files; nil when it does not.
func (d *draft) bindingOf(sp *space, target, from string) *syntax.Import {
	checked, err := d.s.Checked(d.ctx)
	if err != nil {
		return nil
	}
	var found *syntax.Import
	for _, m := range sp.modules {
		for _, site := range checked.Sites(m.Path) {
			if site.Use != xref.Import || site.Target.File != target {
				continue
			}
			for _, imp := range m.File.Imports {
				if imp.Span().Start <= site.At.Start && site.At.End <= imp.Span().End && (found == nil || m.Path == from) {
					found = imp
				}
			}
		}
	}
	return found
}
