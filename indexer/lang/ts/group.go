package ts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
)

// kindRank orders the kinds of merged declarations: the strongest names the symbol.
var kindRank = [...]graph.Kind{graph.KindComponent, graph.KindClass, graph.KindEnum, graph.KindFunction, graph.KindMethod, graph.KindInterface,
	graph.KindConst, graph.KindVariable, graph.KindType, graph.KindModule}

func stronger(a, b graph.Kind) graph.Kind {
	ia, ib := slices.Index(kindRank[:], a), slices.Index(kindRank[:], b)
	if ib >= 0 && (ia < 0 || ib < ia) {
		return b
	}
	return a
}

// finish groups the declarations that TypeScript merges and names each group.
func (b *tableBuilder) finish() {
	for _, list := range b.bySymbol {
		if len(list) == 1 {
			continue
		}
		for _, part := range components(list, func(i int) tsgo.SemanticMeaning { return meaning(b.entries[i].node) }) {
			kind := b.entries[part[0]].kind
			for _, e := range part {
				kind = stronger(kind, b.entries[e].kind)
				b.entries[e].group = part[0]
			}
			for _, e := range part {
				b.entries[e].kind = kind
			}
		}
	}
	b.mergeUnions()
	used := map[graph.Symbol]bool{}
	for i := range b.entries {
		e := &b.entries[i]
		if e.group != i {
			e.qual = b.entries[e.group].qual
			continue
		}
		prefix := ""
		if e.parent >= 0 {
			prefix = b.entries[e.parent].qual + "."
		}
		base := element(e.base)
		e.qual = prefix + base
		for k := 2; used[graph.Symbol{Kind: e.kind, Qual: e.qual}]; k++ {
			e.qual = prefix + base + "@" + strconv.Itoa(k)
		}
		used[graph.Symbol{Kind: e.kind, Qual: e.qual}] = true
	}
}

// element is a name as part of a qualified one: in quotes if it holds what separates or
// marks the parts of those.
func element(name string) string {
	quoted := len(name) > 2 && name[0] == '"' && name[len(name)-1] == '"'
	if strings.ContainsAny(name, `.@]"`) && name[0] != '[' && !quoted {
		return `"` + strings.ReplaceAll(name, `"`, `'`) + `"`
	}
	return name
}

// mergeUnions makes one symbol of a member that all literals of a union type have: whoever
// uses one through the union uses them all.
func (b *tableBuilder) mergeUnions() {
	type member struct {
		union *tsgo.Node
		name  string
	}
	arms := map[member]map[*tsgo.Node]bool{}
	of := func(e *entry) (m member, lit *tsgo.Node, ok bool) {
		lit = e.node.Parent
		ok = lit.Kind == tsgo.KindTypeLiteral && lit.Parent.Kind == tsgo.KindUnionType
		return member{lit.Parent, e.base}, lit, ok
	}
	for i := range b.entries {
		if m, lit, ok := of(&b.entries[i]); ok {
			if arms[m] == nil {
				arms[m] = map[*tsgo.Node]bool{}
			}
			arms[m][lit] = true
		}
	}
	first := map[member]int{}
	for i := range b.entries {
		e := &b.entries[i]
		m, _, ok := of(e)
		if !ok || len(arms[m]) != len(m.union.AsUnionTypeNode().Types.Nodes) {
			continue
		}
		f, ok := first[m]
		if !ok {
			first[m] = i
			continue
		}
		e.group = f
		b.entries[f].kind = stronger(b.entries[f].kind, e.kind)
	}
}

// meaning is what a declaration means: a value, a type, a namespace.
func meaning(n *tsgo.Node) tsgo.SemanticMeaning { return tsgo.GetMeaningFromDeclaration(n) }

// components splits declarations of one symbol into those connected by a shared meaning,
// each in order, the components in the order of their first members.
func components[T any](list []T, mean func(T) tsgo.SemanticMeaning) [][]T {
	var parts [][]T
	var means []tsgo.SemanticMeaning
	for _, d := range list {
		m := mean(d)
		at := -1
		for i := 0; i < len(parts); i++ {
			if means[i]&m == 0 {
				continue
			}
			if at < 0 {
				at = i
				parts[i], means[i] = append(parts[i], d), means[i]|m
				continue
			}
			parts[at], means[at] = append(parts[at], parts[i]...), means[at]|means[i]
			parts, means = slices.Delete(parts, i, i+1), slices.Delete(means, i, i+1)
			i--
		}
		if at < 0 {
			parts, means = append(parts, []T{d}), append(means, m)
		}
	}
	return parts
}
