package pluto

import (
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// Options say how a project is opened. The zero value edits files directly and uses the
// standard library that is built in.
type Options struct {
	ReadOnly bool   // never write below the root
	Staged   bool   // edits stay in memory until [Project.Save], unless an edit says otherwise
	Stdlib   string // a folder with the standard library in place of the built-in one
}

// Place is a range in a file: lines and columns count from 1, columns in code points,
// offsets in bytes. The end is behind the last character.
type Place struct {
	File    string // slash path from the root
	Line    int
	Col     int
	EndLine int
	EndCol  int
	Start   int32
	End     int32
}

// Module is one source file of the project as a [View] has it.
type Module struct {
	ID     uuid.UUID
	Path   string   // slash path from the root, with the extension
	Name   string   // the path without the extension
	Binary bool     // it is a PLTO file
	Human  string   // the path of its .pt view when there is one
	Decls  []*Decl  // top-level declarations in the order of the text
	Notes  []string // about identities: a hint that two declarations claim
	Err    error    // why it could not be read or decoded; Decls are empty then

	Hash    string    // SHA-256 of its bytes, in hex
	Loaded  time.Time // when these contents were read
	Dirty   bool      // it has staged edits
	Stale   bool      // the file changed on disk under its staged edits
	Derived Freshness // of the derived data in a PLTO file, as its text tells; see [View.Freshness]
	Self    *Decl     // the module as a declaration, of the kind Module

	of    *workspace.Module
	file  *syntax.File
	raw   []byte
	owner *token // of the transaction that made it
	count int    // declarations with their members
}

// Freshness says whether the derived data stored in a PLTO file is of its source.
type Freshness uint8

const (
	NoDerived   Freshness = iota // a text file, or never analyzed
	OldDerived                   // of an older source, or of other imports
	GoodDerived                  // of this source
)

func (f Freshness) String() string { return [...]string{"none", "stale", "fresh"}[f] }

// Text is the source text of the module.
func (m *Module) Text() string { return m.file.Src.Text }

// Bytes are the contents of the file; they must not be changed.
func (m *Module) Bytes() []byte { return m.raw }

// File is the syntax tree of the module; never nil.
func (m *Module) File() *syntax.File { return m.file }

// All goes through the declarations of the module, members after their owners.
func (m *Module) All() iter.Seq[*Decl] {
	return func(yield func(*Decl) bool) { walk(m.Decls, yield) }
}

func walk(ds []*Decl, yield func(*Decl) bool) bool {
	for _, d := range ds {
		if !yield(d) || !walk(d.Members, yield) {
			return false
		}
	}
	return true
}

// Decl is a declaration of the project: a function, a class, its members ... The embedded
// declaration says what the text says; Parent and Members here have ids too.
type Decl struct {
	ID     uuid.UUID
	Module *Module
	*xref.Decl
	Parent  *Decl   // nil at the top level
	Members []*Decl // in the order of the text
}

// Handle names the declaration in the whole project: "math/vectors.Vector.length".
func (d *Decl) Handle() string {
	if d.Kind == xref.Module {
		return d.Module.Name
	}
	return d.Module.Name + "." + d.Qual
}

// Place is where the declaration is, without its leading comments.
func (d *Decl) Place() Place { return place(d.Module.file.Src, d.Full) }

// NamePlace is where its name is.
func (d *Decl) NamePlace() Place { return place(d.Module.file.Src, d.NameAt) }

// Source is the text of the declaration, with the comments directly above it.
func (d *Decl) Source() string { return d.Module.slice(d.WithDoc) }

// Bare is the text of the declaration without the comments above it.
func (d *Decl) Bare() string { return d.Module.slice(d.Full) }

func (m *Module) slice(s source.Span) string {
	text := m.file.Src.Text
	if s.Start < 0 || s.End > int32(len(text)) || s.Start > s.End {
		return ""
	}
	return text[s.Start:s.End]
}

func place(f *source.File, s source.Span) Place {
	p := Place{File: f.Name, Start: s.Start, End: s.End}
	p.Line, p.Col = f.Position(s.Start)
	p.EndLine, p.EndCol = f.Position(s.End)
	return p
}

// Use is one place where a declaration is used.
type Use struct {
	Kind    xref.Use
	At      Place    // the name that a rename would rewrite
	Whole   Place    // the expression, clause or type around it
	Line    string   // the text of the line, without indentation
	Owner   *Decl    // the innermost declaration around it; nil for imports
	Module  *Module  // the file that it is in
	Target  *Decl    // what is used; nil outside of the project
	Key     xref.Key // what is used, wherever it is
	Dynamic bool     // a call through a trait: which method runs is known only then
}

// Signature is what callers of a function see. Types are written as in Pluto.
type Signature struct {
	Params   []Param  // without self
	Result   string   // "void" when nothing is returned
	Self     string   // "", "self" or "mut self"
	Known    bool     // what it can raise is known
	Fallible bool     // it can raise; only when that is known
	Errors   []string // names of the errors that it can raise, sorted
}

// Param is a parameter or a field with its type.
type Param struct {
	Name string
	Type string
}

// ErrorInfo is one error that can leave a function, and why.
type ErrorInfo struct {
	Name    string
	Decl    *Decl    // nil outside of the project
	Key     xref.Key // wherever it is
	Origins []Origin // in the order of the text
}

// Origin is one reason why an error can leave a function.
type Origin struct {
	At     Place
	Raised bool     // a raise statement is here; else it comes from a call
	From   *Decl    // of a call: the function that is called; nil outside of the project
	Key    xref.Key // of a call: the function, wherever it is

	Builtin string // of a call of something built in: its name
}

// Match says how [View.Find] compares names.
type Match uint8

const (
	Exact     Match = iota // the name, a handle, or the end of one
	Prefix                 // names that begin so; with a dot in it, whole names
	Substring              // names that contain it, likewise, whatever the case
	Fuzzy                  // names with these letters in this order, best first
)

// FindOptions narrow [View.Find]. The zero value finds everything.
type FindOptions struct {
	Kinds []xref.Kind // empty: all
	Path  string      // a module or a folder; "" is the project
	Match Match
	Top   bool // only top-level declarations
	Limit int  // 0 is no limit
}

// Direction is which way a call graph goes.
type Direction uint8

const (
	Callees Direction = iota
	Callers
)

// CallGraph is who calls whom from one declaration on. Each declaration is one node.
type CallGraph struct {
	Direction Direction
	Nodes     []*CallNode // Nodes[0] is where it starts; then by distance, file and position
	Cut       bool        // there is more beyond the depth
}

// CallNode is a declaration in a call graph.
type CallNode struct {
	Decl  *Decl    // nil outside of the project
	Key   xref.Key // wherever it is
	Depth int      // the distance from the start
	Calls []CallEdge
}

// CallEdge leads from a node to one that it calls, or is called by.
type CallEdge struct {
	To      *CallNode
	Sites   []Use
	Cycle   bool // it leads back: following the calls from To comes here again
	Dynamic bool // through a trait
}

// Dependency is an import of one module by another.
type Dependency struct {
	Module  *Module
	Imports []*Module // of the project, by path, each once
	Outside []string  // import paths that lead out of the project: "std.strings"
}

// EditOptions say how an edit is made. The zero value does as the project's options say.
type EditOptions struct {
	DryRun bool   // only say what would change
	Staged bool   // keep it in memory until [Project.Save]
	Direct bool   // write it at once although the project stages edits
	Force  bool   // delete although uses would point at nothing; reload over staged edits
	Label  string // what the history calls it; "" is made from the operations

	NoCheck bool // leave the diagnostics out

	reload bool // the files stay, what is recorded about their ids changes
}

// Change is what an edit did, or would do.
type Change struct {
	Files    []FileChange // of the user; what sett notes beside them goes along unmentioned
	Added    []DeclChange
	Removed  []DeclChange
	Renamed  []DeclChange // and moved: the same declaration under another name or in another file
	Modified []DeclChange // the same name with another text
	Updated  int          // references that were rewritten
	Dangling []Use        // uses that point at nothing now
	Notes    []string     // what the asker should know
	Diags    []*diag.Diagnostic
	Diff     string // of a dry run: what would change, see [Change.Unified]
	Staged   bool   // it is in memory, not on disk
	DryRun   bool   // nothing was changed
	Label    string
	Entry    uint64 // its number in the history; 0 when it is not there

	notes []FileChange // files of sett's own, see [own]
}

// FileChange is a file before and after.
type FileChange struct {
	Path   string
	Before []byte // nil when it was not there
	After  []byte // nil when it is gone
	Binary bool
}

// DeclChange is one declaration in a [Change].
type DeclChange struct {
	ID     uuid.UUID
	Kind   xref.Kind
	Name   string
	Handle string // where it is now, or was
	Module string // its path
	Was    string // the handle before, of one that was renamed or moved
	Member bool   // it is inside another declaration

	start int32
}

// Entry is one step of the history.
type Entry struct {
	ID     uint64
	Label  string
	Time   time.Time
	Files  []string
	Undone bool // [Project.Redo] brings it back
	Staged bool // in memory only
}
