package rt

import "sync"

// channel is a FIFO of bounded capacity. It is open as long as somebody claims to send.
type channel[T any] struct {
	mu        sync.Mutex
	buf       []T // a ring, as large as it had to be
	head, n   int
	capacity  int
	claims    int
	closed    bool
	receivers queue[T] // parked: the buffer is empty
	senders   queue[T] // parked: the buffer is full
}

// Sender is one holder's end of a channel: the function that made it, or a task.
type Sender[T any] struct {
	ch      *channel[T]
	dropped bool // the claim
	closed  bool // by this holder; both under ch.mu
}

// Receiver is the other end.
type Receiver[T any] struct{ ch *channel[T] }

// waiter is a parked task in a queue, with the value it brings or gets.
type waiter[T any] struct {
	task       *task
	val        T
	arm        int
	queued     bool
	prev, next *waiter[T]
}

type queue[T any] struct{ first, last *waiter[T] }

func (q *queue[T]) push(w *waiter[T]) {
	w.queued, w.prev, w.next = true, q.last, nil
	if q.last != nil {
		q.last.next = w
	} else {
		q.first = w
	}
	q.last = w
}

func (q *queue[T]) remove(w *waiter[T]) {
	if !w.queued {
		return
	}
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		q.first = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	} else {
		q.last = w.prev
	}
	w.queued, w.prev, w.next = false, nil, nil
}

// pop takes the first waiter whose task nobody else has claimed.
func (q *queue[T]) pop() *waiter[T] {
	for w := q.first; w != nil; w = q.first {
		q.remove(w)
		if w.task.take(w.arm) {
			return w
		}
	}
	return nil
}

// Chan is chan<T>(capacity). The sender holds the creator's claim.
func Chan[T any](capacity int64) (*Sender[T], *Receiver[T]) {
	c := &channel[T]{capacity: int(max(capacity, 1)), claims: 1}
	return &Sender[T]{ch: c}, &Receiver[T]{ch: c}
}

// put appends to the buffer, which has room.
func (c *channel[T]) put(v T) {
	if c.n == len(c.buf) {
		buf := make([]T, min(max(2*c.n, 4), c.capacity))
		k := copy(buf, c.buf[c.head:])
		copy(buf[k:], c.buf[:c.head])
		c.buf, c.head = buf, 0
	}
	i := c.head + c.n
	if i >= len(c.buf) {
		i -= len(c.buf)
	}
	c.buf[i] = v
	c.n++
}

// trySend hands v to a receiver or puts it into the buffer. The lock is held and the channel
// open; the task to wake after the lock is released, if any, is woken.
func (c *channel[T]) trySend(v T) (woken *task, ok bool) {
	if c.n == 0 {
		if w := c.receivers.pop(); w != nil {
			w.val = v
			return w.task, true
		}
	}
	if c.n < c.capacity {
		c.put(v)
		return nil, true
	}
	return nil, false
}

// tryRecv takes the oldest value; a parked sender's value moves up.
func (c *channel[T]) tryRecv() (v T, woken *task, ok bool) {
	if c.n == 0 {
		return v, nil, false
	}
	var zero T
	v, c.buf[c.head] = c.buf[c.head], zero
	if c.head++; c.head == len(c.buf) {
		c.head = 0
	}
	c.n--
	if w := c.senders.pop(); w != nil {
		c.put(w.val)
		woken = w.task
	}
	return v, woken, true
}

// waiterFor gives the task something to queue with.
func waiterFor[T any](t *task) *waiter[T] {
	if w, ok := t.spare.(*waiter[T]); ok && w != nil {
		t.spare = nil
		return w
	}
	return &waiter[T]{task: t}
}

// await parks the current task in q and says how it was woken: 0 when its operation was
// done, with the value that it got. It is called with the lock and returns without it.
func (c *channel[T]) await(q *queue[T], v T, what string) (T, int) {
	t := current()
	if t.world.stage != nil {
		if f := t.world.stage.refuse(what); f != nil {
			c.mu.Unlock()
			panic(f)
		}
	}
	w := waiterFor[T](t)
	w.val = v
	if !t.offer() {
		c.mu.Unlock()
		t.spare = w
		return v, armCancelled
	}
	q.push(w)
	c.mu.Unlock()
	t.park(what)
	if t.arm != 0 {
		c.mu.Lock()
		q.remove(w)
		c.mu.Unlock()
	}
	v = w.val
	var zero T
	w.val = zero
	t.spare = w
	return v, t.arm
}

