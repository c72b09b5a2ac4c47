package plutoapp

import (
	"context"
	"fmt"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

// summary counts the declarations of a module as 001 has it, and the kinds that it does
// not know of beside them.
func summary(m *pluto.Module) *object {
	n := counts(m)
	o := (&object{}).put("functions", n[xref.Function]).put("classes", n[xref.Class]).put("enums", n[xref.Enum]).
		put("traits", n[xref.Trait]).put("errors", n[xref.Error]).put("app", n[xref.App])
	for _, k := range []xref.Kind{xref.Test, xref.Extern} {
		if n[k] > 0 {
			o.put(k.String()+"s", n[k])
		}
	}
	return o
}

func counts(m *pluto.Module) map[xref.Kind]int {
	n := map[xref.Kind]int{}
	for _, d := range m.Decls {
		n[d.Kind]++
	}
	return n
}

// contents is the summary in words.
func contents(m *pluto.Module) string {
	n := counts(m)
	var parts []string
	for _, k := range topKinds {
		if n[k] > 0 {
			parts = append(parts, plural(n[k], k.String()))
		}
	}
	if len(parts) == 0 {
		return "empty"
	}
	return strings.Join(parts, ", ")
}

// moduleLine is a module on one line.
func moduleLine(m *pluto.Module) string {
	line := m.Path + "  " + contents(m)
	if m.Err != nil {
		line = m.Path + "  cannot be read: " + oneLine(m.Err.Error())
	}
	if m.Binary {
		line += "  binary"
	}
	if m.Dirty {
		line += "  staged"
	}
	return line
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// below is the modules in a file or folder; "" is all.
func (c *Call) below(v *pluto.View, path string) ([]*pluto.Module, error) {
	if path == "" {
		return v.Modules(), nil
	}
	rel, err := v.Path(path)
	if err != nil {
		return nil, err
	}
	if rel == "" || rel == "." {
		return v.Modules(), nil
	}
	var out []*pluto.Module
	for _, m := range v.Modules() {
		if strings.HasPrefix(m.Path, strings.TrimSuffix(rel, "/")+"/") {
			out = append(out, m)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	m, err := v.Module(path)
	if err != nil {
		return nil, err
	}
	return []*pluto.Module{m}, nil
}

func listModules(ctx context.Context, c *Call, a *listModulesArgs) (*Answer, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	all, err := c.below(v, a.Path)
	if err != nil {
		return nil, err
	}
	modules, cut, err := slice(a.page, all, c.rows(200), "module")
	if err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			if len(all) == 0 {
				b.WriteString("no Pluto modules in this project\n")
				return
			}
			b.WriteString(cut)
			for _, m := range modules {
				b.WriteString(moduleLine(m) + "\n")
			}
		},
		doc: func() any {
			return each(modules, func(m *pluto.Module) any {
				return c.object().put("path", c.path(m.Path)).in(D000, "name", m.Name).put("summary", summary(m)).
					put("loaded", true).put("dirty", m.Dirty).put("binary", m.Binary)
			})
		},
	}, nil
}

// manyLines is from how many lines on a list says how many there are.
const manyLines = 20

func listDeclarations(ctx context.Context, c *Call, a *listDeclarationsArgs) (*Answer, error) {
	only, err := kinds(a.Kind, false)
	if err != nil {
		return nil, err
	}
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	modules, err := c.below(v, a.Path)
	if err != nil {
		return nil, err
	}
	var all []*pluto.Decl
	for _, m := range modules {
		if m.Err != nil && len(modules) == 1 {
			return nil, unreadable(m)
		}
		for _, d := range m.Decls {
			switch {
			case only != nil && d.Kind != only[0],
				a.Visibility == "pub" && !d.Pub,
				a.Visibility == "private" && d.Pub:
			default:
				all = append(all, d)
			}
		}
	}
	decls, cut, err := slice(a.page, all, c.rows(200), "declaration")
	if err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			if len(all) == 0 {
				what := "declaration"
				if a.Kind != "" {
					what = a.Kind
				}
				fmt.Fprintf(b, "no %s in %s\n", what, a.Path)
				return
			}
			if cut == "" && len(all) > manyLines {
				cut = fmt.Sprintf("%s in %s\n", plural(len(all), "declaration"), a.Path)
			}
			b.WriteString(cut)
			for _, d := range decls {
				b.WriteString(row(d) + "\n")
			}
		},
		doc: func() any {
			return each(decls, func(d *pluto.Decl) any {
				o := c.brief(d).put("is_pub", d.Pub).put("signature", signature(d))
				if len(modules) > 1 {
					o.put("module", d.Module.Path)
				}
				return o
			})
		},
	}, nil
}

// brief is what every list says of a declaration.
func (c *Call) brief(d *pluto.Decl) *object {
	return c.object().named("id", "uuid", d.ID.String()).put("name", d.Name).put("kind", d.Kind.String())
}

