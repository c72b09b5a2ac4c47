// Package child runs one child process and keeps it well: it has a process group that ends
// with it, its output is read as it comes and takes bounded memory and disk, and nothing that
// it does or leaves behind makes the caller wait for ever.
package child

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/settgraph/sett/compiler/process"
)

// Command says what is run, and how.
type Command struct {
	Dir     string        // absolute
	Args    []string      // Args[0] is looked up in PATH; with a slash it is a path, from Dir
	Env     []string      // added to ours; later ones win
	Timeout time.Duration // 0: none
	Log     string        // absolute path of the file that gets all output, made with its folder; "" for none
	Quit    bool          // it is asked to end with SIGQUIT, on which Go programs tell where they are

	// Stdout and Stderr are told of each line as it comes, without its line end, cut at 64 KB.
	// The bytes are theirs until they return. Neither is called while the other, or itself,
	// is running, nor after Run has returned. They may be nil.
	Stdout, Stderr func(line []byte)

	// Text is asked after Stdout what the log gets for a line of standard output; nil: the
	// line itself.
	Text func() []byte

	Keep int // bytes of the end of the joined output that Result.Tail keeps; 0: 8 KB
}

// Result says how a process ended.
type Result struct {
	Code     int    // the exit code; 128 and the number of the signal that ended it; -1 when it never ran
	Signal   string // the signal that ended it, in words; "" for none
	TimedOut bool   // it was ended because its time was up
	Canceled bool   // it was ended, or not started, because the context ended
	Took     time.Duration
	Bytes    int64  // that it printed
	Tail     []byte // the end of what it printed
	LogCut   bool   // the log does not have everything
}

const (
	grace = 2 * time.Second // between asking and killing, and for pipes that somebody else holds open
	keep  = 8 << 10
)

// Run runs the command until it ends, and then ends what is left of its process group. When
// its time is up or the context ends, the group is asked to end and after two seconds killed.
// Standard input is empty. How the process ends is never an error: an error means that it
// could not be started, or its log not be made. One of a program that is not there wraps
// [exec.ErrNotFound].
func Run(ctx context.Context, c Command) (*Result, error) {
	// where the system can end the program with us, it is with the thread that started it
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if ctx.Err() != nil {
		return &Result{Code: -1, Canceled: true}, nil
	}
	cmd, err := c.prepare()
	if err != nil {
		return nil, err
	}
	out := sink{keep: c.Keep}
	if out.keep <= 0 {
		out.keep = keep
	}
	if c.Log != "" {
		if out.log, err = createLog(c.Log); err != nil {
			return nil, err
		}
		defer out.log.Close()
	}
	var readers sync.WaitGroup
	stdout, err := pipe(&cmd.Stdout)
	if err != nil {
		return nil, err
	}
	defer stdout.close()
	stderr, err := pipe(&cmd.Stderr)
	if err != nil {
		return nil, err
	}
	defer stderr.close()

	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, c.explain(err)
	}
	release := process.Guard(cmd.Process)
	readers.Go(func() { out.read(stdout.r, c.Stdout, c.Text) })
	readers.Go(func() { out.read(stderr.r, c.Stderr, nil) })
	stdout.started()
	stderr.started()

	ended, watched := make(chan struct{}), make(chan struct{})
	res := &Result{}
	go func() {
		defer close(watched)
		c.watch(ctx, cmd.Process, ended, res)
	}()
	_ = cmd.Wait() // the state says how it ended
	close(ended)
	<-watched
	process.Kill(cmd.Process, true) // what it has left behind
	release()
	read := make(chan struct{})
	go func() {
		defer close(read)
		readers.Wait()
	}()
	select {
	case <-read:
	case <-time.After(grace): // somebody who left the group holds a pipe open
		stdout.close()
		stderr.close()
		select {
		case <-read:
		case <-time.After(grace):
		}
	}
	res.Took = time.Since(began)
	res.Bytes, res.Tail, res.LogCut = out.end()
	res.Code = cmd.ProcessState.ExitCode()
	if name, n := process.Signal(cmd.ProcessState); n != 0 {
		res.Signal, res.Code = name, 128+n
	}
	return res, nil
}

// watch ends the process group when time is up or the context ends.
func (c Command) watch(ctx context.Context, program *os.Process, ended <-chan struct{}, res *Result) {
	var late, killed <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		late = timer.C
	}
	done := ctx.Done()
	ask := process.Terminate
	if c.Quit {
		ask = process.Quit
	}
	for {
		select {
		case <-ended:
			return
		case <-done:
			res.Canceled = true
			ask(program, true)
		case <-late:
			res.TimedOut = true
			ask(program, true)
		case <-killed:
			process.Kill(program, true)
			killed = nil
			continue
		}
		done, late, killed = nil, nil, time.After(grace)
	}
}

// prepare finds the program and the folder.
func (c Command) prepare() (*exec.Cmd, error) {
	if len(c.Args) == 0 {
		return nil, errors.New("no program to run")
	}
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("running %s: there is no folder %s", c.Args[0], c.Dir)
	}
	path, err := c.find()
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{
		Path: path, Args: c.Args, Dir: c.Dir, Env: slices.Concat(os.Environ(), []string{"PWD=" + c.Dir}, c.Env),
		SysProcAttr: process.Attributes(true),
	}, nil
}

// find is the path of the program, in the PATH that it will have.
func (c Command) find() (string, error) {
	name := c.Args[0]
	if strings.ContainsAny(name, `/\`) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Dir, path)
		}
		found, err := exec.LookPath(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = exec.ErrNotFound
		}
		if err != nil {
			return "", fmt.Errorf("%s cannot be run: %w", name, reason(err))
		}
		return found, nil
	}
	list, given := os.Getenv("PATH"), false
	for _, e := range c.Env {
		if v, ok := strings.CutPrefix(e, "PATH="); ok {
			list, given = v, true
		}
	}
	if given {
		for _, dir := range filepath.SplitList(list) {
			if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil && filepath.IsAbs(found) {
				return found, nil
			}
		}
	} else if found, err := exec.LookPath(name); err == nil {
		return found, nil
	}
	return "", fmt.Errorf("%s is not installed, or its folder is not in PATH: %w", name, exec.ErrNotFound)
}

// reason is what an error says without the command that it repeats.
func reason(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// explain says why a program could not be started.
func (c Command) explain(err error) error {
	if errors.Is(err, syscall.E2BIG) {
		n := 0
		for _, a := range c.Args {
			n += len(a) + 1
		}
		return fmt.Errorf("starting %s: its %d arguments have %d bytes, more than the system takes; name fewer files or packages: %w",
			c.Args[0], len(c.Args), n, err)
	}
	return fmt.Errorf("starting %s: %w", c.Args[0], err)
}
