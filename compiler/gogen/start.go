package gogen

import (
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/check"
)

// entryText adds a line to the part of the output that starts the program.
func (g *generator) entryText(s string) { g.entry.add(line{text: s}) }

// startApp writes the start of a program with an app.
func (g *generator) startApp() { g.startWith(g.p.App.Main, g.wire()) }

// startMain writes the start of a program with a main function.
func (g *generator) startMain() {
	main := g.p.Main
	g.startWith(main, g.named[main]+"("+g.unsetArgs(main)+")")
}

// startWith writes Go's main function, which calls f.
func (g *generator) startWith(f *check.Func, run string) {
	text := g.entryText
	var result string
	text("")
	text("func main() {")
	g.sources()
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

// sourceNames are the names of the program's files.
func (g *generator) sourceNames() []string {
	var names []string
	for _, m := range g.p.Project.Modules {
		for _, f := range m.Files {
			names = append(names, f.Src.Name)
		}
	}
	return names
}

// sources tells the runtime the names of the program's files.
func (g *generator) sources() {
	var names []string
	for _, name := range g.sourceNames() {
		names = append(names, quote(name))
	}
	g.entryText("rt.Sources(" + strings.Join(names, ", ") + ")")
}

// startTests writes the start of a test run.
func (g *generator) startTests() {
	text := g.entryText
	text("func main() {")
	g.sources()
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
