//go:build !race

package rt

import (
	"sync/atomic"
	"unsafe"
)

// parker lets its task's goroutine wait for one wake. It uses the scheduler as Go's channels
// do, which makes a handover between tasks as fast as theirs.
type parker struct{ state atomic.Uintptr } // 0, the parked goroutine, or parkerWoken

const parkerWoken = 1

//go:linkname gopark runtime.gopark
func gopark(commit func(g, lock unsafe.Pointer) bool, lock unsafe.Pointer, reason, traceReason uint8, skip int)

//go:linkname goready runtime.goready
func goready(g unsafe.Pointer, skip int)

// commitPark runs on the scheduler's stack when the goroutine has stopped.
//
//go:nosplit
func commitPark(g, lock unsafe.Pointer) bool {
	return (*atomic.Uintptr)(lock).CompareAndSwap(0, uintptr(g))
}

// wait returns after wake, whichever is called first.
func (p *parker) wait() {
	if p.state.Load() == 0 {
		gopark(commitPark, unsafe.Pointer(&p.state), 0, 0, 1)
	}
	p.state.Store(0)
}

func (p *parker) init() {}

// signal lets wait return. It is called once for each wait.
func (p *parker) signal() {
	if g := p.state.Swap(parkerWoken); g != 0 {
		goready(*(*unsafe.Pointer)(unsafe.Pointer(&g)), 1)
	}
}
