//go:build slow

package ts

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// native is a language server of the release of TypeScript that is built in here, spoken to
// over its standard input and output.
type native struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

type lspMessage struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params any             `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

type lspPlace struct {
	URI   string `json:"uri"`
	Range struct {
		Start struct{ Line, Character int }
	} `json:"range"`
}

func startNative(t *testing.T, tsgo, root string) *native {
	cmd := exec.Command(tsgo, "--lsp", "--stdio")
	cmd.Dir = root
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	n := &native{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	stop := time.AfterFunc(15*time.Minute, func() { cmd.Process.Kill() })
	t.Cleanup(func() {
		stop.Stop()
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	n.ask("initialize", map[string]any{"processId": nil, "rootUri": fileURI(root), "capabilities": map[string]any{
		"textDocument": map[string]any{"hover": map[string]any{"contentFormat": []string{"markdown"}}},
	}})
	n.send(lspMessage{Method: "initialized", Params: map[string]any{}})
	return n
}

func fileURI(p string) string { return (&url.URL{Scheme: "file", Path: p}).String() }

func (n *native) send(m lspMessage) {
	b, err := json.Marshal(struct {
		V string `json:"jsonrpc"`
		lspMessage
	}{"2.0", m})
	if err == nil {
		_, err = fmt.Fprintf(n.in, "Content-Length: %d\r\n\r\n%s", len(b), b)
	}
	if err != nil {
		n.t.Fatal(err)
	}
}

// ask returns the answer to a request, and serves what the server asks meanwhile.
func (n *native) ask(method string, params any) json.RawMessage {
	n.id++
	id := json.RawMessage(strconv.Itoa(n.id))
	n.send(lspMessage{ID: id, Method: method, Params: params})
	for {
		length := 0
		for {
			line, err := n.out.ReadString('\n')
			if err != nil {
				n.t.Fatalf("the server ended at %s: %v", method, err)
			}
			if line = strings.TrimSpace(line); line == "" {
				break
			}
			if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(v)
			}
		}
		b := make([]byte, length)
		if _, err := io.ReadFull(n.out, b); err != nil {
			n.t.Fatal(err)
		}
		var m lspMessage
		if err := json.Unmarshal(b, &m); err != nil {
			n.t.Fatal(err)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			n.send(lspMessage{ID: m.ID, Result: json.RawMessage("null")})
		case m.Method == "" && string(m.ID) == string(id):
			return m.Result
		}
	}
}

// askServer answers for each place with the server; files are opened one at a time.
func askServer(t *testing.T, tsgo, root string, files map[string]string, list []spot) []peerAnswer {
	n := startNative(t, tsgo, root)
	answers := make([]peerAnswer, len(list))
	for i, s := range list {
		doc := map[string]any{"uri": fileURI(filepath.Join(root, s.file))}
		lang := map[string]string{".tsx": "typescriptreact", ".js": "javascript", ".jsx": "javascriptreact"}[filepath.Ext(s.file)]
		if lang == "" {
			lang = "typescript"
		}
		n.send(lspMessage{Method: "textDocument/didOpen", Params: map[string]any{"textDocument": map[string]any{
			"uri": doc["uri"], "languageId": lang, "version": 1, "text": files[s.file],
		}}})
		line := []rune(strings.Split(files[s.file], "\n")[s.at.Line-1])
		at := map[string]any{"textDocument": doc, "position": map[string]int{"line": int(s.at.Line) - 1, "character": len(utf16.Encode(line[:s.at.Col-1]))}}
		var hover struct{ Contents struct{ Value string } }
		json.Unmarshal(n.ask("textDocument/hover", at), &hover)
		answers[i].Text = shownText(hover.Contents.Value)
		raw := n.ask("textDocument/definition", at)
		var places []lspPlace
		if json.Unmarshal(raw, &places) != nil {
			var one lspPlace
			if json.Unmarshal(raw, &one) == nil && one.URI != "" {
				places = []lspPlace{one}
			}
		}
		for _, p := range places {
			if u, err := url.Parse(p.URI); err == nil {
				file := u.Path
				if u.Scheme != "file" {
					file = "/typescript/lib/" + filepath.Base(file) // built into the server
				} else if strings.HasPrefix(filepath.Dir(file), filepath.Dir(tsgo)) {
					file = "/typescript/lib/" + filepath.Base(file)
				}
				answers[i].Defs = append(answers[i].Defs, fmt.Sprintf("%s:%d:%d", file, p.Range.Start.Line+1, columnIn(file, p)))
			}
		}
		n.send(lspMessage{Method: "textDocument/didClose", Params: map[string]any{"textDocument": doc}})
	}
	return answers
}

// columnIn counts characters up to a place that is told in units of UTF-16.
func columnIn(file string, p lspPlace) int {
	b, err := os.ReadFile(file)
	lines := strings.Split(string(b), "\n")
	if err != nil || p.Range.Start.Line >= len(lines) {
		return p.Range.Start.Character + 1
	}
	units := utf16.Encode([]rune(lines[p.Range.Start.Line]))
	return len(utf16.Decode(units[:min(len(units), p.Range.Start.Character)])) + 1
}

// shownText is the declaration that a hover shows, without its comment.
func shownText(marked string) string {
	ticks := marked[:len(marked)-len(strings.TrimLeft(marked, "`"))]
	if ticks == "" {
		return marked
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(marked[len(ticks):], "typescript\n"), "\n"+ticks)
	return text
}
