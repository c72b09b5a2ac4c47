package syntax

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// gen writes random programs: every production of the grammar, with line ends, blanks and
// comments wherever they are allowed.
type gen struct {
	r     *rand.Rand
	out   strings.Builder
	depth int
	plain bool // write canonical-looking text: no odd blanks, no comments
	n     int  // comments so far
	head  bool // brace literals are not allowed here
	line  int  // nesting of brackets, in which every line end is free
}

// program is a program of about n declarations.
func program(r *rand.Rand, n int, plain bool) string {
	g := &gen{r: r, plain: plain}
	for range g.r.IntN(3) {
		g.imports()
	}
	app := g.r.IntN(3) == 0
	for i := range n {
		g.decl(i, app && i == 0)
		g.nl()
	}
	return g.out.String()
}

func (g *gen) pick(texts ...string) string { return texts[g.r.IntN(len(texts))] }
func (g *gen) maybe() bool                 { return g.r.IntN(2) == 0 }
func (g *gen) rare() bool                  { return g.r.IntN(6) == 0 }

// w writes tokens with free gaps before them: anything may stand there.
func (g *gen) w(texts ...string) {
	for _, t := range texts {
		g.free()
		g.out.WriteString(t)
	}
}

// s writes tokens with gaps before them in which no line may end.
func (g *gen) s(texts ...string) {
	for _, t := range texts {
		g.blank()
		g.out.WriteString(t)
	}
}

// touching writes a token that touches the one before.
func (g *gen) touching(t string) { g.out.WriteString(t) }

func (g *gen) blank() {
	if g.plain {
		g.out.WriteByte(' ')
		return
	}
	g.out.WriteString(g.pick(" ", " ", "  ", "\t", " \t "))
}

func (g *gen) free() {
	if !g.plain && g.r.IntN(12) == 0 {
		g.lineEnd()
		return
	}
	g.blank()
}

// nl ends the line.
func (g *gen) nl() {
	if g.plain {
		g.out.WriteByte('\n')
		return
	}
	g.lineEnd()
}

func (g *gen) lineEnd() {
	for n := 1 + g.r.IntN(3)*g.r.IntN(2); n > 0; n-- {
		if g.rare() {
			g.n++
			fmt.Fprintf(&g.out, " // c%d", g.n)
		}
		g.out.WriteString(g.pick("\n", "\n", "\n  ", "\r\n"))
	}
}

// sep is what may stand between members: a line end.
func (g *gen) sep() { g.nl() }

func (g *gen) name() string {
	return g.pick("a", "b", "foo", "x1", "_", "item", "total", "f", "r", "ensures", "chan")
}
func (g *gen) typeName() string { return g.pick("Point", "Shape", "T", "Box", "Service") }

func (g *gen) imports() {
	g.s("import", g.name())
	for g.maybe() {
		g.s(".", g.name())
	}
	if g.rare() {
		g.s("as", g.name())
	}
	g.nl()
}

// items writes a list with mandatory commas between brackets.
func (g *gen) items(open, end string, least int, item func(i int)) {
	g.w(open)
	g.touchingItems(end, least, item)
}

func (g *gen) touchingItems(end string, least int, item func(i int)) {
	head := g.head
	g.head = false
	n := least + g.r.IntN(3)
	for i := range n {
		if i > 0 {
			g.w(",")
		}
		item(i)
	}
	if n > 0 && g.rare() {
		g.w(",")
	}
	g.w(end)
	g.head = head
}

// loose writes a list with optional commas between braces; its opening brace is written.
func (g *gen) loose(n int, item func(i int)) {
	head := g.head
	g.head = false
	for i := range n {
		item(i)
		// After a function type without a result the next name would be the result.
		if g.maybe() || strings.HasSuffix(g.out.String(), ")") {
			g.w(",")
		}
	}
	g.w("}")
	g.head = head
}

func (g *gen) param(i int) {
	g.w(fmt.Sprintf("%s%d", g.name(), i), ":")
	g.typ()
}

func (g *gen) typ() {
	g.depth++
	defer func() { g.depth-- }()
	switch k := g.r.IntN(9); {
	case k == 0 && g.depth < 4:
		g.w("[")
		g.typ()
		g.w("]")
	case k == 1 && g.depth < 4:
		g.w("fn")
		g.items("(", ")", 0, func(int) { g.typ() })
		if g.maybe() {
			g.s(g.pick("int", "bool", "Point"))
		}
	case k == 2 && g.depth < 4:
		g.w(g.pick("Map", "Box", "Set"))
		g.items("<", ">", 1, func(int) { g.typ() })
	case k == 3:
		g.w("mod")
		g.s(".", g.typeName())
	default:
		g.w(g.pick("int", "float", "string", "Point"))
	}
	if g.rare() {
		g.s("?")
	}
}

