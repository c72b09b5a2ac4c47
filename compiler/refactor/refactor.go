// Package refactor plans edits of Pluto projects: what to change in which text so that a
// declaration is added, replaced, renamed, moved or deleted. It writes nothing and knows no
// ids; a [Plan] is applied by whoever asked for it.
//
// A plan changes as little text as it can. What it does not touch stays byte for byte, and
// inserted text takes the line ends and the indentation of the file it comes into.
//
// Everything here refuses with an [*Error].
package refactor

import (
	"fmt"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// Edit replaces the text at a place. Offsets are those of the text before any edit.
type Edit struct {
	At  source.Span
	New string
}

// Plan is what to do to the texts of a project, and what that does to its declarations.
type Plan struct {
	Edits  map[string][]Edit // by path; in order, without overlap
	Create map[string]string // new modules: path and text
	Remove []string          // modules that go
	Rename map[string]string // modules that get another path; their Edits are under the old one

	Moved    map[xref.Key]xref.Key // declarations and members that go on under another key
	Added    []xref.Key            // in the order of the text, a new module before what is in it; without the members of what is added
	Removed  []xref.Key            // likewise
	Updated  int                   // references that were rewritten
	Dangling []xref.Site           // uses, in the text as it was, that will point at nothing
	Notes    []string              // what the asker should know

	made, next *workspace.State // what it was made for, and what it leads to when that is known
}

// Position says where something goes: before or after a sibling, or, when it is zero, at
// the end.
type Position struct{ Before, After xref.Key }

// Codes of errors.
const (
	NotFound     = "not_found"        // there is no such module or declaration
	Invalid      = "invalid_argument" // what was asked for makes no sense
	Conflict     = "conflict"         // it would break or change something else
	ParseError   = "parse_error"      // the given source is not Pluto
	KindMismatch = "kind_mismatch"    // it is for another kind of declaration
	Outside      = "outside_project"  // it belongs to the library or to another package
)

// Error is why a plan cannot be made.
type Error struct {
	Code string
	Text string   // a sentence without its full stop
	Near []string // what may have been meant, at most three
	At   *Place   // what is in the way, or what is wrong in the given source
	Hint string   // what to do next; may be empty
}

// Place is a place in a file of the project, or in the given source when File is empty.
// Line and column count from 1.
type Place struct {
	File      string
	Line, Col int
}

func (p Place) String() string {
	if p.File == "" {
		return fmt.Sprintf("line %d, column %d of the source", p.Line, p.Col)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Error is the sentence with its place.
func (e *Error) Error() string {
	if e.At == nil {
		return e.Text
	}
	return fmt.Sprintf("%s (%s)", e.Text, e.At)
}

// refuse makes an error without a place.
func refuse(code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}

// at adds a place.
func (e *Error) at(f *source.File, offset int32) *Error {
	line, col := f.Position(offset)
	e.At = &Place{f.Name, line, col}
	return e
}

// hint adds what to do next.
func (e *Error) hint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// found turns a diagnostic into the reason of a refusal.
func found(code, prefix string, d *diag.Diagnostic) *Error {
	e := refuse(code, "%s%s", prefix, d.Message)
	if d.File != nil {
		e.at(d.File, d.Span.Start)
	}
	return e
}
