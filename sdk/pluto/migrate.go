package pluto

import (
	"context"
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/xref"
)

// The forms that [Project.Migrate] makes of modules.
const (
	BinaryForm = "binary"
	TextForm   = "text"
)

// MigrateOptions say how [Project.Migrate] goes about it.
type MigrateOptions struct {
	To     string // [BinaryForm] or [TextForm]
	Hints  bool   // to text: write the ids that do not follow from names into the text, where clones have them
	DryRun bool   // only say what would change
}

// MigrateReport is what a migration did, or would do.
type MigrateReport struct {
	Files  []Migrated // by path
	Change *Change
}

// Migrated is what became of one module.
type Migrated struct {
	From, To string // its paths before and after
	Changed  bool
	Upgraded bool   // it was a PLTO file of an older version
	Skipped  string // why nothing is to be done
}

// Migrate changes the form of modules: those of the paths, which are modules or folders, or,
// without paths, all of them. All change or none, in one step of the history. No byte of the
// text is lost, and declarations keep their ids.
//
// To binary: text becomes a PLTO file. x.pt, when there is no x.pluto beside it, becomes
// x.pluto; two files with one text would be two truths. A .pt file that is the view of a
// module stays what it is. PLTO files of older versions are written in the present one. Text
// with syntax errors, or that is not UTF-8, is refused: in a PLTO file nobody could mend it.
//
// To text: a PLTO file becomes its text, under the same path. Ids that do not follow from
// names are recorded below .sett, or, with Hints, stand in the text, also of modules that are
// text already.
func (p *Project) Migrate(ctx context.Context, paths []string, o MigrateOptions) (*MigrateReport, error) {
	if o.To != BinaryForm && o.To != TextForm {
		return nil, fail(InvalidArgument, "cannot migrate to '%s': a module is binary or text", o.To)
	}
	report := &MigrateReport{}
	c, err := p.Edit(ctx, EditOptions{DryRun: o.DryRun, NoCheck: true, Label: "migrate to " + o.To}, func(tx *Tx) error {
		modules, err := tx.view.chosen(paths)
		if err != nil {
			return err
		}
		s := newStep()
		records := map[string]*viewRecord{}
		for _, m := range modules {
			done, err := tx.migrate(s, m, o)
			if err != nil {
				return err
			}
			report.Files = append(report.Files, done)
			if r := tx.view.record(p, m); r != nil && done.Changed {
				records[done.To] = r
			}
		}
		if err := tx.apply(s); err != nil {
			return err
		}
		s = newStep()
		for name, r := range records {
			// What module and view have in common is the same in the other form.
			m := tx.view.byPath[name]
			if m.Binary {
				s.bytes[recordOf(name)] = nil
			}
			if err := s.keep(m, r); err != nil {
				return err
			}
		}
		return tx.apply(s)
	})
	if err != nil {
		return nil, err
	}
	report.Change = c
	return report, nil
}

// salvage is the text of a damaged PLTO file, if that is whole.
func (m *Module) salvage() (string, error) {
	if !plto.Is(m.raw) {
		return "", m.Err
	}
	return plto.Text(m.raw)
}

// chosen are the modules of several paths, each once, in order.
func (v *View) chosen(paths []string) ([]*Module, error) {
	if len(paths) == 0 {
		return v.Modules(), nil
	}
	var out []*Module
	for _, name := range paths {
		modules, err := v.below(name)
		if err != nil {
			return nil, err
		}
		out = append(out, modules...)
	}
	slices.SortFunc(out, func(a, b *Module) int { return strings.Compare(a.Path, b.Path) })
	return slices.Compact(out), nil
}

// migrate adds the change of a module to a step.
func (tx *Tx) migrate(s *step, m *Module, o MigrateOptions) (Migrated, error) {
	done := Migrated{From: m.Path, To: m.Path}
	if m.Err != nil {
		text, err := m.salvage()
		if o.To != TextForm || err != nil {
			return done, damaged("migrate", m)
		}
		s.write(tx, m.Path, Content{Text: text})
		tx.notes = append(tx.notes, fmt.Sprintf("%s is damaged: its text is whole, but its ids are lost, and its declarations have those that follow from their names", m.Path))
		done.Changed = true
		return done, nil
	}
	version := uint32(plto.Version)
	if m.Binary && len(m.raw) >= 8 {
		version = binary.LittleEndian.Uint32(m.raw[4:8])
	}
	switch {
	case o.To == BinaryForm && m.Binary && version == plto.Version:
		done.Skipped = "it is binary"
		return done, nil
	case o.To == TextForm && !m.Binary && (!o.Hints || withHints(m.file, plain(m.Decls), m.ids(), onItsOwn) == m.Text()):
		done.Skipped = "it is text"
		return done, nil
	}
	text := m.Text()
	if err := writable(m.Path, text); err != nil {
		return done, err
	}
	content := Content{Text: text, Binary: o.To == BinaryForm}
	if content.Binary && !m.Binary && !m.file.OK {
		_, diags := parseText(m.Path, text)
		return done, syntaxError(m.Path, m.file.Src, diags)
	}
	if o.To == TextForm {
		needs := misled // a PLTO file knows better than a hint, a text does not
		if o.Hints {
			needs = onItsOwn
		}
		content.Text = withHints(m.file, plain(m.Decls), m.ids(), needs)
	}
	if path.Ext(m.Path) == ".pt" && content.Binary {
		done.To = m.Name + ".pluto"
	}
	content.IDs = map[xref.Key]uuid.UUID{{File: done.To, Kind: xref.Module}: m.ID}
	for d := range m.All() {
		k := d.Key
		k.File = done.To
		content.IDs[k] = d.ID
	}
	if done.To != m.Path {
		s.bytes[m.Path] = nil
	}
	s.write(tx, done.To, content)
	done.Changed, done.Upgraded = true, version != plto.Version
	return done, nil
}
