package plutoapp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/sdk/pluto"
)

// The times that programs have.
const (
	usualRun  = 10 * time.Second
	usualTest = 30 * time.Second
	longest   = 10 * time.Minute
)

// limit is how long a program may run.
func (r running) limit(usual time.Duration) (time.Duration, error) {
	switch {
	case r.Timeout != 0 && r.TimeoutMS != 0:
		return 0, &params.Error{Text: "timeout is in seconds and timeout_ms in milliseconds: give one of them"}
	case r.Timeout < 0 || r.TimeoutMS < 0:
		return 0, &params.Error{Param: "timeout", Text: "want something positive"}
	case r.Timeout > longest.Seconds() || r.TimeoutMS > int(longest.Milliseconds()):
		return 0, &params.Error{Param: "timeout", Text: "a program runs for 600 s at most"}
	case r.Timeout > 0:
		return time.Duration(r.Timeout * float64(time.Second)), nil
	case r.TimeoutMS > 0:
		return time.Duration(r.TimeoutMS) * time.Millisecond, nil
	}
	return usual, nil
}

// folder is where a program runs: beside its entry unless somebody says where.
func (r running) folder(c *Call, entry string) (string, error) {
	if r.Cwd == "" {
		for dir := entry; ; dir = filepath.Dir(dir) {
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				return dir, nil
			}
			if dir == filepath.Dir(dir) {
				return c.project.Root(), nil
			}
		}
	}
	dir, err := inside(c.project.Root(), r.Cwd)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", &params.Error{Param: "cwd", Text: "there is no folder " + r.Cwd}
	}
	return dir, nil
}

// kept is how much of each stream of a program an answer has.
const kept = 64 << 10

// output keeps the beginning and the end of what a program prints.
type output struct {
	start, end []byte
	all        int64
}

// Write keeps what there is room for.
func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	o.all += int64(n)
	room := min(kept/2-len(o.start), n)
	o.start = append(o.start, p[:room]...)
	if p = p[room:]; len(p) > kept/2 {
		p = p[len(p)-kept/2:]
	}
	if over := len(o.end) + len(p) - kept/2; over > 0 {
		o.end = append(o.end[:0], o.end[over:]...)
	}
	o.end = append(o.end, p...)
	return n, nil
}

// cut is how many bytes are missing.
func (o *output) cut() int64 { return o.all - int64(len(o.start)) - int64(len(o.end)) }

func (o *output) String() string {
	var b strings.Builder
	b.Write(o.start)
	if n := o.cut(); n > 0 {
		fmt.Fprintf(&b, "\n... %d bytes cut ...\n", n)
	}
	b.Write(o.end)
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// clipped is a text as [output] would keep it.
func clipped(text string) string {
	var o output
	_, _ = io.WriteString(&o, text) // it takes everything
	return o.String()
}

func run(ctx context.Context, c *Call, a *runArgs) (*Answer, error) {
	if slices.ContainsFunc(a.Args, func(s string) bool { return strings.ContainsRune(s, 0) }) {
		return nil, &params.Error{Param: "args", Text: "an argument has no NUL in it"}
	}
	limit, err := a.limit(usualRun)
	if err != nil {
		return nil, err
	}
	entry, p, built, err := c.program(ctx, a.building, build.Options{})
	if err != nil {
		return nil, err
	}
	dir, err := a.folder(c, entry)
	if err != nil {
		return nil, err
	}
	r := &ran{entry: c.rel(entry), diags: p.Diags.Sorted(), limit: limit}
	if built != nil {
		defer built.Close()
		c.step("running")
		process := compiler.Process{Path: built.Path, Args: a.Args, Dir: dir, Out: &r.out, Err: &r.err, Group: true}
		if a.Stdin != "" {
			process.In = strings.NewReader(a.Stdin)
		}
		r.built = true
		if err := r.exec(ctx, process); err != nil {
			return nil, err
		}
	}
	return &Answer{
		failed: !r.ok(),
		lines:  func(b *strings.Builder) { r.lines(b) },
		doc:    func() any { return r.doc(c) },
	}, nil
}

// ran is a program that was run, or could not be.
type ran struct {
	entry    string
	diags    []*diag.Diagnostic
	limit    time.Duration
	built    bool
	timedOut bool
	code     int
	out, err output
}

// named is a path in a sentence.
func named(rel string) string {
	if rel == "." {
		return "the project"
	}
	return rel
}

// exec runs the program. That it takes too long is no error.
func (r *ran) exec(ctx context.Context, p compiler.Process) error {
	limited, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	code, err := compiler.Exec(limited, p)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		r.timedOut, r.code = true, -1
		return nil
	}
	if errors.Is(err, syscall.E2BIG) {
		return &params.Error{Param: "args", Text: "they are longer than the system lets programs have"}
	}
	r.code = code
	return err
}

