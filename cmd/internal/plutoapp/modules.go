package plutoapp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/sdk/pluto"
)

const timeForm = time.RFC3339

func loadProject(ctx context.Context, c *Call, a *loadProjectArgs) (*Answer, error) {
	root, err := c.projectFolder(a.Path)
	if err != nil {
		return nil, err
	}
	c.step("loading")
	p, err := c.app.acquire(root, c.about.Stdlib)
	if err != nil {
		return nil, err
	}
	c.project = p
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	p.note(v, true)
	c.app.mu.Lock()
	c.app.loaded = root
	c.app.mu.Unlock()
	if c.app.options.Dialect == 0 {
		c.main = D001
	}
	var bad []*pluto.Module
	for _, m := range v.Modules() {
		if m.Err != nil {
			bad = append(bad, m)
		}
	}
	deps := v.Dependencies()
	cycle := v.ImportCycle()
	return &Answer{
		lines: func(b *strings.Builder) {
			fmt.Fprintf(b, "loaded %s of %s", plural(len(v.Modules())-len(bad), "module"), v.Root())
			if len(bad) > 0 {
				fmt.Fprintf(b, ", %d failed", len(bad))
			}
			b.WriteString("\n")
			if cycle != nil {
				fmt.Fprintf(b, "import cycle: %s\n", strings.Join(pathsOf(cycle), " -> "))
			}
			imports := map[*pluto.Module]string{}
			for _, d := range deps {
				imports[d.Module] = strings.Join(importNames(d), ", ")
			}
			for _, m := range v.Modules() {
				b.WriteString(moduleLine(m))
				if imports[m] != "" {
					b.WriteString("  imports " + imports[m])
				}
				b.WriteString("\n")
			}
		},
		doc: func() any {
			var good []*pluto.Module
			for _, m := range v.Modules() {
				if m.Err == nil {
					good = append(good, m)
				}
			}
			graph := (&object{}).put("module_count", len(deps)).put("has_circular_imports", cycle != nil).
				put("modules", each(deps, func(d pluto.Dependency) any {
					return (&object{}).put("path", c.abs(d.Module.Path)).put("name", dotted(d.Module.Name)).put("imports", texts(importNames(d)))
				}))
			if cycle != nil {
				graph.put("cycle", pathsOf(cycle))
			}
			return (&object{}).put("project_root", v.Root()).put("files_found", len(v.Modules())).
				put("files_loaded", len(good)).put("files_failed", len(bad)).
				put("modules", each(good, func(m *pluto.Module) any {
					return (&object{}).put("path", c.abs(m.Path)).put("declarations", len(m.Decls))
				})).
				put("errors", each(bad, func(m *pluto.Module) any {
					return (&object{}).put("path", c.abs(m.Path)).put("error", oneLine(m.Err.Error()))
				})).
				put("dependency_graph", graph)
		},
	}, nil
}

