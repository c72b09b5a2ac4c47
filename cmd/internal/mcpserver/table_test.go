package mcpserver

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tiktoken-go/tokenizer"
)

// tokens counts what a text costs a client.
func tokens(t *testing.T, text string) int {
	t.Helper()
	enc, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	ids, _, err := enc.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	return len(ids)
}

func mustTable(t *testing.T) *table {
	t.Helper()
	table, err := newTable()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// graphTools are the tools that the toolset graph owes its clients.
var graphTools = []string{
	"find_symbol", "find_references", "get_impact", "detect_circular", "get_context", "get_stats",
	"call_graph", "list_symbols", "get_source", "get_type", "find_definition",
}

func TestTable(t *testing.T) {
	table := mustTable(t)
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	known := toolsets()
	seen := map[string]bool{}
	for _, tool := range table.tools {
		if !name.MatchString(tool.name) || seen[tool.name] {
			t.Errorf("%s: the name is taken or is not words joined by underscores", tool.name)
		}
		seen[tool.name] = true
		if tool.title == "" || tool.handle == nil && tool.answer == nil {
			t.Errorf("%s: no title or no handler", tool.name)
		}
		if n := len(tool.description); n == 0 || n > 400 {
			t.Errorf("%s: the description has %d characters, want at most 400", tool.name, n)
		}
		if n := len(strings.Fields(tool.description)); n >= 75 {
			t.Errorf("%s: the description has %d words, want fewer than 75", tool.name, n)
		}
		if !slices.ContainsFunc(known, func(ts toolset) bool { return ts.name == tool.toolset }) {
			t.Errorf("%s: no toolset %q", tool.name, tool.toolset)
		}
		if h := tool.hints; h.readOnly && (h.destructive || !h.idempotent) {
			t.Errorf("%s: what only reads destroys nothing and may be repeated", tool.name)
		}
		if tool.always != slices.Contains([]string{"find_references", "get_impact"}, tool.name) {
			t.Errorf("%s: always loaded is %v", tool.name, tool.always)
		}
	}
	for _, want := range graphTools {
		if !seen[want] {
			t.Errorf("the table has no %s", want)
		}
	}
	for alias, target := range table.aliases {
		if seen[alias] || !seen[target] {
			t.Errorf("alias %s of %s: it hides a tool, or stands for none", alias, target)
		}
	}
}

// TestSchemas compares each tool as clients see it with its golden.
func TestSchemas(t *testing.T) {
	table := mustTable(t)
	dir := filepath.Join("testdata", "schema")
	update := os.Getenv("UPDATE") != ""
	want := map[string]bool{}
	for _, tool := range table.tools {
		raw, err := json.Marshal(tool.definition())
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := json.Indent(&got, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		file := filepath.Join(dir, tool.name+".json")
		want[file] = true
		if update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(golden, got.Bytes()) {
			t.Errorf("%s differs; UPDATE=1 rewrites it:\n%s", file, got.Bytes())
		}
		checkSchema(t, tool.name, tool.schema())
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) < len(graphTools) {
		t.Fatalf("%d goldens, want at least %d (%v)", len(files), len(graphTools), err)
	}
	for _, file := range files {
		if !want[file] {
			t.Errorf("%s belongs to no tool", file)
		}
	}
}

// checkSchema refuses what some clients refuse: anything but an object at the root,
// combinators, references, types that are lists.
func checkSchema(t *testing.T, name string, raw json.RawMessage) {
	t.Helper()
	var schema struct {
		Type       string                    `json:"type"`
		Properties map[string]map[string]any `json:"properties"`
		Required   []string                  `json:"required"`
		Additional *bool                     `json:"additionalProperties"`
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&schema); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if schema.Type != "object" {
		t.Errorf("%s: the root is not an object", name)
	}
	for param, p := range schema.Properties {
		for key := range p {
			if !slices.Contains([]string{"type", "description", "enum", "default"}, key) {
				t.Errorf("%s: %s has a %s", name, param, key)
			}
		}
		if _, ok := p["type"].(string); !ok {
			t.Errorf("%s: %s has no type", name, param)
		}
	}
	for _, param := range schema.Required {
		if schema.Properties[param] == nil {
			t.Errorf("%s: %s is required and unknown", name, param)
		}
	}
}

// TestListCost weighs what every conversation pays for.
func TestListCost(t *testing.T) {
	table := mustTable(t)
	listed, err := table.choose(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	var defs []mcp.Tool
	always := 0
	for _, tool := range table.tools {
		defs = append(defs, tool.definition())
		raw, err := json.Marshal(tool.definition())
		if err != nil {
			t.Fatal(err)
		}
		n := tokens(t, string(raw))
		t.Logf("%4d %s", n, tool.name)
		if tool.always {
			always += n
		}
	}
	for _, tt := range []struct {
		what  string
		pluto bool
		most  int
	}{{"a project without Pluto", false, 2000}, {"a project with Pluto", true, 4500}} {
		raw, err := json.Marshal(mcp.ListToolsResult{Tools: listed.lists(defs, func() bool { return tt.pluto })})
		if err != nil {
			t.Fatal(err)
		}
		n := tokens(t, string(raw))
		t.Logf("%4d in %s", n, tt.what)
		if n >= tt.most {
			t.Errorf("the list of tools costs %d tokens in %s, want fewer than %d", n, tt.what, tt.most)
		}
	}
	if always >= 350 {
		t.Errorf("the tools that are always loaded cost %d tokens, want fewer than 350", always)
	}
}

func TestInstructions(t *testing.T) {
	text := strings.TrimSpace(instructions)
	if n := len(text); n > 1000 {
		t.Errorf("the instructions have %d characters, want at most 1,000", n)
	}
	first, _, _ := strings.Cut(text, "\n\n")
	if n := len(first); n > 512 {
		t.Errorf("the first paragraph has %d characters, want at most 512: some clients show no more", n)
	}
	if !strings.Contains(text, "`sett refs X`") {
		t.Error("the instructions do not name the command line")
	}
	if m := regexp.MustCompile(`\b(MUST|NEVER|ALWAYS|must|never|always use)\b`).FindString(text); m != "" {
		t.Errorf("the instructions command: %q", m)
	}
}

func TestChoose(t *testing.T) {
	table := mustTable(t)
	if _, err := table.choose([]string{"graf"}, false); err == nil || !strings.Contains(err.Error(), `no toolset "graf"; one of graph, more, edit, build, pluto, modules, cot, all`) {
		t.Errorf("unknown toolset: %v", err)
	}
	var defs []mcp.Tool
	writes := map[string]bool{}
	for _, tool := range table.tools {
		defs = append(defs, tool.definition())
		writes[tool.name] = tool.writes
	}
	names := func(sets []string, readOnly, pluto bool) string {
		c, err := table.choose(sets, readOnly)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range c.lists(defs, func() bool { return pluto }) {
			out = append(out, d.Name)
			if readOnly && writes[d.Name] {
				t.Errorf("%s is offered to who may only read", d.Name)
			}
		}
		return " " + strings.Join(out, " ") + " "
	}
	tests := []struct {
		sets            []string
		readOnly, pluto bool
		with, without   string
	}{
		{nil, false, false, "find_symbol get_source get_type check build test", "add_declaration run docs list_modules find_path check_file"},
		{nil, false, true, "find_symbol add_declaration check run docs", "list_modules redo"},
		{nil, true, true, "find_symbol check docs", "add_declaration save sync_pt"},
		{[]string{"modules"}, false, false, "list_modules redo", "find_symbol add_declaration"},
		{[]string{"cot"}, false, true, "check_file get_type find_definition find_references list_symbols build run_tests get_syntax_reference get_stdlib_docs get_project_info", "check test find_symbol run docs"},
		{[]string{"edit", "build"}, false, false, "save undo run", "list_modules find_symbol"},
		{[]string{"all"}, false, false, "find_symbol add_declaration check docs list_modules", ""},
		{[]string{"all"}, true, false, "find_symbol check list_modules", "add_declaration undo redo"},
	}
	for _, tt := range tests {
		got := names(tt.sets, tt.readOnly, tt.pluto)
		for _, name := range strings.Fields(tt.with) {
			if !strings.Contains(got, " "+name+" ") {
				t.Errorf("%v: no %s in%s", tt, name, got)
			}
		}
		for _, name := range strings.Fields(tt.without) {
			if strings.Contains(got, " "+name+" ") {
				t.Errorf("%v: %s is in%s", tt, name, got)
			}
		}
	}
}
