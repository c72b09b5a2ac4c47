package match

import (
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// Aspect is a side of a declaration that can change.
type Aspect uint8

const (
	KindOf     Aspect = iota // what kind of declaration it is
	Visibility               // pub or not
	TypeParams
	Signature // self, parameters and result
	Type      // of a field or a parameter
	Contract  // requires and ensures
	Body
	Lifecycle
	Impls
	Uses
	Invariants
	Ambient   // of the app
	Overrides // of the app
	Scheduler // of a test
	MemberAdded
	MemberRemoved
	MemberRenamed
	MemberModified
	MemberOrder
	Comments
	Layout // only blanks, line ends and optional commas
)

// String is how reports name it.
func (a Aspect) String() string {
	words := [...]string{
		"kind", "visibility", "type parameters", "signature", "type", "contract", "body", "lifecycle", "impl", "uses", "invariants", "ambient",
		"overrides", "scheduler", "added", "removed", "renamed", "modified", "order of members", "comments", "layout",
	}
	if int(a) < len(words) {
		return words[a]
	}
	return "unknown"
}

// Change is one thing that is different.
type Change struct {
	Aspect Aspect
	Member *xref.Decl // of changes of members: the new one, or the one that was removed
	Was    string     // of a member that was renamed: its name before
	In     []Change   // of a member that was modified
}

// String says it: "body", "added field z", "modified method length (body)".
func (c Change) String() string {
	if c.Member == nil {
		return c.Aspect.String()
	}
	s := c.Aspect.String() + " " + c.Member.Kind.String() + " "
	if c.Was != "" {
		return s + c.Was + " to " + c.Member.Name
	}
	s += c.Member.Name
	if len(c.In) > 0 {
		s += " (" + Describe(c.In) + ")"
	}
	return s
}

// Describe says several changes, with commas between them.
func Describe(cs []Change) string {
	var parts []string
	for _, c := range cs {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, ", ")
}

// changes finds out what is different in pairs.
type changes struct {
	m          *matcher
	schedulers map[*syntax.File]map[*syntax.TestDecl]string
}

func text(d *xref.Decl, at source.Span) string { return d.File.Src.Text[at.Start:at.End] }

// of says what is different. The members' own changes are known already.
func (c *changes) of(p *Pair) []Change {
	a, b := p.Old, p.New
	var out []Change
	test := a.Kind == xref.Test && b.Kind == xref.Test
	if text(a, a.WithDoc) == text(b, b.WithDoc) && !test && !p.Renamed() {
		// Members with the same text are paired by name; those that hints pair otherwise are
		// not, and then it is not the same.
		if same := c.membersOf(p); len(same) == 0 {
			return nil
		}
	}
	note := func(aspect Aspect, differs bool) {
		if differs {
			out = append(out, Change{Aspect: aspect})
		}
	}
	note(KindOf, a.Kind != b.Kind)
	note(Visibility, a.Pub != b.Pub)
	switch x := a.Node.(type) {
	case *syntax.FuncDecl:
		if y, ok := b.Node.(*syntax.FuncDecl); ok {
			note(TypeParams, !equalAll(x.TypeParams, y.TypeParams))
			note(Signature, x.Self != y.Self || !equalAll(x.Params, y.Params) || !equalType(x.Result, y.Result))
			note(Contract, !equalAll(x.Requires, y.Requires) || !equalAll(x.Ensures, y.Ensures))
			note(Body, !c.sameBlock(p, x.Body, y.Body))
		}
	case *syntax.ClassDecl:
		if y, ok := b.Node.(*syntax.ClassDecl); ok {
			note(TypeParams, !equalAll(x.TypeParams, y.TypeParams))
			note(Lifecycle, x.Lifecycle != y.Lifecycle)
			note(Impls, !equalAll(x.Impls, y.Impls))
			note(Uses, !equalAll(x.Uses, y.Uses))
			note(Invariants, !equalAll(x.Invariants, y.Invariants))
		}
	case *syntax.EnumDecl:
		if y, ok := b.Node.(*syntax.EnumDecl); ok {
			note(TypeParams, !equalAll(x.TypeParams, y.TypeParams))
		}
	case *syntax.ExternDecl:
		if y, ok := b.Node.(*syntax.ExternDecl); ok {
			note(Signature, !equalAll(x.Params, y.Params) || !equalType(x.Result, y.Result))
		}
	case *syntax.AppDecl:
		if y, ok := b.Node.(*syntax.AppDecl); ok {
			note(Ambient, !equalAll(x.Ambient, y.Ambient))
			note(Overrides, !equalAll(x.Overrides, y.Overrides))
		}
	case *syntax.TestDecl:
		if y, ok := b.Node.(*syntax.TestDecl); ok {
			note(Scheduler, c.scheduler(a.File, x) != c.scheduler(b.File, y))
			note(Body, !c.sameBlock(p, x.Body, y.Body))
		}
	case *syntax.Param:
		if y, ok := b.Node.(*syntax.Param); ok {
			note(Type, !equalType(x.Type, y.Type))
		}
	}
	out = append(out, c.membersOf(p)...)
	note(Comments, !slices.Equal(ownComments(a), ownComments(b)))
	note(Layout, len(out) == 0 && !p.Renamed() && laidOut(a) != laidOut(b))
	return out
}

// membersOf are the changes of members. Parameters are part of the signature, but for their
// names, which tell what happened to it.
func (c *changes) membersOf(p *Pair) []Change {
	var out []Change
	at, moved := -1, false
	index := make(map[*xref.Decl]int, len(p.Old.Members))
	for i, o := range p.Old.Members {
		index[o] = i
		if n := c.m.partner[o]; o.Kind != xref.Param && (n == nil || n.Parent != p.New) {
			out = append(out, Change{Aspect: MemberRemoved, Member: o})
		}
	}
	for _, n := range p.New.Members {
		q := c.m.pairs[n]
		if q == nil || q.Old.Parent != p.Old {
			if n.Kind != xref.Param {
				out = append(out, Change{Aspect: MemberAdded, Member: n})
			}
			continue
		}
		if q.Renamed() {
			out = append(out, Change{Aspect: MemberRenamed, Member: n, Was: q.Old.Name})
		}
		if n.Kind == xref.Param {
			continue
		}
		if len(q.Changes) > 0 {
			out = append(out, Change{Aspect: MemberModified, Member: n, In: q.Changes})
		}
		moved = moved || index[q.Old] < at
		at = max(at, index[q.Old])
	}
	if moved {
		out = append(out, Change{Aspect: MemberOrder})
	}
	return out
}

// sameBlock says whether two bodies mean the same, also when only the name of the
// declaration, which it uses itself, became another.
func (c *changes) sameBlock(p *Pair, x, y *syntax.Block) bool {
	if x == nil || y == nil {
		return x == y
	}
	if text(p.Old, x.Span()) == text(p.New, y.Span()) || syntax.Equal(x, y) {
		return true
	}
	return p.Renamed() && c.m.shape(p.Old).all == c.m.shape(p.New).all
}

func equalAll[N syntax.Node](xs, ys []N) bool {
	return slices.EqualFunc(xs, ys, func(x, y N) bool { return syntax.Equal(x, y) })
}

func equalType(x, y syntax.TypeExpr) bool {
	if x == nil || y == nil {
		return x == nil && y == nil
	}
	return syntax.Equal(x, y)
}

func (c *changes) scheduler(f *syntax.File, t *syntax.TestDecl) string {
	of := c.schedulers[f]
	if of == nil {
		of = map[*syntax.TestDecl]string{}
		c.schedulers[f] = of
		for _, d := range f.Decls {
			if g, ok := d.(*syntax.TestsDecl); ok && g.Scheduler != nil {
				for _, t := range g.Tests {
					of[t] = g.Scheduler.Name
				}
			}
		}
	}
	return of[t]
}

// ownComments are those of a declaration that are not of its members. Hints of identities are
// no comments.
func ownComments(d *xref.Decl) []string {
	var out []string
	i := 0
	for _, t := range tokens(d.File, d.WithDoc) {
		if t.Kind != syntax.COMMENT {
			continue
		}
		for i < len(d.Members) && d.Members[i].WithDoc.End <= t.At.Start {
			i++
		}
		if i < len(d.Members) && d.Members[i].WithDoc.Start <= t.At.Start {
			continue
		}
		if s := strings.TrimRight(text(d, t.At), " \t\r"); !IsHint(s) {
			out = append(out, s)
		}
	}
	return out
}

// laidOut is the text of a declaration without lines that are hints.
func laidOut(d *xref.Decl) string {
	all := text(d, d.WithDoc)
	if !strings.Contains(all, hintMark) {
		return all
	}
	var b strings.Builder
	for line := range strings.Lines(all) {
		if !IsHint(strings.TrimSpace(line)) {
			b.WriteString(line)
		}
	}
	return b.String()
}

const hintMark = "@uuid:"

// IsHint says whether a comment is a hint of an identity.
func IsHint(comment string) bool {
	rest, ok := strings.CutPrefix(comment, "//")
	return ok && strings.HasPrefix(strings.TrimLeft(rest, " \t"), hintMark)
}
