package fs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/rt"
)

// why is the text of a result that is a failure, "" of one that is none.
func why(result int64) string {
	if result >= 0 {
		return ""
	}
	return Strerror(result)
}

func fine(t *testing.T, what string, result int64) {
	t.Helper()
	if result < 0 {
		t.Fatalf("%s: %s", what, why(result))
	}
}

func TestWholeFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"plain.txt", "with blank", "日本語 é.txt", "emoji-😀", "not-\xff-utf8"} {
		p := filepath.Join(dir, name)
		if Exists(p) != 0 || IsFile(p) != 0 {
			t.Errorf("%q is there", name)
		}
		fine(t, name, WriteAll(p, "a\x00b\xff"))
		fine(t, name, AppendAll(p, "tail"))
		if got := ReadAll(p); got != "a\x00b\xfftail" || FileSize(p) != 8 || Exists(p) != 1 || IsFile(p) != 1 || IsDir(p) != 0 {
			t.Errorf("%q holds %q", name, got)
		}
		fine(t, name, WriteAll(p, "x"))
		if got := ReadAll(p); got != "x" {
			t.Errorf("%q holds %q after it was replaced", name, got)
		}
		fine(t, name, AppendAll(p+".new", "x"))
	}
	out := rt.NewArray[string]()
	fine(t, "list", List(dir, out))
	if len(out.S) != 10 || !slices.IsSorted(out.S) {
		t.Errorf("the directory has %q", out.S)
	}
	if ModifiedMs(filepath.Join(dir, "plain.txt")) < 1e12 {
		t.Error("a file of today is old")
	}
}

func TestLargeFile(t *testing.T) {
	p := filepath.Join(t.TempDir(), "large")
	data := strings.Repeat("0123456789abcdef", 4<<20) // 64 MiB
	fine(t, "write", WriteAll(p, data))
	if ReadAll(p) != data {
		t.Error("it came back changed")
	}
	fine(t, "copy", Copy(p, p+"2"))
	fd := OpenRead(p + "2")
	fine(t, "open", fd)
	if got := Read(fd, int64(len(data))); got != data {
		t.Errorf("one read gave %d bytes", len(got))
	}
	fine(t, "close", Close(fd))
	fd = OpenWrite(p)
	if n := Write(fd, data); n != int64(len(data)) {
		t.Errorf("one write took %d bytes", n)
	}
	fine(t, "close", Close(fd))
}

func TestOpenFiles(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	w := OpenWrite(p)
	fine(t, "open", w)
	if n := Write(w, "hello"); n != 5 {
		t.Errorf("Write = %d", n)
	}
	fine(t, "close", Close(w))
	a := OpenAppend(p)
	if n := Write(a, " world"); n != 6 {
		t.Errorf("Write = %d", n)
	}
	fine(t, "close", Close(a))

	r := OpenRead(p)
	if r < 3 || r == w || r == a {
		t.Errorf("the number is %d", r)
	}
	if got := Read(r, 5); got != "hello" {
		t.Errorf("Read = %q", got)
	}
	if got := Seek(r, 1, SeekCur()); got != 6 {
		t.Errorf("Seek = %d", got)
	}
	if got := Read(r, 1024); got != "world" {
		t.Errorf("Read = %q", got)
	}
	if got := Read(r, 1024); got != "" {
		t.Errorf("at the end: %q", got)
	}
	if got := Seek(r, -5, SeekEnd()); got != 6 || Read(r, 2) != "wo" {
		t.Errorf("Seek from the end = %d", got)
	}
	if got := Seek(r, 0, SeekSet()); got != 0 || Read(r, 1) != "h" || Read(r, 0) != "" || Read(r, -1) != "" {
		t.Errorf("Seek to the start = %d", got)
	}
	if got := why(Seek(r, -1, SeekSet())); got != "Invalid argument" {
		t.Errorf("Seek before the start: %s", got)
	}
	if got := why(Seek(r, 0, 7)); got != "Invalid argument" {
		t.Errorf("Seek from nowhere: %s", got)
	}
	if got := why(Write(r, "x")); got != "Bad file descriptor" {
		t.Errorf("Write to a file for reading: %s", got)
	}
	fine(t, "close", Close(r))
	for _, fd := range []int64{r, -1, 99999} {
		if why(Close(fd)) != "Bad file descriptor" || why(Write(fd, "x")) != "Bad file descriptor" || why(Seek(fd, 0, 0)) != "Bad file descriptor" || Read(fd, 1) != "" {
			t.Errorf("file %d is open", fd)
		}
	}
}

