package pluto_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/sdk/pluto"
)

// shop is a project of three modules.
const shop = `
-- main.pluto --
import math.vectors
import store

// The program.
fn main() {
    let v = vectors.Vector { x: 3, y: 4 }
    print(vectors.dot(v, v) + vectors.half(8))
    let s = store.find(1) catch "none"
    print(s)
}
-- math/vectors.pluto --
// A vector in the plane.
pub class Vector {
    x: int // to the right
    y: int

    // The square of the length.
    fn square(self) int {
        return dot(self, self)
    }
}

// Half of a number.
pub fn half(n: int) int {
    return n / 2
}

// Multiplies two vectors.
pub fn dot(a: Vector, b: Vector) int {
    return a.x * b.x + a.y * b.y
}
-- store.pluto --
pub error NotFound {
    id: int
}

pub enum Color {
    Red
    Blue { depth: int }
}

pub fn find(id: int) string {
    if id == 0 {
        raise NotFound { id: id }
    }
    return name(Color.Red)
}

fn name(c: Color) string {
    match c {
        Color.Red { return "red" }
        Color.Blue { depth } { return f"blue {depth}" }
    }
}
`

// project lays out the files of an archive.
func project(t testing.TB, archive string, o pluto.Options) *pluto.Project {
	t.Helper()
	root := t.TempDir()
	lay(t, root, archive)
	return open(t, root, o)
}

func lay(t testing.TB, root, archive string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, root, f.Name, string(f.Data))
	}
}

