package plutoapp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

// options say how an edit is made.
func (w writing) options(c *Call, force bool) (pluto.EditOptions, error) {
	if w.Staged && w.Save {
		return pluto.EditOptions{}, &params.Error{Text: "staged and save exclude each other"}
	}
	return pluto.EditOptions{DryRun: w.DryRun, Staged: w.Staged, Direct: w.Save, Force: force}, nil
}

// edit makes an edit and remembers what it changed as known to the clients.
func (c *Call) edit(ctx context.Context, w writing, force bool, f func(tx *pluto.Tx) error) (*pluto.Change, error) {
	o, err := w.options(c, force)
	if err != nil {
		return nil, err
	}
	p, err := c.use()
	if err != nil {
		return nil, err
	}
	change, err := p.Edit(ctx, o, f)
	if err != nil {
		return nil, err
	}
	return change, c.after(ctx, change)
}

// after looks at the project as a change left it.
func (c *Call) after(ctx context.Context, change *pluto.Change) error {
	if change.DryRun {
		c.view = nil
		return nil
	}
	var paths []string
	for _, f := range change.Files {
		paths = append(paths, f.Path)
	}
	return c.known(ctx, paths)
}

// known looks at the project again, and takes files as they are now for those that the
// clients know.
func (c *Call) known(ctx context.Context, paths []string) error {
	c.view = nil
	v, err := c.look(ctx)
	if err != nil {
		return err
	}
	c.project.noteFiles(v, paths...)
	return nil
}

// edited answers an edit: with its diff when it was only tried, else with what it was.
func (c *Call) edited(change *pluto.Change, lines func(b *strings.Builder), doc func() any) *Answer {
	if change.DryRun {
		return &Answer{
			diff: true,
			lines: func(b *strings.Builder) {
				b.WriteString(c.capped(change.Diff, 0))
				if change.Diff == "" {
					b.WriteString("nothing would change\n")
				}
				c.aftermath(b, change)
			},
			doc: func() any {
				return c.object().put("dry_run", true).put("diff", change.Diff).put("references_updated", change.Updated).
					put("dangling_refs", c.dangling(change.Dangling)).put("notes", texts(change.Notes)).put("diagnostics", c.diagDocs(change.Diags))
			},
		}
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			lines(b)
			c.aftermath(b, change)
		},
		doc: doc,
	}
}

// aftermath writes what an edit left to do.
func (c *Call) aftermath(b *strings.Builder, change *pluto.Change) {
	for _, n := range change.Notes {
		b.WriteString("note: " + n + "\n")
	}
	diagLines(b, change.Diags)
}

// state is how an edit ended, for the end of its first line.
func state(change *pluto.Change) string {
	return verdict(change.Diags) + wait(change)
}

// wait says that a change is not on disk yet.
func wait(change *pluto.Change) string {
	if change != nil && change.Staged {
		return ", staged: save writes it"
	}
	return ""
}

// files are those of a change that are the user's, not ours.
func files(change *pluto.Change) []pluto.FileChange {
	return slices.DeleteFunc(slices.Clone(change.Files), func(f pluto.FileChange) bool { return strings.HasPrefix(f.Path, ".sett/") })
}

func texts(list []string) []any { return each(list, func(s string) any { return s }) }

// rest adds what edits say beside what the documents ask for.
func (c *Call) rest(o *object, change *pluto.Change) *object {
	if len(change.Notes) > 0 {
		o.put("notes", texts(change.Notes))
	}
	return o.put("staged", change.Staged)
}

// now is the declaration of a change as it is now.
func (c *Call) now(d *pluto.Decl) *pluto.Decl {
	if c.view != nil && d != nil {
		if at, err := c.view.Lookup(d.ID); err == nil {
			return at
		}
	}
	return d
}

