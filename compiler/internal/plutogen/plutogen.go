// Package plutogen writes random Pluto programs that are well typed and end, for tests that
// compare what the compiler makes of them with what they mean.
//
// Functions call only what is written before them, loops have bounds, recursion has fuel; what
// tasks do does not depend on who runs first. The programs print a lot: values, and the order
// in which they are computed. A few fail at run time, at a place that is easy to tell.
package plutogen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is the program of a seed.
func Program(seed uint64) string {
	g := &gen{
		r: rand.New(rand.NewPCG(seed, 20)), names: map[string]bool{}, shows: map[string]string{}, keeps: map[string]string{},
	}
	for _, w := range strings.Fields(builtins) {
		g.names[w] = true
	}
	g.program()
	return strings.Join(g.decls, "\n")
}

// builtins are names that no declaration may have.
const builtins = `print expect time_ns gc_heap_size bytes_new abs min max pow sqrt floor ceil round sin cos tan log
	main say maybe nothing same FieldInfo ClassInfo VariantInfo EnumInfo TypeKind TypeInfo
	MathError RustError ChannelClosed ChannelFull ChannelEmpty TaskCancelled NetworkError TimeoutError ServiceUnavailable
	int float bool string byte bytes void Map Set Task Sender Receiver
	fn let mut return if else while true false class trait app inject error raise catch spawn serve enum impl self pub for in
	break continue match import as extern uses ambient tests test invariant requires assert select default scope scoped
	transient none system stage override yield stream chan`

// odd are names that mean something to Go or to the compiler's output.
const odd = `type func var range map switch case const goto defer struct interface package fallthrough nil len cap append copy
	make new panic recover any int64 float64 uint8 rune iota close clear complex real delete rt err init os fmt tmp1 tmp2 arg1
	loop1 ok1 err1 got1 arm1 frame1 raised1 c1 i1 end1 v1 seed1 scoped1 self_ _ __ _x Array ensures old result go strconv e
	Some Void x_ the_C check_C start String Error Raised_ lock`

type gen struct {
	r       *rand.Rand
	fond    [11]int     // of each kind of statement
	scale   int         // of the lengths of bodies
	odd     [2][]string // odd names for declarations and for variables
	decls   []string
	names   map[string]bool // of declarations, and words that are none
	classes []*class
	enums   []*enum
	traits  []*trait
	errs    []*errDecl
	funcs   []*fn // functions and methods that may be called by what is written next
	sealed  bool  // every class is written: calls through traits are known
	shows   map[string]string
	keeps   map[string]string
	tparams []*typ // type parameters in scope
	request *class // the seed of scope blocks, and what they bind
	scoped_ *class
	ambient *class
	tasks   int
	b       *body
}

// body is the function that is being written.
type body struct {
	fn       *fn
	result   *typ // of it, or of the innermost closure
	out      []byte
	indent   int
	vars     []*variable
	self     *typ
	selfMut  bool
	loops    int // around the place, within the innermost closure
	closures int
	canRaise bool
	noBang   int // above 0, where ! may not stand
	quiet    bool
	budget   int    // statements left
	inTrait  *trait // a default method of it
}

type variable struct {
	name     string
	t        *typ
	mut      bool
	fixed    bool // must not be assigned by what is random: it ends a loop
	here     bool // must not be taken along by closures
	closures int  // how many closures are around its declaration
	err      *errDecl
}

// ex is an expression.
type ex struct {
	s    string
	atom bool // stands as an operand without parentheses
}

func atom(format string, args ...any) ex { return ex{fmt.Sprintf(format, args...), true} }
func loose(format string, args ...any) ex {
	return ex{fmt.Sprintf(format, args...), false}
}

// op is the text of an operand.
func (e ex) op() string {
	if e.atom {
		return e.s
	}
	return "(" + e.s + ")"
}

// head is the text for the head of an if, while, for or match.
func (e ex) head() string {
	if strings.Contains(e.s, "{") || strings.Contains(e.s, " catch ") {
		return "(" + e.s + ")"
	}
	return e.s
}

