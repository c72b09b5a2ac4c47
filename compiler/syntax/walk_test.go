package syntax

import (
	"fmt"
	"strings"
	"testing"
)

const everything = `import std.math as m

pub scoped class C<T: A + B> uses Log [dep: m.D] impl A, B {
    x: [int?]
    invariant self.x.len() > 0
    fn f(mut self, g: fn(int) bool) Map<string, int>
    requires true
    ensures old(1) == 1
    requires false
    { return Map<string, int> { "a": 1 } }
}

enum E<T> { V { a: T } W }

error Bad { why: string }

trait Tr { fn t(self) int }

extern fn ext(a: int) bool

app Main[d: C] {
    ambient Log
    scoped C
    fn main(self) { }
}

test "t" {
    let mut a: int = -1 + (2 as int)
    let (tx, rx) = chan<int>(3)
    if a < 1 { a = 2 } else if true { a += 1 } else { a++ }
    while false { break }
    for i in 0..10 { continue }
    match e { E.V { a: b } { } m.E.W { } }
    select { v = rx.recv() { } tx.send(4) { } default { } }
    scope(C { x: [1] }) |c: C| { assert c.x[0] == 1 }
    raise Bad { why: f"{a}b{self.y}" }
    let t = spawn go(1)
    let u = h<int>(m.E<int>.V { a: 1 }, E<int>.W, Info::k<int>())
    let w = match e { E.W => if a { 1 } else { 2 } }
    f()! catch x: m.Bad { 1 } catch y { 2 } catch none
    each((p: int) int => p, Set<int> { 5 }, r"s")
    x?.go()
}
`

func TestWalkVisitsEverythingInOrder(t *testing.T) {
	f := parse(t, everything)
	kinds := map[string]int{}
	last := int32(-1)
	Walk(f, func(n Node) bool {
		if n.Span().Start < last {
			t.Errorf("%T at %d comes after %d", n, n.Span().Start, last)
		}
		last = n.Span().Start
		kinds[fmt.Sprintf("%T", n)]++
		return true
	})
	// Every identifier is a name that is visited, but chan, ensures, recv, send, and Map and
	// Set of literals; two more are in a string.
	idents := 2 - 6
	for _, tok := range f.Tokens {
		if tok.Kind == IDENT {
			idents++
		}
	}
	if len(kinds) < 65 {
		t.Errorf("only %d kinds of nodes", len(kinds))
	}
	if got := kinds["*syntax.Ident"] + kinds["*syntax.IdentExpr"]; got != idents {
		t.Errorf("%d names in %d identifiers", got, idents)
	}
}

func TestWalkStops(t *testing.T) {
	n := 0
	Walk(parse(t, everything), func(Node) bool {
		n++
		return false
	})
	if n != 1 {
		t.Errorf("%d nodes", n)
	}
}

func TestAt(t *testing.T) {
	f := parse(t, everything)
	for _, c := range []struct{ mark, want string }{
		{"dep: m.D", "File ClassDecl Param Ident"},
		{"len()", "File ClassDecl Clause BinaryExpr MethodExpr Ident"},
		{"self.y", "File TestDecl Block RaiseStmt FieldInit StringLit FieldExpr SelfExpr"},
		{"Bad { 1 }", "File TestDecl Block ExprStmt CatchExpr Handler Ident"},
		{"fn t(self)", "File TraitDecl FuncDecl"},
		{"E.W => if", "File TestDecl Block LetStmt MatchExpr MatchArm Ident"},
		{"import", "File Import"},
	} {
		var path []string
		for _, n := range At(f, int32(strings.Index(everything, c.mark))) {
			path = append(path, strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax."))
		}
		if got := strings.Join(path, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.mark, got, c.want)
		}
	}
	if got := At(f, int32(len(everything))); len(got) != 1 {
		t.Errorf("%d nodes at the end", len(got))
	}
}

func TestExprString(t *testing.T) {
	for text, want := range map[string]string{
		"(x > 0)":               "x > 0",
		"(a+b)*c":               "a + b * c",
		"!x && -y < ~z":         "!x && -y < ~z",
		"self.items.len()>=0":   "self.items.len() >= 0",
		"0xFF + 1_000":          "255 + 1000",
		"1.0 < 2.50":            "1 < 2.5",
		"x==none || true":       "x == none || true",
		`s == "a\n\"b\""`:       `s == "a\n\"b\""`,
		`f"{a} {{}}" == ""`:     `f"{a} {{}}" == ""`,
		"f ( a,b ) [ 0 ]":       "f(a, b)[0]",
		"f<int>(1)":             "f<int>(1)",
		"a >> 1 as byte":        "a >> 1 as byte",
		"x?.y()!":               "x?.y()!",
		"P{x:1}":                "P { x: 1 }",
		"P { }":                 "P {}",
		"Opt<int>.Some{v:1}":    "Opt<int>.Some { v: 1 }",
		"m.Box<int>{v:1}":       "m.Box<int> { v: 1 }",
		"[1,2]":                 "[1, 2]",
		"Map<string,int>{}":     "Map<string, int> {}",
		"0 ..= 5":               "0..=5",
		"(x:int)=>x":            "(x: int) => x",
		"f() catch 0":           "f() catch 0",
		"spawn f(1)":            "spawn f(1)",
		"if a { 1 } else { 2 }": "if a { ... } else { ... }",
	} {
		if got := ExprString(value(t, text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestTypeString(t *testing.T) {
	for text, want := range map[string]string{
		"int": "int", "[int?]?": "[int?]?", "m . T": "m.T", "Map<string,[int]>": "Map<string, [int]>",
		"fn(int,bool)string?": "fn(int, bool) string?", "fn()": "fn()", "Box<Box<m.T<int>>>": "Box<Box<m.T<int>>>",
	} {
		f := parse(t, "fn f(x: "+text+") { }")
		if got := TypeString(f.Decls[0].(*FuncDecl).Params[0].Type); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := TypeString(nil); got != "void" {
		t.Errorf("nil is %s", got)
	}
}

func TestEqual(t *testing.T) {
	a := parse(t, everything)
	if !Equal(a, parse(t, "\n// c\n"+strings.ReplaceAll(everything, " + ", "  +\n"))) {
		t.Error("spans matter")
	}
	for _, change := range [][2]string{
		{"as m\n", "as n\n"}, {"pub scoped", "pub transient"}, {"A + B", "A"}, {"mut self", "self"}, {"[int?]", "[int]"},
		{"let mut a", "let a"}, {"a += 1", "a -= 1"}, {"a++", "a--"}, {"a = 2", "a = 3"}, {"0..10", "0..=10"}, {"a: b }", "a }"},
		{"tx.send(4)", "tx.send(5)"}, {`f"{a}b`, `f"{a}c`}, {"h<int>", "h<bool>"}, {"f()!", "f()?"}, {"x: m.Bad", "x: Bad"},
		{"\"t\"", "\"u\""}, {"ambient Log\n", "ambient Lag\n"}, {"ensures old", "requires old"}, {"(2 as int)", "2 as int"},
		{`r"s"`, `"s"`}, {"break", "continue"}, {"if a { 1 }", "if a { 3 }"}, {"catch none", ""}, {"    x?.go()\n", ""},
	} {
		text := strings.Replace(everything, change[0], change[1], 1)
		if text == everything {
			t.Fatalf("%q is not there", change[0])
		}
		if Equal(a, parse(t, text)) {
			t.Errorf("%q or %q are the same", change[0], change[1])
		}
	}
}
