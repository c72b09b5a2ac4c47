package xref

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// Facts is what the checker found out about declarations. Types are printed as Pluto writes
// them. What is not known is not there: a function without a signature here is not known to
// be infallible.
type Facts struct {
	Signatures map[Key]*Signature // functions, methods, those of traits too, externs
	Classes    map[Key]*ClassInfo // the app too
	Traits     map[Key]*TraitInfo
	Enums      map[Key]*EnumInfo
	Errors     map[Key][]FieldInfo
	DI         []Key // injected classes in the order in which they are built
}

// FieldInfo is a field, a parameter or a dependency.
type FieldInfo struct {
	Name     string
	Type     string
	Injected bool
	Ambient  bool // injected by `uses`, or declared ambient by the app
}

// Signature is what calls of a function have to know.
type Signature struct {
	Params   []FieldInfo
	Result   string // "void" for none
	Self     syntax.SelfKind
	Requires int // the clauses, those that come from traits included
	Ensures  int

	// Known says that the error set is: a body nobody could check says nothing.
	Known  bool
	Errors []Raised // sorted by name; not empty means fallible
}

// Fallible says whether a call can raise; only when the set is Known.
func (s *Signature) Fallible() bool { return len(s.Errors) > 0 }

// Raised is an error of an error set and why it is in it.
type Raised struct {
	Name     string     // as the program writes it without a module: "NotFound"
	Error    Key        // zero for a predeclared error
	RaisedAt []Place    // the raise statements in the body
	From     []RaisedBy // the calls that let it through
}

// RaisedBy is a call that can raise.
type RaisedBy struct {
	Callee  Key    // zero for what is built in
	Builtin string // then its name: "recv", "pow"
	At      Place  // the call
}

// Place is a span of a file.
type Place struct {
	File string
	At   source.Span
}

// ClassInfo is what is known of a class.
type ClassInfo struct {
	Fields     []FieldInfo // injected ones first
	Impls      []Key
	Lifecycle  syntax.Lifecycle // the effective one
	Injected   bool             // the container builds it
	Invariants int
}

// TraitInfo is what is known of a trait.
type TraitInfo struct {
	Methods      []string
	Defaults     []string // methods with a body
	Implementors []Key    // classes, in order
}

// EnumInfo is what is known of an enum.
type EnumInfo struct {
	Variants []VariantInfo
}

// VariantInfo is a variant and its payload.
type VariantInfo struct {
	Name   string
	Fields []FieldInfo
}

// FactsOf collects the facts of a checked program. Generic declarations have those that they
// have as they are written.
func FactsOf(p *check.Program) *Facts {
	return &Facts{}
}
