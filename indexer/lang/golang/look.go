package golang

import (
	"context"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// A looker is the Language's Looker.
type looker struct{}

func newLooker() lang.Looker { return &looker{} }

// Look tells what is at a position.
func (l *looker) Look(ctx context.Context, in *lang.Input, path string, at graph.Pos) (*graph.Place, error) {
	return nil, ctx.Err()
}

// Close gives back what is remembered.
func (l *looker) Close() {}
