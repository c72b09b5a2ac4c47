package query_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/graphtest"
	"github.com/settgraph/sett/query"
)

// random makes a graph with namesakes, recursion, types, interfaces and tests.
func random(t *testing.T, seed int64) *graph.Snapshot {
	rng := rand.New(rand.NewSource(seed))
	var b strings.Builder
	modules := []string{"x/tsdb", "y/tsdb", "tsdb", "z", "w/a.ts", "w/b/a.ts"}
	names := []string{"Head", "Append", "tsdb", "f", "g", "Ü"}
	var all []string
	for _, m := range modules {
		for _, n := range names {
			all = append(all, m+"#"+n, m+"#Head."+n)
		}
	}
	pick := func() string { return all[rng.Intn(len(all))] }
	for _, m := range modules {
		files := []string{m + "/file.go", m + "/file_test.go test"}
		if strings.HasSuffix(m, ".ts") {
			files = []string{m}
		}
		for _, f := range files {
			b.WriteString(f + "\n")
			for i, n := range names {
				kind := "function"
				if n == "Head" {
					kind = "struct"
				}
				flags := []string{"", " exported", " entry"}[rng.Intn(3)]
				if strings.HasSuffix(f, " test") {
					continue
				}
				fmt.Fprintf(&b, "  %s %s %d-%d%s\n  method Head.%s %d-%d%s\n", kind, n, i*20+1, i*20+9, flags, n, i*20+10, i*20+19, flags)
			}
			for i := range 30 {
				from := names[rng.Intn(len(names))]
				if strings.HasSuffix(f, " test") {
					from = "."
				}
				fmt.Fprintf(&b, "  %s %s %s %d:%d\n", from, []string{"calls", "refs", "typeref", "reads", "embeds"}[rng.Intn(5)], pick(), i+1, rng.Intn(50)+1)
			}
			fmt.Fprintf(&b, "  missing %s 3:1 type unknown\n", names[rng.Intn(len(names))])
		}
	}
	return graphtest.Snapshot(t, b.String())
}

const seeds = 8

