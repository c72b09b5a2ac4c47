package query_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/graphtest"
	"github.com/settgraph/sett/query"
)

const small = `
tsdb/head.go
  struct Head 10-20 exported
  field Head.name 11-11
  method Head.Append 30-40 exported
  function NewHead 50-60 exported
  function step 61-62
  function step.step@2 62-62
  Head.Append typeref Head 30:8
  NewHead constructs Head 52:3
  NewHead calls !fmt#Println 53:3
  NewHead calls missing 54:3
  step calls step 61:30
tsdb/head_linux.go
  function NewHead 5-9 exported
other/tsdb/head.go
  struct Head 10-20 exported
  function Über 22-23 exported
  function Println 25-26 exported
cmd/app/main.go
  function main 3-9 entry
  main calls tsdb#NewHead 4:3
  main calls tsdb#Head.Append 5:3
web/app.ts
  function boot 1-2 exported
  class App 3-9 exported
  method App.boot 4-5
  type Both 12-12
  const Both 13-13
web/lib/app.ts
  function boot 1-2 exported
`

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range query.All() {
		if s.Verb == "" || s.Tool == "" || s.Title == "" || s.Short == "" || len(s.Example) == 0 || seen[s.Verb] || seen[s.Tool] {
			t.Errorf("%s: incomplete or taken", s.Verb)
		}
		seen[s.Verb], seen[s.Tool] = true, true
		if n := len(s.Long); n < 60 || n > 400 {
			t.Errorf("%s: Long has %d characters", s.Verb, n)
		}
		if strings.HasSuffix(s.Short, ".") {
			t.Errorf("%s: Short ends in a full stop", s.Verb)
		}
		if got, ok := query.ByVerb(s.Verb); !ok || got.Tool != s.Tool {
			t.Errorf("%s: not found by verb", s.Verb)
		}
		args := s.NewArgs()
		if _, ok := args.(query.Shaper); !ok {
			t.Errorf("%s: %T has no shape", s.Verb, args)
		}
		for _, e := range s.Example {
			if !strings.HasPrefix(e, "sett "+s.Verb) {
				t.Errorf("%s: example %q is of another verb", s.Verb, e)
			}
		}
		if reflect.TypeOf(args).Kind() != reflect.Pointer {
			t.Errorf("%s: NewArgs gives no pointer", s.Verb)
		}
	}
	if len(seen) != 26 {
		t.Errorf("%d verbs and tools, want 26", len(seen))
	}
	if _, ok := query.ByVerb("nothing"); ok {
		t.Error("a verb that does not exist was found")
	}
}

func TestResolve(t *testing.T) {
	g := graphtest.Snapshot(t, small)
	for _, c := range []struct{ sel, in, want string }{
		{"NewHead", "", "tsdb.NewHead"},
		{"newhead", "", "tsdb.NewHead"},
		{"tsdb.NewHead", "", "tsdb.NewHead"},
		{"NewHead()", "", "tsdb.NewHead"},
		{"Head", "", "tsdb.Head other/tsdb.Head"},
		{"Head", "other", "other/tsdb.Head"},
		{"Head", "**/head.go", "tsdb.Head other/tsdb.Head"},
		{"other/tsdb.Head", "", "other/tsdb.Head"},
		{"Append", "", "Head.Append"},
		{"Head.Append", "", "Head.Append"},
		{"(*Head).Append", "", "Head.Append"},
		{"tsdb.Head.Append", "", "Head.Append"},
		{"tsdb/head.go:33", "", "Head.Append"},
		{"tsdb/head.go:30", "", "Head.Append"},
		{"./tsdb/head.go:30:8", "", "Head.Append"}, // the name stands in columns 6 to 11
		{"tsdb/head.go:52:3", "", "tsdb.Head"},
		{"head_linux.go:5", "", "tsdb.NewHead"},
		{"fmt.Println", "", "fmt.Println"},
		{"Println", "", "tsdb.Println"}, // ours before those of others
		{"external:Println", "", "fmt.Println"},
		{"Über", "", "tsdb.Über"},
		{"über", "", "tsdb.Über"},
		{"main.main", "", "app.main"},
		{"boot", "", "web/app.ts#boot web/lib/app.ts#boot"},
		{"App.boot", "", "App.boot"},
		{"web/lib/app.ts#boot", "", "web/lib/app.ts#boot"},
		{"lib/app.boot", "", "web/lib/app.ts#boot"},
		{"Both", "", "type:Both const:Both"},
		{"const:Both", "", "const:Both"},
		{"web/app.ts", "", "web/app.ts"},
		{"tsdb", "", "tsdb"},
		{"step", "", "tsdb.step"},
		{"step.step@2", "", "step.step@2"},
		{"nothing", "", "! no symbol"},
		{"", "", "! missing"},
		{"Head", "nowhere", "! 2 elsewhere"},
		{"Head", "[", "! not a glob"},
		{"nowhere.go:3", "", "! no indexed file"},
		{"head.go:3", "", "! 2 files end"},
		{"tsdb/head.go:0", "", "! from 1"},
		{"tsdb/head.go:99999", "", "! 1000 lines"},
	} {
		ids, err := query.Resolve(g, query.Selector{Symbol: c.sel}, c.in)
		var got []string
		for _, id := range ids {
			got = append(got, query.Handle(g, id))
		}
		if want, ok := strings.CutPrefix(c.want, "! "); ok {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q in %q: %v, %v, want error %q", c.sel, c.in, got, err, want)
			}
			continue
		}
		slices.Sort(got)
		want := strings.Fields(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q in %q: %q, %v, want %q", c.sel, c.in, got, err, want)
		}
	}
	if _, err := query.Resolve(g, query.Selector{Symbol: "Head", At: "tsdb/head.go:3"}, ""); err == nil {
		t.Error("a symbol and a position were taken together")
	}
}

