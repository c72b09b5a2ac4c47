package refactor_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/refactor"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// TestBytes is about what archives of texts cannot show: line ends, byte order marks, the
// end of the file.
func TestBytes(t *testing.T) {
	const bom = "\ufeff"
	fn := func(name string) string { return "main.pluto function " + name }
	for _, c := range []struct {
		name string
		ask  []string
		src  string
		in   string
		want string
	}{
		{"crlf", []string{"add", "main.pluto"}, "import std.math\n\n// a\nfn a() {\n    print(math.abs(1))\n}\n",
			"fn main() {\r\n}\r\n", "import std.math\r\n\r\nfn main() {\r\n}\r\n\r\n// a\r\nfn a() {\r\n    print(math.abs(1))\r\n}\r\n"},
		{"crlf to lf", []string{"add", "main.pluto"}, "fn a() {\r\n}\r\n", "fn main() {\n}\n", "fn main() {\n}\n\nfn a() {\n}\n"},
		{"crlf literal", []string{"add", "main.pluto"}, "fn a() {\n    print(\"x\ny\")\n}\n", "fn main() {\r\n}\r\n",
			"fn main() {\r\n}\r\n\r\nfn a() {\r\n    print(\"x\ny\")\r\n}\r\n"},
		{"no newline at the end", []string{"add", "main.pluto"}, "fn a() {}\n", "fn main() {}", "fn main() {}\n\nfn a() {}"},
		{"blank lines at the end", []string{"add", "main.pluto"}, "fn a() {}\n", "fn main() {}\n\n\n", "fn main() {}\n\nfn a() {}\n\n\n"},
		{"mark", []string{"add", "main.pluto", "before " + fn("main")}, "import std.math\nfn a() {\n    print(math.abs(1))\n}", bom + "fn main() {}\n",
			bom + "import std.math\n\nfn a() {\n    print(math.abs(1))\n}\n\nfn main() {}\n"},
		{"mark and nothing", []string{"add", "main.pluto"}, "fn main() {}", bom + "\n", bom + "fn main() {}\n"},
		{"mark in the source", []string{"add", "main.pluto"}, bom + "fn a() {}", "fn main() {}\n", "fn main() {}\n\nfn a() {}\n"},
		{"delete the last without newline", []string{"delete", fn("a")}, "", "fn main() {}\n\nfn a() {}", "fn main() {}"},
		{"delete under a mark", []string{"delete", fn("a")}, "", bom + "// a\nfn a() {}\n\nfn main() {}\n", bom + "fn main() {}\n"},
		{"delete in crlf", []string{"delete", fn("a")}, "", "fn b() {\r\n}\r\n\r\n// a\r\nfn a() {\r\n} // end\r\n\r\nfn main() {\r\n}\r\n", "fn b() {\r\n}\r\n\r\nfn main() {\r\n}\r\n"},
		{"delete everything", []string{"delete", fn("main")}, "", bom + "\nfn main() {\n}\n\n", bom},
		{"rename in crlf", []string{"rename", fn("a"), "b"}, "", "fn a() {\r\n}\r\n\r\nfn main() {\r\n\ta() \r\n}", "fn b() {\r\n}\r\n\r\nfn main() {\r\n\tb() \r\n}"},
		{"method in tabs and crlf", []string{"method", "main.pluto class C"}, "fn m(self) {\n  if true {\n    print(1)\n  }\n}", "class C {\r\n\tx: int\r\n}\r\n",
			"class C {\r\n\tx: int\r\n\r\n\tfn m(self) {\r\n\t\tif true {\r\n\t\t\tprint(1)\r\n\t\t}\r\n\t}\r\n}\r\n"},
		{"method with a literal", []string{"method", "main.pluto class C"}, "fn m(self) {\n    print(\"a\n  b\")\n}", "class C {\n    x: int\n}\n",
			"class C {\n    x: int\n\n    fn m(self) {\n        print(\"a\n  b\")\n    }\n}\n"},
		{"replace in crlf", []string{"replace", fn("a")}, "fn a() {\n    print(1)\n}", "// a\r\nfn a() {\r\n}\r\n", "// a\r\nfn a() {\r\n    print(1)\r\n}\r\n"},
		{"indented method", []string{"method", "main.pluto class C"}, "    // m\n    fn m(self) {\n        print(1)\n    }\n", "class C {\n  x: int\n}\n",
			"class C {\n  x: int\n\n  // m\n  fn m(self) {\n    print(1)\n  }\n}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := build(t, map[string]string{"main.pluto": c.in})
			p, err := ask(t, s, c.ask, c.src)
			if err != nil {
				t.Fatal(err)
			}
			if got := texts(carryOut(t, s, p))["main.pluto"]; got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestMembersAndBack adds members to everything that has some, and deletes them: no line with
// text on it is different.
func TestMembersAndBack(t *testing.T) {
	ctx := context.Background()
	added := 0
	sound(t, stride, func(p project, s *workspace.State) {
		before := texts(s)
		for _, d := range declarations(s) {
			for _, add := range []func() (*refactor.Plan, error){
				func() (*refactor.Plan, error) {
					return refactor.AddMethod(ctx, s, d.Key, "// new\nfn fresh_one(self) int {\n    return 1\n}", refactor.Position{})
				},
				func() (*refactor.Plan, error) {
					return refactor.AddField(ctx, s, d.Key, "fresh_one", "[int]?", refactor.FieldOptions{})
				},
				func() (*refactor.Plan, error) {
					return refactor.AddField(ctx, s, d.Key, "fresh_one", "int", refactor.FieldOptions{Injected: true})
				},
				func() (*refactor.Plan, error) {
					return refactor.AddVariant(ctx, s, d.Key, "Fresh_one { a: int }", refactor.Position{})
				},
			} {
				plan, err := add()
				if err != nil {
					if e, ok := err.(*refactor.Error); !ok || e.Code != refactor.KindMismatch {
						t.Errorf("%s: adding to %v: %v", p.name, d.Key, err)
					}
					continue
				}
				next := carryOut(t, s, plan)
				m := next.Module(d.Key.File)
				if len(plan.Added) != 1 || !m.File.OK {
					t.Errorf("%s: adding to %v adds %v:\n%s", p.name, d.Key, plan.Added, m.File.Src.Text)
					continue
				}
				added++
				back, err := refactor.Delete(ctx, next, plan.Added[0])
				if err != nil {
					t.Errorf("%s: %v: %v", p.name, plan.Added[0], err)
					continue
				}
				now := texts(carryOut(t, next, back))[d.Key.File]
				if words(now) != words(before[d.Key.File]) {
					t.Errorf("%s: %v added and deleted:\n%s\nwas\n%s", p.name, plan.Added[0], now, before[d.Key.File])
				}
			}
		}
	})
	if added < 500/stride {
		t.Errorf("%d were added", added)
	}
}

// words is a text without white space, and without braces that hold nothing.
func words(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), ""), "{}", "")
}

