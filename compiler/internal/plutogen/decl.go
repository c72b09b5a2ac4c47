package plutogen

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// helpers are functions of every program: one that shows when it is called, and some that
// give a value another type.
const helpers = `fn say<T>(n: int, x: T) T {
    print(n)
    return x
}
fn maybe<T>(x: T) T? {
    return x
}
fn nothing<T>() T? {
    return none
}
fn same<T>(x: T) T {
    return x
}`

// program writes all declarations.
func (g *gen) program() {
	g.taste()
	g.decls = append(g.decls, helpers)
	for range 1 + g.n(2) {
		g.errorDecl()
	}
	g.b = &body{fn: &fn{}, result: voidT}
	for range 1 + g.n(2) {
		g.enumDecl()
	}
	for range g.n(3) {
		g.traitDecl()
	}
	for range 1 + g.n(3) {
		g.classDecl()
	}
	g.seal()
	for range 2 + g.n(4) {
		g.funcDecl()
	}
	app := g.p(25)
	if app {
		g.injected()
	}
	g.main(app)
}

func (g *gen) errorDecl() {
	e := &errDecl{name: g.global("Bad NotFound TooBig Empty Oops")}
	for i := range g.n(3) { // the first field is the message, so it is of a plain type
		e.fields = append(e.fields, field{[]string{"what", "code"}[i], pick(g, []*typ{stringT, intT, boolT})})
	}
	g.errs = append(g.errs, e)
	g.decls = append(g.decls, fmt.Sprintf("error %s {%s}", e.name, fieldList(e.fields)))
}

func fieldList(fields []field) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = f.name + ": " + f.t.text
	}
	return strings.Join(texts, ", ")
}

// typeParams takes type parameters for a declaration, in few cases.
func (g *gen) typeParams(percent int) []string {
	if !g.p(percent) {
		return nil
	}
	list := []string{"T", "U"}[:1+g.n(2)]
	for _, name := range list {
		if g.names[name] {
			return nil
		}
	}
	return list
}

func paramTypes(names []string) []*typ {
	out := make([]*typ, len(names))
	for i, name := range names {
		out[i] = paramT(name)
	}
	return out
}

func (g *gen) enumDecl() {
	e := &enum{name: g.global("Shape Color Kind Tree List Event"), params: g.typeParams(20)}
	plain := g.p(40)
	n := 1 + g.n(4)
	for i := range n {
		v := variant{name: fmt.Sprintf("%s%d", g.word("A B Leaf Node_ Some Dot type"), i)}
		if !plain && g.p(70) {
			for j := range 1 + g.n(3) {
				t := g.small()
				switch {
				case i > 0 && g.p(25) && len(e.params) == 0:
					t = e.typ()
				case i > 0 && g.p(30):
					t = g.anyType(1)
				case len(e.params) > 0 && i > 0 && g.p(60):
					t = paramT(pick(g, e.params))
				}
				v.fields = append(v.fields, field{fmt.Sprintf("%s%d", g.word("f x type n left"), j), t})
			}
		}
		e.variants = append(e.variants, v)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "enum %s {\n", withArgs(e.name, paramTypes(e.params)))
	for _, v := range e.variants {
		b.WriteString("    " + v.name)
		if len(v.fields) > 0 {
			b.WriteString(" { " + fieldList(v.fields) + " }")
		}
		b.WriteString("\n")
	}
	g.enums = append(g.enums, e)
	g.decls = append(g.decls, b.String()+"}")
}

