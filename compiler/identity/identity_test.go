package identity

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/query"
)

func module(path, text string) *Module {
	f := syntax.Parse(source.NewFile(path, "", text), &diag.List{})
	return &Module{Path: path, File: f, Decls: xref.Decls(f)}
}

func assign(rec Recorded, mods ...*Module) *IDs {
	var ds []*Draft
	for _, m := range mods {
		ds = append(ds, Read(m))
	}
	return Assign(ds, rec)
}

const vectors = `// The length.
class Vector {
    x: float
    fn length(self, unit: float) float { return self.x * unit }
}

fn dot(a: Vector, b: Vector) float { return a.x * b.x }

enum Color { Red { x: int }, Blue }

fn dot(c: int) int { return c }
`

func key(path string, kind xref.Kind, qual string) xref.Key {
	return xref.Key{File: path, Kind: kind, Qual: qual}
}

// The graph of all languages makes the same ids from names.
func TestDefaultIsThatOfTheGraph(t *testing.T) {
	ids := assign(nil, module("math/vectors.pluto", vectors))
	facts := &graph.Facts{Unit: "pluto:math", Lang: "pluto", Files: []graph.FactFile{{Path: "math/vectors.pluto", Lines: 12}}}
	declare := func(module string, kind graph.Kind, qual string) {
		facts.Symbols = append(facts.Symbols, graph.Symbol{Lang: "pluto", Module: module, Kind: kind, Qual: qual})
		d := graph.FactDecl{Sym: len(facts.Symbols) - 1, Parent: len(facts.Symbols) - 1, Name: graph.Pos{Line: 1, Col: 1}}
		if d.Parent = 0; kind == graph.KindFile {
			d.Parent = -1
		}
		facts.Decls = append(facts.Decls, d)
	}
	declare("math/vectors.pluto", graph.KindFile, "")
	kinds := map[string]xref.Kind{"dot": xref.Function, "Vector": xref.Class, "Color": xref.Enum}
	for qual, k := range kinds {
		kind, ok := graph.ParseKind(k.String())
		if !ok {
			t.Fatalf("the graph has no kind %s", k)
		}
		declare("math/vectors", kind, qual)
	}
	pages, err := graph.Build(nil, nil, []*graph.Facts{facts})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(pages)
	if err != nil {
		t.Fatal(err)
	}
	for qual, k := range kinds {
		nodes := g.Named(qual)
		if len(nodes) != 1 {
			t.Fatalf("%s: %d nodes", qual, len(nodes))
		}
		want := query.UUID(g, nodes[0])
		if got := ids.Of[key("math/vectors.pluto", k, qual)].String(); got != want {
			t.Errorf("%s: %s, the graph has %s", qual, got, want)
		}
	}
}

// These ids are in files and in the heads of agents: they never change.
func TestDefaultsStay(t *testing.T) {
	ids := assign(nil, module("math/vectors.pluto", vectors))
	for k, want := range map[xref.Key]string{
		key("math/vectors.pluto", xref.Module, ""):                  "90aee51f-b32e-51e0-830c-e6704aa1a69e",
		key("math/vectors.pluto", xref.Function, "dot"):             "575f6419-7870-5818-87cd-4d10d79436da",
		key("math/vectors.pluto", xref.Function, "dot#2"):           "d3c2f566-43a7-551a-8f26-117806283cff",
		key("math/vectors.pluto", xref.Method, "Vector.length"):     "6420c401-8117-529b-b22d-f939cb87c960",
		key("math/vectors.pluto", xref.Param, "Vector.length.unit"): "1712a4a1-5143-5642-b4d0-d0d0ec113f89",
		key("math/vectors.pluto", xref.Variant, "Color.Red"):        "2050cd1c-324b-563e-95b1-269d44fa85f9",
		key("math/vectors.pluto", xref.Field, "Color.Red.x"):        "fb3ced9e-073b-5436-bffc-350911b5e25d",
	} {
		if got := ids.Of[k].String(); got != want {
			t.Errorf("%s: %s, want %s", k, got, want)
		}
	}
}

