package jsrun

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// An event is one line that a reporter wrote.
type event struct {
	Kind   string    `json:"e"`
	Runner string    `json:"runner"`
	Cwd    string    `json:"cwd"`
	N      int       `json:"n"` // of total: files; of whole: the exit code
	File   string    `json:"file"`
	Line   int       `json:"line"` // where a test is declared
	Col    int       `json:"col"`
	Name   []string  `json:"name"` // of the test, with what it is in
	State  string    `json:"state"`
	Reason string    `json:"reason"`
	Cause  string    `json:"failure"` // what kind of failure node says it is
	Took   float64   `json:"ms"`
	Errors []problem `json:"errors"`
	Text   string    `json:"text"`
}

// A problem is what was thrown.
type problem struct {
	Name     string  `json:"name"`
	Message  string  `json:"message"`
	Stack    string  `json:"stack"`
	Report   string  `json:"report"` // what the runner prints of it
	Expected *string `json:"expected"`
	Actual   *string `json:"actual"`
	Frames   []frame `json:"frames"`
}

// A run collects the events of one command.
type run struct {
	root string         // as the project was asked for
	real string         // the same without symbolic links, as node gives paths
	name *regexp.Regexp // the tests that were asked for, nil for all

	runners       []string
	cwd           string // of the last runner that started
	started       int    // runners
	ended         int
	idle          int  // runners that had none of the files that were asked for
	counted       bool // a runner got as far as knowing its files
	total, done   int  // files
	unused        int  // snapshots that no test asked for
	files         map[string]*suite
	order         []string
	loose         []report.Failure // of no file
	left          map[string]event // what node says of what the tests of a file left behind
	passed, skips int
	failures      int // so far, for progress
}

// A suite is what is known of one test file.
type suite struct {
	file     string // from the root
	tests    int
	passed   int
	skips    []report.Skip
	skipped  int
	notRun   int
	over     bool
	failures []report.Failure
	running  [][]string          // tests that began and have not ended
	complete []event             // results that are not final while the file runs
	logs     map[string][]string // what a test printed; "" is the file itself
}

// leftBehind is what node says of an error that came after its test had ended.
var leftBehind = regexp.MustCompile(` at (\S+):(\d+):(\d+) generated asynchronous activity`)

func newRun(root, name string) *run {
	r := &run{root: root, real: root, files: map[string]*suite{}, left: map[string]event{}}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		r.real = real
	}
	if name != "" {
		r.name, _ = regexp.Compile(pattern(spaced(name))) // what only JavaScript understands filters nothing here
	}
	return r
}

// feed takes one line of events; one that is none is passed over.
func (r *run) feed(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		return
	}
	switch e.Kind {
	case "run":
		r.started++
		r.cwd = e.Cwd
		if !slices.Contains(r.runners, e.Runner) {
			r.runners = append(r.runners, e.Runner)
		}
		return
	case "idle":
		r.idle++
		return
	case "total":
		r.total += max(0, e.N)
		r.counted = true
		return
	case "end":
		r.ended++
		r.unused += max(0, e.N)
		return
	case "error":
		f := r.failure(e, "")
		f.Message = "not caught by any test: " + f.Message
		if e.File == "" {
			r.loose = append(r.loose, f)
			return
		}
		s := r.suite(e.File)
		s.failures = append(s.failures, f)
		return
	case "diagnostic":
		if m := leftBehind.FindStringSubmatch(e.Text); m != nil {
			r.left[r.from(m[1])] = e
		}
		return
	}
	if e.File == "" {
		e.File = r.cwd // node: a test of a program that is not a file
	}
	s := r.suite(e.File)
	switch e.Kind {
	case "begin":
		if len(s.running) < mostRunning {
			s.running = append(s.running, e.Name)
		}
	case "over", "suite":
		s.end(e.Name)
		if e.Kind == "suite" && e.State == "fail" && e.Cause != "subtestsFailed" {
			s.failures = append(s.failures, r.failure(e, s.file))
		}
	case "complete":
		s.end(e.Name)
		s.complete = append(s.complete, e)
	case "test":
		s.end(e.Name)
		s.complete = slices.DeleteFunc(s.complete, func(c event) bool { return slices.Equal(c.Name, e.Name) })
		r.test(s, e)
	case "hook":
		s.failures = append(s.failures, r.failure(e, s.file))
	case "broken":
		f := r.failure(e, s.file)
		f.Kind = report.Broken
		s.failures = append(s.failures, f)
	case "whole":
		r.whole(s, e)
	case "log":
		key := strings.Join(e.Name, separator)
		for line := range strings.SplitSeq(strings.TrimRight(e.Text, "\n"), "\n") {
			if len(s.logs[key]) < mostOutput {
				s.logs[key] = append(s.logs[key], child.Clean(line))
			}
		}
	case "fileend":
		if !s.over {
			r.done++
		}
		s.over, s.running, s.complete = true, nil, nil
	}
}

