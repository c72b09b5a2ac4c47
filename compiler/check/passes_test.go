package check

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// mustCheck checks a program without errors.
func mustCheck(t *testing.T, text string) *Program {
	t.Helper()
	p := checkText(text)
	if p.Diags.Errors() > 0 {
		t.Fatalf("%s\nin\n%s", strings.Join(messages(p), "\n"), text)
	}
	return p
}

func errorNames(errs []*ErrorDecl) string {
	var names []string
	for _, e := range errs {
		names = append(names, e.Name)
	}
	return strings.Join(names, " ")
}

func TestErrorSets(t *testing.T) {
	p := mustCheck(t, `
error B {
}
error A {
}
error Own {
}
trait T {
    fn m(self)
    fn d(self) {
        self.m()!
    }
    fn quiet(self) {
    }
}
class C impl T {
    fn m(self) {
        raise A {}
    }
}
class D impl T {
    fn m(self) {
        raise B {}
    }
    fn d(self) {
        raise Own {}
    }
}
fn nothing() {
}
fn both(x: bool) {
    if x {
        raise B {}
    }
    raise A {}
}
fn dynamic(t: T) {
    t.m()!
}
fn defaults(t: T) {
    t.d()!
}
fn one() {
    both(true) catch e: B { raise B {} } catch e: A { }
}
fn none_left() {
    both(true) catch e { }
}
fn loop_a(n: int) {
    loop_b(n)!
}
fn loop_b(n: int) {
    if n == 1 {
        raise Own {}
    }
    loop_a(n)!
}
fn in_closure() {
    let f = () => both(true)!
    f()
}
fn raise_in_closure() {
    let f = () => {
        raise A {}
    }
    f()
}
fn selecting(rx: Receiver<int>) {
    select {
        v = rx.recv() {
        }
    }
}
fn channels(tx: Sender<int>, rx: Receiver<int>) {
    tx.try_send(1)!
    print(rx.try_recv()!)
}
fn powers() int {
    return pow(2, 3)!
}
fn exact_task() {
    let t = spawn both(true)
    t.get()!
}
fn spawned() {
    let t = spawn both(true)
    t.detach()
}
fn generic<X>(x: X) X {
    raise A {}
}
fn uses_generic() int {
    return generic(1)!
}
fn main() {
}
`)
	want := map[string]string{
		"nothing": "", "both": "A B", "dynamic": "A B", "defaults": "A Own", "one": "B", "none_left": "",
		"loop_a": "Own", "loop_b": "Own", "in_closure": "A B", "raise_in_closure": "A", "selecting": "ChannelClosed",
		"channels": "ChannelClosed ChannelEmpty ChannelFull", "powers": "MathError", "exact_task": "A B", "spawned": "",
		"uses_generic": "A", "main": "",
	}
	closures := map[string]bool{"in_closure": true, "raise_in_closure": true}
	for _, f := range p.Funcs {
		if w, ok := want[f.Name]; ok {
			if got := errorNames(f.Raises); got != w {
				t.Errorf("%s raises %q, expected %q", f.Name, got, w)
			}
			delete(want, f.Name)
		}
		if f.ClosureRaises != closures[f.Name] {
			t.Errorf("%s: ClosureRaises is %v", f.Name, f.ClosureRaises)
		}
	}
	if len(want) > 0 {
		t.Errorf("not in the program: %v", want)
	}
	for _, m := range p.Root.Scope["T"].(*Trait).Methods {
		if got, w := errorNames(m.Raises), map[string]string{"m": "A B", "d": "A Own", "quiet": ""}[m.Name]; got != w {
			t.Errorf("T.%s raises %q, expected %q", m.Name, got, w)
		}
	}
}

