package pluto

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/match"
	"github.com/settgraph/sett/compiler/xref"
)

// SyncOptions say how [Project.SyncPT] goes about it.
type SyncOptions struct {
	DryRun bool // only say what would change; the Change has the diff
	Check  bool // only say whether anything would, as an error
	Force  bool // where both files were edited, the .pt file wins
	Staged bool // keep it in memory until [Project.Save]
	Direct bool // write it at once although the project stages edits
}

// SyncReport is what a sync did, or would do. Names have the kind before them: "fn add",
// "class P". Only top-level declarations are listed; what happened to members is among the
// changes of what they are members of.
type SyncReport struct {
	SyncTally            // over all files
	Files     []SyncFile // by path of the module
	Change    *Change    // nil after a check
}

// SyncFile is what happened to one module.
type SyncFile struct {
	View     string // the .pt file
	Path     string // the module
	Created  bool   // it was not there
	Changed  bool
	Merged   bool     // both files were edited, in different declarations; the module has both edits now, the .pt file lacks some
	Outdated bool     // the module was edited since the .pt file was generated, and the .pt file was not
	Notes    []string // about hints that could not be followed
	SyncTally
}

// SyncTally is what became of declarations.
type SyncTally struct {
	Added     []string
	Removed   []string
	Renamed   []SyncRename
	Modified  []SyncChange
	Moved     []SyncMove // to another file
	Imports   []string   // "+ import std.fs" and "- import std.fs"
	Unchanged int
}

// SyncRename is a declaration with another name.
type SyncRename struct {
	From, To string
	ID       uuid.UUID
}

// SyncMove is a declaration in another file.
type SyncMove struct {
	Name     string
	From, To string // modules
	ID       uuid.UUID
}

// SyncChange is a declaration that says something else now.
type SyncChange struct {
	Name    string
	What    []string // "signature", "body", "added field z", "comments"
	ID      uuid.UUID
	Changes []match.Change
}

func (t *SyncTally) add(u *SyncTally) {
	t.Added = append(t.Added, u.Added...)
	t.Removed = append(t.Removed, u.Removed...)
	t.Renamed = append(t.Renamed, u.Renamed...)
	t.Modified = append(t.Modified, u.Modified...)
	t.Moved = append(t.Moved, u.Moved...)
	t.Imports = append(t.Imports, u.Imports...)
	t.Unchanged += u.Unchanged
}

// SyncPT takes the edits of a .pt file over into its module, or those of all .pt files below a
// folder, all or none. plutoPath may be "": x.pluto is the module of x.pt.
//
// A module keeps its form. One that is not there is made as a PLTO file. Its text becomes that
// of the .pt file, byte for byte, but for the hints that generating wrote: who declarations
// are, the module knows. Declarations keep their identities when their text, their name or
// their file is another; see package match for the evidence.
//
// When the module changed as well since the .pt file was generated, the edits of both go
// together as long as they are of different declarations; else it is a [Conflict] that names
// these, and nothing is written. Force lets the .pt file win.
//
// With Check nothing is written, and when the files do not agree the error has the code
// [Stale] and comes with the report.
func (p *Project) SyncPT(ctx context.Context, ptPath, plutoPath string, o SyncOptions) (*SyncReport, error) {
	var report *SyncReport
	if o.Check {
		v, err := p.View(ctx)
		if err != nil {
			return nil, err
		}
		s, err := p.planSync(v, ptPath, plutoPath, o)
		if err != nil {
			return nil, err
		}
		report = s.report()
		var behind []string
		for _, f := range report.Files {
			if f.Changed || f.Outdated {
				behind = append(behind, f.View)
			}
		}
		if len(behind) > 0 {
			return report, &Error{
				Code: Stale, Text: "out of sync: " + list(behind, 5), Files: behind,
				Hint: "sync takes over what a .pt file says, generate-pt what its module says",
			}
		}
		return report, nil
	}
	c, err := p.Edit(ctx, EditOptions{DryRun: o.DryRun, Staged: o.Staged, Direct: o.Direct, Label: "sync " + ptPath}, func(tx *Tx) error {
		s, err := p.planSync(tx.View(), ptPath, plutoPath, o)
		if err != nil {
			return err
		}
		report = s.report()
		return s.write(tx)
	})
	if err != nil {
		return nil, err
	}
	report.Change = c
	return report, nil
}

