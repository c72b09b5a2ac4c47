package gogen

import (
	"strconv"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

func (f *fn) assign(s *syntax.AssignStmt) {
	t := f.info.Type(s.Target)
	if s.Op != 0 {
		f.update(s.Target, s.Op, func() val { return f.exprAs(s.Value, t) })
		return
	}
	if op, value := f.selfUpdate(s); op != 0 {
		f.update(s.Target, op, func() val { return f.exprAs(value, t) })
		return
	}
	if more, ok := f.extended(s); ok {
		f.update(s.Target, syntax.PLUS, more)
		return
	}
	switch x := unparen(s.Target).(type) {
	case *syntax.IdentExpr:
		if v, ok := f.info.Target(x).(*check.Var); ok {
			f.assigns++
			f.assignVar(f.local(v), v.Type, s.Value)
			return
		}
		f.store("self."+f.fieldName(x), func() val { return f.exprAs(s.Value, t) })
	case *syntax.FieldExpr:
		vs := f.operands(
			func() val { return f.expr(x.X) },
			func() val { return f.exprAs(s.Value, t) })
		target := vs[0].operand(precPrimary) + "." + f.fieldName(x)
		f.store(target, func() val { return vs[1] })
	case *syntax.IndexExpr:
		on := f.info.Type(x.X)
		if on.Kind != check.KMap {
			e, vs := f.element(x, func() val { return f.exprAs(s.Value, t) })
			f.emit(e.set(vs[0]))
			return
		}
		vs := f.operands(
			func() val { return f.expr(x.X) },
			func() val { return f.indexValue(x) },
			func() val { return f.exprAs(s.Value, t) })
		f.emit(vs[0].operand(precPrimary) + ".Insert(" + args(vs[1:]) + ")")
	}
}

// selfUpdate sees x[i] = x[i] op value, which is x[i] op= value when x and i are made of
// variables, fields and constants.
func (f *fn) selfUpdate(s *syntax.AssignStmt) (syntax.Kind, syntax.Expr) {
	x, ok := unparen(s.Target).(*syntax.IndexExpr)
	b, also := unparen(s.Value).(*syntax.BinaryExpr)
	if !ok || !also || !additive(b.Op) {
		return 0, nil
	}
	if old, ok := unparen(b.X).(*syntax.IndexExpr); ok && f.sameElement(x, old) {
		return b.Op, b.Y
	}
	return 0, nil
}

// sameElement says whether two index expressions are the same, and made of nothing that
// evaluating them could change.
func (f *fn) sameElement(x, y *syntax.IndexExpr) bool {
	if f.info.Type(x.X).Kind == check.KMap {
		p, ok := f.entry(x.X, x.Index)
		q, also := f.entry(y.X, y.Index)
		return ok && also && p == q
	}
	var reads []*local
	i, ok := f.fixed(x.Index, &reads)
	j, also := f.fixed(y.Index, &reads)
	if !ok || !also || i.text != j.text {
		return false
	}
	p, _, ok := f.placeOf(x.X)
	q, _, also := f.placeOf(y.X)
	if ok && also {
		return p == q
	}
	in, ok := unparen(x.X).(*syntax.IndexExpr)
	other, also := unparen(y.X).(*syntax.IndexExpr)
	return ok && also && f.sameElement(in, other)
}

// assignVar assigns to a variable. The Go variable is not read by that.
func (f *fn) assignVar(l *local, t *check.Type, value syntax.Expr) {
	if e, ok := unparen(value).(*syntax.IdentExpr); ok {
		if v, ok := f.info.Target(e).(*check.Var); ok && f.local(v) == l {
			l.used = true
			f.emit("_ = " + l.name)
			return
		}
	}
	f.exprTo(value, dest{kind: destSet, typ: t, name: l.name})
}

// store assigns to a field.
func (f *fn) store(target string, value func() val) {
	v := value()
	if v.text == target {
		f.emit("_ = " + target)
		return
	}
	f.emit(target + " = " + v.text)
}

// update lowers target op= value. The parts of the target are evaluated once, then its old
// value is read, then the value is evaluated.
func (f *fn) update(target syntax.Expr, op syntax.Kind, value func() val) {
	t := f.info.Type(target)
	v := f.aside(value)
	switch x := unparen(target).(type) {
	case *syntax.IdentExpr:
		if dst, ok := f.info.Target(x).(*check.Var); ok {
			f.assigns++
			f.updateVar(f.local(dst), op, v, t)
			return
		}
		f.updateAt("self."+f.fieldName(x), op, v, t)
	case *syntax.FieldExpr:
		base := f.expr(x.X)
		if base.eff&acts != 0 || !v.calm() {
			base = f.hold(base, v)
		}
		f.updateAt(base.operand(precPrimary)+"."+f.fieldName(x), op, v, t)
	case *syntax.IndexExpr:
		f.updateIndex(x, op, v, t)
	}
}

// updateVar assigns to a variable, which no call can change.
func (f *fn) updateVar(l *local, op syntax.Kind, v lowered, t *check.Type) {
	old := val{text: l.name, eff: reassigned}
	if v.assigns {
		l.used = true
		old = f.spill(old)
	}
	f.join(v.block)
	if grows(op, t) && !v.assigns {
		l.used = true
		f.extend(l.name, v.v)
		return
	}
	if text, ok := compound(op, t, v.v); ok && !v.assigns {
		f.emit(l.name + text)
		return
	}
	l.used = true
	f.emit(l.name + " = " + f.binary(op, old, v.v, t).text)
}

// updateAt assigns to a field. What its place is made of means the same however often it is
// written.
func (f *fn) updateAt(place string, op syntax.Kind, v lowered, t *check.Type) {
	old := val{text: place, eff: heap}
	if !v.calm() {
		old = f.spill(old)
		f.join(v.block)
	} else if grows(op, t) {
		f.extend(place, v.v)
		return
	} else if text, ok := compound(op, t, v.v); ok {
		f.emit(place + text)
		return
	}
	f.emit(place + " = " + f.binary(op, old, v.v, t).text)
}

// updateIndex lowers x[i] op= value, for arrays and maps: bytes have no such operations.
func (f *fn) updateIndex(x *syntax.IndexExpr, op syntax.Kind, v lowered, t *check.Type) {
	if f.info.Type(x.X).Kind == check.KArray {
		f.updateElement(x, op, v, t)
		return
	}
	if f.updateEntry(x, op, v, t) {
		return
	}
	vs := f.operands(func() val { return f.expr(x.X) }, func() val { return f.indexValue(x) })
	base, index := f.hold(vs[0], v), f.hold(vs[1], v)
	old := val{text: base.operand(precPrimary) + ".At(" + index.text + ")", eff: reads}
	if !v.calm() {
		old = f.spill(old)
		f.join(v.block)
	}
	f.emit(base.operand(precPrimary) + ".Insert(" + index.text + ", " + f.binary(op, old, v.v, t).text + ")")
}

// lowered is something that was lowered apart.
type lowered struct {
	block   *block
	v       val
	assigns bool
}

// calm says that evaluating it changes nothing.
func (l lowered) calm() bool { return l.block.empty() && l.v.eff&acts == 0 && !l.assigns }

func (f *fn) aside(lower func() val) lowered {
	var l lowered
	before := f.assigns
	l.block = f.apart(func() { l.v = lower() })
	l.assigns = f.assigns != before
	return l
}

// hold makes a value that means the same before and after v is evaluated.
func (f *fn) hold(x val, v lowered) val {
	if x.k != nil || x.eff == 0 || x.eff == reassigned && !v.assigns {
		return x
	}
	return f.spill(x)
}

// compound is what follows a place in Go's compound assignment; no when Go has none that
// means the same.
func compound(op syntax.Kind, t *check.Type, v val) (string, bool) {
	sign := goOperators[op].text
	if op == syntax.SLASH || op == syntax.PERCENT {
		if t.Kind == check.KFloat && op == syntax.PERCENT {
			return "", false
		}
		if k, ok := known[int64](v); ok && k == 0 {
			return "", false
		}
	}
	if k, ok := known[int64](v); ok && k == 1 && (op == syntax.PLUS || op == syntax.MINUS) {
		return sign + sign, true
	}
	return " " + sign + "= " + v.text, true
}

// fieldName is the Go name of the field that an expression means.
func (f *fn) fieldName(e syntax.Expr) string {
	switch o := f.info.Target(e).(type) {
	case *check.Field:
		f.g.needClass(o.Class)
		return f.g.named[o]
	case *check.ErrorField:
		return f.g.errorField(o)
	}
	return ""
}

// indexValue is the index of an index expression: an int, or the key of a map.
func (f *fn) indexValue(x *syntax.IndexExpr) val {
	if on := f.info.Type(x.X); on.Kind == check.KMap {
		return f.exprAs(x.Index, on.Key)
	}
	return f.expr(x.Index)
}

// quote is a Go string literal.
func quote(s string) string { return strconv.Quote(s) }
