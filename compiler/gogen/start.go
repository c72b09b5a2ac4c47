package gogen

import (
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/check"
)

// start writes Go's main function.
func (g *generator) start(how string) {
	text := func(s string) { g.entry.add(line{text: s}) }
	var run, result string
	var f *check.Func
	switch how {
	case "test":
		g.tests(text)
		return
	case "app":
		f = g.p.App.Main
		run = g.wire()
	default:
		f = g.p.Main
		run = g.named[f] + "(" + g.unsetArgs(f) + ")"
	}
	text("")
	text("func main() {")
	g.sources(text)
	text("rt.Main(func() rt.Error {")
	switch {
	case f.Result.Kind == check.KInt && f.Fallible():
		text("code, err := " + run)
		text("if err == nil {")
		text("rt.Exit(code)")
		text("}")
		result = "err"
	case f.Result.Kind == check.KInt:
		text("rt.Exit(" + run + ")")
		result = "nil"
	case f.Fallible() && !isVoid(f.Result):
		text("_, err := " + run)
		result = "err"
	case f.Fallible():
		result = run
	default:
		text(run)
		result = "nil"
	}
	text("return " + result)
	text("})")
	text("}")
}

// unsetArgs are zero values for a main function that has parameters.
func (g *generator) unsetArgs(f *check.Func) string {
	var list []string
	for _, p := range f.Params {
		list = append(list, g.zero(p.Type))
	}
	return strings.Join(list, ", ")
}

// sources tells the runtime the names of the program's files.
func (g *generator) sources(text func(string)) {
	var names []string
	for _, m := range g.p.Project.Modules {
		for _, f := range m.Files {
			names = append(names, quote(f.Src.Name))
		}
	}
	text("rt.Sources(" + strings.Join(names, ", ") + ")")
}

// tests writes the main function of a test run.
func (g *generator) tests(text func(string)) {
	text("func main() {")
	g.sources(text)
	text("rt.RunTests([]rt.Test{")
	for _, t := range g.p.Tests {
		name := g.named[t.Func]
		line := strconv.Itoa(t.Func.File.Line(t.Decl.Span().Start))
		head := "{Name: " + quote(t.Name) + ", Line: " + line + ", Func: "
		if t.Func.Fallible() {
			text(head + name + "},")
		} else {
			text(head + "func() rt.Error { " + name + "(); return nil }},")
		}
	}
	text("}, " + quote(g.p.Tests[0].Scheduler) + ")")
	text("}")
}
