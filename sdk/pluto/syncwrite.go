package pluto

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/match"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/xref"
)

// writable says why a text cannot be that of a module in every form.
func writable(name, text string) error {
	switch {
	case strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text):
		at, what := 0, "the text is not valid UTF-8"
		for at < len(text) {
			r, n := utf8.DecodeRuneInString(text[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			if r == 0 {
				what = "a text file cannot have a NUL byte; in a string \\0 stands for it"
				break
			}
			at += n
		}
		line, col := source.NewFile(name, "", text).Position(int32(at))
		return &Error{
			Code: ParseError, Text: fmt.Sprintf("%s:%d:%d: %s", name, line, col, what),
			At: &Place{File: name, Line: line, Col: col, Start: int32(at), End: int32(at)}, Files: []string{name},
		}
	case plto.Is([]byte(text)):
		return &Error{Code: InvalidArgument, Text: fmt.Sprintf("%s is no text but a PLTO file", name), Files: []string{name}}
	}
	return nil
}

// syntaxError is the first error of a text that was read under the name of another file.
func syntaxError(name string, f *source.File, diags []*diag.Diagnostic) error {
	e := &Error{Code: ParseError, Text: name + " cannot be read", Files: []string{name}, Hint: "nothing was written"}
	for _, d := range diags {
		if d.Severity != diag.Error {
			continue
		}
		at := place(f, d.Span)
		at.File = name
		e.At = &at
		e.Text = fmt.Sprintf("%s:%d:%d: %s", name, at.Line, at.Col, d.Message)
		break
	}
	return e
}

// identify gives ids to what is new, so that it is known before anything is written who gets
// one that somebody had.
func (s *syncing) identify() error {
	used := map[uuid.UUID]bool{}
	for _, f := range s.pairs {
		for _, id := range f.ids {
			used[id] = true
		}
	}
	for _, f := range s.pairs {
		if !f.Changed || f.ids == nil {
			continue
		}
		binary := f.module == nil || f.module.Binary
		file, _ := parseText(f.Path, f.text)
		for d := range xref.All(xref.Decls(file)) {
			if _, ok := f.ids[d.Key]; ok {
				continue
			}
			id := uuid.Nil
			if d.Parent != nil {
				id = identity.Default(d.Key, f.ids[d.Parent.Key])
			} else if !binary {
				id = identity.Default(d.Key, uuid.Nil)
			}
			if id == uuid.Nil || used[id] || s.v.byID[id] != nil {
				id = uuid.New()
			}
			f.ids[d.Key] = id
			used[id] = true
		}
	}
	return nil
}

// report says what will happen.
func (s *syncing) report() *SyncReport {
	r := &SyncReport{}
	in := match.Input{IDs: s.ids, Hints: map[xref.Key]uuid.UUID{}}
	at := map[string]int{}
	for i, f := range s.pairs {
		at[f.Path] = i
		file, _ := parseText(f.Path, f.text)
		in.New = append(in.New, match.Of(file))
		if f.module != nil {
			in.Old = append(in.Old, match.File{File: f.module.file, Decls: plain(f.module.Decls)})
		}
		for k, id := range f.ids {
			in.Hints[k] = id
		}
	}
	result := match.Match(in)
	for _, d := range result.Added {
		if d.Parent == nil {
			t := &s.pairs[at[d.Key.File]].SyncTally
			t.Added = append(t.Added, title(d))
		}
	}
	for _, d := range result.Removed {
		if d.Parent == nil {
			t := &s.pairs[at[d.Key.File]].SyncTally
			t.Removed = append(t.Removed, title(d))
		}
	}
	for _, pair := range result.Pairs {
		if pair.New.Parent != nil {
			continue
		}
		t := &s.pairs[at[pair.New.Key.File]].SyncTally
		id := s.ids[pair.Old.Key]
		if pair.Renamed() {
			t.Renamed = append(t.Renamed, SyncRename{title(pair.Old), title(pair.New), id})
		}
		if pair.Moved() {
			t.Moved = append(t.Moved, SyncMove{title(pair.New), pair.Old.Key.File, pair.New.Key.File, id})
		}
		if pair.Modified() {
			c := SyncChange{Name: title(pair.New), ID: id, Changes: pair.Changes}
			for _, change := range pair.Changes {
				c.What = append(c.What, change.String())
			}
			t.Modified = append(t.Modified, c)
		}
		if !pair.Renamed() && !pair.Moved() && !pair.Modified() {
			t.Unchanged++
		}
	}
	for _, i := range result.ImportsAdded {
		t := &s.pairs[at[i.File]].SyncTally
		t.Imports = append(t.Imports, "+ "+i.Text)
	}
	for _, i := range result.ImportsRemoved {
		t := &s.pairs[at[i.File]].SyncTally
		t.Imports = append(t.Imports, "- "+i.Text)
	}
	for _, f := range s.pairs {
		r.add(&f.SyncTally)
		r.Files = append(r.Files, f.SyncFile)
	}
	return r
}

// write makes the changes, and notes for the next time what the files have in common now.
func (s *syncing) write(tx *Tx) error {
	texts := newStep()
	for _, f := range s.pairs {
		if f.Changed {
			texts.write(tx, f.Path, Content{Text: f.text, Binary: f.module == nil || f.module.Binary, IDs: f.ids})
		}
	}
	if len(texts.texts) == 0 && !slices.ContainsFunc(s.pairs, (*syncPair).forgets) {
		return nil
	}
	if err := tx.apply(texts); err != nil {
		return err
	}
	records := newStep()
	for _, f := range s.pairs {
		if f.Outdated || !f.Changed && !f.forgets() {
			continue
		}
		m := tx.view.byPath[f.Path]
		if m == nil {
			return fmt.Errorf("syncing %s: %s is not there", f.View, f.Path)
		}
		// What they have in common is what the .pt file says: with what the module has besides,
		// it is to be compared the next time.
		ids := map[xref.Key]uuid.UUID{}
		now := newSide(m.file, plain(m.Decls), m.ids())
		for _, d := range f.theirs.decls {
			if id, ok := f.theirs.ids[d.Key]; ok {
				ids[d.Key] = id
			} else if n := now.named[declName{d.Kind, d.Qual}]; n != nil {
				ids[d.Key] = now.ids[n.Key]
			}
		}
		if err := records.keep(m, newSide(f.theirs.file, f.theirs.decls, ids).record(f.view)); err != nil {
			return err
		}
	}
	return tx.apply(records)
}

// forgets says whether what was noted is of an older text than both files have now.
func (f *syncPair) forgets() bool {
	return f.base != nil && !f.Outdated && f.base.Source != hashBytes(f.theirs.file.Src.Text)
}

func newStep() *step {
	return &step{ids: map[xref.Key]uuid.UUID{}, texts: map[string]string{}, binary: map[string]bool{}, bytes: map[string][]byte{}}
}

// write adds what [Tx.Write] does to a step.
func (s *step) write(tx *Tx, name string, c Content) {
	s.texts[name], s.binary[name] = c.Text, c.Binary
	s.carry(tx.view.byPath[name], nil)
	maps.Copy(s.ids, c.IDs)
}

// ids are those of the declarations of a module.
func (m *Module) ids() map[xref.Key]uuid.UUID {
	ids := map[xref.Key]uuid.UUID{}
	for d := range m.All() {
		ids[d.Key] = d.ID
	}
	return ids
}

const (
	// viewSection is the section of PLTO files for what module and view had in common.
	viewSection = 64
	// viewFolder has files with the same for text modules.
	viewFolder = ".sett/views/"
)

// recordOf is the file for the module of a path.
func recordOf(name string) string { return viewFolder + name + ".json" }

// carryRecord takes what is noted about a text module along to its new path.
func (tx *Tx) carryRecord(was *Module, name string, put func(string, []byte) error) error {
	data, err := tx.view.contents(tx.p, recordOf(was.Path))
	if err != nil || data == nil {
		return err
	}
	return put(recordOf(name), data)
}

// record is what a module and its view had in common when they were last brought together;
// nil when nobody knows.
func (v *View) record(p *Project, m *Module) *viewRecord {
	if m.Binary {
		for _, s := range m.of.Binary.Sections {
			if s.ID == viewSection {
				return decodeRecord(s.Data)
			}
		}
		return nil
	}
	data, err := v.contents(p, recordOf(m.Path))
	if err != nil {
		return nil
	}
	return decodeRecord(data)
}

// keep adds to a step that what [View.record] reads is written.
func (s *step) keep(m *Module, r *viewRecord) error {
	data := r.encode()
	if !m.Binary {
		s.bytes[recordOf(m.Path)] = append(data, '\n')
		return nil
	}
	file := *m.of.Binary
	file.Sections = slices.DeleteFunc(slices.Clone(file.Sections), func(s plto.Section) bool { return s.ID == viewSection })
	file.Sections = append(file.Sections, plto.Section{ID: viewSection, Data: data})
	slices.SortFunc(file.Sections, func(a, b plto.Section) int { return cmp.Compare(a.ID, b.ID) })
	out, err := file.Encode()
	if err != nil {
		return fmt.Errorf("encoding %s: %w", m.Path, err)
	}
	s.bytes[m.Path] = out
	s.carry(m, nil)
	return nil
}
