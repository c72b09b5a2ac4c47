package pluto_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

func TestResolve(t *testing.T) {
	p := project(t, shop+`
-- deep/store.pluto --
fn find(depth: int) int {
    return depth
}

fn deadbeef() int {
    return 1
}

test "dot. and / more" {
    expect(find(1)).to_equal(1)
}
`, pluto.Options{})
	v := view(t, p)
	dot := resolve(t, v, "dot")
	hex := strings.ReplaceAll(dot.ID.String(), "-", "")
	for _, c := range []struct{ symbol, path, want string }{
		{"dot", "", "math/vectors.dot"},
		{"math/vectors.dot", "", "math/vectors.dot"},
		{"vectors.dot", "", "math/vectors.dot"},
		{"math/vectors/dot", "", "math/vectors.dot"},
		{"math/vectors.pluto/dot", "", "math/vectors.dot"},
		{"math/vectors.pluto#dot", "", "math/vectors.dot"},
		{" dot ", "", "math/vectors.dot"},
		{dot.ID.String(), "", "math/vectors.dot"},
		{strings.ToUpper(dot.ID.String()), "", "math/vectors.dot"},
		{hex, "", "math/vectors.dot"},
		{hex[:8], "", "math/vectors.dot"},
		{hex[:13], "", "math/vectors.dot"},
		{dot.ID.String()[:12], "", "math/vectors.dot"},
		{"Vector.square", "", "math/vectors.Vector.square"},
		{"square", "", "math/vectors.Vector.square"},
		{"vectors.Vector.square", "", "math/vectors.Vector.square"},
		{"Color.Blue.depth", "", "store.Color.Blue.depth"},
		{"Vector.x", "", "math/vectors.Vector.x"},
		{"find", "deep", "deep/store.find"},
		{"store.find", "", "store.find"},
		{"find", "deep/store.pluto", "deep/store.find"},
		{"find", "store.pluto", "store.find"},
		{"deep/store.find", "", "deep/store.find"},
		{"deadbeef", "", "deep/store.deadbeef"},
		{"dot. and / more", "", "deep/store.dot. and / more"},
		{"math/vectors", "", "math/vectors"},
		{"math/vectors.pluto", "", "math/vectors"},
		{"vectors", "", "math/vectors"},
		{"math/vectors.pluto:2", "", "math/vectors.Vector"},
		{"math/vectors.pluto:1", "", "math/vectors.Vector"},
		{"math/vectors.pluto:8", "", "math/vectors.Vector.square"},
		{"math/vectors.pluto:8:5", "", "math/vectors.Vector.square"},
		{"math/vectors.pluto:3:5", "", "math/vectors.Vector.x"},
		{p.Root() + "/math/vectors.pluto:3", "", "math/vectors.Vector.x"},
	} {
		d, err := v.Resolve(c.symbol, c.path)
		if err != nil {
			t.Errorf("%q in %q: %v", c.symbol, c.path, err)
		} else if d.Handle() != c.want {
			t.Errorf("%q in %q: %s, want %s", c.symbol, c.path, d.Handle(), c.want)
		}
	}
	for _, c := range []struct {
		symbol, path string
		code         pluto.Code
		near         string
	}{
		{"find", "", pluto.Ambiguous, ""},
		{"depth", "", pluto.Ambiguous, ""},
		{"dott", "", pluto.NotFound, "dot"},
		{"vektors.dott", "", pluto.NotFound, "dot"},
		{"Vektor", "", pluto.NotFound, "Vector"},
		{"squar", "", pluto.NotFound, "Vector.square"},
		{"zzzzzzzz", "", pluto.NotFound, ""},
		{"", "", pluto.InvalidArgument, ""},
		{"dot", "store", pluto.NotFound, ""},
		{"dot", "nowhere.pluto", pluto.NotFound, ""},
		{"dot", "../x", pluto.OutsideProject, ""},
		{dot.ID.String(), "main.pluto", pluto.InvalidArgument, ""},
		{"00000000-0000-4000-8000-000000000000", "", pluto.NotFound, ""},
		{"math/vectors.pluto:999", "", pluto.InvalidArgument, ""},
		{"nowhere.pluto:1", "", pluto.NotFound, ""},
		{"main.pluto:1", "", pluto.NotFound, ""},
		{strings.Repeat("a", 100000), "", pluto.NotFound, ""},
		{"\xff\x00", "", pluto.NotFound, ""},
	} {
		_, err := v.Resolve(c.symbol, c.path)
		if pluto.CodeOf(err) != c.code {
			t.Errorf("%.40q in %q: %v, want %s", c.symbol, c.path, err, c.code)
			continue
		}
		e := code(t, err, c.code)
		if c.near != "" && !slices.Contains(e.Near, c.near) || len(e.Near) > 3 {
			t.Errorf("%q: near %v, want %s", c.symbol, e.Near, c.near)
		}
		if c.code == pluto.Ambiguous && len(e.Candidates) < 2 {
			t.Errorf("%q: candidates %v", c.symbol, e.Candidates)
		}
	}
	if _, err := v.ResolveKinds("Vector", "", xref.Enum); pluto.CodeOf(err) != pluto.KindMismatch {
		t.Errorf("a class as an enum: %v", err)
	}
	if d, err := v.ResolveKinds("find", "deep", xref.Function); err != nil || d.Name != "find" {
		t.Errorf("%v", err)
	}
	// Every handle and every place means the declaration that it is of.
	for _, m := range v.Modules() {
		for d := range m.All() {
			if got, err := v.Resolve(d.Handle(), ""); err != nil || got != d {
				t.Errorf("the handle %s: %v", d.Handle(), err)
			}
			at := d.NamePlace()
			if got, err := v.Resolve(fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Col), ""); err != nil || got != d {
				t.Errorf("the place of %s: %v", d.Handle(), err)
			}
		}
	}
}

