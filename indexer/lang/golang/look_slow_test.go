//go:build slow

package golang_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang"
)

// TestLookAsGopls compares what is said of random names of the projects in SETT_GO_PROJECTS
// (folders, comma-separated) with what gopls says of them. SETT_GO_NAMES names of each are
// asked for, 400 if not set.
func TestLookAsGopls(t *testing.T) {
	bin := os.Getenv("SETT_GOPLS")
	if bin == "" {
		bin, _ = exec.LookPath("gopls")
	}
	projects := os.Getenv("SETT_GO_PROJECTS")
	if bin == "" || projects == "" {
		t.Skip("NOT COMPARED with gopls: it is not in PATH nor in SETT_GOPLS, or SETT_GO_PROJECTS is not set")
	}
	n, err := strconv.Atoi(cmp.Or(os.Getenv("SETT_GO_NAMES"), "400"))
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range strings.Split(projects, ",") {
		t.Run(filepath.Base(root), func(t *testing.T) { compareGopls(t, bin, root, n) })
	}
}

func compareGopls(t *testing.T, bin, root string, n int) {
	in := readProject(t, root)
	peer := startGopls(t, bin, root)
	l := golang.Language().Looker()
	defer l.Close()
	var asked, defs, hovers int
	var took []time.Duration
	for _, q := range randomNames(t, in, n) {
		want, sig := peer.definition(q), peer.hover(q)
		if want == "" && sig == "" {
			continue
		}
		asked++
		start := time.Now()
		p, err := l.Look(context.Background(), in, q.file, q.at)
		took = append(took, time.Since(start))
		if err != nil {
			t.Fatal(err)
		}
		if got := definedAt(root, p, want); got == want {
			defs++
		} else {
			t.Logf("%s:%d:%d %s: defined at %q, gopls says %q", q.file, q.at.Line, q.at.Col, q.name, got, want)
		}
		if mine := sigOf(p); sameSignature(mine, sig) {
			hovers++
		} else {
			t.Logf("%s:%d:%d %s:\n\twe    %s\n\tgopls %s", q.file, q.at.Line, q.at.Col, q.name, mine, sig)
		}
	}
	slices.Sort(took)
	t.Logf("%d names: %d definitions and %d signatures as gopls has them; p50 %v, p95 %v, max %v",
		asked, defs, hovers, took[len(took)/2], took[len(took)*95/100], took[len(took)-1])
	if asked < n/2 {
		t.Errorf("gopls knows only %d of %d names", asked, n)
	}
	if defs*1000 < asked*995 {
		t.Errorf("%d of %d definitions are gopls'", defs, asked)
	}
	if hovers*100 < asked*99 {
		t.Errorf("%d of %d signatures are gopls'", hovers, asked)
	}
}

func sigOf(p *graph.Place) string {
	if p == nil {
		return ""
	}
	return p.Sig
}

// definedAt returns the definition that is wanted, or the first.
func definedAt(root string, p *graph.Place, want string) (first string) {
	if p == nil {
		return ""
	}
	for _, d := range p.Defs {
		file := d.File
		if !d.Outside {
			file = filepath.ToSlash(filepath.Join(root, d.File))
		}
		at := fmt.Sprintf("%s:%d:%d", file, d.Span.Line, d.Span.Col)
		if at == want {
			return at
		}
		first = cmp.Or(first, at)
	}
	return first
}

