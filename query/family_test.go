package query_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/settgraph/sett/graph/graphtest"
	"github.com/settgraph/sett/query"
)

// TestFamily asks for the uses of members that stand for each other at run time: those of
// bases and heirs are listed apart; other implementations of a Go interface are strangers.
func TestFamily(t *testing.T) {
	const goGraph = `
a.go
  interface Shape 1-3
  method Shape.Area 2 abstract
  struct Circle 4-5
  method Circle.Area 5
  struct Square 6-7
  method Square.Area 7
  function f 8-12
  f calls Shape.Area 9:3
  f calls Circle.Area 10:3
  f calls Square.Area 11:3
  interface Shape { Area/1 }
  implements Circle { Area/1 }
  implements Square { Area/1 }
`
	const tsGraph = `
a.ts
  class Base 1-3
  method Base.run 2
  class A 4-6
  method A.run 5
  class B 7-9
  method B.run 8
  function f 10-14
  A.run overrides Base.run 5:3
  B.run overrides Base.run 8:3
  f calls Base.run 11:3
  f calls A.run 12:3
  f calls B.run 13:3
`
	for _, c := range []struct {
		graph, symbol string
		direct        int
		dynamic       []int
	}{
		{goGraph, "Shape.Area", 9, []int{10, 11}},
		{goGraph, "Circle.Area", 10, []int{9}},
		{tsGraph, "Base.run", 11, []int{5, 8, 12, 13}},
		{tsGraph, "A.run", 12, []int{2, 8, 11, 13}},
	} {
		r := run[query.RefsResult](t, graphtest.Snapshot(t, c.graph), "refs", &query.RefsArgs{Selector: query.Selector{Symbol: c.symbol}}).Answers[0]
		var dynamic []int
		for _, f := range r.Dynamic {
			for _, s := range f.Sites {
				dynamic = append(dynamic, s.Line)
			}
		}
		if r.Total != 1 || r.Groups[0].Sites[0].Line != c.direct || !slices.Equal(dynamic, c.dynamic) {
			t.Errorf("%s: %d direct uses %v, dynamic %v; want one at %d and %v", c.symbol, r.Total, r.Groups, dynamic, c.direct, c.dynamic)
		}
	}
}

func TestDeadCodeEntries(t *testing.T) {
	g := graphtest.Snapshot(t, `
internal/web/a.go
  struct Server 1-9
  method Server.HandleCart 2 exported
  method Server.handlePay 3
  method Server.Close 4 exported
  function helper 5
internal/far/b.go
  struct Client 1-9
  method Client.Bind 2 exported
  method Client.drop 3
  missing acme 1:8 package not found
internal/blind/c.go
  struct View 1-9
  method View.Render 2 exported
  missing Width 5:8 type unknown
`)
	for _, c := range []struct {
		entry []string
		want  []string
	}{
		{nil, []string{"maybe View.Render", "maybe Client.Bind", "unused Client.drop", "unused Server.HandleCart", "unused Server.handlePay", "unused Server.Close", "unused helper"}},
		{[]string{"Server.Handle*", "internal/far/**:*.drop"}, []string{"maybe View.Render", "maybe Client.Bind", "unused Server.handlePay", "unused Server.Close", "unused helper"}},
		{[]string{"internal/far/**:*"}, []string{"maybe View.Render", "unused Server.HandleCart", "unused Server.handlePay", "unused Server.Close", "unused helper"}},
	} {
		var got []string
		for _, d := range run[query.DeadCodeResult](t, g, "deadcode", &query.DeadCodeArgs{Entry: c.entry, Kind: []string{"method", "function"}}).Dead {
			got = append(got, fmt.Sprint(d.Why, " ", d.Name))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("entries %v: dead %q, want %q", c.entry, got, c.want)
		}
	}
	spec, _ := query.ByVerb("deadcode")
	if _, err := spec.Run(t.Context(), g, &query.DeadCodeArgs{Entry: []string{"[a"}}); err == nil {
		t.Error("a broken pattern is accepted")
	}
}