func TestFind(t *testing.T) {
	v := view(t, project(t, shop, pluto.Options{}))
	for _, c := range []struct {
		name string
		o    pluto.FindOptions
		want string
	}{
		{"dot", pluto.FindOptions{}, "dot"},
		{"Vector", pluto.FindOptions{}, "Vector"},
		{"Do", pluto.FindOptions{}, ""},
		{"do", pluto.FindOptions{Match: pluto.Prefix}, "dot"},
		{"Vector.s", pluto.FindOptions{Match: pluto.Prefix}, "Vector.square"},
		{"VEC", pluto.FindOptions{Match: pluto.Substring, Top: true}, "Vector"},
		{"vsq", pluto.FindOptions{Match: pluto.Fuzzy, Limit: 1}, "Vector.square"},
		{"", pluto.FindOptions{Match: pluto.Prefix, Kinds: []xref.Kind{xref.Function}}, "main half dot find name"},
		{"", pluto.FindOptions{Match: pluto.Prefix, Kinds: []xref.Kind{xref.Function}, Path: "math"}, "half dot"},
		{"", pluto.FindOptions{Match: pluto.Prefix, Kinds: []xref.Kind{xref.Module}}, ""},
		{"x", pluto.FindOptions{Kinds: []xref.Kind{xref.Field}}, "Vector.x"},
	} {
		var got []string
		for _, d := range v.Find(c.name, c.o) {
			if d.Kind != xref.Module {
				got = append(got, d.Qual)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q %+v: %v, want %s", c.name, c.o, got, c.want)
		}
	}
}

const zoo = `
-- main.pluto --
import animals

fn main() {
    let d = animals.Dog { name: "Rex" }
    speak(d)
    print(d.sound())
    print(animals.even(10))
    print(load("x") catch e: animals.Missing { "none" })
}

fn speak(a: animals.Animal) {
    print(a.sound())
}

fn load(s: string) string {
    return animals.fetch(s)!
}
-- animals.pluto --
pub trait Animal {
    fn sound(self) string
}

pub class Dog impl Animal {
    name: string

    fn sound(self) string {
        return f"wuff {self.name}"
    }
}

pub error Missing { what: string }

pub fn fetch(s: string) string {
    if s == "" {
        raise Missing { what: s }
    }
    return s
}

pub fn even(n: int) bool {
    if n == 0 {
        return true
    }
    return odd(n - 1)
}

fn odd(n: int) bool {
    if n == 0 {
        return false
    }
    return even(n - 1)
}
`

func kinds(us []pluto.Use) string {
	var out []string
	for _, u := range us {
		s := fmt.Sprintf("%s %s:%d", u.Kind, u.At.File, u.At.Line)
		if u.Owner != nil && u.Owner.Kind != xref.Module {
			s += " in " + u.Owner.Qual
		}
		if u.Dynamic {
			s += " dynamic"
		}
		out = append(out, s)
	}
	return strings.Join(out, "\n")
}

func TestUses(t *testing.T) {
	v := view(t, project(t, zoo, pluto.Options{}))
	clean(t, v)
	ask := func(symbol string, f func(d *pluto.Decl) ([]pluto.Use, error), want string) {
		t.Helper()
		got, err := f(resolve(t, v, symbol))
		if err != nil {
			t.Errorf("%s: %v", symbol, err)
		} else if kinds(got) != want {
			t.Errorf("%s:\n%s\nwant:\n%s", symbol, kinds(got), want)
		}
	}
	ask("Dog.sound", func(d *pluto.Decl) ([]pluto.Use, error) { return v.Callers(ctx, d) }, "method_call main.pluto:6 in main\nmethod_call main.pluto:12 in speak dynamic")
	ask("Dog", func(d *pluto.Decl) ([]pluto.Use, error) { return v.Constructors(ctx, d) }, "construct main.pluto:4 in main")
	ask("Missing", func(d *pluto.Decl) ([]pluto.Use, error) { return v.RaiseSites(ctx, d) }, "raise animals.pluto:17 in fetch\ncatch main.pluto:8 in main")
	ask("even", func(d *pluto.Decl) ([]pluto.Use, error) { return v.Callees(ctx, d) }, "call animals.pluto:26 in even")
	ask("Animal", func(d *pluto.Decl) ([]pluto.Use, error) { return v.Uses(ctx, d) }, "impl animals.pluto:5 in Dog\ntype_ref main.pluto:11 in speak")
	ask("animals", func(d *pluto.Decl) ([]pluto.Use, error) { return v.Uses(ctx, d, xref.Import) }, "import main.pluto:1")
	if _, err := v.Callers(ctx, resolve(t, v, "Dog")); pluto.CodeOf(err) != pluto.KindMismatch {
		t.Errorf("callers of a class: %v", err)
	}
	if ds, err := v.Implementors(ctx, resolve(t, v, "Animal.sound")); err != nil || len(ds) != 1 || ds[0].Qual != "Dog.sound" {
		t.Errorf("implementors: %v %v", ds, err)
	}
	errs, known, err := v.ErrorSet(ctx, resolve(t, v, "load"))
	if err != nil || !known || len(errs) != 1 || errs[0].Decl.Name != "Missing" || len(errs[0].Origins) != 1 || errs[0].Origins[0].From.Name != "fetch" || errs[0].Origins[0].At.Line != 16 {
		t.Errorf("errors: %+v %v %v", errs, known, err)
	}
	sig, err := v.Signature(ctx, resolve(t, v, "speak"))
	if err != nil || sig == nil || len(sig.Params) != 1 || sig.Params[0].Type != "Animal" && sig.Params[0].Type != "animals.Animal" || sig.Result != "void" || sig.Fallible || !sig.Known {
		t.Errorf("signature: %+v %v", sig, err)
	}
}

// What does not check has no answers made up for it.
func TestUnknownIsNotNone(t *testing.T) {
	v := view(t, project(t, "-- main.pluto --\nfn f(a: Nothing) int {\n    return g()\n}\n\nfn main() { }\n", pluto.Options{}))
	if errs, known, err := v.ErrorSet(ctx, resolve(t, v, "f")); err != nil || known || errs != nil {
		t.Errorf("errors: %v %v %v", errs, known, err)
	}
}

func graphText(g *pluto.CallGraph) string {
	var b strings.Builder
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "%d %s:", n.Depth, n.Key.Qual)
		for _, e := range n.Calls {
			b.WriteString(" " + e.To.Key.Qual)
			if e.Cycle {
				b.WriteString("(cycle)")
			}
			if e.Dynamic {
				b.WriteString("(dynamic)")
			}
		}
		b.WriteString("\n")
	}
	if g.Cut {
		b.WriteString("cut\n")
	}
	return b.String()
}

