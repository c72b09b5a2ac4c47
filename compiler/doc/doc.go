// Package doc reads documentation out of Pluto modules: the comment above each public
// declaration, its signature, and the errors that the checker found it to raise.
package doc

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/stdlib"
)

// Module is the documentation of one module.
type Module struct {
	Name    string // as imported: std.strings
	Text    string // the comment at the head of the file, without its example
	Example string // a program, "" when there is none
	Prints  string // what the example prints
	Items   []Item
}

// Item is a public declaration, or a member of one.
type Item struct {
	Name      string
	Kind      string   // fn, class, enum, trait, error, method, field, variant
	Signature string   // as it would be written, without a body
	Text      string   // the comment above it
	Raises    []string // the errors it can raise, sorted
	Members   []Item
}

// Stdlib documents every module of the standard library, sorted by name.
func Stdlib() ([]Module, error) {
	dirs, err := fs.ReadDir(stdlib.Files(), ".")
	if err != nil {
		return nil, fmt.Errorf("reading the standard library: %w", err)
	}
	var text strings.Builder
	for _, d := range dirs {
		if d.IsDir() {
			fmt.Fprintf(&text, "import std.%s as %s_\n", d.Name(), d.Name())
		}
	}
	prog := check.Check(load.LoadText("main.pluto", text.String(), load.Options{}))
	if prog.Diags.Errors() > 0 {
		d := prog.Diags.Sorted()[0]
		return nil, fmt.Errorf("the standard library does not check: %s", d.Message)
	}
	var out []Module
	for _, m := range prog.Modules {
		if m.Src != nil && m.Src.Std {
			out = append(out, module(prog, m))
		}
	}
	slices.SortFunc(out, func(a, b Module) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

func module(prog *check.Program, m *check.Module) Module {
	out := Module{Name: m.Src.Path}
	raises := raisesOf(prog, m)
	for i, f := range m.Src.Files {
		c := commentsOf(f)
		if i == 0 {
			out.Text, out.Example, out.Prints = split(c.head())
		}
		for _, d := range f.Decls {
			if item, ok := c.item(d, raises); ok {
				out.Items = append(out.Items, item)
			}
		}
	}
	return out
}

// raisesOf maps declarations of functions to the errors they raise.
func raisesOf(prog *check.Program, m *check.Module) map[*syntax.FuncDecl][]string {
	out := map[*syntax.FuncDecl][]string{}
	for _, f := range prog.Funcs {
		if f.Module == m && f.Decl != nil && out[f.Decl] == nil {
			for _, e := range f.Raises {
				out[f.Decl] = append(out[f.Decl], e.Name[strings.LastIndexByte(e.Name, '.')+1:])
			}
		}
	}
	return out
}

// comments finds the comments of a file by the line they are on.
type comments struct {
	file   *syntax.File
	byLine map[int]string
}

func commentsOf(f *syntax.File) comments {
	c := comments{f, map[int]string{}}
	for _, t := range f.Tokens {
		if t.Kind == syntax.COMMENT {
			text := strings.TrimPrefix(f.Src.Text[t.At.Start:t.At.End], "//")
			c.byLine[f.Src.Line(t.At.Start)] = strings.TrimRight(strings.TrimPrefix(text, " "), " \t\r")
		}
	}
	return c
}

// above is the comment that ends on the line before a node.
func (c comments) above(n syntax.Node) string {
	line := c.file.Src.Line(n.Span().Start)
	if strings.TrimSpace(c.file.Src.LineText(line)[:c.column(n)]) != "" {
		return "" // not the first on its line
	}
	var lines []string
	for line--; ; line-- {
		text, ok := c.byLine[line]
		if !ok {
			break
		}
		lines = append(lines, text)
	}
	slices.Reverse(lines)
	return strings.Join(lines, "\n")
}

// column is how many bytes stand before a node on its line.
func (c comments) column(n syntax.Node) int {
	start := n.Span().Start
	return int(start - c.file.Src.Offset(c.file.Src.Line(start), 1))
}

// head is the comment that the file starts with.
func (c comments) head() string {
	var lines []string
	for line := 1; ; line++ {
		text, ok := c.byLine[line]
		if !ok {
			return strings.Join(lines, "\n")
		}
		lines = append(lines, text)
	}
}

// split takes the blocks after "Example:" and "Prints:" out of a comment.
func split(text string) (rest, example, prints string) {
	rest, after, ok := strings.Cut(text, "\nExample:\n")
	if !ok {
		return strings.TrimSpace(text), "", ""
	}
	example, prints, _ = strings.Cut(after, "\nPrints:\n")
	return strings.TrimSpace(rest), dedent(example), dedent(prints)
}

// dedent takes four spaces off each line.
func dedent(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "    ")
	}
	return strings.Join(lines, "\n")
}

