package format_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/format"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/query/report"
)

// reported is the input of a case: one of the reports, and how many tokens lines may take.
type reported struct {
	Budget int               `json:"budget"`
	Check  *report.Check     `json:"check"`
	Build  *report.Build     `json:"build"`
	Test   *report.Test      `json:"test"`
	Type   *query.TypeResult `json:"type"`
	Def    *query.DefResult  `json:"def"`
	Many   int               `json:"many"` // repeat the first diagnostic or failure so often
}

func (r *reported) value(t *testing.T) any {
	t.Helper()
	switch {
	case r.Check != nil:
		r.Check.Budget = r.Budget
		r.Check.Diagnostics = repeat(r.Check.Diagnostics, r.Many, again)
		return r.Check
	case r.Build != nil:
		r.Build.Budget = r.Budget
		r.Build.Diagnostics = repeat(r.Build.Diagnostics, r.Many, again)
		return r.Build
	case r.Test != nil:
		r.Test.Budget = r.Budget
		r.Test.Failures = repeat(r.Test.Failures, r.Many, func(f report.Failure, i int) report.Failure {
			f.Name += string(rune('A' + i%26))
			f.Line += i
			return f
		})
		return r.Test
	case r.Type != nil:
		r.Type.Budget = r.Budget
		return r.Type
	case r.Def != nil:
		r.Def.Budget = r.Budget
		return r.Def
	}
	t.Fatal("a case without a report")
	return nil
}

func again(d report.Diagnostic, i int) report.Diagnostic {
	d.Line += i
	d.File = strings.Replace(d.File, "*", string(rune('a'+i%7)), 1)
	return d
}

func repeat[T any](xs []T, n int, change func(T, int) T) []T {
	if n == 0 {
		return xs
	}
	var out []T
	for i := range n {
		out = append(out, change(xs[0], i))
	}
	return append(out, xs[1:]...)
}

// Each case of testdata/reports/*.txtar is a folder: in.json is the report, and every
// other file is what a form prints of it. UPDATE=1 rewrites those.
func TestReports(t *testing.T) {
	files, err := filepath.Glob("testdata/reports/*.txtar")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files of cases, %v", len(files), err)
	}
	cases := 0
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var in []byte
		for i := range ar.Files {
			f := &ar.Files[i]
			if path.Base(f.Name) == "in.json" {
				in = f.Data
				continue
			}
			cases++
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
				var r reported
				if err := json.Unmarshal(in, &r); err != nil {
					t.Fatal(err)
				}
				got := printed(t, r.value(t), path.Base(f.Name))
				if os.Getenv("UPDATE") != "" {
					f.Data = []byte(got)
				} else if got != string(f.Data) {
					t.Errorf("got:\n%swant:\n%s", got, f.Data)
				}
			})
		}
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cases < 60 {
		t.Errorf("only %d cases", cases)
	}
}

