package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/query"
)

// spot is the place of a name in a file.
type spot struct {
	file      string // from the root, slash-separated
	line, col int    // from 1
}

func (s spot) String() string { return fmt.Sprintf("%s:%d:%d", s.file, s.line, s.col) }

// isGo tells the two languages of these benchmarks apart.
func isGo(file string) bool { return strings.HasSuffix(file, ".go") }

// spots picks names at random from the source files of a folder, the same ones each time,
// in the language of which there are more files. Lines beyond ASCII are left out, so that
// everybody who is asked counts columns alike.
func spots(b testing.TB, dir string, n int, seed uint64) []spot {
	b.Helper()
	files := sources(b, dir)
	r := rand.New(rand.NewPCG(seed, 5))
	var picked []spot
	for tries := 0; len(picked) < n; tries++ {
		if tries > 100*n {
			b.Fatalf("%s has no names", dir)
		}
		file := files[r.IntN(len(files))]
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			b.Fatal(err)
		}
		all := names(file, text)
		if len(all) == 0 {
			continue
		}
		off := all[r.IntN(len(all))]
		start := bytes.LastIndexByte(text[:off], '\n') + 1
		if slices.ContainsFunc(text[start:off], func(c byte) bool { return c >= 0x80 }) {
			continue
		}
		picked = append(picked, spot{file, bytes.Count(text[:off], []byte("\n")) + 1, off - start + 1})
	}
	return picked
}

// sources are the source files below a folder, of Go or else of TypeScript, whatever has more.
func sources(b testing.TB, dir string) []string {
	b.Helper()
	var found [2][]string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && path != dir && (name == "node_modules" || name == "testdata" || name == "vendor" || name == "dist" || strings.HasPrefix(name, ".")):
			return filepath.SkipDir
		case !d.Type().IsRegular():
		case isGo(name):
			found[0] = append(found[0], path)
		case strings.HasSuffix(name, ".d.ts"):
		case strings.HasSuffix(name, ".ts") || strings.HasSuffix(name, ".tsx"):
			found[1] = append(found[1], path)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	files := found[0]
	if len(found[1]) > len(files) {
		files = found[1]
	}
	for i, f := range files {
		rel, err := filepath.Rel(dir, f)
		if err != nil {
			b.Fatal(err)
		}
		files[i] = filepath.ToSlash(rel)
	}
	return files
}

// tsName finds names of TypeScript, after comments and texts of one line, which it takes as
// one piece.
var tsName = regexp.MustCompile("//.*|/\\*(?s:.*?)\\*/|'(?:[^'\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`|[A-Za-z_$][\\w$]*")

// names are the offsets of the names in a file.
func names(file string, text []byte) (all []int) {
	if !isGo(file) {
		for _, m := range tsName.FindAllIndex(text, -1) {
			if c := text[m[0]]; c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' {
				all = append(all, m[0])
			}
		}
		return all
	}
	fset := token.NewFileSet()
	f := fset.AddFile(file, -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, nil, 0)
	for {
		switch pos, tok, _ := s.Scan(); tok {
		case token.EOF:
			return all
		case token.IDENT:
			all = append(all, f.Offset(pos))
		}
	}
}

// BenchmarkLook asks what is at random names: each time as a process of its own, in a project
// that stays open as a server has it, and there again after an edit of the file. The wall
// time of a busy machine says little, so the processor time that was used stands beside it.
func BenchmarkLook(b *testing.B) {
	bin := command(b)
	each(b, func(b *testing.B, dir string) {
		p := indexed(b, dir)
		b.Run("process", func(b *testing.B) {
			all := spots(b, dir, 200, 1)
			for _, verb := range []string{"type", "def"} {
				b.Run(verb, func(b *testing.B) {
					measure(b, nil, func(i int) usage { return child(b, dir, bin, verb, all[i%len(all)].String()) })
				})
			}
		})
		ask := func(b *testing.B, s spot) {
			args := &query.TypeArgs{Symbol: s.String()}
			spec, _ := query.ByVerb("type")
			var no *query.NotFoundError
			if _, err := p.Ask(context.Background(), spec, args); err != nil && !errors.As(err, &no) {
				b.Fatalf("%s: %v", s, err)
			}
		}
		b.Run("warm", func(b *testing.B) {
			for _, s := range spots(b, dir, 200, 2) {
				ask(b, s)
			}
			all := spots(b, dir, 2000, 3)
			measure(b, nil, func(i int) usage { return self(func() { ask(b, all[i%len(all)]) }) })
		})
		b.Run("edited", func(b *testing.B) {
			all := spots(b, dir, 200, 4)
			edits := editor{b: b, dir: dir}
			defer edits.undo()
			measure(b, func(i int) {
				s := all[i%len(all)]
				edits.edit(s.file, 0)
				ask(b, s)
				edits.edit(s.file, i+1)
			}, func(i int) usage { return self(func() { ask(b, all[i%len(all)]) }) })
		})
	})
}

