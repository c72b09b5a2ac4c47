package pluto

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/refactor"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// Tx is a transaction: operations that each see what those before did. It is only valid in
// the function that [Project.Edit] runs, and not for concurrent use. Declarations may come
// from any view of the project; they are found by their ids. One whose text changed since
// that view is refused as [Stale] where the text matters.
type Tx struct {
	ctx     context.Context
	p       *Project
	base    *View
	view    *View
	force   bool
	touched map[string]bool // paths that it wrote or removed
	token   *token

	reloaded []string // modules that a reload compared

	ops      []string
	updated  int
	dangling []Use
	notes    []string
	now      identity.Recorded                    // ids that do not follow from names
	records  struct{ from, to identity.Recorded } // those that go, and that come
}

// token tells the modules that a transaction made from others.
type token struct{ _ byte }

// Spot says before or after which declaration something goes; the zero value is the end.
type Spot struct{ Before, After *Decl }

// Deleted is what was taken away.
type Deleted struct {
	Source   string // the text, comments included
	Dangling []Use  // uses that point at nothing now
}

// View is the project with the operations so far.
func (tx *Tx) View() *View { return tx.view }

// Add puts declarations into a module, which is made when there is none, and merges the
// imports of the source. It returns what was added in the order of the text.
func (tx *Tx) Add(path, src string, at Spot) ([]*Decl, error) {
	name, err := tx.module(path)
	if err != nil {
		return nil, err
	}
	pos, err := tx.position(at)
	if err != nil {
		return nil, err
	}
	plan, err := refactor.Add(tx.ctx, tx.view.state, name, src, pos)
	added, err := tx.run(plan, err)
	if err != nil {
		return nil, err
	}
	var out []*Decl
	var names []string
	for _, d := range added {
		if d.Kind != xref.Module {
			out = append(out, d)
			names = append(names, d.Name)
		}
	}
	tx.did("add %s to %s", strings.Join(names, ", "), name)
	return out, nil
}

// Replace puts another source in the place of a declaration, which keeps its id; so do the
// members that keep their names. With another name in it, references follow.
func (tx *Tx) Replace(d *Decl, src string) (*Decl, error) {
	d, err := tx.target(d, true)
	if err != nil {
		return nil, err
	}
	plan, err := refactor.Replace(tx.ctx, tx.view.state, d.Key, src)
	if _, err := tx.run(plan, err); err != nil {
		return nil, err
	}
	tx.did("replace %s", d.Qual)
	return tx.view.Lookup(d.ID)
}

// Rename gives a declaration another name and rewrites what refers to it, with fileOnly only
// in its own file.
func (tx *Tx) Rename(d *Decl, to string, fileOnly bool) (*Decl, error) {
	d, err := tx.target(d, false)
	if err != nil {
		return nil, err
	}
	plan, err := refactor.Rename(tx.ctx, tx.view.state, d.Key, to, refactor.RenameOptions{File: fileOnly})
	if _, err := tx.run(plan, err); err != nil {
		return nil, err
	}
	tx.did("rename %s to %s", d.Qual, to)
	return tx.view.Lookup(d.ID)
}

// Delete removes a declaration or a member. When uses would point at nothing it is refused,
// unless the edit is forced.
func (tx *Tx) Delete(d *Decl) (*Deleted, error) {
	d, err := tx.target(d, true)
	if err != nil {
		return nil, err
	}
	src := d.Source()
	plan, err := refactor.Delete(tx.ctx, tx.view.state, d.Key)
	if err != nil {
		return nil, planError(err)
	}
	dangling, err := tx.dangles(plan, d.Kind.String()+" "+d.Qual)
	if err != nil {
		return nil, err
	}
	if _, err := tx.run(plan, nil); err != nil {
		return nil, err
	}
	tx.did("delete %s", d.Qual)
	return &Deleted{src, dangling}, nil
}

