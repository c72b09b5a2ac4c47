package plutogen

import (
	"maps"
	"slices"
	"strings"
)

// callable are the functions at hand that can give a value of a type.
func (g *gen) callable(t *typ) []*fn {
	var out []*fn
	for _, f := range g.funcs {
		if g.b.quiet && !f.quiet || !f.method() && g.hidden(f.name) {
			continue
		}
		m := map[string]*typ{}
		if unify(f.result, t, m) && g.reachable(f) && f.bounded(m) {
			out = append(out, f)
		}
	}
	return out
}

// bounded says whether types satisfy the bounds of a function's type parameters.
func (f *fn) bounded(m map[string]*typ) bool {
	for p, t := range f.bounds {
		if a := m[p]; a != nil && (a.kind != kClass || !slices.Contains(t.impls, a.class)) {
			return false
		}
	}
	return true
}

// typeArg is a type for a type parameter that nothing else tells.
func (g *gen) typeArg(f *fn, param string) *typ {
	if t := f.bounds[param]; t != nil {
		return pick(g, t.impls).typ()
	}
	return g.small()
}

// hidden says whether a local has the name of a function.
func (g *gen) hidden(name string) bool {
	return slices.ContainsFunc(g.b.vars, func(v *variable) bool { return v.name == name })
}

// reachable says whether there can be a receiver for a method: injected objects are only
// where they were injected.
func (g *gen) reachable(f *fn) bool {
	if f.class == nil || !f.class.inj {
		return true
	}
	return len(g.receivers(f, nil)) > 0
}

// unify finds type parameters of a pattern so that it is the type t.
func unify(pattern, t *typ, m map[string]*typ) bool {
	if pattern.kind == kParam {
		if old := m[pattern.text]; old != nil {
			return same(old, t)
		}
		if t.kind == kVoid || t.kind == kNullable || t.kind == kFunc {
			return false
		}
		m[pattern.text] = t
		return true
	}
	if pattern.kind != t.kind || pattern.class != t.class || pattern.enum != t.enum || pattern.trait != t.trait {
		return false
	}
	switch t.kind {
	case kArray, kSet, kNullable:
		return unify(pattern.elem, t.elem, m)
	case kMap:
		return unify(pattern.key, t.key, m) && unify(pattern.elem, t.elem, m)
	case kClass, kEnum:
		for i := range t.args {
			if !unify(pattern.args[i], t.args[i], m) {
				return false
			}
		}
	case kFunc:
		if len(pattern.params) != len(t.params) {
			return false
		}
		for i := range t.params {
			if !unify(pattern.params[i], t.params[i], m) {
				return false
			}
		}
		return unify(pattern.result, t.result, m)
	}
	return true
}

// receivers are paths to objects that a method can be called on.
func (g *gen) receivers(f *fn, m map[string]*typ) []string {
	on := g.receiverType(f, m)
	var out []string
	for _, v := range g.visible() {
		if v.t == nil || f.mut && !v.mut {
			continue
		}
		if same(v.t, on) {
			out = append(out, v.name)
		} else if v.t.kind == kClass {
			for _, x := range fieldsOf(v.t) {
				if same(x.t, on) {
					out = append(out, v.name+"."+x.name)
				}
			}
		}
	}
	if g.b.self != nil {
		if same(g.b.self, on) && (!f.mut || g.b.selfMut) {
			out = append(out, "self")
		}
		for _, x := range fieldsOf(g.b.self) {
			if same(x.t, on) {
				out = append(out, "self."+x.name)
			}
		}
	}
	return out
}

// receiverType is the type of what a method is called on.
func (g *gen) receiverType(f *fn, m map[string]*typ) *typ {
	if f.trait != nil {
		return f.trait.typ()
	}
	return f.class.typ(g.classArgs(f.class, m)...)
}

func (g *gen) classArgs(c *class, m map[string]*typ) []*typ {
	args := make([]*typ, len(c.params))
	for i, p := range c.params {
		if args[i] = m[p]; args[i] == nil {
			args[i] = intT
		}
	}
	return args
}

