package query_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/graphtest"
	"github.com/settgraph/sett/query"
)

const looked = `
tsdb/head.go
  struct Head 10-20 exported : type Head struct
  field Head.max 11-11 : max int64
  method Head.Append 30-40 exported : func (h *Head) Append() // Append adds.
  const limit 50-50 : const limit = 8
  const limit2 50-50 : const limit2 = 9
  function NewHead 60-70 exported : func NewHead() *Head
  Head.Append calls !fmt#Println 33:3
  . imports !fmt 3:2
  . imports !os 4:2
other/head.go
  const limit 5-5
`

// Which position the type checker is asked about.
func TestLookPlace(t *testing.T) {
	g := graphtest.Snapshot(t, looked)
	for _, c := range []struct{ symbol, path, typ, def string }{
		{"tsdb/head.go:33:3", "", "tsdb/head.go:33:3", "tsdb/head.go:33:3"},
		{"./tsdb/head.go:33:99", "", "tsdb/head.go:33:99", "tsdb/head.go:33:99"},
		{"tsdb/head.go:30", "", "tsdb/head.go:30:6", "tsdb/head.go:30:6"}, // its name
		{"tsdb/head.go:31", "", "", ""},                                   // nothing is declared there
		{"tsdb/head.go:0:1", "", "", ""},
		{"tsdb/head.go:1:0", "", "", ""},
		{"tsdb/head.go:2000:1", "", "", ""},
		{"head.go:1:1", "", "", ""}, // two files
		{"nothing.go:1:1", "", "", ""},
		{"NewHead", "", "", ""}, // its signature says all
		{"Head", "", "", ""},
		{"limit2", "", "tsdb/head.go:50:6", ""}, // its value says the type
		{"Head.max", "", "tsdb/head.go:11:6", ""},
		{"limit", "", "", ""}, // two
		{"limit", "tsdb", "tsdb/head.go:50:6", ""},
		{"fmt.Println", "", "tsdb/head.go:33:3", "tsdb/head.go:33:3"}, // a use of it
		{"os", "", "", ""},
		{"nothing", "", "", ""},
		{"", "", "", ""},
	} {
		for i, args := range []any{&query.TypeArgs{Symbol: c.symbol, Path: c.path}, &query.DefArgs{Symbol: c.symbol, Path: c.path}} {
			got := ""
			if f, at, ok := query.LookPlace(g, args); ok {
				got = fmt.Sprintf("%s:%d:%d", f.Path, at.Line, at.Col)
			}
			if want := []string{c.typ, c.def}[i]; got != want {
				t.Errorf("%T %q: got %q, want %q", args, c.symbol, got, want)
			}
		}
	}
	if _, _, ok := query.LookPlace(g, &query.FindArgs{Symbol: "tsdb/head.go:33:3"}); ok {
		t.Error("a question of another kind has a place")
	}
}

func span(line, col, off, end uint32) graph.Span {
	return graph.Span{Pos: graph.Pos{Line: line, Col: col}, EndLine: line, Off: off, End: end}
}

