package golang_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang"
)

// seed adds the Go files of all scenarios.
func seed(f *testing.F) {
	names, err := filepath.Glob(filepath.Join(scenarios, "*.txtar"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no scenarios: %v", err)
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".go") {
				f.Add(file.Data)
			}
		}
	}
	f.Add([]byte("\ufeffpackage p\nfunc f(){}\x00\xff"))
	f.Add([]byte("package p\nfunc f() { `"))
	f.Add([]byte("package p;type T[P any]struct{T[P]};func(T[P])m(){}"))
	f.Add([]byte("package p;import . \"m/a\";import C \"C\";var _=C.X"))
}

func FuzzSummarize(f *testing.F) {
	seed(f)
	l := golang.Language()
	f.Fuzz(func(t *testing.T, src []byte) {
		a, b := l.Summarize("a.go", src), l.Summarize("a.go", src)
		if a.Shape != b.Shape || a.Hints != b.Hints {
			t.Error("a summary differs from itself")
		}
	})
}

// FuzzExtract checks that facts hang together whatever the source is.
func FuzzExtract(f *testing.F) {
	seed(f)
	f.Setenv("GOROOT", f.TempDir())
	f.Fuzz(func(t *testing.T, src []byte) {
		in := project(map[string][]byte{
			"go.mod": []byte("module m\n"), "a/a.go": src, "b/b.go": []byte("package b\nimport . \"m/a\"\nvar X = F(T{})\n"),
			"a/z_test.go": src,
		})
		for _, u := range in.Units {
			for _, facts := range extractAll(t, in, []lang.Unit{u}) {
				checkFacts(t, facts, map[string][]byte{"a/a.go": src, "a/z_test.go": src})
			}
		}
		extractAll(t, in, in.Units)
	})
}

func checkFacts(t *testing.T, f *graph.Facts, files map[string][]byte) {
	t.Helper()
	symbol := func(i int) {
		if i < 0 || i >= len(f.Symbols) {
			t.Fatalf("symbol %d of %d", i, len(f.Symbols))
		}
	}
	seen := map[graph.Symbol]bool{}
	for _, s := range f.Symbols {
		if seen[s] {
			t.Errorf("symbol %v twice", s)
		}
		seen[s] = true
	}
	pos := func(file int, p graph.Pos) {
		src, ok := files[f.Files[file].Path]
		if !ok {
			return
		}
		lines := strings.Split(string(src), "\n")
		if p.Line < 1 || int(p.Line) > len(lines) || p.Col < 1 || int(p.Col) > utf8.RuneCountInString(lines[p.Line-1])+1 {
			t.Errorf("%s: no position %v", f.Files[file].Path, p)
		}
	}
	for _, d := range f.Decls {
		symbol(d.Sym)
		if d.Parent >= 0 {
			symbol(d.Parent)
		}
		pos(d.File, d.Name)
		if d.Full.End < d.Full.Off || d.Full.EndLine < d.Full.Line {
			t.Errorf("span %v", d.Full)
		}
		if !utf8.ValidString(d.Sig) || !utf8.ValidString(d.Doc) || strings.Contains(d.Sig, "\n") {
			t.Errorf("signature %q, doc %q", d.Sig, d.Doc)
		}
	}
	for _, e := range f.Edges {
		symbol(e.From)
		symbol(e.To)
		pos(e.File, e.Pos)
	}
	for _, m := range f.Missing {
		pos(m.File, m.Pos)
	}
	for _, m := range f.Types {
		symbol(m.Sym)
		for _, x := range m.Methods {
			symbol(x.Sym)
		}
	}
}
