//go:build !unix

package compiler

import (
	"os"
	"syscall"
)

// Other systems have neither groups nor polite signals.

func attributes(bool) *syscall.SysProcAttr { return nil }

func terminate(p *os.Process, _ bool) { _ = p.Kill() }

func kill(p *os.Process, _ bool) { _ = p.Kill() }

func killGroup(*os.Process) {}
