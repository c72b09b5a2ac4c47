package pluto

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/sahilm/fuzzy"

	"github.com/settgraph/sett/compiler/xref"
)

// byName finds declarations by their plain names, and by all that a name with dots in it can
// end in.
func (v *View) byName() map[string][]*Decl {
	names := make(map[string][]*Decl, len(v.byID))
	for _, m := range v.modules {
		names[m.Self.Name] = append(names[m.Self.Name], m.Self)
		for d := range m.All() {
			names[d.Name] = append(names[d.Name], d)
		}
	}
	return names
}

// How well a name fits a declaration; the smaller, the better.
const (
	fitHandle = iota // the module's whole path and the whole name
	fitWhole         // the whole name, with the end of the module's path or without it
	fitMember        // the end of the name of a member
	fitParam         // the same, of a parameter or a field
	fitModule        // the end of a module's path
	fitNot
)

// fit says how well the name fits.
func fit(name string, d *Decl) int {
	if d.Kind == xref.Module {
		if name == d.Module.Name || name == d.Module.Path || strings.HasSuffix(d.Module.Name, "/"+name) || strings.HasSuffix(d.Module.Path, "/"+name) {
			return fitModule
		}
		return fitNot
	}
	level := fitMember
	if d.Kind == xref.Param || d.Kind == xref.Field {
		level = fitParam
	}
	qual := d.Qual
	if i := strings.LastIndexByte(qual, '#'); i > 0 && d.Kind != xref.Test && name == qual[:i] {
		qual = name // "dot" means every dot
	}
	switch {
	case name == qual && d.Parent == nil:
		return fitWhole
	case name == qual || strings.HasSuffix(qual, "."+name):
		return level
	}
	for _, sep := range []string{".", "/", "#"} {
		front, ok := strings.CutSuffix(name, sep+qual)
		if !ok {
			continue
		}
		switch mod := d.Module; {
		case front == mod.Name || front == mod.Path:
			return fitHandle
		case strings.HasSuffix(mod.Name, "/"+front) || strings.HasSuffix(mod.Path, "/"+front):
			if d.Parent == nil {
				return fitWhole
			}
			return level
		}
	}
	return fitNot
}

// candidates are declarations that the name can fit: those called like one of its ends.
func (v *View) candidates(name string) []*Decl {
	names := v.names()
	out := names[name]
	clean := true
	for i := len(name) - 1; i >= 0; i-- {
		switch name[i] {
		case '.', '/', '#':
			if more := names[name[i+1:]]; len(more) > 0 {
				if clean {
					out, clean = slices.Clone(out), false
				}
				out = append(out, more...)
			}
		}
	}
	if i := strings.LastIndexByte(name, '#'); i > 0 { // "dot#2"
		stem := name[:i]
		if j := strings.LastIndexAny(stem, "./"); j >= 0 {
			stem = stem[j+1:]
		}
		out = append(slices.Clone(out), names[stem]...)
	}
	if stem, ok := strings.CutSuffix(strings.TrimSuffix(name, ".pt"), ".pluto"); ok || stem != name {
		if j := strings.LastIndexByte(stem, '/'); j >= 0 {
			stem = stem[j+1:]
		}
		out = append(slices.Clone(out), names[stem]...)
	}
	return out
}

// Find lists declarations by name, in the order of files and positions; best first for
// [Fuzzy]. Modules are among them only when asked for. It is empty when there are none; see
// [View.Near].
func (v *View) Find(name string, o FindOptions) []*Decl {
	var out []*Decl
	switch o.Match {
	case Exact:
		for _, d := range v.candidates(name) {
			if fit(name, d) != fitNot && o.takes(d) && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
		slices.SortFunc(out, compareDecls)
	case Prefix, Substring:
		lower, dots := strings.ToLower(name), strings.Contains(name, ".")
		for _, d := range v.all(o) {
			have := d.Name
			if dots {
				have = d.Qual
			}
			if o.Match == Prefix && strings.HasPrefix(have, name) || o.Match == Substring && strings.Contains(strings.ToLower(have), lower) {
				out = append(out, d)
			}
		}
	case Fuzzy:
		all := v.all(o)
		for _, m := range fuzzy.FindFrom(name, byQual(all)) {
			out = append(out, all[m.Index])
		}
	}
	if o.Limit > 0 && len(out) > o.Limit {
		out = out[:o.Limit]
	}
	return out
}

type byQual []*Decl

func (b byQual) String(i int) string { return b[i].Qual }
func (b byQual) Len() int            { return len(b) }

// all lists what the options allow.
func (v *View) all(o FindOptions) []*Decl {
	var out []*Decl
	for _, m := range v.modules {
		if !under(m.Path, o.Path) {
			continue
		}
		if o.takes(m.Self) {
			out = append(out, m.Self)
		}
		for d := range m.All() {
			if o.takes(d) {
				out = append(out, d)
			}
		}
	}
	return out
}

func (o *FindOptions) takes(d *Decl) bool {
	if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, d.Kind) || len(o.Kinds) == 0 && d.Kind == xref.Module {
		return false
	}
	return (!o.Top || d.Parent == nil) && under(d.Module.Path, o.Path)
}

