package golang_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// The accuracy suite compares every reference in real modules with an independent walk
// over what the go command and a full type check give. Both numbers must be 1.
//
// What the oracle counts as a reference: each use of a name that is declared at package
// level, or is a method, a field or a type, in the module or outside of it. Fields and
// methods of struct and interface types without a name inside functions are locals.

func TestAccuracyCobra(t *testing.T) {
	t.Parallel()
	checkAccuracy(t, copyModule(t, "github.com/spf13/cobra"), 8000)
}

// moduleDir returns where a module that this one depends on is.
func moduleDir(t *testing.T, mod string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the oracle needs the go command")
	}
	out, err := exec.Command("go", "list", "-m", "-json", mod).Output()
	if err != nil {
		t.Fatalf("go list -m %s: %v", mod, err)
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil || m.Dir == "" {
		t.Fatalf("%s is not in the module cache: %v", mod, err)
	}
	return m.Dir
}

// copyModule copies a module to a folder where the go command may write.
func copyModule(t *testing.T, mod string) string {
	t.Helper()
	return copyFolder(t, moduleDir(t, mod))
}

func copyFolder(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil {
			mode := os.FileMode(0o644)
			if d.IsDir() {
				mode = 0o755
			}
			err = os.Chmod(p, mode)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A site is where a name stands.
type site struct {
	file string
	pos  graph.Pos
}

func (s site) String() string { return fmt.Sprintf("%s:%d:%d", s.file, s.pos.Line, s.pos.Col) }

// oracle returns what each name refers to, by site: the site of its declaration, or
// "path.Name" of one outside. files are those that it looked at.
func oracle(t *testing.T, dir string) (refs map[site]string, files map[string]bool) {
	t.Helper()
	refs, files = map[site]string{}, map[string]bool{}
	askOracle(t, dir, ".", refs, files, "GOFLAGS=-mod=mod", "GOWORK=off")
	return refs, files
}

// askOracle adds to refs and files what the packages in and below a folder of dir say.
func askOracle(t *testing.T, dir, sub string, refs map[site]string, files map[string]bool, env ...string) {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedModule,
		Dir: filepath.Join(dir, sub), Tests: true,
		Env: slices.Concat(os.Environ(), []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1", "GOPROXY=off"}, env),
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Errorf("the oracle does not understand %s: %v", p.ID, e)
		}
		texts := map[string]string{}
		where := func(pos token.Pos) (site, bool) {
			at := p.Fset.PositionFor(pos, false)
			rel, err := filepath.Rel(dir, at.Filename)
			if err != nil || strings.HasPrefix(rel, "..") || strings.Contains("/"+filepath.ToSlash(rel), "/vendor/") {
				return site{}, false
			}
			src, ok := texts[at.Filename]
			if !ok {
				b, _ := os.ReadFile(at.Filename)
				src = string(b)
				texts[at.Filename] = src
			}
			line := src[at.Offset-at.Column+1 : at.Offset]
			return site{filepath.ToSlash(rel), graph.Pos{Line: uint32(at.Line), Col: uint32(len([]rune(line)) + 1)}}, true
		}
		hidden := map[token.Pos]bool{}
		for _, f := range p.Syntax {
			s, ok := where(f.Package)
			if !ok {
				continue
			}
			files[s.file] = true
			hideLocals(f, hidden)
		}
		for id, obj := range p.TypesInfo.Uses {
			s, ok := where(id.Pos())
			if !ok || !isNode(obj) {
				continue
			}
			if to, ok := where(obj.Pos()); ok {
				if !hidden[obj.Pos()] {
					refs[s] = to.String()
				}
			} else if obj.Pkg() != nil && obj.Pkg() != types.Unsafe {
				refs[s] = obj.Pkg().Path() + "." + obj.Name()
			} else if obj.Pkg() == nil && obj.Name() == "Error" {
				refs[s] = "builtin.Error"
			}
		}
	}
}

func isNode(obj types.Object) bool {
	switch obj := obj.(type) {
	case *types.Func:
		return true
	case *types.TypeName:
		_, param := obj.Type().(*types.TypeParam)
		return !param
	case *types.Var:
		return obj.IsField() || obj.Parent() != nil && obj.Parent() == obj.Pkg().Scope()
	case *types.Const:
		return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
	}
	return false
}

// hideLocals finds the members of nameless types in functions.
func hideLocals(f *ast.File, hidden map[token.Pos]bool) {
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		var members *ast.FieldList
		switch n := n.(type) {
		case *ast.StructType:
			members = n.Fields
		case *ast.InterfaceType:
			members = n.Methods
		default:
			return true
		}
		local := false
		for _, n := range stack {
			switch n.(type) {
			case *ast.BlockStmt:
				local = true
			case *ast.TypeSpec:
				local = false
			}
		}
		for _, m := range members.List {
			for _, id := range m.Names {
				hidden[id.Pos()] = local
			}
			if len(m.Names) == 0 {
				ast.Inspect(m.Type, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						hidden[id.Pos()] = local
					}
					return true
				})
			}
		}
		return true
	})
}

