package plutogen

// operations adds what the operators, casts and built-in methods can make of a type.
func (g *gen) operations(t *typ, depth int, add func(int, func() ex)) {
	x := func(t *typ) string { return g.exact(t, depth).op() }
	infix := func(op string, t *typ) func() ex {
		return func() ex { return loose("%s %s %s", x(t), op, x(t)) }
	}
	method := func(weight int, on *typ, name string, params ...*typ) {
		add(weight, func() ex { return atom("%s.%s(%s)", x(on), name, g.exacts(params, depth)) })
	}
	switch t.kind {
	case kInt:
		add(8, infix(g.word("+ - * & | ^"), intT))
		add(1, func() ex { return loose("%s %s %s", x(intT), g.word("<< >>"), x(intT)) })
		add(2, func() ex { return loose("%s %s (%s | 1)", x(intT), g.word("/ %"), x(intT)) })
		add(1, func() ex { return loose("%s %s %d", x(intT), g.word("/ %"), 1+g.n(9)) })
		add(1, func() ex { return loose("%s%s", g.word("- ~"), x(intT)) })
		add(2, func() ex { return loose("%s as int", x(pick(g, []*typ{floatT, boolT, byteT}))) })
		add(2, func() ex {
			return atom("%s(%s, %s)", g.word("min max"), g.exact(intT, depth).s, g.exact(intT, depth).s)
		})
		add(1, func() ex { return atom("abs(%s)", g.exact(intT, depth).s) })
		add(1, func() ex {
			return g.fallible("pow("+g.exact(intT, depth).s+", "+g.exact(intT, 0).s+")", map[string]bool{"MathError": true}, intT, depth)
		})
		method(2, stringT, "len")
		method(1, stringT, g.word("index_of last_index_of count"), stringT)
		method(2, arrayOf(g.small()), "len")
		method(1, setOf(g.keyType()), "len")
		method(1, mapOf(g.keyType(), g.small()), "len")
		e := g.small()
		method(1, arrayOf(e), "index_of", e)
		method(1, bytesT, "len")
	case kFloat:
		add(6, infix(g.word("+ - * / %"), floatT))
		add(3, func() ex { return loose("%s as float", x(intT)) })
		add(1, func() ex { return loose("-%s", x(floatT)) })
		add(2, func() ex { return atom("%s(%s)", g.word("sqrt floor ceil round abs sin"), g.exact(floatT, depth).s) })
		add(1, func() ex {
			return atom("%s(%s, %s)", g.word("min max pow"), g.exact(floatT, depth).s, g.exact(floatT, depth).s)
		})
	case kBool:
		add(5, func() ex { return infix(g.word("< <= > >= == !="), pick(g, []*typ{intT, intT, floatT, byteT}))() })
		add(5, infix(g.word("&& ||"), boolT))
		add(2, infix(g.word("== !="), pick(g, []*typ{stringT, boolT})))
		add(2, func() ex { return loose("!%s", x(boolT)) })
		add(1, func() ex { return loose("%s as bool", x(intT)) })
		add(2, func() ex {
			n := g.exact(nullableOf(g.small()), depth).op()
			if g.p(20) {
				return loose("none %s %s", g.word("== !="), n)
			}
			return loose("%s %s none", n, g.word("== !="))
		})
		add(2, func() ex { return infix(g.word("== !="), g.comparable())() })
		method(1, stringT, g.word("contains starts_with ends_with"), stringT)
		method(1, stringT, g.word("is_empty is_whitespace"))
		e := g.small()
		method(1, arrayOf(e), "contains", e)
		k := g.keyType()
		method(1, setOf(k), "contains", k)
		method(1, mapOf(k, intT), "contains", k)
	case kString:
		add(6, infix("+", stringT))
		add(1, func() ex {
			s := g.keep(stringT) + "(" + g.exact(stringT, depth).s + ")"
			return atom("(%s + \"#\")%s", s, g.word("[0] .char_at(0)"))
		})
		add(4, func() ex { return g.interpolated(depth + 1) })
		method(1, stringT, g.word("trim to_upper to_lower trim_start trim_end"))
		method(1, stringT, "substring", intT, intT)
		method(1, stringT, "replace", stringT, stringT)
		add(1, func() ex { return atom("%s.repeat(%d)", x(stringT), g.n(4)) })
		method(1, bytesT, "to_string")
	case kByte:
		add(4, func() ex { return loose("%s as byte", x(intT)) })
	case kArray:
		method(1, t, "slice", intT, intT)
		if t.elem.kind == kClass || t.elem.kind == kTrait {
			add(2, func() ex { return atom("%s.slice(0, 2)", x(t)) })
		}
		if t.elem.kind == kString {
			method(2, stringT, "split", stringT)
		}
		if g.isKey(t.elem) {
			method(1, setOf(t.elem), "to_array")
			method(1, mapOf(t.elem, g.small()), "keys")
		}
		method(1, mapOf(pick(g, []*typ{intT, stringT, boolT}), t.elem), "values")
	case kNullable:
		if t.elem.kind == kInt {
			method(2, stringT, "to_int")
		}
		if t.elem.kind == kFloat {
			method(2, stringT, "to_float")
		}
	}
}

func (g *gen) exacts(params []*typ, depth int) string {
	return g.list(len(params), func(i int) string { return g.exact(params[i], depth).s })
}

// small is a type of which values are easily made and compared.
func (g *gen) small() *typ { return pick(g, []*typ{intT, stringT, boolT, byteT, floatT}) }

// keyType is a type that maps and sets order and print the same way in each run.
func (g *gen) keyType() *typ {
	ts := []*typ{intT, stringT, boolT, byteT}
	for _, e := range g.enums {
		if len(e.params) == 0 && e.unit() {
			ts = append(ts, e.typ())
		}
	}
	return pick(g, ts)
}

func (g *gen) isKey(t *typ) bool {
	return t.prim() && t.kind != kFloat || t.kind == kEnum && t.enum.unit()
}

// comparable is a type with an == that everybody agrees about.
func (g *gen) comparable() *typ {
	ts := []*typ{intT, stringT, nullableOf(intT), nullableOf(stringT), nullableOf(boolT)}
	for _, e := range g.enums {
		if len(e.params) == 0 && g.plainEnum(e) {
			ts = append(ts, e.typ())
			if e.unit() {
				ts = append(ts, nullableOf(e.typ()))
			}
		}
	}
	for _, c := range g.classes {
		if len(c.params) == 0 && !c.inj {
			ts = append(ts, c.typ(), nullableOf(c.typ()))
		}
	}
	return pick(g, ts)
}

// plainEnum says whether the fields of an enum are of plain types, or of the enum itself.
func (g *gen) plainEnum(e *enum) bool {
	for _, v := range e.variants {
		for _, f := range v.fields {
			if !f.t.prim() && !(f.t.kind == kEnum && f.t.enum == e) {
				return false
			}
		}
	}
	return true
}
