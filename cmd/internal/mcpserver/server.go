// Package mcpserver is the MCP server: THE tool table (tools.go), the tools that the
// query table gives (query.go), and the transports (stdio.go, http.go). A tool's answer
// is the text that the command line prints for the same question.
package mcpserver

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/plutoapp"
	"github.com/settgraph/sett/sdk"
)

//go:embed instructions.md
var instructions string

// Options say what the server answers about and what it offers.
type Options struct {
	Project     string    // a folder of the project; empty: find it
	ProjectFlag bool      // Project was given by the flag of that name
	ProjectEnv  string    // the folder that the client's environment names, second choice
	Toolsets    []string  // the tools to list; empty: the default ones
	ReadOnly    bool      // refuse the tools that change files
	Staged      bool      // edits of Pluto wait for save
	Dialect     string    // 000 or 001: answers about Pluto are JSON as that document has it; empty: lines
	NoRefresh   bool      // answer from the index as it is
	Verbs       []Verb    // the commands of sett, for who asks about them
	Log         io.Writer // for faults; nil: nowhere
}

// Verb is a command of the command line.
type Verb struct{ Name, Short string }

// Server answers tool calls. It is safe for concurrent use.
type Server struct {
	options  Options
	log      *log.Logger
	mcp      *server.MCPServer
	tools    map[string]*tool
	aliases  map[string]string
	projects *app.Projects
	pluto    *plutoapp.App
	listed   *chooser
	order    []*tool // as in the table
	cot      bool    // answer in the forms of the manual that the toolset cot is from

	mu    sync.Mutex
	roots string // the client's first root, once asked for
}

// New returns a server that has touched nothing yet: neither the project nor its index.
func New(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = io.Discard
	}
	table, err := newTable()
	if err != nil {
		return nil, err
	}
	sets := o.Toolsets
	if len(sets) == 0 && o.Dialect != "" {
		sets = []string{"all"} // whoever speaks a document wants its tools
	}
	listed, err := table.choose(sets, o.ReadOnly)
	if err != nil {
		return nil, err
	}
	pluto, err := newPluto(o, listed)
	if err != nil {
		return nil, err
	}
	s := &Server{
		options:  o,
		log:      log.New(o.Log, "sett mcp: ", 0),
		tools:    map[string]*tool{},
		aliases:  table.aliases,
		projects: app.NewProjects(sdk.Options{NoRefresh: o.NoRefresh}, pluto.Overlay),
		pluto:    pluto,
		listed:   listed,
		order:    table.tools,
		cot:      slices.Contains(sets, setCot),
	}
	hooks := &server.Hooks{}
	hooks.AddBeforeCallTool(func(_ context.Context, _ any, r *mcp.CallToolRequest) {
		if name, ok := s.aliases[r.Params.Name]; ok {
			r.Params.Name = name
		}
	})
	hooks.AddAfterListTools(func(_ context.Context, _ any, _ *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
		result.Tools = listed.lists(result.Tools, s.listsPluto)
	})
	const hour = int64(time.Hour / time.Millisecond)
	s.mcp = server.NewMCPServer("sett", app.Version(),
		server.WithInstructions(strings.TrimSpace(instructions)),
		server.WithToolCapabilities(false),
		server.WithMethodCacheHints(mcp.MethodToolsList, hour, mcp.CacheScopePrivate),
		server.WithMethodCacheHints(mcp.MethodServerDiscover, hour, mcp.CacheScopePrivate),
		server.WithHooks(hooks))
	for _, t := range table.tools {
		s.tools[t.name] = t
		s.mcp.AddTool(t.definition(), s.call)
	}
	s.mcp.AddNotificationHandler(string(mcp.MethodNotificationRootsListChanged), func(context.Context, mcp.JSONRPCNotification) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.roots = ""
	})
	return s, nil
}

// listedTools are the tools that tools/list shows.
func (s *Server) listedTools() []*tool {
	pluto := len(s.listed.pluto) > 0 && s.listsPluto()
	return slices.DeleteFunc(slices.Clone(s.order), func(t *tool) bool {
		return !s.listed.always[t.name] && !(pluto && s.listed.pluto[t.name])
	})
}

// Close closes the projects. No call may be under way.
func (s *Server) Close() {
	s.projects.Close()
	s.pluto.Close()
}

// ServeStdio speaks with one client until in ends or ctx is done.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	return serveConn(ctx, s.mcp, in, out, s.log)
}

// call runs one tool. What the agent can mend is a result with an error flag; what it
// cannot is an error of the protocol, and logged.
func (s *Server) call(ctx context.Context, r mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 8<<10)
			s.log.Printf("request %s: %s: panic: %v\n%s", requestName(ctx), r.Params.Name, p, stack[:runtime.Stack(stack, false)])
			result, err = nil, errors.New("internal error")
		}
	}()
	t := s.tools[r.Params.Name]
	raw, err := json.Marshal(r.Params.Arguments)
	if err != nil {
		return nil, fmt.Errorf("reading the arguments: %w", err)
	}
	tell, stop := s.progress(ctx, r)
	defer stop()
	c := &call{server: s, progress: tell}
	reply, err := t.run(ctx, c, raw)
	if err == nil {
		return textResult(reply), nil
	}
	text, class := explain(err)
	switch class {
	case app.Nothing, app.Misuse:
		return mcp.NewToolResultError(text), nil
	case app.Interrupted:
		return nil, err
	}
	s.log.Printf("request %s: %s: %s", requestName(ctx), r.Params.Name, text)
	return nil, err
}

