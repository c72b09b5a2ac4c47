package rt

import (
	"sync/atomic"
	"unsafe"
)

// A goroutine's current task is kept where the runtime keeps its profiling label, the only
// goroutine-local place there is. A new goroutine inherits it.

//go:linkname getLabel runtime/pprof.runtime_getProfLabel
func getLabel() unsafe.Pointer

//go:linkname setLabel runtime/pprof.runtime_setProfLabel
func setLabel(unsafe.Pointer)

// current is the task that is running. A goroutine that the runtime knows nothing of, a
// test's for instance, becomes a task of the program.
func current() *task {
	if t := (*task)(getLabel()); t != nil {
		return t
	}
	t := program.newTask("main")
	t.enter()
	return t
}

// enter makes t the current task of this goroutine.
func (t *task) enter() { setLabel(unsafe.Pointer(t)) }

// task is what all tasks have, the main one too.
type task struct {
	labels    [3]uintptr // stays zero: who reads the label as labels finds an empty list
	world     *world
	number    int
	name      string
	parker    parker
	asked     bool        // to say where it waits, and to go on waiting
	what      string      // what it waits for, written before it parks
	claim     atomic.Bool // parked in a channel operation, for whoever is first to take it
	arm       int         // which arm of a select was taken by the one who claimed it
	cancelled atomic.Bool
	spare     any // a *waiter[T] for the next time
	prev      *task
	next      *task
	fiber     // in tests with a cooperative scheduler
	ending
}
