package typecheck_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/query/report"
)

// TestBroken compares what is found in broken projects with what the go command printed
// about them. Each archive is a project; its file "want" is the go command's words (see
// TestGoCommand for how they were got), with the lines that follow a finding indented.
// Findings without a position in the go command's output may be anywhere.
func TestBroken(t *testing.T) {
	eachBroken(t, func(t *testing.T, root string, want []string) {
		out := checkAll(t, &project{root: root})
		compare(t, render(out.Findings), want)
	})
}

func eachBroken(t *testing.T, f func(t *testing.T, root string, want []string)) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 60 {
		t.Fatalf("found %d broken projects, want at least 60", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			var want []string
			for _, x := range a.Files {
				if x.Name == "want" {
					want = paragraphs(string(x.Data))
					continue
				}
				name := filepath.Join(root, filepath.FromSlash(x.Name))
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, x.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			f(t, root, want)
		})
	}
}

// paragraphs splits text into lines, each with the indented ones that follow it.
func paragraphs(text string) []string {
	var out []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		switch {
		case strings.HasPrefix(line, "\t") && len(out) > 0:
			out[len(out)-1] += "\n" + line
		case line != "":
			out = append(out, line)
		}
	}
	return out
}

// render says findings as the go command does.
func render(ds []report.Diagnostic) []string {
	var out []string
	for _, d := range ds {
		line := fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Col, d.Message)
		for _, r := range d.Related {
			line += fmt.Sprintf("\n\t%s:%d:%d: %s", r.File, r.Line, r.Col, r.Message)
		}
		out = append(out, line)
	}
	return out
}

var positioned = regexp.MustCompile(`^\S+\.(go|mod|work):\d+`)
var goModPosition = regexp.MustCompile(`^(go\.mod:\d+):\d+: `)
var root = regexp.MustCompile(`(/[^\s:]*)?/TestBroken[^/]*/\d+`)

func compare(t *testing.T, got, want []string) {
	t.Helper()
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], runtime.GOROOT(), "GOROOT")
		got[i] = root.ReplaceAllString(goModPosition.ReplaceAllString(got[i], "$1: "), "ROOT")
	}
	used := make([]bool, len(got))
	for _, w := range want {
		i := slices.IndexFunc(got, func(g string) bool { return same(g, w) })
		if i < 0 {
			t.Errorf("not found: %s", w)
			continue
		}
		used[i] = true
	}
	for i, g := range got {
		if !used[i] {
			t.Errorf("not what go says: %s", g)
		}
	}
}

func same(got, want string) bool {
	want, _, _ = strings.Cut(want, "\n\t$GOROOT") // a related place outside the project
	if positioned.MatchString(want) {
		return got == want
	}
	_, msg, ok := strings.Cut(got, ": ")
	return ok && strings.HasSuffix(want, msg)
}
