package ts

import (
	"context"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// newLooker returns what answers about positions of one project.
func newLooker() lang.Looker { return &looker{turn: make(chan struct{}, 1)} }

// looker keeps the programs that it was last asked about. One question is answered at a
// time: a checker has one user.
type looker struct {
	turn chan struct{} // holds a token while somebody looks
}

// Look tells what is at a position.
func (l *looker) Look(ctx context.Context, in *lang.Input, path string, at graph.Pos) (*graph.Place, error) {
	return nil, ctx.Err()
}

// Close forgets everything.
func (l *looker) Close() {}
