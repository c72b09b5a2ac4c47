package refactor

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// Texts applies the plan to the texts of the state that it was made for: the whole new text
// of each module that is new, changed or renamed, by its path after the plan.
func (p *Plan) Texts(s *workspace.State) (map[string]string, error) {
	out := maps.Clone(p.Create)
	if out == nil {
		out = map[string]string{}
	}
	for _, path := range slices.Sorted(maps.Keys(p.Edits)) {
		m := s.Module(path)
		if m == nil {
			return nil, refuse(NotFound, "there is no module '%s' any more", path)
		}
		text, ok := apply(m.File.Src.Text, p.Edits[path])
		if !ok {
			return nil, refuse(Conflict, "'%s' is not the text that the edits were made for", path)
		}
		out[p.pathAfter(path)] = text
	}
	for from, to := range p.Rename {
		if _, ok := p.Edits[from]; ok {
			continue
		}
		m := s.Module(from)
		if m == nil {
			return nil, refuse(NotFound, "there is no module '%s' any more", from)
		}
		out[to] = m.File.Src.Text
	}
	return out, nil
}

// After is the state that the plan leads to from the one it was made for. Modules that it
// touches are text there, whatever form they are stored in.
func (p *Plan) After(ctx context.Context, s *workspace.State) (*workspace.State, error) {
	if p.next != nil && p.made == s {
		return p.next, nil
	}
	texts, err := p.Texts(s)
	if err != nil {
		return nil, err
	}
	raw := make(map[string][]byte, len(texts))
	for path, text := range texts {
		raw[path] = []byte(text)
	}
	return s.With(ctx, raw, slices.Concat(p.Remove, slices.Sorted(maps.Keys(p.Rename))))
}

func (p *Plan) pathAfter(path string) string {
	if to, ok := p.Rename[path]; ok {
		return to
	}
	return path
}

// apply makes a text of one with edits; false when they do not fit it.
func apply(text string, edits []Edit) (string, bool) {
	var out strings.Builder
	last := int32(0)
	for _, e := range edits {
		if e.At.Start < last || e.At.End < e.At.Start || int(e.At.End) > len(text) {
			return "", false
		}
		out.WriteString(text[last:e.At.Start])
		out.WriteString(e.New)
		last = e.At.End
	}
	out.WriteString(text[last:])
	return out.String(), true
}

// change is an edit, and what it means for declarations.
type change struct {
	Edit
	name bool       // it rewrites a name: what is declared there goes on
	from *xref.Decl // New holds this declaration in its new form
}

// draft is a plan in the making.
type draft struct {
	ctx    context.Context
	s      *workspace.State
	plan   *Plan
	edits  map[string][]change
	create map[string]bool

	spaces   map[string]*space // by the path of a module in it
	imported map[string]bool   // what some import names; nil until it is asked for
}

func newDraft(ctx context.Context, s *workspace.State) *draft {
	return &draft{ctx: ctx, s: s, plan: &Plan{}, edits: map[string][]change{}, create: map[string]bool{}, spaces: map[string]*space{}}
}

// edit replaces a piece of a module.
func (d *draft) edit(path string, at source.Span, text string) {
	d.edits[path] = append(d.edits[path], change{Edit: Edit{at, text}})
}

// write rewrites a name, once even when it is asked for several times.
func (d *draft) write(path string, at source.Span, text string) {
	c := change{Edit: Edit{at, text}, name: true}
	for _, old := range d.edits[path] {
		if old.Edit == c.Edit {
			return
		}
	}
	d.edits[path] = append(d.edits[path], c)
}

// carry puts a declaration in its new form into a module.
func (d *draft) carry(path string, at source.Span, text string, from *xref.Decl) {
	d.edits[path] = append(d.edits[path], change{Edit: Edit{at, text}, from: from})
}

func (d *draft) note(n string) {
	if !slices.Contains(d.plan.Notes, n) {
		d.plan.Notes = append(d.plan.Notes, n)
	}
}

// file is the tree of a module; an empty one of a module that the plan creates.
func (d *draft) file(path string) *syntax.File {
	if m := d.s.Module(path); m != nil {
		return m.File
	}
	return emptyFile(path)
}

func emptyFile(path string) *syntax.File {
	return syntax.Parse(source.NewFile(path, "", ""), &diag.List{})
}

// finish puts the edits in order, makes sure that what could be parsed still can be, and
// works out which declarations go on, come and go.
func (d *draft) finish() (*Plan, error) {
	p := d.plan
	p.Edits, p.Moved = map[string][]Edit{}, map[xref.Key]xref.Key{}
	if p.Create == nil {
		p.Create = map[string]string{}
	}
	paths := slices.Sorted(maps.Keys(d.edits))
	for _, from := range slices.Sorted(maps.Keys(p.Rename)) {
		if _, ok := d.edits[from]; !ok {
			paths = append(paths, from)
		}
	}
	r := relation{plan: p, carried: map[*xref.Decl]*xref.Decl{}, left: map[*xref.Decl]bool{}}
	for _, path := range paths {
		changes := d.edits[path]
		slices.SortStableFunc(changes, func(a, b change) int {
			return cmp.Or(cmp.Compare(a.At.Start, b.At.Start), cmp.Compare(a.At.End, b.At.End))
		})
		old := d.file(path)
		changes = joined(changes, old.Src.Text)
		d.edits[path] = changes
		edits := make([]Edit, len(changes))
		for i, c := range changes {
			edits[i] = c.Edit
		}
		text, ok := apply(old.Src.Text, edits)
		if !ok {
			return nil, refuse(Conflict, "the changes to '%s' overlap", path)
		}
		to := p.pathAfter(path)
		var diags diag.List
		now := syntax.Parse(source.NewFile(to, "", text), &diags)
		if worse(d.s.Module(path), &diags) {
			return nil, found(Conflict, "the text would not parse any more: ", diags.Sorted()[0])
		}
		var before []*xref.Decl
		switch {
		case d.create[path]:
			p.Create[path] = text
			r.added = append(r.added, xref.Key{File: path})
		default:
			if len(edits) > 0 {
				p.Edits[path] = edits
			}
			before = d.s.Module(path).Decls
			if to != path {
				p.Moved[xref.Key{File: path}] = xref.Key{File: to}
			}
		}
		r.file(before, xref.Decls(now), changes)
		if r.lost != nil {
			return nil, refuse(Conflict, "an error of syntax in '%s' would swallow %s", path, describe(r.lost.Key)).
				at(old.Src, r.lost.NameAt.Start).hint("repair it first")
		}
	}
	for _, path := range p.Remove {
		r.removed = append(r.removed, xref.Key{File: path})
		for _, old := range d.s.Module(path).Decls {
			r.removed = append(r.removed, old.Key)
		}
	}
	r.finish()
	return p, nil
}