// dangles refuses a plan that leaves uses behind, unless the edit is forced.
func (tx *Tx) dangles(plan *refactor.Plan, what string) ([]Use, error) {
	dangling := tx.view.uses(plan.Dangling, nil)
	if len(dangling) == 0 || tx.force {
		return dangling, nil
	}
	places := "1 place"
	if n := len(dangling); n > 1 {
		places = fmt.Sprintf("%d places", n)
	}
	e := fail(Conflict, "%s is used in %s", what, places)
	u := dangling[0]
	e.Text += fmt.Sprintf(", the first is %s:%d", u.At.File, u.At.Line)
	e.Dangling = dangling
	e.Hint = "change them first, or force it"
	return nil, e
}

// Move takes a declaration to another module, which is made when there is none; imports and
// references follow.
func (tx *Tx) Move(d *Decl, path string, at Spot) (*Decl, error) {
	d, err := tx.target(d, false)
	if err != nil {
		return nil, err
	}
	name, err := tx.module(path)
	if err != nil {
		return nil, err
	}
	pos, err := tx.position(at)
	if err != nil {
		return nil, err
	}
	plan, err := refactor.Move(tx.ctx, tx.view.state, d.Key, name, pos)
	if _, err := tx.run(plan, err); err != nil {
		return nil, err
	}
	tx.did("move %s to %s", d.Qual, name)
	return tx.view.Lookup(d.ID)
}

// AddMethod adds a method to a class, a trait or the app.
func (tx *Tx) AddMethod(owner *Decl, src string, at Spot) (*Decl, error) {
	return tx.member(owner, at, "method", func(k xref.Key, pos refactor.Position) (*refactor.Plan, error) {
		return refactor.AddMethod(tx.ctx, tx.view.state, k, src, pos)
	})
}

// AddField adds a field to a class, an error or a variant, or a dependency that is injected.
func (tx *Tx) AddField(owner *Decl, name, typ string, injected bool, at Spot) (*Decl, error) {
	return tx.member(owner, at, "field "+name, func(k xref.Key, pos refactor.Position) (*refactor.Plan, error) {
		return refactor.AddField(tx.ctx, tx.view.state, k, name, typ, refactor.FieldOptions{Injected: injected, At: pos})
	})
}

// AddVariant adds a variant to an enum.
func (tx *Tx) AddVariant(enum *Decl, src string, at Spot) (*Decl, error) {
	return tx.member(enum, at, "variant", func(k xref.Key, pos refactor.Position) (*refactor.Plan, error) {
		return refactor.AddVariant(tx.ctx, tx.view.state, k, src, pos)
	})
}

func (tx *Tx) member(owner *Decl, at Spot, what string, f func(xref.Key, refactor.Position) (*refactor.Plan, error)) (*Decl, error) {
	owner, err := tx.target(owner, false)
	if err != nil {
		return nil, err
	}
	pos, err := tx.position(at)
	if err != nil {
		return nil, err
	}
	plan, err := f(owner.Key, pos)
	added, err := tx.run(plan, err)
	if err != nil {
		return nil, err
	}
	tx.did("add %s to %s", what, owner.Qual)
	for _, d := range added {
		if d.Parent != nil && d.Parent.ID == owner.ID {
			return d, nil
		}
	}
	return nil, fail(InvalidArgument, "the source adds nothing to %s", owner.Qual)
}

// CreateModule makes a module, empty for "". It keeps to the form, text or binary, of the
// other modules.
func (tx *Tx) CreateModule(path, src string) (*Module, error) {
	name, err := tx.module(path)
	if err != nil {
		return nil, err
	}
	plan, err := refactor.CreateModule(tx.ctx, tx.view.state, name, src)
	if _, err := tx.run(plan, err); err != nil {
		return nil, err
	}
	tx.did("create %s", name)
	return tx.view.Module(name)
}

