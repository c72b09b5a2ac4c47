package plutogen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// exact writes an expression whose type is t itself.
func (g *gen) exact(t *typ, depth int) ex {
	cs := g.reads(t)
	if depth <= 0 {
		return choose(g, append(cs, choice[ex]{2, func() ex { return g.literal(t, 0) }}))
	}
	add := func(weight int, make func() ex) { cs = append(cs, choice[ex]{weight, make}) }
	add(4, func() ex { return g.literal(t, depth-1) })
	for _, f := range g.callable(t) {
		add(max(1, 6-len(g.funcs)/4), func() ex { return g.call(f, t, depth-1) })
	}
	for _, v := range g.visible() {
		if v.t != nil && v.t.kind == kFunc && same(v.t.result, t) && !g.b.quiet {
			add(3, func() ex { return atom("%s(%s)", v.name, g.args(v.t.params, depth-1)) })
		}
		if v.t != nil && v.t.kind == kArray && same(v.t.elem, t) {
			add(3, func() ex { return g.element(v, t, depth-1) })
		}
		if v.t != nil && v.t.kind == kMap && same(v.t.elem, t) {
			add(2, func() ex {
				k := g.exact(v.t.key, 0)
				return loose("if %s.contains(%s) %s else %s", v.name, k.s, g.inBraces(atom("%s[%s]", v.name, k.s)), g.inBraces(g.exact(t, depth-1)))
			})
		}
	}
	if !g.b.quiet {
		add(2, func() ex { return atom("say(%d, %s)", g.n(100), g.exact(t, depth-1).s) })
	}
	add(2, func() ex { return g.ifExpr(t, depth-1) })
	if m := g.enumsAtHand(); len(m) > 0 {
		add(2, func() ex { return g.matchExpr(t, pick(g, m), depth-1) })
	}
	if (g.b.result.kind == kNullable || g.b.result.kind == kVoid && (g.b.closures > 0 || g.b.fn.name != "main" && g.p(30))) && t.kind != kNullable && t.kind != kFunc && g.p(40) {
		add(1, func() ex { return ex{g.exact(nullableOf(t), depth-1).op() + "?", true} })
	}
	g.operations(t, depth-1, add)
	return choose(g, cs)
}

// value writes an expression that may stand where t is wanted and what is assignable to it
// will do.
func (g *gen) value(t *typ, depth int) ex {
	switch {
	case t.kind == kNullable && g.p(25):
		return ex{"none", true}
	case t.kind == kNullable && g.p(50):
		return g.value(t.elem, depth)
	case t.kind == kArray && g.p(12):
		return ex{"[]", true}
	case t.kind == kTrait && g.p(60) && len(t.trait.impls) > 0:
		return g.exact(g.impl(t, depth), depth)
	}
	return g.exact(t, depth)
}

// reads are the variables of a type at hand, and the fields of the objects at hand.
func (g *gen) reads(t *typ) []choice[ex] {
	var cs []choice[ex]
	add := func(weight int, text string) {
		cs = append(cs, choice[ex]{weight, func() ex { return ex{text, true} }})
	}
	fields := func(path string, of *typ) {
		for _, f := range fieldsOf(of) {
			if same(f.t, t) {
				add(4, path+"."+f.name)
			}
		}
	}
	for _, v := range g.visible() {
		switch {
		case v.err != nil:
			for _, f := range v.err.fields {
				if same(f.t, t) {
					add(3, v.name+"."+f.name)
				}
			}
		case v.t == nil:
			if t.kind == kString {
				add(3, v.name+".message")
			}
		case same(v.t, t):
			add(6, v.name)
		case v.t.kind == kClass:
			fields(v.name, v.t)
		}
	}
	if g.b.self != nil {
		fields("self", g.b.self)
		for _, f := range fieldsOf(g.b.self) {
			if f.t.kind == kClass {
				fields("self."+f.name, f.t)
			}
		}
		if same(g.b.self, t) && g.p(30) {
			add(1, "self")
		}
	}
	return cs
}

