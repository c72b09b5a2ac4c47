package query

import (
	"context"

	"github.com/settgraph/sett/graph"
)

// TypeArgs asks for the type of what stands at a position, or of what a name means.
type TypeArgs struct {
	Symbol string `json:"symbol" pos:"0" alias:"id,uuid,name,at" help:"file:line:col of a name or expression; or file:line, handle, name, UUID"`
	Path   string `json:"path" short:"p" alias:"in" help:"which declaration of a name: only those in this file, folder or glob"`
	Shape
}

// TypeResult answers for each meaning of the name; a position has one.
type TypeResult struct {
	Room
	Answers []Look `json:"answers"`
}

var typeSpec = define(Spec{
	Verb:    "type",
	Tool:    "get_type",
	Title:   "Type at a position",
	Short:   "type of a name or expression at a position",
	Long:    "Use to learn the type of the name or expression at file:line:col, locals included: type, signature, constant value, doc line, as the language's own checker has them.",
	Example: []string{"sett type tsdb/head.go:284:12", "sett type Head.maxTime"},
}, func(ctx context.Context, g *graph.Snapshot, args *TypeArgs) (*TypeResult, error) {
	a, err := lookUp(ctx, g, lookArgs{args.Symbol, args.Path, args.Full})
	return &TypeResult{Answers: a}, err
})