func (r *ran) ok() bool { return r.built && !r.timedOut && r.code == 0 }

func (r *ran) lines(b *strings.Builder) {
	switch {
	case !r.built:
		fmt.Fprintf(b, "not run: %s in %s\n", verdict(r.diags), named(r.entry))
	case r.timedOut:
		fmt.Fprintf(b, "timeout: %s was ended after %s\n", named(r.entry), r.limit)
	default:
		fmt.Fprintf(b, "exit %d\n", r.code)
	}
	diagLines(b, r.diags)
	section(b, "", r.out.String())
	section(b, "stderr:\n", r.err.String())
}

func section(w io.Writer, title, text string) {
	if text == "" {
		return
	}
	text = title + text
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, _ = io.WriteString(w, text) // to memory, which takes everything
}

func (r *ran) doc(c *Call) any {
	code := c.code(r.code, r.built && !r.timedOut)
	errs, _ := bySeverity(r.diags)
	o := c.object().put("success", r.ok()).in(D001, "path", c.abs(r.entry)).in(D001, "compilation_errors", c.diagDocs(errs)).
		put("stdout", r.out.String()).put("stderr", r.err.String()).put("exit_code", code).put("timed_out", r.timedOut).
		in(D000, "diagnostics", c.diagDocs(r.diags))
	return cuts(o, &r.out, &r.err)
}

// code is an exit code; of what did not end by itself it is null, or -1 in 000, where it is
// a number.
func (c *Call) code(code int, ended bool) any {
	switch {
	case ended:
		return code
	case c.main == D000:
		return -1
	}
	return nil
}

// cuts says how much is missing.
func cuts(o *object, out, err *output) *object {
	if n := out.cut(); n > 0 {
		o.put("stdout_bytes_cut", n)
	}
	if n := err.cut(); n > 0 {
		o.put("stderr_bytes_cut", n)
	}
	return o
}

