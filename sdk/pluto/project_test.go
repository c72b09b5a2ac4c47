package pluto_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/sdk/pluto"
)

// The same edits, staged and saved or written at once, give the same bytes and ids; until
// they are saved the disk does not change, and each can be undone by itself.
func TestStagedIsDirect(t *testing.T) {
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			direct, staged := t.TempDir(), t.TempDir()
			lay(t, direct, shop)
			lay(t, staged, shop)
			d, s := open(t, direct, pluto.Options{}), open(t, staged, pluto.Options{Staged: true})
			start, startIDs := contents(t, staged), ids(view(t, s))
			for _, p := range []*pluto.Project{d, s} {
				if _, err := p.Edit(ctx, pluto.EditOptions{Force: true}, func(tx *pluto.Tx) error { return e.do(t, tx) }); err != nil {
					t.Fatal(err)
				}
			}
			want, wantIDs := contents(t, direct), ids(view(t, d))
			equal(t, "disk before the save", contents(t, staged), start)
			equal(t, "ids before the save", ids(view(t, s)), wantIDs)
			if len(s.Dirty()) == 0 {
				t.Error("nothing is dirty")
			}
			if _, err := s.Undo(ctx); err != nil {
				t.Fatal(err)
			}
			equal(t, "ids after undo in memory", ids(view(t, s)), startIDs)
			if _, err := s.Redo(ctx); err != nil {
				t.Fatal(err)
			}
			saved, err := s.Save(ctx)
			if err != nil || len(saved) == 0 {
				t.Fatal(saved, err)
			}
			equal(t, "disk after the save", contents(t, staged), want)
			equal(t, "ids after the save", ids(view(t, s)), wantIDs)
			equal(t, "ids after a restart", ids(view(t, open(t, staged, pluto.Options{}))), wantIDs)
			if len(s.Dirty()) != 0 {
				t.Error("something is dirty after the save")
			}
			if _, err := s.Undo(ctx); err != nil {
				t.Fatal(err)
			}
			equal(t, "disk after undoing the save", contents(t, staged), start)
			equal(t, "ids after undoing the save", ids(view(t, s)), startIDs)
		})
	}
}

func rename(symbol, to string) func(tx *pluto.Tx) error {
	return func(tx *pluto.Tx) error {
		d, err := tx.View().Resolve(symbol, "")
		if err == nil {
			_, err = tx.Rename(d, to, false)
		}
		return err
	}
}

