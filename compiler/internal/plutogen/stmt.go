package plutogen

import (
	"fmt"
	"strings"
)

// statements writes up to n statements.
func (g *gen) statements(n, depth int) {
	for range n {
		if g.b.budget <= 0 {
			return
		}
		g.statement(depth)
	}
}

// statement writes a statement that may hold others, depth deep.
func (g *gen) statement(depth int) {
	g.b.budget--
	cs := []choice[bool]{{1, func() bool { g.let(g.small(), 1); return true }}}
	add := func(weight int, write func()) {
		cs = append(cs, choice[bool]{weight, func() bool { write(); return true }})
	}
	add(g.often(7, 0), func() { g.let(g.anyType(2), 1+g.n(2)) })
	if !g.b.quiet {
		add(g.often(5, 1), func() { g.line("print(%s)", g.exact(g.small(), 2).s) })
	}
	for _, f := range g.callable(voidT) {
		add(g.often(2, 2), func() { g.line("%s", g.statementCall(f)) })
	}
	g.assignments(func(weight int, write func()) { add(g.often(weight, 3), write) })
	g.mutations(func(weight int, write func()) { add(g.often(weight, 4), write) })
	if g.b.loops > 0 {
		add(g.often(2, 5), func() {
			g.line("if %s {", g.exact(boolT, 1).head())
			g.line("    %s", g.word("break continue"))
			g.line("}")
		})
	}
	if depth > 0 {
		add(g.often(4, 6), func() { g.ifStatement(depth - 1) })
		add(g.often(3, 7), func() { g.loop(depth - 1) })
		if es := g.enumsAtHand(); len(es) > 0 {
			add(g.often(3, 8), func() { g.matchStatement(pick(g, es), depth-1) })
		}
		add(1, func() {
			g.line("if %s %s", g.exact(boolT, 1).head(), g.block(func() { g.leave() }))
		})
		add(g.often(6, 9), func() { g.idiom(depth - 1) })
		add(1, func() { g.line("assert %s || %s", g.exact(boolT, 1).op(), g.word("true true 1==1")) })
		add(1, func() { g.forever(depth - 1) })
		if !g.b.quiet && g.b.closures == 0 {
			add(g.often(2, 10), func() { g.concurrent() })
		}
		if g.scoped_ != nil && g.b.closures == 0 && !g.b.quiet {
			add(2, func() { g.scopeBlock(depth - 1) })
		}
	}
	choose(g, cs)
}

// often is how likely a kind of statement is in this program: programs differ in what they
// are full of.
func (g *gen) often(weight, kind int) int { return weight * g.fond[kind] }

// statementCall is the text of a call as a statement. It must begin with a name.
func (g *gen) statementCall(f *fn) string {
	text := g.call(f, voidT, 2).s
	if text[0] == '(' {
		name := g.local(true)
		g.declare(name, opaque, false)
		return fmt.Sprintf("let %s = %s", name, text)
	}
	return text
}

// let declares a variable.
func (g *gen) let(t *typ, depth int) {
	mut := ""
	if g.p(60) {
		mut = "mut "
	}
	if g.p(35) || t.kind == kFunc && g.p(50) {
		v := g.value(t, depth)
		name := g.local(true)
		g.line("let %s%s: %s = %s", mut, name, t, v.s)
		g.declare(name, t, mut != "")
		return
	}
	v := g.exact(t, depth)
	if t.kind == kFunc {
		v = ex{g.keep(t) + "(" + v.s + ")", true} // the closure may have another type that fits
	}
	name := g.local(true)
	g.line("let %s%s = %s", mut, name, v.s)
	g.declare(name, t, mut != "")
}

// leave ends the function, mostly.
func (g *gen) leave() {
	switch {
	case g.b.canRaise && len(g.errs) > 0 && g.p(60):
		g.raise()
	case g.b.loops > 0 && g.p(50):
		g.line("%s", g.word("break continue"))
	case g.b.result.kind == kVoid:
		g.line("return")
	default:
		g.line("return %s", g.value(g.b.result, 1).s)
	}
}

func (g *gen) raise() {
	e := pick(g, g.errs)
	g.b.fn.raises[e.name] = true
	g.line("raise %s {%s}", e.name, g.list(len(e.fields), func(i int) string {
		return e.fields[i].name + ": " + g.exact(e.fields[i].t, 1).s
	}))
}