const (
	separator  = " > "
	mostOutput = 40 // lines of output of one test

	mostRunning = 200 // tests of one file that are known to run at once
)

func (r *run) suite(file string) *suite {
	s := r.files[file]
	if s == nil {
		s = &suite{file: r.from(file), logs: map[string][]string{}}
		r.files[file] = s
		r.order = append(r.order, file)
	}
	return s
}

// end takes a test from those that are running.
func (s *suite) end(name []string) {
	i := slices.IndexFunc(s.running, func(n []string) bool { return slices.Equal(n, name) })
	if i >= 0 {
		s.running = slices.Delete(s.running, i, i+1)
	}
}

// test counts a result.
func (r *run) test(s *suite, e event) {
	name := strings.Join(e.Name, separator)
	switch e.State {
	case "pass":
		s.tests++
		s.passed++
		r.passed++
	case "fail":
		switch e.Cause {
		case "subtestsFailed":
			return // it has tests itself, and one of them says why
		case "cancelledByParent":
			s.notRun++
			return
		}
		s.tests++
		r.failures++
		s.failures = append(s.failures, r.failure(e, s.file))
	default:
		if r.name != nil && !r.name.MatchString(strings.Join(e.Name, " ")) || strings.HasPrefix(e.Reason, "test name does not match") {
			return // it was not asked for
		}
		s.tests++
		s.skipped++
		reason := e.Reason
		if reason == "" && e.State == "todo" {
			reason = "todo"
		}
		s.skips = append(s.skips, report.Skip{Name: name, Suite: s.file, Reason: child.Clean(reason)})
	}
}

// whole is about a file that is a process of its own, and ended badly.
func (r *run) whole(s *suite, e event) {
	if e.State != "fail" {
		return // a file without tests
	}
	if e.Cause == "subtestsFailed" || e.Cause == "" && len(s.failures) > 0 {
		return
	}
	f := r.failure(e, s.file)
	f.Name, f.Output = "", nil
	said := s.logs[""]
	text := strings.Join(said, "\n")
	p, found := thrown(text)
	switch {
	case found:
		f.Message = p.words()
		f.File, f.Line, f.Col = r.place(p)
		if s.tests == 0 {
			f.Kind = report.Broken
		}
	case s.tests == 0:
		f.Kind = report.Panic
	}
	if f.Line == 0 {
		f.File = s.file
	}
	behind, ok := r.left[s.file]
	if !found {
		m := leftBehind.FindStringSubmatch(behind.Text)
		switch {
		case ok:
			f.Message = clean(behind.Text)
			f.Line, f.Col = number(m[2]), number(m[3])
		case e.Reason != "":
			f.Message = "the process of the file was ended by " + e.Reason
		case e.N != 0:
			f.Message = "the process of the file ended with exit code " + itoa(e.N)
		}
		f.Output = last(said, 20)
	}
	s.failures = append(s.failures, f)
}

// failure makes a failure of an event.
func (r *run) failure(e event, file string) report.Failure {
	f := report.Failure{
		Name: strings.Join(e.Name, separator), Suite: file, Kind: report.Failed,
		Took: time.Duration(e.Took * float64(time.Millisecond)),
	}
	if file == "" && e.File != "" {
		f.Suite = r.from(e.File)
	}
	if len(e.Errors) == 0 {
		f.Message = "it failed without a reason"
	}
	for i, p := range e.Errors {
		if i > 0 {
			f.Message += "\n" + p.words()
			continue
		}
		f.Message = p.words()
		f.Expected, f.Got = p.values()
		f.File, f.Line, f.Col = r.place(p)
		if f.Expected != "" || f.Got != "" {
			f.Message = withoutValues(f.Message)
		}
	}
	if f.Line == 0 && e.Line > 0 {
		f.File, f.Line, f.Col = r.from(e.File), e.Line, e.Col
	}
	if f.File == "" {
		f.File = f.Suite
	}
	return f
}

// An ending says how the command of a run ended.
type ending struct {
	code     int
	signal   string
	timedOut bool
	canceled bool
	after    time.Duration
	tail     []string // the end of what it printed
}