func TestEditsLeaveCleanPrograms(t *testing.T) {
	for _, e := range edits {
		if strings.Contains(e.name, "delete a module") {
			continue
		}
		p := project(t, shop, pluto.Options{})
		c, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error { return e.do(t, tx) })
		if err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		errors := 0
		for _, d := range c.Diags {
			if d.Severity == 0 && e.name != "add members" { // literals and matches want the new members
				errors++
				t.Errorf("%s: %s", e.name, d.Message)
			}
		}
		if e.name != "add members" {
			clean(t, view(t, p))
		}
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	p := project(t, shop, pluto.Options{ReadOnly: true})
	before := contents(t, p.Root())
	c, err := p.Edit(ctx, pluto.EditOptions{DryRun: true}, rename("dot", "scalar"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "disk", contents(t, p.Root()), before)
	if _, err := os.Stat(filepath.Join(p.Root(), ".sett")); err == nil {
		t.Error("a dry run made .sett")
	}
	for _, line := range []string{
		"--- a/main.pluto", "+++ b/main.pluto", "-    print(vectors.dot(v, v) + vectors.half(8))", "+    print(vectors.scalar(v, v) + vectors.half(8))", "--- a/math/vectors.pluto",
	} {
		if !strings.Contains(c.Diff, line+"\n") {
			t.Errorf("the diff has no line %q:\n%s", line, c.Diff)
		}
	}
	if c.Updated != 2 || len(c.Renamed) != 1 || c.Renamed[0].Was != "math/vectors.dot" || c.Renamed[0].Handle != "math/vectors.scalar" {
		t.Errorf("%+v", c)
	}
	if _, err := view(t, p).Resolve("scalar", ""); pluto.CodeOf(err) != pluto.NotFound {
		t.Error("the dry run shows in a view")
	}
}

func TestRefusals(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	before := contents(t, p.Root())
	v := view(t, p)
	stale := resolve(t, v, "name")
	for name, c := range map[string]struct {
		code pluto.Code
		text string
		do   func(tx *pluto.Tx) error
	}{
		"a name that is taken":  {pluto.Conflict, "", rename("find", "name")},
		"a keyword":             {pluto.InvalidArgument, "", rename("find", "match")},
		"what is used":          {pluto.Conflict, "is used in 2 places", func(tx *pluto.Tx) error { _, err := tx.Delete(resolve(t, tx.View(), "dot")); return err }},
		"a module that is used": {pluto.Conflict, "is used in", func(tx *pluto.Tx) error { _, err := tx.DeleteModule("store"); return err }},
		"outside":               {pluto.OutsideProject, "", func(tx *pluto.Tx) error { _, err := tx.Add("../x.pluto", "fn f() { }", pluto.Spot{}); return err }},
		"absolute outside":      {pluto.OutsideProject, "", func(tx *pluto.Tx) error { _, err := tx.CreateModule("/etc/x.pluto", ""); return err }},
		"a sibling of the root": {pluto.OutsideProject, "", func(tx *pluto.Tx) error { _, err := tx.CreateModule(p.Root()+"-evil/x.pluto", ""); return err }},
		"no Pluto file":         {pluto.InvalidArgument, "", func(tx *pluto.Tx) error { _, err := tx.CreateModule("x.go", ""); return err }},
		"sett's own folder":     {pluto.InvalidArgument, "", func(tx *pluto.Tx) error { return tx.Put(".sett/pluto-ids.json", nil) }},
		"another kind": {pluto.KindMismatch, "", func(tx *pluto.Tx) error {
			_, err := tx.Replace(resolve(t, tx.View(), "dot"), "class dot { }")
			return err
		}},
		"no Pluto": {pluto.ParseError, "", func(tx *pluto.Tx) error { _, err := tx.Add("store", "fn f( {", pluto.Spot{}); return err }},
		"what this edit deleted": {pluto.Stale, "not there any more", func(tx *pluto.Tx) error {
			d := resolve(t, tx.View(), "Vector.square")
			if _, err := tx.Delete(d); err != nil {
				return err
			}
			d.ID = uuid.New()
			_, err := tx.Delete(d)
			return err
		}},
		"both positions": {pluto.InvalidArgument, "", func(tx *pluto.Tx) error {
			_, err := tx.Add("store", "fn f() { }", pluto.Spot{Before: stale, After: stale})
			return err
		}},
	} {
		_, err := p.Edit(ctx, pluto.EditOptions{}, c.do)
		if pluto.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.text) {
			t.Errorf("%s: %q %v, want %q with %q", name, pluto.CodeOf(err), err, c.code, c.text)
		}
	}
	equal(t, "disk after refusals", contents(t, p.Root()), before)
	// What somebody else changed since it was read.
	write(t, p.Root(), "store.pluto", strings.Replace(before["store.pluto"], `"red"`, `"rot"`, 1))
	_, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		_, err := tx.Replace(stale, "fn name(c: Color) string { return \"\" }")
		return err
	})
	code(t, err, pluto.Stale)
	// An operation after a failed one still works.
	_, err = p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		if rename("find", "name")(tx) == nil {
			t.Error("renamed over another")
		}
		return rename("find", "look")(tx)
	})
	if err != nil {
		t.Error(err)
	}
}

func TestConflictOnDisk(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	_, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		if err := rename("dot", "scalar")(tx); err != nil {
			return err
		}
		write(t, p.Root(), "main.pluto", "fn main() { }\n")
		return nil
	})
	if e := code(t, err, pluto.Conflict); !slices.Equal(e.Files, []string{"main.pluto"}) || e.Hint == "" {
		t.Errorf("%+v", e)
	}
	if got := contents(t, p.Root()); strings.Contains(got["math/vectors.pluto"], "scalar") {
		t.Error("half of the edit was written")
	}
	if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("dot", "scalar")); err != nil {
		t.Errorf("planning again: %v", err)
	}
	// The same for staged edits, and for undo.
	s := open(t, p.Root(), pluto.Options{Staged: true})
	if _, err := s.Edit(ctx, pluto.EditOptions{}, rename("scalar", "inner")); err != nil {
		t.Fatal(err)
	}
	write(t, p.Root(), "math/vectors.pluto", "pub fn other() { }\n")
	if m, _ := view(t, s).Module("math/vectors"); !m.Dirty || !m.Stale {
		t.Error("the module is not said to be stale")
	}
	_, err = s.Save(ctx)
	code(t, err, pluto.Conflict)
	_, err = p.Undo(ctx)
	code(t, err, pluto.Conflict)
}

