package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// spawn lowers spawn call. Receiver and arguments are evaluated here; the task works on deep
// copies of them.
func (f *fn) spawn(e *syntax.SpawnExpr) val {
	c := f.calling(unparen(e.Call))
	vs := f.operands(c.lower...)
	copier := "nil"
	for _, t := range c.types {
		if f.g.needsCopy(t) {
			copier = f.temp("c")
			f.emit(copier + " := rt.NewCopier()")
			break
		}
	}
	for i, t := range c.types {
		switch {
		case f.g.needsCopy(t):
			vs[i] = f.captured(val{text: f.g.copied(copier, vs[i].typed(), t), eff: acts})
		case vs[i].k == nil:
			vs[i] = f.captured(vs[i])
		}
	}
	result := f.info.Type(e).Elem
	outer := f.enter(result)
	out := c.build(vs)
	f.task(out)
	body := f.leaveClosure(outer)
	text := "rt.Go(" + copier + ", " + quote(c.name) + ", func() (" + f.g.goType(result) + ", rt.Error) " + f.inline(body) + ")"
	return val{text: text, eff: acts}
}

// captured gives a value that a task takes along a name of its own, unless it has one that
// stays as it is.
func (f *fn) captured(v val) val {
	if v.eff == 0 && v.prec == precPrimary && v.conv == "" {
		return v
	}
	name := f.temp("arg")
	f.emit(name + " := " + v.typed())
	return val{text: name}
}

// task writes the body of a task that makes a call.
func (f *fn) task(c call) {
	void := isVoid(c.typ)
	switch {
	case c.k != nil:
		f.emit("return " + constant(c.k).text + ", nil")
	case void && !c.valued && c.after == "" && c.fails:
		f.emit("return rt.Void{}, " + c.text)
	case void && !c.fails:
		f.callValue(c)
		f.emit("return rt.Void{}, nil")
	case c.after == "" && c.fails:
		f.emit("return " + c.text)
	case c.after == "":
		f.emit("return " + c.text + ", nil")
	default:
		f.taskThen(c, void)
	}
}

// taskThen is task for a call with something to do after it.
func (f *fn) taskThen(c call, void bool) {
	value, err := f.temp("tmp"), "nil"
	left := value
	switch {
	case c.fails && void:
		err = f.temp("err")
		left, value = err, "rt.Void{}"
	case c.fails:
		err = f.temp("err")
		left += ", " + err
	}
	f.emit(left + " := " + c.text)
	f.emit(c.after)
	f.emit("return " + value + ", " + err)
}

// needsCopy says whether values of a type can be told from their copies: whether something
// in them can change.
func (g *generator) needsCopy(t *check.Type) bool {
	need, ok := g.copies[t]
	if !ok {
		need = g.changeable(t, map[*check.Type]bool{})
		g.copies[t] = need
	}
	return need
}

func (g *generator) changeable(t *check.Type, seen map[*check.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind {
	case check.KClass, check.KArray, check.KMap, check.KSet, check.KBytes, check.KSender:
		return true
	case check.KTrait:
		return len(t.Trait.Impls) > 0
	case check.KNullable:
		return !g.optional(t) && g.changeable(t.Elem, seen)
	case check.KFunc:
		return g.shipped(t)
	case check.KEnum:
		for _, v := range t.Enum.Variants {
			for _, f := range v.Fields {
				if g.changeable(f.Type, seen) {
					return true
				}
			}
		}
	}
	return false
}

// copied is the text of a deep copy of a value.
func (g *generator) copied(copier, text string, t *check.Type) string {
	if !g.needsCopy(t) {
		return text
	}
	switch t.Kind {
	case check.KNullable:
		return g.copied(copier, text, t.Elem)
	case check.KSender:
		return text + ".Copy(" + copier + ")"
	case check.KBytes:
		return "rt.CopyBytes(" + copier + ", " + text + ")"
	case check.KFunc:
		return "rt.CopyFn(" + copier + ", " + text + ")"
	case check.KArray:
		return "rt.CopyArray(" + copier + ", " + text + ", " + g.copyFunc(t.Elem) + ")"
	case check.KSet:
		return "rt.CopySet(" + copier + ", " + text + ", " + g.copyFunc(t.Elem) + ")"
	case check.KMap:
		return "rt.CopyMap(" + copier + ", " + text + ", " + g.copyFunc(t.Key) + ", " + g.copyFunc(t.Elem) + ")"
	}
	return g.copyFunc(t) + "(" + copier + ", " + text + ")"
}

// copyFunc is a Go function that copies values of a type, or nil when they need no copy.
func (g *generator) copyFunc(t *check.Type) string {
	if t.Kind == check.KNullable {
		t = t.Elem
	}
	if !g.needsCopy(t) {
		return "nil"
	}
	name, ok := g.copiers[t]
	if !ok {
		name = g.helper("copy_" + goIdent(t.String()))
		g.copiers[t] = name
		g.copyOrder = append(g.copyOrder, t)
	}
	return name
}

// copyFuncs writes the functions that copy; writing one may ask for others.
func (g *generator) copyFuncs() {
	for ; g.copyDone < len(g.copyOrder); g.copyDone++ {
		t := g.copyOrder[g.copyDone]
		b := &block{}
		text := func(s string) { b.add(line{text: s}) }
		goType := g.goType(t)
		text("func " + g.copiers[t] + "(c *rt.Copier, x " + goType + ") " + goType + " {")
		switch t.Kind {
		case check.KClass:
			g.copyClass(t.Class, text)
		case check.KEnum:
			g.copyEnum(t.Enum, text)
		case check.KTrait:
			text("switch x := x.(type) {")
			for _, c := range t.Trait.Impls {
				text("case " + g.goType(c.Type) + ":")
				text("return " + g.copied("c", "x", c.Type))
			}
			text("}")
			text("return x")
		default:
			text("return " + g.copied("c", "x", t))
		}
		text("}")
		g.helpers = append(g.helpers, b)
	}
}

func (g *generator) copyClass(c *check.Class, text func(string)) {
	text("if n, ok := rt.Copied(c, x); ok {")
	text("return n")
	text("}")
	text("n := new(" + g.named[c] + ")")
	text("rt.Remember(c, x, n)")
	for _, f := range c.Fields {
		name := g.named[f]
		text("n." + name + " = " + g.copied("c", "x."+name, f.Type))
	}
	text("return n")
}

func (g *generator) copyEnum(e *check.Enum, text func(string)) {
	text("switch x := x.(type) {")
	for _, v := range e.Variants {
		changed := false
		for _, f := range v.Fields {
			if !g.needsCopy(f.Type) {
				continue
			}
			if !changed {
				text("case " + g.named[v] + ":")
				changed = true
			}
			name := g.named[f]
			text("x." + name + " = " + g.copied("c", "x."+name, f.Type))
		}
		if changed {
			text("return x")
		}
	}
	text("}")
	text("return x")
}
