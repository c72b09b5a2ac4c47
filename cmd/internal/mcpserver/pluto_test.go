package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/tools/txtar"
)

// sampleOf writes the project of a conversation and starts a server for it.
func sampleOf(t *testing.T, o Options) *conversation {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "pluto", "lines.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	c := &conversation{t: t, dir: tempDir(t), o: o}
	for _, f := range archive.Files {
		writeFile(t, filepath.Join(c.dir, f.Name), string(f.Data))
	}
	return c
}

// ok calls a tool that must answer.
func (c *conversation) ok(tool string, args map[string]any) string {
	c.t.Helper()
	text, isError := c.call(tool, args)
	if isError {
		c.t.Fatalf("%s %v: %s", tool, args, text)
	}
	return text
}

// fails calls a tool that must refuse with a code.
func (c *conversation) fails(code, tool string, args map[string]any) {
	c.t.Helper()
	text, isError := c.call(tool, args)
	if !isError || !strings.HasPrefix(text, code+": ") {
		c.t.Errorf("%s %v: error %v: %s; want %s", tool, args, isError, text, code)
	}
}

type given = map[string]any

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// tree is the files of a project.
func (c *conversation) tree() string {
	var b strings.Builder
	err := filepath.WalkDir(c.dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s\n%s\n", strings.TrimPrefix(path, c.dir), data)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return b.String()
}

// TestTwoSpellings asks the same in the words of both documents, for every tool that both
// have: the ids in the answers, the texts, and the files afterwards are the same.
func TestTwoSpellings(t *testing.T) {
	source := "fn extra() int {\n    return 1\n}"
	tests := []struct {
		tool string
		a, b given // as 000 and as 001 spell it
	}{
		{"list_modules", nil, nil},
		{"list_declarations", given{"path": "auth.pluto", "visibility": "all"}, given{"path": "$ROOT/auth.pluto"}},
		{"get_source", given{"path": "auth.pluto"}, given{"path": "$ROOT/auth.pluto", "start": 0}},
		{"find_declaration", given{"name": "title"}, given{"name": "title"}},
		{"callers_of", given{"id": "@dot_product"}, given{"uuid": "@dot_product"}},
		{"constructors_of", given{"id": "@User"}, given{"uuid": "@User"}},
		{"usages_of", given{"id": "@Color"}, given{"uuid": "@Color"}},
		{"error_set", given{"id": "@login"}, given{"path": "$ROOT/auth.pluto", "uuid": "@login"}},
		{"call_graph", given{"id": "@main.main", "depth": 3}, given{"uuid": "@main.main", "max_depth": 3}},
		{"add_declaration", given{"path": "auth.pluto", "source": source, "position": "end"}, given{"path": "$ROOT/auth.pluto", "source": source}},
		{"replace_declaration", given{"id": "@odd", "source": "fn odd(n: int) bool {\n    return false\n}"}, given{"path": "main.pluto", "name": "odd", "source": "fn odd(n: int) bool {\n    return false\n}"}},
		{"rename_declaration", given{"id": "@odd", "new_name": "strange"}, given{"path": "main.pluto", "old_name": "odd", "new_name": "strange"}},
		{"add_method", given{"class_id": "@Vector", "source": "fn one(self) int {\n    return 1\n}"}, given{"path": "math/vectors.pluto", "class_name": "Vector", "source": "fn one(self) int {\n    return 1\n}"}},
		{"add_field", given{"target_id": "@User", "name": "age", "type": "int"}, given{"path": "auth.pluto", "class_name": "User", "field_name": "age", "field_type": "int"}},
		{"check", nil, given{"path": "$ROOT"}},
		{"compile", given{"path": "main.pluto"}, given{"path": "$ROOT/main.pluto"}},
		{"run", given{"path": "main.pluto", "timeout": 20}, given{"path": "$ROOT/main.pluto", "timeout_ms": 20000}},
		{"test", given{"path": "auth.pluto"}, given{"path": "$ROOT/auth.pluto"}},
		{"sync_pt", given{"path": "math/angles.pt"}, given{"pt_path": "$ROOT/math/angles.pt"}},
		{"pretty_print", given{"id": "@Vector"}, given{"path": "math/vectors.pluto", "uuid": "@Vector"}},
		{"get_declaration", given{"id": "@AuthError"}, given{"path": "auth.pluto", "uuid": "@AuthError"}},
		{"delete_declaration", given{"id": "@check_password"}, given{"path": "auth.pluto", "name": "check_password"}},
	}
	ask := func(t *testing.T, dialect, tool string, args given) (ids map[string]bool, text, files string) {
		c := sampleOf(t, Options{Dialect: dialect})
		if tool == "sync_pt" {
			c.ok("generate_pt", given{"path": "math/angles.pluto"})
		}
		args = maps.Clone(args)
		for k, v := range args {
			if s, ok := v.(string); ok {
				args[k] = c.ids(strings.ReplaceAll(s, "$ROOT", c.dir))
			}
		}
		text = c.ok(tool, args)
		if dialect == "000" {
			c.ok("save", nil)
		}
		ids = map[string]bool{}
		for _, id := range uuids.FindAllString(text, -1) {
			ids[id] = true
		}
		var whole struct{ Source *string }
		if json.Unmarshal([]byte(text), &whole) == nil && whole.Source != nil {
			text = *whole.Source
		}
		return ids, text, c.tree()
	}
	if len(tests) < 22 {
		t.Fatalf("%d tools, want 22", len(tests))
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			t.Parallel()
			ids0, text0, files0 := ask(t, "000", tt.tool, tt.a)
			ids1, text1, files1 := ask(t, "001", tt.tool, tt.b)
			if tt.tool == "list_modules" || tt.tool == "delete_declaration" || tt.tool == "find_declaration" && len(ids0) < 2 {
				// nothing more to compare than that both answer
			} else if diff := equalSets(ids0, ids1); diff != "[]" {
				t.Errorf("ids differ: %s\n%s\n%s", diff, text0, text1)
			}
			if (tt.tool == "get_source" || tt.tool == "pretty_print") && text0 != text1 {
				t.Errorf("%q and %q", text0, text1)
			}
			if files0 != files1 {
				t.Errorf("the files differ:\n%s\n%s", files0, files1)
			}
		})
	}
}

