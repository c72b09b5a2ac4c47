package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// Pluto makes an array of n elements by pushing n times. Where the text shows how often, the
// room is made at once.

// filled lowers a loop that does nothing but push one value, when it is such a loop.
func (f *fn) filled(s *syntax.ForStmt, v *check.Var, lo, hi val) bool {
	if len(s.Body.Stmts) != 1 {
		return false
	}
	on, ok := f.pushedOnto(s.Body.Stmts[0])
	if !ok {
		return false
	}
	e := on.Args[0]
	switch x := unparen(e).(type) {
	case *syntax.IdentExpr:
		if o, ok := f.info.Target(x).(*check.Var); !ok || o == v || f.vars[o] == nil {
			return false
		}
	case *syntax.IntLit, *syntax.FloatLit, *syntax.BoolLit:
	case *syntax.StringLit:
		if len(x.Parts) > 1 || len(x.Parts) == 1 && x.Parts[0].X != nil {
			return false
		}
	default:
		return false
	}
	defer f.on(s.Body.Stmts[0])()
	count := f.spillChanging(f.rounds(s, lo, hi))
	vs := f.operands(
		func() val { return f.expr(on.X) },
		func() val { return f.exprAs(e, f.info.Type(on.X).Elem) })
	f.emit(vs[0].operand(precPrimary) + ".Fill(" + vs[1].text + ", " + count.text + ")")
	return true
}

// rounds is how often a loop over lo..hi runs, or less than one.
func (f *fn) rounds(s *syntax.ForStmt, lo, hi val) val {
	r := unparen(s.Iter).(*syntax.RangeExpr)
	t := f.info.Type(r.Hi)
	n := hi
	if k, ok := known[int64](lo); !ok || k != 0 {
		n = f.binary(syntax.MINUS, n, lo, t)
	}
	if r.Inclusive {
		n = f.binary(syntax.PLUS, n, constant(int64(1)), t)
	}
	return n
}

// reserve makes room in arrays that each round of a loop pushes onto. The loop must not be
// left early: what was not needed is not to be taken.
func (f *fn) reserve(s *syntax.ForStmt, lo, hi val) {
	if (lo.eff|hi.eff)&^reassigned != 0 {
		return // it would be evaluated twice
	}
	assigned := assignedWithin(f.info, s)
	for _, x := range s.Body.Stmts {
		on, ok := f.pushedOnto(x)
		if !ok {
			continue
		}
		id, ok := unparen(on.X).(*syntax.IdentExpr)
		if !ok || leaves(s.Body) {
			return
		}
		if o, ok := f.info.Target(id).(*check.Var); ok && !assigned[o] && f.vars[o] != nil {
			f.emit(f.vars[o].name + ".Reserve(" + f.rounds(s, lo, hi).text + ")")
		}
	}
}

// pushedOnto is the call when a statement pushes onto an array that is there already.
func (f *fn) pushedOnto(s syntax.Stmt) (*syntax.MethodExpr, bool) {
	x, ok := s.(*syntax.ExprStmt)
	if !ok {
		return nil, false
	}
	m, ok := unparen(x.X).(*syntax.MethodExpr)
	if !ok || f.info.Target(m) != check.BuiltinMethod("push") || f.info.Type(m.X).Kind != check.KArray {
		return nil, false
	}
	_, _, ok = f.placeOf(m.X)
	return m, ok
}

// leaves says whether some statements may be left before their end.
func leaves(n syntax.Node) bool {
	found := false
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		switch n.(type) {
		case *syntax.ReturnStmt, *syntax.BreakStmt, *syntax.ContinueStmt, *syntax.RaiseStmt,
			*syntax.PropagateExpr, *syntax.UnwrapExpr, *syntax.CatchExpr:
			found = true
		case *syntax.ClosureExpr:
			return
		}
		if !found {
			syntax.Children(n, visit)
		}
	}
	visit(n)
	return found
}