// TestBrokenTexts plans edits of texts that somebody is in the middle of writing: nothing
// panics, and what is not touched stays.
func TestBrokenTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	planned := 0
	projects := corpus(t)
	for range broken {
		p := projects[r.IntN(len(projects))]
		files := map[string]string{}
		for path, text := range p.files {
			if n := len(text); n > 4 {
				at := r.IntN(n - 2)
				text = text[:at] + text[min(n, at+1+r.IntN(12)):]
			}
			files[path] = text
		}
		s := build(t, files)
		ds := declarations(s)
		if len(ds) == 0 {
			continue
		}
		for range 6 {
			d := ds[r.IntN(len(ds))]
			other := ds[r.IntN(len(ds))]
			for _, do := range operations(s, d, other) {
				plan, err := do()
				if err != nil {
					if e, ok := err.(*refactor.Error); !ok || e.Code == "" || e.Text == "" {
						t.Fatalf("%v", err)
					}
					continue
				}
				planned++
				if _, err := plan.Texts(s); err != nil {
					t.Fatalf("%s: %v", p.name, err)
				}
				if problem := keysAgree(s, carryOut(t, s, plan), plan); problem != "" {
					t.Fatalf("%s: %v: %s\n%v", p.name, d.Key, problem, files)
				}
			}
		}
	}
	if planned < 5*broken {
		t.Errorf("%d edits were planned", planned)
	}
}

