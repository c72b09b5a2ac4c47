package xref

import (
	"cmp"
	"slices"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// Sites lists every use of a declaration in the files of a checked program, those of the
// standard library left out, in order of file and position. What was checked several times,
// as generic bodies and default methods are, has each use once; only where such a body means
// other things each time are there several sites at one place, of one name. Programs with
// errors give what is sound of them.
func Sites(p *check.Program) []Site { return sitesOf(newIndex(p)) }

// Of is [Sites] and [FactsOf] for less than both cost.
func Of(p *check.Program) ([]Site, *Facts) { return OfKnown(p, Decls) }

// OfKnown is [Of] for who has the declarations of files at hand: decls gives what [Decls] does.
func OfKnown(p *check.Program, decls func(*syntax.File) []*Decl) ([]Site, *Facts) {
	ix := indexOf(p, decls)
	sites := make(chan []Site)
	go func() { sites <- sitesOf(ix) }() // neither changes the index
	facts := factsOf(ix)
	return <-sites, facts
}

func sitesOf(ix *index) []Site {
	w := &walker{index: ix, caught: map[*syntax.Ident]*Decl{}}
	w.step = w.node
	tokens := 0
	for _, m := range ix.program.Modules {
		if m.Src != nil && !m.Src.Std {
			for _, f := range m.Src.Files {
				tokens += len(f.Tokens)
			}
		}
	}
	w.out = make([]Site, 0, tokens/6+8) // about so many
	seen := map[string]bool{}
	for _, m := range ix.program.Modules {
		if m.Src == nil || m.Src.Std {
			continue
		}
		for _, f := range m.Src.Files {
			if !seen[f.Src.Name] {
				seen[f.Src.Name] = true
				first := len(w.out)
				w.file(m, f)
				sort(w.out[first:])
			}
		}
	}
	return w.out
}

// sort puts the sites of a file in order. Most are already.
func sort(sites []Site) {
	before := func(a, b Site) int {
		if a.At != b.At {
			return cmp.Or(cmp.Compare(a.At.Start, b.At.Start), cmp.Compare(a.At.End, b.At.End))
		}
		return cmp.Or(cmp.Compare(a.Target.File, b.Target.File), cmp.Compare(a.Target.Kind, b.Target.Kind), cmp.Compare(a.Target.Qual, b.Target.Qual))
	}
	if !slices.IsSortedFunc(sites, before) {
		slices.SortStableFunc(sites, before)
	}
}

// walker goes through the files of a program. What names mean it takes from the scope of the
// module where that decides alone, and from the facts of the checker where variables or
// types do.
type walker struct {
	*index
	out  []Site
	step func(syntax.Node)

	mod    *check.Module
	owner  Key
	facts  facts // about the text that is walked
	params [2][]*syntax.TypeParam
	target syntax.Expr // of the assignment that is walked

	// caught is, by the name of a typed handler, the error that the program declares for it.
	// The checker takes one that repeats a predeclared error for that.
	caught map[*syntax.Ident]*Decl
}

func (w *walker) file(m *check.Module, f *syntax.File) {
	w.mod = m
	w.owner = Key{File: f.Src.Name, Kind: Module}
	for _, imp := range f.Imports {
		w.importDecl(imp)
	}
	for _, d := range f.Decls {
		w.decl(d)
	}
}

func (w *walker) importDecl(imp *syntax.Import) {
	bound, last := imp.Binding(), imp.Path[len(imp.Path)-1]
	if bound == nil {
		return
	}
	if first := w.imports[binding{w.mod.Src, bound.Name}]; first.mod != nil && first.path == dotted(imp) {
		to := w.modules[first.mod]
		w.put(Site{Use: Import, At: last.Span(), Full: imp.Span(), Target: to, Alias: imp.Alias != nil || !called(to, last.Name)})
	}
}

// within walks what is in a declaration.
func (w *walker) within(name *syntax.Ident, params []*syntax.TypeParam, walk func()) {
	owner, outer := w.owner, w.params
	if d := w.byName[name]; d != nil {
		w.owner = d.Key
	}
	if params != nil {
		w.params[0], w.params[1] = params, outer[0]
	}
	for _, p := range params {
		for _, b := range p.Bounds {
			w.name(Bound, b)
		}
	}
	walk()
	w.owner, w.params = owner, outer
}

func (w *walker) decl(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.FuncDecl:
		w.fn(d)
	case *syntax.ClassDecl:
		w.within(d.Name, d.TypeParams, func() { w.class(d) })
	case *syntax.TraitDecl:
		w.within(d.Name, nil, func() {
			for _, m := range d.Methods {
				w.fn(m)
			}
		})
	case *syntax.EnumDecl:
		w.within(d.Name, d.TypeParams, func() {
			for _, v := range d.Variants {
				w.node(v)
			}
		})
	case *syntax.AppDecl:
		w.within(d.Name, nil, func() { w.app(d) })
	case *syntax.TestDecl:
		w.test(d)
	case *syntax.TestsDecl:
		for _, t := range d.Tests {
			w.test(t)
		}
	default:
		w.within(d.DeclName(), nil, func() { syntax.Children(d, w.step) })
	}
}

func (w *walker) class(d *syntax.ClassDecl) {
	for _, id := range d.Uses {
		w.name(Uses, id)
	}
	w.inject(d.Deps)
	for _, id := range d.Impls {
		w.name(Impl, id)
	}
	for _, m := range d.Members {
		switch m := m.(type) {
		case *syntax.FuncDecl:
			w.fn(m)
		case *syntax.Clause:
			w.facts = w.bodies[m]
			w.node(m)
		default:
			w.node(m)
		}
	}
}

