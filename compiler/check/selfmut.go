package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// selfMutations refuses what methods without `mut self` may not do to their receiver, in
// nested blocks and closures too. Objects and collections that fields refer to are not
// part of the receiver, except for storing into an element of a field.
func (c *checker) selfMutations() {
	for _, f := range c.prog.Funcs {
		if f.Self == nil || f.Info == nil || f.Decl == nil || f.Decl.Body == nil || f.Decl.Self != syntax.Self {
			continue
		}
		m := &selfWalk{c: c, f: f, phase: after(f, diag.PhaseSelf)}
		m.step = m.node
		m.node(f.Decl.Body)
	}
}

type selfWalk struct {
	c     *checker
	f     *Func
	phase diag.Phase
	step  func(syntax.Node) // m.node, bound once
}

func (m *selfWalk) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.AssignStmt:
		m.target(n.Target)
	case *syntax.IncDecStmt:
		m.target(n.Target)
	case *syntax.MethodExpr:
		if f, ok := m.f.Info.Target(n).(*Func); ok && isSelf(n.X) && f.Decl != nil && f.Decl.Self == syntax.MutSelf {
			m.report(diag.SelfMethod, n.Name.Span(), "cannot call 'mut self' method '%s' on self in a non-mut method; declare 'mut self'", n.Name.Name)
		}
	}
	syntax.Children(n, m.step)
}

// target looks at what is assigned to.
func (m *selfWalk) target(e syntax.Expr) {
	switch t := unparen(e).(type) {
	case *syntax.FieldExpr, *syntax.IdentExpr:
		if name, ok := m.field(t); ok {
			m.report(diag.SelfField, t.Span(), "cannot assign to 'self.%s' in a non-mut method; declare 'mut self' to modify fields", name)
		}
	case *syntax.IndexExpr:
		x := unparen(t.X)
		for {
			inner, ok := x.(*syntax.IndexExpr)
			if !ok {
				break
			}
			x = unparen(inner.X)
		}
		if _, ok := m.field(x); ok {
			m.report(diag.SelfData, t.Span(), "cannot mutate self's data in a non-mut method; declare 'mut self'")
		}
	}
}

// field is the field of the receiver that an expression is: self.f, or the bare name of an
// ambient one.
func (m *selfWalk) field(e syntax.Expr) (string, bool) {
	switch e := e.(type) {
	case *syntax.FieldExpr:
		return e.Name.Name, isSelf(e.X)
	case *syntax.IdentExpr:
		_, ok := m.f.Info.Target(e).(*Field)
		return e.Name, ok
	}
	return "", false
}

func isSelf(e syntax.Expr) bool {
	_, ok := unparen(e).(*syntax.SelfExpr)
	return ok
}

func (m *selfWalk) report(code diag.Code, at source.Span, format string, args ...any) {
	d := m.c.report(m.phase, code, m.f.File, at, format, args...)
	d.Note(m.f.File, m.f.Decl.SelfAt, "the method takes its receiver here")
}
