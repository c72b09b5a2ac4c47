package pluto

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/plto"
)

// folder is a project in a folder of its own.
type folder struct {
	*Project
	t    *testing.T
	root string
}

func open(t *testing.T, files map[string]string) *folder {
	t.Helper()
	root := t.TempDir()
	f := &folder{t: t, root: root}
	for name, text := range files {
		f.put(name, text)
	}
	p, err := Open(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	f.Project = p
	return f
}

func (f *folder) put(name, text string) {
	f.t.Helper()
	full := filepath.Join(f.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// get is a file's bytes, "-" when it is not there.
func (f *folder) get(name string) string {
	data, err := os.ReadFile(filepath.Join(f.root, filepath.FromSlash(name)))
	if err != nil {
		return "-"
	}
	return string(data)
}

// text is a module's text, whatever its form.
func (f *folder) text(name string) string {
	data := f.get(name)
	if !plto.Is([]byte(data)) {
		return data
	}
	text, err := plto.Text([]byte(data))
	if err != nil {
		f.t.Fatal(err)
	}
	return text
}

func (f *folder) edit(name, from, to string) {
	f.t.Helper()
	text := f.get(name)
	if strings.Count(text, from) != 1 {
		f.t.Fatalf("%q is %d times in %s:\n%s", from, strings.Count(text, from), name, text)
	}
	f.put(name, strings.Replace(text, from, to, 1))
}

// names are the ids of a module by kind and name.
func (f *folder) names(module string) map[string]uuid.UUID {
	f.t.Helper()
	v, err := f.View(context.Background())
	if err != nil {
		f.t.Fatal(err)
	}
	m, err := v.Module(module)
	if err != nil {
		f.t.Fatal(err)
	}
	out := map[string]uuid.UUID{}
	for d := range m.All() {
		out[d.Kind.String()+" "+d.Qual] = d.ID
	}
	return out
}

func (f *folder) everything() map[string]string {
	out := map[string]string{}
	filepath.WalkDir(f.root, func(p string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(f.root, p)
		rel = filepath.ToSlash(rel)
		if err == nil && d.Type().IsRegular() && (!strings.HasPrefix(rel, ".sett/") || strings.HasPrefix(rel, viewFolder)) {
			data, _ := os.ReadFile(p)
			out[rel] = string(data)
		}
		return nil
	})
	return out
}

// unchanged fails when the function changes a file.
func (f *folder) unchanged(what string, do func()) {
	f.t.Helper()
	before := f.everything()
	do()
	after := f.everything()
	for name := range after {
		if before[name] != after[name] {
			f.t.Errorf("%s changes %s", what, name)
		}
	}
	if len(before) != len(after) {
		f.t.Errorf("%s: %d files before, %d after", what, len(before), len(after))
	}
}

func (f *folder) sync(pt string, o SyncOptions) *SyncReport {
	f.t.Helper()
	r, err := f.SyncPT(context.Background(), pt, "", o)
	if err != nil {
		f.t.Fatalf("syncing %s: %v", pt, err)
	}
	return r
}

func (f *folder) generate(name string, o GenerateOptions) *GenerateReport {
	f.t.Helper()
	r, err := f.GeneratePT(context.Background(), name, o)
	if err != nil {
		f.t.Fatalf("generating %s: %v", name, err)
	}
	return r
}

func (f *folder) migrate(to string) *MigrateReport {
	f.t.Helper()
	r, err := f.Migrate(context.Background(), nil, MigrateOptions{To: to})
	if err != nil {
		f.t.Fatalf("migrating to %s: %v", to, err)
	}
	return r
}

func (f *folder) undo() {
	f.t.Helper()
	if _, err := f.Undo(context.Background()); err != nil {
		f.t.Fatal(err)
	}
}

// tally is a report on one line.
func tally(t SyncTally) string {
	var out []string
	for _, s := range t.Added {
		out = append(out, "+"+s)
	}
	for _, s := range t.Removed {
		out = append(out, "-"+s)
	}
	for _, s := range t.Renamed {
		out = append(out, s.From+" -> "+s.To)
	}
	for _, s := range t.Moved {
		out = append(out, s.Name+" "+s.From+" -> "+s.To)
	}
	for _, s := range t.Modified {
		out = append(out, s.Name+": "+strings.Join(s.What, ", "))
	}
	out = append(out, t.Imports...)
	return strings.Join(append(out, fmt.Sprintf("=%d", t.Unchanged)), "; ")
}

const shapes = `// Shapes.

import std.math

// A point.
class Point {
    x: int
    y: int

    fn sum(self) int {
        return self.x + self.y
    }
}

enum Color {
    Red
    Green
}

// Adds.
pub fn add(a: int, b: int) int {
    return a + b
}

fn world() {
    print("world, hello")
}

test "adds" {
    expect(add(1, 2)).to_equal(3)
}
`

// Forms of a module that a sync goes into.
var forms = []string{BinaryForm, TextForm}

func shapesIn(t *testing.T, form string) *folder {
	f := open(t, map[string]string{"m.pluto": shapes})
	if form == BinaryForm {
		f.migrate(BinaryForm)
	}
	f.generate("", GenerateOptions{})
	return f
}

func TestSync(t *testing.T) {
	type edit [2]string
	cases := []struct {
		name  string
		edits []edit
		want  string
		moved map[string]string // whose id is whose now, besides those with the same name
		gone  []string
		fresh []string
	}{
		{"nothing", nil, "=5", nil, nil, nil},
		{"a body", []edit{{"return a + b", "return b + a"}}, "fn add: body; =4", nil, nil, nil},
		{"a new function", []edit{{"fn world", "fn more(n: int) int {\n    return n * 2\n}\n\nfn world"}}, "+fn more; =4+1", nil, nil, []string{"function more", "param more.n"}},
		{"a function that goes", []edit{{"fn world() {\n    print(\"world, hello\")\n}\n\n", ""}}, "-fn world; =4", nil, []string{"function world"}, nil},
		{"a rename", []edit{{"fn world", "fn everybody"}}, "fn world -> fn everybody; =4", map[string]string{"function everybody": "function world"}, []string{"function world"}, nil},
		{"a rename and another body", []edit{{"fn world() {\n    print(\"world, hello\")", "fn everybody() {\n    print(1 + 2 + 3 + 4)"}}, "fn world -> fn everybody; fn everybody: body; =4", map[string]string{"function everybody": "function world"}, []string{"function world"}, nil},
		{"members", []edit{{"    y: int", "    z: int\n    w: string"}, {"self.x + self.y", "self.x + self.z"}, {"    Green\n", "    Green\n    Blue\n"}},
			"class Point: renamed field y to z, added field w, modified method sum (body); enum Color: added variant Blue; =3",
			map[string]string{"field Point.z": "field Point.y"}, []string{"field Point.y"}, []string{"field Point.w", "variant Color.Blue"}},
		{"a test", []edit{{"test \"adds\"", "test \"sums\""}}, "test \"adds\" -> test \"sums\"; =4", map[string]string{"test sums": "test adds"}, []string{"test adds"}, nil},
		{"imports", []edit{{"import std.math\n", "import std.fs\n"}}, "+ import std.fs; - import std.math; =5", nil, nil, nil},
		{"comments", []edit{{"// Adds.", "// Adds two numbers."}, {"// Shapes.", "// Points and colors."}}, "fn add: comments; =4", nil, nil, nil},
		{"order", []edit{{"fn world() {\n    print(\"world, hello\")\n}\n\n", ""}, {"// A point.", "fn world() {\n    print(\"world, hello\")\n}\n\n// A point."}}, "=5", nil, nil, nil},
	}
	for _, form := range forms {
		for _, c := range cases {
			t.Run(form+"/"+c.name, func(t *testing.T) {
				f := shapesIn(t, form)
				before, files := f.names("m"), f.everything()
				text := shapes
				for _, e := range c.edits {
					text = strings.Replace(text, e[0], e[1], 1)
				}
				// The view is edited as somebody would: hints stay above what they are above.
				// What goes takes its hint along.
				for _, e := range c.edits {
					if h := "// @uuid: " + before["function world"].String() + "\n"; strings.HasPrefix(e[0], "fn world() {\n    print(\"world, hello\")\n}") {
						f.edit("m.pt", h, "")
					}
					if strings.HasPrefix(e[1], "fn more") {
						f.edit("m.pt", "// @uuid: "+before["function world"].String()+"\nfn world", "fn more(n: int) int {\n    return n * 2\n}\n\n// @uuid: "+before["function world"].String()+"\nfn world")
						continue
					}
					f.edit("m.pt", e[0], e[1])
				}
				want := strings.Replace(c.want, "4+1", "5", 1)
				f.unchanged("a dry run", func() {
					if got := tally(f.sync("m.pt", SyncOptions{DryRun: true}).SyncTally); got != want {
						t.Errorf("a dry run says\n%s\nwant\n%s", got, want)
					}
					_, err := f.SyncPT(context.Background(), "m.pt", "", SyncOptions{Check: true})
					if (CodeOf(err) == Stale) != (len(c.edits) > 0) {
						t.Errorf("a check says %v", err)
					}
				})
				if got := tally(f.sync("m.pt", SyncOptions{}).SyncTally); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				if got := f.text("m.pluto"); got != text {
					t.Errorf("the module says\n%s\nwant\n%s", got, text)
				}
				if plto.Is([]byte(f.get("m.pluto"))) != (form == BinaryForm) {
					t.Error("the module has another form")
				}
				after := f.names("m")
				for name, id := range before {
					if !slices.Contains(c.gone, name) && after[name] != id {
						t.Errorf("%s was %s and is %s", name, id, after[name])
					}
				}
				for now, was := range c.moved {
					if after[now] != before[was] {
						t.Errorf("%s is %s, %s was %s", now, after[now], was, before[was])
					}
				}
				for _, name := range c.fresh {
					if id := after[name]; id == uuid.Nil || slices.Contains(slices.Collect(maps.Values(before)), id) {
						t.Errorf("%s is %s", name, id)
					}
				}
				f.unchanged("a second sync", func() {
					if r := f.sync("m.pt", SyncOptions{}); r.Files[0].Changed {
						t.Errorf("a second sync says %s", tally(r.SyncTally))
					}
				})
				if len(c.edits) > 0 {
					view := f.get("m.pt")
					f.undo()
					f.put("m.pt", files["m.pt"])
					for name, data := range f.everything() {
						if data != files[name] {
							t.Errorf("%s is not as it was before", name)
						}
					}
					f.put("m.pt", view)
				}
				// The view of what is there now can be generated, and is in sync.
				f.sync("m.pt", SyncOptions{})
				f.generate("", GenerateOptions{})
				f.unchanged("sync after generate", func() { f.sync("m.pt", SyncOptions{}) })
			})
		}
	}
}

func TestSyncWithoutModule(t *testing.T) {
	text := strings.ReplaceAll(shapes, "\n", "\r\n")
	f := open(t, map[string]string{"m.pt": text})
	before := f.names("m")
	r := f.sync("m.pt", SyncOptions{})
	if got := tally(r.SyncTally); got != `+class Point; +enum Color; +fn add; +fn world; +test "adds"; =0` || !r.Files[0].Created {
		t.Errorf("got %s", got)
	}
	if !plto.Is([]byte(f.get("m.pluto"))) || f.text("m.pluto") != text || f.get("m.pt") != text {
		t.Errorf("the module says %q", f.text("m.pluto"))
	}
	if after := f.names("m"); !maps.Equal(before, after) {
		t.Errorf("ids were\n%v\nand are\n%v", before, after)
	}
	f.unchanged("a second sync", func() {
		if r := f.sync("m.pt", SyncOptions{}); tally(r.SyncTally) != "=5" {
			t.Errorf("a second sync says %s", tally(r.SyncTally))
		}
	})
	f.undo()
	if f.get("m.pluto") != "-" || !maps.Equal(before, f.names("m")) {
		t.Error("undo leaves something")
	}
}

// Deleted and written again, a declaration is another one.
func TestSyncDeletesAndAddsAgain(t *testing.T) {
	f := open(t, map[string]string{"m.pt": shapes})
	f.sync("m.pt", SyncOptions{})
	before := f.names("m")["function world"]
	f.put("m.pt", strings.Replace(shapes, "fn world() {\n    print(\"world, hello\")\n}\n\n", "", 1))
	f.sync("m.pt", SyncOptions{})
	f.put("m.pt", shapes)
	f.sync("m.pt", SyncOptions{})
	if after := f.names("m")["function world"]; after == before {
		t.Errorf("world is %s again", after)
	}
}

func TestSyncRefuses(t *testing.T) {
	ctx := context.Background()
	for _, form := range forms {
		f := shapesIn(t, form)
		cases := []struct {
			what, pt, pluto string
			code            Code
			text            string
		}{
			{"a path outside", "../x.pt", "", OutsideProject, ""},
			{"a target outside", "m.pt", "/elsewhere/x.pluto", OutsideProject, ""},
			{"no file", "nothing.pt", "", NotFound, "nothing.pt"},
			{"no folder", "nothing", "", NotFound, "nothing"},
			{"a module", "m.pluto", "", InvalidArgument, ".pt file"},
			{"a target that is no module", "m.pt", "m.txt", InvalidArgument, "m.txt"},
			{"a syntax error", "broken.pt", "", ParseError, "broken.pt:3:"},
			{"bytes that are no text", "bytes.pt", "", ParseError, "bytes.pt:2:4: the text is not valid UTF-8"},
			{"a NUL byte", "nul.pt", "", ParseError, "nul.pt:1:4: "},
			{"no path", "", "", InvalidArgument, ""},
			{"everything", ".", "", ParseError, "b"},
		}
		f.put("broken.pt", "fn a() {\n}\nfn b( {\n}\n")
		f.put("nul.pt", "// \x00\nfn a() {\n}\n")
		f.put("bytes.pt", "fn a() {\n// \xff\n}\n")
		f.edit("m.pt", "a + b", "b + a")
		f.unchanged("a refused sync", func() {
			for _, c := range cases {
				_, err := f.SyncPT(ctx, c.pt, c.pluto, SyncOptions{})
				if CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.text) {
					t.Errorf("%s: %v %v", c.what, CodeOf(err), err)
				}
				var e *Error
				if errors.As(err, &e); c.code == ParseError && (e == nil || e.At == nil || e.At.Line == 0) {
					t.Errorf("%s: no place", c.what)
				}
			}
		})
	}
}

// Both files were edited.
func TestSyncThreeWays(t *testing.T) {
	ctx := context.Background()
	for _, form := range forms {
		rename := func(f *folder, name, to string) {
			t.Helper()
			_, err := f.Edit(ctx, EditOptions{}, func(tx *Tx) error {
				d, err := tx.View().Resolve(name, "m")
				if err != nil {
					return err
				}
				_, err = tx.Rename(d, to, false)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Run(form+"/different declarations", func(t *testing.T) {
			f := shapesIn(t, form)
			before := f.names("m")
			rename(f, "world", "everybody")
			f.edit("m.pt", "a + b", "b + a")
			r := f.sync("m.pt", SyncOptions{})
			want := strings.NewReplacer("fn world", "fn everybody", "a + b", "b + a").Replace(shapes)
			if got := f.text("m.pluto"); got != want || !r.Files[0].Merged || tally(r.SyncTally) != "fn add: body; =4" {
				t.Errorf("%s\n%s", tally(r.SyncTally), got)
			}
			after := f.names("m")
			if after["function everybody"] != before["function world"] || after["function add"] != before["function add"] || len(after) != len(before) {
				t.Errorf("ids were\n%v\nand are\n%v", before, after)
			}
			f.unchanged("a second sync", func() {
				if r := f.sync("m.pt", SyncOptions{}); r.Files[0].Changed || !r.Files[0].Outdated {
					t.Errorf("a second sync says %s", tally(r.SyncTally))
				}
			})
			// The view still lacks what the module has; more edits of it go together, too.
			f.edit("m.pt", "Green", "Lime")
			f.sync("m.pt", SyncOptions{})
			if got := f.text("m.pluto"); got != strings.Replace(want, "Green", "Lime", 1) {
				t.Errorf("then\n%s", got)
			}
			f.generate("", GenerateOptions{})
			f.unchanged("sync after generate", func() { f.sync("m.pt", SyncOptions{Check: true}) })
		})
		t.Run(form+"/the same declaration", func(t *testing.T) {
			f := shapesIn(t, form)
			before := f.names("m")
			rename(f, "add", "plus")
			f.edit("m.pt", "a + b", "b + a")
			f.edit("m.pt", "Green", "Lime")
			f.unchanged("a conflict", func() {
				_, err := f.SyncPT(ctx, "m.pt", "", SyncOptions{})
				var e *Error
				if !errors.As(err, &e) || e.Code != Conflict || !slices.Equal(e.Files, []string{"m.pt", "m.pluto"}) || !strings.Contains(e.Text, "fn plus") || strings.Contains(e.Text, "Color") {
					t.Errorf("got %v", err)
				}
			})
			r := f.sync("m.pt", SyncOptions{Force: true})
			if got := f.text("m.pluto"); got != strings.NewReplacer("a + b", "b + a", "Green", "Lime").Replace(shapes) {
				t.Errorf("%s\n%s", tally(r.SyncTally), got)
			}
			if after := f.names("m"); after["function add"] != before["function add"] {
				t.Error("add has another id")
			}
		})
		t.Run(form+"/only the module", func(t *testing.T) {
			f := shapesIn(t, form)
			rename(f, "world", "everybody")
			f.unchanged("a sync of an old view", func() {
				if r := f.sync("m.pt", SyncOptions{}); r.Files[0].Changed || !r.Files[0].Outdated {
					t.Errorf("got %s", tally(r.SyncTally))
				}
				if _, err := f.SyncPT(ctx, "m.pt", "", SyncOptions{Check: true}); CodeOf(err) != Stale {
					t.Errorf("a check says %v", err)
				}
			})
			if _, err := f.GeneratePT(ctx, "", GenerateOptions{Check: true}); CodeOf(err) != Stale {
				t.Errorf("a check says %v", err)
			}
			f.generate("", GenerateOptions{})
			if !strings.Contains(f.get("m.pt"), "fn everybody") {
				t.Error("the view is old")
			}
		})
	}
}

// What moves from one view to another goes on, members and all.
func TestSyncMoves(t *testing.T) {
	for _, form := range forms {
		f := open(t, map[string]string{"a/m.pluto": shapes, "b/n.pluto": "fn other() {\n}\n"})
		if form == BinaryForm {
			f.migrate(BinaryForm)
		}
		before := f.names("a/m")
		f.generate("", GenerateOptions{NoHints: true})
		point := shapes[strings.Index(shapes, "// A point."):strings.Index(shapes, "enum Color")]
		f.edit("a/m.pt", point, "")
		f.put("b/n.pt", "fn other() {\n}\n\n"+strings.Replace(point, "self.y", "self.x", 1))
		r := f.sync(".", SyncOptions{})
		if got := tally(r.SyncTally); got != "class Point a/m.pluto -> b/n.pluto; class Point: modified method sum (body); =5" {
			t.Errorf("%s: got %s", form, got)
		}
		after := f.names("b/n")
		for _, name := range []string{"class Point", "field Point.x", "method Point.sum"} {
			if after[name] != before[name] {
				t.Errorf("%s: %s was %s and is %s", form, name, before[name], after[name])
			}
		}
		f.unchanged("a second sync", func() { f.sync(".", SyncOptions{}) })
		f.undo()
		if got := f.names("a/m"); !maps.Equal(got, before) {
			t.Errorf("%s: undo gives other ids", form)
		}
	}
}

func TestGenerate(t *testing.T) {
	ctx := context.Background()
	for _, form := range forms {
		f := open(t, map[string]string{"m.pluto": shapes, "own.pt": "fn own() {\n}\n"})
		if form == BinaryForm {
			if _, err := f.Migrate(ctx, []string{"m.pluto"}, MigrateOptions{To: BinaryForm}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := f.GeneratePT(ctx, "", GenerateOptions{Check: true}); CodeOf(err) != Stale {
			t.Errorf("%s: a check says %v", form, err)
		}
		r := f.generate("", GenerateOptions{})
		if len(r.Files) != 2 || !r.Files[0].Created || r.Files[1].Skipped == "" || f.get("own.pt") != "fn own() {\n}\n" {
			t.Errorf("%s: %+v", form, r.Files)
		}
		var lines []string
		for line := range strings.Lines(f.get("m.pt")) {
			if !strings.HasPrefix(line, "// @uuid: ") {
				lines = append(lines, line)
			}
		}
		if view := f.get("m.pt"); strings.Join(lines, "") != shapes || strings.Count(view, "@uuid") != 5 || f.text("m.pluto") != shapes {
			t.Errorf("%s: the view is\n%s", form, view)
		}
		f.unchanged("the second time", func() {
			f.generate("", GenerateOptions{})
			f.generate("", GenerateOptions{Check: true})
		})
		view := f.get("m.pt")
		f.edit("m.pt", "a + b", "b + a")
		f.unchanged("a refusal", func() {
			_, err := f.GeneratePT(ctx, "m", GenerateOptions{})
			if CodeOf(err) != Conflict || !strings.Contains(err.Error(), "m.pt") {
				t.Errorf("%s: got %v", form, err)
			}
		})
		f.generate("m", GenerateOptions{Force: true})
		if f.get("m.pt") != view {
			t.Errorf("%s: force leaves\n%s", form, f.get("m.pt"))
		}
		f.generate("", GenerateOptions{NoHints: true})
		if f.get("m.pt") != shapes {
			t.Errorf("%s: without hints it is\n%s", form, f.get("m.pt"))
		}
		f.undo()
		if f.get("m.pt") != view {
			t.Errorf("%s: undo leaves\n%s", form, f.get("m.pt"))
		}
	}
}

func TestPrettyPrint(t *testing.T) {
	f := open(t, map[string]string{"m.pluto": "// Module.\nclass   P {x:int, y : int\n// Sums.\nfn sum( self ) int { return self.x+self.y }}\n// Hi.\nfn  hi( ) { print( \"a\nb\" ) }\n", "bad.pluto": "fn  ok( ) { }\nfn bad( {\n"})
	v, err := f.View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	get := func(name string) *Decl {
		d, err := v.Resolve(name, "")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	p, hi := get("P"), get("hi")
	m, _ := v.Module("m")
	cases := []struct {
		what  string
		d     *Decl
		hints bool
		want  string
	}{
		{"function", hi, false, "// Hi.\nfn hi() {\n    print(\"a\nb\")\n}\n"},
		{"function with its id", hi, true, "// Hi.\n// @uuid: " + hi.ID.String() + "\nfn hi() {\n    print(\"a\nb\")\n}\n"},
		{"method", get("P.sum"), false, "// Sums.\nfn sum(self) int {\n    return self.x + self.y\n}\n"},
		{"field", get("P.x"), false, "x: int\n"},
		{"module", m.Self, false, "// Module.\nclass P {\n    x: int\n    y: int\n\n    // Sums.\n    fn sum(self) int {\n        return self.x + self.y\n    }\n}\n\n// Hi.\nfn hi() {\n    print(\"a\nb\")\n}\n"},
		{"beside an error", get("ok"), false, "fn ok() {\n}\n"},
	}
	for _, c := range cases {
		if got := v.PrettyPrint(c.d, c.hints); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.what, got, c.want)
		}
	}
	if got := v.PrettyPrint(m.Self, true); strings.Count(got, "@uuid: ") != 2 || !strings.Contains(got, "// @uuid: "+p.ID.String()+"\nclass P") {
		t.Errorf("with hints\n%s", got)
	}
}

// Staged, everything is as on disk but for the disk.
func TestSyncStaged(t *testing.T) {
	ctx := context.Background()
	for _, form := range forms {
		f := open(t, map[string]string{"m.pluto": shapes})
		if form == BinaryForm {
			f.migrate(BinaryForm)
		}
		before := f.names("m")
		f.unchanged("a staged view", func() { f.generate("", GenerateOptions{Staged: true}) })
		if _, err := f.Save(ctx); err != nil {
			t.Fatal(err)
		}
		f.edit("m.pt", "fn world", "fn everybody")
		f.unchanged("a staged sync", func() {
			if r := f.sync("m.pt", SyncOptions{Staged: true}); tally(r.SyncTally) != "fn world -> fn everybody; =4" || !r.Change.Staged {
				t.Errorf("%s: got %s", form, tally(r.SyncTally))
			}
			if r := f.sync("m.pt", SyncOptions{Staged: true}); r.Files[0].Changed {
				t.Errorf("%s: a second sync says %s", form, tally(r.SyncTally))
			}
		})
		if got := f.names("m")["function everybody"]; got != before["function world"] {
			t.Errorf("%s: everybody is %s", form, got)
		}
		if _, err := f.Save(ctx); err != nil {
			t.Fatal(err)
		}
		if len(f.Dirty()) > 0 || !strings.Contains(f.text("m.pluto"), "fn everybody") {
			t.Errorf("%s: not saved: %v", form, f.Dirty())
		}
		f.unchanged("a sync after saving", func() { f.sync("m.pt", SyncOptions{}) })
	}
}