// TestLookScenariosAsGopls compares the names of the scenarios, of which TestLook has the
// answers.
func TestLookScenariosAsGopls(t *testing.T) {
	bin := os.Getenv("SETT_GOPLS")
	if bin == "" {
		bin, _ = exec.LookPath("gopls")
	}
	if bin == "" {
		t.Skip("NOT COMPARED with gopls: it is not in PATH nor in SETT_GOPLS")
	}
	names, err := filepath.Glob("testdata/look/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			files, marks, _ := lookScenario(t, name)
			root := t.TempDir()
			for p, src := range files {
				p = filepath.Join(root, p)
				if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, src, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			in := project(files)
			in.Root = root
			peer := startGopls(t, bin, root)
			l := golang.Language().Looker()
			defer l.Close()
			for _, m := range marks {
				p, err := l.Look(context.Background(), in, m.file, m.at)
				if err != nil {
					t.Fatal(err)
				}
				if p == nil || p.Name == "" || p.Kind == "keyword" || p.Kind == "import" || p.Kind == "label" {
					continue
				}
				q := question{m.file, p.Name, m.at, int(m.at.Col) - 1}
				want, sig := peer.definition(q), peer.hover(q)
				if want == "" && sig == "" { // what does not build, or is in no build of gopls'
					t.Logf("%s:%d:%d %s: gopls says nothing", q.file, q.at.Line, q.at.Col, q.name)
					continue
				}
				if got := definedAt(root, p, want); got != want {
					t.Errorf("%s:%d:%d %s: defined at %q, gopls says %q", q.file, q.at.Line, q.at.Col, q.name, got, want)
				}
				if !sameSignature(p.Sig, sig) {
					t.Errorf("%s:%d:%d %s:\n\twe    %s\n\tgopls %s", q.file, q.at.Line, q.at.Col, q.name, p.Sig, sig)
				}
			}
		})
	}
}

// sameSignature compares without white space, and as far as ours goes when it was cut.
// What gopls adds for people is left out: sizes, what is promoted, the methods of a type.
func sameSignature(ours, theirs string) bool {
	for _, keyword := range []string{"const", "var"} { // of what is built in, which gopls shows with its group
		if list, ok := strings.CutPrefix(theirs, keyword+" ("); ok {
			for _, l := range strings.Split(list, "\n") {
				if l, _, _ = strings.Cut(l, "//"); sameSignature(ours, keyword+" "+l) {
					return true
				}
			}
		}
	}
	if strings.HasPrefix(theirs, "var nil ") || strings.HasPrefix(theirs, "const iota ") {
		theirs, _, _ = strings.Cut(theirs, "//")
	}
	squeeze := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r <= ' ' || r == ';' || r == ',' {
				return -1
			}
			return r
		}, s)
	}
	var lines []string
	comment := false
	for i, l := range strings.Split(theirs, "\n") {
		if j := strings.Index(l, "// size="); j >= 0 {
			l = l[:j]
		}
		if j := strings.Index(l, " // through "); j >= 0 {
			rest := l[j+len(" // through "):]
			l = l[:j]
			if k := strings.Index(rest, " "); k >= 0 && strings.Contains(rest, "`") {
				l += rest[strings.Index(rest, "`"):]
			}
		}
		if strings.HasPrefix(theirs, "type ") {
			s := strings.TrimSpace(l)
			if strings.HasPrefix(s, "/*") {
				comment = true
			}
			if comment {
				comment = !strings.HasSuffix(s, "*/")
				continue
			}
			if j := lineComment(l); j >= 0 {
				l = l[:j]
			}
			if i > 0 && strings.HasPrefix(l, "func (") {
				break
			}
		} else if j := strings.Index(l, "// func"); j >= 0 {
			l = l[:j]
		}
		lines = append(lines, l)
	}
	a, b := squeeze(ours), squeeze(strings.Join(lines, "\n"))
	if cut, ok := strings.CutSuffix(a, "…"); ok {
		return strings.HasPrefix(b, cut)
	}
	return a == b
}

// lineComment returns where a comment begins in a line.
func lineComment(l string) int {
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(l))
	var s scanner.Scanner
	s.Init(f, []byte(l), nil, scanner.ScanComments)
	for {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return -1
		case token.COMMENT:
			return f.Offset(pos)
		}
	}
}

type question struct {
	file string
	name string
	at   graph.Pos
	utf  int // column as gopls counts, from 0
}

// randomNames returns names of the project's files, the same ones each time.
func randomNames(t *testing.T, in *lang.Input, n int) []question {
	seed, _ := strconv.ParseUint(os.Getenv("SETT_GO_SEED"), 10, 64)
	rnd := rand.New(rand.NewPCG(seed, 1))
	var out []question
	for len(out) < n {
		f := in.Files[rnd.IntN(len(in.Files))]
		src, err := in.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		tf := fset.AddFile("", -1, len(src))
		var s scanner.Scanner
		s.Init(tf, src, nil, 0)
		var all []question
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok != token.IDENT || lit == "_" {
				continue
			}
			p := tf.Position(pos)
			line := src[p.Offset-p.Column+1 : p.Offset]
			units := 0
			for _, r := range string(line) {
				units++
				if r > 0xffff {
					units++
				}
			}
			all = append(all, question{f.Path, lit, graph.Pos{Line: uint32(p.Line), Col: uint32(utf8.RuneCount(line)) + 1}, units})
		}
		for range min(3, len(all)) {
			out = append(out, all[rnd.IntN(len(all))])
		}
	}
	return out
}