// list joins the first names.
func list(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// syncing is a sync that is planned.
type syncing struct {
	p     *Project
	v     *View
	force bool
	pairs []*syncPair
	ids   map[xref.Key]uuid.UUID // of the modules as they are
}

// syncPair is a .pt file and its module.
type syncPair struct {
	SyncFile
	module *Module     // nil when it is to be made
	base   *viewRecord // nil when nobody knows
	view   string      // the bytes of the .pt file
	theirs *side       // what they say, without hints that sett wrote
	text   string      // what the module will say
	ids    map[xref.Key]uuid.UUID
}

func (p *Project) planSync(v *View, ptPath, plutoPath string, o SyncOptions) (*syncing, error) {
	s := &syncing{p: p, v: v, force: o.Force, ids: map[xref.Key]uuid.UUID{}}
	if err := s.find(ptPath, plutoPath); err != nil {
		return nil, err
	}
	if err := s.read(); err != nil {
		return nil, err
	}
	var conflicts []string
	var files []string
	for _, f := range s.pairs {
		if in := s.combine(f); len(in) > 0 {
			conflicts = append(conflicts, in...)
			files = append(files, f.View, f.Path)
		}
	}
	if len(conflicts) > 0 {
		return nil, &Error{
			Code: Conflict, Files: files,
			Text: fmt.Sprintf("%s and %s were both edited since the one was generated from the other, and both changed %s", files[0], files[1], list(conflicts, 8)),
			Hint: "make them agree in one of the files, or force the sync to take what the .pt file says",
		}
	}
	return s, s.identify()
}

// find lists the .pt files and their modules.
func (s *syncing) find(ptPath, plutoPath string) error {
	name, err := s.v.Path(ptPath)
	if err != nil {
		return err
	}
	add := func(view, module string) error {
		m := s.v.byPath[module]
		if m != nil && m.Err != nil {
			return damaged("sync into", m)
		}
		s.pairs = append(s.pairs, &syncPair{SyncFile: SyncFile{View: view, Path: module, Created: m == nil}, module: m})
		return nil
	}
	if path.Ext(name) == ".pt" {
		module := strings.TrimSuffix(name, ".pt") + ".pluto"
		if plutoPath != "" {
			if module, err = s.v.Path(plutoPath); err != nil {
				return err
			}
			if path.Ext(module) != ".pluto" {
				return &Error{Code: InvalidArgument, Text: fmt.Sprintf("'%s' is no .pluto file", plutoPath)}
			}
		}
		return add(name, module)
	}
	if path.Ext(name) == ".pluto" {
		return &Error{Code: InvalidArgument, Text: fmt.Sprintf("'%s' is a module, not a view of one", ptPath), Hint: "name the .pt file"}
	}
	if plutoPath != "" {
		return &Error{Code: InvalidArgument, Text: "a module can be named for one .pt file only"}
	}
	below := name + "/"
	if name == "." {
		below = ""
	}
	for _, m := range s.v.modules {
		view := m.Human
		if path.Ext(m.Path) == ".pt" {
			view = m.Path
		}
		if view != "" && strings.HasPrefix(view, below) {
			if err := add(view, strings.TrimSuffix(view, ".pt")+".pluto"); err != nil {
				return err
			}
		}
	}
	if len(s.pairs) == 0 {
		return &Error{Code: NotFound, Text: fmt.Sprintf("there is no .pt file in '%s'", ptPath)}
	}
	return nil
}

// read parses the .pt files and finds out who is who in them.
func (s *syncing) read() error {
	in := match.Input{IDs: s.ids, Hints: map[xref.Key]uuid.UUID{}}
	for _, f := range s.pairs {
		data, err := s.v.contents(s.p, f.View)
		if err != nil {
			return fmt.Errorf("reading %s: %w", f.View, bare(err))
		}
		if data == nil {
			return &Error{Code: NotFound, Text: fmt.Sprintf("there is no file '%s'", f.View)}
		}
		if m := s.v.layer[f.View]; m.data != nil {
			disk, err := s.p.read(f.View)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("reading %s: %w", f.View, bare(err))
			}
			if !same(disk, m.base) {
				return &Error{Code: Conflict, Text: f.View + " changed on disk under its staged edits", Files: []string{f.View}, Hint: "discard these, then sync what is on disk"}
			}
		}
		f.view = string(data)
		if err := writable(f.View, f.view); err != nil {
			return err
		}
		file, diags := parseText(f.Path, f.view)
		if !file.OK {
			return syntaxError(f.View, file.Src, diags)
		}
		f.theirs = newSide(file, xref.Decls(file), nil)
		in.New = append(in.New, match.File{File: file, Decls: f.theirs.decls})
		for _, h := range hintsOf(file, f.theirs.decls) {
			in.Hints[h.of.Key] = h.id // the last is the nearest
		}
		if f.module != nil {
			in.Old = append(in.Old, match.File{File: f.module.file, Decls: plain(f.module.Decls)})
			for d := range f.module.All() {
				s.ids[d.Key] = d.ID
			}
			f.base = s.v.record(s.p, f.module)
		}
	}
	r := match.Match(in)
	was := make(map[xref.Key]xref.Key, len(r.Pairs))
	for _, pair := range r.Pairs {
		was[pair.New.Key] = pair.Old.Key
	}
	taken := map[uuid.UUID]bool{}
	for _, id := range r.IDs(s.ids) {
		taken[id] = true
	}
	for _, f := range s.pairs {
		s.settleHints(f, was, taken)
	}
	return nil
}

// plain are the declarations as their text has them.
func plain(ds []*Decl) []*xref.Decl {
	out := make([]*xref.Decl, len(ds))
	for i, d := range ds {
		out[i] = d.Decl
	}
	return out
}

