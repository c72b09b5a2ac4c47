package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/sdk"
)

func testVerb(e *env) *cobra.Command {
	var program program
	var o compiler.TestOptions
	var filter string
	var general sdk.TestOptions
	cmd := &cobra.Command{
		Use:   "test [FILE|DIR...]",
		Short: "run tests of Go, JavaScript, TypeScript and Pluto, or those that reach a symbol",
		Long: "Run the tests of the FILEs and of what is in and below the DIRs (default: the current folder):\n" +
			"Go's with go test, JavaScript's and TypeScript's with the project's own test script and package\n" +
			"manager (vitest, jest, mocha and node:test are understood), Pluto's test blocks with the compiler.\n" +
			"With --symbol, only the tests that reach a declaration. Counts come first, then for each failure\n" +
			"where it is, what was expected and what was there; all that was printed is kept in .sett/logs.\n" +
			"What follows `--` goes to the runner.\n\n" +
			"A failed test does not keep the others from running. Tests that passed and can only do so again,\n" +
			"because nothing they depend on has changed, are not run by Go and Pluto.\n\n" +
			"Exit codes: 0 all passed; 1 a test failed, or something has errors; 2 misuse; 3 our fault.",
		Example: "  sett test\n  sett test --symbol Head.Append\n  sett test ./tsdb --filter '^TestHead' --race\n  sett test web/src/cart.test.ts\n" +
			"  sett test math_test.pluto --filter '^adds'\n  sett test --json > report.json\n  sett test queue_test.pluto --seed 7 --iterations 1000",
		GroupID: groupCode,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, rest := atDash(cmd, args)
			wide := general.Symbol != "" || general.Race || general.Short || len(rest) > 0 || e.format != "lines" && e.format != "json"
			if o.Iterations < 0 || o.Timeout < 0 {
				return misuse(cmd, "--iterations and --timeout want something positive")
			}
			w, err := e.work(cmd.Context(), args, wide)
			if err != nil {
				return err
			}
			if w != nil {
				defer w.Close()
				if err := onlyFor(cmd, "tests of Pluto", "standalone", "stdlib", "fail-fast", "seed", "iterations", "no-cache"); err != nil {
					return err
				}
				general.Filter, general.Args, general.Timeout = filter, rest, testTime
				if cmd.Flags().Changed("timeout") {
					general.Timeout = o.Timeout
				}
				if general.Symbol == "" {
					general.Targets = w.targets
				} else if len(args) > 0 {
					return misuse(cmd, "--symbol finds its tests by itself; leave out %s", args[0])
				}
				return e.testWork(cmd, w, general)
			}
			if err := e.linesOrJSON(cmd); err != nil {
				return err
			}
			if filter != "" {
				re, err := regexp.Compile(filter)
				if err != nil {
					return misuse(cmd, "--filter: %v", err)
				}
				o.Filter = re
			}
			if _, err := strconv.ParseInt(o.Seed, 0, 64); o.Seed != "" && err != nil {
				if _, err := strconv.ParseUint(o.Seed, 0, 64); err != nil {
					return misuse(cmd, "--seed wants a number")
				}
			}
			files, err := e.testFiles(args)
			if err != nil {
				return err
			}
			return e.test(cmd.Context(), files, program.options(), o)
		},
	}
	program.declare(cmd)
	flags := cmd.Flags()
	flags.StringVar(&filter, "filter", "", "only the tests whose name matches the regular expression `RE`")
	flags.StringVar(&general.Symbol, "symbol", "", "only the tests that reach the declaration `NAME`")
	flags.StringVarP(&general.Path, "path", "p", "", "which declaration --symbol means: only those in this file, folder or glob")
	flags.BoolVar(&general.Race, "race", false, "of Go: with the race detector")
	flags.BoolVar(&general.Short, "short", false, "of Go: leave out what testing.Short leaves out")
	flags.BoolVar(&o.FailFast, "fail-fast", false, "of Pluto: stop after the first failure")
	flags.DurationVar(&o.Timeout, "timeout", time.Minute, "how long one test of Pluto may take, or the whole run of the others (default 10m)")
	flags.StringVar(&o.Seed, "seed", "", "of Pluto: the seed `N` of random schedules (default: another one each time)")
	flags.IntVar(&o.Iterations, "iterations", 0, "of Pluto: try `N` random schedules of each test (default 100)")
	flags.BoolVar(&o.NoCache, "no-cache", false, "of Pluto: run tests that nothing has changed for too")
	return cmd
}

// testTime is how long tests may take unless somebody says otherwise.
const testTime = 10 * time.Minute

// testWork runs the tests of a project of any languages.
func (e *env) testWork(cmd *cobra.Command, w *work, o sdk.TestOptions) error {
	if err := e.forms(cmd, "lines", "json", "sarif", "github", "table"); err != nil {
		return err
	}
	o.Progress = app.Progress(w.bar.tell)
	res, err := w.Test(cmd.Context(), o)
	w.bar.finish()
	if err != nil {
		return err
	}
	return e.done(res, res.OK)
}

