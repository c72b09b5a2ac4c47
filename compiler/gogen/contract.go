package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// requires checks what a function demands, on entry.
func (f *fn) requires() {
	for _, c := range f.of.Requires {
		f.clause(c, "requires violation in "+f.of.Name)
	}
}

// clause checks one clause of a contract. What is violated is said before the condition.
func (f *fn) clause(c check.Contract, violation string) {
	info, file, at := f.info, f.file, f.at
	defer func() { f.info, f.file, f.at = info, file, at }()
	f.bindClause(c)
	f.check(c.Clause.Cond, violation)
}

// bindClause makes names mean what they mean in a clause. A clause of a trait's method has
// names of its own for the parameters.
func (f *fn) bindClause(c check.Contract) {
	f.info = c.Info
	if c.File != nil {
		f.file = c.File
	}
	f.at = f.lineOf(c.Clause)
	for i, p := range c.Params {
		if i < len(f.of.Params) {
			l := f.local(f.of.Params[i])
			f.vars[p] = l
		}
	}
}

// olds are the expressions under old(...) in a clause.
func olds(info *check.Info, n syntax.Node) []*syntax.CallExpr {
	var out []*syntax.CallExpr
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		if c, ok := n.(*syntax.CallExpr); ok && info.Target(c) == check.Builtin("old") {
			out = append(out, c)
			return
		}
		syntax.Children(n, visit)
	}
	visit(n)
	return out
}

// old is the value that an expression had on entry.
func (f *fn) old(e *syntax.CallExpr) string { return f.oldValues[e] }

// guarded writes a function with ensures clauses: it keeps what the clauses say about the
// state on entry, calls the function with the body, and checks the clauses unless that
// function raised.
func (f *fn) guarded(inner string) {
	f.oldValues = map[*syntax.CallExpr]string{}
	for _, c := range f.of.Ensures {
		f.oldOf(c)
	}
	var vs []val
	for _, p := range f.of.Params {
		vs = append(vs, f.read(p))
	}
	if f.of.Self != nil {
		inner = "self." + inner
	}
	c := call{text: inner + "(" + args(vs) + ")", eff: acts, typ: f.of.Result, fails: f.of.Fallible()}
	var result val
	if c.fails {
		result = f.tried(c, false, f.returnError)
	} else if isVoid(c.typ) {
		f.emit(c.text)
	} else {
		result = f.spill(val{text: c.text, eff: acts})
	}
	f.resultName = result.text
	for _, c := range f.of.Ensures {
		f.clause(c, "ensures violation in "+f.of.Name)
	}
	f.returnValue(result)
}

// oldOf keeps the values on entry that a clause asks for.
func (f *fn) oldOf(c check.Contract) {
	info, file, at := f.info, f.file, f.at
	defer func() { f.info, f.file, f.at = info, file, at }()
	f.bindClause(c)
	for _, e := range olds(c.Info, c.Clause.Cond) {
		name := f.temp("old")
		f.emit(name + " := " + f.expr(e.Args[0]).typed())
		f.emit("_ = " + name)
		f.oldValues[e] = name
	}
}

// invariantFunc is the Go function that checks the invariants of a class and gives the
// object back.
func (g *generator) invariantFunc(c *check.Class) string {
	name, ok := g.invariants[c]
	if !ok {
		name = g.helper("check_" + goIdent(c.Name))
		g.invariants[c] = name
		f := g.newFn(&check.Func{Name: c.Name, Result: c.Type}, nil, c.File)
		f.result = c.Type
		for _, inv := range c.Invariants {
			f.clause(inv, "invariant violation on "+c.Name)
		}
		f.cur.displace() // the place of a violation is that of the call
		b := &block{}
		typ := g.goType(c.Type)
		b.add(line{text: "// " + name + " checks the invariants of " + c.Name + "."})
		b.add(line{text: "func " + name + "(self " + typ + ") " + typ + " {"})
		b.nest(f.cur)
		b.add(line{text: "return self"})
		b.add(line{text: "}"})
		g.helpers = append(g.helpers, b)
	}
	return name
}