// Send is tx.send(v): ChannelClosed or nil.
func (s *Sender[T]) Send(v T) Error {
	c := s.ch
	if inTests {
		pause(c)
	}
	c.mu.Lock()
	if c.closed || s.closed {
		c.mu.Unlock()
		return closedError()
	}
	woken, ok := c.trySend(v)
	if ok {
		c.mu.Unlock()
		if woken != nil {
			woken.ready()
		}
		return nil
	}
	_, arm := c.await(&c.senders, v, "channel send")
	return armError(arm)
}

// TrySend is tx.try_send(v): ChannelClosed, ChannelFull or nil.
func (s *Sender[T]) TrySend(v T) Error {
	c := s.ch
	if inTests {
		pause(c)
	}
	c.mu.Lock()
	if c.closed || s.closed {
		c.mu.Unlock()
		return closedError()
	}
	woken, ok := c.trySend(v)
	c.mu.Unlock()
	if woken != nil {
		woken.ready()
	}
	if !ok {
		return &ChannelFull{Raised: raisedHere(), Message: "channel full"}
	}
	return nil
}

// Close is tx.close(): the holder sends no more.
func (s *Sender[T]) Close() { s.drop(true) }

// Release drops the holder's claim when its function or task ends. A sender that was handed
// on meanwhile can still send while others keep the channel open.
func (s *Sender[T]) Release() { s.drop(false) }

func (s *Sender[T]) drop(closed bool) {
	c := s.ch
	if inTests {
		pause(c)
	}
	c.mu.Lock()
	s.closed = s.closed || closed
	if s.dropped {
		c.mu.Unlock()
		return
	}
	s.dropped = true
	c.claims--
	var woken []*task
	if c.claims == 0 {
		c.closed = true
		for q := range [...]int{0, 1} {
			queue := [...]*queue[T]{&c.receivers, &c.senders}[q]
			for w := queue.first; w != nil; w = queue.first {
				queue.remove(w)
				if w.task.take(armClosed) {
					woken = append(woken, w.task)
				}
			}
		}
	}
	c.mu.Unlock()
	for _, t := range woken {
		t.ready()
	}
}

// Copy is the end of the same channel for the task that c copies for: with a claim of its
// own, unless this one is closed.
func (s *Sender[T]) Copy(c *Copier) *Sender[T] {
	if s == nil {
		return nil
	}
	if n, ok := Copied(c, s); ok {
		return n
	}
	s.ch.mu.Lock()
	n := &Sender[T]{ch: s.ch, closed: s.closed, dropped: s.closed || s.ch.closed}
	if !n.dropped {
		s.ch.claims++
		c.claims = append(c.claims, n)
	}
	s.ch.mu.Unlock()
	Remember(c, s, n)
	return n
}

// Recv is rx.recv(): a value, or ChannelClosed.
func (r *Receiver[T]) Recv() (T, Error) {
	v, arm := r.recv()
	return v, armError(arm)
}

// Next is a step of `for v in rx`: false when the channel is closed and drained, or the task
// cancelled: the loop has no way to raise.
func (r *Receiver[T]) Next() (T, bool) {
	v, arm := r.recv()
	return v, arm == 0
}

func (r *Receiver[T]) recv() (T, int) {
	c := r.ch
	if inTests {
		pause(c)
	}
	c.mu.Lock()
	v, woken, ok := c.tryRecv()
	if ok {
		c.mu.Unlock()
		if woken != nil {
			woken.ready()
		}
		return v, 0
	}
	if c.closed {
		c.mu.Unlock()
		return v, armClosed
	}
	return c.await(&c.receivers, v, "channel recv")
}

// TryRecv is rx.try_recv(): a value, ChannelEmpty or ChannelClosed.
func (r *Receiver[T]) TryRecv() (T, Error) {
	c := r.ch
	if inTests {
		pause(c)
	}
	c.mu.Lock()
	v, woken, ok := c.tryRecv()
	closed := c.closed
	c.mu.Unlock()
	if woken != nil {
		woken.ready()
	}
	switch {
	case ok:
		return v, nil
	case closed:
		return v, closedError()
	}
	return v, &ChannelEmpty{Raised: raisedHere(), Message: "channel empty"}
}

func closedError() Error { return &ChannelClosed{Raised: raisedHere(), Message: "channel closed"} }

func armError(arm int) Error {
	switch arm {
	case armCancelled:
		return cancelledError()
	case armClosed:
		return closedError()
	}
	return nil
}
