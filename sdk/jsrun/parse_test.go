package jsrun

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/settgraph/sett/query/report"
	"golang.org/x/tools/txtar"
)

// testdata/build.txtar has what build tools printed for a project of ours, and after each log
// what is found in it.
func TestFindings(t *testing.T) {
	file := filepath.Join("testdata", "build.txtar")
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var logs []txtar.File
	want := map[string]string{}
	for _, f := range a.Files {
		if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
			want[name] = string(f.Data)
		} else {
			logs = append(logs, f)
		}
	}
	if len(logs) < 10 {
		t.Fatalf("only %d logs", len(logs))
	}
	var out []txtar.File
	for _, f := range logs {
		var got strings.Builder
		for _, d := range findings(localizer("/project", "/project", "/project"), string(f.Data)) {
			fmt.Fprintf(&got, "%s:%d:%d %s %s %s %q\n", d.File, d.Line, d.Col, d.Severity, d.Source, d.Code, d.Message)
		}
		out = append(out, f, txtar.File{Name: f.Name + ".want", Data: []byte(got.String())})
		if os.Getenv("UPDATE") != "1" {
			if diff := cmp.Diff(want[f.Name], got.String()); diff != "" {
				t.Errorf("%s (-want +got)\n%s", f.Name, diff)
			}
		}
	}
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, txtar.Format(&txtar.Archive{Comment: a.Comment, Files: out}), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzFindings(f *testing.F) {
	a, err := txtar.ParseFile(filepath.Join("testdata", "build.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range a.Files {
		f.Add(string(file.Data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range findings(localizer("/project", "/project", "/project"), text) {
			if d.Message == "" || d.Line < 0 {
				t.Errorf("%+v", d)
			}
		}
		p, _ := thrown(text)
		p.values()
		newRun("/project", "").place(p)
	})
}

func TestTAP(t *testing.T) {
	const log = `> test
> some-runner

TAP version 13
# a group
ok 1 - adds
not ok 2 - adds wrongly
  ---
    operator: equal
    expected: 4
    actual:   3
    at: Test.<anonymous> (/project/test/a.js:5:7)
    stack: |-
      Error: should be equal
          at Test.assert (/project/node_modules/x/index.js:1:1)
          at Test.<anonymous> (/project/test/a.js:5:7)
  ...
ok 3 - later # SKIP no network
not ok 4 - some day # TODO
ok 5 # not a note
1..5
`
	var tap tapReader
	for line := range strings.Lines(log) {
		tap.line(strings.TrimSuffix(line, "\n"))
	}
	if !tap.seen() {
		t.Fatal("it is not taken for TAP")
	}
	res := &report.Test{}
	tap.into(res, newRun("/project", ""), ".")
	want := &report.Test{
		Passed: 2, Failed: 1, Skipped: 2, Suites: 1,
		Failures: []report.Failure{{Name: "adds wrongly", Suite: ".", Kind: report.Failed, File: "test/a.js", Line: 5, Col: 7, Expected: "4", Got: "3", Message: res.Failures[0].Message}},
		Skips:    []report.Skip{{Name: "later", Suite: "."}, {Name: "some day", Suite: "."}},
	}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var plain tapReader
	plain.line("ok then, let us go")
	if plain.seen() {
		t.Error("a word is taken for TAP")
	}
}

func FuzzTAP(f *testing.F) {
	f.Add("TAP version 13\nnot ok 1 - x\n  ---\n  message: |-\n    at /a.js:1:2\n  ...\nok 2 # SKIP\n1..2\nBail out!")
	f.Fuzz(func(t *testing.T, text string) {
		var tap tapReader
		for line := range strings.Lines(text) {
			tap.line(line)
		}
		res := &report.Test{}
		tap.into(res, newRun("/project", ""), ".")
		if res.Failed < len(res.Failures) {
			t.Errorf("%+v", res)
		}
	})
}

func TestScripts(t *testing.T) {
	for _, tt := range []struct{ script, runner string }{
		{"vitest", "vitest"},
		{"tsc --noEmit && vitest run --coverage", "vitest"},
		{"cross-env NODE_OPTIONS=--x jest --ci", "jest"},
		{"NODE_ENV=test node_modules/.bin/mocha -r x test/*.js", "mocha"},
		{"node ./node_modules/jest/bin/jest.js", "jest"},
		{"c8 --all node --test --import tsx 'test/**/*.ts'", nodeTest},
		{"tsx --test src/*.test.ts", nodeTest},
		{"react-scripts test", "jest"},
		{"npm run lint && npm run inner", "vitest"},
		{"run-s lint inner", "vitest"},
		{"concurrently \"npm:lint\" \"mocha x\"", "mocha"},
		{"ava", "ava"},
		{"bun test", "bun"},
		{"node test.js", ""},
		{"echo \"Error: no test specified\" && exit 1", "vitest"},
		{"npm run test", ""},
	} {
		p := &Package{Scripts: texts{"test": tt.script, "inner": "vitest run", "lint": "eslint ."}, deps: map[string]bool{"vitest": true}}
		if got := runnerOf(p); got != tt.runner {
			t.Errorf("%s: %q, want %q", tt.script, got, tt.runner)
		}
	}
}

func TestEditNodeTest(t *testing.T) {
	flags, files := []string{"--test-name-pattern=it's"}, []string{"/p/a b.js"}
	for _, tt := range []struct {
		script string
		files  bool
		want   string
	}{
		{"node --test", false, `node --test '--test-name-pattern=it'\''s'`},
		{"node --test && echo done", true, `node --test '--test-name-pattern=it'\''s' '/p/a b.js' && echo done`},
		{"tsc; node --import tsx --test --require x 'test/**/*.js' other -r y", true, `tsc; node --import tsx --test '--test-name-pattern=it'\''s' --require x -r y '/p/a b.js'`},
		{"node --tests x", true, "node --tests x"},
	} {
		some := files
		if !tt.files {
			some = nil
		}
		if got := editNodeTest(tt.script, flags, some); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.script, got, tt.want)
		}
	}
}

