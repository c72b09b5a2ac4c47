package plutorun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/indexer/lang/pluto"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// Test runs tests, one file after the other; each runs in the folder of its file. Files with
// errors, tests that fail and time that is up are in the result; an error is that nothing can
// be said.
func Test(ctx context.Context, o Options) (*report.Test, error) {
	began := time.Now()
	r := &run{o: o, began: began, out: &report.Test{What: o.what(), Failures: []report.Failure{}, Steps: []report.Step{}}}
	files, err := r.files()
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		r.out.OK = true
		return r.out, ctx.Err()
	}
	if err := r.openLog(); err != nil {
		return nil, err
	}
	defer r.log.Close()
	for i, file := range files {
		r.tell(report.Event{Phase: "testing " + o.rel(file), Done: i, Total: len(files), Failed: r.out.Failed})
		if err := r.file(ctx, file); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			r.canceled = true
			break
		}
	}
	r.end(files)
	return r.out, nil
}

// run is a test run.
type run struct {
	o     Options
	began time.Time
	out   *report.Test
	log   *logFile

	timedOut, canceled bool
}

func (r *run) tell(e report.Event) { r.o.tell(e) }

// files are those with tests, or that cannot be read: their errors are to be seen.
func (r *run) files() ([]string, error) {
	if r.o.Names != nil {
		var out []string
		for _, name := range slices.Sorted(maps.Keys(r.o.Names)) {
			out = append(out, r.o.abs(name))
		}
		return out, nil
	}
	all, err := r.o.sources()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, path := range all {
		data, err := r.o.read(path)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", r.o.rel(path), err)
		}
		if f, _ := load.Parse(path, path, data); f == nil || compiler.HasTests(f) {
			out = append(out, path)
		}
	}
	return out, nil
}

// left is how much time there is still; ok is false when it is up.
func (r *run) left() (d time.Duration, ok bool) {
	if r.o.Timeout <= 0 {
		return 0, true
	}
	d = r.o.Timeout - time.Since(r.began)
	return d, d > 0
}

// file checks a file and runs its tests.
func (r *run) file(ctx context.Context, path string) error {
	name := r.o.rel(path)
	lo := r.o.loading()
	lo.Test = true
	p := compiler.Check(path, lo)
	if p.Diags.Errors() > 0 {
		r.broken(name, p)
		return nil
	}
	only := r.chosen(name, p)
	if len(only) == 0 {
		return nil
	}
	left, ok := r.left()
	if !ok {
		r.timedOut, r.out.NotRun = true, r.out.NotRun+len(only)
		return nil
	}
	o := compiler.TestOptions{Results: true, Timeout: r.o.PerTest, Filter: exactly(only), NoCache: r.o.NoCache || r.o.Layer != nil}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if left > 0 { // so that the test that hangs is ended, and can be told from the others
		o.Timeout = min(o.Timeout, max(left-min(left/5, 2*time.Second), time.Millisecond))
	}
	limited, cancel := ctx, func() {}
	if left > 0 {
		o.Deadline = time.Now().Add(left)
		limited, cancel = context.WithDeadline(ctx, o.Deadline.Add(3*time.Second)) // ends the build, and leaves tests time to end
	}
	defer cancel()
	var errs tail
	results, err := compiler.Test(limited, p, o, compiler.Process{Dir: filepath.Dir(path), Group: true, Out: io.Discard, Err: io.MultiWriter(&errs, r.log)})
	switch {
	case err != nil && limited.Err() != nil && errors.Is(err, limited.Err()):
		r.out.NotRun += len(only)
		r.timedOut = r.timedOut || ctx.Err() == nil
		return nil
	case err != nil:
		return fmt.Errorf("testing %s: %w", name, err)
	case results == nil:
		r.broken(name, p)
		return nil
	}
	if len(results.Tests) > results.Count(compiler.NotRun) {
		r.out.Suites++
	}
	r.timedOut = r.timedOut || results.TimedOut
	fmt.Fprintf(r.log, "%s\n", name)
	crashes := 0
	for _, t := range results.Tests {
		if t.Message == endedProcess {
			crashes++
		}
	}
	if crashes > 1 {
		errs.text = nil // who can tell which is of which
	}
	for _, t := range results.Tests {
		if only[t.Name] {
			r.test(name, p, t, results.TimedOut, string(errs.text))
		}
	}
	return nil
}

// chosen are the names of the tests of a program that are wanted.
func (r *run) chosen(name string, p *check.Program) map[string]bool {
	out, known := map[string]bool{}, map[string]bool{}
	for _, t := range p.Tests {
		named := r.o.Names == nil || slices.Contains(r.o.Names[name], t.Name)
		known[t.Name] = true
		if named && (r.o.Filter == nil || r.o.Filter.MatchString(t.Name)) {
			out[t.Name] = true
		}
	}
	for _, n := range r.o.Names[name] {
		if !known[n] {
			r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s has no test %q", name, n))
		}
	}
	return out
}

