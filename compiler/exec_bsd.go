//go:build unix && !linux

package compiler

import "syscall"

func attributes(group bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: group} }
