package golang

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/settgraph/sett/graph"
)

// A source is a package whose facts are wanted: all of it is checked, bodies included.
// Its tests are checked afterwards, when what they import is there too: those inside
// the package by the same checker, which adds them to it, those outside as a package
// of their own.
type source struct {
	pkg
	run        *run
	unit       *unit
	cfg        *config
	group      *group
	taken      map[*file]bool // whose facts are wanted
	build      map[string]bool
	shellNames map[string]string
	texts      map[*file]*text

	entries    table // of the package without its tests
	testTable  table
	typeKinds  map[string]graph.Kind // of its package-level types
	serial     bool                  // its tests add methods to types that others see
	plain      []*parsed             // the package without its tests and without bodies, for checkTests
	checker    *types.Checker
	info       *types.Info
	shells     map[string]*types.Package
	testFiles  []*parsed
	testsReady bool
	files      []indexedFile // of the taken files
	b          *builder
	declares   []*types.TypeName // types declared in taken files
}

// A text is a file before parsing.
type text struct {
	file  *file
	src   []byte
	test  bool
	names *names
}

// read loads all files of the package and reads the names off them.
func (s *source) read() []*text {
	s.texts = map[*file]*text{}
	s.build = map[string]bool{}
	s.b = newBuilder()
	var out []*text
	for i, list := range [][]*file{s.group.files, s.group.tests, s.group.xtests} {
		for _, f := range list {
			src, err := s.run.in.ReadFile(f.path)
			if err != nil {
				s.note(f, graph.Pos{Line: 1, Col: 1}, "cannot be read: "+err.Error(), true)
				continue
			}
			if !s.taken[f] {
				src = cutBodies(src) // another configuration has its facts
			}
			t := &text{file: f, src: src, test: i > 0, names: scanNames(src)}
			s.texts[f] = t
			out = append(out, t)
		}
	}
	return out
}

func (s *source) note(f *file, at graph.Pos, msg string, broken bool) {
	if !s.taken[f] {
		return
	}
	s.b.facts.Notes = append(s.b.facts.Notes, graph.Note{File: f.index, Pos: at, Text: msg, Broken: broken})
}

// parse parses files and lets go of their text.
func (s *source) parse(files []*file) []*parsed {
	var out []*parsed
	for _, f := range files {
		t := s.texts[f]
		if t == nil {
			continue
		}
		delete(s.texts, f)
		mode := parser.SkipObjectResolution | parser.AllErrors
		if s.taken[f] {
			mode |= parser.ParseComments
			s.files = append(s.files, indexedFile{f.index, factFile(f, t.src)})
		}
		tree, err := parser.ParseFile(s.run.fset, f.path, t.src, mode)
		if tree == nil {
			continue
		}
		if err != nil {
			tree = reparse(s.run.fset, f.path, t.src, mode, tree)
		}
		p := newParsed(f, t.src, s.run.fset, tree)
		var list scanner.ErrorList
		if errors.As(err, &list) && len(list) > 0 {
			s.broken(f)
			msg := list[0].Msg
			if n := len(list) - 1; n > 0 {
				msg += fmt.Sprintf(" (and %d more)", n)
			}
			s.note(f, p.at(min(list[0].Pos.Offset, len(p.src))), msg, true)
		}
		out = append(out, p)
	}
	return out
}

// broken marks a file that was just parsed.
func (s *source) broken(f *file) {
	if n := len(s.files); n > 0 && s.files[n-1].index == f.index {
		s.files[n-1].Broken = true
	}
}

// An indexedFile is a file and its place among the unit's.
type indexedFile struct {
	index int
	graph.FactFile
}

// newInfo returns tables about the size that the files need.
func newInfo(files []*parsed) *types.Info {
	size := 0
	for _, p := range files {
		size += len(p.src)
	}
	return &types.Info{
		Defs:      make(map[*ast.Ident]types.Object, size/80),
		Uses:      make(map[*ast.Ident]types.Object, size/24),
		Instances: map[*ast.Ident]types.Instance{},
	}
}

// config returns a checker's settings. No version is set: the newest language resolves
// whatever an older one does.
func (s *source) config(imp types.Importer) *types.Config {
	return &types.Config{
		FakeImportC: true, Importer: imp, Sizes: s.run.sizes, Error: func(error) {}, DisableUnusedImportCheck: true,
	}
}

