package golang_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang"
)

// localsCases are files in which « stands before each occurrence of one local, the first
// of them its declaration; where that is not first in the text, «1: marks it and «2: the
// rest.
var localsCases = []struct {
	name, kind, sig, src string
	more                 map[string]string
}{
	{name: "parameter", kind: "parameter", sig: "n int", src: "package p\nfunc f(«n int) int { return «n + g(«n) }\nfunc g(n int) int { return n }\n"},
	{name: "variadic", kind: "parameter", sig: "xs ...string", src: "package p\nfunc f(a int, «xs ...string) { println(len(«xs), a) }\n"},
	{name: "type of a parameter", kind: "parameter", sig: "int int", src: "package p\nfunc f(«int int, b bool) int { return «int }\n"},
	{name: "receiver", kind: "receiver", sig: "h *Head", src: "package p\ntype Head struct{ h int }\nfunc («h *Head) m() { «h.h++; _ = Head{h: «h.h} }\n"},
	{name: "result", kind: "result", sig: "err error", src: "package p\nfunc f() (n int, «err error) {\n\tdefer func() { «err = nil }()\n\tif n, err := g(); err != nil { _ = n; return n, err }\n\tn, «err = g()\n\treturn n, «err\n}\nfunc g() (int, error)\n"},
	{name: "shadowing", kind: "variable", sig: "x := 1", src: "package p\nvar x = 0\nfunc f() {\n\t_ = x\n\t«x := 1\n\t{\n\t\tx := «x\n\t\t_ = x\n\t}\n\tif x := «x + 1; x > 0 { _ = x }\n\t_ = «x\n}\nfunc g() { _ = x }\n"},
	{name: "own initializer", kind: "variable", sig: "var x = x + 1", src: "package p\nfunc f(x int) {\n\tfor {\n\t\tvar «x = x + 1\n\t\t«x = 2\n\t}\n}\n"},
	{name: "declared type", kind: "variable", sig: "var x *Head", src: "package p\ntype Head struct{}\nfunc f() { var y, «x *Head; _, _ = y, «x }\n"},
	{name: "half declared", kind: "variable", sig: "a, err := g()", src: "package p\nfunc f() {\n\ta, «err := g()\n\tb, «err := g()\n\t{ c, err := g(); _, _ = c, err }\n\t_, _, _ = a, b, «err\n}\nfunc g() (int, error)\n"},
	{name: "closure", kind: "variable", sig: "n := 0", src: "package p\nfunc f() func() int {\n\t«n := 0\n\treturn func() int { «n++; return func(n int) int { return n }(«n) }\n}\n"},
	{name: "function", kind: "variable", sig: "g := func(a int) int", src: "package p\nfunc f() { «g := func(a int) int { return a }; «g(1); _ = «g }\n"},
	{name: "itself", kind: "variable", sig: "var g func()", src: "package p\nfunc f() { var «g func(); «g = func() { «g() } }\n"},
	{name: "range", kind: "variable", sig: "for k, v := range m", src: "package p\nfunc f(m map[string]int, v int) {\n\tfor k, «v := range m { println(k, «v) }\n\t_ = v\n}\n"},
	{name: "range over itself", kind: "parameter", sig: "x []int", src: "package p\nfunc f(«x []int) {\n\tfor _, x := range «x { _ = x }\n\tfor i := range «x { «x[i] = i }\n}\n"},
	{name: "loop variable", kind: "variable", sig: "i := 0", src: "package p\nfunc f(i int) {\n\tfor «i := 0; «i < 3; «i++ { _ = «i }\n\t_ = i\n}\n"},
	{name: "type switch", kind: "variable", sig: "switch x := x.(type)", src: "package p\nfunc f(x any) {\n\tswitch «x := x.(type) {\n\tcase int:\n\t\t_ = «x\n\tcase string, error:\n\t\t_ = «x\n\t\t{\n\t\t\tx := 2\n\t\t\t_ = x\n\t\t}\n\tdefault:\n\t\tfunc() { _ = «x }()\n\t}\n\t_ = x\n}\n"},
	{name: "unused type switch", kind: "variable", sig: "switch x := y.(type)", src: "package p\nfunc f(y any) {\n\tswitch «x := y.(type) {\n\t}\n}\n"},
	{name: "switch", kind: "variable", sig: "x := 1", src: "package p\nfunc f(x int) {\n\tswitch «x := 1; «x {\n\tcase «x + 1:\n\t\tx := 3\n\t\t_ = x\n\tdefault:\n\t\t«x = 4\n\t}\n}\n"},
	{name: "select", kind: "variable", sig: "v, ok := <-c", src: "package p\nfunc f(c chan int) {\n\tselect {\n\tcase «v, ok := <-c:\n\t\t_, _ = «v, ok\n\tcase v := <-c:\n\t\t_ = v\n\t}\n}\n"},
	{name: "if chain", kind: "variable", sig: "a := 1", src: "package p\nfunc f() {\n\tif «a := 1; «a > 1 { _ = «a } else if b := «a; b > 0 { _ = «a } else { _ = «a }\n}\n"},
	{name: "label", kind: "label", sig: "x:", src: "package p\nfunc f(x int) {\n«x:\n\tfor {\n\t\tfor { continue «x }\n\t\tbreak «x\n\t}\n\tfunc() {\n\tx:\n\t\tgoto x\n\t}()\n\tgoto «x\n}\n"},
	{name: "forward goto", kind: "label", sig: "end:", src: "package p\nfunc f() {\n\tgoto «2:end\n«1:end:\n\treturn\n}\n"},
	{name: "constant", kind: "constant", sig: "const c int = 1", src: "package p\nconst c = 0\nfunc f() { _ = c; const «c int = 1; var a [«c]int; _ = a[«c-1] }\n"},
	{name: "type parameter", kind: "type parameter", sig: "T any", src: "package p\nfunc f[«T any, S ~[]«T](a «T, b S) (c «T) { var d []«T = b; _ = d; return «T(a) }\n"},
	{name: "type parameter of a type", kind: "type parameter", sig: "T any", src: "package p\ntype L[«T any] struct { v «T; n *L[«T]; T int }\nfunc (l *L[T]) m(T) {}\n"},
	{name: "type parameter of a receiver", kind: "type parameter", sig: "V", src: "package p\ntype L[T, V any] struct { v V }\nfunc (l *L[K, «V]) m(k K) («V, K) { return «V(l.v), k }\n"},
	{name: "parameter named like a type parameter", kind: "parameter", sig: "a T", src: "package p\nfunc f[T any](«a T) T { return «a }\n"},
	{name: "parameter of a function type", kind: "parameter", sig: "id string", src: "package p\ntype I interface { Get(«id string) (ok bool) }\n"},
	{name: "field key", kind: "parameter", sig: "x int", src: "package p\ntype P struct{ x int }\nfunc f(«x int) { _ = P{x: «x}; _ = &P{x: 1}; _ = struct{ x int }{x: «x}; _ = []P{{x: «x}}; _ = []*P{{x: 2}} }\n"},
	{name: "map key", kind: "parameter", sig: "x int", src: "package p\ntype M map[int]int\ntype P struct{ x M }\nfunc f(«x int) {\n\t_ = map[int]int{«x: 1}\n\t_ = M{«x: «x}\n\t_ = P{x: M{«x: 2}}\n\t_ = []M{{«x: 3}}\n\t_ = map[string]P{\"\": {x: nil}}\n\t_ = map[P]M{{x: nil}: {«x: 1}}\n}\n"},
	{name: "key of a local type", kind: "constant", sig: "const x = 1", src: "package p\ntype T struct{ x int }\nfunc f() {\n\tconst «x = 1\n\t_ = T{x: 0}\n\ttype T [4]int\n\t_ = T{«x: 0}\n\ttype U = T\n\t_ = U{«x: «x}\n}\n"},
	{name: "key of a type parameter", kind: "parameter", sig: "x int", src: "package p\nfunc f[M ~map[int]int, S interface{ ~[]int }](«x int) { _ = M{«x: 1} }\n"},
	{name: "key of another file's type", kind: "parameter", sig: "x int", src: "package p\nimport \"example.com/p/q\"\nimport . \"example.com/p/dot\"\nfunc f(«x int) {\n\t_ = A{x: 1}\n\t_ = B{«x: 1}\n\t_ = q.Map{«x: 1}\n\t_ = q.Struct{x: 1}\n\t_ = Dots{{«x: 1}}\n}\n", more: map[string]string{
		"b.go": "package p\ntype A struct{ x int }\ntype B = C\ntype C map[int]int\n", "q/q.go": "package q\nimport r \"example.com/p/dot\"\ntype Map = r.Inner\ntype Struct struct{ x int }\n",
		"dot/dot.go": "package dot\ntype Dots []Inner\ntype Inner map[int]int\n",
	}},
	{name: "import", kind: "import", sig: `import "fmt"`, src: "package p\nimport \"«fmt\"\nfunc f() { «fmt.Println(); fmt := g(); fmt.h() }\nvar x «fmt.Stringer\ntype t struct{ fmt int }\nfunc (v t) m() { _ = v.fmt }\nfunc g() (r interface{ h() })\n"},
	{name: "renamed import", kind: "import", sig: `import f "fmt"`, src: "package p\nimport «f \"fmt\"\nfunc g() { «f.Println() }\nfunc h(f struct{ a int }) { _ = f.a }\n"},
	{name: "import of another name", kind: "import", sig: `import "example.com/p/go-yaml.v3"`, src: "package p\nimport \"«example.com/p/go-yaml.v3\"\nvar _ = «yams.X\n", more: map[string]string{"go-yaml.v3/y.go": "package yams\nvar X int\n"}},
	{name: "not ASCII", kind: "variable", sig: `größe := "日本"`, src: "package p\nfunc f() { _ = \"日本\"; «größe := \"日本\"; _ = \"é\" + «größe }\n"},
	{name: "broken", kind: "parameter", sig: "a int", src: "package p\nfunc g() {\n\tif x {\n}\n\nfunc f(«a int) { _ = «a; undefined(«a, b.c(«a)) }\n"},
}

