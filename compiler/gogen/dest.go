package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// dest is where the value of an expression goes. Expressions that are statements in Go (if,
// match, catch) put their value there themselves, from each branch.
type dest struct {
	kind destKind
	typ  *check.Type // what the value is converted to; nil when it is dropped
	v    *check.Var  // of destLet
	name string      // of destSet
}

type destKind uint8

const (
	destDrop   destKind = iota
	destLet             // declares the variable v
	destSet             // assigns to a Go variable
	destReturn          // returns from the function or closure
)

var drop = dest{kind: destDrop}

// exprTo lowers an expression into a destination.
func (f *fn) exprTo(e syntax.Expr, d dest) {
	if d.kind != destDrop && d.kind != destReturn && isVoid(f.info.Type(e)) {
		f.exprTo(e, drop)
		f.put(d, voidValue, f.info.Type(e))
		return
	}
	switch x := unparen(e).(type) {
	case *syntax.IfExpr:
		f.branches(d, func(d dest) { f.ifExpr(x, d) })
	case *syntax.MatchExpr:
		f.branches(d, func(d dest) { f.match(x.X, x.Arms, d) })
	case *syntax.CatchExpr:
		f.catch(x, d)
	case *syntax.PropagateExpr:
		f.propagate(x, d)
	case *syntax.CallExpr, *syntax.MethodExpr, *syntax.StaticExpr:
		f.finish(f.call(x), d)
	default:
		v := f.expr(e)
		if d.kind == destReturn && isVoid(f.info.Type(e)) {
			f.put(drop, v, nil)
			v = val{}
		}
		f.put(d, v, f.info.Type(e))
	}
}

// branches lowers something whose value comes from several places. A variable that it is for
// is declared before.
func (f *fn) branches(d dest, lower func(dest)) {
	if d.kind != destLet {
		lower(d)
		return
	}
	l := f.declare(d.v)
	f.emit("var " + l.name + " " + f.g.goType(d.typ))
	lower(dest{kind: destSet, typ: d.typ, name: l.name})
	f.keep(l)
}

// put stores a lowered value of type from.
func (f *fn) put(d dest, v val, from *check.Type) {
	switch d.kind {
	case destDrop:
		if v.k == nil && v.text != voidValue.text && v.text != "nil" {
			f.emit("_ = " + v.typed())
		}
	case destLet:
		v = f.convert(v, from, d.typ)
		l := f.declare(d.v)
		switch {
		case v.text == "nil":
			f.emit("var " + l.name + " " + v.conv)
		case v.conv != "":
			f.emit("var " + l.name + " " + v.conv + " = " + v.text)
		default:
			f.emit(l.name + " := " + v.typed())
		}
		f.keep(l)
	case destSet:
		v = f.convert(v, from, d.typ)
		if v.text == d.name { // the branch of an assignment that leaves the variable as it is
			f.emit("_ = " + d.name)
			return
		}
		f.emit(d.name + " = " + v.text)
	case destReturn:
		f.returnValue(f.convert(v, from, d.typ))
	}
}

// value lowers something into a variable of its own and gives its value.
func (f *fn) value(t *check.Type, lower func(dest)) val {
	if isVoid(t) {
		lower(drop)
		return voidValue
	}
	name := f.temp("tmp")
	f.emit("var " + name + " " + f.g.goType(t))
	lower(dest{kind: destSet, typ: t, name: name})
	return val{text: name}
}

// unparen takes the parentheses off.
func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}
