package golang_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang"
)

// readProject makes the input that the indexer would make of a folder.
func readProject(tb testing.TB, root string) *lang.Input {
	tb.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if p != root && (name == "vendor" || name == "node_modules" || name == "testdata" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") && name != "go.mod" && name != "go.work" {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(p)
		files[filepath.ToSlash(rel)] = src
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	in := project(files)
	in.Root = root
	return in
}

// project makes the input of files in memory.
func project(files map[string][]byte) *lang.Input {
	l := golang.Language()
	in := &lang.Input{Workers: 2, Root: "/nowhere"}
	in.ReadFile = func(p string) ([]byte, error) {
		src, ok := files[p]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return src, nil
	}
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for part := range slices.Chunk(paths, max(1, len(paths)/2)) {
		wg.Go(func() {
			for _, p := range part {
				f := lang.File{Path: p, Size: int64(len(files[p])), Hash: xxh3.Hash(files[p])}
				source := l.Source(p)
				if source {
					f.Summary = l.Summarize(p, files[p])
				}
				mu.Lock()
				switch {
				case source:
					in.Files = append(in.Files, f)
				case l.Config(p):
					in.Configs = append(in.Configs, f)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	byPath := func(a, b lang.File) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(in.Files, byPath)
	slices.SortFunc(in.Configs, byPath)
	in.Units = l.Units(in)
	return in
}

// extractAll extracts the units and returns their facts by unit.
func extractAll(tb testing.TB, in *lang.Input, todo []lang.Unit) map[string]*graph.Facts {
	tb.Helper()
	out := map[string]*graph.Facts{}
	var mu sync.Mutex
	err := golang.Language().Extract(context.Background(), in, todo, func(f *graph.Facts) error {
		mu.Lock()
		defer mu.Unlock()
		if out[f.Unit] != nil {
			tb.Errorf("%s was emitted twice", f.Unit)
		}
		out[f.Unit] = f
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(out) != len(todo) {
		tb.Errorf("%d units emitted, %d asked for", len(out), len(todo))
	}
	return out
}
