package load

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// loader collects the modules of one program.
type loader struct {
	opts  Options
	proj  *Project
	disk  *disk
	std   []place // where std is looked for, found at its first import
	root  *node
	mods  map[location]*node // every imported module
	order []*node            // those in the order of their discovery, the root first
	paths map[string]bool    // the paths of modules so far
	watch map[string]bool

	update bool        // move the lock
	locked []lockEntry // the git dependencies that were loaded
}

// location is where a module is: a file or a folder.
type location struct {
	tree tree
	path string
}

// node is a module and what resolving its imports needs.
type node struct {
	mod     *Module
	place        // where its imports are looked up
	entry   bool // the root of the project, which sees .deps
	text    bool // it is no file, and sees std only
	pending []fileAt
	edges   []edge
	state   visit
}

// edge is an import that led to a module.
type edge struct {
	file *syntax.File
	imp  *syntax.Import
	to   *node
}

type visit uint8

const (
	unseen visit = iota
	open
	done
)

// fileAt is a file that is to be parsed.
type fileAt struct {
	tree tree
	path string
}

// loadEntry loads the root module from a file or a folder, and everything after it.
func (l *loader) loadEntry(entry string) {
	abs, err := filepath.Abs(entry)
	if err != nil {
		abs = entry
	}
	dir, whole := filepath.Dir(abs), false
	if l.disk.isDir(abs) {
		dir = abs
		if file, ok := sourceFile(l.disk, abs, "main"); ok {
			abs = file
		} else {
			whole = true
		}
	}
	l.root = &node{
		mod:   &Module{Dir: dir, Imports: map[string]*Module{}},
		place: place{l.disk, dir, l.manifests(dir), ""},
		entry: true,
	}
	l.watch[dir] = true
	switch {
	case whole:
		l.root.pending = filesIn(l.disk, dir)
		if len(l.root.pending) == 0 {
			l.report(diag.EmptyModule, nil, source.Span{}, "no .pluto or .pt files found in module directory '%s'", l.disk.display(dir))
		}
		l.root.mod.Files = l.parse(l.root.pending)
	default:
		l.root.mod.Files = l.parse([]fileAt{{l.disk, abs}})
		if !l.opts.Standalone && !l.opts.Test && len(l.root.mod.Files) > 0 {
			l.root.mod.Files = append(l.root.mod.Files, l.siblings(abs)...)
		}
	}
	l.oneApp()
	l.follow()
}

// siblings parses the other source files of the entry's folder. One that some file of the
// root imports, or that has the name of a dependency, is a module and not a sibling.
func (l *loader) siblings(entry string) []*syntax.File {
	own, _ := stem(filepath.Base(entry))
	var files []fileAt
	var stems []string
	module := map[string]bool{own: true}
	for name := range l.root.pkg.deps {
		module[name] = true
	}
	importsOf(module, l.root.mod.Files[0])
	for _, name := range sources(l.disk, l.root.dir) {
		s, _ := stem(name)
		if at := filepath.Join(l.root.dir, name); !module[s] && !l.opts.Apart[at] {
			files = append(files, fileAt{l.disk, at})
			stems = append(stems, s)
		}
	}
	reports := len(files)
	parsed := make([]*syntax.File, reports)
	diags := l.parseInto(parsed, files)
	for {
		before := len(module)
		for i, f := range parsed {
			if !module[stems[i]] && f != nil {
				importsOf(module, f)
			}
		}
		if len(module) == before {
			break
		}
	}
	var out []*syntax.File
	for i, f := range parsed {
		if module[stems[i]] {
			continue
		}
		l.take(diags[i])
		if f != nil {
			out = append(out, f)
		}
	}
	return out
}

// importsOf adds the first segment of each import of the file.
func importsOf(module map[string]bool, f *syntax.File) {
	for _, imp := range f.Imports {
		if complete(imp) {
			module[imp.Path[0].Name] = true
		}
	}
}

// oneApp reports a second app in the root module.
func (l *loader) oneApp() {
	found := false
	for _, f := range l.root.mod.Files {
		if app := appOf(f); app != nil {
			if found {
				l.report(diag.ManyApps, f, app.Span(), "multiple app declarations in project")
			}
			found = true
		}
	}
}

func appOf(f *syntax.File) *syntax.AppDecl {
	for _, d := range f.Decls {
		if app, ok := d.(*syntax.AppDecl); ok {
			return app
		}
	}
	return nil
}

// follow resolves the imports of the root, of what they lead to, and so on. It goes in
// rounds, so that all files of a round can be parsed at once.
func (l *loader) follow() {
	l.order = []*node{l.root}
	for round := l.order; len(round) > 0; {
		var next []*node
		for _, n := range round {
			next = append(next, l.imports(n)...)
		}
		l.parseAll(next)
		l.order = append(l.order, next...)
		round = next
	}
}

// parseAll parses the files of new modules.
func (l *loader) parseAll(nodes []*node) {
	var files []fileAt
	for _, n := range nodes {
		files = append(files, n.pending...)
	}
	parsed := make([]*syntax.File, len(files))
	diags := l.parseInto(parsed, files)
	i := 0
	for _, n := range nodes {
		apps := 0
		for range n.pending {
			l.take(diags[i])
			if f := parsed[i]; f != nil {
				n.mod.Files = append(n.mod.Files, f)
				if appOf(f) != nil {
					apps++
				}
			}
			i++
		}
		l.noApps(n, apps)
	}
}