// TestErrorSetsAreLeast compares error sets of random call graphs with those that plain
// iteration over the whole graph finds.
func TestErrorSetsAreLeast(t *testing.T) {
	const errs, funcs = 70, 40 // more errors than bits in a word
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		calls, sets := make([][]int, funcs), make([]map[string]bool, funcs)
		for i := range calls {
			sets[i] = map[string]bool{}
			for range r.Intn(3) {
				calls[i] = append(calls[i], r.Intn(funcs))
			}
			if r.Intn(6) == 0 {
				sets[i][fmt.Sprintf("E%02d", r.Intn(errs))] = true
			}
		}
		raises := make([][]string, funcs)
		for i, s := range sets {
			for e := range s {
				raises[i] = append(raises[i], e)
			}
		}
		for grown := true; grown; {
			grown = false
			for i, cs := range calls {
				for _, to := range cs {
					for e := range sets[to] {
						grown = grown || !sets[i][e]
						sets[i][e] = true
					}
				}
			}
		}
		var b strings.Builder
		for i := range errs {
			fmt.Fprintf(&b, "error E%02d {\n}\n", i)
		}
		for i := range funcs {
			fmt.Fprintf(&b, "fn f%d(x: int) {\n", i)
			for _, e := range raises[i] {
				fmt.Fprintf(&b, "    if x == 1 {\n        raise %s {}\n    }\n", e)
			}
			for _, to := range calls[i] {
				mark := ""
				if len(sets[to]) > 0 {
					mark = "!"
				}
				fmt.Fprintf(&b, "    f%d(x - 1)%s\n", to, mark)
			}
			b.WriteString("}\n")
		}
		p := mustCheck(t, b.String())
		for i := range funcs {
			var want []string
			for e := range sets[i] {
				want = append(want, e)
			}
			slices.Sort(want)
			f := p.Root.Scope[fmt.Sprintf("f%d", i)].(*Func)
			if got := errorNames(f.Raises); got != strings.Join(want, " ") {
				t.Fatalf("f%d raises %q, expected %v, in\n%s", i, got, want, b.String())
			}
		}
	}
}

func TestRaisedByNode(t *testing.T) {
	text := `
error A {
}
fn a() int {
    raise A {}
}
fn f(rx: Receiver<int>, t: Task<int>) int {
    let x = a()! + (a() catch 1)
    select {
        v = rx.recv() {
            print(v)
        }
    }
    let mine = spawn a()
    print(mine.get()!)
    print(t.get() catch 2)
    return x
}
`
	p := mustCheck(t, text)
	f := p.Root.Scope["f"].(*Func)
	got := map[string]string{}
	for n, errs := range f.Info.Raised {
		s := text[n.Span().Start:n.Span().End]
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			s = s[:i]
		}
		got[s] = errorNames(errs)
	}
	want := map[string]string{
		"a()": "A", "select {": "ChannelClosed", "mine.get()": "A",
		"t.get()": "A ChannelClosed ChannelEmpty ChannelFull MathError NetworkError RustError ServiceUnavailable TaskCancelled TimeoutError",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v\nexpected %v", got, want)
	}
}

func TestCaptures(t *testing.T) {
	text := `
class Logger {
    n: int
}
class C uses Logger {
    k: int
    fn m(self, p: int) {
        let a = 1
        let b = 2
        let mut c = 3
        let f = (x: int) => {
            let inner = b + x + a + b
            let g = () => inner + p + self.k
            c = 4
            return g()
        }
        let q = () => logger.n
        let none_at_all = (x: int) => x
        let t = spawn f(a)
        let u = spawn self.twice(b)
        let fs = [f, none_at_all]
        for i in 0..2 {
            let h = () => i
            print(h())
        }
    }
    fn twice(self, n: int) int {
        return n
    }
}
app A {
    ambient Logger
    fn main(self) {
    }
}
`
	p := mustCheck(t, text)
	m := p.Root.Scope["C"].(*Class).Method("m")
	want := map[string]string{
		"(x: int) => {":            "b a p self c",
		"() => inner + p + self.k": "inner p self",
		"() => logger.n":           "self",
		"(x: int) => x":            "",
		"spawn f(a)":               "f a",
		"spawn self.twice(b)":      "self b",
		"() => i":                  "i",
	}
	got := map[string]string{}
	for n, vars := range m.Info.Captures {
		s := text[n.Span().Start:n.Span().End]
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			s = s[:i]
		}
		var names []string
		for _, v := range vars {
			names = append(names, v.Name)
			if !v.Captured {
				t.Errorf("%s is captured but does not say so", v.Name)
			}
		}
		got[s] = strings.Join(names, " ")
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v\nexpected %v", got, want)
	}
	for at, v := range m.Info.Defs {
		if v.Captured && slices.Contains([]string{"none_at_all", "t", "u", "fs", "h", "q"}, at.Name) {
			t.Errorf("%s is not captured", at.Name)
		}
	}
}