// found returns what the front end says that each name refers to, in the oracle's form.
func found(t *testing.T, in *lang.Input) map[site][]string {
	t.Helper()
	facts := extractAll(t, in, in.Units)
	decls := map[graph.Symbol][]string{}
	for _, f := range facts {
		for _, d := range f.Decls {
			s := site{f.Files[d.File].Path, d.Name}
			decls[f.Symbols[d.Sym]] = append(decls[f.Symbols[d.Sym]], s.String())
		}
	}
	out := map[site][]string{}
	for _, f := range facts {
		for _, e := range f.Edges {
			if e.Kind == graph.EdgeImports || e.Kind == graph.EdgeTests {
				continue
			}
			to := f.Symbols[e.To]
			s := site{f.Files[e.File].Path, e.Pos}
			if out[s] != nil {
				t.Errorf("%s: two edges at one name: %v and %s", s, out[s], to.Qual)
			}
			out[s] = decls[to]
			if len(out[s]) == 0 {
				if !to.External {
					t.Errorf("%s: %s %s is declared nowhere", s, to.Module, to.Qual)
				}
				out[s] = []string{to.Module + "." + to.Qual[strings.LastIndex(to.Qual, ".")+1:]}
			}
		}
	}
	return out
}

func checkAccuracy(t *testing.T, dir string, atLeast int) {
	t.Helper()
	want, files := oracle(t, dir)
	compare(t, dir, want, files, atLeast)
}

// compare holds what the front end finds in a project against what is wanted.
func compare(t *testing.T, dir string, want map[site]string, files map[string]bool, atLeast int) {
	t.Helper()
	got := found(t, readProject(t, dir))
	if len(want) < atLeast {
		t.Fatalf("only %d references in %s, want at least %d", len(want), dir, atLeast)
	}
	var missed, wrong []string
	right, ours := 0, 0
	for s, to := range want {
		if slices.Contains(got[s], to) {
			right++
		} else {
			missed = append(missed, fmt.Sprintf("%v: %s, found %v", s, to, got[s]))
		}
	}
	for s, to := range got {
		if !files[s.file] {
			continue
		}
		ours++
		if !slices.Contains(to, want[s]) {
			wrong = append(wrong, fmt.Sprintf("%v: %v, want %s", s, to, want[s]))
		}
	}
	slices.Sort(missed)
	slices.Sort(wrong)
	t.Logf("%d references in %d files: recall %.4f, precision %.4f", len(want), len(files),
		float64(right)/float64(len(want)), float64(ours-len(wrong))/float64(ours))
	for _, m := range missed[:min(len(missed), 20)] {
		t.Errorf("missed %s", m)
	}
	for _, w := range wrong[:min(len(wrong), 20)] {
		t.Errorf("wrong %s", w)
	}
}

// TestAccuracyAlone: without the standard library and without dependencies hardly any
// reference within the project is lost, and none is wrong.
func TestAccuracyAlone(t *testing.T) {
	dir := copyModule(t, "github.com/spf13/cobra")
	want, files := oracle(t, dir)
	t.Setenv("GOROOT", t.TempDir())
	t.Setenv("GOMODCACHE", t.TempDir())
	got := found(t, readProject(t, dir))
	inside, right, ours, wrong := 0, 0, 0, 0
	for s, to := range want {
		if strings.Contains(to, ".go:") {
			inside++
			if slices.Contains(got[s], to) {
				right++
			}
		}
	}
	for s, to := range got {
		if files[s.file] && strings.Contains(to[0], ".go:") {
			ours++
			if !slices.Contains(to, want[s]) {
				wrong++
				t.Errorf("wrong %v: %v, want %s", s, to, want[s])
			}
		}
	}
	recall := float64(right) / float64(inside)
	t.Logf("%d references within the project: recall %.4f, precision %.4f", inside, recall, float64(ours-wrong)/float64(ours))
	if recall < 0.99 {
		t.Errorf("recall %.4f without dependencies", recall)
	}
}