func TestUUID(t *testing.T) {
	g := graphtest.Snapshot(t, small)
	ids, err := query.Resolve(g, query.Selector{Symbol: "tsdb.NewHead"}, "")
	if err != nil {
		t.Fatal(err)
	}
	u := query.UUID(g, ids[0])
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`).MatchString(u) {
		t.Errorf("%s is no version 5 UUID", u)
	}
	for _, s := range []string{u, u[:8], u[:13], strings.ToUpper(u), strings.ReplaceAll(u, "-", ""), strings.ReplaceAll(u, "-", "")[:12]} {
		got, err := query.Resolve(g, query.Selector{Symbol: s}, "")
		if err != nil || len(got) != 1 || got[0] != ids[0] {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	var nf *query.NotFoundError
	if _, err := query.Resolve(g, query.Selector{Symbol: "00000000"}, ""); !errors.As(err, &nf) {
		t.Errorf("an unknown UUID gave %v", err)
	}
}

// What a project says about the identity of a declaration counts, and nothing else does.
func TestKeptUUID(t *testing.T) {
	g := graphtest.Snapshot(t, `
a.go
  function Kept 1-2 id=0f8fad5bd9cb469fa16570867728950e
  function Made 3-4
`)
	for _, sel := range []string{"0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5bd9cb"} {
		ids, err := query.Resolve(g, query.Selector{Symbol: sel}, "")
		if err != nil || len(ids) != 1 || g.Node(ids[0]).Qual != "Kept" {
			t.Errorf("%s: %v, %v", sel, ids, err)
		}
	}
	made, err := query.Resolve(g, query.Selector{Symbol: "Made"}, "")
	if err != nil || query.UUID(g, made[0])[14] != '5' {
		t.Errorf("Made has %s, %v", query.UUID(g, made[0]), err)
	}
}

func TestSuggestions(t *testing.T) {
	g := graphtest.Snapshot(t, `
a.go
  function NewHead 1-2
  function newHead 3-4
  function NewHeadStats 5-6
  function Close 7-8
  struct Head 9-10
  method Head.Append 11-12
`)
	for typed, want := range map[string]string{
		"NewHed":      "NewHead, newHead, NewHeadStats",
		"NewHaed":     "NewHead, newHead",
		"Colse":       "Close",
		"Head.Apend":  "Head.Append, Append",
		"NHS":         "NewHeadStats",
		"qqq":         "",
		"x":           "",
		"":            "",
		"Head.\x00\n": "",
	} {
		_, err := query.Resolve(g, query.Selector{Symbol: typed}, "")
		var nf *query.NotFoundError
		if typed == "" {
			continue
		}
		if !errors.As(err, &nf) {
			t.Errorf("%q: %v", typed, err)
			continue
		}
		if got := strings.Join(nf.Near, ", "); got != want {
			t.Errorf("%q: did you mean %q, want %q", typed, got, want)
		}
	}
}

// run answers a question in a test.
func run[R any](t *testing.T, g *graph.Snapshot, verb string, args any) *R {
	t.Helper()
	spec, _ := query.ByVerb(verb)
	res, err := spec.Run(context.Background(), g, args)
	if err != nil {
		t.Fatalf("%s: %v", verb, err)
	}
	return res.(*R)
}

func TestFind(t *testing.T) {
	g := graphtest.Snapshot(t, `
a/server.go
  function HTTPServer 1-2 exported
  function newServer 3-4
  function Server 5-6 exported
  function serve_all 7-8
  function Serve 9-10 exported
  struct Config 11-20
  field Config.Serve 12-12 exported
a/server_test.go test
  function TestServe 1-2 entry
`)
	for _, c := range []struct {
		args query.FindArgs
		want string
	}{
		{query.FindArgs{Symbol: "Serve"}, "Serve"},
		{query.FindArgs{Symbol: "serve"}, "Serve Config.Serve"},
		{query.FindArgs{Symbol: "Serv"}, "Serve Server Config.Serve serve_all HTTPServer newServer TestServe"},
		{query.FindArgs{Symbol: "Serv", NoTests: true, Kind: []string{"func"}}, "Serve Server serve_all HTTPServer newServer"},
		{query.FindArgs{Symbol: "server", Limit: 1}, "Server"},
		{query.FindArgs{Symbol: "Serv*"}, "Serve Server Config.Serve"},
		{query.FindArgs{Symbol: "*Server"}, "Server HTTPServer newServer"},
		{query.FindArgs{Symbol: "^[A-Z]+Server$"}, "HTTPServer"},
		{query.FindArgs{Symbol: `Config\..*`}, "Config.Serve"},
		{query.FindArgs{Symbol: "config.serv"}, "Config.Serve"},
		{query.FindArgs{Symbol: "Config", Kind: []string{"class"}}, "Config"},
		{query.FindArgs{Symbol: "Serv", Path: "a/*_test.go"}, "TestServe"},
		{query.FindArgs{Symbol: "a/server.go:12"}, "Config.Serve"},
	} {
		var got []string
		for _, h := range run[query.FindResult](t, g, "find", &c.args).Hits {
			got = append(got, h.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %q, want %q", c.args, got, c.want)
		}
	}
}

func TestImpactRules(t *testing.T) {
	for _, c := range []struct{ name, graph, symbol, want string }{
		{"a use in a method is not one of its type", `
a.go
  struct T 1-9
  method T.m 2-3
  function f 10-11
  function g 12-13
  function h 14-15
  T.m calls f 2:5
  g typeref T 12:5
  h calls T.m 14:5
`, "f", "1 T.m, 2 h"},
		{"members are part of a type", `
a.go
  struct T 1-9
  method T.m 2-3
  field T.x 4-4
  function g 12-13
  function h 14-15
  h calls T.m 14:5
  g reads T.x 12:5
`, "T", "1 g, 1 h"},
		{"dispatch through an interface", `
a.go
  interface I 1-3
  method I.m 2-2 abstract
  struct T 5-6
  method T.m 7-8
  function use 10-11
  function top 12-13
  interface I { m/1 }
  implements T { m/1 }
  use calls I.m 10:5
  top calls use 12:5
`, "T.m", "1 ~use, 2 ~top"},
		{"an interface method reaches its implementations", `
a.go
  interface I 1-3
  method I.m 2-2 abstract
  struct T 5-6
  method T.m 7-8
  function direct 10-11
  interface I { m/1 }
  implements T { m/1 }
  direct calls T.m 10:5
`, "I.m", "1 T.m, 2 direct"},
		{"overrides", `
a.ts
  class A 1-3
  method A.m 2-2
  class B 5-6
  method B.m 6-6
  function use 10-11
  B extends A 5:17
  B.m overrides A.m 6:1
  use calls A.m 10:5
`, "B.m", "1 ~use"},
		{"recursion", `
a.go
  function f 1-2
  function g 3-4
  f calls g 1:5
  g calls f 3:5
  f calls f 1:9
`, "f", "1 g"},
		{"embedding", `
a.go
  struct A 1-2
  struct B 3-4
  function f 5-6
  B embeds A 3:5
  f constructs B 5:5
`, "A", "1 B, 2 f"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := graphtest.Snapshot(t, c.graph)
			x := run[query.ImpactResult](t, g, "impact", &query.ImpactArgs{Selector: query.Selector{Symbol: c.symbol}}).Answers[0]
			var got []string
			for _, l := range x.Levels {
				for _, f := range l.Files {
					for _, u := range f.Users {
						mark := ""
						if u.Dynamic {
							mark = "~"
						}
						got = append(got, fmt.Sprintf("%d %s%s", l.Distance, mark, u.Name))
					}
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestRisk(t *testing.T) {
	g := graphtest.Snapshot(t, `
a.go
  function used 1-2
  function user 3-4
  function Exported 5-6 exported
  function lost 7-8
  function alone 9-10
  user calls used 3:5
  missing lost 4:2 type unknown
`)
	for symbol, want := range map[string]string{"used": "low", "Exported": "unknown", "lost": "unknown", "alone": "low"} {
		x := run[query.ImpactResult](t, g, "impact", &query.ImpactArgs{Selector: query.Selector{Symbol: symbol}}).Answers[0]
		if x.Risk != want {
			t.Errorf("%s: risk %s, want %s", symbol, x.Risk, want)
		}
	}
}

func TestTestCommands(t *testing.T) {
	for _, c := range []struct {
		packages, files, modules []string
		want                     string
	}{
		{[]string{"a", "a/b"}, nil, nil, "go test ./a ./a/b"},
		{[]string{"."}, nil, []string{"."}, "go test ."},
		{[]string{"a", "sub", "sub/x"}, nil, []string{".", "sub"}, "go test ./a; (cd sub && go test . ./x)"},
		{[]string{"my dir"}, nil, nil, "go test './my dir'"},
		{nil, []string{"src/a.test.ts", "b.go"}, nil, "src/a.test.ts"},
	} {
		x := query.Tests{Packages: c.packages, Files: c.files}
		x.InModules(c.modules)
		if got := strings.Join(x.Commands, "; "); got != c.want {
			t.Errorf("%v %v in %v: %q, want %q", c.packages, c.files, c.modules, got, c.want)
		}
	}
}

func TestCircular(t *testing.T) {
	for _, c := range []struct {
		name, graph string
		args        query.CircularArgs
		want        string
	}{
		{"one cycle of a group", `
c.ts
  . imports a.ts 1:1
a.ts
  . imports b.ts 1:1
b.ts
  . imports c.ts 2:1
  . imports a.ts 3:1
`, query.CircularArgs{}, "a.ts:1 b.ts:3 of 3"},
		{"type-only", `
a.ts
  . imports b.ts 1:1 type-only
b.ts
  . imports a.ts 2:1
`, query.CircularArgs{}, "a.ts:1 b.ts:2 of 2 type-only"},
		{"not at run time", `
a.ts
  . imports b.ts 1:1 type-only
b.ts
  . imports a.ts 2:1
`, query.CircularArgs{Runtime: true}, ""},
		{"a value import beside a type-only one", `
a.ts
  . imports b.ts 1:1 type-only
  . imports b.ts 4:1
b.ts
  . imports a.ts 2:1
`, query.CircularArgs{}, "a.ts:4 b.ts:2 of 2"},
		{"an import of itself is none", `
a.ts
  . imports a.ts 1:1
`, query.CircularArgs{}, ""},
		{"folders", `
x/a.ts
  . imports y/b.ts 1:1
y/b.ts
  . imports x/c.ts 2:1
x/c.ts
`, query.CircularArgs{Level: "package"}, "x:1 y:2 of 2"},
		{"packages through tests", `
x/a.go
  . imports y 1:1
y/b.go
y/b_test.go test
  . imports x 2:1
`, query.CircularArgs{}, "x:1 y:2 of 2 through tests"},
		{"recursion", `
a.go
  function f 1-2
  function g 3-4
  struct T 5-6
  field T.u 5-5
  struct U 7-8
  field U.t 7-7
  f calls g 1:9
  g calls f 3:9
  T.u typeref U 5:9
  U.t typeref T 7:9
`, query.CircularArgs{Level: "declaration"}, "T:5 U:7 of 2, f:1 g:3 of 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, x := range run[query.CircularResult](t, graphtest.Snapshot(t, c.graph), "circular", &c.args).Cycles {
				var s []string
				for _, p := range x.Path {
					s = append(s, fmt.Sprintf("%s:%d", p.Name, p.Line))
				}
				s = append(s, fmt.Sprintf("of %d", x.Size))
				if x.Weak != "" {
					s = append(s, x.Weak)
				}
				got = append(got, strings.Join(s, " "))
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

func TestDeadCode(t *testing.T) {
	g := graphtest.Snapshot(t, `
lib/lib.go
  function API 1-2 exported
  function dead 3-4
  function recursive 5-6
  function onlyDead 7-8
  function tested 9-10
  struct T 11-14
  method T.Close 12-13 exported
  function init 15-16 entry
  function lost 17-18
  recursive calls recursive 5:9
  dead calls onlyDead 3:9
  API typeref T 1:9
  T.Close implements !io#method:Closer.Close 12:3
  missing lost 1:30 type unknown
lib/lib_test.go test
  function TestX 1-2 entry
  TestX calls tested 1:9
internal/x/x.go
  function Hidden 1-2 exported
lib/gen.go generated
  function generatedDead 1-2
`)
	for _, c := range []struct {
		args query.DeadCodeArgs
		want string
	}{
		{query.DeadCodeArgs{}, "Hidden unused, dead unused, recursive unused, tested test-only, lost maybe"},
		{query.DeadCodeArgs{Transitive: true, Path: "lib"}, "dead unused, recursive unused, onlyDead only-by-dead, tested test-only, lost maybe"},
		{query.DeadCodeArgs{Exported: true, Kind: []string{"function"}}, "Hidden unused, API unused, dead unused, recursive unused, tested test-only, lost maybe"},
		{query.DeadCodeArgs{Limit: 1}, "Hidden unused"},
	} {
		var got []string
		for _, d := range run[query.DeadCodeResult](t, g, "deadcode", &c.args).Dead {
			got = append(got, d.Name+" "+d.Why)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%+v: got %q, want %q", c.args, s, c.want)
		}
	}
}

func TestPath(t *testing.T) {
	g := graphtest.Snapshot(t, `
a.go
  function a 1-2
  function b 3-4
  function c 5-6
  function d 7-8
  a calls b 1:9
  a calls c 1:19
  b calls d 3:9
  c calls d 5:9
  d calls d 7:9
  c calls c 5:20
  d calls c 7:19
`)
	for _, c := range []struct{ from, to, want string }{
		{"a", "d", "a b d, a c d"},
		{"a", "b", "a b"},
		{"d", "d", "d d"},
		{"b", "a", ""},
		{"b", "c", "b d c"},
	} {
		r := run[query.PathResult](t, g, "path", &query.PathArgs{From: c.from, To: c.to})
		var got []string
		for _, ch := range r.Chains {
			var names []string
			for _, l := range ch.Links {
				names = append(names, l.Name)
			}
			got = append(got, strings.Join(names, " "))
		}
		if s := strings.Join(got, ", "); s != c.want || r.Total != len(got) || r.Empty() != (c.want == "") {
			t.Errorf("%s to %s: %q of %d, want %q", c.from, c.to, s, r.Total, c.want)
		}
	}
	if r := run[query.PathResult](t, g, "path", &query.PathArgs{From: "b", To: "a"}); !r.Back {
		t.Error("that a reaches b was not said")
	}
}

func TestSource(t *testing.T) {
	text := "package a\n\nimport \"x\"\n\n// F does.\n//\n// Really.\nfunc F() {\n}\n\n/* T is\n   long. */\ntype T struct{}\n\nvar x = 1 // not a doc comment\nvar y = 2\n"
	res := &query.SourceResult{Answers: []query.Source{{Texts: []query.SourceText{
		{File: "a.go", Line: 8, Off: strings.Index(text, "func F"), End: strings.Index(text, "}\n\n/*") + 1},
		{File: "a.go", Line: 13, Off: strings.Index(text, "T struct"), End: strings.Index(text, "\n\nvar x")},
		{File: "a.go", Line: 16, Off: strings.Index(text, "y = 2"), End: len(text) - 1},
	}}}}
	if err := res.Fill(func(string) ([]byte, error) { return []byte(text), nil }); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		line int
		text string
	}{
		{5, "// F does.\n//\n// Really.\nfunc F() {\n}"},
		{11, "/* T is\n   long. */\ntype T struct{}"},
		{16, "var y = 2"},
	} {
		if got := res.Answers[0].Texts[i]; got.Text != want.text || got.Line != want.line {
			t.Errorf("%d: line %d %q", i, got.Line, got.Text)
		}
	}
	if err := res.Fill(func(string) ([]byte, error) { return nil, nil }); err == nil {
		t.Error("a file that is shorter than indexed was taken")
	}
}

func TestCancelled(t *testing.T) {
	var b strings.Builder
	b.WriteString("a.go\n  function F 1-2\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "  function f%d %d-%d\n  f%d calls F %d:%d\n", i, i%900+10, i%900+10, i, i%900+10, i/900+1)
	}
	g := graphtest.Snapshot(t, b.String())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for verb, args := range map[string]any{
		"impact": &query.ImpactArgs{Selector: query.Selector{Symbol: "F"}}, "deadcode": &query.DeadCodeArgs{},
		"circular": &query.CircularArgs{Level: "declaration"}, "find": &query.FindArgs{Symbol: "/f/"},
		"refs": &query.RefsArgs{Selector: query.Selector{Symbol: "F"}},
	} {
		spec, _ := query.ByVerb(verb)
		if _, err := spec.Run(ctx, g, args); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", verb, err)
		}
	}
}
