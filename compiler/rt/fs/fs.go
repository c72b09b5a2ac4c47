// Package fs is behind std.fs: files by number, whole files, directories.
//
// A function that can fail returns 0 or more when all is well and the negated error number of
// the system when not; [Strerror] has its text.
package fs

import (
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/settgraph/sett/compiler/rt"
	"github.com/settgraph/sett/compiler/rt/handle"
)

// maxRead bounds one read from an open file.
const maxRead = 100 << 20

// Strerror is the text for an error number, negated or not.
func Strerror(code int64) string {
	if code < 0 {
		code = -code
	}
	text := syscall.Errno(code).Error()
	return strings.ToUpper(text[:1]) + text[1:]
}

// result is the outcome of an operation as the package describes it.
func result(err error) int64 {
	var code syscall.Errno
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code) && code != 0:
		return -int64(code)
	case errors.Is(err, os.ErrNotExist):
		return -int64(syscall.ENOENT)
	case errors.Is(err, os.ErrExist):
		return -int64(syscall.EEXIST)
	case errors.Is(err, os.ErrPermission):
		return -int64(syscall.EACCES)
	case errors.Is(err, os.ErrClosed):
		return -int64(syscall.EBADF)
	case errors.Is(err, os.ErrInvalid):
		return -int64(syscall.EINVAL)
	}
	return -int64(syscall.EIO)
}

// flag is 1 or 0, as the intrinsics say yes and no.
func flag(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// file is the open file with a number; 0, 1 and 2 are the standard streams.
func file(fd int64) (*os.File, bool) {
	switch fd {
	case 0:
		return os.Stdin, true
	case 1:
		rt.Flush() // what was printed comes first
		return os.Stdout, true
	case 2:
		return os.Stderr, true
	}
	return handle.Get[*os.File](fd)
}

func open(path string, how int) int64 {
	f, err := os.OpenFile(path, how, 0o644)
	if err != nil {
		return result(err)
	}
	return handle.Add(f)
}

// OpenRead opens a file for reading and returns its number.
func OpenRead(path string) int64 { return open(path, os.O_RDONLY) }

// OpenWrite creates a file or empties it, for writing, and returns its number.
func OpenWrite(path string) int64 { return open(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC) }

// OpenAppend creates a file or opens it for writing at its end, and returns its number.
func OpenAppend(path string) int64 { return open(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND) }

// Close closes an open file.
func Close(fd int64) int64 {
	f, ok := handle.Take[*os.File](fd)
	if !ok {
		return -int64(syscall.EBADF)
	}
	return result(f.Close())
}

// Read reads at most max bytes, 100 MiB at most; at the end and after an error it is "".
func Read(fd, max int64) string {
	f, ok := file(fd)
	if !ok || max <= 0 {
		return ""
	}
	max = min(max, maxRead)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		max = min(max, info.Size()+64<<10) // room for all there is, also where the size is said to be 0
	}
	buf := make([]byte, max)
	n, err := f.Read(buf)
	if err != nil {
		return ""
	}
	return string(buf[:n])
}

// Write writes all the data and returns how much that is.
func Write(fd int64, data string) int64 {
	f, ok := file(fd)
	if !ok {
		return -int64(syscall.EBADF)
	}
	n, err := f.WriteString(data)
	if err != nil {
		return result(err)
	}
	return int64(n)
}

// Seek moves to an offset from the start (0), from here (1) or from the end (2) and returns
// the new position.
func Seek(fd, offset, whence int64) int64 {
	f, ok := file(fd)
	switch {
	case !ok:
		return -int64(syscall.EBADF)
	case whence < io.SeekStart || whence > io.SeekEnd:
		return -int64(syscall.EINVAL)
	}
	at, err := f.Seek(offset, int(whence))
	if err != nil {
		return result(err)
	}
	return at
}

// SeekSet is what [Seek] calls the start.
func SeekSet() int64 { return io.SeekStart }

// SeekCur is what [Seek] calls the present position.
func SeekCur() int64 { return io.SeekCurrent }

// SeekEnd is what [Seek] calls the end.
func SeekEnd() int64 { return io.SeekEnd }

// Load appends what is in a file to out.
func Load(path string, out *rt.Array[string]) int64 {
	data, err := os.ReadFile(path)
	if err != nil {
		return result(err)
	}
	out.S = append(out.S, string(data))
	return 0
}

// ReadAll is what is in a file, or "" when it cannot be read.
func ReadAll(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// WriteAll creates a file, or replaces what is in it.
func WriteAll(path, data string) int64 {
	return put(path, data, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
}

// AppendAll creates a file, or adds to its end.
func AppendAll(path, data string) int64 {
	return put(path, data, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
}

func put(path, data string, how int) int64 {
	f, err := os.OpenFile(path, how, 0o644)
	if err != nil {
		return result(err)
	}
	_, err = f.WriteString(data)
	return result(errors.Join(err, f.Close()))
}
