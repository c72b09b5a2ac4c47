package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// operands lowers parts of an expression that Pluto evaluates from left to right. What Go
// would evaluate in another order is put into variables first: a part that depends on
// memory before a part that may change it, and everything before a part that needs
// statements of its own.
func (f *fn) operands(lower ...func() val) []val {
	type part struct {
		block   *block
		v       val
		assigns bool
		spill   bool
	}
	parts := make([]part, len(lower))
	for i, l := range lower {
		before := f.assigns
		saved := f.cur
		f.cur = &block{}
		v := l()
		parts[i] = part{block: f.cur, v: v, assigns: f.assigns != before}
		f.cur = saved
	}
	var statements, calls, assigns bool
	for i := len(parts) - 1; i >= 0; i-- {
		p := &parts[i]
		p.spill = statements && p.v.eff&(heap|reads|acts) != 0 || calls && p.v.eff&heap != 0 ||
			assigns && p.v.eff&reassigned != 0
		statements = statements || p.spill || !p.block.empty()
		calls = calls || p.v.eff&acts != 0
		assigns = assigns || p.assigns
	}
	vs := make([]val, len(parts))
	for i, p := range parts {
		f.join(p.block)
		vs[i] = p.v
		if p.spill {
			vs[i] = f.spill(p.v)
		}
	}
	return vs
}

// exprs lowers expressions in order, each as a value of type t.
func (f *fn) exprs(es []syntax.Expr, t *check.Type) []val {
	lower := make([]func() val, len(es))
	for i, e := range es {
		lower[i] = func() val { return f.exprAs(e, t) }
	}
	return f.operands(lower...)
}

// join appends statements that were lowered apart.
func (f *fn) join(b *block) {
	f.cur.lines = append(f.cur.lines, b.lines...)
	if b.flow > f.cur.flow {
		f.cur.flow = b.flow
	}
}

// spill puts a value into a variable of its own, which nothing assigns again.
func (f *fn) spill(v val) val {
	if v.k != nil || v.eff == 0 && v.prec == precPrimary {
		return v
	}
	name := f.temp("tmp")
	f.emit(name + " := " + v.typed())
	return val{text: name}
}
