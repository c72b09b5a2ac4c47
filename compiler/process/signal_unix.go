//go:build unix

package process

import (
	"os"
	"syscall"
)

// Terminate asks the process, or its group, to end.
func Terminate(p *os.Process, group bool) { signalTo(p, group, syscall.SIGTERM) }

// Quit asks the process, or its group, to say what it is doing and to end: Go programs print
// their goroutines.
func Quit(p *os.Process, group bool) { signalTo(p, group, syscall.SIGQUIT) }

// Kill ends the process, or its group. A group may be killed after its first process ended,
// for what that has left behind.
func Kill(p *os.Process, group bool) { signalTo(p, group, syscall.SIGKILL) }

func signalTo(p *os.Process, group bool, s syscall.Signal) {
	if group {
		_ = syscall.Kill(-p.Pid, s) // nobody may be left
		return
	}
	_ = p.Signal(s)
}

// Signal is the signal that ended the process, and its number; "" for one that exited.
func Signal(state *os.ProcessState) (string, int) {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return "", 0
	}
	return status.Signal().String(), int(status.Signal())
}
