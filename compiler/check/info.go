package check

import "github.com/settgraph/sett/compiler/syntax"

// newInfo makes the facts of a body whose expressions have ids below n. Its maps are made
// when something is put into them; reading a nil map is fine.
func newInfo(n int) *Info {
	return &Info{types: make([]*Type, n), targets: make([]Object, n)}
}

// Has says whether the expression can be one of the body that the facts are about.
func (i *Info) Has(e syntax.Expr) bool { return 0 <= e.ID() && e.ID() < len(i.types) }

func (i *Info) setType(e syntax.Expr, t *Type) {
	if id := e.ID(); id >= 0 && id < len(i.types) {
		i.types[id] = t
	}
}

func (i *Info) setTarget(e syntax.Expr, o Object) {
	if id := e.ID(); id >= 0 && id < len(i.targets) {
		i.targets[id] = o
	}
}

func (i *Info) define(at *syntax.Ident, v *Var) {
	if at == nil {
		return
	}
	if i.Defs == nil {
		i.Defs = make(map[*syntax.Ident]*Var)
	}
	i.Defs[at] = v
}

func (i *Info) setArm(a *syntax.MatchArm, v *Variant) {
	if i.Arms == nil {
		i.Arms = make(map[*syntax.MatchArm]*Variant)
	}
	i.Arms[a] = v
}

func (i *Info) setErr(n syntax.Node, e *ErrorDecl) {
	if i.Errs == nil {
		i.Errs = make(map[syntax.Node]*ErrorDecl)
	}
	i.Errs[n] = e
}

func (i *Info) setWiring(s *syntax.ScopeStmt, w *Wiring) {
	if i.Wirings == nil {
		i.Wirings = make(map[*syntax.ScopeStmt]*Wiring)
	}
	i.Wirings[s] = w
}