// under says whether a module is the path, or in the folder that it is.
func under(module, p string) bool {
	p = strings.TrimSuffix(p, "/")
	if p == "" || p == "." || module == p || strings.HasPrefix(module, p+"/") {
		return true
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(module, ".pt"), ".pluto")
	return stem == strings.TrimSuffix(strings.TrimSuffix(p, ".pt"), ".pluto")
}

func compareDecls(a, b *Decl) int {
	return cmp.Or(cmp.Compare(a.Module.Path, b.Module.Path), cmp.Compare(a.Full.Start, b.Full.Start), cmp.Compare(a.Full.End, b.Full.End), cmp.Compare(a.Qual, b.Qual))
}

// Near are at most three names that may have been meant, of what the options allow.
func (v *View) Near(name string, o FindOptions) []string {
	if i := strings.LastIndexAny(name, "./"); i >= 0 && i < len(name)-1 {
		if near := v.nearName(name[i+1:], o); len(near) > 0 {
			return near
		}
	}
	return v.nearName(name, o)
}

func (v *View) nearName(name string, o FindOptions) []string {
	var names []string
	kinds := map[string]*Decl{}
	for _, d := range v.all(o) {
		if d.Kind == xref.Param && len(o.Kinds) == 0 {
			continue
		}
		if _, ok := kinds[d.Name]; !ok {
			names = append(names, d.Name)
			kinds[d.Name] = d
		}
	}
	out := nearest(name, names)
	for i, n := range out {
		d := kinds[n]
		if d.Parent != nil {
			n = d.Qual
		}
		out[i] = n
	}
	return out
}

var (
	idForm    = regexp.MustCompile(`^[0-9a-fA-F]{8}[0-9a-fA-F-]*$`)
	placeForm = regexp.MustCompile(`^(.+?):([0-9]+)(?::([0-9]+))?$`)
)

// Resolve finds the one declaration that a selector means: a handle ("math/vectors.dot",
// "Vector.length"), a plain name, a module's path, an id or 8 and more of its first digits,
// or file:line and file:line:col. path, which may be empty, is the module or folder to look
// in. A name that fits several is an *[Error] with the candidates.
func (v *View) Resolve(symbol, path string) (*Decl, error) {
	return v.ResolveKinds(symbol, path)
}

// ResolveKinds is Resolve among declarations of these kinds.
func (v *View) ResolveKinds(symbol, path string, kinds ...xref.Kind) (*Decl, error) {
	symbol = strings.TrimSpace(symbol)
	if symbol == "" {
		return nil, &Error{Code: InvalidArgument, Text: "no declaration is named", Hint: "give a name, a handle, an id or file:line"}
	}
	o := FindOptions{Kinds: kinds}
	if path != "" {
		m, err := v.Module(path)
		switch {
		case err == nil:
			o.Path = m.Path
		case CodeOf(err) == NotFound && v.folder(path) != "":
			o.Path = v.folder(path)
		default:
			return nil, err
		}
	}
	if idForm.MatchString(symbol) {
		if d, err := v.byDigits(symbol, &o); d != nil || err != nil {
			return d, err
		}
	}
	if d, err := v.byWord(symbol, &o); d != nil || err != nil {
		return d, err
	}
	if m := placeForm.FindStringSubmatch(symbol); m != nil {
		line, err1 := strconv.Atoi(m[2])
		col, err2 := strconv.Atoi("0" + m[3])
		if err1 == nil && err2 == nil {
			d, err := v.At(m[1], line, col)
			if err == nil {
				err = o.fits(d)
			}
			if err != nil {
				return nil, err
			}
			return d, nil
		}
	}
	return nil, v.unknown(symbol, &o)
}

// folder is the path of a folder that has modules; "" when there is none.
func (v *View) folder(path string) string {
	rel, err := v.Path(path)
	if err != nil {
		return ""
	}
	for _, m := range v.modules {
		if strings.HasPrefix(m.Path, rel+"/") || rel == "." {
			return rel
		}
	}
	return ""
}

