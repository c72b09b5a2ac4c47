package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/settgraph/sett"

// layers says which of our packages each of our packages may import. "*" is all of them.
// A line of a folder and "/..." is for every folder below it that has none of its own. A
// folder with Go files and without a line here is an error.
var layers = map[string][]string{
	// The compiler of Pluto, phase by phase; it knows nothing of graphs.
	"stdlib":                      {},
	"compiler/source":             {},
	"compiler/diag":               {"compiler/source"},
	"compiler/syntax":             {"compiler/source", "compiler/diag"},
	"compiler/plto":               {},
	"compiler/load":               {"compiler/source", "compiler/diag", "compiler/syntax", "compiler/plto", "stdlib"},
	"compiler/check":              {"compiler/source", "compiler/diag", "compiler/syntax", "compiler/load"},
	"compiler/xref":               {"compiler/source", "compiler/diag", "compiler/syntax", "compiler/load", "compiler/check"},
	"compiler/identity":           {"compiler/source", "compiler/syntax", "compiler/plto", "compiler/xref"},
	"compiler/match":              {"compiler/source", "compiler/diag", "compiler/syntax", "compiler/xref", "compiler/identity"},
	"compiler/workspace":          {"compiler/source", "compiler/diag", "compiler/syntax", "compiler/plto", "compiler/load", "compiler/check", "compiler/xref"},
	"compiler/refactor":           {"compiler/source", "compiler/diag", "compiler/syntax", "compiler/check", "compiler/xref", "compiler/workspace"},
	"compiler/doc":                {"compiler/source", "compiler/diag", "compiler/syntax", "compiler/load", "compiler/check", "stdlib"},
	"compiler/gogen":              {"compiler/source", "compiler/diag", "compiler/syntax", "compiler/load", "compiler/check"},
	"compiler/rt":                 {}, // what generated programs link: only the standard library
	"compiler/rt/...":             {"compiler/rt", "compiler/rt/..."},
	"compiler/build":              {"compiler/rt/sources"},
	"compiler/process":            {},
	"compiler":                    {"compiler/process", "compiler/source", "compiler/diag", "compiler/syntax", "compiler/load", "compiler/check", "compiler/gogen", "compiler/build"},
	"compiler/internal/plutogen":  {},                                    // programs that nobody wrote, for tests
	"compiler/internal/plutoeval": {"compiler/syntax", "compiler/check"}, // for tests, like plutogen
	"compiler/compilertest":       {"compiler", "compiler/source", "compiler/diag", "compiler/load", "compiler/check", "compiler/gogen", "compiler/build"},
	"compiler/plutotest":          {"compiler/source", "compiler/diag", "compiler/syntax"}, // projects that nobody wrote, for tests of packages everywhere

	"graph":           {},
	"graph/store":     {"graph"},
	"graph/graphtest": {"graph"},

	"query":        {"graph"},
	"query/report": {},
	"format":       {"query", "query/report"},

	"indexer":                       {"graph", "indexer/lang", "indexer/lang/golang", "indexer/lang/pluto", "indexer/lang/ts"},
	"indexer/lang":                  {"graph", "query/report"},
	"indexer/lang/golang":           {"graph", "indexer/lang", "indexer/lang/golang/typecheck", "query/report"},
	"indexer/lang/golang/typecheck": {"indexer/lang", "query/report"},
	"indexer/lang/ts":               {"graph", "indexer/lang", "query/report"},
	"indexer/lang/pluto": {
		"graph", "indexer/lang", "query/report", "compiler/source", "compiler/diag", "compiler/syntax", "compiler/plto", "compiler/load", "compiler/check",
		"compiler/xref", "compiler/identity", "compiler/workspace", "stdlib",
	},

	"sdk":          {"graph", "graph/store", "query", "query/report", "indexer", "compiler/load", "sdk/pluto", "sdk/gorun", "sdk/jsrun", "sdk/plutorun"},
	"sdk/child":    {"compiler/process", "query/report"},
	"sdk/gorun":    {"query/report", "sdk/child"},
	"sdk/jsrun":    {"query/report", "sdk/child"},
	"sdk/plutorun": {"query/report", "sdk/child", "indexer/lang/pluto", "compiler/...", "compiler"},
	"sdk/pluto": {
		"indexer", "indexer/lang", "compiler", "compiler/source", "compiler/diag", "compiler/syntax", "compiler/plto", "compiler/load", "compiler/check",
		"compiler/xref", "compiler/identity", "compiler/match", "compiler/workspace", "compiler/refactor", "sdk/pluto/journal",
	},
	"sdk/pluto/journal": {},

	"cmd/internal/app":       {"cmd/internal/params", "format", "graph/store", "query", "query/report", "sdk"},
	"cmd/internal/plutoapp":  {"cmd/internal/params", "compiler/...", "compiler", "sdk/pluto", "stdlib"},
	"cmd/internal/params":    {"query"},
	"cmd/internal/script":    {},
	"cmd/internal/mcpserver": {"*"},
	"cmd/internal/cli":       {"*"},
	"cmd/sett":               {"cmd/internal/cli"},
	"bench":                  {"*"},
}

