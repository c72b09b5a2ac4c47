package gogen_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/build"
)

// The tests of the order of evaluation write programs of expressions with effects, together
// with what they must print: each node knows its text and its meaning.

// state is what the programs change.
type state struct {
	vars [3]int64
	f    int64
	arr  []int64
	out  strings.Builder
}

// outOfBounds is the panic of an array that was shortened between finding an index and using it.
type outOfBounds struct{ index, length int }

func (s *state) elem(i int64) *int64 {
	if int(i) >= len(s.arr) {
		panic(outOfBounds{int(i), len(s.arr)})
	}
	return &s.arr[i]
}

// node is an expression of type int or bool (0 or 1).
type node struct {
	text string
	eval func(*state) int64
}

const orderPrelude = `error Odd { n: int }
class Box {
    f: int
    fn bump(mut self, n: int) int {
        self.f += n
        return self.f
    }
}
fn say(k: int, n: int) int {
    print(k)
    return n
}
fn three(a: int, b: int, c: int) int { return a * 7 + b * 3 - c }
fn poke(arr: [int], i: int, v: int) int {
    let old = arr[i]
    arr[i] = v
    return old
}
fn pick(xs: [int], i: int) int { return xs[i] }
fn at(arr: [int], n: int) int {
    let k = arr.len()
    return (n % k + k) % k
}
fn grow(arr: [int], v: int) int {
    if arr.len() < 40 { arr.push(v) }
    return arr.len()
}
fn shrink(arr: [int]) int {
    if arr.len() > 3 { return arr.pop() }
    return 0
}
fn risky(n: int) int {
    if n % 2 != 0 { raise Odd { n: n } }
    return n + 1
}
`

type orderGen struct {
	r        *rand.Rand
	says     int
	loopVars []loopVar
}

type loopVar struct {
	name  string
	value *int64
}

func (g *orderGen) leaf() node {
	switch g.r.Intn(4) {
	case 0:
		k := int64(g.r.Intn(10))
		return node{fmt.Sprint(k), func(*state) int64 { return k }}
	case 1:
		v := g.r.Intn(3)
		return node{fmt.Sprintf("v%d", v), func(s *state) int64 { return s.vars[v] }}
	case 2:
		return node{"box.f", func(s *state) int64 { return s.f }}
	}
	i := g.r.Intn(3)
	if len(g.loopVars) > 0 && g.r.Intn(2) == 0 {
		v := g.loopVars[g.r.Intn(len(g.loopVars))]
		return node{v.name, func(*state) int64 { return *v.value }}
	}
	return node{fmt.Sprintf("arr[%d]", i), func(s *state) int64 { return s.arr[i] }}
}

func (s *state) at(n int64) int64 {
	k := int64(len(s.arr))
	return (n%k + k) % k
}

