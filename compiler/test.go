package compiler

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// TestOptions says which tests to run, and how.
type TestOptions struct {
	Filter     *regexp.Regexp // of names; nil for all
	FailFast   bool           // stop after the first failure
	Timeout    time.Duration  // of each test; 0 for a minute
	Total      time.Duration  // of all tests together, from when they are built; 0 is no limit
	Deadline   time.Time      // when all tests are to be over, whenever they are built; zero is no limit
	Seed       string         // of random schedules; "" for one of the moment
	Iterations int            // of random schedules; 0 for the default
	NoCache    bool           // run tests also when nothing changed since they passed
	Results    bool           // keep what tests print, and give results, instead of printing as they run
	Build      build.Options
}

// TestResult is how one test ended.
type TestResult struct {
	Name    string
	Line    int
	Outcome Outcome
	Took    time.Duration
	Output  string // what it printed
	Message string // why it failed
}

// Outcome is how a test ended.
type Outcome string

const (
	Passed    Outcome = "passed"
	Failed    Outcome = "failed"
	Unchanged Outcome = "unchanged" // it passed before, and nothing that it depends on has changed
	NotRun    Outcome = "not_run"   // it does not match the filter, or comes after a failure
)

// TestReport is how the tests of a file ended.
type TestReport struct {
	Tests    []TestResult // in the order of the text; texts and times only with Results
	TimedOut bool         // the Total or the Deadline was over before all tests were; the one that ran then has failed
}

// Count is the number of tests that ended so.
func (r *TestReport) Count(o Outcome) int {
	n := 0
	for _, t := range r.Tests {
		if t.Outcome == o {
			n++
		}
	}
	return n
}

// HasTests says whether there are test blocks in a file.
func HasTests(f *syntax.File) bool {
	for _, d := range f.Decls {
		switch d.(type) {
		case *syntax.TestDecl, *syntax.TestsDecl:
			return true
		}
	}
	return false
}

// Test runs the tests of a checked program that was loaded for a test run and has no
// errors. With Results nothing is printed; else the runner's lines go to out.Out and
// what failed to out.Err. When the tests cannot be built on this machine, there is no report,
// and the program's Diags say why.
func Test(ctx context.Context, p *check.Program, o TestOptions, out Process) (*TestReport, error) {
	run := &testRun{program: p, options: o, process: out, report: &TestReport{}}
	for _, t := range p.Tests {
		line := t.Func.File.Line(t.Decl.Span().Start)
		run.report.Tests = append(run.report.Tests, TestResult{Name: t.Name, Line: line, Outcome: NotRun})
	}
	generated, err := Generate(p)
	if err != nil || generated == nil {
		return nil, err
	}
	cache := openTestCache(p, generated.Packages, o)
	run.choose(cache)
	if !run.any {
		return run.report, nil
	}
	built, err := link(ctx, p, generated, o.Build)
	if err != nil || built == nil {
		return nil, err
	}
	defer built.Close()
	run.process.Path = built.Path
	if err := run.all(ctx); err != nil {
		return nil, err
	}
	return run.report, cache.save(run.report)
}

// head is the first part of what a program prints: more than anybody wants to see.
type head struct{ text []byte }

func (h *head) Write(p []byte) (int, error) {
	const most = 64 << 20
	h.text = append(h.text, p[:min(max(0, most-len(h.text)), len(p))]...)
	return len(p), nil
}

// testRun is one run of the tests of a program.
type testRun struct {
	program *check.Program
	options TestOptions
	process Process
	report  *TestReport
	any     bool // there is a test to run
	skip    []string
}

// choose decides which tests are run, and says so when the cache has a part in it.
func (r *testRun) choose(cache *testCache) {
	unchanged, chosen := 0, 0
	for i := range r.report.Tests {
		t := &r.report.Tests[i]
		if r.options.Filter != nil && !r.options.Filter.MatchString(t.Name) {
			r.skip = append(r.skip, strconv.Itoa(i))
			continue
		}
		chosen++
		if cache.passed(i) {
			unchanged++
			t.Outcome = Unchanged
			r.skip = append(r.skip, strconv.Itoa(i))
			continue
		}
		r.any = true
	}
	switch {
	case r.options.Results || unchanged == 0:
	case unchanged == chosen:
		fmt.Fprintf(r.process.Out, "All %d tests unchanged, skipping execution\n", chosen)
	default:
		fmt.Fprintf(r.process.Out, "Running %d of %d tests (%d skipped, unchanged)\n", chosen-unchanged, chosen, unchanged)
	}
	if chosen == 0 {
		r.any = !r.options.Results // the runner says that no test passed
	}
}

