package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"

	"github.com/settgraph/sett/indexer/lang"
)

// A lookWorld is what is known of all packages under one configuration. Every name is
// declared when something asks for it, and a type has the members that were asked for: so
// a question reads no more of the dependencies than the types on its way.
//
// Packages outside the project do not see those inside, so that they outlive an edit.
type lookWorld struct {
	looker *looker
	cfg    *config
	in     *lang.Input
	repo   *repo
	finder *outsideFinder
	fset   *token.FileSet
	sizes  types.Sizes

	inside  map[insideKey]*lookPkg
	outside map[string]*lookPkg // by folder
	stubs   map[*types.TypeName]*stub
	extra   map[string]bool // methods that constraints have
	mixed   bool            // something outside the project sees what is inside

	depth   int     // of declarations under way
	pending []*stub // to be given their underlying types when none is
}

type insideKey struct{ dir, path string }

// A lookPkg is a package with its tests, or the tests outside it. Names that only the
// tests declare are not mentioned elsewhere, so it is one package for all that see it.
type lookPkg struct {
	path    string
	types   *types.Package
	dir     *directory // of the project; nil outside
	std     bool
	module  *goModule
	files   []*lookFile
	index   map[string][]*lookDecl
	methods map[string][]*lookDecl  // by type
	objs    map[string]types.Object // what was declared; nil while it is under way
}

// A lookFile is a file of a package, cut into declarations.
type lookFile struct {
	pkg     *lookPkg
	source  *lookSource
	imports map[string]*lookPkg // by local name, as far as asked for
	dots    []*lookPkg
	dotted  bool
}

// A lookDecl is a declaration that may declare a name.
type lookDecl struct {
	file *lookFile
	*segment
}

func (l *looker) newWorld(cfg *config) *lookWorld {
	arch := cfg.arch
	if types.SizesFor("gc", arch) == nil {
		arch = "amd64"
	}
	return &lookWorld{
		looker: l, cfg: cfg, fset: l.fset, sizes: types.SizesFor("gc", arch), inside: map[insideKey]*lookPkg{},
		outside: map[string]*lookPkg{}, stubs: map[*types.TypeName]*stub{}, extra: map[string]bool{},
	}
}

// forget drops the packages of the project, whose files have changed.
func (w *lookWorld) forget() {
	if w.mixed {
		w.outside, w.mixed = map[string]*lookPkg{}, false
		clear(w.stubs)
	}
	for name, s := range w.stubs {
		if s.file.pkg.dir != nil {
			delete(w.stubs, name)
		}
	}
	w.inside = map[insideKey]*lookPkg{}
	w.pending, w.depth = nil, 0
}

// packageOf returns the package that a file of the project belongs to; nil when the
// configuration leaves it out.
func (w *lookWorld) packageOf(f *file) *lookPkg {
	d := w.repo.dirs[path.Dir(f.path)]
	if d == nil {
		return nil
	}
	for _, g := range d.groups(w.cfg) {
		for i, list := range [][]*file{g.files, g.tests, g.xtests} {
			for _, o := range list {
				if o.path == f.path {
					return w.groupPackage(d, g, i == 2)
				}
			}
		}
	}
	return nil
}

// primary returns the package that an import of a directory gives; nil when there is none.
func (w *lookWorld) primary(d *directory) *lookPkg {
	if p := w.inside[insideKey{d.path, d.imports}]; p != nil {
		return p
	}
	for _, g := range d.groups(w.cfg) {
		if g.primary {
			return w.groupPackage(d, g, false)
		}
	}
	return nil
}

func (w *lookWorld) groupPackage(d *directory, g *group, external bool) *lookPkg {
	key := insideKey{d.path, g.path}
	name, lists := g.name, [][]*file{g.files, g.tests}
	if external {
		key.path += "_test"
		name, lists = g.name+"_test", [][]*file{g.xtests}
	}
	if p := w.inside[key]; p != nil {
		return p
	}
	p := newLookPkg(key.path, name)
	p.dir, p.module = d, d.module
	p.std = d.module != nil && d.module.path == "std"
	w.inside[key] = p
	for _, list := range lists {
		for _, f := range list {
			if s := w.looker.projectSource(w.in, f); s != nil {
				p.files = append(p.files, &lookFile{pkg: p, source: s})
			}
		}
	}
	p.build()
	return p
}

