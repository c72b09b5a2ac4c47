// Package workspace is all Pluto files of a folder: parsed once, grouped into programs,
// checked, and kept up to date with as little work as a change asks for.
//
// [Build] makes a [State] of what the files are at one moment, from an earlier State when
// there is one. A State is immutable: who holds one sees the project as it was. What the
// compiler says about it is computed at the first call of [State.Checked].
//
// What was checked before is used again where it must come out the same: a program none of
// whose files changed is not checked again, and of many programs that share a changed module
// only one is, when the others cannot see the change; see partial.go.
package workspace

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// Input says what the project is.
type Input struct {
	// Root is the folder, absolute.
	Root string
	// Files are the slash paths from Root of all source files, sorted: those on the disk
	// and those that are only staged.
	Files []string
	// Read is the content of one of Files, as it is on the disk or staged over it. It must not
	// change afterwards.
	Read func(path string) ([]byte, error)
	// Hash is an optional cheap identity of the content of one of Files, such as one of its
	// size and times: what has the Hash that it had in the earlier State is not read again.
	// Zero says nothing.
	Hash func(path string) uint64
	// Gone are slash paths of files that are on the disk but are to be seen as removed.
	Gone []string
	// Stdlib is the folder of the standard library; "" for PLUTO_STDLIB, then the one in
	// this program.
	Stdlib string
	// CacheDir is where checked out git dependencies are; "" for PLUTO_CACHE_DIR, then the
	// user's cache folder. Nothing is ever fetched.
	CacheDir string
}

// Module is one file.
type Module struct {
	Path   string       // slash path from the root: "math/vectors.pluto"
	Name   string       // Path without its extension
	Raw    []byte       // the content as it is stored
	Binary *plto.File   // nil for text
	File   *syntax.File // never nil; empty for what could not be read
	Decls  []*xref.Decl
	View   string // the path of the .pt file that is the human view of this .pluto file, or ""

	Syntax []*diag.Diagnostic // what is wrong with the text, sorted
	Err    error              // the file could not be read, or is damaged

	abs     string
	hash    uint64   // what Input.Hash said
	sum     [32]byte // of Raw
	text    [32]byte // of the text in it, whatever the form
	layout  string   // what the grouping of files depends on
	names   func() map[xref.Key]*xref.Decl
	visible func() surface
}

// Mend says what can be done about Err.
func (m *Module) Mend() string {
	var bad *plto.Error
	switch {
	case m.Err == nil:
		return ""
	case errors.As(m.Err, &bad) && bad.Kind == plto.TooNew:
		return "use the version of sett that wrote " + path.Base(m.Path) + ", or a later one"
	}
	if _, err := plto.Text(m.Raw); plto.Is(m.Raw) && err == nil {
		return "its text is whole: migrate " + m.Path + " to text to keep that, or bring back an earlier version of it"
	}
	return "bring back an earlier version of " + path.Base(m.Path) + ", or delete the module"
}

// Group is a program: the files that share a namespace with its entry, and everything that
// they import.
type Group struct {
	Entry      string   // the path of the file that is loaded
	Files      []string // those of its own namespace, Entry first
	Closure    []string // all files of the project that it consists of, sorted
	Standalone bool     // siblings of the entry are not part of it
	Test       bool     // it is the test run of Entry
}

// State is a project at one moment. It is immutable and safe for concurrent use.
type State struct {
	root     string
	modules  []*Module
	byPath   map[string]*Module
	groups   []*Group
	programs []*program // parallel to groups
	options  load.Options
	gone     []string
	watched  map[string]string // what places outside of the project's files were like
	base     history           // the newest results when this was built
	cache    *load.Cache

	turn    chan struct{} // holds a token while nobody checks
	partial []*result     // what a call that was ended has finished, by program; for who has the token
	checked atomic.Pointer[Checked]
}

// Root is the folder of the project, absolute and with links followed.
func (s *State) Root() string { return s.root }

// Modules lists the modules in order of their paths. A .pt file beside a .pluto file of the
// same name is a view of it, and no module.
func (s *State) Modules() []*Module { return slices.Clone(s.modules) }

// Module finds a module by its path, with or without an extension, from the root or absolute;
// that of a view finds what it is a view of. It is nil when there is none.
func (s *State) Module(path string) *Module {
	if filepath.IsAbs(path) {
		path = s.relative(path)
	}
	path = filepath.ToSlash(filepath.Clean(path))
	if m := s.byPath[path]; m != nil {
		return m
	}
	if name, ok := strings.CutSuffix(path, viewExt); ok {
		path = name
	}
	for _, ext := range []string{moduleExt, viewExt} {
		if m := s.byPath[path+ext]; m != nil {
			return m
		}
	}
	return nil
}

// relative is the path from the root of an absolute one, which may lead there by links.
func (s *State) relative(abs string) string {
	if rel, err := filepath.Rel(s.root, abs); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		if rel, err := filepath.Rel(s.root, filepath.Join(dir, filepath.Base(abs))); err == nil {
			return rel
		}
	}
	return abs
}

// Decl finds a declaration or a member of one; nil when the project has none such.
func (s *State) Decl(k xref.Key) *xref.Decl {
	m := s.byPath[k.File]
	if m == nil {
		return nil
	}
	return m.names()[k]
}

// Groups lists the programs: those that are run first, then test runs, both in order of
// their entries. Every file is in the closure of one at least.
func (s *State) Groups() []*Group { return slices.Clone(s.groups) }

// Build makes a State of what the files are now. prev may be nil; what did not change since
// is taken from it. It reads no file that Hash says is the same, runs no other program and
// writes nothing. The only error is that of the context: what is wrong with the files is said
// by [Checked.Diags].
func Build(ctx context.Context, in Input, prev *State) (*State, error) {
	b := newBuilder(in, prev)
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	if err := b.group(ctx); err != nil {
		return nil, err
	}
	return b.state, nil
}

// The extensions of sources, and of the views that binary modules have.
const (
	moduleExt = ".pluto"
	viewExt   = ".pt"
)
