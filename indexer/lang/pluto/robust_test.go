package pluto_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang/pluto"
)

// corpus is the projects of the compiler's tests.
func corpus(t testing.TB) []map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../../compiler/testdata/modules/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no projects: %v", err)
	}
	var out []map[string]string
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		// The files of a case lie in a folder of its name.
		cases := map[string]map[string]string{}
		for _, f := range a.Files {
			name, rest, ok := strings.Cut(f.Name, "/")
			if !ok {
				name, rest = "", f.Name
			}
			if cases[name] == nil {
				cases[name] = map[string]string{}
				out = append(out, cases[name])
			}
			cases[name][rest] = string(f.Data)
		}
	}
	return out
}

// Whatever the files hold, there are facts, and they make a graph without contradictions.
func TestMutilated(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	projects, broken := 0, 0
	for i, files := range corpus(t) {
		if i%4 != 0 {
			continue
		}
		for range 2 {
			mutant := map[string]string{}
			for name, text := range files {
				if name = filepath.Clean(name); !filepath.IsLocal(name) {
					continue
				}
				mutant[name] = mutilate(r, text)
			}
			projects++
			if s := describe(t, project(t, mutant)); strings.Contains(s, " broken\n") {
				broken++
			}
		}
	}
	if projects < 50 || broken < 10 {
		t.Errorf("%d projects, %d of them broken", projects, broken)
	}
}

// mutilate takes a piece away, repeats one, or puts bytes in.
func mutilate(r *rand.Rand, text string) string {
	if len(text) < 4 {
		return text
	}
	i := r.Intn(len(text) - 1)
	j := i + 1 + r.Intn(min(len(text)-i-1, 30))
	switch r.Intn(5) {
	case 0:
		return text[:i] + text[j:]
	case 1:
		return text[:j] + text[i:]
	case 2:
		return text[:i] + string([]byte{byte(r.Intn(256)), 0xff, 0}) + text[i:]
	case 3:
		return "PLTO" + text
	}
	return text
}

// Every declaration and use in the graph is where the text has its name.
func TestPlaces(t *testing.T) {
	checked := 0
	for _, files := range corpus(t) {
		local := map[string]string{}
		for name, text := range files {
			if filepath.IsLocal(name) {
				local[filepath.Clean(name)] = text
			}
		}
		in := project(t, local)
		for _, f := range facts(t, in, in.Units) {
			at := func(file int, pos graph.Pos, n int) string {
				lines := strings.Split(local[f.Files[file].Path], "\n")
				if pos.Line == 0 || int(pos.Line) > len(lines) {
					return fmt.Sprintf("line %d", pos.Line)
				}
				line := []rune(lines[pos.Line-1])
				if pos.Col == 0 || int(pos.Col)-1+n > len(line) {
					return fmt.Sprintf("column %d", pos.Col)
				}
				return string(line[pos.Col-1 : int(pos.Col)-1+n])
			}
			for _, d := range f.Decls {
				y := f.Symbols[d.Sym]
				if y.Kind == graph.KindFile || y.Kind == graph.KindTest {
					continue
				}
				if got := at(d.File, d.Name, len([]rune(y.Name()))); got != y.Name() {
					t.Errorf("%s: %s is said to be at %v, where %q is", f.Files[d.File].Path, y.Qual, d.Name, got)
				}
				if d.UUID == [16]byte{} {
					t.Errorf("%s: %s has no id", f.Files[d.File].Path, y.Qual)
				}
			}
			for _, e := range f.Edges {
				y := f.Symbols[e.To]
				if e.Len != 0 || y.Qual == "" || e.Kind == graph.EdgeImplements || e.Kind == graph.EdgeOverrides {
					continue
				}
				checked++
				if got := at(e.File, e.Pos, len([]rune(y.Name()))); got != y.Name() {
					t.Errorf("%s: a use of %s is said to be at %v, where %q is", f.Files[e.File].Path, y.Qual, e.Pos, got)
				}
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d uses", checked)
	}
}

// A local is found at its declaration and at each of its uses, and is the same one there;
// no position is too odd to ask about.
func TestLocals(t *testing.T) {
	const text = "import std.strings as text\n\nfn f<T>(a: T, n: int) int {\n    let mut s = n\n    for i in 0..n {\n        s = s + text.len(\"é\") + i\n    }\n    return s\n}\n"
	in := project(t, map[string]string{"a.pluto": text})
	find := pluto.Language().Locals
	for _, c := range []struct {
		line, col uint32
		want      string
	}{
		{4, 13, "variable s let mut s 4:13 [6:9 writes 6:13 reads 8:12 reads]"},
		{8, 12, "variable s let mut s 4:13 [6:9 writes 6:13 reads 8:12 reads]"},
		{3, 15, "parameter n n: int 3:15 [4:17 reads 5:17 reads]"},
		{6, 33, "variable i for i in 0..n 5:9 [6:33 reads]"},
		{6, 18, "import text import std.strings as text 1:23 [6:17 refs]"},
		{3, 12, "type parameter T T 3:6 [3:12 typeref]"},
	} {
		l, err := find(context.Background(), in, "a.pluto", graph.Pos{Line: c.line, Col: c.col})
		if err != nil || l == nil {
			t.Errorf("%d:%d: %v, %v", c.line, c.col, l, err)
			continue
		}
		var sites []string
		for _, s := range l.Sites {
			sites = append(sites, fmt.Sprintf("%d:%d %s", s.Line, s.Col, s.Kind))
		}
		if got := fmt.Sprintf("%s %s %s %d:%d %v", l.Kind, l.Name, l.Sig, l.Decl.Line, l.Decl.Col, sites); got != c.want {
			t.Errorf("%d:%d: got  %s\nwant %s", c.line, c.col, got, c.want)
		}
	}
	for line := range uint32(12) {
		for col := range uint32(45) {
			if _, err := find(context.Background(), in, "a.pluto", graph.Pos{Line: line, Col: col}); err != nil {
				t.Errorf("%d:%d: %v", line, col, err)
			}
		}
	}
	if l, err := find(context.Background(), in, "a.pluto", graph.Pos{Line: 3, Col: 4}); l != nil || err != nil {
		t.Errorf("the function is taken for a local: %v, %v", l, err)
	}
	if err := os.WriteFile(filepath.Join(in.Root, "b.pluto"), []byte("PLTO\x04"), 0o644); err != nil {
		t.Fatal(err)
	}
	if l, err := find(context.Background(), in, "b.pluto", graph.Pos{Line: 1, Col: 1}); l != nil || err != nil {
		t.Errorf("a damaged file has a local: %v, %v", l, err)
	}
}
