package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// General is what [Check] leaves out because no program needs it to run: facts about
// declarations as they are written. They are good for knowing what names mean, and for
// nothing else: where a type parameter would have to be something, types are invalid.
type General struct {
	// Funcs are generic functions and the methods of generic classes, their type parameters
	// standing for themselves; the default methods of traits, their receiver being the
	// trait; the methods of traits that have clauses, with the facts about these; the test
	// blocks that Check dropped; and functions that lost their name to another.
	Funcs []*Func
	// Invariants are those of generic classes.
	Invariants []Contract
}

// General looks at what Check leaves out. It does so once, and may be called from several
// goroutines, but not while something else uses the Universe of the program.
func (p *Program) General() *General {
	if p.general == nil {
		return &General{}
	}
	return p.general()
}

// general checks the bodies of General without a word. The program is complete by now: new
// instances are made for their types only and get into nothing.
func (c *checker) general() *General {
	c.diags, c.phase, c.asWritten = &diag.List{}, diag.PhaseGenerics, true
	c.fillOpen()
	out := &General{}
	look := func(f *Func) {
		c.checkFunc(f)
		out.Funcs = append(out.Funcs, f)
	}
	for _, g := range c.generics {
		f := *g
		f.Requires, f.Ensures = ownClauses(g.Requires), ownClauses(g.Ensures)
		look(&f)
	}
	for _, d := range c.decls.all {
		switch decl := d.decl.(type) {
		case *syntax.ClassDecl:
			cl, ok := d.obj.(*Class)
			if !ok || !cl.isGeneric() {
				continue
			}
			for _, inv := range cl.Invariants {
				ct := Contract{Clause: inv.Clause, File: inv.File, Info: newInfo(inv.Clause.NumExprs)}
				c.clause(nil, cl, &ct, invariantClause)
				out.Invariants = append(out.Invariants, ct)
			}
		case *syntax.TraitDecl:
			if t, ok := d.obj.(*Trait); ok && d.mod != c.prelude {
				for _, m := range t.Methods {
					if m.stand != nil {
						out.Funcs = append(out.Funcs, m.stand)
					}
					if m.Decl.Body != nil {
						look(&Func{
							Name: t.Name + "$" + m.Name, Short: m.Name, Module: d.mod, File: d.file, Decl: m.Decl,
							Default: m, Self: selfOf(m.Decl, t.Type), Params: m.Params, Result: m.Result,
						})
					}
				}
			}
		case *syntax.FuncDecl:
			if d.obj == nil && decl.Name != nil {
				f := c.newFunc(c.declEnv(d, decl.TypeParams), decl, qualified(d.mod, decl.Name.Name))
				f.bounds = c.typeParams(d.mod, d.file, "function", decl.Name.Name, decl.TypeParams)
				look(f)
			}
		case *syntax.TestDecl:
			c.droppedTest(d, decl, look)
		case *syntax.TestsDecl:
			for _, t := range decl.Tests {
				c.droppedTest(d, t, look)
			}
		}
	}
	return out
}

// fillOpen gives members to the instances that were only names for types in generic
// signatures so far.
func (c *checker) fillOpen() {
	var open []filling
	for _, o := range c.instances.byKey {
		switch o := o.(type) {
		case *Class:
			if o.Type.open {
				open = append(open, filling{class: o, file: o.File, at: o.Decl.Span()})
			}
		case *Enum:
			if o.Type.open {
				open = append(open, filling{enum: o, file: o.File, at: o.Decl.Span()})
			}
		}
	}
	for _, f := range open {
		c.fill(f)
	}
}

// droppedTest looks at a test block unless it was checked as a part of a test run.
func (c *checker) droppedTest(d *entry, t *syntax.TestDecl, look func(*Func)) {
	if !c.prog.Project.Test || d.mod != c.prog.Root {
		look(c.testFunc(d, t))
	}
}

// standForThemselves makes type parameters mean themselves.
func (c *checker) standForThemselves(e *env, owner syntax.Decl, params []*syntax.TypeParam, bounds [][]*Trait) {
	types := c.paramTypes(owner, params)
	e.params = bind(params, types)
	e.bounds = make(map[*Type][]*Trait, len(types))
	for i, t := range types {
		if i < len(bounds) {
			e.bounds[t] = append(e.bounds[t], bounds[i]...)
		}
	}
}
