package pluto

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/plto"
)

// What was found out about a module is old as soon as a module that it imports is another
// one for its users, however far away.
func TestFreshness(t *testing.T) {
	ctx := t.Context()
	f := open(t, map[string]string{
		"a.pluto": "import b\n\nfn main() {\n    print(b.twice(2))\n}\n",
		"b.pluto": "import c\n\npub fn twice(n: int) int {\n    return c.once(n) * 2\n}\n",
		"c.pluto": "pub error Bad {\n}\n\npub fn once(n: int) int {\n    return n\n}\n\npub fn alone() {\n}\n",
	})
	f.migrate(BinaryForm)
	is := func(what, want string) {
		t.Helper()
		v, err := f.View(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.Freshness(ctx, v.Modules())
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, x := range got {
			words = append(words, x.String())
		}
		if have := strings.Join(words, " "); have != want {
			t.Errorf("%s: %s, want %s", what, have, want)
		}
	}
	analyze := func() {
		t.Helper()
		if _, err := f.Analyze(ctx, nil, EditOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	replace := func(name, src string) {
		t.Helper()
		_, err := f.Edit(ctx, EditOptions{}, func(tx *Tx) error {
			d, err := tx.View().Resolve(name, "")
			if err != nil {
				return err
			}
			_, err = tx.Replace(d, src)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	is("at first", "none none none")
	analyze()
	is("analyzed", "fresh fresh fresh")
	replace("c.alone", "pub fn alone() {\n    print(1)\n}")
	is("another body, which nobody sees", "fresh fresh none")
	analyze()
	is("analyzed", "fresh fresh fresh")
	f.unchanged("a second analysis", analyze)
	replace("c.once", "pub fn once(n: int) int {\n    if n > 5 {\n        raise Bad {}\n    }\n    return n\n}")
	replace("b.twice", "pub fn twice(n: int) int {\n    return c.once(n)! * 2\n}")
	is("another error", "stale none none")
	replace("a.main", "fn main() {\n    print(b.twice(2) catch 0)\n}")
	analyze()
	is("analyzed", "fresh fresh fresh")
}

// A view of bytes alone is the one that generating writes.
func TestShowPT(t *testing.T) {
	for _, form := range forms {
		f := shapesIn(t, form)
		want := f.get("m.pt")
		if form == TextForm {
			want = shapes
		}
		if got, err := ShowPT("elsewhere", []byte(f.get("m.pluto"))); err != nil || got != want {
			t.Errorf("%s: %v\n%s", form, err, got)
		}
	}
	for _, name := range []string{"v2.plto", "v3.plto"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "compiler", "plto", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		text, err := plto.Text(data)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ShowPT(name, data); err != nil || got != text {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	if _, err := ShowPT("x", []byte("PLTO\x04\x00\x00\x00")); CodeOf(err) != ParseError {
		t.Errorf("of a damaged file: %v", err)
	}
}

// What a module and its view have in common is still known when the module has another path,
// and is forgotten with it.
func TestRenamedModulesMerge(t *testing.T) {
	ctx := t.Context()
	for _, form := range forms {
		f := shapesIn(t, form)
		before := f.everything()
		edit := func(do func(tx *Tx) error) {
			t.Helper()
			if _, err := f.Edit(ctx, EditOptions{Force: true}, do); err != nil {
				t.Fatal(err)
			}
		}
		edit(func(tx *Tx) error { _, err := tx.RenameModule("m.pluto", "sub/n.pluto"); return err })
		edit(func(tx *Tx) error {
			d, err := tx.View().Resolve("world", "")
			if err != nil {
				return err
			}
			_, err = tx.Rename(d, "everybody", false)
			return err
		})
		f.edit("sub/n.pt", "a + b", "b + a")
		if r := f.sync(".", SyncOptions{}); !r.Files[0].Merged || tally(r.SyncTally) != "fn add: body; =4" {
			t.Errorf("%s: %s", form, tally(r.SyncTally))
		}
		for range 2 {
			f.undo()
		}
		f.edit("sub/n.pt", "b + a", "a + b")
		f.undo()
		if got := f.everything(); !maps.Equal(got, before) {
			t.Errorf("%s: undo leaves %v", form, len(got))
		}
		edit(func(tx *Tx) error { _, err := tx.DeleteModule("m.pluto"); return err })
		if got := f.everything(); len(got) != 0 {
			t.Errorf("%s: deleting leaves %d files", form, len(got))
		}
		f.undo()
		if got := f.everything(); !maps.Equal(got, before) {
			t.Errorf("%s: undo does not bring everything back", form)
		}
	}
}

// A declaration that goes with its hint into a view that has no module yet keeps its id, and
// a copy of a view, or of the folder, takes none from the modules that are there.
func TestViewsTakeNoIDs(t *testing.T) {
	for _, form := range forms {
		f := shapesIn(t, form)
		before := f.names("m")
		f.put("a/m.pt", f.get("m.pt"))
		f.put("z.pt", f.get("m.pt"))
		if got := f.names("m.pluto"); !maps.Equal(got, before) {
			t.Errorf("%s: a copy of the view takes ids", form)
		}
		f.sync(".", SyncOptions{})
		if got := f.names("m.pluto"); !maps.Equal(got, before) {
			t.Errorf("%s: syncing a copy of the view takes ids", form)
		}

		f = shapesIn(t, form)
		view := f.get("m.pt")
		at := strings.Index(view, "// Adds.")
		end := strings.Index(view[at:], "}\n") + at + 2
		f.put("m.pt", view[:at]+view[end:])
		f.put("sub/x.pt", view[at:end])
		r := f.sync(".", SyncOptions{})
		if got := tally(r.SyncTally); got != "fn add m.pluto -> sub/x.pluto; =4" {
			t.Errorf("%s: %s", form, got)
		}
		if got := f.names("sub/x.pluto")["function add"]; got != before["function add"] || got == uuid.Nil {
			t.Errorf("%s: add has another id", form)
		}
	}
}

// Sections and fields of a later version go through everything that is done with a file.
func TestUnknownSectionsStay(t *testing.T) {
	ctx := context.Background()
	f := shapesIn(t, BinaryForm)
	file, err := plto.Decode([]byte(f.get("m.pluto")))
	if err != nil {
		t.Fatal(err)
	}
	file.Sections = append(file.Sections, plto.Section{ID: 900, Data: []byte("of a later version")})
	data, err := file.Encode()
	if err != nil {
		t.Fatal(err)
	}
	f.put("m.pluto", string(data))
	has := func(what, name string) {
		t.Helper()
		file, err := plto.Decode([]byte(f.get(name)))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for _, s := range file.Sections {
			if s.ID == 900 && string(s.Data) == "of a later version" {
				return
			}
		}
		t.Errorf("%s loses the section", what)
	}
	has("nothing", "m.pluto")
	do := func(what string, op func(tx *Tx) error) {
		t.Helper()
		if _, err := f.Edit(ctx, EditOptions{Force: true}, op); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	name := func(tx *Tx, symbol string) *Decl {
		d, err := tx.View().Resolve(symbol, "")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	do("rename", func(tx *Tx) error { _, err := tx.Rename(name(tx, "world"), "everybody", false); return err })
	has("rename", "m.pluto")
	do("replace", func(tx *Tx) error {
		_, err := tx.Replace(name(tx, "everybody"), "fn everybody() {\n}")
		return err
	})
	has("replace", "m.pluto")
	do("move", func(tx *Tx) error { _, err := tx.Move(name(tx, "Color"), "colors.pluto", Spot{}); return err })
	has("move", "m.pluto")
	do("add", func(tx *Tx) error { _, err := tx.Add("m.pluto", "fn more() {\n}", Spot{}); return err })
	has("add", "m.pluto")
	f.generate("", GenerateOptions{Force: true})
	has("generate", "m.pluto")
	generated := f.get("m.pt")
	f.edit("m.pt", "a + b", "b + a")
	f.sync("m.pt", SyncOptions{})
	has("sync", "m.pluto")
	if _, err := f.Analyze(ctx, nil, EditOptions{}); err != nil {
		t.Fatal(err)
	}
	has("analyze", "m.pluto")
	do("rename the module", func(tx *Tx) error { _, err := tx.RenameModule("m.pluto", "n.pluto"); return err })
	has("renaming the module", "n.pluto")
	for i := range 8 {
		if i == 3 {
			f.put("m.pt", generated)
		}
		f.undo()
	}
	if f.get("m.pluto") != string(data) {
		t.Error("undo does not lead back")
	}
}

// What is new in a PLTO file takes no id of what is there, whatever its hints say, and members
// have ids that a text without records has too.
func TestNewIDs(t *testing.T) {
	ctx := t.Context()
	f := shapesIn(t, BinaryForm)
	before := f.names("m")
	add := func(src string) {
		t.Helper()
		_, err := f.Edit(ctx, EditOptions{}, func(tx *Tx) error {
			d, err := tx.View().Resolve("Point", "")
			if err != nil {
				return err
			}
			_, err = tx.Add("m.pluto", src, Spot{Before: d})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	add("// @uuid: " + before["function world"].String() + "\nfn thief(a: int) {\n}")
	add("// @uuid: 6ba7b810-9dad-41d1-80b4-00c04fd430c8\nfn named() {\n}")
	after := f.names("m")
	for name, id := range before {
		if after[name] != id {
			t.Errorf("%s has another id", name)
		}
	}
	if after["function named"].String() != "6ba7b810-9dad-41d1-80b4-00c04fd430c8" {
		t.Error("a hint of something new does not count")
	}
	// A clone of the texts has no records; one line above each declaration is enough.
	r, err := f.Migrate(ctx, nil, MigrateOptions{To: TextForm, Hints: true})
	if err != nil || len(r.Files) != 1 {
		t.Fatal(err)
	}
	clone := open(t, map[string]string{"m.pluto": f.get("m.pluto")})
	if got := clone.names("m"); !maps.Equal(got, after) {
		t.Errorf("the clone has\n%v\nnot\n%v", got, after)
	}
	// Likewise with what is renamed later.
	_, err = f.Edit(ctx, EditOptions{}, func(tx *Tx) error {
		d, err := tx.View().Resolve("Point", "")
		if err != nil {
			return err
		}
		_, err = tx.Rename(d, "Spot", false)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = f.Migrate(ctx, nil, MigrateOptions{To: TextForm, Hints: true}); err != nil || !r.Files[0].Changed {
		t.Fatalf("hints into a text: %+v, %v", r, err)
	}
	clone = open(t, map[string]string{"m.pluto": f.get("m.pluto")})
	if got := clone.names("m"); got["class Spot"] != before["class Point"] || !maps.Equal(got, f.names("m.pluto")) {
		t.Error("the clone of hinted text has other ids")
	}
	f.unchanged("hints that are there", func() {
		if r, err = f.Migrate(ctx, nil, MigrateOptions{To: TextForm, Hints: true}); err != nil || r.Files[0].Changed {
			t.Errorf("again: %+v, %v", r, err)
		}
	})
}
