package pluto

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// GenerateOptions say how [Project.GeneratePT] goes about it.
type GenerateOptions struct {
	NoHints bool // leave out the lines with ids
	DryRun  bool // only say what would change; the Change has the diff
	Check   bool // only say whether anything would, as an error
	Force   bool // overwrite .pt files that were edited since they were generated
	Staged  bool // keep it in memory until [Project.Save]
	Direct  bool // write it at once although the project stages edits
}

// GenerateReport is what was generated, or would be.
type GenerateReport struct {
	Files  []GeneratedView // by path of the module
	Change *Change         // nil after a check
}

// GeneratedView is the view of one module.
type GeneratedView struct {
	Path    string // the module
	View    string // the .pt file
	Created bool
	Changed bool   // it is written; Created ones are, too
	Noted   bool   // the PLTO file is written, with what it has in common with its view
	Skipped string // why there is none
}

// GeneratePT writes x.pt beside each x.pluto: the text of the module as it is, with a line
// `// @uuid: <id>` above each top-level declaration, and above members whose id does not
// follow from that of their owner. name is a module, a folder, or "" for the whole project.
// A module that only exists as .pt text is its own view, and is skipped.
//
// What view and module have in common is noted, so that a sync can tell later who edited
// what: in the PLTO file itself, where every clone has it, and for a text module, which a
// clone can merge as text, below .sett.
//
// A .pt file that was edited since it was generated is a [Conflict] and not overwritten,
// unless Force is set. One that is as it should be is not written. With Check nothing is, and
// views that are not as they should be are an error with the code [Stale], with the report.
func (p *Project) GeneratePT(ctx context.Context, name string, o GenerateOptions) (*GenerateReport, error) {
	if o.Check {
		v, err := p.View(ctx)
		if err != nil {
			return nil, err
		}
		files, err := p.planViews(v, name, o)
		if err != nil {
			return nil, err
		}
		report := viewReport(files)
		var behind []string
		for _, f := range files {
			if f.Changed {
				behind = append(behind, f.View)
			}
		}
		if len(behind) > 0 {
			return report, &Error{Code: Stale, Text: "not as their modules: " + list(behind, 5), Files: behind, Hint: "generate-pt writes them"}
		}
		return report, nil
	}
	var report *GenerateReport
	label := "generate views"
	if name != "" {
		label += " of " + name
	}
	c, err := p.Edit(ctx, EditOptions{DryRun: o.DryRun, NoCheck: true, Staged: o.Staged, Direct: o.Direct, Label: label}, func(tx *Tx) error {
		files, err := p.planViews(tx.View(), name, o)
		if err != nil {
			return err
		}
		s := newStep()
		for _, f := range files {
			if err := f.write(tx.view, p, s); err != nil {
				return err
			}
		}
		report = viewReport(files)
		return tx.apply(s)
	})
	if err != nil {
		return nil, err
	}
	report.Change = c
	return report, nil
}

// planned is a view that is to be written.
type planned struct {
	GeneratedView
	module *Module
	text   string
}

func viewReport(files []*planned) *GenerateReport {
	r := &GenerateReport{}
	for _, f := range files {
		r.Files = append(r.Files, f.GeneratedView)
	}
	return r
}

func (p *Project) planViews(v *View, name string, o GenerateOptions) ([]*planned, error) {
	modules, err := v.below(name)
	if err != nil {
		return nil, err
	}
	var out []*planned
	var edited []string
	for _, m := range modules {
		f := &planned{GeneratedView: GeneratedView{Path: m.Path, View: m.Name + ".pt"}, module: m}
		out = append(out, f)
		if path.Ext(m.Path) == ".pt" {
			f.Skipped = "it is a text that is its own view"
			continue
		}
		if m.Err != nil {
			return nil, damaged("read", m)
		}
		f.text = m.Text()
		if !o.NoHints {
			f.text = withHints(m.file, plain(m.Decls), m.ids(), inView)
		}
		now, err := v.contents(p, f.View)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.View, bare(err))
		}
		if bytes.IndexByte(now, 0) >= 0 {
			return nil, &Error{Code: Conflict, Files: []string{f.View}, Text: fmt.Sprintf("%s is not a text: something else has the name of the view of %s", f.View, m.Path), Hint: "move that file away"}
		}
		f.Created = now == nil
		f.Changed = f.Created || string(now) != f.text
		if f.Changed && !f.Created && !o.Force && !o.Check && editedView(v.record(p, m), m, string(now)) {
			edited = append(edited, f.View)
		}
	}
	if len(edited) > 0 {
		return nil, &Error{
			Code: Conflict, Files: edited, Text: fmt.Sprintf("edited since generated: %s", list(edited, 5)),
			Hint: "sync takes the edits over; force drops them",
		}
	}
	return out, nil
}