func TestLocals(t *testing.T) {
	for _, c := range localsCases {
		t.Run(c.name, func(t *testing.T) {
			text, marks := unmark(c.src)
			files := map[string][]byte{"go.mod": []byte("module example.com/p\n"), "p.go": []byte(text)}
			for p, src := range c.more {
				files[p] = []byte(src)
			}
			in := project(files)
			for _, at := range marks {
				l, err := golang.Language().Locals(t.Context(), in, "p.go", at)
				if err != nil {
					t.Fatal(err)
				}
				if l == nil {
					// The path of an import is the graph's to answer for.
					if c.kind == "import" && at == marks[0] {
						continue
					}
					t.Fatalf("no local at %v", at)
				}
				got := []graph.Pos{l.Decl.Pos}
				for _, s := range l.Sites {
					got = append(got, s.Pos)
				}
				if fmt.Sprint(got) != fmt.Sprint(marks) || l.Kind != c.kind || l.Sig != c.sig {
					t.Errorf("at %v: %s %q at %v, want %s %q at %v", at, l.Kind, l.Sig, got, c.kind, c.sig, marks)
				}
			}
		})
	}
}

// unmark returns the text without its marks, and where they were; those with a number
// in the order of the numbers.
func unmark(marked string) (text string, at []graph.Pos) {
	pos := graph.Pos{Line: 1, Col: 1}
	numbered := map[graph.Pos]byte{}
	var b strings.Builder
	for rest := marked; rest != ""; {
		if after, ok := strings.CutPrefix(rest, "«"); ok {
			at = append(at, pos)
			if rest = after; len(rest) > 1 && rest[1] == ':' && rest[0] >= '1' && rest[0] <= '9' {
				numbered[pos], rest = rest[0], rest[2:]
			}
			continue
		}
		r := []rune(rest[:min(4, len(rest))])[0]
		b.WriteRune(r)
		rest = rest[len(string(r)):]
		pos.Col++
		if r == '\n' {
			pos = graph.Pos{Line: pos.Line + 1, Col: 1}
		}
	}
	slices.SortStableFunc(at, func(a, b graph.Pos) int { return int(numbered[a]) - int(numbered[b]) })
	return b.String(), at
}