func newLookPkg(path, name string) *lookPkg {
	p := &lookPkg{
		path: path, types: types.NewPackage(path, name), objs: map[string]types.Object{},
		index: map[string][]*lookDecl{}, methods: map[string][]*lookDecl{},
	}
	p.types.MarkComplete()
	return p
}

// build finds out where names are declared.
func (p *lookPkg) build() {
	for _, f := range p.files {
		for _, g := range f.source.seg.segments {
			if g.recv != "" {
				p.methods[g.recv] = append(p.methods[g.recv], &lookDecl{f, g})
				continue
			}
			for _, name := range g.names {
				p.index[name] = append(p.index[name], &lookDecl{f, g})
			}
		}
	}
}

// imported returns the package that an import path means in a file; nil when it is not on
// this machine.
func (w *lookWorld) imported(f *lookFile, p string) *lookPkg {
	from := f.pkg
	if from.dir != nil {
		if d, _ := w.repo.resolve(from.dir, p); d != nil {
			return w.primary(d)
		}
	} else if !from.std {
		if d := w.repo.byPath[p]; d != nil && d.module != nil && d.module.path != "std" {
			w.mixed = true
			return w.primary(d)
		}
	}
	disk, std := w.finder.find(p, from.module, from.std)
	if disk == "" {
		return nil
	}
	return w.outsidePackage(p, disk, from.module, std)
}

func (w *lookWorld) outsidePackage(path, disk string, m *goModule, std bool) *lookPkg {
	if p, known := w.outside[disk]; known {
		return p
	}
	w.outside[disk] = nil
	count := map[string]int{}
	var sources []*lookSource
	for _, s := range w.looker.folderSources(disk) {
		if s.build == nil || s.build.Eval(w.cfg.has) {
			sources = append(sources, s.lookSource)
			count[s.seg.pkg]++
		}
	}
	delete(count, "") // a folder may hold a program that is run by hand beside the package
	name := ""
	for _, n := range sortedKeys(count) {
		if name == "" || count[n] > count[name] {
			name = n
		}
	}
	if name == "" {
		return nil
	}
	p := newLookPkg(path, name)
	p.std, p.module = std, m
	for _, s := range sources {
		if s.seg.pkg == name {
			p.files = append(p.files, &lookFile{pkg: p, source: s})
		}
	}
	p.build()
	w.outside[disk] = p
	return p
}

// named returns the package that a name means at the head of a selector of a file, nil
// when it is not there; ok is false when no import has the name.
func (w *lookWorld) named(f *lookFile, name string) (p *lookPkg, ok bool) {
	if p, known := f.imports[name]; known {
		return p, true
	}
	path, ok := w.importNamed(f, name)
	if !ok {
		return nil, false
	}
	if path != "C" && path != "unsafe" {
		p = w.imported(f, path)
	}
	if f.imports == nil {
		f.imports = map[string]*lookPkg{}
	}
	f.imports[name] = p
	return p, true
}

// importNamed returns the path of the import that a file gives a name.
func (w *lookWorld) importNamed(f *lookFile, name string) (string, bool) {
	var unnamed []string
	for _, imp := range f.source.seg.imports {
		switch imp.name {
		case name:
			return imp.path, true
		case "":
			if imp.path == "C" || imp.path == "unsafe" {
				if imp.path == name {
					return name, true
				}
				continue
			}
			unnamed = append(unnamed, imp.path)
		}
	}
	var missing []string
	for _, likely := range []bool{true, false} {
		for _, p := range unnamed {
			if (assumedName(p) == name) != likely {
				continue
			}
			switch w.nameOf(f, p) {
			case name:
				return p, true
			case "":
				missing = append(missing, p)
			}
		}
	}
	for _, p := range missing {
		for _, n := range assumedNames(p) {
			if n == name {
				return p, true
			}
		}
	}
	return "", false
}

