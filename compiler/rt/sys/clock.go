package sys

import (
	"math"
	"time"

	"github.com/settgraph/sett/compiler/rt"
)

// WallNs is the time of day in nanoseconds since 1970.
func WallNs() int64 { return time.Now().UnixNano() }

// SleepMs waits; a time that is too long for nanoseconds is as long as they can say.
func SleepMs(ms int64) {
	rt.SleepNs(min(max(ms, 0), math.MaxInt64/int64(time.Millisecond)) * int64(time.Millisecond))
}