func (g *gen) typeParams() {
	if g.rare() {
		g.items("<", ">", 0, func(i int) {
			g.w(fmt.Sprintf("T%d", i))
			if g.rare() {
				g.w(":", "Show", "+", "Eq")
			}
		})
	}
}

func (g *gen) decl(i int, app bool) {
	g.depth = 0
	if app {
		g.app()
		return
	}
	if g.r.IntN(8) > 0 && g.r.IntN(3) == 0 {
		g.s("pub")
		switch g.r.IntN(5) {
		case 0:
			g.class(i)
		case 1:
			g.trait(i)
		case 2:
			g.enum(i)
		case 3:
			g.errorDecl(i)
		case 4:
			g.function(i)
		}
		return
	}
	switch g.r.IntN(9) {
	case 0:
		g.class(i)
	case 1:
		g.trait(i)
	case 2:
		g.enum(i)
	case 3:
		g.errorDecl(i)
	case 4:
		g.w("extern", "fn", g.name())
		g.items("(", ")", 0, g.param)
		if g.maybe() {
			g.s(g.pick("int", "string"))
		}
	case 5:
		g.w("test")
		g.w(fmt.Sprintf(`"case %d {x}"`, i))
		g.block()
	default:
		g.function(i)
	}
}

func (g *gen) function(i int) {
	g.w("fn", fmt.Sprintf("%s%d", g.name(), i))
	g.typeParams()
	g.items("(", ")", 0, g.param)
	g.result()
	g.clauses()
	g.block()
}

func (g *gen) result() {
	if g.maybe() {
		g.typ()
	}
}

func (g *gen) clauses() bool {
	some := false
	for g.rare() {
		some = true
		g.nl()
		g.s(g.pick("requires", "ensures"))
		g.touching(" ")
		g.s("n", ">")
		g.expr()
		g.nl()
	}
	return some
}

func (g *gen) class(i int) {
	if g.rare() {
		g.w(g.pick("scoped", "transient"))
	}
	g.w("class", fmt.Sprintf("%s%d", g.typeName(), i))
	g.typeParams()
	if g.rare() {
		g.w("uses", "Log", ",", "Db")
	}
	if g.rare() {
		g.items("[", "]", 0, g.param)
	}
	if g.rare() {
		g.w("impl", "Show", ",", "Eq")
	}
	g.w("{")
	for k := range g.r.IntN(5) {
		switch g.r.IntN(4) {
		case 0:
			g.method(k)
		case 1:
			g.w("invariant")
			g.expr()
			g.sep()
		default:
			g.param(k)
			if g.rare() {
				g.s(",")
			} else {
				g.sep()
			}
		}
	}
	g.w("}")
}

func (g *gen) signature(k int) {
	g.w("fn", fmt.Sprintf("%s%d", g.name(), k), "(")
	switch g.r.IntN(3) {
	case 0:
		g.w("self")
	case 1:
		g.w("mut", "self")
	default:
		g.w("self")
		for i := range g.r.IntN(3) {
			g.w(",")
			g.param(i)
		}
	}
	g.w(")")
}

func (g *gen) method(k int) {
	g.signature(k)
	g.result()
	g.clauses()
	g.block()
}

func (g *gen) trait(i int) {
	g.w("trait", fmt.Sprintf("%s%d", g.typeName(), i), "{")
	for k := range g.r.IntN(4) {
		g.signature(k)
		if g.maybe() {
			g.s(g.pick("int", "Point", "[int]"))
		}
		switch clauses := g.clauses(); {
		case g.maybe():
			g.block()
		case !clauses:
			g.nl()
		}
	}
	g.w("}")
}

func (g *gen) enum(i int) {
	g.w("enum", fmt.Sprintf("%s%d", g.typeName(), i))
	g.typeParams()
	g.w("{")
	for k := range g.r.IntN(4) {
		g.w(fmt.Sprintf("V%d", k))
		if g.maybe() {
			g.w("{")
			g.loose(g.r.IntN(3), g.param)
		}
	}
	g.w("}")
}

func (g *gen) errorDecl(i int) {
	g.w("error", fmt.Sprintf("E%d", i), "{")
	g.loose(g.r.IntN(3), g.param)
}

func (g *gen) app() {
	g.w("app", "Main")
	if g.maybe() {
		g.items("[", "]", 0, g.param)
	}
	g.w("{")
	for k := range g.r.IntN(4) {
		switch g.r.IntN(3) {
		case 0:
			g.w(g.pick("ambient", "scoped", "transient"), g.typeName())
			g.sep()
		default:
			g.method(k)
		}
	}
	g.w("}")
	g.nl()
}