// call writes a call that gives a value of type t, or a statement when t is void.
func (g *gen) call(f *fn, t *typ, depth int) ex {
	m := map[string]*typ{}
	unify(f.result, t, m)
	if f.method() {
		return g.callMethod(f, t, m, depth)
	}
	params := make([]*typ, len(f.params))
	explicit := g.p(50)
	for _, p := range f.tparam {
		if m[p] == nil {
			m[p] = g.typeArg(f, p)
		}
		explicit = explicit || !slices.ContainsFunc(f.params, func(x field) bool { return usesParam(x.t, p) })
	}
	for i, p := range f.params {
		params[i] = subst(p.t, m)
	}
	name := f.name
	args := ""
	switch {
	case len(f.tparam) == 0:
		args = g.fueled(f, params, depth)
	case explicit:
		name = withArgs(name, g.tparamArgs(f, m))
		args = g.fueled(f, params, depth)
	default:
		args = g.exacts(params, depth)
	}
	return g.fallible(name+"("+args+")", f.raises, t, depth)
}

func (g *gen) tparamArgs(f *fn, m map[string]*typ) []*typ {
	args := make([]*typ, len(f.tparam))
	for i, p := range f.tparam {
		args[i] = m[p]
	}
	return args
}

// fueled writes arguments, the fuel of a recursion first.
func (g *gen) fueled(f *fn, params []*typ, depth int) string {
	if !f.fuel {
		return g.args(params, depth)
	}
	args := g.list(1, func(int) string { return g.word("0 1 2 3") })
	if len(params) > 1 {
		args += ", " + g.args(params[1:], depth)
	}
	return args
}

func (g *gen) callMethod(f *fn, t *typ, m map[string]*typ, depth int) ex {
	if f.class != nil {
		for _, p := range f.class.params {
			if m[p] == nil {
				m[p] = g.small()
			}
		}
	}
	var recv string
	if rs := g.receivers(f, m); len(rs) > 0 && (g.p(80) || f.class != nil && f.class.inj) {
		recv = pick(g, rs)
	} else {
		on := g.receiverType(f, m)
		if f.mut { // a root that is no variable may be changed
			recv = g.keep(on) + "(" + g.exact(on, depth).s + ")"
		} else {
			recv = g.exact(on, depth).op()
		}
	}
	params := make([]*typ, len(f.params))
	for i, p := range f.params {
		params[i] = subst(p.t, m)
	}
	return g.fallible(recv+"."+f.name+"("+g.args(params, depth)+")", f.raises, t, depth)
}

// predeclared are errors that every program has.
var predeclared = []*errDecl{
	{"MathError", []field{{"message", stringT}}},
	{"ChannelClosed", []field{{"message", stringT}}},
	{"ChannelFull", []field{{"message", stringT}}},
	{"ChannelEmpty", []field{{"message", stringT}}},
}

// fallible handles the errors of a call.
func (g *gen) fallible(call string, raises map[string]bool, t *typ, depth int) ex {
	switch {
	case len(raises) == 0:
		return ex{call, true}
	case g.b.canRaise && g.b.noBang == 0 && g.p(45):
		maps.Copy(g.b.fn.raises, raises)
		return ex{call + "!", true}
	case t.kind != kVoid && g.p(40):
		return loose("%s catch %s", call, g.value(t, depth).head()) // a name and a brace would be a handler
	}
	names := slices.Sorted(maps.Keys(raises))
	var b strings.Builder
	b.WriteString(call)
	whole := g.p(50) // a wildcard at the end
	for _, e := range append(g.errs[:len(g.errs):len(g.errs)], predeclared...) {
		if slices.Contains(names, e.name) && (!whole || g.p(50)) {
			b.WriteString(g.handler(e, t, depth))
		}
	}
	if whole {
		b.WriteString(g.handler(nil, t, depth))
	}
	return ex{b.String(), false}
}

// handler writes a handler of an error, or of all.
func (g *gen) handler(e *errDecl, t *typ, depth int) string {
	var text string
	g.scoped(func() {
		name := g.local(false)
		v := g.declare(name, nil, false)
		v.err = e
		text = " catch " + name
		if e != nil {
			text += ": " + e.name
		}
		text += " "
		switch {
		case t.kind == kVoid:
			text += g.block(func() { g.statements(g.n(2), 1) })
		case g.p(15) && g.b.result.kind != kVoid && g.b.noBang == 0:
			text += g.block(func() { g.line("return %s", g.value(g.b.result, depth).s) })
		default:
			text += g.valueBlock(t, depth, false)
		}
	})
	return text
}