func TestReadOnly(t *testing.T) {
	p := project(t, shop, pluto.Options{ReadOnly: true})
	_, err := p.Edit(ctx, pluto.EditOptions{}, rename("dot", "scalar"))
	code(t, err, pluto.ReadOnly)
	_, err = p.Undo(ctx)
	code(t, err, pluto.ReadOnly)
	_, err = p.Save(ctx)
	code(t, err, pluto.ReadOnly)
	if _, err := os.Stat(filepath.Join(p.Root(), ".sett")); err == nil {
		t.Error("made .sett")
	}
}

func TestPartialSaveAndDiscard(t *testing.T) {
	p := project(t, shop, pluto.Options{Staged: true})
	for _, f := range []func(tx *pluto.Tx) error{rename("store.name", "label"), rename("square", "norm")} {
		if _, err := p.Edit(ctx, pluto.EditOptions{}, f); err != nil {
			t.Fatal(err)
		}
	}
	saved, err := p.Save(ctx, "store")
	if err != nil || !slices.Equal(saved, []string{"store.pluto"}) {
		t.Fatal(saved, err)
	}
	if !slices.Equal(p.Dirty(), []string{"math/vectors.pluto"}) {
		t.Errorf("dirty: %v", p.Dirty())
	}
	want := ids(view(t, p))
	if dropped, err := p.Discard(ctx); err != nil || len(dropped) != 1 {
		t.Fatal(dropped, err)
	}
	if _, err := view(t, p).Resolve("norm", ""); err == nil {
		t.Error("the discarded name is there")
	}
	if _, err := p.Undo(ctx); err != nil {
		t.Fatal(err)
	}
	equal(t, "ids after undoing the discard", ids(view(t, p)), want)
	if _, err := p.Edit(ctx, pluto.EditOptions{Direct: true}, rename("norm", "x2")); pluto.CodeOf(err) != pluto.Conflict {
		t.Errorf("a direct edit over staged ones: %v", err)
	}
	if _, err := p.Edit(ctx, pluto.EditOptions{Direct: true}, rename("label", "word")); err != nil {
		t.Errorf("a direct edit beside staged ones: %v", err)
	}
	h, err := p.History()
	if err != nil || len(h) < 3 || !h[0].Staged || h[len(h)-1].Staged {
		t.Errorf("history: %+v %v", h, err)
	}
}