// editor appends a function to files, with a different body each time.
type editor struct {
	b   testing.TB
	dir string
	was map[string][]byte
}

func (e *editor) edit(file string, n int) []byte {
	e.b.Helper()
	path := filepath.Join(e.dir, file)
	if e.was == nil {
		e.was = map[string][]byte{}
	}
	text, ok := e.was[file]
	if !ok {
		var err error
		if text, err = os.ReadFile(path); err != nil {
			e.b.Fatal(err)
		}
		e.was[file] = text
	}
	more := "\nfunc settBench() int { return %d }\n"
	if !isGo(file) {
		more = "\nfunction settBench(): number { return %d }\n"
	}
	now := fmt.Appendf(slices.Clone(text), more, n)
	if err := os.WriteFile(path, now, 0o666); err != nil {
		e.b.Fatal(err)
	}
	return now
}

func (e *editor) undo() {
	for file, text := range e.was {
		if err := os.WriteFile(filepath.Join(e.dir, file), text, 0o666); err != nil {
			e.b.Fatal(err)
		}
	}
}

// BenchmarkLookServer asks a server 200 questions and says what memory it then has.
func BenchmarkLookServer(b *testing.B) {
	bin := command(b)
	each(b, func(b *testing.B, dir string) {
		indexed(b, dir)
		s := serve(b, dir, bin)
		all := spots(b, dir, 200, 6)
		measure(b, nil, func(i int) usage {
			return self(func() {
				for _, at := range all {
					s.call(b, "tools/call", map[string]any{"name": "get_type", "arguments": map[string]any{"symbol": at.String()}})
				}
			})
		})
		b.ReportMetric(memoryOf(s.cmd.Process.Pid, "VmRSS"), "MB")
		b.ReportMetric(memoryOf(s.cmd.Process.Pid, "VmHWM"), "peak-MB")
	})
}

// peer finds a tool to compare with: by an environment variable, else in PATH.
func peer(b *testing.B, variable, name string) string {
	b.Helper()
	path := os.Getenv(variable)
	if path == "" {
		path, _ = exec.LookPath(name)
	}
	if path == "" {
		b.Skipf("NOT COMPARED: there is no %s in PATH nor in %s", name, variable)
	}
	return path
}

// BenchmarkLookPeers asks the languages' own tools for the same as BenchmarkLook: gopls, or
// the tsserver of the typescript package that SETT_TYPESCRIPT names.
func BenchmarkLookPeers(b *testing.B) {
	each(b, func(b *testing.B, dir string) {
		if isGo(sources(b, dir)[0]) {
			goplsLook(b, dir)
		} else {
			tsserverLook(b, dir)
		}
	})
}

func goplsLook(b *testing.B, dir string) {
	gopls := peer(b, "SETT_GOPLS", "gopls")
	b.Run("process", func(b *testing.B) {
		all := spots(b, dir, 200, 1)
		measure(b, nil, func(i int) usage { return child(b, dir, gopls, "definition", all[i%len(all)].String()) })
	})
	s := begin(b, dir, gopls)
	defer s.close()
	opened := map[string]bool{}
	at := func(at spot) map[string]any {
		return map[string]any{
			"textDocument": map[string]any{"uri": "file://" + filepath.Join(dir, at.file)},
			"position":     map[string]any{"line": at.line - 1, "character": at.col - 1},
		}
	}
	ask := func(b *testing.B, p spot) {
		if !opened[p.file] {
			s.open(b, filepath.Join(dir, p.file))
			opened[p.file] = true
		}
		s.try(b, "textDocument/hover", at(p)) // an error where there is nothing
	}
	b.Run("warm", func(b *testing.B) {
		for _, p := range spots(b, dir, 200, 2) {
			ask(b, p)
		}
		all := spots(b, dir, 2000, 3)
		measure(b, nil, func(i int) usage { return ofProcess(s.cmd.Process.Pid, func() { ask(b, all[i%len(all)]) }) })
		b.ReportMetric(memoryOf(s.cmd.Process.Pid, "VmRSS"), "MB")
	})
	b.Run("edited", func(b *testing.B) {
		all := spots(b, dir, 200, 4)
		edits := editor{b: b, dir: dir}
		defer edits.undo()
		change := func(p spot, version, n int) {
			s.send(b, map[string]any{"method": "textDocument/didChange", "params": map[string]any{
				"textDocument":   map[string]any{"uri": "file://" + filepath.Join(dir, p.file), "version": version},
				"contentChanges": []any{map[string]any{"text": string(edits.edit(p.file, n))}},
			}})
		}
		measure(b, func(i int) {
			p := all[i%len(all)]
			ask(b, p)
			change(p, 2*i+2, 0)
			ask(b, p)
			change(p, 2*i+3, i+1)
		}, func(i int) usage { return ofProcess(s.cmd.Process.Pid, func() { ask(b, all[i%len(all)]) }) })
	})
}

