package pluto

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/indexer"
)

// View is a project at one moment. It never changes, and is safe for concurrent use.
type View struct {
	root     string
	state    *workspace.State
	modules  []*Module
	byPath   map[string]*Module
	byID     map[uuid.UUID]*Decl
	ids      *identity.IDs
	recorded identity.Recorded // what was recorded besides what the texts say
	layer    layer             // what lies over the disk
	hashes   map[string]uint64 // of the contents, by path
	left     map[string]string // by path: why files are not read
	drafts   map[string]draft
	fresh    bool // it is what the project is now, as far as is known

	names func() map[string][]*Decl // by plain name
}

// draft is what a module says about ids, as long as it is this module.
type draft struct {
	of *workspace.Module
	*identity.Draft
}

// layer is contents over the disk, by path.
type layer map[string]laid

// laid is what one file is instead of what is on disk.
type laid struct {
	data []byte // nil: the file is gone
	base []byte // what was on disk when it was first edited; nil: nothing
	like string // the file on disk whose permissions a new one has, or ""
}

// build makes a view of the files that a scan found with what is staged over them.
func (p *Project) build(ctx context.Context, scan *indexer.Scan, st *stage, prev *View) (*View, error) {
	hashes := make(map[string]uint64, len(scan.Files))
	for _, f := range scan.Files {
		if f.Lang != "" {
			hashes[f.Path] = f.Hash
		}
	}
	left := map[string]string{}
	for _, f := range scan.Left {
		left[f.Path], hashes[f.Path] = f.Reason, xxh3.HashString(f.Reason)
	}
	recorded := p.sidecar.ids
	if len(st.from)+len(st.to) > 0 {
		recorded = maps.Clone(recorded)
		for k := range st.from {
			delete(recorded, k)
		}
		maps.Copy(recorded, st.to)
	}
	return makeView(ctx, viewInput{p: p, disk: hashes, left: left, layer: st.files, recorded: recorded, prev: prev})
}

// viewInput is what a view is made of.
type viewInput struct {
	p        *Project
	disk     map[string]uint64 // hashes of the files on disk
	left     map[string]string // why files of these are not read
	layer    layer
	recorded identity.Recorded
	prev     *View  // may be nil
	tx       *token // of the transaction that it is in, or nil

	near *workspace.State // a state that is nearer than that of prev, or nil
}

func makeView(ctx context.Context, in viewInput) (*View, error) {
	v := &View{root: in.p.root, left: in.left, layer: in.layer, recorded: in.recorded, hashes: in.disk, byPath: map[string]*Module{}, drafts: map[string]draft{}}
	input := workspace.Input{
		Root: in.p.root, Stdlib: in.p.opts.Stdlib,
		Read: func(name string) ([]byte, error) {
			if l, ok := in.layer[name]; ok {
				if l.data == nil {
					return nil, fs.ErrNotExist
				}
				return l.data, nil
			}
			if why, ok := in.left[name]; ok {
				return nil, errors.New("the file is " + why)
			}
			return in.p.read(name)
		},
		Hash: func(name string) uint64 {
			if l, ok := in.layer[name]; ok {
				return xxh3.Hash(l.data)
			}
			return in.disk[name]
		},
	}
	for name := range in.disk {
		if l, ok := in.layer[name]; !ok || l.data != nil {
			input.Files = append(input.Files, name)
		}
	}
	for name, l := range in.layer {
		_, onDisk := in.disk[name]
		switch {
		case l.data == nil && l.base != nil:
			input.Gone = append(input.Gone, name)
		case l.data != nil && !onDisk && isSource(name):
			input.Files = append(input.Files, name)
		}
	}
	slices.Sort(input.Files)
	slices.Sort(input.Gone)
	var last *workspace.State
	if in.prev != nil {
		last = in.prev.state
	}
	if in.near != nil {
		last = in.near
	}
	var err error
	if v.state, err = workspace.Build(ctx, input, last); err != nil {
		return nil, err
	}
	v.identify(in.prev)
	v.arrange(in.prev, in.tx)
	return v, nil
}