// literal writes a value that depends on nothing but literals, as far as there are such.
func (g *gen) literal(t *typ, depth int) ex {
	switch t.kind {
	case kInt:
		return g.intLit()
	case kFloat:
		return ex{g.word("0.0 0.5 1.0 2.5 3.25 100.0 1e3 1.5e-3 0.1 7.0"), true}
	case kBool:
		return ex{g.word("true false"), true}
	case kString:
		return g.stringLit(depth)
	case kByte:
		return loose("%d as byte", g.n(300))
	case kBytes:
		if g.p(30) {
			return ex{"bytes_new()", true}
		}
		return atom("%s.to_bytes()", g.exact(stringT, depth).op())
	case kArray:
		n := 1 + g.n(3)
		if depth <= 0 {
			n = 1
		}
		return ex{"[" + g.list(n, func(int) string { return g.exact(t.elem, depth-1).s }) + "]", true}
	case kMap:
		n := g.n(3)
		switch {
		case depth <= 0:
			n = 0
		case g.p(4):
			n = 9
		}
		return ex{t.text + " {" + g.list(n, func(int) string {
			return g.exact(t.key, 0).s + ": " + g.exact(t.elem, depth-1).s
		}) + "}", true}
	case kSet:
		return ex{t.text + " {" + g.list(g.n(4), func(int) string { return g.exact(t.elem, 0).s }) + "}", true}
	case kNullable:
		if g.p(35) {
			return atom("nothing<%s>()", t.elem)
		}
		return atom("maybe<%s>(%s)", t.elem, g.exact(t.elem, depth-1).s)
	case kFunc:
		return g.closure(t, depth)
	case kClass:
		m := bind(t.class.params, t.args)
		return ex{t.text + " {" + g.inits(t.class.fields, m, depth, true) + "}", true}
	case kEnum:
		v := t.enum.variants[0]
		if depth > 0 {
			v = pick(g, t.enum.variants)
		}
		if len(v.fields) == 0 {
			return ex{t.text + "." + v.name, true}
		}
		return ex{t.text + "." + v.name + " {" + g.inits(v.fields, bind(t.enum.params, t.args), depth, false) + "}", true}
	case kTrait:
		return atom("%s(%s)", g.keep(t), g.exact(g.impl(t, depth), depth).s)
	case kParam:
		if cs := g.reads(t); len(cs) > 0 {
			return choose(g, cs)
		}
	}
	panic("no literal of " + t.text)
}

// impl is a class behind a trait. The first one has no field of the trait.
func (g *gen) impl(t *typ, depth int) *typ {
	if depth <= 0 {
		return t.trait.impls[0].typ()
	}
	return pick(g, t.trait.impls).typ()
}

// inits writes the fields of a literal in some order. Those of classes take objects for
// traits.
func (g *gen) inits(fields []field, m map[string]*typ, depth int, class bool) string {
	fields = slices.Clone(fields)
	g.r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	return g.list(len(fields), func(i int) string {
		t := subst(fields[i].t, m)
		switch {
		case depth <= 0 && t.kind == kNullable:
			return fields[i].name + ": none"
		case depth <= 0 && t.kind == kArray:
			return fields[i].name + ": []"
		}
		v := g.exact(t, depth-1)
		if (t.kind == kNullable && t.elem.kind != kTrait || t.kind == kTrait) && class {
			v = g.value(t, depth-1)
		}
		return fields[i].name + ": " + v.s
	})
}

func (g *gen) list(n int, item func(i int) string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = item(i)
	}
	return strings.Join(texts, ", ")
}

func (g *gen) intLit() ex {
	switch g.n(12) {
	case 0:
		return loose("-%d", g.n(20))
	case 1:
		return ex{g.word("9223372036854775807 4611686018427387904 0xFF 0b101 1_000 2147483648"), true}
	}
	return ex{strconv.Itoa(g.n(12)), true}
}

