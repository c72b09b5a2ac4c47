package ts

import (
	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
)

// overrides adds the edges from a member to the members of base types that it stands in
// for: one step up, further steps are the edges of those.
func (w *walker) overrides(i int) {
	e := &w.table.entries[i]
	container := e.node.Parent
	if e.node.Kind == tsgo.KindParameter {
		container = container.Parent
	}
	if e.name == nil || e.kind != graph.KindMethod && e.kind != graph.KindField || !tsgo.IsClassLike(container) && container.Kind != tsgo.KindInterfaceDeclaration {
		return
	}
	if tsgo.IsStatic(e.node) || e.name.Kind == tsgo.KindPrivateIdentifier {
		return
	}
	s := e.node.Symbol()
	if s == nil || container.Symbol() == nil {
		return
	}
	start, end := nameRange(w.sf, e.name)
	own := w.from(i)
	for _, base := range w.baseMembers(w.c.GetMergedSymbol(container.Symbol()), s.Name, map[*tsgo.Symbol]bool{}) {
		for _, to := range w.r.of(base.symbol) {
			if to.Symbol != own {
				w.b.edge(base.kind, 0, own, to.Symbol, start, end)
			}
		}
	}
}

type baseMember struct {
	symbol *tsgo.Symbol
	kind   graph.EdgeKind
}

// baseMembers finds the nearest members of the name above a class or interface: where a
// super type has none, not even inherited, those that its own super types promise.
func (w *walker) baseMembers(of *tsgo.Symbol, name string, seen map[*tsgo.Symbol]bool) []baseMember {
	if seen[of] {
		return nil
	}
	seen[of] = true
	var list []baseMember
	for _, d := range of.Declarations {
		for _, super := range superTypes(d) {
			t := w.c.GetTypeAtLocation(super.node)
			if t == nil {
				continue
			}
			if m := w.c.GetPropertyOfType(t, name); m != nil {
				list = append(list, baseMember{m, super.kind})
			} else if s := t.Symbol(); s != nil {
				list = append(list, w.baseMembers(s, name, seen)...)
			}
		}
	}
	return list
}

type superType struct {
	node *tsgo.Node
	kind graph.EdgeKind // of the edges between members
}

// superTypes lists what a class or interface declaration extends and implements.
func superTypes(d *tsgo.Node) []superType {
	var list []superType
	if d.Kind == tsgo.KindInterfaceDeclaration {
		for _, n := range tsgo.GetHeritageElements(d, tsgo.KindExtendsKeyword) {
			list = append(list, superType{n, graph.EdgeOverrides})
		}
		return list
	}
	if !tsgo.IsClassLike(d) {
		return nil
	}
	if n := tsgo.GetClassExtendsHeritageElement(d); n != nil {
		list = append(list, superType{n, graph.EdgeOverrides})
	}
	for _, n := range tsgo.GetImplementsTypeNodes(d) {
		list = append(list, superType{n, graph.EdgeImplements})
	}
	return list
}

// construct adds the call of the constructor that `new` runs, if one is written.
func (w *walker) construct(class *tsgo.Symbol, start, end, from int) {
	for range 16 {
		if s := class.Members[tsgo.InternalSymbolNameConstructor]; s != nil {
			for _, t := range w.r.of(s) {
				w.b.edge(graph.EdgeCalls, 0, w.from(from), t.Symbol, start, end)
			}
			return
		}
		if class = w.baseClass(class); class == nil {
			return
		}
	}
}

// baseClass is what a class extends, nil if nothing that is a class.
func (w *walker) baseClass(class *tsgo.Symbol) *tsgo.Symbol {
	for _, d := range class.Declarations {
		if !tsgo.IsClassLike(d) {
			continue
		}
		n := tsgo.GetClassExtendsHeritageElement(d)
		if n == nil {
			continue
		}
		if s := w.c.GetSymbolAtLocation(n.Expression()); s != nil {
			if s = w.r.alias(s); s != nil && s.Flags&tsgo.SymbolFlagsClass != 0 {
				return s
			}
		}
	}
	return nil
}

// superCall adds the call of the base class's constructor.
func (w *walker) superCall(n *tsgo.Node, from int) {
	class := tsgo.GetContainingClass(n)
	if class == nil || class.Symbol() == nil {
		return
	}
	if base := w.baseClass(class.Symbol()); base != nil {
		w.construct(base, tokenStart(w.sf, n), n.End(), from)
	}
}

// staticThis adds the use of a class as `this` in one of its static methods.
func (w *walker) staticThis(n *tsgo.Node, from int) {
	m := n.Parent
	for m != nil && !tsgo.IsFunctionLike(m) && !tsgo.IsClassLike(m) {
		m = m.Parent
	}
	if m == nil || !tsgo.IsMethodOrAccessor(m) || !tsgo.IsStatic(m) || !tsgo.IsClassLike(m.Parent) {
		return
	}
	if i, ok := w.table.byNode[m.Parent]; ok {
		w.b.edge(graph.EdgeRefs, 0, w.from(from), w.from(i), tokenStart(w.sf, n), n.End())
	}
}
