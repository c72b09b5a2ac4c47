package rt

import "sync"

// RWLock guards a singleton: any number of readers or one writer, who may take it again.
// It is fair: who waits is served in order. The zero value is free.
type RWLock struct {
	mu      sync.Mutex
	writer  *task
	depth   int // how often the writer has it, as reader or writer
	readers []reader
	queue   []lockWaiter
}

type reader struct {
	task  *task
	count int
}

type lockWaiter struct {
	task  *task
	write bool
}

// Lock takes the lock for a `mut self` method.
func (l *RWLock) Lock() { l.acquire(true) }

// RLock takes the lock for a `self` method.
func (l *RWLock) RLock() { l.acquire(false) }

func (l *RWLock) acquire(write bool) {
	t := current()
	if inTests {
		pause(l)
		if t.world.stage.inline {
			return // one task at a time, each to its end
		}
	}
	l.mu.Lock()
	r := l.reader(t)
	switch {
	case l.writer == t:
		l.depth++
	case r >= 0 && !write:
		l.readers[r].count++
	case l.free(t, write) && (len(l.queue) == 0 || r >= 0):
		l.grant(t, write)
	default:
		l.queue = append(l.queue, lockWaiter{t, write})
		l.mu.Unlock()
		t.park("singleton")
		return
	}
	l.mu.Unlock()
}

// reader is where t is among the readers, or -1.
func (l *RWLock) reader(t *task) int {
	for i := range l.readers {
		if l.readers[i].task == t {
			return i
		}
	}
	return -1
}

// free says whether t could have the lock now. A reader can become the writer once it is alone.
func (l *RWLock) free(t *task, write bool) bool {
	if l.writer != nil {
		return false
	}
	return !write || len(l.readers) == 0 || len(l.readers) == 1 && l.readers[0].task == t
}

func (l *RWLock) grant(t *task, write bool) {
	if write {
		l.writer, l.depth = t, 1
	} else {
		l.readers = append(l.readers, reader{t, 1})
	}
}

// Unlock gives back a Lock.
func (l *RWLock) Unlock() { l.release() }

// RUnlock gives back an RLock.
func (l *RWLock) RUnlock() { l.release() }

func (l *RWLock) release() {
	t := current()
	if inTests {
		pause(l)
		if t.world.stage.inline {
			return
		}
	}
	l.mu.Lock()
	if l.writer == t {
		if l.depth--; l.depth == 0 {
			l.writer = nil
		}
	} else if r := l.reader(t); r >= 0 {
		if l.readers[r].count--; l.readers[r].count == 0 {
			l.readers = append(l.readers[:r], l.readers[r+1:]...)
		}
	}
	var woken []*task
	for len(l.queue) > 0 && l.free(l.queue[0].task, l.queue[0].write) {
		w := l.queue[0]
		l.queue = l.queue[1:]
		l.grant(w.task, w.write)
		woken = append(woken, w.task)
	}
	l.mu.Unlock()
	for _, t := range woken {
		t.ready()
	}
}
