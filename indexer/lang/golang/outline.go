package golang

import (
	"bytes"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// An outline is a package of which only declarations are read, and of those only what
// somebody can see: what is named from the sources under extraction, and what follows
// from that. A member that nothing names is left out, or its type is.
type outline struct {
	pkg
	dir     *directory // nil when outside the project
	disk    string     // folder, outside the project
	std     bool
	module  *goModule // whose vendor folder counts
	cfg     *config
	folder  *folder // of one outside
	loaded  bool
	files   []*outlineFile
	index   map[string][]place // where a name may be declared
	decls   map[string]*outlineDecl
	methods map[string][]*outlineMethod // by type
	waiting []demand
	keepAll bool // all its small interfaces are asked for
	small   []string
	entries func() table
	shaken  []*ast.File // what is left, until it is checked
}

// A folder is a folder of Go files outside the project.
type folder struct {
	files       []*folderFile
	constrained bool // some of them depend on the configuration
}

type folderFile struct {
	name  string
	build constraint.Expr
	src   []byte
	text  func() *segmented
}

type outlineFile struct {
	text  *segmented
	local map[string]string          // import path by local name, as far as asked for
	used  map[string]*ast.ImportSpec // imports by local name
	kept  map[any]bool               // specs, groups and functions to keep
	list  []any                      // the same in the order of being asked for
}

func (f *outlineFile) keep(n any) {
	if f.kept == nil {
		f.kept = map[any]bool{}
	}
	if !f.kept[n] {
		f.kept[n] = true
		f.list = append(f.list, n)
	}
}

// A keptValue is a spec of constants or variables.
type keptValue struct {
	spec *ast.ValueSpec
	tok  token.Token
}

type place struct {
	file    *outlineFile
	segment *segment
}

type outlineDecl struct {
	file  *outlineFile
	gen   *ast.GenDecl
	spec  ast.Spec
	fn    *ast.FuncDecl
	level level
	all   bool // all methods, whoever names them
	keep  bool // an interface: its methods, whoever names them
}

type outlineMethod struct {
	file    *outlineFile
	segment *segment
	name    string
	fn      *ast.FuncDecl // once parsed
	level   level
}

// loadOutlines reads several packages.
func (r *run) loadOutlines(batch []*outline) error {
	var g errgroup.Group
	g.SetLimit(max(1, r.in.Workers))
	for _, o := range batch {
		g.Go(func() error {
			if err := r.ctx.Err(); err != nil {
				return err
			}
			r.load(o)
			return nil
		})
	}
	return g.Wait()
}

func (r *run) load(o *outline) {
	if o.loaded {
		return
	}
	o.loaded = true
	if o.dir != nil {
		for _, g := range o.dir.groups(o.cfg) {
			if !g.primary {
				continue
			}
			for _, f := range g.files {
				if src, err := r.in.ReadFile(f.path); err == nil {
					o.files = append(o.files, &outlineFile{text: newSegmented(src)})
				}
			}
		}
	} else {
		if o.folder == nil {
			o.folder = readFolder(o.disk)
		}
		o.open()
	}
	o.build()
}

// readFolder reads the Go files of a folder, but for tests.
func readFolder(disk string) *folder {
	fo := &folder{}
	entries, err := os.ReadDir(disk)
	if err != nil {
		return fo
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		f := &folderFile{name: name}
		src, err := os.ReadFile(filepath.Join(disk, name))
		if err != nil {
			continue
		}
		f.text = sync.OnceValue(func() *segmented { return newSegmented(src) })
		f.build = fileConstraint(name, readHeader(src).build, false)
		fo.constrained = fo.constrained || f.build != nil
		fo.files = append(fo.files, f)
	}
	return fo
}

// matching returns the names of the files that take part under c.
func (fo *folder) matching(c *config) string {
	var b strings.Builder
	for _, f := range fo.files {
		if f.build == nil || f.build.Eval(c.has) {
			b.WriteString(f.name)
			b.WriteByte('/')
		}
	}
	return b.String()
}

// open cuts the files of a package outside into declarations.
func (o *outline) open() {
	count := map[string]int{}
	for _, f := range o.folder.files {
		if f.build == nil || f.build.Eval(o.cfg.has) {
			t := f.text()
			count[t.pkg]++
			o.files = append(o.files, &outlineFile{text: t})
		}
	}
	// A folder may hold a program that is run by hand beside the package.
	delete(count, "")
	for _, name := range sortedKeys(count) {
		if o.name == "" || count[name] > count[o.name] {
			o.name = name
		}
	}
	o.files = slices.DeleteFunc(o.files, func(f *outlineFile) bool { return f.text.pkg != o.name })
}

// build finds out where names are declared.
func (o *outline) build() {
	o.index = map[string][]place{}
	o.decls = map[string]*outlineDecl{}
	o.methods = map[string][]*outlineMethod{}
	for _, f := range o.files {
		for _, g := range f.text.segments {
			if g.recv != "" {
				for _, name := range g.names {
					o.methods[g.recv] = append(o.methods[g.recv], &outlineMethod{file: f, segment: g, name: name})
				}
				continue
			}
			for _, name := range g.names {
				o.index[name] = append(o.index[name], place{f, g})
			}
		}
	}
}

// close prunes the outline and lets go of the rest.
func (o *outline) close(s *shaker) {
	if o.keepAll && o.loaded {
		o.small = o.interfaces(s.run.fset)
	}
	o.shaken = s.pruned(o)
	var decls []ast.Decl
	for _, f := range o.files {
		decls = append(decls, f.text.parsed()...)
	}
	kinds := s.run.outlineKinds(o)
	o.entries = sync.OnceValue(func() table {
		t := table{}
		t.file(&ast.File{Decls: decls}, "", kinds())
		return t
	})
	o.folder, o.files, o.index, o.decls, o.methods = nil, nil, nil, nil, nil
}

// decl returns a declaration by name; nil when there is none.
func (o *outline) decl(fset *token.FileSet, name string) *outlineDecl {
	d, ok := o.decls[name]
	if ok {
		return d
	}
	if name != "_" && name != "init" {
		for _, p := range o.index[name] {
			decl := p.segment.parse(fset)
			if spec, ok := declares(decl, name); ok {
				d = &outlineDecl{file: p.file, spec: spec}
				d.gen, _ = decl.(*ast.GenDecl)
				d.fn, _ = decl.(*ast.FuncDecl)
				break
			}
		}
	}
	o.decls[name] = d
	return d
}

// interfaces returns the exported interfaces that are worth comparing all the
// project's types with although nothing names them.
func (o *outline) interfaces(fset *token.FileSet) []string {
	var out []string
	for _, f := range o.files {
		for _, g := range f.text.segments {
			if g.tok != token.TYPE || !bytes.Contains(g.file.src[g.start:g.end], []byte("interface")) {
				continue
			}
			for _, name := range g.names {
				if ast.IsExported(name) && small(o.decl(fset, name)) {
					out = append(out, name)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// small reports whether d is an interface of a few methods.
func small(d *outlineDecl) bool {
	if d == nil {
		return false
	}
	ts, ok := d.spec.(*ast.TypeSpec)
	if !ok || ts.TypeParams != nil {
		return false
	}
	t, ok := ts.Type.(*ast.InterfaceType)
	return ok && t.Methods != nil && len(t.Methods.List) <= 8
}

// pruned returns the files with what was marked, and nothing else.
func (s *shaker) pruned(o *outline) []*ast.File {
	for _, name := range sortedKeys(o.decls) {
		d := o.decls[name]
		if d == nil || d.level == 0 {
			continue
		}
		if d.fn != nil {
			d.file.keep(d.fn)
		}
		ts, ok := d.spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		d.file.keep(s.prunedType(ts, d))
		if d.level < full {
			continue
		}
		for _, m := range o.methods[name] {
			if m.level > 0 && m.fn != nil {
				m.file.keep(m.fn)
			}
		}
	}
	var out []*ast.File
	for _, f := range o.files {
		if len(f.list) == 0 {
			continue
		}
		nf := &ast.File{Name: &ast.Ident{Name: o.name}}
		if len(f.used) > 0 {
			gen := &ast.GenDecl{Tok: token.IMPORT}
			for _, k := range sortedKeys(f.used) {
				gen.Specs = append(gen.Specs, f.used[k])
			}
			nf.Decls = append(nf.Decls, gen)
		}
		for _, n := range f.list {
			switch n := n.(type) {
			case *ast.FuncDecl:
				nf.Decls = append(nf.Decls, &ast.FuncDecl{Recv: n.Recv, Name: n.Name, Type: n.Type})
			case *ast.GenDecl:
				nf.Decls = append(nf.Decls, n)
			case *ast.TypeSpec:
				nf.Decls = append(nf.Decls, &ast.GenDecl{TokPos: n.Pos(), Tok: token.TYPE, Specs: []ast.Spec{n}})
			case keptValue:
				spec := n.spec
				if n.tok == token.VAR && spec.Type != nil {
					spec = &ast.ValueSpec{Names: spec.Names, Type: spec.Type}
				}
				nf.Decls = append(nf.Decls, &ast.GenDecl{TokPos: spec.Pos(), Tok: n.tok, Specs: []ast.Spec{spec}})
			}
		}
		f.list, f.kept, f.used = nil, nil, nil
		out = append(out, nf)
	}
	return out
}

// prunedType returns a type without the members that nobody can name. The type of an
// exported field that nobody names is left out, not the field, since literals without
// keys count fields.
func (s *shaker) prunedType(spec *ast.TypeSpec, d *outlineDecl) *ast.TypeSpec {
	if spec.Assign.IsValid() {
		return spec
	}
	if d.level == opaque {
		if _, ok := spec.Type.(*ast.InterfaceType); ok && d.keep {
			return spec
		}
		empty := &ast.StructType{Struct: spec.Type.Pos(), Fields: &ast.FieldList{}}
		out := &ast.TypeSpec{Name: spec.Name, Type: empty}
		if spec.TypeParams != nil {
			out.TypeParams = &ast.FieldList{Opening: spec.TypeParams.Opening, Closing: spec.TypeParams.Closing}
			for _, f := range spec.TypeParams.List {
				out.TypeParams.List = append(out.TypeParams.List, &ast.Field{
					Names: f.Names,
					Type:  &ast.InterfaceType{Interface: f.Type.Pos(), Methods: &ast.FieldList{}},
				})
			}
		}
		return out
	}
	t, ok := spec.Type.(*ast.StructType)
	if !ok {
		return spec
	}
	st := &ast.StructType{Struct: t.Struct, Fields: &ast.FieldList{Opening: t.Fields.Opening, Closing: t.Fields.Closing}}
	for _, f := range t.Fields.List {
		if len(f.Names) == 0 {
			st.Fields.List = append(st.Fields.List, &ast.Field{Type: f.Type})
			continue
		}
		for _, name := range f.Names {
			if !name.IsExported() {
				continue
			}
			typ := f.Type
			if !s.wanted[name.Name] {
				typ = &ast.Ident{NamePos: f.Type.Pos(), Name: "int"}
			}
			st.Fields.List = append(st.Fields.List, &ast.Field{Names: []*ast.Ident{name}, Type: typ})
		}
	}
	return &ast.TypeSpec{Name: spec.Name, TypeParams: spec.TypeParams, Type: st}
}

// receiverName returns the name of the type that a method belongs to.
func receiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
