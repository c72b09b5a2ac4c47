package refactor

import (
	"context"
	"fmt"
	"slices"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// Delete removes a declaration or a member with the comments that belong to it. What uses
// it then is in Dangling; whether that matters is not decided here.
func Delete(ctx context.Context, s *workspace.State, target xref.Key) (*Plan, error) {
	t, m, err := lookup(s, target)
	if err != nil {
		return nil, err
	}
	if t.Kind == xref.Param {
		return nil, refuse(Invalid, "%s cannot be deleted alone: every call passes it", describe(target)).
			hint("replace the function, then the calls")
	}
	checked, err := s.Checked(ctx)
	if err != nil {
		return nil, err
	}
	if t.Kind == xref.Method && t.Parent.Kind == xref.App && t.Name == "main" {
		return nil, refuse(Invalid, "main is where the app starts, so that it cannot be deleted alone")
	}
	d := newDraft(ctx, s)
	e := removal(m.File, t)
	d.edit(m.Path, e.At, e.New)
	d.dangling(checked, t, m.Path, t.Full)
	switch {
	case t.Kind == xref.Field:
		d.noteLiterals(checked, t)
	case t.Parent == nil:
		d.noteImports(m, t)
	}
	if _, err := d.finish(); err != nil {
		return nil, err
	}
	if err := d.missed(checked, t); err != nil {
		return nil, err
	}
	return d.plan, nil
}

// dangling lists the uses of a declaration and its members outside of a span.
func (d *draft) dangling(checked *workspace.Checked, t *xref.Decl, path string, gone source.Span) {
	for decl := range xref.All([]*xref.Decl{t}) {
		for _, site := range checked.UsesOf(decl.Key) {
			if site.File != path || site.At.Start < gone.Start || gone.End < site.At.End {
				d.plan.Dangling = append(d.plan.Dangling, site)
			}
		}
	}
	sortSites(d.plan.Dangling)
}

// unimplemented adds the traits of the class that ask for a method to what is dangling.
func (d *draft) unimplemented(checked *workspace.Checked, t *xref.Decl) {
	for _, site := range checked.UsedBy(t.Parent.Key) {
		info := checked.Facts().Traits[site.Target]
		if site.Use == xref.Impl && info != nil && slices.Contains(info.Methods, t.Name) && !slices.Contains(info.Defaults, t.Name) {
			d.plan.Dangling = append(d.plan.Dangling, site)
			d.note(fmt.Sprintf("%s asks for the method '%s'", describe(site.Target), t.Name))
		}
	}
	sortSites(d.plan.Dangling)
}

// missed adds to what is dangling where the project needs a declaration without naming it: a
// method that a trait asks for, an app whose classes others use.
func (d *draft) missed(checked *workspace.Checked, t *xref.Decl) error {
	if len(d.plan.Dangling) > 0 {
		return nil
	}
	v := &verification{d: d, before: checked}
	if err := v.look(); err != nil {
		return err
	}
	one := v.fresh()
	if one == nil || one.File == nil {
		return nil
	}
	text := d.s.Module(one.File.Name)
	if text == nil {
		return nil
	}
	d.note("without it: " + one.Message)
	at := one.Span
	at.Start, at.End = unshifted(d.edits[text.Path], at.Start), unshifted(d.edits[text.Path], at.End)
	d.plan.Dangling = append(d.plan.Dangling, xref.Site{
		Use: xref.TypeRef, File: text.Path, At: at, Full: at, Owner: xref.Key{File: text.Path}, Target: t.Key,
	})
	return nil
}

// noteLiterals says which literals give a value to a field.
func (d *draft) noteLiterals(checked *workspace.Checked, t *xref.Decl) {
	for _, site := range checked.UsesOf(t.Key) {
		if site.Use == xref.FieldWrite && site.Full != site.At {
			d.note(fmt.Sprintf("%s sets '%s'", where(d.s, site), t.Name))
		}
	}
}

// noteImports says which imports only the deleted declaration used.
func (d *draft) noteImports(m *workspace.Module, t *xref.Decl) {
	for _, imp := range m.File.Imports {
		name := imp.Binding().Name
		inside, outside := 0, 0
		for _, q := range qualifiers(m.File, name) {
			if t.Full.Contains(q.Start) {
				inside++
			} else {
				outside++
			}
		}
		if inside > 0 && outside == 0 {
			d.note(fmt.Sprintf("the import '%s' of %s is not used any more", dotted(imp), m.Path))
		}
	}
}

// removal is the edit that takes a declaration out of its file.
func removal(f *syntax.File, t *xref.Decl) Edit {
	text := f.Src.Text
	start, stop := lineStart(text, t.WithDoc.Start), lineStop(text, t.WithDoc.End)
	after := t.WithDoc.End
	if after < stop && text[after] == ',' {
		after++
	}
	if backOverBlanks(text, t.WithDoc.Start) > start || overBlanks(text, after) < stop {
		return Edit{At: inlineRemoval(text, t)}
	}
	if group := groupOf(f, t); group != nil && len(group.Tests) == 1 {
		return removal(f, &xref.Decl{Full: group.Span(), WithDoc: group.Span()})
	}
	prev := backOverSpace(text, start)
	next := overSpace(text, after)
	if prev == 0 || text[:prev] == byteOrderMark { // the first thing in the file
		return Edit{At: source.Span{Start: start, End: startOfLine(text, next)}}
	}
	if next == int32(len(text)) || text[next] == '}' || text[next] == ']' || text[next] == ')' {
		if text[prev-1] == ',' && !isClassField(t) {
			prev--
		}
		return Edit{At: source.Span{Start: prev, End: after}}
	}
	if text[prev-1] == '{' || text[prev-1] == '[' || text[prev-1] == '(' {
		return Edit{At: source.Span{Start: start, End: lineStart(text, next)}}
	}
	before, behind := ends(text[prev:start]), ends(text[after:next])
	if keep := min(before, behind); before == keep && keep > 1 || behind <= 1 && before > 1 || before == behind {
		return Edit{At: source.Span{Start: start, End: lineStart(text, next)}} // the gap before it stays
	}
	return Edit{At: source.Span{Start: prev, End: after}}
}

func isClassField(t *xref.Decl) bool {
	return t.Kind == xref.Field && !t.Dep && t.Parent != nil && t.Parent.Kind == xref.Class
}

// startOfLine is lineStart, or the end of the text when nothing comes.
func startOfLine(text string, at int32) int32 {
	if at == int32(len(text)) {
		return at
	}
	return lineStart(text, at)
}

// inlineRemoval is the span of a declaration that shares its line with others, with the
// comma that separates it.
func inlineRemoval(text string, t *xref.Decl) source.Span {
	at := t.Full
	next := overSpace(text, at.End)
	comma := next < int32(len(text)) && text[next] == ','
	prev := backOverSpace(text, at.Start)
	switch {
	case comma:
		end := overBlanks(text, next+1)
		if c := text[min(int(end), len(text)-1)]; (c == '}' || c == ']' || c == '\r' || c == '\n') && prev > 0 && text[prev-1] == ',' {
			return source.Span{Start: prev, End: next + 1} // the last one keeps the comma of the one before
		}
		return source.Span{Start: at.Start, End: end}
	case prev > 0 && text[prev-1] == ',':
		return source.Span{Start: prev - 1, End: at.End}
	case t.Dep && prev > 0 && text[prev-1] == '[' && next < int32(len(text)) && text[next] == ']':
		return source.Span{Start: prev - 1, End: next + 1}
	case next < int32(len(text)) && ends(text[at.End:next]) == 0 && text[next] != '}' && text[next] != ']':
		return source.Span{Start: at.Start, End: next}
	case prev > 0 && text[prev-1] == '{' && next < int32(len(text)) && text[next] == '}':
		return source.Span{Start: prev, End: next}
	}
	return source.Span{Start: backOverBlanks(text, at.Start), End: at.End}
}

// groupOf is the group of tests that a test stands in, or nil.
func groupOf(f *syntax.File, t *xref.Decl) *syntax.TestsDecl {
	if g := testsOf(f); g != nil && t.Kind == xref.Test && g.Span().Start < t.Full.Start && t.Full.End < g.Span().End {
		return g
	}
	return nil
}
