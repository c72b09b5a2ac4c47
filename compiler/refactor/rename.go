package refactor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// RenameOptions says how far a rename goes.
type RenameOptions struct {
	File bool // only references in the file of the declaration are rewritten
}

// Rename gives a declaration or a member another name and rewrites every reference to it. A
// method of a trait is renamed with all its implementations, whichever of them was asked for.
// It is refused when any name would mean something else afterwards.
func Rename(ctx context.Context, s *workspace.State, target xref.Key, to string, o RenameOptions) (*Plan, error) {
	t, _, err := lookup(s, target)
	if err != nil {
		return nil, err
	}
	checked, err := s.Checked(ctx)
	if err != nil {
		return nil, err
	}
	d := newDraft(ctx, s)
	r, err := d.renaming(checked, t, to)
	if err != nil {
		return nil, err
	}
	if o.File {
		r.only = target.File
	}
	d.rename(r, "", source.Span{})
	if _, err := d.finish(); err != nil {
		return nil, err
	}
	if err := d.verify(checked, r); err != nil {
		return nil, err
	}
	return d.plan, nil
}

// renaming is a rename that may be done.
type renaming struct {
	checked *workspace.Checked
	to      string
	family  []*xref.Decl // what gets the name, the one that was asked for first
	only    string       // the file outside of which nothing is rewritten, when there is one
}