// projectFolder is the folder that load_project was asked for; it is the root as it is.
func (c *Call) projectFolder(path string) (string, error) {
	if path == "" {
		return c.app.root(c.dir)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("finding the project: %w", err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &Failure{Code: "not_found", Text: "there is no folder " + path}
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("finding the project: %w", err)
	case err != nil || !info.IsDir():
		return "", &params.Error{Param: "path", Text: "Not a directory: " + path}
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", fmt.Errorf("finding the project: %w", err)
	}
	return abs, nil
}

func pathsOf(modules []*pluto.Module) []string {
	var out []string
	for _, m := range modules {
		out = append(out, m.Path)
	}
	return out
}

// dotted is the name of a module as imports write it.
func dotted(name string) string { return strings.ReplaceAll(name, "/", ".") }

func importNames(d pluto.Dependency) []string {
	var out []string
	for _, m := range d.Imports {
		out = append(out, dotted(m.Name))
	}
	return append(out, d.Outside...)
}

func loadModule(ctx context.Context, c *Call, a *modulePathArgs) (*Answer, error) {
	if err := c.adopt(a.Path); err != nil {
		return nil, err
	}
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	m, err := v.Module(a.Path)
	if err != nil {
		return nil, err
	}
	if m.Err != nil {
		return nil, unreadable(m)
	}
	ds, err := v.Check(ctx, m.Path)
	if err != nil {
		return nil, err
	}
	c.project.noteFiles(v, m.Path)
	return &Answer{
		lines: func(b *strings.Builder) {
			fmt.Fprintf(b, "%s  %s\n", moduleLine(m), verdict(ds))
			for i, d := range m.Decls {
				if c.agent && i >= maxMembers {
					fmt.Fprintf(b, "and %d more: list_declarations has all\n", len(m.Decls)-i)
					break
				}
				b.WriteString(row(d) + "\n")
			}
			diagLines(b, ds)
		},
		doc: func() any {
			return c.object().put("path", c.abs(m.Path)).put("summary", summary(m)).
				put("declarations", each(m.Decls, func(d *pluto.Decl) any {
					return c.object().put("name", d.Name).named("id", "uuid", d.ID.String()).put("kind", d.Kind.String())
				})).put("diagnostics", c.diagDocs(ds))
		},
	}, nil
}

// adopt takes the project around a file for that of the session when nobody has chosen one
// and the file is not in the one that was found.
func (c *Call) adopt(path string) error {
	c.app.mu.Lock()
	chosen := c.app.options.Fixed || c.app.loaded != ""
	c.app.mu.Unlock()
	if chosen || c.about.Project != "" || !filepath.IsAbs(path) {
		return nil
	}
	p, err := c.use()
	if err != nil {
		return err
	}
	if _, err := inside(p.Root(), path); err == nil {
		return nil
	}
	root, err := c.app.root(filepath.Dir(path))
	if err != nil {
		return &Failure{Code: "not_found", Text: "Cannot read file: " + path, err: err}
	}
	c.close()
	if c.project, err = c.app.acquire(root, c.about.Stdlib); err != nil {
		c.project = nil
		return err
	}
	c.view = nil
	c.app.mu.Lock()
	c.app.loaded = root
	c.app.mu.Unlock()
	return nil
}

func reloadModule(ctx context.Context, c *Call, a *reloadModuleArgs) (*Answer, error) {
	p, err := c.use()
	if err != nil {
		return nil, err
	}
	before := map[string]string{}
	p.mu.Lock()
	for path, s := range p.seen {
		before[path] = s.hash
	}
	p.mu.Unlock()
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	path, err := v.Path(a.Path)
	if err != nil {
		return nil, err
	}
	change, err := p.Reload(ctx, path, pluto.EditOptions{Force: a.Force})
	if err != nil {
		return nil, err
	}
	c.view = nil
	if v, err = c.look(ctx); err != nil {
		return nil, err
	}
	m, err := v.Module(path)
	if err != nil {
		return nil, err
	}
	p.noteFiles(v, m.Path)
	message := "Reloaded successfully"
	if len(change.Added)+len(change.Removed)+len(change.Renamed)+len(change.Modified) == 0 && before[m.Path] == m.Hash {
		message = "Reloaded successfully: nothing had changed"
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			fmt.Fprintf(b, "reloaded %s: %d added, %d removed, %d renamed, %d modified\n", m.Path, len(change.Added), len(change.Removed), len(change.Renamed), len(change.Modified))
			c.changeLines(b, change)
		},
		doc: func() any {
			o := c.object().put("path", c.abs(m.Path)).put("reloaded", true).put("message", message)
			return c.changed(o, change)
		},
	}, nil
}

// changeLines writes what became of declarations.
func (c *Call) changeLines(b *strings.Builder, change *pluto.Change) {
	for _, l := range []struct {
		mark string
		list []pluto.DeclChange
	}{{"+", change.Added}, {"-", change.Removed}, {">", change.Renamed}, {"~", change.Modified}} {
		for _, d := range l.list {
			fmt.Fprintf(b, "%s %s %s  %s", l.mark, d.Kind, d.Handle, short(d.ID))
			if d.Was != "" && d.Was != d.Handle {
				b.WriteString("  was " + d.Was)
			}
			b.WriteString("\n")
		}
	}
}

// changed adds what became of declarations.
func (c *Call) changed(o *object, change *pluto.Change) *object {
	ref := func(d pluto.DeclChange) any {
		r := c.object().named("id", "uuid", d.ID.String()).put("name", d.Name).put("kind", d.Kind.String()).put("handle", d.Handle)
		if d.Was != "" {
			r.put("was", d.Was)
		}
		return r
	}
	return o.put("added", each(change.Added, ref)).put("removed", each(change.Removed, ref)).
		put("renamed", each(change.Renamed, ref)).put("modified", each(change.Modified, ref))
}

