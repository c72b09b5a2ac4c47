package gogen

import (
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// exprAs lowers an expression to a value of a type that it is assignable to.
func (f *fn) exprAs(e syntax.Expr, t *check.Type) val {
	return f.convert(f.expr(e), f.info.Type(e), t)
}

// expr lowers an expression. What Go has no expression for becomes statements before it.
func (f *fn) expr(e syntax.Expr) val {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return f.expr(e.X)
	case *syntax.IntLit:
		return constant(e.Value)
	case *syntax.FloatLit:
		return constant(e.Value)
	case *syntax.BoolLit:
		return constant(e.Value)
	case *syntax.StringLit:
		return f.stringLit(e)
	case *syntax.NoneLit:
		return f.none(f.info.Type(e))
	case *syntax.SelfExpr:
		return val{text: "self"}
	case *syntax.IdentExpr:
		return f.ident(e)
	case *syntax.FieldExpr:
		return f.field(e)
	case *syntax.IndexExpr:
		return f.index(e)
	case *syntax.UnaryExpr:
		return f.unary(e)
	case *syntax.BinaryExpr:
		return f.binaryExpr(e)
	case *syntax.CastExpr:
		return f.cast(e)
	case *syntax.LitExpr:
		return f.literal(e)
	case *syntax.ArrayLit:
		return f.arrayLit(e)
	case *syntax.MapLit:
		return f.mapLit(e)
	case *syntax.SetLit:
		return f.setLit(e)
	case *syntax.ClosureExpr:
		return f.closureExpr(e)
	case *syntax.SpawnExpr:
		return f.spawn(e)
	case *syntax.UnwrapExpr:
		return f.unwrap(e)
	case *syntax.CallExpr, *syntax.MethodExpr, *syntax.StaticExpr:
		return f.callValue(f.call(e))
	case *syntax.PropagateExpr, *syntax.CatchExpr:
		return f.handled(e)
	case *syntax.IfExpr, *syntax.MatchExpr:
		return f.value(f.info.Type(e), func(d dest) { f.exprTo(e, d) })
	}
	return voidValue
}

func (f *fn) ident(e *syntax.IdentExpr) val {
	switch o := f.info.Target(e).(type) {
	case *check.Var:
		return f.read(o)
	case *check.Field:
		return val{text: "self." + f.fieldName(e), eff: heap}
	}
	return voidValue
}

func (f *fn) field(e *syntax.FieldExpr) val {
	switch o := f.info.Target(e).(type) {
	case *check.Field, *check.ErrorField:
		x := f.expr(e.X)
		return val{text: x.operand(precPrimary) + "." + f.fieldName(e), eff: x.eff | heap}
	case *check.Variant:
		return f.variant(o, nil, nil)
	case check.BuiltinMethod: // the message of an error
		x := f.expr(e.X)
		return val{text: x.operand(precPrimary) + ".ErrorMessage()", eff: x.eff | reads}
	}
	return voidValue
}

func (f *fn) index(e *syntax.IndexExpr) val {
	switch f.info.Type(e.X).Kind {
	case check.KArray, check.KBytes:
		x, _ := f.element(e)
		return x.get()
	case check.KMap:
		if v, ok := f.foundAt(e); ok {
			return v
		}
	}
	vs := f.operands(func() val { return f.expr(e.X) }, func() val { return f.indexValue(e) })
	eff := effects(vs...) | reads
	if f.info.Type(e.X).Kind == check.KString {
		return val{text: "rt.StrAt(" + args(vs) + ")", eff: eff}
	}
	return val{text: vs[0].operand(precPrimary) + ".At(" + vs[1].text + ")", eff: eff}
}

// stringLit joins the texts and values of an interpolated string.
func (f *fn) stringLit(e *syntax.StringLit) val {
	var lower []func() val
	for _, p := range e.Parts {
		if p.X == nil {
			lower = append(lower, func() val { return constant(p.Text) })
			continue
		}
		lower = append(lower, func() val { return f.shown(f.expr(p.X), f.info.Type(p.X)) })
	}
	if len(lower) == 0 {
		return constant("")
	}
	vs := f.operands(lower...)
	out := vs[0]
	for _, v := range vs[1:] {
		out = f.binary(syntax.PLUS, out, v, nil)
	}
	return out
}

// shown is the text of a value of a primitive type.
func (f *fn) shown(v val, t *check.Type) val {
	switch k := v.k.(type) {
	case int64:
		return constant(strconv.FormatInt(k, 10))
	case bool:
		return constant(strconv.FormatBool(k))
	case byte:
		return constant(strconv.Itoa(int(k)))
	}
	if t.Kind == check.KString {
		return v
	}
	return val{text: "rt.Show" + kindWord(t) + "(" + v.text + ")", eff: v.eff}
}

