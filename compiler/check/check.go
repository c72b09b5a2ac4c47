package check

import (
	"sync"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
)

// Check checks a loaded program. It never fails: what is wrong is in the program's Diags,
// which are those of the project.
func Check(p *load.Project) *Program {
	c := newChecker(p)
	c.declare()
	c.phase = diag.PhaseBodies
	c.checkTraitClauses()
	for _, f := range c.plain {
		c.checkFunc(f)
	}
	c.checkInvariants(c.prog.Classes)
	for _, f := range c.generics {
		c.missingReturn(f)
	}
	c.phase = diag.PhaseGenerics
	c.checkInstances()
	c.finish()
	c.afterBodies()
	c.prog.general = sync.OnceValue(c.general)
	return c.prog
}

// checker is the state of one check.
//
// Its parts call each other as follows. The declarations (declare) fill the program's
// modules, types and signatures. Bodies are checked by [checker.body] and
// [checker.clause]; they look names up with [checker.lookup], [checker.imported] and
// [checker.lookupError], resolve written types with [checker.resolve], and instantiate what
// is generic. Instances that this finds are queued and checked after all plain bodies.
// Last come the passes over checked bodies, [checker.afterBodies].
//
// After an error the checker goes on with the invalid type, which fits everything.
type checker struct {
	prog  *Program
	u     *Universe
	diags *diag.List
	phase diag.Phase // what checking a body reports under
	doubt doubt

	byLoad  map[*load.Module]*Module
	missing *Module // stands for every module that could not be loaded
	prelude *Module
	decls   declared

	plain       []*Func // everything with a body that is no instance, in the order of the text
	generics    []*Func // generic functions, and methods of generic classes
	asWritten   bool    // generic declarations are looked at themselves; see [Program.General]
	preludeUsed bool
	instances   instances
	graph       lifecycles

	allErrors     []*ErrorDecl            // see everyError
	runtimeErrors map[string][]*ErrorDecl // see predeclared
}

// env is where a type or a body is looked at.
type env struct {
	mod    *Module
	file   *source.File
	params map[string]*Type // what type parameters stand for; of an uninstantiated declaration, the parameters themselves
	info   *Info            // where resolved types are recorded; nil for signatures

	bounds map[*Type][]*Trait // of type parameters that stand for themselves
}

func newChecker(p *load.Project) *checker {
	u := NewUniverse()
	c := &checker{
		prog:   &Program{Project: p, Universe: u, Diags: p.Diags, DI: &Injection{}},
		u:      u,
		diags:  p.Diags,
		phase:  diag.PhaseDecls,
		byLoad: map[*load.Module]*Module{},
	}
	c.instances.init()
	c.graph.init()
	c.doubt = doubts(c)
	return c
}

// report adds an error at a place, unless it is in doubt. Texts that lead to it should not be
// built beforehand: most programs have none.
func (c *checker) report(phase diag.Phase, code diag.Code, file *source.File, span source.Span, format string, args ...any) *diag.Diagnostic {
	if c.doubt.covers(phase, file, span) {
		return &diag.Diagnostic{}
	}
	return c.diags.Report(phase, code, file, span, format, args...)
}

// envOf is where the body and the clauses of f are looked at.
func (c *checker) envOf(f *Func) *env {
	e := &env{mod: f.Module, file: f.File, info: f.Info}
	switch {
	case f.Generic != nil && f.Class == nil:
		e.params = bind(f.Generic.Decl.TypeParams, f.TypeArgs)
	case f.Class != nil && f.Class.Generic != nil && f.Default == nil:
		e.params = bind(f.Class.Decl.TypeParams, f.Class.TypeArgs)
	case f.isGeneric():
		c.standForThemselves(e, f.Decl, f.Decl.TypeParams, f.bounds)
	case f.Class != nil && f.Class.isGeneric():
		c.standForThemselves(e, f.Class.Decl, f.Class.Decl.TypeParams, f.Class.bounds)
	}
	return e
}

// checkFunc checks the clauses and the body of a function.
func (c *checker) checkFunc(f *Func) {
	f.Info = newInfo(f.Decl.NumExprs)
	c.body(f)
	for i := range f.Requires {
		c.ownClause(f, &f.Requires[i], requiresClause)
	}
	for i := range f.Ensures {
		c.ownClause(f, &f.Ensures[i], ensuresClause)
	}
}

// ownClause checks a clause that is the function's own; those of traits are checked once,
// with the trait.
func (c *checker) ownClause(f *Func, ct *Contract, kind clauseKind) {
	if ct.Params == nil && ct.Info == nil {
		ct.Info = f.Info
		c.clause(f, nil, ct, kind)
	}
}

// checkInvariants checks the invariants of classes.
func (c *checker) checkInvariants(classes []*Class) {
	for _, cl := range classes {
		for i := range cl.Invariants {
			ct := &cl.Invariants[i]
			ct.Info = newInfo(ct.Clause.NumExprs)
			c.clause(nil, cl, ct, invariantClause)
		}
	}
}

// finish puts instances behind the plain declarations in the program.
func (c *checker) finish() {
	p := c.prog
	p.Funcs = append(c.plain, c.instances.funcs...)
	p.Classes = append(p.Classes, c.instances.classes...)
	p.Enums = append(p.Enums, c.instances.enums...)
	c.dropPrelude()
	c.orderSingletons()
}

// clauseKind says what a contract clause is.
type clauseKind uint8

const (
	requiresClause clauseKind = iota
	ensuresClause
	invariantClause
)