// exactly matches these names and no others.
func exactly(names map[string]bool) *regexp.Regexp {
	var quoted []string
	for _, n := range slices.Sorted(maps.Keys(names)) {
		quoted = append(quoted, regexp.QuoteMeta(n))
	}
	return regexp.MustCompile(`\A(?:` + strings.Join(quoted, "|") + `)\z`)
}

// broken adds a file whose tests could not run.
func (r *run) broken(name string, p *check.Program) {
	f := report.Failure{Suite: name, Kind: report.Broken, File: name}
	var errs []*diag.Diagnostic
	for _, d := range p.Diags.Sorted() {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		}
	}
	if len(errs) > 0 && errs[0].File != nil {
		at := pluto.Finding(errs[0])
		f.File, f.Line, f.Col = at.File, at.Line, at.Col
	}
	var text bytes.Buffer
	_ = diag.Print(&text, errs, diag.Style{}) // memory takes everything
	f.Message = strings.TrimSuffix(text.String(), "\n")
	r.out.Broken++
	r.out.Failures = append(r.out.Failures, f)
	fmt.Fprintf(r.log, "%s\n%s\n", name, f.Message)
}

// test adds the result of one test.
func (r *run) test(suite string, p *check.Program, t compiler.TestResult, timedOut bool, errs string) {
	switch t.Outcome {
	case compiler.NotRun:
		r.out.NotRun++
		return
	case compiler.Unchanged:
		r.out.Passed++
		r.out.Cached++
		return
	}
	fmt.Fprintf(r.log, "test %s ... %s%s (%s)\n", t.Name, t.Output, t.Outcome, t.Took)
	if t.Outcome == compiler.Passed {
		r.out.Passed++
		return
	}
	message := t.Message
	if message == "" && timedOut {
		message = fmt.Sprintf("ended after %s", r.o.Timeout)
	}
	fmt.Fprintf(r.log, "%s\n", message)
	if message == endedProcess && errs != "" {
		message += "\n" + strings.TrimSuffix(errs, "\n")
	}
	f := failure(message, sourceNames(p))
	f.Name, f.Suite, f.Took = t.Name, suite, t.Took
	if timedOut && t.Message == "" {
		f.Kind = report.Timeout
	}
	if f.File == "" {
		f.File = suite
	}
	if f.Line == 0 && f.File == suite {
		f.Line = t.Line
	}
	f.Output = append(f.Output, child.Lines([]byte(t.Output), keptLines)...)
	r.out.Failed++
	r.out.Failures = append(r.out.Failures, f)
}

// keptLines is how many of the last lines that a test printed a failure has.
const keptLines = 50

// sourceNames are the files of a program.
func sourceNames(p *check.Program) map[string]bool {
	out := map[string]bool{}
	for _, m := range p.Project.Modules {
		for _, f := range m.Files {
			out[f.Src.Name] = true
		}
	}
	return out
}

// end completes the result.
func (r *run) end(files []string) {
	r.out.Took = time.Since(r.began)
	r.out.OK = r.out.Failed == 0 && r.out.Broken == 0 && !r.timedOut && !r.canceled
	if r.o.Names != nil {
		r.out.What = "the tests that were named"
	}
	ran := r.out.Passed + r.out.Failed + r.out.NotRun + r.out.Broken
	if r.o.Filter != nil && ran == 0 {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("no test has a name that %q matches", r.o.Filter))
	}
	command := child.Command{Args: []string{"sett", "test"}}
	for _, f := range files {
		command.Args = append(command.Args, r.o.rel(f))
	}
	if r.o.Names == nil {
		command.Args = append(command.Args[:2], r.o.Targets...)
	}
	if r.o.Filter != nil {
		command.Args = append(command.Args, "--filter", r.o.Filter.String())
	}
	code := 0
	if !r.out.OK {
		code = 1
	}
	r.out.Steps = append(r.out.Steps, report.Step{
		Tool: "pluto", Command: command.Shell(), Dir: ".", Code: code, Took: r.out.Took,
		TimedOut: r.timedOut, Canceled: r.canceled, Log: r.o.rel(r.log.path), Bytes: r.log.size,
	})
}

// logFile has everything that the tests printed. It goes on when the disk does not take any
// more: a log is no reason to fail.
type logFile struct {
	path string
	file *os.File // nil without a log
	size int64
}

func (r *run) openLog() error {
	r.log = &logFile{path: child.LogFile(r.o.Root, "test")}
	if r.log.path == "" {
		return nil
	}
	f, err := os.OpenFile(r.log.path, os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("opening the log: %w", err)
	}
	r.log.file = f
	return nil
}

// Write implements [io.Writer].
func (l *logFile) Write(p []byte) (int, error) {
	l.size += int64(len(p))
	if l.file != nil {
		_, _ = l.file.Write(p)
	}
	return len(p), nil
}

// Close closes the log.
func (l *logFile) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	const most = 16 << 10
	t.text = append(t.text, p...)
	if over := len(t.text) - most; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}
