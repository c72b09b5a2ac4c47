package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/settgraph/sett/query"
)

// run runs one command line.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(t.Context(), args, strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), code
}

// project writes a small project and returns its folder.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/p\n\ngo 1.21\n",
		"main.go": "package main\n\nfunc main() { help() }\n\nfunc help() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestManual compares the manual with its golden.
func TestManual(t *testing.T) {
	out, _, code := run(t, "help", "--markdown")
	if code != 0 {
		t.Fatalf("exit %d", code)
	}
	golden := filepath.Join("testdata", "manual.md")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out != string(want) {
		t.Errorf("%s is stale; UPDATE=1 rewrites it", golden)
	}
	for _, spec := range query.All() {
		if !strings.Contains(out, "### sett "+spec.Verb+"\n") || !strings.Contains(out, "`"+spec.Tool+"`") {
			t.Errorf("the manual does not tell of %s", spec.Verb)
		}
	}
}

// TestExamples runs the command line of every example far enough to see that its flags
// and positionals exist.
func TestExamples(t *testing.T) {
	n := 0
	for _, spec := range query.All() {
		if len(spec.Example) == 0 {
			t.Errorf("%s has no example", spec.Verb)
		}
		for _, example := range spec.Example {
			words := strings.Fields(strings.ReplaceAll(example, "'", ""))
			if len(words) < 2 || words[0] != "sett" || words[1] != spec.Verb {
				t.Errorf("%s: example %q", spec.Verb, example)
				continue
			}
			n++
			_, stderr, code := run(t, append(words[1:], "-C", filepath.Join(t.TempDir(), "nowhere"))...)
			if code != exitMisuse || !strings.HasPrefix(stderr, "invalid_argument: there is no folder") {
				t.Errorf("%s: exit %d, %s", example, code, stderr)
			}
		}
	}
	if n < 11 {
		t.Errorf("%d examples", n)
	}
}

func TestMisuse(t *testing.T) {
	tests := []struct {
		args string
		want string
	}{
		{"fnd", `no command "fnd"; did you mean find, fmt, undo?`},
		{"find", `which symbol?`},
		{"find A B", `unexpected argument "B"`},
		{"find A --limit x", `limit: want an integer, got "x"`},
		{"find A --limt 3", `unknown flag: --limt`},
		{"find A --format xml", `no format "xml"; one of lines, json, table, dot, mermaid, sarif, github`},
		{"find A --color blue", `no color "blue"`},
		{"refs A --by zzz", `by: no value "zzz"; one of line, function`},
		{"index a b", `unexpected argument "b"`},
		{"index --check --force", `--check and --force exclude each other`},
		{"index --format dot", `the report has no form dot`},
		{"index --workers -1", `--workers wants`},
		{"version x", `unexpected argument "x"`},
		{"debug zzz", `no view "zzz"`},
		{"mcp --transport pigeon", `no transport "pigeon"`},
		{"mcp --toolset graf", `no toolset "graf"; one of graph, more, edit, build, pluto, modules, cot, all`},
		{"mcp --transport http --listen 0.0.0.0:1", `not a loopback address`},
		{"help zzz", `no command "zzz"`},
		{"find A -C /nowhere/at/all", `there is no folder /nowhere/at/all`},
	}
	for _, tt := range tests {
		out, stderr, code := run(t, strings.Fields(tt.args)...)
		if code != exitMisuse || !strings.Contains(stderr, tt.want) || out != "" {
			t.Errorf("%s: exit %d, stderr %q, stdout %q; want %q", tt.args, code, stderr, out, tt.want)
		}
	}
}

