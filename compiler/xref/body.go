package xref

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// node walks anything that is no declaration.
func (w *walker) node(n syntax.Node) {
	switch n := n.(type) {
	case syntax.TypeExpr:
		w.typ(TypeRef, n)
	case *syntax.IdentExpr:
		w.known(n, n.Name, n.Span(), n.Span())
	case *syntax.CallExpr:
		if !w.known(n, n.Name.Name, n.Name.Span(), n.Span()) {
			w.unknownCall(n)
		}
		syntax.Children(n, w.step)
	case *syntax.MethodExpr:
		w.head(n.X, n.Span())
		w.known(n, n.Name.Name, n.Name.Span(), n.Span())
		for _, a := range n.Args {
			w.node(a)
		}
	case *syntax.FieldExpr:
		w.field(n)
	case *syntax.GenericExpr:
		w.at(EnumVariant, n.Name, n.Span(), w.inModule(w.module(n.Module, n.Span()), n.Name))
		w.types(n.Args)
	case *syntax.StaticExpr:
		trait := w.lookup(w.mod, n.Trait.Name)
		w.at(Static, n.Trait, n.Span(), trait)
		w.at(Static, n.Name, n.Span(), trait.member(Method, n.Name.Name))
		syntax.Children(n, w.step)
	case *syntax.LitExpr:
		w.literal(n)
	case *syntax.AssignStmt:
		w.target = n.Target
		w.node(n.Target)
		w.node(n.Value)
	case *syntax.IncDecStmt:
		w.target = n.Target
		w.node(n.Target)
	case *syntax.RaiseStmt:
		d := w.errorIn(w.module(n.Module, n.Span()), n.Name)
		w.at(Raise, n.Name, n.Span(), d)
		w.inits(d, n.Fields)
	case *syntax.Handler:
		w.handler(n)
	case *syntax.MatchArm:
		w.arm(n)
	case *syntax.ScopeStmt:
		for _, seed := range n.Seeds {
			w.node(seed)
		}
		w.inject(n.Bindings)
		w.node(n.Body)
	default:
		syntax.Children(n, w.step)
	}
}

func (w *walker) types(types []syntax.TypeExpr) {
	for _, t := range types {
		w.typ(TypeRef, t)
	}
}

// head walks what stands before a dot.
func (w *walker) head(x syntax.Expr, full source.Span) {
	if id, ok := x.(*syntax.IdentExpr); ok {
		w.known(id, id.Name, id.Span(), full)
		return
	}
	w.node(x)
}

// unknownCall is a call of which the checker does not know what it calls, because something
// is wrong with it. If there is no variable of the name it still names a function.
func (w *walker) unknownCall(e *syntax.CallExpr) {
	for _, info := range w.facts.infos {
		for id := range info.Defs {
			if id.Name == e.Name.Name {
				return
			}
		}
	}
	if d := w.lookup(w.mod, e.Name.Name); d != nil && (d.Kind == Function || d.Kind == Extern) {
		w.at(Call, e.Name, e.Span(), d)
	}
}

func (w *walker) field(e *syntax.FieldExpr) {
	target := w.target
	w.head(e.X, e.Span())
	w.target = target
	first := len(w.out)
	w.known(e, e.Name.Name, e.Name.Span(), e.Span())
	if len(w.out) > first {
		return
	}
	if x, ok := e.X.(*syntax.IdentExpr); ok {
		w.targets(x, func(o check.Object) {
			if v, ok := o.(*check.Var); ok && len(w.out) == first {
				w.at(FieldRead, e.Name, e.Span(), w.caught[v.Decl].member(Field, e.Name.Name))
			}
		})
	}
}

// literal walks `Path { field: value }`. Its path is one of names only, as no variable has
// anything to build.
func (w *walker) literal(e *syntax.LitExpr) {
	path, m := e.Path, w.mod
	head := w.lookup(m, path[0].Name)
	if len(path) > 1 && (head == nil || head.Kind != Enum) {
		m = w.module(path[0], e.Span())
		path = path[1:]
		head = w.inModule(m, path[0])
	}
	var built *Decl
	switch {
	case head == nil:
	case len(path) == 1 && head.Kind == Class:
		built = head
		w.at(Construct, path[0], e.Span(), built)
	case len(path) == 2 && head.Kind == Enum:
		built = head.member(Variant, path[1].Name)
		w.at(EnumVariant, path[0], e.Span(), head)
		w.at(EnumVariant, path[1], e.Span(), built)
	}
	w.types(e.TypeArgs)
	w.inits(built, e.Fields)
}

// inits walks the fields of a literal or a raise.
func (w *walker) inits(of *Decl, fields []*syntax.FieldInit) {
	for _, f := range fields {
		w.at(FieldWrite, f.Name, f.Span(), of.member(Field, f.Name.Name))
		w.node(f.Value)
	}
}

func (w *walker) errorIn(m *check.Module, id *syntax.Ident) *Decl {
	if m == nil {
		return nil
	}
	return w.errorOf(m, id.Name)
}

func (w *walker) handler(h *syntax.Handler) {
	if h.Type != nil {
		head := h.Span()
		head.End = h.Type.Span().End
		d := w.errorIn(w.module(h.Module, head), h.Type)
		w.at(Catch, h.Type, head, d)
		if d != nil {
			w.caught[h.Name] = d
		}
	}
	w.node(h.Body)
}

func (w *walker) arm(a *syntax.MatchArm) {
	head := a.Span()
	head.End = a.Variant.Span().End
	if n := len(a.Bindings); n > 0 {
		head.End = a.Bindings[n-1].Span().End
	}
	enum := w.inModule(w.module(a.Module, head), a.Enum)
	if enum != nil && enum.Kind != Enum {
		enum = nil
	}
	variant := enum.member(Variant, a.Variant.Name)
	w.at(MatchArm, a.Enum, head, enum)
	w.at(MatchArm, a.Variant, head, variant)
	for _, b := range a.Bindings {
		if d := variant.member(Field, b.Field.Name); d != nil {
			w.put(Site{Use: FieldRead, At: b.Field.Span(), Full: b.Span(), Target: d.Key, Shorthand: b.Name == b.Field})
		}
	}
	if a.Body != nil {
		w.node(a.Body)
	}
	if a.Value != nil {
		w.node(a.Value)
	}
}
