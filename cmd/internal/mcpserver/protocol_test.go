package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// modern is the _meta of a request that speaks the stateless protocol.
func modern(version string) map[string]any {
	return map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    version,
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}}
}

// TestHandshake sees to it that old and new clients get the same instructions and tools,
// at once and without the project being touched.
func TestHandshake(t *testing.T) {
	dir := writeSample(t)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		p := connect(t, newServer(t, Options{Project: dir}))
		start := time.Now()
		p.send(request(1, "initialize", map[string]any{
			"protocolVersion": version, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"},
		}), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, request(2, "tools/list", map[string]any{}))
		var hello struct{ ProtocolVersion, Instructions string }
		if err := json.Unmarshal(p.next().Result, &hello); err != nil {
			t.Fatal(err)
		}
		if hello.ProtocolVersion != version || hello.Instructions != strings.TrimSpace(instructions) {
			t.Errorf("%s: answered %+v", version, hello)
		}
		if names := listed(t, p.next()); len(names) < len(graphTools) || !slices.IsSorted(names) {
			t.Errorf("%s: tools %v", version, names)
		}
		if took := time.Since(start); took > 50*time.Millisecond {
			t.Errorf("%s: the handshake took %v", version, took)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".sett")); err == nil {
		t.Error("the handshake indexed the project")
	}
}