// RenameModule gives a module another path; imports follow.
func (tx *Tx) RenameModule(path, to string) (*Module, error) {
	m, err := tx.view.Module(path)
	if err != nil {
		return nil, err
	}
	name, err := tx.module(to)
	if err != nil {
		return nil, err
	}
	plan, err := refactor.RenameModule(tx.ctx, tx.view.state, m.Path, name)
	if _, err := tx.run(plan, err); err != nil {
		return nil, err
	}
	tx.did("rename %s to %s", m.Path, name)
	return tx.view.Module(name)
}

// DeleteModule removes a module with its file, under the condition of [Tx.Delete].
func (tx *Tx) DeleteModule(path string) (*Deleted, error) {
	m, err := tx.view.Module(path)
	if err != nil {
		return nil, err
	}
	plan, err := refactor.DeleteModule(tx.ctx, tx.view.state, m.Path)
	if err != nil {
		return nil, planError(err)
	}
	dangling, err := tx.dangles(plan, m.Path)
	if err != nil {
		return nil, err
	}
	if _, err := tx.run(plan, nil); err != nil {
		return nil, err
	}
	tx.did("delete %s", m.Path)
	return &Deleted{m.Text(), dangling}, nil
}

// Content is what [Tx.Write] makes of a file.
type Content struct {
	Text   string
	Binary bool                   // as a PLTO file
	IDs    map[xref.Key]uuid.UUID // of its declarations, where they are not those that the same keys had
}

// Write gives a module new contents, or makes one.
func (tx *Tx) Write(path string, c Content) (*Module, error) {
	name, err := tx.module(path)
	if err != nil {
		return nil, err
	}
	s := step{ids: map[xref.Key]uuid.UUID{}, texts: map[string]string{name: c.Text}, binary: map[string]bool{name: c.Binary}}
	s.carry(tx.view.byPath[name], nil)
	maps.Copy(s.ids, c.IDs)
	if err := tx.apply(&s); err != nil {
		return nil, err
	}
	tx.did("write %s", name)
	return tx.view.Module(name)
}

// Put writes a file that need not be a module, such as a generated view; nil removes it.
func (tx *Tx) Put(path string, data []byte) error {
	name, err := tx.view.Path(path)
	if err != nil {
		return err
	}
	if err := reserved(name); err != nil {
		return err
	}
	s := step{ids: map[xref.Key]uuid.UUID{}, bytes: map[string][]byte{name: data}}
	s.carry(tx.view.byPath[name], nil)
	if err := tx.apply(&s); err != nil {
		return err
	}
	tx.did("write %s", name)
	return nil
}

func (tx *Tx) did(format string, args ...any) { tx.ops = append(tx.ops, fmt.Sprintf(format, args...)) }

// reserved refuses what no edit may touch.
func reserved(name string) error {
	first, _, _ := strings.Cut(name, "/")
	if name == "." || first == ".sett" || first == ".git" {
		return fail(InvalidArgument, "'%s' is not for sources", name)
	}
	return nil
}

// module is the path of a module that may not exist yet.
func (tx *Tx) module(name string) (string, error) {
	if m := tx.view.byPath[name]; m != nil {
		return name, nil
	}
	rel, err := tx.view.Path(name)
	if err != nil {
		return "", err
	}
	if w := tx.view.state.Module(rel); w != nil {
		return w.Path, nil
	}
	if err := reserved(rel); err != nil {
		return "", err
	}
	if err := unseen(rel); err != nil {
		return "", err
	}
	if path.Ext(rel) == "" {
		rel += ".pluto"
	}
	if !isSource(rel) {
		return "", fail(InvalidArgument, "'%s' is no Pluto file: it has to end in .pluto or .pt", rel)
	}
	return rel, nil
}

