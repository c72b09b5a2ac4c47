package pluto

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// refer writes down in the PLTO files of a transaction to which declarations of other modules
// they refer.
func (tx *Tx) refer() error {
	s := step{ids: map[xref.Key]uuid.UUID{}, bytes: map[string][]byte{}}
	for name := range tx.touched {
		m := tx.view.byPath[name]
		if m == nil || !m.Binary || m.Err != nil {
			continue
		}
		c, err := tx.view.state.Checked(tx.ctx)
		if err != nil {
			return err
		}
		refs := tx.view.refs(c, m)
		if slices.Equal(refs, m.of.Binary.Refs) {
			continue
		}
		file := *m.of.Binary
		file.Refs = refs
		data, err := file.Encode()
		if err != nil {
			return fmt.Errorf("encoding %s: %w", name, err)
		}
		s.bytes[name] = data
		s.carry(m, nil)
	}
	if len(s.bytes) == 0 {
		return nil
	}
	return tx.apply(&s)
}

// refs are the declarations of other modules that a module names, in order.
func (v *View) refs(c *workspace.Checked, m *Module) []plto.Ref {
	seen := map[xref.Key]bool{}
	var out []plto.Ref
	for _, s := range c.Sites(m.Path) {
		if s.Target.File == m.Path || s.Target.File == "" || seen[s.Target] {
			continue
		}
		seen[s.Target] = true
		r := plto.Ref{Module: s.Target.File, Decl: v.ids.Of[s.Target], Name: s.Target.Qual, Kind: s.Target.Kind.String()}
		if r.Name == "" {
			continue // the module itself
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b plto.Ref) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}