func TestDirectories(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "sub")
	fine(t, "mkdir", Mkdir(sub))
	if IsDir(sub) != 1 || IsFile(sub) != 0 || Exists(sub) != 1 {
		t.Error("it is no directory")
	}
	fine(t, "write", WriteAll(filepath.Join(sub, "b"), ""))
	fine(t, "write", WriteAll(filepath.Join(sub, "a"), ""))
	if got := ListDir(sub).S; !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("it has %q", got)
	}
	fine(t, "mkdir_all", MkdirAll(filepath.Join(dir, "x/y/z")))
	fine(t, "mkdir_all", MkdirAll(filepath.Join(dir, "x/y/z")))
	fine(t, "rmdir", Rmdir(filepath.Join(dir, "x/y/z")))
	fine(t, "remove_all", RemoveAll(filepath.Join(dir, "x")))
	fine(t, "remove_all", RemoveAll(filepath.Join(dir, "x")))
	fine(t, "rename", Rename(sub, filepath.Join(dir, "moved")))
	if Exists(sub) != 0 || len(ListDir(filepath.Join(dir, "moved")).S) != 2 {
		t.Error("it was not moved")
	}
	fine(t, "remove", Remove(filepath.Join(dir, "moved", "a")))
}

func TestFailures(t *testing.T) {
	dir := t.TempDir()
	file, none := filepath.Join(dir, "file"), filepath.Join(dir, "none")
	fine(t, "write", WriteAll(file, "x"))
	out := rt.NewArray[string]()
	for _, c := range []struct {
		what   string
		result int64
		want   string
	}{
		{"open_read", OpenRead(none), "No such file or directory"},
		{"open_write", OpenWrite(dir), "Is a directory"},
		{"open_append", OpenAppend(filepath.Join(none, "x")), "No such file or directory"},
		{"load", Load(none, out), "No such file or directory"},
		{"load of a directory", Load(dir, out), "Is a directory"},
		{"write_all", WriteAll(filepath.Join(file, "x"), ""), "Not a directory"},
		{"append_all", AppendAll(dir, ""), "Is a directory"},
		{"file_size", FileSize(none), "No such file or directory"},
		{"modified_ms", ModifiedMs(none), "No such file or directory"},
		{"remove", Remove(none), "No such file or directory"},
		{"remove of a directory", Remove(dir), "Is a directory"},
		{"mkdir", Mkdir(dir), "File exists"},
		{"mkdir below nothing", Mkdir(filepath.Join(none, "x")), "No such file or directory"},
		{"mkdir_all through a file", MkdirAll(filepath.Join(file, "x")), "Not a directory"},
		{"rmdir", Rmdir(none), "No such file or directory"},
		{"rmdir of a file", Rmdir(file), "Not a directory"},
		{"rmdir of a full one", Rmdir(dir), "Directory not empty"},
		{"rename", Rename(none, file), "No such file or directory"},
		{"copy", Copy(none, file), "No such file or directory"},
		{"copy of a directory", Copy(dir, none), "Is a directory"},
		{"copy into nothing", Copy(file, filepath.Join(none, "x")), "No such file or directory"},
		{"list", List(file, out), "Not a directory"},
		{"list of nothing", List(none, out), "No such file or directory"},
		{"a name with NUL", OpenRead("a\x00b"), "Invalid argument"},
	} {
		if got := why(c.result); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	if len(out.S) != 0 || ReadAll(none) != "" || ReadAll(dir) != "" || len(ListDir(file).S) != 0 {
		t.Error("something was read from nothing")
	}
	if got := ReadAll(file); got != "x" {
		t.Errorf("a failed copy changed the file to %q", got)
	}
}

func TestCopyToItself(t *testing.T) {
	dir := t.TempDir()
	p := filepath.Join(dir, "f")
	fine(t, "write", WriteAll(p, "data"))
	if err := os.Symlink(p, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	fine(t, "copy", Copy(p, p))
	fine(t, "copy", Copy(p, filepath.Join(dir, "link")))
	if got := ReadAll(p); got != "data" {
		t.Errorf("it holds %q", got)
	}
}

func TestTempDir(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a, b := TempDir(), TempDir()
	if a == b || IsDir(a) != 1 || !strings.HasPrefix(filepath.Base(a), "pluto_") || filepath.Dir(a) != os.Getenv("TMPDIR") {
		t.Errorf("%q and %q", a, b)
	}
	t.Setenv("TMPDIR", filepath.Join(a, "none"))
	if got := TempDir(); got != "" {
		t.Errorf("in no directory: %q", got)
	}
}

func TestSpecialFiles(t *testing.T) {
	if IsFile(os.DevNull) != 0 || Exists(os.DevNull) != 1 {
		t.Error("the null device is a file")
	}
	if fd := OpenRead("/proc/self/status"); fd >= 0 { // its size is said to be 0
		if got := Read(fd, 4096); !strings.Contains(got, "\nPid:") {
			t.Errorf("Read = %q", got)
		}
		Close(fd)
	}
}
