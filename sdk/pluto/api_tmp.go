package pluto

import (
	"context"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

var errSoon = fail(InvalidArgument, "this part is being written")

type Project struct{}

func Open(root string, o Options) (*Project, error)        { return nil, errSoon }
func (p *Project) Close() error                            { return nil }
func (p *Project) Root() string                            { return "" }
func (p *Project) Options() Options                        { return Options{} }
func (p *Project) View(ctx context.Context) (*View, error) { return nil, errSoon }
func (p *Project) Edit(ctx context.Context, o EditOptions, f func(tx *Tx) error) (*Change, error) {
	return nil, errSoon
}

// Save writes staged edits of these paths, or all; it says which files were written.
func (p *Project) Save(ctx context.Context, paths ...string) ([]string, error) { return nil, errSoon }
func (p *Project) Discard(ctx context.Context, paths ...string) ([]string, error) {
	return nil, errSoon
}
func (p *Project) Dirty() []string                           { return nil }
func (p *Project) Undo(ctx context.Context) (*Change, error) { return nil, errSoon }
func (p *Project) Redo(ctx context.Context) (*Change, error) { return nil, errSoon }
func (p *Project) History() ([]Entry, error)                 { return nil, errSoon }

// Reload takes a file as somebody else left it on disk. The Change says what was added, removed, renamed.
func (p *Project) Reload(ctx context.Context, path string, o EditOptions) (*Change, error) {
	return nil, errSoon
}

type View struct{}

func (v *View) Root() string                               { return "" }
func (v *View) Modules() []*Module                         { return nil }
func (v *View) Module(path string) (*Module, error)        { return nil, errSoon }
func (v *View) Path(path string) (string, error)           { return "", errSoon } // slash path from the root of a relative or absolute path; outside_project
func (v *View) Lookup(id uuid.UUID) (*Decl, error)         { return nil, errSoon }
func (v *View) Decl(k xref.Key) *Decl                      { return nil }
func (v *View) Find(name string, o FindOptions) []*Decl    { return nil }
func (v *View) Near(name string, o FindOptions) []string   { return nil } // at most three
func (v *View) Resolve(symbol, path string) (*Decl, error) { return nil, errSoon }

// ResolveKinds is Resolve among declarations of these kinds.
func (v *View) ResolveKinds(symbol, path string, kinds ...xref.Kind) (*Decl, error) {
	return nil, errSoon
}
func (v *View) At(path string, line, col int) (*Decl, error) { return nil, errSoon } // innermost declaration; col 0: first of the line
func (v *View) Check(ctx context.Context, path string) ([]*diag.Diagnostic, error) {
	return nil, errSoon
}
func (v *View) Uses(ctx context.Context, d *Decl, kinds ...xref.Use) ([]Use, error) {
	return nil, errSoon
}
func (v *View) UsesIn(ctx context.Context, d *Decl, kinds ...xref.Use) ([]Use, error) {
	return nil, errSoon
}                                                                          // what d uses
func (v *View) Callers(ctx context.Context, d *Decl) ([]Use, error)        { return nil, errSoon }
func (v *View) Callees(ctx context.Context, d *Decl) ([]Use, error)        { return nil, errSoon }
func (v *View) Constructors(ctx context.Context, d *Decl) ([]Use, error)   { return nil, errSoon }
func (v *View) EnumUses(ctx context.Context, d *Decl) ([]Use, error)       { return nil, errSoon } // enum or variant
func (v *View) RaiseSites(ctx context.Context, d *Decl) ([]Use, error)     { return nil, errSoon } // raises and catches
func (v *View) Implementors(ctx context.Context, d *Decl) ([]*Decl, error) { return nil, errSoon }
func (v *View) CallGraph(ctx context.Context, d *Decl, depth int, dir Direction) (*CallGraph, error) {
	return nil, errSoon
}
func (v *View) Signature(ctx context.Context, d *Decl) (*Signature, error) { return nil, errSoon } // nil, nil: unknown
func (v *View) ErrorSet(ctx context.Context, d *Decl) (errs []ErrorInfo, known bool, err error) {
	return nil, false, errSoon
}
func (v *View) Facts(ctx context.Context) (*xref.Facts, error) { return nil, errSoon }
func (v *View) Dependencies() []Dependency                     { return nil }
func (v *View) ImportCycle() []*Module                         { return nil } // a, b, a; nil when there is none

// Spot says before or after which declaration something goes; the zero value is the end.
type Spot struct{ Before, After *Decl }

// Deleted is what Delete took away.
type Deleted struct {
	Source   string
	Dangling []Use
}

type Tx struct{}

func (tx *Tx) View() *View                                               { return nil } // with the operations so far
func (tx *Tx) Add(path, src string, at Spot) ([]*Decl, error)            { return nil, errSoon }
func (tx *Tx) Replace(d *Decl, src string) (*Decl, error)                { return nil, errSoon }
func (tx *Tx) Rename(d *Decl, to string, fileOnly bool) (*Decl, error)   { return nil, errSoon }
func (tx *Tx) Delete(d *Decl) (*Deleted, error)                          { return nil, errSoon }
func (tx *Tx) Move(d *Decl, path string, at Spot) (*Decl, error)         { return nil, errSoon }
func (tx *Tx) AddMethod(owner *Decl, src string, at Spot) (*Decl, error) { return nil, errSoon }
func (tx *Tx) AddField(owner *Decl, name, typ string, injected bool, at Spot) (*Decl, error) {
	return nil, errSoon
}
func (tx *Tx) AddVariant(enum *Decl, src string, at Spot) (*Decl, error) { return nil, errSoon }
func (tx *Tx) CreateModule(path, src string) (*Module, error)            { return nil, errSoon }
func (tx *Tx) RenameModule(path, to string) (*Module, error)             { return nil, errSoon }
func (tx *Tx) DeleteModule(path string) (*Deleted, error)                { return nil, errSoon }

// Content is what [Tx.Write] makes of a file.
type Content struct {
	Text   string
	Binary bool                   // as a PLTO file
	IDs    map[xref.Key]uuid.UUID // of its declarations, where they are not those of the same keys before
}

// Write gives a file new contents.
func (tx *Tx) Write(path string, c Content) (*Module, error) { return nil, errSoon }

// Put writes bytes to a file below the root that need not be a module (generated views); nil removes it.
func (tx *Tx) Put(path string, data []byte) error { return errSoon }

var _ *syntax.File
