package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/compiler/doc"
	"github.com/settgraph/sett/format"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk"
)

// The toolset cot is the tools of a compiler's own server, under its names. Listed by
// `--toolset cot`, they answer in the forms of its manual.

// setCot is the toolset of these tools.
const setCot = "cot"

// inCot says which tools of other sets are in the toolset cot too.
func inCot(name string) bool {
	return slices.Contains([]string{"get_type", "find_definition", "find_references", "list_symbols", "build"}, name)
}

type noArgs struct {
	Project string `json:"project_path"`
}

type moduleArgs struct {
	Module string `json:"module" pos:"0?" help:"as std.strings; none lists them"`
}

// cotTools are the tools that only the toolset cot has; two are others under another name.
func cotTools(work []*tool) []*tool {
	renamed := func(name, of string) *tool {
		t := *work[slices.IndexFunc(work, func(t *tool) bool { return t.name == of })]
		t.name, t.toolset = name, setCot
		return &t
	}
	return []*tool{
		renamed("check_file", "check"),
		renamed("run_tests", "test"),
		pageTool("get_syntax_reference", "Pluto at a glance", "Use before writing Pluto: the syntax of the whole language on one page, with examples.",
			func(context.Context, *call, *noArgs) (string, error) { return doc.Sheet(), nil }),
		pageTool("get_stdlib_docs", "Pluto library docs", "Use to look up the functions of a module of Pluto's standard library.",
			func(_ context.Context, _ *call, a *moduleArgs) (string, error) {
				text, err := doc.StdlibAnswer(a.Module)
				if lost := (*doc.NotFound)(nil); errors.As(err, &lost) {
					err = &query.NotFoundError{Name: a.Module, Reason: lost.Error()}
				}
				return text, err
			}),
		pageTool("get_project_info", "About the project", "Use at the start: what the project is made of, its tools, and the commands of sett.",
			func(ctx context.Context, c *call, a *noArgs) (string, error) { return c.projectInfo(ctx, a.Project) }),
	}
}

// pageTool makes a tool that answers with a page.
func pageTool[A any](name, title, description string, page func(context.Context, *call, *A) (string, error)) *tool {
	return &tool{
		name: name, title: title, description: description, toolset: setCot, hints: hints{readOnly: true, idempotent: true},
		params: func() []any { return []any{new(A)} },
		handle: func(ctx context.Context, c *call, args []any) (*app.Reply, error) {
			text, err := page(ctx, c, args[0].(*A))
			if err != nil {
				return nil, err
			}
			return &app.Reply{Text: []byte(strings.TrimRight(text, "\n") + "\n")}, nil
		},
	}
}

// cotText is an answer in the form of the manual; ok is false when the server does not speak
// so, or the answer has no such form.
func (s *Server) cotText(res any, form string) (text []byte, ok bool) {
	if !s.cot || form != "" && form != "lines" {
		return nil, false
	}
	switch r := res.(type) {
	case *query.TypeResult:
		return []byte(format.Type002(r)), true
	case *query.DefResult:
		return []byte(format.Definition002(r)), true
	case *query.SymbolsResult:
		return []byte(format.Symbols002(r)), true
	case *report.Check:
		return []byte(format.Check002(r)), true
	case *report.Build:
		return []byte(format.Build002(r)), true
	case *report.Test:
		return []byte(format.Tests002(r)), true
	}
	return nil, false
}

// projectInfo tells what a project is made of, and what can be done with it.
func (c *call) projectInfo(ctx context.Context, named string) (string, error) {
	var b strings.Builder
	err := c.server.projects.Do(c.folder(ctx, named), c.progress, func(p *sdk.Project) error {
		about, err := p.About(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "Project %s\n", filepath.Base(p.Root()))
		for _, lang := range slices.Sorted(maps.Keys(about.Files)) {
			files := "files"
			if about.Files[lang] == 1 {
				files = "file"
			}
			fmt.Fprintf(&b, "  %s: %d %s\n", languageName(lang), about.Files[lang], files)
		}
		for _, m := range about.Manifests {
			fmt.Fprintf(&b, "  %s\n", m)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	b.WriteString("\nTools\n")
	for _, t := range c.server.listedTools() {
		first, _, _ := strings.Cut(t.description, ". ")
		fmt.Fprintf(&b, "  %s: %s\n", t.name, strings.TrimSuffix(first, "."))
	}
	if len(c.server.options.Verbs) > 0 {
		b.WriteString("\nIn a shell\n")
		for _, v := range c.server.options.Verbs {
			fmt.Fprintf(&b, "  sett %-10s %s\n", v.Name, v.Short)
		}
	}
	if t, _, ok := doc.Find("testing"); ok && c.hasPluto(ctx, written{}) {
		b.WriteString("\n" + t.Text)
	}
	return b.String(), nil
}

func languageName(lang string) string {
	switch lang {
	case "go":
		return "Go"
	case "ts":
		return "TypeScript and JavaScript"
	case "pluto":
		return "Pluto"
	}
	return lang
}
