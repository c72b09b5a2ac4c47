package query

import (
	"context"
	"strings"

	"github.com/settgraph/sett/graph"
)

// DefaultBudget is how many tokens an answer may take when nobody says otherwise.
const DefaultBudget = 600

// Shape is embedded by the arguments of every question: how much the asker wants to read.
type Shape struct {
	Budget int `json:"budget" default:"600" help:"tokens that the answer may take"`

	// Full asks for the facts that only machine-readable forms print: handles and
	// UUIDs of everything mentioned. A door sets it before it prints JSON.
	Full bool `json:"-"`
}

// SetFull asks for all facts, for machine-readable forms.
func (s *Shape) SetFull() { s.Full = true }

// Tokens returns the budget asked for, or the default.
func (s *Shape) Tokens() int {
	if s.Budget <= 0 {
		return DefaultBudget
	}
	return s.Budget
}

// A Shaper is what every argument struct is, through [Shape].
type Shaper interface {
	SetFull()
	Tokens() int
}

// Room is embedded by every result: how much its text may take.
type Room struct {
	Budget int `json:"-"` // tokens; 0 for [DefaultBudget]
}

func (r *Room) setBudget(n int) { r.Budget = n }

// Tokens returns the budget.
func (r *Room) Tokens() int {
	if r.Budget <= 0 {
		return DefaultBudget
	}
	return r.Budget
}

// A Decl describes a declaration in full: the subject of an answer.
type Decl struct {
	Name       string  `json:"name"`   // qualified within its module: "Head.Append"
	Handle     string  `json:"handle"` // the shortest name that means nothing else
	UUID       string  `json:"uuid"`
	Kind       string  `json:"kind"`
	Lang       string  `json:"lang"`
	Module     string  `json:"module"`
	Sig        string  `json:"signature,omitempty"`
	Doc        string  `json:"doc,omitempty"`
	Exported   bool    `json:"exported,omitempty"`
	Test       bool    `json:"test,omitempty"`
	Generated  bool    `json:"generated,omitempty"`
	External   bool    `json:"external,omitempty"`
	Deprecated bool    `json:"deprecated,omitempty"`
	Entry      bool    `json:"entry,omitempty"`  // called from outside by convention
	Local      bool    `json:"local,omitempty"`  // the graph has no node for it: see [Local]
	Within     string  `json:"within,omitempty"` // of a local: the declaration around it
	Places     []Place `json:"declarations"`     // empty for externals
	Namesakes  int     `json:"namesakes"`        // weaker matches of the name that were not answered for
}

