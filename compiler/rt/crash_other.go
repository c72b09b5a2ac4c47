//go:build !unix

package rt

// rawWrite writes to stderr by the Go runtime's own means, for which the hook must be out of
// the way; it cannot write elsewhere.
func rawWrite(fd uintptr, s string) {
	if fd != 2 {
		return
	}
	hook := overrideWrite
	overrideWrite = nil
	print(s)
	overrideWrite = hook
}
