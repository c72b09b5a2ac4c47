package format_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/settgraph/sett/format"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/graphtest"
	"github.com/settgraph/sett/query"
)

// Each question has a golden file of cases: a line "> form {arguments}" and what is
// printed. UPDATE=1 rewrites what is printed.
func TestGolden(t *testing.T) {
	g := snapshot(t)
	for _, spec := range query.All() {
		t.Run(spec.Verb, func(t *testing.T) {
			file := filepath.Join("testdata", spec.Verb+".golden")
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			forms := map[string]bool{}
			var got strings.Builder
			for line := range strings.Lines(string(want)) {
				if !strings.HasPrefix(line, "> ") {
					continue
				}
				got.WriteString(line)
				form, args, _ := strings.Cut(strings.TrimSpace(line[2:]), " ")
				forms[form] = true
				got.WriteString(ask(t, g, spec, form, args))
			}
			for _, form := range []string{"lines", "json", "table"} {
				if !forms[form] {
					t.Errorf("%s has no case for %s", file, form)
				}
			}
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != string(want) {
				t.Errorf("%s differs; got:\n%s", file, got.String())
			}
		})
	}
}

func snapshot(t *testing.T) *graph.Snapshot {
	t.Helper()
	text, err := os.ReadFile("testdata/graph.txt")
	if err != nil {
		t.Fatal(err)
	}
	return graphtest.Snapshot(t, string(text))
}

