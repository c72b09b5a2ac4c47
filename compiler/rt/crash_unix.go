//go:build unix

package rt

import (
	"syscall"
	"unsafe"
)

// rawWrite writes without telling the scheduler, which may be stopped.
//
//go:norace
func rawWrite(fd uintptr, s string) {
	syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(unsafe.Pointer(unsafe.StringData(s))), uintptr(len(s)))
}
