package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/sdk"
)

func buildVerb(e *env) *cobra.Command {
	var program program
	var output, target, emit string
	var race bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:     "build [FILE|DIR]...",
		Aliases: []string{"compile"},
		Short:   "build Go packages, JavaScript projects and Pluto programs",
		Long: "Build what FILE or DIR has (default: the current folder): Go packages with the go command,\n" +
			"TypeScript and JavaScript with the project's own build script and package manager, a Pluto\n" +
			"program (that of FILE, or main.pluto of DIR) into one executable file that needs nothing else.\n" +
			"With --emit go, write the Go module that a Pluto program is built from instead. The full output\n" +
			"of commands is kept in .sett/logs. What follows `--` goes to the go command or the script.\n\n" +
			"Exit codes: 0 built; 1 it has errors, which are printed; 2 misuse; 3 not built.",
		Example: "  sett build\n  sett build ./cmd/server -o server --target linux/arm64\n  sett build web\n  sett build main.pluto -o shop\n" +
			"  sett build main.pluto --target wasm32-wasi\n  sett build main.pluto --emit go -o shop-go",
		GroupID: groupCode,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, rest := atDash(cmd, args)
			switch {
			case emit != "" && emit != "go":
				return misuse(cmd, "cannot emit %q; one of go", emit)
			case emit != "" && (target != "" || race):
				return misuse(cmd, "--emit go builds nothing; it goes without --target and --race")
			}
			if timeout < 0 {
				return misuse(cmd, "--timeout wants something positive")
			}
			w, err := e.work(cmd.Context(), args, len(rest) > 0)
			if err != nil {
				return err
			}
			if w != nil {
				defer w.Close()
				if err := onlyFor(cmd, "programs of Pluto", "standalone", "stdlib", "race", "emit"); err != nil {
					return err
				}
				return e.buildWork(cmd, w, sdk.BuildOptions{Output: output, Target: target, Args: rest, Timeout: timeout})
			}
			if len(args) > 1 {
				return misuse(cmd, "unexpected argument %q", args[1])
			}
			entry, err := e.entry(args)
			if err != nil {
				return err
			}
			p := checkEntry(cmd.Context(), entry, program.options())
			if emit == "go" {
				return e.emit(cmd, p, entry, output)
			}
			built, err := e.built(cmd.Context(), p, build.Options{Target: target, Race: race, Release: true})
			if err != nil {
				return err
			}
			defer built.Close()
			return e.install(cmd, built, entry, output)
		},
	}
	program.declare(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&output, "output", "o", "", "write to `FILE` (default: the name of the program)")
	flags.StringVar(&target, "target", "", "build for `SYSTEM`: wasm32-wasi, or a pair like linux/arm64")
	flags.DurationVar(&timeout, "timeout", 10*time.Minute, "how long a command may take")
	flags.BoolVar(&race, "race", false, "of Pluto: with Go's race detector")
	flags.StringVar(&emit, "emit", "", "of Pluto: write this `KIND` of text instead of an executable: go")
	return cmd
}

// buildWork builds what a project of any languages has.
func (e *env) buildWork(cmd *cobra.Command, w *work, o sdk.BuildOptions) error {
	if err := e.forms(cmd, "lines", "json", "sarif", "github", "table"); err != nil {
		return err
	}
	if o.Output != "" {
		var err error
		if o.Output, err = filepath.Abs(o.Output); err != nil {
			return fmt.Errorf("finding %s: %w", o.Output, err)
		}
	}
	o.Targets, o.Progress = w.targets, app.Progress(w.bar.tell)
	res, err := w.Build(cmd.Context(), o)
	w.bar.finish()
	if err != nil {
		return err
	}
	return e.done(res, res.OK)
}

// install copies the program to where it was asked for.
func (e *env) install(cmd *cobra.Command, p *build.Program, entry, output string) error {
	name := baseName(entry) + filepath.Ext(p.Path)
	if filepath.Ext(p.Path) == "" && runtime.GOOS == "windows" {
		name = baseName(entry)
	}
	if output == "" {
		output = name
		if e.project != "" {
			output = filepath.Join(e.project, name)
		}
	}
	if info, err := os.Stat(output); err == nil && info.IsDir() {
		output = filepath.Join(output, name)
	}
	if isSource(output) {
		return misuse(cmd, "%s is source text; choose another name with -o", output)
	}
	if err := p.CopyTo(output); err != nil {
		return fmt.Errorf("writing %s: %w", output, reason(err))
	}
	return nil
}

// emit writes the Go module of the program.
func (e *env) emit(cmd *cobra.Command, p *check.Program, entry, output string) error {
	generated, err := compiler.Generate(p)
	if err != nil {
		return err
	}
	if err := e.tell(p); err != nil {
		return err
	}
	if generated == nil {
		return exitError(exitNothing)
	}
	if output == "" {
		output = filepath.Join(e.project, strings.TrimSuffix(baseName(entry), ".")+"-go")
	}
	if entries, err := os.ReadDir(output); err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(output, "rt")); err != nil {
			return misuse(cmd, "%s has something else in it; choose another folder with -o", output)
		}
	}
	if err := build.Write(output, generated.Files); err != nil {
		return fmt.Errorf("writing the Go module: %w", err)
	}
	return nil
}
