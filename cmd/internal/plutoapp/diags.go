package plutoapp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/sdk/pluto"
)

// diagKind is the word of 001 for what a diagnostic is about.
func diagKind(p diag.Phase) string {
	switch p {
	case diag.PhaseManifest:
		return "manifest"
	case diag.PhaseLex, diag.PhaseSyntax, diag.PhaseLoad:
		return "syntax"
	case diag.PhaseCodegen:
		return "codegen"
	case diag.PhaseLink:
		return "link"
	}
	return "type"
}

// diagDoc is a diagnostic with the members of both documents.
func (c *Call) diagDoc(d *diag.Diagnostic) any {
	o := (&object{}).put("severity", d.Severity.String()).put("kind", diagKind(d.Phase)).put("code", string(d.Code)).put("message", d.Message)
	if d.File == nil {
		return o.put("span", nil).put("path", nil)
	}
	line, col := d.File.Position(d.Span.Start)
	endLine, endCol := d.File.Position(d.Span.End)
	o.put("file", d.File.Name).put("line", line).put("column", col)
	o.put("span", (&object{}).put("start", d.Span.Start).put("end", d.Span.End).
		put("start_line", line).put("start_col", col).put("end_line", endLine).put("end_col", endCol))
	o.put("path", c.path(d.File.Name))
	if len(d.Notes) > 0 {
		o.put("notes", each(d.Notes, func(n diag.Note) any {
			note := (&object{}).put("message", n.Message)
			if n.File != nil {
				line, col := n.File.Position(n.Span.Start)
				note.put("file", n.File.Name).put("line", line).put("column", col)
			}
			return note
		}))
	}
	return o
}

func (c *Call) diagDocs(ds []*diag.Diagnostic) []any {
	return each(ds, func(d *diag.Diagnostic) any { return c.diagDoc(d) })
}

// sort the diagnostics by how bad they are.
func bySeverity(ds []*diag.Diagnostic) (errors, warnings []*diag.Diagnostic) {
	for _, d := range ds {
		if d.Severity == diag.Error {
			errors = append(errors, d)
		} else {
			warnings = append(warnings, d)
		}
	}
	return errors, warnings
}

// maxDiags is how many diagnostics answers have that are not about them.
const maxDiags = 50

// diagLines writes diagnostics as the command line does.
func diagLines(b *strings.Builder, ds []*diag.Diagnostic) {
	_ = diag.Print(b, ds[:min(maxDiags, len(ds))], diag.Style{}) // a Builder takes everything
	if n := len(ds) - maxDiags; n > 0 {
		fmt.Fprintf(b, "and %d more: check has all\n", n)
	}
}

// verdict is the diagnostics in a few words.
func verdict(ds []*diag.Diagnostic) string {
	errors, warnings := bySeverity(ds)
	switch {
	case len(errors) == 0 && len(warnings) == 0:
		return "check clean"
	case len(errors) == 0:
		return plural(len(warnings), "warning")
	case len(warnings) == 0:
		return plural(len(errors), "error")
	}
	return plural(len(errors), "error") + ", " + plural(len(warnings), "warning")
}

func checkProject(ctx context.Context, c *Call, a *checkArgs) (*Answer, error) {
	c.step("checking")
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	rel := ""
	if a.Path != "" {
		if _, err := c.below(v, a.Path); err != nil {
			return nil, err
		}
		if rel, err = v.Path(a.Path); err != nil {
			return nil, err
		}
		if m, err := v.Module(a.Path); err == nil {
			rel = m.Path
		}
	}
	if rel == "." {
		rel = ""
	}
	ds, err := checkAll(ctx, v, rel)
	if err != nil {
		return nil, err
	}
	shown, cut, err := slice(a.page, ds, c.rows(100), "diagnostic")
	if err != nil {
		return nil, err
	}
	errors, warnings := bySeverity(shown)
	all, _ := bySeverity(ds)
	return &Answer{
		failed: len(all) > 0,
		lines: func(b *strings.Builder) {
			what := rel
			if what == "" {
				what = plural(len(v.Modules()), "module")
			}
			if len(ds) == 0 {
				fmt.Fprintf(b, "no errors in %s\n", what)
				return
			}
			fmt.Fprintf(b, "%s in %s\n%s", verdict(ds), what, cut)
			_ = diag.Print(b, shown, diag.Style{}) // a Builder takes everything
		},
		doc: func() any {
			o := (&object{}).put("success", len(all) == 0)
			if rel != "" {
				o.put("path", c.path(rel))
			} else {
				o.put("path", c.path("."))
			}
			return c.diagnosed(o, errors, warnings)
		},
	}, nil
}

// checkAll is what there is to say of a file or folder; of a file that is first what there
// is in it, then what is wrong with the other files of its program, which would keep it
// from running.
func checkAll(ctx context.Context, v *pluto.View, path string) ([]*diag.Diagnostic, error) {
	if path == "" {
		return v.Check(ctx, "")
	}
	if _, err := v.Module(path); err != nil {
		all, err := v.Check(ctx, "")
		return slices.DeleteFunc(slices.Clone(all), func(d *diag.Diagnostic) bool {
			return d.File == nil || !strings.HasPrefix(d.File.Name, strings.TrimSuffix(path, "/")+"/")
		}), err
	}
	ds, err := v.Check(ctx, path)
	if err != nil {
		return nil, err
	}
	others := map[string]bool{}
	for _, g := range v.State().Groups() {
		if slices.Contains(g.Files, path) && !g.Test {
			for _, f := range g.Closure {
				others[f] = f != path
			}
		}
	}
	if len(others) == 0 {
		return ds, nil
	}
	all, err := v.Check(ctx, "")
	if err != nil {
		return nil, err
	}
	ds = slices.Clone(ds)
	for _, d := range all {
		if d.File != nil && others[d.File.Name] && d.Severity == diag.Error {
			ds = append(ds, d)
		}
	}
	return ds, nil
}

// diagnosed adds diagnostics as the documents have them: in two lists, in one, or in both.
func (c *Call) diagnosed(o *object, errors, warnings []*diag.Diagnostic) *object {
	o.d = c.dialect
	return o.in(D001, "errors", c.diagDocs(errors)).in(D001, "warnings", c.diagDocs(warnings)).
		in(D000, "diagnostics", append(c.diagDocs(errors), c.diagDocs(warnings)...))
}