// target finds a declaration in the transaction's view; with text, its text must be the one
// that the caller has seen.
func (tx *Tx) target(d *Decl, text bool) (*Decl, error) {
	if d == nil {
		return nil, fail(InvalidArgument, "no declaration is given")
	}
	now, err := tx.view.Lookup(d.ID)
	if err != nil {
		if tx.base.byID[d.ID] == nil {
			return nil, &Error{Code: Stale, Text: d.Handle() + " is not there any more", Hint: "look it up again"}
		}
		return nil, err
	}
	if text && d.Module.owner != tx.token {
		if was := tx.base.byID[d.ID]; was != nil && was.Source() != d.Source() {
			return nil, &Error{
				Code: Stale, Text: d.Handle() + " changed since it was read", Files: []string{now.Module.Path}, Hint: "read it again, then decide",
			}
		}
	}
	return now, nil
}

func (tx *Tx) position(at Spot) (refactor.Position, error) {
	var pos refactor.Position
	if at.Before != nil && at.After != nil {
		return pos, fail(InvalidArgument, "a position is before or after something, not both")
	}
	for d, k := range map[*Decl]*xref.Key{at.Before: &pos.Before, at.After: &pos.After} {
		if d == nil {
			continue
		}
		now, err := tx.target(d, false)
		if err != nil {
			return pos, err
		}
		*k = now.Key
	}
	return pos, nil
}

// planError is a refusal of package refactor for the asker.
func planError(err error) error {
	var r *refactor.Error
	if !errors.As(err, &r) {
		return err
	}
	e := &Error{Code: Code(r.Code), Text: r.Error(), Near: r.Near, Hint: r.Hint, Err: err}
	if r.At != nil {
		e.At = &Place{File: r.At.File, Line: r.At.Line, Col: r.At.Col}
	}
	return e
}

// run carries a plan out and returns what it added.
func (tx *Tx) run(plan *refactor.Plan, err error) ([]*Decl, error) {
	if err != nil {
		return nil, planError(err)
	}
	texts, err := plan.Texts(tx.view.state)
	if err != nil {
		return nil, planError(err)
	}
	s := step{ids: map[xref.Key]uuid.UUID{}, texts: texts, from: map[string]string{}}
	removed := map[xref.Key]bool{}
	for _, k := range plan.Removed {
		removed[k] = true
	}
	next := func(d *Decl) (xref.Key, bool) {
		if k, ok := plan.Moved[d.Key]; ok {
			return k, true
		}
		for at := d; at != nil; at = at.Parent {
			if removed[at.Key] {
				return xref.Key{}, false
			}
		}
		return d.Key, true
	}
	for name := range texts {
		s.carry(tx.view.byPath[name], next)
	}
	for from, to := range plan.Rename {
		s.from[to] = from
		s.carry(tx.view.byPath[from], next)
		s.gone = append(s.gone, from)
	}
	for _, name := range plan.Remove {
		s.carry(tx.view.byPath[name], func(d *Decl) (xref.Key, bool) {
			k, ok := plan.Moved[d.Key]
			return k, ok
		})
		s.gone = append(s.gone, name)
	}
	// What planning has parsed and checked need not be done again.
	if s.after, err = plan.After(tx.ctx, tx.view.state); err != nil {
		return nil, planError(err)
	}
	dangling := tx.view.uses(plan.Dangling, nil)
	if err := tx.apply(&s); err != nil {
		return nil, err
	}
	tx.updated += plan.Updated
	tx.dangling = append(tx.dangling, dangling...)
	tx.notes = append(tx.notes, plan.Notes...)
	var added []*Decl
	for _, k := range plan.Added {
		if d := tx.view.Decl(k); d != nil {
			added = append(added, d)
		}
	}
	return added, nil
}

// step is one operation on files.
type step struct {
	texts  map[string]string // new texts of modules
	bytes  map[string][]byte // files as they are; nil for removed ones
	gone   []string
	from   map[string]string      // which module a new path was
	binary map[string]bool        // the form of modules, where it is given
	ids    map[xref.Key]uuid.UUID // of declarations that go on in the files of the step
	after  *workspace.State       // a state with the new texts, or nil
}

