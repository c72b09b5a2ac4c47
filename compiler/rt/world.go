package rt

import (
	"sync"
	"sync/atomic"
)

// world is what a set of tasks share: the program, or one run of one test.
type world struct {
	running atomic.Int64 // tasks that can go on; who wakes a task counts for it
	out     *output
	stage   *stage // of a run of a test; nil for the program

	mu     sync.Mutex
	first  *task // of those that have not ended, by number
	last   *task
	number int
	place  chan string // where a task is that was asked to report
}

// program is the world of a normal run.
var program = world{out: &stdout}

// inTests says that RunTests is at work. It is set before any task starts.
var inTests bool

func (w *world) newTask(name string) *task {
	t := &task{}
	w.add(t, name)
	return t
}

// add makes t a running task of w.
func (w *world) add(t *task, name string) {
	t.world, t.name = w, name
	t.parker.init()
	w.running.Add(1)
	w.mu.Lock()
	t.number = w.number
	w.number++
	t.prev = w.last
	if w.last != nil {
		w.last.next = t
	} else {
		w.first = t
	}
	w.last = t
	w.mu.Unlock()
}

// remove ends t. When nobody is left who could wake the others, that is a deadlock.
func (w *world) remove(t *task) {
	w.mu.Lock()
	if t.prev != nil {
		t.prev.next = t.next
	} else {
		w.first = t.next
	}
	if t.next != nil {
		t.next.prev = t.prev
	} else {
		w.last = t.prev
	}
	t.prev, t.next = nil, nil // a handle that is kept keeps no other task
	w.mu.Unlock()
	if w.stage != nil {
		w.stage.ended(t)
		return
	}
	if w.running.Add(-1) == 0 {
		w.deadlock(nil)
	}
}

// park waits until somebody calls ready. The task has put itself where that somebody finds
// it, and holds no lock.
func (t *task) park(what string) {
	t.what = what
	w := t.world
	if w.stage != nil {
		w.stage.park(t)
		return
	}
	if w.running.Add(-1) == 0 {
		w.deadlock(t)
	}
	for t.parker.wait(); t.asked; t.parker.wait() {
		t.asked = false
		w.place <- place()
	}
}

// ready lets a parked task go on.
func (t *task) ready() {
	if s := t.world.stage; s != nil {
		s.ready(t)
		return
	}
	t.world.running.Add(1)
	t.parker.signal()
}

// maxShown is how many tasks a report of a deadlock names.
const maxShown = 50

// deadlock ends the program: all its tasks are parked. It runs in the last of them, t, or in
// one that has just ended.
func (w *world) deadlock(t *task) {
	w.place = make(chan string)
	lines := "pluto: deadlock detected"
	shown := 0
	for b := w.first; b != nil; b = b.next {
		if shown++; shown > maxShown {
			lines += "\n  ... and more"
			break
		}
		at := ""
		if b == t {
			at = place()
		} else {
			b.asked = true
			b.parker.signal()
			at = <-w.place
		}
		if at != "" {
			at = " at " + at
		}
		lines += "\n  " + b.name + ": blocked on " + b.what + at
	}
	Warn(lines)
	Exit(1)
}
