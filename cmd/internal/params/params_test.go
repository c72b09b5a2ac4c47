package params_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/settgraph/sett/cmd/internal/params"
)

type selector struct {
	Symbol string `json:"symbol" pos:"0" help:"name or place" alias:"id,name"`
}

type args struct {
	selector
	Path    string   `json:"path" help:"file or folder"`
	Kind    []string `json:"kind" enum:"function,method" short:"k" help:"kinds"`
	Limit   int      `json:"limit" default:"20" short:"n" help:"at most this many"`
	Depth   uint32   `json:"depth" help:"steps"`
	Share   float64  `json:"share" help:"of one"`
	Deep    bool     `json:"deep" help:"go on"`
	By      string   `json:"by" enum:"file,function" default:"file" help:"grouping"`
	OnlyCLI string   `json:"only_cli" mcp:"-"`
	Inner   string   `json:"-"`
}

type extra struct {
	Format string `json:"format" enum:"lines,json"`
}

func read(t *testing.T) *params.Set {
	t.Helper()
	s, err := params.Of(&args{}, &extra{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFillJSON(t *testing.T) {
	whole := args{selector: selector{"X"}, Limit: 20, By: "file"}
	with := func(f func(*args)) args { a := whole; f(&a); return a }
	tests := []struct {
		in   string
		want args
		err  string
	}{
		{`{"symbol":"X"}`, whole, ""},
		{`{"name":"X"}`, whole, ""},
		{`{"id":"X","symbol":"X","path":null}`, whole, ""},
		{`{"id":"X","symbol":"Y"}`, args{}, `id and symbol are the same parameter and disagree: "X" and "Y"`},
		{`{}`, args{}, `symbol: it is missing: name or place`},
		{``, args{}, `symbol: it is missing`},
		{`null`, args{}, `symbol: it is missing`},
		{`[1]`, args{}, `not a JSON object`},
		{`{"symbol":7}`, args{}, `symbol: want a string, got 7`},
		{`{"symbol":"X","limit":"20"}`, args{}, `limit: want an integer, got "20"`},
		{`{"symbol":"X","limit":2.5}`, args{}, `limit: want an integer, got 2.5`},
		{`{"symbol":"X","limit":3e1}`, with(func(a *args) { a.Limit = 30 }), ""},
		{`{"symbol":"X","limit":99999999999999999999}`, args{}, `limit: want an integer`},
		{`{"symbol":"X","depth":-1}`, args{}, `depth: -1 is out of range`},
		{`{"symbol":"X","depth":4294967296}`, args{}, `out of range`},
		{`{"symbol":"X","share":0.5,"deep":true}`, with(func(a *args) { a.Share, a.Deep = 0.5, true }), ""},
		{`{"symbol":"X","deep":"true"}`, args{}, `deep: want true or false, got "true"`},
		{`{"symbol":"X","kind":["function","method"]}`, with(func(a *args) { a.Kind = []string{"function", "method"} }), ""},
		{`{"symbol":"X","kind":"function, method"}`, with(func(a *args) { a.Kind = []string{"function", "method"} }), ""},
		{`{"symbol":"X","kind":["functoin"]}`, args{}, `kind: no value "functoin"; did you mean function?`},
		{`{"symbol":"X","kind":[1]}`, args{}, `kind[0]: want a string, got 1`},
		{`{"symbol":"X","by":"zzz"}`, args{}, `by: no value "zzz"; one of file, function`},
		{`{"symbl":"X"}`, args{}, `no parameter "symbl"; did you mean symbol?`},
		{`{"symbol":"X","only_cli":"x"}`, args{}, `no parameter "only_cli"`},
		{`{"symbol":{"a":"` + strings.Repeat("é", 100) + `"}}`, args{}, `...`},
	}
	s := read(t)
	for _, tt := range tests {
		var a args
		var e extra
		err := s.FillJSON([]byte(tt.in), &a, &e)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: error %v, want %s", tt.in, err, tt.err)
			}
			continue
		}
		if diff := cmp.Diff(tt.want, a, cmp.AllowUnexported(args{})); err != nil || diff != "" {
			t.Errorf("%s: %v %s", tt.in, err, diff)
		}
	}
}

func TestSchema(t *testing.T) {
	const want = `{"type":"object","properties":{` +
		`"symbol":{"type":"string","description":"name or place"},` +
		`"path":{"type":"string","description":"file or folder"},` +
		`"kind":{"type":"string","description":"kinds"},` +
		`"limit":{"type":"integer","default":20,"description":"at most this many"},` +
		`"depth":{"type":"integer","description":"steps"},` +
		`"share":{"type":"number","description":"of one"},` +
		`"deep":{"type":"boolean","description":"go on"},` +
		`"by":{"type":"string","enum":["file","function"],"default":"file","description":"grouping"},` +
		`"format":{"type":"string","enum":["lines","json"]}` +
		`},"required":["symbol"],"additionalProperties":false}`
	got := read(t).Schema(nil)
	if !json.Valid(got) {
		t.Errorf("not JSON: %s", got)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestBadTags(t *testing.T) {
	tests := map[string]any{
		"is not a pointer to a struct": args{},
		"has no json tag":              &struct{ A string }{},
		"is no type of a parameter": &struct {
			A map[string]int `json:"a"`
		}{},
		"bad pos": &struct {
			A string `json:"a" pos:"x"`
		}{},
		"positional b is number 0, not 1": &struct {
			B string `json:"b" pos:"1"`
		}{},
		"are both called a": &struct {
			A string `json:"a"`
			B string `json:"b" alias:"a"`
		}{},
		"default of a": &struct {
			A int `json:"a" default:"x"`
		}{},
	}
	for want, v := range tests {
		if _, err := params.Of(v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: error %v, want %q", v, err, want)
		}
	}
}

func TestNear(t *testing.T) {
	names := []string{"symbol", "path", "limit", "project_path", "format"}
	for word, want := range map[string][]string{
		"symbl": {"symbol"}, "sybmol": {"symbol"}, "fromat": {"format"}, "proj": {"project_path"},
		"zzzzzzzz": nil, "": nil, strings.Repeat("x", 10000): nil,
	} {
		if diff := cmp.Diff(want, params.Near(word, names)); diff != "" {
			t.Errorf("%.20q: %s", word, diff)
		}
	}
}
