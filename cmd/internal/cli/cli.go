// Package cli is the command line. Every question of the query table becomes a verb
// (query.go); each other verb has a file of its own and a line in the table in [newRoot].
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/sdk"
)

// The exit codes of every verb.
const (
	exitFound       = 0   // done, or something was found
	exitNothing     = 1   // nothing was found, or what was checked does not hold
	exitMisuse      = 2   // the command line makes no sense
	exitFault       = 3   // ours or the machine's fault
	exitInterrupted = 130 // as shells report an interrupt
)

// env is what one run of the program was given.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	project   string
	noRefresh bool
	format    string
	json      bool
	color     string
	verbose   bool
	profile   profile
	verbs     map[string]string // the commands that do what the tools of these names do
}

// exitError ends the program with a code; what there was to say has been said.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is a command line that makes no sense.
type usageError struct{ text, help string }

func (e *usageError) Error() string { return e.text }

// Main runs one command line and returns the exit code.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr, verbs: otherVerbs()}
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "sett: internal error: %v\n", r)
			if e.verbose {
				fmt.Fprintf(stderr, "%s", debug.Stack())
			}
			code = exitFault
		}
	}()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once

	root := newRoot(e)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if perr := e.profile.stop(); err == nil {
		err = perr
	}
	return e.finish(err)
}

// finish says what went wrong and returns the exit code.
func (e *env) finish(err error) int {
	var exit exitError
	var usage *usageError
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitFound
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &usage):
		fmt.Fprintf(e.stderr, "sett: %s\n%s", usage.text, usage.help)
		return exitMisuse
	}
	if text, code, ok := e.refused(err); ok {
		fmt.Fprintln(e.stderr, text)
		return code
	}
	text, class := app.Explain(err)
	switch class {
	case app.Nothing:
		fmt.Fprintln(e.stderr, text)
		return exitNothing
	case app.Misuse:
		fmt.Fprintln(e.stderr, text)
		return exitMisuse
	case app.Interrupted:
		fmt.Fprintln(e.stderr, "sett: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(e.stderr, "sett: %s\n", text)
	return exitFault
}

// newRoot builds the command tree. It runs on every start, so it only declares.
func newRoot(e *env) *cobra.Command {
	cobra.EnableCommandSorting = false // the tables' order is that of use
	root := &cobra.Command{
		Use:   "sett",
		Short: "ask a repository where things are, who uses them and what breaks",
		Long: "Sett indexes a repository into a graph of its declarations and answers questions\n" +
			"about it, exactly and in a few lines. The first question builds the index.\n\n" +
			"A symbol is a name (NewHead), a qualified name (tsdb.NewHead, Head.Append), a place\n" +
			"(tsdb/head.go:284) or the first 8 digits or more of a UUID.\n\n" +
			"Exit codes: 0 found, 1 nothing found, 2 misuse, 3 our fault.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownVerb(cmd, args[0])
			}
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error { return e.prepare() },
	}
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var value *params.Error
		if errors.As(err, &value) {
			err = value
		}
		return misuse(cmd, "%v", err)
	})

	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.StringVarP(&e.project, "project", "C", "", "work on the project that `DIR` is in (default: the current folder)")
	flags.BoolVar(&e.noRefresh, "no-refresh", false, "answer from the index as it is, without looking at the files")
	flags.StringVar(&e.format, "format", "lines", "form of the answer: lines, json, table, dot or mermaid; of checks, builds and tests also sarif or github")
	flags.BoolVar(&e.json, "json", false, "same as --format json")
	flags.StringVar(&e.color, "color", "auto", "colours: auto, always or never")
	flags.BoolVarP(&e.verbose, "verbose", "v", false, "say more on standard error")
	e.profile.declare(root)

	root.AddGroup(&cobra.Group{ID: groupAsk, Title: "Questions:"}, &cobra.Group{ID: groupCode, Title: "Checks, builds and tests:"}, &cobra.Group{ID: groupPluto, Title: "Pluto programs:"}, &cobra.Group{ID: groupWork, Title: "Commands:"})
	root.AddCommand(queryVerbs(e)...)
	for _, verb := range []func(*env) *cobra.Command{
		checkVerb, buildVerb, testVerb, runVerb, fmtVerb, newVerb, updateVerb, watchVerb, explainVerb, docsVerb,
		declVerb, fieldVerb, methodVerb, moduleVerb, undoVerb, redoVerb, historyVerb, ptVerb, migrateVerb, analyzeVerb,
		indexVerb, mcpVerb, debugVerb, versionVerb,
	} {
		root.AddCommand(verb(e))
	}
	root.SetHelpCommand(helpVerb(e))
	root.SetCompletionCommandGroupID(groupWork)
	root.SetHelpCommandGroupID(groupWork)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Short = "print the completion script of a shell"
		}
	}
	return root
}

// The groups of the help page.
const (
	groupAsk   = "ask"
	groupCode  = "code"
	groupPluto = "pluto"
	groupWork  = "work"
)

// prepare checks the global flags.
func (e *env) prepare() error {
	if e.json {
		e.format = "json"
	}
	if !slices.Contains(app.Forms(), e.format) {
		return &usageError{text: fmt.Sprintf("no format %q; one of %s", e.format, strings.Join(app.Forms(), ", "))}
	}
	if !slices.Contains([]string{"auto", "always", "never"}, e.color) {
		return &usageError{text: fmt.Sprintf("no color %q; one of auto, always, never", e.color)}
	}
	return e.profile.start()
}

// form returns the form of answers that the flags ask for.
func (e *env) form() app.Form {
	color := e.color == "always" || e.color == "auto" && isTerminal(e.stdout) && os.Getenv("NO_COLOR") == ""
	return app.Form{Name: e.format, Color: color}
}

// open opens the project that the flags name.
func (e *env) open(o sdk.Options) (*sdk.Project, error) {
	dir := e.project
	if dir == "" {
		dir = "."
	}
	root, err := app.Root(dir)
	if err != nil {
		return nil, err
	}
	o.NoRefresh = o.NoRefresh || e.noRefresh
	return sdk.Open(root, o)
}

// misuse returns a usageError that shows how the verb is used.
func misuse(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{
		text: fmt.Sprintf(format, args...),
		help: fmt.Sprintf("usage: %s\n(%s --help says more)\n", cmd.UseLine(), cmd.CommandPath()),
	}
}

func unknownVerb(cmd *cobra.Command, name string) error {
	text := fmt.Sprintf("no command %q", name)
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		text += "; did you mean " + strings.Join(near[:min(3, len(near))], ", ") + "?"
	}
	return &usageError{text: text, help: "(sett --help lists the commands)\n"}
}

// isTerminal reports whether w shows text to a person.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
