package pluto

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// looker tells what is at positions of a project. A file means what the program that it is in
// makes of it, so the program is checked as a whole and kept until one of its files changes.
type looker struct {
	files follower

	mu    sync.Mutex
	views []*view // the one that was used last comes first
}

func newLooker() lang.Looker { return &looker{} }

// Close implements [lang.Looker].
func (l *looker) Close() {
	l.files.forget()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.views = nil
}

// view is a checked program to look things up in.
type view struct {
	key     [32]byte
	program *check.Program
	index   *xref.Index
	types   func() declared
	inside  func(f *source.File) bool // it is one of the project's files
}

// Look implements [lang.Looker].
func (l *looker) Look(ctx context.Context, in *lang.Input, path string, at graph.Pos) (*graph.Place, error) {
	state, err := l.files.now(ctx, in)
	if err != nil {
		return nil, err
	}
	m := state.Module(path)
	if m == nil || m.Path != path {
		return nil, nil
	}
	off := m.File.Src.Offset(int(at.Line), int(at.Col))
	if line, col := m.File.Src.Position(off); line != int(at.Line) || col != int(at.Col) || !written(m.File, off) {
		return nil, nil
	}
	const most = 3 // programs that are asked: what none of the likely ones knows, nobody does
	var found *graph.Place
	for i, g := range programsOf(state, m, off) {
		v, err := l.view(ctx, state, g)
		if err != nil {
			return nil, err
		}
		place := v.look(path, off)
		if place != nil && (place.Type != "" || len(place.Defs) > 0) || i+1 == most {
			return place, nil
		}
		if found == nil {
			found = place
		}
	}
	return found, nil
}

// written says whether there is a token at the offset, or one that ends there, and no comment.
func written(f *syntax.File, off int32) bool {
	i, _ := slices.BinarySearchFunc(f.Tokens, off, func(t syntax.Token, off int32) int {
		if t.At.End < off {
			return -1
		}
		return 1 // the first that does not end before is wanted
	})
	for ; i < len(f.Tokens) && f.Tokens[i].At.Start <= off; i++ {
		t := f.Tokens[i]
		switch t.Kind {
		case syntax.NEWLINE, syntax.EOF:
		case syntax.COMMENT:
			if off > t.At.Start {
				return false
			}
		default:
			if t.At.Contains(off) {
				return true
			}
		}
	}
	return false
}

// programsOf lists the programs that a file is in, those first that say most about the
// offset: for a test the test run, then the one whose namespace the file is part of, then the
// smallest.
func programsOf(s *workspace.State, m *workspace.Module, off int32) []*workspace.Group {
	test := slices.ContainsFunc(syntax.At(m.File, off), func(n syntax.Node) bool {
		_, ok := n.(*syntax.TestDecl)
		return ok
	})
	rank := func(g *workspace.Group) int {
		own := slices.Contains(g.Files, m.Path)
		switch {
		case g.Test && g.Entry == m.Path && test:
			return 0
		case !g.Test && own:
			return 1
		case !g.Test:
			return 2
		}
		return 3
	}
	groups := slices.DeleteFunc(s.Groups(), func(g *workspace.Group) bool {
		_, ok := slices.BinarySearch(g.Closure, m.Path)
		return !ok
	})
	slices.SortStableFunc(groups, func(a, b *workspace.Group) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.Closure), len(b.Closure)))
	})
	return groups
}

// keptViews bounds how many programs are remembered.
const keptViews = 4

// view is the program of a group, which is checked unless it is remembered.
func (l *looker) view(ctx context.Context, s *workspace.State, g *workspace.Group) (*view, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := s.Key(g)
	if i := slices.IndexFunc(l.views, func(v *view) bool { return v.key == key }); i >= 0 {
		v := l.views[i]
		l.views = slices.Insert(slices.Delete(l.views, i, i+1), 0, v)
		return v, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("checking the program of %s: %w", g.Entry, err)
	}
	v := newView(s, g)
	v.key = key
	l.views = slices.Insert(l.views, 0, v)
	l.views = l.views[:min(len(l.views), keptViews)]
	return v, nil
}

func newView(s *workspace.State, g *workspace.Group) *view {
	p, decls := s.Program(g)
	own := map[string]bool{}
	for _, path := range g.Closure {
		own[path] = true
	}
	v := &view{program: p, index: xref.NewIndex(p, decls), inside: func(f *source.File) bool { return f.Path != "" && own[f.Name] }}
	v.types = sync.OnceValue(func() declared { return declaredIn(p) })
	return v
}