// anyType is a type of which there are values.
func (g *gen) anyType(depth int) *typ {
	var cs []choice[*typ]
	add := func(weight int, make func() *typ) { cs = append(cs, choice[*typ]{weight, make}) }
	add(10, g.small)
	for _, t := range g.tparams {
		add(4, func() *typ { return t })
	}
	if depth <= 0 {
		return choose(g, cs)
	}
	in := func() *typ { return g.anyType(depth - 1) }
	plain := func() *typ { // what may be in a nullable
		for {
			if t := in(); t.kind != kNullable && t.kind != kFunc {
				return t
			}
		}
	}
	add(3, func() *typ { return arrayOf(in()) })
	add(1, func() *typ { return mapOf(g.keyType(), plain()) })
	add(1, func() *typ { return setOf(g.keyType()) })
	add(1, func() *typ { return bytesT })
	add(2, func() *typ { return nullableOf(plain()) })
	add(1, func() *typ {
		ps := make([]*typ, g.n(3))
		for i := range ps {
			ps[i] = g.small()
		}
		return funcOf(ps, plain())
	})
	for _, c := range g.classes {
		if !c.inj {
			add(2, func() *typ { return c.typ(g.typeArgs(c.params, plain)...) })
		}
	}
	for _, e := range g.enums {
		add(2, func() *typ { return e.typ(g.typeArgs(e.params, plain)...) })
	}
	for _, t := range g.traits {
		if len(t.impls) > 0 {
			add(2, t.typ)
		}
	}
	return choose(g, cs)
}

func (g *gen) typeArgs(params []string, make_ func() *typ) []*typ {
	args := make([]*typ, len(params))
	for i := range params {
		args[i] = make_()
	}
	return args
}

func (g *gen) traitDecl() {
	t := &trait{name: g.global("Animal Named Priced Worker")}
	var b strings.Builder
	fmt.Fprintf(&b, "trait %s {\n", t.name)
	for i := range 1 + g.n(3) {
		m := &fn{name: g.method(), result: pick(g, []*typ{voidT, intT, stringT, boolT}), mut: g.p(30), raises: map[string]bool{}}
		if slices.ContainsFunc(t.methods, func(o *fn) bool { return o.name == m.name }) {
			continue
		}
		for j := range g.n(3) {
			m.params = append(m.params, field{[]string{"a", "b", "type"}[j], g.anyType(1)})
		}
		m.body = i > 0 && g.p(40)
		m.calm = m.body || g.p(50)
		text := signature(m, true)
		if g.p(20) && len(m.params) > 0 && m.params[0].t.kind == kInt {
			text += fmt.Sprintf("\n    requires %s > -4611686018427387904 || %[1]s < 5", m.params[0].name)
			if m.body {
				text += "\n   "
			}
		}
		if m.body {
			text += " " + g.writeBody(m, &body{inTrait: t, selfMut: m.mut})
		}
		b.WriteString("    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n")
		t.methods = append(t.methods, m)
	}
	g.traits = append(g.traits, t)
	g.decls = append(g.decls, b.String()+"}")
}

// method is a name for a method.
func (g *gen) method() string {
	return g.word("run get name bump type len Error String area Lock close push at swap m1 m2 m3 m4")
}

// signature is a function up to its result.
func signature(f *fn, method bool) string {
	params := fieldList(f.params)
	if method {
		self := "self"
		if f.mut {
			self = "mut self"
		}
		if params != "" {
			self += ", "
		}
		params = self + params
	}
	tparams := paramTypes(f.tparam)
	for i, p := range f.tparam {
		if t := f.bounds[p]; t != nil {
			tparams[i] = paramT(p + ": " + t.name)
		}
	}
	text := "fn " + withArgs(f.name, tparams) + "(" + params + ")"
	if f.result.kind != kVoid {
		text += " " + f.result.text
	}
	return text
}

// writeBody writes the block of a function.
func (g *gen) writeBody(f *fn, b *body) string {
	outer := g.b
	defer func() { g.b = outer }()
	b.fn, b.result = f, f.result
	if b.budget == 0 {
		b.budget = g.scale * (2 + g.n(4))
	}
	if f.raises == nil {
		f.raises = map[string]bool{}
	}
	f.quiet = b.quiet
	g.b = b
	for _, p := range f.params {
		v := g.declare(p.name, p.t, true)
		v.fixed = f.fuel && p.name == f.params[0].name
	}
	return g.block(func() {
		if f.fuel {
			g.recursion(f)
		}
		if b.inTrait != nil {
			g.methodsOf(b.inTrait, "self", false)
		}
		for i, p := range f.tparam {
			if t := f.bounds[p]; t != nil {
				g.methodsOf(t, fmt.Sprintf("t%d", i), b.quiet)
			}
		}
		g.statements(g.scale*(2+g.n(3)), 2)
		g.end(f)
	})
}

