package pluto

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// AnalyzeReport is what an analysis found.
type AnalyzeReport struct {
	Modules   []string // their paths
	Functions int      // functions and methods in them
	Known     int      // of these, those whose error set is known
	Diags     []*diag.Diagnostic
	Written   []string // the PLTO files that have the results now
	Change    *Change
}

// Analyze checks modules, those of the paths or without paths all, and keeps what was found
// out, signatures, error sets, lifecycles and implementors, in those that are PLTO files,
// where programs without a compiler can read it. Modules with errors, and those that have it
// already, are not written. Text and identities stay as they are.
func (p *Project) Analyze(ctx context.Context, paths []string, o EditOptions) (*AnalyzeReport, error) {
	report := &AnalyzeReport{}
	o.NoCheck, o.Label = true, "analyze"
	c, err := p.Edit(ctx, o, func(tx *Tx) error {
		v := tx.view
		modules, err := v.chosen(paths)
		if err != nil {
			return err
		}
		checked, err := v.state.Checked(ctx)
		if err != nil {
			return err
		}
		facts := checked.Facts()
		a := v.analysis(checked)
		files := newStep()
		for _, m := range modules {
			report.Modules = append(report.Modules, m.Path)
			report.count(m, facts)
			ds := checked.Diags(m.Path)
			report.Diags = append(report.Diags, ds...)
			if m.of.Binary == nil || hasErrors(ds) {
				continue
			}
			data, err := a.file(m)
			if err != nil {
				return err
			}
			if string(data) != string(m.raw) {
				files.bytes[m.Path] = data
				files.carry(m, nil)
				report.Written = append(report.Written, m.Path)
			}
		}
		if len(report.Written) == 0 {
			return nil
		}
		return tx.apply(files)
	})
	if err != nil {
		return nil, err
	}
	report.Change = c
	return report, nil
}

func (r *AnalyzeReport) count(m *Module, facts *xref.Facts) {
	for d := range m.All() {
		if d.Kind != xref.Function && d.Kind != xref.Method {
			continue
		}
		r.Functions++
		if s := facts.Signatures[d.Key]; s != nil && s.Known {
			r.Known++
		}
	}
}

func hasErrors(ds []*diag.Diagnostic) bool {
	for _, d := range ds {
		if d.Severity == diag.Error {
			return true
		}
	}
	return false
}

// Freshness says of each module whether what its PLTO file holds about its declarations is
// what analyzing it now would find out, so also whether the modules that it imports still are
// what they were. [Module.Derived] tells from the text of the module alone.
func (v *View) Freshness(ctx context.Context, modules []*Module) ([]Freshness, error) {
	out := make([]Freshness, len(modules))
	var a *analysis
	for i, m := range modules {
		if out[i] = m.Derived; m.Derived != GoodDerived {
			continue
		}
		if a == nil {
			checked, err := v.state.Checked(ctx)
			if err != nil {
				return nil, err
			}
			a = v.analysis(checked)
		}
		data, err := a.file(m)
		if err != nil {
			return nil, err
		}
		if string(data) != string(m.raw) {
			out[i] = OldDerived
		}
	}
	return out, nil
}

// analysis is what writing down what was found out about modules needs.
type analysis struct {
	v       *View
	checked *workspace.Checked
	imports map[*Module][]*Module
}

func (v *View) analysis(checked *workspace.Checked) *analysis {
	a := &analysis{v, checked, make(map[*Module][]*Module, len(v.modules))}
	for _, d := range v.Dependencies() {
		a.imports[d.Module] = d.Imports
	}
	return a
}

// file is a PLTO file with what was found out about its declarations.
func (a *analysis) file(m *Module) ([]byte, error) {
	v, facts := a.v, a.checked.Facts()
	file := *m.of.Binary
	derived := &plto.Derived{Source: plto.HashText(file.Text), Compiler: compilerVersion()}
	for _, i := range a.imports[m] {
		hash := a.checked.InterfaceHash(i.Path)
		derived.Interfaces = append(derived.Interfaces, plto.Interface{Module: i.Path, Hash: string(hash[:])})
	}
	index := map[uuid.UUID]int{}
	for i, d := range file.Decls {
		index[d.ID] = i
	}
	for d := range m.All() {
		i, ok := index[d.ID]
		if !ok {
			continue
		}
		if f := v.factsOf(d, facts); f != nil {
			f.Decl = i
			derived.Facts = append(derived.Facts, *f)
		}
	}
	for _, k := range facts.DI {
		if d := v.Decl(k); d != nil && d.Module == m {
			derived.Order = append(derived.Order, v.ref(k, k.Qual))
		}
	}
	file.Derived = derived
	data, err := file.Encode()
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", m.Path, err)
	}
	return data, nil
}

// factsOf is what is known about a declaration; nil when nothing is.
func (v *View) factsOf(d *Decl, facts *xref.Facts) *plto.Facts {
	if s := facts.Signatures[d.Key]; s != nil {
		f := &plto.Facts{Signature: &plto.Signature{}}
		for _, p := range s.Params {
			if p.Type == "" {
				return nil
			}
			f.Signature.Params = append(f.Signature.Params, p.Type)
		}
		if s.Result != "void" {
			f.Signature.Return = s.Result
		}
		if s.Known {
			f.Errors = &plto.Refs{}
			for _, e := range s.Errors {
				f.Errors.List = append(f.Errors.List, v.ref(e.Error, e.Name))
			}
		}
		return f
	}
	if c := facts.Classes[d.Key]; c != nil {
		return &plto.Facts{Lifecycle: c.Lifecycle.String()}
	}
	if t := facts.Traits[d.Key]; t != nil {
		f := &plto.Facts{Implementors: &plto.Refs{}}
		for _, k := range t.Implementors {
			f.Implementors.List = append(f.Implementors.List, v.ref(k, k.Qual))
		}
		return f
	}
	return nil
}

// ref names a declaration from a PLTO file.
func (v *View) ref(k xref.Key, name string) plto.Ref {
	r := plto.Ref{Module: k.File, Name: name, Kind: k.Kind.String()}
	if k == (xref.Key{}) {
		r.Kind = xref.Error.String() // one that the language declares
	}
	if d := v.Decl(k); d != nil {
		r.Decl = d.ID
	}
	return r
}

func compilerVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return "sett " + info.Main.Version
	}
	return "sett"
}