// A Place is where something is declared. Lines and columns count from 1, columns in
// code points; Off and End are bytes.
type Place struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"end_line"`
	Off     int    `json:"off"`
	End     int    `json:"end"`
}

// A Ref mentions a declaration.
type Ref struct {
	Name     string `json:"name"`
	Handle   string `json:"handle,omitempty"` // only when all facts are asked for, and in errors
	UUID     string `json:"uuid,omitempty"`
	Kind     string `json:"kind"`
	File     string `json:"file,omitempty"` // empty for externals
	Line     int    `json:"line,omitempty"`
	Test     bool   `json:"test,omitempty"`
	External bool   `json:"external,omitempty"`
	Dynamic  bool   `json:"dynamic,omitempty"` // reached only through dynamic dispatch
}

// A FileSites is the sites in one file.
type FileSites struct {
	File  string `json:"file"`
	Test  bool   `json:"test,omitempty"`
	Sites []Site `json:"sites"`
}

// A Site is one place of use.
type Site struct {
	Line     int    `json:"line"`
	Col      int    `json:"col"`
	Kind     string `json:"kind,omitempty"`
	By       string `json:"by,omitempty"` // the enclosing declaration
	Dynamic  bool   `json:"dynamic,omitempty"`
	TypeOnly bool   `json:"type_only,omitempty"`
	Reason   string `json:"reason,omitempty"` // of an unresolved one: why
}

// An asker answers one question.
type asker struct {
	ctx   context.Context
	g     *graph.Snapshot
	full  bool
	steps int
	err   error
}

func newAsker(ctx context.Context, g *graph.Snapshot, full bool) *asker {
	return &asker{ctx: ctx, g: g, full: full}
}

// stop reports whether the asker gave up; loops call it at every step.
func (a *asker) stop() bool {
	a.steps++
	if a.steps%1024 == 0 && a.err == nil {
		a.err = a.ctx.Err()
	}
	return a.err != nil
}

// decl describes a declaration.
func (a *asker) decl(id graph.NodeID) Decl {
	n := a.g.Node(id)
	d := Decl{
		Name:       displayName(n),
		Handle:     Handle(a.g, id),
		UUID:       UUID(a.g, id),
		Kind:       n.Kind.String(),
		Lang:       n.Lang,
		Module:     n.Module,
		Exported:   n.Flags&graph.FlagExported != 0,
		Test:       n.Flags&graph.FlagTest != 0,
		Generated:  n.Flags&graph.FlagGenerated != 0,
		External:   n.External,
		Deprecated: n.Flags&graph.FlagDeprecated != 0,
		Entry:      n.Flags&graph.FlagEntry != 0,
		Places:     []Place{},
	}
	for _, x := range n.Decls {
		if d.Sig == "" {
			d.Sig = x.Sig
		}
		if d.Doc == "" {
			d.Doc = x.Doc
		}
		d.Places = append(d.Places, a.place(x))
	}
	if n.Kind == graph.KindPackage && len(d.Places) > 0 {
		d.Places = []Place{d.Places[0]} // one for each file says nothing more
	}
	return d
}

func (a *asker) place(x graph.Decl) Place {
	return Place{File: a.path(x.File), Line: int(x.Name.Line), Col: int(x.Name.Col),
		EndLine: int(x.Full.EndLine), Off: int(x.Full.Off), End: int(x.Full.End)}
}

func (a *asker) path(f graph.FileID) string { return a.g.File(f).Path }

// ref mentions a declaration.
func (a *asker) ref(id graph.NodeID) Ref {
	r := refTo(a.g, a.g.Node(id))
	if a.full {
		r.Handle, r.UUID = Handle(a.g, id), UUID(a.g, id)
	}
	return r
}

func refTo(g *graph.Snapshot, n *graph.Node) Ref {
	r := Ref{Name: displayName(n), Kind: n.Kind.String(), Test: n.Flags&graph.FlagTest != 0, External: n.External}
	if len(n.Decls) > 0 {
		r.File, r.Line = g.File(n.Decls[0].File).Path, int(n.Decls[0].Name.Line)
	}
	return r
}

// displayName is the name that answers print: qualified within the module, with the
// package in front for what the project does not declare.
func displayName(n *graph.Node) string {
	if n.Qual == "" {
		return n.Module
	}
	q := unmarked(n.Qual)
	if n.External {
		return lastElem(n.Module) + "." + q
	}
	return q
}

// unmarked drops the marks that keep same-named declarations apart: "run.step@2.f" is
// run.step.f.
func unmarked(qual string) string {
	if !strings.Contains(qual, "@") || strings.Contains(qual, `"`) {
		return qual
	}
	parts := strings.Split(qual, ".")
	for i, p := range parts {
		if at := strings.IndexByte(p, '@'); at > 0 {
			parts[i] = p[:at]
			if p[:at] == "init" {
				parts = parts[:i+1] // what follows is the rest of a file's name
				break
			}
		}
	}
	return strings.Join(parts, ".")
}

func lastElem(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// isModule reports whether the node is a file or a Go package: what contains others
// without being code.
func isModule(n *graph.Node) bool {
	return n.Kind == graph.KindFile || n.Kind == graph.KindPackage
}