// What is renamed outside keeps its id through Reload, over restarts too.
func TestReload(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	v := view(t, p)
	dot, half, square := resolve(t, v, "dot"), resolve(t, v, "half"), resolve(t, v, "Vector.square")
	text := contents(t, p.Root())["math/vectors.pluto"]
	text = strings.ReplaceAll(strings.ReplaceAll(text, "dot(", "inner("), "square(", "norm(")
	text = strings.Replace(text, "pub fn half(n: int) int {\n    return n / 2\n}\n", "", 1) + "\nfn fresh() { print(\"quite another thing\") }\n"
	write(t, p.Root(), "math/vectors.pluto", text)
	if _, err := view(t, p).Resolve("inner", ""); err != nil {
		t.Errorf("a view does not see what was written: %v", err)
	}
	c, err := p.Reload(ctx, "math/vectors", pluto.EditOptions{})
	if err != nil {
		t.Fatal(err)
	}
	handles := func(ds []pluto.DeclChange) string {
		var out []string
		for _, d := range ds {
			out = append(out, d.Name)
		}
		return strings.Join(out, " ")
	}
	if handles(c.Added) != "fresh" || handles(c.Removed) != "half" || handles(c.Renamed) != "norm inner" {
		t.Errorf("added %s, removed %s, renamed %s", handles(c.Added), handles(c.Removed), handles(c.Renamed))
	}
	for range 2 {
		for name, d := range map[string]*pluto.Decl{"inner": dot, "Vector.norm": square} {
			if now := resolve(t, view(t, p), name); now.ID != d.ID {
				t.Errorf("%s lost its id", name)
			}
		}
		if _, err := view(t, p).Lookup(half.ID); pluto.CodeOf(err) != pluto.NotFound {
			t.Errorf("half is there: %v", err)
		}
		p = open(t, p.Root(), pluto.Options{})
	}
	if c, err = p.Reload(ctx, "", pluto.EditOptions{}); err != nil || len(c.Added)+len(c.Removed)+len(c.Renamed)+len(c.Modified) != 0 {
		t.Errorf("nothing to reload: %+v %v", c, err)
	}
	s := open(t, p.Root(), pluto.Options{Staged: true})
	if _, err := s.Edit(ctx, pluto.EditOptions{}, rename("find", "look")); err != nil {
		t.Fatal(err)
	}
	_, err = s.Reload(ctx, "store", pluto.EditOptions{})
	code(t, err, pluto.Conflict)
	if _, err = s.Reload(ctx, "store", pluto.EditOptions{Force: true}); err != nil {
		t.Error(err)
	}
	if len(s.Dirty()) != 1 {
		t.Errorf("dirty: %v", s.Dirty())
	}
	if err := os.Remove(filepath.Join(p.Root(), "store.pluto")); err != nil {
		t.Fatal(err)
	}
	if c, err = p.Reload(ctx, "store", pluto.EditOptions{}); err != nil || len(c.Removed) != 1 {
		t.Errorf("a module that is gone: %+v %v", c, err)
	}
	_, err = p.Reload(ctx, "nowhere", pluto.EditOptions{})
	code(t, err, pluto.NotFound)
}

