package sys

import (
	"math"
	"time"
)

// WallNs is the time of day in nanoseconds since 1970.
func WallNs() int64 { return time.Now().UnixNano() }

// SleepNs waits; a negative time is no time.
func SleepNs(ns int64) { time.Sleep(time.Duration(ns)) }

// SleepMs waits; a time that is too long for nanoseconds is as long as they can say.
func SleepMs(ms int64) {
	SleepNs(min(ms, math.MaxInt64/int64(time.Millisecond)) * int64(time.Millisecond))
}
