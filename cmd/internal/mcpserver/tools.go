package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/query"
)

// tool is one row of the table.
type tool struct {
	name        string
	title       string
	description string // first sentence: when to use it; at most 400 characters and 75 words
	toolset     string // which of toolsets() lists it
	always      bool   // clients that load tools on demand load it at once
	hints       hints

	// params returns pointers to the argument structs of one call.
	params func() []any
	// handle answers a call whose arguments are filled.
	handle func(ctx context.Context, c *call, args []any) (*app.Reply, error)
	// dialect, which may be nil, rewrites arguments of an older spelling.
	dialect func(map[string]json.RawMessage) error

	set *params.Set
}

// hints are the four that MCP knows. All are always sent: the defaults of the protocol
// are the worst case.
type hints struct{ readOnly, destructive, idempotent, openWorld bool }

// toolset is a named group of tools.
type toolset struct {
	name string
	on   bool // listed unless other toolsets are asked for
}

// toolsets returns all groups.
func toolsets() []toolset {
	return []toolset{{name: "graph", on: true}}
}

// allTools is THE tool table: the questions of the query table, then one line for each
// other tool.
func allTools() []*tool {
	var tools []*tool
	for _, spec := range query.All() {
		tools = append(tools, queryTool(spec))
	}
	return append(tools, positionTools()...)
}

// allAliases returns the names that are callable and never listed, with the names of the
// tools that they stand for.
func allAliases() map[string]string {
	aliases := map[string]string{}
	for _, spec := range query.All() {
		if spec.Verb != spec.Tool {
			aliases[spec.Verb] = spec.Tool
		}
	}
	return aliases
}

// table is the tool table, read.
type table struct {
	tools   []*tool
	aliases map[string]string
}

func newTable() (*table, error) {
	t := &table{tools: allTools(), aliases: allAliases()}
	for _, tool := range t.tools {
		set, err := params.Of(tool.params()...)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", tool.name, err)
		}
		tool.set = set
		if set.Lookup("symbol") == nil || set.Lookup("line") != nil {
			tool.dialect = nil // it has no symbol to write otherwise
		}
	}
	return t, nil
}

// choose returns the tools of the toolsets; "all" is all of them.
func (t *table) choose(sets []string, readOnly bool) ([]*tool, error) {
	wanted := map[string]bool{}
	var names []string
	for _, ts := range toolsets() {
		names = append(names, ts.name)
		wanted[ts.name] = len(sets) == 0 && ts.on || slices.Contains(sets, "all")
	}
	for _, name := range sets {
		if name != "all" && !slices.Contains(names, name) {
			return nil, fmt.Errorf("no toolset %q; one of %s, all", name, strings.Join(names, ", "))
		}
		wanted[name] = true
	}
	var out []*tool
	for _, tool := range t.tools {
		if wanted[tool.toolset] && (tool.hints.readOnly || !readOnly) {
			out = append(out, tool)
		}
	}
	return out, nil
}

// definition is the tool as tools/list shows it.
func (t *tool) definition() mcp.Tool {
	d := mcp.Tool{
		Name:           t.name,
		Title:          t.title,
		Description:    t.description,
		RawInputSchema: t.set.Schema(describe),
		Annotations: mcp.ToolAnnotation{
			ReadOnlyHint:    &t.hints.readOnly,
			DestructiveHint: &t.hints.destructive,
			IdempotentHint:  &t.hints.idempotent,
			OpenWorldHint:   &t.hints.openWorld,
		},
	}
	if t.always {
		d.Meta = &mcp.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
	}
	return d
}

// run fills the arguments of a call and answers it.
func (t *tool) run(ctx context.Context, c *call, raw json.RawMessage) (*app.Reply, error) {
	if t.dialect != nil {
		given := map[string]json.RawMessage{}
		if json.Unmarshal(raw, &given) == nil && given != nil {
			if err := t.dialect(given); err != nil {
				return nil, err
			}
			var err error
			if raw, err = json.Marshal(given); err != nil {
				return nil, fmt.Errorf("reading the arguments: %w", err)
			}
		}
	}
	args := t.params()
	if err := t.set.FillJSON(raw, args...); err != nil {
		return nil, err
	}
	return t.handle(ctx, c, args)
}