// noApps reports the apps of an imported module.
func (l *loader) noApps(n *node, apps int) {
	for _, f := range n.mod.Files {
		app := appOf(f)
		switch {
		case app == nil:
		case apps > 1:
			l.report(diag.ManyApps, f, app.Span(), "multiple app declarations in module directory '%s'", n.tree.display(n.dir))
			return
		default:
			l.report(diag.AppInModule, f, app.Span(), "app declarations are not allowed in imported modules (found in '%s')", n.mod.Name)
		}
	}
}

// parse reads and parses files; those that cannot be read are missing.
func (l *loader) parse(files []fileAt) []*syntax.File {
	parsed := make([]*syntax.File, len(files))
	for _, d := range l.parseInto(parsed, files) {
		l.take(d)
	}
	return slices.DeleteFunc(parsed, func(f *syntax.File) bool { return f == nil })
}

// parseInto parses files side by side, and returns what is to be said of each.
func (l *loader) parseInto(out []*syntax.File, files []fileAt) []*diag.List {
	diags := make([]*diag.List, len(files))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		if abs := f.tree.abs(f.path); abs != "" {
			l.watch[abs] = true
		}
		if len(files) == 1 {
			out[i], diags[i] = l.parseFile(f)
			continue
		}
		group.Go(func() error {
			out[i], diags[i] = l.parseFile(f)
			return nil
		})
	}
	_ = group.Wait() // no function above fails
	return diags
}

// parseFile reads and parses a file; there is none when it cannot be read.
func (l *loader) parseFile(f fileAt) (*syntax.File, *diag.List) {
	name, abs := f.tree.display(f.path), f.tree.abs(f.path)
	data, err := f.tree.read(f.path)
	switch {
	case err != nil:
		diags := &diag.List{}
		diags.Report(diag.PhaseLoad, diag.UnreadableFile, source.NewFile(name, abs, ""), source.Span{}, "cannot read '%s': %v", name, reason(err))
		return nil, diags
	case l.opts.Cache != nil:
		return l.opts.Cache.Parse(name, abs, data)
	}
	return Parse(name, abs, data)
}

// Parse parses the content of a source file, which is text or holds it in the binary form:
// that is told by the content. Positions are those in the text. There is no file when the
// content holds no text that could be read. The name and the path are those of the
// [source.File].
func Parse(name, path string, data []byte) (*syntax.File, *diag.List) {
	diags := &diag.List{}
	if !plto.Is(data) {
		return syntax.Parse(source.NewFile(name, path, string(data)), diags), diags
	}
	text, err := plto.Text(data)
	if err != nil {
		ReportBinary(diags, source.NewFile(name, path, ""), err)
		return nil, diags
	}
	file := syntax.Parse(source.NewFile(name, path, text), diags)
	if _, err := plto.Decode(data); err != nil { // that is enough to run it, but not to say nothing
		diags.Report(diag.PhaseWarnings, diag.DamagedBinary, file.Src, source.Span{}, "only the text of this binary file is whole: %v", err)
	}
	return file, diags
}

// ReportBinary reports an error of package plto about a file in the binary form.
func ReportBinary(diags *diag.List, file *source.File, err error) {
	var bad *plto.Error
	if errors.As(err, &bad) && bad.Kind == plto.TooNew {
		diags.Report(diag.PhaseLoad, diag.NewerBinary, file, source.Span{}, "'%s' is a binary Pluto file of a later version: %v", file.Name, err).
			Note(nil, source.Span{}, "a later version of sett wrote it and can read it")
		return
	}
	diags.Report(diag.PhaseLoad, diag.DamagedBinary, file, source.Span{}, "'%s' is a damaged binary Pluto file: %v", file.Name, err)
}

// reason is an error of the system without the path, which the message names already.
func reason(err error) error {
	if pe, ok := err.(*os.PathError); ok {
		return pe.Err
	}
	return err
}

func (l *loader) take(d *diag.List) {
	for _, one := range d.Sorted() {
		l.proj.Diags.Add(one)
	}
}

// report reports an error of loading.
func (l *loader) report(code diag.Code, file *syntax.File, span source.Span, format string, args ...any) *diag.Diagnostic {
	var src *source.File
	if file != nil {
		src = file.Src
	}
	return l.proj.Diags.Report(diag.PhaseLoad, code, src, span, format, args...)
}

// finish puts the modules in order and returns the project.
func (l *loader) finish() *Project {
	l.sort(l.root, nil)
	l.proj.Root = l.root.mod
	for _, n := range l.order {
		if abs := n.tree.abs(n.dir); abs != "" {
			l.watch[abs] = true
		}
	}
	l.proj.Watch = slices.Sorted(maps.Keys(l.watch))
	return l.proj
}

// sort appends the module to the project after those that it imports. An import that
// leads back to a module on the way here is a circle, and is left out.
func (l *loader) sort(n *node, way []*node) {
	n.state = open
	way = append(way, n)
	for _, e := range n.edges {
		switch e.to.state {
		case unseen:
			l.sort(e.to, way)
		case open:
			d := &diag.Diagnostic{
				Code: diag.CircularImport, Phase: diag.PhaseLoad, File: e.file.Src, Span: pathSpan(e.imp),
				Message: "Codegen error: circular import detected: '" + dotted(e.imp) + "'",
			}
			l.proj.Diags.Add(d.Note(nil, source.Span{}, "%s", circle(way, e.to)))
			delete(n.mod.Imports, e.imp.Binding().Name)
		}
	}
	n.state = done
	l.proj.Modules = append(l.proj.Modules, n.mod)
}

// circle prints the way from a module back to it.
func circle(way []*node, to *node) string {
	var names []string
	for _, n := range way[slices.Index(way, to):] {
		names = append(names, n.mod.Path)
	}
	return strings.Join(append(names, to.mod.Path), " imports ")
}
