package pluto

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/pmezard/go-difflib/difflib"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/xref"
)

func fileChange(name string, before, after []byte) FileChange {
	return FileChange{Path: name, Before: before, After: after, Binary: plto.Is(before) || plto.Is(after)}
}

// compare says which declarations came, went, and changed between two states of modules,
// each in order of paths.
func (c *Change) compare(before, after []*Module) {
	was, is := map[uuid.UUID]*Decl{}, map[uuid.UUID]*Decl{}
	for i, j := 0, 0; i < len(before) || j < len(after); {
		switch {
		case j == len(after) || i < len(before) && before[i].Path < after[j].Path:
			collect(was, before[i])
			i++
		case i == len(before) || after[j].Path < before[i].Path:
			collect(is, after[j])
			j++
		default:
			if before[i] != after[j] {
				collect(was, before[i])
				collect(is, after[j])
			}
			i, j = i+1, j+1
		}
	}
	for id, d := range is {
		old := was[id]
		switch {
		case old == nil:
			if o := outer(d); o == nil || was[o.ID] != nil {
				c.Added = append(c.Added, declChange(d))
			}
		case renamed(old, d):
			r := declChange(d)
			r.Was = old.Handle()
			c.Renamed = append(c.Renamed, r)
		}
		if old != nil && d.Kind != xref.Module && body(old) != body(d) {
			c.Modified = append(c.Modified, declChange(d))
		}
	}
	for id, d := range was {
		if o := outer(d); is[id] == nil && (o == nil || is[o.ID] != nil) {
			c.Removed = append(c.Removed, declChange(d))
		}
	}
	for _, list := range []*[]DeclChange{&c.Added, &c.Removed, &c.Renamed, &c.Modified} {
		slices.SortFunc(*list, func(a, b DeclChange) int {
			return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.start, b.start), cmp.Compare(a.Handle, b.Handle))
		})
	}
}

func collect(all map[uuid.UUID]*Decl, m *Module) {
	all[m.ID] = m.Self
	for d := range m.All() {
		all[d.ID] = d
	}
}

// outer is what a declaration comes and goes with: its owner, or its module.
func outer(d *Decl) *Decl {
	switch {
	case d.Parent != nil:
		return d.Parent
	case d.Kind != xref.Module:
		return d.Module.Self
	}
	return nil
}

// renamed says whether a declaration has another name or another owner.
func renamed(old, now *Decl) bool {
	if now.Kind == xref.Module {
		return old.Module.Path != now.Module.Path
	}
	return old.Name != now.Name || outer(old).ID != outer(now).ID
}

// body is the text of a declaration but for its own name.
func body(d *Decl) string {
	text := d.Module.Text()
	return text[d.WithDoc.Start:d.NameAt.Start] + "\x00" + text[d.NameAt.End:d.WithDoc.End]
}

func declChange(d *Decl) DeclChange {
	return DeclChange{
		ID: d.ID, Kind: d.Kind, Name: d.Name, Handle: d.Handle(), Module: d.Module.Path, Member: d.Parent != nil, start: d.Full.Start,
	}
}

// own says whether a file is one of sett's, which notes something beside the files of the
// user: it is written and undone with them, and nobody hears of it.
func own(name string) bool { return strings.HasPrefix(name, ".sett/") }

// users are the files that are not [own].
func users(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), own)
}

// add adds a file.
func (c *Change) add(f FileChange) {
	if own(f.Path) {
		c.notes = append(c.notes, f)
	} else {
		c.Files = append(c.Files, f)
	}
}

// all are the files of the user and of sett.
func (c *Change) all() []FileChange { return slices.Concat(c.Files, c.notes) }

// Unified is the change as a unified diff, with the texts of PLTO files.
func (c *Change) Unified() string {
	var b strings.Builder
	for _, f := range c.Files {
		from, to := "a/"+f.Path, "b/"+f.Path
		if f.Before == nil {
			from = "/dev/null"
		}
		if f.After == nil {
			to = "/dev/null"
		}
		before, after := textForm(f.Before), textForm(f.After)
		switch {
		case before == after && f.Before == nil:
			fmt.Fprintf(&b, "diff --git a/%s b/%s\nnew file mode 100644\n", f.Path, f.Path)
			continue
		case before == after && f.After == nil:
			fmt.Fprintf(&b, "diff --git a/%s b/%s\ndeleted file mode 100644\n", f.Path, f.Path)
			continue
		case before == after:
			fmt.Fprintf(&b, "Binary files %s and %s differ\n", from, to)
			continue
		}
		diff := difflib.UnifiedDiff{A: lines(before), B: lines(after), FromFile: patchName(from), ToFile: patchName(to), Context: 3}
		// Writing to a Builder cannot fail.
		_ = difflib.WriteUnifiedDiff(&b, diff)
	}
	return b.String()
}

// patchName is a file name as programs that apply diffs understand it: one with a space ends
// at a tab.
func patchName(name string) string {
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// textForm is the text of a file in either form.
func textForm(data []byte) string {
	if plto.Is(data) {
		if text, err := plto.Text(data); err == nil {
			return text
		}
	}
	return string(data)
}

// lines splits a text; a last line without an end is marked as diffs do.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	out := strings.SplitAfter(text, "\n")
	if last := len(out) - 1; out[last] == "" {
		out = out[:last]
	} else {
		out[last] += "\n\\ No newline at end of file\n"
	}
	return out
}

// affected is what the compiler says about the modules of a change, and about those that can
// see them: modules of the same folder, and all that import them, directly or not. What it
// did not say before is there wherever it is: a change can make other programs of the files.
func (v *View) affected(ctx context.Context, before *View, c *Change) ([]*diag.Diagnostic, error) {
	checked, err := v.state.Checked(ctx)
	if err != nil {
		return nil, err
	}
	was, err := before.state.Checked(ctx)
	if err != nil {
		return nil, err
	}
	type finding struct{ file, text string }
	of := func(d *diag.Diagnostic) finding {
		if d.File == nil {
			return finding{"", d.Message}
		}
		return finding{d.File.Name, d.Message}
	}
	had := map[finding]int{}
	for _, d := range was.Diags("") {
		had[of(d)]++
	}
	importers := map[string][]*Module{}
	for _, d := range v.Dependencies() {
		for _, to := range d.Imports {
			importers[to.Path] = append(importers[to.Path], d.Module)
		}
	}
	reached := map[string]bool{}
	var queue []string
	add := func(name string) {
		if !reached[name] {
			reached[name] = true
			queue = append(queue, name)
		}
	}
	for _, f := range c.Files {
		add(f.Path)
		for _, m := range v.modules {
			if path.Dir(m.Path) == path.Dir(f.Path) {
				add(m.Path)
			}
		}
	}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, m := range importers[next] {
			add(m.Path)
		}
	}
	var out []*diag.Diagnostic
	for _, d := range checked.Diags("") {
		had[of(d)]--
		if d.File == nil || reached[d.File.Name] || had[of(d)] < 0 {
			out = append(out, d)
		}
	}
	return out, nil
}