// nameOf returns the name of the package that an import path means in a file; empty when it
// is not there.
func (w *lookWorld) nameOf(f *lookFile, p string) string {
	from := f.pkg
	if from.dir != nil {
		if d, _ := w.repo.resolve(from.dir, p); d != nil {
			return d.primary
		}
	}
	disk, _ := w.finder.find(p, from.module, from.std)
	if disk == "" {
		return ""
	}
	return w.looker.folderName(disk)
}

// dotImports returns the packages whose names a file may use without saying where from.
func (w *lookWorld) dotImports(f *lookFile) []*lookPkg {
	if !f.dotted {
		f.dotted = true
		for _, imp := range f.source.seg.imports {
			if imp.name != "." {
				continue
			}
			if p := w.imported(f, imp.path); p != nil {
				f.dots = append(f.dots, p)
			}
		}
	}
	return f.dots
}

// parse parses the declaration and notes where it stands.
func (w *lookWorld) parse(d *lookDecl) ast.Decl {
	if d.tried {
		return d.decl
	}
	decl := d.segment.parse(w.fset)
	if decl != nil {
		w.looker.cost += 8 * (d.end - d.start)
		if tf := w.fset.File(decl.Pos()); tf != nil {
			w.looker.origins[tf] = origin{source: d.file.source, shift: d.start - len("package p;")}
		}
	}
	return decl
}

// A lookSource is the text of a file, shared by all worlds.
type lookSource struct {
	path    string // from the root, or absolute when outside
	outside bool
	hash    uint64
	src     []byte
	seg     *segmented
}

// An origin says what text a part of the file set was parsed from.
type origin struct {
	source *lookSource
	shift  int // of offsets
}

// place returns where in which text a position is.
func (l *looker) place(at token.Pos) (s *lookSource, off int, ok bool) {
	if !at.IsValid() {
		return nil, 0, false
	}
	tf := l.fset.File(at)
	if tf == nil {
		return nil, 0, false
	}
	o, ok := l.origins[tf]
	if !ok {
		return nil, 0, false
	}
	return o.source, tf.Offset(at) + o.shift, true
}

// projectSource returns the text of a file of the project; nil when it cannot be read.
func (l *looker) projectSource(in *lang.Input, f *file) *lookSource {
	if s := l.sources[f.path]; s != nil && s.hash == f.info.Hash {
		return s
	}
	src, err := in.ReadFile(f.path)
	if err != nil {
		return nil
	}
	s := &lookSource{path: f.path, hash: f.info.Hash, src: src, seg: segmentMended(src)}
	l.sources[f.path] = s
	l.cost += 2 * len(src)
	return s
}

// segmentMended cuts a file, of which brackets may be missing, into declarations.
func segmentMended(src []byte) *segmented {
	seg, pieces := newSegmented(src), splitAtMargin(src)
	if len(seg.segments) >= len(pieces) {
		return seg
	}
	if whole := bytes.Join([][]byte{[]byte("{"), src, []byte("\n}")}, nil); skipBalanced(whole, 0) == len(whole) {
		return seg // what looks like a declaration stands in a string or comment
	}
	return newSegmented(blankBroken(src, pieces))
}

// A folderSource is a file outside the project.
type folderSource struct {
	*lookSource
	*folderFile
}

// folderSources returns the files of a folder outside the project, but for tests.
func (l *looker) folderSources(disk string) []folderSource {
	list, known := l.folders[disk]
	if known {
		return list
	}
	for _, f := range readFolder(disk).files {
		seg := f.text()
		s := &lookSource{path: filepath.ToSlash(filepath.Join(disk, f.name)), outside: true, src: seg.src, seg: seg}
		l.cost += len(seg.src)
		list = append(list, folderSource{s, f})
	}
	l.folders[disk] = list
	return list
}

// folderName returns the name of the package in a folder outside the project.
func (l *looker) folderName(disk string) string {
	name, known := l.names[disk]
	if !known {
		name = packageClause(disk)
		l.names[disk] = name
	}
	return name
}
