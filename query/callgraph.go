package query

import (
	"context"
	"fmt"

	"github.com/settgraph/sett/graph"
)

// CallGraphArgs asks what a function calls or who calls it, to a depth.
type CallGraphArgs struct {
	Selector
	Path      string `json:"path" short:"p" alias:"in,module_path" help:"which declaration: only those in this file, folder or glob"`
	Direction string `json:"direction" enum:"callees,callers,both" default:"callees" help:"callees, callers or both"`
	Depth     int    `json:"depth" short:"d" default:"3" alias:"max_depth" help:"how many calls deep, at most 20"`
	External  bool   `json:"external" mcp:"-" help:"also calls of what the project does not declare"`
	Tests     bool   `json:"tests" help:"also callers in tests"`
	Limit     int    `json:"limit" short:"n" default:"200" help:"at most this many nodes"`
	Shape
}

// CallGraphResult answers for each meaning of the name.
type CallGraphResult struct {
	Room
	Answers []CallGraph `json:"answers"`
}

// CallGraph is one or two trees of calls.
type CallGraph struct {
	Symbol Decl       `json:"symbol"`
	Depth  int        `json:"depth"`
	Trees  []CallTree `json:"trees"`
}

// A CallTree is the calls in one direction. Nodes come in the order of a walk from the
// root, which is the first; each declaration is entered once, and further calls of it
// are marked.
type CallTree struct {
	Direction string     `json:"direction"` // callees or callers
	Nodes     []CallNode `json:"nodes"`
	Distinct  int        `json:"distinct"`  // declarations, the root not counted
	Cycles    int        `json:"cycles"`    // calls that close a cycle
	Externals int        `json:"externals"` // distinct declarations outside the project, when left out
	Tests     int        `json:"tests"`     // distinct callers in tests, when left out
	Cut       bool       `json:"cut"`       // the limit stopped the walk
	Deeper    int        `json:"deeper"`    // nodes at the last depth that have further calls
}

// A CallNode is one call.
type CallNode struct {
	Ref
	ID     int  `json:"id"`     // index of the node where the declaration is entered
	Parent int  `json:"parent"` // index of the node that calls it (or that it calls), -1 for the root
	Depth  int  `json:"depth"`
	Seen   bool `json:"seen,omitempty"`  // entered elsewhere in the tree
	Cycle  bool `json:"cycle,omitempty"` // it is on the way from the root to here

	id graph.NodeID
}

const maxDepth = 20

var callGraphSpec = define(Spec{
	Verb:    "callgraph",
	Tool:    "call_graph",
	Title:   "Call graph",
	Short:   "what a function calls, or what calls it, as a tree",
	Long:    "Use to follow calls several steps: what a function calls (callees) or what calls it (callers), as an indented tree. `~` marks calls through an interface, which are followed to the implementations, `(cycle)` a recursion.",
	Example: []string{"sett callgraph tsdb.NewHead", "sett callgraph Head.Append --direction callers --depth 2", "sett callgraph main.main --format mermaid"},
}, callGraph)

func callGraph(ctx context.Context, g *graph.Snapshot, args *CallGraphArgs) (*CallGraphResult, error) {
	a := newAsker(ctx, g, args.Full)
	depth := args.Depth
	if depth <= 0 {
		depth = 3
	}
	if depth > maxDepth {
		return nil, &InvalidError{"depth", fmt.Sprintf("at most %d", maxDepth)}
	}
	directions := []string{args.Direction}
	switch args.Direction {
	case "":
		directions = []string{"callees"}
	case "both":
		directions = []string{"callers", "callees"}
	case "callees", "callers":
	default:
		return nil, &InvalidError{"direction", fmt.Sprintf("no direction %q; one of callees, callers, both", args.Direction)}
	}
	ts, err := a.targets(args.Selector, args.Path, 1)
	if err != nil {
		return nil, err
	}
	res := &CallGraphResult{Answers: []CallGraph{}}
	for _, t := range ts {
		x := CallGraph{Symbol: a.decl(t.id), Depth: depth, Trees: []CallTree{}}
		x.Symbol.Namesakes = t.namesakes
		for _, dir := range directions {
			w := &callWalk{asker: a, args: args, depth: depth, up: dir == "callers", next: map[graph.NodeID][]call{},
				under: map[graph.NodeID]graph.NodeID{}, at: map[graph.NodeID]int{}, onWay: map[graph.NodeID]bool{}, outside: map[graph.NodeID]bool{}}
			w.tree.Direction = dir
			w.inTest = x.Symbol.Test
			w.walk(t.id)
			x.Trees = append(x.Trees, w.tree)
		}
		res.Answers = append(res.Answers, x)
	}
	return res, a.err
}

