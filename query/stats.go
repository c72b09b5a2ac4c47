package query

import (
	"context"

	"github.com/settgraph/sett/graph"
)

// StatsArgs asks what the index holds.
type StatsArgs struct {
	Shape
}

// StatsResult counts what the index holds.
type StatsResult struct {
	Room
	Files        map[string]int `json:"files"` // by language
	Lines        map[string]int `json:"lines"` // by language
	Broken       int            `json:"broken_files"`
	Declarations map[string]int `json:"declarations"` // by kind, files and packages too
	Externals    int            `json:"externals"`    // declarations outside the project that it uses
	Edges        map[string]int `json:"edges"`        // by kind
	Unresolved   map[string]int `json:"unresolved"`   // sites, by reason
}

var statsSpec = define(Spec{
	Verb:    "stats",
	Tool:    "get_stats",
	Title:   "Index statistics",
	Short:   "what the index holds",
	Long:    "Use for an overview of the project: files and lines by language, declarations by kind, uses by kind, and how many names could not be resolved and why.",
	Example: []string{"sett stats"},
}, stats)

func stats(_ context.Context, g *graph.Snapshot, _ *StatsArgs) (*StatsResult, error) {
	st := g.Stats()
	res := &StatsResult{
		Files: map[string]int{}, Lines: map[string]int{}, Broken: st.Broken, Declarations: map[string]int{},
		Externals: st.Externals, Edges: map[string]int{}, Unresolved: map[string]int{},
	}
	for k, n := range st.Files {
		res.Files[k] = n
	}
	for k, n := range st.Lines {
		res.Lines[k] = n
	}
	for k, n := range st.Nodes {
		res.Declarations[k.String()] = n
	}
	for k, n := range st.Edges {
		if n > 0 {
			res.Edges[k.String()] = n
		}
	}
	for k, n := range st.Unresolved {
		res.Unresolved[k] = n
	}
	return res, nil
}
