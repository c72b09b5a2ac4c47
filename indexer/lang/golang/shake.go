package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// An outline is a package of which only declarations are read, and of those only what
// somebody can see: what is named from the sources under extraction, and what follows
// from that. A member that nothing names is left out, or its type is.
type outline struct {
	pkg
	dir         *directory // nil when outside the project
	disk        string     // folder, outside the project
	std         bool
	module      *goModule // whose vendor folder counts
	cfg         *config
	loaded      bool
	constrained bool // some file depends on the configuration
	files       []*outlineFile
	decls       map[string]*outlineDecl
	methods     map[string][]*outlineMethod
	waiting     []demand
	keepAll     bool // all its interfaces are asked for
	entries     func() table
	shaken      []*ast.File // what is left, until it is checked
}

type outlineFile struct {
	ast     *ast.File
	imports []importSpec
	used    map[string]*ast.ImportSpec // by local name
	dots    []*pkg
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
	file  *outlineFile
	fn    *ast.FuncDecl
	level level
}

// A level says how much of a declaration is needed.
type level uint8

const (
	opaque level = iota + 1 // that it exists, and what it is an alias of
	full                    // its members too, as far as they are named
)

// A demand asks for a declaration of a package.
type demand struct {
	name  string
	level level
	all   bool
	keep  bool
}

// A shaker works out which declarations of which outlines are needed.
type shaker struct {
	run     *run
	wanted  map[string]bool
	pending map[string][]pendingMember // members to visit once their name is wanted
	queue   []queued
	load    []*outline
}

type queued struct {
	o *outline
	demand
}

// A pendingMember is a field or method that nobody has named yet.
type pendingMember struct {
	o      *outline
	file   *outlineFile
	typ    ast.Expr
	method *outlineMethod
}

func newShaker(r *run) *shaker {
	return &shaker{run: r, wanted: map[string]bool{}, pending: map[string][]pendingMember{}}
}

func (s *shaker) demand(o *outline, d demand) {
	if !o.loaded {
		if len(o.waiting) == 0 {
			s.load = append(s.load, o)
		}
		o.waiting = append(o.waiting, d)
		return
	}
	s.queue = append(s.queue, queued{o, d})
}

// want says that a member of this name may be selected.
func (s *shaker) want(name string) {
	if s.wanted[name] {
		return
	}
	s.wanted[name] = true
	members := s.pending[name]
	delete(s.pending, name)
	for _, m := range members {
		if m.method != nil {
			s.method(m.o, m.method, full)
		} else {
			s.typ(m.o, m.file, m.typ, full)
		}
	}
}

// settle works until nothing more is asked for. Outlines are loaded in rounds, those
// of a round at the same time.
func (s *shaker) settle() error {
	for {
		for len(s.queue) > 0 {
			q := s.queue[len(s.queue)-1]
			s.queue = s.queue[:len(s.queue)-1]
			s.visit(q.o, q.demand)
		}
		if len(s.load) == 0 {
			return nil
		}
		batch := s.load
		s.load = nil
		if err := s.run.loadOutlines(batch); err != nil {
			return err
		}
		for _, o := range batch {
			for _, d := range o.waiting {
				s.queue = append(s.queue, queued{o, d})
			}
			o.waiting = nil
		}
	}
}