// carry keeps the ids of a module's declarations, under the keys that next gives; nil: the
// same ones.
func (s *step) carry(m *Module, next func(d *Decl) (xref.Key, bool)) {
	if m == nil {
		return
	}
	keep := func(d *Decl) {
		k, ok := d.Key, true
		if next != nil {
			k, ok = next(d)
		}
		if ok {
			s.ids[k] = d.ID
		}
	}
	keep(m.Self)
	for d := range m.All() {
		keep(d)
	}
}

// apply makes the next view of the transaction.
func (tx *Tx) apply(s *step) error {
	next := layer{}
	maps.Copy(next, tx.view.layer)
	touched := maps.Clone(tx.touched)
	if touched == nil {
		touched = map[string]bool{}
	}
	// vacant refuses to write a module where another file is: one that no module can be, or
	// that the project ignores.
	vacant := func(name string) error {
		if _, laid := next[name]; laid || tx.view.byPath[name] != nil {
			return nil
		}
		data, err := tx.p.onDisk(tx.base, name)
		if err != nil || data == nil {
			return err
		}
		return &Error{Code: Conflict, Text: fmt.Sprintf("there is a file '%s' already that is not a module of the project", name), Files: []string{name}, Hint: "give another path, or move that file away"}
	}
	put := func(name string, data []byte) error {
		l, ok := next[name]
		if !ok {
			base, err := tx.p.onDisk(tx.base, name)
			if err != nil {
				return err
			}
			l.base = base
			if base == nil {
				l.like = tx.like(name, s)
			}
		}
		l.data = data
		if next[name] = l; same(l.data, l.base) {
			delete(next, name)
		}
		touched[name] = true
		return nil
	}
	recorded := maps.Clone(tx.view.recorded)
	forget := func(m *Module) {
		if m == nil {
			return
		}
		delete(recorded, m.Self.Key)
		for d := range m.All() {
			delete(recorded, d.Key)
		}
	}
	for _, name := range s.gone {
		m := tx.view.byPath[name]
		forget(m)
		if err := put(name, nil); err != nil {
			return err
		}
		if m != nil && m.Human != "" {
			if err := put(m.Human, nil); err != nil {
				return err
			}
		}
		if err := put(recordOf(name), nil); err != nil {
			return err
		}
	}
	for name, data := range s.bytes {
		forget(tx.view.byPath[name])
		if err := put(name, data); err != nil {
			return err
		}
	}
	for name, text := range s.texts {
		forget(tx.view.byPath[name])
		was := tx.view.byPath[name]
		if from, ok := s.from[name]; ok {
			was = tx.view.byPath[from]
			if was != nil && was.Human != "" {
				view, err := tx.view.contents(tx.p, was.Human)
				if err != nil {
					return err
				}
				human := strings.TrimSuffix(name, path.Ext(name)) + ".pt"
				if err := vacant(human); err != nil {
					return err
				}
				if err := put(human, view); err != nil {
					return err
				}
				if err := tx.carryRecord(was, name, put); err != nil {
					return err
				}
			}
		}
		if err := vacant(name); err != nil {
			return err
		}
		data := []byte(text)
		if binary, given := s.binary[name]; binary || !given && tx.wantsBinary(name, was) {
			var err error
			if data, err = encode(name, text, was, s.ids); err != nil {
				return err
			}
		}
		if err := put(name, data); err != nil {
			return err
		}
	}
	maps.Copy(recorded, s.ids)
	v, err := makeView(tx.ctx, viewInput{p: tx.p, disk: tx.base.hashes, left: tx.base.left, layer: next, recorded: recorded, prev: tx.view, tx: tx.token, near: s.after})
	if err != nil {
		return err
	}
	tx.view, tx.touched = v, touched
	return nil
}

