package match

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

func file(name, text string) File {
	var l diag.List
	return Of(syntax.Parse(source.NewFile(name, "", text), &l))
}

// id numbers declarations by their keys, as long as the test runs.
func id(k xref.Key) uuid.UUID {
	return uuid.NewSHA1(uuid.Nil, []byte(k.String()))
}

func ids(fs ...File) map[xref.Key]uuid.UUID {
	m := map[xref.Key]uuid.UUID{}
	for _, f := range fs {
		for d := range xref.All(f.Decls) {
			m[d.Key] = id(d.Key)
		}
	}
	return m
}

var hintOf = regexp.MustCompile(`@uuid: <([a-z]+) ([^>]*)>`)

// input reads a case: files begin with a line `== name`. Hints are written `@uuid: <kind qual>`,
// which is the id of the old declaration of the file a.pluto.
func input(old, new string) Input {
	split := func(text string) (fs []File) {
		if !strings.HasPrefix(text, "== ") {
			return []File{file("a.pluto", text)}
		}
		for _, part := range strings.Split(text, "== ")[1:] {
			name, text, _ := strings.Cut(part, "\n")
			fs = append(fs, file(name, text))
		}
		return fs
	}
	in := Input{Old: split(old), New: split(new), Hints: map[xref.Key]uuid.UUID{}}
	in.IDs = ids(in.Old...)
	for _, f := range in.New {
		for d := range xref.All(f.Decls) {
			above := f.File.Src.Text[d.WithDoc.Start:d.Full.Start]
			if h := hintOf.FindStringSubmatch(above); h != nil {
				for k := range in.IDs {
					if k.Kind.String() == h[1] && k.Qual == h[2] {
						in.Hints[d.Key] = in.IDs[k]
					}
				}
			}
		}
	}
	return in
}

