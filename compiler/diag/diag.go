// Package diag is what the compiler says: located diagnostics with stable codes, their
// order, their text forms, and the explanation of each code.
package diag

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/settgraph/sett/compiler/source"
)

// Severity is how bad a diagnostic is.
type Severity uint8

const (
	Error   Severity = iota // the program is refused
	Warning                 // the program is accepted
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Phase orders diagnostics of one run: what an earlier phase found comes first, whatever
// its place in the text, because later findings may be its consequences. Within a phase
// the order of reports is kept for [PhaseDecls], and is that of the text for all others.
type Phase uint8

const (
	PhaseManifest   Phase = iota // pluto.toml
	PhaseLex                     // tokens
	PhaseSyntax                  // the grammar
	PhaseLoad                    // imports
	PhaseVisibility              // pub
	PhaseAmbient                 // uses
	PhaseContract                // the fragment allowed in contracts
	PhaseDecls                   // names, signatures, the app, injection, conformance; the checker's own order
	PhaseBodies                  // bodies of functions and methods
	PhaseSelf                    // mut self
	PhaseErrors                  // errors handled
	PhaseGenerics                // bodies of instances
	PhaseCodegen                 // what only lowering finds
	PhaseLink
	PhaseWarnings
)

// category is the word that messages of a phase begin with.
func (p Phase) category() string {
	switch p {
	case PhaseManifest:
		return "Manifest error: "
	case PhaseLex, PhaseSyntax, PhaseLoad:
		return "Syntax error: "
	case PhaseCodegen:
		return "Codegen error: "
	case PhaseLink:
		return "Link error: "
	case PhaseWarnings:
		return ""
	}
	return "Type error: "
}

// Note is a second place, or a hint without a place (File nil).
type Note struct {
	File    *source.File
	Span    source.Span
	Message string
}

// Diagnostic is one finding. Message begins with its category ("Type error: ..."),
// which [List.Report] puts there.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Phase    Phase
	File     *source.File // nil when there is no place
	Span     source.Span
	Message  string
	Notes    []Note
}

// List collects diagnostics. The zero value is ready. It is not safe for concurrent use.
type List struct {
	all  []*Diagnostic
	errs int
	seen map[key]bool
}

type key struct {
	file *source.File
	span source.Span
	msg  string
}

// Report adds an error, or a warning in [PhaseWarnings], and returns it so that notes can
// be added. The same message at the same place is kept once.
func (l *List) Report(phase Phase, code Code, file *source.File, span source.Span, format string, args ...any) *Diagnostic {
	msg := format
	if len(args) > 0 {
		msg = fmt.Sprintf(format, args...)
	}
	d := &Diagnostic{Code: code, Phase: phase, File: file, Span: span, Message: phase.category() + msg}
	if phase == PhaseWarnings {
		d.Severity = Warning
	}
	l.Add(d)
	return d
}

// Add adds a diagnostic whose message is complete.
func (l *List) Add(d *Diagnostic) {
	k := key{d.File, d.Span, d.Message}
	if l.seen[k] {
		return
	}
	if l.seen == nil {
		l.seen = map[key]bool{}
	}
	l.seen[k] = true
	l.all = append(l.all, d)
	if d.Severity == Error {
		l.errs++
	}
}

// Note adds a remark to the diagnostic, with or without a place.
func (d *Diagnostic) Note(file *source.File, span source.Span, format string, args ...any) *Diagnostic {
	d.Notes = append(d.Notes, Note{file, span, fmt.Sprintf(format, args...)})
	return d
}

// Errors is the number of errors so far.
func (l *List) Errors() int { return l.errs }

// Sorted is every diagnostic, first the one that decides.
func (l *List) Sorted() []*Diagnostic {
	out := slices.Clone(l.all)
	slices.SortStableFunc(out, func(a, b *Diagnostic) int {
		if c := cmp.Compare(a.Phase, b.Phase); c != 0 || a.Phase == PhaseDecls {
			return c
		}
		if a.File != b.File {
			return cmp.Compare(name(a.File), name(b.File))
		}
		return cmp.Compare(a.Span.Start, b.Span.Start)
	})
	return out
}

func name(f *source.File) string {
	if f == nil {
		return ""
	}
	return f.Name
}