func (w *walker) app(d *syntax.AppDecl) {
	w.inject(d.Deps)
	for _, m := range d.Members {
		switch m := m.(type) {
		case *syntax.FuncDecl:
			w.fn(m)
		case *syntax.AmbientLine:
			w.name(Inject, m.Type)
		case *syntax.Override:
			w.name(Override, m.Class)
		}
	}
}

// inject walks dependencies, and the bindings of scope blocks.
func (w *walker) inject(params []*syntax.Param) {
	for _, p := range params {
		w.typ(Inject, p.Type)
	}
}

func (w *walker) fn(d *syntax.FuncDecl) {
	w.within(d.Name, d.TypeParams, func() {
		w.facts = w.bodies[d]
		for _, p := range d.Params {
			w.node(p)
		}
		if d.Result != nil {
			w.node(d.Result)
		}
		for _, cl := range d.Clauses() {
			w.node(cl)
		}
		if d.Body != nil {
			w.node(d.Body)
		}
	})
}

func (w *walker) test(d *syntax.TestDecl) {
	if d.Body == nil {
		return
	}
	owner := w.owner
	if t := w.byTest[d]; t != nil {
		w.owner = t.Key
	}
	w.facts = w.bodies[d]
	w.node(d.Body)
	w.owner = owner
}

// put adds a site, unless something is missing there.
func (w *walker) put(s Site) {
	if s.At.Start < s.At.End {
		s.File, s.Owner = w.owner.File, w.owner
		w.out = append(w.out, s)
	}
}

// at adds a site if there is a declaration for it.
func (w *walker) at(use Use, id *syntax.Ident, full source.Span, d *Decl) {
	if d != nil {
		w.put(Site{Use: use, At: id.Span(), Full: full, Target: d.Key})
	}
}

// name is a name that stands alone and means a type of the module.
func (w *walker) name(use Use, id *syntax.Ident) {
	if id != nil {
		w.at(use, id, id.Span(), w.lookup(w.mod, id.Name))
	}
}

// module is the module that names after a qualifier are looked up in: this one without a
// qualifier, nil when it is not known.
func (w *walker) module(id *syntax.Ident, full source.Span) *check.Module {
	if id == nil {
		return w.mod
	}
	m := w.imported(w.mod, id.Name)
	w.moduleRef(id.Name, id.Span(), full, m)
	return m
}

func (w *walker) moduleRef(name string, at, full source.Span, m *check.Module) {
	if m != nil && m.Src != nil {
		to := w.modules[m.Src]
		w.put(Site{Use: ModuleRef, At: at, Full: full, Target: to, Alias: !called(to, name)})
	}
}

// inModule is what a module that may be nil declares under a name.
func (w *walker) inModule(m *check.Module, id *syntax.Ident) *Decl {
	if m == nil || id == nil {
		return nil
	}
	return w.lookup(m, id.Name)
}

// typ walks a type; its outermost name is used as use says.
func (w *walker) typ(use Use, t syntax.TypeExpr) {
	n, ok := t.(*syntax.NamedType)
	if !ok {
		if t != nil {
			syntax.Children(t, w.step)
		}
		return
	}
	if n.Module != nil || !w.builtinType(n) {
		d := w.inModule(w.module(n.Module, n.Span()), n.Name)
		if d != nil && (d.Kind == Class || d.Kind == Enum || d.Kind == Trait) {
			w.at(use, n.Name, n.Span(), d)
		}
	}
	for _, a := range n.Args {
		w.typ(TypeRef, a)
	}
}

// builtinType says whether a type without a module is one of the language, or a type
// parameter.
func (w *walker) builtinType(n *syntax.NamedType) bool {
	name := n.Name.Name
	if len(n.Args) > 0 {
		switch name {
		case "Map", "Set", "Task", "Sender", "Receiver":
			return true
		}
		return false
	}
	switch name {
	case "int", "string", "bool", "float", "byte", "bytes", "void":
		return true
	}
	for _, params := range w.params {
		for _, p := range params {
			if p.Name.Name == name {
				return true
			}
		}
	}
	return false
}

// targets calls f with what an expression refers to: as its text is written, or else each
// time it was checked.
func (w *walker) targets(e syntax.Expr, f func(check.Object)) {
	for i, info := range w.facts.infos {
		if !info.Has(e) {
			continue
		}
		if o := info.Target(e); o != nil {
			f(o)
			if i < w.facts.written {
				return
			}
		}
	}
}

// known adds the sites of a name whose meaning the checker found. write says that what is
// named is assigned.
func (w *walker) known(e syntax.Expr, name string, at, full source.Span) (found bool) {
	first := len(w.out)
	w.targets(e, func(o check.Object) {
		found = true
		if m, ok := o.(*check.Module); ok {
			if len(w.out) == first {
				w.moduleRef(name, at, full, m)
			}
			return
		}
		d := w.of(o)
		if d == nil || slices.ContainsFunc(w.out[first:], func(s Site) bool { return s.Target == d.Key }) {
			return
		}
		s := Site{At: at, Full: full, Target: d.Key}
		switch o := o.(type) {
		case *check.Var:
			s.Use = ParamRead
			if w.target == e {
				s.Use = ParamWrite
			}
		case *check.Func:
			if d.Kind == Method {
				s.Use = MethodCall
			}
		case *check.TraitMethod:
			s.Use, s.Dynamic = MethodCall, true
		case *check.Enum, *check.Variant:
			s.Use = EnumVariant
		case *check.Field:
			s.Use, s.Ambient = FieldRead, o.Ambient
			if w.target == e {
				s.Use = FieldWrite
			}
		case *check.ErrorField:
			s.Use = FieldRead
		}
		w.put(s)
	})
	return found
}
