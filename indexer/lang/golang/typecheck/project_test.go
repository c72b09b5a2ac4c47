package typecheck_test

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang"
	"github.com/settgraph/sett/indexer/lang/golang/typecheck"
)

// A project is a folder with texts laid over it.
type project struct {
	root string
	over map[string]string
}

func (p *project) read(path string) ([]byte, error) {
	if t, ok := p.over[path]; ok {
		return []byte(t), nil
	}
	return os.ReadFile(filepath.Join(p.root, filepath.FromSlash(path)))
}

// input is the project as the indexer would give it.
func (p *project) input(t testing.TB) *lang.Input {
	t.Helper()
	l := golang.Language()
	in := &lang.Input{Root: p.root, Workers: runtime.GOMAXPROCS(0), ReadFile: p.read}
	paths := map[string]bool{}
	err := filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			paths[rel] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for rel := range p.over {
		paths[rel] = true
	}
	for rel := range paths {
		if !l.Source(rel) && !l.Config(rel) {
			continue
		}
		src, err := p.read(rel)
		if err != nil {
			t.Fatal(err)
		}
		f := lang.File{Path: rel, Size: int64(len(src)), Hash: xxh3.Hash(src)}
		if l.Source(rel) {
			f.Summary = l.Summarize(rel, src)
			in.Files = append(in.Files, f)
		} else {
			in.Configs = append(in.Configs, f)
		}
	}
	byPath := func(a, b lang.File) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortFunc(in.Files, byPath)
	slices.SortFunc(in.Configs, byPath)
	return in
}

func check(t testing.TB, c lang.Checker, in *lang.Input, s lang.Scope) *lang.Checked {
	t.Helper()
	out, err := c.Check(context.Background(), in, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func checkAll(t testing.TB, p *project) *lang.Checked {
	t.Helper()
	c := typecheck.New()
	defer c.Close()
	return check(t, c, p.input(t), lang.Scope{})
}

// edit lays a text with one more function body changed over a file.
func edit(in *lang.Input, p *project, file, src string, n int) {
	text := src + "\nfunc init() { _ = " + strconv.Itoa(n) + " }\n"
	p.over[file] = text
	for i := range in.Files {
		if f := &in.Files[i]; f.Path == file {
			f.Hash, f.Summary = xxh3.HashString(text), golang.Language().Summarize(file, []byte(text))
		}
	}
}

func abs(t testing.TB, path string) string {
	t.Helper()
	a, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func newChecker(t testing.TB) lang.Checker {
	c := typecheck.New()
	t.Cleanup(c.Close)
	return c
}