type callWalk struct {
	*asker
	args    *CallGraphArgs
	depth   int
	up      bool
	inTest  bool // the root is of a test itself
	tree    CallTree
	next    map[graph.NodeID][]call       // of what is entered
	under   map[graph.NodeID]graph.NodeID // of what is entered: below whom
	at      map[graph.NodeID]int          // of what is entered: index of the node
	onWay   map[graph.NodeID]bool
	outside map[graph.NodeID]bool // left out
}

// walk enters every declaration where it is nearest to the root, so that the depth cuts
// as little as possible, and then lists the calls.
func (w *callWalk) walk(root graph.NodeID) {
	w.under[root] = graph.NoNode
	level := []graph.NodeID{root}
	for d := 0; len(level) > 0 && !w.stop(); d++ {
		var below []graph.NodeID
		for _, id := range level {
			calls := w.calls(id)
			if d == w.depth {
				if len(calls) > 0 {
					w.tree.Deeper++
				}
				continue
			}
			w.next[id] = calls
			for _, c := range calls {
				if _, ok := w.under[c.id]; ok {
					continue
				}
				if w.args.Limit > 0 && len(w.under) > w.args.Limit {
					w.tree.Cut = true
					continue
				}
				w.under[c.id] = id
				below = append(below, c.id)
			}
		}
		level = below
	}
	w.list(call{id: root}, graph.NoNode, -1, 0)
	for i := range w.tree.Nodes {
		n := &w.tree.Nodes[i]
		n.ID = w.at[n.id]
	}
	for id := range w.outside {
		if w.g.Node(id).External {
			w.tree.Externals++
		} else {
			w.tree.Tests++
		}
	}
	w.tree.Distinct = len(w.under) - 1
}

func (w *callWalk) list(c call, by graph.NodeID, parent, depth int) {
	under, ok := w.under[c.id]
	if !ok || w.stop() {
		return // beyond the limit
	}
	at := len(w.tree.Nodes)
	node := CallNode{Ref: w.ref(c.id), Parent: parent, Depth: depth, id: c.id}
	node.Dynamic = c.dynamic
	if under != by || w.onWay[c.id] {
		node.Cycle = w.onWay[c.id]
		node.Seen = !node.Cycle
		if node.Cycle {
			w.tree.Cycles++
		}
		w.tree.Nodes = append(w.tree.Nodes, node)
		return
	}
	w.at[c.id] = at
	w.tree.Nodes = append(w.tree.Nodes, node)
	w.onWay[c.id] = true
	for _, n := range w.next[c.id] {
		w.list(n, c.id, at, depth+1)
	}
	delete(w.onWay, c.id)
}

type call struct {
	id      graph.NodeID
	dynamic bool
}

// calls returns the calls from (or of) a declaration, each other end once, in the order
// of the sites. A call of an interface method is followed by the implementations.
func (w *callWalk) calls(id graph.NodeID) []call {
	var calls []call
	at := map[graph.NodeID]int{}
	add := func(other graph.NodeID, dynamic bool) {
		if i, ok := at[other]; ok {
			calls[i].dynamic = calls[i].dynamic && dynamic
			return
		}
		n := w.g.Node(other)
		if n == nil {
			return
		}
		if n.External && !w.args.External || w.up && !w.args.Tests && !w.inTest && n.Flags&graph.FlagTest != 0 {
			w.outside[other] = true
			return
		}
		at[other] = len(calls)
		calls = append(calls, call{other, dynamic})
	}
	if w.up {
		for _, e := range w.g.In(id) {
			if e.Kind == graph.EdgeCalls {
				add(e.From, e.Flags&graph.EdgeDynamic != 0 && w.hasBody(id))
			}
		}
		for _, up := range upward(w.g, id) {
			for _, e := range w.g.In(up) {
				if e.Kind == graph.EdgeCalls {
					add(e.From, true)
				}
			}
		}
		return calls
	}
	for _, e := range w.g.Out(id) {
		if e.Kind == graph.EdgeCalls {
			add(e.To, false)
		}
	}
	// What may run instead of an abstract or overridden method.
	for _, e := range w.g.In(id) {
		if e.Kind == graph.EdgeImplements || e.Kind == graph.EdgeOverrides {
			if n := w.g.Node(e.From); n != nil && n.Kind.IsCallable() {
				add(e.From, true)
			}
		}
	}
	return calls
}

func (w *callWalk) hasBody(id graph.NodeID) bool {
	n := w.g.Node(id)
	return n != nil && n.Flags&graph.FlagAbstract == 0
}