// operations are one of each kind.
func operations(s *workspace.State, d, other *xref.Decl) []func() (*refactor.Plan, error) {
	ctx := context.Background()
	text := other.File.Src.Text[other.WithDoc.Start:other.WithDoc.End]
	at := refactor.Position{After: other.Key}
	return []func() (*refactor.Plan, error){
		func() (*refactor.Plan, error) {
			return refactor.Rename(ctx, s, d.Key, "fresh_one", refactor.RenameOptions{})
		},
		func() (*refactor.Plan, error) {
			return refactor.Rename(ctx, s, d.Key, other.Name, refactor.RenameOptions{File: true})
		},
		func() (*refactor.Plan, error) { return refactor.Delete(ctx, s, d.Key) },
		func() (*refactor.Plan, error) { return refactor.Replace(ctx, s, d.Key, text) },
		func() (*refactor.Plan, error) {
			return refactor.Add(ctx, s, d.Key.File, "fn fresh_one() {\n}", refactor.Position{})
		},
		func() (*refactor.Plan, error) { return refactor.Add(ctx, s, d.Key.File, text, at) },
		func() (*refactor.Plan, error) {
			return refactor.Move(ctx, s, d.Key, other.Key.File, refactor.Position{})
		},
		func() (*refactor.Plan, error) { return refactor.Move(ctx, s, d.Key, "new/place", refactor.Position{}) },
		func() (*refactor.Plan, error) {
			return refactor.AddMethod(ctx, s, d.Key, "fn fresh_one(self) {\n}", at)
		},
		func() (*refactor.Plan, error) {
			return refactor.AddField(ctx, s, d.Key, "fresh_one", "int", refactor.FieldOptions{})
		},
		func() (*refactor.Plan, error) {
			return refactor.AddVariant(ctx, s, d.Key, "Fresh_one", refactor.Position{})
		},
		func() (*refactor.Plan, error) { return refactor.RenameModule(ctx, s, d.Key.File, "fresh_one") },
		func() (*refactor.Plan, error) { return refactor.DeleteModule(ctx, s, d.Key.File) },
	}
}

// TestStranger asks for what is not there.
func TestStranger(t *testing.T) {
	s := build(t, map[string]string{"main.pluto": "import std.math\n\nfn main() {\n    print(math.abs(1))\n}\n"})
	ctx := context.Background()
	_, err := refactor.Rename(ctx, s, xref.Key{File: "std/math.pluto", Kind: xref.Function, Qual: "abs"}, "x", refactor.RenameOptions{})
	if e, ok := err.(*refactor.Error); !ok || e.Code != refactor.Outside {
		t.Errorf("the library: %v", err)
	}
	for _, k := range []xref.Key{{}, {File: "main.pluto"}, {File: "main.pluto", Kind: xref.Class, Qual: "main"}, {File: "gone.pluto", Kind: xref.Function, Qual: "main"}} {
		_, err := refactor.Delete(ctx, s, k)
		if e, ok := err.(*refactor.Error); !ok || e.Code != refactor.NotFound {
			t.Errorf("%v: %v", k, err)
		}
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := refactor.Rename(gone, s, xref.Key{File: "main.pluto", Kind: xref.Function, Qual: "main"}, "x", refactor.RenameOptions{}); err == nil {
		t.Error("nobody waits for it any more, and it is planned all the same")
	}
	p := &refactor.Plan{Edits: map[string][]refactor.Edit{"main.pluto": {{New: "x"}, {New: "y"}}, "gone.pluto": {{New: "x"}}}}
	if _, err := p.Texts(s); err == nil {
		t.Error("a plan for another state can be carried out")
	}
}