func moduleStatus(ctx context.Context, c *Call, a *listModulesArgs) (*Answer, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	all, err := c.below(v, a.Path)
	if err != nil {
		return nil, err
	}
	modules, cut, err := slice(a.page, all, 0, "module")
	if err != nil {
		return nil, err
	}
	known := map[string]sight{}
	c.project.mu.Lock()
	for _, m := range modules {
		known[m.Path] = c.project.seen[m.Path]
	}
	c.project.mu.Unlock()
	stale := func(m *pluto.Module) bool { return m.Stale || known[m.Path].hash != m.Hash }
	fresh, err := v.Freshness(ctx, modules)
	if err != nil {
		return nil, err
	}
	old := func(i int) bool { return fresh[i] == pluto.OldDerived }
	return &Answer{
		lines: func(b *strings.Builder) {
			n, dirty := 0, 0
			for _, m := range all {
				if m.Stale || known[m.Path].hash != m.Hash {
					n++
				}
				if m.Dirty {
					dirty++
				}
			}
			fmt.Fprintf(b, "%s, %d staged, %d changed on disk since they were loaded\n%s", plural(len(all), "module"), dirty, n, cut)
			for i, m := range modules {
				if m.Dirty || stale(m) || m.Err != nil || old(i) {
					b.WriteString(moduleLine(m))
					if stale(m) {
						b.WriteString("  changed on disk: reload_module says how")
					}
					if old(i) {
						b.WriteString("  what it holds of the check is old: analyze brings it up to date")
					}
					b.WriteString("\n")
				}
			}
		},
		doc: func() any {
			derived := map[*pluto.Module]pluto.Freshness{}
			for i, m := range modules {
				derived[m] = fresh[i]
			}
			return each(modules, func(m *pluto.Module) any {
				return (&object{}).put("path", c.path(m.Path)).put("is_stale", stale(m)).put("loaded_at", known[m.Path].at.UTC().Format(timeForm)).
					put("dirty", m.Dirty).put("content_hash", m.Hash).put("binary", m.Binary).put("derived", derived[m].String())
			})
		},
	}, nil
}

func createModule(ctx context.Context, c *Call, a *createModuleArgs) (*Answer, error) {
	var m *pluto.Module
	change, err := c.edit(ctx, a.writing, false, func(tx *pluto.Tx) error {
		path, err := tx.View().Path(a.Path)
		if err != nil {
			return err
		}
		m, err = tx.CreateModule(path, a.Source)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.edited(change, func(b *strings.Builder) {
		fmt.Fprintf(b, "created %s  %s\n", m.Path, state(change))
		for _, d := range m.Decls {
			b.WriteString(row(c.now(d)) + "\n")
		}
	}, func() any {
		o := c.object().put("path", c.path(m.Path)).put("name", m.Name).put("created", true).
			put("declarations", each(m.Decls, func(d *pluto.Decl) any { return c.brief(c.now(d)) }))
		return c.rest(o.put("diagnostics", c.diagDocs(change.Diags)), change)
	}), nil
}

func renameModule(ctx context.Context, c *Call, a *renameModuleArgs) (*Answer, error) {
	var was string
	var m *pluto.Module
	change, err := c.edit(ctx, a.writing, false, func(tx *pluto.Tx) error {
		old, err := tx.View().Module(a.Path)
		if err != nil {
			return err
		}
		was = old.Path
		to, err := tx.View().Path(a.To)
		if err != nil {
			return err
		}
		m, err = tx.RenameModule(old.Path, to)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.edited(change, func(b *strings.Builder) {
		fmt.Fprintf(b, "renamed %s -> %s: %s in %s, %s\n", was, m.Path, plural(change.Updated, "reference"), plural(len(files(change)), "file"), state(change))
	}, func() any {
		o := c.object().put("old_path", c.path(was)).put("path", c.path(m.Path)).put("name", m.Name).put("references_updated", change.Updated).
			put("modules_changed", each(files(change), func(f pluto.FileChange) any { return c.path(f.Path) }))
		return c.rest(o.put("diagnostics", c.diagDocs(change.Diags)), change)
	}), nil
}

func deleteModule(ctx context.Context, c *Call, a *deleteModuleArgs) (*Answer, error) {
	var was string
	var gone *pluto.Deleted
	change, err := c.edit(ctx, a.writing, a.Force, func(tx *pluto.Tx) error {
		old, err := tx.View().Module(a.Path)
		if err != nil {
			return err
		}
		was = old.Path
		gone, err = tx.DeleteModule(old.Path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.edited(change, func(b *strings.Builder) {
		fmt.Fprintf(b, "deleted %s  %s\n", was, state(change))
		if len(gone.Dangling) > 0 {
			fmt.Fprintf(b, "%s left behind\n", plural(len(gone.Dangling), "use"))
			c.sites(b, gone.Dangling, true)
		}
	}, func() any {
		o := c.object().put("deleted", c.path(was)).put("deleted_source", gone.Source).put("dangling_refs", c.dangling(gone.Dangling))
		return c.rest(o.put("diagnostics", c.diagDocs(change.Diags)), change)
	}), nil
}