// like is the file on disk whose permissions a new file takes over: of the module that it was,
// or of the one that it shows, or that shows it.
func (tx *Tx) like(name string, s *step) string {
	stem := strings.TrimSuffix(name, path.Ext(name))
	for _, other := range []string{s.from[name], s.from[stem+".pluto"], stem + ".pluto", stem + ".pt"} {
		l, laid := tx.view.layer[other]
		switch {
		case other == name || tx.view.byPath[other] == nil:
		case !laid || l.base != nil:
			return other
		case l.like != "":
			return l.like
		}
	}
	return ""
}

// onDisk is what a file is on disk, as a view has it; nil when it is not there.
func (p *Project) onDisk(v *View, name string) ([]byte, error) {
	if l, ok := v.layer[name]; ok {
		return l.base, nil
	}
	if m := v.byPath[name]; m != nil && m.Err == nil {
		return m.raw, nil
	}
	data, err := p.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, bare(err))
	}
	return data, nil
}

// wantsBinary says in which form a module is written: in its own, a new one as the project's
// other .pluto files are.
func (tx *Tx) wantsBinary(name string, was *Module) bool {
	if was != nil {
		return was.Binary
	}
	if path.Ext(name) != ".pluto" {
		return false
	}
	binary := 0
	for _, m := range tx.view.modules {
		if path.Ext(m.Path) == ".pluto" {
			if !m.Binary {
				return false
			}
			binary++
		}
	}
	return binary > 0
}

// encode writes a module as a PLTO file. was is the module before, ids are those of
// declarations that go on; others get new ones. What was derived from the old text goes.
func encode(name, text string, was *Module, ids map[xref.Key]uuid.UUID) ([]byte, error) {
	file := syntax.Parse(source.NewFile(name, "", text), &diag.List{})
	out := &plto.File{Text: text}
	if was != nil && was.of.Binary != nil {
		old := was.of.Binary
		out.Sections, out.Extra, out.Refs, out.RefsExtra = old.Sections, old.Extra, old.Refs, old.RefsExtra
	}
	// What goes on keeps its id, whatever hints or names claim.
	used := map[uuid.UUID]bool{uuid.Nil: true}
	owner := map[uuid.UUID]xref.Key{}
	decls := xref.Decls(file)
	for d := range xref.All(decls) {
		owner[ids[d.Key]] = d.Key
	}
	take := func(k xref.Key, others ...uuid.UUID) uuid.UUID {
		for i, id := range append([]uuid.UUID{ids[k]}, append(others, uuid.New())...) {
			if o, has := owner[id]; used[id] || i > 0 && has && o != k {
				continue
			}
			used[id] = true
			ids[k] = id
			return id
		}
		return uuid.New()
	}
	extra := extras(was)
	out.Module = take(xref.Key{File: name, Kind: xref.Module})
	var add func(ds []*xref.Decl, parent int)
	add = func(ds []*xref.Decl, parent int) {
		for _, d := range ds {
			hint, _ := identity.Hint(d)
			follows := uuid.Nil // members have ids that a text without records has too
			if parent >= 0 {
				follows = identity.Default(d.Key, out.Decls[parent].ID)
			}
			id := take(d.Key, hint, follows)
			out.Decls = append(out.Decls, plto.Decl{ID: id, Kind: d.Kind.String(), Name: d.Name, Parent: parent, Extra: extra[id]})
			add(d.Members, len(out.Decls)-1)
		}
	}
	add(decls, -1)
	data, err := out.Encode()
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", name, err)
	}
	return data, nil
}

// extras are what declarations of a PLTO file have besides what this version knows.
func extras(m *Module) map[uuid.UUID]plto.Extra {
	out := map[uuid.UUID]plto.Extra{}
	if m != nil && m.of.Binary != nil {
		for _, d := range m.of.Binary.Decls {
			if d.Extra != "" {
				out[d.ID] = d.Extra
			}
		}
	}
	return out
}