func FuzzScripts(f *testing.F) {
	f.Add("a && b 'c d' \"e\\\"\" ; node --test x | y")
	f.Fuzz(func(t *testing.T, text string) {
		commands(text)
		editNodeTest(text, []string{"--x"}, []string{"f"})
		p := &Package{Scripts: texts{"test": text, "a": text}}
		runnerOf(p)
		p.holder("test", setsOptions)
	})
}

func TestSaid(t *testing.T) {
	const text = "npm warn Unknown user config \"x\".\n\n> a@1.0.0 test\n> pnpm -r test\n\nsh: 1: pnpm: not found\n> one quote\nnpm notice\n"
	if got := strings.Join(said([]byte(text), 40), "\n"); got != "sh: 1: pnpm: not found\n> one quote" {
		t.Errorf("%q", got)
	}
	m := Manager{Name: "pnpm", Why: "pnpm-lock.yaml", Command: []string{"npm"}, Missing: true}
	for code, want := range map[int]string{0: "were run with npm", notFound: "npm install --global pnpm"} {
		if got := m.note([]report.Step{{Code: code}}); !strings.Contains(got, want) {
			t.Errorf("exit code %d: %q", code, got)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, tt := range []struct {
		name, fits string
		want       bool
	}{
		{"adds", "math adds", true},
		{"adds (once)", "math adds (once)", true},
		{"^adds$", "math adds", false},
		{"a.b[0] > c", "a.b[0] c", true},
		{"one|two", "a two", true},
		{"really? yes", "really? yes", true},
	} {
		if got := regexp.MustCompile(pattern(spaced(tt.name))).MatchString(tt.fits); got != tt.want {
			t.Errorf("%q fits %q: %v", tt.name, tt.fits, got)
		}
	}
}
