package gogen

import (
	"math"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// body lowers the body of a loop, after statements that begin each round.
func (f *fn) body(first func(), b *syntax.Block) (*block, *loop) {
	l := &loop{}
	f.loops = append(f.loops, l)
	out := f.apart(func() {
		if first != nil {
			first()
		}
		f.stmts(b.Stmts)
	})
	f.loops = f.loops[:len(f.loops)-1]
	return out, l
}

// loopOf writes a loop.
func (f *fn) loopOf(head string, body *block, l *loop) {
	if l.label != "" {
		f.close(l.label + ":")
	}
	f.braces(head, body)
}

func (f *fn) breakStmt() {
	l := f.loops[len(f.loops)-1]
	l.left = true
	if l.switches == 0 {
		f.leave("break", jumps)
		return
	}
	if l.label == "" {
		l.label = f.temp("loop")
	}
	f.leave("break "+l.label, jumps)
}

func (f *fn) while(s *syntax.WhileStmt) {
	defer f.hoist(s, true)()
	cond := f.aside(func() val { return f.expr(s.Cond) })
	if !cond.block.empty() {
		body, l := f.body(func() {
			f.join(cond.block)
			if f.cur.flow != falls {
				return
			}
			f.emit("if " + not(cond.v).head() + " {")
			f.close("break")
			f.close("}")
		}, s.Body)
		f.loopOf("for", body, l)
		return
	}
	body, l := f.body(nil, s.Body)
	if k, ok := known[bool](cond.v); ok && k {
		f.loopOf("for", body, l)
		if !l.left {
			f.cur.flow = ends
		}
		return
	}
	f.loopOf("for "+cond.v.head(), body, l)
}

func (f *fn) forStmt(s *syntax.ForStmt) {
	defer f.hoist(s, true)()
	v := f.info.Defs[s.Name]
	if r, ok := unparen(s.Iter).(*syntax.RangeExpr); ok {
		f.forRange(s, v, r)
		return
	}
	x := f.expr(s.Iter)
	switch t := f.info.Type(s.Iter); t.Kind {
	case check.KArray:
		f.forArray(s, v, x, t)
	case check.KString:
		f.forString(s, v, x)
	case check.KBytes:
		f.forBytes(s, v, x)
	case check.KReceiver:
		f.forReceiver(s, v, x)
	}
}

// spillChanging gives a value a name unless it means the same for the whole loop.
func (f *fn) spillChanging(x val) val {
	if x.eff == 0 {
		return x
	}
	return f.spill(x)
}

// forRange lowers a loop over integers. The bounds are evaluated once; the variable is
// fresh in each round and may be assigned.
func (f *fn) forRange(s *syntax.ForStmt, v *check.Var, r *syntax.RangeExpr) {
	vs := f.operands(func() val { return f.expr(r.Lo) }, func() val { return f.expr(r.Hi) })
	lo, hi := vs[0], vs[1]
	if f.filled(s, v, lo, hi) {
		return
	}
	f.reserve(s, lo, hi)
	if k, ok := known[int64](lo); ok && k == 0 && (!r.Inclusive || below(hi)) {
		if r.Inclusive {
			hi = f.binary(syntax.PLUS, hi, constant(int64(1)), f.info.Type(r.Hi))
		}
		f.rangeOver(s, v, "", hi.typed())
		return
	}
	var counter string
	body, lp := f.body(func() {
		l := f.declare(v)
		counter = l.name
		if v.Assigned {
			counter = f.temp("i")
			f.emit(l.name + " := " + counter)
			f.keep(l)
		}
	}, s.Body)
	names, values := counter, lo.typed()
	limit := hi.operand(precAdd)
	if hi.eff != 0 {
		limit = f.temp("end")
		names, values = names+", "+limit, values+", "+hi.typed()
	}
	cond := counter + " < " + limit
	if r.Inclusive {
		cond = counter + " <= " + limit
	}
	if r.Inclusive && !below(hi) {
		// When the last number is the largest there is, the next one is the smallest.
		first := lo.operand(precAdd)
		if lo.eff != 0 {
			first = f.spill(lo).text
			values = first + values[len(lo.typed()):]
		}
		cond += " && " + counter + " >= " + first
	}
	f.loopOf("for "+names+" := "+values+"; "+cond+"; "+counter+"++", body, lp)
}

// below says that a bound is known not to be the largest int.
func below(v val) bool {
	k, ok := known[int64](v)
	return ok && k < math.MaxInt64
}

// rangeOver lowers a loop to Go's range. Before the variable may be another one and a comma.
func (f *fn) rangeOver(s *syntax.ForStmt, v *check.Var, before, over string) {
	var l *local
	body, lp := f.body(func() {
		l = f.declare(v)
		f.keep(l)
	}, s.Body)
	head := "for " + before + l.name + " := range " + over
	if !l.used && !v.Assigned {
		l.used = true // there is no variable to keep
		head = "for range " + over
	}
	f.loopOf(head, body, lp)
}

// each lowers a loop that counts, and takes an element in each round.
func (f *fn) each(s *syntax.ForStmt, v *check.Var, count string, elem func(i string) string) {
	i := f.temp("i")
	body, lp := f.body(func() {
		l := f.declare(v)
		f.emit(l.name + " := " + elem(i))
		f.keep(l)
	}, s.Body)
	f.loopOf("for "+i+" := range "+count, body, lp)
}

// forArray lowers a loop over an array, whose length is read once. Unless the body may
// change the length of such arrays, the elements stay where they are.
func (f *fn) forArray(s *syntax.ForStmt, v *check.Var, x val, t *check.Type) {
	if f.g.resizes(f, s.Body, t) {
		f.eachAt(s, v, x)
		return
	}
	f.rangeOver(s, v, "_, ", x.operand(precPrimary)+".S")
}

func (f *fn) forBytes(s *syntax.ForStmt, v *check.Var, x val) {
	if f.g.resizes(f, s.Body, f.info.Type(s.Iter)) {
		f.eachAt(s, v, x)
		return
	}
	f.rangeOver(s, v, "_, ", x.operand(precPrimary)+".B")
}

// eachAt takes the elements from an array or bytes whose length may change meanwhile.
func (f *fn) eachAt(s *syntax.ForStmt, v *check.Var, x val) {
	x = f.spillChanging(x)
	on := x.operand(precPrimary)
	f.each(s, v, on+".Len()", func(i string) string { return on + ".At(" + i + ")" })
}

func (f *fn) forString(s *syntax.ForStmt, v *check.Var, x val) {
	x = f.spillChanging(x)
	on := x.operand(precPrimary)
	f.noteLetter(v, true)
	f.each(s, v, "len("+x.text+")", func(i string) string { return on + "[" + i + " : " + i + "+1]" })
}

func (f *fn) forReceiver(s *syntax.ForStmt, v *check.Var, x val) {
	rx := f.spillChanging(x)
	ok := f.temp("ok")
	body, lp := f.body(func() {
		l := f.declare(v)
		f.emit(l.name + ", " + ok + " := " + rx.operand(precPrimary) + ".Next()")
		f.emit("if !" + ok + " {")
		f.close("break")
		f.close("}")
		f.keep(l)
	}, s.Body)
	f.loopOf("for", body, lp)
}
