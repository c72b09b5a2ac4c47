package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/sdk"
)

func checkVerb(e *env) *cobra.Command {
	var program program
	var tests bool
	var o sdk.CheckOptions
	var stdin string
	cmd := &cobra.Command{
		Use:   "check [FILE|DIR...]",
		Short: "say what is wrong: type errors and more, in Go, TypeScript, JavaScript and Pluto",
		Long: "Check the FILEs and what is in and below the DIRs (default: the current folder) as the compiler\n" +
			"of each language does, without running it: Go as go build and go test would, TypeScript as\n" +
			"tsc --noEmit, Pluto with everything that it imports. What is wrong is printed as\n\n" +
			"  file:line:col: severity[code]: message\n\n" +
			"on standard error, or on standard output as json, sarif or github (annotations of a workflow).\n" +
			"Of a Pluto program the first error is the one to mend first; `sett explain CODE` says more.\n\n" +
			"Exit codes: 0 nothing is wrong, or only warnings; 1 errors; 2 misuse; 3 not checked.",
		Example: "  sett check\n  sett check --changed --vet\n  sett check tsdb web/src/app.ts\n  sett check --format sarif > report.sarif\n" +
			"  sett check --stdin-filename src/app.ts < draft.ts\n  sett check src/main.pluto lib --tests",
		GroupID: groupCode,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := e.forms(cmd, "lines", "json", "sarif", "github", "table"); err != nil {
				return err
			}
			general := o.Changed || o.Vet || o.NoTests || stdin != "" || e.format != "lines" && e.format != "json"
			w, err := e.work(cmd.Context(), append(args[:len(args):len(args)], named(stdin)...), general)
			if err != nil {
				return err
			}
			if w == nil {
				return e.checkPluto(cmd.Context(), args, program.options(), tests)
			}
			defer w.Close()
			if err := onlyFor(cmd, "programs of Pluto", "standalone", "stdlib", "tests"); err != nil {
				return err
			}
			return e.checkWork(cmd.Context(), w, o, stdin)
		},
	}
	program.declare(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&o.Changed, "changed", false, "only what differs from the last commit, and all that can be broken by it")
	flags.BoolVar(&o.Vet, "vet", false, "let go vet look at Go packages too")
	flags.BoolVar(&o.NoTests, "no-tests", false, "leave test files out")
	flags.StringVar(&stdin, "stdin-filename", "", "check standard input as the text of `FILE`, which need not be saved")
	flags.BoolVar(&tests, "tests", false, "of Pluto: check the test blocks of the named files too")
	return cmd
}

func named(file string) []string {
	if file == "" {
		return nil
	}
	return []string{file}
}

// checkWork checks a project of any languages.
func (e *env) checkWork(ctx context.Context, w *work, o sdk.CheckOptions, stdin string) error {
	o.Targets, o.Progress = w.targets, app.Progress(w.bar.tell)
	if stdin != "" {
		text, err := io.ReadAll(e.stdin)
		if err != nil {
			return fmt.Errorf("reading standard input: %w", err)
		}
		o.Text = map[string][]byte{w.targets[len(w.targets)-1]: text}
	}
	res, err := w.Check(ctx, o)
	w.bar.finish()
	if err != nil {
		return err
	}
	text, err := app.Render(res, e.form())
	if err != nil {
		return err
	}
	out := e.stdout
	if e.format == "lines" && len(res.Diagnostics) > 0 {
		out = e.stderr
	}
	if err := write(out, text); err != nil {
		return err
	}
	if res.Errors > 0 {
		return exitError(exitNothing)
	}
	return nil
}

// checkPluto checks programs of Pluto.
func (e *env) checkPluto(ctx context.Context, args []string, o load.Options, tests bool) error {
	entries, err := e.entries(args)
	if err != nil {
		return err
	}
	var all diag.List
	for _, entry := range entries {
		for _, p := range checks(ctx, entry, o, tests) {
			for _, d := range p.Diags.Sorted() {
				all.Add(d)
			}
			for _, c := range p.Project.Lock {
				fmt.Fprintf(e.stderr, "%s: %s\n", load.LockName, c)
			}
		}
	}
	return e.checked(all.Sorted(), all.Errors())
}

// entries are the files and folders that were named.
func (e *env) entries(args []string) ([]string, error) {
	if len(args) == 0 {
		args = []string{e.project}
	}
	var out []string
	for _, arg := range args {
		entry, err := e.entry([]string{arg})
		if err != nil {
			return nil, err
		}
		out = append(out, entry)
	}
	return out, nil
}

// checks checks a program, and as test runs those of its own files that have tests.
func checks(ctx context.Context, entry string, o load.Options, tests bool) []*check.Program {
	p := checkEntry(ctx, entry, o)
	out := []*check.Program{p}
	if !tests {
		return out
	}
	o.Test = true
	for _, f := range p.Project.Root.Files {
		if f.Src.Path != "" && compiler.HasTests(f) {
			out = append(out, checkEntry(ctx, f.Src.Path, o))
		}
	}
	return out
}

func (e *env) checked(diags []*diag.Diagnostic, errors int) error {
	var err error
	if e.format == "json" {
		err = diag.PrintJSON(e.stdout, diags)
	} else {
		err = e.say(diags)
	}
	if err == nil && errors > 0 {
		return exitError(exitNothing)
	}
	return err
}
