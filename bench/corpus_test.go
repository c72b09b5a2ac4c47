// Package bench measures sett on pinned inputs: the sources of modules that go.mod names
// with a version and a checksum, and on any folder that SETT_BENCH_REPO names. See README.md.
package bench

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/sdk"
)

// corpora are the inputs, small to large.
var corpora = []string{
	"github.com/dgraph-io/badger/v4",     // Go, 30,000 lines
	"golang.org/x/tools",                 // Go, 300,000 lines, hundreds of packages
	"github.com/microsoft/typescript-go", // Go, 1,000,000 lines
}

// corpus returns a writable copy of a module's source, made once per run.
func corpus(b testing.TB, module string) string {
	b.Helper()
	if dir := os.Getenv("SETT_BENCH_REPO"); dir != "" && module == "" {
		return copied(b, "repo", dir)
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		b.Fatalf("finding %s: %v", module, err)
	}
	return copied(b, module, strings.TrimSpace(string(out)))
}

var (
	copies   sync.Map // name -> folder
	copyRoot = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "sett-bench-") })
)

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := copyRoot(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

func copied(b testing.TB, name, from string) string {
	b.Helper()
	if dir, ok := copies.Load(name); ok {
		return dir.(string)
	}
	root, err := copyRoot()
	if err != nil {
		b.Fatal(err)
	}
	to := filepath.Join(root, strings.ReplaceAll(name, "/", "_"))
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && d.Name() == ".sett":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case d.Type()&fs.ModeSymlink != 0: // as package managers make them below node_modules
			target, err := os.Readlink(path)
			if err != nil || filepath.IsAbs(target) {
				return err
			}
			return os.Symlink(target, filepath.Join(to, rel))
		case !d.Type().IsRegular():
			return nil
		case strings.Contains(path, "node_modules") && os.Link(path, filepath.Join(to, rel)) == nil:
			return nil // many, large, and never written to
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
	if err != nil {
		b.Fatal(err)
	}
	copies.Store(name, to)
	return to
}

// each runs a benchmark on every corpus, and on SETT_BENCH_REPO when that is set.
func each(b *testing.B, f func(b *testing.B, dir string)) {
	if os.Getenv("SETT_BENCH_REPO") != "" {
		b.Run("repo", func(b *testing.B) { f(b, corpus(b, "")) })
		return
	}
	for i, module := range corpora {
		if testing.Short() && i > 0 {
			break
		}
		b.Run(filepath.Base(strings.TrimSuffix(module, "/v4")), func(b *testing.B) { f(b, corpus(b, module)) })
	}
}

func open(b testing.TB, dir string) *sdk.Project {
	b.Helper()
	p, err := sdk.Open(dir, sdk.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.Close() })
	return p
}

func indexed(b testing.TB, dir string) *sdk.Project {
	b.Helper()
	p := open(b, dir)
	if _, err := p.Index(context.Background(), sdk.IndexOptions{}); err != nil {
		b.Fatal(err)
	}
	return p
}

// busiest returns the handles of the declarations with most uses, and of some in between.
func busiest(b testing.TB, p *sdk.Project, n int) []*graph.Node {
	b.Helper()
	s, _, err := p.Snapshot(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	type used struct {
		node *graph.Node
		uses int
	}
	var all []used
	for id := range graph.NodeID(s.NumNodes()) {
		if d := s.Node(id); d != nil && !d.External && (d.Kind.IsCallable() || d.Kind.IsType()) {
			if uses := len(s.In(id)); uses > 0 {
				all = append(all, used{d, uses})
			}
		}
	}
	sortBy(all, func(x, y used) bool { return x.uses > y.uses })
	var picked []*graph.Node
	for i := range min(n, len(all)) {
		picked = append(picked, all[i*(len(all)-1)/max(n-1, 1)].node)
	}
	return picked
}
