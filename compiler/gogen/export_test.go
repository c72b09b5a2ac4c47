package gogen

import "github.com/settgraph/sett/compiler/check"

// GenerateAll is [Generate], but lowers every function, also those that nothing calls.
func GenerateAll(p *check.Program, opts Options) (*Output, error) {
	if p.Diags.Errors() > 0 {
		return nil, nil
	}
	g := newGenerator(p)
	start := g.roots(opts)
	if start == nil {
		return nil, nil
	}
	for _, f := range p.Funcs {
		if bodyOf(f) != nil && (f.Class == nil || f.Self != nil) {
			g.reach.need(f)
		}
	}
	for _, t := range p.Traits {
		for _, m := range t.Methods {
			g.reach.methods[m] = m.Decl.Self != 0
		}
	}
	return g.output(start)
}
