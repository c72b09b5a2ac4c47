package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkLivingGopls does on the equal Go module, a package for each module, what the other
// Living benchmarks do on the Pluto project: as a process each time, as a process that asks a
// daemon, and in one session as an editor has it. It needs gopls, in PATH or named by
// SETT_GOPLS.
func BenchmarkLivingGopls(b *testing.B) {
	gopls := peer(b, "SETT_GOPLS", "gopls")
	root := livingGo(b)
	run(b, root, "go", "build", "./...") // what the standard library compiles to is there from now on
	base := filepath.Join(root, "base", "base.go")
	names := []string{"Base", "Fundament"}
	turn := 0
	const at = "base/base.go:3:6" // the name of the class
	both := func(b *testing.B, with ...string) {
		b.Run("references", func(b *testing.B) {
			timed(b, nil, func(int) {
				if out := run(b, root, gopls, append(with, "references", at)...); strings.Count(out, "\n") < modules/5 {
					b.Fatal(out)
				}
			})
		})
		b.Run("rename", func(b *testing.B) {
			timed(b, nil, func(int) {
				turn++
				run(b, root, gopls, append(with, "rename", "-w", at, names[turn%2])...)
			})
		})
	}
	b.Run("process", func(b *testing.B) {
		b.Run("check", func(b *testing.B) { timed(b, nil, func(int) { run(b, root, gopls, "check", base) }) })
		b.Run("symbol", func(b *testing.B) { timed(b, nil, func(int) { run(b, root, gopls, "workspace_symbol", "Check250") }) })
		both(b)
	})
	b.Run("daemon", func(b *testing.B) {
		socket := filepath.Join(b.TempDir(), "s")
		daemon := exec.Command(gopls, "serve", "-listen=unix;"+socket)
		if err := daemon.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { daemon.Process.Kill(); daemon.Wait() })
		both(b, "-remote=unix;"+socket)
		b.ReportMetric(memoryOf(daemon.Process.Pid, "VmRSS"), "MB")
	})
	b.Run("session", func(b *testing.B) {
		var s *session
		b.Run("load", func(b *testing.B) {
			timed(b, func(int) {
				if s != nil {
					s.close()
				}
				s = nil
			}, func(int) {
				s = begin(b, root, gopls)
				s.open(b, base)
				s.ask(b, "textDocument/references", s.at(base, map[string]any{"context": map[string]any{}}))
			})
		})
		if s == nil {
			s = begin(b, root, gopls)
			s.open(b, base)
		}
		defer s.close()
		b.Run("symbol", func(b *testing.B) {
			timed(b, nil, func(int) { s.ask(b, "workspace/symbol", map[string]any{"query": "Check250"}) })
		})
		b.Run("references", func(b *testing.B) {
			timed(b, nil, func(int) {
				var found []any
				if err := json.Unmarshal(s.ask(b, "textDocument/references", s.at(base, map[string]any{"context": map[string]any{}})), &found); err != nil || len(found) < modules/5 {
					b.Fatal(len(found), err)
				}
			})
		})
		b.Run("renameDryRun", func(b *testing.B) {
			timed(b, nil, func(int) {
				var edit struct{ DocumentChanges []any }
				if err := json.Unmarshal(s.ask(b, "textDocument/rename", s.at(base, map[string]any{"newName": "Other"})), &edit); err != nil || len(edit.DocumentChanges) < modules/5 {
					b.Fatal(len(edit.DocumentChanges), err)
				}
			})
		})
		b.Run("memory", func(b *testing.B) {
			for b.Loop() {
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(memoryOf(s.cmd.Process.Pid, "VmRSS"), "MB")
			b.ReportMetric(memoryOf(s.cmd.Process.Pid, "VmHWM"), "peak-MB")
		})
	})
}

// session is a session of the Language Server Protocol with a process.
type session struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func begin(b *testing.B, root, gopls string) *session {
	b.Helper()
	cmd := exec.Command(gopls, "serve")
	cmd.Dir = root
	s := connect(b, cmd)
	s.ask(b, "initialize", map[string]any{
		"rootUri":          "file://" + root,
		"workspaceFolders": []any{map[string]any{"uri": "file://" + root, "name": "living"}},
		"capabilities":     map[string]any{"workspace": map[string]any{"workspaceEdit": map[string]any{"documentChanges": true}}},
	})
	s.send(b, map[string]any{"method": "initialized", "params": map[string]any{}})
	return s
}

// connect starts a process to talk with over its standard input and output.
func connect(b *testing.B, cmd *exec.Cmd) *session {
	b.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return &session{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
}

func (s *session) close() {
	s.in.Close()
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

func (s *session) open(b *testing.B, file string) {
	b.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	s.send(b, map[string]any{"method": "textDocument/didOpen", "params": map[string]any{
		"textDocument": map[string]any{"uri": "file://" + file, "languageId": "go", "version": 1, "text": string(text)},
	}})
}

// at are parameters about the type that base.go declares.
func (s *session) at(file string, more map[string]any) map[string]any {
	more["textDocument"] = map[string]any{"uri": "file://" + file}
	more["position"] = map[string]any{"line": 2, "character": 5}
	return more
}

func (s *session) send(b *testing.B, m map[string]any) {
	b.Helper()
	m["jsonrpc"] = "2.0"
	data, err := json.Marshal(m)
	if err == nil {
		_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(data), data)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// ask waits for the answer, which must be no error.
func (s *session) ask(b *testing.B, method string, params any) json.RawMessage {
	b.Helper()
	result, fault := s.try(b, method, params)
	if fault != nil {
		b.Fatalf("%s: %s", method, fault)
	}
	return result
}

// message reads what comes next.
func (s *session) message(b *testing.B) []byte {
	b.Helper()
	head, err := textproto.NewReader(s.out).ReadMIMEHeader()
	if err != nil {
		b.Fatal(err)
	}
	n, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil {
		b.Fatal(err)
	}
	data := make([]byte, n)
	if _, err := io.ReadFull(s.out, data); err != nil {
		b.Fatal(err)
	}
	return data
}

// try waits for the answer, and answers what the server asks meanwhile with nothing.
func (s *session) try(b *testing.B, method string, params any) (result, fault json.RawMessage) {
	b.Helper()
	s.id++
	s.send(b, map[string]any{"id": s.id, "method": method, "params": params})
	for {
		var m struct {
			ID            any
			Method        string
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(s.message(b), &m); err != nil {
			b.Fatal(err)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			var result any
			if m.Method == "workspace/configuration" {
				result = []any{nil}
			}
			s.send(b, map[string]any{"id": m.ID, "result": result})
		case m.Method == "" && m.ID == float64(s.id):
			return m.Result, m.Error
		}
	}
}
