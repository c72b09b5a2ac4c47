package query

import (
	"context"
	"slices"

	"github.com/settgraph/sett/graph"
)

// PathArgs asks how one declaration reaches another.
type PathArgs struct {
	From     string `json:"from" pos:"0" help:"handle, name, file:line[:col] or UUID of where it begins"`
	To       string `json:"to" pos:"1" help:"the same of where it ends"`
	Any      bool   `json:"any" short:"a" help:"through any use, not only calls"`
	Limit    int    `json:"limit" short:"n" default:"3" help:"at most this many chains"`
	External bool   `json:"external" mcp:"-" help:"also through what the project does not declare"`
	Shape
}

// PathResult lists the shortest chains.
type PathResult struct {
	Room
	From     Decl    `json:"from"`
	To       Decl    `json:"to"`
	Any      bool    `json:"any"`
	Chains   []Chain `json:"chains"`
	Total    int     `json:"total"`    // shortest chains; Capped when there are more
	Capped   bool    `json:"capped"`   // counting stopped
	Searched int     `json:"searched"` // declarations that From reaches, when there is no chain
	Back     bool    `json:"back"`     // there is no chain, but one from To to From
}

// Empty reports whether there is no chain.
func (r *PathResult) Empty() bool { return len(r.Chains) == 0 }

// A Chain is a way from one declaration to another. Each link but the first has the
// site where the one before uses it.
type Chain struct {
	Links []Link `json:"links"`
}

// A Link is one step of a chain.
type Link struct {
	Ref
	SiteFile string `json:"site_file,omitempty"`
	SiteLine int    `json:"site_line,omitempty"`
	Use      string `json:"use,omitempty"` // how the one before uses it
}

// maxChains bounds how many chains are counted.
const maxChains = 1000

var pathSpec = define(Spec{
	Verb:    "path",
	Tool:    "find_path",
	Title:   "Find a path",
	Short:   "how one symbol reaches another",
	Long:    "Use to learn how A comes to call B: the shortest chains of calls from one to the other with their call sites (any: through any use). `~` marks steps through an interface.",
	Example: []string{"sett path main.main tsdb.NewHead", "sett path Head.Append labels.Labels --any"},
}, findPath)

func findPath(ctx context.Context, g *graph.Snapshot, args *PathArgs) (*PathResult, error) {
	a := newAsker(ctx, g, args.Full)
	from, err := a.endpoint("from", args.From)
	if err != nil {
		return nil, err
	}
	to, err := a.endpoint("to", args.To)
	if err != nil {
		return nil, err
	}
	res := &PathResult{From: a.decl(from), To: a.decl(to), Any: args.Any, Chains: []Chain{}}
	s := &pathSearch{asker: a, any: args.Any, external: args.External}
	s.search(from, to)
	if s.dist[to] == 0 {
		res.Searched = s.count
		back := &pathSearch{asker: a, any: args.Any, external: args.External}
		back.search(to, from)
		res.Back = back.dist[from] != 0
		return res, a.err
	}
	limit := args.Limit
	if limit <= 0 {
		limit = 3
	}
	s.chains(to, nil, func(steps []pathStep) bool {
		if res.Total == maxChains {
			res.Capped = true
			return false
		}
		res.Total++
		if len(res.Chains) < limit {
			res.Chains = append(res.Chains, s.chain(from, steps))
		}
		return !a.stop()
	})
	return res, a.err
}

func (a *asker) endpoint(param, name string) (graph.NodeID, error) {
	if cleanName(name) == "" {
		return graph.NoNode, &InvalidError{param, "it is missing: a handle, a name, file:line[:col] or a UUID"}
	}
	ts, err := a.targets(Selector{Symbol: name}, "", 1)
	if err != nil {
		return graph.NoNode, err
	}
	return ts[0].id, nil
}

// A pathSearch goes from a declaration, level by level, and remembers for each reached
// one by which steps it is nearest.
type pathSearch struct {
	*asker
	any, external bool
	from          graph.NodeID
	dist          []int32 // 0: not reached
	by            map[graph.NodeID][]pathStep
	count         int
}

type pathStep struct {
	from, to graph.NodeID
	edge     graph.Edge
	dynamic  bool
}

func (s *pathSearch) search(from, to graph.NodeID) {
	s.from = from
	s.dist = make([]int32, s.g.NumNodes())
	s.by = map[graph.NodeID][]pathStep{}
	level := []graph.NodeID{from}
	for d := int32(1); len(level) > 0 && s.dist[to] == 0; d++ {
		var below []graph.NodeID
		for _, id := range level {
			if s.stop() {
				return
			}
			for _, st := range s.steps(id) {
				if st.to == from && from != to {
					continue
				}
				if s.dist[st.to] == 0 {
					s.dist[st.to] = d
					s.count++
					below = append(below, st.to)
				}
				if s.dist[st.to] == d {
					s.by[st.to] = append(s.by[st.to], st)
				}
			}
		}
		level = below
	}
}

// steps returns the uses of a declaration, each other end once. A call of an interface
// method goes on to the implementations.
func (s *pathSearch) steps(id graph.NodeID) []pathStep {
	var steps []pathStep
	seen := map[graph.NodeID]bool{}
	add := func(to graph.NodeID, e graph.Edge, dynamic bool) {
		if seen[to] {
			return
		}
		if n := s.g.Node(to); n == nil || n.External && !s.external {
			return
		}
		seen[to] = true
		steps = append(steps, pathStep{id, to, e, dynamic})
	}
	for _, e := range s.g.Out(id) {
		if e.Kind == graph.EdgeCalls || s.any && written(e) {
			add(e.To, e, false)
		}
	}
	for _, e := range s.g.In(id) {
		if e.Kind != graph.EdgeImplements && e.Kind != graph.EdgeOverrides {
			continue
		}
		if n := s.g.Node(e.From); n != nil && n.Kind.IsCallable() {
			add(e.From, e, true)
		}
	}
	if s.any { // what a type contains is used through it
		for _, c := range s.g.Children(id) {
			if n := s.g.Node(id); n != nil && n.Kind.IsType() {
				if k := s.g.Node(c); k != nil && len(k.Decls) > 0 {
					d := k.Decls[0]
					add(c, graph.Edge{Kind: graph.EdgeUnknown, File: d.File, Pos: d.Name}, false)
				}
			}
		}
	}
	return steps
}

// chains calls f with the steps of each shortest chain to a declaration, until f
// returns false.
func (s *pathSearch) chains(to graph.NodeID, after []pathStep, f func([]pathStep) bool) bool {
	for _, st := range s.by[to] {
		steps := append(after[:len(after):len(after)], st)
		if st.from != s.from {
			if !s.chains(st.from, steps, f) {
				return false
			}
			continue
		}
		slices.Reverse(steps)
		if !f(steps) {
			return false
		}
	}
	return true
}

func (s *pathSearch) chain(from graph.NodeID, steps []pathStep) Chain {
	c := Chain{Links: []Link{{Ref: s.ref(from)}}}
	for _, st := range steps {
		l := Link{Ref: s.ref(st.to), SiteFile: s.path(st.edge.File), SiteLine: int(st.edge.Line), Use: st.edge.Kind.String()}
		l.Dynamic = st.dynamic
		if st.edge.Kind == graph.EdgeUnknown {
			l.Use = "contains"
		}
		c.Links = append(c.Links, l)
	}
	return c
}
