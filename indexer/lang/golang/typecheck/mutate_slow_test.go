//go:build slow

package typecheck_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang/typecheck"
)

// TestMutations breaks a real project at random places, one at a time, and compares the
// lines of what is found with the compiler's. MUTATE names the project's folder and
// MUTATIONS how many; with TESTS test files are broken too.
func TestMutations(t *testing.T) {
	dir := os.Getenv("MUTATE")
	if dir == "" {
		t.Skip("MUTATE names no project")
	}
	n, _ := strconv.Atoi(os.Getenv("MUTATIONS"))
	n = max(n, 10)
	p := &project{root: t.TempDir()}
	if err := os.CopyFS(p.root, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	c := typecheck.New()
	defer c.Close()
	in := p.input(t)
	if out := check(t, c, in, lang.Scope{}); len(out.Findings) > 0 {
		t.Fatal(render(out.Findings))
	}
	var files []string
	for _, f := range in.Files {
		if (!strings.HasSuffix(f.Path, "_test.go") || os.Getenv("TESTS") != "") && !strings.HasPrefix(f.Path, "_") && !strings.Contains(f.Path, "testdata/") {
			files = append(files, f.Path)
		}
	}
	r := rand.New(rand.NewPCG(uint64(n), 2))
	broken, equal := 0, 0
	for range n {
		file := files[r.IntN(len(files))]
		old, err := p.read(file)
		if err != nil {
			t.Fatal(err)
		}
		text, what := mutate(r, string(old))
		name := filepath.Join(p.root, filepath.FromSlash(file))
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		test := strings.HasSuffix(file, "_test.go")
		out := check(t, c, p.input(t), lang.Scope{NoTests: !test})
		got := lines(render(out.Findings))
		cmd := exec.Command("go", "build", "-gcflags=-e", "./...")
		if test { // what it breaks is only the tests of its own package
			cmd = exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-o", filepath.Join(t.TempDir(), "x.test"), "./"+path.Dir(file))
		}
		cmd.Dir = p.root
		b, _ := cmd.CombinedOutput()
		said := strings.ReplaceAll(string(b), "./", "")
		want := lines(strings.Split(said, "\n"))
		if len(want) > 0 {
			broken++
		}
		// Without compiling a test, the go command says only the first that its parser finds.
		first := strings.Contains(said, "[setup failed]") && len(want) == 1 && slices.Contains(got, want[0])
		if slices.Equal(got, want) || first || strings.Contains(said, "found packages ") && len(got) > 0 {
			equal++
		} else {
			t.Errorf("%s: %s\nfound %q\ngo    %q\n%s\n%s", file, what, got, want, strings.Join(render(out.Findings), "\n"), said)
		}
		if err := os.WriteFile(name, old, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d mutations, %d broke something, %d equal", n, broken, equal)
}

// lines keeps file and line of findings.
func lines(findings []string) []string {
	var out []string
	for _, f := range findings {
		if m := positioned.FindString(f); m != "" && !strings.HasPrefix(f, "\t") {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mutate changes one thing in a file.
func mutate(r *rand.Rand, src string) (text, what string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return src + "\n}", "a brace"
	}
	var idents []*ast.Ident
	type span struct{ from, to int }
	var spans []span
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			idents = append(idents, n)
		case *ast.CallExpr:
			for _, a := range n.Args {
				spans = append(spans, span{at(a.Pos()), at(a.End())})
			}
		case ast.Stmt:
			if _, block := n.(*ast.BlockStmt); !block {
				spans = append(spans, span{at(n.Pos()), at(n.End())})
			}
		case *ast.Field:
			spans = append(spans, span{at(n.Type.Pos()), at(n.Type.End())})
		}
		return true
	})
	pick := func() *ast.Ident { return idents[r.IntN(len(idents))] }
	cut := func(from, to int, with string) (string, string) {
		return src[:from] + with + src[to:], fmt.Sprintf("%q becomes %q at line %d", src[from:to], with, 1+strings.Count(src[:from], "\n"))
	}
	switch r.IntN(7) {
	case 0:
		i := pick()
		return cut(at(i.Pos()), at(i.End()), pick().Name)
	case 1:
		i := pick()
		return cut(at(i.Pos()), at(i.End()), i.Name+"X")
	case 2:
		i := pick()
		return cut(at(i.Pos()), at(i.End()), "")
	case 3, 4:
		if len(spans) > 0 {
			s := spans[r.IntN(len(spans))]
			return cut(s.from, s.to, []string{"", `"text"`, "nil", "int"}[r.IntN(4)])
		}
	case 5:
		if len(spans) > 1 {
			s, o := spans[r.IntN(len(spans))], spans[r.IntN(len(spans))]
			return cut(s.from, s.to, src[o.from:o.to])
		}
	}
	i := r.IntN(len(src))
	return cut(i, i+1, "")
}