// unwrap lowers x?, which leaves the function when there is nothing.
func (f *fn) unwrap(e *syntax.UnwrapExpr) val {
	t := f.info.Type(e.X)
	x := f.expr(e.X)
	if x.eff != 0 || x.prec != precPrimary || x.conv != "" {
		name := f.temp("tmp")
		f.emit(name + " := " + x.typed())
		x = val{text: name}
	}
	v := val{text: x.text}
	cond := x.text + " == nil"
	if f.g.optional(t) {
		v.text, cond = x.text+".V", "!"+x.text+".OK"
	}
	f.emit("if " + cond + " {")
	f.cur.nest(f.apart(func() {
		if isVoid(f.result) {
			f.returnValue(val{})
		} else {
			f.returnValue(f.none(f.result))
		}
	}))
	f.close("}")
	return v
}

func (f *fn) arrayLit(e *syntax.ArrayLit) val {
	t := f.info.Type(e)
	vs := f.exprs(e.Elems, t.Elem)
	return val{text: "rt.NewArray[" + f.g.goType(t.Elem) + "](" + args(vs) + ")", eff: effects(vs...)}
}

// maxChain bounds the entries of a map literal that becomes one expression.
const maxChain = 8

func (f *fn) mapLit(e *syntax.MapLit) val {
	t := f.info.Type(e)
	text := "rt.NewMap[" + f.g.goType(t.Key) + ", " + f.g.goType(t.Elem) + "](" + strconv.Itoa(len(e.Keys)) + ")"
	lower := make([]func() val, 0, 2*len(e.Keys))
	for i := range e.Keys {
		lower = append(lower,
			func() val { return f.exprAs(e.Keys[i], t.Key) },
			func() val { return f.exprAs(e.Vals[i], t.Elem) })
	}
	vs := f.operands(lower...)
	if len(e.Keys) <= maxChain {
		for i := 0; i < len(vs); i += 2 {
			text += ".With(" + args(vs[i:i+2]) + ")"
		}
		return val{text: text, eff: effects(vs...)}
	}
	name := f.temp("tmp")
	f.emit(name + " := " + text)
	for i := 0; i < len(vs); i += 2 {
		f.emit(name + ".Insert(" + args(vs[i:i+2]) + ")")
	}
	return val{text: name}
}

func (f *fn) setLit(e *syntax.SetLit) val {
	t := f.info.Type(e)
	vs := f.exprs(e.Elems, t.Elem)
	return val{text: "rt.NewSet[" + f.g.goType(t.Elem) + "](" + args(vs) + ")", eff: effects(vs...)}
}

// literal lowers C { ... } and E.V { ... }.
func (f *fn) literal(e *syntax.LitExpr) val {
	switch o := f.info.Target(e).(type) {
	case *check.Class:
		f.g.needClass(o)
		names := make([]string, len(e.Fields))
		lower := make([]func() val, len(e.Fields))
		for i, init := range e.Fields {
			field := o.Field(init.Name.Name)
			names[i] = f.g.named[field]
			lower[i] = func() val { return f.exprAs(init.Value, field.Type) }
		}
		v := composite("&"+f.g.named[o], names, f.operands(lower...))
		if len(o.Invariants) > 0 {
			return val{text: f.g.invariantFunc(o) + "(" + v.text + ")", eff: v.eff | reads}
		}
		return v
	case *check.Variant:
		fields := make([]*check.VariantField, len(e.Fields))
		lower := make([]func() val, len(e.Fields))
		for i, init := range e.Fields {
			fields[i] = o.Field(init.Name.Name)
			lower[i] = func() val { return f.payload(f.exprAs(init.Value, fields[i].Type), fields[i].Type) }
		}
		return f.variant(o, fields, f.operands(lower...))
	}
	return voidValue
}

// composite writes a composite literal.
func composite(typ string, names []string, vs []val) val {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = names[i] + ": " + v.text
	}
	return val{text: typ + "{" + strings.Join(texts, ", ") + "}", prec: precComposite, eff: effects(vs...)}
}

// variant is a value of an enum.
func (f *fn) variant(v *check.Variant, fields []*check.VariantField, vs []val) val {
	f.g.needEnum(v.Enum)
	if unitOnly(v.Enum) {
		return val{text: f.g.named[v]}
	}
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = f.g.named[field]
	}
	c := composite(f.g.named[v], names, vs)
	c.conv = f.g.named[v.Enum]
	return c
}

// payload is a value as it is kept in a variant. Closures are kept behind pointers, so that
// Go can compare variants.
func (f *fn) payload(v val, t *check.Type) val {
	if f.g.boxed(t) {
		return val{text: "rt.Box[" + f.g.goType(t) + "](" + v.text + ")", eff: v.eff}
	}
	return v
}

// boxed says whether a field of a variant is kept behind a pointer.
func (g *generator) boxed(t *check.Type) bool {
	if t.Kind == check.KNullable {
		t = t.Elem
	}
	return t.Kind == check.KFunc && !g.shipped(t)
}