// end leaves a function with its result.
func (g *gen) end(f *fn) {
	if f.result.kind == kVoid {
		return
	}
	out := func() string {
		return g.block(func() {
			g.statements(g.n(2), 0)
			if g.b.canRaise && len(g.errs) > 0 && g.p(20) {
				g.raise()
				return
			}
			g.line("return %s", g.value(f.result, 1).s)
		})
	}
	enums := g.enumsAtHand()
	switch n := g.n(5); {
	case n == 0:
		g.line("if %s %s else %s", g.exact(boolT, 1).head(), out(), out())
	case n == 1 && len(enums) > 0:
		on := pick(g, enums)
		text := fmt.Sprintf("match %s {\n", g.exact(on, 1).head())
		for _, v := range on.enum.variants {
			g.scoped(func() { text += g.pattern(on, v) + " " + out() + "\n" })
		}
		g.line("%s}", text)
	default:
		g.line("return %s", g.value(f.result, 2).s)
	}
}

// recursion writes the way out of a recursion, and a call of the function itself.
func (g *gen) recursion(f *fn) {
	fuel := f.params[0].name
	if f.result.kind == kVoid {
		g.line("if %s <= 0 {", fuel)
		g.line("    return")
	} else {
		g.line("if %s <= 0 {", fuel)
		g.line("    return %s", g.literal(f.result, 1).s)
	}
	g.line("}")
	if g.b.canRaise && g.p(50) {
		g.line("if %s == %d {", fuel, 1+g.n(3))
		g.b.indent++
		g.raise()
		g.b.indent--
		g.line("}")
	}
	args := fuel + " - 1"
	for _, p := range f.params[1:] {
		args += ", " + g.value(p.t, 1).s
	}
	raises := map[string]bool{}
	maps.Copy(raises, f.raises)
	b := g.b
	canRaise := b.canRaise
	b.canRaise = canRaise && len(raises) > 0
	call := f.name + "(" + args + ")"
	if len(raises) > 0 {
		call += " catch " + g.local(false) + " " + g.block(func() {
			if f.result.kind != kVoid {
				g.line("%s", g.literal(f.result, 0).s)
			}
		})
		b.canRaise = false // its errors are known now
	}
	if f.result.kind == kVoid {
		g.line("%s", call)
		return
	}
	name := g.local(true)
	g.line("let %s = %s", name, call)
	g.declare(name, f.result, false)
}

// methodsOf calls the methods of a trait that no class lets raise: of self in a default body,
// or of a value whose type is bounded by the trait.
func (g *gen) methodsOf(t *trait, on string, quiet bool) {
	for _, m := range t.methods {
		if !m.calm || quiet || on == "self" && m.mut && !g.b.selfMut || m == g.b.fn {
			continue
		}
		var params []*typ
		for _, p := range m.params {
			params = append(params, p.t)
		}
		call := on + "." + m.name + "(" + g.args(params, 1) + ")"
		if m.result.kind == kVoid {
			g.line("%s", call)
			continue
		}
		name := g.local(true)
		g.line("let %s = %s", name, call)
		g.declare(name, m.result, false)
	}
}

