package rt

import (
	"os"
	"runtime"
	"runtime/metrics"
	_ "unsafe" // for linkname
)

//go:linkname setGCPercent runtime/debug.setGCPercent
func setGCPercent(percent int32) int32

// A small heap may grow to some times its size before it is collected: that costs little
// memory and saves most of the collector's work. A large one may only double, as is usual in Go.
const (
	smallHeap  = 32 << 20
	mediumHeap = 128 << 20
)

// growth is by how many percent a heap may grow.
func growth(live uint64) int32 {
	switch {
	case live < smallHeap:
		return 400
	case live < mediumHeap:
		return 200
	}
	return 100
}

// tuneHeap lets the heap grow as its size after each collection says. Whoever sets GOGC
// decides alone.
func tuneHeap() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	now := growth(0)
	setGCPercent(now)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var collected func(*[16]byte)
	collected = func(mark *[16]byte) { // runs once after each collection
		metrics.Read(live)
		if next := growth(live[0].Value.Uint64()); next != now {
			now = next
			setGCPercent(next)
		}
		runtime.SetFinalizer(mark, collected)
	}
	runtime.SetFinalizer(new([16]byte), collected)
}