// What a project is made of, in any order, decides its ids; and no two are the same.
func TestOrderDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 50 {
		var mods []*Module
		rec := Recorded{}
		var hints []uuid.UUID
		for i := range 4 {
			var text strings.Builder
			for j := range 1 + r.IntN(5) {
				if r.IntN(3) == 0 {
					if len(hints) == 0 || r.IntN(2) == 0 {
						hints = append(hints, uuid.New())
					}
					fmt.Fprintln(&text, HintLine(hints[r.IntN(len(hints))]))
				}
				fmt.Fprintf(&text, "fn f%d(a: int) int { return a }\n\nclass C%d { x: int }\n\n", r.IntN(3), j%2)
			}
			m := module(fmt.Sprintf("m%d.pluto", i), text.String())
			mods = append(mods, m)
			for d := range xref.All(m.Decls) {
				switch r.IntN(8) {
				case 0:
					rec[d.Key] = uuid.New()
				case 1: // the default of something else
					rec[d.Key] = Default(key(fmt.Sprintf("m%d.pluto", r.IntN(4)), xref.Function, "f0"), uuid.Nil)
				}
			}
		}
		first := assign(rec, mods...)
		r.Shuffle(len(mods), func(i, j int) { mods[i], mods[j] = mods[j], mods[i] })
		if second := assign(rec, mods...); !maps.Equal(first.Of, second.Of) {
			t.Fatalf("round %d: another order of files, other ids", round)
		}
		n := 0
		for _, m := range mods {
			n++
			for d := range xref.All(m.Decls) {
				n++
				id := first.Of[d.Key]
				if id == uuid.Nil || first.Key[id] != d.Key {
					t.Fatalf("round %d: %s has the id %s, which is of %s", round, d.Key, id, first.Key[id])
				}
			}
		}
		if len(first.Of) != n || len(first.Key) != n {
			t.Fatalf("round %d: %d declarations, %d ids", round, n, len(first.Key))
		}
	}
}

