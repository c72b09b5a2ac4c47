package mcpserver

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/query"
)

// placeArgs name a position in a file.
type placeArgs struct {
	Path   string `json:"path" pos:"0" help:"file"`
	Line   int    `json:"line" pos:"1" help:"line"`
	Column int    `json:"column" alias:"character,col" help:"column of the name"`
	Zero   bool   `json:"zero_based" help:"lines and columns count from 0"`
}

// positionTools are what editors ask: what is at this position. They answer what
// `sett find --sig FILE:LINE:COLUMN` prints.
func positionTools() []*tool {
	return []*tool{
		positionTool("find_definition", "Find definition",
			"Use when you have a position and want to know where the name there is declared."),
		positionTool("get_type", "Get type",
			"Use when you have a position and want the type or signature of the name there."),
	}
}

func positionTool(name, title, description string) *tool {
	return &tool{
		name:        name,
		title:       title,
		description: description,
		toolset:     "graph",
		hints:       hints{readOnly: true, destructive: false, idempotent: true, openWorld: false},
		params:      func() []any { return []any{new(placeArgs), new(common)} },
		handle: func(ctx context.Context, c *call, args []any) (*app.Reply, error) {
			return c.definition(ctx, args[0].(*placeArgs), args[1].(*common))
		},
	}
}

// definition finds the declaration of the name at a position.
func (c *call) definition(ctx context.Context, at *placeArgs, about *common) (*app.Reply, error) {
	line, col := at.Line, at.Column
	if at.Zero {
		line, col = line+1, col+1
	}
	if line < 1 || col < 0 {
		return nil, &params.Error{Param: "line", Text: "lines and columns count from 1 (zero_based: true counts from 0)"}
	}
	place := at.Path + ":" + strconv.Itoa(line)
	if col > 0 {
		place += ":" + strconv.Itoa(col)
	}
	spec, ok := query.ByVerb("find")
	if !ok {
		return nil, fmt.Errorf("internal error: no question find")
	}
	dir := c.folder(ctx, about.Project)
	find := &query.FindArgs{Symbol: place, Sig: true}
	reply, err := c.server.projects.Ask(ctx, dir, spec, find, app.Form{Name: about.Format}, c.progress)
	if err != nil || col == 0 {
		return reply, err
	}
	// Where no known name is, find answers with the declaration around the position,
	// which would be taken for the definition of what is there.
	result, ok := reply.Result.(*query.FindResult)
	if !ok || len(result.Hits) != 1 {
		return reply, nil
	}
	hit := result.Hits[0]
	file := find.Symbol[:strings.IndexByte(find.Symbol, ':')] // as rewritten: from the root
	word := c.server.wordAt(dir, file, line, col)
	last := hit.Name[strings.LastIndexByte(hit.Name, '.')+1:]
	if word != last && hit.Line <= line && hit.File == file {
		what := "there is no name at " + place
		if word != "" {
			what = fmt.Sprintf("%q at %s is no known name", word, place)
		}
		return nil, &query.NotFoundError{Name: place,
			Reason: fmt.Sprintf("%s, inside %s %s:%d", what, hit.Name, hit.File, hit.Line)}
	}
	return reply, nil
}

// wordAt returns the identifier at a position, or nothing.
func (s *Server) wordAt(dir, path string, line, col int) string {
	root, err := app.Root(dir)
	if err != nil {
		return ""
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return ""
	}
	defer r.Close()
	src, staged := s.pluto.Overlay(root)[path]
	if !staged {
		if src, err = r.ReadFile(path); err != nil {
			return ""
		}
	}
	for l := range strings.Lines(string(src)) {
		if line--; line > 0 {
			continue
		}
		runes := []rune(strings.TrimRight(l, "\r\n"))
		if col > len(runes) || !isWord(runes[col-1]) {
			return ""
		}
		from, to := col-1, col
		for from > 0 && isWord(runes[from-1]) {
			from--
		}
		for to < len(runes) && isWord(runes[to]) {
			to++
		}
		return string(runes[from:to])
	}
	return ""
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || r == '#' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
}