// settleHints gives the declarations of a .pt file the ids that are certain, and takes away
// the hints that generating wrote: those that say what the module knows. A hint stays that
// the module has too, or that somebody gave to a declaration that is new.
func (s *syncing) settleHints(f *syncPair, was map[xref.Key]xref.Key, taken map[uuid.UUID]bool) {
	ids := map[xref.Key]uuid.UUID{}
	var own *Module // the .pt file itself, while it is a module of its own
	if f.module == nil {
		if m := s.v.byPath[f.View]; m != nil && m.Name == strings.TrimSuffix(f.Path, ".pluto") {
			own = m
			ids[xref.Key{File: f.Path, Kind: xref.Module}] = m.ID
		}
	}
	for d := range xref.All(f.theirs.decls) {
		if k, ok := was[d.Key]; ok {
			ids[d.Key] = s.ids[k]
		} else if own != nil {
			// The same text under another path: its declarations have the same names.
			if o := s.v.Decl(xref.Key{File: f.View, Kind: d.Kind, Qual: d.Qual}); o != nil {
				ids[d.Key] = o.ID
			}
		}
	}
	authored := map[uuid.UUID]bool{}
	if f.module != nil {
		for _, h := range hintsOf(f.module.file, plain(f.module.Decls)) {
			authored[h.id] = true
		}
	}
	hints := hintsOf(f.theirs.file, f.theirs.decls)
	keep := make(map[hint]bool, len(hints))
	for _, h := range hints {
		id, known := ids[h.of.Key]
		switch {
		case known:
			keep[h] = h.id == id && (authored[id] || own != nil)
			if h.id != id && f.module != nil {
				of := "no declaration here"
				if d := s.v.byID[h.id]; d != nil {
					of = title(d.Decl)
				}
				f.Notes = append(f.Notes, fmt.Sprintf("%s keeps its id %s: the hint above it, %s, is that of %s", title(h.of), id, h.id, of))
			}
		case taken[h.id] || s.v.byID[h.id] != nil && !s.dropped(h.id):
			f.Notes = append(f.Notes, fmt.Sprintf("%s gets an id of its own; %s is that of another declaration", title(h.of), h.id))
		case h.id != uuid.Nil:
			ids[h.of.Key] = h.id
			taken[h.id] = true
			keep[h] = true
		}
	}
	f.theirs = f.theirs.without(hints, keep)
	f.theirs = newSide(f.theirs.file, f.theirs.decls, ids)
}

// dropped says whether an id is of a declaration of a module that is synced. It goes, or its
// id were taken.
func (s *syncing) dropped(id uuid.UUID) bool {
	m := s.v.byID[id].Module
	return slices.ContainsFunc(s.pairs, func(f *syncPair) bool { return f.module == m })
}

// without is a side without some of its hints.
func (s *side) without(hints []hint, keep map[hint]bool) *side {
	text := withoutHints(s.file, hints, func(h hint) bool { return !keep[h] })
	if text == s.file.Src.Text {
		return s
	}
	file, _ := parseText(s.file.Src.Name, text)
	return newSide(file, xref.Decls(file), nil)
}

// combine decides what the module will say. It returns what both sides changed.
func (s *syncing) combine(f *syncPair) []string {
	f.text, f.ids = f.theirs.file.Src.Text, f.theirs.ids
	if f.module == nil {
		f.Changed = true
		return nil
	}
	mine := f.module.Text()
	if f.base != nil && !s.force && f.text != mine && f.base.Source != hashBytes(mine) {
		if f.base.View == hashBytes(f.view) || f.base.Source == hashBytes(f.text) {
			f.Outdated = true
			f.text, f.ids = mine, nil
			return nil
		}
		ids := map[xref.Key]uuid.UUID{}
		for d := range f.module.All() {
			ids[d.Key] = d.ID
		}
		ours := newSide(f.module.file, plain(f.module.Decls), ids)
		text, conflicts := merge(f.base, ours, f.theirs)
		if len(conflicts) > 0 {
			return conflicts
		}
		f.Merged = text != f.text
		f.text = text
		s.identifyMerged(f, ours)
	}
	f.Changed = f.text != mine || !s.agrees(f)
	return nil
}

// identifyMerged finds the declarations of a merged text among those that it was made of.
func (s *syncing) identifyMerged(f *syncPair, ours *side) {
	file, _ := parseText(f.Path, f.text)
	decls := xref.Decls(file)
	f.ids = map[xref.Key]uuid.UUID{}
	used := map[uuid.UUID]bool{}
	for _, of := range []*side{f.theirs, ours} {
		r := match.Match(match.Input{Old: []match.File{{File: of.file, Decls: of.decls}}, New: []match.File{{File: file, Decls: decls}}})
		for _, pair := range r.Pairs {
			id, ok := of.ids[pair.Old.Key]
			if _, has := f.ids[pair.New.Key]; ok && !has && !used[id] && pair.By == match.ByName {
				f.ids[pair.New.Key] = id
				used[id] = true
			}
		}
	}
}

// agrees says whether the module's declarations have the ids that the .pt file gives them.
func (s *syncing) agrees(f *syncPair) bool {
	for d := range f.module.All() {
		if id, ok := f.ids[d.Key]; ok && id != d.ID {
			return false
		}
	}
	return true
}
