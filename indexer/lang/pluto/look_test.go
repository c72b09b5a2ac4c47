package pluto_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/pluto"
)

// TestLook asks about every position that the archives in testdata/look mark: each `^` in a line
// that begins with blanks and `//^` points at a column of the line above, and is no part of the
// file. The section "want" has the answers. UPDATE=1 rewrites it.
func TestLook(t *testing.T) {
	paths, err := filepath.Glob("testdata/look/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d archives, %v", len(paths), err)
	}
	positions := 0
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { positions += looks(t, path) })
	}
	if positions < 100 {
		t.Errorf("only %d positions", positions)
	}
}

func looks(t *testing.T, path string) int {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files, want, at := map[string]string{}, "", -1
	type mark struct {
		file string
		pos  graph.Pos
	}
	var marks []mark
	for i, f := range a.Files {
		if f.Name == "want" {
			want, at = string(f.Data), i
			continue
		}
		var text strings.Builder
		n := uint32(0)
		for line := range strings.Lines(string(f.Data)) {
			if !strings.HasPrefix(strings.TrimSpace(line), "//^") {
				text.WriteString(line)
				n++
				continue
			}
			for col, r := range []rune(line) {
				if r == '^' {
					marks = append(marks, mark{f.Name, graph.Pos{Line: n, Col: uint32(col + 1)}})
				}
			}
		}
		files[f.Name] = text.String()
	}
	in := project(t, files)
	if !strings.HasPrefix(filepath.Base(path), "broken") {
		if bad := findings(t, in, lang.Scope{}); strings.Contains(bad, " error ") && !strings.Contains(bad, "'gone'") {
			t.Errorf("the files have errors:\n%s", bad)
		}
	}
	l := pluto.Language().Looker()
	defer l.Close()
	var got strings.Builder
	for _, m := range marks {
		p, err := l.Look(context.Background(), in, m.file, m.pos)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s:%d:%d %s\n", m.file, m.pos.Line, m.pos.Col, placeText(in.Root, p))
	}
	if os.Getenv("UPDATE") != "" {
		if at < 0 {
			at = len(a.Files)
			a.Files = append(a.Files, txtar.File{Name: "want"})
		}
		a.Files[at].Data = []byte(got.String())
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return len(marks)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	return len(marks)
}

// placeText is a place on some lines: kind, name or expression, type; signature, comment and
// definitions below it.
func placeText(root string, p *graph.Place) string {
	if p == nil {
		return "nothing"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s", p.Kind, p.Name+p.Expr, p.Type)
	if p.Sig != "" {
		b.WriteString("\n  sig " + p.Sig)
	}
	if p.Doc != "" {
		b.WriteString("\n  doc " + strings.ReplaceAll(p.Doc, "\n", " | "))
	}
	for _, d := range p.Defs {
		fmt.Fprintf(&b, "\n  def %s %s %s:%d:%d", d.Kind, d.Name, strings.TrimPrefix(d.File, root+"/"), d.Span.Line, d.Span.Col)
		if d.Outside {
			b.WriteString(" outside, in " + d.Module)
		}
	}
	return b.String()
}

// A binary module answers by its text, a damaged one not at all, a view of a module neither.
func TestLookBinary(t *testing.T) {
	data, err := (&plto.File{Text: "// Two.\npub fn two() int {\n    return 2\n}\n"}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	in := project(t, map[string]string{
		"main.pluto": "import a\n\nfn main() {\n    print(a.two())\n}\n", "a.pluto": string(data), "a.pt": "pub fn two() int {\n}\n",
		"b.pluto": string(data[:len(data)-3]),
	})
	l := pluto.Language().Looker()
	defer l.Close()
	for _, c := range []struct {
		file      string
		line, col uint32
		want      string
	}{
		{"main.pluto", 4, 13, "function two: fn() int\n  sig pub fn two() int\n  doc Two.\n  def function a.two a.pluto:2:8"},
		{"a.pluto", 2, 8, "function two: fn() int\n  sig pub fn two() int\n  doc Two.\n  def function a.two a.pluto:2:8"},
		{"a.pluto", 3, 12, "expression 2: int"},
		{"a.pt", 1, 8, "nothing"},
		{"b.pluto", 1, 1, "nothing"},
		{"gone.pluto", 1, 1, "nothing"},
	} {
		p, err := l.Look(context.Background(), in, c.file, graph.Pos{Line: c.line, Col: c.col})
		if err != nil {
			t.Fatal(err)
		}
		if got := placeText(in.Root, p); got != c.want {
			t.Errorf("%s:%d:%d\ngot  %s\nwant %s", c.file, c.line, c.col, got, c.want)
		}
	}
}

// What a file holds now is what is answered, whether or not it was looked at before.
func TestLookEdited(t *testing.T) {
	before := map[string]string{"main.pluto": "import a\n\nfn main() {\n    let n = a.one()\n    print(n)\n}\n", "a.pluto": "pub fn one() int {\n    return 1\n}\n"}
	after := map[string]string{"main.pluto": before["main.pluto"], "a.pluto": "\npub fn one() string {\n    return \"1\"\n}\n"}
	in := project(t, before)
	l := pluto.Language().Looker()
	defer l.Close()
	for _, c := range []struct {
		in   *lang.Input
		want string
	}{
		{in, "variable n: int"}, {edited(t, in, after), "variable n: string"}, {in, "variable n: int"},
	} {
		p, err := l.Look(context.Background(), c.in, "main.pluto", graph.Pos{Line: 5, Col: 11})
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := strings.Cut(placeText(in.Root, p), "\n"); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// edited is the project with other texts laid over its files.
func edited(t *testing.T, in *lang.Input, files map[string]string) *lang.Input {
	t.Helper()
	other := project(t, files)
	other.Root = in.Root
	return other
}