func (g *gen) classDecl() {
	c := &class{name: g.global("Point Box Item Person Stack Account"), params: g.typeParams(25)}
	g.tparams = paramTypes(c.params)
	defer func() { g.tparams = nil }()
	for i, t := range g.tparams {
		c.fields = append(c.fields, field{fmt.Sprintf("v%d", i), t})
	}
	for i := range 1 + g.n(3) {
		c.fields = append(c.fields, field{g.word("n x type len name S next_ run get") + fmt.Sprint(i), g.anyType(2)})
	}
	if g.p(50) {
		c.fields = append(c.fields, field{"count", intT})
	}
	if g.p(30) {
		c.fields = append(c.fields, field{"next", nullableOf(c.typ(g.tparams...))})
	}
	if len(c.params) == 0 {
		for _, t := range g.traits {
			if g.p(60) && !clash(c, t) {
				c.impls = append(c.impls, t)
			}
		}
	}
	self := c.typ(g.tparams...)
	var methods []string
	write := func(f *fn, contracts, quiet bool) {
		b := &body{self: self, selfMut: f.mut, canRaise: !f.calm && g.p(35), quiet: quiet}
		f.class, c.methods = c, append(c.methods, f)
		text := signature(f, true)
		clauses := ""
		if contracts {
			clauses = g.contracts(f, c)
		}
		text += clauses + " " + g.writeBody(f, b)
		methods = append(methods, strings.ReplaceAll(text, "\n", "\n    "))
		g.funcs = append(g.funcs, f)
	}
	for _, t := range c.impls {
		for _, m := range t.methods {
			if m.body && g.p(60) {
				continue
			}
			write(&fn{name: m.name, params: m.params, result: m.result, mut: m.mut, calm: m.calm}, false, false)
		}
	}
	for range g.n(4) {
		f := &fn{name: g.method(), result: g.resultType(), mut: g.p(50), params: g.params()}
		if methodOf(c, f.name) == nil && !slices.ContainsFunc(c.impls, func(t *trait) bool { return traitMethod(t, f.name) != nil }) {
			write(f, true, g.p(20))
		}
	}
	for _, t := range c.impls {
		t.impls = append(t.impls, c)
		for _, m := range t.methods { // what it inherits
			if methodOf(c, m.name) == nil {
				f := *m
				f.class = c
				c.methods = append(c.methods, &f)
				g.funcs = append(g.funcs, &f)
			}
		}
	}
	g.classes = append(g.classes, c)
	g.decls = append(g.decls, g.classText(c, methods))
}

func (g *gen) classText(c *class, methods []string) string {
	var b strings.Builder
	if c.scoped {
		b.WriteString("scoped ")
	}
	b.WriteString("class " + withArgs(c.name, paramTypes(c.params)))
	if c.uses != nil {
		b.WriteString(" uses " + c.uses.name)
	}
	if len(c.deps) > 0 {
		b.WriteString("[" + fieldList(c.deps) + "]")
	}
	for i, t := range c.impls {
		b.WriteString([]string{" impl ", ", "}[min(i, 1)] + t.name)
	}
	b.WriteString(" {\n")
	for _, f := range c.fields {
		fmt.Fprintf(&b, "    %s: %s\n", f.name, f.t)
	}
	for _, f := range c.fields {
		if f.t.kind == kInt && g.p(30) && !c.inj {
			fmt.Fprintf(&b, "    invariant self.%s %s\n", f.name, g.word(`!=7 <1000000||true >=-4611686018427387904 !=123456`))
		}
	}
	for _, m := range methods {
		b.WriteString("    " + m + "\n")
	}
	return b.String() + "}"
}

// clash says whether a trait has a method that a class has from another trait.
func clash(c *class, t *trait) bool {
	for _, o := range c.impls {
		for _, m := range o.methods {
			if traitMethod(t, m.name) != nil {
				return true
			}
		}
	}
	return false
}

func methodOf(c *class, name string) *fn {
	for _, m := range c.methods {
		if m.name == name {
			return m
		}
	}
	return nil
}

func traitMethod(t *trait, name string) *fn {
	for _, m := range t.methods {
		if m.name == name {
			return m
		}
	}
	return nil
}

// seal makes calls through traits possible: which errors they raise is known now.
func (g *gen) seal() {
	for _, t := range g.traits {
		for _, m := range t.methods {
			f := *m
			f.trait = t
			f.raises = map[string]bool{}
			for _, c := range t.impls {
				maps.Copy(f.raises, methodOf(c, m.name).raises)
			}
			if len(t.impls) > 0 {
				g.funcs = append(g.funcs, &f)
			}
		}
	}
}

func (g *gen) resultType() *typ {
	if g.p(25) {
		return voidT
	}
	if g.p(50) {
		return g.small()
	}
	return g.anyType(2)
}

func (g *gen) params() []field {
	var out []field
	for i := range g.n(4) {
		t := g.anyType(2)
		if g.p(10) {
			t = funcOf([]*typ{intT}, voidT)
		}
		out = append(out, field{fmt.Sprintf("%s%d", g.word("a p x type f go"), i), t})
	}
	return out
}

