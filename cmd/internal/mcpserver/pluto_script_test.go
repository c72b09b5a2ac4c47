package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/tools/txtar"
)

// TestConversations plays the conversations of testdata/pluto and testdata/work, each with a process of sett
// over its standard input and output, through a public client: one half as clients of the
// protocol's first version, the other as those of its newest. A conversation is a txtar
// archive: its files are the project, its comment is what is said,
//
//	What the conversation shows.
//
//	flags: staged dialect=001
//
//	> list_declarations {"path": "math/vectors.pluto"}
//	pub class Vector  a4607ba4  math/vectors.pluto:4-12
//
// An argument "@Vector" is the UUID of Vector; "$ROOT" is the folder of the project. An
// answer that is an error has "! " before it. `$ tools` are the tools that are listed, `$ progress`
// is what the client was told first while the last call ran. `$ cat FILE`, `$ write FILE`, `$ rm FILE`,
// `$ restart` and `$ ids` look at and change what is around the server. UPDATE=1 rewrites
// the answers.
func TestConversations(t *testing.T) {
	var files []string
	for folder, least := range map[string]int{"pluto": 8, "work": 2} {
		found, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) < least {
			t.Fatalf("%d conversations in %s, want at least %d", len(found), folder, least)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			versions := []string{"2024-11-05", mcp.LATEST_PROTOCOL_VERSION}
			play(t, file, versions[i%len(versions)])
		})
	}
}

// conversation is one that is being played.
type conversation struct {
	t      *testing.T
	dir    string
	files  map[string][]byte // those that are not there at first: their names begin with "later/"
	o      Options
	server *Server
	peer   *peer
	n      int

	version string         // of the protocol, when the server is a process of its own
	client  *client.Client // of that process

	mu   sync.Mutex
	told string // how far the last call was at first, in words
}

// flags are the command line's for the options.
func flags(o Options) []string {
	args := []string{"mcp"}
	if o.ProjectFlag {
		args = append(args, "--project")
	}
	args = append(args, o.Project)
	if o.Staged {
		args = append(args, "--staged")
	}
	if o.ReadOnly {
		args = append(args, "--read-only")
	}
	if o.Dialect != "" {
		args = append(args, "--dialect", o.Dialect)
	}
	if len(o.Toolsets) > 0 {
		args = append(args, "--toolset", strings.Join(o.Toolsets, ","))
	}
	return args
}

// dial starts a process of sett and the session with it.
func (c *conversation) dial() {
	exe, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	c.client, err = client.NewStdioMCPClient(exe, []string{"SETT_TEST_AS_SETT=1"}, flags(c.o)...)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { c.hangUp() })
	c.client.OnNotification(func(n mcp.JSONRPCNotification) {
		if message, ok := n.Params.AdditionalFields["message"].(string); ok && n.Method == "notifications/progress" {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.told == "" {
				c.told = message
			}
		}
	})
	if err := c.client.Start(c.t.Context()); err != nil { // or it tells nobody what it is told
		c.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = c.version
	hello.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	answer, err := c.client.Initialize(ctx, hello)
	if err != nil {
		c.t.Fatal(err)
	}
	if answer.ProtocolVersion != c.version {
		c.t.Errorf("the server speaks %s, want %s", answer.ProtocolVersion, c.version)
	}
}

// hangUp ends the session and sees to it that the process ends with it.
func (c *conversation) hangUp() {
	if c.client == nil {
		return
	}
	start := time.Now()
	if err := c.client.Close(); err != nil {
		c.t.Errorf("the server did not end well: %v", err)
	}
	if took := time.Since(start); took > 5*time.Second {
		c.t.Errorf("the server took %v to end", took)
	}
	c.client = nil
}

func play(t *testing.T, file, version string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &conversation{t: t, dir: tempDir(t), files: map[string][]byte{}, version: version}
	for _, f := range archive.Files {
		if name, later := strings.CutPrefix(f.Name, "later/"); later {
			c.files[name] = f.Data
			continue
		}
		writeFile(t, filepath.Join(c.dir, f.Name), string(f.Data))
	}
	var got strings.Builder
	calls := 0
	answering := false
	for line := range strings.Lines(string(archive.Comment)) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "flags: "):
			c.flags(strings.Fields(text)[1:])
			got.WriteString(line)
		case strings.HasPrefix(text, "> "):
			calls++
			answering = true
			got.WriteString(line + c.say(text[2:]))
		case strings.HasPrefix(text, "$ "):
			answering = true
			got.WriteString(line + c.do(strings.Fields(text[2:])))
		case strings.HasPrefix(text, "# "):
			answering = false
			got.WriteString(line)
		case !answering:
			got.WriteString(line)
		}
	}
	if calls == 0 {
		t.Fatal("nothing is said")
	}
	if got.String() == string(archive.Comment) {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("got:\n%s\nwant:\n%s", got.String(), archive.Comment)
		return
	}
	archive.Comment = []byte(got.String())
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func tempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (c *conversation) flags(words []string) {
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		switch name {
		case "staged":
			c.o.Staged = true
		case "read-only":
			c.o.ReadOnly = true
		case "project":
			c.o.ProjectFlag = true
		case "dialect":
			c.o.Dialect = value
		case "toolset":
			c.o.Toolsets = strings.Split(value, ",")
		default:
			c.t.Fatalf("no flag %s", name)
		}
	}
}

