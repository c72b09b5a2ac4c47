package check

import (
	"slices"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// inferTypeArgs finds the type arguments of a call of a generic function from the types of
// its value arguments, of which there are as many as parameters; an argument whose type is
// nil or invalid says nothing. After an error it is nil, and without one when an invalid
// argument leaves a parameter open.
func (c *checker) inferTypeArgs(g *Func, args []*Type, file *source.File, at source.Span) []*Type {
	n := inference{c: c, params: c.paramTypes(g.Decl, g.Decl.TypeParams)}
	n.found = make([]*Type, len(n.params))
	silent := false
	for i, a := range args {
		if i >= len(g.Params) {
			break
		}
		if a != nil && a.broken {
			silent = true
		}
		if a == nil || a.broken {
			continue
		}
		p := g.Params[i].Type
		if !n.unify(p, a) {
			want := (&substitution{c, n.params, n.known(), file, at}).of(p)
			c.report(c.phase, diag.CannotInferParams, file, at, "cannot infer type parameters for '%s': argument %d of '%s': expected %s, found %s", g.Name, i+1, g.Name, want, a)
			return nil
		}
	}
	for i, t := range n.found {
		switch {
		case t == nil && silent:
			return nil
		case t == nil && n.none, t != nil && unresolved(t):
			c.report(c.phase, diag.VoidNullable, file, at, "void? is not allowed").
				Note(nil, source.Span{}, "'%s' cannot be inferred from none; give the argument a type first", n.params[i].Name)
			return nil
		case t == nil:
			d := c.report(c.phase, diag.CannotInferParams, file, at, "cannot infer type parameter '%s' for '%s'", n.params[i].Name, g.Name)
			if g.Module.has(file) {
				d.Note(nil, source.Span{}, "write the type arguments: %s<...>(...)", g.Decl.Name.Name)
			} else {
				d.Note(nil, source.Span{}, "type arguments can be written only for functions of the same module; here the arguments of the call have to tell them")
			}
			return nil
		}
	}
	return n.found
}

// has says whether a file is of the module.
func (m *Module) has(file *source.File) bool {
	return slices.ContainsFunc(m.Src.Files, func(f *syntax.File) bool { return f.Src == file })
}

// inference is what a call says about the type parameters of its function.
type inference struct {
	c      *checker
	params []*Type
	found  []*Type // parallel; nil while unknown
	none   bool    // some `none` stood where a nullable of a parameter is wanted
}

// known is what was found, and the parameters themselves for the rest.
func (n *inference) known() []*Type {
	out := make([]*Type, len(n.found))
	for i, t := range n.found {
		if out[i] = t; t == nil {
			out[i] = n.params[i]
		}
	}
	return out
}

// unify lets an argument of type a say what the parameters in p are; false means that it
// cannot fit. Inside user-defined generic types it does not look.
func (n *inference) unify(p, a *Type) bool {
	if !p.open {
		return n.c.assignable(a, p)
	}
	switch p.Kind {
	case KParam:
		for i, q := range n.params {
			if q == p {
				if n.found[i] == nil {
					n.found[i] = a
				}
				return n.found[i] == a
			}
		}
		return false
	case KNullable:
		switch {
		case a == n.c.u.None:
			n.none = true
			return true
		case a.Kind == KNullable:
			return n.unify(p.Elem, a.Elem)
		}
		return n.unify(p.Elem, a)
	case KClass, KEnum:
		return a.Kind == p.Kind
	case KFunc:
		if a.Kind != KFunc || len(a.Params) != len(p.Params) {
			return false
		}
		for i, q := range p.Params {
			if !n.unify(q, a.Params[i]) {
				return false
			}
		}
		return n.unify(p.Result, a.Result)
	}
	if a.Kind != p.Kind || p.Key != nil && !n.unify(p.Key, a.Key) {
		return false
	}
	return n.unify(p.Elem, a.Elem)
}
