package plutorun_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/plutorun"
)

// TestScenarios runs what the first lines of each archive say, one call a line, in a folder
// with its files, and compares the results with the section "want". UPDATE=1 rewrites the
// sections.
//
//	test [filter=RE] [each=DURATION] [total=DURATION] [name=FILE:NAME] [over=FILE] TARGET...
//	build [target=SYSTEM] [output=FILE] TARGET...
//
// over=FILE lays the section "over:FILE" over a file.
func TestScenarios(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d scenarios, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { scenario(t, path) })
	}
}

func scenario(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	over := map[string][]byte{}
	want, at := "", -1
	for i, f := range a.Files {
		if f.Name == "want" {
			want, at = string(f.Data), i
			continue
		}
		if name, ok := strings.CutPrefix(f.Name, "over:"); ok {
			over[filepath.Join(root, name)] = f.Data
			continue
		}
		write(t, filepath.Join(root, filepath.FromSlash(f.Name)), f.Data)
	}
	var got strings.Builder
	for line := range strings.Lines(string(a.Comment)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fmt.Fprintf(&got, "> %s\n%s", line, call(t, root, over, strings.Fields(line)))
	}
	if os.Getenv("UPDATE") != "" {
		if at < 0 {
			at = len(a.Files)
			a.Files = append(a.Files, txtar.File{Name: "want"})
		}
		a.Files[at].Data = []byte(got.String())
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func call(t *testing.T, root string, over map[string][]byte, words []string) string {
	t.Helper()
	o := plutorun.Options{Root: root, NoCache: true}
	for _, word := range words[1:] {
		key, value, ok := strings.Cut(word, "=")
		var err error
		switch {
		case !ok:
			o.Targets = append(o.Targets, word)
		case key == "filter":
			o.Filter = regexp.MustCompile(value)
		case key == "each":
			o.PerTest, err = time.ParseDuration(value)
		case key == "total":
			o.Timeout, err = time.ParseDuration(value)
		case key == "name":
			file, name, _ := strings.Cut(value, ":")
			if o.Names == nil {
				o.Names = map[string][]string{}
			}
			o.Names[file] = append(o.Names[file], strings.ReplaceAll(name, "_", " "))
		case key == "over":
			at := filepath.Join(root, value)
			o.Layer = load.NewLayer(map[string][]byte{at: over[at]})
		case key == "target":
			o.Target = value
		case key == "output":
			o.Output = value
		default:
			t.Fatalf("%q", word)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if words[0] == "build" {
		r, err := plutorun.Build(t.Context(), o)
		if err != nil {
			return "error: " + strings.ReplaceAll(err.Error(), root, "ROOT") + "\n"
		}
		return built(t, root, r)
	}
	r, err := plutorun.Test(t.Context(), o)
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), root, "ROOT") + "\n"
	}
	return tested(r)
}

func tested(r *report.Test) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ok %v, %s: %d passed, %d failed, %d skipped, %d not run, %d broken of %d suites\n",
		r.OK, r.What, r.Passed, r.Failed, r.Skipped, r.NotRun, r.Broken, r.Suites)
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "%s %q in %s at %s:%d:%d\n", f.Kind, f.Name, f.Suite, f.File, f.Line, f.Col)
		if f.Expected+f.Got != "" {
			fmt.Fprintf(&b, "  expected %s, got %s\n", f.Expected, f.Got)
		}
		for line := range strings.Lines(f.Message) {
			fmt.Fprintf(&b, "  | %s\n", strings.TrimSuffix(line, "\n"))
		}
		for _, line := range f.Output {
			fmt.Fprintf(&b, "  > %s\n", line)
		}
	}
	steps(&b, r.Steps)
	for _, n := range r.Notes {
		b.WriteString("note: " + n + "\n")
	}
	return b.String()
}

func steps(b *strings.Builder, list []report.Step) {
	for _, s := range list {
		fmt.Fprintf(b, "step %s in %s: %s -> %d", s.Tool, s.Dir, s.Command, s.Code)
		if s.TimedOut {
			b.WriteString(" (time was up)")
		}
		b.WriteString("\n")
	}
}

func built(t *testing.T, root string, r *report.Build) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ok %v, %s\n", r.OK, r.What)
	for _, a := range r.Artifacts {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(a.Path)))
		if err != nil || info.Size() != a.Bytes || info.Mode()&0o111 == 0 {
			t.Errorf("%s: %v", a.Path, err)
		}
		target := a.Target
		if target == thisSystem {
			target = "this system"
		}
		fmt.Fprintf(&b, "made %s for %s\n", a.Path, target)
	}
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&b, "%s:%d:%d-%d:%d: %s %s %s %s", d.File, d.Line, d.Col, d.EndLine, d.EndCol, d.Source, d.Severity, d.Code, d.Message)
		if d.Help != "" {
			b.WriteString(" (" + d.Help + ")")
		}
		b.WriteString("\n")
	}
	steps(&b, r.Steps)
	for _, n := range r.Notes {
		b.WriteString("note: " + n + "\n")
	}
	return b.String()
}

// The log has what every test printed, and stays where the step says.
func TestLog(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a.pluto"), []byte("test \"speaks\" {\n    print(\"a word\")\n}\n\ntest \"fails\" {\n    print(\"another\")\n    assert 1 == 2\n}\n"))
	var events []report.Event
	r, err := plutorun.Test(t.Context(), plutorun.Options{Root: root, Progress: func(e report.Event) { events = append(events, e) }})
	if err != nil || len(r.Steps) != 1 {
		t.Fatalf("%v, %+v", err, r)
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(r.Steps[0].Log)))
	if err != nil || int64(len(text)) != r.Steps[0].Bytes {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for _, want := range []string{"a word", "another", "assertion failed: 1 == 2", "speaks"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the log lacks %q:\n%s", want, text)
		}
	}
	if len(events) != 1 || events[0].Phase != "testing a.pluto" || events[0].Total != 1 {
		t.Errorf("%+v", events)
	}
}

// What passed before and cannot fail now is not run again, and counts.
func TestCached(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "a.pluto")
	write(t, file, []byte("test \"adds\" {\n    expect(1 + 1).to_equal(2)\n}\n"))
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PLUTO_CACHE_DIR", t.TempDir())
	for i := range 2 {
		r, err := plutorun.Test(t.Context(), plutorun.Options{Root: root})
		if err != nil || r.Passed != 1 || r.Cached != i || !r.OK {
			t.Errorf("run %d: %v, %+v", i, err, r)
		}
	}
}

// A run that nobody waits for any more ends, and says so.
func TestCanceled(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a.pluto"), []byte("test \"hangs\" {\n    let mut n = 0\n    while true {\n        n = n + 1\n    }\n}\n"))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(4*time.Second, cancel) // maybe while it is built: both must end
	r, err := plutorun.Test(ctx, plutorun.Options{Root: root})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err == nil && (r.OK || len(r.Steps) != 1 || !r.Steps[0].Canceled || r.NotRun != 1) {
		t.Errorf("%+v", r)
	}
}
