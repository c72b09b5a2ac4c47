package cli

import (
	"bytes"
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
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/syntax"
)

func fmtVerb(e *env) *cobra.Command {
	var check, stdin bool
	cmd := &cobra.Command{
		Use:   "fmt [FILE|DIR...]",
		Short: "lay Pluto source out in the standard way",
		Long: "Rewrite the .pluto and .pt files that are named, and those in and below the folders (default:\n" +
			"the current one), and list those that changed. Comments and the order of things stay. A file\n" +
			"with a syntax error is left alone. One in the binary form stays in it, with the same identities.\n\n" +
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

// format lays the content of a source file out, which stays in the form that it has; the
// diagnostics are its errors.
func format(name string, data []byte) ([]byte, []*diag.Diagnostic) {
	f, diags := load.Parse(name, "", data)
	if diags.Errors() > 0 {
		return data, diags.Sorted()
	}
	text := syntax.Format(f)
	if !plto.Is(data) {
		return []byte(text), nil
	}
	if text == f.Src.Text {
		return data, nil
	}
	out, err := relaid(data, text)
	if err != nil {
		diags = &diag.List{}
		load.ReportBinary(diags, f.Src, err)
		return data, diags.Sorted()
	}
	return out, nil
}

// relaid is a module in the binary form with its text laid out otherwise. Its declarations
// are the same, and what was derived from the old text holds for the new one.
func relaid(data []byte, text string) ([]byte, error) {
	module, err := plto.Decode(data)
	if err != nil {
		return data, err
	}
	fresh := module.Fresh()
	module.Text = text
	if fresh {
		module.Derived.Source = plto.HashText(text)
	}
	return module.Encode()
}

func (e *env) formatStdin() error {
	data, err := io.ReadAll(e.stdin)
	if err != nil {
		return fmt.Errorf("reading standard input: %w", err)
	}
	out, diags := format("stdin", data)
	if len(diags) > 0 {
		if err := e.say(diags); err != nil {
			return err
		}
		return exitError(exitNothing)
	}
	_, err = e.stdout.Write(out)
	return err
}

// formatFiles formats files, or says which are not formatted.
func (e *env) formatFiles(files []string, check bool) error {
	bad := false
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("reading %s: %w", file, reason(err))
		}
		out, diags := format(filepath.ToSlash(file), data)
		if len(diags) > 0 {
			bad = true
			if err := e.say(diags); err != nil {
				return err
			}
			continue
		}
		if bytes.Equal(out, data) {
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

// rewrite replaces the content of a file at once: nobody finds half of it, also after a crash.
func rewrite(file string, content []byte) error {
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
	_, err = tmp.Write(content)
	if err := errors.Join(err, tmp.Chmod(mode), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
