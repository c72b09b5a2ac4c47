package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// command builds sett.
func command(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "sett")
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/sett").CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	return bin
}

// run runs a command in a folder and returns what it prints.
func run(b *testing.B, dir, bin string, args ...string) string {
	b.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%s %v: %v\n%s", bin, args, err, out)
	}
	return string(out)
}

// BenchmarkLivingProcess runs the command on the project, a process each time: indexing,
// asking after an edit, and renaming.
func BenchmarkLivingProcess(b *testing.B) {
	bin := command(b)
	forms(b, func(b *testing.B, root string) {
		b.Run("index", func(b *testing.B) {
			nothing := func(int) { os.RemoveAll(filepath.Join(root, ".sett")) }
			timed(b, nothing, func(int) { run(b, root, bin, "index") })
		})
		run(b, root, bin, "index")
		b.Run("indexAgain", func(b *testing.B) { timed(b, nil, func(int) { run(b, root, bin, "index") }) })
		edit := func(i int) {
			swap(b, filepath.Join(root, "m250.pluto"), "let mut sum = check250(l) catch 0", "let mut sum = check250(l) catch 1", i)
		}
		if text, err := os.ReadFile(filepath.Join(root, "m250.pluto")); err == nil && !strings.HasPrefix(string(text), "PLTO") {
			b.Run("editAndRefs", func(b *testing.B) { timed(b, edit, func(int) { run(b, root, bin, "refs", "base.Base") }) })
		}
		b.Run("refs", func(b *testing.B) { timed(b, nil, func(int) { run(b, root, bin, "refs", "base.Base") }) })
		b.Run("check", func(b *testing.B) { timed(b, nil, func(int) { run(b, root, bin, "analyze") }) })
		b.Run("find", func(b *testing.B) { timed(b, nil, func(int) { run(b, root, bin, "decl", "find", "check250") }) })
		b.Run("rename", func(b *testing.B) {
			names := []string{"Base", "Fundament"}
			timed(b, nil, func(i int) { run(b, root, bin, "decl", "rename", "base."+names[i%2], names[(i+1)%2]) })
		})
	})
}

// BenchmarkLivingServer asks a server that has the project open, over its standard input and
// output. It reports what the answers cost an agent, and what memory the server has after all.
func BenchmarkLivingServer(b *testing.B) {
	bin := command(b)
	enc, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		b.Fatal(err)
	}
	forms(b, func(b *testing.B, root string) {
		s := serve(b, root, bin)
		tool := func(name string, args map[string]any) string {
			var r struct {
				Content []struct{ Text string }
				IsError bool
			}
			if err := json.Unmarshal(s.call(b, "tools/call", map[string]any{"name": name, "arguments": args}), &r); err != nil || r.IsError || len(r.Content) == 0 {
				b.Fatalf("%s: %+v, %v", name, r, err)
			}
			return r.Content[0].Text
		}
		measure := func(title string, before func(i int), name string, args func(i int) map[string]any) {
			b.Run(title, func(b *testing.B) {
				text := ""
				timed(b, before, func(i int) { text = tool(name, args(i)) })
				n, err := enc.Count(text)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(n), "tokens")
			})
		}
		always := func(args map[string]any) func(int) map[string]any { return func(int) map[string]any { return args } }
		b.Run("toolsList", func(b *testing.B) {
			var list json.RawMessage
			timed(b, nil, func(int) { list = s.call(b, "tools/list", map[string]any{}) })
			n, err := enc.Count(string(list))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(n), "tokens")
		})
		measure("getDeclaration", nil, "get_declaration", always(map[string]any{"symbol": "check250"}))
		measure("callersOf", nil, "callers_of", always(map[string]any{"symbol": "base.Base.twice"}))
		measure("findDeclaration", nil, "find_declaration", always(map[string]any{"name": "check250"}))
		measure("renameDryRun", nil, "rename_declaration", always(map[string]any{"symbol": "base.Base", "new_name": "Fundament", "dry_run": true}))
		names := []string{"Base", "Fundament"}
		turn := 0 // goes on from one run of the benchmark to the next
		measure("rename", nil, "rename_declaration", func(int) map[string]any {
			turn++
			return map[string]any{"symbol": "base." + names[(turn-1)%2], "new_name": names[turn%2]}
		})
		edit := func(int) map[string]any {
			turn++
			return map[string]any{"symbol": "m250.check250", "source": fmt.Sprintf(
				"pub fn check250(l: Load250) int {\n    if l.heavy(%d) {\n        raise Broken250 { code: l.weight }\n    }\n    return l.weight\n}", turn)}
		}
		measure("replace", nil, "replace_declaration", edit)
		measure("checkAfterEdit", func(i int) { tool("replace_declaration", edit(i)) }, "check", always(map[string]any{}))
		b.Run("memory", func(b *testing.B) {
			for b.Loop() {
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(memoryOf(s.cmd.Process.Pid, "VmRSS"), "MB")
			b.ReportMetric(memoryOf(s.cmd.Process.Pid, "VmHWM"), "peak-MB")
		})
	})
}

// server is a process that speaks the Model Context Protocol.
type server struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func serve(b *testing.B, root, bin string) *server {
	b.Helper()
	cmd := exec.Command(bin, "mcp", root)
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
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	s := &server{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	s.call(b, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"},
	})
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

// call asks, and waits for the answer.
func (s *server) call(b *testing.B, method string, params any) json.RawMessage {
	b.Helper()
	s.id++
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.in.Write(append(data, '\n')); err != nil {
		b.Fatal(err)
	}
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			b.Fatalf("%s: %v", method, err)
		}
		var m struct {
			ID            int
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &m); err != nil {
			b.Fatal(err)
		}
		if m.ID == s.id {
			if m.Error != nil {
				b.Fatalf("%s: %s", method, m.Error)
			}
			return m.Result
		}
	}
}

// memoryOf is a field of a process's status in megabytes, zero where there is none.
func memoryOf(pid int, field string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kb, _ := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kb) / 1024
		}
	}
	return 0
}
