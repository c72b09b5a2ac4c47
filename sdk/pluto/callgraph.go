package pluto

import (
	"cmp"
	"context"
	"slices"

	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// CallGraph follows calls from a function or method on, so many steps far; a class, a module
// or the app stands for all that is in it. Each declaration is one node however many ways
// lead to it. An edge is marked as a cycle when it closes one.
func (v *View) CallGraph(ctx context.Context, d *Decl, depth int, dir Direction) (*CallGraph, error) {
	d, c, err := v.checked(ctx, d)
	if err != nil {
		return nil, err
	}
	if depth < 1 {
		return nil, &Error{Code: InvalidArgument, Text: "the depth of a call graph is at least 1"}
	}
	if dir == Callers {
		if err := callable(d); err != nil {
			return nil, err
		}
	}
	g := grower{v: v, c: c, graph: &CallGraph{Direction: dir}, nodes: map[xref.Key]*CallNode{}}
	g.node(d.Key, 0)
	for i := 0; i < len(g.graph.Nodes); {
		// One distance after the other, each in order.
		level := g.graph.Nodes[i:]
		end := i + len(level)
		if level[0].Depth > 0 {
			slices.SortFunc(level, func(a, b *CallNode) int { return compareKeys(a.Key, b.Key) })
		}
		for ; i < end; i++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			g.grow(g.graph.Nodes[i], depth)
		}
	}
	markCycles(g.graph.Nodes)
	return g.graph, nil
}

func compareKeys(a, b xref.Key) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Qual, b.Qual), cmp.Compare(a.Kind, b.Kind))
}

// grower makes a call graph.
type grower struct {
	v     *View
	c     *workspace.Checked
	graph *CallGraph
	nodes map[xref.Key]*CallNode
}

func (g *grower) node(k xref.Key, depth int) *CallNode {
	n := g.nodes[k]
	if n == nil {
		n = &CallNode{Decl: g.v.Decl(k), Key: k, Depth: depth}
		g.nodes[k] = n
		g.graph.Nodes = append(g.graph.Nodes, n)
	}
	return n
}

// grow adds the edges of a node. Beyond the depth only those to nodes that are there.
func (g *grower) grow(n *CallNode, depth int) {
	link := func(k xref.Key, s *xref.Site, dynamic bool) {
		if n.Depth >= depth && g.nodes[k] == nil {
			g.graph.Cut = true
			return
		}
		to := g.node(k, n.Depth+1)
		at := slices.IndexFunc(n.Calls, func(e CallEdge) bool { return e.To == to })
		if at < 0 {
			n.Calls = append(n.Calls, CallEdge{To: to, Dynamic: dynamic})
			at = len(n.Calls) - 1
		}
		e := &n.Calls[at]
		e.Dynamic = e.Dynamic && dynamic
		if s != nil {
			e.Sites = append(e.Sites, g.v.use(s))
		}
	}
	if g.graph.Direction == Callers {
		for _, s := range callersOf(g.c, n.Key, g.v.Decl) {
			if slices.Contains(calls, s.Use) {
				link(caller(g.v, s.Owner), &s, s.Dynamic)
			}
		}
		return
	}
	sites := g.c.UsedBy(n.Key)
	if n.Key.Kind == xref.Module {
		sites = g.c.Sites(n.Key.File)
	}
	for i := range sites {
		if slices.Contains(calls, sites[i].Use) && sites[i].Target.Kind != xref.Trait && sites[i].Target.Kind != xref.Class {
			link(sites[i].Target, &sites[i], sites[i].Dynamic)
		}
	}
	if d := n.Decl; d != nil && d.Kind == xref.Method && d.Parent != nil && d.Parent.Kind == xref.Trait {
		for _, m := range g.v.implementors(g.c, d.Parent.Key, d.Name) {
			link(m.Key, nil, true)
		}
	}
}

// caller is the function or method that a call is in, or what else it is in.
func caller(v *View, owner xref.Key) xref.Key {
	for d := v.Decl(owner); d != nil && d.Parent != nil; d = d.Parent {
		if d.Kind == xref.Method {
			return d.Key
		}
	}
	return owner
}

// markCycles marks the edges that lead back: both ends can reach each other, and the edge
// does not lead away from the start.
func markCycles(nodes []*CallNode) {
	part := components(nodes)
	for _, n := range nodes {
		for i := range n.Calls {
			to := n.Calls[i].To
			n.Calls[i].Cycle = part[n] == part[to] && to.Depth <= n.Depth
		}
	}
}

// components numbers the strongly connected components.
func components(nodes []*CallNode) map[*CallNode]int {
	type frame struct {
		n    *CallNode
		next int
	}
	part, low, num := map[*CallNode]int{}, map[*CallNode]int{}, map[*CallNode]int{}
	var stack []*CallNode
	parts := 0
	for _, root := range nodes {
		if num[root] != 0 {
			continue
		}
		frames := []frame{{n: root}}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			if f.next == 0 && num[f.n] == 0 {
				num[f.n] = len(num) + 1
				low[f.n] = num[f.n]
				stack = append(stack, f.n)
			}
			if f.next < len(f.n.Calls) {
				to := f.n.Calls[f.next].To
				f.next++
				if num[to] == 0 {
					frames = append(frames, frame{n: to})
				} else if _, done := part[to]; !done {
					low[f.n] = min(low[f.n], num[to])
				}
				continue
			}
			n := f.n
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				up := frames[len(frames)-1].n
				low[up] = min(low[up], low[n])
			}
			if low[n] == num[n] {
				for {
					last := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					part[last] = parts
					if last == n {
						break
					}
				}
				parts++
			}
		}
	}
	return part
}