func (g *gen) stringLit(depth int) ex {
	if depth > 0 && g.p(60) {
		return g.interpolated(depth)
	}
	return ex{`"` + g.word(`a b ab abc x,y k1 \" \\ \n zä {} {{ 12 -7 \t Hello \x41 \u{e9}`) + g.word(`" " a" b" 1" {}" ,"`), true}
}

// interpolated writes a string with values in it.
func (g *gen) interpolated(depth int) ex {
	var b strings.Builder
	prefix := g.word("f f f - ")
	if prefix == "f" {
		b.WriteString("f")
	}
	b.WriteByte('"')
	for range 1 + g.n(3) {
		b.WriteString(g.word(`a_ [ ] = , : {{}} \n`))
		t := pick(g, []*typ{intT, intT, stringT, boolT, floatT, byteT})
		var x string
		raises := maps.Clone(g.b.fn.raises)
		if prefix == "f" {
			x = g.exact(t, min(depth, 2)).s
		} else if cs := g.reads(t); len(cs) > 0 { // only what begins with a name is interpolated
			x = choose(g, cs).s
		} else {
			continue
		}
		x = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(x)
		if balanced(x) {
			b.WriteString("{" + x + "}")
		} else {
			g.b.fn.raises = raises // it is not there after all
		}
	}
	b.WriteByte('"')
	return ex{b.String(), true}
}

// balanced says whether braces in a text match by counting, as the lexer does it.
func balanced(s string) bool {
	n := 0
	for _, c := range s {
		switch c {
		case '{':
			n++
		case '}':
			n--
		}
		if n < 0 {
			return false
		}
	}
	return n == 0
}

// args writes arguments for parameters.
func (g *gen) args(params []*typ, depth int) string {
	return g.list(len(params), func(i int) string { return g.value(params[i], depth).s })
}

// inBraces is a block of an expression.
func (g *gen) inBraces(e ex) string {
	if strings.HasPrefix(e.s, "match ") { // there it would be a statement
		return "{ (" + e.s + ") }"
	}
	return "{ " + e.s + " }"
}

// valueBlock is a block with a value, and sometimes statements before it. The value may be
// an if only where that counts.
func (g *gen) valueBlock(t *typ, depth int, ifs bool) string {
	if g.p(60) || g.b.budget < 2 {
		v := g.exact(t, depth)
		if !ifs && strings.HasPrefix(v.s, "if ") {
			return "{ (" + v.s + ") }"
		}
		return g.inBraces(v)
	}
	return g.block(func() {
		for range 1 + g.n(2) {
			g.statement(1)
		}
		v := g.exact(t, depth)
		if strings.IndexByte("([-", v.s[0]) >= 0 || strings.HasPrefix(v.s, "if ") || strings.HasPrefix(v.s, "match ") {
			// at the start of a line it would go on with the one before, or be a statement
			v = atom("%s(%s)", g.keep(t), v.s)
		}
		g.line("%s", v.s)
	})
}

func (g *gen) ifExpr(t *typ, depth int) ex {
	text := "if " + g.exact(boolT, depth).head() + " " + g.valueBlock(t, depth, true)
	if g.p(20) {
		text += " else if " + g.exact(boolT, depth).head() + " " + g.valueBlock(t, depth, true)
	}
	return ex{text + " else " + g.valueBlock(t, depth, true), false}
}

// enumsAtHand are the enum types of variables at hand, and of declared enums without
// parameters.
func (g *gen) enumsAtHand() []*typ {
	var out []*typ
	for _, v := range g.visible() {
		if v.t != nil && v.t.kind == kEnum {
			out = append(out, v.t)
		}
	}
	for _, e := range g.enums {
		if len(e.params) == 0 {
			out = append(out, e.typ())
		}
	}
	return out
}