// joined makes one of deletions that overlap, and leaves no white space of a text that goes.
func joined(changes []change, text string) []change {
	var out []change
	for _, c := range changes {
		if n := len(out); n > 0 && c.New == "" && out[n-1].New == "" && c.At.Start <= out[n-1].At.End && !c.name && !out[n-1].name {
			out[n-1].At.End = max(out[n-1].At.End, c.At.End)
			continue
		}
		out = append(out, c)
	}
	if len(out) == 1 && out[0].New == "" && out[0].At.End > out[0].At.Start {
		at := out[0].At
		if head := strings.TrimPrefix(text[:at.Start], byteOrderMark); strings.TrimSpace(head+text[at.End:]) == "" {
			out[0].At = source.Span{Start: int32(len(text[:at.Start]) - len(head)), End: int32(len(text))}
		}
	}
	return out
}

// worse says whether a new text of a module has more errors of syntax than the old one.
func worse(m *workspace.Module, now *diag.List) bool {
	before := 0
	if m != nil {
		for _, one := range m.Syntax {
			if one.Severity == diag.Error {
				before++
			}
		}
	}
	return now.Errors() > before
}

// relation finds out which declarations of the old texts are which of the new ones.
type relation struct {
	plan    *Plan
	carried map[*xref.Decl]*xref.Decl // old ones that a change carries, with what they became
	gone    []*xref.Decl
	left    map[*xref.Decl]bool // the same
	lost    *xref.Decl          // one that is in the new text, but is not read as a declaration any more
	added   []xref.Key
	removed []xref.Key
}

// file relates the declarations of one file before and after its changes.
func (r *relation) file(before, after []*xref.Decl, changes []change) {
	at := map[int32]*xref.Decl{}
	for d := range xref.All(after) {
		at[d.NameAt.Start] = d
	}
	known := map[*xref.Decl]bool{} // new ones that an old one became
	shift := int32(0)
	for _, c := range changes {
		start := c.At.Start + shift
		shift += int32(len(c.New)) - (c.At.End - c.At.Start)
		if c.from == nil {
			continue
		}
		for d := range xref.All(after) {
			if start <= d.Full.Start && d.Full.End <= start+int32(len(c.New)) && d.Kind == c.from.Kind {
				r.pair(c.from, d, known)
				break
			}
		}
	}
	for d := range xref.All(before) {
		if to, ok := shifted(changes, d.NameAt.Start); !ok {
			r.gone, r.left[d] = append(r.gone, d), true
		} else if now := at[to]; now != nil && now.Kind == d.Kind {
			known[now] = true
			r.move(d, now)
		} else if r.lost == nil {
			r.lost = d
		}
	}
	for d := range xref.All(after) {
		if !known[d] && (d.Parent == nil || known[d.Parent]) {
			r.added = append(r.added, d.Key)
		}
	}
}

// pair relates a declaration and its members with those of its new form, by their names.
func (r *relation) pair(old, now *xref.Decl, known map[*xref.Decl]bool) {
	r.carried[old], known[now] = now, true
	r.move(old, now)
	for _, m := range old.Members {
		for _, n := range now.Members {
			if m.Kind == n.Kind && m.Name == n.Name && !known[n] {
				r.pair(m, n, known)
				break
			}
		}
	}
}

func (r *relation) move(old, now *xref.Decl) {
	if old.Key != now.Key {
		r.plan.Moved[old.Key] = now.Key
	}
}

// finish says what came and went.
func (r *relation) finish() {
	lost := func(d *xref.Decl) bool { return d != nil && r.carried[d] == nil && r.left[d] }
	for _, d := range r.gone {
		if lost(d) && !lost(d.Parent) {
			r.removed = append(r.removed, d.Key)
		}
	}
	r.plan.Added, r.plan.Removed = r.added, r.removed
}

// shifted is where an offset of the old text is in the new one; false when its text went.
func shifted(changes []change, at int32) (int32, bool) {
	shift := int32(0)
	for _, c := range changes {
		if c.At.Start > at || c.At.Start == at && c.At.End > at && c.name {
			break
		}
		if at < c.At.End {
			return 0, false
		}
		shift += int32(len(c.New)) - (c.At.End - c.At.Start)
	}
	return at + shift, true
}

// unshifted is where an offset of the new text was in the old one.
func unshifted(changes []change, at int32) int32 {
	for _, c := range changes {
		if c.At.Start > at {
			break
		}
		at += c.At.End - c.At.Start - min(int32(len(c.New)), at-c.At.Start)
	}
	return at
}