// textResult is the answer as text and nothing else: beside structured content most
// clients do not show the text.
func textResult(r *app.Reply) *mcp.CallToolResult {
	content := []mcp.Content{mcp.NewTextContent(string(r.Text))}
	if r.Note != "" {
		content = append(content, mcp.NewTextContent(r.Note))
	}
	return &mcp.CallToolResult{Content: content}
}

// call is what a tool's handler may use of the server.
type call struct {
	server   *Server
	progress func(sdk.Event) // nil when the client does not want to know
}

// folder returns the folder that the call is about: what the call names, else what
// load_project chose, else what the server was told, else what the client says, else the
// current one.
func (c *call) folder(ctx context.Context, named string) string {
	if loaded := c.server.pluto.Loaded(); named == "" && loaded != "" {
		return loaded
	}
	base := c.server.folder(ctx)
	switch {
	case named == "":
		return base
	case filepath.IsAbs(named):
		return named
	}
	return filepath.Join(base, named)
}

func (s *Server) folder(ctx context.Context) string {
	if s.options.Project != "" {
		return s.options.Project
	}
	if isFolder(s.options.ProjectEnv) {
		return s.options.ProjectEnv
	}
	if root := s.clientRoot(ctx); root != "" {
		return root
	}
	return "."
}

// clientRoot asks the client for its roots, once, if it says that it has any.
func (s *Server) clientRoot(ctx context.Context) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.roots != "" {
		return s.roots
	}
	client, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	if !ok || server.IsModernRequest(ctx) || client.GetClientCapabilities().Roots == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	answer, err := s.mcp.RequestRoots(ctx, mcp.ListRootsRequest{})
	if err != nil {
		return ""
	}
	for _, root := range answer.Roots {
		u, err := url.Parse(root.URI)
		if err != nil || u.Scheme != "file" {
			continue
		}
		path := u.Path
		if runtime.GOOS == "windows" {
			path = strings.TrimPrefix(path, "/")
		}
		if path = filepath.FromSlash(path); isFolder(path) {
			s.roots = path
			return path
		}
	}
	return ""
}

func isFolder(path string) bool {
	if path == "" {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// notifier is a session that writes a notification before it returns.
type notifier interface{ notify(mcp.JSONRPCNotification) }

// progress returns what tells the client how far a call is, or nil if it gave no token.
// Nothing is told of calls that are quick, and no value is smaller than the one before.
func (s *Server) progress(ctx context.Context, r mcp.CallToolRequest) (tell func(sdk.Event), stop func()) {
	if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
		return nil, func() {}
	}
	const quick, often = 200 * time.Millisecond, 100 * time.Millisecond
	var (
		mu      sync.Mutex
		last    = time.Now().Add(quick - often)
		phases  []string
		most    = -1
		value   int
		text    string
		waiting *time.Timer // to tell the last that came too soon
		over    bool
	)
	send := func() {
		if over || value <= most {
			return
		}
		most, last = value, time.Now()
		s.notify(ctx, "notifications/progress", map[string]any{
			"progressToken": r.Params.Meta.ProgressToken, "progress": value, "message": text,
		})
	}
	tell = func(e sdk.Event) {
		mu.Lock()
		defer mu.Unlock()
		i := slices.Index(phases, e.Phase)
		if i < 0 {
			i = len(phases)
			phases = append(phases, e.Phase)
		}
		now, words := 100*i, e.Phase
		switch {
		case e.Total > 0:
			now += 100 * min(e.Done, e.Total) / e.Total
			words = fmt.Sprintf("%s %d/%d", e.Phase, e.Done, e.Total)
		case e.Done > 0:
			now += min(e.Done, 99)
			words = fmt.Sprintf("%s, %d done", e.Phase, e.Done)
		}
		if now < value {
			return
		}
		value, text = now, words
		switch wait := often - time.Since(last); {
		case wait <= 0:
			send()
		case waiting == nil:
			waiting = time.AfterFunc(wait, func() {
				mu.Lock()
				defer mu.Unlock()
				waiting = nil
				send()
			})
		}
	}
	return tell, func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
		if waiting != nil {
			waiting.Stop()
		}
	}
}

func (s *Server) notify(ctx context.Context, method string, params map[string]any) {
	n, ok := server.ClientSessionFromContext(ctx).(notifier)
	if !ok {
		_ = s.mcp.SendNotificationToClient(ctx, method, params)
		return
	}
	n.notify(mcp.JSONRPCNotification{
		JSONRPC: mcp.JSONRPC_VERSION,
		Notification: mcp.Notification{
			Method: method,
			Params: mcp.NotificationParams{AdditionalFields: params},
		},
	})
}

// requestKey is the context key of a request's id as the client wrote it.
type requestKey struct{}

func requestName(ctx context.Context) string {
	if id, ok := ctx.Value(requestKey{}).(string); ok {
		return id
	}
	return "-"
}
