package rt

import "sync"

// Task is a Pluto task and its handle.
type Task[T any] struct {
	task
	val T
}

// ending is how a task ends.
type ending struct {
	endMu    sync.Mutex
	done     bool
	detached bool
	err      Error
	waiters  []*task
	claims   []claim // of the channels whose senders it captured
}

// claim is a sender's part in keeping its channel open.
type claim interface{ Release() }

// Go starts a task that runs f. The captured values were copied with c, which may be nil
// when there was nothing to copy; senders among them stay claimed until the task ends. The
// name is for reports.
func Go[T any](c *Copier, name string, f func() (T, Error)) *Task[T] {
	w := current().world
	t := &Task[T]{}
	w.add(&t.task, name)
	if c != nil {
		t.claims = c.claims
	}
	if w.stage != nil {
		w.stage.spawn(&t.task, func() { t.run(f) })
	} else {
		go t.run(f)
	}
	return t
}

// run is the life of a task.
func (t *Task[T]) run(f func() (T, Error)) {
	t.enter()
	defer t.end()
	t.val, t.err = f()
}

// end is deferred by run: it sees whether f returned or panicked.
func (t *task) end() {
	r := recover()
	if s := t.world.stage; s != nil && s.dead.Load() {
		return
	}
	switch r := r.(type) {
	case nil:
	case *escape:
		t.err = r.err
	default:
		t.world.fail(r)
	}
	for _, c := range t.claims {
		c.Release()
	}
	if inTests {
		pause(t)
	}
	t.endMu.Lock()
	t.done = true
	if t.detached {
		t.complain()
	}
	waiters := t.waiters
	t.waiters = nil
	t.endMu.Unlock()
	for _, w := range waiters {
		w.ready()
	}
	t.world.remove(t)
}

// complain reports the error of a task that nobody will ask.
func (t *task) complain() {
	if t.err != nil {
		t.world.warn("pluto: error in detached task: " + t.err.ErrorMessage())
	}
}

// Get is t.get(): it waits, and gives the result or the error, every time the same.
func (t *Task[T]) Get() (T, Error) {
	if inTests {
		pause(&t.task)
	}
	t.endMu.Lock()
	if t.done {
		t.endMu.Unlock()
	} else {
		me := current()
		t.waiters = append(t.waiters, me)
		t.endMu.Unlock()
		me.park("task get")
	}
	return t.val, t.err
}

// MustGet is t.get() of a task that raises nothing. A cancelled one has no value even so;
// then the caller's task ends with TaskCancelled.
func (t *Task[T]) MustGet() T {
	v, err := t.Get()
	if err != nil {
		panic(Escape(err))
	}
	return v
}

// Detach is t.detach().
func (t *Task[T]) Detach() {
	t.endMu.Lock()
	first := !t.detached
	t.detached = true
	if first && t.done {
		t.complain()
	}
	t.endMu.Unlock()
}

// Cancel is t.cancel(): a task that waits in a channel operation, now or later, gets
// TaskCancelled there.
func (t *Task[T]) Cancel() {
	if inTests {
		pause()
	}
	t.cancelled.Store(true)
	if t.claim.CompareAndSwap(true, false) {
		t.arm = armCancelled
		t.ready()
	}
}

// What the one who claims a task leaves in task.arm instead of an arm's number.
const (
	armCancelled = -1 - iota
	armClosed
)

// offer makes the task claimable before it queues for channels. It says whether the task is
// to wait: not when it has been cancelled.
func (t *task) offer() bool {
	t.claim.Store(true)
	if !t.cancelled.Load() {
		return true
	}
	if !t.claim.CompareAndSwap(true, false) {
		t.park("") // the one who cancels has taken it, and is about to wake it
	}
	return false
}

// take claims a task that waits in a channel operation, for the arm of its select.
func (t *task) take(arm int) bool {
	if !t.claim.CompareAndSwap(true, false) {
		return false
	}
	t.arm = arm
	return true
}

func cancelledError() Error {
	return &TaskCancelled{Raised: raisedHere(), Message: "task cancelled"}
}
