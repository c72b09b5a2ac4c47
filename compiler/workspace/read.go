package workspace

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// builder makes a state.
type builder struct {
	in    Input
	prev  *State // nil when nothing of it is of use
	state *State

	changed map[string]bool // by path: modules that prev does not have as they are
}

func newBuilder(in Input, prev *State) *builder {
	root := in.Root
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	options := load.Options{Stdlib: in.Stdlib, CacheDir: in.CacheDir, Offline: true, ReadOnly: true, Base: root}
	if prev != nil && (prev.root != root || prev.options.Stdlib != in.Stdlib || prev.options.CacheDir != in.CacheDir) {
		prev = nil
	}
	s := &State{root: root, gone: in.Gone, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	if prev != nil {
		s.cache = prev.cache
		s.base = prev.base
		if c := prev.checked.Load(); c != nil {
			s.base = c.history()
		}
	} else {
		s.cache = load.NewCache()
	}
	options.Cache = s.cache
	s.options = options
	return &builder{in: in, prev: prev, state: s, changed: map[string]bool{}}
}

// read makes the modules, and the layer over the disk that programs are loaded from.
func (b *builder) read(ctx context.Context) error {
	s := b.state
	listed := make(map[string]bool, len(b.in.Files))
	for _, p := range b.in.Files {
		listed[p] = true
	}
	var paths, views []string // a view of the path beside it, or ""
	for _, p := range b.in.Files {
		stem, isView := strings.CutSuffix(p, viewExt)
		if isView && listed[stem+moduleExt] {
			continue
		}
		view := ""
		if stem, ok := strings.CutSuffix(p, moduleExt); ok && listed[stem+viewExt] {
			view = stem + viewExt
		}
		paths, views = append(paths, p), append(views, view)
	}
	s.modules = make([]*Module, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range paths {
		hash := uint64(0)
		if b.in.Hash != nil {
			hash = b.in.Hash(p)
		}
		var old *Module
		if b.prev != nil {
			old = b.prev.byPath[p]
		}
		if old != nil && hash != 0 && old.hash == hash && old.View == views[i] && old.Err == nil {
			s.modules[i] = old
			continue
		}
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			s.modules[i] = b.module(p, views[i], hash, old)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	slices.SortFunc(s.modules, func(a, c *Module) int { return cmp.Compare(a.Path, c.Path) })
	s.byPath = make(map[string]*Module, len(s.modules))
	files := make(map[string][]byte, len(s.modules)+len(b.in.Gone))
	for _, p := range b.in.Gone {
		files[b.abs(p)] = nil
	}
	for _, m := range s.modules {
		s.byPath[m.Path] = m
		if m.Raw != nil {
			files[m.abs] = m.Raw
		}
		if b.prev == nil || !m.sameText(b.prev.byPath[m.Path]) {
			b.changed[m.Path] = true
		}
	}
	s.options.Layer = load.NewLayer(files)
	return nil
}

func (b *builder) abs(path string) string {
	return filepath.Join(b.state.root, filepath.FromSlash(path))
}

// module reads and parses a file. old is the module of the path in the earlier state, or nil.
func (b *builder) module(path, view string, hash uint64, old *Module) *Module {
	m := &Module{Path: path, Name: strings.TrimSuffix(path, filepath.Ext(path)), View: view, abs: b.abs(path), hash: hash}
	raw, err := b.in.Read(path)
	if err != nil {
		m.Err = err
		m.empty()
		return m
	}
	m.Raw = slices.Clip(raw)
	if m.Raw == nil {
		m.Raw = []byte{}
	}
	m.sum = sha256.Sum256(raw)
	if old != nil && old.Err == nil && old.sum == m.sum {
		if old.View == view {
			return old.withHash(hash)
		}
		m.Raw = old.Raw // which the cache knows
	}
	var diags *diag.List
	if m.File, diags = b.state.cache.Parse(path, m.abs, m.Raw); diags != nil {
		m.Syntax = diags.Sorted()
	}
	switch {
	case plto.Is(m.Raw):
		m.Binary, m.Err = plto.Decode(m.Raw)
	case len(m.Syntax) > 0 && bytes.IndexByte(m.Raw, 0) >= 0:
		m.Err = errors.New("it is neither text nor begins with PLTO")
	}
	if m.File == nil {
		m.empty()
		return m
	}
	if m.text = m.sum; plto.Is(m.Raw) {
		m.text = sha256.Sum256([]byte(m.File.Src.Text))
	}
	m.describe()
	return m
}

// withHash is the module under another hash of the same content.
func (m *Module) withHash(hash uint64) *Module {
	if m.hash == hash {
		return m
	}
	same := *m
	same.hash = hash
	return &same
}

// sameText says whether both modules could be read, and hold the same.
func (m *Module) sameText(old *Module) bool {
	return old != nil && old.Err == nil && m.Err == nil && old.sum == m.sum
}

// empty gives the module of what could not be read a tree.
func (m *Module) empty() {
	m.File = syntax.Parse(source.NewFile(m.Path, m.abs, ""), &diag.List{})
	m.describe()
}

// describe fills what follows from the tree.
func (m *Module) describe() {
	m.Decls = xref.Decls(m.File)
	m.names = sync.OnceValue(func() map[xref.Key]*xref.Decl {
		out := map[xref.Key]*xref.Decl{}
		for d := range xref.All(m.Decls) {
			out[d.Key] = d
		}
		return out
	})
	m.visible = sync.OnceValue(func() surface { return surfaceOf(m.File) })
	m.layout = layoutOf(m)
}

// layoutOf is everything about a module that says which files form which programs.
func layoutOf(m *Module) string {
	var out strings.Builder
	for _, imp := range m.File.Imports {
		for _, name := range importPath(imp) {
			out.WriteString(name + ".")
		}
		if imp.Alias != nil {
			out.WriteString(" as " + imp.Alias.Name)
		}
		out.WriteString("\n")
	}
	if starts(m.File) {
		out.WriteString("starts\n")
	}
	if hasTests(m.File) {
		out.WriteString("tests\n")
	}
	if m.Err != nil {
		out.WriteString("unreadable\n")
	}
	return out.String()
}

// importPath is the segments of an import; nil when not all of it could be read.
func importPath(imp *syntax.Import) []string {
	var names []string
	for _, id := range imp.Path {
		if id == nil || id.Name == "" {
			return nil
		}
		names = append(names, id.Name)
	}
	if imp.Alias != nil && imp.Alias.Name == "" {
		return nil
	}
	return names
}

// starts says whether a file has what a program begins with.
func starts(f *syntax.File) bool {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *syntax.AppDecl:
			return true
		case *syntax.FuncDecl:
			if d.Name != nil && d.Name.Name == "main" {
				return true
			}
		}
	}
	return false
}

// hasTests says whether a file has test blocks.
func hasTests(f *syntax.File) bool {
	for _, d := range f.Decls {
		switch d.(type) {
		case *syntax.TestDecl, *syntax.TestsDecl:
			return true
		}
	}
	return false
}