// ask answers in a form; an error is printed as the asker sees it.
func ask(t *testing.T, g *graph.Snapshot, spec query.Spec, form, args string) string {
	t.Helper()
	a := spec.NewArgs()
	if err := json.Unmarshal([]byte(args), a); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	if form == "json" {
		a.(query.Shaper).SetFull()
	}
	res, err := spec.Run(context.Background(), g, a)
	if err != nil {
		return "! " + format.Error(err) + "\n"
	}
	if s, ok := res.(*query.SourceResult); ok {
		err := s.Fill(func(string) ([]byte, error) { return []byte(source), nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	switch form {
	case "lines":
		err = format.Lines(&b, res, format.Style{})
	case "color":
		err = format.Lines(&b, res, format.Style{Color: true})
	case "json":
		err = format.JSON(&b, res)
	case "table":
		err = format.Table(&b, res, format.Style{})
	case "dot":
		err = format.Dot(&b, res)
	case "mermaid":
		err = format.Mermaid(&b, res)
	default:
		t.Fatalf("no form %q", form)
	}
	if err != nil {
		return "! " + err.Error() + "\n"
	}
	return b.String()
}

// source is a file in which every line has 100 bytes, as the notation says, so that
// offsets fit.
var source = func() string {
	var b strings.Builder
	for i := range 120 {
		fmt.Fprintf(&b, "%-98s\n", fmt.Sprintf("line %d", i))
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String(), "\n\n", " \n")
}()

func TestNoForm(t *testing.T) {
	var b bytes.Buffer
	for _, print := range []func() error{
		func() error { return format.Lines(&b, 1, format.Style{}) },
		func() error { return format.JSON(&b, nil) },
		func() error { return format.Table(&b, "x", format.Style{}) },
		func() error { return format.Dot(&b, &query.StatsResult{}) },
		func() error { return format.Mermaid(&b, &query.FindResult{}) },
	} {
		if err := print(); !errors.Is(err, format.ErrForm) {
			t.Errorf("got %v, want ErrForm", err)
		}
	}
	if b.Len() > 0 {
		t.Errorf("printed %q", b.String())
	}
}

// Answers without anything in them print too.
func TestEmptyGraph(t *testing.T) {
	g := graphtest.Snapshot(t, "")
	for _, spec := range query.All() {
		for _, form := range []string{"lines", "json", "table"} {
			out := ask(t, g, spec, form, `{"symbol":"X","from":"X","to":"Y"}`)
			if strings.TrimSpace(out) == "" || strings.Contains(out, "null") {
				t.Errorf("%s %s: %q", spec.Verb, form, out)
			}
		}
	}
}

func counter(t *testing.T) func(string) int {
	t.Helper()
	enc, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	return func(s string) int {
		ids, _, err := enc.Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		return len(ids)
	}
}

// No answer takes more than its budget and a tenth, as long as the budget leaves room
// for the first and last lines.
func TestBudget(t *testing.T) {
	count := counter(t)
	cases := 0
	for seed := range int64(6) {
		g := random(t, seed)
		for _, spec := range query.All() {
			for _, budget := range []int{250, 600, 1500} {
				args := fmt.Sprintf(`{"symbol":"%s","from":"pkg0.Func0","to":"pkg1.Func1","budget":%d}`, map[bool]string{true: "Func*", false: "pkg0.Func0"}[spec.Verb == "find"], budget)
				for _, extra := range []string{``, `,"by":"function","depth":6,"exported":true,"fields":true,"all":true,"level":"declaration","any":true`} {
					out := ask(t, g, spec, "lines", args[:len(args)-1]+extra+"}")
					if spec.Verb == "source" {
						continue // its text is not of this graph
					}
					cases++
					if n := count(out); n > budget+budget/10 {
						t.Errorf("seed %d, %s %s%s: %d tokens\n%s", seed, spec.Verb, args, extra, n, out)
					}
				}
			}
		}
	}
	if cases < 300 {
		t.Errorf("only %d cases", cases)
	}
}

// The estimate of tokens is within 15 % over all goldens, and never far off for one.
func TestTokens(t *testing.T) {
	count := counter(t)
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) < 11 {
		t.Fatalf("%d goldens, %v", len(files), err)
	}
	real, estimated := 0, 0
	check := func(name, text string) {
		n, e := count(text), format.Tokens(text)
		real += n
		estimated += e
		if n > 60 && (e < n*3/4 || e > n*4/3) {
			t.Errorf("%s: estimated %d, really %d", name, e, n)
		}
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range strings.Split(string(text), "> ") {
			if strings.HasPrefix(c, "lines ") {
				check(f, c)
			}
		}
	}
	if estimated < real*85/100 || estimated > real*115/100 {
		t.Errorf("estimated %d, really %d", estimated, real)
	}
	if n := format.Tokens(""); n != 0 {
		t.Errorf("nothing costs %d", n)
	}
}

// random makes a graph of some hundred declarations with thousands of uses.
func random(t *testing.T, seed int64) *graph.Snapshot {
	rng := rand.New(rand.NewSource(seed))
	const packages, funcs = 6, 40
	var b strings.Builder
	for p := range packages {
		for _, test := range []string{"", " test"} {
			name := fmt.Sprintf("internal/some/pkg%d/file%s.go", p, strings.ReplaceAll(test, " ", "_"))
			fmt.Fprintf(&b, "%s%s\n", name, test)
			for f := range funcs {
				if test != "" {
					fmt.Fprintf(&b, "  function TestFunc%d %d-%d entry\n", f, f*10+1, f*10+9)
				} else {
					fmt.Fprintf(&b, "  function Func%d %d-%d exported : func Func%d(ctx context.Context, name string) (int, error) // Func%d does.\n", f, f*10+1, f*10+9, f, f)
				}
				for range rng.Intn(12) {
					to := rng.Intn(funcs)
					if rng.Intn(3) == 0 {
						to = 0
					}
					from := "Func"
					if test != "" {
						from = "TestFunc"
					}
					fmt.Fprintf(&b, "  %s%d %s internal/some/pkg%d#Func%d %d:%d\n", from, f, []string{"calls", "calls", "refs"}[rng.Intn(3)], rng.Intn(packages), to, f*10+1+rng.Intn(8), rng.Intn(80)+1)
				}
			}
		}
	}
	return graphtest.Snapshot(t, b.String())
}

// A symbol that is used five thousand times gives a short answer, and pages that
// together hold every line once.
func TestManySites(t *testing.T) {
	var b strings.Builder
	b.WriteString("a/a.go\n  function F 1-2 exported\n")
	for f := range 50 {
		fmt.Fprintf(&b, "a/some/longer/folder%d/file%d.go\n", f%7, f)
		for i := range 100 {
			fmt.Fprintf(&b, "  . calls a#F %d:%d\n", i*9+1, f%30+1)
		}
	}
	g := graphtest.Snapshot(t, b.String())
	spec, _ := query.ByVerb("refs")
	first := ask(t, g, spec, "lines", `{"symbol":"F"}`)
	if !strings.HasPrefix(first, "F function a/a.go:1 · 5000 refs in 50 files\n") || !strings.HasSuffix(first, "lines: --more f0, or --path DIR\n") {
		t.Errorf("got:\n%s", first)
	}
	lines, pages := 0, 0
	for more := "f0"; more != ""; pages++ {
		page := ask(t, g, spec, "lines", `{"symbol":"F","more":"`+more+`"}`)
		_, body, _ := strings.Cut(page, "\n")
		more = ""
		for line := range strings.Lines(body) {
			if _, rest, ok := strings.Cut(line, "--more "); ok {
				more, _, _ = strings.Cut(rest, ",")
			} else {
				lines += strings.Count(line, ",") + 1
			}
		}
		if pages > 60 {
			t.Fatal("the cursor does not come to an end")
		}
	}
	if lines != 5000 {
		t.Errorf("%d lines on %d pages", lines, pages)
	}
}
