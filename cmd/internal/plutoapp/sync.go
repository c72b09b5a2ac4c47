package plutoapp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/settgraph/sett/sdk/pluto"
)

// stage says whether what a tool generates waits for save: as it is asked to, else as the
// edits that it was generated from do.
func (w writing) stage(c *Call) (staged, direct bool) {
	if w.Staged {
		return true, false
	}
	direct = w.Save || len(c.project.Dirty()) == 0
	return false, direct
}

// drift tells a check that found something to do from one that failed.
func drift(err error) bool {
	e := new(pluto.Error)
	return errors.As(err, &e) && e.Code == pluto.Stale
}

func generatePT(ctx context.Context, c *Call, a *generatePTArgs) (*Answer, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	path, err := c.optional(v, a.Path)
	if err != nil {
		return nil, err
	}
	staged, direct := a.stage(c)
	report, err := c.project.GeneratePT(ctx, path, pluto.GenerateOptions{
		DryRun: a.DryRun, Check: a.Check, Force: a.Force, Staged: staged, Direct: direct,
	})
	behind := drift(err) && report != nil
	if err != nil && !behind {
		return nil, err
	}
	if report.Change != nil {
		if err := c.after(ctx, report.Change); err != nil {
			return nil, err
		}
	}
	var made, skipped []pluto.GeneratedView
	written, noted := 0, 0
	for _, f := range report.Files {
		if f.Noted {
			noted++
		}
		switch {
		case f.Skipped != "":
			skipped = append(skipped, f)
			continue
		case f.Changed:
			written++
		}
		made = append(made, f)
	}
	verb := "generated"
	if a.DryRun || a.Check {
		verb = "to generate:"
	}
	answer := &Answer{
		failed: behind,
		lines: func(b *strings.Builder) {
			fmt.Fprintf(b, "%s %s, %d up to date%s\n", verb, plural(written, "view"), len(made)-written, wait(report.Change))
			for _, f := range made {
				if f.Changed {
					fmt.Fprintf(b, "%s -> %s\n", f.Path, f.View)
				}
			}
			for _, f := range skipped {
				fmt.Fprintf(b, "%s skipped: %s\n", f.Path, f.Skipped)
			}
			if noted > 0 {
				fmt.Fprintf(b, "%s: noted what view and module have in common, for the next sync\n", plural(noted, "binary module"))
			}
		},
		doc: func() any {
			o := (&object{}).put("generated", each(made, func(f pluto.GeneratedView) any {
				g := (&object{}).put("pluto_path", c.path(f.Path)).put("pt_path", c.path(f.View)).put("changed", f.Changed)
				if f.Noted {
					g.put("pluto_changed", true)
				}
				return g
			}))
			if len(skipped) > 0 {
				o.put("skipped", each(skipped, func(f pluto.GeneratedView) any {
					return (&object{}).put("pluto_path", c.path(f.Path)).put("reason", f.Skipped)
				}))
			}
			if a.Check {
				o.put("success", !behind)
			}
			return withDiff(o, report.Change)
		},
	}
	return c.tried(answer, report.Change), nil
}

// optional is a path that need not be given, from the root.
func (c *Call) optional(v *pluto.View, path string) (string, error) {
	if path == "" {
		return "", nil
	}
	rel, err := v.Path(path)
	if rel == "." {
		rel = ""
	}
	return rel, err
}

// tried adds the diff to the lines of what was only tried.
func (c *Call) tried(a *Answer, change *pluto.Change) *Answer {
	if change == nil || !change.DryRun || change.Diff == "" {
		return a
	}
	a.diff = true
	a.lines = func(b *strings.Builder) { b.WriteString(c.capped(change.Diff, 0)) }
	return a
}

func withDiff(o *object, change *pluto.Change) *object {
	if change != nil && change.DryRun {
		o.put("dry_run", true).put("diff", change.Diff)
	}
	return o
}

