package sdk

import (
	"context"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/query"
)

// askLook answers a question about the type or the definition of what is at a position from
// what the language's own type checker says of it. It returns nil for every other question,
// and for a language that has none.
func (p *Project) askLook(ctx context.Context, s *state, args any, laid map[string][]byte) (any, error) {
	file, at, ok := query.LookPlace(s.snap, args)
	if !ok {
		return nil, nil
	}
	p.mu.Lock()
	st, err := s.indexState()
	options := p.indexOptions(nil, false)
	options.Overlay = laid
	p.mu.Unlock()
	if err != nil {
		return nil, nil // the graph has an answer, if not as good a one
	}
	place, ok, err := p.services.Look(ctx, options, st, file.Path, at)
	if !ok || err != nil {
		return nil, err
	}
	res, err := query.AnswerLook(ctx, s.snap, args, file, place)
	if place == nil && err != nil {
		return nil, p.nothingAt(s.snap, file, at, laid)
	}
	return res, err
}

// nothingAt says what is at a position instead of a name.
func (p *Project) nothingAt(g *graph.Snapshot, file *graph.File, at graph.Pos, laid map[string][]byte) error {
	var text []byte
	_ = p.fill(filling(func(read func(string) ([]byte, error)) error {
		src, err := read(file.Path)
		text = src
		return err
	}), laid) // without the text less is said
	return query.NothingAt(g, file, at, text)
}

// filling is a function as a [filler].
type filling func(read func(path string) ([]byte, error)) error

func (f filling) Fill(read func(path string) ([]byte, error)) error { return f(read) }