func (c comments) item(d syntax.Decl, raises map[*syntax.FuncDecl][]string) (Item, bool) {
	switch d := d.(type) {
	case *syntax.FuncDecl:
		return Item{Name: d.Name.Name, Kind: "fn", Signature: signature(d), Text: c.above(d), Raises: raises[d]}, d.Pub
	case *syntax.ClassDecl:
		it := Item{Name: d.Name.Name, Kind: "class", Signature: "class " + d.Name.Name + typeParams(d.TypeParams), Text: c.above(d)}
		for i, t := range d.Impls {
			it.Signature += []string{" impl ", ", "}[min(i, 1)] + t.Name
		}
		for _, f := range d.Fields {
			it.Members = append(it.Members, c.field("field", f))
		}
		it.Members = append(it.Members, c.methods(d.Methods, raises)...)
		return it, d.Pub
	case *syntax.TraitDecl:
		return Item{Name: d.Name.Name, Kind: "trait", Signature: "trait " + d.Name.Name, Text: c.above(d), Members: c.methods(d.Methods, raises)}, d.Pub
	case *syntax.EnumDecl:
		it := Item{Name: d.Name.Name, Kind: "enum", Signature: "enum " + d.Name.Name + typeParams(d.TypeParams), Text: c.above(d)}
		for _, v := range d.Variants {
			text := v.Name.Name
			if len(v.Fields) > 0 {
				text += " { " + params(v.Fields) + " }"
			}
			it.Members = append(it.Members, Item{Name: v.Name.Name, Kind: "variant", Signature: text, Text: c.above(v)})
		}
		return it, d.Pub
	case *syntax.ErrorDecl:
		return Item{Name: d.Name.Name, Kind: "error", Signature: "error " + d.Name.Name + " { " + params(d.Fields) + " }", Text: c.above(d)}, d.Pub
	}
	return Item{}, false
}

func (c comments) field(kind string, f *syntax.Param) Item {
	return Item{Name: f.Name.Name, Kind: kind, Signature: params([]*syntax.Param{f}), Text: c.above(f)}
}

func (c comments) methods(methods []*syntax.FuncDecl, raises map[*syntax.FuncDecl][]string) []Item {
	var out []Item
	for _, m := range methods {
		out = append(out, Item{Name: m.Name.Name, Kind: "method", Signature: signature(m), Text: c.above(m), Raises: raises[m]})
	}
	return out
}

// signature is a function's head as it is written, on one line.
func signature(d *syntax.FuncDecl) string {
	var list []string
	switch d.Self {
	case syntax.Self:
		list = append(list, "self")
	case syntax.MutSelf:
		list = append(list, "mut self")
	}
	if len(d.Params) > 0 {
		list = append(list, params(d.Params))
	}
	text := "fn " + d.Name.Name + typeParams(d.TypeParams) + "(" + strings.Join(list, ", ") + ")"
	if d.Result != nil {
		text += " " + syntax.TypeString(d.Result)
	}
	return text
}

func params(list []*syntax.Param) string {
	parts := make([]string, len(list))
	for i, p := range list {
		parts[i] = p.Name.Name + ": " + syntax.TypeString(p.Type)
	}
	return strings.Join(parts, ", ")
}

func typeParams(list []*syntax.TypeParam) string {
	if len(list) == 0 {
		return ""
	}
	parts := make([]string, len(list))
	for i, p := range list {
		parts[i] = p.Name.Name
		for j, b := range p.Bounds {
			parts[i] += []string{": ", " + "}[min(j, 1)] + b.Name
		}
	}
	return "<" + strings.Join(parts, ", ") + ">"
}
