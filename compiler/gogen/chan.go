package gogen

import (
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// letChan makes a channel. The function holds a claim of the sender until it ends, unless
// the sender may live longer than the function.
func (f *fn) letChan(s *syntax.LetChanStmt) {
	capacity := constant(int64(1))
	if s.Capacity != nil {
		capacity = f.expr(s.Capacity)
	}
	txVar, rxVar := f.info.Defs[s.Tx], f.info.Defs[s.Rx]
	tx, rx := f.declare(txVar), f.declare(rxVar)
	f.emit(tx.name + ", " + rx.name + " := rt.Chan[" + f.g.goType(txVar.Type.Elem) + "](" + capacity.text + ")")
	f.keep(rx)
	if f.escapes(txVar) {
		f.keep(tx)
		return
	}
	tx.used = true
	f.emit("defer " + tx.name + ".Release()")
}

// selectStmt lowers a select. Channels and values are evaluated before any arm is tried.
func (f *fn) selectStmt(s *syntax.SelectStmt) {
	var lower []func() val
	hasDefault := false
	for _, a := range s.Arms {
		if a.Kind == syntax.SelectDefault {
			hasDefault = true
			continue
		}
		lower = append(lower, func() val { return f.expr(a.Chan) })
		if a.Kind == syntax.SelectSend {
			lower = append(lower, func() val { return f.expr(a.Value) })
		}
	}
	vs := f.operands(lower...)
	cases := []string{strconv.FormatBool(hasDefault)}
	received := map[*syntax.SelectArm]string{}
	for _, a := range s.Arms {
		switch a.Kind {
		case syntax.SelectRecv:
			name := f.temp("got")
			f.emit("var " + name + " " + f.g.goType(f.info.Defs[a.Name].Type))
			received[a] = name
			cases = append(cases, vs[0].operand(precPrimary)+".Case(&"+name+")")
			vs = vs[1:]
		case syntax.SelectSend:
			cases = append(cases, vs[0].operand(precPrimary)+".Case("+vs[1].text+")")
			vs = vs[2:]
		}
	}
	bodies := make([]*block, len(s.Arms))
	if n := len(f.loops); n > 0 {
		f.loops[n-1].switches++
		defer func() { f.loops[n-1].switches-- }()
	}
	for i, a := range s.Arms {
		bodies[i] = f.apart(func() {
			if a.Kind == syntax.SelectRecv {
				f.selected(f.info.Defs[a.Name], received[a])
			}
			f.stmts(a.Body.Stmts)
		})
	}
	f.selectSwitch(s, "rt.Select("+strings.Join(cases, ", ")+")", bodies)
}

// selected declares the variable of an arm that receives.
func (f *fn) selected(v *check.Var, from string) {
	l := f.declare(v)
	f.emit(l.name + " := " + from)
	f.keep(l)
}

// selectSwitch writes the choice and the arms.
func (f *fn) selectSwitch(s *syntax.SelectStmt, choice string, bodies []*block) {
	arm := f.temp("arm")
	f.emit(arm + ", " + errorVar + " := " + choice)
	f.ifError("", errorVar, f.returnError)
	f.emit("switch " + arm + " {")
	n, how, all := 0, ends, false
	for i, a := range s.Arms {
		if a.Kind == syntax.SelectDefault {
			f.close("default:")
			all = true
		} else {
			f.close("case " + strconv.Itoa(n) + ":")
			n++
		}
		f.cur.nest(bodies[i])
		how = min(how, bodies[i].flow)
	}
	f.close("}")
	if all { // without a default Go sees another way out
		f.cur.flow = how
	}
}

// escapes says whether a sender may outlive the function that made it: it is returned, kept
// in something, sent, or captured by a closure that is not spawned.
func (f *fn) escapes(tx *check.Var) bool {
	w := escapeWalk{info: f.info, of: map[*check.Var]bool{tx: true}}
	for {
		n := len(w.of)
		if body := bodyOf(f.of); body != nil {
			w.node(body)
		}
		if w.found || len(w.of) == n {
			return w.found
		}
	}
}

// escapeWalk looks for uses of variables that let their values out of the function.
type escapeWalk struct {
	info  *check.Info
	of    map[*check.Var]bool // the sender and its aliases
	found bool
}

func (w *escapeWalk) is(e syntax.Expr) bool {
	id, ok := unparen(e).(*syntax.IdentExpr)
	if !ok {
		return false
	}
	v, _ := w.info.Target(id).(*check.Var)
	return v != nil && w.of[v]
}

func (w *escapeWalk) node(n syntax.Node) {
	out := func(e syntax.Expr) { w.found = w.found || e != nil && w.is(e) }
	switch n := n.(type) {
	case *syntax.LetStmt:
		if w.is(n.Value) {
			w.of[w.info.Defs[n.Name]] = true
			return
		}
	case *syntax.AssignStmt:
		out(n.Value)
	case *syntax.ReturnStmt:
		out(n.Value)
	case *syntax.LitExpr:
		for _, init := range n.Fields {
			out(init.Value)
		}
	case *syntax.RaiseStmt:
		for _, init := range n.Fields {
			out(init.Value)
		}
	case *syntax.ArrayLit:
		for _, e := range n.Elems {
			out(e)
		}
	case *syntax.MapLit:
		for _, e := range n.Vals {
			out(e)
		}
	case *syntax.MethodExpr:
		if _, builtin := w.info.Target(n).(check.BuiltinMethod); builtin {
			for _, e := range n.Args { // pushed, inserted or sent
				out(e)
			}
		}
	case *syntax.SelectStmt:
		for _, a := range n.Arms {
			out(a.Value)
		}
	case *syntax.ClosureExpr:
		for _, v := range w.info.Captures[n] {
			w.found = w.found || w.of[v]
		}
	case *syntax.IfExpr, *syntax.MatchExpr, *syntax.CatchExpr:
		// The value of a branch may go anywhere.
		w.values(n)
	}
	syntax.Children(n, w.node)
}

// values takes a sender that stands as the value of a branch for one that gets out.
func (w *escapeWalk) values(n syntax.Node) {
	syntax.Children(n, func(c syntax.Node) {
		switch c := c.(type) {
		case syntax.Expr:
			w.found = w.found || w.is(c)
		case *syntax.MatchArm, *syntax.Handler:
			w.values(c)
		case *syntax.Block:
			for _, s := range c.Stmts {
				if s, ok := s.(*syntax.ExprStmt); ok {
					w.found = w.found || w.is(s.X)
				}
			}
		}
	})
}