// allIDs is the id of every declaration of the project by its handle.
func (c *conversation) allIDs() map[string]bool {
	var list []struct{ ID, Name, Kind, Module string }
	all := map[string]bool{}
	for _, path := range []string{"."} {
		if err := json.Unmarshal([]byte(c.ok("list_declarations", given{"path": path, "format": "json"})), &list); err != nil {
			c.t.Fatal(err)
		}
		for _, d := range list {
			all[d.Module+" "+d.Kind+" "+d.Name+" "+d.ID] = true
			if d.Kind == "test" {
				continue
			}
			for _, id := range uuids.FindAllString(c.ok("get_declaration", given{"id": d.ID, "format": "json"}), -1) {
				all[d.Name+" "+id] = true
			}
		}
	}
	return all
}

// TestIdentitiesLast restarts the server between edits: who declarations are does not
// change, in text projects and in binary ones.
func TestIdentitiesLast(t *testing.T) {
	for _, form := range []string{"text", "binary"} {
		t.Run(form, func(t *testing.T) {
			c := sampleOf(t, Options{})
			c.ok("migrate", given{"to": form})
			id := c.ids("@dot_product")
			c.ok("rename_declaration", given{"id": id, "new_name": "inner"})
			c.ok("move_declaration", given{"symbol": "Color", "to": "colors.pluto"})
			c.ok("add_declaration", given{"path": "auth.pluto", "source": "fn extra() int {\n    return 1\n}"})
			before := c.allIDs()
			c.do([]string{"restart"})
			if diff := equalSets(before, c.allIDs()); diff != "[]" {
				t.Errorf("after a restart: %s", diff)
			}
			if text := c.ok("get_declaration", given{"id": id}); !strings.HasPrefix(text, "pub fn inner(") {
				t.Errorf("the id means %s", text)
			}
			c.ok("undo", nil)
			c.ok("undo", nil)
			c.ok("undo", nil)
			c.do([]string{"restart"})
			if text := c.ok("get_declaration", given{"id": id}); !strings.HasPrefix(text, "pub fn dot_product(") {
				t.Errorf("after undo the id means %s", text)
			}
		})
	}
}