// TestLocalKinds sees to how a local is used at each place.
func TestLocalKinds(t *testing.T) {
	src := "package p\n\nfunc f[T any](a int, s struct{ f int }, g func(T)) {\n\ta = a + 1\n\ta++\n\t_ = &a\n\ts.f = a\n\tvar t T\n\tg(t)\n\t(g)(t)\n\t_ = g\n}\n"
	in := project(map[string][]byte{"p.go": []byte(src)})
	for _, c := range []struct {
		at   graph.Pos
		want string
	}{
		{graph.Pos{Line: 3, Col: 15}, "[writes reads writes writes reads]"},
		{graph.Pos{Line: 3, Col: 22}, "[reads]"},
		{graph.Pos{Line: 3, Col: 41}, "[calls calls reads]"},
		{graph.Pos{Line: 3, Col: 8}, "[typeref typeref]"},
	} {
		l, err := golang.Language().Locals(t.Context(), in, "p.go", c.at)
		if err != nil || l == nil {
			t.Fatalf("%v: %v %v", c.at, l, err)
		}
		var kinds []graph.EdgeKind
		for _, s := range l.Sites {
			kinds = append(kinds, s.Kind)
		}
		if got := fmt.Sprint(kinds); got != c.want {
			t.Errorf("%s: %s, want %s", l.Name, got, c.want)
		}
	}
}