// check checks the package without its tests and extracts its facts.
func (s *source) check() {
	files := s.parse(s.group.files)
	s.entries = table{}
	s.typeKinds = map[string]graph.Kind{}
	for _, p := range files {
		s.enter(s.entries, p, s.path)
	}
	s.types = types.NewPackage(s.path, s.name)
	s.run.own(s.types, &s.pkg)
	s.info = newInfo(files)
	s.checker = types.NewChecker(s.config(s.importer(false)), s.run.fset, s.types, s.info)
	s.guard(files, func() error { return s.checker.Files(trees(files)) })
	s.types.MarkComplete()
	s.seen = s.types
	if len(s.group.tests) > 0 || len(s.group.xtests) > 0 {
		s.seen = facade(s.types)
	}
	x := newExtractor(s, &s.pkg, files, false)
	x.run()
	for _, p := range files {
		strip(p.ast)
		p.src, p.lines = nil, nil
	}
	if len(s.group.tests) > 0 {
		s.plain = files
	}
	*s.info = types.Info{}
}

// facade returns a package with the same declarations, which stays as it is when tests
// are added to the original.
func facade(p *types.Package) *types.Package {
	f := types.NewPackage(p.Path(), p.Name())
	for _, name := range p.Scope().Names() {
		f.Scope().Insert(p.Scope().Lookup(name))
	}
	f.MarkComplete()
	return f
}

// strip lets go of what is not needed once a file's facts are taken.
func strip(f *ast.File) {
	f.Comments = nil
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			fd.Body, fd.Doc = nil, nil
		}
	}
}

func trees(files []*parsed) []*ast.File {
	out := make([]*ast.File, len(files))
	for i, p := range files {
		out[i] = p.ast
	}
	return out
}

// enter adds a file's declarations to a table.
func (s *source) enter(t table, p *parsed, module string) {
	t.file(p.ast, path.Base(p.file.path), s.kinds(module))
	for _, d := range p.ast.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		for _, spec := range g.Specs {
			name := spec.(*ast.TypeSpec).Name
			if e, ok := t[name.Pos()]; ok {
				s.typeKinds[name.Name] = e.kind
			}
		}
	}
}

// kinds returns the kinds of the package, or of its external tests, that are not as
// written here.
func (s *source) kinds(module string) kindTable {
	return s.run.kinds(s.unit.dir, module)
}

// guard runs the checker, whose errors were expected, and survives its bugs.
func (s *source) guard(files []*parsed, check func() error) {
	defer func() {
		if e := recover(); e != nil && len(files) > 0 {
			s.note(files[0].file, graph.Pos{Line: 1, Col: 1}, fmt.Sprintf("type checker failed: %v", e), true)
		}
	}()
	_ = check()
}

// addsMethods reports whether the in-package tests declare methods of types that
// other packages see; checking them then changes those types.
func (s *source) addsMethods() bool {
	for _, p := range s.testFiles {
		for _, d := range p.ast.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv != nil {
				if obj, ok := s.types.Scope().Lookup(receiverName(fd)).(*types.TypeName); ok && obj != nil {
					return true
				}
			}
		}
	}
	return false
}

// checkTests checks the in-package tests.
func (s *source) checkTests() {
	if s.testsReady {
		return
	}
	s.testsReady = true
	s.parseTests()
	if len(s.testFiles) == 0 {
		return
	}
	s.testTable = table{}
	for _, p := range s.testFiles {
		s.enter(s.testTable, p, s.path)
	}
	*s.info = *newInfo(s.testFiles)
	files := s.testFiles
	if s.addsGenericMethods() {
		// The checker cannot add methods to a generic type that has been instantiated, so the
		// whole package is checked anew, in the declarations that it had.
		files = slices.Concat(s.plain, files)
		s.types = types.NewPackage(s.path, s.name)
		s.run.own(s.types, &s.pkg)
		s.checker = types.NewChecker(s.config(s.importer(false)), s.run.fset, s.types, s.info)
	}
	s.plain = nil
	s.guard(s.testFiles, func() error { return s.checker.Files(trees(files)) })
}

// addsGenericMethods reports whether the in-package tests declare methods of generic types
// of the package itself.
func (s *source) addsGenericMethods() bool {
	for _, p := range s.testFiles {
		for _, d := range p.ast.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv == nil {
				continue
			}
			name, ok := s.types.Scope().Lookup(receiverName(fd)).(*types.TypeName)
			if !ok {
				continue
			}
			if named, ok := types.Unalias(name.Type()).(*types.Named); ok && named.TypeParams().Len() > 0 {
				return true
			}
		}
	}
	return false
}

