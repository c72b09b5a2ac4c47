package xref

import (
	"slices"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// signature is what the text of a function says of it.
func signature(d *Decl, n *syntax.FuncDecl) *Signature {
	return &Signature{
		Params: fields(d, Param), Result: syntax.TypeString(n.Result), Self: n.Self,
		Requires: len(n.Requires), Ensures: len(n.Ensures),
	}
}

// function makes the signature of a function or method. A trait's method has one already;
// its own body adds what it raises itself.
func (c *collector) function(d *Decl, n *syntax.FuncDecl) {
	s := c.out.Signatures[d.Key]
	if s == nil {
		s = signature(d, n)
		c.out.Signatures[d.Key] = s
		s.Known = len(c.funcs[d]) > 0
	}
	p := provenance{collector: c, of: d, into: s}
	for _, f := range c.funcs[d] {
		if f.Default == nil {
			s.Requires, s.Ensures = max(s.Requires, len(f.Requires)), max(s.Ensures, len(f.Ensures))
		}
		if f.Info == nil {
			s.Known = false
			continue
		}
		for _, e := range f.Raises {
			p.raised(e)
		}
		p.info, p.module = f.Info, f.Module
		if n.Body != nil {
			p.node(n.Body)
		}
	}
	if !s.Known || p.broken || c.mistaken(d) {
		c.doubtful = append(c.doubtful, d.Key)
	}
	byName(s.Errors)
}

// mistaken says whether something was complained about in a declaration.
func (c *collector) mistaken(d *Decl) bool {
	return slices.ContainsFunc(c.wrong[d.File.Src], d.Full.Contains)
}

// traitMethod makes the signature of a trait's method: a call of it can raise what any of
// its implementations can.
func (c *collector) traitMethod(d *Decl, m *check.TraitMethod) {
	s := signature(d, m.Decl)
	s.Known = true
	c.out.Signatures[d.Key] = s
	p := provenance{collector: c, of: d, into: s}
	for _, cl := range m.Trait.Impls {
		impl := cl.Method(m.Name)
		if impl == nil || impl.Default == m {
			continue
		}
		of := c.of(impl)
		if of == nil {
			continue
		}
		for _, e := range impl.Raises {
			p.from(e, RaisedBy{Callee: of.Key, At: Place{of.Key.File, of.NameAt}})
		}
		c.passes(of.Key, d.Key)
	}
}

// passes notes that one function passes on the errors of another.
func (c *collector) passes(callee, caller Key) {
	if !slices.Contains(c.callers[callee], caller) {
		c.callers[callee] = append(c.callers[callee], caller)
	}
}

// spreadDoubt takes back what is said of the errors of functions that pass on those of
// functions of which they are not known.
func (c *collector) spreadDoubt() {
	for queue := c.doubtful; len(queue) > 0; {
		k := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if s := c.out.Signatures[k]; s != nil {
			s.Known = false
		}
		for _, caller := range c.callers[k] {
			if s := c.out.Signatures[caller]; s != nil && s.Known {
				queue = append(queue, caller)
			}
		}
	}
}

// provenance finds out why errors are in the set of a function.
type provenance struct {
	*collector
	of     *Decl
	into   *Signature
	info   *check.Info
	module *check.Module
	broken bool // something in the body could not be read or understood
}

// raised is the entry of an error, made when there is none.
func (p *provenance) raised(e *check.ErrorDecl) *Raised {
	r := Raised{Name: e.Name}
	if d := p.index.of(e); d != nil {
		r.Name, r.Error = d.Name, d.Key
	}
	for i := range p.into.Errors {
		if in := &p.into.Errors[i]; in.Name == r.Name && in.Error == r.Error {
			return in
		}
	}
	p.into.Errors = append(p.into.Errors, r)
	return &p.into.Errors[len(p.into.Errors)-1]
}

func (p *provenance) from(e *check.ErrorDecl, by RaisedBy) {
	if r := p.raised(e); !slices.Contains(r.From, by) {
		r.From = append(r.From, by)
	}
}

func (p *provenance) at(n syntax.Node) Place { return Place{p.of.Key.File, n.Span()} }

func (p *provenance) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.RaiseStmt:
		e := p.info.Errs[n]
		if e == nil {
			p.broken = true
		} else if r, at := p.raised(e), p.at(n); !slices.Contains(r.RaisedAt, at) {
			r.RaisedAt = append(r.RaisedAt, at)
		}
	case *syntax.SelectStmt:
		for _, e := range p.info.Raised[n] {
			p.from(e, RaisedBy{Builtin: "select", At: p.at(n)})
		}
	case *syntax.PropagateExpr:
		p.call(n.X)
	case *syntax.CallExpr, *syntax.MethodExpr:
		// Of a call that is right everybody knows what it calls, but for those of expect.
		if x := n.(syntax.Expr); p.info.Has(x) && p.info.Target(x) == nil && p.program.Diags.Errors() > 0 {
			p.broken = true
		}
	case *syntax.BadStmt, *syntax.BadExpr:
		p.broken = true
	}
	syntax.Children(n, p.node)
}

// call is what a `!` stands on.
func (p *provenance) call(x syntax.Expr) {
	for {
		in, ok := x.(*syntax.ParenExpr)
		if !ok {
			break
		}
		x = in.X
	}
	by := RaisedBy{At: p.at(x)}
	if !p.info.Has(x) {
		return
	}
	switch o := p.info.Target(x).(type) {
	case check.Builtin:
		by.Builtin = string(o)
	case check.BuiltinMethod:
		by.Builtin = string(o)
	case *check.Func, *check.TraitMethod:
		if d := p.index.of(o); d != nil {
			by.Callee = d.Key
			p.passes(d.Key, p.of.Key)
		}
	case nil:
		p.broken = true
	}
	for _, e := range p.info.Raised[x] {
		p.from(e, by)
	}
}
