package rt

import (
	"runtime"
	"time"
)

var started = time.Now()

// TimeNs is time_ns(): nanoseconds that never go back.
func TimeNs() int64 { return started.UnixNano() + int64(time.Since(started)) }

// SleepNs sleeps. A sleeping task counts as one that can go on.
func SleepNs(ns int64) { time.Sleep(time.Duration(ns)) }

// GCHeapSize is gc_heap_size(): bytes that are in use.
func GCHeapSize() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
