package plutoapp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

func prettyPrint(ctx context.Context, c *Call, a *prettyPrintArgs) (*Answer, error) {
	if a.Symbol == "" && a.Path == "" {
		return nil, &params.Error{Text: "which source? give path, symbol or both"}
	}
	if a.Symbol != "" {
		d, err := c.find(ctx, a.Symbol, a.Path)
		if err != nil {
			return nil, err
		}
		text, err := pretty(d.Module, d, a.Hints)
		if err != nil {
			return nil, err
		}
		return c.text(text), nil
	}
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	m, err := v.Module(a.Path)
	if err != nil {
		return nil, err
	}
	text, err := pretty(m, nil, a.Hints)
	if err != nil {
		return nil, err
	}
	return c.text(text), nil
}

// pretty is a module, or one declaration of it, in the standard layout.
func pretty(m *pluto.Module, only *pluto.Decl, hints bool) (string, error) {
	if m.Err != nil {
		return "", &Failure{Code: "parse_error", Text: fmt.Sprintf("%s cannot be read: %s", m.Path, oneLine(m.Err.Error()))}
	}
	if !m.File().OK {
		return "", &Failure{Code: "parse_error", Text: m.Path + " has syntax errors and no layout", Hint: "check says which"}
	}
	file := syntax.Parse(source.NewFile(m.Path, "", syntax.Format(m.File())), &diag.List{})
	ids := map[xref.Key]uuid.UUID{}
	for d := range m.All() {
		ids[d.Key] = d.ID
	}
	text := file.Src.Text
	decls := xref.Decls(file)
	if only == nil {
		if hints {
			for _, d := range slices.Backward(decls) {
				text = hinted(text, d, ids[d.Key], d.Full.Start)
			}
		}
		return text, nil
	}
	for d := range xref.All(decls) {
		if d.Kind != only.Kind || d.Qual != only.Qual {
			continue
		}
		end := d.WithDoc.End
		if hints {
			text = hinted(text, d, ids[d.Key], d.Full.Start)
			end += int32(len(text) - len(file.Src.Text))
		}
		line, _ := file.Src.Position(d.WithDoc.Start)
		return dedent(text[file.Src.Offset(line, 1):end]) + "\n", nil
	}
	return "", &Failure{Code: "not_found", Text: fmt.Sprintf("%s %s has no layout of its own", only.Kind, only.Qual)}
}

// hinted puts the line with the id of a declaration above it, unless there is one.
func hinted(text string, d *xref.Decl, id uuid.UUID, at int32) string {
	if _, has := identity.Hint(d); has || id == uuid.Nil {
		return text
	}
	start := int32(strings.LastIndexByte(text[:at], '\n') + 1)
	return text[:start] + text[start:at] + identity.HintLine(id) + "\n" + text[start:]
}

// dedent takes the indentation of the first line from all lines.
func dedent(text string) string {
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimPrefix(line, indent))
	}
	return strings.TrimRight(b.String(), "\n")
}