// TestOtherBytesStay edits a file that no printer would have written: what an edit is not about
// stays as it is, byte by byte.
func TestOtherBytesStay(t *testing.T) {
	const before, about, after = "\ufeff// head\r\n\r\n\r\nimport  auth   // why\n\nfn  a( x:int )int{ // tail\n\treturn x+1 }\n\n// stays\n",
		"fn mid(q: int) int {\n    return q\n}", "   // after\n\n\n/* no comment? */ fn z() int { return mid( 2 ) }\t\n// last, without an end"
	text := strings.Replace(before+about+after, "/* no comment? */ ", "", 1)
	tail := strings.Replace(after, "/* no comment? */ ", "", 1)
	for _, tt := range []struct {
		tool string
		args given
		want string
	}{
		{"replace_declaration", given{"symbol": "mid", "source": "fn mid(q: int) int {\n    return q + 1 // more\n}"},
			before + "fn mid(q: int) int {\n    return q + 1 // more\n}" + tail},
		{"rename_declaration", given{"symbol": "mid", "new_name": "centre"},
			before + strings.ReplaceAll(about, "mid", "centre") + strings.ReplaceAll(tail, "mid", "centre")},
		{"rename_declaration", given{"symbol": "mid.q", "new_name": "p"}, before + "fn mid(p: int) int {\n    return p\n}" + tail},
	} {
		c := sampleOf(t, Options{})
		path := filepath.Join(c.dir, "odd", "odd.pluto")
		writeFile(t, filepath.Join(c.dir, "odd", "auth.pluto"), "")
		writeFile(t, path, text)
		c.ok(tt.tool, tt.args)
		if now, err := os.ReadFile(path); err != nil || string(now) != tt.want {
			t.Errorf("%s: %q, want %q (%v)", tt.tool, now, tt.want, err)
		}
		c.ok("undo", nil)
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Errorf("%s and undo: %q, want %q (%v)", tt.tool, now, text, err)
		}
	}
}

// TestStagedRuns sees to it that programs run with the edits that are staged.
func TestStagedRuns(t *testing.T) {
	c := sampleOf(t, Options{Staged: true})
	before := c.tree()
	c.ok("replace_declaration", given{"symbol": "paint", "source": "fn paint(c: Color) int {\n    return helper.value()\n}"})
	c.ok("create_module", given{"path": "helper.pluto", "source": "pub fn value() int {\n    return 77\n}\n"})
	c.ok("replace_declaration", given{"symbol": "paint", "source": "import helper\n\nfn paint(c: Color) int {\n    return helper.value()\n}"})
	if out := c.ok("run", given{"path": "main.pluto"}); !strings.HasPrefix(out, "exit 0\n") || !strings.Contains(out, "\n77\n") {
		t.Errorf("run: %s", out)
	}
	if after := c.tree(); after != before {
		t.Errorf("the files changed before they were saved:\n%s", after)
	}
	c.ok("save", nil)
	if after := c.tree(); !strings.Contains(after, "return 77") {
		t.Errorf("not saved:\n%s", after)
	}
}

