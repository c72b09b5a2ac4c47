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
	"github.com/settgraph/sett/cmd/internal/plutoapp"
	"github.com/settgraph/sett/query"
)

// tool is one row of the table.
type tool struct {
	name        string
	title       string
	description string // first sentence: when to use it; at most 400 characters and 75 words
	toolset     string // which of toolsets() lists it
	always      bool   // clients that load tools on demand load it at once
	pluto       bool   // listed by itself only in projects with Pluto files
	hints       hints
	writes      bool // it changes files of a project: refused when these may only be read

	// params returns pointers to the argument structs of one call.
	params func() []any
	// handle answers a call whose arguments are filled.
	handle func(ctx context.Context, c *call, args []any) (*app.Reply, error)
	// dialect, which may be nil, rewrites arguments of an older spelling.
	dialect func(map[string]json.RawMessage) error
	// answer, which may be nil, answers a call from its arguments as they were written.
	answer func(ctx context.Context, c *call, raw json.RawMessage) (*app.Reply, error)
	// describe, which may be nil for the usual way, is how parameters are described.
	describe func(*params.Field) (string, bool)

	set *params.Set
}

// hints are the four that MCP knows. All are always sent: the defaults of the protocol
// are the worst case.
type hints struct{ readOnly, destructive, idempotent, openWorld bool }

// toolset is a named group of tools.
type toolset struct {
	name  string
	on    bool // listed unless other toolsets are asked for
	pluto bool // and only in projects with Pluto files
}

// The toolsets of questions about the graph: those that every conversation pays for, and
// those that are rarely asked.
const (
	setGraph = "graph"
	setMore  = "more"
)

// toolsets returns all groups.
func toolsets() []toolset {
	return []toolset{
		{name: setGraph, on: true},
		{name: setMore},
		{name: plutoapp.SetEdit, on: true, pluto: true},
		{name: plutoapp.SetBuild, on: true},
		{name: plutoapp.SetPluto, on: true, pluto: true},
		{name: plutoapp.SetModules},
		{name: setCot},
	}
}

// allTools is THE tool table: the questions of the query table, then one line for each
// other tool.
func allTools() []*tool {
	var tools []*tool
	twins := twins()
	for _, spec := range query.All() {
		t := queryTool(spec)
		if twin := twins[spec.Tool]; twin != nil {
			t = withTwin(t, twin)
		}
		tools = append(tools, t)
	}
	work := workTools()
	return slices.Concat(tools, work, cotTools(work), plutoTools())
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
	for _, row := range plutoapp.Tools() {
		for _, name := range row.Aliases {
			aliases[name] = row.Name
		}
	}
	for _, spec := range query.All() {
		delete(aliases, spec.Tool) // a tool's own name is nobody's other name
	}
	for _, row := range plutoapp.Tools() {
		delete(aliases, row.Name)
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

// chooser says which tools tools/list shows.
type chooser struct {
	always map[string]bool // by name
	pluto  map[string]bool // those that are shown in projects with Pluto files
}

// choose says which tools of the toolsets are listed; "all" is all of them, and no toolset
// at all the usual ones. Every tool can be called, listed or not.
func (t *table) choose(sets []string, readOnly bool) (*chooser, error) {
	wanted, withPluto := map[string]bool{}, map[string]bool{}
	var names []string
	for _, ts := range toolsets() {
		names = append(names, ts.name)
		usual := len(sets) == 0 && ts.on
		wanted[ts.name] = usual && !ts.pluto || slices.Contains(sets, "all")
		withPluto[ts.name] = usual && ts.pluto
	}
	for _, name := range sets {
		if name != "all" && !slices.Contains(names, name) {
			return nil, fmt.Errorf("no toolset %q; one of %s, all", name, strings.Join(names, ", "))
		}
		wanted[name] = true
	}
	c := &chooser{always: map[string]bool{}, pluto: map[string]bool{}}
	for _, tool := range t.tools {
		switch {
		case readOnly && tool.writes:
		case wanted[tool.toolset] && !(tool.pluto && len(sets) == 0), wanted[setCot] && inCot(tool.name):
			c.always[tool.name] = true
		case withPluto[tool.toolset], wanted[tool.toolset]:
			c.pluto[tool.name] = true
		}
	}
	return c, nil
}

// lists says whether a tool is listed; pluto looks for Pluto files, if that matters.
func (c *chooser) lists(tools []mcp.Tool, pluto func() bool) []mcp.Tool {
	has := len(c.pluto) > 0 && pluto()
	out := make([]mcp.Tool, 0, len(tools))
	for _, t := range tools {
		if c.always[t.Name] || has && c.pluto[t.Name] {
			out = append(out, t)
		}
	}
	return out
}

// definition is the tool as tools/list shows it.
func (t *tool) definition() mcp.Tool {
	d := mcp.Tool{
		Name:           t.name,
		Title:          t.title,
		Description:    t.description,
		RawInputSchema: t.schema(),
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

func (t *tool) schema() json.RawMessage {
	if t.describe != nil {
		return t.set.Schema(t.describe)
	}
	return t.set.Schema(describe)
}

// run answers a call.
func (t *tool) run(ctx context.Context, c *call, raw json.RawMessage) (*app.Reply, error) {
	if t.answer != nil {
		return t.answer(ctx, c, raw)
	}
	return t.ask(ctx, c, raw)
}

// ask fills the arguments of a call and answers it.
func (t *tool) ask(ctx context.Context, c *call, raw json.RawMessage) (*app.Reply, error) {
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