func (g *gen) block() {
	head := g.head
	g.head = false
	g.depth++
	g.w("{")
	if n := g.r.IntN(4); n > 0 && g.depth < 5 {
		for i := range n {
			if i > 0 {
				g.nl()
			} else {
				g.free()
			}
			g.stmt()
		}
	}
	g.w("}")
	g.depth--
	g.head = head
}

func (g *gen) hexpr() {
	head := g.head
	g.head = true
	g.expr()
	g.head = head
}

func (g *gen) stmt() {
	switch g.r.IntN(18) {
	case 0, 1:
		g.w("let")
		if g.rare() {
			g.w("mut")
		}
		g.w(g.name())
		if g.rare() {
			g.w(":", "Map")
			g.items("<", ">", 2, func(int) { g.typ() })
			if g.maybe() {
				g.touching("= ")
				g.expr()
				return
			}
		}
		g.w("=")
		g.expr()
	case 2:
		g.w("let", "(", "tx", ",", "rx", ")", "=", "chan", "<")
		g.typ()
		g.w(">", "(")
		if g.maybe() {
			g.expr()
		}
		g.w(")")
	case 3:
		g.s("return ")
		if g.maybe() {
			g.touching("1 +")
			g.expr()
		}
	case 4:
		g.w(g.pick("break", "continue"))
	case 5:
		g.w("assert")
		g.expr()
	case 6:
		g.w("raise", "Bad")
		if g.rare() {
			g.s(".", "Worse")
		}
		g.w("{")
		g.loose(g.r.IntN(3), g.init)
	case 7:
		g.w("if")
		g.hexpr()
		g.block()
		for g.rare() {
			g.w("else", "if")
			g.hexpr()
			g.block()
		}
		if g.maybe() {
			g.w("else")
			g.block()
		}
	case 8:
		g.w("while")
		g.hexpr()
		g.block()
	case 9:
		g.w("for", g.name(), "in")
		g.hexpr()
		g.block()
	case 10:
		g.w("match")
		g.hexpr()
		g.w("{")
		for range g.r.IntN(3) {
			g.pattern()
			g.block()
		}
		g.w("}")
	case 11:
		g.w("select", "{", "v", "=", "rx", ".", "recv", "(", ")")
		g.block()
		g.w("tx", ".", "send", "(")
		g.expr()
		g.w(")")
		g.block()
		if g.maybe() {
			g.w("default")
			g.block()
		}
		g.w("}")
	case 12:
		g.w("scope")
		g.items("(", ")", 1, func(int) { g.expr() })
		g.items("|", "|", 1, g.param)
		g.block()
	case 13:
		g.target()
		g.w(g.pick("=", "+=", "-=", "*=", "/=", "%="))
		g.expr()
	case 14:
		g.target()
		g.w(g.pick("++", "--"))
	default:
		g.w(g.name())
		g.items("(", ")", 0, func(int) { g.expr() })
		g.postfix()
	}
}

func (g *gen) pattern() {
	g.w("Shape", ".", "Dot")
	if g.rare() {
		g.w(".", "Other")
	}
	if g.maybe() {
		g.w("{")
		g.loose(g.r.IntN(3), func(int) {
			g.w(g.name())
			if g.rare() {
				g.w(":", g.name())
			}
		})
	}
}

func (g *gen) target() {
	g.w(g.pick("a", "self.b", "c.d"))
	if g.rare() {
		g.w("[")
		g.expr()
		g.w("]")
	}
}

func (g *gen) init(i int) {
	g.w(g.name(), ":")
	g.expr()
}

