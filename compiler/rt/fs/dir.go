package fs

import (
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/settgraph/sett/compiler/rt"
)

// Exists is 1 when there is something at the path, links followed, else 0.
func Exists(path string) int64 {
	_, err := os.Stat(path)
	return flag(err == nil)
}

// IsDir is 1 for a directory.
func IsDir(path string) int64 {
	info, err := os.Stat(path)
	return flag(err == nil && info.IsDir())
}

// IsFile is 1 for a regular file.
func IsFile(path string) int64 {
	info, err := os.Stat(path)
	return flag(err == nil && info.Mode().IsRegular())
}

// FileSize is how many bytes a file has.
func FileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return result(err)
	}
	return info.Size()
}

// ModifiedMs is when a file was last written, in milliseconds since 1970.
func ModifiedMs(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return result(err)
	}
	return max(0, info.ModTime().UnixMilli())
}

// Remove removes a file, and never a directory.
func Remove(path string) int64 {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return -int64(syscall.EISDIR)
	}
	return result(os.Remove(path))
}

// Mkdir creates a directory in one that exists.
func Mkdir(path string) int64 { return result(os.Mkdir(path, 0o755)) }

// MkdirAll creates a directory with all that it is in; it may be there already.
func MkdirAll(path string) int64 { return result(os.MkdirAll(path, 0o755)) }

// Rmdir removes an empty directory, and never a file.
func Rmdir(path string) int64 {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return -int64(syscall.ENOTDIR)
	}
	return result(os.Remove(path))
}

// RemoveAll removes what is at the path with all that is in it; there may be nothing.
func RemoveAll(path string) int64 { return result(os.RemoveAll(path)) }

// Rename moves a file or directory; a file that is in the way is replaced.
func Rename(from, to string) int64 { return result(os.Rename(from, to)) }

// Copy copies what is in a file to a new file, or over an old one. A file copied to itself
// stays as it is.
func Copy(from, to string) int64 {
	src, err := os.Open(from)
	if err != nil {
		return result(err)
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return result(err)
	}
	if info.IsDir() {
		return -int64(syscall.EISDIR)
	}
	if old, err := os.Stat(to); err == nil && os.SameFile(info, old) {
		return 0
	}
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return result(err)
	}
	_, err = io.Copy(dst, src)
	return result(errors.Join(err, dst.Close()))
}

// List appends the names in a directory to out, sorted.
func List(path string, out *rt.Array[string]) int64 {
	entries, err := os.ReadDir(path)
	if err != nil {
		return result(err)
	}
	for _, e := range entries {
		out.S = append(out.S, e.Name())
	}
	return 0
}

// ListDir are the names in a directory, sorted; none when it cannot be read.
func ListDir(path string) *rt.Array[string] {
	out := rt.NewArray[string]()
	List(path, out)
	return out
}

// TempDir creates a directory of a name that is new, where the system keeps what is
// temporary, and returns its path, or "".
func TempDir() string {
	dir, err := os.MkdirTemp("", "pluto_")
	if err != nil {
		return ""
	}
	return dir
}
