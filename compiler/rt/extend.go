package rt

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Extend is s + more, for a string that grows in place: s += more. Programs build long texts
// that way, so what was grown last keeps room behind it: the next call writes there instead
// of copying all of s. Strings stay immutable, since only bytes past the end of every string
// that was given out are written.
func Extend(s, more string) string {
	if len(s) < extendFrom {
		return s + more
	}
	return extend(s, more)
}

const extendFrom = 256 // what is shorter is copied as fast

// grown is a text with room behind it. Whoever holds the pointer owns it.
type grown struct {
	text []byte
	idle bool // it was not extended since the last collection
}

// growing are the texts that were extended last. Few grow at the same time.
var growing [4]atomic.Pointer[grown]

// turn is the slot that the next new text takes.
var turn atomic.Uint32

//go:noinline
func extend(s, more string) string {
	if more == "" {
		return s
	}
	for i := range growing {
		g := growing[i].Swap(nil)
		if g == nil {
			continue
		}
		if len(g.text) == len(s) && unsafe.SliceData(g.text) == unsafe.StringData(s) {
			g.text = append(g.text, more...)
			g.idle = false
			growing[i].Store(g)
			return unsafe.String(unsafe.SliceData(g.text), len(g.text))
		}
		growing[i].CompareAndSwap(nil, g)
	}
	n := len(s) + len(more)
	g := &grown{text: append(append(make([]byte, 0, n+n/2), s...), more...)}
	slot := turn.Add(1)
	if slot == 1 {
		forgetIdle(new([16]byte))
	}
	growing[slot%uint32(len(growing))].Store(g)
	return unsafe.String(unsafe.SliceData(g.text), len(g.text))
}

// forgetIdle lets go of texts that nobody extended between two collections: they would keep
// their memory for nothing. It runs after each collection, as the finalizer of its mark.
func forgetIdle(mark *[16]byte) {
	for i := range growing {
		g := growing[i].Swap(nil)
		if g != nil && !g.idle {
			g.idle = true
			growing[i].CompareAndSwap(nil, g)
		}
	}
	runtime.SetFinalizer(mark, forgetIdle)
}
