package gorun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// A runner runs go commands one after the other, in the time of the whole run.
type runner struct {
	ctx      context.Context
	o        Options
	modules  []*module
	where    *places
	deadline time.Time // zero for none
	overlay  string    // the file for -overlay, "" for none
	temp     string    // the folder of all that is temporary, also for the go command: it leaves files when it is ended
	notes    []string
}

// newRunner prepares a run; close ends it.
func (o Options) newRunner(ctx context.Context) (*runner, error) {
	if !filepath.IsAbs(o.Root) {
		return nil, fmt.Errorf("the root %q is not an absolute path", o.Root)
	}
	o.Root = filepath.Clean(o.Root)
	modules, err := o.modules()
	if err != nil {
		return nil, err
	}
	r := &runner{ctx: ctx, o: o, modules: modules, where: o.places(modules)}
	if o.Timeout > 0 {
		r.deadline = time.Now().Add(o.Timeout)
	}
	if r.temp, err = os.MkdirTemp("", "sett-go-"); err != nil {
		return nil, fmt.Errorf("making a folder for temporary files: %w", err)
	}
	if len(o.Overlay) > 0 {
		if err := r.lay(); err != nil {
			r.close()
			return nil, fmt.Errorf("laying unsaved text over files: %w", err)
		}
	}
	return r, nil
}

// lay writes the texts of the overlay and the file that tells the go command of them.
func (r *runner) lay() error {
	replace := map[string]string{}
	for i, file := range slices.Sorted(maps.Keys(r.o.Overlay)) {
		to := filepath.Join(r.temp, strconv.Itoa(i)+filepath.Ext(file))
		if err := os.WriteFile(to, r.o.Overlay[file], 0o600); err != nil {
			return err
		}
		replace[r.where.abs(file)] = to
		r.where.laid[to] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	r.overlay = filepath.Join(r.temp, "overlay.json")
	return os.WriteFile(r.overlay, text, 0o600)
}

func (r *runner) close() { _ = os.RemoveAll(r.temp) }

// command is a go command for a module.
func (r *runner) command(m *module, verb string, flags []string, rest ...string) child.Command {
	args := append([]string{"go", verb}, flags...)
	if r.overlay != "" {
		args = append(args, "-overlay="+r.overlay)
	}
	return child.Command{Dir: m.dir, Args: append(args, rest...), Env: m.env, Quit: true}
}

// run runs a command, which has a log.
func (r *runner) run(verb string, c child.Command) (*child.Result, report.Step, error) {
	if c.Log = child.LogFile(r.o.Root, verb); c.Log == "" {
		r.note("there is no log: neither the project nor the folder of temporary files can be written")
	} else if filepath.IsAbs(child.From(r.o.Root, c.Log)) {
		r.note("the log is not in the project, which cannot be written: " + c.Log)
	}
	res, err := r.quietly(c)
	if err != nil {
		return nil, report.Step{}, err
	}
	if res.LogCut {
		r.note("the log does not have everything: " + child.From(r.o.Root, c.Log))
	}
	shown := c // as somebody would type it: the file for -overlay goes with the run
	shown.Args = slices.DeleteFunc(slices.Clone(c.Args), func(a string) bool { return r.overlay != "" && a == "-overlay="+r.overlay })
	return res, res.Step("go", r.where.rel(c.Dir), shown, r.o.Root), nil
}

// quietly runs a command in the time that is left.
func (r *runner) quietly(c child.Command) (*child.Result, error) {
	if !r.deadline.IsZero() {
		c.Timeout = max(time.Until(r.deadline), time.Nanosecond)
	}
	if os.Getenv("GOTMPDIR") == "" {
		c.Env = append(slices.Clone(c.Env), "GOTMPDIR="+r.temp)
	}
	res, err := child.Run(r.ctx, c)
	if errors.Is(err, exec.ErrNotFound) {
		return nil, &report.Misuse{Text: "the go command is needed for this, and is not in PATH: install Go from https://go.dev/dl", Err: err}
	}
	return res, err
}

func (r *runner) note(words string) {
	if !slices.Contains(r.notes, words) {
		r.notes = append(r.notes, words)
	}
}

func (r *runner) tell(e report.Event) {
	if r.o.Progress != nil {
		r.o.Progress(e)
	}
}

// ended says in a note why a step did not end by itself, and whether that is so.
func (r *runner) ended(s report.Step) bool {
	switch {
	case s.TimedOut:
		r.note(fmt.Sprintf("time was up after %s", r.o.Timeout))
	case s.Canceled:
		r.note("the run was given up")
	default:
		return false
	}
	return true
}