func findDeclaration(ctx context.Context, c *Call, a *findDeclarationArgs) (*Answer, error) {
	only, err := kinds(a.Kind, true)
	if err != nil {
		return nil, err
	}
	if a.Name == "" {
		return nil, &params.Error{Param: "name", Text: "it is empty"}
	}
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	path := ""
	if a.Path != "" {
		if path, err = v.Path(a.Path); err != nil {
			return nil, err
		}
	}
	o := pluto.FindOptions{Kinds: only, Path: path, Match: matchOf(a.Match)}
	var all []*pluto.Decl
	for _, d := range v.Find(a.Name, o) {
		if d.Kind != xref.Param || a.Kind == "param" {
			all = append(all, d)
		}
	}
	decls, cut, err := slice(a.page, all, c.rows(50), "declaration")
	if err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			if len(all) == 0 {
				fmt.Fprintf(b, "no declaration %q", clip(a.Name))
				if near := v.Near(a.Name, pluto.FindOptions{Kinds: only}); len(near) > 0 {
					fmt.Fprintf(b, "; near it are %s", strings.Join(near, ", "))
				}
				b.WriteString("\n")
				return
			}
			b.WriteString(cut)
			for _, d := range decls {
				b.WriteString(row(d) + "\n")
			}
		},
		doc: func() any {
			return each(decls, func(d *pluto.Decl) any {
				return c.object().in(D001, "module_path", c.abs(d.Module.Path)).named("id", "uuid", d.ID.String()).
					put("name", d.Name).put("kind", d.Kind.String()).in(D000, "module", d.Module.Path).put("handle", d.Handle())
			})
		},
	}, nil
}

func matchOf(word string) pluto.Match {
	switch word {
	case "prefix":
		return pluto.Prefix
	case "substring":
		return pluto.Substring
	case "fuzzy":
		return pluto.Fuzzy
	}
	return pluto.Exact
}

// GetSource is the tool get_source for Pluto files.
func GetSource() *Tool {
	return withParams(tool(SetPluto, "get_source", "Source", "Use to read the source of a Pluto file or declaration.", reads, getSource))
}

func getSource(ctx context.Context, c *Call, a *getSourceArgs) (*Answer, error) {
	text, err := c.sourceText(ctx, a)
	if err != nil {
		return nil, err
	}
	answer := c.text(text)
	if a.Start < 0 && a.End < 0 && a.Symbol == "" {
		answer.lines = func(b *strings.Builder) { b.WriteString(c.capped(text, max(a.StartLine, 1))) }
	}
	return answer, nil
}

// maxText is how much of a text an agent gets at once, in bytes: about 15,000 tokens.
const maxText = 48 << 10

// capped is what of a text an agent gets, with what to ask for next before it: the text is that
// of a file from the line on, or, for 0, something else.
func (c *Call) capped(text string, line int) string {
	if !c.agent || len(text) <= maxText {
		return text
	}
	part := text[:maxText]
	if i := strings.LastIndexByte(part, '\n'); i >= 0 {
		part = part[:i+1]
	} else {
		part = strings.ToValidUTF8(part, "")
	}
	shown, all := strings.Count(part, "\n"), strings.Count(text, "\n")
	if line == 0 {
		return fmt.Sprintf("showing %s of %d\n%s", plural(shown, "line"), all, part)
	}
	return fmt.Sprintf("showing lines %d-%d of %d; start_line %d goes on\n%s", line, line+shown-1, line+all-1, line+shown, part)
}

// text is an answer that is source text: as it is, or as the member source of an object
// where that is how the dialect has it.
func (c *Call) text(text string) *Answer {
	return &Answer{
		lines: func(b *strings.Builder) { b.WriteString(c.capped(text, 0)) },
		doc: func() any {
			if c.main == D001 && (c.asked || c.app.options.Dialect == D001 || c.app.Loaded() != "") {
				return raw(text)
			}
			return (&object{}).put("source", text)
		},
	}
}

func (c *Call) sourceText(ctx context.Context, a *getSourceArgs) (string, error) {
	bytes, lines := a.Start >= 0 || a.End >= 0, a.StartLine != 0 || a.EndLine != 0
	switch {
	case a.Symbol == "" && a.Path == "":
		return "", &params.Error{Text: "which source? give path, symbol or both"}
	case bytes && lines:
		return "", &params.Error{Text: "start and end count bytes, start_line and end_line lines: give one pair"}
	}
	if a.Symbol != "" {
		if bytes || lines {
			return "", &params.Error{Text: "a range is one of a file: leave the symbol out"}
		}
		d, err := c.find(ctx, a.Symbol, a.Path)
		if err != nil {
			return "", err
		}
		return d.Source() + "\n", nil
	}
	v, err := c.look(ctx)
	if err != nil {
		return "", err
	}
	m, err := v.Module(a.Path)
	if err != nil {
		return "", err
	}
	if m.Err != nil {
		return "", unreadable(m)
	}
	if lines {
		return lineSlice(m.Text(), a.StartLine, a.EndLine)
	}
	return byteSlice(m.Text(), a.Start, a.End)
}

func byteSlice(text string, start, end int) (string, error) {
	if start < 0 {
		start = 0
	}
	if end < 0 {
		end = len(text)
	}
	if start > end || end > len(text) {
		return "", &params.Error{Text: fmt.Sprintf("Byte range [%d..%d) out of bounds (source length: %d)", start, end, len(text))}
	}
	for _, at := range []int{start, end} {
		if at < len(text) && text[at]&0xC0 == 0x80 {
			return "", &params.Error{Text: fmt.Sprintf("Byte offset not on UTF-8 character boundary: %d", at)}
		}
	}
	return text[start:end], nil
}

func lineSlice(text string, first, last int) (string, error) {
	if first == 0 {
		first = 1
	}
	all := strings.SplitAfter(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	if last == 0 {
		last = len(all)
	}
	if first < 1 || last < first || last > len(all) {
		return "", &params.Error{Text: fmt.Sprintf("lines %d to %d are not in the file, which has %d", first, last, len(all))}
	}
	return strings.Join(all[first-1:last], ""), nil
}
