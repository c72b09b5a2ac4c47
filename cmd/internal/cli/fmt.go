package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

func fmtVerb(e *env) *cobra.Command {
	var check, stdin bool
	cmd := &cobra.Command{
		Use:   "fmt [FILE|DIR...]",
		Short: "lay Pluto source out in the standard way",
		Long: "Rewrite the .pluto and .pt files that are named, and those in and below the folders (default:\n" +
			"the current one), and list those that changed. Comments and the order of things stay. A file\n" +
			"with a syntax error is left alone.\n\n" +
			"Exit codes: 0 done; 1 a file has a syntax error, or --check found one that is laid out\n" +
			"otherwise; 2 misuse; 3 not done.",
		Example: "  sett fmt\n  sett fmt --check              # in CI\n  sett fmt --stdin < main.pluto",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			if stdin {
				if len(args) > 0 || check {
					return misuse(cmd, "--stdin goes with nothing else")
				}
				return e.formatStdin()
			}
			files, err := e.sources(args)
			if err != nil {
				return err
			}
			return e.formatFiles(files, check)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&check, "check", false, "change nothing; list the files that would change, and exit 1 if there are any")
	flags.BoolVar(&stdin, "stdin", false, "format standard input to standard output")
	return cmd
}

// sources are the source files that are named, and those below the folders that are named.
func (e *env) sources(args []string) ([]string, error) {
	entries, err := e.entries(args)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		err := filepath.WalkDir(entry, func(path string, d fs.DirEntry, err error) error {
			name := d.Name()
			switch {
			case err != nil:
				return err
			case path == entry:
				if !d.IsDir() {
					files = append(files, path)
				}
			case d.IsDir() && strings.HasPrefix(name, "."):
				return filepath.SkipDir
			case d.Type().IsRegular() && !strings.HasPrefix(name, ".") && isSource(name):
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for source files: %w", err)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".pluto") || strings.HasSuffix(name, ".pt")
}

// format lays a text out; the diagnostics are its syntax errors.
func format(name, text string) (string, []*diag.Diagnostic) {
	var diags diag.List
	f := syntax.Parse(source.NewFile(name, "", text), &diags)
	if diags.Errors() > 0 {
		return text, diags.Sorted()
	}
	return syntax.Format(f), nil
}

func (e *env) formatStdin() error {
	text, err := io.ReadAll(e.stdin)
	if err != nil {
		return fmt.Errorf("reading standard input: %w", err)
	}
	out, diags := format("stdin", string(text))
	if len(diags) > 0 {
		if err := e.say(diags); err != nil {
			return err
		}
		return exitError(exitNothing)
	}
	_, err = io.WriteString(e.stdout, out)
	return err
}

// formatFiles formats files, or says which are not formatted.
func (e *env) formatFiles(files []string, check bool) error {
	bad := false
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("reading %s: %w", file, reason(err))
		}
		if strings.HasPrefix(string(text), "PLTO") {
			continue // the binary form has no layout
		}
		out, diags := format(filepath.ToSlash(file), string(text))
		if len(diags) > 0 {
			bad = true
			if err := e.say(diags); err != nil {
				return err
			}
			continue
		}
		if out == string(text) {
			continue
		}
		if check {
			bad = true
		} else if err := rewrite(file, out); err != nil {
			return fmt.Errorf("writing %s: %w", file, reason(err))
		}
		if _, err := fmt.Fprintln(e.stdout, filepath.ToSlash(file)); err != nil {
			return err
		}
	}
	if bad {
		return exitError(exitNothing)
	}
	return nil
}

// reason is an error of the system without the path, which the message names already.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// rewrite replaces the text of a file at once: nobody finds half of it, also after a crash.
func rewrite(file, text string) error {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // a link stays one
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".sett-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(text)
	if err := errors.Join(err, tmp.Chmod(mode), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
