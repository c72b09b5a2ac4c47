package gorun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/query/report"
)

// TestScenarios runs the go command in the projects of testdata. The comment of an archive
// says what is run, its last file what the report must be:
//
//	run test|build|vet [name=value ...]
//
// The names are those of Options, in small letters; "with FILE=OTHER" lays the text of the
// archive's file OTHER over FILE. UPDATE=1 writes what the reports are.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 20 {
		t.Fatalf("found %d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			for _, f := range archive.Files {
				if f.Name == "want" {
					continue
				}
				path := filepath.Join(root, f.Name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var got strings.Builder
			for line := range strings.Lines(string(archive.Comment)) {
				words := strings.Fields(line)
				if len(words) > 1 && words[0] == "run" {
					if got.Len() > 0 {
						fmt.Fprintf(&got, "\n")
					}
					fmt.Fprintf(&got, "> %s\n", strings.Join(words[1:], " "))
					scenario(t, root, words[1], words[2:], &got)
				}
			}
			text := mask(got.String(), root)
			last := &archive.Files[len(archive.Files)-1]
			if last.Name != "want" {
				t.Fatal("the last file is not want")
			}
			if os.Getenv("UPDATE") != "" {
				last.Data = []byte(text)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(last.Data); text != want {
				t.Errorf("got\n%s\nwant\n%s", text, want)
			}
		})
	}
}

// TestWithoutGo says what is missing.
func TestWithoutGo(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module ex\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", root)
	o := Options{Root: root}
	_, testErr := Test(t.Context(), o)
	_, buildErr := Build(t.Context(), o)
	_, _, vetErr := Vet(t.Context(), o)
	for _, err := range []error{testErr, buildErr, vetErr} {
		if err == nil || !strings.Contains(err.Error(), "install Go from https://go.dev/dl") {
			t.Errorf("without a go command: %v", err)
		}
	}
	if _, err := Test(t.Context(), Options{Root: "here"}); err == nil || !strings.Contains(err.Error(), "not an absolute path") {
		t.Errorf("a root that is not absolute: %v", err)
	}
}

// TestLeavesNothing sees that runs leave no temporary files, also those that are ended, that
// the log is what a person would have seen, and that progress is told.
func TestLeavesNothing(t *testing.T) {
	root, temp := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module ex\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Log(\"a \\\"word\\\"\") }\n",
		"b/b_test.go": "package b\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestB(t *testing.T) { time.Sleep(time.Minute) }\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", temp)
	var told []report.Event
	r, err := Test(t.Context(), Options{Root: root, Packages: []string{"a"}, Progress: func(e report.Event) { told = append(told, e) }})
	if err != nil || !r.OK || len(r.Steps) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	log, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(r.Steps[0].Log)))
	if want := "=== ex/a\n=== RUN   TestA\n    a_test.go:5: a \"word\"\n--- PASS: TestA"; err != nil || !strings.HasPrefix(string(log), want) {
		t.Errorf("the log is %q, %v", log, err)
	}
	want := []report.Event{{Phase: "go test ./a"}, {Phase: "go test ./a", Done: 1}}
	if !slices.Equal(told, want) {
		t.Errorf("told of %+v", told)
	}
	for _, o := range []Options{{Root: root, Timeout: time.Millisecond}, {Root: root, Timeout: 1500 * time.Millisecond}} {
		if r, err := Test(t.Context(), o); err != nil || r.OK || !r.Steps[0].TimedOut {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%d files are left, like %s", len(left), left[0].Name())
	}
}

func scenario(t *testing.T, root, verb string, settings []string, got *strings.Builder) {
	t.Helper()
	o := Options{Root: root, Overlay: map[string][]byte{}}
	ctx := context.Background()
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		switch name {
		case "targets":
			o.Targets = strings.Split(value, ",")
		case "packages":
			o.Packages = strings.Split(value, ",")
		case "run":
			o.Run = value
		case "race":
			o.Race = true
			skipWithoutRaces(t)
		case "short":
			o.Short = true
		case "args":
			o.Args = strings.Split(value, ",")
		case "timeout":
			d, err := time.ParseDuration(value)
			if err != nil {
				t.Fatal(err)
			}
			o.Timeout = d
		case "output":
			o.Output = value
		case "target":
			o.Target = value
		case "with":
			file, other, _ := strings.Cut(value, ":")
			text, err := os.ReadFile(filepath.Join(root, other))
			if err != nil {
				t.Fatal(err)
			}
			o.Overlay[file] = text
		case "canceled":
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			o.Progress = func(e report.Event) {
				if e.Done > 0 {
					cancel()
				}
			}
		default:
			t.Fatalf("no setting %q", s)
		}
	}
	switch verb {
	case "test":
		r, err := Test(ctx, o)
		if err != nil {
			fmt.Fprintf(got, "error: %v\n", err)
			return
		}
		printTest(got, r)
	case "build":
		r, err := Build(ctx, o)
		if err != nil {
			fmt.Fprintf(got, "error: %v\n", err)
			return
		}
		fmt.Fprintf(got, "ok %v: %s\n", r.OK, r.What)
		for _, a := range r.Artifacts {
			fmt.Fprintf(got, "artifact %s %s %v\n", a.Path, a.Target, a.Bytes > 1<<16)
		}
		for _, w := range r.Built {
			fmt.Fprintf(got, "built %s\n", w)
		}
		printDiagnostics(got, r.Diagnostics)
		printSteps(got, r.Steps, r.Notes)
	case "vet":
		ds, notes, err := Vet(ctx, o)
		if err != nil {
			fmt.Fprintf(got, "error: %v\n", err)
			return
		}
		printDiagnostics(got, ds)
		printSteps(got, nil, notes)
	default:
		t.Fatalf("no verb %q", verb)
	}
}

