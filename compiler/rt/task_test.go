package rt

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// within fails the test when f does not return soon.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan bool)
	go func() { f(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it hangs")
	}
}

// blocked waits until the task waits in a channel operation.
func blocked(t *testing.T, k *task) {
	t.Helper()
	for range 5000 {
		if k.claim.Load() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the task does not block")
}

func errorName(e Error) string {
	if e == nil {
		return ""
	}
	return e.ErrorName()
}

func TestChannelIsFIFO(t *testing.T) {
	for _, capacity := range []int64{-1, 0, 1, 2, 3, 7, 100} {
		within(t, func() {
			tx, rx := Chan[int64](capacity)
			Go(nil, "producer", func() (Void, Error) {
				for i := range int64(1000) {
					if err := tx.Send(i); err != nil {
						t.Error(err.ErrorText())
					}
				}
				tx.Close()
				tx.Close()
				return Void{}, nil
			})
			for want := range int64(1000) {
				if v, ok := rx.Next(); !ok || v != want {
					t.Fatalf("capacity %d: got %d, %v, want %d", capacity, v, ok, want)
				}
			}
			if _, err := rx.Recv(); errorName(err) != "ChannelClosed" {
				t.Errorf("a drained channel gives %v", err)
			}
		})
	}
}

func TestChannelCapacityAndErrors(t *testing.T) {
	tx, rx := Chan[int64](3)
	for i := range int64(3) {
		if err := tx.TrySend(i); err != nil {
			t.Fatal(err.ErrorText())
		}
	}
	if err := tx.TrySend(3); errorName(err) != "ChannelFull" || err.ErrorMessage() != "channel full" {
		t.Error("a full channel takes more:", err)
	}
	if v, err := rx.TryRecv(); v != 0 || err != nil {
		t.Error(v, err)
	}
	tx.TrySend(4)
	tx.Close()
	if err := tx.Send(5); errorName(err) != "ChannelClosed" || err.ErrorMessage() != "channel closed" {
		t.Error("a closed channel takes more:", err)
	}
	if err := tx.TrySend(5); errorName(err) != "ChannelClosed" {
		t.Error("a closed channel takes more:", err)
	}
	for _, want := range []int64{1, 2, 4} {
		if v, err := rx.TryRecv(); v != want || err != nil {
			t.Error(v, err, want)
		}
	}
	if _, err := rx.TryRecv(); errorName(err) != "ChannelClosed" {
		t.Error(err)
	}
	_, rx = Chan[int64](1)
	if _, err := rx.TryRecv(); errorName(err) != "ChannelEmpty" || err.ErrorMessage() != "channel empty" {
		t.Error(err)
	}
}

// A channel closes when the last of those who claimed to send has ended or closed.
func TestClaims(t *testing.T) {
	within(t, func() {
		tx, rx := Chan[int64](2)
		for range 5 {
			c := NewCopier()
			shared := tx
			tx := tx.Copy(c)
			if tx != shared.Copy(c) {
				t.Error("a task has two ends of one sender")
			}
			Go(c, "producer", func() (Void, Error) {
				for range 100 {
					tx.Send(1)
				}
				return Void{}, nil
			})
		}
		tx.Release()
		sum := int64(0)
		for {
			v, ok := rx.Next()
			if !ok {
				break
			}
			sum += v
		}
		if sum != 500 {
			t.Errorf("%d values came", sum)
		}
	})
	// A task that closes its own end leaves the others' open; copies of a closed end are closed.
	within(t, func() {
		tx, rx := Chan[int64](2)
		c := NewCopier()
		mine := tx.Copy(c)
		Go(c, "t", func() (Void, Error) { mine.Close(); return Void{}, mine.Send(1) }).Get()
		if err := tx.Send(2); err != nil {
			t.Error(err.ErrorText())
		}
		tx.Close()
		if err := tx.Copy(NewCopier()).TrySend(1); errorName(err) != "ChannelClosed" {
			t.Error("a copy of a closed sender sends")
		}
		if v, err := rx.Recv(); v != 2 || err != nil {
			t.Error(v, err)
		}
	})
	// Blocked senders and receivers see the close.
	within(t, func() {
		tx, rx := Chan[int64](1)
		k := Go(nil, "t", func() (int64, Error) { return rx.Recv() })
		blocked(t, &k.task)
		tx.Release()
		if _, err := k.Get(); errorName(err) != "ChannelClosed" {
			t.Error(err)
		}
	})
}

// Every value arrives once, whoever sends and receives.
func TestManyToMany(t *testing.T) {
	within(t, func() {
		const producers, consumers, each = 8, 5, 2000
		tx, rx := Chan[int64](3)
		for p := range int64(producers) {
			c := NewCopier()
			tx := tx.Copy(c)
			Go(c, "producer", func() (Void, Error) {
				for i := range int64(each) {
					if p%2 == 0 {
						tx.Send(p*each + i)
						continue
					}
					if arm, err := Select(false, tx.Case(p*each+i)); arm != 0 || err != nil {
						t.Error(arm, err)
					}
				}
				return Void{}, nil
			})
		}
		tx.Close()
		tasks := NewArray[*Task[*Array[int64]]]()
		_, never := Chan[int64](1)
		for q := range consumers {
			tasks.Push(Go(nil, "consumer", func() (*Array[int64], Error) {
				got := NewArray[int64]()
				for {
					var v, w int64
					if q%2 == 0 {
						var ok bool
						if v, ok = rx.Next(); !ok {
							return got, nil
						}
					} else if arm, err := Select(false, never.Case(&w), rx.Case(&v)); err != nil {
						return got, nil
					} else if arm != 1 {
						t.Error("arm", arm)
					}
					got.Push(v)
				}
			}))
		}
		// The consumers that select also watch a channel that stays open: they end by cancelling.
		seen := map[int64]int{}
		for i, k := range tasks.S {
			if i%2 == 1 {
				continue
			}
			got, _ := k.Get()
			for _, v := range got.S {
				seen[v]++
			}
		}
		for i, k := range tasks.S {
			if i%2 == 1 {
				k.Cancel()
				got, err := k.Get()
				if err != nil {
					t.Error(err.ErrorText())
				}
				for _, v := range got.S {
					seen[v]++
				}
			}
		}
		if len(seen) != producers*each {
			t.Errorf("%d values came of %d", len(seen), producers*each)
		}
		for v, n := range seen {
			if n != 1 {
				t.Errorf("%d came %d times", v, n)
			}
		}
	})
}

func TestTask(t *testing.T) {
	within(t, func() {
		k := Go(nil, "t", func() (string, Error) { SleepNs(1e6); return "x", nil })
		for range 3 {
			if v, err := k.Get(); v != "x" || err != nil {
				t.Error(v, err)
			}
		}
		if k.MustGet() != "x" {
			t.Error("MustGet")
		}
		e := &NetworkError{Message: "down"}
		bad := Go(nil, "t", func() (string, Error) { return "", e })
		for range 2 {
			if _, err := bad.Get(); err != e {
				t.Error("another error comes out")
			}
		}
		// Several wait for one.
		slow := Go(nil, "slow", func() (int64, Error) { SleepNs(5e6); return 1, nil })
		sum := int64(0)
		waiters := NewArray[*Task[int64]]()
		for range 10 {
			waiters.Push(Go(nil, "waits", slow.Get))
		}
		for _, w := range waiters.S {
			sum += w.MustGet()
		}
		if sum != 10 {
			t.Error("sum", sum)
		}
		// A closure whose function runs in another task ends this one.
		fr := NewFrame()
		lost := Go(nil, "t", func() (int64, Error) { panic(fr.Raise(e)) })
		if _, err := lost.Get(); err != e {
			t.Error("the error of a closure is lost:", err)
		}
	})
}

func TestCancel(t *testing.T) {
	within(t, func() {
		tx, rx := Chan[int64](1)
		tx.Send(1)
		_, never := Chan[int64](1)
		for name, f := range map[string]func() (int64, Error){
			"send": func() (int64, Error) { return 0, tx.Send(2) },
			"recv": func() (int64, Error) { return never.Recv() },
			"select": func() (int64, Error) {
				var v int64
				_, err := Select(false, tx.Case(3), never.Case(&v))
				return 0, err
			},
		} {
			for _, early := range []bool{true, false} {
				k := Go(nil, "t", f)
				if !early {
					blocked(t, &k.task)
				}
				k.Cancel()
				k.Cancel()
				if _, err := k.Get(); errorName(err) != "TaskCancelled" || err.ErrorMessage() != "task cancelled" {
					t.Errorf("%s, early %v: %v", name, early, err)
				}
			}
		}
		if v, err := rx.TryRecv(); v != 1 || err != nil {
			t.Error(v, err)
		}
		if v, err := rx.TryRecv(); errorName(err) != "ChannelEmpty" {
			t.Error("a cancelled send left something behind:", v)
		}
		// A loop over a receiver ends, and the task has a value.
		loop := Go(nil, "t", func() (int64, Error) {
			for {
				if _, ok := never.Next(); !ok {
					return 3, nil
				}
			}
		})
		blocked(t, &loop.task)
		loop.Cancel()
		if v, err := loop.Get(); v != 3 || err != nil {
			t.Error(v, err)
		}
		// Who does not block runs to the end.
		k := Go(nil, "t", func() (int64, Error) { SleepNs(2e6); return 5, nil })
		k.Cancel()
		if v, err := k.Get(); v != 5 || err != nil {
			t.Error(v, err)
		}
	})
}

// Cancelling and sending meet at a receiver: the value is received or still there.
func TestCancelLosesNothing(t *testing.T) {
	within(t, func() {
		for range 2000 {
			tx, rx := Chan[int64](1)
			k := Go(nil, "t", func() (int64, Error) { return rx.Recv() })
			c := Go(nil, "c", func() (Void, Error) { k.Cancel(); return Void{}, nil })
			tx.Send(1)
			c.Get()
			_, err := k.Get()
			_, left := rx.TryRecv()
			if (err == nil) == (left == nil) {
				t.Fatal("received:", err == nil, "left:", left == nil)
			}
		}
	})
}

func TestSelect(t *testing.T) {
	within(t, func() {
		tx1, rx1 := Chan[int64](1)
		tx2, rx2 := Chan[string](1)
		var v int64
		var s string
		if arm, err := Select(true, rx1.Case(&v), rx2.Case(&s)); arm != -1 || err != nil {
			t.Error(arm, err)
		}
		tx2.Send("x")
		if arm, err := Select(false, rx1.Case(&v), rx2.Case(&s)); arm != 1 || err != nil || s != "x" {
			t.Error(arm, err, s)
		}
		if arm, err := Select(false, rx1.Case(&v), tx2.Case("y")); arm != 1 || err != nil {
			t.Error(arm, err)
		}
		// Both ready: each is taken now and then.
		taken := [2]int{}
		for range 200 {
			tx1.TrySend(1)
			tx2.TrySend("z")
			arm, _ := Select(false, rx1.Case(&v), rx2.Case(&s))
			taken[arm]++
		}
		if taken[0] < 20 || taken[1] < 20 {
			t.Error("arms are not taken at random:", taken)
		}
		rx1.TryRecv()
		rx2.TryRecv()
		// Woken by a send, by a receive, and by the last close.
		k := Go(nil, "t", func() (int64, Error) {
			var v int64
			var s string
			arm, err := Select(false, rx2.Case(&s), rx1.Case(&v))
			return int64(arm)*100 + v, err
		})
		blocked(t, &k.task)
		tx1.Send(7)
		if v, err := k.Get(); v != 107 || err != nil {
			t.Error(v, err)
		}
		tx1.Send(1)
		k = Go(nil, "t", func() (int64, Error) {
			arm, err := Select(false, tx1.Case(2))
			return int64(arm), err
		})
		blocked(t, &k.task)
		rx1.Recv()
		if v, err := k.Get(); v != 0 || err != nil {
			t.Error(v, err)
		}
		if v, _ := rx1.Recv(); v != 2 {
			t.Error("the sent value is", v)
		}
		k = Go(nil, "t", func() (int64, Error) {
			var v int64
			var s string
			arm, err := Select(false, rx1.Case(&v), rx2.Case(&s))
			return int64(arm), err
		})
		blocked(t, &k.task)
		tx1.Close()
		tx2.Close()
		if arm, err := k.Get(); arm != -1 || errorName(err) != "ChannelClosed" {
			t.Error(arm, err)
		}
		if arm, err := Select(true, rx1.Case(&v), tx2.Case("")); arm != -1 || err != nil {
			t.Error(arm, err)
		}
		if arm, err := Select(false, rx1.Case(&v), tx2.Case("")); arm != -1 || errorName(err) != "ChannelClosed" {
			t.Error(arm, err)
		}
	})
}

func TestRWLock(t *testing.T) {
	within(t, func() {
		var l RWLock
		n := 0
		var inside atomic.Int64
		tasks := NewArray[*Task[Void]]()
		for k := range 8 {
			tasks.Push(Go(nil, "t", func() (Void, Error) {
				for range 500 {
					if k%2 == 0 {
						l.Lock()
						l.Lock()
						l.RLock()
						if inside.Add(1) != 1 {
							t.Error("a writer is not alone")
						}
						n++
						inside.Add(-1)
						l.RUnlock()
						l.Unlock()
						l.Unlock()
					} else {
						l.RLock()
						l.RLock()
						if inside.Load() != 0 {
							t.Error("a reader reads while one writes")
						}
						_ = n
						l.RUnlock()
						l.RUnlock()
					}
				}
				return Void{}, nil
			}))
		}
		for _, k := range tasks.S {
			k.Get()
		}
		if n != 2000 {
			t.Error("increments are lost:", n)
		}
		l.RLock() // alone, a reader may write
		l.Lock()
		l.Unlock()
		l.RUnlock()
		l.Lock()
		l.Unlock()
	})
}

// A new goroutine takes its task from the one that started it, and tasks do not mix.
func TestCurrentTask(t *testing.T) {
	within(t, func() {
		me := current()
		k := Go(nil, "t", func() (bool, Error) {
			k := current()
			runtime.Gosched()
			inherited := make(chan *task)
			go func() { inherited <- current() }()
			return k == current() && k != me && <-inherited == k, nil
		})
		if !k.MustGet() || current() != me {
			t.Error("the current task is another one")
		}
	})
}
