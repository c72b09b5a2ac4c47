// Package lang is the contract between the indexer and the languages: what a front
// end is told, and what it gives. Each language is a folder below this one and a
// line in the indexer's table.
package lang

import (
	"context"

	"github.com/settgraph/sett/graph"
)

// A Language turns source files into facts. All functions must be safe for concurrent
// use and deterministic: the same input gives the same output, whatever the order of
// files, the number of workers or the machine. None may run a program or use the
// network, none may panic on any input, and none may read outside the project except
// through what the language itself defines (module cache, GOROOT, node_modules).
type Language struct {
	Name    string // as in graph.Symbol.Lang
	Version int    // raise it when the same input gives other facts than before

	// Source reports whether the slash-separated path is a source file of the language.
	Source func(path string) bool

	// Text, which may be nil, returns the text inside a source that is no text itself: the
	// one that positions count in. ok is false for what is not such a source; if it has zero
	// bytes too, it is taken for something that only has the name of one.
	Text func(src []byte) (text []byte, ok bool)

	// Config reports whether the path is a file, not a source, whose contents can change
	// what any source means: go.mod, tsconfig.json, package.json, lock files.
	Config func(path string) bool

	// Summarize says what the grouping needs to know of one file, from its contents
	// alone. It is cached by content, so it must depend on nothing else, and it must be
	// fast: it runs over every new or changed file.
	Summarize func(path string, src []byte) Summary

	// Units groups all files. It reads nothing but Input.Files and configuration files.
	Units func(in *Input) []Unit

	// Extract produces the facts of the units in todo, each exactly once, through emit,
	// which is safe for concurrent use. It may read other units' files for what todo
	// depends on. A broken file gives what could be understood of it and a Note; an
	// error means that the run cannot go on.
	Extract func(ctx context.Context, in *Input, todo []Unit, emit func(*graph.Facts) error) error

	// Locals, which may be nil, finds the local that is declared or used at a position of
	// a file; nil when the name there is none. It must answer while somebody waits, and
	// Input.Units is unset.
	Locals func(ctx context.Context, in *Input, path string, at graph.Pos) (*Local, error)

	// Looker and Checker, which may be nil, make what answers about positions and what finds
	// errors; see there. Unlike the rest of a language they may remember, and a Checker may
	// ask the language's own command where dependencies are.
	Looker  func() Looker
	Checker func() Checker

	// Outside, which may be nil, hashes what the facts depend on besides the project's
	// files: the release of the standard library, which dependencies are installed. When
	// it changes, everything is extracted again. It gets the configuration files alone,
	// and it must be fast: it runs for every question.
	Outside func(in *Input) uint64
}

// Input is the project as a language sees it.
type Input struct {
	Root    string // absolute path of the project root
	Files   []File // the language's source files, sorted by path
	Configs []File // the language's configuration files, sorted by path
	Units   []Unit // what Units returned; unset during Units
	Workers int    // how many goroutines may work at once, at least 1

	// Cache is the absolute path of a folder where services may keep what spares the next
	// process work, and which may be lost at any time; "": nothing is kept.
	Cache string

	// ReadFile returns the contents of a project file, by slash-separated path from
	// the root: the file on disk, or unsaved text laid over it.
	ReadFile func(path string) ([]byte, error)

	// Progress, which may be nil, is told that n more files are done.
	Progress func(n int)
}

// File is one file of an [Input].
type File struct {
	Path    string // slash-separated, from the root
	Size    int64
	Hash    uint64 // xxh3 of the contents
	Summary Summary
}

// Summary is what grouping needs to know of a file. Hints is the language's own
// encoding of the rest (package name, build constraint).
type Summary struct {
	Imports   []string // import paths or specifiers as written, sorted, each once
	Shape     uint64   // hash of all that other units can see: equal when only bodies or comments changed
	Test      bool
	Generated bool
	Hints     string
}

// Unit is the piece of a project that is extracted as a whole: a directory's Go
// packages, a TypeScript file.
type Unit struct {
	Name  string   // unique: "go:tsdb", "ts:src/app.ts"
	Files []string // sorted paths
	Deps  []string // names of the units whose shape it sees directly, sorted; cycles are allowed
	Shape uint64   // hash of what others can see of it
}
