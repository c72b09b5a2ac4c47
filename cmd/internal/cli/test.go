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

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
)

func testVerb(e *env) *cobra.Command {
	var program program
	var o compiler.TestOptions
	var filter string
	cmd := &cobra.Command{
		Use:   "test [FILE|DIR...]",
		Short: "run the tests of Pluto files",
		Long: "Run the test blocks of each FILE, and those of the files in and below each DIR (default: the\n" +
			"current folder). A failed test does not keep the others from running. Tests that passed and\n" +
			"can only do so again, because nothing they depend on has changed, are not run.\n\n" +
			"Exit codes: 0 all passed; 1 a test failed, or a file has errors; 2 misuse; 3 our fault.",
		Example: "  sett test\n  sett test math_test.pluto --filter '^adds'\n  sett test --json > report.json\n  sett test queue_test.pluto --seed 7 --iterations 1000",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
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
			if o.Iterations < 0 || o.Timeout < 0 {
				return misuse(cmd, "--iterations and --timeout want something positive")
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
	flags.BoolVar(&o.FailFast, "fail-fast", false, "stop after the first failure")
	flags.DurationVar(&o.Timeout, "timeout", time.Minute, "how long one test may take")
	flags.StringVar(&o.Seed, "seed", "", "the seed `N` of random schedules (default: another one each time)")
	flags.IntVar(&o.Iterations, "iterations", 0, "try `N` random schedules of each test (default 100)")
	flags.BoolVar(&o.NoCache, "no-cache", false, "run tests that nothing has changed for too")
	return cmd
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
