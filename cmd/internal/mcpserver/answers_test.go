package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// questions has arguments for every question of the query table.
var questions = map[string]map[string]any{
	"find_symbol":     {"symbol": "Greet*"},
	"find_references": {"symbol": "Greeter.Greet"},
	"get_impact":      {"symbol": "hello"},
	"detect_circular": {"level": "declaration"},
	"get_context":     {"symbol": "Greeter"},
	"get_stats":       {},
	"call_graph":      {"symbol": "Use", "depth": 2},
	"list_symbols":    {"path": "greet.go"},
	"get_source":      {"symbol": "NewGreeter"},
	"get_type":        {"symbol": "greet.go:7:44"},
	"find_definition": {"symbol": "use/use.go:6:35"},
	"find_path":       {"from": "Use", "to": "hello"},
	"find_dead_code":  {"exported": true},
}

// TestSameText sees to it that both doors give the same bytes for every question, in
// every form that they share.
func TestSameText(t *testing.T) {
	dir := writeSample(t)
	s := newServer(t, Options{Project: dir})
	p := connect(t, s)
	project, err := sdk.Open(dir, sdk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer project.Close()
	asked := 0
	for _, spec := range query.All() {
		given, ok := questions[spec.Tool]
		if !ok {
			t.Errorf("no question for %s", spec.Tool)
			continue
		}
		for _, format := range []string{"", "lines", "json"} {
			asked++
			args := spec.NewArgs()
			raw, err := json.Marshal(given)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.tools[spec.Tool].set.FillJSON(raw, args, new(common)); err != nil {
				t.Fatal(err)
			}
			want, err := app.Ask(t.Context(), project, spec, args, app.Form{Name: format})
			if err != nil {
				t.Fatalf("%s: %v", spec.Verb, err)
			}
			call := map[string]any{}
			for k, v := range given {
				call[k] = v
			}
			if format != "" {
				call["format"] = format
			}
			p.send(callRequest(asked, spec.Tool, call))
			r := p.next().tool(t)
			if r.IsError || r.Structured != nil || len(r.Content) != 1 || r.Content[0].Type != "text" {
				t.Fatalf("%s: %+v", spec.Tool, r)
			}
			if got := r.Content[0].Text; got != string(want.Text) || got == "" {
				t.Errorf("%s %s: the tool says\n%s\nthe verb says\n%s", spec.Tool, format, got, want.Text)
			}
			// The verb is an alias of the tool.
			p.send(callRequest(asked, spec.Verb, call))
			if r := p.next().tool(t); len(r.Content) != 1 || r.Content[0].Text != string(want.Text) {
				t.Errorf("alias %s: %+v", spec.Verb, r)
			}
		}
	}
	if asked < 3*len(questions) {
		t.Errorf("asked %d questions, want %d", asked, 3*len(questions))
	}
}

// TestSpellings asks the same in old and new spellings.
func TestSpellings(t *testing.T) {
	dir := writeSample(t)
	p := connect(t, newServer(t, Options{Project: dir}))
	ask := func(tool string, args map[string]any) string {
		t.Helper()
		p.send(callRequest(1, tool, args))
		r := p.next().tool(t)
		if r.IsError {
			t.Fatalf("%s %v: %s", tool, args, r.Content[0].Text)
		}
		return r.Content[0].Text
	}
	want := ask("find_references", map[string]any{"symbol": "hello"})
	if !strings.HasPrefix(want, "hello function greet.go:9") {
		t.Fatalf("find_references: %s", want)
	}
	for _, args := range []map[string]any{
		{"name": "hello"}, {"id": "hello"}, {"uuid": "hello"}, {"class_name": "hello"}, {"old_name": "hello", "symbol": "hello"},
		{"symbol": "greet.go:9:6"},
		{"path": "greet.go", "line": 9, "character": 6},
		{"path": "greet.go", "line": 8, "column": 5, "zero_based": true},
		{"symbol": "hello", "project_path": dir},
		{"symbol": "hello", "project_path": filepath.Join(dir, "use")},
	} {
		if got := ask("find_references", args); got != want {
			t.Errorf("%v: %s\nwant %s", args, got, want)
		}
	}
	for _, args := range []map[string]any{
		{"path": "greet.go", "line": 7, "column": 44}, // a use
		{"path": "greet.go", "line": 6, "character": 43, "zero_based": true},
		{"path": filepath.Join(dir, "greet.go"), "line": 9, "column": 8},
	} {
		if got := ask("find_definition", args); got != "def sample.hello greet.go:9:6 function\nfunc hello(name string) string\n" {
			t.Errorf("find_definition %v: %s", args, got)
		}
		if got := ask("get_type", args); got != "func hello(name string) string · function greet.go:9:6\n" {
			t.Errorf("get_type %v: %s", args, got)
		}
	}
	// What has no node in the graph: g, the receiver.
	local := map[string]any{"path": "greet.go", "line": 7, "column": 49}
	if got := ask("find_definition", local); got != "def g greet.go:7:7 receiver\nvar g *Greeter\n" {
		t.Errorf("find_definition of a local: %s", got)
	}
	if got := ask("get_type", local); got != "*Greeter · g receiver greet.go:7:7\n" {
		t.Errorf("get_type of a local: %s", got)
	}
	for _, args := range []map[string]any{local, {"symbol": "greet.go:7:7"}} {
		if got := ask("find_references", args); got != "g receiver greet.go:7:7 in Greeter.Greet · 1 use\ngreet.go:7\n" {
			t.Errorf("find_references of a local: %s", got)
		}
	}
	p.send(callRequest(2, "find_definition", map[string]any{"path": "greet.go", "line": 9, "column": 18})) // string
	if r := p.next().tool(t); r.IsError || !regexp.MustCompile(`^def string /.*/builtin/builtin.go:\d+:6 builtin\n`).MatchString(r.Content[0].Text) {
		t.Errorf("a predeclared name: %+v", r)
	}
	p.send(callRequest(3, "find_definition", map[string]any{"path": "greet.go", "line": 9, "column": 1000}))
	if r := p.next().tool(t); !r.IsError || !strings.Contains(r.Content[0].Text, "not_found: greet.go:9:1000: line 9 has ") {
		t.Errorf("a column that is not there: %+v", r)
	}
}

// TestNotFound sees to it that an unknown name is an error with suggestions, never an
// empty list.
func TestNotFound(t *testing.T) {
	p := connect(t, newServer(t, Options{Project: writeSample(t)}))
	for _, tool := range []string{"find_symbol", "find_references", "get_impact", "get_context", "call_graph", "get_source"} {
		p.send(callRequest(1, tool, map[string]any{"symbol": "Greetr"}))
		r := p.next().tool(t)
		if !r.IsError || !strings.HasPrefix(r.Content[0].Text, `not_found: no symbol "Greetr"; did you mean Greet`) {
			t.Errorf("%s: %+v", tool, r)
		}
		p.send(callRequest(1, tool, map[string]any{"symbol": "00000000-0000-4000-8000-000000000000"}))
		if r := p.next().tool(t); !r.IsError || !strings.HasPrefix(r.Content[0].Text, "not_found: ") {
			t.Errorf("%s of an unknown UUID: %+v", tool, r)
		}
	}
}

// TestFresh sees to it that an answer reflects the files as they are.
func TestFresh(t *testing.T) {
	dir := writeSample(t)
	p := connect(t, newServer(t, Options{Project: dir}))
	ask := func() toolReply {
		p.send(callRequest(1, "find_symbol", map[string]any{"symbol": "Added"}))
		return p.next().tool(t)
	}
	if r := ask(); !r.IsError {
		t.Fatalf("before: %+v", r)
	}
	if err := os.WriteFile(filepath.Join(dir, "use", "added.go"), []byte("package use\n\nfunc Added() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := ask()
	if r.IsError || r.Content[0].Text != "1 definition\ndef Added use/added.go:3 function\n" {
		t.Errorf("after: %+v", r)
	}
	if len(r.Content) != 2 || !strings.HasPrefix(r.Content[1].Text, "re-read 1 changed file") {
		t.Errorf("the note: %+v", r)
	}
}

// TestConcurrent asks much at once of a project without an index: it is built once and
// everybody gets the same answer.
func TestConcurrent(t *testing.T) {
	dir := writeSample(t)
	p := connect(t, newServer(t, Options{Project: dir}))
	const n = 200
	var lines []string
	for i := range n {
		lines = append(lines, callRequest(i, "find_references", map[string]any{"symbol": "hello"}))
	}
	p.send(lines...)
	texts := map[string]int{}
	for range n {
		r := p.next().tool(t)
		texts[fmt.Sprint(r.IsError, r.Content[0].Text)]++
	}
	if len(texts) != 1 {
		t.Errorf("%d different answers: %v", len(texts), texts)
	}
}

// TestCancel cancels calls at every moment; the server serves on and answers the rest.
func TestCancel(t *testing.T) {
	p := connect(t, newServer(t, Options{Project: writeSample(t)}))
	for i := range 100 {
		p.send(callRequest(fmt.Sprintf("c%d", i), "get_impact", map[string]any{"symbol": "hello"}),
			fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c%d"}}`, i))
	}
	p.send(callRequest("last", "find_symbol", map[string]any{"symbol": "hello"}))
	for {
		a := p.next()
		if string(a.ID) == `"last"` {
			if r := a.tool(t); r.IsError {
				t.Errorf("after the cancelled calls: %+v", r)
			}
			return
		}
	}
}

// TestRoots lets the client say where it works.
func TestRoots(t *testing.T) {
	dir := writeSample(t)
	t.Chdir(t.TempDir())
	p := connect(t, newServer(t, Options{}))
	p.send(request(1, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{"roots": map[string]any{}},
		"clientInfo": map[string]any{"name": "test", "version": "1"},
	}))
	p.next()
	p.send(callRequest(2, "find_symbol", map[string]any{"symbol": "Greeter"}))
	a := p.next()
	if a.Method != "roots/list" {
		t.Fatalf("the server did not ask for the roots: %+v", a)
	}
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[{"uri":"file:///nowhere"},{"uri":"file://%s"}]}}`, a.ID, filepath.ToSlash(dir)))
	if r := p.next().tool(t); r.IsError || !strings.Contains(r.Content[0].Text, "def Greeter greet.go:4") {
		t.Errorf("%+v", r)
	}
	// The environment's folder comes before the roots.
	p = connect(t, newServer(t, Options{ProjectEnv: dir}))
	p.send(callRequest(2, "find_symbol", map[string]any{"symbol": "Greeter"}))
	if r := p.next().tool(t); r.IsError {
		t.Errorf("%+v", r)
	}
}

// TestProjects asks about more projects than are kept open.
func TestProjects(t *testing.T) {
	p := connect(t, newServer(t, Options{Project: writeSample(t)}))
	var dirs []string
	for range 12 {
		dirs = append(dirs, writeSample(t))
	}
	for range 2 {
		for _, dir := range dirs {
			p.send(callRequest(1, "find_symbol", map[string]any{"symbol": "Greeter", "project_path": dir}))
			if r := p.next().tool(t); r.IsError {
				t.Errorf("%+v", r)
			}
		}
	}
}

// TestClient speaks through a client that we did not write.
func TestClient(t *testing.T) {
	s := newServer(t, Options{Project: writeSample(t)})
	c, err := client.NewInProcessClient(s.mcp)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	init := mcp.InitializeRequest{}
	init.Params.ProtocolVersion = "2025-06-18"
	init.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(t.Context(), init); err != nil {
		t.Fatal(err)
	}
	list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil || len(list.Tools) < len(graphTools) {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			call := mcp.CallToolRequest{}
			call.Params.Name = "get_context"
			call.Params.Arguments = map[string]any{"symbol": "Greeter.Greet"}
			r, err := c.CallTool(t.Context(), call)
			if err != nil || r.IsError || len(r.Content) == 0 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	all.Wait()
}

// TestFault sees to it that what an agent cannot mend is an error of the protocol, and
// logged with the request's id.
func TestFault(t *testing.T) {
	var logged bytes.Buffer
	s := newServer(t, Options{Project: writeSample(t), Log: &logged})
	s.tools["get_stats"].handle = nil // calling it panics
	p := connect(t, s)
	p.send(callRequest("q7", "get_stats", nil))
	if a := p.next(); a.Error == nil || a.Error.Code != -32603 || strings.Contains(a.Error.Message, "nil pointer") {
		t.Errorf("%+v", a.Error)
	}
	if !strings.Contains(logged.String(), `request "q7": get_stats: panic`) {
		t.Errorf("logged %q", logged.String())
	}
	p.send(callRequest(2, "find_symbol", map[string]any{"symbol": "Greeter"}))
	if r := p.next().tool(t); r.IsError {
		t.Errorf("then: %+v", r)
	}
}
