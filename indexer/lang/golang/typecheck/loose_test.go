package typecheck_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/indexer/lang"
)

// TestLoose checks what only a name makes the go command build. Each archive is a project;
// its comment says, for some files or for "all", what is found when they are asked about.
func TestLoose(t *testing.T) {
	files, err := filepath.Glob("testdata/loose/*.txtar")
	if err != nil || len(files) < 6 {
		t.Fatalf("found %d projects, want at least 6 (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			comment := string(a.Comment)
			a.Comment = nil
			p := write(t, string(txtar.Format(a)))
			asked := 0
			for _, part := range strings.Split(comment, "check ")[1:] {
				asked++
				what, want, _ := strings.Cut(part, "\n")
				in := p.input(t)
				var scope lang.Scope
				if what != "all" {
					scope.Files = strings.Fields(what)
				}
				c := newChecker(t)
				out := check(t, c, in, scope)
				again := check(t, c, in, scope)
				got := render(out.Findings)
				for _, n := range out.Notes {
					got = append(got, "note: "+n)
				}
				if !slices.Equal(render(out.Findings), render(again.Findings)) {
					t.Errorf("check %s: then\n%s", what, strings.Join(render(again.Findings), "\n"))
				}
				if strings.TrimSpace(want) != strings.Join(got, "\n") {
					t.Errorf("check %s: found\n%s\nwant\n%s", what, strings.Join(got, "\n"), want)
				}
			}
			if asked == 0 {
				t.Error("nothing is asked")
			}
		})
	}
}