// told is a result as lines, sorted.
func told(r *Result) string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	top := func(d *xref.Decl) bool { return d.Parent == nil }
	for _, d := range r.Added {
		if top(d) {
			say("+ %v %s", d.Kind, d.Qual)
		}
	}
	for _, d := range r.Removed {
		if top(d) {
			say("- %v %s", d.Kind, d.Qual)
		}
	}
	for _, p := range r.Pairs {
		if !top(p.New) && (p.By != ByHint || p.Old.Parent == nil || r.pairOf(p.Old.Parent) == p.New.Parent) {
			continue
		}
		s := fmt.Sprintf("= %v %s", p.New.Kind, p.New.Qual)
		if p.Old.Qual != p.New.Qual || p.Old.Kind != p.New.Kind {
			s += fmt.Sprintf(" was %s", p.Old.Qual)
		}
		if p.Moved() {
			s += " from " + p.Old.Key.File
		}
		if p.By != ByName {
			s += " by " + p.By.String()
		}
		if p.Modified() {
			s += ": " + Describe(p.Changes)
		}
		if strings.Count(s, " ") > 2 {
			say("%s", s)
		}
	}
	for _, i := range r.ImportsAdded {
		say("+ %s", i.Text)
	}
	for _, i := range r.ImportsRemoved {
		say("- %s", i.Text)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func (r *Result) pairOf(old *xref.Decl) *xref.Decl {
	for _, p := range r.Pairs {
		if p.Old == old {
			return p.New
		}
	}
	return nil
}

func TestMatch(t *testing.T) {
	cases := []struct{ name, old, new, want string }{
		{"nothing before", "", "fn a() {\n}\nclass P {\n    x: int\n}\n", "+ class P\n+ function a"},
		{"nothing after", "fn a() {\n}\n", "", "- function a"},
		{"the same", "fn a() {\n}\n", "fn a() {\n}\n", ""},
		{"added", "fn a() {\n}\n", "fn b() {\n    print(1)\n}\nfn a() {\n}\n", "+ function b"},
		{"removed", "fn hello() {\n    print(1)\n}\nfn world() {\n    print(2)\n}\n", "fn hello() {\n    print(1)\n}\n", "- function world"},
		{"body", "fn a() {\n    print(1)\n}\n", "fn a() {\n    print(2)\n}\n", "= function a: body"},
		{"everything about a function", "fn a(x: int) {\n    print(1)\n}\n", "// new\npub fn a<T>(x: int, y: T) int\nrequires x > 0\n{\n    return 2\n}\n",
			"= function a: visibility, type parameters, signature, contract, body, comments"},
		{"comment only", "fn a() {\n    print(1)\n}\n", "// says 1\nfn a() {\n    print(1) // one\n}\n", "= function a: comments"},
		{"layout only", "fn a() {\n    print(1)\n}\n", "fn a() { print(1) }\n", "= function a: layout"},
		{"a newline that means something", "fn a(x: int) {\n    return\n    f(x)\n}\n", "fn a(x: int) {\n    return f(x)\n}\n", "= function a: body"},
		{"a comma that means something", "fn a() [int] {\n    return [1, -2]\n}\n", "fn a() [int] {\n    return [1 -2]\n}\n", "= function a: body"},
		{"a hint is no comment", "fn a() {\n}\n", "// @uuid: <function a>\nfn a() {\n}\n", "= function a by hint"},

		{"a hint was copied to a file before", "== m.pluto\nfn a() {\n}\n", "== a.pluto\n// @uuid: <function a>\nfn a() {\n}\n== m.pluto\n// @uuid: <function a>\nfn a() {\n}\n", "+ function a\n= function a by hint"},

		{"renamed", "fn a(x: int) int {\n    return x + 1\n}\n", "fn b(x: int) int {\n    return x + 1\n}\n", "= function b was a by body"},
		{"renamed without parameters", "fn a() int {\n    return 1\n}\n", "fn b() int {\n    return 1\n}\n", "= function b was a by body"},
		{"renamed and recursive", "fn a(n: int) int {\n    return a(n - 1)\n}\n", "fn b(n: int) int {\n    return b(n - 1)\n}\n", "= function b was a by body"},
		{"renamed, with another line", "fn total(xs: [int]) int {\n    let mut sum = 0\n    for x in xs {\n        sum = sum + x\n    }\n    return sum\n}\n",
			"fn sum_of(xs: [int]) int {\n    let mut sum = 0\n    for x in xs {\n        sum = sum + x\n    }\n    print(sum)\n    return sum\n}\n", "= function sum_of was total by likeness: body"},
		{"renamed, one of three lines is another", "fn a(x: int) int {\n    let a = x + 1\n    let b = a * 2\n    return b - 3\n}\n",
			"fn calc(x: int) int {\n    let a = x + 1\n    let b = a / 7\n    return b - 3\n}\n", "= function calc was a by likeness: body"},
		{"renamed and made public", "fn a(x: int) int {\n    return x + 1\n}\n", "pub fn b(x: int) int {\n    return x + 1\n}\n", "= function b was a by body: visibility"},
		{"the same signature is no rename", "fn foo(x: int) int {\n    return x\n}\n", "fn bar(x: int) int {\n    return x * 2\n}\n", "+ function bar\n- function foo"},
		{"the same signature and another operator is no rename", "fn add(a: int, b: int) int {\n    return a + b\n}\n", "fn sub(a: int, b: int) int {\n    return a - b\n}\n", "+ function sub\n- function add"},
		{"longer and unrelated", "fn foo(x: int) int {\n    let y = x * 2\n    print(y)\n    return y\n}\n",
			"fn bar(x: int) int {\n    if x < 0 {\n        return 0\n    }\n    return x + 40\n}\n", "+ function bar\n- function foo"},
		{"empty bodies say nothing", "fn a() {\n}\n", "fn b() {\n}\n", "+ function b\n- function a"},
		{"two functions with a short body for one", "fn a() int {\n    return 0\n}\nfn b() int {\n    return 0\n}\n", "fn c() int {\n    return 0\n}\n", "+ function c\n- function a\n- function b"},
		{"two functions with one body for two", "fn a() int {\n    return 0\n}\nfn b() int {\n    return 0\n}\n", "fn c() int {\n    return 0\n}\nfn d() int {\n    return 0\n}\n",
			"= function c was a by body\n= function d was b by body"},
		{"the name counts more than the body", "fn a() int {\n    return 1\n}\nfn b() int {\n    return 2\n}\n", "fn b() int {\n    return 1\n}\nfn a() int {\n    return 2\n}\n", "= function a: body\n= function b: body"},
		{"the hint counts more than the name", "fn a() int {\n    return 1\n}\nfn b() int {\n    return 2\n}\n",
			"// @uuid: <function b>\nfn a() int {\n    return 1\n}\n// @uuid: <function a>\nfn b() int {\n    return 2\n}\n",
			"= function a was b by hint: body\n= function b was a by hint: body"},
		{"a copied hint", "fn a() int {\n    return 1\n}\n", "// @uuid: <function a>\nfn b() int {\n    return 1\n}\n// @uuid: <function a>\nfn a() int {\n    return 1\n}\n", "+ function b\n= function a by hint"},
		{"a hint and nothing else in common", "fn a() int {\n    return 1\n}\n", "// @uuid: <function a>\nfn z(s: string) {\n    print(s)\n}\n", "= function z was a by hint: signature, body"},
		{"a hint on another kind", "class A {\n    x: int\n}\n", "// @uuid: <class A>\ntrait A {\n    fn x(self) int\n}\n", "= trait A was A by hint: kind, removed field x, added method x"},
		{"another kind", "class A {\n    x: int\n}\n", "enum A {\n    x\n}\n", "+ enum A\n- class A"},

		{"renamed class", "class P {\n    x: int\n    y: int\n}\n", "class Q {\n    x: int\n    y: int\n}\n", "= class Q was P by body"},
		{"renamed class with another field", "class P {\n    x: int\n    y: int\n}\n", "class Q {\n    x: int\n    y: int\n    z: int\n}\n", "= class Q was P by likeness: added field z"},
		{"renamed class and who uses it", "class P {\n    x: int\n}\nfn make_p() P {\n    return P { x: 1 }\n}\n", "class Q {\n    x: int\n}\nfn make_q() Q {\n    return Q { x: 1 }\n}\n",
			"= class Q was P by body\n= function make_q was make_p by body: signature"},
		{"members of a class", "class P impl A {\n    x: int\n    y: int\n    fn len(self) int {\n        return self.x\n    }\n    fn old(self) {\n    }\n}\n",
			"class P impl A, B {\n    x: float\n    z: int\n    w: bool\n    fn len(self) int {\n        return self.z\n    }\n    fn new(self, i: int) {\n        print(i)\n    }\n}\n",
			"= class P: impl, removed method old, modified field x (type), renamed field y to z, added field w, modified method len (body), added method new"},
		{"renamed method", "class P {\n    x: int\n    fn a(self) int {\n        return self.x * 2\n    }\n}\n", "class P {\n    x: int\n    fn b(self) int {\n        return self.x * 2\n    }\n}\n", "= class P: renamed method a to b"},
		{"order of members", "class P {\n    x: int\n    y: int\n}\n", "class P {\n    y: int\n    x: int\n}\n", "= class P: order of members"},
		{"lifecycle and dependencies", "class P[a: A] {\n}\n", "scoped class P uses C [a: A, b: B] {\n}\n", "= class P: lifecycle, uses, added field b"},
		{"a dependency is no field", "class P[a: A] {\n}\n", "class P {\n    b: A\n}\n", "= class P: removed field a, added field b"},
		{"invariants", "class P {\n    x: int\n    invariant self.x > 0\n}\n", "class P {\n    x: int\n    invariant self.x > 1\n}\n", "= class P: invariants"},
		{"parameters", "fn f(a: int, b: int) int {\n    return a + b * 2\n}\n", "fn f(a: int, c: int) int {\n    return a + c * 2\n}\n", "= function f: signature, body, renamed param b to c"},
		{"variants", "enum E {\n    Red\n    Green\n    Dot { x: int }\n}\n", "enum E {\n    Red\n    Lime\n    Dot { x: int, y: int }\n    Blue\n}\n",
			"= enum E: renamed variant Green to Lime, modified variant Dot (added field y), added variant Blue"},
		{"methods of a trait", "trait T {\n    fn a(self) int\n    fn b(self, x: int)\n}\n", "trait T {\n    fn a(self) string\n    fn c(self, x: int)\n}\n", "= trait T: modified method a (signature), renamed method b to c"},
		{"fields of an error", "error E {\n    id: int\n}\n", "pub error E {\n    id: int\n    why: string\n}\n", "= error E: visibility, added field why"},
		{"errors without fields", "error A\nerror B\n", "error A\nerror C\n", "+ error C\n- error B"},
		{"externs go by name", "extern fn sin(x: float) float\n", "extern fn cos(x: float) float\n", "+ extern cos\n- extern sin"},
		{"extern", "extern fn sin(x: float) float\n", "extern fn sin(x: int) float\n", "= extern sin: signature"},
		{"app", "app A {\n    fn main(self) {\n        print(1)\n    }\n}\n", "app A {\n    fn main(self) {\n        print(2)\n    }\n}\n", "= app A: modified method main (body)"},
		{"a test between tests", "test \"a\" {\n    expect(1).to_equal(1)\n}\ntest \"b\" {\n    expect(2).to_equal(2)\n}\n",
			"test \"new\" {\n    expect(3).to_equal(3)\n}\ntest \"a\" {\n    expect(1).to_equal(1)\n}\ntest \"b\" {\n    expect(2).to_equal(2)\n}\n", "+ test new"},
		{"a renamed test", "test \"a\" {\n    expect(1 + 1).to_equal(2)\n}\n", "test \"one and one\" {\n    expect(1 + 1).to_equal(2)\n}\n", "= test one and one was a by body"},
		{"scheduler", "tests[scheduler: Random] {\n    test \"a\" {\n        print(1)\n    }\n}\n", "tests[scheduler: RoundRobin] {\n    test \"a\" {\n        print(1)\n    }\n}\n", "= test a: scheduler"},
		{"imports", "import std.fs\nimport a.b as c\n", "import a.b as d\nimport std.fs\n", "+ import a.b as d\n- import a.b as c"},
		{"broken", "fn a() {\n    print(1)\n}\nfn b() {\n    print(2)\n}\n", "fn a( {\n    print(1)\n}\nfn b() {\n    print(2)\n}\n", "= function a: signature"},

		{"moved", "== a.pluto\nfn f(x: int) int {\n    return x + 1\n}\nfn g() {\n    print(1)\n}\n== b.pluto\nfn h() {\n    print(2)\n}\n",
			"== a.pluto\nfn g() {\n    print(1)\n}\n== b.pluto\nfn h() {\n    print(2)\n}\nfn f(x: int) int {\n    return x + 1\n}\n", "= function f from a.pluto by body"},
		{"moved and renamed", "== a.pluto\nfn f(x: int) int {\n    return x + 1\n}\n== b.pluto\n", "== a.pluto\n== b.pluto\nfn z(x: int) int {\n    return x + 1\n}\n", "= function z was f from a.pluto by body"},
		{"moved and changed", "== a.pluto\nfn f(x: int) int {\n    let y = x\n    return y + 1\n}\n== b.pluto\n", "== a.pluto\n== b.pluto\nfn f(x: int) int {\n    let y = x\n    return y + 2\n}\n", "= function f from a.pluto by likeness: body"},
		{"another main", "== a.pluto\nfn main() {\n    print(\"a\")\n}\n== b.pluto\n", "== a.pluto\n== b.pluto\nfn main() {\n    let x = 5\n    run(x, 7)\n}\n", "+ function main\n- function main"},
		{"main in two files", "== a.pluto\nfn main() {\n}\n== b.pluto\nfn main() {\n}\n", "== b.pluto\nfn main() {\n}\n", "- function main"},
		{"a file with another name", "== a.pluto\nerror E\nfn main() {\n}\n", "== c.pluto\nerror E\nfn main() {\n}\n", "= error E from a.pluto by body\n= function main from a.pluto by body"},
		{"twice the same name", "fn a() {\n    print(1)\n}\nfn a() {\n    print(2)\n}\n", "fn a() {\n    print(2)\n}\n", "- function a\n= function a was a#2"},
		{"the better of two", "fn a(x: int) {\n    print(x)\n    print(x + 1)\n    print(x + 2)\n    print(x + 3)\n}\nfn b(x: int) {\n    print(x)\n    print(x + 1)\n    print(x + 2)\n    print(x + 4)\n}\n",
			"fn c(x: int) {\n    print(x)\n    print(x + 1)\n    print(x + 2)\n    print(x + 4)\n    print(9)\n}\nfn d(x: int) {\n    print(x)\n    print(x + 1)\n    print(x + 2)\n    print(x + 3)\n    print(8)\n}\n",
			"= function c was b by likeness: body\n= function d was a by likeness: body"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := input(c.old, c.new)
			r := Match(in)
			check(t, in, r)
			if got := told(r); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// check holds a result to what is always so.
func check(t *testing.T, in Input, r *Result) {
	t.Helper()
	olds, news := map[*xref.Decl]int{}, map[*xref.Decl]int{}
	for _, p := range r.Pairs {
		olds[p.Old]++
		news[p.New]++
		if (p.Old.Parent == nil) != (p.New.Parent == nil) {
			t.Errorf("%v pairs with %v", p.Old.Key, p.New.Key)
		}
	}
	for _, d := range r.Removed {
		olds[d]++
	}
	for _, d := range r.Added {
		news[d]++
	}
	count := func(side string, fs []File, seen map[*xref.Decl]int) {
		n := 0
		for _, f := range fs {
			for d := range xref.All(f.Decls) {
				n++
				if seen[d] != 1 {
					t.Errorf("%s %v is told %d times", side, d.Key, seen[d])
				}
			}
		}
		if n != len(seen) {
			t.Errorf("%d %s declarations, %d told", n, side, len(seen))
		}
	}
	count("old", in.Old, olds)
	count("new", in.New, news)
}