func tsserverLook(b *testing.B, dir string) {
	lib := os.Getenv("SETT_TYPESCRIPT")
	if lib == "" {
		b.Skip("NOT COMPARED: SETT_TYPESCRIPT names no typescript package")
	}
	node := peer(b, "SETT_NODE", "node")
	script := filepath.Join(lib, "lib", "tsserver.js")
	start := func() *session {
		cmd := exec.Command(node, script, "--disableAutomaticTypingAcquisition")
		cmd.Dir = dir
		return connect(b, cmd)
	}
	ask := func(b *testing.B, s *session, opened map[string]bool, p spot) {
		path := filepath.Join(dir, p.file)
		if !opened[p.file] {
			s.command(b, "open", map[string]any{"file": path})
			opened[p.file] = true
		}
		s.answer(b, s.command(b, "quickinfo", map[string]any{"file": path, "line": p.line, "offset": p.col}))
	}
	b.Run("process", func(b *testing.B) {
		all := spots(b, dir, 200, 1)
		measure(b, nil, func(i int) usage {
			return stopwatch(func() *os.ProcessState {
				s := start()
				ask(b, s, map[string]bool{}, all[i%len(all)])
				s.close()
				return s.cmd.ProcessState
			})
		})
	})
	s, opened := start(), map[string]bool{}
	defer s.close()
	b.Run("warm", func(b *testing.B) {
		for _, p := range spots(b, dir, 200, 2) {
			ask(b, s, opened, p)
		}
		all := spots(b, dir, 2000, 3)
		measure(b, nil, func(i int) usage { return ofProcess(s.cmd.Process.Pid, func() { ask(b, s, opened, all[i%len(all)]) }) })
		b.ReportMetric(memoryOf(s.cmd.Process.Pid, "VmRSS"), "MB")
	})
	b.Run("edited", func(b *testing.B) {
		all := spots(b, dir, 200, 4)
		measure(b, func(i int) {
			p := all[i%len(all)]
			ask(b, s, opened, p)
			s.command(b, "change", map[string]any{
				"file": filepath.Join(dir, p.file), "line": 1, "offset": 1, "endLine": 1, "endOffset": 1,
				"insertString": fmt.Sprintf("function settBench%d(): number { return %[1]d } ", i),
			})
		}, func(i int) usage { return ofProcess(s.cmd.Process.Pid, func() { ask(b, s, opened, all[i%len(all)]) }) })
	})
}

// command sends a request of tsserver's own protocol and returns its number.
func (s *session) command(b *testing.B, name string, arguments any) int {
	b.Helper()
	s.id++
	data, err := json.Marshal(map[string]any{"seq": s.id, "type": "request", "command": name, "arguments": arguments})
	if err == nil {
		_, err = fmt.Fprintf(s.in, "%s\n", data)
	}
	if err != nil {
		b.Fatal(err)
	}
	return s.id
}

// answer waits for the answer to a request of tsserver's own protocol.
func (s *session) answer(b *testing.B, id int) {
	b.Helper()
	for {
		var m struct {
			Type string
			Seq  int `json:"request_seq"`
		}
		if err := json.Unmarshal(s.message(b), &m); err != nil {
			b.Fatal(err)
		}
		if m.Type == "response" && m.Seq == id {
			return
		}
	}
}
