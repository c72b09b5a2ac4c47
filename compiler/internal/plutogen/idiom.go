package plutogen

import "fmt"

// idiom writes what people write all day, with something random in the middle: it is what
// compilers have special treatment for.
func (g *gen) idiom(depth int) {
	switch g.n(7) {
	case 0:
		g.counting(depth)
	case 1:
		g.grid(depth)
	case 2:
		g.filling(depth)
	case 3:
		g.scanning(depth)
	case 4:
		g.tally(depth)
	case 5:
		g.elements(depth)
	default:
		g.lookup(depth)
	}
}

// collection is a variable of a type, which is declared when there is none.
func (g *gen) collection(t *typ) string {
	for _, v := range g.visible() {
		if v.t != nil && same(v.t, t) && !v.fixed && g.p(70) {
			return v.name
		}
	}
	if g.b.self != nil {
		for _, f := range fieldsOf(g.b.self) {
			if same(f.t, t) && g.b.selfMut {
				return "self." + f.name
			}
		}
	}
	name := g.local(true)
	mut := g.p(50)
	if t.kind == kArray {
		g.line("let %s%s = [%s, %s, %s]", map[bool]string{true: "mut "}[mut], name, g.exact(t.elem, 1).s, g.exact(t.elem, 0).s, g.exact(t.elem, 0).s)
	} else {
		g.line("let %s%s = %s", map[bool]string{true: "mut "}[mut], name, g.literal(t, 2).s)
	}
	g.declare(name, t, mut)
	return name
}

// loopOver writes the head of a loop with a counter, and its body.
func (g *gen) loopOver(from, to string, body func(i string)) {
	if g.p(60) {
		g.scoped(func() {
			i := g.local(false)
			g.declare(i, intT, true).fixed = g.p(80)
			g.b.loops++
			text := g.block(func() { body(i) })
			g.b.loops--
			g.line("for %s in %s..%s %s", i, from, to, text)
		})
		return
	}
	i := g.local(true)
	g.line("let mut %s = %s", i, from)
	g.declare(i, intT, true).fixed = true
	g.b.loops++
	text := g.block(func() {
		at := g.local(true)
		g.line("let %s = %s", at, i)
		g.declare(at, intT, false)
		g.line("%s++", i)
		body(at)
	})
	g.b.loops--
	g.line("while %s < %s && %s < 9 %s", i, to, i, text)
}

// counting goes over the indexes of an array, reads and writes its elements.
func (g *gen) counting(depth int) {
	t := pick(g, []*typ{intT, intT, floatT, stringT, boolT})
	xs := g.collection(arrayOf(t))
	g.loopOver(g.word("0 0 1"), xs+".len()", func(i string) {
		element := &variable{name: xs + "[" + i + "]", t: t}
		g.b.vars = append(g.b.vars, element)
		for range 1 + g.n(3) {
			switch g.n(3) {
			case 0:
				g.assign(element.name, t, true)
			case 1:
				name := g.local(true)
				g.line("let %s = %s", name, element.name)
				g.declare(name, t, false)
			default:
				g.statements(1, depth)
			}
		}
	})
}

// grid goes over an array of arrays, of which some may be the same.
func (g *gen) grid(depth int) {
	t := pick(g, []*typ{intT, floatT})
	rows := g.collection(arrayOf(arrayOf(t)))
	if g.p(40) {
		g.line("if %s.len() > 1 {", rows)
		g.line("    %s[0] = %s[1]", rows, rows)
		g.line("}")
	}
	g.loopOver("0", rows+".len()", func(y string) {
		to := fmt.Sprintf("%s[%s].len()", rows, y)
		if g.p(30) {
			name := g.local(true)
			g.line("let %s = %s[%s]", name, rows, y)
			g.declare(name, arrayOf(t), false)
			to = name + ".len()"
		}
		g.loopOver("0", to, func(x string) {
			element := &variable{name: fmt.Sprintf("%s[%s][%s]", rows, y, x), t: t}
			g.b.vars = append(g.b.vars, element)
			g.assign(element.name, t, true)
			g.statements(g.n(2), depth-1)
			if g.p(40) {
				g.assign(element.name, t, true)
			}
		})
	})
}

// filling pushes in a loop.
func (g *gen) filling(depth int) {
	t := g.small()
	name := g.local(true)
	g.line("let mut %s: [%s] = []", name, t)
	g.declare(name, arrayOf(t), true)
	g.loopOver(g.word("0 1 -1"), g.word("3 4 0"), func(i string) {
		if g.p(40) {
			g.statements(1, depth)
		}
		g.line("%s.push(%s)", name, g.exact(t, g.n(3)).s)
		if g.p(30) {
			g.statements(1, depth)
		}
	})
}

