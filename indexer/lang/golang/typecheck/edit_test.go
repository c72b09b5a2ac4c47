package typecheck_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang/typecheck"
)

const small = `
-- go.mod --
module example.com/m

go 1.24
-- a/a.go --
package a

type T struct{ N int }

func (t T) Get() int { return t.N }
-- a/export_test.go --
package a

func (t T) ForTests() int { return t.N }
-- a/a_test.go --
package a_test

import (
	"testing"

	"example.com/m/a"
	"example.com/m/b"
)

func TestIt(t *testing.T) {
	if b.Make().ForTests() != 0 || (a.T{}).Get() != 0 {
		t.Fatal()
	}
}
-- b/b.go --
package b

import "example.com/m/a"

func Make() a.T { return a.T{} }
-- c/c.go --
package c

import "example.com/m/b"

func Use() int { return b.Make().Get() }
`

func write(t testing.TB, archive string) *project {
	t.Helper()
	p := &project{root: t.TempDir(), over: map[string]string{}}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(p.root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// TestEdits lays unsaved texts over a project, one after the other; what a warm checker
// finds must be what a new one finds.
func TestEdits(t *testing.T) {
	p := write(t, small)
	c := typecheck.New()
	defer c.Close()
	a := "package a\n\ntype T struct{ N int }\n\n"
	steps := []struct {
		file, text string
		want       string // part of a finding; "" for none
	}{
		{"", "", ""},
		{"a/a.go", a + "func (t T) Get() int { return t.M }\n", "a/a.go:5:33: t.M undefined"},
		{"a/a.go", a + "func (t T) Get() string { return \"\" }\n", "c/c.go:5:25: cannot use b.Make().Get()"},
		{"a/a.go", a + "func (t T) Get() int { return }\n", "a/a.go:5:24: not enough return values"},
		{"a/a.go", a + "func (t T) Get() int { return 1 \n", "a/a.go:6:1: syntax error"},
		{"a/a.go", a + "func (t T) Get() int { return 1 }\n", ""},
		{"b/b.go", "package b\n\nimport \"example.com/m/c\"\n\nvar X = c.Use\n", "import cycle not allowed"},
		{"b/b.go", "package b\n\nimport \"example.com/m/a\"\n\nfunc Make() a.T { return a.T{} }\n", ""},
		{"d/d.go", "package d\n\nimport \"example.com/m/nothing\"\n", "d/d.go:3:8: "},
		{"d/d.go", "package d\n", ""},
		{"a/export_test.go", "package a\n\nfunc (t T) Other() {}\n", "a/a_test.go:11:14: b.Make().ForTests undefined"},
	}
	for i, s := range steps {
		if s.file != "" {
			p.over[s.file] = s.text
		}
		in := p.input(t)
		warm := render(check(t, c, in, lang.Scope{}).Findings)
		cold := render(checkAll(t, p).Findings)
		if !slices.Equal(warm, cold) {
			t.Errorf("step %d: warm\n%s\ncold\n%s", i, strings.Join(warm, "\n"), strings.Join(cold, "\n"))
		}
		if s.want == "" && len(cold) > 0 || s.want != "" && !strings.Contains(strings.Join(cold, "\n"), s.want) {
			t.Errorf("step %d: found %q, want %q", i, cold, s.want)
		}
		for _, f := range in.Files {
			part := check(t, c, in, lang.Scope{Files: []string{f.Path}})
			for _, line := range render(part.Findings) {
				_, words, _ := strings.Cut(line, ": ")
				if !slices.ContainsFunc(cold, func(c string) bool {
					// A cycle is told where it is asked about.
					return c == line || strings.HasSuffix(words, "import cycle not allowed") && strings.HasSuffix(c, words)
				}) {
					t.Errorf("step %d: only a check of %s finds %s", i, f.Path, line)
				}
			}
			for _, line := range cold {
				if strings.HasPrefix(line, f.Path+":") && !slices.Contains(render(part.Findings), line) {
					t.Errorf("step %d: a check of %s does not find %s", i, f.Path, line)
				}
			}
		}
	}
}

// TestWithoutGo reads dependencies from their sources when there is no go command.
func TestWithoutGo(t *testing.T) {
	p := write(t, small)
	t.Setenv("PATH", t.TempDir())
	out := checkAll(t, p)
	if len(out.Findings) > 0 || out.Files != 5 {
		t.Errorf("%d files, found %q, notes %q", out.Files, render(out.Findings), out.Notes)
	}
}

func FuzzCheck(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, x := range a.Files {
			if strings.HasSuffix(x.Name, ".go") {
				f.Add(string(x.Data))
			}
		}
	}
	p := write(f, small)
	c := typecheck.New()
	f.Fuzz(func(t *testing.T, text string) {
		p.over["a/a.go"] = text
		out, err := c.Check(context.Background(), p.input(t), lang.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range out.Notes {
			if strings.Contains(n, "check failed") {
				t.Fatal(n)
			}
		}
	})
}

// TestCancel ends a check in the middle: it says so, and the next one is not led astray.
func TestCancel(t *testing.T) {
	p := write(t, small)
	p.over["c/c.go"] = "package c\n\nimport \"example.com/m/b\"\n\nvar X string = b.Make().Get()\n"
	c := newChecker(t)
	in := p.input(t)
	read := in.ReadFile
	for stop := range 8 {
		ctx, cancel := context.WithCancel(context.Background())
		var n atomic.Int32
		in.ReadFile = func(path string) ([]byte, error) {
			if int(n.Add(1)) > stop {
				cancel()
			}
			return read(path)
		}
		out, err := c.Check(ctx, in, lang.Scope{})
		cancel()
		if err == nil && int(n.Load()) > stop || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("canceled after %d files: %v, %v", stop, out, err)
		}
		in.ReadFile = read
		if got := render(check(t, c, in, lang.Scope{}).Findings); len(got) != 1 || !strings.HasPrefix(got[0], "c/c.go:5:16: cannot use") {
			t.Fatalf("after a canceled check: %q", got)
		}
		c.Close()
	}
}
