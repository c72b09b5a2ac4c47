package rt

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

const (
	flushSize  = 32 << 10
	flushDelay = 4 * time.Millisecond // nobody sees it, and a loop of prints pays no call each
)

// output collects what goes to a file. A timer writes it out a moment after the first byte
// came, so that nothing stays behind while the program computes or waits.
type output struct {
	mu    sync.Mutex
	buf   []byte
	file  *os.File
	kept  bool   // the bytes stay in buf
	warns []byte // what would go to stderr, when kept
	timer *time.Timer
	armed bool
}

// stdout is the process's.
var stdout = output{file: os.Stdout}

func (o *output) printed() {
	switch {
	case o.kept:
	case len(o.buf) >= flushSize || runtime.GOARCH == "wasm":
		o.flush()
	case o.armed:
	case o.timer == nil:
		o.armed = true
		o.timer = time.AfterFunc(flushDelay, o.Flush)
	default:
		o.armed = true
		o.timer.Reset(flushDelay)
	}
}

func (o *output) flush() {
	if len(o.buf) == 0 {
		return
	}
	if _, err := o.file.Write(o.buf); err != nil { // a full disk, as a rule
		os.Stderr.WriteString("pluto: " + err.Error() + "\n")
		os.Exit(1)
	}
	o.buf = o.buf[:0]
}

// Flush writes out what is buffered; the timer's call.
func (o *output) Flush() {
	o.mu.Lock()
	o.armed = false
	o.flush()
	o.mu.Unlock()
}

// out is where the current task prints to.
func out() *output {
	if inTests {
		return testOut()
	}
	return &stdout
}

func testOut() *output {
	w := current().world
	if w.stage != nil {
		w.stage.alive()
	}
	return w.out
}

// print writes a text.
func (o *output) print(s string) {
	o.mu.Lock()
	o.buf = append(o.buf, s...)
	o.printed()
	o.mu.Unlock()
}

// PrintInt is print of an int.
func PrintInt(v int64) {
	o := out()
	o.mu.Lock()
	o.buf = append(strconv.AppendInt(o.buf, v, 10), '\n')
	o.printed()
	o.mu.Unlock()
}

// PrintFloat is print of a float.
func PrintFloat(v float64) {
	o := out()
	o.mu.Lock()
	o.buf = append(appendFloat(o.buf, v), '\n')
	o.printed()
	o.mu.Unlock()
}

// PrintBool is print of a bool.
func PrintBool(v bool) { PrintString(ShowBool(v)) }

// PrintByte is print of a byte.
func PrintByte(v byte) { PrintInt(int64(v)) }

// PrintString is print of a string.
func PrintString(s string) {
	o := out()
	o.mu.Lock()
	o.buf = append(append(o.buf, s...), '\n')
	o.printed()
	o.mu.Unlock()
}

// Write prints a string as it is, without a newline.
func Write(s string) { out().print(s) }

// Flush writes out what print has buffered. Whoever is about to wait for the outside world
// for long may call it; the end of the program does.
func Flush() { stdout.Flush() }

// Warn writes a line to stderr, after what was printed.
func Warn(line string) {
	Flush()
	os.Stderr.WriteString(line + "\n")
}

// Exit ends the process with the low eight bits of code.
func Exit(code int64) {
	Flush()
	os.Exit(int(code & 0xFF))
}