// renaming makes sure that a declaration may have a name.
func (d *draft) renaming(checked *workspace.Checked, t *xref.Decl, to string) (*renaming, error) {
	switch {
	case t.Kind == xref.Extern:
		return nil, refuse(Invalid, "the name of an extern says what it links to, so that '%s' cannot be renamed", t.Name)
	case t.Kind == xref.Function && t.Name == "main" && d.space(t.Key.File).root, t.Kind == xref.Method && t.Name == "main" && t.Parent.Kind == xref.App:
		return nil, refuse(Invalid, "main is where the program starts, so that it cannot be renamed")
	case to == t.Name:
		return nil, refuse(Invalid, "%s has this name already", describe(t.Key))
	}
	if err := checkName(t.Kind, to); err != nil {
		return nil, err
	}
	family, err := d.family(checked, t)
	if err != nil {
		return nil, err
	}
	for _, m := range family {
		if m.Parent == nil {
			err = d.space(m.Key.File).free(m.Kind, to, m.Key.File, m)
		} else if err = freeMember(m.Parent, m, to, m); err == nil && m.Kind == xref.Method {
			err = d.freeMethod(checked, m, to)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(family) > 1 {
		var others []string
		for _, m := range family[1:] {
			others = append(others, m.Qual)
		}
		d.note(fmt.Sprintf("a trait connects %s with %s, which got the name too", t.Qual, strings.Join(others, ", ")))
	}
	return &renaming{checked: checked, to: to, family: family}, nil
}

// family is a declaration with those that have to have its name: a method of a trait and
// the methods that implement it.
func (d *draft) family(checked *workspace.Checked, t *xref.Decl) ([]*xref.Decl, error) {
	out := []*xref.Decl{t}
	if t.Kind != xref.Method || t.Parent.Kind == xref.App {
		return out, nil
	}
	add := func(owner xref.Key) (bool, error) {
		decl := d.s.Decl(owner)
		if decl == nil {
			if owner.Kind == xref.Trait && d.outside(owner) && d.traitHas(checked, owner, t.Name) {
				return false, refuse(Outside, "'%s' implements a method of trait '%s', which is not of this project", t.Qual, owner.Qual)
			}
			return false, nil
		}
		for _, m := range decl.Members {
			if m.Kind == xref.Method && m.Name == t.Name {
				if !slices.Contains(out, m) {
					out = append(out, m)
				}
				return true, nil
			}
		}
		return false, nil
	}
	seen := map[xref.Key]bool{}
	for i := 0; i < len(out); i++ {
		owner := out[i].Parent
		if owner.Kind == xref.Trait {
			// A class that inherits the method connects nothing but the traits that it is of.
			for _, site := range checked.UsesOf(owner.Key) {
				if site.Use != xref.Impl || seen[site.Owner] {
					continue
				}
				seen[site.Owner] = true
				if _, err := add(site.Owner); err != nil {
					return nil, err
				}
				for _, trait := range implsOf(checked, site.Owner) {
					if _, err := add(trait); err != nil {
						return nil, err
					}
				}
			}
			continue
		}
		for _, trait := range implsOf(checked, owner.Key) {
			if _, err := add(trait); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// freeMethod refuses a name with which a method would implement, or be overridden by, one of
// another kind: that is no error, but the program would do something else.
func (d *draft) freeMethod(checked *workspace.Checked, m *xref.Decl, to string) error {
	classes := []xref.Key{m.Parent.Key}
	if m.Parent.Kind == xref.Trait {
		classes = nil
		for _, site := range checked.UsesOf(m.Parent.Key) {
			if site.Use == xref.Impl {
				classes = append(classes, site.Owner)
			}
		}
	}
	for _, class := range classes {
		if decl := d.s.Decl(class); decl != nil && m.Parent.Kind == xref.Trait {
			if err := freeMember(decl, m, to, nil); err != nil {
				return err
			}
		}
		for _, trait := range implsOf(checked, class) {
			info := checked.Facts().Traits[trait]
			if trait == m.Parent.Key || info == nil || !slices.Contains(info.Methods, to) {
				continue
			}
			e := refuse(Conflict, "trait '%s' of class '%s' has a method '%s', which this would become one with", trait.Qual, class.Qual, to)
			if decl := d.s.Decl(trait); decl != nil {
				if other := memberOf(decl, xref.Method, to); other != nil {
					e.at(other.File.Src, other.NameAt.Start)
				}
			}
			return e
		}
	}
	return nil
}

// implsOf are the traits of a class.
func implsOf(checked *workspace.Checked, class xref.Key) []xref.Key {
	var out []xref.Key
	for _, site := range checked.UsedBy(class) {
		if site.Use == xref.Impl && site.Owner == class && !slices.Contains(out, site.Target) {
			out = append(out, site.Target)
		}
	}
	return out
}

func (d *draft) outside(k xref.Key) bool { return d.s.Module(k.File) == nil }

func (d *draft) traitHas(checked *workspace.Checked, trait xref.Key, method string) bool {
	info := checked.Facts().Traits[trait]
	return info == nil || slices.Contains(info.Methods, method)
}

// rename writes the name where the family is declared and used, except in the span of a
// file whose text is replaced anyway.
func (d *draft) rename(r *renaming, path string, except source.Span) {
	in := func(file string, at source.Span) bool {
		return file == path && except.Start <= at.Start && at.End <= except.End && except.End > 0
	}
	for _, m := range r.family {
		if in(m.Key.File, m.NameAt) {
			continue
		}
		name := r.to
		if m.Kind == xref.Test {
			name = quote(r.to)
		}
		d.write(m.Key.File, m.NameAt, name)
	}
	for _, m := range r.family {
		for _, site := range r.checked.UsesOf(m.Key) {
			if in(site.File, site.At) || r.only != "" && site.File != r.only || d.s.Module(site.File) == nil {
				continue
			}
			at, text := d.rewritten(site, r.to)
			before := len(d.edits[site.File])
			d.write(site.File, at, text)
			d.plan.Updated += len(d.edits[site.File]) - before
		}
	}
}

// rewritten is the edit that makes a site say another name.
func (d *draft) rewritten(site xref.Site, to string) (source.Span, string) {
	f := d.s.Module(site.File).File
	switch {
	case site.Ambient:
		return site.At, strings.ToLower(to[:1]) + to[1:]
	case site.Shorthand:
		return site.At, to + ": " + f.Src.Text[site.At.Start:site.At.End]
	case site.Use == xref.FieldRead:
		if b := bindingAt(f, site.At); b != nil && b.Name.Name == to {
			return b.Span(), to // `to: to` is `to`
		}
	}
	return site.At, to
}

// bindingAt is the binding of a match arm whose field is at a place, or nil.
func bindingAt(f *syntax.File, at source.Span) *syntax.Binding {
	for _, n := range syntax.At(f, at.Start) {
		if b, ok := n.(*syntax.Binding); ok && b.Field.Span() == at && b.Name != b.Field {
			return b
		}
	}
	return nil
}

// quote spells a text as a plain string literal that nothing is interpolated in.
func quote(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch r {
		case '"', '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case '\n':
			out.WriteString(`\n`)
		case '\r':
			out.WriteString(`\r`)
		case '\t':
			out.WriteString(`\t`)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
