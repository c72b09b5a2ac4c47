package plutogen

import (
	"fmt"
	"strings"
)

// injected writes classes that the container builds.
func (g *gen) injected() {
	var services []*class
	if c := (&class{name: g.global("Logger Clock_ Audit")}); g.p(50) && !g.names[ambientName(c)] {
		g.ambient = g.service(c)
		services = append(services, c)
	}
	for i := range 1 + g.n(3) {
		c := &class{name: g.global("Repo Service Store Cache")}
		for _, s := range services {
			if i > 0 && g.p(60) {
				c.deps = append(c.deps, field{fmt.Sprintf("d%d", len(c.deps)), s.typ()})
			}
		}
		if g.ambient != nil && g.p(50) {
			c.uses = g.ambient
		}
		services = append(services, g.service(c))
	}
	if g.p(60) {
		g.scopes(services)
	}
	app := &class{name: g.global("App Main Program"), inj: true}
	for i, s := range services {
		if s != g.ambient {
			app.deps = append(app.deps, field{fmt.Sprintf("s%d", i), s.typ()})
		}
	}
	g.classes = append(g.classes, app)
}

// ambientName is the variable that a class with `uses` has.
func ambientName(c *class) string { return strings.ToLower(c.name[:1]) + c.name[1:] }

// service writes a class that is injected. Its fields have zero values at first.
func (g *gen) service(c *class) *class {
	c.inj = true
	for i := range 1 + g.n(3) {
		c.fields = append(c.fields, field{fmt.Sprintf("f%d", i), pick(g, []*typ{
			intT, intT, stringT, boolT, floatT, arrayOf(intT), mapOf(stringT, intT), nullableOf(intT),
		})})
	}
	return g.container(c)
}

// container writes a class of the container with its methods.
func (g *gen) container(c *class) *class {
	var methods []string
	for range 1 + g.n(3) {
		f := &fn{name: g.method(), class: c, result: pick(g, []*typ{voidT, intT, stringT}), mut: g.p(60), params: g.params()}
		if methodOf(c, f.name) != nil {
			continue
		}
		b := &body{self: c.typ(), selfMut: f.mut, canRaise: g.p(20)}
		if c.uses != nil {
			b.vars = []*variable{{name: ambientName(c.uses), t: c.uses.typ(), fixed: true, mut: true}}
		}
		text := signature(f, true) + g.contracts(f, c) + " " + g.writeBody(f, b)
		methods = append(methods, strings.ReplaceAll(text, "\n", "\n    "))
		c.methods = append(c.methods, f)
		g.funcs = append(g.funcs, f)
	}
	g.decls = append(g.decls, g.classText(c, methods))
	return c
}

// scopes writes what scope blocks are about: a request that is their seed, and a class that
// they build from it.
func (g *gen) scopes(services []*class) {
	g.request = &class{name: g.global("Request Session"), scoped: true, inj: true, fields: []field{{"id", intT}, {"tag", stringT}}}
	g.container(g.request)
	h := &class{name: g.global("Handler Job"), scoped: true, inj: true, deps: []field{{"req", g.request.typ()}}}
	for i, s := range services {
		if g.p(40) {
			h.deps = append(h.deps, field{fmt.Sprintf("h%d", i), s.typ()})
		}
	}
	g.scoped_ = g.container(h)
}

// scopeBlock writes a scope block.
func (g *gen) scopeBlock(depth int) {
	seed := fmt.Sprintf("%s { id: %s, tag: %s }", g.request.name, g.exact(intT, 1).s, g.exact(stringT, 1).s)
	g.scoped(func() {
		name := g.local(false)
		v := g.declare(name, g.scoped_.typ(), true)
		v.here, v.fixed = true, true
		binds := name + ": " + g.scoped_.name
		if g.p(30) {
			other := g.local(false)
			v := g.declare(other, g.request.typ(), true)
			v.here, v.fixed = true, true
			binds += ", " + other + ": " + g.request.name
		}
		g.line("scope(%s) |%s| %s", seed, binds, g.block(func() { g.statements(2+g.n(3), depth) }))
	})
}

// appText is the app around its main method.
func (g *gen) appText(main string) string {
	app := g.classes[len(g.classes)-1]
	text := "app " + app.name
	if len(app.deps) > 0 {
		text += "[" + fieldList(app.deps) + "]"
	}
	text += " {\n"
	if g.ambient != nil {
		text += "    ambient " + g.ambient.name + "\n"
	}
	return text + main + "\n}"
}