// folders are the top-level folders that may hold Go code.
var folders = []string{"bench", "cmd", "compiler", "format", "graph", "indexer", "query", "sdk", "stdlib", "testdata"}

// homes says where each module of somebody else's may be imported. A module without a
// line is an error: it needs a reason and a place.
var homes = map[string][]string{
	"github.com/BurntSushi/toml":         {"compiler/load", "indexer"},
	"github.com/bmatcuk/doublestar/v4":   {"indexer", "query"},
	"github.com/dgraph-io/badger/v4":     {"graph/store"},
	"github.com/dominikbraun/graph":      {"graph"},
	"github.com/fsnotify/fsnotify":       {"cmd/internal/cli"},
	"github.com/go-git/go-git/v5":        {"indexer"},
	"github.com/gofrs/flock":             {"compiler/load", "graph/store", "sdk/pluto/journal"},
	"github.com/google/uuid":             {"cmd/internal/plutoapp", "compiler/identity", "compiler/match", "compiler/plto", "indexer/lang/pluto", "query", "sdk/pluto"},
	"github.com/klauspost/compress":      {"graph", "graph/store"},
	"github.com/mark3labs/mcp-go":        {"cmd/internal/mcpserver"},
	"github.com/microsoft/typescript-go": {"indexer/lang/ts"},
	"github.com/olekukonko/tablewriter":  {"format"},
	"github.com/pmezard/go-difflib":      {"sdk/pluto"},
	"github.com/sahilm/fuzzy":            {"query", "sdk/pluto"},
	"github.com/schollz/progressbar/v3":  {"cmd/internal/cli"},
	"github.com/spf13/cobra":             {"cmd/internal/cli"},
	"github.com/zeebo/xxh3":              {"graph", "graph/store", "indexer", "indexer/lang/golang", "indexer/lang/golang/typecheck", "indexer/lang/pluto", "indexer/lang/ts", "sdk/pluto"},
	"golang.org/x/mod":                   {"indexer/lang/golang", "indexer/lang/golang/typecheck"},
	"golang.org/x/sync":                  {"*"},
	"golang.org/x/sys":                   {"graph/store", "indexer"},
	"golang.org/x/term":                  {"cmd/internal/cli"},
	"golang.org/x/tools":                 {"cmd/internal/script", "compiler/compilertest", "graph/graphtest", "indexer/lang/golang/typecheck"},
	"google.golang.org/protobuf":         {"graph/store"},
}

// testHomes are the modules that any test may import.
var testHomes = []string{"github.com/google/go-cmp", "github.com/tiktoken-go/tokenizer", "golang.org/x/tools"}

func TestLayers(t *testing.T) {
	eachFile(t, func(pkg, file string, imports []string) {
		test := strings.HasSuffix(file, "_test.go")
		if top, _, _ := strings.Cut(pkg, "/"); !slices.Contains(folders, top) {
			t.Errorf("%s: no Go code may be in the top-level folder %s", file, top)
			return
		}
		may, ok := row(pkg)
		if !ok {
			t.Errorf("%s: the package %s has no line in the table of layers", file, pkg)
			return
		}
		for _, imp := range imports {
			if problem := judge(pkg, imp, may, test); problem != "" {
				t.Errorf("%s: %s", file, problem)
			}
		}
	})
}