func syncPT(ctx context.Context, c *Call, a *syncPTArgs) (*Answer, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	path, err := c.optional(v, a.Path)
	if err != nil {
		return nil, err
	}
	to, err := c.optional(v, a.Pluto)
	if err != nil {
		return nil, err
	}
	if path == "" {
		path = "." // all of them
	}
	report, err := c.project.SyncPT(ctx, path, to, pluto.SyncOptions{
		DryRun: a.DryRun, Check: a.Check, Force: a.Force, Staged: a.Staged, Direct: a.Save,
	})
	behind := drift(err) && report != nil
	if err != nil && !behind {
		return nil, err
	}
	if report.Change != nil {
		if err := c.after(ctx, report.Change); err != nil {
			return nil, err
		}
	}
	answer := &Answer{
		failed: behind,
		lines: func(b *strings.Builder) {
			for _, f := range report.Files {
				syncLines(b, f)
			}
			t := report.SyncTally
			verb := "synced"
			if a.Check || a.DryRun {
				verb = "to sync:"
			}
			fmt.Fprintf(b, "%s %s: %d added, %d removed, %d renamed, %d modified, %d moved, %d unchanged%s\n", verb, plural(len(report.Files), "file"),
				len(t.Added), len(t.Removed), len(t.Renamed), len(t.Modified), len(t.Moved), t.Unchanged, wait(report.Change))
			if report.Change != nil {
				c.aftermath(b, report.Change)
			}
		},
		doc: func() any { return c.synced(report, behind, a.Check) },
	}
	return c.tried(answer, report.Change), nil
}

// syncLines writes what became of one module.
func syncLines(b *strings.Builder, f pluto.SyncFile) {
	fmt.Fprintf(b, "%s -> %s", f.View, f.Path)
	switch {
	case f.Created:
		b.WriteString("  created")
	case f.Merged:
		b.WriteString("  merged: both had been edited; generating the view brings it up to date")
	case f.Outdated:
		b.WriteString("  the module is newer; generating the view brings it up to date")
	case !f.Changed:
		b.WriteString("  unchanged")
	case quiet(f.SyncTally):
		b.WriteString("  only the order, or what is between declarations")
	}
	b.WriteString("\n")
	for _, n := range f.Added {
		b.WriteString("  + " + n + "\n")
	}
	for _, n := range f.Removed {
		b.WriteString("  - " + n + "\n")
	}
	for _, r := range f.Renamed {
		fmt.Fprintf(b, "  > %s -> %s  %s\n", r.From, r.To, short(r.ID))
	}
	for _, m := range f.Modified {
		fmt.Fprintf(b, "  ~ %s", m.Name)
		if len(m.What) > 0 {
			b.WriteString(": " + strings.Join(m.What, ", "))
		}
		b.WriteString("\n")
	}
	for _, m := range f.Moved {
		fmt.Fprintf(b, "  > %s from %s to %s\n", m.Name, m.From, m.To)
	}
	for _, i := range f.Imports {
		b.WriteString("  " + i + "\n")
	}
	for _, n := range f.Notes {
		b.WriteString("  note: " + n + "\n")
	}
}

// quiet says whether nothing became of any declaration.
func quiet(t pluto.SyncTally) bool {
	return len(t.Added)+len(t.Removed)+len(t.Renamed)+len(t.Modified)+len(t.Moved)+len(t.Imports) == 0
}

// synced is a sync as both documents have it, whose members have nothing in common.
func (c *Call) synced(r *pluto.SyncReport, behind, check bool) any {
	t := r.SyncTally
	target := any(nil)
	if len(r.Files) == 1 {
		target = c.path(r.Files[0].Path)
	}
	o := c.object().in(D000, "synced", target).in(D000, "new_declarations", len(t.Added)).
		in(D000, "updated_declarations", len(t.Modified)+len(t.Renamed)).in(D000, "deleted_declarations", len(t.Removed)).
		in(D001, "added", each(t.Added, bare)).in(D001, "removed", each(t.Removed, bare)).
		in(D001, "modified", each(t.Modified, func(m pluto.SyncChange) any { return bare(m.Name) })).in(D001, "unchanged", t.Unchanged)
	o.put("renamed", each(t.Renamed, func(m pluto.SyncRename) any {
		return c.object().put("from", bare(m.From)).put("to", bare(m.To)).named("id", "uuid", m.ID.String())
	}))
	o.put("moved", each(t.Moved, func(m pluto.SyncMove) any {
		return c.object().put("name", bare(m.Name)).put("from", m.From).put("to", m.To).named("id", "uuid", m.ID.String())
	}))
	if len(r.Files) != 1 {
		o.put("files", each(r.Files, func(f pluto.SyncFile) any {
			return (&object{}).put("pt_path", c.path(f.View)).put("pluto_path", c.path(f.Path)).put("changed", f.Changed)
		}))
	}
	if check {
		o.put("success", !behind)
	}
	if r.Change != nil {
		o.put("diagnostics", c.diagDocs(r.Change.Diags))
	} else {
		o.in(D000, "diagnostics", []any{})
	}
	return withDiff(o, r.Change)
}