// assignments adds what can be assigned to.
func (g *gen) assignments(add func(int, func())) {
	for _, v := range g.visible() {
		if v.t == nil || !v.mut {
			continue
		}
		if !v.fixed {
			add(3, func() { g.assign(v.name, v.t, false) })
		}
		if v.t.kind == kClass {
			for _, f := range fieldsOf(v.t) {
				if !v.t.class.inj {
					add(2, func() { g.assign(v.name+"."+f.name, f.t, true) })
				}
			}
		}
	}
	if g.b.self != nil && g.b.selfMut {
		for _, f := range g.b.self.class.fields {
			add(3, func() { g.assign("self."+f.name, f.t, true) })
		}
	}
	for _, f := range g.funcs {
		if !f.method() && f.result.kind == kClass && len(f.tparam) == 0 && len(f.raises) == 0 && !g.hidden(f.name) && !g.b.quiet && g.p(10) {
			for _, x := range f.result.class.fields {
				m := bind(f.result.class.params, f.result.args)
				add(1, func() { g.assign(g.call(f, f.result, 1).s+"."+x.name, subst(x.t, m), true) })
			}
		}
	}
}

// assign writes an assignment of some form. Places in objects take values of exactly their
// type only.
func (g *gen) assign(place string, t *typ, exact bool) {
	switch {
	case t.kind == kInt && g.p(20):
		g.line("%s%s", place, g.word("++ --"))
	case t.kind == kInt && g.p(50):
		g.line("%s %s %s", place, g.word("+= -= *="), g.exact(intT, 2).s)
	case t.kind == kInt && g.p(20):
		g.line("%s %s %d", place, g.word("/= %="), 1+g.n(7))
	case t.kind == kFloat && g.p(60):
		g.line("%s %s %s", place, g.word("+= -= *= /= %="), g.exact(floatT, 2).s)
	case t.kind == kString && g.p(50):
		g.line("%s += %s", place, g.exact(stringT, 1).s)
	case exact || t.kind == kFunc:
		g.line("%s = %s", place, g.exact(t, 2).s)
	default:
		g.line("%s = %s", place, g.value(t, 2).s)
	}
}

// mutations adds statements that change collections. A method that takes self as it is may
// call what changes them, but not store into them.
func (g *gen) mutations(add func(int, func())) {
	change := func(path string, t *typ, stores bool) {
		x := func(t *typ) string { return g.exact(t, 1).s }
		switch t.kind {
		case kArray:
			add(3, func() { g.line("%s.push(%s)", path, x(t.elem)) })
			add(1, func() { g.line("%s.%s()", path, g.word("reverse reverse clear")) })
			add(2, func() {
				g.line("if %s.len() > 1 {", path)
				kind := g.n(5)
				if kind > 2 && !stores {
					kind = g.n(3)
				}
				switch kind {
				case 0:
					g.line("    %s.remove_at(%d)", path, g.n(2))
				case 1:
					g.line("    %s.pop()", path)
				case 2:
					g.line("    %s.insert_at(%d, %s)", path, g.n(2), g.exact(t.elem, 0).s)
				default:
					g.b.indent++
					g.assign(fmt.Sprintf("%s[%s]", path, g.index()), t.elem, true)
					g.b.indent--
				}
				g.line("}")
			})
		case kMap:
			if stores {
				add(2, func() { g.line("%s[%s] = %s", path, x(t.key), x(t.elem)) })
			}
			add(1, func() { g.line("%s.insert(%s, %s)", path, x(t.key), x(t.elem)) })
			add(1, func() { g.line("%s.remove(%s)", path, x(t.key)) })
			if t.elem.kind == kInt && stores {
				add(2, func() {
					k := g.exact(t.key, 0).s
					g.line("if %s.contains(%s) {", path, k)
					g.line("    %s[%s] += %s", path, k, x(intT))
					g.line("}")
				})
			}
		case kSet:
			add(2, func() { g.line("%s.%s(%s)", path, g.word("insert insert remove"), x(t.elem)) })
		case kBytes:
			add(2, func() { g.line("%s.push(%s)", path, x(byteT)) })
			if stores {
				add(1, func() {
					g.line("if %s.len() > 0 {", path)
					g.line("    %s[0] = %s", path, x(byteT))
					g.line("}")
				})
			}
		}
	}
	for _, v := range g.visible() {
		if v.t == nil || v.fixed {
			continue
		}
		change(v.name, v.t, true)
		if v.t.kind == kClass && g.p(30) {
			for _, f := range fieldsOf(v.t) {
				change(v.name+"."+f.name, f.t, true)
			}
		}
	}
	if g.b.self != nil && g.p(50) {
		for _, f := range fieldsOf(g.b.self) {
			change("self."+f.name, f.t, g.b.selfMut)
		}
	}
}

