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

// Replace puts other source in the place of a declaration or a member. The source is exactly
// one of the same kind. The comments above the old one stay unless the source has its own;
// `// @uuid:` lines stay always. Another name in the source renames what refers to it.
func Replace(ctx context.Context, s *workspace.State, target xref.Key, src string) (*Plan, error) {
	t, m, err := lookup(s, target)
	if err != nil {
		return nil, err
	}
	g, err := parseAs(t, src)
	if err != nil {
		return nil, err
	}
	now := g.decls[0]
	d := newDraft(ctx, s)
	names, err := d.mergeImports(m, g)
	if err != nil {
		return nil, err
	}
	checked, err := s.Checked(ctx)
	if err != nil {
		return nil, err
	}
	if now.Name != t.Name {
		// What the new text breaks is for its author to see; that names are rewritten safely is
		// known from a rename alone.
		if _, err := Rename(ctx, s, target, now.Name, RenameOptions{}); err != nil {
			return nil, err
		}
		r, err := d.renaming(checked, t, now.Name)
		if err != nil {
			return nil, err
		}
		d.rename(r, m.Path, t.Full)
	}
	at, text := replacement(m.File, t, g, names)
	d.carry(m.Path, at, text, t)
	p, err := d.finish()
	if err != nil {
		return nil, err
	}
	for _, k := range p.Removed {
		if lost := s.Decl(k); lost != nil && lost.Kind != xref.Param {
			d.dangling(checked, lost, m.Path, t.Full)
		}
	}
	d.noteReplaced(checked, t, now)
	return p, nil
}

// noteReplaced says what a new form asks of the users of a declaration.
func (d *draft) noteReplaced(checked *workspace.Checked, t, now *xref.Decl) {
	if t.Pub && !now.Pub {
		for _, site := range checked.UsesOf(t.Key) {
			if site.File != t.Key.File {
				d.note(fmt.Sprintf("'%s' is not pub any more, and %s uses it", now.Name, site.File))
				return
			}
		}
	}
}

// parseAs reads source of one declaration of the kind of another.
func parseAs(t *xref.Decl, src string) (*given, error) {
	if t.Parent == nil {
		g, err := declarations(src)
		if err != nil {
			return nil, err
		}
		switch {
		case len(g.file.Decls) > 1:
			return nil, refuse(Invalid, "source contains multiple declarations; exactly one replaces another")
		case len(g.decls) != 1 || g.decls[0].Kind != t.Kind || isGroup(g.file):
			return nil, refuse(KindMismatch, "replacement source must be %s", article(t.Kind))
		}
		return g, nil
	}
	g, err := parseMembers(src, holderOf(t))
	if err != nil {
		if whole, other := parseGiven(src); other == nil && len(whole.file.Decls) > 0 {
			if t.Kind != xref.Method || whole.decls == nil || whole.decls[0].Kind != xref.Function {
				return nil, refuse(KindMismatch, "replacement source must be %s", article(t.Kind))
			}
		}
		return nil, err
	}
	switch {
	case len(g.decls) == 0:
		return nil, refuse(Invalid, "source contains no %s", t.Kind)
	case g.decls[0].Kind != t.Kind:
		return nil, refuse(KindMismatch, "replacement source must be %s", article(t.Kind))
	case len(g.decls) > 1:
		return nil, refuse(Invalid, "source contains multiple %ss", t.Kind)
	case listed(t) && len(commentsIn(g.file)) > 0:
		return nil, refuse(Invalid, "comments have no place in a list of %ss", t.Kind)
	}
	return g, nil
}

func isGroup(f *syntax.File) bool { return testsOf(f) != nil }

// article is a kind with its article.
func article(k xref.Kind) string {
	switch k {
	case xref.Enum, xref.Error, xref.App, xref.Extern:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// listed says that a member stands in a list between commas.
func listed(t *xref.Decl) bool { return t.Kind == xref.Param || t.Dep }

// holderOf is what source of a member like this one is parsed in.
func holderOf(t *xref.Decl) holder {
	switch {
	case t.Kind == xref.Param:
		return inParams
	case t.Dep:
		return inDeps
	case t.Kind == xref.Variant:
		return inEnum
	case t.Parent.Kind == xref.Trait:
		return inTrait
	case t.Parent.Kind == xref.App:
		return inApp
	case t.Parent.Kind == xref.Class:
		return inClass
	}
	return inPayload
}

// replacement is where the new text of a declaration goes, and the text.
func replacement(f *syntax.File, t *xref.Decl, g *given, names []Edit) (source.Span, string) {
	text := f.Src.Text
	l := layout{eol: lineEnd(text), indent: indentAt(text, t.Full.Start), unit: unit(f)}
	if t.Parent == nil {
		l.unit = "" // as it is given
	}
	if len(names) > 0 {
		src, _ := apply(g.file.Src.Text, names)
		if again, err := parseGiven(src); err == nil {
			g = again
		}
	}
	now := g.decls[0]
	own := source.Span{Start: now.Full.Start, End: now.Full.End}
	at := t.Full
	lead, tail := false, false
	for _, c := range commentsIn(g.file) {
		lead = lead || c.Start < now.Full.Start && c.Start >= g.body.Start
		tail = tail || c.Start >= now.Full.End
	}
	if tail {
		own.End, at.End = g.body.End, t.WithDoc.End
	}
	hint := ""
	if lead {
		own.Start, at.Start = g.body.Start, t.WithDoc.Start
		hint = hints(text[t.WithDoc.Start:t.Full.Start], l.eol+l.indent)
	}
	out := fit(g.file, own, l)
	if hint != "" {
		out = hint + dropHints(out, l)
	}
	return at, out
}

const hintMark = "// @uuid:"

// hints are the lines of a comment block that state an identity.
func hints(block, eol string) string {
	var out strings.Builder
	for line := range strings.Lines(block) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, hintMark) {
			out.WriteString(line + eol)
		}
	}
	return out.String()
}

// dropHints takes such lines out of the comments that a text begins with.
func dropHints(text string, l layout) string {
	var out []string
	lines := strings.Split(text, l.eol)
	head := true
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		head = head && strings.HasPrefix(trimmed, "//")
		if !head || !strings.HasPrefix(trimmed, hintMark) {
			out = append(out, line)
		}
	}
	if len(out) > 0 {
		out[0] = strings.TrimLeft(out[0], " \t")
	}
	return strings.Join(out, l.eol)
}