func TestAnswerLook(t *testing.T) {
	g := graphtest.Snapshot(t, looked)
	place := &graph.Place{
		Span: span(33, 5, 3204, 3210), Name: "Append", Kind: "method", Type: "func()", Sig: "func (h *tsdb.Head) Append()", Doc: "Append adds.\nMore.",
		Defs: []graph.Definition{
			{File: "tsdb/head.go", Span: span(30, 6, 3005, 3011), Name: "Head.Append", Kind: "method"},
			{File: "/go/src/fmt/print.go", Outside: true, Span: span(3, 6, 30, 37), Name: "fmt.Println", Kind: "function", Module: "fmt"},
			{File: "tsdb/head.go", Span: span(35, 3, 3500, 3501), Name: "x", Kind: "variable"},
		},
	}
	args := &query.DefArgs{Symbol: "tsdb/head.go:33:7"}
	args.SetFull()
	args.Budget = 77
	file, _, ok := query.LookPlace(g, args)
	if !ok {
		t.Fatal("no place")
	}
	res, err := query.AnswerLook(context.Background(), g, args, file, place)
	if err != nil {
		t.Fatal(err)
	}
	def := res.(*query.DefResult)
	if def.Tokens() != 77 || len(def.Answers) != 1 {
		t.Fatalf("%+v", def)
	}
	l := def.Answers[0]
	if l.File != "tsdb/head.go" || l.Line != 33 || l.Col != 5 || l.Off != 3204 || l.End != 3210 || l.Within != "Head.Append" || !l.Checked ||
		l.Type != place.Type || l.Sig != place.Sig || l.Doc != place.Doc || l.Kind != "method" || l.Name != "Append" || len(l.Definitions) != 3 {
		t.Errorf("%+v", l)
	}
	if d := l.Definitions[0]; d.Handle != "Head.Append" || d.UUID == "" || d.Line != 30 || d.Col != 6 || d.EndLine != 40 || d.Off != 3000 {
		t.Errorf("a declaration of the graph: %+v", d)
	}
	if d := l.Definitions[1]; d.File != "/go/src/fmt/print.go" || !d.Outside || d.Module != "fmt" || d.Handle != "" || d.End != 37 {
		t.Errorf("one outside: %+v", d)
	}
	if d := l.Definitions[2]; d.Handle != "" || d.UUID != "" || d.Line != 35 || d.EndLine != 35 || d.Off != 3500 || d.End != 3501 {
		t.Errorf("a local: %+v", d)
	}
	raw, err := json.Marshal(def)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"definitions":[{"file":"tsdb/head.go","line":30,"col":6,`, `"outside":true`, `"checked":true`, `"handle":"Head.Append"`, `"type":"func()"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}

	res, err = query.AnswerLook(context.Background(), g, &query.TypeArgs{Symbol: "tsdb/head.go:30"}, file, place)
	if r, ok := res.(*query.TypeResult); err != nil || !ok || r.Answers[0].Definitions[0].Handle != "" {
		t.Errorf("%+v, %v: handles that nobody asked for", res, err)
	}
	if _, err := query.AnswerLook(context.Background(), g, &query.FindArgs{}, file, place); err == nil {
		t.Error("a question of another kind was answered")
	}
}

// When nothing is at a position the error says so; a question about a name has the
// graph's answer still.
func TestAnswerLookNothing(t *testing.T) {
	g := graphtest.Snapshot(t, looked)
	file, _ := g.FileByPath("tsdb/head.go")
	var notFound *query.NotFoundError
	_, err := query.AnswerLook(context.Background(), g, &query.TypeArgs{Symbol: "tsdb/head.go:33:90"}, file, nil)
	if !errors.As(err, &notFound) || !strings.Contains(err.Error(), "no name or expression at tsdb/head.go:33:90; it is within Head.Append tsdb/head.go:30") {
		t.Errorf("got %v", err)
	}
	for _, symbol := range []string{"tsdb/head.go:30", "limit2", "fmt.Println"} {
		res, err := query.AnswerLook(context.Background(), g, &query.TypeArgs{Symbol: symbol}, file, nil)
		if err != nil || len(res.(*query.TypeResult).Answers) != 1 || res.(*query.TypeResult).Answers[0].Checked {
			t.Errorf("%s: %+v, %v", symbol, res, err)
		}
	}
}

func TestNothingAt(t *testing.T) {
	g := graphtest.Snapshot(t, "a.go\n  function f 3-5\n")
	file, _ := g.FileByPath("a.go")
	text := "package a // größe x\n\nfunc f() { \"a // b\"\r\n/* one\ntwo */ x := `raw\ntext`; 'c'\n\"open\n;/"
	for _, c := range []struct {
		line, col uint32
		want      string
	}{
		{1, 12, "a.go:1:12 is a comment"},
		{1, 18, "a.go:1:18 is a comment"},
		{1, 8, "a.go:1:8 is white space"},
		{1, 21, "is the end of the line"},
		{1, 22, "a.go:1:22: line 1 has 20 columns"},
		{2, 1, "a.go:2:1 is an empty line"},
		{2, 7, "an empty line"},
		{3, 10, `a.go:3:10 is '{'; it is within f a.go:3`},
		{3, 15, "is a string"},
		{3, 20, "is the end of the line"},
		{3, 21, "line 3 has 19 columns"},
		{4, 2, "is a comment"},
		{5, 1, "is a comment; it is within f a.go:3"},
		{5, 15, "is a string"},
		{6, 2, "is a string"},
		{6, 9, "is a string"},
		{7, 1, `is '"'`},
		{8, 2, `is '/'`},
		{5, 8, "is x, which is no known name; it is within f a.go:3"},
		{1, 3, "a.go:1:3 is package, which is no known name"},
		{9, 1, "line 9 of 8: past the end of the file"},
		{0, 0, "no name or expression at a.go:0:0"},
		{1, 1 << 31, "line 1 has 20 columns"},
	} {
		err := query.NothingAt(g, file, graph.Pos{Line: c.line, Col: c.col}, []byte(text))
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d:%d: got %q, want %q", c.line, c.col, err, c.want)
		}
	}
	for _, text := range []string{"", "\xff\xfe", "\"", "/*", "//", "'\\", "`", "\n\n\n"} {
		for line := range uint32(4) {
			for col := range uint32(4) {
				if err := query.NothingAt(g, file, graph.Pos{Line: line, Col: col}, []byte(text)); err == nil {
					t.Errorf("%q %d:%d: no error", text, line, col)
				}
			}
		}
	}
}

