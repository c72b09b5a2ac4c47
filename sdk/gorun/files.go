package gorun

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// testName matches the names of functions that go test runs.
var testName = regexp.MustCompile(`^(Test|Fuzz|Example)($|[^a-z])`)

// runPattern is what -run is given: when all targets are test files, the tests that they declare,
// those of them that Run matches. A file that declares none, as methods of a suite are none,
// stands for its whole package.
func (o Options) runPattern() string {
	if len(o.Packages) > 0 || len(o.Targets) == 0 || strings.Contains(o.Run, "/") {
		return o.Run
	}
	filter, err := regexp.Compile(o.Run)
	if err != nil {
		return o.Run // the go command says what is wrong with it
	}
	var names []string
	for _, t := range o.Targets {
		declared := o.declaredTests(t)
		if len(declared) == 0 {
			return o.Run
		}
		names = append(names, declared...)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !filter.MatchString(n) })
	slices.Sort(names)
	return "^(" + strings.Join(slices.Compact(names), "|") + ")$"
}

// declaredTests are the names of the tests in a test file; none for anything else.
func (o Options) declaredTests(target string) []string {
	if !strings.HasSuffix(target, "_test.go") {
		return nil
	}
	path := filepath.FromSlash(target)
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Root, path)
	}
	text, laid := o.text(path)
	if !laid {
		var err error
		if text, err = os.ReadFile(path); err != nil {
			return nil
		}
	}
	file, _ := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	var names []string
	for _, d := range file.Decls { // of a broken file those that can be read: it will not be run
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && testName.MatchString(f.Name.Name) && f.Name.Name != "TestMain" {
			names = append(names, f.Name.Name)
		}
	}
	return names
}
