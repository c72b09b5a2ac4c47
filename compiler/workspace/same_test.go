package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
)

// TestSame compares what is said of each program of the corpora with what `sett check` says
// of it, and all of it with what is said of the project.
func TestSame(t *testing.T) {
	projects, alone, several := 0, 0, 0
	for _, pattern := range []string{"modules/*.txtar", "run/*.txtar"} {
		archives, err := filepath.Glob(filepath.Join("..", "testdata", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, archive := range archives {
			for name, f := range cases(t, archive) {
				projects++
				root := t.TempDir()
				s := build(t, f.write(t, root), nil)
				n := same(t, filepath.Base(archive)+"/"+name, s, root)
				if n == 1 {
					alone++
				} else {
					several++
				}
			}
		}
	}
	t.Logf("%d projects, %d of them one program", projects, alone)
	if projects < 300 || several < 10 {
		t.Errorf("%d projects, %d with several programs", projects, several)
	}
}

// cases are the projects of an archive: what is in its folders.
func cases(t *testing.T, archive string) map[string]files {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]files{}
	for _, f := range ar.Files {
		name, rest, ok := strings.Cut(f.Name, "/")
		if !ok {
			name, rest = strings.TrimSuffix(f.Name, filepath.Ext(f.Name)), f.Name
		}
		if out[name] == nil {
			out[name] = files{}
		}
		out[name][rest] = string(f.Data)
	}
	return out
}

func same(t *testing.T, name string, s *State, root string) (programs int) {
	t.Helper()
	c := checked(t, s)
	main := false
	var all []string
	for i, g := range s.groups {
		o := load.Options{Standalone: g.Standalone, Test: g.Test, Base: root, Offline: true}
		want := check.Check(load.Load(filepath.Join(root, g.Entry), o)).Diags.Sorted()
		if x, y := say(c.results[i].diags), say(want); x != y {
			t.Errorf("%s: %s:\ngot\n%swant\n%s", name, g.Entry, x, y)
		}
		if !g.Test {
			programs++
			main = main || g.Entry == "main.pluto"
		}
		for _, d := range want {
			all = append(all, say([]*diag.Diagnostic{d}))
		}
		if len(s.groups) == 1 {
			if x, y := say(c.Diags("")), say(want); x != y {
				t.Errorf("%s: project:\ngot\n%swant\n%s", name, x, y)
			}
		}
	}
	if m := s.Module("main.pluto"); !main && m != nil && starts(m.File) {
		t.Errorf("%s: main.pluto is no program: %s", name, groupText(s))
	}
	for _, d := range c.Diags("") {
		if !slices.Contains(all, say([]*diag.Diagnostic{d})) {
			t.Errorf("%s: nobody says %s", name, say([]*diag.Diagnostic{d}))
		}
	}
	covered := map[string]bool{}
	for _, g := range s.Groups() {
		cover(covered, g.Closure)
	}
	for _, m := range s.Modules() {
		if !covered[m.Path] {
			t.Errorf("%s: %s is in no program", name, m.Path)
		}
	}
	return programs
}
