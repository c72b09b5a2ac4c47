package app

import (
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
