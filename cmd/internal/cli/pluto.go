package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/sdk/pluto"
)

// What the verbs of Pluto share.

// program is what the flags say about the program of a verb.
type program struct {
	standalone bool
	stdlib     string
}

func (p *program) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&p.standalone, "standalone", false, "leave out the other files of the folder")
	flags.StringVar(&p.stdlib, "stdlib", "", "use the standard library in `DIR`")
}

func (p *program) options() load.Options {
	return load.Options{Standalone: p.standalone, Stdlib: p.stdlib}
}

// entry is the file or folder that was named, or else the folder that the flags name.
func (e *env) entry(args []string) (string, error) {
	path := e.project
	if len(args) > 0 {
		path = args[0]
	}
	if path == "" {
		path = "."
	}
	if _, err := os.Stat(path); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return "", &usageError{text: fmt.Sprintf("there is no file or folder %s", path)}
		}
		return "", err
	}
	return path, nil
}

// checkEntry loads and checks a program, of whose files it sees all of an edit that another
// process makes or nothing of it.
func checkEntry(ctx context.Context, entry string, o load.Options) *check.Program {
	var p *check.Program
	read := func() error {
		p = compiler.Check(entry, o)
		return nil
	}
	root, err := app.Root(entry)
	if err != nil {
		_ = read()
		return p
	}
	_ = pluto.Whole(ctx, root, false, read) // it fails as read does: never
	return p
}

// say prints diagnostics on standard error, with the text they are about when a person reads.
func (e *env) say(diags []*diag.Diagnostic) error {
	terminal := isTerminal(e.stderr)
	color := e.color == "always" || e.color == "auto" && terminal && os.Getenv("NO_COLOR") == ""
	return diag.Print(e.stderr, diags, diag.Style{Source: color || terminal, Color: color})
}

// tell says what loading changed in the lock and what there is to say of the program.
func (e *env) tell(p *check.Program) error {
	for _, c := range p.Project.Lock {
		fmt.Fprintf(e.stderr, "%s: %s\n", load.LockName, c)
	}
	return e.say(p.Diags.Sorted())
}

// built builds a program after saying what there is to say of it; it is an exitError when
// the program has errors.
func (e *env) built(ctx context.Context, p *check.Program, o build.Options) (*build.Program, error) {
	built, err := compiler.Build(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if err := e.tell(p); err != nil {
		return nil, err
	}
	if built == nil {
		return nil, exitError(exitNothing)
	}
	return built, nil
}

// linesOrJSON refuses the forms that only answers to questions have.
func (e *env) linesOrJSON(cmd *cobra.Command) error {
	if e.format != "lines" && e.format != "json" {
		return misuse(cmd, "the answer has no form %s; one of lines, json", e.format)
	}
	return nil
}

// baseName is the name of a program: that of its file without the extension, or of its folder.
func baseName(entry string) string {
	if info, err := os.Stat(entry); err == nil && info.IsDir() {
		if abs, err := filepath.Abs(entry); err == nil {
			entry = abs
		}
		return filepath.Base(entry)
	}
	name := filepath.Base(entry)
	return strings.TrimSuffix(name, filepath.Ext(name))
}
