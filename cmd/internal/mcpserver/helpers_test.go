package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// sample is a project small enough to index in every test.
const sample = `
-- go.mod --
module example.com/sample

go 1.21
-- greet.go --
package sample

// Greeter greets.
type Greeter struct{ Name string }

// Greet says hello.
func (g *Greeter) Greet() string { return hello(g.Name) }

func hello(name string) string { return "hello " + name }

// NewGreeter makes one.
func NewGreeter(name string) *Greeter { return &Greeter{Name: name} }
-- use/use.go --
package use

import "example.com/sample"

// Use greets the world.
func Use() string { return sample.NewGreeter("world").Greet() }
-- greet_test.go --
package sample

import "testing"

func TestGreet(t *testing.T) {
	if NewGreeter("x").Greet() != "hello x" {
		t.Fail()
	}
}
`

// writeSample writes the sample project and returns its folder.
func writeSample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for _, f := range txtar.Parse([]byte(sample)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func newServer(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// peer is a client at the other end of a pipe that sends what it likes.
type peer struct {
	t    *testing.T
	in   io.WriteCloser
	out  chan string // closed when the server hangs up
	done chan error
}

func connect(t *testing.T, s *Server) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, in: inW, out: make(chan string, 10_000), done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer close(p.out)
		r := bufio.NewReader(outR)
		for {
			text, err := r.ReadString('\n')
			if err != nil {
				return
			}
			p.out <- strings.TrimSpace(text)
		}
	}()
	go func() {
		p.done <- s.ServeStdio(ctx, inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		<-p.done
	})
	return p
}

// send writes lines as they are.
func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(p.in, l+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
}

// answer is one message of the server.
type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// line reads one line of the server, which must come soon.
func (p *peer) line() string {
	p.t.Helper()
	select {
	case text, ok := <-p.out:
		if !ok {
			p.t.Fatal("the server hung up")
		}
		return text
	case <-time.After(30 * time.Second):
		p.t.Fatal("the server does not answer")
		return ""
	}
}

func (p *peer) next() answer {
	p.t.Helper()
	text := p.line()
	var a answer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		p.t.Fatalf("the server sent %q: %v", text, err)
	}
	return a
}

// toolReply is the result of a tool call.
type toolReply struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	IsError    bool            `json:"isError"`
	Structured json.RawMessage `json:"structuredContent"`
}

func (a answer) tool(t *testing.T) toolReply {
	t.Helper()
	var r toolReply
	if a.Error != nil {
		t.Fatalf("error %d: %s", a.Error.Code, a.Error.Message)
	}
	if err := json.Unmarshal(a.Result, &r); err != nil {
		t.Fatalf("%s: %v", a.Result, err)
	}
	return r
}

func request(id any, method string, params any) string {
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return string(b)
}

func callRequest(id any, tool string, args map[string]any) string {
	return request(id, "tools/call", map[string]any{"name": tool, "arguments": args})
}

func compact(t *testing.T, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