// visit marks one declaration and asks for what it mentions.
func (s *shaker) visit(o *outline, d demand) {
	if d.name == "" { // all interfaces, or everything
		for _, name := range sortedKeys(o.decls) {
			if !ast.IsExported(name) {
				continue
			}
			if d.level == full {
				s.visit(o, demand{name: name, level: full})
			} else if small(o.decls[name]) {
				s.visit(o, demand{name: name, level: opaque, keep: true})
			}
		}
		return
	}
	decl := o.decls[d.name]
	if decl == nil {
		return
	}
	ts, isType := decl.spec.(*ast.TypeSpec)
	if !isType {
		if decl.level < full {
			s.value(o, decl)
		}
		return
	}
	if d.level <= decl.level && (decl.all || !d.all) && (decl.keep || !d.keep) {
		return
	}
	was := *decl
	decl.level = max(decl.level, d.level)
	decl.all = decl.all || d.all
	decl.keep = decl.keep || d.keep
	if ts.Assign.IsValid() {
		s.fields(o, decl.file, ts.TypeParams, full)
		s.embedded(o, decl.file, ts.Type, decl.level, decl.all, decl.keep)
		return
	}
	iface, isInterface := ts.Type.(*ast.InterfaceType)
	if decl.level == opaque {
		if isInterface && decl.keep {
			s.fields(o, decl.file, ts.TypeParams, opaque)
			s.iface(o, decl.file, iface, opaque)
		}
		return
	}
	if was.level < full {
		s.fields(o, decl.file, ts.TypeParams, full)
	}
	switch t := ts.Type.(type) {
	case *ast.StructType:
		s.structure(o, decl, t, was)
	case *ast.InterfaceType:
		s.iface(o, decl.file, t, full)
	default:
		s.embedded(o, decl.file, ts.Type, full, decl.all, decl.keep)
	}
	for _, m := range o.methods[d.name] {
		switch {
		case s.wanted[m.fn.Name.Name]:
			s.method(o, m, full)
		case decl.all:
			s.method(o, m, opaque)
		}
		if was.level < full && !s.wanted[m.fn.Name.Name] {
			s.later(m.fn.Name.Name, pendingMember{o, m.file, nil, m})
		}
	}
}

// small reports whether an interface is worth comparing all the project's types with
// although nothing names it.
func small(d *outlineDecl) bool {
	ts, ok := d.spec.(*ast.TypeSpec)
	if !ok || ts.TypeParams != nil {
		return false
	}
	t, ok := ts.Type.(*ast.InterfaceType)
	return ok && t.Methods != nil && len(t.Methods.List) <= 8
}

func (s *shaker) later(name string, m pendingMember) {
	s.pending[name] = append(s.pending[name], m)
}

func (s *shaker) method(o *outline, m *outlineMethod, l level) {
	if m.level < l {
		m.level = l
		s.typ(o, m.file, m.fn.Type, l)
		if m.fn.Recv != nil {
			for _, f := range m.fn.Recv.List {
				s.typ(o, m.file, f.Type, opaque)
			}
		}
	}
}

func (s *shaker) structure(o *outline, decl *outlineDecl, t *ast.StructType, was outlineDecl) {
	for _, f := range t.Fields.List {
		if len(f.Names) == 0 {
			s.embedded(o, decl.file, f.Type, full, decl.all, false)
			continue
		}
		if was.level == full {
			continue
		}
		for _, name := range f.Names {
			switch {
			case !name.IsExported():
			case s.wanted[name.Name]:
				s.typ(o, decl.file, f.Type, full)
			default:
				s.later(name.Name, pendingMember{o, decl.file, f.Type, nil})
			}
		}
	}
}

func (s *shaker) iface(o *outline, file *outlineFile, t *ast.InterfaceType, l level) {
	for _, f := range t.Methods.List {
		if len(f.Names) == 0 {
			s.embedded(o, file, f.Type, l, false, true)
			continue
		}
		for _, name := range f.Names {
			if l == full && s.wanted[name.Name] {
				s.typ(o, file, f.Type, full)
				continue
			}
			s.typ(o, file, f.Type, opaque)
			if l == full {
				s.later(name.Name, pendingMember{o, file, f.Type, nil})
			}
		}
	}
}

// value marks a function, variable or constant.
func (s *shaker) value(o *outline, decl *outlineDecl) {
	decl.level = full
	switch {
	case decl.fn != nil:
		s.typ(o, decl.file, decl.fn.Type, full)
	case decl.gen.Tok == token.CONST:
		// A constant may repeat the expression of one above it: they stay together.
		for _, spec := range decl.gen.Specs {
			vs := spec.(*ast.ValueSpec)
			for _, name := range vs.Names {
				if d := o.decls[name.Name]; d != nil && d.gen == decl.gen {
					d.level = full
				}
			}
			s.values(o, decl.file, vs)
		}
	default:
		vs := decl.spec.(*ast.ValueSpec)
		for _, name := range vs.Names {
			if d := o.decls[name.Name]; d != nil && d.spec == decl.spec {
				d.level = full
			}
		}
		s.values(o, decl.file, vs)
	}
}

