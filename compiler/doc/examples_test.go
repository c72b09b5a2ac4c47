package doc_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/compilertest"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/doc"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// example is a program in a page, and what the blocks after it say that it does. The words
// after "pluto" say what kind of program it is:
//
//	test     its tests are run
//	exit N   it ends with this code
//	wrong    it is refused; a comment // P0407: words at the end of a line says what is
//	         reported for that line, and nothing else is (in TOML # P1222: words)
//
// A program of several files has "-- name --" before each.
type example struct {
	name           string
	text           string
	test, wrong    bool
	exit           int
	stdout, stderr *string
}

// examples finds the programs of a page.
func examples(t *testing.T, page, text string) []example {
	t.Helper()
	var out []example
	var info string
	var block []string
	last := -2 // the line that the block before ended on
	for i, line := range strings.Split(text, "\n") {
		switch {
		case block == nil && strings.HasPrefix(line, "```"):
			info, block = strings.TrimPrefix(line, "```"), []string{}
			if (info == "output" || info == "stderr") && (i != last+1 || len(out) == 0) {
				t.Errorf("%s:%d: of what is this the output?", page, i+1)
			}
		case block != nil && line == "```":
			body := strings.Join(block, "\n") + "\n"
			words := strings.Fields(info)
			switch {
			case info == "output":
				out[len(out)-1].stdout = &body
			case info == "stderr":
				out[len(out)-1].stderr = &body
			case len(words) > 0 && words[0] == "pluto":
				e := example{name: fmt.Sprintf("%s:%d", page, i-len(block)+1), text: body, test: slices.Contains(words, "test"), wrong: slices.Contains(words, "wrong")}
				if at := slices.Index(words, "exit"); at > 0 {
					fmt.Sscan(words[at+1], &e.exit)
				}
				out = append(out, e)
			}
			block, last = nil, i
		case block != nil:
			block = append(block, line)
		}
	}
	return out
}

func (e example) files() map[string]string {
	if !strings.HasPrefix(e.text, "-- ") {
		return map[string]string{"main.pluto": e.text}
	}
	out := map[string]string{}
	for _, f := range txtar.Parse([]byte(e.text)).Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// TestExamples compiles every program of the pages and runs those that are right.
func TestExamples(t *testing.T) {
	var cases []compilertest.Case
	wrong := 0
	all := pages(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, e := range examples(t, name, all[name]) {
			if e.wrong {
				wrong++
				t.Run(e.name, func(t *testing.T) { refused(t, e) })
				continue
			}
			c := compilertest.Case{Name: e.name, Files: e.files(), Test: e.test, Stdout: e.stdout, Exit: e.exit, Warnings: []string{}}
			if e.stderr != nil {
				c.Stderr = strings.Split(strings.TrimSpace(*e.stderr), "\n")
			}
			cases = append(cases, c)
		}
	}
	if len(cases) < 70 || wrong < 40 {
		t.Fatalf("found %d programs and %d wrong ones", len(cases), wrong)
	}
	compilertest.Run(t, cases)
}

// pages are all pages that hold programs.
func pages(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, name := range []string{"tour.md", "stdlib.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "pluto", name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(text)
	}
	for _, topic := range doc.Topics() {
		out[topic.Name+".md"] = topic.Text
	}
	return out
}

// claim is a comment that says what is wrong with its line.
var claim = regexp.MustCompile(`(?://|#) (P\d{4}(?:, P\d{4})*)(?:: (.*))?$`)

// refused demands that exactly what the comments say is reported.
func refused(t *testing.T, e example) {
	dir := t.TempDir()
	var want, got []string
	says := map[string]string{}
	warnings := strings.Contains(e.text, "// P15")
	for name, text := range e.files() {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(text, "\n") {
			if m := claim.FindStringSubmatch(line); m != nil {
				for _, code := range strings.Split(m[1], ", ") {
					key := fmt.Sprintf("%s:%d %s", name, i+1, code)
					want = append(want, key)
					says[key] = m[2]
				}
			}
		}
	}
	test := strings.Contains(e.text, "\ntest \"") || strings.HasPrefix(e.text, "test")
	prog := check.Check(load.Load(filepath.Join(dir, "main.pluto"), load.Options{Base: dir, Test: test}))
	for _, d := range prog.Diags.Sorted() {
		if d.Severity != diag.Error && !warnings {
			continue
		}
		key := fmt.Sprintf("%s:%d %s", d.File.Name, d.File.Line(d.Span.Start), d.Code)
		got = append(got, key)
		if !strings.Contains(d.Message, says[key]) {
			t.Errorf("%s: it says %q, not %q", key, d.Message, says[key])
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" || len(want) == 0 {
		t.Errorf("reported otherwise than claimed: %s", diff)
	}
}

// TestLaidOut demands that the programs of the reference look as sett fmt makes them look.
func TestLaidOut(t *testing.T) {
	for _, topic := range doc.Topics() {
		for _, e := range examples(t, topic.Name+".md", topic.Text) {
			for name, text := range e.files() {
				if filepath.Ext(name) != ".pluto" || e.wrong {
					continue
				}
				list := &diag.List{}
				if got := syntax.Format(syntax.Parse(source.NewFile(name, name, text), list)); got != text {
					t.Errorf("%s %s: %s", e.name, name, cmp.Diff(got, text))
				}
			}
		}
	}
}