// n is a number below k.
func (g *gen) n(k int) int { return g.r.IntN(k) }

// p is true in so many of a hundred cases.
func (g *gen) p(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *gen, list []T) T { return list[g.n(len(list))] }

func (g *gen) word(words string) string { return pick(g, strings.Fields(words)) }

// choice is one way to go on, as likely as its weight among others.
type choice[T any] struct {
	weight int
	make   func() T
}

func choose[T any](g *gen, cs []choice[T]) T {
	sum := 0
	for _, c := range cs {
		sum += c.weight
	}
	at := g.n(sum)
	for _, c := range cs {
		if at < c.weight {
			return c.make()
		}
		at -= c.weight
	}
	panic("no choice")
}

// taste decides what this program is like. It deals out the odd names, because a let may not
// have the name of any declaration.
func (g *gen) taste() {
	for _, name := range strings.Fields(odd) {
		i := g.n(2)
		g.odd[i] = append(g.odd[i], name)
	}
	for i := range g.fond {
		g.fond[i] = pick(g, []int{0, 1, 1, 1, 2, 4})
	}
	g.scale = pick(g, []int{1, 1, 1, 1, 1, 1, 1, 3})
}

// global takes a name for a declaration.
func (g *gen) global(words string) string {
	for i := 0; ; i++ {
		name := g.word(words)
		if g.p(25) && i < 5 {
			name = pick(g, g.odd[0])
		}
		if i > 0 && g.names[name] {
			name = fmt.Sprintf("%s%d", strings.TrimRight(g.word(words), "0123456789"), g.n(40))
		}
		if !g.names[name] && name != "_" {
			g.names[name] = true
			return name
		}
	}
}

const locals = "a b c d x y z n m k v s t acc item total left right xs out node cur next_ flag word"

// free says whether a local may have a name here.
func (g *gen) free(name string, let bool) bool {
	for _, v := range g.b.vars {
		if v.name == name {
			return false
		}
	}
	if !g.names[name] {
		return true
	}
	if let {
		return false
	}
	for _, f := range g.funcs { // other binders may hide functions
		if f.name == name && !f.method() {
			return true
		}
	}
	return false
}

// local takes a name for a variable; let says whether it is declared by a let.
func (g *gen) local(let bool) string {
	for i := 0; ; i++ {
		name := g.word(locals)
		switch {
		case i > 30:
			name = fmt.Sprintf("%s%d", name, g.n(100))
		case g.p(20):
			name = pick(g, g.odd[1])
		case !let && g.p(10) && len(g.funcs) > 0:
			name = pick(g, g.funcs).name
		}
		if g.free(name, let) {
			return name
		}
	}
}

func (g *gen) declare(name string, t *typ, mut bool) *variable {
	v := &variable{name: name, t: t, mut: mut, closures: g.b.closures}
	g.b.vars = append(g.b.vars, v)
	return v
}

// scoped forgets the variables that f declares.
func (g *gen) scoped(f func()) {
	n := len(g.b.vars)
	f()
	g.b.vars = g.b.vars[:n]
}

// line writes a statement.
func (g *gen) line(format string, args ...any) {
	g.b.out = append(g.b.out, strings.Repeat("    ", g.b.indent)...)
	g.b.out = append(fmt.Appendf(g.b.out, format, args...), '\n')
}

// block is the text of a block in braces.
func (g *gen) block(f func()) string {
	outer := g.b.out
	g.b.out = nil
	g.b.indent++
	g.scoped(f)
	g.b.indent--
	text := "{\n" + string(g.b.out) + strings.Repeat("    ", g.b.indent) + "}"
	g.b.out = outer
	return text
}

// visible are the variables that may be read here.
func (g *gen) visible() []*variable {
	var out []*variable
	for _, v := range g.b.vars {
		if !v.here || v.closures == g.b.closures {
			out = append(out, v)
		}
	}
	return out
}