// bare is a name without the kind before it.
func bare(name string) any {
	_, rest, ok := strings.Cut(name, " ")
	if !ok {
		return name
	}
	return rest
}

func migrate(ctx context.Context, c *Call, a *migrateArgs) (*Answer, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	path, err := c.optional(v, a.Path)
	if err != nil {
		return nil, err
	}
	var paths []string
	if path != "" {
		paths = []string{path}
	}
	report, err := c.project.Migrate(ctx, paths, pluto.MigrateOptions{To: a.To, Hints: a.Hints, DryRun: a.DryRun})
	if err != nil {
		return nil, err
	}
	if err := c.after(ctx, report.Change); err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			n := 0
			for _, f := range report.Files {
				if f.Changed {
					n++
				}
			}
			verb := "migrated"
			if a.DryRun {
				verb = "to migrate:"
			}
			fmt.Fprintf(b, "%s %s to %s%s\n", verb, plural(n, "module"), a.To, wait(report.Change))
			for _, f := range report.Files {
				switch {
				case f.Skipped != "":
					fmt.Fprintf(b, "%s skipped: %s\n", f.From, f.Skipped)
				case f.Changed && f.From != f.To:
					fmt.Fprintf(b, "%s -> %s\n", f.From, f.To)
				case f.Upgraded && a.To == pluto.BinaryForm:
					b.WriteString(f.To + " was of an older version of the form\n")
				case f.Changed:
					b.WriteString(f.To + "\n")
				}
			}
			c.aftermath(b, report.Change)
		},
		doc: func() any {
			o := (&object{}).put("to", a.To).put("migrated", each(report.Files, func(f pluto.Migrated) any {
				m := (&object{}).put("from", c.path(f.From)).put("path", c.path(f.To)).put("changed", f.Changed)
				if f.Upgraded && a.To == pluto.BinaryForm {
					m.put("upgraded", true)
				}
				if f.Skipped != "" {
					m.put("skipped", f.Skipped)
				}
				return m
			}))
			if len(report.Change.Notes) > 0 {
				o.put("notes", texts(report.Change.Notes))
			}
			return withDiff(o, report.Change)
		},
	}, nil
}

func analyze(ctx context.Context, c *Call, a *analyzeArgs) (*Answer, error) {
	c.step("checking")
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	path, err := c.optional(v, a.Path)
	if err != nil {
		return nil, err
	}
	var paths []string
	if path != "" {
		paths = []string{path}
	}
	_, direct := writing{}.stage(c)
	report, err := c.project.Analyze(ctx, paths, pluto.EditOptions{Direct: direct})
	if err != nil {
		return nil, err
	}
	if err := c.after(ctx, report.Change); err != nil {
		return nil, err
	}
	errs, warnings := bySeverity(report.Diags)
	return &Answer{
		failed: len(errs) > 0,
		lines: func(b *strings.Builder) {
			fmt.Fprintf(b, "analyzed %s: %s, %s known, %s\n", plural(len(report.Modules), "module"), plural(report.Functions, "function"),
				plural(report.Known, "error set"), verdict(report.Diags))
			for _, path := range report.Written {
				fmt.Fprintf(b, "%s brought up to date%s\n", path, wait(report.Change))
			}
			diagLines(b, report.Diags)
		},
		doc: func() any {
			o := (&object{}).put("success", len(errs) == 0).put("stats", (&object{}).put("functions_analyzed", report.Functions).put("error_sets_computed", report.Known))
			o.put("updated", each(report.Written, func(p string) any { return c.path(p) }))
			return o.put("diagnostics", append(c.diagDocs(errs), c.diagDocs(warnings)...))
		},
	}, nil
}
