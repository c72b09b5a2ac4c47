package query

import (
	"context"

	"github.com/settgraph/sett/graph"
)

// DefArgs asks where what stands at a position is declared.
type DefArgs struct {
	Symbol string `json:"symbol" pos:"0" alias:"id,uuid,name,at" help:"file:line:col of a name; or file:line, handle, name, UUID"`
	Path   string `json:"path" short:"p" alias:"in" help:"which declaration of a name: only those in this file, folder or glob"`
	Shape
}

// DefResult answers for each meaning of the name; a position has one.
type DefResult struct {
	Room
	Answers []Look `json:"answers"`
}

var defSpec = define(Spec{
	Verb:    "def",
	Aliases: []string{"definition"},
	Tool:    "find_definition",
	Title:   "Find the definition",
	Short:   "where the name at a position is declared",
	Long:    "Use to jump from the use at file:line:col to its declaration, in dependencies and the standard library too.",
	Example: []string{"sett def tsdb/head.go:284:12", "sett def Head.Append"},
}, func(ctx context.Context, g *graph.Snapshot, args *DefArgs) (*DefResult, error) {
	a, err := lookUp(ctx, g, lookArgs{args.Symbol, args.Path, args.Full})
	return &DefResult{Answers: a}, err
})