// scanning goes over the bytes of a string.
func (g *gen) scanning(depth int) {
	s := g.local(true)
	g.line("let %s = %s", s, g.exact(stringT, 2).s)
	g.declare(s, stringT, false)
	letter := g.word(`"a" "b" "," "1" "{" "é" "" "ab"`)
	if g.p(30) {
		g.scoped(func() {
			c := g.local(false)
			g.declare(c, stringT, g.p(50))
			g.b.loops++
			body := g.block(func() {
				g.line("if %s %s %s %s", c, g.word("== !="), letter, g.block(func() { g.statements(2, depth-1) }))
				g.statements(g.n(2), depth-1)
			})
			g.b.loops--
			g.line("for %s in %s.substring(0, 5) %s", c, s, body)
		})
		return
	}
	g.loopOver("0", fmt.Sprintf("min(%s.len(), 5)", s), func(i string) {
		at := s + "[" + i + "]"
		if g.p(30) {
			at = fmt.Sprintf("%s.char_at(%s)", s, i)
		}
		if g.p(30) {
			c := g.local(true)
			g.line("let %s = %s", c, at)
			g.declare(c, stringT, false)
			at = c
		}
		g.b.vars = append(g.b.vars, &variable{name: at, t: stringT}, &variable{name: fmt.Sprintf("%s.byte_at(%s)", s, i), t: intT})
		g.line("if %s %s %s %s", at, g.word("== !="), g.word(letter+" "+s+"[0]"), g.block(func() { g.statements(2, depth-1) }))
		g.statements(g.n(2), depth-1)
	})
}

// tally counts in a map.
func (g *gen) tally(depth int) {
	k, t := pick(g, []*typ{intT, stringT}), pick(g, []*typ{intT, intT, floatT, stringT})
	m := g.collection(mapOf(k, t))
	key := g.exact(k, 0).s
	if g.p(50) {
		name := g.local(true)
		g.line("let mut %s = %s", name, g.exact(k, 1).s)
		g.declare(name, k, true)
		key = name
	}
	at := fmt.Sprintf("%s[%s]", m, key)
	value := func() string {
		if g.p(60) {
			return g.literal(t, 0).s
		}
		return g.exact(t, 1).s
	}
	update, start := at+" += %s", at+" = %s"
	if g.p(50) {
		update = at + " = " + at + " + (%s)"
	}
	if g.p(30) {
		start = m + ".insert(" + key + ", %s)"
	}
	update, start = fmt.Sprintf(update, value()), fmt.Sprintf(start, value())
	in := func(s string) string {
		return g.block(func() {
			g.line("%s", s)
			if g.p(25) {
				g.statements(1, depth-1)
			}
		})
	}
	switch g.n(3) {
	case 0:
		g.line("if %s.contains(%s) %s else %s", m, key, in(update), in(start))
	case 1:
		g.line("if !%s.contains(%s) %s else %s", m, key, in(start), in(update))
	default:
		g.line("if !%s.contains(%s) %s", m, key, g.block(func() { g.line("%s", start) }))
		g.line("%s", update)
	}
}

// lookup asks a map for a key and uses what is there.
func (g *gen) lookup(depth int) {
	k, t := g.keyType(), g.anyType(1)
	if t.kind == kFunc || hasParam(t) {
		t = intT
	}
	m := g.collection(mapOf(k, t))
	key := g.exact(k, 0).s
	g.line("if %s.contains(%s) %s", m, key, g.block(func() {
		g.b.vars = append(g.b.vars, &variable{name: fmt.Sprintf("%s[%s]", m, key), t: t})
		for range 1 + g.n(2) {
			if g.p(50) {
				g.line("%s[%s] = %s", m, key, g.exact(t, 1).s)
			}
			g.statements(1, depth-1)
		}
		if !g.b.quiet {
			g.line("print(%s)", g.show(t, fmt.Sprintf("%s[%s]", m, key), "2"))
		}
	}))
}

// elements changes the fields of objects in an array.
func (g *gen) elements(depth int) {
	var cs []*class
	for _, c := range g.classes {
		if !c.inj && len(c.params) == 0 {
			cs = append(cs, c)
		}
	}
	if len(cs) == 0 {
		return
	}
	c := pick(g, cs)
	xs := g.collection(arrayOf(c.typ()))
	g.line("if %s.len() > 0 %s", xs, g.block(func() {
		for range 1 + g.n(2) {
			f := pick(g, c.fields)
			i := "0"
			if !g.b.quiet && g.p(25) {
				i = "say(1, 0)"
			}
			g.assign(fmt.Sprintf("%s[%s].%s", xs, i, f.name), f.t, true)
		}
		for _, m := range c.methods {
			if m.result.kind == kVoid && g.p(50) && (!g.b.quiet || m.quiet) {
				var params []*typ
				for _, p := range m.params {
					params = append(params, p.t)
				}
				g.line("%s", g.fallible(fmt.Sprintf("%s[0].%s(%s)", xs, m.name, g.args(params, 1)), m.raises, voidT, 1).s)
			}
		}
		g.statements(g.n(2), depth-1)
	}))
}
