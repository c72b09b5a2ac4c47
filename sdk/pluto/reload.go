package pluto

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/match"
	"github.com/settgraph/sett/compiler/xref"
)

// Reload takes a module as another program left it on disk, or all modules for "". Every View
// sees such changes by itself; Reload also finds out which declaration of the old text is
// which of the new one, so that those that were renamed or moved keep their ids. The change
// says what came, went and was renamed since the project was opened or this module was last
// edited or reloaded here. With staged edits of the module it is refused, unless it is forced:
// then they are dropped. What it records is no step of the history.
func (p *Project) Reload(ctx context.Context, path string, o EditOptions) (*Change, error) {
	if _, err := p.View(ctx); err != nil { // so that there is something to compare with
		return nil, err
	}
	names, err := p.chosen(pathsOf(path))
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		if !o.Force {
			return nil, &Error{Code: Conflict, Text: strings.Join(names, ", ") + " has staged edits, which would be lost", Files: names, Hint: "save or discard them first, or force it"}
		}
		if !o.DryRun {
			if _, err := p.Discard(ctx, names...); err != nil {
				return nil, err
			}
		}
	}
	o.Direct, o.Staged, o.reload = true, false, true
	if o.Label == "" {
		o.Label = strings.TrimSpace("reload " + path)
	}
	o.DryRun = o.DryRun || p.opts.ReadOnly
	return p.edit(ctx, o, func(tx *Tx) ([]*Module, error) { return tx.reload(path) })
}

func pathsOf(path string) []string {
	if path == "" {
		return nil
	}
	return []string{path}
}

// reload gives the declarations of modules that others changed the ids that they had. It
// returns the modules as they were known before.
func (tx *Tx) reload(path string) ([]*Module, error) {
	tx.p.mu.Lock()
	seen := maps.Clone(tx.p.seen)
	tx.p.mu.Unlock()
	names := map[string]bool{}
	if path != "" {
		name, err := tx.known(path, seen)
		if err != nil {
			return nil, err
		}
		names[name] = true
	} else {
		for name := range seen {
			names[name] = true
		}
		for _, m := range tx.view.modules {
			names[m.Path] = true
		}
	}
	var old []*Module
	in := match.Input{IDs: map[xref.Key]uuid.UUID{}, Hints: map[xref.Key]uuid.UUID{}}
	s := step{ids: map[xref.Key]uuid.UUID{}, texts: map[string]string{}, binary: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, now := seen[name], tx.view.byPath[name]
		if was == now {
			continue
		}
		tx.reloaded = append(tx.reloaded, name)
		if was != nil {
			old = append(old, was)
			in.Old = append(in.Old, match.File{File: was.file, Decls: was.of.Decls})
			in.IDs[was.Self.Key] = was.ID
			for d := range was.All() {
				in.IDs[d.Key] = d.ID
			}
			s.ids[was.Self.Key] = was.ID
		}
		if now == nil || now.Binary || now.Err != nil {
			continue
		}
		in.New = append(in.New, match.File{File: now.file, Decls: now.of.Decls})
		for d := range now.All() {
			if id, ok := identity.Hint(d.Decl); ok {
				in.Hints[d.Key] = id
			}
		}
		s.texts[name], s.binary[name] = now.Text(), false
	}
	if len(s.texts) == 0 {
		return old, nil
	}
	maps.Copy(s.ids, match.Match(in).IDs(in.IDs))
	return old, tx.apply(&s)
}

// known is the path of a module that is there, or that was.
func (tx *Tx) known(path string, seen map[string]*Module) (string, error) {
	m, err := tx.view.Module(path)
	if err == nil {
		return m.Path, nil
	}
	rel, perr := tx.view.Path(path)
	if perr != nil {
		return "", perr
	}
	for _, try := range []string{rel, rel + ".pluto", rel + ".pt"} {
		if seen[try] != nil {
			return try, nil
		}
	}
	return "", fmt.Errorf("reloading: %w", err)
}
