// Package report is what checks, builds and test runs find: plain data, made by many, which
// package format turns into text. It imports nothing of ours.
package report

import (
	"cmp"
	"slices"
	"time"
)

// The severities of a [Diagnostic], the worst first.
const (
	Error   = "error"
	Warning = "warning"
	Info    = "info"
)

// A Diagnostic is one thing that is wrong, at one place. Lines and columns count from 1,
// columns in Unicode code points.
type Diagnostic struct {
	File     string    `json:"file"` // slash-separated, from the project's root; "" for the project as a whole
	Line     int       `json:"line,omitempty"`
	Col      int       `json:"column,omitempty"`
	EndLine  int       `json:"endLine,omitempty"` // 0: not known; the end is exclusive
	EndCol   int       `json:"endColumn,omitempty"`
	Severity string    `json:"severity"`
	Code     string    `json:"code,omitempty"` // as the tool names it: TS2322, E0412, printf
	Source   string    `json:"source"`         // the tool whose words these are: go, vet, tsc, pluto
	Message  string    `json:"message"`        // may have several lines
	Help     string    `json:"help,omitempty"` // a way on, when the tool gives one
	Related  []Related `json:"notes,omitempty"`
}

// Related is a place that explains a diagnostic.
type Related struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Col     int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Compare orders diagnostics by file and position, then by what they say.
func Compare(a, b Diagnostic) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
		cmp.Compare(a.Source, b.Source), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
}

// Sort sorts diagnostics and drops what is said twice.
func Sort(ds []Diagnostic) []Diagnostic {
	slices.SortStableFunc(ds, Compare)
	return slices.CompactFunc(ds, func(a, b Diagnostic) bool { return Compare(a, b) == 0 })
}

// Count counts diagnostics of a severity.
func Count(ds []Diagnostic, severity string) int {
	n := 0
	for _, d := range ds {
		if d.Severity == severity {
			n++
		}
	}
	return n
}

// Check is the result of a check.
type Check struct {
	What        string       `json:"what"` // what was checked, in words: "the project", "main.go"
	Diagnostics []Diagnostic `json:"diagnostics"`
	Errors      int          `json:"errors"`
	Warnings    int          `json:"warnings"`
	Files       int          `json:"files"` // that were checked
	Notes       []string     `json:"notes,omitempty"`
	Budget      int          `json:"-"` // tokens that an answer of lines may take; 0: no limit
}

// A Step is one command that was run for a build or a test run.
type Step struct {
	Tool     string        `json:"tool"`    // go, pluto, vitest, jest, mocha, node:test, npm, ...
	Command  string        `json:"command"` // as a shell would take it
	Dir      string        `json:"dir"`     // from the root, "." for the root
	Code     int           `json:"exit_code"`
	Took     time.Duration `json:"took_ns"`
	TimedOut bool          `json:"timed_out,omitempty"` // it was ended because its time was up
	Canceled bool          `json:"canceled,omitempty"`  // it was ended because the asker gave up
	Log      string        `json:"log,omitempty"`       // the file with all it printed, from the root
	Bytes    int64         `json:"bytes"`               // that it printed
	Tail     []string      `json:"tail,omitempty"`      // its last lines, when they say more than the rest of the report
}

// Artifact is a file that a build made.
type Artifact struct {
	Path   string `json:"path"`   // from the root; absolute when outside
	Target string `json:"target"` // "linux-amd64", "wasip1-wasm"; "" when that means nothing
	Bytes  int64  `json:"bytes"`
}

// Build is the result of a build.
type Build struct {
	OK          bool         `json:"ok"`
	What        string       `json:"what"`            // what was to be built, in words
	Built       []string     `json:"built,omitempty"` // what was, in words, beside the artifacts: "2 packages"
	Artifacts   []Artifact   `json:"artifacts"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Steps       []Step       `json:"steps"`
	Notes       []string     `json:"notes,omitempty"`
	Budget      int          `json:"-"`
}

// The kinds of a [Failure].
const (
	Failed  = "failed"  // the test said so
	Panic   = "panic"   // it, or something it started, ended the program
	Timeout = "timeout" // it was running when time was up
	Broken  = "broken"  // it could not be built or loaded: no test of it ran
	Raced   = "race"    // the race detector said so
)

// A Failure is one test that did not pass, or one package or file whose tests could not run.
type Failure struct {
	Name     string        `json:"name"`  // as the runner takes it back: TestX/sub; "" for a package or file as a whole
	Suite    string        `json:"suite"` // the package (import path) or test file (from the root) that it is in
	Kind     string        `json:"kind"`
	File     string        `json:"file,omitempty"` // where it failed, from the root; absolute when outside
	Line     int           `json:"line,omitempty"`
	Col      int           `json:"column,omitempty"`
	Message  string        `json:"message,omitempty"` // the assertion's or panic's own words
	Expected string        `json:"expected,omitempty"`
	Got      string        `json:"got,omitempty"`
	Output   []string      `json:"output,omitempty"` // the relevant lines of what it printed
	Took     time.Duration `json:"took_ns,omitempty"`
}

// Test is the result of a test run.
type Test struct {
	OK       bool          `json:"ok"`               // everything that was to run ran, and nothing failed
	What     string        `json:"what"`             // what was tested, in words
	Symbol   string        `json:"symbol,omitempty"` // the declaration, when tests that reach it were asked for
	Passed   int           `json:"passed"`
	Failed   int           `json:"failed"`
	Skipped  int           `json:"skipped"`
	NotRun   int           `json:"not_run,omitempty"` // begun and not ended, or known and never begun
	Cached   int           `json:"cached,omitempty"`  // of Passed: known from an earlier run
	Suites   int           `json:"suites"`            // packages or files with tests that ran
	Broken   int           `json:"broken,omitempty"`  // packages or files that could not be built or loaded
	Failures []Failure     `json:"failures"`
	Skips    []Skip        `json:"skips,omitempty"`
	Took     time.Duration `json:"took_ns"`
	Steps    []Step        `json:"steps"`
	Notes    []string      `json:"notes,omitempty"`
	Budget   int           `json:"-"`
}

// Skip is a test that was skipped, with the reason it gave.
type Skip struct {
	Name   string `json:"name"`
	Suite  string `json:"suite"`
	Reason string `json:"reason,omitempty"`
}

// Add joins another run to this one, which then stands for both.
func (t *Test) Add(o *Test) {
	t.OK = t.OK && o.OK
	t.Passed += o.Passed
	t.Failed += o.Failed
	t.Skipped += o.Skipped
	t.NotRun += o.NotRun
	t.Cached += o.Cached
	t.Suites += o.Suites
	t.Broken += o.Broken
	t.Failures = append(t.Failures, o.Failures...)
	t.Skips = append(t.Skips, o.Skips...)
	t.Steps = append(t.Steps, o.Steps...)
	t.Notes = append(t.Notes, o.Notes...)
	t.Took += o.Took
}

// Event tells how far a run is.
type Event struct {
	Phase       string // a few words: "go test ./...", "building"
	Done, Total int    // packages or files; Total is 0 when not known
	Failed      int    // tests so far
}