// finish gives the run as a report without its steps.
func (r *run) finish(end ending) *report.Test {
	t := &report.Test{OK: end.code == 0 && !end.timedOut && !end.canceled}
	for _, file := range r.order {
		s := r.files[file]
		for _, e := range s.complete { // the file did not get to its end
			r.test(s, e)
		}
		if len(s.failures) == 1 { // only then it is known whose words these are
			if f := &s.failures[0]; len(f.Output) == 0 && f.Message != "" && s.tests > 0 {
				f.Output = last(s.logs[""], 20)
			}
		}
		for i := range s.failures {
			if out := s.logs[s.failures[i].Name]; s.failures[i].Name != "" && len(out) > 0 {
				s.failures[i].Output = last(out, 20)
			}
		}
		if end.timedOut || end.canceled {
			r.stopped(s, end)
		}
		if s.tests > 0 {
			t.Suites++
		}
		t.Passed += s.passed
		t.Skipped += s.skipped
		t.NotRun += s.notRun
		t.Failures = append(t.Failures, s.failures...)
		t.Skips = append(t.Skips, s.skips...)
	}
	slices.SortStableFunc(t.Failures, func(a, b report.Failure) int { return strings.Compare(a.Suite, b.Suite) })
	slices.SortStableFunc(t.Skips, func(a, b report.Skip) int { return strings.Compare(a.Suite, b.Suite) })
	t.Failures = append(t.Failures, r.loose...)
	r.unsaid(t, end)
	for _, f := range t.Failures {
		if f.Kind == report.Broken {
			t.Broken++
		} else {
			t.Failed++
		}
	}
	t.OK = t.OK && len(t.Failures) == 0
	if r.unused > 0 {
		t.Notes = append(t.Notes, plural(r.unused, "snapshot that no test uses", "snapshots that no test uses"))
	}
	return t
}

// stopped is about a file that was running when the run was cut short.
func (r *run) stopped(s *suite, end ending) {
	running := s.running[:0:0]
	for _, n := range s.running { // what holds another running one says less
		inner := slices.ContainsFunc(s.running, func(m []string) bool { return len(m) > len(n) && slices.Equal(m[:len(n)], n) })
		if !inner {
			running = append(running, n)
		}
	}
	switch {
	case s.over:
	case end.canceled:
		s.notRun += len(running)
	case len(running) == 0 && r.ended < r.started && s.tests == 0:
		s.failures = append(s.failures, report.Failure{Suite: s.file, File: s.file, Kind: report.Timeout, Message: "it was still running after " + round(end.after)})
	default:
		for _, n := range running {
			s.failures = append(s.failures, report.Failure{
				Name: strings.Join(n, separator), Suite: s.file, File: s.file, Kind: report.Timeout,
				Message: "it was still running after " + round(end.after), Output: last(s.logs[strings.Join(n, separator)], 20),
			})
		}
	}
}

// unsaid adds what the way in which the command ended says beyond the events.
func (r *run) unsaid(t *report.Test, end ending) {
	late := slices.ContainsFunc(t.Failures, func(f report.Failure) bool { return f.Kind == report.Timeout })
	whole := r.started > 0 && r.ended >= r.started
	switch {
	case end.canceled:
	case end.timedOut && whole:
		t.Failures = append(t.Failures, report.Failure{Kind: report.Timeout, Message: "all tests ended, but the process was still there after " + round(end.after) + ": something that a test started keeps it alive"})
	case end.timedOut && !late:
		t.Failures = append(t.Failures, report.Failure{Kind: report.Timeout, Message: "it was still running after " + round(end.after), Output: last(end.tail, 20)})
	case end.timedOut || end.code == 0 || len(t.Failures) > 0:
	case r.started > r.ended:
		// the runner began, and then there was an error that it does not tell reporters of
		text := strings.Join(end.tail, "\n")
		f := report.Failure{Kind: report.Panic, Message: "the test runner ended with exit code " + itoa(end.code), Output: last(end.tail, 20)}
		if end.signal != "" {
			f.Message = "the test runner was ended by the signal " + end.signal
		}
		if p, ok := thrown(text); ok {
			f.Message, f.Output = p.words(), nil
			f.File, f.Line, f.Col = r.place(p)
			f.Suite = f.File
		}
		if !r.counted {
			if f.Line == 0 {
				return // it found no tests, or did not like its settings: what it printed says so
			}
			f.Kind = report.Broken
		}
		for _, s := range r.files {
			if len(s.running) == 1 && f.Name == "" {
				f.Name, f.Suite = strings.Join(s.running[0], separator), s.file
			}
		}
		t.Failures = append(t.Failures, f)
	}
}