// index is the first or second index of an array.
func (g *gen) index() string {
	if g.b.quiet || g.p(60) {
		return g.word("0 1")
	}
	return fmt.Sprintf("say(%d, %d)", g.n(100), g.n(2))
}

func (g *gen) ifStatement(depth int) {
	text := fmt.Sprintf("if %s %s", g.exact(boolT, 2).head(), g.block(func() { g.statements(1+g.n(3), depth) }))
	for g.p(30) {
		text += fmt.Sprintf(" else if %s %s", g.exact(boolT, 2).head(), g.block(func() { g.statements(1+g.n(2), depth) }))
	}
	if g.p(50) {
		text += " else " + g.block(func() { g.statements(1+g.n(2), depth) })
	}
	g.line("%s", text)
}

func (g *gen) matchStatement(on *typ, depth int) {
	var b strings.Builder
	fmt.Fprintf(&b, "match %s {\n", g.exact(on, 2).head())
	in := strings.Repeat("    ", g.b.indent)
	for _, v := range on.enum.variants {
		g.scoped(func() {
			pattern := g.pattern(on, v)
			g.b.indent++
			body := g.block(func() { g.statements(g.n(3), depth) })
			g.b.indent--
			fmt.Fprintf(&b, "%s    %s %s\n", in, pattern, body)
		})
	}
	g.line("%s%s}", b.String(), in)
}

// forever writes a loop that only a break or a return leaves.
func (g *gen) forever(depth int) {
	name := g.local(true)
	g.line("let mut %s = 0", name)
	g.declare(name, intT, true).fixed = true
	g.b.loops++
	body := g.block(func() {
		g.line("%s++", name)
		g.line("if %s > %d {", name, 1+g.n(3))
		g.line("    %s", g.word("break break break"))
		g.line("}")
		g.statements(1+g.n(2), depth)
	})
	g.b.loops--
	g.line("while true %s", body)
}

// loop writes a loop that ends.
func (g *gen) loop(depth int) {
	body := func(first func()) string {
		g.b.loops++
		defer func() { g.b.loops-- }()
		return g.block(func() {
			if first != nil {
				first()
			}
			g.statements(1+g.n(3), depth)
		})
	}
	switch g.n(6) {
	case 0, 1:
		lo, hi := g.word("0 1 2 3"), g.word("0 1 2 3 -")
		if hi == "-" || g.p(40) {
			hi = fmt.Sprintf("(%s & 3)", g.exact(intT, 1).op())
		}
		g.scoped(func() {
			name := g.local(false)
			g.declare(name, intT, true)
			g.line("for %s in %s%s%s %s", name, lo, g.word(".. ..="), ex{hi, false}.head(), body(nil))
		})
	case 2:
		name := g.local(true)
		g.line("let mut %s = 0", name)
		v := g.declare(name, intT, true)
		v.fixed = true
		cond := fmt.Sprintf("%s < %d", name, 1+g.n(3))
		if g.p(50) {
			cond += " && " + g.exact(boolT, 2).op()
		}
		g.line("while %s %s", ex{cond, false}.head(), body(func() { g.line("%s++", name) }))
	case 3:
		g.scoped(func() {
			over := g.exact(stringT, 1)
			name := g.local(false)
			g.declare(name, stringT, true)
			g.line("for %s in %s %s", name, ex{over.op() + ".substring(0, 3)", true}.head(), body(nil))
		})
	default:
		t := pick(g, []*typ{g.small(), g.anyType(1)})
		if t.kind == kFunc {
			t = intT
		}
		g.scoped(func() {
			over := g.exact(arrayOf(t), 2)
			if !over.atom || g.p(30) { // what may be long is cut
				over = ex{over.op() + ".slice(0, 4)", true}
			}
			name := g.local(false)
			g.declare(name, t, true)
			g.line("for %s in %s %s", name, over.head(), body(nil))
		})
	}
}