// start starts the server when it is not running.
func (c *conversation) start() {
	c.o.Project = c.dir
	switch {
	case c.version == "" && c.peer == nil:
		c.server = newServer(c.t, c.o)
		c.peer = connect(c.t, c.server)
	case c.version != "" && c.client == nil:
		c.dial()
	}
}

// call calls a tool and returns its answer and whether it is an error.
func (c *conversation) call(tool string, args map[string]any) (string, bool) {
	c.start()
	if c.client != nil {
		return c.callProcess(tool, args)
	}
	c.n++
	c.peer.send(callRequest(c.n, tool, args))
	r := c.peer.next().tool(c.t)
	if len(r.Content) == 0 || len(r.Content) > 2 || r.Structured != nil { // the second is a note
		c.t.Fatalf("%s: %+v", tool, r)
	}
	return r.Content[0].Text, r.IsError
}

func (c *conversation) callProcess(tool string, args map[string]any) (string, bool) {
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	var request mcp.CallToolRequest
	request.Params.Name = tool
	request.Params.Meta = &mcp.Meta{ProgressToken: c.n}
	c.n++
	c.mu.Lock()
	c.told = ""
	c.mu.Unlock()
	if args != nil {
		request.Params.Arguments = args
	}
	r, err := c.client.CallTool(ctx, request)
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	var content mcp.TextContent
	ok := len(r.Content) > 0
	if ok {
		content, ok = r.Content[0].(mcp.TextContent)
	}
	if !ok || len(r.Content) > 2 || r.StructuredContent != nil {
		c.t.Fatalf("%s: %+v", tool, r)
	}
	return content.Text, r.IsError
}

// say calls a tool as a line says, and returns what the transcript shows of the answer.
func (c *conversation) say(line string) string {
	tool, raw, _ := strings.Cut(line, " ")
	args := map[string]any{}
	if raw != "" {
		if err := json.Unmarshal([]byte(strings.ReplaceAll(raw, "$ROOT", c.dir)), &args); err != nil {
			c.t.Fatalf("%s: %v", line, err)
		}
	}
	for k, v := range args {
		if s, ok := v.(string); ok {
			args[k] = c.ids(s)
		}
	}
	text, isError := c.call(tool, args)
	text = strings.ReplaceAll(text, c.dir, "$ROOT")
	text = times.ReplaceAllString(text, `${1}TIME"`)
	text = sizes.ReplaceAllString(text, "(SYSTEM, SIZE)")
	text = durations.ReplaceAllString(text, "${1}TIME")
	text = logs.ReplaceAllString(text, ".sett/logs/$1.log")
	text = strings.TrimRight(text, "\n") + "\n\n"
	if isError {
		text = "! " + text
	}
	return text
}

var (
	times = regexp.MustCompile(`("(?:loaded_at|time)":")[^"]*"`)
	sizes = regexp.MustCompile(`\(\w+-\w+, [\d.]+ [KM]?B\)`)
	at    = regexp.MustCompile(`@[\w/.]+`)

	durations = regexp.MustCompile(`(\(|timed out after )\d+(?:\.\d+)?(?:ms|s)\b`)
	logs      = regexp.MustCompile(`\.sett/logs/(\w+)-[\w.-]+\.log`)
)

// ids puts UUIDs in the place of names after @.
func (c *conversation) ids(text string) string {
	return at.ReplaceAllStringFunc(text, func(name string) string {
		raw, isError := c.call("get_declaration", map[string]any{"symbol": name[1:], "format": "json"})
		var d struct{ UUID, ID string }
		if err := json.Unmarshal([]byte(raw), &d); isError || err != nil || d.UUID+d.ID == "" {
			c.t.Fatalf("%s: %s", name, raw)
		}
		if d.UUID == "" {
			return d.ID
		}
		return d.UUID
	})
}

// do does what is not the server's.
func (c *conversation) do(words []string) string {
	path := func() string {
		if len(words) < 2 {
			c.t.Fatalf("%v: which file?", words)
		}
		return filepath.Join(c.dir, words[1])
	}
	switch words[0] {
	case "cat":
		data, err := os.ReadFile(path())
		if err != nil {
			return "there is none\n\n"
		}
		return string(data) + "\n"
	case "write":
		data, ok := c.files[words[1]]
		if !ok {
			c.t.Fatalf("the archive has no later/%s", words[1])
		}
		writeFile(c.t, path(), string(data))
	case "rm":
		if err := os.Remove(path()); err != nil {
			c.t.Fatal(err)
		}
	case "tools":
		c.start()
		list, err := c.client.ListTools(c.t.Context(), mcp.ListToolsRequest{})
		if err != nil {
			c.t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		slices.Sort(names)
		return strings.Join(names, " ") + "\n\n"
	case "progress":
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.told + "\n\n"
	case "restart":
		c.hangUp()
		c.peer, c.server = nil, nil
	default:
		c.t.Fatalf("cannot %s", words[0])
	}
	return "\n"
}

// equalSets says how two sets of strings differ, or nothing.
func equalSets(a, b map[string]bool) string {
	var out []string
	for x := range a {
		if !b[x] {
			out = append(out, "-"+x)
		}
	}
	for x := range b {
		if !a[x] {
			out = append(out, "+"+x)
		}
	}
	return fmt.Sprint(out)
}
