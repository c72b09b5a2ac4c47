package check

import "github.com/settgraph/sett/compiler/diag"

// clause checks a clause of a contract: f's, or an invariant of cl. A clause of a trait's
// method brings its own parameters and receiver.
func (c *checker) clause(f *Func, cl *Class, ct *Contract, kind clauseKind) {
	e := &env{file: ct.File, info: ct.Info}
	word := "requires"
	var result *Type
	params, self := ct.Params, ct.Self
	class := cl
	switch {
	case cl != nil:
		word = "invariant"
		e.mod = cl.Module
		switch {
		case cl.Generic != nil:
			e.params = bind(cl.Decl.TypeParams, cl.TypeArgs)
		case cl.isGeneric():
			c.standForThemselves(e, cl.Decl, cl.Decl.TypeParams, cl.bounds)
		}
		if self == nil {
			self = &Var{Name: "self", Type: cl.Type, Kind: SelfVar}
			ct.Self = self
		}
	case f != nil:
		e = c.envOf(f)
		e.info = ct.Info
		if ct.File != nil {
			e.file = ct.File
		}
		if params == nil && self == nil {
			params, self = f.Params, f.Self
		}
		result = f.Result
		class = f.Class
		if f.App != nil {
			class = f.App.Class
		}
	}
	b := c.newBody(e, class, self)
	if kind == ensuresClause {
		word = "ensures"
		b.post = true
		if result != nil && result.Kind != KVoid {
			b.bind(&Var{Name: "result", Type: result, Kind: ResultVar})
		}
	}
	for _, p := range params {
		b.bind(p)
	}
	b.frame.result = c.u.Invalid
	if t := b.expr(ct.Clause.Cond, nil); t != c.u.Bool && !bad(t) {
		b.errorf(diag.ContractType, ct.Clause.Cond.Span(), "%s expression must be bool, found %s", word, t)
	}
}
