package pluto

import (
	"errors"
	"fmt"
	"strings"
)

// Code says what kind of failure an [Error] is: one word that programs can act on.
type Code string

// The codes.
const (
	NotFound        Code = "not_found"        // nothing has that name, id or path
	Ambiguous       Code = "ambiguous"        // several declarations are meant; Candidates has them
	InvalidArgument Code = "invalid_argument" // the request makes no sense as it is
	OutsideProject  Code = "outside_project"  // the path leads out of the project's folder
	Stale           Code = "stale"            // what the request was based on is no longer so
	Conflict        Code = "conflict"         // it would overwrite, clash with or break something
	ParseError      Code = "parse_error"      // the given source is not Pluto; At says where
	KindMismatch    Code = "kind_mismatch"    // the declaration is of the wrong kind
	ReadOnly        Code = "read_only"        // the project cannot be written
	Locked          Code = "locked"           // another process is writing; it did not end in time
)

// Error is a failure that the asker can do something about.
type Error struct {
	Code       Code
	Text       string   // one sentence
	Near       []string // at most three names that may have been meant
	Candidates []*Decl  // of an ambiguous name, in the order of files and positions
	Hint       string   // what to do next; may be empty
	Files      []string // the files in conflict
	Dangling   []Use    // of a refused deletion: the uses that would point at nothing
	At         *Place   // where in the given source, of a parse error
	Err        error    // the cause; may be nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Text)
	if len(e.Near) > 0 {
		fmt.Fprintf(&b, "; did you mean %s?", strings.Join(e.Near, " or "))
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf is the code of an error of this package, or "" for any other.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// damaged refuses what cannot be done because a module cannot be read.
func damaged(doing string, m *Module) *Error {
	return &Error{Code: Conflict, Text: fmt.Sprintf("cannot %s %s: %v", doing, m.Path, m.Err), Files: []string{m.Path}, Err: m.Err, Hint: m.Mend()}
}

// Mend says what can be done about Err.
func (m *Module) Mend() string { return m.of.Mend() }

func fail(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Text: fmt.Sprintf(format, args...)}
}
