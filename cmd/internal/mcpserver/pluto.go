package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/cmd/internal/plutoapp"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// plutoTools makes a tool of every row of the table of Pluto.
func plutoTools() []*tool {
	var tools []*tool
	for _, row := range plutoapp.Tools() {
		if !slices.Contains([]string{"check", "build", "test"}, row.Name) { // any language may be behind these
			tools = append(tools, plutoTool(row))
		}
	}
	return tools
}

func plutoTool(row *plutoapp.Tool) *tool {
	return &tool{
		name:        row.Name,
		title:       row.Title,
		description: row.Description,
		toolset:     row.Set,
		pluto:       true,
		hints:       hints{row.Hints.ReadOnly, row.Hints.Destructive, row.Hints.Idempotent, row.Hints.OpenWorld},
		writes:      row.Writes(),
		params:      func() []any { return []any{row.Args()} },
		describe:    describePluto,
		answer: func(ctx context.Context, c *call, raw json.RawMessage) (*app.Reply, error) {
			return c.pluto(ctx, row, raw)
		},
	}
}

// pluto answers a call of a tool of Pluto.
func (c *call) pluto(ctx context.Context, row *plutoapp.Tool, raw json.RawMessage) (*app.Reply, error) {
	request := plutoapp.Request{Dir: c.server.folder(ctx), Args: raw}
	if c.progress != nil {
		request.Progress = func(phase string) { c.progress(sdk.Event{Phase: phase}) }
	}
	reply, err := c.server.pluto.Run(ctx, row, request)
	if err != nil {
		return nil, err
	}
	return &app.Reply{Text: reply.Text}, nil
}

// The tools of the graph that the documents of Pluto name too, with parameters and answers
// of their own.
func twins() map[string]*plutoapp.Tool {
	return map[string]*plutoapp.Tool{"get_source": plutoapp.GetSource(), "call_graph": plutoapp.CallGraph()}
}

// withTwin lets a tool of the graph answer calls about Pluto as the documents of Pluto say:
// those that are spelled as there, those that name a Pluto file, and those that the graph
// has nothing for, as edits that are staged.
func withTwin(t *tool, twin *plutoapp.Tool) *tool {
	t.answer = func(ctx context.Context, c *call, raw json.RawMessage) (*app.Reply, error) {
		given := map[string]json.RawMessage{}
		if json.Unmarshal(raw, &given) != nil || !c.hasPluto(ctx, given) {
			return t.ask(ctx, c, raw)
		}
		certain, likely := aboutPluto(given)
		if certain || likely || c.server.options.Dialect != "" || c.server.pluto.Staged() {
			reply, err := c.pluto(ctx, twin, raw)
			if certain || !isCode(err, "not_found", "invalid_argument") {
				return reply, err
			}
			if reply, graphErr := t.ask(ctx, c, raw); graphErr == nil {
				return reply, nil
			}
			return nil, err
		}
		reply, err := t.ask(ctx, c, raw)
		var lost *query.NotFoundError
		if errors.As(err, &lost) {
			if reply, plutoErr := c.pluto(ctx, twin, raw); plutoErr == nil {
				return reply, nil
			}
		}
		return reply, err
	}
	return t
}

var inPlutoFile = regexp.MustCompile(`\.(pluto|pt)(:\d+){1,2}$`)

// aboutPluto says whether arguments can only be about Pluto, or are spelled as its
// documents spell them.
func aboutPluto(given map[string]json.RawMessage) (certain, likely bool) {
	for _, name := range []string{"start", "end", "start_line", "end_line", "stdlib", "module"} {
		if given[name] != nil {
			return true, true
		}
	}
	if plutoapp.IsSource(text(given, "path")) {
		return true, true
	}
	for _, name := range []string{"id", "uuid", "max_depth", "module_path"} {
		likely = likely || given[name] != nil
	}
	return inPlutoFile.MatchString(text(given, "symbol")), likely
}

func text(given map[string]json.RawMessage, name string) string {
	var s string
	if json.Unmarshal(given[name], &s) != nil {
		return ""
	}
	return s
}

func isCode(err error, codes ...string) bool {
	var f *plutoapp.Failure
	if !errors.As(err, &f) {
		return false
	}
	for _, code := range codes {
		if f.Code == code {
			return true
		}
	}
	return false
}

// hasPluto says whether the project of a call has Pluto files.
func (c *call) hasPluto(ctx context.Context, given map[string]json.RawMessage) bool {
	if c.server.pluto.Loaded() != "" {
		return true
	}
	dir := c.folder(ctx, text(given, "project_path"))
	if root, err := app.Root(dir); err == nil {
		dir = root
	}
	return plutoapp.HasPluto(dir)
}

// listsPluto says whether tools/list shows the tools of Pluto. The client is not asked for
// its roots: it waits for the list.
func (s *Server) listsPluto() bool {
	if s.pluto.Loaded() != "" {
		return true
	}
	dir := "."
	switch {
	case s.options.Project != "":
		dir = s.options.Project
	case isFolder(s.options.ProjectEnv):
		dir = s.options.ProjectEnv
	default:
		if s.mu.TryLock() {
			if s.roots != "" {
				dir = s.roots
			}
			s.mu.Unlock()
		}
	}
	root, err := app.Root(dir)
	return err == nil && plutoapp.HasPluto(root)
}

// newPluto makes what answers the tools of Pluto.
func newPluto(o Options, listed *chooser) (*plutoapp.App, error) {
	dialect, err := plutoapp.ParseDialect(o.Dialect)
	if err != nil {
		return nil, err
	}
	usual := plutoapp.D001
	if o.ProjectFlag {
		usual = plutoapp.D000 // as the document of that flag has it
	}
	return plutoapp.New(plutoapp.Options{
		Staged:   o.Staged,
		ReadOnly: o.ReadOnly,
		Dialect:  dialect,
		Listed:   func(name string) bool { return listed.always[name] || listed.pluto[name] },
		Default:  usual,
		Root:     app.Root,
		Fixed:    o.Project != "" || isFolder(o.ProjectEnv),
	}), nil
}

// describePluto says how tools/list describes the parameters of the tools of Pluto. What is
// rarely given is told of once, in the instructions.
func describePluto(f *params.Field) (text string, listed bool) {
	switch f.Name {
	case "format", "project_path", "stdlib", "cursor", "staged", "save", "timeout_ms", "cwd", "standalone",
		"start", "end", "start_line", "end_line", "pluto_path", "limit":
		return "", false
	case "symbol", "path", "new_name", "scope", "kind", "dry_run", "injected", "topic", "timeout", "field_name", "field_type":
		return "", true
	}
	return f.Help, true
}

// explain is what to tell the asker about an error, and whose it is.
func explain(err error) (string, app.Class) {
	if text, ok := plutoapp.Explain(err); ok {
		return text, app.Nothing
	}
	text, class := app.Explain(err)
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		lines[i] = plutoapp.Brief(l)
	}
	return strings.Join(lines, ""), class
}
