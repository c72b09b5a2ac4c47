package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// conformance checks that classes do what the traits they list demand, and gives them the
// default methods that they lack. Instances of generic classes do so as they are made; of
// the generic class itself only what does not depend on its parameters is checked.
func (c *checker) conformance() {
	for _, d := range c.decls.all {
		if cl, ok := d.obj.(*Class); ok && len(cl.Decl.Impls) > 0 {
			c.implList(cl)
			c.conform(cl)
		}
	}
}

// implList reports what is wrong with the list of traits itself.
func (c *checker) implList(cl *Class) {
	for i, id := range cl.Decl.Impls {
		t, ok := c.lookup(cl.Module, id.Name).(*Trait)
		if !ok {
			if id.Name != "" {
				c.report(diag.PhaseDecls, diag.UnknownTrait, cl.File, id.Span(), "unknown trait '%s'", id.Name)
			}
			continue
		}
		for _, before := range cl.Decl.Impls[:i] {
			if before.Name == id.Name {
				c.report(diag.PhaseDecls, diag.TraitTwice, cl.File, id.Span(), "trait '%s' appears multiple times in impl list for class '%s'", t.Name, cl.Name)
				break
			}
		}
	}
}

// conform gives a class its default methods and checks every method that its traits demand.
func (c *checker) conform(cl *Class) {
	if len(cl.Impls) == 0 {
		return
	}
	if !cl.isGeneric() {
		c.inherit(cl)
	}
	for _, t := range cl.Impls {
		if !cl.isGeneric() {
			t.Impls = append(t.Impls, cl)
		}
		for _, want := range t.Methods {
			if want.Decl.Self == syntax.NoSelf {
				continue // can be used by reflection only
			}
			m := cl.Method(want.Name)
			switch {
			case m != nil && m.Default == want:
			case m != nil:
				c.conformMethod(cl, m, want)
			case want.Decl.Body == nil:
				c.report(c.phase, diag.MissingMethod, cl.File, implOf(cl, t), "class '%s' does not implement required method '%s' from trait '%s'", cl.Name, want.Name, t.Name).
					Note(t.File, want.Decl.Name.Span(), "'%s' is required here", want.Name)
			}
		}
	}
}

// implOf is where a class lists a trait.
func implOf(cl *Class, t *Trait) source.Span {
	for _, id := range cl.Decl.Impls {
		if t.Decl.Name.Name == id.Name {
			return id.Span()
		}
	}
	return cl.Decl.Name.Span()
}

// inherit copies the default methods that a class lacks. Two defaults of one name would be
// two definitions of one method.
func (c *checker) inherit(cl *Class) {
	declared := len(cl.Methods)
	for _, t := range cl.Impls {
		for _, m := range t.Methods {
			if m.Decl.Body == nil || m.Decl.Self == syntax.NoSelf {
				continue
			}
			old := cl.Method(m.Name)
			if old == nil {
				cl.Methods = append(cl.Methods, c.copyDefault(cl, m))
				continue
			}
			for _, copied := range cl.Methods[declared:] {
				if copied == old {
					c.report(diag.PhaseCodegen, diag.DuplicateDefault, cl.File, implOf(cl, t), "Duplicate definition of identifier: %s", old.Name).
						Note(t.File, m.Decl.Name.Span(), "trait '%s' gives '%s' a body", t.Name, m.Name).
						Note(old.File, old.Decl.Name.Span(), "and so does trait '%s'; define '%s' in class '%s'", old.Default.Trait.Name, m.Name, cl.Name)
				}
			}
		}
	}
}

// copyDefault makes a trait's default method a method of a class.
func (c *checker) copyDefault(cl *Class, m *TraitMethod) *Func {
	f := &Func{
		Name: cl.Name + "$" + m.Name, Short: m.Name, Module: m.Trait.Module, File: m.Trait.File, Decl: m.Decl,
		Class: cl, Default: m, Self: selfOf(m.Decl, cl.Type), Result: m.Result,
	}
	for _, p := range m.Params {
		f.Params = append(f.Params, &Var{Name: p.Name, Type: p.Type, Decl: p.Decl, Kind: p.Kind, Mut: p.Mut})
	}
	f.takeContracts(m)
	return f
}

// takeContracts gives a method the clauses of the trait's method that it implements.
func (f *Func) takeContracts(m *TraitMethod) {
	if m.stand != nil {
		f.Requires = append(f.Requires, m.stand.Requires...)
		f.Ensures = append(f.Ensures, m.stand.Ensures...)
	}
}

// conformMethod checks a method of a class against that of a trait.
func (c *checker) conformMethod(cl *Class, m *Func, want *TraitMethod) {
	t := want.Trait.Name
	at := m.Decl.Name.Span()
	report := func(code diag.Code, at source.Span, format string, args ...any) {
		d := c.report(c.phase, code, m.File, at, format, args...)
		if m.Default == nil {
			d.Note(want.Trait.File, want.Decl.Name.Span(), "trait '%s' declares '%s' here", t, want.Name)
		}
	}
	if len(m.Params) != len(want.Params) || m.Decl.Self == syntax.NoSelf {
		report(diag.MethodArity, at, "method '%s' of class '%s' has wrong number of parameters for trait '%s'", want.Name, cl.Name, t)
		return
	}
	for i, p := range m.Params {
		if w := want.Params[i].Type; !p.Type.open && !c.same(p.Type, w) {
			report(diag.MethodParam, m.Decl.Params[i].Span(), "method '%s' parameter %d type mismatch: trait '%s' expects %s, class '%s' has %s", want.Name, i+1, t, w, cl.Name, p.Type)
		}
	}
	if !m.Result.open && !c.same(m.Result, want.Result) {
		resultAt := at
		if m.Decl.Result != nil {
			resultAt = m.Decl.Result.Span()
		}
		report(diag.MethodResult, resultAt, "method '%s' return type mismatch: trait '%s' expects %s, class '%s' returns %s", want.Name, t, want.Result, cl.Name, m.Result)
	}
	switch {
	case want.Decl.Self == syntax.MutSelf && m.Decl.Self != syntax.MutSelf:
		report(diag.MethodSelf, at, "method '%s' in trait '%s' declares 'mut self', but class '%s' does not", want.Name, t, cl.Name)
	case want.Decl.Self == syntax.Self && m.Decl.Self == syntax.MutSelf:
		report(diag.MethodSelf, at, "method '%s' in trait '%s' declares 'self', but class '%s' declares 'mut self'", want.Name, t, cl.Name)
	}
	if !cl.isGeneric() {
		m.takeContracts(want)
	}
}