func (g *orderGen) int(depth int) node {
	if depth == 0 {
		return g.leaf()
	}
	sub := func() node { return g.int(depth - 1 - g.r.Intn(depth)) }
	switch g.r.Intn(15) {
	case 0, 1:
		a, b := sub(), sub()
		op := []string{"+", "-", "*"}[g.r.Intn(3)]
		return node{"(" + a.text + " " + op + " " + b.text + ")", func(s *state) int64 {
			x := a.eval(s)
			y := b.eval(s)
			switch op {
			case "+":
				return x + y
			case "-":
				return x - y
			}
			return x * y
		}}
	case 2:
		a, b, c := sub(), sub(), sub()
		return node{fmt.Sprintf("three(%s, %s, %s)", a.text, b.text, c.text), func(s *state) int64 {
			x := a.eval(s)
			y := b.eval(s)
			return x*7 + y*3 - c.eval(s)
		}}
	case 3, 4:
		g.says++
		k, a := int64(g.says), sub()
		return node{fmt.Sprintf("say(%d, %s)", k, a.text), func(s *state) int64 {
			v := a.eval(s)
			fmt.Fprintln(&s.out, k)
			return v
		}}
	case 5:
		a := sub()
		return node{fmt.Sprintf("box.bump(%s)", a.text), func(s *state) int64 {
			s.f += a.eval(s)
			return s.f
		}}
	case 6:
		i, v := sub(), sub()
		return node{fmt.Sprintf("poke(arr, at(arr, %s), %s)", i.text, v.text), func(s *state) int64 {
			x := s.at(i.eval(s))
			y := v.eval(s)
			old := *s.elem(x)
			*s.elem(x) = y
			return old
		}}
	case 7:
		i := sub()
		return node{fmt.Sprintf("arr[at(arr, %s)]", i.text), func(s *state) int64 { return s.arr[s.at(i.eval(s))] }}
	case 8:
		a, b := sub(), sub()
		return node{fmt.Sprintf("(risky(%s) catch %s)", a.text, b.text), func(s *state) int64 {
			if x := a.eval(s); x%2 == 0 {
				return x + 1
			}
			return b.eval(s)
		}}
	case 9:
		a, b := sub(), sub()
		return node{fmt.Sprintf("(risky(%s) catch e%d: Odd { e%[2]d.n + %s })", a.text, g.next(), b.text), func(s *state) int64 {
			x := a.eval(s)
			if x%2 == 0 {
				return x + 1
			}
			return x + b.eval(s)
		}}
	case 10, 11:
		c, st, a, b := g.bool(depth-1), g.stmt(depth-1), sub(), sub()
		return node{fmt.Sprintf("if %s {\n%s\n0 + %s\n} else { %s }", c.text, st.text, a.text, b.text), func(s *state) int64 {
			if c.eval(s) == 1 {
				st.eval(s)
				return a.eval(s)
			}
			return b.eval(s)
		}}
	}
	if g.r.Intn(2) == 0 {
		a := sub()
		return node{fmt.Sprintf("grow(arr, %s)", a.text), func(s *state) int64 {
			if v := a.eval(s); len(s.arr) < 40 {
				s.arr = append(s.arr, v)
			}
			return int64(len(s.arr))
		}}
	}
	if g.r.Intn(2) == 0 {
		return node{"shrink(arr)", func(s *state) int64 {
			n := len(s.arr) - 1
			if n < 3 {
				return 0
			}
			v := s.arr[n]
			s.arr = s.arr[:n]
			return v
		}}
	}
	a, b, c, k := sub(), sub(), sub(), g.r.Intn(3)
	return node{fmt.Sprintf("pick([%s, %s, %s], %d)", a.text, b.text, c.text, k), func(s *state) int64 {
		xs := [3]int64{}
		xs[0] = a.eval(s)
		xs[1] = b.eval(s)
		xs[2] = c.eval(s)
		return xs[k]
	}}
}

