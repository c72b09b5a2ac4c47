// Package compilertest runs many Pluto programs in tests. Programs that are accepted are
// built into few executables, because linking is what takes the time.
package compilertest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
)

// Case is a program and what it must do.
type Case struct {
	Name  string
	Files map[string]string // written into a folder of their own, in which the program runs
	Entry string            // "" for main.pluto
	Test  bool              // run the tests of the entry instead of the program

	Args  []string
	Stdin string
	Env   []string

	// Errors, when not nil, says that the program must be refused. The first diagnostic
	// contains the first phrase, some diagnostic each of the others.
	Errors   []string
	Warnings []string // when not nil, the warnings are as many, each containing its phrase
	Stdout   *string  // what the program prints; nil for anything. A last newline may be missing
	Stderr   []string // phrases that standard error contains
	Exit     int
}

// Result is what a case did.
type Result struct {
	Refused        string // the diagnostics; "" when the program was accepted
	Fault          string // what the compiler did wrong, or why the program could not be run
	Stdout, Stderr string
	Exit           int
}

const (
	batch    = 250 // programs of one executable
	patience = 30 * time.Second
)

// Run runs every case as a subtest.
func Run(t *testing.T, cases []Case) {
	t.Helper()
	run(t, cases, build.Options{})
}

func run(t *testing.T, cases []Case, options build.Options) {
	t.Helper()
	results := results(t, cases, options)
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			for _, problem := range c.problems(results[i]) {
				t.Error(problem)
			}
		})
	}
}

// Results runs every case and gives what came of it, in the same order.
func Results(t *testing.T, cases []Case) []Result {
	t.Helper()
	return results(t, cases, build.Options{})
}

func results(t *testing.T, cases []Case, options build.Options) []Result {
	t.Helper()
	r := &runner{t: t, options: options, root: t.TempDir(), cases: cases, results: make([]Result, len(cases)), files: make([]build.Files, len(cases))}
	r.each(len(cases), r.compile)
	var accepted []int
	for i := range cases {
		if r.files[i] != nil {
			accepted = append(accepted, i)
		}
	}
	for part := range slices.Chunk(accepted, batch) {
		r.build(part)
	}
	return r.results
}

type runner struct {
	t       *testing.T
	options build.Options
	root    string
	cases   []Case
	results []Result
	files   []build.Files // of those that were accepted
}

// each calls f with all numbers below n, several at once.
func (r *runner) each(n int, f func(i int)) {
	var all sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}

func (r *runner) dir(i int) string { return filepath.Join(r.root, strconv.Itoa(i)) }

// compile writes and compiles a case.
func (r *runner) compile(i int) {
	c, out := &r.cases[i], &r.results[i]
	defer func() {
		if p := recover(); p != nil {
			out.Fault = fmt.Sprintf("the compiler panics: %v\n%s", p, stack())
		}
	}()
	for name, text := range c.Files {
		path := filepath.Join(r.dir(i), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			r.t.Error(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			r.t.Error(err)
		}
	}
	entry := c.Entry
	if entry == "" {
		entry = "main.pluto"
	}
	p := compiler.Check(filepath.Join(r.dir(i), filepath.FromSlash(entry)), load.Options{Base: r.dir(i), Test: c.Test, Offline: true})
	generated, err := compiler.Generate(p)
	switch {
	case err != nil:
		out.Fault = err.Error()
	case generated == nil:
		out.Refused = text(p)
	default:
		if c.Warnings != nil {
			if problem := warned(c.Warnings, p); problem != "" {
				out.Fault = problem
			}
		}
		r.files[i] = generated.Files
	}
}

func stack() []byte {
	b := make([]byte, 16<<10)
	return b[:runtime.Stack(b, false)]
}

// text is what the compiler says of the program.
func text(p *check.Program) string {
	var b bytes.Buffer
	_ = diag.Print(&b, p.Diags.Sorted(), diag.Style{})
	return b.String()
}

// warned compares the warnings of a program with phrases.
func warned(want []string, p *check.Program) string {
	var got []string
	for _, d := range p.Diags.Sorted() {
		if d.Severity == diag.Warning {
			got = append(got, d.Message)
		}
	}
	if slices.EqualFunc(got, want, strings.Contains) {
		return ""
	}
	return fmt.Sprintf("warns\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// build builds and runs some of the cases.
func (r *runner) build(part []int) {
	programs := map[string]build.Files{}
	for _, i := range part {
		programs[strconv.Itoa(i)] = r.files[i]
	}
	p, refused, err := build.Batch(r.t.Context(), programs, r.options)
	for name, text := range refused {
		i, _ := strconv.Atoi(name)
		r.results[i].Fault = "Go refuses what the compiler accepts:\n" + text
		r.files[i] = nil
	}
	if err != nil {
		r.t.Fatal(err)
	}
	defer p.Close()
	r.each(len(part), func(k int) {
		if i := part[k]; r.files[i] != nil && r.results[i].Fault == "" {
			r.run(p, i)
		}
	})
}

// run runs a case.
func (r *runner) run(p *build.Program, i int) {
	c, out := &r.cases[i], &r.results[i]
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code, err := compiler.Exec(ctx, compiler.Process{
		Path: p.Path, Args: c.Args, Dir: r.dir(i), Env: append([]string{build.ProgramVariable + "=" + strconv.Itoa(i)}, c.Env...),
		In: strings.NewReader(c.Stdin), Out: &stdout, Err: &stderr, Group: true,
	})
	out.Stdout, out.Stderr, out.Exit = stdout.String(), stderr.String(), code
	if err != nil {
		out.Fault = fmt.Sprintf("%v; until then it printed\n%s%s", err, out.Stdout, out.Stderr)
	}
}

// problems says where a result is not what the case wants.
func (c *Case) problems(r Result) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	source := func() string {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			fmt.Fprintf(&b, "-- %s --\n%s", name, c.Files[name])
		}
		return b.String()
	}
	switch {
	case r.Fault != "":
		say("%s\n%s", r.Fault, source())
	case c.Errors != nil && r.Refused == "":
		say("the program is accepted, want the error %q\n%s", c.Errors, source())
	case c.Errors != nil:
		first, _, _ := strings.Cut(r.Refused, "\n")
		for i, phrase := range c.Errors {
			if i == 0 && !strings.Contains(first, phrase) || !strings.Contains(r.Refused, phrase) {
				say("reported\n%swant %q\n%s", r.Refused, phrase, source())
			}
		}
	case r.Refused != "":
		say("the program is refused\n%s%s", r.Refused, source())
	default:
		if c.Stdout != nil && r.Stdout != *c.Stdout && r.Stdout+"\n" != *c.Stdout {
			say("printed\n%s\nwant\n%s\nstderr\n%s\n%s", r.Stdout, *c.Stdout, r.Stderr, source())
		}
		for _, phrase := range c.Stderr {
			if !strings.Contains(r.Stderr, phrase) {
				say("stderr\n%s\nwant %q\n%s", r.Stderr, phrase, source())
			}
		}
		if r.Exit != c.Exit {
			say("exit code %d, want %d\nstderr\n%s\n%s", r.Exit, c.Exit, r.Stderr, source())
		}
	}
	return out
}
