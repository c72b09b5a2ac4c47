// Package identity gives every declaration of a project an id that lasts.
//
// A declaration in a text file has, unless something says otherwise, an id that follows from
// where it is and what it is called: the same text has the same ids on every machine. Three
// things say otherwise, in this order: the PLTO file that it is in, a hint in the comment
// above it, and what was recorded when a tool renamed or moved it. Members get theirs from
// what they are members of, so they keep them when that is renamed.
package identity

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// namespace is the root of ids that follow from names; the graph of all languages has the
// same. It never changes.
var namespace = uuid.MustParse("5e77c0de-9a4f-5b1d-8c3e-2f6a7d90b184")

// Default is the id of a declaration that nothing else is known about. parent is the id of
// what it is a member of, and uuid.Nil for modules and top-level declarations.
func Default(k xref.Key, parent uuid.UUID) uuid.UUID { return salted(k, parent, 1) }

// salted is the n-th choice of an id: the first one is the default.
func salted(k xref.Key, parent uuid.UUID, n int) uuid.UUID {
	salt := ""
	if n > 1 {
		salt = fmt.Sprintf("\x00#%d", n)
	}
	if parent != uuid.Nil {
		return uuid.NewSHA1(parent, []byte(k.Kind.String()+"\x00"+last(k.Qual)+salt))
	}
	name := strings.TrimSuffix(k.File, path.Ext(k.File))
	return uuid.NewSHA1(namespace, []byte("pluto\x00"+name+"\x00"+k.Kind.String()+"\x00"+k.Qual+salt))
}

// last is what a member adds to the name of its owner.
func last(qual string) string { return qual[strings.LastIndexByte(qual, '.')+1:] }

// mark stands before the id in a hint.
const mark = "@uuid:"

// Hint reads the id from a line `// @uuid: <uuid>` in the comments directly above a
// declaration. The line nearest to it counts.
func Hint(d *xref.Decl) (uuid.UUID, bool) {
	text := d.File.Src.Text
	if d.WithDoc.Start < 0 || d.WithDoc.Start >= d.Full.Start || int(d.Full.Start) > len(text) {
		return uuid.Nil, false
	}
	lines := strings.Split(text[d.WithDoc.Start:d.Full.Start], "\n")
	for _, line := range slices.Backward(lines) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			continue
		}
		if rest, ok = strings.CutPrefix(strings.TrimSpace(rest), mark); !ok {
			continue
		}
		if id, err := uuid.Parse(strings.TrimSpace(rest)); err == nil && id != uuid.Nil {
			return id, true
		}
	}
	return uuid.Nil, false
}

// HintLine is the line that [Hint] reads, without its newline.
func HintLine(id uuid.UUID) string { return "// " + mark + " " + id.String() }

// Module is a module whose declarations get ids.
type Module struct {
	Path   string
	File   *syntax.File
	Decls  []*xref.Decl
	Binary *plto.File // nil for a text file
}

// Key is the key of the module itself.
func (m *Module) Key() xref.Key { return xref.Key{File: m.Path, Kind: xref.Module} }

// Draft is what one module alone says about its ids. It can be kept as long as the module
// does not change.
type Draft struct {
	path string
	rows []row
}

// row is a declaration; rows[0] is the module.
type row struct {
	key    xref.Key
	parent int       // index of what it is a member of; -1
	binary uuid.UUID // uuid.Nil where there is none
	hint   uuid.UUID
	first  uuid.UUID // its default, of what is no member
}

// Read makes the draft of a module.
func Read(m *Module) *Draft {
	d := &Draft{path: m.Path}
	own := newOwn(m.Binary)
	key := m.Key()
	d.rows = append(d.rows, row{key: key, parent: -1, binary: own.module(), first: Default(key, uuid.Nil)})
	var add func(ds []*xref.Decl, parent, stored int)
	add = func(ds []*xref.Decl, parent, stored int) {
		for _, x := range ds {
			r := row{key: x.Key, parent: parent}
			at := own.take(stored, x)
			if at >= 0 {
				r.binary = m.Binary.Decls[at].ID
			} else if id, ok := Hint(x); ok {
				r.hint = id
			}
			if parent < 0 {
				r.first = Default(x.Key, uuid.Nil)
			}
			d.rows = append(d.rows, r)
			add(x.Members, len(d.rows)-1, at)
		}
	}
	add(m.Decls, -1, -1)
	return d
}