func TestHints(t *testing.T) {
	id := uuid.MustParse("11111111-2222-4333-8444-555555555555")
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"above":          {HintLine(id) + "\nfn f() { }\n", true},
		"in a comment":   {"// Says f.\n" + HintLine(id) + "\n// More.\nfn f() { }\n", true},
		"spaces":         {"  //@uuid:" + id.String() + "  \nfn f() { }\n", true},
		"nearest":        {HintLine(uuid.New()) + "\n" + HintLine(id) + "\nfn f() { }\n", true},
		"pub":            {HintLine(id) + "\npub fn f() { }\n", true},
		"a blank line":   {HintLine(id) + "\n\nfn f() { }\n", false},
		"in a string":    {"fn g() string { return \"// @uuid: " + id.String() + "\" }\nfn f() { }\n", false},
		"no id":          {"// @uuid: 1234\nfn f() { }\n", false},
		"zero":           {"// @uuid: 00000000-0000-0000-0000-000000000000\nfn f() { }\n", false},
		"another's line": {"fn g() { } " + HintLine(id) + "\nfn f() { }\n", false},
	} {
		m := module("a.pluto", c.text)
		got := assign(nil, m).Of[key("a.pluto", xref.Function, "f")]
		if (got == id) != c.want || got == uuid.Nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestTwoHints(t *testing.T) {
	id := uuid.New()
	text := HintLine(id) + "\nfn a() { }\n\n" + HintLine(id) + "\nfn b() { }\n"
	ids := assign(nil, module("a.pluto", text))
	a, b := key("a.pluto", xref.Function, "a"), key("a.pluto", xref.Function, "b")
	if ids.Of[a] != id || ids.Of[b] != Default(b, uuid.Nil) {
		t.Errorf("a has %s, b has %s", ids.Of[a], ids.Of[b])
	}
	if len(ids.Clashes) != 1 || ids.Clashes[0].Owner != a || ids.Clashes[0].Loser != b {
		t.Errorf("clashes: %v", ids.Clashes)
	}
}

// A copy of a file takes nothing from the one that it was copied from, whatever its path: not
// of a PLTO file, nor of one with hints, nor of a view, which has hints for a module without.
func TestCopies(t *testing.T) {
	text := "class C { x: int }\n\nfn f(a: int) { }\n"
	plain := assign(nil, module("m.pluto", text))
	hinted := text
	for _, k := range []xref.Key{key("m.pluto", xref.Class, "C"), key("m.pluto", xref.Function, "f")} {
		word := k.Kind.String()[:1]
		at := strings.Index(hinted, map[string]string{"c": "class", "f": "fn f"}[word])
		hinted = hinted[:at] + HintLine(plain.Of[k]) + "\n" + hinted[at:]
	}
	binary := func(m *Module) *Module {
		m.Binary = &plto.File{Module: plain.Of[key("m.pluto", xref.Module, "")], Text: text}
		at := map[xref.Key]int{}
		for d := range xref.All(m.Decls) {
			parent := -1
			if d.Parent != nil {
				parent = at[d.Parent.Key]
			}
			at[d.Key] = len(m.Binary.Decls)
			k := d.Key
			k.File = "m.pluto"
			m.Binary.Decls = append(m.Binary.Decls, plto.Decl{ID: plain.Of[k], Kind: d.Kind.String(), Name: d.Name, Parent: parent})
		}
		return m
	}
	for name, mods := range map[string][]*Module{
		"PLTO files":          {binary(module("m.pluto", text)), binary(module("copy.pluto", text))},
		"hints":               {module("m.pluto", hinted), module("copy.pluto", hinted)},
		"a view":              {module("m.pluto", text), module("copy.pt", hinted)},
		"a view, further on":  {module("m.pluto", text), module("z.pt", hinted)},
		"a view of PLTO file": {binary(module("m.pluto", text)), module("copy.pt", hinted)},
	} {
		ids := assign(nil, mods...)
		for k, id := range plain.Of {
			if ids.Of[k] != id {
				t.Errorf("%s: %s has %s instead of %s, which %s has", name, k, ids.Of[k], id, ids.Key[id])
			}
		}
		if len(ids.Clashes) == 0 {
			t.Errorf("%s: no clashes", name)
		}
	}
	// A hint of a view still counts where no module claims the id.
	ids := assign(Recorded{key("v.pt", xref.Class, "D"): uuid.New()}, module("v.pt", strings.ReplaceAll(hinted, "class C", "class D")))
	if d := key("v.pt", xref.Class, "D"); ids.Of[d] != plain.Of[key("m.pluto", xref.Class, "C")] {
		t.Error("the hint of a view does not count")
	}
}

// A declaration that took another's name leaves its own id to nobody.
func TestSalted(t *testing.T) {
	a, b := key("a.pluto", xref.Function, "a"), key("a.pluto", xref.Function, "b")
	ids := assign(Recorded{b: Default(a, uuid.Nil)}, module("a.pluto", "fn a() { }\n\nfn b() { }\n"))
	if ids.Of[b] != Default(a, uuid.Nil) || ids.Of[a] == Default(a, uuid.Nil) || ids.Of[a] == Default(b, uuid.Nil) {
		t.Errorf("a has %s, b has %s", ids.Of[a], ids.Of[b])
	}
}

// Members follow what they are members of, without records of their own.
func TestMembersFollow(t *testing.T) {
	old := assign(nil, module("a.pluto", vectors))
	c := key("a.pluto", xref.Class, "Vector")
	now := assign(Recorded{key("b.pluto", xref.Class, "Point"): old.Of[c]}, module("b.pluto", strings.ReplaceAll(vectors, "Vector", "Point")))
	for k, id := range old.Of {
		rest, ok := strings.CutPrefix(k.Qual, "Vector.")
		if ok && now.Of[key("b.pluto", k.Kind, "Point."+rest)] != id {
			t.Errorf("%s has another id", k)
		}
	}
}

func TestBinaryComesFirst(t *testing.T) {
	m := module("a.pluto", HintLine(uuid.New())+"\nfn f(a: int) { }\n\nfn g() { }\n")
	file := &plto.File{Module: uuid.New(), Text: m.File.Src.Text, Decls: []plto.Decl{
		{ID: uuid.New(), Kind: "function", Name: "f", Parent: -1},
		{ID: uuid.New(), Kind: "param", Name: "a", Parent: 0},
		{ID: uuid.New(), Kind: "function", Name: "old", Parent: -1},
	}}
	m.Binary = file
	f := key("a.pluto", xref.Function, "f")
	ids := assign(Recorded{f: uuid.New()}, m)
	if ids.Of[f] != file.Decls[0].ID || ids.Of[key("a.pluto", xref.Param, "f.a")] != file.Decls[1].ID || ids.Of[m.Key()] != file.Module {
		t.Error("the file's own ids do not hold")
	}
	if g := key("a.pluto", xref.Function, "g"); ids.Of[g] != Default(g, uuid.Nil) {
		t.Error("what the file does not know has not its default")
	}
}

func TestSidecar(t *testing.T) {
	r := Recorded{
		key("b.pluto", xref.Function, "f"):                  uuid.New(),
		key("a.pluto", xref.Method, "C.m"):                  uuid.New(),
		key("a.pluto", xref.Test, "says \"x\"\n<&> \u2028"): uuid.New(),
		key("a.pluto", xref.Module, ""):                     uuid.New(),
	}
	data := r.Encode()
	back, bad, err := Decode(data)
	if err != nil || bad != 0 || !maps.Equal(r, back) {
		t.Errorf("%v %d %v from\n%s", back, bad, err, data)
	}
	if string(back.Encode()) != string(data) {
		t.Error("the same records, other bytes")
	}
	if n := strings.Count(string(data), "\n"); n != len(r)+2 {
		t.Errorf("%d lines:\n%s", n, data)
	}
	for text, bad := range map[string]int{
		`{"version":1,"ids":[{"file":"../x","kind":"function","name":"f","id":"11111111-2222-4333-8444-555555555555"},5,{"kind":"x"}]}`: 3,
		`{"version":1}`: 0,
	} {
		if r, n, err := Decode([]byte(text)); len(r) != 0 || n != bad || err != nil {
			t.Errorf("%s: %v %d %v", text, r, n, err)
		}
	}
	// Two branches that both recorded something, and a file that was cut off.
	lines := strings.SplitAfter(string(data), "\n")
	merged := lines[0] + "<<<<<<< HEAD\n" + lines[1] + "=======\n" + lines[2] + ">>>>>>> other\n" + strings.Join(lines[3:], "")
	if back, bad, err := Decode([]byte(merged)); err != nil || bad != 4 || !maps.Equal(r, back) {
		t.Errorf("merged: %v %d %v", back, bad, err)
	}
	cut := strings.Join(lines[:3], "") + lines[3][:10]
	if back, bad, err := Decode([]byte(cut)); err != nil || bad != 1 || len(back) != 2 {
		t.Errorf("cut off: %v %d %v", back, bad, err)
	}
	for _, text := range []string{`{"version":2,"ids":[]}`, "{", "\xff", "[]"} {
		if _, _, err := Decode([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestMerge(t *testing.T) {
	a, b, c := key("a", xref.Function, "a"), key("a", xref.Function, "b"), key("a", xref.Function, "c")
	one, two, three := uuid.New(), uuid.New(), uuid.New()
	old, now := Recorded{a: one, b: two}, Recorded{b: three, c: one}
	from, to := Delta(old, now)
	disk := Recorded{a: one, b: two, key("z", xref.Error, "z"): uuid.New()}.Encode()
	there := Merge(disk, from.Encode(), to.Encode())
	if string(Merge(there, from.Encode(), to.Encode())) != string(there) {
		t.Error("twice is not once")
	}
	if string(Merge(there, to.Encode(), from.Encode())) != string(disk) {
		t.Error("there and back is not where it was")
	}
	if got := Merge(old.Encode(), old.Encode(), nil); got != nil {
		t.Errorf("no records: %s", got)
	}
}

func BenchmarkAssign(b *testing.B) {
	var ds []*Draft
	for i := range 500 {
		var text strings.Builder
		for j := range 20 {
			fmt.Fprintf(&text, "fn f%d(a: int, b: int) int { return a }\n\n", j)
		}
		ds = append(ds, Read(module(fmt.Sprintf("m%d.pluto", i), text.String())))
	}
	for b.Loop() {
		Assign(ds, nil)
	}
}