func TestBinaryProject(t *testing.T) {
	root := t.TempDir()
	lay(t, root, shop)
	forms[2].prepare(t, root)
	p := open(t, root, pluto.Options{})
	var added []*pluto.Decl
	_, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) (err error) {
		if err = rename("dot", "inner")(tx); err != nil {
			return err
		}
		added, err = tx.Add("fresh", "// A comment.\nfn fresh(a: int) int {\n    return a\n}", pluto.Spot{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range contents(t, root) {
		file, err := plto.Decode([]byte(data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		known := ids(view(t, p))
		for _, d := range file.Decls {
			if known[d.ID] == "" {
				t.Errorf("%s: %s %s is not in the project", name, d.Kind, d.Name)
			}
		}
		if file.Derived != nil {
			t.Errorf("%s: has derived data of another text", name)
		}
		if name == "main.pluto" {
			i := slices.IndexFunc(file.Refs, func(r plto.Ref) bool { return r.Name == "inner" })
			if i < 0 || file.Refs[i].Decl != resolve(t, view(t, p), "inner").ID || file.Refs[i].Module != "math/vectors.pluto" {
				t.Errorf("refs: %+v", file.Refs)
			}
		}
	}
	if added[0].ID.Version() != 4 || !added[0].Module.Binary {
		t.Errorf("the new one: %v, binary %v", added[0].ID, added[0].Module.Binary)
	}
	if _, err := os.Stat(filepath.Join(root, ".sett/pluto-ids.json")); err == nil {
		t.Error("ids of PLTO files were recorded beside them")
	}
	clean(t, view(t, p))
}

func TestViewsDoNotChange(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	v := view(t, p)
	before := ids(v)
	if view(t, p) != v {
		t.Error("nothing changed, and it is another view")
	}
	if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("dot", "scalar")); err != nil {
		t.Fatal(err)
	}
	equal(t, "the old view", ids(v), before)
	if d, err := v.Resolve("dot", ""); err != nil || !strings.Contains(d.Source(), "fn dot(") {
		t.Errorf("the old view: %v", err)
	}
}

func TestSidecarDamage(t *testing.T) {
	for _, text := range []string{"", "{", "\xff\xfe", `{"version":9}`, `{"version":1,"ids":[{"file":"/etc/passwd"}]}`, strings.Repeat("[", 100000)} {
		p := project(t, shop, pluto.Options{})
		write(t, p.Root(), ".sett/pluto-ids.json", text)
		if len(view(t, p).Modules()) != 3 {
			t.Errorf("%.20q: modules are missing", text)
		}
		if text != "" && len(p.Notes()) == 0 {
			t.Errorf("%.20q: nothing is said", text)
		}
		if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("dot", "scalar")); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
		kept, err := os.ReadFile(filepath.Join(p.Root(), ".sett/pluto-ids.json.damaged"))
		if _, _, bad := identity.Decode([]byte(text)); bad != nil && (err != nil || string(kept) != text) {
			t.Errorf("%.20q was written over: %.20q, %v", text, kept, err)
		}
	}
}

// What is recorded about a file holds when the file comes back, as after a checkout of
// another branch and back again; and edits meanwhile do not lose it.
func TestRecordsOutliveAbsence(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	old := contents(t, p.Root())
	if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("dot", "scalar")); err != nil {
		t.Fatal(err)
	}
	now, want := contents(t, p.Root()), ids(view(t, p))
	for _, away := range []func(){
		func() { write(t, p.Root(), "math/vectors.pluto", old["math/vectors.pluto"]) },
		func() { os.Remove(filepath.Join(p.Root(), "math/vectors.pluto")) },
	} {
		away()
		if _, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
			_, err := tx.Add("store", "fn meanwhile() { }", pluto.Spot{})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Undo(ctx); err != nil {
			t.Fatal(err)
		}
		write(t, p.Root(), "math/vectors.pluto", now["math/vectors.pluto"])
		equal(t, "ids after it came back", ids(view(t, open(t, p.Root(), pluto.Options{}))), want)
	}
}

// Taken names leave their ids with those who had them first.
func TestNameGoesOn(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	dot := resolve(t, view(t, p), "dot")
	if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("dot", "scalar")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		_, err := tx.Add("math/vectors", "fn dot() int {\n    return 0\n}", pluto.Spot{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		v := view(t, p)
		if now := resolve(t, v, "scalar"); now.ID != dot.ID {
			t.Error("the renamed one has another id")
		}
		other := resolve(t, v, "dot")
		if other.ID == dot.ID {
			t.Error("two have one id")
		}
		p = open(t, p.Root(), pluto.Options{})
		if again := resolve(t, view(t, p), "dot"); again.ID != other.ID {
			t.Error("the new one has another id after a restart")
		}
	}
}

func TestDamagedModules(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	write(t, p.Root(), "bad.pluto", "PLTO\x04\x00\x00\x00rest")
	write(t, p.Root(), "broken.pluto", "fn f( {\n\nfn g() int { return 1 }\n")
	m, err := view(t, p).Module("bad")
	if err != nil || m.Err == nil {
		t.Errorf("a damaged module: %v %v", m, err)
	}
	if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("half", "part")); err != nil {
		t.Errorf("it is in the way of edits elsewhere: %v", err)
	}
	if got := contents(t, p.Root())["bad.pluto"]; got != "PLTO\x04\x00\x00\x00rest" {
		t.Errorf("it was written: %q", got)
	}
	if _, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error { _, err := tx.Add("bad", "fn h() { }", pluto.Spot{}); return err }); err == nil {
		t.Error("an edit of it overwrote it")
	}
}

