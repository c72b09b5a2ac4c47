package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// element is an element of an array or bytes, whose slice may be kept in a variable.
type element struct {
	kept  *held
	array val // when nothing is kept
	bytes bool
	index val
}

// element lowers what an index expression on an array or bytes is made of, and other operands.
func (f *fn) element(x *syntax.IndexExpr, others ...func() val) (element, []val) {
	lower := []func() val{func() val { return f.expr(x.X) }, func() val { return f.expr(x.Index) }}
	kept := f.heldAt(x.X)
	if kept != nil {
		lower[0] = func() val { return val{} }
	}
	vs := f.operands(append(lower, others...)...)
	e := element{kept, vs[0], f.info.Type(x.X).Kind == check.KBytes, vs[1]}
	if kept != nil && e.negative() {
		e.kept, e.array = nil, f.expr(x.X)
	}
	if e.kept != nil {
		kept.use()
	}
	return e, vs[2:]
}

// negative says that no array has the index, which Go would not compile.
func (e element) negative() bool {
	k, ok := known[int64](e.index)
	return ok && k < 0
}

// direct is the element as Go text that can be read and assigned to. Go's own check of the
// index tells less of a negative one unless it looks unsigned. When the index has calls in
// it, which may change the array, only methods of the array are in order.
func (e element) direct() (string, bool) {
	slice := ""
	switch {
	case e.bytes, e.kept != nil && e.kept.base != nil, e.negative():
		return "", false
	case e.kept != nil:
		slice = e.kept.name
	case e.index.eff&acts != 0:
		return "", false
	default:
		slice = e.array.operand(precPrimary) + ".S"
	}
	if e.index.k != nil {
		return slice + "[" + e.index.text + "]", true
	}
	return slice + "[uint64(" + e.index.text + ")]", true
}

// row is the beginning of the arguments for functions on rows.
func (e element) row() string {
	base := e.kept.base
	return "(" + e.kept.name + ", " + e.index.text + ", len(" + base.name + "), " + e.kept.at
}

// get is the value.
func (e element) get() val {
	eff := e.array.eff | e.index.eff
	if text, ok := e.direct(); ok {
		return val{text: text, eff: eff | heap}
	}
	if e.bytes && e.kept != nil {
		return val{text: "rt.ByteAt(" + e.kept.name + ", " + e.index.text + ")", eff: eff | reads}
	}
	if e.kept != nil {
		return val{text: "rt.RowAt" + e.row() + ")", eff: eff | reads}
	}
	return val{text: e.array.operand(precPrimary) + ".At(" + e.index.text + ")", eff: eff | reads}
}

// set is a statement that stores a value.
func (e element) set(v val) string {
	if text, ok := e.direct(); ok && (e.kept != nil || v.eff&acts == 0) {
		if v.text == text {
			return "_ = " + text // to go vet a self-assignment is a mistake
		}
		return text + " = " + v.text
	}
	if e.bytes && e.kept != nil {
		return "rt.ByteSet(" + e.kept.name + ", " + e.index.text + ", " + v.text + ")"
	}
	if e.kept != nil {
		return "rt.RowSet" + e.row() + ", " + v.text + ")"
	}
	return e.array.operand(precPrimary) + ".Set(" + e.index.text + ", " + v.text + ")"
}

// place is Go text for a compound assignment, whose value comes after it.
func (e element) place() string {
	if text, ok := e.direct(); ok {
		return text
	}
	if e.kept != nil {
		return "*rt.RowRef" + e.row() + ")"
	}
	return "*" + e.array.operand(precPrimary) + ".Ref(" + e.index.text + ")"
}

// updateElement lowers x[i] op= value for an array.
func (f *fn) updateElement(x *syntax.IndexExpr, op syntax.Kind, v lowered, t *check.Type) {
	e, _ := f.element(x)
	if v.calm() {
		if text, ok := compound(op, t, v.v); ok {
			f.emit(e.place() + text)
			return
		}
	}
	e.array, e.index = f.hold(e.array, v), f.hold(e.index, v)
	old := e.get()
	if !v.calm() {
		old = f.spill(old)
		f.join(v.block)
	}
	f.emit(e.set(f.binary(op, old, v.v, t)))
}