// all runs the program until it has been through all tests: one that a test has ended is
// started again, and goes on after that test.
func (r *testRun) all(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "sett-test-")
	if err != nil {
		return fmt.Errorf("making room for the report of the tests: %w", err)
	}
	defer os.RemoveAll(dir)
	report := filepath.Join(dir, "report")
	r.process.Env = r.environment(report)
	var lines head
	if r.options.Results {
		r.process.Out = &lines
	}
	limited := ctx
	if r.options.Total > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, r.options.Total)
		defer cancel()
	}
	if !r.options.Deadline.IsZero() {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(limited, r.options.Deadline)
		defer cancel()
	}
	before := -1
	for {
		if _, err := Exec(limited, r.process); err != nil {
			if limited.Err() == nil || ctx.Err() != nil {
				return err
			}
			r.report.TimedOut = true
		}
		text, err := os.ReadFile(report)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("reading the report of the tests: %w", err)
		}
		if r.read(string(text)) || r.report.TimedOut {
			break
		}
		if len(text) <= before {
			return errors.New("the test runner ended before the tests did")
		}
		before = len(text)
	}
	r.readResults(lines.text)
	return nil
}

func (r *testRun) environment(report string) []string {
	env := []string{
		"PLUTO_TEST_REPORT=" + report,
		"PLUTO_TEST_FILTER=", // names are matched here
		"PLUTO_TEST_SKIP=" + strings.Join(r.skip, ","),
	}
	if r.options.FailFast {
		env = append(env, "PLUTO_TEST_FAIL_FAST=1")
	}
	if r.options.Results {
		env = append(env, "PLUTO_TEST_JSON=1")
	}
	if r.options.Timeout > 0 {
		env = append(env, fmt.Sprintf("PLUTO_TEST_TIMEOUT_MS=%d", max(r.options.Timeout.Milliseconds(), 1)))
	}
	if r.options.Seed != "" {
		env = append(env, "PLUTO_TEST_SEED="+r.options.Seed)
	}
	if r.options.Iterations > 0 {
		env = append(env, "PLUTO_TEST_ITERATIONS="+strconv.Itoa(r.options.Iterations))
	}
	return env
}

// read takes over what the runner reported, and says whether it came to the end.
func (r *testRun) read(text string) (done bool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 1 && words[0] == "done":
			return true
		case len(words) < 2:
			continue
		}
		i, err := strconv.Atoi(words[1])
		if err != nil || i < 0 || i >= len(r.report.Tests) {
			continue
		}
		t := &r.report.Tests[i]
		switch words[0] {
		case "start", "failed":
			t.Outcome = Failed
		case "passed":
			t.Outcome = Passed
		}
		if len(words) > 2 {
			if ms, err := strconv.ParseFloat(words[2], 64); err == nil {
				t.Took = time.Duration(ms * float64(time.Millisecond))
			}
		}
	}
	return false
}

// readResults takes over the texts of the tests, which the runner gives as JSON.
func (r *testRun) readResults(text []byte) {
	scanner := bufio.NewScanner(bytes.NewReader(text))
	scanner.Buffer(nil, len(text)+1)
	next := 0
	for scanner.Scan() {
		var line struct {
			Name    string `json:"name"`
			Output  string `json:"output"`
			Message string `json:"message"`
		}
		if json.Unmarshal(scanner.Bytes(), &line) != nil {
			continue // something printed past the runner
		}
		for i := next; i < len(r.report.Tests); i++ {
			if t := &r.report.Tests[i]; t.Name == line.Name && t.Outcome != Unchanged {
				t.Output, t.Message = line.Output, line.Message
				next = i + 1
				break
			}
		}
	}
}
