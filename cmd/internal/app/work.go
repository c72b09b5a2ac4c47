package app

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk"
)

// Targets rewrites paths that a person or an agent gave so that they start at the root.
// Relative ones start at base, or at the root when it is empty. A path that leaves the
// project is an [OutsideError].
func Targets(root, base string, paths []string) ([]string, error) {
	if base == "" {
		base = root
	}
	var out []string
	for _, p := range paths {
		if p == "" {
			continue
		}
		abs := p
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(base, p)
		}
		local, ok := localPath(root, "", abs)
		if !ok {
			return nil, &OutsideError{p}
		}
		out = append(out, local)
	}
	return out, nil
}

// Check checks a project and prints what was found, in at most about so many tokens; 0 is
// no limit.
func Check(ctx context.Context, p *sdk.Project, o sdk.CheckOptions, form Form, budget int) (*report.Check, []byte, error) {
	res, err := p.Check(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	res.Budget = budget
	text, err := Render(res, form)
	return res, text, err
}

// Test runs tests and prints what came of them, like [Check].
func Test(ctx context.Context, p *sdk.Project, o sdk.TestOptions, form Form, budget int) (*report.Test, []byte, error) {
	res, err := p.Test(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	res.Budget = budget
	text, err := Render(res, form)
	return res, text, err
}

// Build builds a project and prints what came of it, like [Check].
func Build(ctx context.Context, p *sdk.Project, o sdk.BuildOptions, form Form, budget int) (*report.Build, []byte, error) {
	res, err := p.Build(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	res.Budget = budget
	text, err := Render(res, form)
	return res, text, err
}

// Progress tells of a run whoever is told of indexing; tell may be nil.
func Progress(tell func(sdk.Event)) func(report.Event) {
	if tell == nil {
		return nil
	}
	return func(e report.Event) {
		phase := e.Phase
		if e.Failed > 0 {
			phase = fmt.Sprintf("%s, %d failed", phase, e.Failed)
		}
		tell(sdk.Event{Phase: phase, Done: e.Done, Total: e.Total})
	}
}