// own finds the declarations of a PLTO file.
type own struct {
	file *plto.File
	at   map[ownKey][]int
}

type ownKey struct {
	parent     int
	kind, name string
}

func newOwn(f *plto.File) own {
	o := own{file: f}
	if f == nil {
		return o
	}
	o.at = make(map[ownKey][]int, len(f.Decls))
	for i, d := range f.Decls {
		k := ownKey{d.Parent, d.Kind, d.Name}
		o.at[k] = append(o.at[k], i)
	}
	return o
}

func (o *own) module() uuid.UUID {
	if o.file == nil {
		return uuid.Nil
	}
	return o.file.Module
}

// take gives the index of the first declaration with that kind and name that was not taken.
func (o *own) take(parent int, d *xref.Decl) int {
	k := ownKey{parent, d.Kind.String(), d.Name}
	list := o.at[k]
	if len(list) == 0 {
		return -1
	}
	o.at[k] = list[1:]
	return list[0]
}

// Wants are the ids that the module and its top-level declarations have unless others or
// records claim them; claims says whether any of them is more than a default.
func (d *Draft) Wants() (ids []uuid.UUID, claims bool) {
	for i := range d.rows {
		switch r := &d.rows[i]; {
		case r.parent >= 0:
			claims = claims || r.binary != uuid.Nil || r.hint != uuid.Nil
		case r.binary != uuid.Nil:
			ids, claims = append(ids, r.binary), true
		case r.hint != uuid.Nil:
			ids, claims = append(ids, r.hint), true
		default:
			ids = append(ids, r.first)
		}
	}
	return ids, claims
}

// Recorded are ids that a tool wrote down because they are not the defaults.
type Recorded map[xref.Key]uuid.UUID

// Clash says that a declaration wanted an id that another one has.
type Clash struct {
	ID    uuid.UUID
	Owner xref.Key // who has it
	Loser xref.Key // who does not
}

// Text is a sentence about it.
func (c Clash) Text() string {
	return fmt.Sprintf("%s has the id %s; %s claims it too and gets another", c.Owner, c.ID, c.Loser)
}

// IDs is who has which id.
type IDs struct {
	Of      map[xref.Key]uuid.UUID
	Key     map[uuid.UUID]xref.Key
	Clashes []Clash // in the order of files and positions
}

// Assign gives every declaration of a project its id. No two have the same. What claims one
// comes before what has none but its default: PLTO files, then hints, then records. Of two
// claims of a kind that one counts which claims its default, as the other was copied from it,
// else the first by path and position; members go with what they are members of.
//
// The hints of .pt files come after all that .pluto files claim, defaults too: views are full
// of hints, and a copy of one takes nobody's id.
func Assign(drafts []*Draft, recorded Recorded) *IDs {
	drafts = slices.SortedFunc(slices.Values(drafts), func(a, b *Draft) int { return strings.Compare(a.path, b.path) })
	n := 0
	for _, d := range drafts {
		n += len(d.rows)
	}
	out := &IDs{Of: make(map[xref.Key]uuid.UUID, n), Key: make(map[uuid.UUID]xref.Key, n)}
	record := func(r *row) uuid.UUID { return recorded[r.key] }
	hint := func(r *row) uuid.UUID { return r.hint }
	hinted := func(d *Draft, r *row) bool { return isView(d) && r.hint != uuid.Nil }
	out.claim(drafts, nil, func(r *row) uuid.UUID { return r.binary }, func(*Draft, *row) bool { return true })
	out.claim(drafts, nil, hint, func(d *Draft, _ *row) bool { return !isView(d) })
	if len(recorded) > 0 {
		out.claim(drafts, nil, record, func(d *Draft, r *row) bool { return !hinted(d, r) })
	}
	out.claim(drafts, out.defaults(drafts), hint, hinted)
	if len(recorded) > 0 {
		out.claim(drafts, nil, record, hinted)
	}
	for _, d := range drafts {
		for i := range d.rows {
			r := &d.rows[i]
			if _, has := out.Of[r.key]; has || r.parent >= 0 {
				continue
			}
			if _, taken := out.Key[r.first]; !taken {
				out.Of[r.key], out.Key[r.first] = r.first, r.key
			}
		}
	}
	for _, d := range drafts {
		for i := range d.rows {
			r := &d.rows[i]
			if _, has := out.Of[r.key]; has {
				continue
			}
			parent := uuid.Nil
			if r.parent >= 0 {
				parent = out.Of[d.rows[r.parent].key]
			}
			id := r.first
			for k := 1; ; k++ {
				if k > 1 || parent != uuid.Nil {
					id = salted(r.key, parent, k)
				}
				if _, taken := out.Key[id]; !taken {
					break
				}
			}
			out.Of[r.key], out.Key[id] = id, r.key
		}
	}
	return out
}