func (g *orderGen) next() int {
	g.says++
	return g.says
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (g *orderGen) bool(depth int) node {
	if depth <= 0 {
		depth = 0
	}
	a, b := g.int(depth), g.int(depth)
	less := func(a, b node) node {
		return node{a.text + " < " + b.text, func(s *state) int64 {
			x := a.eval(s)
			return truth(x < b.eval(s))
		}}
	}
	x := less(a, b)
	if depth == 0 || g.r.Intn(2) == 0 {
		return node{"(" + x.text + ")", x.eval}
	}
	y := g.bool(depth - 1)
	if g.r.Intn(2) == 0 {
		return node{fmt.Sprintf("(%s && !%s)", x.text, y.text), func(s *state) int64 {
			return truth(x.eval(s) == 1 && y.eval(s) == 0)
		}}
	}
	return node{fmt.Sprintf("(%s || %s)", x.text, y.text), func(s *state) int64 {
		return truth(x.eval(s) == 1 || y.eval(s) == 1)
	}}
}

func (g *orderGen) stmt(depth int) node {
	depth = max(depth, 0)
	if depth > 0 && len(g.loopVars) < 3 && g.r.Intn(4) == 0 {
		return g.loop(depth - 1)
	}
	e := g.int(depth)
	v := g.r.Intn(3)
	switch g.r.Intn(8) {
	case 0:
		return node{fmt.Sprintf("v%d = %s", v, e.text), func(s *state) int64 { s.vars[v] = e.eval(s); return 0 }}
	case 1:
		return node{fmt.Sprintf("v%d += %s", v, e.text), func(s *state) int64 {
			old := s.vars[v]
			s.vars[v] = old + e.eval(s)
			return 0
		}}
	case 2:
		return node{"box.f = " + e.text, func(s *state) int64 { s.f = e.eval(s); return 0 }}
	case 3:
		return node{"box.f -= " + e.text, func(s *state) int64 {
			old := s.f
			s.f = old - e.eval(s)
			return 0
		}}
	case 4, 5:
		i := g.int(depth)
		op := []string{"=", "+="}[g.r.Intn(2)]
		return node{fmt.Sprintf("arr[at(arr, %s)] %s %s", i.text, op, e.text), func(s *state) int64 {
			x := s.at(i.eval(s))
			old := *s.elem(x)
			y := e.eval(s)
			if op == "+=" {
				y += old
			}
			*s.elem(x) = y
			return 0
		}}
	case 6:
		c, body := g.bool(depth), node{}
		if depth > 0 {
			body = g.stmt(depth - 1)
		} else {
			body = node{"v0 = 1", func(s *state) int64 { s.vars[0] = 1; return 0 }}
		}
		return node{fmt.Sprintf("if %s {\n%s\n}", c.text, body.text), func(s *state) int64 {
			if c.eval(s) == 1 {
				body.eval(s)
			}
			return 0
		}}
	}
	return node{fmt.Sprintf("print(%s)", e.text), func(s *state) int64 {
		fmt.Fprintln(&s.out, e.eval(s))
		return 0
	}}
}

// loop is a loop over a range, or over the array.
func (g *orderGen) loop(depth int) node {
	v := loopVar{fmt.Sprintf("x%d", g.next()), new(int64)}
	hi := g.int(depth)
	g.loopVars = append(g.loopVars, v)
	a, b := g.stmt(depth), g.stmt(depth)
	if g.r.Intn(2) == 0 {
		a = node{fmt.Sprintf("arr[at(arr, %s)] += %[1]s", v.name), func(s *state) int64 {
			s.arr[s.at(*v.value)] += *v.value
			return 0
		}}
	}
	g.loopVars = g.loopVars[:len(g.loopVars)-1]
	round := func(s *state, x int64) {
		*v.value = x
		a.eval(s)
		b.eval(s)
	}
	if g.r.Intn(2) == 0 {
		return node{fmt.Sprintf("for %s in arr {\n%s\n%s\n}", v.name, a.text, b.text), func(s *state) int64 {
			for i := range len(s.arr) {
				round(s, *s.elem(int64(i)))
			}
			return 0
		}}
	}
	return node{fmt.Sprintf("for %s in 0..at(arr, %s) {\n%s\n%s\n}", v.name, hi.text, a.text, b.text), func(s *state) int64 {
		for i := range s.at(hi.eval(s)) {
			round(s, i)
		}
		return 0
	}}
}

// run gives the statements their meaning, and what the program prints to stderr if it fails.
func (s *state) run(statements []node) (err []string) {
	defer func() {
		if r := recover(); r != nil {
			x := r.(outOfBounds)
			err = []string{fmt.Sprintf("pluto: array index out of bounds: index %d, length %d", x.index, x.length)}
		}
	}()
	for _, n := range statements {
		n.eval(s)
	}
	fmt.Fprintln(&s.out, s.vars[0], s.vars[1], s.vars[2], s.f, s.arr[0], s.arr[1], s.arr[2], len(s.arr))
	return nil
}

// TestOrder runs programs of random expressions with effects and compares what they print
// with what their nodes say. ORDER is the number of programs, SEED where to begin.
func TestOrder(t *testing.T) {
	count, seed := 30, int64(1)
	if n, err := strconv.Atoi(os.Getenv("ORDER")); err == nil {
		count = n
	}
	if n, err := strconv.ParseInt(os.Getenv("SEED"), 10, 64); err == nil {
		seed = n
	}
	g := &orderGen{r: rand.New(rand.NewSource(seed))}
	programs := map[string]build.Files{}
	scenarios := map[string]*scenario{}
	for i := range count {
		s := &state{vars: [3]int64{1, 2, 3}, f: 4, arr: []int64{5, 6, 7}}
		text := orderPrelude + "fn main() {\nlet mut v0 = 1\nlet mut v1 = 2\nlet mut v2 = 3\nlet mut box = Box { f: 4 }\nlet arr = [5, 6, 7]\n"
		var statements []node
		for range 12 {
			n := g.stmt(1 + g.r.Intn(4))
			text += n.text + "\n"
			statements = append(statements, n)
		}
		text += "print(f\"{v0} {v1} {v2} {box.f} {arr[0]} {arr[1]} {arr[2]} {arr.len()}\")\n}\n"
		failure := s.run(statements)
		name := fmt.Sprintf("order%d", i)
		out, err := generate("main.pluto", text, false)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		programs[name] = build.Files(out.Files)
		scenarios[name] = &scenario{name: name, main: text, out: s.out.String(), err: failure, exit: len(failure)}
	}
	program, refused, err := build.Batch(context.Background(), programs, build.Options{CacheDir: os.Getenv("SETT_CACHE")})
	for name, text := range refused {
		t.Errorf("Go refuses it:\n%s\n%s", text, programs[name]["main.go"])
	}
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for name, s := range scenarios {
		t.Run(name, func(t *testing.T) {
			s.run(t, program.Path)
			if t.Failed() {
				t.Logf("%s\n%s", s.main, programs[name]["main.go"])
			}
		})
	}
}