func (s *shaker) values(o *outline, file *outlineFile, vs *ast.ValueSpec) {
	if vs.Type != nil {
		s.typ(o, file, vs.Type, full)
	}
	for _, v := range vs.Values {
		s.expr(o, file, v)
	}
}

// fields marks the types of a parameter list.
func (s *shaker) fields(o *outline, file *outlineFile, list *ast.FieldList, l level) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		s.typ(o, file, f.Type, l)
	}
}

// embedded marks a type whose members are seen through the one that holds it.
func (s *shaker) embedded(o *outline, file *outlineFile, t ast.Expr, l level, all, keep bool) {
	switch x := ast.Unparen(t).(type) {
	case *ast.StarExpr:
		s.embedded(o, file, x.X, l, all, keep)
	case *ast.IndexExpr:
		s.embedded(o, file, x.X, l, all, keep)
		s.typ(o, file, x.Index, l)
	case *ast.IndexListExpr:
		s.embedded(o, file, x.X, l, all, keep)
		for _, a := range x.Indices {
			s.typ(o, file, a, l)
		}
	case *ast.Ident:
		s.ident(o, file, x.Name, demand{level: l, all: all, keep: keep})
	case *ast.SelectorExpr:
		if q, ok := x.X.(*ast.Ident); ok {
			s.qualified(o, file, q.Name, demand{name: x.Sel.Name, level: l, all: all, keep: keep})
		}
	default:
		s.typ(o, file, t, l)
	}
}

// typ marks all that a type mentions.
func (s *shaker) typ(o *outline, file *outlineFile, t ast.Expr, l level) {
	switch t := t.(type) {
	case nil:
	case *ast.Ident:
		s.ident(o, file, t.Name, demand{level: l})
	case *ast.SelectorExpr:
		if q, ok := t.X.(*ast.Ident); ok {
			s.qualified(o, file, q.Name, demand{name: t.Sel.Name, level: l})
		}
	case *ast.StarExpr:
		s.typ(o, file, t.X, l)
	case *ast.ParenExpr:
		s.typ(o, file, t.X, l)
	case *ast.Ellipsis:
		s.typ(o, file, t.Elt, l)
	case *ast.ArrayType:
		if t.Len != nil {
			s.expr(o, file, t.Len)
		}
		s.typ(o, file, t.Elt, l)
	case *ast.MapType:
		s.typ(o, file, t.Key, l)
		s.typ(o, file, t.Value, l)
	case *ast.ChanType:
		s.typ(o, file, t.Value, l)
	case *ast.FuncType:
		s.fields(o, file, t.TypeParams, l)
		s.fields(o, file, t.Params, l)
		s.fields(o, file, t.Results, l)
	case *ast.StructType:
		for _, f := range t.Fields.List {
			if len(f.Names) == 0 {
				s.embedded(o, file, f.Type, full, true, false)
			} else {
				s.typ(o, file, f.Type, l)
			}
		}
	case *ast.InterfaceType:
		for _, f := range t.Methods.List {
			if len(f.Names) == 0 {
				s.embedded(o, file, f.Type, l, false, true)
			} else {
				s.typ(o, file, f.Type, l)
			}
		}
	case *ast.IndexExpr:
		s.typ(o, file, t.X, l)
		s.typ(o, file, t.Index, l)
	case *ast.IndexListExpr:
		s.typ(o, file, t.X, l)
		for _, a := range t.Indices {
			s.typ(o, file, a, l)
		}
	case *ast.UnaryExpr: // ~T in a constraint
		s.typ(o, file, t.X, l)
	case *ast.BinaryExpr: // A | B
		s.typ(o, file, t.X, l)
		s.typ(o, file, t.Y, l)
	}
}

