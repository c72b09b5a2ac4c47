package rt

import (
	"strings"
	"syscall"
	"unsafe"
)

// Some ends of a Go program cannot be recovered: a stack that is full, memory that is
// exhausted. The Go runtime prints why to stderr and exits. Its prints pass through a hook,
// and there we say it in Pluto's words.

//go:linkname overrideWrite runtime.overrideWrite
var overrideWrite func(fd uintptr, p unsafe.Pointer, n int32) int32

//go:linkname setMaxStack runtime/debug.setMaxStack
func setMaxStack(bytes int) int

//go:linkname setTraceback runtime/debug.SetTraceback
func setTraceback(level string)

// maxStack lets recursion go millions of calls deep without taking the machine's memory.
const maxStack = 256 << 20

// catchFatal installs the hook.
func catchFatal() {
	setMaxStack(maxStack)
	setTraceback("single")
	if !inRace {
		overrideWrite = fatalWrite
	}
}

// crash is what the dying Go runtime has printed. It is used by one thread, the dying one, on
// a small stack and with the scheduler stopped: no allocation, no locks, no growth.
var crash struct {
	dying  bool
	told   bool
	text   [8 << 10]byte
	n      int
	parsed int
}

// fatalWrite stands for the Go runtime's write to stderr. It turns the first line of a crash
// into ours, and the first line of the trace that shows a Pluto file into the place.
//
//go:norace
func fatalWrite(fd uintptr, p unsafe.Pointer, n int32) int32 {
	chunk := unsafe.String((*byte)(p), n)
	if !crash.dying && !begins(chunk) {
		rawWrite(fd, chunk)
		return n
	}
	crash.dying = true
	crash.n += copy(crash.text[crash.n:], chunk)
	for {
		rest := unsafe.String(&crash.text[0], crash.n)[crash.parsed:]
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			break
		}
		crash.parsed += end + 1
		crashLine(rest[:end])
	}
	if crash.n == len(crash.text) {
		syscall.Exit(1)
	}
	return n
}

// begins says whether a print is the start of a crash, not a note of the Go runtime's.
//
//go:norace
func begins(chunk string) bool {
	return strings.HasPrefix(chunk, "fatal error: ") || strings.HasPrefix(chunk, "panic: ") ||
		strings.HasPrefix(chunk, "runtime: goroutine stack exceeds") || strings.HasPrefix(chunk, "runtime: out of memory")
}

//go:norace
func crashLine(line string) {
	if !crash.told {
		for _, prefix := range [...]string{"fatal error: ", "panic: "} {
			if why, ok := strings.CutPrefix(line, prefix); ok {
				crash.told = true
				rawWrite(1, unsafe.String(unsafe.SliceData(stdout.buf), len(stdout.buf)))
				rawWrite(2, "pluto: ")
				rawWrite(2, strings.TrimPrefix(why, "runtime: "))
				rawWrite(2, "\n")
			}
		}
		return
	}
	file, line, ok := strings.Cut(strings.TrimPrefix(line, "\t"), ".p")
	if !ok {
		return
	}
	ext, line, ok := strings.Cut(line, ":")
	if !ok || ext != "luto" && ext != "t" {
		return
	}
	file = unsafe.String(unsafe.StringData(file), len(file)+len(".p")+len(ext))
	if name, ok := shown(file); ok {
		line, _, _ = strings.Cut(line, " ")
		rawWrite(2, "  at ")
		rawWrite(2, name)
		rawWrite(2, ":")
		rawWrite(2, line)
		rawWrite(2, "\n")
		syscall.Exit(1)
	}
}
