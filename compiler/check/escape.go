package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// escapes refuses what would carry a binding of a scope block out of it: tasks that use
// one, and closures that use one and are returned or put into a variable from outside the
// block. Closures may be called in the block and passed on; the objects themselves may leave.
func (c *checker) escapes(sums []*summary) {
	for _, sum := range sums {
		if !sum.closures || !sum.scopes {
			continue
		}
		w := &escapeWalk{c: c, f: sum.f, info: sum.f.Info, phase: after(sum.f, diag.PhaseBodies), level: map[*Var]int{}, holds: map[*Var]int{}}
		w.step = w.node
		w.node(sum.f.Decl.Body)
	}
}

type escapeWalk struct {
	c     *checker
	f     *Func
	info  *Info
	phase diag.Phase
	step  func(syntax.Node)

	depth int          // how many scope blocks are around
	base  int          // how many of them are around the innermost closure
	level map[*Var]int // in how many scope blocks a variable is declared; 0 is left out
	holds map[*Var]int // of variables with closures: the deepest scope block whose binding these use
}

func (w *escapeWalk) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ScopeStmt:
		for _, s := range n.Seeds {
			w.node(s)
		}
		w.depth++
		for _, b := range n.Bindings {
			w.declared(b.Name)
		}
		w.node(n.Body)
		w.depth--
		return
	case *syntax.ClosureExpr:
		base := w.base
		w.base = w.depth
		syntax.Children(n, w.step)
		w.base = base
		return
	case *syntax.SpawnExpr:
		for _, v := range w.info.Captures[n] {
			if v.Kind == ScopeVar {
				w.report(diag.SpawnInScope, n.Span(), "cannot spawn inside scope block: task would capture scope binding '%s'", v.Name)
				break
			}
		}
	case *syntax.LetStmt:
		if v := w.declared(n.Name); v != nil {
			w.holds[v] = w.carries(n.Value)
		}
	case *syntax.AssignStmt:
		w.assign(n)
	case *syntax.ReturnStmt:
		if w.carries(n.Value) > w.base {
			w.report(diag.EscapesByReturn, n.Span(), "closure capturing scope binding cannot escape scope block via return")
		}
	}
	syntax.Children(n, w.step)
}

// declared notes where a variable is declared.
func (w *escapeWalk) declared(at *syntax.Ident) *Var {
	v := w.info.Defs[at]
	if v != nil && w.depth > 0 {
		w.level[v] = w.depth
	}
	return v
}

func (w *escapeWalk) assign(n *syntax.AssignStmt) {
	carried := w.carries(n.Value)
	if carried == 0 {
		return
	}
	v := w.root(n.Target)
	if v == nil {
		return
	}
	if w.level[v] < carried {
		w.report(diag.EscapesByAssign, n.Span(), "closure capturing scope binding cannot escape scope block via assignment to outer variable")
		return
	}
	w.holds[v] = max(w.holds[v], carried)
}

// root is the variable at the head of an assignment's target.
func (w *escapeWalk) root(e syntax.Expr) *Var {
	for {
		switch x := unparen(e).(type) {
		case *syntax.FieldExpr:
			e = x.X
		case *syntax.IndexExpr:
			e = x.X
		case *syntax.IdentExpr:
			v, _ := w.info.Target(x).(*Var)
			return v
		case *syntax.SelfExpr:
			return w.f.Self
		default:
			return nil
		}
	}
}

// carries is the depth of the innermost scope block whose bindings a value's closures use;
// 0 for none.
func (w *escapeWalk) carries(e syntax.Expr) int {
	most := 0
	switch e := unparen(e).(type) {
	case *syntax.ClosureExpr:
		for _, v := range w.info.Captures[e] {
			most = max(most, w.holds[v])
			if v.Kind == ScopeVar {
				most = max(most, w.level[v])
			}
		}
	case *syntax.IdentExpr:
		if v, ok := w.info.Target(e).(*Var); ok {
			most = w.holds[v]
		}
	case *syntax.ArrayLit:
		for _, x := range e.Elems {
			most = max(most, w.carries(x))
		}
	case *syntax.LitExpr:
		for _, f := range e.Fields {
			most = max(most, w.carries(f.Value))
		}
	case *syntax.IfExpr:
		most = max(w.ends(e.Then), w.ends(e.Else))
		if e.ElseIf != nil {
			most = max(most, w.carries(e.ElseIf))
		}
	case *syntax.MatchExpr:
		for _, a := range e.Arms {
			most = max(most, w.carries(a.Value))
		}
	}
	return most
}

// ends is carries of the value of a branch.
func (w *escapeWalk) ends(b *syntax.Block) int {
	if b == nil || len(b.Stmts) == 0 {
		return 0
	}
	if x, ok := b.Stmts[len(b.Stmts)-1].(*syntax.ExprStmt); ok {
		return w.carries(x.X)
	}
	return 0
}

func (w *escapeWalk) report(code diag.Code, at source.Span, format string, args ...any) {
	w.c.report(w.phase, code, w.f.File, at, format, args...)
}