// expr marks what the type or the constant value of an expression depends on.
func (s *shaker) expr(o *outline, file *outlineFile, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			s.ident(o, file, n.Name, demand{level: full})
		case *ast.SelectorExpr:
			if q, ok := n.X.(*ast.Ident); ok && s.qualified(o, file, q.Name, demand{name: n.Sel.Name, level: full}) {
				return false
			}
			s.want(n.Sel.Name)
			s.expr(o, file, n.X)
			return false
		case *ast.FuncLit:
			s.typ(o, file, n.Type, full)
			return false
		case *ast.CompositeLit:
			if n.Type != nil {
				s.typ(o, file, n.Type, full)
			}
			return false
		case ast.Expr:
			switch n.(type) {
			case *ast.FuncType, *ast.StructType, *ast.InterfaceType:
				s.typ(o, file, n, full)
				return false
			}
		}
		return true
	})
}

func (s *shaker) ident(o *outline, file *outlineFile, name string, d demand) {
	d.name = name
	if decl := o.decls[name]; decl != nil {
		if decl.level < d.level || d.all && !decl.all || d.keep && !decl.keep {
			s.queue = append(s.queue, queued{o, d})
		}
		return
	}
	for _, imp := range file.imports {
		if imp.name != "." {
			continue
		}
		if p := s.run.use(o, imp.path); p != nil {
			file.use(". "+imp.path, ".", imp.path)
			if p.outline != nil {
				s.demand(p.outline, d)
			}
		}
	}
}

// qualified marks x.Y when x is an import of the file.
func (s *shaker) qualified(o *outline, file *outlineFile, x string, d demand) bool {
	p, ok := s.run.importNamed(o, file, x)
	if !ok {
		return false
	}
	file.use(x, x, p)
	if t := s.run.use(o, p); t != nil && t.outline != nil {
		s.demand(t.outline, d)
	}
	return true
}

func (f *outlineFile) use(key, name, p string) {
	if f.used[key] == nil {
		if f.used == nil {
			f.used = map[string]*ast.ImportSpec{}
		}
		f.used[key] = &ast.ImportSpec{
			Name: &ast.Ident{NamePos: f.ast.Package, Name: name},
			Path: &ast.BasicLit{ValuePos: f.ast.Package, Kind: token.STRING, Value: strconv.Quote(p)},
		}
	}
}

// pruned returns the files with what was marked, and nothing else.
func (s *shaker) pruned(o *outline) []*ast.File {
	var out []*ast.File
	for _, f := range o.files {
		nf := &ast.File{
			Package: f.ast.Package, Name: f.ast.Name, FileStart: f.ast.FileStart, FileEnd: f.ast.FileEnd,
		}
		if len(f.used) > 0 {
			gen := &ast.GenDecl{TokPos: f.ast.Package, Tok: token.IMPORT, Lparen: f.ast.Package}
			for _, k := range sortedKeys(f.used) {
				gen.Specs = append(gen.Specs, f.used[k])
			}
			nf.Decls = append(nf.Decls, gen)
		}
		start := len(nf.Decls)
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if s.keepsFunc(o, d) {
					nf.Decls = append(nf.Decls, &ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type})
				}
			case *ast.GenDecl:
				if g := s.prunedGen(o, d); g != nil {
					nf.Decls = append(nf.Decls, g)
				}
			}
		}
		if len(nf.Decls) > start {
			out = append(out, nf)
		}
	}
	return out
}

func (s *shaker) keepsFunc(o *outline, d *ast.FuncDecl) bool {
	if d.Recv == nil {
		decl := o.decls[d.Name.Name]
		return decl != nil && decl.fn == d && decl.level > 0
	}
	recv := receiverName(d)
	if t := o.decls[recv]; t == nil || t.level < full {
		return false
	}
	for _, m := range o.methods[recv] {
		if m.fn == d {
			return m.level > 0
		}
	}
	return false
}

