package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/query"
)

// common are the parameters that every question has beside its own.
type common struct {
	Format  string `json:"format" enum:"lines,json"`
	Project string `json:"project_path"`
}

// queryTool makes a tool of one question.
func queryTool(spec query.Spec) *tool {
	set := setGraph
	switch spec.Tool {
	case "find_path", "find_dead_code":
		set = setMore
	}
	return &tool{
		name:        spec.Tool,
		title:       spec.Title,
		description: spec.Long,
		toolset:     set,
		always:      spec.Always,
		hints:       hints{readOnly: true, destructive: false, idempotent: true, openWorld: false},
		params:      func() []any { return []any{spec.NewArgs(), new(common)} },
		dialect:     placeDialect,
		handle: func(ctx context.Context, c *call, args []any) (*app.Reply, error) {
			about := args[1].(*common)
			form := app.Form{Name: about.Format}
			reply, err := c.server.projects.Ask(ctx, c.folder(ctx, about.Project), spec, args[0], form, c.progress)
			if err == nil {
				if text, ok := c.server.cotText(reply.Result, about.Format); ok {
					reply.Text = text
				}
			}
			return reply, err
		},
	}
}

// placeDialect turns the old way to name a symbol by its place, a path with line and
// character (or column), into the symbol path:line:column. Lines and columns count from
// 1, or from 0 when zero_based is true.
func placeDialect(given map[string]json.RawMessage) error {
	line, hasLine, err := number(given, "line")
	if err != nil || !hasLine {
		return err
	}
	column, hasColumn, err := number(given, "character")
	if err != nil {
		return err
	}
	if col, ok, err := number(given, "column"); err != nil {
		return err
	} else if ok {
		if hasColumn && col != column {
			return &params.Error{Text: fmt.Sprintf("character and column are the same parameter and disagree: %d and %d", column, col)}
		}
		column, hasColumn = col, true
	}
	var path string
	if json.Unmarshal(given["path"], &path) != nil || path == "" {
		return &params.Error{Param: "path", Text: "a line needs the path of its file"}
	}
	var zero bool
	if raw, ok := given["zero_based"]; ok && json.Unmarshal(raw, &zero) != nil {
		return &params.Error{Param: "zero_based", Text: "want true or false"}
	}
	if zero {
		line, column = line+1, column+1
	}
	if line < 1 || hasColumn && column < 1 {
		return &params.Error{Param: "line", Text: "lines and columns count from 1 (zero_based: true counts from 0)"}
	}
	place := path + ":" + strconv.FormatInt(line, 10)
	if hasColumn {
		place += ":" + strconv.FormatInt(column, 10)
	}
	if _, twice := given["symbol"]; twice {
		return &params.Error{Text: "symbol and line both name a symbol"}
	}
	for _, name := range []string{"path", "line", "character", "column", "zero_based"} {
		delete(given, name)
	}
	raw, err := json.Marshal(place)
	given["symbol"] = raw
	return err
}

func number(given map[string]json.RawMessage, name string) (n int64, ok bool, err error) {
	raw, ok := given[name]
	if !ok {
		return 0, false, nil
	}
	if json.Unmarshal(raw, &n) != nil {
		return 0, false, &params.Error{Param: name, Text: "want an integer"}
	}
	return n, true, nil
}
