package ts

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
)

// inputOf makes the input of a project whose files are given by path.
func inputOf(t testing.TB, root string, files map[string]string, workers int) *lang.Input {
	t.Helper()
	in := &lang.Input{Root: root, Workers: workers, ReadFile: func(p string) ([]byte, error) {
		s, ok := files[p]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return []byte(s), nil
	}}
	for p, s := range files {
		f := lang.File{Path: p, Size: int64(len(s)), Hash: xxh3.HashString(s)}
		switch {
		case isSource(p):
			f.Summary = summarize(p, []byte(s))
			in.Files = append(in.Files, f)
		case isConfig(p):
			in.Configs = append(in.Configs, f)
		}
	}
	byPath := func(a, b lang.File) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(in.Files, byPath)
	slices.SortFunc(in.Configs, byPath)
	in.Units = units(in)
	return in
}

// readTree reads all sources and configurations below dir, without what is installed.
func readTree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); n == "node_modules" || n == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.Type().IsRegular() && (isSource(rel) || isConfig(rel)) {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			files[rel] = string(b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// extractAll returns the facts of the units, by unit name.
func extractAll(t testing.TB, in *lang.Input, todo []lang.Unit) map[string]*graph.Facts {
	t.Helper()
	var mu sync.Mutex
	all := map[string]*graph.Facts{}
	err := extract(context.Background(), in, todo, func(f *graph.Facts) error {
		mu.Lock()
		defer mu.Unlock()
		if all[f.Unit] != nil {
			t.Errorf("unit %s was emitted twice", f.Unit)
		}
		all[f.Unit] = f
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(todo) {
		t.Errorf("%d units were emitted, want %d", len(all), len(todo))
	}
	return all
}