// row is the line of a package in the table of layers.
func row(pkg string) ([]string, bool) {
	may, ok := layers[pkg]
	for p := path.Dir(pkg); !ok && p != "."; p = path.Dir(p) {
		may, ok = layers[p+"/..."]
	}
	return may, ok
}

// allows says whether a line of the table of layers names the package.
func allows(may []string, pkg string) bool {
	return slices.ContainsFunc(may, func(m string) bool {
		below, isTree := strings.CutSuffix(m, "...")
		return m == "*" || m == pkg || isTree && strings.HasPrefix(pkg, below)
	})
}

// judge says what is wrong with an import, or nothing.
func judge(pkg, imp string, may []string, test bool) string {
	if rest, ours := strings.CutPrefix(imp, module+"/"); ours {
		switch {
		case rest == pkg || allows(may, rest):
		case test && !strings.HasPrefix(rest, "cmd/"): // a test may look around, but nobody tests through the doors
		case test && strings.HasPrefix(pkg, "cmd/"):
		default:
			return fmt.Sprintf("%s may not import %s", pkg, rest)
		}
		return ""
	}
	if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
		return "" // the standard library
	}
	mod := moduleOf(imp)
	at, ok := homes[mod]
	switch {
	case test && slices.Contains(testHomes, mod):
	case ok && (slices.Contains(at, pkg) || slices.Contains(at, "*")):
	case ok:
		return fmt.Sprintf("%s may not import %s, only %s may", pkg, imp, strings.Join(at, " and "))
	default:
		return fmt.Sprintf("%s imports %s, which has no line in the table of homes", pkg, imp)
	}
	return ""
}

// moduleOf is the longest prefix of the import path that the tables know, else the path.
func moduleOf(imp string) string {
	for p := imp; p != "."; p = path.Dir(p) {
		if _, ok := homes[p]; ok || slices.Contains(testHomes, p) {
			return p
		}
	}
	return imp
}

// eachFile calls f for every Go file of this module.
func eachFile(t *testing.T, f func(pkg, file string, imports []string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	n := 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if p != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil && p != root {
				return filepath.SkipDir // a module of its own
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return fmt.Errorf("%s: %w", rel, err)
		}
		var imports []string
		for _, spec := range file.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: %w", rel, err)
			}
			imports = append(imports, imp)
		}
		n++
		f(path.Dir(rel), rel, imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 40 {
		t.Fatalf("found %d Go files, want at least 40", n)
	}
}

// TestJudge sees to it that the table can fail.
func TestJudge(t *testing.T) {
	tests := []struct {
		pkg, imp string
		test     bool
		want     string
	}{
		{"query", module + "/graph", false, ""},
		{"query", module + "/graph/store", false, "query may not import graph/store"},
		{"graph", module + "/query", false, "graph may not import query"},
		{"indexer", module + "/query", false, "indexer may not import query"},
		{"format", module + "/graph", false, "format may not import graph"},
		{"format", module + "/graph", true, ""},
		{"query", module + "/cmd/internal/app", true, "query may not import cmd/internal/app"},
		{"query", "github.com/dgraph-io/badger/v4/options", false, "query may not import github.com/dgraph-io/badger/v4/options, only graph/store may"},
		{"cmd/internal/cli", "github.com/mark3labs/mcp-go/mcp", false, "cmd/internal/cli may not import github.com/mark3labs/mcp-go/mcp, only cmd/internal/mcpserver may"},
		{"graph", "golang.org/x/tools/txtar", true, ""},
		{"graph", "example.com/new", false, "graph imports example.com/new, which has no line in the table of homes"},
		{"graph", "strings", false, ""},
		{"compiler/rt/net", module + "/compiler/rt", false, ""},
		{"compiler/rt/net", module + "/compiler/check", false, "compiler/rt/net may not import compiler/check"},
		{"compiler/check", module + "/compiler/gogen", false, "compiler/check may not import compiler/gogen"},
		{"compiler", module + "/sdk", false, "compiler may not import sdk"},
	}
	for _, tt := range tests {
		may, _ := row(tt.pkg)
		if got := judge(tt.pkg, tt.imp, may, tt.test); got != tt.want {
			t.Errorf("%s imports %s: %q, want %q", tt.pkg, tt.imp, got, tt.want)
		}
	}
}
