package rt

import "testing"

// The benchmarks come in pairs: ours, and the same on Go's own channels.

func BenchmarkPingPong(b *testing.B) {
	tx1, rx1 := Chan[int64](1)
	tx2, rx2 := Chan[int64](1)
	t := Go(nil, "pong", func() (Void, Error) {
		for {
			v, ok := rx1.Next()
			if !ok {
				return Void{}, nil
			}
			tx2.Send(v)
		}
	})
	for i := range b.N {
		tx1.Send(int64(i))
		rx2.Recv()
	}
	tx1.Close()
	t.Get()
}

func BenchmarkPingPongGo(b *testing.B) {
	c1, c2 := make(chan int64, 1), make(chan int64, 1)
	done := make(chan bool)
	go func() {
		for v := range c1 {
			c2 <- v
		}
		close(done)
	}()
	for i := range b.N {
		c1 <- int64(i)
		<-c2
	}
	close(c1)
	<-done
}

func benchBuffered(b *testing.B, capacity int64) {
	tx, rx := Chan[int64](capacity)
	n := int64(b.N)
	t := Go(nil, "producer", func() (Void, Error) {
		for i := range n {
			tx.Send(i)
		}
		tx.Close()
		return Void{}, nil
	})
	for {
		if _, ok := rx.Next(); !ok {
			break
		}
	}
	t.Get()
}

func benchBufferedGo(b *testing.B, capacity int64) {
	c := make(chan int64, capacity)
	go func() {
		for i := range int64(b.N) {
			c <- i
		}
		close(c)
	}()
	for range c {
	}
}

func BenchmarkBuffered1(b *testing.B)      { benchBuffered(b, 1) }
func BenchmarkBuffered1Go(b *testing.B)    { benchBufferedGo(b, 1) }
func BenchmarkBuffered16(b *testing.B)     { benchBuffered(b, 16) }
func BenchmarkBuffered16Go(b *testing.B)   { benchBufferedGo(b, 16) }
func BenchmarkBuffered1000(b *testing.B)   { benchBuffered(b, 1000) }
func BenchmarkBuffered1000Go(b *testing.B) { benchBufferedGo(b, 1000) }

func BenchmarkManyProducers(b *testing.B) {
	tx, rx := Chan[int64](64)
	n := int64(b.N) / 8
	for range 8 {
		c := NewCopier()
		tx := tx.Copy(c)
		Go(c, "producer", func() (Void, Error) {
			for i := range n {
				tx.Send(i)
			}
			return Void{}, nil
		})
	}
	tx.Close()
	for {
		if _, ok := rx.Next(); !ok {
			break
		}
	}
}

func BenchmarkManyProducersGo(b *testing.B) {
	c := make(chan int64, 64)
	n := int64(b.N) / 8
	done := make(chan bool)
	for range 8 {
		go func() {
			for i := range n {
				c <- i
			}
			done <- true
		}()
	}
	go func() {
		for range 8 {
			<-done
		}
		close(c)
	}()
	for range c {
	}
}

func BenchmarkSpawnGet(b *testing.B) {
	for b.Loop() {
		Go(nil, "t", func() (int64, Error) { return 1, nil }).Get()
	}
}

func BenchmarkSpawnGetGo(b *testing.B) {
	for b.Loop() {
		c := make(chan int64, 1)
		go func() { c <- 1 }()
		<-c
	}
}

func BenchmarkSelect(b *testing.B) {
	tx, rx := Chan[int64](1)
	_, other := Chan[int64](1)
	for b.Loop() {
		tx.Send(1)
		var v, w int64
		Select(false, rx.Case(&v), other.Case(&w))
	}
}

func BenchmarkSelectGo(b *testing.B) {
	c, other := make(chan int64, 1), make(chan int64, 1)
	for b.Loop() {
		c <- 1
		select {
		case <-c:
		case <-other:
		}
	}
}

func BenchmarkArraySum(b *testing.B) {
	a := &Array[int64]{S: make([]int64, 1000)}
	sum := int64(0)
	for b.Loop() {
		for i := int64(0); i < a.Len(); i++ {
			sum += a.At(i)
		}
	}
	_ = sum
}

func BenchmarkArraySumGo(b *testing.B) {
	a := make([]int64, 1000)
	sum := int64(0)
	for b.Loop() {
		for i := 0; i < len(a); i++ {
			sum += a[i]
		}
	}
	_ = sum
}

func BenchmarkArrayShuffle(b *testing.B) {
	a := &Array[int64]{S: make([]int64, 1024)}
	for b.Loop() {
		x := int64(1)
		for i := int64(0); i < 1024; i++ {
			x = (x*5 + 3) & 1023
			t := a.At(x)
			a.Set(x, a.At(i)+1)
			a.Set(i, t)
		}
	}
}

func BenchmarkArrayShuffleGo(b *testing.B) {
	a := make([]int64, 1024)
	for b.Loop() {
		x := int64(1)
		for i := int64(0); i < 1024; i++ {
			x = (x*5 + 3) & 1023
			t := a[x]
			a[x] = a[i] + 1
			a[i] = t
		}
	}
}

func BenchmarkMapCount(b *testing.B) {
	words := make([]string, 1000)
	for i := range words {
		words[i] = ShowInt(int64(i * 7919 % 500))
	}
	m := NewMap[string, int64](0)
	n := NewMap[int64, int64](0)
	for b.Loop() {
		for i, w := range words {
			if m.Contains(w) {
				m.Insert(w, m.At(w)+1)
			} else {
				m.Insert(w, 1)
			}
			n.Insert(int64(i&63), int64(i))
		}
	}
}

func BenchmarkMapCountGo(b *testing.B) {
	words := make([]string, 1000)
	for i := range words {
		words[i] = ShowInt(int64(i * 7919 % 500))
	}
	m := map[string]int64{}
	n := map[int64]int64{}
	for b.Loop() {
		for i, w := range words {
			if _, ok := m[w]; ok {
				m[w] = m[w] + 1
			} else {
				m[w] = 1
			}
			n[int64(i&63)] = int64(i)
		}
	}
}

func BenchmarkPush(b *testing.B) {
	for b.Loop() {
		a := NewArray[*waiter[int64]]()
		for range 1000 {
			a.Push(nil)
		}
	}
}

func BenchmarkPushGo(b *testing.B) {
	for b.Loop() {
		var a []*waiter[int64]
		for range 1000 {
			a = append(a, nil)
		}
	}
}
