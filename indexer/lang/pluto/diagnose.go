package pluto

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/stdlib"
)

// follower keeps the workspace of a project up to date with what the files are now.
type follower struct {
	mu    sync.Mutex
	state *workspace.State
}

// now is the workspace of the input, made from the last one.
func (f *follower) now(ctx context.Context, in *lang.Input) (*workspace.State, error) {
	files := make([]string, len(in.Files))
	hashes := make(map[string]uint64, len(in.Files))
	for i, file := range in.Files {
		files[i] = file.Path
		hashes[file.Path] = file.Hash
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := workspace.Build(ctx, workspace.Input{
		Root: in.Root, Files: files, Read: in.ReadFile,
		Hash: func(path string) uint64 { return hashes[path] },
	}, f.state)
	if err != nil {
		return nil, fmt.Errorf("reading the Pluto files: %w", err)
	}
	f.state = s
	return s, nil
}

// forget gives the workspace back.
func (f *follower) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state = nil
}

// checker finds what is wrong with all programs of a project.
type checker struct {
	files   follower
	mu      sync.Mutex
	fetched map[[32]byte]bool // by the key of a program: its dependencies were asked for
}

func newChecker() lang.Checker { return &checker{fetched: map[[32]byte]bool{}} }

// Close implements [lang.Checker].
func (c *checker) Close() { c.files.forget() }

// Check implements [lang.Checker].
func (c *checker) Check(ctx context.Context, in *lang.Input, s lang.Scope) (*lang.Checked, error) {
	state, checked, err := c.state(ctx, in)
	if err != nil {
		return nil, err
	}
	tests := map[string]bool{}
	for _, f := range in.Files {
		tests[f.Path] = f.Summary.Test
	}
	wanted := func(file string) bool {
		if s.Files != nil {
			if _, ok := slices.BinarySearch(s.Files, file); !ok {
				return false
			}
		}
		return !s.NoTests || !tests[file]
	}
	out := &lang.Checked{}
	for _, m := range state.Modules() {
		if wanted(m.Path) {
			out.Files++
		}
	}
	for _, d := range checked.DiagsOf(func(g *workspace.Group) bool { return !s.NoTests || !g.Test }) {
		r := Finding(d)
		if wanted(r.File) && !(d.Code == diag.ShadowsBuiltin && ofLibrary(r.File)) {
			out.Findings = append(out.Findings, r)
		}
	}
	out.Findings = report.Sort(out.Findings)
	return out, ctx.Err()
}

// ofLibrary says whether a file is one of the standard library, whose modules may have the
// names of what is built in: as std.math has abs.
func ofLibrary(file string) bool {
	_, name, ok := strings.Cut("/"+file, "/stdlib/")
	if !ok {
		return false
	}
	_, err := fs.Stat(stdlib.Files(), name)
	return err == nil
}

// state is the workspace as it is now and what the compiler says about it. Git dependencies
// that are not on this machine yet are fetched, as by every other check of a program; each
// program asks for its own once.
func (c *checker) state(ctx context.Context, in *lang.Input) (*workspace.State, *workspace.Checked, error) {
	for {
		state, err := c.files.now(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		checked, err := state.Checked(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("checking the Pluto programs: %w", err)
		}
		if !c.fetch(state, checked) {
			return state, checked, nil
		}
		c.files.forget() // the places of dependencies are remembered
	}
}

// fetch loads the programs that wait for git dependencies, and says whether there are any that
// it did not load before.
func (c *checker) fetch(state *workspace.State, checked *workspace.Checked) (some bool) {
	waits := func(d *diag.Diagnostic) bool { return d.Code == diag.GitFailed }
	if !slices.ContainsFunc(checked.Diags(""), waits) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, g := range state.Groups() {
		key := state.Key(g)
		if c.fetched[key] || !slices.ContainsFunc(checked.DiagsOf(func(h *workspace.Group) bool { return h == g }), waits) {
			continue
		}
		c.fetched[key], some = true, true
		load.Load(filepath.Join(state.Root(), filepath.FromSlash(g.Entry)), load.Options{Standalone: true, Base: state.Root()})
	}
	return some
}

// Finding is a diagnostic of the compiler in the words that all languages share: notes that
// have a place explain it, the others help.
func Finding(d *diag.Diagnostic) report.Diagnostic {
	r := report.Diagnostic{Severity: report.Error, Code: string(d.Code), Source: langName, Message: d.Message}
	if d.Severity == diag.Warning {
		r.Severity = report.Warning
	}
	if d.File != nil {
		r.File = d.File.Name
		r.Line, r.Col = d.File.Position(d.Span.Start)
		r.EndLine, r.EndCol = d.File.Position(d.Span.End)
	}
	var help []string
	for _, n := range d.Notes {
		if n.File == nil {
			help = append(help, n.Message)
			continue
		}
		r.Related = append(r.Related, related(n.File, n.Span, n.Message))
	}
	r.Help = strings.Join(help, "; ")
	return r
}

func related(f *source.File, at source.Span, message string) report.Related {
	line, col := f.Position(at.Start)
	return report.Related{File: f.Name, Line: line, Col: col, Message: message}
}