// Two processes' worth of projects and many goroutines edit and read at once: every edit
// happens once or is refused, and nothing is lost.
func TestConcurrentEdits(t *testing.T) {
	root := t.TempDir()
	lay(t, root, shop)
	projects := []*pluto.Project{open(t, root, pluto.Options{}), open(t, root, pluto.Options{})}
	const writers, each = 4, 6
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			p := projects[w%2]
			for i := range each {
				_, err := p.Edit(ctx, pluto.EditOptions{NoCheck: true}, func(tx *pluto.Tx) error {
					_, err := tx.Add("store", fmt.Sprintf("fn added%d_%d() int {\n    return %d\n}", w, i, i), pluto.Spot{})
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range each * 3 {
				v, err := projects[w%2].View(ctx)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := v.Resolve("find", ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, p := range projects {
		if n := len(view(t, p).Find("added", pluto.FindOptions{Match: pluto.Prefix})); n != writers*each {
			t.Errorf("%d declarations, want %d", n, writers*each)
		}
	}
	for range writers * each {
		if _, err := projects[0].Undo(ctx); err != nil {
			t.Fatal(err)
		}
	}
	want := open(t, func() string { r := t.TempDir(); lay(t, r, shop); return r }(), pluto.Options{})
	equal(t, "after undoing all", contents(t, root), contents(t, want.Root()))
}

// A process that is killed in the middle of edits leaves the project before or after one.
func TestMain(m *testing.M) {
	if root := os.Getenv("SETT_PLUTO_CHILD"); root != "" {
		p, err := pluto.Open(root, pluto.Options{})
		for err == nil {
			for _, to := range []string{"scalar", "dot"} {
				if err == nil {
					_, err = p.Edit(context.Background(), pluto.EditOptions{NoCheck: true}, rename(map[string]string{"dot": "scalar", "scalar": "dot"}[to], to))
				}
			}
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestKilled(t *testing.T) {
	root := t.TempDir()
	lay(t, root, shop)
	states := []map[string]string{contents(t, root)}
	id := resolve(t, view(t, open(t, root, pluto.Options{})), "dot").ID
	p := open(t, root, pluto.Options{})
	if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("dot", "scalar")); err != nil {
		t.Fatal(err)
	}
	states = append(states, contents(t, root))
	if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("scalar", "dot")); err != nil {
		t.Fatal(err)
	}
	rounds := 15
	if testing.Short() {
		rounds = 4
	}
	for range rounds {
		if _, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
			if _, err := tx.View().Resolve("scalar", ""); err == nil {
				return rename("scalar", "dot")(tx)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), "SETT_PLUTO_CHILD="+root)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(80*time.Millisecond + time.Duration(uuid.New()[0])*200*time.Microsecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if stderr.Len() > 0 {
			t.Fatal(stderr.String())
		}
		v := view(t, open(t, root, pluto.Options{}))
		got := contents(t, root)
		if !slices.ContainsFunc(states, func(s map[string]string) bool {
			return s["main.pluto"] == got["main.pluto"] && s["math/vectors.pluto"] == got["math/vectors.pluto"] && len(s) == len(got)
		}) {
			t.Fatalf("half of an edit: %v", got)
		}
		if d, err := v.Lookup(id); err != nil || d.Name != "dot" && d.Name != "scalar" {
			t.Errorf("the id is of %v: %v", d, err)
		}
	}
}

// The human view of a PLTO module goes where the module goes.
func TestHumanViews(t *testing.T) {
	root := t.TempDir()
	lay(t, root, shop)
	forms[2].prepare(t, root)
	p := open(t, root, pluto.Options{})
	write(t, root, "math/vectors.pt", "// A view.\n")
	start := contents(t, root)
	for name, do := range map[string]func(tx *pluto.Tx) error{
		"planes": func(tx *pluto.Tx) error { _, err := tx.RenameModule("math/vectors", "math/planes"); return err },
		"":       func(tx *pluto.Tx) error { _, err := tx.DeleteModule("math/vectors"); return err },
	} {
		if _, err := p.Edit(ctx, pluto.EditOptions{Force: true}, do); err != nil {
			t.Fatal(err)
		}
		got := contents(t, root)
		if _, ok := got["math/vectors.pt"]; ok {
			t.Error("the view stayed where it was")
		}
		if name != "" && got["math/"+name+".pt"] != "// A view.\n" {
			t.Errorf("the view did not go along: %v", slices.Sorted(maps.Keys(got)))
		}
		if _, err := p.Undo(ctx); err != nil {
			t.Fatal(err)
		}
		equal(t, "files after undo", contents(t, root), start)
	}
}

// Links and dots lead nowhere out of the project.
func TestConfinement(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	outside := t.TempDir()
	write(t, outside, "x.pluto", "fn f() { }\n")
	for name, to := range map[string]string{"out": outside, "file.pluto": filepath.Join(outside, "x.pluto"), "loop": "loop", "nowhere.pluto": filepath.Join(outside, "new.pluto")} {
		if err := os.Symlink(to, filepath.Join(p.Root(), name)); err != nil {
			t.Skip(err)
		}
	}
	v := view(t, p)
	if len(v.Modules()) != 3 {
		t.Errorf("%d modules", len(v.Modules()))
	}
	for _, name := range []string{
		"out/x.pluto", "out/new.pluto", "out/new/deep.pluto", "file.pluto", "nowhere.pluto", "loop/x.pluto", "../" + filepath.Base(p.Root()) + "2/x.pluto",
		"math/../../x.pluto", filepath.Join(outside, "x.pluto"), "/", "..",
	} {
		if _, err := v.Path(name); pluto.CodeOf(err) != pluto.OutsideProject {
			t.Errorf("%s: %v", name, err)
		}
		_, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error { _, err := tx.Write(name, pluto.Content{Text: "fn evil() { }\n"}); return err })
		if err == nil {
			t.Errorf("%s: written", name)
		}
	}
	if got := contents(t, outside); len(got) != 1 || got["x.pluto"] != "fn f() { }\n" {
		t.Errorf("outside: %v", got)
	}
	if got, err := v.Path("math/./x/../vectors.pluto"); err != nil || got != "math/vectors.pluto" {
		t.Errorf("%s %v", got, err)
	}
}

// Files that are no modules, though their names could be of some, are never written over.
func TestOtherFilesAreKept(t *testing.T) {
	archive := "PK\x03\x04\x00\x01\x02 weights"
	lost := "PnTO\x04\x00\x00\x00 the first bytes are damaged"
	files := map[string]string{
		"main.pluto": "fn main() {\n    helper()\n}\n\nfn helper() { }\n", "main.pt": archive, "lib.pluto": "fn b() { }\n", "lib.pt": "fn b() { }\n",
		"model.pt": archive, "ignored/x.pluto": "fn precious() { }\n", ".gitignore": "ignored/\n", "lost.pluto": lost,
	}
	for name, edit := range map[string]func(p *pluto.Project, tx *pluto.Tx) error{
		"add to an archive": func(_ *pluto.Project, tx *pluto.Tx) error {
			_, err := tx.Add("model.pt", "fn a() { }", pluto.Spot{})
			return err
		},
		"add to an ignored file": func(_ *pluto.Project, tx *pluto.Tx) error {
			_, err := tx.Add("ignored/x", "fn a() { }", pluto.Spot{})
			return err
		},
		"add to a damaged file": func(_ *pluto.Project, tx *pluto.Tx) error {
			_, err := tx.Add("lost", "fn a() { }", pluto.Spot{})
			return err
		},
		"create":               func(_ *pluto.Project, tx *pluto.Tx) error { _, err := tx.CreateModule("model.pt", ""); return err },
		"create over damage":   func(_ *pluto.Project, tx *pluto.Tx) error { _, err := tx.CreateModule("lost.pluto", ""); return err },
		"rename":               func(_ *pluto.Project, tx *pluto.Tx) error { _, err := tx.RenameModule("lib", "ignored/x"); return err },
		"rename with its view": func(_ *pluto.Project, tx *pluto.Tx) error { _, err := tx.RenameModule("lib", "model"); return err },
		"move": func(_ *pluto.Project, tx *pluto.Tx) error {
			d, err := tx.View().Resolve("main.helper", "")
			if err == nil {
				_, err = tx.Move(d, "model.pt", pluto.Spot{})
			}
			return err
		},
	} {
		p := open(t, t.TempDir(), pluto.Options{})
		for name, text := range files {
			write(t, p.Root(), name, text)
		}
		_, err := p.Edit(ctx, pluto.EditOptions{Force: true}, func(tx *pluto.Tx) error { return edit(p, tx) })
		var e *pluto.Error
		if !errors.As(err, &e) || e.Code != pluto.Conflict {
			t.Errorf("%s: %v", name, err)
		}
		equal(t, name, contents(t, p.Root()), files)
	}
	p := open(t, t.TempDir(), pluto.Options{})
	for name, text := range files {
		write(t, p.Root(), name, text)
	}
	if _, err := p.GeneratePT(ctx, "main.pluto", pluto.GenerateOptions{Force: true}); pluto.CodeOf(err) != pluto.Conflict {
		t.Errorf("a view over an archive: %v", err)
	}
	equal(t, "views", contents(t, p.Root()), files)
	if m, err := view(t, p).Module("lost.pluto"); err != nil || m.Err == nil {
		t.Errorf("a damaged file: %v, %v", m, err)
	}
}

// A file whose text is whole can be saved; one that is too large is not overlooked.
func TestDamagedTextIsSaved(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	text := contents(t, p.Root())["math/vectors.pluto"]
	if _, err := p.Migrate(ctx, []string{"math/vectors.pluto"}, pluto.MigrateOptions{To: pluto.BinaryForm}); err != nil {
		t.Fatal(err)
	}
	data := contents(t, p.Root())["math/vectors.pluto"]
	broken := data[:len(data)-1] + "?"
	write(t, p.Root(), "math/vectors.pluto", broken)
	write(t, p.Root(), "large.pluto", strings.Repeat("// a comment\n", 2_000_000))
	if d, err := view(t, p).Check(ctx, "math/vectors.pluto"); err != nil || len(d) != 1 || !strings.Contains(d[0].Message, "damaged") {
		t.Errorf("the damage is not reported: %v, %v", d, err)
	}
	if m, err := view(t, p).Module("large"); err != nil || m.Err == nil || m.Err.Error() != "the file is too large" {
		t.Errorf("a large file: %v, %v", m, err)
	}
	_, err := p.Edit(ctx, pluto.EditOptions{}, rename("find", "seek"))
	if err != nil {
		t.Errorf("another module cannot be edited: %v", err)
	}
	_, err = p.Migrate(ctx, []string{"math/vectors.pluto"}, pluto.MigrateOptions{To: pluto.BinaryForm})
	if pluto.CodeOf(err) != pluto.Conflict || contents(t, p.Root())["math/vectors.pluto"] != broken {
		t.Errorf("a damaged file was written: %v", err)
	}
	r, err := p.Migrate(ctx, []string{"math/vectors.pluto"}, pluto.MigrateOptions{To: pluto.TextForm})
	if err != nil || len(r.Change.Notes) != 1 {
		t.Fatalf("saving the text: %+v, %v", r, err)
	}
	if got := contents(t, p.Root())["math/vectors.pluto"]; got != text {
		t.Errorf("the text is %q, want %q", got, text)
	}
	if _, err := p.Undo(ctx); err != nil || contents(t, p.Root())["math/vectors.pluto"] != broken {
		t.Errorf("undo: %v", err)
	}
}

// Who may not read a module may not read it under another name, or as its view.
func TestPermissionsGoAlong(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are none")
	}
	for _, staged := range []bool{false, true} {
		p := project(t, shop, pluto.Options{Staged: staged})
		if err := os.Chmod(filepath.Join(p.Root(), "store.pluto"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := p.GeneratePT(ctx, "store", pluto.GenerateOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, to := range []string{"shelf", "shelves"} {
			if _, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
				from := "store"
				if to == "shelves" {
					from = "shelf"
				}
				_, err := tx.RenameModule(from, to)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.Save(ctx); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"shelves.pluto", "shelves.pt"} {
			info, err := os.Stat(filepath.Join(p.Root(), name))
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("staged %v: %s: %v, %v", staged, name, info, err)
			}
		}
	}
}

// What the system refuses is told as such.
func TestCannotBeWritten(t *testing.T) {
	p := project(t, shop, pluto.Options{})
	if _, err := p.Edit(ctx, pluto.EditOptions{}, rename("dot", "scalar")); err != nil {
		t.Fatal(err)
	}
	before := contents(t, p.Root())
	if err := os.MkdirAll(filepath.Join(p.Root(), ".sett/journal/00000002.entry.tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := p.Edit(ctx, pluto.EditOptions{}, rename("scalar", "dot"))
	var e *pluto.Error
	if !errors.As(err, &e) || e.Code != pluto.ReadOnly || e.Hint == "" {
		t.Errorf("an edit that cannot be written: %v", err)
	}
	equal(t, "files", contents(t, p.Root()), before)
}