func TestCallGraph(t *testing.T) {
	v := view(t, project(t, zoo, pluto.Options{}))
	for _, c := range []struct {
		symbol string
		depth  int
		dir    pluto.Direction
		want   string
	}{
		{"even", 5, pluto.Callees, "0 even: odd\n1 odd: even(cycle)\n"},
		{"odd", 5, pluto.Callers, "0 odd: even\n1 even: odd(cycle) main\n2 main:\n"},
		{"main.main", 1, pluto.Callees, "0 main: speak Dog.sound even load\n1 Dog.sound:\n1 even:\n1 load:\n1 speak:\ncut\n"},
		{"speak", 3, pluto.Callees, "0 speak: Animal.sound(dynamic)\n1 Animal.sound: Dog.sound(dynamic)\n2 Dog.sound:\n"},
		{"Dog.sound", 2, pluto.Callers, "0 Dog.sound: main speak(dynamic)\n1 main:\n1 speak: main\n"},
	} {
		g, err := v.CallGraph(ctx, resolve(t, v, c.symbol), c.depth, c.dir)
		if err != nil {
			t.Errorf("%s: %v", c.symbol, err)
		} else if got := graphText(g); got != c.want {
			t.Errorf("%s, depth %d:\n%s\nwant:\n%s", c.symbol, c.depth, got, c.want)
		}
	}
}

func TestImports(t *testing.T) {
	v := view(t, project(t, shop, pluto.Options{}))
	var b strings.Builder
	for _, d := range v.Dependencies() {
		fmt.Fprintf(&b, "%s:", d.Module.Path)
		for _, m := range d.Imports {
			b.WriteString(" " + m.Path)
		}
		b.WriteString("\n")
	}
	if want := "main.pluto: math/vectors.pluto store.pluto\nmath/vectors.pluto:\nstore.pluto:\n"; b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
	if c := v.ImportCycle(); c != nil {
		t.Errorf("a cycle: %v", c)
	}
	v = view(t, project(t, "-- main.pluto --\nimport z\nimport std.strings\n-- z.pluto --\nimport b\n-- b.pluto --\nimport c\n-- c.pluto --\nimport b\n", pluto.Options{}))
	var names []string
	for _, m := range v.ImportCycle() {
		names = append(names, m.Name)
	}
	if strings.Join(names, " ") != "b c b" {
		t.Errorf("the cycle is %v", names)
	}
	for _, d := range v.Dependencies() {
		if d.Module.Name == "main" && !slices.Equal(d.Outside, []string{"std.strings"}) {
			t.Errorf("outside: %v", d.Outside)
		}
	}
}