// identify gives the declarations their ids.
func (v *View) identify(prev *View) {
	mods := v.state.Modules()
	drafts := make([]*identity.Draft, 0, len(mods))
	same := prev != nil && len(prev.drafts) == len(mods) && maps.Equal(prev.recorded, v.recorded)
	for _, m := range mods {
		var d draft
		if prev != nil {
			d = prev.drafts[m.Path]
		}
		if d.of != m {
			same = false
			d = draft{m, identity.Read(&identity.Module{Path: m.Path, File: m.File, Decls: m.Decls, Binary: m.Binary})}
		}
		v.drafts[m.Path] = d
		drafts = append(drafts, d.Draft)
	}
	if same {
		v.ids = prev.ids
		return
	}
	v.ids = identity.Assign(drafts, v.recorded)
}

// arrange makes the modules and their declarations, those of prev where nothing changed.
func (v *View) arrange(prev *View, tx *token) {
	notes := map[string][]string{}
	for _, c := range v.ids.Clashes {
		notes[c.Loser.File] = append(notes[c.Loser.File], c.Text())
	}
	n := 0
	for _, w := range v.state.Modules() {
		l, dirty := v.layer[w.Path]
		stale := dirty && !v.onDisk(w.Path, l.base)
		var m *Module
		if prev != nil {
			if old := prev.byPath[w.Path]; old != nil && old.of == w && old.Dirty == dirty && old.Stale == stale && (prev.ids == v.ids || old.keeps(v.ids)) && slices.Equal(old.Notes, notes[w.Path]) {
				m = old
			}
		}
		if m == nil {
			m = v.module(w)
			m.Dirty, m.Stale, m.Notes, m.owner = dirty, stale, notes[w.Path], tx
		}
		v.modules = append(v.modules, m)
		v.byPath[m.Path] = m
		n += m.count
	}
	v.byID = make(map[uuid.UUID]*Decl, n)
	for _, m := range v.modules {
		v.byID[m.ID] = m.Self
		for d := range m.All() {
			v.byID[d.ID] = d
		}
	}
	v.names = sync.OnceValue(v.byName)
}

// onDisk says whether the file on disk is as these bytes, as far as the scan knows.
func (v *View) onDisk(name string, want []byte) bool {
	hash, there := v.hashes[name]
	if !there || want == nil {
		return !there && want == nil
	}
	return hash == xxh3.Hash(want)
}

// keeps says whether the ids of the module are the same still.
func (m *Module) keeps(ids *identity.IDs) bool {
	if ids.Of[m.Self.Key] != m.ID {
		return false
	}
	for d := range m.All() {
		if ids.Of[d.Key] != d.ID {
			return false
		}
	}
	return true
}

func (v *View) module(w *workspace.Module) *Module {
	sum := sha256.Sum256(w.Raw)
	m := &Module{
		Path: w.Path, Name: w.Name, Binary: w.Binary != nil, Human: w.View, Err: w.Err,
		Hash: hex.EncodeToString(sum[:]), Loaded: time.Now(), file: w.File, raw: w.Raw, of: w,
	}
	switch {
	case w.Binary == nil || w.Binary.Derived == nil:
	case w.Binary.Fresh():
		m.Derived = GoodDerived
	default:
		m.Derived = OldDerived
	}
	k := xref.Key{File: w.Path, Kind: xref.Module}
	m.ID = v.ids.Of[k]
	all := source.Span{End: int32(len(w.File.Src.Text))}
	m.Self = &Decl{ID: m.ID, Module: m, Decl: &xref.Decl{
		Key: k, Name: path.Base(w.Name), Pub: true, File: w.File, Full: all, WithDoc: all, Members: w.Decls,
	}}
	var add func(from []*xref.Decl, parent *Decl) []*Decl
	add = func(from []*xref.Decl, parent *Decl) []*Decl {
		if len(from) == 0 {
			return nil
		}
		m.count += len(from)
		block := make([]Decl, len(from))
		out := make([]*Decl, len(from))
		for i, x := range from {
			block[i] = Decl{ID: v.ids.Of[x.Key], Module: m, Decl: x, Parent: parent}
			out[i] = &block[i]
			block[i].Members = add(x.Members, out[i])
		}
		return out
	}
	m.Decls = add(w.Decls, nil)
	m.Self.Members = m.Decls
	return m
}