func write(t testing.TB, root, name, text string) {
	t.Helper()
	p := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, root string, o pluto.Options) *pluto.Project {
	t.Helper()
	p, err := pluto.Open(root, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

var ctx = context.Background()

func view(t testing.TB, p *pluto.Project) *pluto.View {
	t.Helper()
	v, err := p.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func resolve(t testing.TB, v *pluto.View, symbol string) *pluto.Decl {
	t.Helper()
	d, err := v.Resolve(symbol, "")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// contents are the files on disk, those of sett left out.
func contents(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".sett" {
				return fs.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// ids are the handles of all declarations by their ids.
func ids(v *pluto.View) map[uuid.UUID]string {
	out := map[uuid.UUID]string{}
	for _, m := range v.Modules() {
		out[m.ID] = "module " + m.Path
		for d := range m.All() {
			out[d.ID] = d.Kind.String() + " " + d.Handle()
		}
	}
	return out
}

// clean sees to it that the compiler has nothing against the project.
func clean(t testing.TB, v *pluto.View) {
	t.Helper()
	diags, err := v.Check(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diags {
		if d.Severity == 0 {
			t.Errorf("%s", d.Message)
		}
	}
}

// edits are operations on the shop, each leaving a program without errors.
var edits = []struct {
	name string
	do   func(t testing.TB, tx *pluto.Tx) error
}{
	{"rename a function", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Rename(resolve(t, tx.View(), "dot"), "scalar", false)
		return err
	}},
	{"rename a class", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Rename(resolve(t, tx.View(), "Vector"), "Point", false)
		return err
	}},
	{"rename a method", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Rename(resolve(t, tx.View(), "Vector.square"), "norm", false)
		return err
	}},
	{"rename a variant", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Rename(resolve(t, tx.View(), "Color.Red"), "Crimson", false)
		return err
	}},
	{"replace", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Replace(resolve(t, tx.View(), "dot"), "pub fn dot(a: Vector, b: Vector) int {\n    return b.x * a.x + b.y * a.y // the other way\n}")
		return err
	}},
	{"replace and rename", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Replace(resolve(t, tx.View(), "dot"), "pub fn product(a: Vector, b: Vector) int {\n    return 1\n}")
		return err
	}},
	{"add", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Add("store", "// New.\nfn fresh() int {\n    return 1\n}", pluto.Spot{After: resolve(t, tx.View(), "find")})
		return err
	}},
	{"add a module", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Add("deep/down/new.pluto", "pub fn fresh() int {\n    return 1\n}", pluto.Spot{})
		return err
	}},
	{"move", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Move(resolve(t, tx.View(), "half"), "math/products", pluto.Spot{})
		return err
	}},
	{"add members", func(t testing.TB, tx *pluto.Tx) error {
		if _, err := tx.AddMethod(resolve(t, tx.View(), "Vector"), "fn twice(self) int {\n    return self.x * 2\n}", pluto.Spot{}); err != nil {
			return err
		}
		if _, err := tx.AddField(resolve(t, tx.View(), "NotFound"), "why", "string", false, pluto.Spot{}); err != nil {
			return err
		}
		_, err := tx.AddVariant(resolve(t, tx.View(), "Color"), "Green", pluto.Spot{})
		return err
	}},
	{"rename a module", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.RenameModule("math/vectors.pluto", "geometry/planes.pluto")
		return err
	}},
	{"create and delete a module", func(t testing.TB, tx *pluto.Tx) error {
		if _, err := tx.CreateModule("extra", "fn f() { }\n"); err != nil {
			return err
		}
		_, err := tx.DeleteModule("store")
		return err
	}},
	{"delete", func(t testing.TB, tx *pluto.Tx) error {
		_, err := tx.Delete(resolve(t, tx.View(), "Vector.square"))
		return err
	}},
	{"several in a row", func(t testing.TB, tx *pluto.Tx) error {
		dot, err := tx.Rename(resolve(t, tx.View(), "dot"), "scalar", false)
		if err != nil {
			return err
		}
		if dot, err = tx.Rename(dot, "inner", false); err != nil {
			return err
		}
		if _, err = tx.Rename(resolve(t, tx.View(), "Vector"), "Point", false); err != nil {
			return err
		}
		if dot.Name != "inner" {
			t.Errorf("it is called %s", dot.Name)
		}
		half, err := tx.Rename(resolve(t, tx.View(), "half"), "part", false)
		if err != nil {
			return err
		}
		if half, err = tx.Move(half, "math/products", pluto.Spot{}); err != nil {
			return err
		}
		if half.Handle() != "math/products.part" {
			t.Errorf("it is %s", half.Handle())
		}
		_, err = tx.Add("math/vectors", "fn dot() int {\n    return 1\n}", pluto.Spot{})
		return err
	}},
}

// Whatever is edited, undo brings back every byte and every id, redo what the edit made, with
// and without a restart in between, in text projects, hinted ones and binary ones; and what
// goes on keeps its id.
func TestUndoIsExact(t *testing.T) {
	for _, form := range forms {
		for _, e := range edits {
			t.Run(form.name+"/"+e.name, func(t *testing.T) {
				t.Parallel()
				root := t.TempDir()
				lay(t, root, shop)
				form.prepare(t, root)
				p := open(t, root, pluto.Options{})
				start, startIDs := contents(t, root), ids(view(t, p))
				c, err := p.Edit(ctx, pluto.EditOptions{Force: true}, func(tx *pluto.Tx) error { return e.do(t, tx) })
				if err != nil {
					t.Fatal(err)
				}
				end, endIDs := contents(t, root), ids(view(t, p))
				if maps.Equal(start, end) {
					t.Fatal("nothing changed")
				}
				if len(c.Files) == 0 || len(c.Added)+len(c.Removed)+len(c.Renamed)+len(c.Modified) == 0 {
					t.Errorf("the change says nothing: %+v", c)
				}
				kept(t, c, startIDs, endIDs)
				for i := range 2 {
					if i == 1 {
						p = open(t, root, pluto.Options{})
					}
					equal(t, "files after a restart", contents(t, root), end)
					equal(t, "ids after a restart", ids(view(t, p)), endIDs)
					if _, err := p.Undo(ctx); err != nil {
						t.Fatal(err)
					}
					equal(t, "files after undo", contents(t, root), start)
					equal(t, "ids after undo", ids(view(t, p)), startIDs)
					equal(t, "ids after undo and a restart", ids(view(t, open(t, root, pluto.Options{}))), startIDs)
					if _, err := p.Redo(ctx); err != nil {
						t.Fatal(err)
					}
					equal(t, "files after redo", contents(t, root), end)
					equal(t, "ids after redo", ids(view(t, p)), endIDs)
				}
			})
		}
	}
}

