package sdk

import (
	"context"
	"errors"
	"io/fs"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer"
	"github.com/settgraph/sett/query"
)

// askLocal answers a question about a position where the graph knows no name but the
// language knows a local. It returns nil for every other question.
func (p *Project) askLocal(ctx context.Context, s *state, args any) (any, error) {
	file, at, ok := query.LocalPlace(s.snap, args)
	if !ok {
		return nil, nil
	}
	p.mu.Lock()
	st, err := s.indexState()
	options := p.questionOptions()
	p.mu.Unlock()
	if err != nil {
		return nil, nil // the question itself can be answered without
	}
	l, err := indexer.Local(ctx, options, st, file.Path, at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the index is older than the files, and nobody asked for better
	}
	if l == nil || err != nil {
		return nil, err
	}
	local := &query.Local{Name: l.Name, Kind: l.Kind, Sig: l.Sig, File: file.ID, Decl: l.Decl}
	for _, site := range l.Sites {
		local.Sites = append(local.Sites, graph.Edge{Kind: site.Kind, Pos: site.Pos, Len: site.Len})
	}
	return query.AnswerLocal(ctx, s.snap, args, local)
}
