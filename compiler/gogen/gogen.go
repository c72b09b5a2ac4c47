// Package gogen turns a checked program into Go. [Generate] is the only entry.
//
// What a Pluto value is in Go: int, float, bool, string and byte are int64, float64, bool,
// string and byte; arrays, maps, sets and bytes are pointers to the types of package rt;
// classes are pointers to structs, traits interfaces, enums integers or, with fields,
// interfaces over comparable structs; T? is rt.Opt[T] where T has no nil. A function that
// can raise has an rt.Error as its last result.
//
// Each function is lowered statement by statement. An expression becomes Go text ([val]);
// what Go has no expression for (handling an error, an if with a value) becomes statements
// before it, and [fn.operands] keeps the order of evaluation. Comments //line lead from the
// Go text back to the program's.
package gogen

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

// Options says what to generate.
type Options struct {
	Test bool // the program's tests instead of its main function or app
}

// Output is a Go package main.
type Output struct {
	Files    map[string][]byte // by name
	Packages []string          // the subpackages of the runtime that it imports, sorted: "fs"
}

// generator is the state of one program's generation.
type generator struct {
	p     *check.Program
	reach *reach

	globals   nameSet // Go names at the top level
	locals    nameSet // Go names of locals, which helpers must not take
	members   nameSet // Go names of methods
	fields    nameSet // Go names of fields of classes
	named     map[any]string
	methods   map[string]string // the Go name of methods of a name
	lockField string
	packages  map[string]string // the name under which a subpackage is imported
	imports   map[string]bool

	types       map[any]bool // classes, enums, traits and errors that are declared
	helpers     []*block     // functions without a Pluto function behind them
	closures    []*block     // functions that make closures
	entry       *block
	copies      map[*check.Type]bool
	copiers     map[*check.Type]string
	copyOrder   []*check.Type
	copyDone    int // how many of them are written
	invariants  map[*check.Class]string
	singletons  map[*check.Class]string
	isSingleton map[*check.Class]bool
}

// Generate lowers a program without errors. What only lowering finds (nothing to start, an
// unknown extern) is reported to the program's diagnostics; then the output is nil.
func Generate(p *check.Program, opts Options) (*Output, error) {
	if p.Diags.Errors() > 0 {
		return nil, nil
	}
	g := newGenerator(p)
	start := g.roots(opts)
	if start == nil {
		return nil, nil
	}
	return g.output(start)
}

func newGenerator(p *check.Program) *generator {
	g := &generator{
		p: p, globals: nameSet{}, locals: nameSet{}, members: nameSet{}, fields: nameSet{}, named: map[any]string{},
		methods: map[string]string{}, packages: map[string]string{}, imports: map[string]bool{},
		types: map[any]bool{}, entry: &block{}, copies: map[*check.Type]bool{}, copiers: map[*check.Type]string{},
		invariants: map[*check.Class]string{}, singletons: map[*check.Class]string{}, isSingleton: map[*check.Class]bool{},
	}
	if p.DI != nil {
		for _, c := range p.DI.Singletons {
			g.isSingleton[c] = true
		}
	}
	g.nameGlobals()
	g.reach = newReach(g)
	return g
}

// roots asks for what the program starts with. It gives what writes the start, or nil when
// there is nothing to start.
func (g *generator) roots(opts Options) func() {
	p := g.p
	switch {
	case opts.Test && len(p.Tests) > 0:
		for _, t := range p.Tests {
			g.reach.need(t.Func)
		}
		return g.startTests
	case opts.Test:
		f := rootFile(p)
		g.report(diag.PhaseDecls, diag.NoTests, f, source.Span{}, "no tests found in '%s'", fileName(f))
	case p.App != nil && p.App.Main != nil:
		g.reach.need(p.App.Main)
		return g.startApp
	case p.Main != nil:
		g.reach.need(p.Main)
		return g.startMain
	default:
		g.report(diag.PhaseLink, diag.NoMain, rootFile(p), source.Span{}, "no main function or app in the program")
	}
	return nil
}

func rootFile(p *check.Program) *source.File {
	if root := p.Project.Root; root != nil && len(root.Files) > 0 {
		return root.Files[0].Src
	}
	return nil
}

func fileName(f *source.File) string {
	if f == nil {
		return ""
	}
	return f.Name
}

// output lowers what is reachable and lays out the file.
func (g *generator) output(start func()) (*Output, error) {
	g.reach.run()
	var funcs []*block
	for _, f := range g.p.Funcs {
		if _, ok := g.reach.funcs[f]; ok && bodyOf(f) != nil {
			funcs = append(funcs, g.function(f))
		}
	}
	start()
	if g.p.Diags.Errors() > 0 {
		return nil, nil
	}
	types := g.typeDecls()

	p := &printer{next: unknown}
	for _, t := range types {
		p.WriteString(t + "\n")
	}
	for _, b := range g.helpers {
		p.next = unknown
		p.block(b)
		p.WriteString("\n")
	}
	p.block(g.entry)
	p.WriteString("\n")
	// What comes from no line of Pluto stands before the first //line.
	for _, b := range append(g.closures, funcs...) {
		p.next = unknown
		p.block(b)
	}
	text, err := format.Source(append(g.header(), p.Bytes()...))
	if err != nil {
		return nil, fmt.Errorf("formatting the generated program: %w", err)
	}
	return &Output{Files: map[string][]byte{"main.go": text}, Packages: g.packageList()}, nil
}

// typeDecls writes the types that were asked for; writing one may ask for others.
func (g *generator) typeDecls() []string {
	texts := map[any]string{}
	for more := true; more; {
		more = false
		g.copyFuncs()
		g.eachType(func(t any) {
			if _, done := texts[t]; g.types[t] && !done {
				texts[t] = g.typeDecl(t)
				more = true
			}
		})
	}
	for _, t := range g.p.Traits {
		if g.types[t] {
			g.adapters(t)
		}
	}
	var out []string
	g.eachType(func(t any) {
		if text := texts[t]; text != "" {
			out = append(out, text)
		}
	})
	return out
}

// eachType visits the declarations of the program in a fixed order.
func (g *generator) eachType(visit func(any)) {
	for _, t := range g.p.Traits {
		visit(t)
	}
	for _, e := range g.p.Enums {
		visit(e)
	}
	for _, c := range g.p.Classes {
		visit(c)
	}
	if app := g.p.App; app != nil && !slices.Contains(g.p.Classes, app.Class) {
		visit(app.Class)
	}
	for _, e := range g.p.Errors {
		visit(e)
	}
}

func (g *generator) typeDecl(t any) string {
	switch t := t.(type) {
	case *check.Trait:
		return g.traitDecl(t)
	case *check.Enum:
		return g.enumDecl(t)
	case *check.Class:
		return g.classDecl(t)
	}
	return g.errorDecl(t.(*check.ErrorDecl))
}

// header is the text above the declarations.
func (g *generator) header() []byte {
	var b bytes.Buffer
	b.WriteString("// Generated from Pluto. Comments //line lead to the lines that it was generated from.\n")
	b.WriteString("package main\n\nimport (\n\t\"pluto/rt\"\n")
	for _, pkg := range g.packageList() {
		name := g.packages[pkg]
		if name == pkg[strings.LastIndexByte(pkg, '/')+1:] {
			name = ""
		}
		fmt.Fprintf(&b, "\t%s \"pluto/rt/%s\"\n", name, pkg)
	}
	b.WriteString(")\n\n")
	return b.Bytes()
}

func (g *generator) packageList() []string {
	var list []string
	for pkg := range g.imports {
		list = append(list, pkg)
	}
	slices.Sort(list)
	return list
}
