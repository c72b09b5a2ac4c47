package refactor_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/settgraph/sett/compiler/compilertest"
	"github.com/settgraph/sett/compiler/refactor"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// TestRunsTheSame renames and moves things in programs: they print what they printed.
func TestRunsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	projects := corpus(t)
	r.Shuffle(len(projects), func(i, j int) { projects[i], projects[j] = projects[j], projects[i] })
	var cases []compilertest.Case
	edits := 0
	for _, p := range projects {
		if len(cases) >= 2*runs {
			break
		}
		s := build(t, p.files)
		if len(errorsOf(t, s)) > 0 || s.Decl(xref.Key{File: "main.pluto", Kind: xref.Function, Qual: "main"}) == nil {
			continue
		}
		first := s
		for step := range 12 {
			if plan := quiet(r, s, step); plan != nil {
				s = carryOut(t, s, plan)
				edits++
			}
		}
		if s == first {
			continue
		}
		cases = append(cases,
			compilertest.Case{Name: p.name + " before", Files: maps.Clone(p.files)},
			compilertest.Case{Name: p.name + " after", Files: texts(s)})
	}
	results := compilertest.Results(t, cases)
	for i := 0; i < len(results); i += 2 {
		before, after := results[i], results[i+1]
		if before.Fault != "" {
			continue // it needs what is not given here
		}
		if before.Stdout != after.Stdout || before.Exit != after.Exit || after.Refused != "" && before.Refused == "" || after.Fault != "" {
			t.Errorf("%s: printed %q, exit %d; then %q, exit %d %s%s:\n%v",
				cases[i].Name, before.Stdout, before.Exit, after.Stdout, after.Exit, after.Refused, after.Fault, cases[i+1].Files)
		}
	}
	t.Logf("%d programs, %d edits", len(cases)/2, edits)
	if len(cases) < runs || edits < 2*runs {
		t.Errorf("%d programs with %d edits ran", len(cases)/2, edits)
	}
}

// quiet plans a random edit that no program can see. Those of errors may show in what is
// printed when one escapes.
func quiet(r *rand.Rand, s *workspace.State, step int) *refactor.Plan {
	ctx := context.Background()
	all := declarations(s)
	d := all[r.IntN(len(all))]
	if d.Kind == xref.Error || d.Kind == xref.Field && d.Parent.Kind == xref.Error {
		return nil
	}
	modules := s.Modules()
	var plan *refactor.Plan
	var err error
	switch r.IntN(4) {
	case 0:
		plan, err = refactor.Move(ctx, s, d.Key, modules[r.IntN(len(modules))].Path, refactor.Position{})
	case 1:
		plan, err = refactor.Rename(ctx, s, d.Key, all[r.IntN(len(all))].Name, refactor.RenameOptions{})
	default:
		plan, err = refactor.Rename(ctx, s, d.Key, fmt.Sprintf("Fresh%d", step), refactor.RenameOptions{})
	}
	if err != nil {
		return nil
	}
	return plan
}
