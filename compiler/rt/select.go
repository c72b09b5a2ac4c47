package rt

import "math/rand/v2"

// Case is an arm of a select, made by [Receiver.Case] or [Sender.Case].
type Case interface {
	ready() bool                            // could be done now
	try() (done, open bool)                 // does it if it is ready
	queue(t *task, arm int) (done, in bool) // does it if t can be unclaimed, or queues t
	unqueue()                               // after waking
	finish()                                // after another task did it
	channel() any
}

// Select waits until one of the cases is ready, does it and gives its index. With a default
// it never waits, and gives -1. When all channels are closed it gives -1 with a default and
// raises ChannelClosed without.
func Select(hasDefault bool, cases ...Case) (int, Error) {
	t := current()
	for {
		open := false
		start := 0
		if inTests {
			pauseSelect(t, cases)
			start = t.world.stage.choose(cases)
		} else if len(cases) > 1 {
			start = rand.IntN(len(cases))
		}
		for k := range cases {
			i := start + k
			if i >= len(cases) {
				i -= len(cases)
			}
			done, o := cases[i].try()
			if done {
				return i, nil
			}
			open = open || o
		}
		if hasDefault {
			return -1, nil
		}
		if !open {
			return -1, closedError()
		}
		if arm, ok := t.awaitAny(cases); ok {
			return arm, nil
		} else if arm == armCancelled {
			return -1, cancelledError()
		}
	}
}

// awaitAny parks until a case was done or something about the channels has changed.
func (t *task) awaitAny(cases []Case) (int, bool) {
	const what = "select"
	if s := t.world.stage; s != nil {
		if f := s.refuse(what); f != nil {
			panic(f)
		}
	}
	if !t.offer() {
		return armCancelled, false
	}
	waiting := false
	for i, c := range cases {
		done, in := c.queue(t, i)
		if done {
			for _, c := range cases {
				c.unqueue()
			}
			return i, true
		}
		waiting = waiting || in
	}
	if !waiting && t.claim.CompareAndSwap(true, false) {
		return armClosed, false // the last open one was closed just now
	}
	t.park(what)
	for _, c := range cases {
		c.unqueue()
	}
	if t.arm < 0 {
		return t.arm, false
	}
	cases[t.arm].finish()
	return t.arm, true
}

type recvCase[T any] struct {
	ch  *channel[T]
	dst *T
	w   *waiter[T] // once it had to queue
}

// Case is `v = rx.recv()` in a select; the value goes to dst.
func (r *Receiver[T]) Case(dst *T) Case { return &recvCase[T]{ch: r.ch, dst: dst} }

func (k *recvCase[T]) channel() any { return k.ch }

func (k *recvCase[T]) ready() bool {
	k.ch.mu.Lock()
	defer k.ch.mu.Unlock()
	return k.ch.n > 0
}

func (k *recvCase[T]) try() (done, open bool) {
	k.ch.mu.Lock()
	v, woken, ok := k.ch.tryRecv()
	open = !k.ch.closed
	k.ch.mu.Unlock()
	if woken != nil {
		woken.ready()
	}
	if ok {
		*k.dst = v
	}
	return ok, open
}

func (k *recvCase[T]) queue(t *task, arm int) (done, in bool) {
	c := k.ch
	c.mu.Lock()
	if c.n > 0 {
		if !t.claim.CompareAndSwap(true, false) {
			c.mu.Unlock()
			return false, true // claimed: the wake is on its way
		}
		v, woken, _ := c.tryRecv()
		c.mu.Unlock()
		if woken != nil {
			woken.ready()
		}
		*k.dst = v
		return true, false
	}
	if !c.closed {
		k.w = &waiter[T]{task: t, arm: arm}
		c.receivers.push(k.w)
		in = true
	}
	c.mu.Unlock()
	return false, in
}

func (k *recvCase[T]) unqueue() {
	if k.w != nil {
		k.ch.mu.Lock()
		k.ch.receivers.remove(k.w)
		k.ch.mu.Unlock()
	}
}

func (k *recvCase[T]) finish() { *k.dst = k.w.val }

type sendCase[T any] struct {
	s   *Sender[T]
	val T
	w   *waiter[T] // once it had to queue
}

// Case is `tx.send(v)` in a select.
func (s *Sender[T]) Case(v T) Case { return &sendCase[T]{s: s, val: v} }

func (k *sendCase[T]) channel() any { return k.s.ch }

func (k *sendCase[T]) ready() bool {
	c := k.s.ch
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.closed && !k.s.closed && (c.n < c.capacity || c.receivers.first != nil)
}

func (k *sendCase[T]) try() (done, open bool) {
	c := k.s.ch
	c.mu.Lock()
	open = !c.closed && !k.s.closed
	var woken *task
	if open {
		woken, done = c.trySend(k.val)
	}
	c.mu.Unlock()
	if woken != nil {
		woken.ready()
	}
	return done, open
}

func (k *sendCase[T]) queue(t *task, arm int) (done, in bool) {
	c := k.s.ch
	c.mu.Lock()
	if c.closed || k.s.closed {
		c.mu.Unlock()
		return false, false
	}
	if c.n < c.capacity {
		if !t.claim.CompareAndSwap(true, false) {
			c.mu.Unlock()
			return false, true
		}
		woken, _ := c.trySend(k.val)
		c.mu.Unlock()
		if woken != nil {
			woken.ready()
		}
		return true, false
	}
	k.w = &waiter[T]{task: t, arm: arm, val: k.val}
	c.senders.push(k.w)
	c.mu.Unlock()
	return false, true
}

func (k *sendCase[T]) unqueue() {
	if k.w != nil {
		k.s.ch.mu.Lock()
		k.s.ch.senders.remove(k.w)
		k.s.ch.mu.Unlock()
	}
}

func (k *sendCase[T]) finish() {}