func printTest(got *strings.Builder, r *report.Test) {
	fmt.Fprintf(got, "ok %v: %s: %d passed (%d cached), %d failed, %d skipped, %d not run, %d suites, %d broken\n",
		r.OK, r.What, r.Passed, r.Cached, r.Failed, r.Skipped, r.NotRun, r.Suites, r.Broken)
	for _, f := range r.Failures {
		fmt.Fprintf(got, "%s %s %q", f.Kind, f.Suite, f.Name)
		if f.File != "" {
			fmt.Fprintf(got, " at %s:%d:%d", f.File, f.Line, f.Col)
		}
		fmt.Fprintf(got, "\n")
		for _, part := range []struct{ name, text string }{{"message", f.Message}, {"expected", f.Expected}, {"got", f.Got}, {"output", strings.Join(f.Output, "\n")}} {
			if part.text != "" {
				fmt.Fprintf(got, "  %s:\n    %s\n", part.name, strings.ReplaceAll(part.text, "\n", "\n    "))
			}
		}
	}
	for _, s := range r.Skips {
		fmt.Fprintf(got, "skip %s %s: %s\n", s.Suite, s.Name, s.Reason)
	}
	printSteps(got, r.Steps, r.Notes)
}

func printDiagnostics(got *strings.Builder, ds []report.Diagnostic) {
	for _, d := range ds {
		fmt.Fprintf(got, "%s:%d:%d-%d:%d %s %s %s: %s\n", d.File, d.Line, d.Col, d.EndLine, d.EndCol, d.Severity, d.Source, d.Code,
			strings.ReplaceAll(d.Message, "\n", "\n    "))
		for _, r := range d.Related {
			fmt.Fprintf(got, "    %s:%d:%d %s\n", r.File, r.Line, r.Col, r.Message)
		}
		if d.Help != "" {
			fmt.Fprintf(got, "    help: %s\n", d.Help)
		}
	}
}

func printSteps(got *strings.Builder, steps []report.Step, notes []string) {
	for _, s := range steps {
		fmt.Fprintf(got, "step %s in %s: %s: code %d", s.Tool, s.Dir, s.Command, s.Code)
		if s.TimedOut {
			fmt.Fprintf(got, ", timed out")
		}
		if s.Canceled {
			fmt.Fprintf(got, ", canceled")
		}
		fmt.Fprintf(got, ", log %v\n", strings.HasPrefix(s.Log, ".sett/logs/"))
		for _, l := range s.Tail {
			fmt.Fprintf(got, "    %s\n", l)
		}
	}
	for _, n := range notes {
		fmt.Fprintf(got, "note %s\n", n)
	}
}

var (
	durations = regexp.MustCompile(`\b\d+(\.\d+)?(ms|s|µs|m\d+s)\b`)
	addresses = regexp.MustCompile(`0x[0-9a-f]{4,}`)
	versions  = regexp.MustCompile(`\(\S*/src/`)
)

func mask(text, root string) string {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		text = strings.ReplaceAll(text, real, "ROOT")
	}
	text = strings.ReplaceAll(text, root, "ROOT")
	text = strings.ReplaceAll(text, runtime.GOOS+"-"+runtime.GOARCH, "HERE")
	text = versions.ReplaceAllString(text, "(GOROOT/src/")
	text = addresses.ReplaceAllString(text, "0xADDR")
	return durations.ReplaceAllString(text, "TIME")
}

func skipWithoutRaces(t *testing.T) {
	t.Helper()
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || strings.TrimSpace(string(out)) != "1" {
		t.Skip("the race detector needs cgo")
	}
}