// isView says whether a module is one that people write, in a .pt file.
func isView(d *Draft) bool { return path.Ext(d.path) == ".pt" }

// claim gives what of lets claim an id the one that it wants, unless it is taken or held.
func (ids *IDs) claim(drafts []*Draft, held map[uuid.UUID]xref.Key, want func(r *row) uuid.UUID, of func(d *Draft, r *row) bool) {
	type claimant struct{ row, parent *row }
	var first, later, members, others []claimant
	for _, d := range drafts {
		for i := range d.rows {
			r := &d.rows[i]
			id := want(r)
			if id == uuid.Nil || !of(d, r) {
				continue
			}
			if _, has := ids.Of[r.key]; has {
				continue
			}
			switch {
			case r.parent >= 0:
				members = append(members, claimant{r, &d.rows[r.parent]})
			case id == r.first:
				first = append(first, claimant{r, nil})
			default:
				later = append(later, claimant{r, nil})
			}
		}
	}
	take := func(list []claimant) {
		for _, c := range list {
			id := want(c.row)
			if c.parent != nil && want(c.parent) != uuid.Nil && ids.Of[c.parent.key] != want(c.parent) {
				others = append(others, claimant{c.row, nil})
				continue
			}
			owner, taken := ids.Key[id]
			if !taken {
				owner, taken = held[id]
			}
			if taken {
				ids.Clashes = append(ids.Clashes, Clash{id, owner, c.row.key})
				continue
			}
			ids.Of[c.row.key], ids.Key[id] = id, c.row.key
		}
	}
	take(first)
	take(later)
	take(members)
	take(others)
}

// defaults are those that declarations of .pluto files are going to have.
func (ids *IDs) defaults(drafts []*Draft) map[uuid.UUID]xref.Key {
	held := map[uuid.UUID]xref.Key{}
	if !slices.ContainsFunc(drafts, func(d *Draft) bool {
		return isView(d) && slices.ContainsFunc(d.rows, func(r row) bool { return r.hint != uuid.Nil })
	}) {
		return held
	}
	for _, d := range drafts {
		for i := range d.rows {
			r := &d.rows[i]
			if _, has := ids.Of[r.key]; has || r.parent >= 0 || isView(d) {
				continue
			}
			if _, taken := ids.Key[r.first]; !taken {
				held[r.first] = r.key
			}
		}
	}
	return held
}

// Natural is the ids that the declarations of the modules have without records: what need
// not be recorded. ids says which the others have, so that members follow their owners.
func Natural(d *Draft, ids map[xref.Key]uuid.UUID, visit func(k xref.Key, natural uuid.UUID)) {
	for i := range d.rows {
		r := &d.rows[i]
		switch {
		case r.binary != uuid.Nil:
			visit(r.key, r.binary)
		case r.hint != uuid.Nil:
			visit(r.key, r.hint)
		case r.parent >= 0:
			visit(r.key, Default(r.key, ids[d.rows[r.parent].key]))
		default:
			visit(r.key, r.first)
		}
	}
}