func (s *shaker) prunedGen(o *outline, d *ast.GenDecl) *ast.GenDecl {
	switch d.Tok {
	case token.CONST:
		for _, spec := range d.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if x := o.decls[name.Name]; x != nil && x.gen == d && x.level > 0 {
					return d
				}
			}
		}
	case token.VAR, token.TYPE:
		g := &ast.GenDecl{TokPos: d.TokPos, Tok: d.Tok, Lparen: d.TokPos}
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if x := o.decls[name.Name]; x != nil && x.spec == ast.Spec(spec) && x.level > 0 {
						if spec.Type != nil {
							spec = &ast.ValueSpec{Names: spec.Names, Type: spec.Type}
						}
						g.Specs = append(g.Specs, spec)
						break
					}
				}
			case *ast.TypeSpec:
				if x := o.decls[spec.Name.Name]; x != nil && x.spec == ast.Spec(spec) && x.level > 0 {
					g.Specs = append(g.Specs, s.prunedType(spec, x))
				}
			}
		}
		if len(g.Specs) > 0 {
			return g
		}
	}
	return nil
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

// loadOutlines parses the declarations of several packages.
func (r *run) loadOutlines(batch []*outline) error {
	var g errgroup.Group
	g.SetLimit(r.in.Workers)
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
		r.loadInside(o)
	} else {
		r.loadOutside(o)
	}
	o.index()
}

// loadInside reads a package of the project.
func (r *run) loadInside(o *outline) {
	for _, g := range o.dir.groups(o.cfg) {
		if !g.primary {
			continue
		}
		for _, f := range g.files {
			if src, err := r.in.ReadFile(f.path); err == nil {
				o.parse(r.fset, f.path, src)
			}
		}
	}
}

// loadOutside reads a package from a module cache, a vendor folder or GOROOT.
func (r *run) loadOutside(o *outline) {
	entries, err := os.ReadDir(o.disk)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		if len(nameTags(name)) > 0 {
			o.constrained = true
			if !o.cfg.match(&file{build: fileConstraint(name, "", false)}) {
				continue
			}
		}
		src, err := os.ReadFile(filepath.Join(o.disk, name))
		if err != nil {
			continue
		}
		if h := readHeader(src); h.build != "" {
			o.constrained = true
			if !o.cfg.match(&file{build: fileConstraint(name, h.build, false)}) {
				continue
			}
		}
		o.parse(r.fset, name, src)
	}
	// A folder may hold a program that is run by hand beside the package.
	count := map[string]int{}
	for _, f := range o.files {
		count[f.ast.Name.Name]++
	}
	for _, name := range sortedKeys(count) {
		if o.name == "" || count[name] > count[o.name] {
			o.name = name
		}
	}
	o.files = slices.DeleteFunc(o.files, func(f *outlineFile) bool { return f.ast.Name.Name != o.name })
}

func (o *outline) parse(fset *token.FileSet, name string, src []byte) {
	f, _ := parser.ParseFile(fset, name, cutBodies(src), parser.SkipObjectResolution)
	if f == nil || f.Name == nil {
		return
	}
	of := &outlineFile{ast: f}
	for _, s := range f.Imports {
		p, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		spec := importSpec{path: p}
		if s.Name != nil {
			spec.name = s.Name.Name
		}
		of.imports = append(of.imports, spec)
	}
	o.files = append(o.files, of)
}

// index finds the declarations by name.
func (o *outline) index() {
	o.decls = map[string]*outlineDecl{}
	o.methods = map[string][]*outlineMethod{}
	add := func(name string, d *outlineDecl) {
		if o.decls[name] == nil && name != "_" {
			o.decls[name] = d
		}
	}
	for _, f := range o.files {
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					recv := receiverName(d)
					o.methods[recv] = append(o.methods[recv], &outlineMethod{file: f, fn: d})
				} else if d.Name.Name != "init" {
					add(d.Name.Name, &outlineDecl{file: f, fn: d})
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						add(spec.Name.Name, &outlineDecl{file: f, gen: d, spec: spec})
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							add(name.Name, &outlineDecl{file: f, gen: d, spec: spec})
						}
					}
				}
			}
		}
	}
	o.entries = sync.OnceValue(func() table {
		t := table{}
		for _, f := range o.files {
			t.file(f.ast, "")
		}
		return t
	})
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