// TestNoLocals asks where no local is.
func TestNoLocals(t *testing.T) {
	src := "package p\n\ntype T struct{ x int }\n\nvar v = 1\n\nfunc f(_ int) {\n\ttype U int\n\tvar u U\n\t_ = T{x: v}\n\tprintln(u)\n}\n"
	in := project(map[string][]byte{"p.go": []byte(src)})
	asked := 0
	for line, text := range strings.Split(src, "\n") {
		for col := range len(text) + 2 {
			at := graph.Pos{Line: uint32(line + 1), Col: uint32(col)}
			l, err := golang.Language().Locals(t.Context(), in, "p.go", at)
			if err != nil {
				t.Fatal(err)
			}
			asked++
			if isU := line == 8 && col == 6 || line == 10 && col == 10; (l != nil) != isU {
				t.Errorf("%v: %v", at, l)
			}
		}
	}
	if asked < 100 {
		t.Errorf("asked only %d times", asked)
	}
}

// TestLocalsOfPieces cuts files anywhere: nothing may panic, and what is found is sound.
func TestLocalsOfPieces(t *testing.T) {
	found := 0
	for _, c := range localsCases {
		text, marks := unmark(c.src)
		for end := range len(text) {
			in := project(map[string][]byte{"p.go": []byte(text[:end])})
			for _, at := range marks {
				l, err := golang.Language().Locals(t.Context(), in, "p.go", at)
				if err != nil {
					t.Fatal(err)
				}
				if l == nil {
					continue
				}
				found++
				if got := text[l.Decl.Off:l.Decl.End]; got != l.Name && l.Kind != "import" {
					t.Errorf("%s, %d bytes: %s is declared as %q", c.name, end, l.Name, got)
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("found only %d", found)
	}
}

// TestLocalsOfModules compares all locals of real modules with a full type check.
func TestLocalsOfModules(t *testing.T) {
	t.Parallel()
	dir := copyModule(t, "github.com/spf13/cobra")
	n := compareLocals(t, dir, "./...")
	if n < 1500 {
		t.Errorf("compared only %d locals", n)
	}
}

func compareLocals(t testing.TB, dir, pattern string) int {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedModule,
		Dir: dir, Tests: true, Env: append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off"),
	}, pattern)
	if err != nil {
		t.Fatal(err)
	}
	in := readProject(t, dir)
	done := map[string]bool{}
	n := 0
	for _, p := range pkgs {
		uses := map[token.Pos][]token.Pos{}
		for id, obj := range p.TypesInfo.Uses {
			uses[obj.Pos()] = append(uses[obj.Pos()], id.Pos())
		}
		for _, f := range p.Syntax {
			name := p.Fset.PositionFor(f.FileStart, false).Filename
			rel, err := filepath.Rel(dir, name)
			if err != nil || strings.HasPrefix(rel, "..") || done[rel] {
				continue
			}
			done[rel] = true
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			pos := func(at token.Pos) graph.Pos {
				x := p.Fset.PositionFor(at, false)
				line := src[x.Offset-x.Column+1 : x.Offset]
				return graph.Pos{Line: uint32(x.Line), Col: uint32(len([]rune(string(line)))) + 1}
			}
			for _, obj := range localsOf(p, f) {
				n++
				want := map[graph.Pos]bool{}
				for _, u := range uses[obj.Pos()] {
					if u != obj.Pos() { // the checker takes some type parameters of receivers for uses too
						want[pos(u)] = true
					}
				}
				ask := pos(obj.Pos())
				if _, ok := obj.(*types.PkgName); ok && len(want) > 0 {
					ask = pos(uses[obj.Pos()][0]) // the path itself is the graph's
				} else if ok {
					continue
				}
				l, err := golang.Language().Locals(t.Context(), in, filepath.ToSlash(rel), ask)
				if err != nil || l == nil {
					t.Errorf("%s:%v: no local %s (%v)", rel, ask, obj.Name(), err)
					continue
				}
				for _, s := range l.Sites {
					if !want[s.Pos] {
						t.Errorf("%s:%v: %s is no use of %s at %v", rel, s.Pos, l.Name, l.Kind, ask)
					}
					delete(want, s.Pos)
				}
				for at := range want {
					t.Errorf("%s:%v: missing use of %s %s at %v", rel, at, l.Kind, l.Name, ask)
				}
			}
		}
	}
	return n
}

// localsOf returns the locals that a file declares, one for each position.
func localsOf(p *packages.Package, f *ast.File) []types.Object {
	byPos := map[token.Pos]types.Object{}
	add := func(obj types.Object) {
		if obj == nil || obj.Name() == "_" || obj.Name() == "." || obj.Pkg() == nil || obj.Pos() < f.FileStart || obj.Pos() > f.FileEnd {
			return
		}
		switch o := obj.(type) {
		case *types.Var:
			if o.IsField() || o.Parent() == p.Types.Scope() {
				return
			}
		case *types.Const:
			if o.Parent() == p.Types.Scope() {
				return
			}
		case *types.TypeName:
			if _, ok := o.Type().(*types.TypeParam); !ok {
				return
			}
		case *types.Label, *types.PkgName:
		default:
			return
		}
		if obj.Pos().IsValid() {
			byPos[obj.Pos()] = obj
		}
	}
	for _, obj := range p.TypesInfo.Defs {
		add(obj)
	}
	for n, obj := range p.TypesInfo.Implicits {
		if v, ok := obj.(*types.Var); ok && v.Name() == "" {
			continue
		}
		if _, ok := n.(*ast.Field); ok {
			continue // a parameter without a name
		}
		add(obj)
	}
	var out []types.Object
	for _, obj := range byPos {
		out = append(out, obj)
	}
	slices.SortFunc(out, func(a, b types.Object) int { return int(a.Pos() - b.Pos()) })
	return out
}

// BenchmarkLocal asks about a local of a long file.
func BenchmarkLocal(b *testing.B) {
	dir := os.Getenv("LOCALS_PROJECT")
	if dir == "" {
		b.Skip("LOCALS_PROJECT names no checkout of prometheus")
	}
	in := readProject(b, dir)
	var l *lang.Local
	for b.Loop() {
		l, _ = golang.Language().Locals(b.Context(), in, "tsdb/head.go", graph.Pos{Line: 285, Col: 14})
	}
	b.Logf("%+v", l)
}
