package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/load"
)

func watchVerb(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "run a Pluto program or its tests again when a file changes",
		Long: "Run a program, or tests, and again whenever one of the files changes that it consists of:\n" +
			"its own, the modules that it imports, and manifests. A program that still runs is ended with\n" +
			"everything it has started. Errors are printed, and the next change is waited for.",
		Example: "  sett watch run main.pluto\n  sett watch test --no-clear",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse(cmd, "cannot watch %q; one of run, test", args[0])
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(watchRun(e), watchTest(e))
	return cmd
}

func watchRun(e *env) *cobra.Command {
	var program program
	var noClear bool
	cmd := &cobra.Command{
		Use:   "run [FILE|DIR] [-- ARGS...]",
		Short: "run a program again when a file changes",
		RunE: func(cmd *cobra.Command, args []string) error {
			named, rest := args, []string(nil)
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				named, rest = args[:n], args[n:]
			}
			if len(named) > 1 {
				return misuse(cmd, "unexpected argument %q", named[1])
			}
			entry, err := e.entry(named)
			if err != nil {
				return err
			}
			w := &watch{env: e, noClear: noClear, what: "File changed, recompiling...", line: strings.Repeat("=", 60)}
			return w.loop(cmd.Context(), func(ctx context.Context, depends func([]string)) {
				e.runOnce(ctx, depends, entry, program.options(), rest)
			})
		},
	}
	program.declare(cmd)
	cmd.Flags().BoolVar(&noClear, "no-clear", false, "leave what is on the screen")
	return cmd
}

func watchTest(e *env) *cobra.Command {
	var program program
	var o compiler.TestOptions
	var noClear bool
	cmd := &cobra.Command{
		Use:   "test [FILE|DIR...]",
		Short: "run tests again when a file changes",
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := e.testFiles(args); err != nil {
				return err
			}
			w := &watch{env: e, noClear: noClear, what: "File changed, recompiling tests..."}
			return w.loop(cmd.Context(), func(ctx context.Context, depends func([]string)) {
				e.testOnce(ctx, depends, args, program.options(), o)
			})
		},
	}
	program.declare(cmd)
	cmd.Flags().BoolVar(&noClear, "no-clear", false, "leave what is on the screen")
	cmd.Flags().BoolVar(&o.NoCache, "no-cache", false, "run tests that nothing has changed for too")
	return cmd
}

// runOnce builds and runs a program, and says which files it depends on. What goes wrong is
// printed: the next change may mend it.
func (e *env) runOnce(ctx context.Context, depends func([]string), entry string, o load.Options, args []string) {
	p := checkEntry(ctx, entry, o)
	depends(p.Project.Watch)
	err := func() error {
		built, err := e.built(ctx, p, build.Options{})
		if err != nil {
			return err
		}
		defer built.Close()
		code, err := compiler.Exec(ctx, compiler.Process{Path: built.Path, Args: args, Out: e.stdout, Err: e.stderr, Group: true})
		if err == nil && code != 0 {
			fmt.Fprintf(e.stderr, "sett: the program ended with code %d\n", code)
		}
		return err
	}()
	e.fault(ctx, err)
}

// fault prints an error that is not the end.
func (e *env) fault(ctx context.Context, err error) {
	var exit exitError
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) {
		fmt.Fprintf(e.stderr, "sett: %v\n", err)
	}
}

// testOnce runs tests, and says which files they depend on.
func (e *env) testOnce(ctx context.Context, depends func([]string), args []string, o load.Options, to compiler.TestOptions) {
	o.Test = true
	files, err := e.testFiles(args)
	var all []string
	for _, file := range files {
		all = append(all, load.Load(file, o).Watch...)
	}
	for _, arg := range args {
		if abs, err := filepath.Abs(arg); err == nil {
			all = append(all, abs) // where a new file with tests can come to be
		}
	}
	depends(all)
	if err == nil {
		err = e.test(ctx, files, o, to)
	}
	if ctx.Err() != nil {
		return
	}
	verdict := "✓ TESTS PASSED"
	if err != nil {
		verdict = "✗ TESTS FAILED"
	}
	fmt.Fprintf(e.stdout, "%s\n%s\n", strings.Repeat("=", 25), verdict)
	e.fault(ctx, err)
}

// quiet is how long nothing must have changed before something is done about the changes.
const quiet = 100 * time.Millisecond

// watch runs something again and again.
type watch struct {
	env     *env
	noClear bool
	what    string // said when something changed
	line    string // said after that; "" for nothing

	notify *fsnotify.Watcher
	dirs   map[string]bool // that are watched
	files  map[string]bool // whose changes count; in a watched folder those of all sources do
}

// loop calls once, and again when something changed that it depends on. A call that has not
// ended by then is cancelled and waited for.
func (w *watch) loop(ctx context.Context, once func(ctx context.Context, depends func([]string))) error {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching files: %w", err)
	}
	defer notify.Close()
	w.notify = notify
	for {
		callCtx, cancel := context.WithCancel(ctx)
		depends, followed, ended := make(chan []string), make(chan struct{}), make(chan struct{})
		began := time.Now()
		go func() {
			defer close(ended)
			once(callCtx, func(paths []string) {
				select { // what a program does to its own folder comes after this
				case depends <- paths:
					<-followed
				case <-callCtx.Done():
				}
			})
		}()
		changed := w.wait(ctx, depends, followed, began)
		cancel()
		<-ended
		if !changed {
			return nil
		}
		w.announce()
	}
}

// wait waits until something changed and then nothing any more for a while; it is false when
// the context ended before.
func (w *watch) wait(ctx context.Context, depends <-chan []string, followed chan<- struct{}, began time.Time) bool {
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-settled:
			return true
		case paths := <-depends:
			if w.follow(paths, began) {
				settled = time.After(quiet)
			}
			close(followed)
		case event := <-w.notify.Events:
			if w.counts(event) {
				settled = time.After(quiet)
			}
		case <-w.notify.Errors: // too much happened at once
			settled = time.After(quiet)
		}
	}
}

// follow watches the folders of the paths, and no others any more. It says whether one of the
// paths changed after the time given, when it may not have been watched.
func (w *watch) follow(paths []string, began time.Time) (changed bool) {
	if len(paths) == 0 {
		return false // nothing could be found out; what was watched stays so
	}
	before := w.dirs
	w.dirs, w.files = map[string]bool{}, map[string]bool{}
	for _, path := range paths {
		info, err := os.Stat(path)
		changed = changed || err == nil && info.ModTime().After(began)
		if err != nil || !info.IsDir() {
			w.files[path] = true
			path = filepath.Dir(path)
		}
		for w.notify.Add(path) != nil && filepath.Dir(path) != path {
			w.files[path] = true // when it comes to be, that is a change
			path = filepath.Dir(path)
		}
		w.dirs[path] = true
	}
	for dir := range before {
		if !w.dirs[dir] {
			_ = w.notify.Remove(dir) // it may be gone
		}
	}
	return changed
}

// counts says whether an event is a change.
func (w *watch) counts(event fsnotify.Event) bool {
	name := filepath.Base(event.Name)
	switch {
	case event.Op == fsnotify.Chmod:
		return false
	case w.files[event.Name]:
		return true
	}
	return isSource(name) && !strings.HasPrefix(name, ".")
}

func (w *watch) announce() {
	if !w.noClear {
		fmt.Fprint(w.env.stdout, "\x1b[2J\x1b[H")
	}
	fmt.Fprintln(w.env.stdout, w.what)
	if w.line != "" {
		fmt.Fprintln(w.env.stdout, w.line)
	}
}
