package pluto_test

import (
	"testing"

	"github.com/settgraph/sett/sdk/pluto"
)

// What random edits found.

// A dry run of a direct edit is refused where the edit would be.
func TestDryRunOverStagedEdits(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	rename := func(o pluto.EditOptions, to string) error {
		_, err := p.Edit(ctx, o, func(tx *pluto.Tx) error {
			_, err := tx.Rename(resolve(t, tx.View(), "store.name"), to, false)
			return err
		})
		return err
	}
	if err := rename(pluto.EditOptions{Staged: true}, "called"); err != nil {
		t.Fatal(err)
	}
	_, err := p.Edit(ctx, pluto.EditOptions{DryRun: true}, func(tx *pluto.Tx) error {
		_, err := tx.Rename(resolve(t, tx.View(), "store.called"), "named", false)
		return err
	})
	code(t, err, pluto.Conflict)
}

// A direct edit takes the staged steps before it over the same file out of the history: to
// undo them would undo it.
func TestDirectEditOverUndoneSteps(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	rename := func(o pluto.EditOptions, from, to string) {
		t.Helper()
		_, err := p.Edit(ctx, o, func(tx *pluto.Tx) error {
			_, err := tx.Rename(resolve(t, tx.View(), from), to, false)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	rename(pluto.EditOptions{Staged: true}, "store.name", "called")
	rename(pluto.EditOptions{Staged: true}, "store.called", "name")
	start := contents(t, p.Root())
	rename(pluto.EditOptions{Direct: true}, "Color.Red", "Crimson")
	c, err := p.Undo(ctx)
	if err != nil || c.Staged || len(p.Dirty()) > 0 {
		t.Fatalf("undo of the direct edit: %+v, %v", c, err)
	}
	equal(t, "undone", contents(t, p.Root()), start)
}

// What dangles is what dangles in the end.
func TestDanglingOfSeveral(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	c, err := p.Edit(ctx, pluto.EditOptions{Force: true}, func(tx *pluto.Tx) error {
		if _, err := tx.Delete(resolve(t, tx.View(), "store.name")); err != nil {
			return err
		}
		if _, err := tx.Delete(resolve(t, tx.View(), "dot")); err != nil {
			return err
		}
		_, err := tx.Delete(resolve(t, tx.View(), "store.find")) // that used name
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, u := range c.Dangling {
		got[u.Module.Path+" "+u.Line] = true
	}
	if len(got) != 3 || len(c.Dangling) != 3 || !got[`main.pluto let s = store.find(1) catch "none"`] {
		t.Errorf("what dangles: %v", got)
	}
}

// The findings of a change include those in files that it made into another program.
func TestFindingsOfOtherPrograms(t *testing.T) {
	p := project(t, `
-- main.pluto --
import lib.a
import lib.b

fn main() {
    print(a.one() + b.one())
}
-- lib/a.pluto --
pub fn one() int {
    return 1
}
-- lib/b.pluto --
pub fn one() int {
    return 2
}
`, pluto.Options{})
	c, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		_, err := tx.DeleteModule("main")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Diags) != 1 {
		t.Errorf("got %v, want that one is declared twice", c.Diags)
	}
}

// A view that was generated into memory and then edited on disk is no view in sync, and to
// reload its module drops nothing.
func TestStagedViews(t *testing.T) {
	p := project(t, shop, pluto.Options{Staged: true})
	if _, err := p.GeneratePT(ctx, "store", pluto.GenerateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Reload(ctx, "store.pluto", pluto.EditOptions{}); err != nil {
		t.Errorf("the module has no staged edits: %v", err)
	}
	write(t, p.Root(), "store.pt", "fn other() { }\n")
	_, err := p.SyncPT(ctx, "store.pt", "", pluto.SyncOptions{})
	code(t, err, pluto.Conflict)
}

// The graph knows declarations by the ids that the project gives them, also where another
// unit of the graph has taken the id that a name would have.
func TestGraphHasTheIDs(t *testing.T) {
	p := project(t, `
-- a/x.pluto --
fn f() int {
    return 1
}

fn g() int {
    return 2
}
-- b/y.pluto --
fn other() int {
    return 3
}
`, pluto.Options{})
	_, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		_, err := tx.Move(resolve(t, tx.View(), "a/x.f"), "b/y", pluto.Spot{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, p.Root(), "a/x.pluto", "fn g() int {\n    return 2\n}\n\nfn f() int {\n    return 4\n}\n")
	g := &game{t: t, root: p.Root(), p: p}
	g.now = g.look()
	g.afresh(true)
}
