//go:build !unix

package process

import (
	"os"
	"syscall"
)

// Other systems have neither groups nor polite signals.

// Attributes are how a program is started.
func Attributes(bool) *syscall.SysProcAttr { return nil }

// Terminate ends the process.
func Terminate(p *os.Process, _ bool) { _ = p.Kill() }

// Quit ends the process.
func Quit(p *os.Process, _ bool) { _ = p.Kill() }

// Kill ends the process.
func Kill(p *os.Process, _ bool) { _ = p.Kill() }

// Signal is the signal that ended the process: here none ever did.
func Signal(*os.ProcessState) (string, int) { return "", 0 }

// Guard does nothing: what a program has started outlives it, and us.
func Guard(*os.Process) (release func()) { return func() {} }
