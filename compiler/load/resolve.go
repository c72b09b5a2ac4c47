package load

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/stdlib"
)

// imports resolves the imports of a module and returns those modules that are new.
func (l *loader) imports(n *node) []*node {
	var fresh []*node
	bound := map[string]*syntax.Import{}
	for _, f := range n.mod.Files {
		for _, imp := range f.Imports {
			if !complete(imp) {
				continue
			}
			binding := imp.Binding()
			if before := bound[binding.Name]; before != nil {
				if dotted(before) != dotted(imp) {
					l.report(diag.BindingConflict, f, pathSpan(imp), "conflicting import binding '%s': imports '%s' and '%s'",
						binding.Name, dotted(before), dotted(imp))
				}
				continue
			}
			bound[binding.Name] = imp
			to, isNew := l.resolve(n, f, imp)
			if to == nil {
				continue
			}
			n.mod.Imports[binding.Name] = to.mod
			n.edges = append(n.edges, edge{f, imp, to})
			if isNew {
				fresh = append(fresh, to)
			}
		}
	}
	return fresh
}

// complete says whether all of the import could be read; if not, that was reported.
func complete(imp *syntax.Import) bool {
	missing := func(id *syntax.Ident) bool { return id == nil || id.Name == "" }
	return len(imp.Path) > 0 && !slices.ContainsFunc(imp.Path, missing) && !missing(imp.Binding())
}

// place is a folder in which modules are looked up.
type place struct {
	tree   tree
	dir    string
	pkg    *pkg
	prefix string // of the paths of the modules there
}

// target is the file or the folder of a module.
type target struct {
	place        // where its own imports are looked up
	path  string // of the file or the folder
	file  bool
	name  string // its path as a module
}

// folder is the target that is a whole folder.
func (p place) folder() target { return target{place: p, path: p.dir, name: p.prefix} }

// child is the folder of that name in the place.
func (p place) child(name string) place {
	p.dir = p.tree.join(p.dir, name)
	if p.prefix != "" {
		name = p.prefix + "." + name
	}
	p.prefix = name
	return p
}

// find follows the segments of an import; the last may be a file. Of a file and a folder of
// one name, the file wins when fileFirst says so. When there is no module, the code is that
// of the error, and the target has the path where a folder should have been.
func (p place) find(names []string, fileFirst bool) (target, diag.Code) {
	for _, name := range names[:len(names)-1] {
		if p = p.child(name); !p.tree.isDir(p.dir) {
			return target{place: p, path: p.dir}, diag.NoModulePath
		}
	}
	name := names[len(names)-1]
	folder := p.child(name)
	file, isFile := sourceFile(p.tree, p.dir, name)
	isDir := p.tree.isDir(folder.dir)
	switch {
	case isFile && (fileFirst || !isDir):
		return target{place: p, path: file, file: true, name: folder.prefix}, ""
	case isDir:
		return folder.folder(), ""
	}
	return target{place: p, path: folder.dir}, diag.NoModule
}

// resolve finds the module of an import; nil when there is none, which is reported.
func (l *loader) resolve(n *node, f *syntax.File, imp *syntax.Import) (_ *node, isNew bool) {
	names := segments(imp)
	if n.text && names[0] != "std" {
		return nil, false
	}
	var t target
	var problem diag.Code
	dep := n.pkg.deps[names[0]]
	switch local := n.place.has(names[0]); {
	case dep != nil && local:
		l.report(diag.AmbiguousImport, f, pathSpan(imp), "import '%s' is ambiguous: declared as dependency and also exists locally", names[0])
		return nil, false
	case dep != nil && dep.dir == "":
		return nil, false // the manifest's error was reported
	case dep != nil:
		at := place{l.disk, dep.dir, dep, dep.path}
		if t = at.folder(); len(names) > 1 {
			t, problem = at.find(names[1:], true)
		}
	case names[0] == "std":
		return l.resolveStd(f, imp)
	default:
		at := n.place
		if hidden := at.tree.join(at.dir, ".deps"); n.entry && !local && at.tree.isDir(at.tree.join(hidden, names[0])) {
			at.dir = hidden
		}
		t, problem = at.find(names, len(names) > 1)
	}
	if problem != "" {
		for _, path := range []string{t.dir, t.path} { // to try again when it comes to be
			if abs := t.tree.abs(path); abs != "" {
				l.watch[abs] = true
			}
		}
	}
	if problem != "" && n.pkg.unread && !n.place.has(names[0]) {
		return nil, false // it may be a dependency; the manifest's error was reported
	}
	switch problem {
	case diag.NoModule:
		l.report(problem, f, pathSpan(imp), "cannot find module '%s': no directory or file found", dotted(imp))
		return nil, false
	case diag.NoModulePath:
		l.report(problem, f, pathSpan(imp), "cannot find module path: '%s' is not a directory", t.tree.display(t.path))
		return nil, false
	}
	return l.module(t, f, imp, false)
}

