//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// guard waits for the end of its input, which nobody ever writes to, and ends its group,
// itself included. What asks the group to end does not end the guard before the others.
const guard = `trap '' HUP INT QUIT TERM; read end; kill -KILL 0`

// Guard sees to it that the group of a program ends when this process does, however that
// ends: also when it is killed, and also what the program has started. The program must have
// been started with [Attributes] of a group and not have been waited for. The guard is one
// more process of the group, which holds the other end of a pipe of ours; release ends it
// with all that is left of the group. Where there is no shell there is no guard.
func Guard(program *os.Process) (release func()) {
	none := func() {}
	r, w, err := os.Pipe()
	if err != nil {
		return none
	}
	defer r.Close()
	cmd := &exec.Cmd{
		Path: "/bin/sh", Args: []string{"sh", "-c", guard}, Dir: "/", Env: []string{"PATH=/usr/bin:/bin"}, Stdin: r,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pgid: program.Pid},
	}
	if err := cmd.Start(); err != nil {
		w.Close()
		return none
	}
	return func() {
		w.Close()
		_ = cmd.Wait() // it was killed
	}
}
