package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/plutoapp"
	"github.com/settgraph/sett/sdk"
)

// What check, build and test share: they work on Go, TypeScript, JavaScript and Pluto. What
// names nothing but Pluto goes to the compiler of Pluto at once, which knows flags of its own
// and prints as compilers do.

// work is a project with the targets of a verb.
type work struct {
	*sdk.Project
	targets []string // from the root; none: all
	bar     *progress
}

// work opens the project that the targets are in; nil when there is nothing but Pluto in them
// and nothing general is asked for.
func (e *env) work(ctx context.Context, args []string, general bool) (*work, error) {
	if !general && len(args) > 0 && !slices.ContainsFunc(args, func(a string) bool { return !plutoapp.IsSource(a) }) {
		return nil, nil
	}
	base := e.project
	if base == "" {
		base = "."
	}
	first := base
	if e.project == "" && len(args) > 0 {
		first = filepath.Dir(args[0])
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			first = args[0]
		} else if errors.Is(err, os.ErrNotExist) && !general {
			return nil, &usageError{text: fmt.Sprintf("there is no file or folder %s", args[0])}
		}
	}
	root, err := app.Root(first)
	if err != nil {
		return nil, err
	}
	if base, err = filepath.Abs(base); err == nil {
		base, err = filepath.EvalSymlinks(base)
	}
	if err != nil {
		return nil, fmt.Errorf("finding the project: %w", err)
	}
	if len(args) == 0 {
		args = []string{base} // -C may name a folder of the project
	}
	targets, err := app.Targets(root, base, args)
	if err != nil {
		return nil, err
	}
	w := &work{targets: targets, bar: newProgress(e)}
	if w.Project, err = sdk.Open(root, sdk.Options{NoRefresh: e.noRefresh, Progress: w.bar.tell}); err != nil {
		return nil, err
	}
	if general {
		return w, nil
	}
	if pluto, err := w.onlyPluto(ctx, args); err != nil || pluto {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// onlyPluto says whether there is nothing in the targets but Pluto. Folders that are ignored
// may have Pluto files all the same.
func (w *work) onlyPluto(ctx context.Context, args []string) (bool, error) {
	langs, err := w.Languages(ctx, w.targets)
	if err != nil {
		return false, err
	}
	if langs["go"] || langs["ts"] || langs["pluto"] {
		return !langs["go"] && !langs["ts"], nil
	}
	return !slices.ContainsFunc(args, func(a string) bool { return !holdsPluto(a) }), nil
}

// holdsPluto says whether a path is a file of Pluto or a folder with one.
func holdsPluto(path string) bool {
	entries, err := os.ReadDir(path)
	if err != nil {
		return plutoapp.IsSource(path)
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return plutoapp.IsSource(e.Name()) })
}

// done prints what came of a build or of tests; the exit code says whether all went well.
func (e *env) done(res any, ok bool) error {
	text, err := app.Render(res, e.form())
	if err != nil {
		return err
	}
	if err := write(e.stdout, text); err != nil {
		return err
	}
	if !ok {
		return exitError(exitNothing)
	}
	return nil
}

func write(out io.Writer, text []byte) error {
	if _, err := out.Write(text); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// atDash parts the arguments at `--`.
func atDash(cmd *cobra.Command, args []string) (named, rest []string) {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return args[:n:n], args[n:]
	}
	return args, nil
}

// onlyFor refuses flags that mean nothing to what a verb works on.
func onlyFor(cmd *cobra.Command, what string, flags ...string) error {
	for _, f := range flags {
		if cmd.Flags().Changed(f) {
			return misuse(cmd, "--%s is for %s", f, what)
		}
	}
	return nil
}

// forms refuses the forms that the answer of a verb does not have.
func (e *env) forms(cmd *cobra.Command, names ...string) error {
	if slices.Contains(names, e.format) {
		return nil
	}
	return misuse(cmd, "the answer has no form %s; one of %s", e.format, strings.Join(names, ", "))
}