func (g *gen) expr() {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 7 {
		g.w(g.pick("a", "1", "true", "none"))
		return
	}
	switch g.r.IntN(10) {
	case 0, 1:
		g.operand()
		for range 1 + g.r.IntN(3) {
			g.w(g.pick("+", "-", "*", "/", "%", "<<", ">>", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||"))
			g.operand()
		}
	case 2:
		g.operand()
		if g.rare() {
			g.w(g.pick("..", "..="))
			g.operand()
		}
	case 3:
		g.closure()
	default:
		g.operand()
	}
}

func (g *gen) closure() {
	g.items("(", ")", 0, g.param)
	if g.maybe() {
		g.w("int")
	}
	g.w("=>")
	if g.maybe() {
		g.block()
	} else {
		g.expr()
	}
}

func (g *gen) operand() {
	if g.rare() {
		g.w(g.pick("-", "!", "~", "- -"))
	}
	g.primary()
	g.postfix()
	if g.rare() {
		g.s("as")
		g.w(g.pick("int", "float", "byte"))
	}
}

func (g *gen) postfix() {
	for g.rare() {
		switch g.r.IntN(7) {
		case 0:
			g.w(".", g.name())
		case 1, 2:
			g.w(".", g.name())
			g.items("(", ")", 0, func(int) { g.expr() })
		case 3:
			g.w("[")
			g.bracketed(g.expr)
			g.w("]")
		case 4:
			g.s(g.pick("?", "!"))
		case 5:
			g.s("catch", g.name()) // wildcard and typed handlers
			if g.maybe() {
				g.w(":", "Bad")
			}
			g.block()
			if g.rare() {
				g.w("catch", "e2")
				g.block()
			}
		case 6:
			g.s("catch")
			g.w("1 +")
			g.operand()
			return
		}
	}
}

func (g *gen) bracketed(f func()) {
	head := g.head
	g.head = false
	f()
	g.head = head
}

func (g *gen) primary() {
	deep := g.depth > 5
	switch k := g.r.IntN(22); {
	case k < 4 || deep && k < 12:
		g.w(g.name())
	case k < 6:
		g.w(g.pick("0", "12", "1_000", "0xFF", "0b10_1", "9223372036854775808"))
	case k == 6:
		g.w(g.pick("1.5", "2e10", "1_0.5E-3"))
	case k == 7:
		g.w(g.pick("true", "false", "none", "self"))
	case k < 10:
		g.w(g.pick(`""`, `"text"`, `"a {b} {c.d(1)} {{x}} {1}"`, `"{\"k\":{\"v\":1}}"`, `f"{a}{b+1}"`, `f"{m[\"k\"]} {{}}"`, `r"raw\{x}"`, `"\u{41}\n"`, "\"two\nlines\"", `"{f(\"{x}\")}"`))
	case k == 10:
		g.w("[")
		g.touchingItems("]", 0, func(int) { g.expr() })
	case k == 11:
		g.w("(")
		g.bracketed(g.expr)
		g.w(")")
	case k == 12:
		g.w("(")
		g.bracketed(g.closure)
		g.w(")")
	case k == 13:
		g.w("spawn")
		if g.maybe() {
			g.w("self", ".", "x")
			g.w(".", "go")
		} else {
			g.w("work")
		}
		g.items("(", ")", 0, func(int) { g.expr() })
	case k == 14:
		g.w("(if")
		g.hexpr()
		g.block()
		for g.rare() {
			g.w("else", "if")
			g.hexpr()
			g.block()
		}
		g.w("else")
		g.block()
		g.w(")")
	case k == 15:
		g.w("(match")
		g.hexpr()
		g.w("{")
		for i := range 1 + g.r.IntN(3) {
			if i > 0 {
				g.w(",")
			}
			g.pattern()
			g.w("=>")
			g.hexpr()
		}
		if g.rare() {
			g.w(",")
		}
		g.w("}", ")")
	case k == 16:
		g.w("fold")
		g.items("<", ">", 1, func(int) { g.typ() })
		g.items("(", ")", 0, func(int) { g.expr() })
	case k == 17:
		g.w("Reflect", "::", "name")
		g.items("<", ">", 1, func(int) { g.typ() })
		g.items("(", ")", 0, func(int) { g.expr() })
	case k == 18:
		g.w(g.pick("Opt", "m.Opt"))
		g.items("<", ">", 1, func(int) { g.typ() })
		g.w(".", "Some")
	case g.head:
		g.w(g.name())
		g.items("(", ")", 0, func(int) { g.expr() })
	case k == 19:
		g.w(g.pick("Point", "m.Point", "Shape.Dot", "m.Shape.Dot"))
		g.s("{")
		g.loose(g.r.IntN(3), g.init)
	case k == 20:
		g.w(g.pick("Box", "m.Box", "Opt"))
		g.items("<", ">", 1, func(int) { g.typ() })
		if g.rare() {
			g.w(".", "Some")
			g.s("{")
		} else {
			g.w("{")
		}
		g.loose(1, g.init)
	default:
		if g.maybe() {
			g.w("Set", "<")
			g.typ()
			g.w(">", "{")
			g.loose(g.r.IntN(3), func(int) { g.w("1 +"); g.expr() })
			return
		}
		g.w("Map", "<")
		g.typ()
		g.w(",")
		g.typ()
		g.w(">", "{")
		g.loose(g.r.IntN(3), func(int) {
			g.w("1 +")
			g.operand()
			g.w(":")
			g.operand()
		})
	}
}
