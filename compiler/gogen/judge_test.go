package gogen_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/appends"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/composite"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/defers"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/ifaceassert"
	"golang.org/x/tools/go/analysis/passes/loopclosure"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/stdmethods"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/structtag"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/analysis/passes/unsafeptr"
	"golang.org/x/tools/go/analysis/passes/unusedresult"

	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/rt/sources"
)

// vetted are the analyzers of go vet that can have something to say about texts that use
// nothing but the runtime.
var vetted = []*analysis.Analyzer{
	appends.Analyzer, assign.Analyzer, bools.Analyzer, composite.Analyzer, copylock.Analyzer, defers.Analyzer,
	directive.Analyzer, ifaceassert.Analyzer, loopclosure.Analyzer, nilfunc.Analyzer, shift.Analyzer,
	stdmethods.Analyzer, stringintconv.Analyzer, structtag.Analyzer, unreachable.Analyzer, unsafeptr.Analyzer,
	unusedresult.Analyzer,
}

// judge looks at generated Go texts as go build, gofmt and go vet do, without running them.
type judge struct {
	fset *token.FileSet
	std  types.Importer
	rt   map[string]*types.Package // by import path, as far as somebody asked for it
}

// newJudge is made once for all tests: the runtime takes a second to check.
var newJudge = sync.OnceValue(func() *judge {
	fset := token.NewFileSet()
	return &judge{fset: fset, std: importer.ForCompiler(fset, "gc", nil), rt: map[string]*types.Package{}}
})

// Import implements [types.Importer]: the runtime is checked from its files.
func (j *judge) Import(path string) (*types.Package, error) {
	below, ours := strings.CutPrefix(path, sources.Path)
	if !ours {
		return j.std.Import(path)
	}
	if pkg, ok := j.rt[path]; ok {
		return pkg, nil
	}
	dir := strings.TrimPrefix(below, "/")
	texts := sources.Files()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if filepath.ToSlash(filepath.Dir(name)) != filepath.ToSlash(filepath.Clean(dir)) || !strings.HasSuffix(name, ".go") {
			continue
		}
		if here, err := gobuild.Default.MatchFile(filepath.Join("..", "rt", dir), filepath.Base(name)); err != nil || !here {
			continue
		}
		f, err := parser.ParseFile(j.fset, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: j, IgnoreFuncBodies: true}
	pkg, err := conf.Check(path, j.fset, files, nil)
	if err != nil {
		return nil, fmt.Errorf("checking the runtime: %w", err)
	}
	j.rt[path] = pkg
	return pkg, nil
}

// refuses says what Go has against the files of a package main; nil when it takes them.
func (j *judge) refuses(texts build.Files) error {
	fset := token.NewFileSet() // a fuzzer judges millions
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		if formatted, err := format.Source(text); err != nil {
			return fmt.Errorf("gofmt: %w", err)
		} else if !bytes.Equal(formatted, text) {
			return fmt.Errorf("gofmt changes %s", name)
		}
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	var problems []error
	conf := types.Config{Importer: j, Error: func(err error) { problems = append(problems, err) }, Sizes: types.SizesFor("gc", "amd64")}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	pkg, _ := conf.Check("main", fset, files, info)
	if len(problems) > 0 {
		return errors.Join(problems[:min(5, len(problems))]...)
	}
	return vet(fset, files, pkg, info, conf.Sizes)
}

// vet runs the analyzers, each after those that it needs.
func vet(fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info, sizes types.Sizes) error {
	results := map[*analysis.Analyzer]any{}
	var problems []error
	var run func(a *analysis.Analyzer)
	run = func(a *analysis.Analyzer) {
		if _, done := results[a]; done {
			return
		}
		for _, need := range a.Requires {
			run(need)
		}
		pass := &analysis.Pass{
			Analyzer: a, Fset: fset, Files: files, Pkg: pkg, TypesInfo: info, TypesSizes: sizes, ResultOf: results,
			Report: func(d analysis.Diagnostic) {
				problems = append(problems, fmt.Errorf("vet: %s: %s: %s", fset.Position(d.Pos), a.Name, d.Message))
			},
			ReadFile:          func(name string) ([]byte, error) { return nil, fmt.Errorf("there is no %s", name) },
			ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
			ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
			ExportObjectFact:  func(types.Object, analysis.Fact) {},
			ExportPackageFact: func(analysis.Fact) {},
			AllPackageFacts:   func() []analysis.PackageFact { return nil },
			AllObjectFacts:    func() []analysis.ObjectFact { return nil },
		}
		out, err := a.Run(pass)
		if err != nil {
			problems = append(problems, fmt.Errorf("vet: %s: %w", a.Name, err))
		}
		results[a] = out
	}
	for _, a := range vetted {
		run(a)
	}
	return errors.Join(problems...)
}

// TestJudge sees to it that the judge can refuse.
func TestJudge(t *testing.T) {
	tests := []struct{ body, want string }{
		{"rt.PrintInt(1)", ""},
		{"x := 1", "declared and not used"},
		{"rt.PrintInt(1 )", "gofmt changes"},
		{"rt.PrintInt(", "gofmt: "},
		{"rt.PrintInt(\"\")", "cannot use"},
		{"return\n\trt.PrintInt(1)", "unreachable code"},
		{"x := rt.TimeNs()\n\tx = x", "self-assignment"},
		{"rt.NoSuch()", "undefined: rt.NoSuch"},
	}
	for _, tt := range tests {
		text := "package main\n\nimport \"pluto/rt\"\n\nfunc main() {\n\t" + tt.body + "\n\trt.Flush()\n}\n"
		err := newJudge().refuses(build.Files{"main.go": []byte(text)})
		if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %q", tt.body, got, tt.want)
		}
	}
}
