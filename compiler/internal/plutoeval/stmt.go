package plutoeval

import (
	"math"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

func (m *machine) block(fr *frame, b *syntax.Block) {
	for _, s := range b.Stmts {
		m.stmt(fr, s)
	}
}

func (m *machine) stmt(fr *frame, s syntax.Stmt) {
	m.step()
	switch s := s.(type) {
	case *syntax.LetStmt:
		fr.vars[fr.info.Defs[s.Name]] = m.eval(fr, s.Value)
	case *syntax.LetChanStmt:
		c := &channel{capacity: 1}
		if s.Capacity != nil {
			c.capacity = int(max(1, m.eval(fr, s.Capacity).(int64)))
		}
		fr.vars[fr.info.Defs[s.Tx]], fr.vars[fr.info.Defs[s.Rx]] = c, c
	case *syntax.ReturnStmt:
		if s.Value == nil {
			panic(returning{})
		}
		panic(returning{m.eval(fr, s.Value)})
	case *syntax.BreakStmt:
		panic(breaking{})
	case *syntax.ContinueStmt:
		panic(continuing{})
	case *syntax.AssertStmt:
		if !m.eval(fr, s.Cond).(bool) {
			fail("assertion failed: %s", syntax.ExprString(s.Cond))
		}
	case *syntax.RaiseStmt:
		err := &raised{fr.info.Errs[s], map[string]any{}}
		for _, f := range s.Fields {
			err.fields[f.Name.Name] = m.eval(fr, f.Value)
		}
		m.raise(fr, err)
	case *syntax.IfStmt:
		m.ifStmt(fr, s)
	case *syntax.WhileStmt:
		for m.eval(fr, s.Cond).(bool) && m.round(fr, s.Body) {
			m.step()
		}
	case *syntax.ForStmt:
		m.forStmt(fr, s)
	case *syntax.MatchStmt:
		arm := m.arm(fr, m.eval(fr, s.X), s.Arms)
		m.block(fr, arm.Body)
	case *syntax.SelectStmt:
		m.selectStmt(fr, s)
	case *syntax.ScopeStmt:
		m.scope(fr, s)
	case *syntax.AssignStmt:
		if s.Op == 0 {
			m.assign(fr, s.Target, s.Value)
		} else {
			m.update(fr, s.Target, s.Op, func() any { return m.eval(fr, s.Value) })
		}
	case *syntax.IncDecStmt:
		op := syntax.PLUS
		if s.Dec {
			op = syntax.MINUS
		}
		m.update(fr, s.Target, op, func() any { return int64(1) })
	case *syntax.ExprStmt:
		m.eval(fr, s.X)
	case *syntax.Block:
		m.block(fr, s)
	default:
		panic(unknown("a statement"))
	}
}

// ifStmt runs an if, and gives the value of the branch when it has one.
func (m *machine) ifStmt(fr *frame, s *syntax.IfStmt) any {
	switch other := s.Else.(type) {
	case nil:
		if m.eval(fr, s.Cond).(bool) {
			return m.value(fr, s.Then)
		}
	case *syntax.Block:
		if m.eval(fr, s.Cond).(bool) {
			return m.value(fr, s.Then)
		}
		return m.value(fr, other)
	case *syntax.IfStmt:
		if m.eval(fr, s.Cond).(bool) {
			return m.value(fr, s.Then)
		}
		return m.ifStmt(fr, other)
	}
	return void{}
}

// value runs a block whose value is that of its last statement.
func (m *machine) value(fr *frame, b *syntax.Block) any {
	for i, s := range b.Stmts {
		if i < len(b.Stmts)-1 {
			m.stmt(fr, s)
			continue
		}
		switch s := s.(type) {
		case *syntax.ExprStmt:
			return m.eval(fr, s.X)
		case *syntax.IfStmt:
			return m.ifStmt(fr, s)
		}
		m.stmt(fr, s)
	}
	return void{}
}

// round runs the body of a loop once; no says that a break left it.
func (m *machine) round(fr *frame, b *syntax.Block) (goOn bool) {
	depth := m.depth
	defer func() {
		switch sig := recover().(type) {
		case nil, continuing:
			m.depth = depth
			goOn = true
		case breaking:
			m.depth = depth
		default:
			panic(sig)
		}
	}()
	m.block(fr, b)
	return true
}

func (m *machine) forStmt(fr *frame, s *syntax.ForStmt) {
	v := fr.info.Defs[s.Name]
	round := func(x any) bool {
		m.step()
		fr.vars[v] = x
		return m.round(fr, s.Body)
	}
	if r, ok := unparen(s.Iter).(*syntax.RangeExpr); ok {
		lo, hi := m.eval(fr, r.Lo).(int64), m.eval(fr, r.Hi).(int64)
		for i := lo; i < hi || r.Inclusive && i == hi; i++ {
			if !round(i) || i == math.MaxInt64 {
				return
			}
		}
		return
	}
	switch x := m.eval(fr, s.Iter).(type) {
	case *array:
		for i, n := 0, len(x.xs); i < n; i++ {
			if i >= len(x.xs) {
				fail("pluto: array index out of bounds: index %d, length %d", i, len(x.xs))
			}
			if !round(x.xs[i]) {
				return
			}
		}
	case *buffer:
		for i, n := 0, len(x.xs); i < n; i++ {
			if !round(x.xs[i]) {
				return
			}
		}
	case string:
		for i := range len(x) {
			if !round(x[i : i+1]) {
				return
			}
		}
	case *channel:
		for len(x.queue) > 0 {
			first := x.queue[0]
			x.queue = x.queue[1:]
			if !round(first) {
				return
			}
		}
		if !x.closed {
			panic(unknown("a loop that waits"))
		}
	}
}

// arm is the arm that fits a value; its bindings are set.
func (m *machine) arm(fr *frame, x any, arms []*syntax.MatchArm) *syntax.MatchArm {
	v := x.(*variant)
	for _, a := range arms {
		if fr.info.Arms[a].Name != v.of.Name {
			continue
		}
		for _, b := range a.Bindings {
			fr.vars[fr.info.Defs[b.Name]] = v.fields[b.Field.Name]
		}
		return a
	}
	panic("no arm for " + v.of.Name)
}

func (m *machine) selectStmt(fr *frame, s *syntax.SelectStmt) {
	type waiting struct {
		c *channel
		v any
	}
	var ready []*syntax.SelectArm
	var fallback *syntax.SelectArm
	at := map[*syntax.SelectArm]waiting{}
	open := false
	for _, a := range s.Arms {
		if a.Kind == syntax.SelectDefault {
			fallback = a
			continue
		}
		w := waiting{c: m.eval(fr, a.Chan).(*channel)}
		if a.Kind == syntax.SelectSend {
			w.v = m.eval(fr, a.Value)
		}
		at[a] = w
	}
	for a, w := range at {
		open = open || !w.c.closed
		if a.Kind == syntax.SelectRecv && len(w.c.queue) > 0 || a.Kind == syntax.SelectSend && !w.c.closed && len(w.c.queue) < w.c.capacity {
			ready = append(ready, a)
		}
	}
	switch {
	case len(ready) > 1:
		panic(unknown("a choice"))
	case len(ready) == 1:
		a := ready[0]
		w := at[a]
		if a.Kind == syntax.SelectSend {
			w.c.queue = append(w.c.queue, w.v)
		} else {
			fr.vars[fr.info.Defs[a.Name]] = w.c.queue[0]
			w.c.queue = w.c.queue[1:]
		}
		m.block(fr, a.Body)
	case fallback != nil:
		m.block(fr, fallback.Body)
	case open:
		panic(unknown("a select that waits"))
	default:
		m.raise(fr, m.predeclared("ChannelClosed", "channel closed"))
	}
}

func (m *machine) scope(fr *frame, s *syntax.ScopeStmt) {
	w := fr.info.Wirings[s]
	have := map[*check.Class]*object{}
	for i, e := range s.Seeds {
		have[w.Seeds[i]] = m.eval(fr, e).(*object)
	}
	for _, c := range w.Build {
		have[c] = m.build(c, have)
	}
	for _, p := range s.Bindings {
		v := fr.info.Defs[p.Name]
		fr.vars[v] = have[v.Type.Class]
	}
	m.block(fr, s.Body)
}

// place is something that can be assigned to; what is in it was evaluated.
type place struct {
	get func() any
	set func(any)
}

func (m *machine) place(fr *frame, target syntax.Expr) place {
	field := func(o *object, name string) place {
		return place{func() any { return o.fields[name] }, func(v any) { o.fields[name] = v }}
	}
	switch x := unparen(target).(type) {
	case *syntax.IdentExpr:
		if f, ok := fr.info.Target(x).(*check.Field); ok {
			return field(fr.self.(*object), f.Name)
		}
		v := fr.info.Target(x).(*check.Var)
		return place{func() any { return fr.vars[v] }, func(n any) { fr.vars[v] = n }}
	case *syntax.FieldExpr:
		return field(m.eval(fr, x.X).(*object), x.Name.Name)
	case *syntax.IndexExpr:
		base, i := m.eval(fr, x.X), m.eval(fr, x.Index)
		return place{func() any { return at(base, i) }, func(v any) { setAt(base, i, v) }}
	}
	panic("no place")
}

func (m *machine) assign(fr *frame, target, value syntax.Expr) {
	p := m.place(fr, target)
	p.set(m.eval(fr, value))
}

// update is target op= value: the target's parts, its old value, the value.
func (m *machine) update(fr *frame, target syntax.Expr, op syntax.Kind, value func() any) {
	p := m.place(fr, target)
	old := p.get()
	p.set(m.binary(op, old, value()))
}
