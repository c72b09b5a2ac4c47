package format

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// callGraphLines prints
//
//	NewHead function tsdb/head.go:284 · 4 callees to depth 3, 12 external not shown
//	 newHeadMetrics:340
//	  ~prom.Registry.Register registry.go:12
func callGraphLines(r *query.CallGraphResult) string {
	var b strings.Builder
	for i := range r.Answers {
		x := &r.Answers[i]
		b.WriteString(subject(&x.Symbol))
		used := Tokens(b.String())
		for j := range x.Trees {
			t := &x.Trees[j]
			if j > 0 {
				b.WriteString(t.Direction)
			}
			b.WriteString(" · " + treeHead(t, x.Depth) + "\n")
			text := tree(t, share(r.Tokens(), used+20, len(x.Trees)-j))
			used += Tokens(text) + 20
			b.WriteString(text)
		}
	}
	return b.String()
}

func treeHead(t *query.CallTree, depth int) string {
	s := plural(t.Distinct, strings.TrimSuffix(t.Direction, "s"))
	if t.Distinct > 0 {
		s += fmt.Sprintf(" to depth %d", depth)
	}
	if t.Cycles > 0 {
		s += ", " + plural(t.Cycles, "cycle")
	}
	if t.Externals > 0 {
		s += fmt.Sprintf(", %d external not shown", t.Externals)
	}
	if t.Tests > 0 {
		s += fmt.Sprintf(", %d in tests not shown", t.Tests)
	}
	if t.Deeper > 0 {
		s += fmt.Sprintf(", %d go deeper", t.Deeper)
	}
	if t.Cut {
		s += ", cut: --limit for more"
	}
	return s
}

// tree prints the nodes below the root, as deep as there is room for.
func tree(t *query.CallTree, budget int) string {
	deepest := 0
	for _, n := range t.Nodes {
		deepest = max(deepest, n.Depth)
	}
	full := treeTo(t, deepest)
	rest := func(n int) string {
		return fmt.Sprintf("+%s: --budget %d\n", plural(n, "line"), roundUp(Tokens(full)+60))
	}
	texts := []func() string{func() string { return full }}
	for d := deepest - 1; d > 0; d-- {
		texts = append(texts, func() string {
			text := treeTo(t, d)
			return text + fmt.Sprintf("depth %d of %d shown: --budget %d\n", d, deepest, roundUp(Tokens(full)+60))
		})
	}
	return fit(budget, rest, texts...)
}

func treeTo(t *query.CallTree, depth int) string {
	var b strings.Builder
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Depth == 0 || n.Depth > depth {
			continue
		}
		b.WriteString(strings.Repeat(" ", n.Depth))
		switch {
		case n.Cycle:
			b.WriteString(flag(n.Dynamic, "~") + n.Name + " (cycle)")
		case n.Seen && n.ID < i:
			b.WriteString(flag(n.Dynamic, "~") + n.Name + " (see above)")
		case n.Seen:
			b.WriteString(flag(n.Dynamic, "~") + n.Name + " (see below)")
		default:
			b.WriteString(spot(&n.Ref, t.Nodes[max(n.Parent, 0)].File))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func callGraphTable(r *query.CallGraphResult) table {
	t := table{head: []string{"direction", "depth", "name", "kind", "file", "line", "mark"}}
	for _, x := range r.Answers {
		for _, tr := range x.Trees {
			for _, n := range tr.Nodes {
				mark := flag(n.Dynamic, "~") + flag(n.Cycle, " cycle") + flag(n.Seen, " seen")
				t.add(tr.Direction, n.Depth, n.Name, n.Kind, n.File, n.Line, strings.TrimSpace(mark))
			}
		}
	}
	return t
}

func callGraphGraph(r *query.CallGraphResult) diagram {
	var d diagram
	for i, x := range r.Answers {
		for j, t := range x.Trees {
			id := func(n int) string { return fmt.Sprintf("n%d_%d_%d", i, j, n) }
			for k, n := range t.Nodes {
				if n.ID == k {
					d.node(id(k), n.Name+"\n"+at(n.File, n.Line))
				}
			}
			for _, n := range t.Nodes {
				if n.Parent < 0 {
					continue
				}
				from, to := id(t.Nodes[n.Parent].ID), id(n.ID)
				if t.Direction == "callers" {
					from, to = to, from
				}
				d.edge(from, to, n.Dynamic)
			}
		}
	}
	return d
}