// A gopls is a language server that is asked by us.
type gopls struct {
	t    *testing.T
	root string
	in   io.Writer
	out  *bufio.Reader
	id   int
	open map[string]bool
	mu   sync.Mutex
}

func startGopls(t *testing.T, bin, root string) *gopls {
	cmd := exec.Command(bin, "serve")
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
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	g := &gopls{t: t, root: root, in: in, out: bufio.NewReader(out), open: map[string]bool{}}
	g.call("initialize", map[string]any{
		"processId": nil, "rootUri": g.uri(""), "capabilities": map[string]any{
			"textDocument": map[string]any{"hover": map[string]any{"contentFormat": []string{"plaintext"}}},
		},
		"initializationOptions": map[string]any{"hoverKind": "Structured", "linksInHover": false},
	}, nil)
	g.send(map[string]any{"jsonrpc": "2.0", "method": "initialized", "params": map[string]any{}})
	return g
}

func (g *gopls) uri(p string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(g.root, p))}).String()
}

func (g *gopls) send(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		g.t.Fatal(err)
	}
	fmt.Fprintf(g.in, "Content-Length: %d\r\n\r\n%s", len(data), data)
}

// call sends a request and reads until its answer. What gopls asks meanwhile gets null.
func (g *gopls) call(method string, params, result any) error {
	g.id++
	g.send(map[string]any{"jsonrpc": "2.0", "id": g.id, "method": method, "params": params})
	for {
		size := 0
		for {
			line, err := g.out.ReadString('\n')
			if err != nil {
				g.t.Fatal(err)
			}
			line = strings.TrimSpace(line)
			if line == "" {
				break
			}
			if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				size, _ = strconv.Atoi(v)
			}
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(g.out, data); err != nil {
			g.t.Fatal(err)
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Items []any }
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(data, &m); err != nil {
			g.t.Fatal(err)
		}
		switch {
		case m.Method != "" && len(m.ID) > 0:
			var answer any
			if m.Method == "workspace/configuration" {
				answer = make([]any, len(m.Params.Items))
			}
			g.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": answer})
		case m.Method != "":
		case string(m.ID) == strconv.Itoa(g.id):
			if m.Error != nil {
				return fmt.Errorf("%s", m.Error.Message)
			}
			if result != nil {
				return json.Unmarshal(m.Result, result)
			}
			return nil
		}
	}
}

func (g *gopls) at(q question) map[string]any {
	if !g.open[q.file] {
		g.open[q.file] = true
		src, err := os.ReadFile(filepath.Join(g.root, q.file))
		if err != nil {
			g.t.Fatal(err)
		}
		g.send(map[string]any{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": map[string]any{
			"textDocument": map[string]any{"uri": g.uri(q.file), "languageId": "go", "version": 1, "text": string(src)},
		}})
	}
	return map[string]any{
		"textDocument": map[string]any{"uri": g.uri(q.file)},
		"position":     map[string]any{"line": q.at.Line - 1, "character": q.utf},
	}
}

func (g *gopls) definition(q question) string {
	var locs []struct {
		URI   string
		Range struct{ Start struct{ Line, Character int } }
	}
	if err := g.call("textDocument/definition", g.at(q), &locs); err != nil || len(locs) == 0 {
		return ""
	}
	u, err := url.Parse(locs[0].URI)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", u.Path, locs[0].Range.Start.Line+1, locs[0].Range.Start.Character+1)
}

// hover returns the signature that gopls shows.
func (g *gopls) hover(q question) string {
	var h struct{ Contents struct{ Value string } }
	if err := g.call("textDocument/hover", g.at(q), &h); err != nil {
		return ""
	}
	var s struct{ Signature string }
	if json.Unmarshal([]byte(h.Contents.Value), &s) == nil && s.Signature != "" {
		return s.Signature
	}
	return h.Contents.Value
}
