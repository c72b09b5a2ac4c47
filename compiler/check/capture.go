package check

import "github.com/settgraph/sett/compiler/syntax"

// captures finds what each closure and each spawned call uses that was declared outside of
// it, in order of first use.
func (c *checker) captures(sums []*summary) {
	for _, sum := range sums {
		if !sum.closures {
			continue
		}
		w := &captureWalk{f: sum.f, info: sum.f.Info}
		w.info.Captures = map[syntax.Node][]*Var{}
		w.step = w.node
		w.node(sum.f.Decl.Body)
	}
}

type captureWalk struct {
	f     *Func
	info  *Info
	stack []capturing // the closures and spawns around the current node, the outermost first
	step  func(syntax.Node)
}

type capturing struct {
	node syntax.Node
	seen map[*Var]bool
}

func (w *captureWalk) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ClosureExpr, *syntax.SpawnExpr:
		w.stack = append(w.stack, capturing{n, map[*Var]bool{}})
		w.info.Captures[n] = nil
		syntax.Children(n, w.step)
		w.stack = w.stack[:len(w.stack)-1]
		return
	case *syntax.IdentExpr:
		w.use(w.info.Target(n))
	case *syntax.SelfExpr:
		w.use(w.f.Self)
	case *syntax.CallExpr:
		w.use(w.info.Target(n))
	}
	syntax.Children(n, w.step)
}

// use notes a variable with every closure between it and its declaration.
func (w *captureWalk) use(o Object) {
	var v *Var
	switch o := o.(type) {
	case *Var:
		v = o
	case *Field: // the bare name of an ambient field
		v = w.f.Self
	}
	if v == nil {
		return
	}
	for i := len(w.stack) - 1; i >= 0 && w.stack[i].node != v.Owner; i-- {
		v.Captured = true
		if in := w.stack[i]; !in.seen[v] {
			in.seen[v] = true
			w.info.Captures[in.node] = append(w.info.Captures[in.node], v)
		}
	}
}
