package refactor

import (
	"context"
	"fmt"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// AddMethod adds one method to a class, a trait or the app.
func AddMethod(ctx context.Context, s *workspace.State, owner xref.Key, src string, at Position) (*Plan, error) {
	o, m, err := lookup(s, owner)
	if err != nil {
		return nil, err
	}
	h := inClass
	switch o.Kind {
	case xref.Class:
	case xref.Trait:
		h = inTrait
	case xref.App:
		h = inApp
	default:
		return nil, refuse(KindMismatch, "target must be a class, a trait or the app, not %s", article(o.Kind))
	}
	g, err := one(xref.Method, src, h)
	if err != nil {
		return nil, err
	}
	fn := g.decls[0].Node.(*syntax.FuncDecl)
	if fn.Self == syntax.NoSelf {
		return nil, refuse(Invalid, "method '%s' must take self", g.decls[0].Name).at(source.NewFile("", "", src), 0)
	}
	if err := freeMember(o, g.decls[0], g.decls[0].Name, nil); err != nil {
		return nil, err
	}
	d := newDraft(ctx, s)
	if err := d.addMember(m.File, o, g, at); err != nil {
		return nil, err
	}
	if o.Kind == xref.Trait && fn.Body == nil {
		if err := d.noteImplementors(o, g.decls[0].Name); err != nil {
			return nil, err
		}
	}
	return d.finish()
}

// noteImplementors says which classes lack a method that a trait asks for now.
func (d *draft) noteImplementors(trait *xref.Decl, method string) error {
	checked, err := d.s.Checked(d.ctx)
	if err != nil {
		return err
	}
	for _, site := range checked.UsesOf(trait.Key) {
		if class := d.s.Decl(site.Owner); site.Use == xref.Impl && class != nil && memberOf(class, xref.Method, method) == nil {
			d.note(fmt.Sprintf("%s: %s has no method '%s' yet", where(d.s, site), describe(site.Owner), method))
		}
	}
	return nil
}

func memberOf(d *xref.Decl, kind xref.Kind, name string) *xref.Decl {
	for _, m := range d.Members {
		if m.Kind == kind && m.Name == name {
			return m
		}
	}
	return nil
}

// FieldOptions says what kind of field is added, and where.
type FieldOptions struct {
	Injected bool // a dependency in brackets, of a class or the app
	At       Position
}

// AddField adds a field to a class, an error or a variant. Literals that do not set it then
// are in the notes.
func AddField(ctx context.Context, s *workspace.State, owner xref.Key, name, typ string, o FieldOptions) (*Plan, error) {
	t, m, err := lookup(s, owner)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Injected && t.Kind != xref.Class && t.Kind != xref.App:
		return nil, refuse(KindMismatch, "target must be a class or the app to have dependencies, not %s", article(t.Kind))
	case !o.Injected && t.Kind != xref.Class && t.Kind != xref.Error && t.Kind != xref.Variant:
		return nil, refuse(KindMismatch, "target must be a class, an error or a variant, not %s", article(t.Kind))
	}
	if err := checkName(xref.Field, name); err != nil {
		return nil, err
	}
	if typ, err = parseType(typ); err != nil {
		return nil, err
	}
	if old := memberOf(t, xref.Field, name); old != nil {
		return nil, refuse(Conflict, "%s has a field '%s' already", describe(owner), name).at(m.File.Src, old.NameAt.Start)
	}
	d := newDraft(ctx, s)
	text := name + ": " + typ
	if o.Injected {
		err = d.addDep(m.File, t, text, o.At)
	} else {
		var g *given
		h := inPayload
		if t.Kind == xref.Class {
			h = inClass
		}
		if g, err = one(xref.Field, text, h); err == nil {
			err = d.addMember(m.File, t, g, o.At)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := d.noteMissing(t, name, o.Injected); err != nil {
		return nil, err
	}
	return d.finish()
}

// noteMissing says where values are made without a field that is new.
func (d *draft) noteMissing(t *xref.Decl, name string, injected bool) error {
	checked, err := d.s.Checked(d.ctx)
	if err != nil {
		return err
	}
	for _, site := range checked.UsesOf(t.Key) {
		switch site.Use {
		case xref.Construct, xref.Raise, xref.EnumVariant:
			if injected {
				d.note(fmt.Sprintf("%s: '%s' cannot be made by hand any more", where(d.s, site), t.Name))
			} else {
				d.note(fmt.Sprintf("%s: '%s' is made without '%s'", where(d.s, site), t.Name, name))
			}
		case xref.MatchArm:
			d.note(fmt.Sprintf("%s: the arm of '%s' does not bind '%s'", where(d.s, site), t.Name, name))
		}
	}
	return nil
}

// AddVariant adds one variant to an enum. Matches that do not have an arm for it are in the
// notes.
func AddVariant(ctx context.Context, s *workspace.State, owner xref.Key, src string, at Position) (*Plan, error) {
	t, m, err := lookup(s, owner)
	if err != nil {
		return nil, err
	}
	if t.Kind != xref.Enum {
		return nil, refuse(KindMismatch, "target must be an enum, not %s", article(t.Kind))
	}
	g, err := one(xref.Variant, src, inEnum)
	if err != nil {
		return nil, err
	}
	if err := freeMember(t, g.decls[0], g.decls[0].Name, nil); err != nil {
		return nil, err
	}
	d := newDraft(ctx, s)
	if err := d.addMember(m.File, t, g, at); err != nil {
		return nil, err
	}
	checked, err := s.Checked(ctx)
	if err != nil {
		return nil, err
	}
	matches := map[syntax.Node]bool{}
	for _, site := range checked.UsesOf(owner) {
		if site.Use != xref.MatchArm {
			continue
		}
		if n := matchAt(s, site); n != nil && !matches[n] {
			matches[n] = true
			d.note(fmt.Sprintf("%s: the match has no arm for '%s'", where(s, site), g.decls[0].Name))
		}
	}
	return d.finish()
}

// matchAt is the match that a site is in an arm of.
func matchAt(s *workspace.State, site xref.Site) syntax.Node {
	m := s.Module(site.File)
	if m == nil {
		return nil
	}
	var in syntax.Node
	for _, n := range syntax.At(m.File, site.At.Start) {
		switch n.(type) {
		case *syntax.MatchStmt, *syntax.MatchExpr:
			in = n
		}
	}
	return in
}

// one reads source of exactly one member.
func one(kind xref.Kind, src string, h holder) (*given, error) {
	g, err := parseMembers(src, h)
	if err != nil {
		if whole, other := parseGiven(src); other == nil && len(whole.decls) > 0 && whole.decls[0].Kind != xref.Function {
			return nil, refuse(Invalid, "source contains no %s", kind)
		}
		return nil, err
	}
	n := 0
	for _, m := range g.decls {
		if m.Kind == kind {
			n++
		}
	}
	switch {
	case n == 0:
		return nil, refuse(Invalid, "source contains no %s", kind)
	case len(g.decls) > 1:
		return nil, refuse(Invalid, "source contains multiple %ss or other members; exactly one %s is added", kind, kind)
	}
	return g, checkName(kind, g.decls[0].Name)
}

// addMember puts a member between the braces of its owner.
func (d *draft) addMember(f *syntax.File, o *xref.Decl, g *given, at Position) error {
	text := f.Src.Text
	if braceOf(f, o) >= 0 && text[o.Full.End-1] != '}' {
		return refuse(Conflict, "%s has no closing brace", describe(o.Key)).at(f.Src, o.NameAt.Start).hint("repair it first")
	}
	before, after, err := d.neighbour(o, g.decls[0].Kind, at)
	if err != nil {
		return err
	}
	eol, step := lineEnd(text), unit(f)
	outer := indentAt(text, o.Full.Start)
	indent := outer + step
	for _, m := range o.Members {
		if !m.Dep && alone(text, m) {
			indent = indentAt(text, m.Full.Start)
			break
		}
	}
	fn := g.decls[0].Kind == xref.Method
	put := func(start, end int32, s string) { d.edit(f.Src.Name, source.Span{Start: start, End: end}, s) }
	body := fit(g.file, g.body, layout{eol: eol, indent: indent, unit: step})
	switch open := braceOf(f, o); {
	case before != nil && alone(text, before):
		gap := ""
		if fn && !dense(f, o) {
			gap = eol
		}
		start := lineStart(text, before.WithDoc.Start)
		put(start, start, indent+body+eol+gap)
	case before != nil:
		put(before.Full.Start, before.Full.Start, body+separator(o, g.decls[0].Kind))
	case after != nil && (alone(text, after) || fn):
		end := afterComma(text, after)
		lead, tail := eol, ""
		next := overSpace(text, end)
		if fn && !dense(f, o) {
			lead += eol
			if ends(text[end:next]) == 1 && text[next] != '}' {
				tail = eol
			}
		}
		if ends(text[end:next]) == 0 { // the brace is on the line
			put(end, next, lead+indent+body+eol+outer)
			return nil
		}
		put(end, end, lead+indent+body+tail)
	case after != nil:
		put(after.Full.End, after.Full.End, separator(o, g.decls[0].Kind)+body)
	case open < 0: // a variant without fields
		put(o.Full.End, o.Full.End, " { "+body+" }")
	case strings.TrimSpace(text[open+1:o.Full.End-1]) == "" && o.Kind == xref.Variant:
		put(open+1, o.Full.End-1, " "+body+" ")
	case strings.TrimSpace(text[open+1:o.Full.End-1]) == "":
		put(open+1, o.Full.End-1, eol+indent+body+eol+outer)
	default: // before everything else between the braces
		gap := ""
		if next := overSpace(text, open+1); text[next] != '}' && ends(text[open+1:next]) > 0 {
			gap = eol
		} else if ends(text[open+1:next]) == 0 {
			put(open+1, next, eol+indent+body+eol+eol+indent)
			return nil
		}
		put(open+1, open+1, eol+indent+body+gap)
	}
	return nil
}

// separator is what stands between members on one line.
func separator(o *xref.Decl, kind xref.Kind) string {
	if kind == xref.Variant {
		return " "
	}
	return ", "
}

// afterComma is the end of a member, with its comma and the comment on its line.
func afterComma(text string, m *xref.Decl) int32 {
	end := m.WithDoc.End
	if end == m.Full.End && end < int32(len(text)) && text[end] == ',' {
		end++
	}
	return end
}

// alone says whether a member has its lines for itself.
func alone(text string, m *xref.Decl) bool {
	end := afterComma(text, m)
	return backOverBlanks(text, m.WithDoc.Start) == lineStart(text, m.WithDoc.Start) && overBlanks(text, end) == lineStop(text, end)
}

// dense says whether the owner has methods without blank lines between them, as traits may.
func dense(f *syntax.File, o *xref.Decl) bool {
	var prev *xref.Decl
	for _, m := range o.Members {
		if m.Kind != xref.Method {
			continue
		}
		if prev != nil {
			return ends(f.Src.Text[prev.WithDoc.End:m.WithDoc.Start]) == 1
		}
		prev = m
	}
	return false
}

// braceOf is where the brace of a declaration is, or -1.
func braceOf(f *syntax.File, o *xref.Decl) int32 {
	for _, t := range f.Tokens {
		if t.Kind == syntax.LBRACE && o.NameAt.End <= t.At.Start && t.At.End <= o.Full.End {
			return t.At.Start
		}
	}
	return -1
}

// neighbour is the member that a new one of the kind comes before or after; both are nil
// when it is the first.
func (d *draft) neighbour(o *xref.Decl, kind xref.Kind, at Position) (before, after *xref.Decl, err error) {
	find := func(k xref.Key) (*xref.Decl, error) {
		for _, m := range o.Members {
			if m.Key == k && !m.Dep {
				return m, nil
			}
		}
		if d.s.Decl(k) == nil {
			return nil, missing(k)
		}
		return nil, refuse(Invalid, "%s is not a member of %s to be before or after", describe(k), describe(o.Key))
	}
	switch none := (xref.Key{}); {
	case at.Before != none && at.After != none:
		return nil, nil, refuse(Invalid, "a position is before or after something, not both")
	case at.Before != none:
		before, err = find(at.Before)
		return before, nil, err
	case at.After != none:
		after, err = find(at.After)
		return nil, after, err
	}
	for _, m := range o.Members {
		if !m.Dep && (m.Kind == kind || kind == xref.Method) {
			after = m
		}
	}
	if class, ok := o.Node.(*syntax.ClassDecl); ok && kind == xref.Method && len(class.Members) > 0 {
		if c, ok := class.Members[len(class.Members)-1].(*syntax.Clause); ok {
			after = &xref.Decl{Full: c.Span(), WithDoc: c.Span()}
		}
	}
	if app, ok := o.Node.(*syntax.AppDecl); ok && len(app.Members) > 0 {
		last := app.Members[len(app.Members)-1]
		if _, ok := last.(*syntax.FuncDecl); !ok {
			after = &xref.Decl{Full: last.Span(), WithDoc: last.Span()}
		}
	}
	return nil, after, nil
}

// addDep adds a dependency to the brackets of a class or the app.
func (d *draft) addDep(f *syntax.File, o *xref.Decl, dep string, at Position) error {
	text := f.Src.Text
	put := func(at int32, s string) { d.edit(f.Src.Name, source.Span{Start: at, End: at}, s) }
	var last *xref.Decl
	for _, m := range o.Members {
		if !m.Dep {
			continue
		}
		switch m.Key {
		case at.Before:
			put(m.Full.Start, dep+", ")
			return nil
		case at.After:
			put(m.Full.End, ", "+dep)
			return nil
		}
		last = m
	}
	switch {
	case at != (Position{}):
		return refuse(Invalid, "a dependency goes before or after another dependency of %s", describe(o.Key))
	case last == nil:
		put(headerEnd(f, o), "["+dep+"]")
	case alone(text, last):
		put(last.Full.End, ","+lineEnd(text)+indentAt(text, last.Full.Start)+dep)
	default:
		put(last.Full.End, ", "+dep)
	}
	return nil
}

// headerEnd is where the brackets of dependencies go: after the name, the type parameters
// and `uses`.
func headerEnd(f *syntax.File, o *xref.Decl) int32 {
	class, ok := o.Node.(*syntax.ClassDecl)
	switch {
	case !ok:
		return o.NameAt.End
	case len(class.Uses) > 0:
		return class.Uses[len(class.Uses)-1].Span().End
	case len(class.TypeParams) > 0:
		end := class.TypeParams[len(class.TypeParams)-1].Span().End
		for _, t := range f.Tokens {
			if t.Kind == syntax.GT && t.At.Start >= end {
				return t.At.End
			}
		}
	}
	return o.NameAt.End
}
