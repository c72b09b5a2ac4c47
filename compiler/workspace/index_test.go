package workspace

import (
	"slices"
	"testing"

	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/compiler/xref"
)

// Uses are found from both ends as looking through all of them finds them.
func TestUsesFromBothEnds(t *testing.T) {
	f := files(plutotest.Project(5, plutotest.Shape{Modules: 40, Folders: 4, Tests: 30}))
	s := build(t, f.input(t.TempDir()), nil)
	c := checked(t, s)
	var all []xref.Site
	for _, m := range s.Modules() {
		all = append(all, c.Sites(m.Path)...)
	}
	of, by := map[xref.Key][]xref.Site{}, map[xref.Key][]xref.Site{}
	for _, site := range all {
		of[site.Target] = append(of[site.Target], site)
		by[site.Owner] = append(by[site.Owner], site)
		if d := s.Decl(site.Owner); d != nil && d.Parent != nil {
			by[d.Parent.Key] = append(by[d.Parent.Key], site)
		}
	}
	if len(of) < 300 || len(by) < 300 {
		t.Fatalf("%d used, %d using: want 300 at least", len(of), len(by))
	}
	for _, m := range s.Modules() {
		for d := range xref.All(m.Decls) {
			if !slices.Equal(c.UsesOf(d.Key), of[d.Key]) {
				t.Errorf("%v: %d uses, want %d", d.Key, len(c.UsesOf(d.Key)), len(of[d.Key]))
			}
			if !slices.Equal(c.UsedBy(d.Key), by[d.Key]) {
				t.Errorf("%v uses %d, want %d", d.Key, len(c.UsedBy(d.Key)), len(by[d.Key]))
			}
		}
	}
	if c.UsesOf(xref.Key{File: "none"}) != nil || c.UsedBy(xref.Key{File: "none"}) != nil {
		t.Error("what is not there is used, or uses something")
	}
}
