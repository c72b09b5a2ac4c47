package gogen

import (
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// operator is an operator of Go.
type operator struct {
	text string
	prec int8
}

// goOperators are the operators that Go has too.
var goOperators = map[syntax.Kind]operator{
	syntax.STAR:    {"*", precMul},
	syntax.SLASH:   {"/", precMul},
	syntax.PERCENT: {"%", precMul},
	syntax.SHL:     {"<<", precMul},
	syntax.SHR:     {">>", precMul},
	syntax.AND:     {"&", precMul},
	syntax.PLUS:    {"+", precAdd},
	syntax.MINUS:   {"-", precAdd},
	syntax.OR:      {"|", precAdd},
	syntax.XOR:     {"^", precAdd},
	syntax.EQ:      {"==", precCompare},
	syntax.NE:      {"!=", precCompare},
	syntax.LT:      {"<", precCompare},
	syntax.LE:      {"<=", precCompare},
	syntax.GT:      {">", precCompare},
	syntax.GE:      {">=", precCompare},
	syntax.ANDAND:  {"&&", precAnd},
	syntax.OROR:    {"||", precOr},
}

// infix writes x op y.
func infix(x val, op syntax.Kind, y val) val {
	o := goOperators[op]
	return val{
		text: x.operand(o.prec) + " " + o.text + " " + y.operand(o.prec-1),
		prec: o.prec,
		eff:  effects(x, y),
	}
}

func (f *fn) binaryExpr(e *syntax.BinaryExpr) val {
	switch e.Op {
	case syntax.ANDAND, syntax.OROR:
		return f.logical(e)
	case syntax.EQ, syntax.NE:
		return f.equality(e)
	case syntax.PLUS:
		if f.info.Type(e).Kind == check.KString {
			return f.concat(e)
		}
	}
	vs := f.operands(func() val { return f.expr(e.X) }, func() val { return f.expr(e.Y) })
	return f.binary(e.Op, vs[0], vs[1], f.info.Type(e.X))
}

// binary is an arithmetic operation or comparison on two values of a type.
func (f *fn) binary(op syntax.Kind, x, y val, t *check.Type) val {
	if x.k != nil && y.k != nil {
		if k, ok := foldBinary(op, x.k, y.k); ok {
			return constant(k)
		}
	}
	switch op {
	case syntax.SLASH, syntax.PERCENT:
		switch k, constant := known[int64](y); {
		case t.Kind == check.KFloat && op == syntax.PERCENT:
			return val{text: "rt.ModFloat(" + x.text + ", " + y.text + ")", eff: effects(x, y)}
		case t.Kind == check.KFloat:
		case constant && k == 0: // Go does not compile a division by a constant zero
			return val{text: "rt.DivZero(" + x.text + ")", eff: x.eff | reads}
		case !constant:
			v := infix(x, op, y)
			v.eff |= heap // it can fail
			return v
		}
	case syntax.SHL, syntax.SHR:
		if x.k != nil {
			x = val{text: x.typed()}
		}
		if k, ok := known[int64](y); ok {
			y = constant(k & 63)
		} else {
			y = infix(y, syntax.AND, constant(int64(63)))
		}
	}
	return infix(x, op, y)
}

// not is the negation of a condition.
func not(v val) val {
	if k, ok := known[bool](v); ok {
		return constant(!k)
	}
	if len(v.text) > 1 && v.text[0] == '!' && v.prec == precUnary {
		return val{text: v.text[1:], eff: v.eff}
	}
	return val{text: "!" + v.operand(precPrimary), prec: precUnary, eff: v.eff}
}

// logical is && or ||. When the right side needs statements, they must run only if the left
// side does not decide.
func (f *fn) logical(e *syntax.BinaryExpr) val {
	x := f.expr(e.X)
	y := f.aside(func() val { return f.expr(e.Y) })
	if x.k != nil && y.v.k != nil {
		return f.binary(e.Op, x, y.v, nil)
	}
	if y.block.empty() && !(y.assigns && x.eff&reassigned != 0) {
		return chained(x, e.Op, y.v)
	}
	name := f.temp("tmp")
	f.emit(name + " := " + x.typed())
	cond := val{text: name}
	if e.Op == syntax.OROR {
		cond = not(cond)
	}
	f.emit("if " + cond.text + " {")
	f.cur.nest(y.block)
	if y.block.flow == falls {
		f.emit(name + " = " + y.v.text)
	}
	f.close("}")
	return val{text: name}
}

// chain is what stands in a chain of && or || after the last operand that acts.
type chain struct {
	op       syntax.Kind
	terms    map[string]bool
	compared map[string]bool // the left sides of != in a chain of ||, of == in one of &&
}

// chained writes x && y or x || y. To go vet an operand that stands in the chain before is a
// mistake: it says nothing new, so it is left out. Another mistake is a comparison that makes
// the chain the same for all values (x != 1 || x != 2), but not when it is in a conversion.
func chained(x val, op syntax.Kind, y val) val {
	before, added := x.chainOf(op), y.chainOf(op)
	if y.eff&acts != 0 {
		v := infix(x, op, y)
		v.chain = added
		return v
	}
	known, doubt := true, false
	for t := range added.terms {
		known = known && before.terms[t]
		doubt = doubt || before.terms[t]
		before.terms[t] = true
	}
	for t := range added.compared {
		doubt = doubt || before.compared[t]
		before.compared[t] = true
	}
	if known {
		return x
	}
	if doubt {
		y = val{text: "bool(" + y.text + ")", eff: y.eff}
	}
	v := infix(x, op, y)
	v.chain = before
	return v
}

// chainOf is what is known of an operand of a chain.
func (v val) chainOf(op syntax.Kind) *chain {
	if v.chain != nil && v.chain.op == op {
		return v.chain
	}
	c := &chain{op, map[string]bool{}, map[string]bool{}}
	if v.eff&acts != 0 {
		return c
	}
	c.terms[v.text] = true
	sign := " != "
	if op == syntax.ANDAND {
		sign = " == "
	}
	if what, _, ok := strings.Cut(v.text, sign); ok {
		c.compared[what] = true
	}
	return c
}

// concat joins a chain of + on strings, which Go does at once.
func (f *fn) concat(e *syntax.BinaryExpr) val {
	var parts []syntax.Expr
	var x syntax.Expr = e
	for {
		b, ok := x.(*syntax.BinaryExpr)
		if !ok || b.Op != syntax.PLUS {
			break
		}
		parts = append(parts, b.Y)
		x = b.X
	}
	parts = append(parts, x)
	slices.Reverse(parts)
	return f.joined(parts, f.info.Type(e))
}

// equality is == or !=.
func (f *fn) equality(e *syntax.BinaryExpr) val {
	tx, ty := f.info.Type(e.X), f.info.Type(e.Y)
	if isNone(ty) || isNone(tx) || isNoneLit(e.X) || isNoneLit(e.Y) {
		return f.presence(e, tx, ty)
	}
	lower := f.expr
	if f.letter(e.X) && f.letter(e.Y) {
		lower = f.code
	}
	vs := f.operands(func() val { return lower(e.X) }, func() val { return lower(e.Y) })
	x, y := vs[0], vs[1]
	var v val
	switch t := tx; {
	case x.k != nil && y.k != nil:
		return f.binary(e.Op, x, y, tx)
	case t.Kind == check.KBool && (x.k != nil || y.k != nil):
		return sameBool(x, y, e.Op == syntax.EQ)
	case t.IsPrim():
		return infix(x, e.Op, y)
	case t.Kind == check.KFunc && !f.g.shipped(t), t.Kind == check.KNullable && t.Elem.Kind == check.KFunc && !f.g.shipped(t.Elem):
		v = val{text: "rt.SameFunc(" + x.typed() + ", " + y.typed() + ")", eff: effects(x, y)}
		if e.Op == syntax.NE {
			return not(v)
		}
		return v
	case t.Kind == check.KVoid:
		f.put(drop, x, tx)
		f.put(drop, y, ty)
		return constant(e.Op == syntax.EQ)
	}
	x.text, x.prec = x.typed(), typedPrec(x)
	y.text, y.prec = y.typed(), typedPrec(y)
	v = infix(x, e.Op, y)
	v.eff |= heap // a panic of Go's comparison is ruled out, but not a read of memory
	return v
}

// typedPrec is how the text of typed binds.
func typedPrec(v val) int8 {
	if v.conv != "" {
		return precPrimary
	}
	return v.prec
}

// sameBool compares with a constant.
func sameBool(x, y val, equal bool) val {
	if x.k != nil {
		x, y = y, x
	}
	if k, _ := known[bool](y); k == equal {
		return x
	}
	return not(x)
}

func isNoneLit(e syntax.Expr) bool {
	_, ok := unparen(e).(*syntax.NoneLit)
	return ok
}

// presence is a comparison with none.
func (f *fn) presence(e *syntax.BinaryExpr, tx, ty *check.Type) val {
	x, t, other := e.X, tx, e.Y
	if isNoneLit(x) || isNone(tx) {
		x, t, other = e.Y, ty, e.X
	}
	if isNoneLit(x) || isNone(t) {
		f.exprTo(e.X, drop)
		f.exprTo(e.Y, drop)
		return constant(e.Op == syntax.EQ)
	}
	if !isNoneLit(other) {
		f.exprTo(other, drop) // an expression without a value other than none
	}
	v := f.expr(x)
	if f.g.optional(t) {
		v = val{text: v.operand(precPrimary) + ".OK", eff: v.eff}
		if e.Op == syntax.EQ {
			return not(v)
		}
		return v
	}
	return infix(val{text: v.typed(), prec: typedPrec(v), eff: v.eff}, e.Op, val{text: "nil"})
}

func (f *fn) unary(e *syntax.UnaryExpr) val {
	x := f.expr(e.X)
	if x.k != nil {
		if k, ok := foldUnary(e.Op, x.k); ok {
			return constant(k)
		}
	}
	op := "-"
	switch e.Op {
	case syntax.NOT:
		return not(x)
	case syntax.TILDE:
		op = "^"
	}
	return val{text: op + x.operand(precPrimary), prec: precUnary, eff: x.eff}
}

func (f *fn) cast(e *syntax.CastExpr) val {
	x := f.expr(e.X)
	from, to := f.info.Type(e.X).Kind, f.info.Type(e).Kind
	switch {
	case x.k != nil:
		return constant(castConstant(x.k, to))
	case from == check.KInt && to == check.KBool:
		return infix(x, syntax.NE, constant(int64(0)))
	case from == check.KFloat && to == check.KInt:
		return val{text: "rt.FloatToInt(" + x.text + ")", eff: x.eff}
	case from == check.KBool && to == check.KInt:
		return val{text: "rt.BoolToInt(" + x.text + ")", eff: x.eff}
	}
	goTo := map[check.TypeKind]string{check.KInt: "int64", check.KFloat: "float64", check.KByte: "byte"}[to]
	return val{text: conversion(goTo, x.text), eff: x.eff}
}
