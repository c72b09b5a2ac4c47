package workspace

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
)

// files is a project that is not on the disk.
type files map[string]string

var seed = maphash.MakeSeed()

// input is the project in an empty folder.
func (f files) input(root string) Input {
	now := maps.Clone(f)
	return Input{
		Root:  root,
		Files: slices.Sorted(maps.Keys(now)),
		Read: func(path string) ([]byte, error) {
			text, ok := now[path]
			if !ok {
				return nil, errors.New("it is not there")
			}
			return []byte(text), nil
		},
		Hash: func(path string) uint64 { return maphash.String(seed, now[path]) },
	}
}

func build(t testing.TB, in Input, prev *State) *State {
	t.Helper()
	s, err := Build(context.Background(), in, prev)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func checked(t testing.TB, s *State) *Checked {
	t.Helper()
	c, err := s.Checked(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// write puts the files on the disk, and is the input of the folder.
func (f files) write(t testing.TB, root string) Input {
	t.Helper()
	in := Input{Root: root, Read: func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(root, path)) }}
	for name, text := range f {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err == nil && (ext == ".pluto" || ext == ".pt") {
			rel, err := filepath.Rel(root, path)
			in.Files = append(in.Files, filepath.ToSlash(rel))
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(in.Files)
	return in
}

// say prints diagnostics.
func say(diags []*diag.Diagnostic) string {
	var out strings.Builder
	for _, d := range diags {
		fmt.Fprintf(&out, "%s:%d:%d: %s %s %s\n", fileName(d), d.Span.Start, d.Span.End, d.Severity, d.Code, d.Message)
		for _, n := range d.Notes {
			name := ""
			if n.File != nil {
				name = n.File.Name
			}
			fmt.Fprintf(&out, "\t%s:%d:%d: %s\n", name, n.Span.Start, n.Span.End, n.Message)
		}
	}
	return out.String()
}