// editedView says whether a .pt file says something that neither its module says nor said
// when it was generated.
func editedView(r *viewRecord, m *Module, view string) bool {
	if r != nil && r.View == hashBytes(view) {
		return false
	}
	file, _ := parseText(m.Path, view)
	bare := withoutHints(file, hintsOf(file, xref.Decls(file)), func(hint) bool { return true })
	if r != nil && r.Source == hashBytes(bare) {
		return false
	}
	own := withoutHints(m.file, hintsOf(m.file, plain(m.Decls)), func(hint) bool { return true })
	return bare != own
}

// below are the modules of a path: one, those of a folder, or all for "".
func (v *View) below(name string) ([]*Module, error) {
	if name == "" {
		return v.Modules(), nil
	}
	rel, err := v.Path(name)
	if err != nil {
		return nil, err
	}
	if m := v.byPath[rel]; m != nil {
		return []*Module{m}, nil
	}
	var out []*Module
	for _, m := range v.modules {
		if rel == "." || strings.HasPrefix(m.Path, rel+"/") {
			out = append(out, m)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	m, err := v.Module(name)
	if err != nil {
		return nil, err
	}
	return []*Module{m}, nil
}

// write adds a view to a step.
func (f *planned) write(v *View, p *Project, s *step) error {
	if f.Skipped != "" {
		return nil
	}
	m := f.module
	if f.Changed {
		s.bytes[f.View] = []byte(f.text)
	}
	r := newSide(m.file, plain(m.Decls), m.ids()).record(f.text)
	if old := v.record(p, m); old != nil && string(old.encode()) == string(r.encode()) {
		return nil
	}
	f.Noted = m.Binary
	return s.keep(m, r)
}

// PrettyPrint is the text of a declaration laid out as sett fmt does, or, for the Self of a
// module, of the whole module. Comments stay. With hints the lines with ids are in it, else
// there are none. What has syntax errors is left as it is.
func (v *View) PrettyPrint(d *Decl, hints bool) string {
	m := d.Module
	file := m.file
	if !file.OK && d.Kind != xref.Module && d.Parent == nil {
		// The error may be in another declaration.
		if own, _ := parseText(m.Path, d.Source()); own.OK {
			file = own
		}
	}
	file, _ = parseText(m.Path, syntax.Format(file))
	decls := xref.Decls(file)
	file, _ = parseText(m.Path, withoutHints(file, hintsOf(file, decls), func(hint) bool { return true }))
	decls = xref.Decls(file)
	if hints {
		file, _ = parseText(m.Path, withHints(file, decls, m.ids(), inView))
		decls = xref.Decls(file)
	}
	if d.Kind == xref.Module {
		return file.Src.Text
	}
	for at := range xref.All(decls) {
		if at.Kind == d.Kind && (at.Qual == d.Qual || len(decls) == 1 && at.Parent == nil && d.Parent == nil) {
			return alone(at)
		}
	}
	return d.Source() + "\n"
}

// alone is the text of a declaration with its comments, not indented.
func alone(d *xref.Decl) string {
	text := d.File.Src.Text
	start := lineStart(text, d.WithDoc.Start)
	indent := text[start:d.WithDoc.Start]
	if strings.Trim(indent, " \t") != "" {
		return text[d.Full.Start:d.Full.End] + "\n"
	}
	inString := map[int32]bool{} // lines that begin in a string
	for _, t := range d.File.Tokens {
		if t.Kind == syntax.STRING || t.Kind == syntax.FSTRING || t.Kind == syntax.RSTRING {
			for at := lineEnd(text, t.At.Start); at < t.At.End; at = lineEnd(text, at) {
				inString[at] = true
			}
		}
	}
	var b strings.Builder
	for at := start; at < d.WithDoc.End; {
		next := min(lineEnd(text, at), d.WithDoc.End)
		line := text[at:next]
		if !inString[at] {
			line = strings.TrimPrefix(line, indent)
		}
		b.WriteString(line)
		at = next
	}
	return strings.TrimSuffix(b.String(), ",") + "\n"
}