// byWord resolves a name; nil and no error when there is nothing with it.
func (v *View) byWord(name string, o *FindOptions) (*Decl, error) {
	best, found := fitNot, []*Decl(nil)
	wide := FindOptions{Kinds: o.Kinds, Path: o.Path}
	var misfit *Decl
	for _, d := range v.candidates(name) {
		f := fit(name, d)
		if f > best || f == fitNot || !under(d.Module.Path, o.Path) {
			continue
		}
		if len(wide.Kinds) > 0 && !slices.Contains(wide.Kinds, d.Kind) {
			misfit = d
			continue
		}
		if f < best {
			best, found = f, nil
		}
		if !slices.Contains(found, d) {
			found = append(found, d)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		slices.SortFunc(found, compareDecls)
		return nil, v.ambiguous(name, found)
	case misfit != nil:
		return nil, o.fits(misfit)
	}
	return nil, nil
}

// byDigits resolves an id or its beginning; nil and no error when no id begins so.
func (v *View) byDigits(digits string, o *FindOptions) (*Decl, error) {
	if id, err := uuid.Parse(digits); err == nil {
		d, err := v.Lookup(id)
		if err != nil {
			return nil, err
		}
		return d, o.fits(d)
	}
	want := strings.ToLower(strings.ReplaceAll(digits, "-", ""))
	if len(want) > 32 {
		return nil, nil
	}
	var found []*Decl
	var text [32]byte
	for id, d := range v.byID {
		if hex.Encode(text[:], id[:]); string(text[:len(want)]) == want {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], o.fits(found[0])
	}
	slices.SortFunc(found, compareDecls)
	return nil, v.ambiguous(digits, found)
}

// fits says why a declaration is not what was asked for, or nothing.
func (o *FindOptions) fits(d *Decl) error {
	if !under(d.Module.Path, o.Path) {
		return &Error{Code: InvalidArgument, Text: fmt.Sprintf("%s %s is in %s, not in %s", d.Kind, d.Name, d.Module.Path, o.Path), Hint: "leave out the path, or give that one"}
	}
	if len(o.Kinds) > 0 && !slices.Contains(o.Kinds, d.Kind) {
		var words []string
		for _, k := range o.Kinds {
			words = append(words, a(k))
		}
		return &Error{Code: KindMismatch, Text: fmt.Sprintf("%s is %s, not %s", d.Handle(), a(d.Kind), strings.Join(words, " or "))}
	}
	return nil
}

// a is a kind with its article.
func a(k xref.Kind) string {
	word := k.String()
	if strings.Contains("aeiou", word[:1]) {
		return "an " + word
	}
	return "a " + word
}

func (v *View) ambiguous(name string, found []*Decl) *Error {
	e := fail(Ambiguous, "'%s' can be %d declarations", name, len(found))
	e.Candidates = found
	e.Hint = "give its handle, its id or its file and line"
	return e
}

func (v *View) unknown(name string, o *FindOptions) *Error {
	where := ""
	if o.Path != "" {
		where = " in " + o.Path
	}
	e := fail(NotFound, "there is no declaration '%s'%s", name, where)
	e.Near = v.Near(name, *o)
	if len(e.Near) == 0 {
		e.Hint = "find_declaration with match: fuzzy looks for similar names"
	}
	return e
}

// At finds the declaration at a place: the innermost around it with a column; without (0) the
// first whose name is in the line, else the innermost around the line.
func (v *View) At(path string, line, col int) (*Decl, error) {
	m, err := v.Module(path)
	if err != nil {
		return nil, err
	}
	src := m.file.Src
	if line < 1 || line > src.Lines() {
		return nil, fail(InvalidArgument, "%s has %d lines, no line %d", m.Path, src.Lines(), line)
	}
	var best *Decl
	if col > 0 {
		at := src.Offset(line, col)
		for d := range m.All() {
			if d.WithDoc.Start <= at && at < d.WithDoc.End && (best == nil || d.WithDoc.Start >= best.WithDoc.Start) {
				best = d
			}
		}
	} else {
		start := src.Offset(line, 1)
		end := start + int32(len(src.LineText(line)))
		for d := range m.All() {
			if d.Kind == xref.Param {
				continue
			}
			if start <= d.NameAt.Start && d.NameAt.Start <= end {
				best = d
				break
			}
			if d.WithDoc.Start <= end && start < d.WithDoc.End && (best == nil || d.WithDoc.Start >= best.WithDoc.Start) {
				best = d
			}
		}
	}
	if best == nil {
		return nil, &Error{Code: NotFound, Text: fmt.Sprintf("no declaration is at %s:%d", m.Path, line), Hint: "list_declarations has those of the module"}
	}
	return best, nil
}

// nearest are at most three of the names that are like the one that is wanted: best first.
func nearest(want string, names []string) []string {
	type scored struct {
		name string
		cost int
	}
	lower := strings.ToLower(want)
	limit := max(1, len(want)/3)
	var list []scored
	for _, n := range names {
		l := strings.ToLower(n)
		cost := 0
		switch {
		case n == want:
			continue
		case l == lower:
		case len(want) >= 3 && strings.HasPrefix(l, lower):
			cost = 1
		case len(want) >= 3 && strings.Contains(l, lower), len(n) >= 3 && strings.Contains(lower, l):
			cost = limit + 1
		default:
			if cost = distance(lower, l, limit); cost > limit {
				continue
			}
		}
		list = append(list, scored{n, cost})
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.name, b.name)) })
	var out []string
	for _, s := range list[:min(3, len(list))] {
		out = append(out, s.name)
	}
	return out
}

// distance is how many letters differ, or more than limit.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
			least = min(least, cost)
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
