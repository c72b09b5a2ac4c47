package cli

import (
	"context"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
)

func runVerb(e *env) *cobra.Command {
	var program program
	cmd := &cobra.Command{
		Use:   "run [FILE|DIR] [-- ARGS...]",
		Short: "run a Pluto program",
		Long: "Build the program of FILE, or the one in DIR (its main.pluto; default: the current folder), and\n" +
			"run it with the arguments after `--`. An unchanged program starts without a build.\n\n" +
			"The exit code is the program's: 1 when it failed or a signal ended it. It is 1 also when the\n" +
			"program has errors, which are printed on standard error; 2 misuse; 3 our fault.",
		Example: "  sett run main.pluto\n  sett run shop -- --port 8080",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			named, rest := args, []string(nil)
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				named, rest = args[:n], args[n:]
			}
			if len(named) > 1 {
				named, rest = named[:1], append(named[1:len(named):len(named)], rest...)
			}
			entry, err := e.entry(named)
			if err != nil {
				return err
			}
			built, err := e.built(cmd.Context(), checkEntry(cmd.Context(), entry, program.options()), build.Options{})
			if err != nil {
				return err
			}
			defer built.Close()
			return e.exec(cmd.Context(), compiler.Process{Path: built.Path, Args: rest})
		},
	}
	program.declare(cmd)
	return cmd
}

// exec runs a program in our place: it has our input and output, gets our signals, and its
// exit code is ours.
func (e *env) exec(ctx context.Context, p compiler.Process) error {
	p.In, p.Out, p.Err = e.stdin, e.stdout, e.stderr
	signals, interrupts := make(chan os.Signal, 8), make(chan os.Signal, 1)
	signal.Notify(signals, sentByHand...)
	if in, ok := e.stdin.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		signal.Notify(interrupts, os.Interrupt) // the keyboard's reaches the program too
	} else {
		signal.Notify(signals, os.Interrupt)
	}
	defer signal.Stop(signals)
	defer signal.Stop(interrupts)
	p.Signals = signals
	// the program decides what an interrupt means
	code, err := compiler.Exec(context.WithoutCancel(ctx), p)
	if err != nil || code == 0 {
		return err
	}
	return exitError(code)
}
