package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// params makes the parameters of a function; owner is its name in messages.
func (c *checker) params(at *env, owner string, params []*syntax.Param) []*Var {
	if len(params) == 0 {
		return nil
	}
	out := make([]*Var, len(params))
	for i, p := range params {
		for _, q := range params[:i] {
			if q.Name.Name == p.Name.Name && p.Name.Name != "" {
				c.report(diag.PhaseDecls, diag.ParamDeclared, at.file, p.Name.Span(), "parameter '%s' is already declared in function '%s'", p.Name.Name, owner)
				break
			}
		}
		out[i] = &Var{Name: p.Name.Name, Type: c.resolve(at, p.Type), Decl: p.Name, Kind: ParamVar, Mut: true}
	}
	return out
}

// selfOf is the receiver of a method, or nil.
func selfOf(d *syntax.FuncDecl, t *Type) *Var {
	if d.Self == syntax.NoSelf {
		return nil
	}
	return &Var{Name: "self", Type: t, Kind: SelfVar, Mut: d.Self == syntax.MutSelf}
}

func contracts(clauses []*syntax.Clause, file *source.File) []Contract {
	var out []Contract
	for _, cl := range clauses {
		out = append(out, Contract{Clause: cl, File: file})
	}
	return out
}

// newFunc makes a function or method of its text. The type parameters of at are those of
// the function or its class.
func (c *checker) newFunc(at *env, d *syntax.FuncDecl, name string) *Func {
	return &Func{
		Name: name, Short: d.Name.Name, Module: at.mod, File: at.file, Decl: d,
		Params:   c.params(at, d.Name.Name, d.Params),
		Result:   c.resolveResult(at, d.Result),
		Requires: contracts(d.Requires, at.file),
		Ensures:  contracts(d.Ensures, at.file),
	}
}

func (c *checker) traitSignatures() {
	for _, d := range c.decls.all {
		t, ok := d.obj.(*Trait)
		if !ok {
			continue
		}
		at := &env{mod: d.mod, file: d.file}
		for _, decl := range t.Decl.Methods {
			if decl.Name.Name == "" {
				continue
			}
			if t.Method(decl.Name.Name) != nil {
				c.report(diag.PhaseDecls, diag.DuplicateMethod, d.file, decl.Name.Span(), "duplicate method '%s' in trait '%s'", decl.Name.Name, t.Name)
				continue
			}
			m := &TraitMethod{Name: decl.Name.Name, Trait: t, Decl: decl}
			f := c.newFunc(at, decl, t.Name+"$"+decl.Name.Name)
			f.Self = selfOf(decl, t.Type)
			m.Params, m.Result = f.Params, f.Result
			if len(f.Requires)+len(f.Ensures) > 0 {
				// One info for all clauses: their expressions are counted together.
				f.Info = newInfo(decl.NumExprs)
				f.Requires = c.traitContracts(f, f.Requires)
				f.Ensures = c.traitContracts(f, f.Ensures)
				m.stand = f
			}
			t.Methods = append(t.Methods, m)
		}
	}
}

// traitContracts are the clauses of a trait's method as every implementation has them: they
// are about the parameters and the receiver of the trait's method.
func (c *checker) traitContracts(f *Func, clauses []Contract) []Contract {
	for i := range clauses {
		clauses[i].Info, clauses[i].Params, clauses[i].Self = f.Info, f.Params, f.Self
	}
	return clauses
}

// checkTraitClauses checks the clauses of traits, once for all implementations.
func (c *checker) checkTraitClauses() {
	for _, t := range c.prog.Traits {
		for _, m := range t.Methods {
			if m.stand == nil {
				continue
			}
			for i := range m.stand.Requires {
				c.clause(m.stand, nil, &m.stand.Requires[i], requiresClause)
			}
			for i := range m.stand.Ensures {
				c.clause(m.stand, nil, &m.stand.Ensures[i], ensuresClause)
			}
		}
	}
}