func (g *gen) matchExpr(t, on *typ, depth int) ex {
	var b strings.Builder
	fmt.Fprintf(&b, "match %s {", g.exact(on, depth).head())
	for i, v := range on.enum.variants {
		if i > 0 {
			b.WriteByte(',')
		}
		g.scoped(func() {
			pattern := g.pattern(on, v)
			arm := g.exact(t, depth)
			if t.kind == kClass || t.kind == kEnum || t.kind == kMap || t.kind == kSet {
				arm = ex{"(" + arm.s + ")", true} // no bare braces in an arm
			}
			fmt.Fprintf(&b, " %s => %s", pattern, arm.head())
		})
	}
	b.WriteString(" }")
	return ex{b.String(), false}
}

// pattern writes the pattern of an arm and declares what it binds.
func (g *gen) pattern(on *typ, v variant) string {
	text := on.enum.name + "." + v.name
	if len(v.fields) == 0 {
		return text
	}
	m := bind(on.enum.params, on.args)
	binds := g.list(len(v.fields), func(i int) string {
		f := v.fields[i]
		name := f.name
		if g.p(60) || !g.free(name, false) {
			name = g.local(false)
			g.declare(name, subst(f.t, m), true)
			return f.name + ": " + name
		}
		g.declare(name, subst(f.t, m), true)
		return name
	})
	return text + " { " + binds + " }"
}

// element is an element of an array, when it has one.
func (g *gen) element(v *variable, t *typ, depth int) ex {
	if g.p(4) && !g.b.quiet {
		return atom("%s[%d]", v.name, g.n(2))
	}
	if g.p(25) { // methods that take it, and maybe away
		how := g.word("first() last() first() last() pop() remove_at(0)")
		return loose("if %s.len() > 0 { %s.%s } else %s", v.name, v.name, how, g.inBraces(g.exact(t, depth)))
	}
	i := g.exact(intT, min(depth, 1))
	return loose("if %s.len() > 0 { %s[(%s & 1023) %% %s.len()] } else %s", v.name, v.name, i.op(), v.name, g.inBraces(g.exact(t, depth)))
}

// closure writes a closure of a function type.
func (g *gen) closure(t *typ, depth int) ex {
	result, loops, self := g.b.result, g.b.loops, g.b.canRaise
	g.b.result, g.b.loops = t.result, 0
	g.b.closures++
	g.b.canRaise = g.b.canRaise && g.p(15)
	defer func() {
		g.b.result, g.b.loops, g.b.canRaise = result, loops, self
		g.b.closures--
	}()
	var text string
	g.scoped(func() {
		params := g.list(len(t.params), func(i int) string {
			name := g.local(false)
			g.declare(name, t.params[i], true)
			return name + ": " + t.params[i].text
		})
		head := "(" + params + ")"
		if t.result.kind != kVoid && g.p(70) {
			head += " " + t.result.text
		}
		switch {
		case t.result.kind == kVoid:
			text = "(" + params + ") => " + g.block(func() { g.statements(1+g.n(2), 1) })
		case g.p(60):
			text = head + " => " + g.exact(t.result, depth).s
		default:
			text = "(" + params + ") " + t.result.text + " => " + g.block(func() {
				g.statements(1+g.n(2), 1)
				g.line("return %s", g.value(t.result, depth).s)
			})
		}
	})
	return ex{text, false}
}

// keep is a function that gives a value back as exactly this type.
func (g *gen) keep(t *typ) string {
	if t.kind == kParam || hasParam(t) {
		return fmt.Sprintf("same<%s>", t)
	}
	name, ok := g.keeps[t.text]
	if !ok {
		name = fmt.Sprintf("keep%d", len(g.keeps))
		g.keeps[t.text] = name
		g.decls = append(g.decls, fmt.Sprintf("fn %s(x: %s) %s {\n    return x\n}", name, t, t))
	}
	return name
}

func hasParam(t *typ) bool {
	switch t.kind {
	case kParam:
		return true
	case kArray, kSet, kNullable:
		return hasParam(t.elem)
	case kMap:
		return hasParam(t.key) || hasParam(t.elem)
	case kFunc:
		return slices.ContainsFunc(t.params, hasParam) || hasParam(t.result)
	}
	return slices.ContainsFunc(t.args, hasParam)
}