// TestRunning runs programs that misbehave.
func TestRunning(t *testing.T) {
	c := &conversation{t: t, dir: tempDir(t)}
	for name, text := range map[string]string{
		"much.pluto":  "fn main() {\n    let line = \"0123456789012345678901234567890123456789012345678901234567890123456789\"\n    for i in 0..20000 {\n        print(line)\n    }\n    print(\"the end\")\n}\n",
		"wait.pluto":  "import std.io\n\nfn main() {\n    let line = io.read_line()\n    print(f\"read {line}\")\n}\n",
		"loop.pluto":  "fn main() {\n    print(\"started\")\n    let mut n = 0\n    while true {\n        n = n + 1\n    }\n}\n",
		"exit.pluto":  "fn main() {\n    let a = [1]\n    print(a[7])\n}\n",
		"tests.pluto": "test \"fine\" {\n    expect(1).to_equal(1)\n}\n\ntest \"for ever\" {\n    print(\"begun\")\n    while true {\n    }\n}\n\ntest \"after\" {\n    expect(1).to_equal(2)\n}\n",
	} {
		writeFile(t, filepath.Join(c.dir, name), text)
	}
	out := c.ok("run", given{"path": "much.pluto", "standalone": true})
	if len(out) > 70<<10 || !strings.Contains(out, "bytes cut ...") || !strings.HasSuffix(out, "the end\n") {
		t.Errorf("much output: %d bytes, ends in %q", len(out), out[max(0, len(out)-100):])
	}
	if out := c.ok("run", given{"path": "wait.pluto", "standalone": true}); !strings.HasPrefix(out, "exit ") {
		t.Errorf("no input: %s", out)
	}
	if out := c.ok("run", given{"path": "wait.pluto", "stdin": "hello\n", "standalone": true}); !strings.Contains(out, "read hello") {
		t.Errorf("input: %s", out)
	}
	start := time.Now()
	out = c.ok("run", given{"path": "loop.pluto", "timeout_ms": 500, "standalone": true})
	if !strings.HasPrefix(out, "timeout: ") || !strings.Contains(out, "started") || time.Since(start) > 20*time.Second {
		t.Errorf("endless: %s after %v", out, time.Since(start))
	}
	if out := c.ok("run", given{"path": "exit.pluto", "standalone": true}); !strings.HasPrefix(out, "exit 1\n") || !strings.Contains(out, "stderr:\n") {
		t.Errorf("failed: %s", out)
	}
	out = c.ok("test", given{"path": "tests.pluto", "timeout_ms": 1500})
	if !strings.Contains(out, "1 passed, ") || !strings.Contains(out, "FAILED for ever") || !strings.Contains(out, "begun") {
		t.Errorf("tests: %s", out)
	}

	// A cancelled call is not answered, and its program ends.
	c.peer.send(callRequest("x", "run", given{"path": "loop.pluto", "timeout": 60, "standalone": true}))
	time.Sleep(300 * time.Millisecond)
	c.peer.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}`, request("y", "ping", nil))
	if a := c.peer.next(); string(a.ID) != `"y"` {
		t.Errorf("answered %s", a.ID)
	}
}

// TestKilledClient ends a client in the middle of a call: the server ends, and so does the
// program that it runs.
func TestKilledClient(t *testing.T) {
	c := &conversation{t: t, dir: tempDir(t)}
	writeFile(t, filepath.Join(c.dir, "main.pluto"), "fn main() {\n    while true {\n        print(\"on and on\")\n    }\n}\n")
	c.ok("check", nil)
	c.peer.send(callRequest("x", "run", given{"path": "main.pluto", "timeout": 2}))
	time.Sleep(100 * time.Millisecond)
	if err := c.peer.in.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-c.peer.done:
		if err != nil {
			t.Error(err)
		}
		c.peer.done <- nil
	case <-time.After(30 * time.Second):
		t.Error("the server does not end")
	}
}

// TestConfined tries to leave the project on all ways.
func TestConfined(t *testing.T) {
	base := tempDir(t)
	c := &conversation{t: t, dir: filepath.Join(base, "proj")}
	writeFile(t, filepath.Join(c.dir, "main.pluto"), "fn main() {\n    print(1)\n}\n")
	writeFile(t, filepath.Join(base, "proj-evil", "secret.pluto"), "fn secret() {\n}\n")
	if err := os.Symlink(filepath.Join(base, "proj-evil"), filepath.Join(c.dir, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, path := range []string{"../proj-evil/secret.pluto", filepath.Join(base, "proj-evil", "secret.pluto"), "link/../../proj-evil/secret.pluto"} {
		c.fails("outside_project", "get_source", given{"path": path})
		c.fails("outside_project", "check", given{"path": path})
		c.fails("outside_project", "run", given{"path": path})
		c.fails("outside_project", "add_declaration", given{"path": path, "source": "fn f() {\n}"})
		c.fails("outside_project", "create_module", given{"path": path})
		c.fails("outside_project", "compile", given{"path": "main.pluto", "output": path})
		c.fails("outside_project", "run", given{"path": "main.pluto", "cwd": filepath.Dir(path)})
	}
	c.fails("outside_project", "compile", given{"path": "main.pluto", "output": "link/x"})
	c.fails("outside_project", "run", given{"path": "main.pluto", "cwd": "link"})
	for _, path := range []string{"link/new.pluto", "link/secret.pluto"} {
		if text, isError := c.call("add_declaration", given{"path": path, "source": "fn f() {\n}"}); !isError {
			t.Errorf("%s: %s", path, text)
		}
	}
	entries, err := os.ReadDir(filepath.Join(base, "proj-evil"))
	if err != nil || len(entries) != 1 {
		t.Errorf("written outside: %v %v", entries, err)
	}
	data, err := os.ReadFile(filepath.Join(base, "proj-evil", "secret.pluto"))
	if err != nil || string(data) != "fn secret() {\n}\n" {
		t.Errorf("changed outside: %s %v", data, err)
	}
}

// TestSizes holds answers to a budget, and pages through a long one.
func TestSizes(t *testing.T) {
	c := &conversation{t: t, dir: tempDir(t)}
	var b strings.Builder
	const n = 10_000
	for i := range n {
		fmt.Fprintf(&b, "fn f%d(a: int) int {\n    return a\n}\n\n", i)
	}
	b.WriteString("fn main() {\n")
	for i := range 300 {
		fmt.Fprintf(&b, "    print(f0(%d))\n", i)
	}
	b.WriteString("}\n")
	writeFile(t, filepath.Join(c.dir, "big.pluto"), b.String())
	for tool, args := range map[string]given{
		"list_modules":      nil,
		"list_declarations": {"path": "big.pluto"},
		"find_declaration":  {"name": "f", "match": "prefix"},
		"callers_of":        {"symbol": "f0"},
		"usages_of":         {"symbol": "f0"},
		"call_graph":        {"id": "main"},
		"get_declaration":   {"symbol": "f1"},
		"error_set":         {"symbol": "f1"},
		"check":             nil,
		"load_project":      nil,
		"module_status":     nil,
		"add_declaration":   {"path": "big.pluto", "source": "fn g() {\n}"},
	} {
		if text := c.ok(tool, args); len(text) > 12_000 {
			t.Errorf("%s: %d bytes", tool, len(text))
		}
	}
	for tool, args := range map[string]given{
		"load_module":     {"path": "big.pluto"},
		"get_declaration": {"symbol": "big"},
		"get_source":      {"path": "big.pluto"},
		"pretty_print":    {"path": "big.pluto"},
		"generate_pt":     {"path": "big.pluto", "dry_run": true},
	} {
		if text := c.ok(tool, args); len(text) > 50_000 {
			t.Errorf("%s: %d bytes", tool, len(text))
		}
	}
	var whole strings.Builder // in pieces
	for line := 1; line > 0; {
		text := c.ok("get_source", given{"path": "big.pluto", "start_line": line})
		next := 0
		if head, rest, cut := strings.Cut(text, "\n"); cut && strings.HasPrefix(head, "showing ") {
			if _, err := fmt.Sscanf(head[strings.LastIndex(head, "start_line"):], "start_line %d", &next); err != nil || next <= line {
				t.Fatalf("%s: %v", head, err)
			}
			text = rest
		}
		whole.WriteString(text)
		line = next
	}
	if disk, err := os.ReadFile(filepath.Join(c.dir, "big.pluto")); err != nil || whole.String() != string(disk) {
		t.Errorf("the pieces are not the whole: %d bytes of %d (%v)", whole.Len(), len(disk), err)
	}
	names := map[string]bool{}
	args := given{"path": "big.pluto", "limit": 4000}
	for range 4 {
		text := c.ok("list_declarations", args)
		for _, m := range regexp.MustCompile(`(?m)^fn (\w+)\(`).FindAllStringSubmatch(text, -1) {
			names[m[1]] = true
		}
		next := regexp.MustCompile(`cursor (\d+) goes on`).FindStringSubmatch(text)
		if next == nil {
			break
		}
		args["cursor"] = next[1]
	}
	if len(names) != n+2 { // main and g
		t.Errorf("paged through %d declarations of %d", len(names), n+2)
	}
}

// TestMalformed has broken files in the project: the rest is answered, and what is broken
// is said.
func TestMalformed(t *testing.T) {
	c := sampleOf(t, Options{})
	c.ok("migrate", given{"path": "math/angles.pluto", "to": "binary"})
	path := filepath.Join(c.dir, "math", "angles.pluto")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c.ok("list_modules", nil)
	for _, size := range []int{4, 20, len(data) / 2, len(data) - 1} {
		writeFile(t, path, string(data[:size]))
		if text := c.ok("list_modules", nil); !strings.Contains(text, "cannot be read") {
			t.Errorf("cut to %d: %s", size, text)
		}
		c.fails("parse_error", "list_declarations", given{"path": "math/angles.pluto"})
		if _, isError := c.call("add_declaration", given{"path": "math/angles.pluto", "source": "fn f() {\n}"}); !isError {
			t.Errorf("cut to %d: edited all the same", size)
		}
		now, err := os.ReadFile(path)
		if err != nil || len(now) != size {
			t.Errorf("cut to %d: has %d bytes now (%v)", size, len(now), err)
		}
		c.ok("find_declaration", given{"name": "login"})
	}
	writeFile(t, path, "fn ok() {\n}\n\nfn broken( {\n}\n\nclass {\xff\n")
	c.ok("list_declarations", given{"path": "math/angles.pluto"})
	if text := c.ok("check", given{"path": "math/angles.pluto"}); !strings.Contains(text, "math/angles.pluto:") {
		t.Errorf("check: %s", text)
	}
	c.ok("callers_of", given{"symbol": "login"})
}

// TestConcurrentCalls asks and edits at once.
func TestConcurrentCalls(t *testing.T) {
	c := sampleOf(t, Options{})
	c.ok("check", nil)
	const n = 60
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			switch i % 4 {
			case 0:
				c.peer.send(callRequest(1000+i, "usages_of", given{"symbol": "User", "format": "json"}))
			case 1:
				c.peer.send(callRequest(1000+i, "check", given{}))
			case 2:
				c.peer.send(callRequest(1000+i, "call_graph", given{"id": "main.main"}))
			default:
				c.peer.send(callRequest(1000+i, "add_declaration", given{"path": "auth.pluto", "source": fmt.Sprintf("fn extra%d() {\n}", i)}))
			}
		})
	}
	wg.Wait()
	for range n {
		if r := c.peer.next().tool(t); r.IsError {
			t.Error(r.Content[0].Text)
		}
	}
	text := c.ok("find_declaration", given{"name": "extra", "match": "prefix"})
	if got := strings.Count(text, "fn extra"); got != n/4 {
		t.Errorf("%d of %d edits are there:\n%s", got, n/4, text)
	}
}

// TestListedWherePlutoIs looks at tools/list in projects with and without Pluto.
func TestListedWherePlutoIs(t *testing.T) {
	for _, tt := range []struct {
		pluto bool
		o     Options
		want  string // one tool that is listed
		not   string // one that is not
	}{
		{true, Options{}, "add_declaration", "list_modules"},
		{false, Options{}, "find_symbol", "add_declaration"},
		{false, Options{Toolsets: []string{"modules"}}, "list_modules", "find_symbol"},
		{true, Options{ReadOnly: true}, "check", "add_declaration"},
		{true, Options{Dialect: "001"}, "list_modules", "nothing"},
	} {
		dir := tempDir(t)
		if tt.pluto {
			writeFile(t, filepath.Join(dir, "src", "deep", "main.pluto"), "fn main() {\n}\n")
		}
		tt.o.Project = dir
		p := connect(t, newServer(t, tt.o))
		start := time.Now()
		p.send(request(1, "tools/list", given{}))
		names := " " + strings.Join(listed(t, p.next()), " ") + " "
		if took := time.Since(start); took > 50*time.Millisecond {
			t.Errorf("%+v: tools/list took %v", tt, took)
		}
		if !strings.Contains(names, " "+tt.want+" ") || strings.Contains(names, " "+tt.not+" ") {
			t.Errorf("%+v: lists%s", tt, names)
		}
		p.send(callRequest(2, "list_modules", nil)) // listed or not
		if r := p.next().tool(t); r.IsError {
			t.Errorf("%+v: %s", tt, r.Content[0].Text)
		}
		if _, err := os.Stat(filepath.Join(dir, ".sett")); err == nil {
			t.Errorf("%+v: the project was written to", tt)
		}
	}
}

// TestGraphSeesStaged asks the tools of the graph about what is not on disk yet.
func TestGraphSeesStaged(t *testing.T) {
	c := sampleOf(t, Options{Staged: true})
	has := func(tool string, args given, want ...string) {
		t.Helper()
		text := c.ok(tool, args)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s %v does not show %q:\n%s", tool, args, w, text)
			}
		}
	}
	id := c.ids("@dot_product")
	before := c.tree()
	c.ok("rename_declaration", given{"symbol": "dot_product", "new_name": "inner"})
	c.ok("add_declaration", given{"path": "extra.pluto", "source": "import math.vectors\n\npub fn twice(a: vectors.Vector) float {\n    return vectors.inner(a, a)\n}"})
	c.ok("delete_module", given{"path": "auth.pluto", "force": true})
	has("find_symbol", given{"symbol": "inner"}, "math/vectors.pluto:15")
	has("find_symbol", given{"symbol": id}, "inner")
	has("find_references", given{"symbol": "inner"}, "extra.pluto", "main.pluto", "math/angles.pluto")
	has("get_impact", given{"symbol": "inner"}, "twice")
	has("get_context", given{"symbol": "twice"}, "extra.pluto:3")
	has("call_graph", given{"symbol": "twice"}, "inner")
	has("get_source", given{"symbol": "twice"}, "vectors.inner(a, a)")
	has("list_symbols", given{"path": "extra.pluto"}, "twice")
	has("find_definition", given{"path": "extra.pluto", "line": 4, "column": 20}, "math/vectors.pluto:15")
	c.fails("not_found", "find_symbol", given{"symbol": "dot_product"})
	c.fails("not_found", "find_symbol", given{"symbol": "check_password"})
	c.ok("undo", nil)
	has("find_symbol", given{"symbol": "check_password"}, "auth.pluto")
	c.ok("discard", nil)
	has("find_references", given{"symbol": "dot_product"}, "main.pluto", "math/angles.pluto")
	c.fails("not_found", "find_symbol", given{"symbol": "twice"})
	if after := c.tree(); after != before {
		t.Errorf("the disk changed:\n%s", after)
	}
}

// TestClientHangsUp closes the input of a server while a program runs: a client that has been
// waiting is not served any longer, and the program ends with the server.
func TestClientHangsUp(t *testing.T) {
	c := sampleOf(t, Options{Project: "", Staged: true})
	c.version = "2024-11-05"
	c.ok("add_declaration", given{"path": "loop/main.pluto", "source": "fn main() {\n    while true {\n    }\n}"})
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = "run", given{"path": "loop/main.pluto", "timeout": 60}
	go func() { _, _ = c.client.CallTool(context.Background(), request) }() // nobody waits for it
	time.Sleep(endsAtOnce + 500*time.Millisecond)
	start := time.Now()
	_ = c.client.Close() // on a slow machine it sends a signal after two seconds
	c.client = nil
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("the server took %v to end", took)
	}
}

// TestSaveTells has save say, where edits are written at once, what was written since it said
// so last.
func TestSaveTells(t *testing.T) {
	c := sampleOf(t, Options{})
	c.ok("rename_declaration", given{"symbol": "odd", "new_name": "strange"})
	c.ok("add_declaration", given{"path": "auth.pluto", "source": "fn extra() {\n}"})
	for _, tt := range []struct {
		args given
		want string
	}{
		{given{"path": "main.pluto"}, "saved 1 file\nmain.pluto\n"},
		{nil, "saved 1 file\nauth.pluto\n"},
		{nil, "nothing to save: no edits are staged\n"},
	} {
		if got := c.ok("save", tt.args); got != tt.want {
			t.Errorf("save %v: %q, want %q", tt.args, got, tt.want)
		}
	}
}
