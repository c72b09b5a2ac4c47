package golang

import (
	"go/ast"
	"go/token"
	"strconv"
)

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
	wanted  map[string]bool            // names that members are selected by
	pending map[string][]pendingMember // members to visit once their name is wanted
	needed  map[string]bool            // names of methods that make types fit interfaces
	unfit   map[string][]pendingMember // methods to visit once their name is needed
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
	return &shaker{
		run: r, wanted: map[string]bool{}, pending: map[string][]pendingMember{},
		needed: map[string]bool{"Error": true}, unfit: map[string][]pendingMember{},
	}
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

// need says that a method of this name may decide whether a type fits an interface: a
// conversion that seems impossible would hide what its result is used for.
func (s *shaker) need(name string) {
	if s.needed[name] {
		return
	}
	s.needed[name] = true
	members := s.unfit[name]
	delete(s.unfit, name)
	for _, m := range members {
		s.method(m.o, m.method, opaque)
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
		if d.level == full {
			for _, name := range sortedKeys(o.index) {
				if ast.IsExported(name) {
					s.visit(o, demand{name: name, level: full})
				}
			}
			return
		}
		for _, name := range o.interfaces(s.run.fset) {
			s.visit(o, demand{name: name, level: opaque, keep: true})
		}
		return
	}
	decl := o.decl(s.run.fset, d.name)
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
		case s.wanted[m.name]:
			s.method(o, m, full)
		case decl.all || s.needed[m.name]:
			s.method(o, m, opaque)
		}
		if was.level < full && !s.wanted[m.name] {
			s.later(m.name, pendingMember{o, m.file, nil, m})
			if !s.needed[m.name] {
				s.unfit[m.name] = append(s.unfit[m.name], pendingMember{o, m.file, nil, m})
			}
		}
	}
}

func (s *shaker) later(name string, m pendingMember) {
	s.pending[name] = append(s.pending[name], m)
}

func (s *shaker) method(o *outline, m *outlineMethod, l level) {
	if m.level < l {
		m.level = l
		if m.fn == nil {
			m.fn, _ = m.segment.parse(s.run.fset).(*ast.FuncDecl)
		}
		if m.fn != nil {
			s.typ(o, m.file, m.fn.Type, l)
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
			if l == full {
				s.need(name.Name)
			}
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
	case decl.gen.Tok == token.CONST && chained(decl.gen):
		if decl.file.kept[decl.gen] {
			return
		}
		decl.file.keep(decl.gen)
		for _, spec := range decl.gen.Specs {
			if vs, ok := spec.(*ast.ValueSpec); ok {
				s.values(o, decl.file, vs)
			}
		}
	default:
		vs, ok := decl.spec.(*ast.ValueSpec)
		if !ok {
			return
		}
		if v := (keptValue{vs, decl.gen.Tok}); !decl.file.kept[v] {
			decl.file.keep(v)
			s.values(o, decl.file, vs)
		}
	}
}

// chained reports whether constants of a group depend on their place in it, so that
// they have to stay together.
func chained(g *ast.GenDecl) bool {
	for _, spec := range g.Specs {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok || len(vs.Values) == 0 {
			return true
		}
		for _, v := range vs.Values {
			if _, literal := v.(*ast.BasicLit); !literal && mentions(v, "iota") {
				return true
			}
		}
	}
	return false
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
				continue
			}
			for _, name := range f.Names {
				s.need(name.Name)
			}
			s.typ(o, file, f.Type, l)
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
	if decl := o.decl(s.run.fset, name); decl != nil {
		if decl.level < d.level || d.all && !decl.all || d.keep && !decl.keep {
			s.queue = append(s.queue, queued{o, d})
		}
		return
	}
	for _, imp := range file.text.imports {
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
			Name: &ast.Ident{Name: name},
			Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(p)},
		}
	}
}
