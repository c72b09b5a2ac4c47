package plutoeval

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
)

// TestScenarios evaluates the programs of the compiler's scenarios, whose output people wrote
// down, as far as the evaluator can tell what they do.
func TestScenarios(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/run/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	ran, unknown := 0, map[string]int{}
	for _, p := range paths {
		archive, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		sections := map[string]map[string]string{} // by case
		for _, f := range archive.Files {
			name := path.Dir(f.Name)
			if sections[name] == nil {
				sections[name] = map[string]string{}
			}
			sections[name][path.Base(f.Name)] = string(f.Data)
		}
		for name, s := range sections {
			want, ok := s["stdout"]
			if s["main.pluto"] == "" || !ok || hasAny(s, "test", "error", "stdin", "args") {
				continue
			}
			program := check.Check(load.LoadText("main.pluto", s["main.pluto"], load.Options{Standalone: true, Offline: true}))
			if program.Diags.Errors() > 0 {
				continue // it has other files, or is meant to be wrong
			}
			got := Run(program)
			if got.Unknown != "" {
				unknown[got.Unknown]++
				continue
			}
			ran++
			if strings.TrimSuffix(got.Stdout, "\n") != strings.TrimSuffix(want, "\n") {
				t.Errorf("%s/%s prints\n%s\nwant\n%s", filepath.Base(p), name, got.Stdout, want)
			}
		}
	}
	t.Logf("%d programs were evaluated; of others: %v", ran, unknown)
	if ran < 200 {
		t.Errorf("only %d programs were evaluated; of others: %v", ran, unknown)
	}
}

func hasAny(s map[string]string, names ...string) bool {
	for _, name := range names {
		if _, ok := s[name]; ok {
			return true
		}
	}
	return false
}