func printed(t *testing.T, v any, form string) string {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch form {
	case "lines":
		err = format.Lines(&b, v, format.Style{})
	case "json":
		err = format.JSON(&b, v)
	case "table":
		err = format.Table(&b, v, format.Style{})
	case "github":
		err = format.GitHub(&b, v)
	case "sarif":
		if err = format.Sarif(&b, v, "1.2.3"); err == nil {
			for _, problem := range sarifProblems(b.Bytes()) {
				t.Error(problem)
			}
		}
	case "002":
		switch v := v.(type) {
		case *report.Check:
			b.WriteString(format.Check002(v))
		case *report.Build:
			b.WriteString(format.Build002(v))
		case *report.Test:
			b.WriteString(format.Tests002(v))
		case *query.TypeResult:
			b.WriteString(format.Type002(v))
		case *query.DefResult:
			b.WriteString(format.Definition002(v))
		}
	default:
		t.Fatalf("no form %q", form)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The form of the manual of cot's server for lists of symbols.
func TestSymbols002(t *testing.T) {
	g := snapshot(t)
	for _, c := range []struct{ path, want string }{
		{"tsdb/head.go", `Functions:
  (h *Head) Append(ref uint64, v float64) error (line 30)
  (h *Head) Commit() error (line 46)
  (h *Head) grow(n int) (line 52)
  NewHead(dir string) (*Head, error) (line 64)
  oldHead() (line 90)
  oldHelper() (line 97)
  close() (line 101)

Structs:
  Head { max int64, Name string } (line 10)

Constants:
  const maxHeads = 8 (line 105)

Imports:
  fmt (line 3)
`},
		{"web/state.ts", `Functions:
  load(): State (line 3)

Interfaces:
  interface State (line 12)

Imports:
  web/app.ts (line 1)
  web/types.ts (line 2)
`},
		{"web/*.ts", `Functions:
  boot(): App (web/app.ts:34)
  load(): State (web/state.ts:3)

Structs:
  class App (web/app.ts:5)

Interfaces:
  interface State (web/state.ts:12)

Types:
  type Name = string (web/types.ts:3)
`},
		{"web/app.test.ts", "Imports:\n  web/app.ts (line 1)\n"},
	} {
		spec, _ := query.ByVerb("symbols")
		res, err := spec.Run(context.Background(), g, &query.SymbolsArgs{Path: c.path})
		if err != nil {
			t.Fatal(err)
		}
		if got := format.Symbols002(res.(*query.SymbolsResult)); got != c.want {
			t.Errorf("%s: got:\n%s", c.path, got)
		}
	}
	if got := format.Symbols002(&query.SymbolsResult{Path: "a.go"}); got != "No symbols in a.go\n" {
		t.Errorf("nothing: %q", got)
	}
}

// Lines of reports nobody wrote: never far over their budget, never without the counts and the
// notes, every line in one piece.
func TestReportBudgets(t *testing.T) {
	count := counter(t)
	rng := rand.New(rand.NewSource(1))
	words := strings.Fields("undefined: x cannot use value of type string as int in argument größe \x1b[31m tab\there 日本語 %d :: ")
	text := func(most int) string {
		var b strings.Builder
		for range rng.Intn(most) + 1 {
			b.WriteString(words[rng.Intn(len(words))] + []string{" ", " ", " ", "\n", "\r\n"}[rng.Intn(5)])
		}
		return b.String()
	}
	for range 30 {
		n := []int{0, 1, 3, 40, 400}[rng.Intn(5)]
		budget := []int{200, 600, 1500}[rng.Intn(3)]
		var ds []report.Diagnostic
		var fs []report.Failure
		for i := range n {
			d := report.Diagnostic{File: fmt.Sprintf("some/folder%d/file%d.go", i%5, i%17), Line: i + 1, Col: rng.Intn(80), Source: "go",
				Severity: []string{report.Error, report.Warning, report.Info}[rng.Intn(3)], Message: text(30), Help: text(10)}
			d.Related = []report.Related{{File: "b.go", Line: 3, Message: text(5)}}
			ds = append(ds, d)
			f := report.Failure{Name: fmt.Sprintf("TestX/case_%d", i), Suite: "example.com/p", Kind: []string{report.Failed, report.Panic, report.Broken}[rng.Intn(3)],
				File: d.File, Line: d.Line, Message: text(30), Expected: text(4), Got: text(4), Output: strings.Split(text(60), "\n")}
			fs = append(fs, f)
		}
		notes := []string{"node_modules is missing: run npm install"}
		for _, v := range []any{
			&report.Check{What: "the project", Diagnostics: ds, Files: 3, Notes: notes, Budget: budget},
			&report.Build{What: "app", Diagnostics: ds, Notes: notes, Budget: budget},
			&report.Test{What: "the project", Failures: fs, Failed: n, Passed: 7, Suites: 2, Notes: notes, Budget: budget},
		} {
			out := printed(t, v, "lines")
			if used := count(out); used > budget+budget/5 {
				t.Errorf("%T of %d: %d tokens of %d:\n%s", v, n, used, budget, out)
			}
			if !strings.Contains(out, notes[0]) {
				t.Errorf("%T of %d: no note:\n%s", v, n, out)
			}
			if strings.ContainsAny(out, "\r\x1b") {
				t.Errorf("%T of %d: control characters: %q", v, n, out)
			}
			for i, form := range []string{"github", "sarif", "json", "table"} {
				if got := printed(t, v, form); i == 0 && strings.Count(got, "\n::") > n {
					t.Errorf("%T of %d: more annotations than findings:\n%s", v, n, got)
				}
			}
			switch v := v.(type) { // without a budget everything is there
			case *report.Check:
				v.Budget = 0
			case *report.Build:
				v.Budget = 0
			case *report.Test:
				v.Budget = 0
			}
			out = printed(t, v, "lines")
			for i := range n {
				if !strings.Contains(out, fmt.Sprintf("file%d.go:%d", i%17, i+1)) {
					t.Fatalf("%T of %d: number %d is missing:\n%s", v, n, i, out)
				}
			}
		}
	}
}

// A type or a definition costs its reader little.
func TestLookTokens(t *testing.T) {
	count := counter(t)
	var costs []int
	for _, file := range []string{"type", "def"} {
		ar, err := txtar.ParseFile("testdata/reports/" + file + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if path.Base(f.Name) == "lines" {
				costs = append(costs, count(string(f.Data)))
			}
		}
	}
	slices.Sort(costs)
	if len(costs) < 15 || costs[len(costs)/2] >= 60 {
		t.Errorf("the median of %v", costs)
	}
}
