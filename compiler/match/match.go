// Package match says which declaration of an old text is which of a new one, so that what is
// known about it (its identity above all) can go on with it after somebody edited the text.
//
// The evidence, strongest first:
//
//  1. a hint in the new text that names the old declaration's identity;
//  2. the same kind and name in the same file;
//  3. the same tokens but for its own name, comments and layout;
//  4. a similar text. The bodies must agree: declarations that only share a signature are two.
//
// Members are compared where what they are members of is the same: by name, then methods as
// functions are, the others by their place and type. Where several pairings are possible the
// one with the most agreement over all is taken; the result depends on the texts alone.
package match

import (
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// File is a module as one side has it. Decls are those of [xref.Decls].
type File struct {
	File  *syntax.File
	Decls []*xref.Decl
}

// Of is the file of a tree.
func Of(f *syntax.File) File { return File{f, xref.Decls(f)} }

// Input is two states of one module, or of several at once: then a declaration may have gone
// from one to another. Files of the two sides with the same Name are the same module.
type Input struct {
	Old, New []File
	// IDs are the identities of old declarations and members. They are what hints refer to;
	// without hints they are not needed.
	IDs map[xref.Key]uuid.UUID
	// Hints are the identities that the new text states, where it states any.
	Hints map[xref.Key]uuid.UUID
}

// Evidence is why a pair is one declaration.
type Evidence uint8

const (
	ByName     Evidence = iota // kind and name
	ByHint                     // the new text says so
	ByBody                     // the same tokens but for the name
	ByLikeness                 // a similar text
	ByPlace                    // of members: the same place and type
)

// String is a word or two for it.
func (e Evidence) String() string {
	words := [...]string{"name", "hint", "body", "likeness", "place"}
	if int(e) < len(words) {
		return words[e]
	}
	return "unknown"
}

// Pair is a declaration that goes on.
type Pair struct {
	Old, New *xref.Decl
	By       Evidence
	Changes  []Change // what changed besides its name and file; empty when nothing did
}

// Renamed says whether it has another name now. That of a member is its own, without those
// around it.
func (p *Pair) Renamed() bool { return p.Old.Name != p.New.Name }

// Moved says whether it is in another file now.
func (p *Pair) Moved() bool { return p.Old.Key.File != p.New.Key.File }

// Modified says whether its text says something else now, be it only in comments or layout.
func (p *Pair) Modified() bool { return len(p.Changes) > 0 }

// Import is an import statement.
type Import struct {
	File string
	Text string // on one line: `import math.vectors as v`
}

// Result is who is who.
type Result struct {
	Pairs          []*Pair      // in the order of the new text, members after what they are members of
	Added, Removed []*xref.Decl // in the order of their text, likewise, members of added and removed ones too
	// ImportsAdded and ImportsRemoved are of files that both sides have.
	ImportsAdded, ImportsRemoved []Import
}

// Keys says under which key each old declaration goes on.
func (r *Result) Keys() map[xref.Key]xref.Key {
	m := make(map[xref.Key]xref.Key, len(r.Pairs))
	for _, p := range r.Pairs {
		m[p.Old.Key] = p.New.Key
	}
	return m
}

// IDs gives the new declarations that go on the identities they had.
func (r *Result) IDs(old map[xref.Key]uuid.UUID) map[xref.Key]uuid.UUID {
	m := make(map[xref.Key]uuid.UUID, len(r.Pairs))
	for _, p := range r.Pairs {
		if id, ok := old[p.Old.Key]; ok {
			m[p.New.Key] = id
		}
	}
	return m
}

// Same says whether nothing at all changed, not even a comment inside of a declaration.
func (r *Result) Same() bool {
	if len(r.Added)+len(r.Removed)+len(r.ImportsAdded)+len(r.ImportsRemoved) > 0 {
		return false
	}
	for _, p := range r.Pairs {
		if p.Renamed() || p.Moved() || p.Modified() {
			return false
		}
	}
	return true
}

// Match says who is who. It takes trees with errors as they are.
func Match(in Input) *Result {
	m := &matcher{
		partner: map[*xref.Decl]*xref.Decl{},
		pairs:   map[*xref.Decl]*Pair{},
		tokens:  map[*xref.Decl]*shape{},
		names:   map[string]string{},
	}
	var olds, news []*xref.Decl
	for _, f := range in.Old {
		olds = append(olds, f.Decls...)
	}
	for _, f := range in.New {
		news = append(news, f.Decls...)
	}
	m.hinted(in, olds, news)
	m.named(olds, news)
	m.learnNames(olds, news)
	m.same(olds, news)
	m.learnNames(olds, news)
	m.same(olds, news) // what used a name that is another one now
	m.alike(olds, news)
	m.learnNames(olds, news)
	for _, d := range news {
		if p := m.pairs[d]; p != nil {
			m.members(p.Old, d)
		}
	}
	return m.result(in, olds, news)
}

type matcher struct {
	partner map[*xref.Decl]*xref.Decl // of old ones
	pairs   map[*xref.Decl]*Pair      // of new ones
	tokens  map[*xref.Decl]*shape
	names   map[string]string // old name → new name of declarations that are called otherwise now
}

func (m *matcher) pair(old, new *xref.Decl, by Evidence) {
	m.partner[old] = new
	m.pairs[new] = &Pair{Old: old, New: new, By: by}
}

func (m *matcher) free(old, new *xref.Decl) bool { return m.partner[old] == nil && m.pairs[new] == nil }

// hinted pairs by identity. Of several that claim one identity the one that is where it was
// is believed, then the one that still has the name and kind, else the first: the others are
// copies of it.
func (m *matcher) hinted(in Input, olds, news []*xref.Decl) {
	if len(in.Hints) == 0 {
		return
	}
	byID := make(map[uuid.UUID]*xref.Decl, len(in.IDs))
	for d := range xref.All(olds) {
		if id, ok := in.IDs[d.Key]; ok && byID[id] == nil {
			byID[id] = d
		}
	}
	for _, as := range []func(old, new *xref.Decl) bool{
		func(old, new *xref.Decl) bool { return old.Key == new.Key },
		func(old, new *xref.Decl) bool { return old.Kind == new.Kind && old.Qual == new.Qual },
		func(*xref.Decl, *xref.Decl) bool { return true },
	} {
		for d := range xref.All(news) {
			id, ok := in.Hints[d.Key]
			old := byID[id]
			if ok && old != nil && m.free(old, d) && (old.Parent == nil) == (d.Parent == nil) && as(old, d) {
				m.pair(old, d, ByHint)
			}
		}
	}
}

// named pairs what has the same name, kind and file. Where several have, those with the same
// tokens belong together, then the others in their order.
func (m *matcher) named(olds, news []*xref.Decl) {
	type key struct {
		file string
		kind xref.Kind
		name string
	}
	of := func(d *xref.Decl) key { return key{d.Key.File, d.Kind, d.Name} }
	groups := groupBy(olds, of, func(d *xref.Decl) bool { return m.partner[d] == nil })
	for _, d := range news {
		if m.pairs[d] != nil {
			continue
		}
		if g := groups[of(d)]; len(g) == 1 && m.partner[g[0]] == nil {
			m.pair(g[0], d, ByName)
		}
	}
	dups := groupBy(news, of, func(d *xref.Decl) bool { return m.pairs[d] == nil })
	for k, g := range groups {
		if len(g) > 1 {
			m.duplicates(g, dups[k])
		} else if d := m.partner[g[0]]; d != nil && len(dups[k]) > 0 && m.shape(d).all != m.shape(g[0]).all {
			// One became several: it is the one that still says the same.
			for _, other := range dups[k] {
				if m.shape(other).all == m.shape(g[0]).all {
					delete(m.pairs, d)
					m.pair(g[0], other, ByName)
					break
				}
			}
		}
	}
}

func (m *matcher) duplicates(olds, news []*xref.Decl) {
	for _, same := range []bool{true, false} {
		at := 0
		for _, o := range olds {
			for i := at; i < len(news) && m.partner[o] == nil; i++ {
				if m.free(o, news[i]) && (!same || m.shape(o).all == m.shape(news[i]).all) {
					m.pair(o, news[i], ByName)
				}
			}
			for at < len(news) && m.pairs[news[at]] != nil {
				at++
			}
		}
	}
}

func groupBy[T any, K comparable](ds []T, of func(T) K, keep func(T) bool) map[K][]T {
	m := map[K][]T{}
	for _, d := range ds {
		if keep(d) {
			m[of(d)] = append(m[of(d)], d)
		}
	}
	return m
}

// learnNames notes what is called otherwise now, so that uses of it count as the same. Names
// that mean several things, or that still are names of something, are left as they are.
func (m *matcher) learnNames(olds, news []*xref.Decl) {
	names := map[string]string{}
	unsure := map[string]bool{}
	for _, d := range news {
		unsure[d.Name] = true
	}
	for _, d := range olds {
		n := m.partner[d]
		if n == nil || n.Name == d.Name || d.Kind == xref.Test {
			continue
		}
		if to, ok := names[d.Name]; ok && to != n.Name {
			unsure[d.Name] = true
		}
		names[d.Name] = n.Name
	}
	changed := false
	for name, to := range names {
		if !unsure[name] && m.names[name] != to {
			m.names[name] = to
			changed = true
		}
	}
	if changed {
		for d := range m.tokens {
			if d.Parent == nil && m.partner[d] == nil && m.pairs[d] == nil {
				delete(m.tokens, d)
			}
		}
	}
}

// result orders what was found.
func (m *matcher) result(in Input, olds, news []*xref.Decl) *Result {
	r := &Result{}
	for d := range xref.All(news) {
		if p := m.pairs[d]; p != nil {
			r.Pairs = append(r.Pairs, p)
		} else {
			r.Added = append(r.Added, d)
		}
	}
	for d := range xref.All(olds) {
		if m.partner[d] == nil {
			r.Removed = append(r.Removed, d)
		}
	}
	c := &changes{m: m, schedulers: map[*syntax.File]map[*syntax.TestDecl]string{}}
	for i := len(r.Pairs) - 1; i >= 0; i-- { // members first: their owners tell of them
		r.Pairs[i].Changes = c.of(r.Pairs[i])
	}
	old := map[string]*syntax.File{}
	for _, f := range in.Old {
		old[f.File.Src.Name] = f.File
	}
	for _, f := range in.New {
		if o := old[f.File.Src.Name]; o != nil {
			r.ImportsAdded = append(r.ImportsAdded, without(f.File, o)...)
			r.ImportsRemoved = append(r.ImportsRemoved, without(o, f.File)...)
		}
	}
	return r
}

// without are the imports of f that g does not have.
func without(f, g *syntax.File) []Import {
	has := map[string]int{}
	for _, i := range g.Imports {
		has[ImportText(i)]++
	}
	var out []Import
	for _, i := range f.Imports {
		text := ImportText(i)
		if has[text]--; has[text] < 0 {
			out = append(out, Import{f.Src.Name, text})
		}
	}
	return out
}

// ImportText is an import statement on one line.
func ImportText(i *syntax.Import) string {
	var b strings.Builder
	b.WriteString("import ")
	for n, id := range i.Path {
		if n > 0 {
			b.WriteByte('.')
		}
		b.WriteString(id.Name)
	}
	if i.Alias != nil {
		b.WriteString(" as " + i.Alias.Name)
	}
	return b.String()
}
