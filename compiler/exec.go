package compiler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/settgraph/sett/compiler/process"
)

// Process says how a built program is run.
type Process struct {
	Path string
	Args []string
	Env  []string // added to that of this process
	Dir  string   // "" for the working folder

	In       io.Reader
	Out, Err io.Writer

	// Group gives the program a process group of its own, which ends with it. Without it the
	// program is in the foreground like this process, and can read from the terminal.
	Group   bool
	Signals <-chan os.Signal // passed on to the program; nil for none
}

// patience is how long a program has to end once it was asked to.
const patience = time.Second

// Exec runs a program and returns its exit code: 1 when a signal ended it. When the context
// ends, the program is asked to end, and then made to; the error is that of the context.
func Exec(ctx context.Context, p Process) (int, error) {
	// where the system can end the program with us, it is with the thread that started it
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command(p.Path, p.Args...)
	cmd.Env = append(os.Environ(), p.Env...)
	cmd.Dir = p.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.In, p.Out, p.Err
	cmd.SysProcAttr = process.Attributes(p.Group)
	cmd.WaitDelay = patience // for pipes that somebody else holds open
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("starting the program: %w", err)
	}
	release := func() {}
	if p.Group {
		release = process.Guard(cmd.Process)
	}
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		p.watch(ctx, cmd.Process, ended)
	}()
	err := cmd.Wait()
	close(ended)
	<-watched
	if p.Group {
		process.Kill(cmd.Process, true) // what it has left behind
	}
	release()
	if ctxErr := ctx.Err(); ctxErr != nil {
		return 0, ctxErr
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode(), nil
	case errors.As(err, &exit):
		return 1, nil
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return 0, fmt.Errorf("running the program: %w", err)
	}
	return cmd.ProcessState.ExitCode(), nil
}

// watch passes signals on, and ends the process when the context ends.
func (p Process) watch(ctx context.Context, program *os.Process, ended <-chan struct{}) {
	done := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case <-ended:
			return
		case s := <-p.Signals:
			_ = program.Signal(s) // it may have ended meanwhile
		case <-done:
			process.Terminate(program, p.Group)
			late, done = time.After(patience), nil
		case <-late:
			process.Kill(program, p.Group)
			late = nil
		}
	}
}