// TestForms sees to it that every question answers in every form it has, and says so
// where it has none.
func TestForms(t *testing.T) {
	dir := project(t)
	for _, spec := range query.All() {
		args := []string{spec.Verb, "-C", dir}
		switch spec.Verb {
		case "find", "refs", "impact", "callgraph", "context", "source", "type", "def":
			args = append(args, "main")
		case "path":
			args = append(args, "main", "help")
		case "symbols":
			args = append(args, "main.go")
		}
		for _, form := range []string{"lines", "json", "table", "dot", "mermaid"} {
			out, stderr, code := run(t, append(args, "--format", form)...)
			switch {
			case code == exitMisuse && (form == "dot" || form == "mermaid") && strings.HasPrefix(stderr, "invalid_argument: "):
			case code != exitFound && code != exitNothing || out == "" || !strings.HasSuffix(out, "\n"):
				t.Errorf("%s --format %s: exit %d, %s%s", spec.Verb, form, code, stderr, out)
			case form == "json" && !json.Valid([]byte(out)):
				t.Errorf("%s: not JSON: %s", spec.Verb, out)
			}
		}
	}
}

func TestColor(t *testing.T) {
	dir := project(t)
	plain, _, _ := run(t, "refs", "help", "-C", dir)
	if strings.Contains(plain, "\x1b") {
		t.Errorf("colours although nobody sees them: %q", plain)
	}
	if out, _, _ := run(t, "refs", "help", "-C", dir, "--color", "always"); !strings.Contains(out, "\x1b[") {
		t.Errorf("no colours: %q", out)
	}
}

// TestCompletion completes verbs, kinds and enums.
func TestCompletion(t *testing.T) {
	for args, want := range map[string]string{
		"__complete fin":                     "find",
		"__complete find X --kind fun":       "function",
		"__complete callgraph X --direction": "--direction",
		"__complete refs X --by ":            "function",
	} {
		words := strings.Split(args, " ")
		out, _, code := run(t, words...)
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, %s", args, code, out)
		}
	}
}

// TestInterrupted cancels a run before it begins.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := Main(ctx, []string{"index", "-C", project(t)}, strings.NewReader(""), &out, &errs)
	if code != exitInterrupted || !strings.Contains(errs.String(), "interrupted") {
		t.Errorf("exit %d, %s", code, errs.String())
	}
}

// broken is a pipe whose reader went away.
type broken struct{}

func (broken) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

func TestBrokenPipe(t *testing.T) {
	var errs bytes.Buffer
	if code := Main(t.Context(), []string{"find", "main", "-C", project(t)}, nil, broken{}, &errs); code != 0 {
		t.Errorf("exit %d", code)
	}
	if strings.Contains(errs.String(), "pipe") {
		t.Errorf("complains: %s", errs.String())
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestFault(t *testing.T) {
	var errs bytes.Buffer
	code := Main(t.Context(), []string{"find", "main", "-C", project(t)}, nil, full{}, &errs)
	if code != exitFault || !strings.Contains(errs.String(), "sett: writing the answer: no space left on device") {
		t.Errorf("exit %d, %s", code, errs.String())
	}
	var none io.Reader // a panic of ours: the server reads from nothing
	errs.Reset()
	if code := Main(t.Context(), []string{"version"}, none, panics{}, &errs); code != exitFault || !strings.Contains(errs.String(), "sett: internal error: boom") || strings.Contains(errs.String(), "goroutine") {
		t.Errorf("exit %d, %s", code, errs.String())
	}
}

type panics struct{}

func (panics) Write([]byte) (int, error) { panic("boom") }

// TestReadOnlyVerbs sees to it that questions change nothing but the folder .sett.
func TestReadOnlyVerbs(t *testing.T) {
	dir := project(t)
	before := listing(t, dir)
	for _, args := range []string{"find main", "stats", "circular", "deadcode", "index", "index --check", "debug check", "debug store", "debug graph", "debug unit"} {
		if out, stderr, code := run(t, append(strings.Fields(args), "-C", dir)...); code > exitNothing {
			t.Errorf("%s: exit %d %s%s", args, code, stderr, out)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == ".sett" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(e.Name() + ": " + string(data) + "\n")
	}
	return b.String()
}
