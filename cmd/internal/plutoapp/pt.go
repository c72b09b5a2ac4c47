package plutoapp

import (
	"context"
	"fmt"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
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
		text, err := pretty(c.view, d, a.Hints)
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
	text, err := pretty(v, m.Self, a.Hints)
	if err != nil {
		return nil, err
	}
	return c.text(text), nil
}

// pretty is a module, or one declaration of it, in the standard layout.
func pretty(v *pluto.View, d *pluto.Decl, hints bool) (string, error) {
	if err := d.Module.Err; err != nil {
		return "", unreadable(d.Module)
	}
	text := v.PrettyPrint(d, hints)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text, nil
}

// unreadable says why there is nothing in a module.
func unreadable(m *pluto.Module) error {
	return &Failure{Code: "parse_error", Text: fmt.Sprintf("%s cannot be read: %s", m.Path, oneLine(m.Err.Error())), Hint: m.Mend()}
}
