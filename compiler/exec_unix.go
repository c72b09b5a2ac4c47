//go:build unix

package compiler

import (
	"os"
	"syscall"
)

// terminate asks the process, or its group, to end.
func terminate(p *os.Process, group bool) { signalTo(p, group, syscall.SIGTERM) }

// kill ends the process, or its group.
func kill(p *os.Process, group bool) { signalTo(p, group, syscall.SIGKILL) }

// killGroup ends what a process has left behind in its group.
func killGroup(p *os.Process) { signalTo(p, true, syscall.SIGKILL) }

func signalTo(p *os.Process, group bool, s syscall.Signal) {
	if group {
		_ = syscall.Kill(-p.Pid, s) // nobody may be left
		return
	}
	_ = p.Signal(s)
}
