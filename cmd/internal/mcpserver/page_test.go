package mcpserver

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/cmd/internal/plutoapp"
)

// TestToolsPage compares the page about the tools of Pluto with what the table gives;
// UPDATE=1 writes it anew.
func TestToolsPage(t *testing.T) {
	got := toolsPage()
	if n := strings.Count(got, "\n### "); n < 40 {
		t.Fatalf("the page has %d tools, want at least 40", n)
	}
	file := filepath.Join("..", "..", "..", "docs", "pluto", "tools.md")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != got {
		t.Errorf("%s is stale: UPDATE=1 go test ./cmd/internal/mcpserver -run ToolsPage", file)
	}
}

// toolSets are the headings of the page.
var toolSets = []struct{ set, title, text string }{
	{plutoapp.SetEdit, "Editing", "Each checks first and writes all files or none. Listed by default, except with `--read-only`."},
	{plutoapp.SetBuild, "Checking and running", "Listed by default. All of them see staged edits."},
	{plutoapp.SetPluto, "Errors, uses, views, documentation", "Listed by default."},
	{plutoapp.SetModules, "Modules and declarations", "Listed with `--toolset modules` or `--toolset all`, and always callable."},
}

// everywhere are parameters that the page explains once.
var everywhere = []struct{ name, text string }{
	{"format", "`lines`, which is the usual, or `json`"},
	{"project_path", "the folder of another project"},
	{"stdlib", "the folder of another standard library"},
	{"limit", "show at most this many"},
	{"cursor", "go on where a cut answer said"},
	{"dry_run", "answer with the diff and change nothing"},
	{"staged", "keep the edit in memory until `save`"},
	{"save", "write at once although edits are staged"},
}

const pageIntro = `# The tools for Pluto

Generated from the table of the tools; ` + "`UPDATE=1 go test ./cmd/internal/mcpserver -run ToolsPage`" + ` writes it anew.
` + "`sett mcp`" + ` serves them. The tools of the graph (find_symbol, find_references, get_impact, get_context, ...) know Pluto too, and
see staged edits like all others.

- A declaration is named by ` + "`symbol`" + `: a name (dot), a handle (math/vectors.Vector.length), a place (math/vectors.pluto:12) or a
  UUID, of which 8 digits will do. ` + "`path`" + ` narrows; it is never needed with a UUID. Ids stay over edits, renames, moves and restarts.
- Paths are relative to the root of the project or absolute in it.
- Answers are lines. With ` + "`format: \"json\"`" + ` they are JSON with the names of the document whose spellings the call has: id, depth,
  timeout, position and such of the first (` + "`--dialect 000`" + `: always, edits staged, relative paths), uuid, max_depth, timeout_ms, old_name
  and such of the second (` + "`--dialect 001`" + `: always, edits direct, absolute paths); without any, those of both.
- Errors that the caller can mend have a code (not_found, ambiguous, invalid_argument, outside_project, stale, conflict, parse_error,
  kind_mismatch, timeout, read_only, locked), a sentence, at most three names that may have been meant, and the next step.
- Edits are written at once, or are staged (` + "`sett mcp --staged`" + `, or per call): then check, run, test and every question see them, and
  ` + "`save`" + ` writes them. ` + "`undo`" + ` goes back step by step, over restarts too.

Parameters of many tools, not repeated below:

`

// toolsPage is the page about the tools of Pluto.
func toolsPage() string {
	var b strings.Builder
	b.WriteString(pageIntro)
	once := map[string]bool{}
	for _, p := range everywhere {
		fmt.Fprintf(&b, "- `%s`: %s\n", p.name, p.text)
		once[p.name] = true
	}
	tools := append(plutoapp.Tools(), plutoapp.GetSource(), plutoapp.CallGraph())
	for _, s := range toolSets {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.title, s.text)
		for _, t := range tools {
			if t.Set != s.set {
				continue
			}
			fmt.Fprintf(&b, "\n### %s\n\n%s", t.Name, t.Description)
			if len(t.Aliases) > 0 {
				fmt.Fprintf(&b, " Also called %s.", strings.Join(t.Aliases, ", "))
			}
			b.WriteString("\n\n")
			var also []string
			for _, f := range t.Params().Fields {
				if once[f.Name] {
					also = append(also, f.Name)
					continue
				}
				b.WriteString(parameterLine(&f))
			}
			also = slices.DeleteFunc(also, func(n string) bool { return n == "format" || n == "project_path" || n == "stdlib" })
			if len(also) > 0 {
				fmt.Fprintf(&b, "- and %s\n", strings.Join(also, ", "))
			}
		}
	}
	return strings.ReplaceAll(b.String(), "\n\n\n", "\n\n")
}

func parameterLine(f *params.Field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- `%s`", f.Name)
	if len(f.Aliases) > 0 {
		fmt.Fprintf(&b, " (or %s)", strings.Join(f.Aliases, ", "))
	}
	if !f.Need {
		b.WriteString(", optional")
	}
	fmt.Fprintf(&b, ": %s", f.Help)
	if f.Default != "" && f.Default != "-1" {
		fmt.Fprintf(&b, "; %s by default", f.Default)
	}
	return b.String() + "\n"
}
