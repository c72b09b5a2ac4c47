package gogen

import "github.com/settgraph/sett/compiler/check"

// GenerateAll lowers every function of a program, whether something calls it or not. A
// program that starts with nothing is lowered, too.
func GenerateAll(p *check.Program) (*Output, error) {
	g := newGenerator(p)
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
	start := func() { g.entryText("func main() { rt.Flush() }") }
	switch {
	case p.Project.Test && len(p.Tests) > 0:
		start = g.startTests
	case p.App != nil && p.App.Main != nil:
		start = g.startApp
	case p.Main != nil:
		start = g.startMain
	}
	return g.output(start)
}