// Every declaration is what its handle means, and its UUID, and its place.
func TestHandleRoundTrip(t *testing.T) {
	checked := 0
	for seed := range int64(seeds) {
		g := random(t, seed)
		for id := range graph.NodeID(g.NumNodes()) {
			n := g.Node(id)
			for _, sel := range []string{query.Handle(g, id), query.UUID(g, id)} {
				got, err := query.Resolve(g, query.Selector{Symbol: sel}, "")
				if err != nil || len(got) != 1 || got[0] != id {
					t.Errorf("seed %d: %v: %q means %v, %v", seed, n.Symbol, sel, got, err)
				}
				checked++
			}
			if n.Kind == graph.KindFile || n.Kind == graph.KindPackage || len(n.Decls) == 0 {
				continue
			}
			d := n.Decls[0]
			at := fmt.Sprintf("%s:%d:%d", g.File(d.File).Path, d.Name.Line, d.Name.Col)
			if got, err := query.Resolve(g, query.Selector{At: at}, ""); err != nil || len(got) != 1 || got[0] != id {
				t.Errorf("seed %d: %v: at %s is %v, %v", seed, n.Symbol, at, got, err)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d checked", checked)
	}
}

// The questions agree with the graph and with each other.
func TestLaws(t *testing.T) {
	for seed := range int64(seeds) {
		g := random(t, seed)
		for id := range graph.NodeID(g.NumNodes()) {
			sel := query.Selector{Symbol: query.Handle(g, id)}
			sites := map[string]bool{}
			for _, e := range g.In(id) {
				if e.Flags&graph.EdgeDerived == 0 {
					sites[fmt.Sprint(e.File, e.Pos)] = true
				}
			}
			r := run[query.RefsResult](t, g, "refs", &query.RefsArgs{Selector: sel}).Answers[0]
			shown := 0
			for _, f := range r.Groups {
				shown += len(f.Sites)
			}
			if r.Total != len(sites) || shown != r.Total || r.Files != len(r.Groups) {
				t.Errorf("seed %d: %s has %d refs, %d shown, want %d", seed, sel.Symbol, r.Total, shown, len(sites))
			}
			laws(t, g, id, sel)
		}
	}
}

func laws(t *testing.T, g *graph.Snapshot, id graph.NodeID, sel query.Selector) {
	t.Helper()
	// Whoever refers to it is a direct dependent, unless it is part of it.
	args := &query.ImpactArgs{Selector: sel}
	args.SetFull()
	x := run[query.ImpactResult](t, g, "impact", args).Answers[0]
	direct := map[string]bool{}
	seen := map[string]int{}
	for _, l := range x.Levels {
		for _, f := range l.Files {
			for _, u := range f.Users {
				seen[u.UUID]++
				direct[u.UUID] = direct[u.UUID] || l.Distance == 1
				if u.Via >= u.ID {
					t.Errorf("%s depends on %s by a later one", u.Name, sel.Symbol)
				}
			}
		}
	}
	for u, n := range seen {
		if n > 1 {
			t.Errorf("impact of %s lists %s %d times", sel.Symbol, u, n)
		}
	}
	part := map[graph.NodeID]bool{id: true}
	for _, c := range g.Children(id) {
		part[c] = true
	}
	for _, e := range g.In(id) {
		if e.Flags&(graph.EdgeTest|graph.EdgeDerived) != 0 || part[e.From] {
			continue
		}
		if n := g.Node(e.From); n.Kind == graph.KindFile && e.Kind == graph.EdgeRefs {
			continue // may be an import of what a declaration in the file uses
		}
		if u := query.UUID(g, e.From); !direct[u] {
			t.Errorf("impact of %s misses %s", sel.Symbol, query.Handle(g, e.From))
		}
	}
	// A chain has the ends that were asked for, and each link is a call or dispatch.
	for _, e := range g.Out(id) {
		if e.Kind != graph.EdgeCalls {
			continue
		}
		p := run[query.PathResult](t, g, "path", &query.PathArgs{From: sel.Symbol, To: query.Handle(g, e.To)})
		if len(p.Chains) == 0 {
			t.Errorf("%s calls %s, but no path", sel.Symbol, query.Handle(g, e.To))
			continue
		}
		if n := len(p.Chains[0].Links); n != 2 {
			t.Errorf("%s calls %s in %d links", sel.Symbol, query.Handle(g, e.To), n)
		}
	}
	// The call graph's first level is the context's callees.
	c := run[query.CallGraphResult](t, g, "callgraph", &query.CallGraphArgs{Selector: sel, Depth: 1}).Answers[0]
	ctx := run[query.ContextResult](t, g, "context", &query.ContextArgs{Selector: sel}).Answers[0]
	want := len(ctx.Callees)
	got := 0
	for _, n := range c.Trees[0].Nodes[1:] {
		if !n.Dynamic {
			got++
		}
	}
	if got != want {
		t.Errorf("%s has %d callees in the call graph, %d in the context", sel.Symbol, got, want)
	}
}

// Nothing that code outside tests uses is called dead.
func TestDeadIsUnused(t *testing.T) {
	for seed := range int64(seeds) {
		g := random(t, seed)
		args := &query.DeadCodeArgs{Exported: true, Fields: true}
		args.SetFull()
		for _, d := range run[query.DeadCodeResult](t, g, "deadcode", args).Dead {
			ids, err := query.Resolve(g, query.Selector{Symbol: d.Handle}, "")
			if err != nil {
				t.Fatal(err)
			}
			own := map[graph.NodeID]bool{ids[0]: true}
			for _, c := range g.Children(ids[0]) {
				own[c] = true
			}
			for _, e := range g.In(ids[0]) {
				if e.Flags&graph.EdgeTest == 0 && !own[e.From] {
					t.Errorf("seed %d: %s is %s, but %s uses it", seed, d.Handle, d.Why, query.Handle(g, e.From))
				}
			}
		}
	}
}

// A cursor and its rest give all files, each once.
func TestMore(t *testing.T) {
	g := random(t, 1)
	for id := range graph.NodeID(g.NumNodes()) {
		sel := query.Selector{Symbol: query.Handle(g, id)}
		all := run[query.RefsResult](t, g, "refs", &query.RefsArgs{Selector: sel}).Answers[0]
		for i := range all.Groups {
			rest := run[query.RefsResult](t, g, "refs", &query.RefsArgs{Selector: sel, More: fmt.Sprintf("f%d", i)}).Answers[0]
			if rest.From != i || len(rest.Groups) != len(all.Groups)-i || rest.Groups[0].File != all.Groups[i].File {
				t.Fatalf("%s from %d: %d files of %d", sel.Symbol, i, len(rest.Groups), len(all.Groups))
			}
		}
	}
}
