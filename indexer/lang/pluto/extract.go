package pluto

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// extract checks each unit with the compiler and writes down what it found.
func extract(ctx context.Context, in *lang.Input, todo []lang.Unit, emit func(*graph.Facts) error) error {
	records := recorded(in)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(in.Workers, 1))
	for _, unit := range todo {
		g.Go(func() error {
			facts, err := extractUnit(ctx, in, unit, records)
			if err != nil {
				return err
			}
			if in.Progress != nil {
				in.Progress(len(unit.Files))
			}
			return emit(facts)
		})
	}
	return g.Wait()
}

func extractUnit(ctx context.Context, in *lang.Input, unit lang.Unit, records identity.Recorded) (*graph.Facts, error) {
	ws, err := workspace.Build(ctx, workspace.Input{Root: in.Root, Files: unit.Files, Read: in.ReadFile}, nil)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", unit.Name, err)
	}
	checked, err := ws.Checked(ctx)
	if err != nil {
		return nil, fmt.Errorf("checking %s: %w", unit.Name, err)
	}
	b := newBuilder(unit.Name, ws, checked, records)
	files := map[string]lang.File{}
	for _, f := range in.Files {
		files[f.Path] = f
	}
	for i, p := range unit.Files {
		b.file(i, files[p])
	}
	for i, p := range unit.Files {
		if ws.Module(p) != nil && ws.Module(p).Path == p {
			b.uses(i, p)
		}
	}
	return b.f, ctx.Err()
}

// records is where the ids are that follow from nothing in the sources.
const records = ".sett/pluto-ids.json"

// recorded reads the ids that renames have left. Those that cannot be read are as good as
// none here; whoever edits the project hears of it.
func recorded(in *lang.Input) identity.Recorded {
	data, err := in.ReadFile(records)
	if err != nil {
		return nil
	}
	r, _, err := identity.Decode(data)
	if err != nil {
		return nil
	}
	return r
}
