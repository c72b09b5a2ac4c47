package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
)

func checkVerb(e *env) *cobra.Command {
	var program program
	var tests bool
	cmd := &cobra.Command{
		Use:   "check [FILE|DIR...]",
		Short: "say what is wrong with Pluto programs",
		Long: "Check the program of each FILE, or the one in DIR (its main.pluto, or else all its files),\n" +
			"with everything that it imports, and print what is wrong on standard error:\n\n" +
			"  file:line:col: error[code]: message\n\n" +
			"The first error is the one to mend first. `sett explain CODE` says more about one.\n\n" +
			"Exit codes: 0 nothing is wrong, or only warnings; 1 errors; 2 misuse; 3 not checked.",
		Example: "  sett check\n  sett check src/main.pluto lib --tests\n  sett check --json > report.json",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := e.linesOrJSON(cmd); err != nil {
				return err
			}
			entries, err := e.entries(args)
			if err != nil {
				return err
			}
			var all diag.List
			for _, entry := range entries {
				for _, p := range checks(cmd.Context(), entry, program.options(), tests) {
					for _, d := range p.Diags.Sorted() {
						all.Add(d)
					}
					for _, c := range p.Project.Lock {
						fmt.Fprintf(e.stderr, "%s: %s\n", load.LockName, c)
					}
				}
			}
			return e.checked(all.Sorted(), all.Errors())
		},
	}
	program.declare(cmd)
	cmd.Flags().BoolVar(&tests, "tests", false, "check the test blocks of the named files too")
	return cmd
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