// The whole doc comment is part of the context in JSON, without its marks.
func TestContextDoc(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"// F does.\n//\n//  - more\n//go:noinline\nfunc F() {}", "F does.\n\n - more"},
		{"/** One.\n * Two\n *\n * @param x */\nfunction F() {}", "One.\nTwo\n\n@param x"},
		{"/* a */\n@deco\nclass F {}", "a"},
		{"/// Rust like\nfn F() {}", "Rust like"},
		{"var x = 1\n\nfunc F() {}", ""},
		{"/*\n  Text\n*/\nexport function F() {}", "Text"},
		{"\xff", ""},
	} {
		facts, err := graphtest.Parse("a.go\n  function F 1-2 exported : func F() // F.\n")
		if err != nil {
			t.Fatal(err)
		}
		off := max(0, strings.LastIndex(c.src, "\n")+1)
		for i := range facts[0].Decls {
			if d := &facts[0].Decls[i]; facts[0].Symbols[d.Sym].Qual == "F" {
				d.Full.Off, d.Full.End = uint32(off), uint32(len(c.src))
			}
		}
		pages, err := graph.Build(nil, nil, facts)
		if err != nil {
			t.Fatal(err)
		}
		g, err := graph.Open(pages)
		if err != nil {
			t.Fatal(err)
		}
		for _, full := range []bool{true, false} {
			spec, _ := query.ByVerb("context")
			args := &query.ContextArgs{Selector: query.Selector{Symbol: "F"}}
			args.Full = full
			res, err := spec.Run(context.Background(), g, args)
			if err != nil {
				t.Fatal(err)
			}
			r := res.(*query.ContextResult)
			if err := r.Fill(func(string) ([]byte, error) { return []byte(c.src), nil }); err != nil {
				t.Fatal(err)
			}
			want := c.want
			if !full {
				want = ""
			}
			if got := r.Answers[0].Doc; got != want {
				t.Errorf("%q: got %q, want %q", c.src, got, want)
			}
			if err := r.Fill(func(string) ([]byte, error) { return nil, errors.New("gone") }); err != nil {
				t.Errorf("a file that cannot be read: %v", err)
			}
		}
	}
}
