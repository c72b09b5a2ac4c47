package gogen

import (
	"github.com/settgraph/sett/compiler/syntax"
)

// block lowers a block into a block of its own.
func (f *fn) block(b *syntax.Block) *block {
	return f.apart(func() { f.stmts(b.Stmts) })
}

// stmts lowers statements up to the first after which nothing runs.
func (f *fn) stmts(list []syntax.Stmt) {
	for len(list) > 0 && f.cur.flow == falls {
		n := f.count(list)
		if n == 0 {
			f.stmt(list[0])
			n = 1
		}
		list = list[n:]
	}
}

// on makes the line of a node the current one until the result is called.
func (f *fn) on(n syntax.Node) func() {
	outer := f.at
	f.at = f.lineOf(n)
	return func() { f.at = outer }
}

func (f *fn) stmt(s syntax.Stmt) {
	defer f.on(s)()
	switch s := s.(type) {
	case *syntax.LetStmt:
		f.let(s)
	case *syntax.LetChanStmt:
		f.letChan(s)
	case *syntax.ReturnStmt:
		f.returnStmt(s)
	case *syntax.BreakStmt:
		f.breakStmt()
	case *syntax.ContinueStmt:
		f.leave("continue", jumps)
	case *syntax.AssertStmt:
		f.check(s.Cond, "assertion failed")
	case *syntax.RaiseStmt:
		f.raise(s)
	case *syntax.IfStmt:
		f.ifStmt(s, drop)
	case *syntax.WhileStmt:
		f.while(s)
	case *syntax.ForStmt:
		f.forStmt(s)
	case *syntax.MatchStmt:
		f.match(s.X, s.Arms, drop)
	case *syntax.SelectStmt:
		f.selectStmt(s)
	case *syntax.ScopeStmt:
		f.scope(s)
	case *syntax.AssignStmt:
		f.assign(s)
	case *syntax.IncDecStmt:
		f.incDec(s)
	case *syntax.ExprStmt:
		f.exprTo(s.X, drop)
	case *syntax.Block:
		b := f.block(s)
		f.close("{")
		f.cur.nest(b)
		f.close("}")
		f.cur.flow = b.flow
	}
}

func (f *fn) let(s *syntax.LetStmt) {
	v := f.info.Defs[s.Name]
	d := dest{kind: destLet, typ: v.Type, v: v}
	if f.declares(s.Value, v.Name) {
		f.put(d, f.value(v.Type, func(in dest) { f.exprTo(s.Value, in) }), v.Type)
		return
	}
	f.exprTo(s.Value, d)
}

// declares says whether a variable of a name is declared in an expression. Where the
// expression is the value of a variable of the name, the two have one Go name.
func (f *fn) declares(e syntax.Expr, name string) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		found = found || ok && id.Name == name && f.info.Defs[id] != nil
		return !found
	})
	return found
}

func (f *fn) returnStmt(s *syntax.ReturnStmt) {
	if s.Value == nil {
		f.returnValue(val{})
		return
	}
	f.exprTo(s.Value, dest{kind: destReturn, typ: f.result})
}

// check ends the program when a condition does not hold.
func (f *fn) check(cond syntax.Expr, violation string) {
	v := f.expr(cond)
	if k, ok := known[bool](v); ok && k {
		return
	}
	f.emit("if " + not(v).head() + " {")
	f.emit("panic(rt.Fault(" + quote(violation+": "+syntax.ExprString(cond)) + "))")
	f.close("}")
}

// ifStmt lowers an if; with a destination other than drop it is the last statement of a
// block with a value, and its branches give the value.
func (f *fn) ifStmt(s *syntax.IfStmt, d dest) {
	cond, then := f.guard(s.Cond, s.Then, func() { f.blockTo(s.Then, d) })
	var other *block
	if s.Else != nil {
		other = f.apart(func() {
			if b, ok := s.Else.(*syntax.Block); ok {
				f.blockTo(b, d)
			} else {
				defer f.on(s.Else)()
				f.ifStmt(s.Else.(*syntax.IfStmt), d)
			}
		})
	}
	_, chain := s.Else.(*syntax.IfStmt)
	f.fork(cond, then, other, chain)
}

func (f *fn) ifExpr(e *syntax.IfExpr, d dest) {
	cond, then := f.guard(e.Cond, e.Then, func() { f.blockTo(e.Then, d) })
	other := f.apart(func() {
		if e.ElseIf != nil {
			f.ifExpr(e.ElseIf, d)
		} else if e.Else != nil {
			f.blockTo(e.Else, d)
		}
	})
	f.fork(cond, then, other, e.ElseIf != nil)
}

// fork writes an if. In a chain the other block is an if, maybe with statements before it
// that its condition needs; without them it becomes an else if.
func (f *fn) fork(cond val, then, other *block, chain bool) {
	f.cur.lastIf = len(f.cur.lines)
	f.emit("if " + cond.head() + " {")
	f.cur.nest(then)
	switch {
	case other == nil || other.empty():
		f.close("}")
	case chain && other.lastIf == 0:
		first := other.lines[0]
		first.text = "} else " + first.text
		f.cur.add(first)
		f.cur.nest(&block{lines: other.lines[1:]})
	default:
		f.close("} else {")
		f.cur.nest(other)
		f.close("}")
	}
	if other != nil {
		f.cur.flow = min(then.flow, other.flow)
	}
}

// blockTo lowers a block whose value is its last statement when that is an expression, or
// an if that has values.
func (f *fn) blockTo(b *syntax.Block, d dest) {
	if d.kind == destDrop || len(b.Stmts) == 0 {
		f.stmts(b.Stmts)
		return
	}
	last := len(b.Stmts) - 1
	f.stmts(b.Stmts[:last])
	if f.cur.flow != falls {
		return
	}
	defer f.on(b.Stmts[last])()
	switch s := b.Stmts[last].(type) {
	case *syntax.ExprStmt:
		f.exprTo(s.X, d)
	case *syntax.IfStmt:
		f.ifStmt(s, d)
	default:
		f.stmt(s)
	}
}

func (f *fn) incDec(s *syntax.IncDecStmt) {
	op := syntax.PLUS
	if s.Dec {
		op = syntax.MINUS
	}
	f.update(s.Target, op, func() val { return constant(int64(1)) })
}
