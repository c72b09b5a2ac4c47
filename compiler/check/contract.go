package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// contractFragments refuses what contract clauses may not contain. It looks at the text
// alone, before anything is declared, at generic declarations too.
func (c *checker) contractFragments() {
	for _, m := range c.prog.Project.Modules {
		f := fragment{c: c, enums: map[string]bool{}}
		for _, file := range m.Files {
			for _, d := range file.Decls {
				if e, ok := d.(*syntax.EnumDecl); ok && e.Name != nil {
					f.enums[e.Name.Name] = true
				}
			}
		}
		f.imported = func(name string) bool { return m.Imports[name] != nil }
		for _, file := range m.Files {
			f.file = file.Src
			for _, d := range file.Decls {
				f.decl(d)
			}
		}
	}
}

// fragment checks the clauses of one file.
type fragment struct {
	c        *checker
	file     *source.File
	enums    map[string]bool
	imported func(name string) bool
	params   []*syntax.Param // names that win over those of enums and modules
	post     bool            // in an ensures clause, where old(x) is allowed
}

func (f *fragment) decl(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.FuncDecl:
		f.function(d)
	case *syntax.ClassDecl:
		f.params = nil
		f.clauses(d.Invariants, false)
		f.functions(d.Methods)
	case *syntax.TraitDecl:
		f.functions(d.Methods)
	case *syntax.AppDecl:
		f.functions(d.Methods)
	}
}

func (f *fragment) functions(ds []*syntax.FuncDecl) {
	for _, d := range ds {
		f.function(d)
	}
}

func (f *fragment) function(d *syntax.FuncDecl) {
	f.params = d.Params
	f.clauses(d.Requires, false)
	f.clauses(d.Ensures, true)
}

func (f *fragment) clauses(cs []*syntax.Clause, post bool) {
	f.post = post
	for _, c := range cs {
		f.expr(c.Cond)
	}
}

// expr reports the outermost expressions that are not in the fragment.
func (f *fragment) expr(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.IntLit, *syntax.FloatLit, *syntax.BoolLit, *syntax.NoneLit, *syntax.SelfExpr, *syntax.IdentExpr, *syntax.BadExpr, nil:
	case *syntax.ParenExpr:
		f.expr(e.X)
	case *syntax.UnaryExpr:
		f.expr(e.X)
	case *syntax.BinaryExpr:
		f.expr(e.X)
		f.expr(e.Y)
	case *syntax.FieldExpr:
		if f.isEnum(e.X) {
			f.refuse(e, "enum expressions are")
			return
		}
		f.expr(e.X)
	case *syntax.MethodExpr:
		if e.Name.Name != "len" {
			f.c.report(diag.PhaseContract, diag.NotInContract, f.file, e.Span(),
				"method call '.%s()' is not allowed in contract expressions (only '.len()' is permitted)", e.Name.Name)
			return
		}
		f.expr(e.X)
	case *syntax.CallExpr:
		if f.post && e.Name.Name == "old" && len(e.Args) == 1 {
			f.expr(e.Args[0])
			return
		}
		f.c.report(diag.PhaseContract, diag.NotInContract, f.file, e.Span(),
			"function call '%s()' is not allowed in contract expressions", e.Name.Name)
	case *syntax.LitExpr:
		if len(e.Path) > 1 && !f.isClassOfModule(e) {
			f.refuse(e, "enum expressions are")
			return
		}
		f.refuse(e, "struct literals are")
	default:
		f.refuse(e, forbidden(e))
	}
}

func (f *fragment) refuse(e syntax.Expr, what string) {
	f.c.report(diag.PhaseContract, diag.NotInContract, f.file, e.Span(), "%s not allowed in contract expressions", what)
}

// forbidden names what kind of expression is refused.
func forbidden(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.StringLit:
		for _, p := range e.Parts {
			if p.X != nil {
				return "string interpolation is"
			}
		}
		return "string literals are"
	case *syntax.ArrayLit:
		return "array literals are"
	case *syntax.MapLit:
		return "map literals are"
	case *syntax.SetLit:
		return "set literals are"
	case *syntax.ClosureExpr:
		return "closures are"
	case *syntax.SpawnExpr:
		return "spawn is"
	case *syntax.CastExpr:
		return "type casts are"
	case *syntax.IndexExpr:
		return "index expressions are"
	case *syntax.RangeExpr:
		return "range expressions are"
	case *syntax.PropagateExpr:
		return "error propagation is"
	case *syntax.UnwrapExpr:
		return "null propagation is"
	case *syntax.CatchExpr:
		return "catch expressions are"
	case *syntax.IfExpr:
		return "if expressions are"
	case *syntax.MatchExpr:
		return "match expressions are"
	case *syntax.StaticExpr:
		return "static trait calls are"
	}
	return "enum expressions are"
}

// isEnum says whether an expression is the enum before a variant: E, E<T> or m.E.
func (f *fragment) isEnum(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.GenericExpr:
		return true
	case *syntax.IdentExpr:
		return f.enums[e.Name] && !f.isParam(e.Name)
	case *syntax.FieldExpr:
		m, ok := e.X.(*syntax.IdentExpr)
		return ok && f.imported(m.Name) && !f.isParam(m.Name)
	}
	return false
}

// isClassOfModule says whether a literal with a dotted path is m.C { }.
func (f *fragment) isClassOfModule(e *syntax.LitExpr) bool {
	return len(e.Path) == 2 && !f.enums[e.Path[0].Name] && f.imported(e.Path[0].Name)
}

func (f *fragment) isParam(name string) bool {
	for _, p := range f.params {
		if p.Name != nil && p.Name.Name == name {
			return true
		}
	}
	return false
}

// traitClauses checks that methods which implement those of traits add no preconditions,
// and that no method has preconditions from two traits; of a generic class once, not for
// its instances.
func (c *checker) traitClauses() {
	for _, d := range c.decls.all {
		if cl, ok := d.obj.(*Class); ok && len(cl.Impls) > 0 {
			c.traitClausesOf(cl)
		}
	}
}

func (c *checker) traitClausesOf(cl *Class) {
	at := func(t *Trait) source.Span {
		for _, id := range cl.Decl.Impls {
			if id.Name == t.Decl.Name.Name {
				return id.Span()
			}
		}
		return cl.Decl.Name.Span()
	}
	from := map[string]*Trait{}       // the first trait with a method
	contracted := map[string]*Trait{} // the first where it has clauses
	for _, t := range cl.Impls {
		for _, m := range t.Methods {
			if from[m.Name] == nil {
				from[m.Name] = t
			}
			if len(m.Decl.Requires) == 0 {
				continue
			}
			if first := contracted[m.Name]; first != nil {
				c.report(diag.PhaseDecls, diag.TwoContracts, cl.File, at(t),
					"class '%s' implements traits %s and %s which both define method '%s' with contracts; this is not supported",
					cl.Name, first.Name, t.Name, m.Name)
				continue
			}
			contracted[m.Name] = t
		}
	}
	for _, m := range cl.Decl.Methods {
		if t := from[m.Name.Name]; t != nil && len(m.Requires) > 0 {
			c.report(diag.PhaseDecls, diag.AddsRequires, cl.File, m.Requires[0].Span(),
				"method '%s' on class '%s' cannot add 'requires' clauses: it implements trait '%s' and adding preconditions would violate the Liskov Substitution Principle",
				m.Name.Name, cl.Name, t.Name)
		}
	}
}
