package golang

import (
	"go/types"

	"github.com/settgraph/sett/graph"
)

// A builder collects facts; its files are those of the unit, in order.
type builder struct {
	facts *graph.Facts
	syms  map[graph.Symbol]int
	objs  map[types.Object]int // -1: not a node
	seen  map[int]bool         // external interfaces entered in facts.Types
}

func newBuilder() *builder {
	return &builder{
		facts: &graph.Facts{Lang: langName}, syms: map[graph.Symbol]int{},
		objs: map[types.Object]int{}, seen: map[int]bool{},
	}
}

// sym returns the index of a symbol.
func (b *builder) sym(s graph.Symbol) int {
	s.Lang = langName
	i, ok := b.syms[s]
	if !ok {
		i = len(b.facts.Symbols)
		b.facts.Symbols = append(b.facts.Symbols, s)
		b.syms[s] = i
	}
	return i
}

// merge adds the facts of another builder of the same unit.
func (b *builder) merge(o *builder) {
	m := make([]int, len(o.facts.Symbols))
	for i, s := range o.facts.Symbols {
		m[i] = b.sym(s)
	}
	for _, d := range o.facts.Decls {
		d.Sym = m[d.Sym]
		if d.Parent >= 0 {
			d.Parent = m[d.Parent]
		}
		b.facts.Decls = append(b.facts.Decls, d)
	}
	for _, e := range o.facts.Edges {
		e.From, e.To = m[e.From], m[e.To]
		b.facts.Edges = append(b.facts.Edges, e)
	}
	b.facts.Missing = append(b.facts.Missing, o.facts.Missing...)
	b.facts.Notes = append(b.facts.Notes, o.facts.Notes...)
	for _, t := range o.facts.Types {
		t.Sym = m[t.Sym]
		if t.Interface && b.facts.Symbols[t.Sym].External {
			if b.seen[t.Sym] {
				continue
			}
			b.seen[t.Sym] = true
		}
		for i := range t.Methods {
			t.Methods[i].Sym = m[t.Methods[i].Sym]
		}
		b.facts.Types = append(b.facts.Types, t)
	}
}