// contracts writes clauses that hold, mostly.
func (g *gen) contracts(f *fn, c *class) string {
	var clauses []string
	for _, p := range f.params {
		switch {
		case p.t.kind == kInt && g.p(20):
			clauses = append(clauses, fmt.Sprintf("requires %s %s", p.name, g.word("!=3 <1000000 >-4611686018427387904")))
		case (p.t.kind == kString || p.t.kind == kArray) && g.p(15):
			clauses = append(clauses, fmt.Sprintf("requires %s.len() >= 0 && true", p.name))
		}
	}
	if f.result.kind == kInt && g.p(20) {
		clauses = append(clauses, fmt.Sprintf("ensures result %s", g.word("!=11 <1000000||result>=5 !=123456")))
	}
	if c != nil && f.mut && g.p(40) {
		for _, x := range c.fields {
			if x.t.kind == kInt {
				clauses = append(clauses, fmt.Sprintf("ensures self.%s - old(self.%s) != 12345", x.name, x.name))
			}
		}
	}
	if len(clauses) == 0 {
		return ""
	}
	return "\n" + strings.Join(clauses, "\n") + "\n"
}

func (g *gen) funcDecl() {
	f := &fn{name: g.global("f g h calc work make_ find step apply"), tparam: g.typeParams(25), result: voidT}
	g.tparams = paramTypes(f.tparam)
	defer func() { g.tparams = nil }()
	f.fuel = len(f.tparam) == 0 && g.p(25)
	if f.fuel {
		f.params = append(f.params, field{"fuel", intT})
	}
	for i, t := range g.tparams {
		f.params = append(f.params, field{fmt.Sprintf("t%d", i), t})
		if tr := pick(g, append([]*trait{nil}, g.traits...)); tr != nil && len(tr.impls) > 0 {
			f.bounds = map[string]*trait{t.text: tr}
		}
	}
	f.params = append(f.params, g.params()...)
	f.result = g.resultType()
	b := &body{canRaise: g.p(40), quiet: g.p(30), budget: g.scale * (3 + g.n(5))}
	text := signature(f, false) + g.contracts(f, nil) + " " + g.writeBody(f, b)
	g.funcs = append(g.funcs, f)
	g.decls = append(g.decls, text)
}

// main writes the function that a program starts with: it calls everything.
func (g *gen) main(app bool) {
	f := &fn{name: "main", result: voidT}
	head := "fn main() "
	if !app && g.p(15) {
		f.result = intT
		head = "fn main() int "
	}
	b := &body{budget: g.scale * (8 + g.n(6)), canRaise: g.p(6)}
	if app {
		b.self = g.classes[len(g.classes)-1].typ()
		head = "    fn main(self) "
		b.indent = 1
	}
	outer := g.b
	f.raises = map[string]bool{}
	b.fn, b.result = f, f.result
	g.b = b
	text := head + g.block(func() {
		for range 2 + g.n(3) {
			g.let(g.anyType(2), 2)
		}
		for _, c := range g.funcs {
			g.use(c)
		}
		g.statements(b.budget, 3)
		for _, v := range b.vars {
			if v.t != nil && v.t.kind != kFunc && v.t != opaque {
				g.line("print(%s)", g.show(v.t, v.name, "3"))
			}
		}
		if f.result.kind == kInt {
			g.line("return %s", g.exact(intT, 1).s)
		}
	})
	g.b = outer
	if app {
		text = g.appText(text)
	}
	g.decls = append(g.decls, text)
}

// use calls a function once and shows what it gives.
func (g *gen) use(f *fn) {
	m := map[string]*typ{}
	for _, p := range f.tparam {
		m[p] = g.typeArg(f, p)
	}
	if f.class != nil {
		for _, p := range f.class.params {
			m[p] = g.small()
		}
	}
	if !g.reachable(f) || !f.method() && g.hidden(f.name) {
		return
	}
	t := subst(f.result, m)
	if t.kind == kVoid {
		g.line("%s", g.statementCall(f))
		return
	}
	e := g.call(f, t, 2)
	if t.kind == kFunc {
		return
	}
	g.line("print(%s)", g.show(t, e.s, "2"))
}
