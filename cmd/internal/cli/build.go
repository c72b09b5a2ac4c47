package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/plutoapp"
	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
)

func buildVerb(e *env) *cobra.Command {
	var program program
	var output, target, emit string
	var race bool
	cmd := &cobra.Command{
		Use:     "build [FILE|DIR]",
		Aliases: []string{"compile"},
		Short:   "build a Pluto program into an executable",
		Long: "Build the program of FILE, or the one in DIR (its main.pluto; default: the current folder), into\n" +
			"one executable file that needs nothing else, for this system or another. With --emit go, write\n" +
			"the Go module that it is built from instead.\n\n" +
			"Exit codes: 0 built; 1 the program has errors, which are printed on standard error;\n" +
			"2 misuse; 3 not built.",
		Example: "  sett build main.pluto -o shop\n  sett build --target linux/arm64\n  sett build main.pluto --target wasm32-wasi\n  sett build main.pluto --emit go -o shop-go",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return misuse(cmd, "unexpected argument %q", args[1])
			case emit != "" && emit != "go":
				return misuse(cmd, "cannot emit %q; one of go", emit)
			case emit != "" && (target != "" || race):
				return misuse(cmd, "--emit go builds nothing; it goes without --target and --race")
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
	flags.BoolVar(&race, "race", false, "with Go's race detector")
	flags.StringVar(&emit, "emit", "", "write this `KIND` of text instead of an executable: go")
	return cmd
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
	if err := plutoapp.CopyProgram(p.Path, output); err != nil {
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
