//go:build unix && !linux

package process

import "syscall"

// Attributes are how a program is started: with group, in a process group of its own.
func Attributes(group bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: group} }