func (s *source) parseTests() {
	if s.testFiles == nil {
		s.testFiles = s.parse(s.group.tests)
	}
}

// mayAddMethods says quickly whether addsMethods needs to be asked.
func (s *source) mayAddMethods() bool { return len(s.group.tests) > 0 && len(s.entries) > 0 }

// finish checks and extracts the tests, and then the method sets.
func (s *source) finish() {
	s.checkTests()
	if len(s.testFiles) > 0 {
		newExtractor(s, &s.pkg, s.testFiles, true).run()
	}
	s.testFiles = nil
	*s.info = types.Info{}
	if files := s.parse(s.group.xtests); len(files) > 0 {
		x := &pkg{path: s.path + "_test", name: s.name + "_test", source: s}
		x.types = types.NewPackage(x.path, x.name)
		s.run.own(x.types, x)
		s.xtable(files)
		info := newInfo(files)
		checker := types.NewChecker(s.config(s.importer(true)), s.run.fset, x.types, info)
		s.guard(files, func() error { return checker.Files(trees(files)) })
		s.info = info
		newExtractor(s, x, files, true).run()
	}
	s.info = nil
	s.checker = nil
	s.methodSets()
}

// xtable replaces the table of tests by that of the external test package: from here
// on only positions in it are new, and those of the in-package tests stay valid.
func (s *source) xtable(files []*parsed) {
	if s.testTable == nil {
		s.testTable = table{}
	}
	for _, p := range files {
		s.enter(s.testTable, p, s.path+"_test")
	}
}

// lookup finds what is declared at a position; test files count only for the unit's own
// facts.
func (p *pkg) lookup(at token.Pos, asker *unit) (entry, bool) {
	switch {
	case p.outline != nil:
		e, ok := p.outline.entries()[at]
		return e, ok
	case p.source != nil:
		if e, ok := p.source.entries[at]; ok {
			return e, true
		}
		if p.source.unit == asker {
			e, ok := p.source.testTable[at]
			return e, ok
		}
	}
	return entry{}, false
}

// importer returns what the checker asks for imports.
func (s *source) importer(external bool) types.Importer {
	return importerFunc(func(p string) (*types.Package, error) {
		if p == "unsafe" {
			return types.Unsafe, nil
		}
		d := s.deps[p]
		switch {
		case d != nil && d.source == s && external && s.types != nil:
			return s.types, nil
		case d != nil && d.source == s:
		case d != nil && d.seen != nil:
			return d.seen, nil
		}
		return s.shell(p), nil
	})
}

// shell returns an empty package in the place of one that is missing.
func (s *source) shell(p string) *types.Package {
	t := s.shells[p]
	if t == nil {
		name := s.shellNames[p]
		if name == "" {
			name = assumedNames(p)[0]
		}
		t = types.NewPackage(p, name)
		t.MarkComplete()
		if s.shells == nil {
			s.shells = map[string]*types.Package{}
		}
		s.shells[p] = t
	}
	return t
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// check checks what is left of an outline after shaking.
func (o *outline) check(r *run) {
	o.types = types.NewPackage(o.path, o.name)
	o.pkg.types = o.types
	r.own(o.types, &o.pkg)
	conf := &types.Config{
		IgnoreFuncBodies: true, FakeImportC: true, Sizes: r.sizes, Error: func(error) {},
		Importer: importerFunc(func(p string) (*types.Package, error) {
			if p == "unsafe" {
				return types.Unsafe, nil
			}
			if d := o.deps[p]; d != nil && d.seen != nil {
				return d.seen, nil
			}
			return nil, errMissing
		}),
	}
	func() {
		defer func() { _ = recover() }() // what it declares is then missing
		_ = types.NewChecker(conf, r.fset, o.types, nil).Files(o.shaken)
	}()
	o.types.MarkComplete()
	o.shaken = nil
	o.seen = o.types
}

var errMissing = errors.New("package not found")

// packageClause returns the package name of the Go files in a folder.
func packageClause(dir string) string {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if h := readHeader(src); strings.Contains(h.build, "ignore") {
			continue
		}
		f, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly)
		if f != nil && f.Name != nil && f.Name.Name != "" {
			return f.Name.Name
		}
	}
	return ""
}