// Root is the folder of the project.
func (v *View) Root() string { return v.root }

// State is the compiler's view of the same moment.
func (v *View) State() *workspace.State { return v.state }

// Modules lists the modules in order of their paths.
func (v *View) Modules() []*Module { return slices.Clone(v.modules) }

// Path turns a path, from the root or absolute, into a slash path from the root.
func (v *View) Path(name string) (string, error) { return within(v.root, name) }

// Module finds a module by its path, from the root or absolute, with or without extension, or
// by the end of its name when that fits only one.
func (v *View) Module(name string) (*Module, error) {
	if m := v.byPath[name]; m != nil {
		return m, nil
	}
	rel, err := v.Path(name)
	if err != nil {
		return nil, err
	}
	if w := v.state.Module(rel); w != nil {
		return v.byPath[w.Path], nil
	}
	var ends []*Module
	for _, m := range v.modules {
		if strings.HasSuffix(m.Name, "/"+rel) || strings.HasSuffix(m.Path, "/"+rel) {
			ends = append(ends, m)
		}
	}
	switch len(ends) {
	case 1:
		return ends[0], nil
	case 0:
		e := fail(NotFound, "there is no module '%s'", name)
		var names []string
		for _, m := range v.modules {
			names = append(names, m.Path)
		}
		e.Near = nearest(rel, names)
		if len(e.Near) == 0 {
			e.Hint = "list_modules has the modules of the project"
		}
		return nil, e
	}
	e := fail(Ambiguous, "'%s' can be %d modules", name, len(ends))
	for _, m := range ends {
		e.Candidates = append(e.Candidates, m.Self)
	}
	e.Hint = "give the whole path"
	return nil, e
}

// Lookup finds the declaration, or the Self of the module, with an id.
func (v *View) Lookup(id uuid.UUID) (*Decl, error) {
	if d := v.byID[id]; d != nil {
		return d, nil
	}
	return nil, &Error{Code: NotFound, Text: fmt.Sprintf("no declaration has the id %s", id), Hint: "it may have been deleted; look it up by its name"}
}

// Decl finds a declaration by its key, that of a Module too; nil when it is not of the project.
func (v *View) Decl(k xref.Key) *Decl {
	id, ok := v.ids.Of[k]
	if !ok {
		return nil
	}
	return v.byID[id]
}

// IDs are the ids of everything, by key.
func (v *View) IDs() map[xref.Key]uuid.UUID { return maps.Clone(v.ids.Of) }

// Check is what the compiler says about a module, or about everything for "".
func (v *View) Check(ctx context.Context, name string) ([]*diag.Diagnostic, error) {
	if name != "" {
		m, err := v.Module(name)
		if err != nil {
			return nil, err
		}
		name = m.Path
	}
	c, err := v.state.Checked(ctx)
	if err != nil {
		return nil, err
	}
	return c.Diags(name), nil
}

// Facts is what the checker found out about the declarations.
func (v *View) Facts(ctx context.Context) (*xref.Facts, error) {
	c, err := v.state.Checked(ctx)
	if err != nil {
		return nil, err
	}
	return c.Facts(), nil
}

// contents are the bytes of a file in this view, nil when it is not there; also of files that
// are no modules.
func (v *View) contents(p *Project, name string) ([]byte, error) {
	if l, ok := v.layer[name]; ok {
		return l.data, nil
	}
	if m := v.byPath[name]; m != nil && m.Err == nil {
		return m.raw, nil
	}
	data, err := p.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