// testFiles are the files that were named, and those with tests below the folders.
func (e *env) testFiles(args []string) ([]string, error) {
	entries, err := e.entries(args)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if info, err := os.Stat(entry); err == nil && !info.IsDir() {
			files = append(files, entry)
			continue
		}
		below, err := e.sources([]string{entry})
		if err != nil {
			return nil, err
		}
		for _, file := range below {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", file, reason(err))
			}
			// A file that cannot be read may have tests: its error is to be seen.
			if f, _ := load.Parse(file, file, data); f == nil || compiler.HasTests(f) {
				files = append(files, file)
			}
		}
	}
	if len(files) == 0 {
		return nil, &usageError{text: "there are no files with tests in " + entries[0]}
	}
	return files, nil
}

// test runs the tests of files, one file after the other.
func (e *env) test(ctx context.Context, files []string, lo load.Options, o compiler.TestOptions) error {
	lo.Test = true
	o.Results = e.format == "json"
	doc := testsJSON{Version: 1, Files: []testFileJSON{}}
	failed := false
	for _, file := range files {
		if len(files) > 1 && !o.Results {
			fmt.Fprintln(e.stdout, filepath.ToSlash(file))
		}
		p := checkEntry(ctx, file, lo)
		out, errs := e.stdout, e.stderr
		if o.Results {
			out, errs = io.Discard, io.Discard
		}
		report, err := e.testFile(ctx, p, o, compiler.Process{Out: out, Err: errs, In: e.stdin})
		if err != nil {
			return err
		}
		doc.add(filepath.ToSlash(file), p, report)
		failed = failed || report == nil || report.Count(compiler.Failed) > 0
		if failed && o.FailFast {
			break
		}
	}
	doc.OK = !failed
	if o.Filter != nil && doc.Passed+doc.Failed+doc.Unchanged+doc.Broken == 0 {
		fmt.Fprintf(e.stderr, "no test has a name that --filter %q matches\n", o.Filter)
	}
	switch {
	case o.Results:
		if err := writeJSON(e.stdout, doc); err != nil {
			return err
		}
	case len(files) > 1:
		fmt.Fprintf(e.stdout, "%s: %d passed, %d failed, %d unchanged, %d with errors\n",
			plural(len(files), "file"), doc.Passed, doc.Failed, doc.Unchanged, doc.Broken)
	}
	if failed {
		return exitError(exitNothing)
	}
	return nil
}

// testFile runs the tests of one file; there is no report when the file has errors, which
// are printed.
func (e *env) testFile(ctx context.Context, p *check.Program, o compiler.TestOptions, out compiler.Process) (*compiler.TestReport, error) {
	if !o.Results { // else they are in the document
		if err := e.tell(p); err != nil {
			return nil, err
		}
	}
	if p.Diags.Errors() > 0 {
		return nil, nil
	}
	report, err := compiler.Test(ctx, p, o, out)
	if err == nil && report == nil && !o.Results {
		err = e.tell(p)
	}
	return report, err
}

// testsJSON is the document of a test run.
type testsJSON struct {
	Version   int            `json:"version"`
	OK        bool           `json:"ok"`
	Passed    int            `json:"passed"`
	Failed    int            `json:"failed"`
	Unchanged int            `json:"unchanged"`
	NotRun    int            `json:"notRun"`
	Broken    int            `json:"filesWithErrors"`
	Files     []testFileJSON `json:"files"`
}

type testFileJSON struct {
	File        string       `json:"file"`
	Diagnostics []diag.Entry `json:"diagnostics"`
	Tests       []testJSON   `json:"tests"`
}

type testJSON struct {
	Name    string           `json:"name"`
	Line    int              `json:"line"`
	Outcome compiler.Outcome `json:"outcome"`
	Millis  float64          `json:"ms"`
	Output  string           `json:"output,omitempty"`
	Message string           `json:"message,omitempty"`
}

func (d *testsJSON) add(file string, p *check.Program, r *compiler.TestReport) {
	f := testFileJSON{File: file, Diagnostics: diag.NewDocument(p.Diags.Sorted()).Diagnostics, Tests: []testJSON{}}
	if r == nil {
		d.Broken++
	} else {
		d.Passed += r.Count(compiler.Passed)
		d.Failed += r.Count(compiler.Failed)
		d.Unchanged += r.Count(compiler.Unchanged)
		d.NotRun += r.Count(compiler.NotRun)
		for _, t := range r.Tests {
			f.Tests = append(f.Tests, testJSON{t.Name, t.Line, t.Outcome, float64(t.Took.Microseconds()) / 1000, t.Output, t.Message})
		}
	}
	d.Files = append(d.Files, f)
}