func addDeclaration(ctx context.Context, c *Call, a *addDeclarationArgs) (*Answer, error) {
	var added []*pluto.Decl
	change, err := c.edit(ctx, a.writing, false, func(tx *pluto.Tx) error {
		path, err := tx.View().Path(a.Path)
		if err != nil {
			return err
		}
		at, err := c.spot(tx.View(), a.Position, c.ifModule(tx.View(), path))
		if err != nil {
			return err
		}
		added, err = tx.Add(path, a.Source, at)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, d := range added {
		added[i] = c.now(d)
	}
	return c.edited(change, func(b *strings.Builder) {
		for i, d := range added {
			b.WriteString("added " + row(d))
			if i == 0 {
				b.WriteString("  " + state(change))
			}
			b.WriteString("\n")
		}
		if len(added) == 0 {
			b.WriteString("added imports only  " + state(change) + "\n")
		}
	}, func() any { return c.added(added, change) }), nil
}

// ifModule is the path when there is such a file: a position may be in a file that is not
// there yet, and is then looked for everywhere, to be refused with a good reason.
func (c *Call) ifModule(v *pluto.View, path string) string {
	if _, err := v.Module(path); err != nil {
		return ""
	}
	return path
}

// added is what was added: in 000 one id, in 001 a list.
func (c *Call) added(added []*pluto.Decl, change *pluto.Change) any {
	list := each(added, func(d *pluto.Decl) any { return c.brief(d) })
	if c.main == D001 {
		if len(list) > 0 && len(change.Diags) > 0 {
			list[0].(*object).put("diagnostics", c.diagDocs(change.Diags))
		}
		return list
	}
	var id any
	if len(added) > 0 {
		id = added[0].ID.String()
	}
	o := (&object{}).put("id", id).put("diagnostics", c.diagDocs(change.Diags))
	if len(added) > 1 {
		o.put("declarations", list)
	}
	return c.rest(o, change)
}

func replaceDeclaration(ctx context.Context, c *Call, a *replaceDeclarationArgs) (*Answer, error) {
	var was string
	var d *pluto.Decl
	change, err := c.edit(ctx, a.writing, false, func(tx *pluto.Tx) error {
		old, err := c.findIn(tx.View(), a.Symbol, a.Path)
		if err != nil {
			return err
		}
		was = old.Handle()
		d, err = tx.Replace(old, a.Source)
		return err
	})
	if err != nil {
		return nil, err
	}
	d = c.now(d)
	return c.edited(change, func(b *strings.Builder) {
		b.WriteString("replaced " + row(d) + "  ")
		if was != d.Handle() {
			fmt.Fprintf(b, "was %s: %s in %s, ", was, plural(change.Updated, "reference"), plural(len(files(change)), "file"))
		}
		b.WriteString(state(change) + "\n")
	}, func() any {
		o := c.object().named("id", "uuid", d.ID.String()).put("name", d.Name).put("kind", d.Kind.String()).put("diagnostics", c.diagDocs(change.Diags))
		if was != d.Handle() {
			o.put("references_updated", change.Updated)
		}
		return c.rest(o, change)
	}), nil
}

// findIn is find in the view of an edit.
func (c *Call) findIn(v *pluto.View, symbol, path string, kinds ...xref.Kind) (*pluto.Decl, error) {
	c.view = v
	return c.find(context.Background(), symbol, path, kinds...)
}

func renameDeclaration(ctx context.Context, c *Call, a *renameDeclarationArgs) (*Answer, error) {
	var was *pluto.Decl
	var d *pluto.Decl
	change, err := c.edit(ctx, a.writing, false, func(tx *pluto.Tx) (err error) {
		if was, err = c.findIn(tx.View(), a.Symbol, a.Path); err != nil {
			return err
		}
		d, err = tx.Rename(was, a.NewName, a.Scope == "file")
		return err
	})
	if err != nil {
		return nil, err
	}
	d = c.now(d)
	return c.edited(change, func(b *strings.Builder) {
		fmt.Fprintf(b, "renamed %s -> %s: %s in %s, %s\n", was.Qual, d.Qual, plural(change.Updated, "reference"), plural(len(files(change)), "file"), state(change))
		fmt.Fprintf(b, "%s\n", row(d))
		for _, f := range files(change) {
			if f.Path != d.Module.Path {
				b.WriteString(f.Path + "\n")
			}
		}
	}, func() any {
		o := c.object().named("id", "uuid", d.ID.String()).put("old_name", was.Name).put("new_name", d.Name).put("references_updated", change.Updated)
		o.put("modules_changed", each(files(change), func(f pluto.FileChange) any { return c.path(f.Path) }))
		return c.rest(o.put("diagnostics", c.diagDocs(change.Diags)), change)
	}), nil
}

// deletes says whether a deletion goes through although something uses what goes: that is
// what both documents promise to who speaks their language, with the uses in the answer.
func (c *Call) deletes(force bool) bool {
	return force || c.app.options.Dialect != 0 || c.asked && c.json
}

func deleteDeclaration(ctx context.Context, c *Call, a *deleteDeclarationArgs) (*Answer, error) {
	var was *pluto.Decl
	var line string
	var gone *pluto.Deleted
	change, err := c.edit(ctx, a.writing, c.deletes(a.Force), func(tx *pluto.Tx) (err error) {
		if was, err = c.findIn(tx.View(), a.Symbol, a.Path); err != nil {
			return err
		}
		line = row(was)
		gone, err = tx.Delete(was)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.edited(change, func(b *strings.Builder) {
		fmt.Fprintf(b, "deleted %s  %s\n", line, state(change))
		if len(gone.Dangling) > 0 {
			fmt.Fprintf(b, "%s left behind\n", plural(len(gone.Dangling), "use"))
			c.sites(b, gone.Dangling, true)
		}
	}, func() any {
		refs := c.dangling(gone.Dangling)
		o := c.object().in(D000, "deleted", was.Name).in(D000, "dangling_references", refs).
			in(D001, "deleted_source", gone.Source).in(D001, "dangling_refs", refs).named("id", "uuid", was.ID.String())
		return c.rest(o.put("diagnostics", c.diagDocs(change.Diags)), change)
	}), nil
}

// dangling is uses of what is gone, with the members of both documents.
func (c *Call) dangling(uses []pluto.Use) []any {
	return each(uses, func(u pluto.Use) any {
		name, id := owner(u)
		of := u.Key.Qual
		if u.Target != nil {
			of = u.Target.Name
		}
		return c.object().put("kind", u.Kind.String()).put("name", of).in(D000, "function_id", id).put("function_name", name).
			put("module", u.At.File).put("span", span(u.Whole))
	})
}

func moveDeclaration(ctx context.Context, c *Call, a *moveDeclarationArgs) (*Answer, error) {
	var was string
	var d *pluto.Decl
	change, err := c.edit(ctx, a.writing, false, func(tx *pluto.Tx) error {
		v := tx.View()
		old, err := c.findIn(v, a.Symbol, a.Path)
		if err != nil {
			return err
		}
		was = old.Handle()
		to, err := v.Path(a.To)
		if err != nil {
			return err
		}
		at, err := c.spot(v, a.Position, c.ifModule(v, to))
		if err != nil {
			return err
		}
		d, err = tx.Move(old, to, at)
		return err
	})
	if err != nil {
		return nil, err
	}
	d = c.now(d)
	return c.edited(change, func(b *strings.Builder) {
		fmt.Fprintf(b, "moved %s -> %s: %s in %s, %s\n", was, d.Handle(), plural(change.Updated, "reference"), plural(len(files(change)), "file"), state(change))
		b.WriteString(row(d) + "\n")
	}, func() any {
		o := c.object().named("id", "uuid", d.ID.String()).put("name", d.Name).put("kind", d.Kind.String()).put("module", d.Module.Path).
			in(D001, "module_path", c.abs(d.Module.Path)).put("references_updated", change.Updated).
			put("modules_changed", each(files(change), func(f pluto.FileChange) any { return c.path(f.Path) }))
		return c.rest(o.put("diagnostics", c.diagDocs(change.Diags)), change)
	}), nil
}

func addMethod(ctx context.Context, c *Call, a *addMethodArgs) (*Answer, error) {
	return c.addMember(ctx, a.writing, func(tx *pluto.Tx) (*pluto.Decl, error) {
		owner, err := c.findIn(tx.View(), a.Symbol, a.Path, xref.Class, xref.Trait, xref.App)
		if err != nil {
			return nil, err
		}
		at, err := c.memberSpot(tx.View(), owner, a.Position)
		if err != nil {
			return nil, err
		}
		return tx.AddMethod(owner, a.Source, at)
	})
}

func addField(ctx context.Context, c *Call, a *addFieldArgs) (*Answer, error) {
	return c.addMember(ctx, a.writing, func(tx *pluto.Tx) (*pluto.Decl, error) {
		owner, err := c.findIn(tx.View(), a.Symbol, a.Path, xref.Class, xref.Error, xref.Variant, xref.App)
		if err != nil {
			return nil, err
		}
		at, err := c.memberSpot(tx.View(), owner, a.Position)
		if err != nil {
			return nil, err
		}
		return tx.AddField(owner, a.Name, a.Type, a.Injected, at)
	})
}

// memberSpot reads a position among members, which may go by their names alone.
func (c *Call) memberSpot(v *pluto.View, owner *pluto.Decl, position string) (pluto.Spot, error) {
	where, symbol, ok := strings.Cut(position, ":")
	for _, m := range owner.Members {
		if ok && m.Name == symbol {
			position = where + ":" + m.ID.String()
		}
	}
	return c.spot(v, position, "")
}

func (c *Call) addMember(ctx context.Context, w writing, add func(tx *pluto.Tx) (*pluto.Decl, error)) (*Answer, error) {
	var d *pluto.Decl
	change, err := c.edit(ctx, w, false, func(tx *pluto.Tx) (err error) {
		d, err = add(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	d = c.now(d)
	return c.edited(change, func(b *strings.Builder) {
		fmt.Fprintf(b, "added %s  %s\n", row(d), state(change))
	}, func() any {
		o := c.object().named("id", "uuid", d.ID.String()).put("name", d.Name)
		return c.rest(o.put("diagnostics", c.diagDocs(change.Diags)), change)
	}), nil
}

func save(ctx context.Context, c *Call, a *saveArgs) (*Answer, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	var only []string
	if a.Path != "" {
		path, err := v.Path(a.Path)
		if err != nil {
			return nil, err
		}
		if m, err := v.Module(path); err == nil {
			path = m.Path
		}
		only = append(only, path)
	}
	saved, err := c.project.Save(ctx, only...)
	if e := new(pluto.Error); asEngine(err, &e) && e.Code == pluto.Conflict {
		f := c.engineFailure(e)
		f.Hint = "nothing was written; discard drops the staged edits of that file, and save with a path writes other ones"
		return nil, f
	}
	if err != nil {
		return nil, err
	}
	if err := c.known(ctx, saved); err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			if len(saved) == 0 {
				b.WriteString("nothing to save: no edits are staged\n")
				return
			}
			fmt.Fprintf(b, "saved %s\n", plural(len(saved), "file"))
			for _, path := range saved {
				b.WriteString(path + "\n")
			}
		},
		doc: func() any {
			return (&object{}).put("saved", each(saved, func(p string) any { return c.path(p) }))
		},
	}, nil
}

func discard(ctx context.Context, c *Call, a *saveArgs) (*Answer, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	var only []string
	if a.Path != "" {
		path, err := v.Path(a.Path)
		if err != nil {
			return nil, err
		}
		only = append(only, path)
	}
	dropped, err := c.project.Discard(ctx, only...)
	if err != nil {
		return nil, err
	}
	if err := c.known(ctx, dropped); err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			if len(dropped) == 0 {
				b.WriteString("nothing to discard: no edits are staged\n")
				return
			}
			fmt.Fprintf(b, "discarded the staged edits of %s\n%s\n", plural(len(dropped), "file"), strings.Join(dropped, "\n"))
		},
		doc: func() any {
			return (&object{}).put("discarded", each(dropped, func(p string) any { return c.path(p) }))
		},
	}, nil
}

func undo(ctx context.Context, c *Call, _ *noArgs) (*Answer, error) {
	return c.travel(ctx, "undone", (*pluto.Project).Undo)
}

func redo(ctx context.Context, c *Call, _ *noArgs) (*Answer, error) {
	return c.travel(ctx, "redone", (*pluto.Project).Redo)
}

// travel goes one step in the history.
func (c *Call) travel(ctx context.Context, done string, step func(*pluto.Project, context.Context) (*pluto.Change, error)) (*Answer, error) {
	p, err := c.use()
	if err != nil {
		return nil, err
	}
	change, err := step(p.Project, ctx)
	if err != nil {
		return nil, err
	}
	if err := c.after(ctx, change); err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			fmt.Fprintf(b, "%s: %s (%s), %s\n", done, change.Label, plural(len(files(change)), "file"), state(change))
			for _, f := range files(change) {
				b.WriteString(f.Path + "\n")
			}
			c.aftermath(b, change)
		},
		doc: func() any {
			o := (&object{}).put(done, change.Label).put("files", each(files(change), func(f pluto.FileChange) any { return c.path(f.Path) }))
			return c.rest(o.put("diagnostics", c.diagDocs(change.Diags)), change)
		},
	}, nil
}

func history(ctx context.Context, c *Call, a *historyArgs) (*Answer, error) {
	p, err := c.use()
	if err != nil {
		return nil, err
	}
	entries, err := p.History()
	if err != nil {
		return nil, err
	}
	shown, cut, err := slice(a.page, entries, 20, "edit")
	if err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			if len(entries) == 0 {
				b.WriteString("no edits yet\n")
				return
			}
			b.WriteString(cut)
			for _, e := range shown {
				fmt.Fprintf(b, "%d  %s  %s%s\n", e.ID, e.Label, strings.Join(e.Files, ", "), marks(e))
			}
		},
		doc: func() any {
			return each(shown, func(e pluto.Entry) any {
				return (&object{}).put("id", e.ID).put("label", e.Label).put("time", e.Time.UTC().Format(timeForm)).put("files", texts(e.Files)).
					put("undone", e.Undone).put("staged", e.Staged)
			})
		},
	}, nil
}

func marks(e pluto.Entry) string {
	s := ""
	if e.Staged {
		s += "  staged"
	}
	if e.Undone {
		s += "  undone"
	}
	return s
}