func (c *checker) externs() {
	for _, d := range c.decls.all {
		decl, ok := d.decl.(*syntax.ExternDecl)
		if !ok || !c.free(d, "function") {
			continue
		}
		at := &env{mod: d.mod, file: d.file}
		f := &Func{
			Name: qualified(d.mod, decl.Name.Name), Short: decl.Name.Name, Module: d.mod, File: d.file, Extern: decl,
			Params: c.params(at, decl.Name.Name, decl.Params), Result: c.resolveResult(at, decl.Result),
		}
		if !d.mod.Src.Std {
			for i, p := range f.Params {
				c.externType(d.file, decl.Params[i].Type.Span(), p.Type)
			}
			if f.Result.Kind != KVoid {
				c.externType(d.file, decl.Result.Span(), f.Result)
			}
		}
		d.obj = f
		d.mod.Scope[decl.Name.Name] = f
		c.prog.Externs = append(c.prog.Externs, f)
	}
}

// externType reports a type that cannot cross over to the runtime. The standard library
// and the runtime are made for each other, and may pass what they like.
func (c *checker) externType(file *source.File, at source.Span, t *Type) {
	elem := t
	if t.Kind == KArray {
		elem = t.Elem
	}
	switch elem.Kind {
	case KInt, KFloat, KBool, KString, KInvalid:
	default:
		c.report(diag.PhaseDecls, diag.ExternType, file, at,
			"extern functions only support primitive types and arrays (int, float, bool, string, array), got '%s'", t)
	}
}

func (c *checker) signatures() {
	for _, d := range c.decls.all {
		decl, ok := d.decl.(*syntax.FuncDecl)
		if !ok || !c.free(d, "function") {
			continue
		}
		bounds := c.typeParams(d.mod, d.file, "function", decl.Name.Name, decl.TypeParams)
		f := c.newFunc(c.declEnv(d, decl.TypeParams), decl, qualified(d.mod, decl.Name.Name))
		f.bounds = bounds
		d.obj = f
		d.mod.Scope[decl.Name.Name] = f
	}
}

func (c *checker) methods() {
	for _, d := range c.decls.all {
		cl, ok := d.obj.(*Class)
		if !ok {
			continue
		}
		at := c.declEnv(d, cl.Decl.TypeParams)
		cl.Methods = c.methodsOf(cl, at, "class", cl.Decl.Methods)
	}
}

// methodsOf makes the declared methods of a class or of the app.
func (c *checker) methodsOf(cl *Class, at *env, kind string, decls []*syntax.FuncDecl) []*Func {
	seen := make(map[string]bool, len(decls))
	var out []*Func
	for _, decl := range decls {
		name := decl.Name.Name
		if name == "" {
			continue
		}
		if seen[name] {
			c.report(diag.PhaseDecls, diag.DuplicateMethod, at.file, decl.Name.Span(), "duplicate method '%s' in %s '%s'", name, kind, cl.Name)
			continue
		}
		seen[name] = true
		f := c.newFunc(at, decl, cl.Name+"$"+name)
		f.Class = cl
		f.Self = selfOf(decl, cl.Type)
		out = append(out, f)
	}
	return out
}

// typeParams checks the type parameters of a declaration and finds their bounds. kind and
// name say whose they are.
func (c *checker) typeParams(m *Module, file *source.File, kind, name string, params []*syntax.TypeParam) [][]*Trait {
	if len(params) == 0 {
		return nil
	}
	bounds := make([][]*Trait, len(params))
	for i, p := range params {
		at := p.Name.Span()
		for _, q := range params[:i] {
			if q.Name.Name == p.Name.Name {
				c.report(diag.PhaseDecls, diag.TypeParamDeclared, file, at, "type parameter '%s' is already declared in %s '%s'", p.Name.Name, kind, name)
				break
			}
		}
		if _, ok := m.Scope[p.Name.Name].(*Class); ok {
			c.report(diag.PhaseDecls, diag.TypeParamShadows, file, at, "type parameter '%s' in %s '%s' shadows class '%s'", p.Name.Name, kind, name, p.Name.Name)
		}
		for _, b := range p.Bounds {
			if t, ok := c.lookup(m, b.Name).(*Trait); ok {
				bounds[i] = append(bounds[i], t)
			} else {
				c.report(diag.PhaseDecls, diag.UnknownBound, file, b.Span(), "unknown trait '%s' in type bound for '%s'", b.Name, p.Name.Name)
			}
		}
	}
	return bounds
}
