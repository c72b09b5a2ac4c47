package golang_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const layouts = "../../../testdata/lang/golayouts"

// TestLayouts compares projects of several modules with what the go command makes of
// them. A line "in FOLDER [VAR=VALUE...]" of a layout's comment asks the go command
// there.
func TestLayouts(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(layouts, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 6 {
		t.Fatalf("only %d layouts", len(names))
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for _, f := range a.Files {
				p := filepath.Join(dir, filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			moduleDir(t, "golang.org/x/tools") // skips where there is no go command
			want, files := map[site]string{}, map[string]bool{}
			for line := range strings.Lines(string(a.Comment)) {
				words := strings.Fields(line)
				if len(words) >= 2 && words[0] == "in" {
					askOracle(t, dir, words[1], want, files, words[2:]...)
				}
			}
			compare(t, dir, want, files, 3)
		})
	}
}