// kept sees to it that a change names all ids that came and went.
func kept(t *testing.T, c *pluto.Change, before, after map[uuid.UUID]string) {
	t.Helper()
	removed, added, renamed := map[uuid.UUID]bool{}, map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	for _, d := range c.Removed {
		removed[d.ID] = true
		if _, ok := after[d.ID]; ok {
			t.Errorf("%s is said to be removed and is there", d.Handle)
		}
	}
	for _, d := range c.Added {
		added[d.ID] = true
		if _, ok := before[d.ID]; ok {
			t.Errorf("%s is said to be new and was there", d.Handle)
		}
	}
	for _, d := range c.Renamed {
		renamed[d.ID] = true
		if before[d.ID] == after[d.ID] {
			t.Errorf("%s is said to be renamed", d.Handle)
		}
	}
	under := func(id uuid.UUID, all map[uuid.UUID]string, said map[uuid.UUID]bool) bool {
		_, name, _ := strings.Cut(all[id], " ")
		for s := range said {
			_, outer, _ := strings.Cut(all[s], " ")
			if strings.HasPrefix(name, strings.TrimSuffix(outer, ".pluto")+".") {
				return true
			}
		}
		return false
	}
	for id, was := range before {
		now, ok := after[id]
		switch {
		case !ok && !removed[id] && !under(id, before, removed):
			t.Errorf("%s lost its id, and nobody says so", was)
		case ok && now != was && !renamed[id] && !under(id, before, renamed):
			t.Errorf("%s is %s, and nobody says so", was, now)
		}
	}
	for id, now := range after {
		if _, ok := before[id]; !ok && !added[id] && !under(id, after, added) {
			t.Errorf("%s has a new id, and nobody says so", now)
		}
	}
}

func equal[K comparable](t *testing.T, what string, got, want map[K]string) {
	t.Helper()
	if maps.Equal(got, want) {
		return
	}
	for k, w := range want {
		if g, ok := got[k]; !ok || g != w {
			t.Errorf("%s: %v is %q, want %q", what, k, g, w)
		}
	}
	for k, g := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s: %v is %q, want nothing", what, k, g)
		}
	}
}

// forms are the ways in which a project can have its ids.
var forms = []struct {
	name    string
	prepare func(t testing.TB, root string)
}{
	{"text", func(testing.TB, string) {}},
	{"hinted", func(t testing.TB, root string) {
		p := open(t, root, pluto.Options{})
		for _, m := range view(t, p).Modules() {
			text := m.Text()
			for _, d := range slices.Backward(m.Decls) {
				text = text[:d.Full.Start] + "// @uuid: " + uuid.NewString() + "\n" + text[d.Full.Start:]
			}
			write(t, root, m.Path, text)
		}
	}},
	{"binary", func(t testing.TB, root string) {
		p := open(t, root, pluto.Options{})
		_, err := p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
			for _, m := range tx.View().Modules() {
				if _, err := tx.Write(m.Path, pluto.Content{Text: m.Text(), Binary: true}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(root, ".sett")); err != nil {
			t.Fatal(err)
		}
	}},
}

func code(t *testing.T, err error, want pluto.Code) *pluto.Error {
	t.Helper()
	var e *pluto.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want the code %s", err, want)
	}
	if e.Code != want {
		t.Fatalf("code %s (%v), want %s", e.Code, err, want)
	}
	return e
}