func listed(t *testing.T, a answer) []string {
	t.Helper()
	var list struct {
		Tools []struct{ Name string } `json:"tools"`
	}
	if err := json.Unmarshal(a.Result, &list); err != nil {
		t.Fatalf("%+v: %v", a, err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestDiscover(t *testing.T) {
	p := connect(t, newServer(t, Options{Project: writeSample(t)}))
	p.send(request("d", "server/discover", modern("2026-07-28")), request(2, "tools/list", modern("2026-07-28")))
	var d struct {
		ResultType, CacheScope, Instructions string
		TTL                                  *int64 `json:"ttlMs"`
		SupportedVersions                    []string
	}
	a := p.next()
	if err := json.Unmarshal(a.Result, &d); err != nil {
		t.Fatal(err)
	}
	if d.ResultType != "complete" || d.TTL == nil || d.CacheScope == "" || d.Instructions != strings.TrimSpace(instructions) {
		t.Errorf("discover: %s", a.Result)
	}
	for _, v := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		if !slices.Contains(d.SupportedVersions, v) {
			t.Errorf("discover does not offer %s", v)
		}
	}
	list := p.next()
	for _, member := range []string{`"resultType":"complete"`, `"ttlMs":`, `"cacheScope":`} {
		if !strings.Contains(string(list.Result), member) {
			t.Errorf("tools/list has no %s", member)
		}
	}
	p.send(request(3, "tools/list", modern("2031-01-01")))
	if a := p.next(); a.Error == nil || a.Error.Code != -32022 {
		t.Errorf("an unknown version: %+v", a)
	}
	p.send(request(4, "initialize", modern("2026-07-28")))
	if a := p.next(); a.Error == nil || a.Error.Code != -32601 {
		t.Errorf("initialize in the protocol that has none: %+v", a)
	}
}

// TestHostile sends what no client should send. The server refuses each and serves on.
func TestHostile(t *testing.T) {
	p := connect(t, newServer(t, Options{Project: writeSample(t)}))
	tests := []struct {
		name, send string
		code       int    // of the error
		id         string // of the answer
	}{
		{"garbage", `hello`, -32700, "null"},
		{"cut off", `{"jsonrpc":"2.0","id":1,"method":"tools/list"`, -32700, "null"},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}", -32601, "1"},
		{"a string", `"hello"`, -32600, "null"},
		{"a number", `42`, -32600, "null"},
		{"null", `null`, -32600, "null"},
		{"an empty object", `{}`, -32600, "null"},
		{"an empty batch", `[]`, -32600, "null"},
		{"a large batch", "[" + strings.Repeat("1,", 200) + "1]", -32600, "null"},
		{"no version", `{"id":1,"method":"ping"}`, -32600, "1"},
		{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600, "1"},
		{"a null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
		{"an object as id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{"no method", `{"jsonrpc":"2.0","id":1}`, -32600, "1"},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"tools/eat"}`, -32601, "1"},
		{"params of another type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":7}`, -32600, "1"},
		{"an unknown tool", callRequest(1, "find_symbool", nil), -32602, "1"},
		{"no tool", request(1, "tools/call", map[string]any{}), -32602, "1"},
		{"a deep message", strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), -32700, "null"},
		{"a long line", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + strings.Repeat("x", maxLine) + `"}`, -32600, "null"},
		{"an unbounded id", `{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"nope"}`, -32601, "123456789012345678901234567890"},
	}
	for _, tt := range tests {
		p.send(tt.send)
		a := p.next()
		if a.Error == nil || a.Error.Code != tt.code || string(a.ID) != tt.id {
			t.Errorf("%s: answered %+v (id %s), want code %d and id %s", tt.name, a, a.ID, tt.code, tt.id)
		}
		p.send(`{"jsonrpc":"2.0","id":"alive","method":"ping"}`)
		if a := p.next(); string(a.ID) != `"alive"` || a.Error != nil {
			t.Fatalf("%s: then ping is answered %+v", tt.name, a)
		}
	}
	// What nobody is owed an answer for gets none.
	p.send("", "   ", "\r", `{"jsonrpc":"2.0","method":"notifications/unheard"}`,
		`{"jsonrpc":"2.0","id":"never-asked","result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`,
		"\ufeff"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	if a := p.next(); string(a.ID) != `"last"` {
		t.Errorf("answered %+v, want the last ping", a)
	}
}

func TestBatch(t *testing.T) {
	p := connect(t, newServer(t, Options{Project: writeSample(t)}))
	p.send("[" + strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`7`,
		callRequest(2, "find_symbol", map[string]any{"symbl": "x"}),
		`{"jsonrpc":"2.0","id":3,"method":"nope"}`,
	}, ",") + "]")
	var answers []answer
	if err := json.Unmarshal([]byte(p.line()), &answers); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, a := range answers {
		ids = append(ids, string(a.ID))
	}
	if got := strings.Join(ids, " "); got != "1 null 2 3" {
		t.Errorf("answered %s", got)
	}
	p.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`, request("x", "ping", nil))
	if a := p.next(); string(a.ID) != `"x"` {
		t.Errorf("a batch of notifications is answered: %+v", a)
	}
}

// TestBadArguments sees to it that what an agent can mend is a result that says how.
func TestBadArguments(t *testing.T) {
	dir := writeSample(t)
	p := connect(t, newServer(t, Options{Project: dir}))
	tests := []struct {
		tool string
		args any
		want string
	}{
		{"find_symbol", map[string]any{"symbl": "X"}, `invalid_argument: no parameter "symbl"; did you mean symbol?`},
		{"find_symbol", map[string]any{"symbol": 7}, `invalid_argument: symbol: want a string, got 7`},
		{"find_symbol", map[string]any{"symbol": "X", "name": "Y"}, `invalid_argument: name and symbol are the same parameter and disagree: "Y" and "X"`},
		{"find_symbol", map[string]any{"symbol": "X", "limit": "many"}, `invalid_argument: limit: want an integer, got "many"`},
		{"find_symbol", map[string]any{"symbol": "X", "format": "xml"}, `invalid_argument: format: no value "xml"; one of lines, json`},
		{"find_symbol", map[string]any{"symbol": "X", "project_path": filepath.Join(dir, "nowhere")}, `invalid_argument: there is no folder`},
		{"find_symbol", []any{1}, `invalid_argument: the arguments are not a JSON object`},
		{"find_references", map[string]any{"line": 3}, `invalid_argument: path: a line needs the path of its file`},
		{"find_references", map[string]any{"path": "a.go", "line": 0}, `invalid_argument: line: lines and columns count from 1`},
		{"find_references", map[string]any{"path": "a.go", "line": 1, "column": 2, "character": 3}, `character and column are the same parameter and disagree`},
	}
	for i, tt := range tests {
		p.send(request(i, "tools/call", map[string]any{"name": tt.tool, "arguments": tt.args}))
		r := p.next().tool(t)
		if !r.IsError || len(r.Content) != 1 || !strings.Contains(r.Content[0].Text, tt.want) {
			t.Errorf("%s %v: %+v, want %s", tt.tool, tt.args, r, tt.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".sett")); err == nil {
		t.Error("a call that cannot be understood indexed the project")
	}
}

// TestEndOfInput sees to it that what was asked is answered although the input ended.
func TestEndOfInput(t *testing.T) {
	p := connect(t, newServer(t, Options{Project: writeSample(t)}))
	for i := range 20 {
		p.send(callRequest(i, "find_symbol", map[string]any{"symbol": "Greeter"}))
	}
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 20 {
		seen[string(p.next().ID)] = true
	}
	if len(seen) != 20 {
		t.Errorf("answered %d of 20: %v", len(seen), fmt.Sprint(seen))
	}
	if err := <-p.done; err != nil {
		t.Error(err)
	}
	p.done <- nil
}