func test(ctx context.Context, c *Call, a *testArgs) (*Answer, error) {
	limit, err := a.limit(usualTest)
	if err != nil {
		return nil, err
	}
	files, err := c.testFiles(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	t := &tested{call: c, many: len(files) > 1, path: first(c.given(a.Path), "."), filter: a.Filter}
	for _, m := range files {
		if err := t.file(ctx, a, m, limit); err != nil {
			return nil, err
		}
	}
	return &Answer{
		failed: !t.ok(),
		lines:  func(b *strings.Builder) { t.lines(b) },
		doc:    func() any { return t.doc() },
	}, nil
}

// given is a path that the caller gave, from the root.
func (c *Call) given(path string) string {
	if rel, err := c.view.Path(path); err == nil {
		if m, err := c.view.Module(path); err == nil {
			return m.Path
		}
		return rel
	}
	return path
}

// tested is tests that were run.
type tested struct {
	call     *Call
	path     string
	filter   string
	many     bool
	diags    []*diag.Diagnostic
	broken   int // files with errors
	results  []testResult
	skipped  int
	timedOut bool
}

type testResult struct {
	file string
	compiler.TestResult
}

func (t *tested) file(ctx context.Context, a *testArgs, m *pluto.Module, limit time.Duration) error {
	c := t.call
	entry := c.abs(m.Path)
	lo := c.loading(a.building)
	lo.Test = true
	c.step("checking " + m.Path)
	p := c.check(ctx, entry, lo)
	if p.Diags.Errors() > 0 {
		t.diags, t.broken = append(t.diags, p.Diags.Sorted()...), t.broken+1
		return nil
	}
	dir, err := a.folder(c, entry)
	if err != nil {
		return err
	}
	o := compiler.TestOptions{Results: true, NoCache: true, Total: limit, Timeout: max(limit-min(limit/5, 2*time.Second), time.Millisecond)}
	if a.Filter != "" {
		o.Filter = regexp.MustCompile(regexp.QuoteMeta(a.Filter))
	}
	c.step("testing " + m.Path)
	report, err := compiler.Test(ctx, p, o, compiler.Process{Dir: dir, Group: true, Out: io.Discard, Err: io.Discard})
	if err != nil {
		return err
	}
	t.diags = append(t.diags, p.Diags.Sorted()...)
	if report == nil {
		t.broken++
		return nil
	}
	t.timedOut = t.timedOut || report.TimedOut
	for _, r := range report.Tests {
		switch {
		case r.Outcome == compiler.NotRun:
			t.skipped++
			continue
		case r.Outcome == compiler.Failed && r.Message == "" && report.TimedOut:
			r.Message = fmt.Sprintf("ended after %s", limit)
		}
		t.results = append(t.results, testResult{m.Path, r})
	}
	return nil
}

func (t *tested) count(failed bool) int {
	n := 0
	for _, r := range t.results {
		if (r.Outcome == compiler.Failed) == failed {
			n++
		}
	}
	return n
}

func (t *tested) ok() bool { return t.broken == 0 && t.count(true) == 0 && !t.timedOut }

func (t *tested) lines(b *strings.Builder) {
	fmt.Fprintf(b, "%d passed, %d failed", t.count(false), t.count(true))
	if t.skipped > 0 {
		fmt.Fprintf(b, ", %d not run", t.skipped)
	}
	if t.broken > 0 {
		fmt.Fprintf(b, ", %s with errors", plural(t.broken, "file"))
	}
	if t.filter != "" && len(t.results) == 0 && t.broken == 0 {
		fmt.Fprintf(b, ": no test has %q in its name", t.filter)
	}
	b.WriteString("\n")
	errs, _ := bySeverity(t.diags)
	diagLines(b, errs)
	for _, r := range t.results {
		if r.Outcome == compiler.Failed {
			fmt.Fprintf(b, "FAILED %s  %s:%d\n", r.Name, r.file, r.Line)
			section(b, "", indent(clipped(r.Message)))
			section(b, "  output:\n", indent(clipped(r.Output)))
		}
	}
}

func indent(text string) string {
	if text == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}

// streams are what the runner of the tests would have printed.
func (t *tested) streams() (out, errs output) {
	var text bytes.Buffer
	file := ""
	for _, r := range t.results {
		if t.many && r.file != file {
			file = r.file
			text.WriteString(file + "\n")
		}
		end := "ok"
		if r.Outcome == compiler.Failed {
			end = "FAILED"
			section(&errs, "", r.Message)
		}
		fmt.Fprintf(&text, "test %s ... %s%s\n", r.Name, r.Output, end)
	}
	if n := t.count(true); n > 0 {
		fmt.Fprintf(&text, "\n%d passed, %d failed\n", t.count(false), n)
	} else {
		fmt.Fprintf(&text, "\n%d tests passed\n", t.count(false))
	}
	_, _ = out.Write(text.Bytes()) // it takes everything
	return out, errs
}

func (t *tested) doc() any {
	c := t.call
	code := 0
	if !t.ok() {
		code = 1
	}
	out, errOut := t.streams()
	errs, _ := bySeverity(t.diags)
	o := c.object().put("success", t.ok()).in(D001, "path", c.abs(t.path)).in(D001, "compilation_errors", c.diagDocs(errs)).
		in(D001, "stdout", out.String()).in(D001, "stderr", errOut.String()).in(D001, "exit_code", code).in(D001, "timed_out", t.timedOut).
		put("passed", t.count(false)).put("failed", t.count(true)).put("skipped", t.skipped).
		put("results", each(t.results, func(r testResult) any {
			one := (&object{}).put("name", r.Name).put("passed", r.Outcome != compiler.Failed).put("file", r.file).put("line", r.Line)
			if r.Outcome == compiler.Failed {
				one.put("output", clipped(r.Output)).put("message", clipped(r.Message))
			}
			return one
		})).
		in(D000, "diagnostics", c.diagDocs(t.diags))
	return cuts(o, &out, &errOut)
}
