package golang_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang"
)

// A mark is a position in a scenario, at which « stands.
type mark struct {
	file string
	at   graph.Pos
}

// lookScenario reads a scenario: the files without their marks, the marks, and the archive.
func lookScenario(tb testing.TB, name string) (map[string][]byte, []mark, *txtar.Archive) {
	tb.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	files := map[string][]byte{}
	var marks []mark
	for _, f := range a.Files {
		if f.Name == "want" {
			continue
		}
		var out []byte
		for rest := f.Data; ; {
			before, after, found := bytes.Cut(rest, []byte("«"))
			out = append(out, before...)
			if !found {
				break
			}
			line := out[bytes.LastIndexByte(out, '\n')+1:]
			marks = append(marks, mark{f.Name, graph.Pos{
				Line: uint32(bytes.Count(out, []byte("\n"))) + 1, Col: uint32(utf8.RuneCount(line)) + 1,
			}})
			rest = after
		}
		files[f.Name] = out
	}
	return files, marks, a
}

// TestLook asks about every mark of the scenarios. UPDATE=1 writes what is answered.
func TestLook(t *testing.T) {
	names, err := filepath.Glob("testdata/look/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			files, marks, a := lookScenario(t, name)
			total += len(marks)
			in := project(files)
			l := golang.Language().Looker()
			defer l.Close()
			var got strings.Builder
			for _, m := range marks {
				p, err := l.Look(context.Background(), in, m.file, m.at)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&got, "%s:%d:%d %s\n", m.file, m.at.Line, m.at.Col, placeLine(p))
			}
			want := &a.Files[len(a.Files)-1]
			if want.Name != "want" {
				t.Fatal("the last file is not the one that says what is wanted")
			}
			if os.Getenv("UPDATE") != "" {
				want.Data = []byte(got.String())
				if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			mine, theirs := strings.Split(got.String(), "\n"), strings.Split(string(want.Data), "\n")
			for i := range max(len(mine), len(theirs)) {
				g, w := lineAt(mine, i), lineAt(theirs, i)
				if g != w {
					t.Errorf("\ngot  %s\nwant %s", g, w)
				}
			}
		})
	}
	if total < 120 {
		t.Errorf("only %d positions", total)
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// placeLine writes an answer. Of what is outside the project it has no lines, which differ
// between releases.
func placeLine(p *graph.Place) string {
	if p == nil {
		return "nothing"
	}
	s := cmp.Or(p.Name, p.Expr) + ": " + p.Kind
	if p.Sig != "" {
		s += " | " + p.Sig
	}
	if p.Type != "" && !strings.HasSuffix(p.Sig, p.Type) {
		s += " | type " + p.Type
	}
	if p.Value != "" && !strings.Contains(p.Sig, p.Value) {
		s += " | = " + p.Value
	}
	if first, _, _ := strings.Cut(p.Doc, "\n"); first != "" {
		s += " | // " + cmp.Or(first[:min(len(first), 40)], first)
	}
	for _, d := range p.Defs {
		if d.Outside {
			s += fmt.Sprintf(" -> %s %s %s in %s", d.Kind, d.Name, d.Module, filepath.Base(d.File))
		} else {
			s += fmt.Sprintf(" -> %s %s %s:%d:%d", d.Kind, d.Name, d.File, d.Span.Line, d.Span.Col)
		}
	}
	return s
}

// TestLookAfterEdit asks again after a file has changed.
func TestLookAfterEdit(t *testing.T) {
	l := golang.Language().Looker()
	defer l.Close()
	files := map[string][]byte{
		"go.mod": []byte("module example.com/m\n\ngo 1.26\n"),
		"a.go":   []byte("package m\n\nvar X = f()\n"),
		"b.go":   []byte("package m\n\nfunc f() int { return 1 }\n"),
	}
	ask := func(files map[string][]byte) string {
		p, err := l.Look(context.Background(), project(files), "a.go", graph.Pos{Line: 3, Col: 5})
		if err != nil {
			t.Fatal(err)
		}
		return placeLine(p)
	}
	for _, typ := range []string{"int", "string", "[]Missing", "error"} {
		files["b.go"] = []byte("package m\n\nfunc f() " + typ + " { panic(1) }\n")
		want := "X: variable | var X " + strings.ReplaceAll(typ, "Missing", "invalid type")
		if got := ask(files); !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	files["go.mod"] = []byte("module example.com/other\n")
	delete(files, "b.go")
	if got := ask(files); !strings.HasPrefix(got, "X: variable | var X invalid type") {
		t.Errorf("got %s", got)
	}
}

// TestLookAtOnce asks one looker from several goroutines, about projects that differ.
func TestLookAtOnce(t *testing.T) {
	l := golang.Language().Looker()
	defer l.Close()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			typ := []string{"int", "string", "bool", "error"}[i]
			in := project(map[string][]byte{"go.mod": []byte("module m\n"), "a.go": []byte("package m\n\nvar X " + typ + "\n")})
			for range 20 {
				p, err := l.Look(context.Background(), in, "a.go", graph.Pos{Line: 3, Col: 5})
				if err != nil || p == nil || p.Type != typ {
					t.Errorf("got %v, %v, want %s", p, err, typ)
					return
				}
			}
		})
	}
	wg.Wait()
}

// FuzzLook asks about any position of any text.
func FuzzLook(f *testing.F) {
	names, err := filepath.Glob("testdata/look/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		files, marks, _ := lookScenario(f, name)
		for i, m := range marks {
			if i%8 == 0 {
				f.Add(files[m.file], m.at.Line, m.at.Col)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, line, col uint32) {
		in := project(map[string][]byte{
			"go.mod": []byte("module example.com/m\n"), "a.go": src, "b.go": []byte("package m\n\ntype T[E any] struct{ F E }\n"),
		})
		l := golang.Language().Looker()
		defer l.Close()
		if _, err := l.Look(context.Background(), in, "a.go", graph.Pos{Line: line, Col: col}); err != nil {
			t.Fatal(err)
		}
	})
}

var _ lang.Looker = golang.Language().Looker()
