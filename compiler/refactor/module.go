package refactor

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// CreateModule makes a new module of a source, which may be empty.
func CreateModule(ctx context.Context, s *workspace.State, path, src string) (*Plan, error) {
	g, err := parseGiven(src)
	if err != nil {
		return nil, err
	}
	return newDraft(ctx, s).createWith(path, g, Position{})
}

// DeleteModule removes a module. Imports of it, and uses of what it declares, are dangling.
func DeleteModule(ctx context.Context, s *workspace.State, path string) (*Plan, error) {
	m := s.Module(path)
	if m == nil {
		return nil, missing(xref.Key{File: path})
	}
	checked, err := s.Checked(ctx)
	if err != nil {
		return nil, err
	}
	d := newDraft(ctx, s)
	d.plan.Remove = []string{m.Path}
	add := func(k xref.Key) {
		for _, site := range checked.UsesOf(k) {
			if site.File != m.Path && site.Use != xref.ModuleRef {
				d.plan.Dangling = append(d.plan.Dangling, site)
			}
		}
	}
	add(xref.Key{File: m.Path})
	for decl := range xref.All(m.Decls) {
		add(decl.Key)
	}
	sortSites(d.plan.Dangling)
	return d.finish()
}

// RenameModule gives a module, or a folder with all that is in it, another path. The imports
// that name it follow, and so do the names that files use it by, unless an import gives it a
// name of its own.
func RenameModule(ctx context.Context, s *workspace.State, from, to string) (*Plan, error) {
	m := s.Module(from)
	if m == nil {
		return renameFolder(ctx, s, from, to)
	}
	if err := editable(m); err != nil {
		return nil, err
	}
	if path.Ext(to) == "" {
		to += path.Ext(m.Path)
	}
	to, err := newPath(s, to)
	if err != nil {
		return nil, err
	}
	checked, err := s.Checked(ctx)
	if err != nil {
		return nil, err
	}
	d := newDraft(ctx, s)
	d.plan.Rename = map[string]string{m.Path: to}
	for _, other := range s.Modules() {
		for _, site := range checked.Sites(other.Path) {
			if site.Use != xref.Import || site.Target != (xref.Key{File: m.Path}) {
				continue
			}
			if err := d.reimport(other, site, to); err != nil {
				return nil, err
			}
		}
	}
	if path.Dir(to) != path.Dir(m.Path) {
		if err := d.keepImports(checked, m, to); err != nil {
			return nil, err
		}
	}
	return d.renamed(checked)
}

// reimport lets an import, and the names that go through it, follow a module.
func (d *draft) reimport(other *workspace.Module, site xref.Site, to string) error {
	imp := importAt(other.File, site.At)
	if imp == nil {
		return nil
	}
	sp := d.space(other.Path)
	if _, ok := d.plan.Rename[other.Path]; ok { // it imports itself, or from its own folder
		return nil
	}
	dotPath, ok := sp.importPath(&space{name: to})
	if !ok {
		return refuse(Conflict, "'%s' cannot be imported from '%s': an import leads down from the folder of the importing module", to, other.Path).
			at(other.File.Src, imp.Span().Start)
	}
	first, last := imp.Path[0].Span(), imp.Path[len(imp.Path)-1].Span()
	d.write(other.Path, first.To(last), dotPath)
	d.plan.Updated++
	old, name := imp.Binding().Name, dotPath[strings.LastIndexByte(dotPath, '.')+1:]
	if imp.Alias != nil || old == name {
		return nil
	}
	if err := sp.freeBinding(name, dotPath); err != nil {
		return err
	}
	for _, user := range sp.modules {
		if user != other && importNamed(user.File, old) != nil {
			continue // it says so itself
		}
		for _, at := range qualifiers(user.File, old) {
			d.write(user.Path, at, name)
			d.plan.Updated++
		}
	}
	return nil
}

// renameFolder moves all modules of a folder to another one.
func renameFolder(ctx context.Context, s *workspace.State, from, to string) (*Plan, error) {
	from, to = path.Clean(filepath.ToSlash(from)), path.Clean(filepath.ToSlash(to))
	d := newDraft(ctx, s)
	d.plan.Rename = map[string]string{}
	for _, m := range s.Modules() {
		rest, ok := strings.CutPrefix(m.Path, from+"/")
		if !ok {
			continue
		}
		if err := editable(m); err != nil {
			return nil, err
		}
		now, err := newPath(s, path.Join(to, rest))
		if err != nil {
			return nil, err
		}
		d.plan.Rename[m.Path] = now
	}
	switch {
	case len(d.plan.Rename) == 0:
		return nil, missing(xref.Key{File: from})
	case strings.HasPrefix(to, from+"/"):
		return nil, refuse(Invalid, "the folder '%s' cannot go into itself", from)
	}
	checked, err := s.Checked(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range s.Modules() {
		for _, site := range checked.Sites(other.Path) {
			now, ok := strings.CutPrefix(site.Target.File, from)
			if site.Use != xref.Import || !ok || now != "" && now[0] != '/' {
				continue
			}
			if err := d.reimport(other, site, to+now); err != nil {
				return nil, err
			}
		}
	}
	return d.renamed(checked)
}

// renamed finishes the rename of modules.
func (d *draft) renamed(checked *workspace.Checked) (*Plan, error) {
	if _, err := d.finish(); err != nil {
		return nil, err
	}
	v := &verification{d: d, before: checked, modules: true}
	if err := v.run(); err != nil {
		return nil, err
	}
	return d.plan, nil
}

// keepImports lets the imports of a module that goes to another folder lead where they led.
func (d *draft) keepImports(checked *workspace.Checked, m *workspace.Module, to string) error {
	sp := &space{dir: path.Dir(to)}
	for _, site := range checked.Sites(m.Path) {
		imp := importAt(m.File, site.At)
		if site.Use != xref.Import || imp == nil || imp.Path[0].Name == "std" || d.external(site.Target.File) {
			continue
		}
		dotPath, ok := sp.importPath(&space{name: site.Target.File})
		if !ok {
			return refuse(Conflict, "'%s' could not import '%s' from there", to, site.Target.File).at(m.File.Src, imp.Span().Start)
		}
		if dotPath == dotted(imp) {
			continue
		}
		d.write(m.Path, imp.Path[0].Span().To(imp.Path[len(imp.Path)-1].Span()), dotPath)
		d.plan.Updated++
	}
	return nil
}

// external says whether the module of an import is not of the project.
func (d *draft) external(target string) bool {
	for _, m := range d.s.Modules() {
		if m.Path == target || strings.HasPrefix(m.Path, target+"/") {
			return false
		}
	}
	return true
}

func importAt(f *syntax.File, at source.Span) *syntax.Import {
	for _, imp := range f.Imports {
		if imp.Span().Start <= at.Start && at.End <= imp.Span().End {
			return imp
		}
	}
	return nil
}

func importNamed(f *syntax.File, name string) *syntax.Import {
	for _, imp := range f.Imports {
		if b := imp.Binding(); b != nil && b.Name == name {
			return imp
		}
	}
	return nil
}

// noteKept says why an import that nothing uses stays.
func (d *draft) noteKept(path string, imp *syntax.Import) {
	d.note(fmt.Sprintf("the import '%s' of %s is not used any more", dotted(imp), path))
}
