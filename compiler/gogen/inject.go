package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// scope lowers a scope block: the seeds, the objects that are built from them, the names
// that are bound, the body.
func (f *fn) scope(s *syntax.ScopeStmt) {
	wiring := f.info.Wirings[s]
	var flow flow
	b := f.apart(func() {
		lower := make([]func() val, len(s.Seeds))
		for i, e := range s.Seeds {
			lower[i] = func() val { return f.expr(e) }
		}
		have := map[*check.Class]string{}
		for i, v := range f.operands(lower...) {
			name := f.temp("seed")
			f.emit(name + " := " + v.typed())
			f.emit("_ = " + name)
			have[wiring.Seeds[i]] = name
		}
		for _, c := range wiring.Build {
			name := f.temp("scoped")
			f.emit(name + " := " + f.g.build(c, have))
			have[c] = name
		}
		for _, p := range s.Bindings {
			v := f.info.Defs[p.Name]
			l := f.declare(v)
			f.emit(l.name + " := " + have[v.Type.Class])
			f.keep(l)
		}
		f.stmts(s.Body.Stmts)
		flow = f.cur.flow
	})
	f.close("{")
	f.cur.nest(b)
	f.close("}")
	f.cur.flow = flow
}

// build makes an object as the container does: injected fields from the objects at hand,
// then from singletons; the others have their zero values, collections are empty.
func (g *generator) build(c *check.Class, have map[*check.Class]string) string {
	g.needClass(c)
	var names []string
	var vs []val
	for _, field := range c.Fields {
		var text string
		t := field.Type
		switch {
		case field.Injected && have[t.Class] != "":
			text = have[t.Class]
		case field.Injected:
			text = g.singleton(t.Class)
		case t.Kind == check.KArray:
			text = "rt.NewArray[" + g.goType(t.Elem) + "]()"
		case t.Kind == check.KMap:
			text = "rt.NewMap[" + g.goType(t.Key) + ", " + g.goType(t.Elem) + "](0)"
		case t.Kind == check.KSet:
			text = "rt.NewSet[" + g.goType(t.Elem) + "]()"
		case t.Kind == check.KBytes:
			text = "rt.NewBytes()"
		default:
			continue
		}
		names = append(names, g.named[field])
		vs = append(vs, val{text: text})
	}
	return composite("&"+g.named[c], names, vs).text
}

// singleton is the Go variable with the one object of a class.
func (g *generator) singleton(c *check.Class) string {
	name, ok := g.singletons[c]
	if !ok {
		name = g.helper("the_" + goIdent(c.Name))
		g.singletons[c] = name
	}
	return name
}

// wire writes the variables of the singletons and the function that builds them and the app.
// It returns the text that starts the app.
func (g *generator) wire() string {
	app := g.p.App
	text := g.entryText
	for _, c := range g.p.DI.Singletons {
		g.needClass(c)
		text("var " + g.singleton(c) + " *" + g.named[c])
	}
	g.needClass(app.Class)
	name := g.helper("start")
	text("")
	text("// " + name + " builds the singletons and then the app.")
	text("func " + name + "() *" + g.named[app.Class] + " {")
	for _, c := range g.p.DI.Singletons {
		text(g.singleton(c) + " = " + g.build(c, nil))
		if g.reach.spawns {
			text("rt.Share(" + g.singleton(c) + ")")
		}
	}
	text("app := " + g.build(app.Class, nil))
	if g.reach.spawns {
		text("rt.Share(app)")
	}
	text("return app")
	text("}")
	return name + "()." + g.methods[app.Main.Short] + "()"
}
