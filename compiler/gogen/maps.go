package gogen

import (
	"math"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// Each access to a map hashes its key. The usual ways to ask a map for what it may not have,
// and to count in one, are lowered so that the key is hashed once.

// entry is where m[k] is, when m is a place and k made of variables and constants; equal
// entries are equal places as long as nothing in them is assigned.
func (f *fn) entry(m, k syntax.Expr) (place, bool) {
	t := f.info.Type(m)
	if t.Kind != check.KMap || !plainKey(t.Key) {
		return place{}, false
	}
	p, _, ok := f.placeOf(m)
	if !ok {
		return place{}, false
	}
	if s, isText := unparen(k).(*syntax.StringLit); isText {
		if len(s.Parts) > 1 || len(s.Parts) == 1 && s.Parts[0].X != nil {
			return place{}, false
		}
		p.row = `""`
		if len(s.Parts) == 1 {
			p.row = quote(s.Parts[0].Text)
		}
		return p, true
	}
	var reads []*local
	v, ok := f.fixed(k, &reads)
	p.row = v.text
	return p, ok
}

// plainKey says whether a key equals itself: floats may not.
func plainKey(t *check.Type) bool {
	switch t.Kind {
	case check.KInt, check.KString, check.KByte, check.KBool:
		return true
	case check.KEnum:
		return unitOnly(t.Enum)
	}
	return false
}

// contained is the entry that a condition asks a map for.
func (f *fn) contained(cond syntax.Expr) (*syntax.MethodExpr, place, bool) {
	m, ok := unparen(cond).(*syntax.MethodExpr)
	if !ok || f.info.Target(m) != check.BuiltinMethod("contains") || f.info.Type(m.X).Kind != check.KMap {
		return nil, place{}, false
	}
	p, ok := f.entry(m.X, m.Args[0])
	return m, p, ok
}

// guard lowers a condition and what runs when it holds. After `if m.contains(k)`, m[k] is
// at hand while nothing can change it.
func (f *fn) guard(cond syntax.Expr, then *syntax.Block, lower func()) (val, *block) {
	m, p, ok := f.contained(cond)
	if !ok || f.found[p] != nil || !f.unchanged(m, then) {
		v := f.expr(cond)
		return v, f.apart(lower)
	}
	vs := f.operands(func() val { return f.expr(m.X) }, func() val { return f.expr(m.Args[0]) })
	got := &local{name: f.temp("v")}
	if f.found == nil {
		f.found = map[place]*local{}
	}
	f.found[p] = got
	block := f.apart(lower)
	delete(f.found, p)
	on := vs[0].operand(precPrimary)
	if !got.used {
		return val{text: on + ".Contains(" + vs[1].text + ")"}, block
	}
	has := f.temp("ok")
	return val{text: got.name + ", " + has + " := " + on + ".M[" + vs[1].text + "]; " + has}, block
}

// unchanged says whether some statements leave alone what a call of contains looks at.
func (f *fn) unchanged(m *syntax.MethodExpr, n syntax.Node) bool {
	does := f.g.region(f, n)
	h := &hoister{fn: f, does: does, assigned: assignedWithin(f.info, n)}
	return !does.stores[f.info.Type(m.X)] && !(f.g.reach.spawns && does.waits) && h.stays(m.X) && h.same(m.Args[0])
}

// foundAt is the value at m[k] when it is at hand.
func (f *fn) foundAt(x *syntax.IndexExpr) (val, bool) {
	if len(f.found) == 0 {
		return val{}, false
	}
	if p, ok := f.entry(x.X, x.Index); ok && f.found[p] != nil {
		f.found[p].used = true
		return val{text: f.found[p].name}, true
	}
	return val{}, false
}

// store is m[k] = value, m[k] = m[k] op value, or the same as another statement.
type store struct {
	at    place
	on, k syntax.Expr
	op    syntax.Kind // 0 for a plain one
	value syntax.Expr // nil for 1
}

func (f *fn) storeOf(s syntax.Stmt) (store, bool) {
	var out store
	switch s := s.(type) {
	case *syntax.AssignStmt:
		x, ok := unparen(s.Target).(*syntax.IndexExpr)
		if !ok {
			return out, false
		}
		out = store{on: x.X, k: x.Index, op: s.Op, value: s.Value}
	case *syntax.IncDecStmt:
		x, ok := unparen(s.Target).(*syntax.IndexExpr)
		if !ok {
			return out, false
		}
		out = store{on: x.X, k: x.Index, op: syntax.PLUS}
		if s.Dec {
			out.op = syntax.MINUS
		}
	case *syntax.ExprStmt:
		m, ok := unparen(s.X).(*syntax.MethodExpr)
		if !ok || f.info.Target(m) != check.BuiltinMethod("insert") || f.info.Type(m.X).Kind != check.KMap {
			return out, false
		}
		out = store{on: m.X, k: m.Args[0], value: m.Args[1]}
	default:
		return out, false
	}
	var ok bool
	if out.at, ok = f.entry(out.on, out.k); !ok {
		return out, false
	}
	if b, isBinary := unparen(out.value).(*syntax.BinaryExpr); out.op == 0 && isBinary && additive(b.Op) {
		if x, ok := unparen(b.X).(*syntax.IndexExpr); ok {
			if p, ok := f.entry(x.X, x.Index); ok && p == out.at {
				out.op, out.value = b.Op, b.Y
			}
		}
	}
	return out, true
}

// additive says that an operator cannot fail, so that Go's compound assignment to an entry
// that is not there is harmless.
func additive(op syntax.Kind) bool {
	return op == syntax.PLUS || op == syntax.MINUS || op == syntax.STAR
}

// plain lowers a value that evaluating at another time does not change.
func (f *fn) plain(e syntax.Expr) (val, bool) {
	switch x := unparen(e).(type) {
	case nil:
		return constant(int64(1)), true
	case *syntax.IntLit, *syntax.FloatLit:
		return f.expr(x), true
	case *syntax.StringLit:
		if len(x.Parts) == 0 || len(x.Parts) == 1 && x.Parts[0].X == nil {
			return f.expr(x), true
		}
	case *syntax.IdentExpr:
		if _, ok := f.info.Target(x).(*check.Var); ok {
			return f.expr(x), true
		}
	}
	return val{}, false
}

// count lowers, when it stands at the start of some statements,
//
//	if m.contains(k) { m[k] op= x } else { m[k] = y }
//
// or its reverse, or
//
//	if !m.contains(k) { m[k] = y }
//	m[k] op= x
//
// It says how many statements that were.
func (f *fn) count(list []syntax.Stmt) int {
	s, ok := list[0].(*syntax.IfStmt)
	if !ok {
		return 0
	}
	cond, negated := unparen(s.Cond), false
	if u, ok := cond.(*syntax.UnaryExpr); ok && u.Op == syntax.NOT {
		cond, negated = u.X, true
	}
	_, at, ok := f.contained(cond)
	if !ok || len(s.Then.Stmts) != 1 {
		return 0
	}
	first, next, n := s.Then.Stmts[0], syntax.Stmt(nil), 1
	if other, ok := s.Else.(*syntax.Block); ok && len(other.Stmts) == 1 {
		next = other.Stmts[0]
	} else if s.Else == nil && negated && len(list) > 1 {
		next, n = list[1], 2
	} else {
		return 0
	}
	if negated {
		first, next = next, first
	}
	update, ok := f.storeOf(first)
	start, also := f.storeOf(next)
	if !ok || !also || update.at != at || start.at != at || !additive(update.op) || start.op != 0 {
		return 0
	}
	if !f.upsert(list[0], update, start, n == 2) {
		return 0
	}
	return n
}

// upsert lowers what count has found. An entry that is not there counts as zero to Go, and
// the length tells whether it was there. When both is set the update follows the start.
func (f *fn) upsert(at syntax.Stmt, update, start store, both bool) bool {
	t := f.info.Type(update.on).Elem
	switch t.Kind {
	case check.KInt, check.KFloat, check.KString:
	default:
		return false
	}
	x, ok := f.plain(update.value)
	y, also := f.plain(start.value)
	if !ok || !also {
		return false
	}
	defer f.on(at)()
	entry := f.expr(update.on).operand(precPrimary) + ".M"
	size := "len(" + entry + ")"
	entry += "[" + f.expr(update.k).text + "]"
	change, _ := compound(update.op, t, x)
	switch {
	case both && isZero(y):
	case !both && update.op == syntax.PLUS && t.Kind != check.KFloat && x.text == y.text:
	default:
		if both {
			y = f.binary(update.op, y, x, t)
		}
		n := f.temp("n")
		f.emit(n + " := " + size)
		f.emit(entry + change)
		f.emit("if " + size + " != " + n + " {")
		f.emit(entry + " = " + y.text)
		f.close("}")
		return true
	}
	f.emit(entry + change)
	return true
}

// isZero says whether a value is the one of a Go variable that nothing was assigned to.
func isZero(v val) bool {
	switch k := v.k.(type) {
	case int64:
		return k == 0
	case float64:
		return math.Float64bits(k) == 0
	case string:
		return k == ""
	}
	return false
}

// updateEntry lowers m[k] op= value for a map when evaluating the value changes nothing and
// cannot fail. The entry must be there: then the length stays.
func (f *fn) updateEntry(x *syntax.IndexExpr, op syntax.Kind, v lowered, t *check.Type) bool {
	if !additive(op) || !v.block.empty() || v.v.eff&^reassigned != 0 || !plainKey(f.info.Type(x.X).Key) {
		return false
	}
	text, _ := compound(op, t, v.v)
	vs := f.operands(func() val { return f.expr(x.X) }, func() val { return f.indexValue(x) })
	on := f.spillChanging(vs[0]).operand(precPrimary)
	key := vs[1]
	if key.eff&acts != 0 {
		key = f.spill(key)
	}
	n := f.temp("n")
	f.emit(n + " := len(" + on + ".M)")
	f.emit(on + ".M[" + key.text + "]" + text)
	f.emit(on + ".Had(" + n + ")")
	return true
}