// has says whether there is a folder or a source file of the name.
func (p place) has(name string) bool {
	if p.tree.isDir(p.tree.join(p.dir, name)) {
		return true
	}
	_, ok := sourceFile(p.tree, p.dir, name)
	return ok
}

func segments(imp *syntax.Import) []string {
	names := make([]string, len(imp.Path))
	for i, id := range imp.Path {
		names[i] = id.Name
	}
	return names
}

func dotted(imp *syntax.Import) string { return strings.Join(segments(imp), ".") }

// pathSpan is the place of the dotted path.
func pathSpan(imp *syntax.Import) source.Span {
	return imp.Path[0].Span().To(imp.Path[len(imp.Path)-1].Span())
}

// resolveStd finds a module of the standard library.
func (l *loader) resolveStd(f *syntax.File, imp *syntax.Import) (_ *node, isNew bool) {
	if l.std == nil {
		l.std = l.stdRoots()
	}
	if len(l.std) == 0 {
		l.report(diag.NoStdlib, f, pathSpan(imp), "cannot import '%s': no stdlib root found (tried --stdlib flag, PLUTO_STDLIB env var, and ./stdlib relative to entry file)", dotted(imp))
		return nil, false
	}
	if len(imp.Path) > 1 {
		for _, root := range l.std {
			if t, problem := root.find(segments(imp)[1:], true); problem == "" {
				return l.module(t, f, imp, true)
			}
		}
	}
	d := l.report(diag.NoModule, f, pathSpan(imp), "cannot find module '%s': no directory or file found", dotted(imp))
	if names := stdNames(l.std[len(l.std)-1]); len(names) > 0 {
		d.Note(nil, source.Span{}, "the standard library has %s", strings.Join(names, ", "))
	}
	return nil, false
}

// stdRoots is where the standard library is looked for: one folder that was asked for, or
// else the folder stdlib beside the entry and then the library in this program.
func (l *loader) stdRoots() []place {
	dir := l.opts.Stdlib
	if dir == "" {
		dir = os.Getenv("PLUTO_STDLIB")
	}
	if dir != "" {
		if abs, err := filepath.Abs(dir); err == nil && l.disk.isDir(abs) {
			return []place{{l.disk, abs, &pkg{}, "std"}}
		}
		return nil
	}
	roots := []place{{&embedded{stdlib.Files()}, ".", &pkg{}, "std"}}
	if beside := filepath.Join(l.root.dir, "stdlib"); l.root.entry && l.disk.isDir(beside) {
		roots = append([]place{{l.disk, beside, &pkg{}, "std"}}, roots...)
	}
	return roots
}

// stdNames lists the modules of a library.
func stdNames(root place) []string {
	names := slices.DeleteFunc(root.tree.folders(root.dir), func(name string) bool {
		return len(sources(root.tree, root.tree.join(root.dir, name))) == 0
	})
	for _, name := range sources(root.tree, root.dir) {
		s, _ := stem(name)
		names = append(names, s)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// module is the module at a place, made at its first import.
func (l *loader) module(t target, f *syntax.File, imp *syntax.Import, std bool) (_ *node, isNew bool) {
	at := location{t.tree, t.path}
	if n := l.mods[at]; n != nil {
		return n, false
	}
	files := []fileAt{{t.tree, t.path}}
	if !t.file {
		if files = filesIn(t.tree, t.dir); len(files) == 0 {
			l.report(diag.EmptyModule, f, pathSpan(imp), "no .pluto or .pt files found in module directory '%s'", t.tree.display(t.dir))
		}
	}
	for l.paths[t.name] {
		t.name += "'" // a file and a folder of one name can both be imported
	}
	l.paths[t.name] = true
	n := &node{
		mod: &Module{
			Name: imp.Path[len(imp.Path)-1].Name, Path: t.name, Dir: t.tree.abs(t.dir), Std: std, Folder: !t.file,
			Imports: map[string]*Module{},
		},
		place: t.place, pending: files,
	}
	l.mods[at] = n
	return n, true
}

func filesIn(t tree, dir string) []fileAt {
	var files []fileAt
	for _, name := range sources(t, dir) {
		files = append(files, fileAt{t, t.join(dir, name)})
	}
	return files
}
