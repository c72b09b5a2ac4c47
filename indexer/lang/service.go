package lang

import (
	"context"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/query/report"
)

// A Looker tells what is at a position, for one project. It may remember what it worked out
// for the next question, as long as the answers do not show it: what a file holds now is
// what Input.ReadFile gives and Input's hashes say. It is safe for concurrent use.
type Looker interface {
	// Look tells what is at a position; nil when nothing there has a type or a definition:
	// white space, a comment. The end of a name counts as the name, as it does in editors.
	// A file with errors is no error. It must answer while somebody waits.
	Look(ctx context.Context, in *Input, path string, at graph.Pos) (*graph.Place, error)

	// Close gives back what is remembered. Nobody may be looking.
	Close()
}

// A Checker finds what is wrong with a project's files, as the language's own compiler
// would say it. Like a [Looker] it may remember, and is safe for concurrent use.
type Checker interface {
	// Check finds what is wrong with the files of the scope.
	Check(ctx context.Context, in *Input, s Scope) (*Checked, error)

	// Close gives back what is remembered. Nobody may be checking.
	Close()
}

// Scope says what is checked.
type Scope struct {
	// Files, when not nil, are the only ones whose findings are wanted, from the root and
	// sorted. Whatever they depend on is read too, but not reported.
	Files   []string
	NoTests bool // leave test files out
}

// Checked is what a check found.
type Checked struct {
	// Findings are complete: nothing is left out because there are many. Sorted by file and
	// position, each once.
	Findings []report.Diagnostic

	// Files counts the files that were checked.
	Files int

	// Notes say in one line each what could not be checked or was only guessed, and what to
	// do about it: "node_modules is missing: run npm install".
	Notes []string
}
