// Package sys has what std.random, std.time, std.env and std.log need of the system: a
// generator, the clock, the environment and the log's stream. The generator and the level of
// the log belong to the process, all tasks share them.
package sys

import (
	"math/rand/v2"
	"sync/atomic"
)

// generator is a xorshift64* generator. Its state is never 0; it is 0 until it is used.
var generator struct {
	state  atomic.Uint64
	seeded atomic.Bool
}

// Seed sets the generator so that it gives the same numbers again; seed 0 means 1.
func Seed(seed int64) {
	if seed == 0 {
		seed = 1
	}
	generator.state.Store(uint64(seed))
	generator.seeded.Store(true)
}

// Seeded says whether the program has chosen a seed.
func Seeded() bool { return generator.seeded.Load() }

// step returns the next 64 bits. Several tasks may draw at the same time.
func step() uint64 {
	for {
		old := generator.state.Load()
		x := old
		if x == 0 {
			x = rand.Uint64() | 1
		}
		x ^= x >> 12
		x ^= x << 25
		x ^= x >> 27
		if generator.state.CompareAndSwap(old, x) {
			return x * 0x2545F4914F6CDD1D
		}
	}
}

// RandomInt is any int, each as likely as others.
func RandomInt() int64 { return int64(step()) }

// RandomFloat is in [0, 1) and has 53 random bits.
func RandomFloat() float64 { return float64(step()>>11) / (1 << 53) }

// RandomBetween is low, high or an int between them; the bounds may come in either order.
func RandomBetween(low, high int64) int64 {
	if low > high {
		low, high = high, low
	}
	drawn := RandomInt()
	count := uint64(high) - uint64(low) + 1
	switch {
	case count == 0: // every int
		return drawn
	case count > 1<<63: // more than a magnitude can reach
		return low + int64(uint64(drawn)%count)
	}
	magnitude := uint64(drawn)
	if drawn < 0 {
		magnitude = -magnitude
	}
	return low + int64(magnitude%count)
}

// RandomHex is n bytes of the generator as 2n lower-case hex digits.
func RandomHex(n int64) string {
	const digits = "0123456789abcdef"
	var b []byte
	for i := int64(0); i < n; i += 8 {
		for x, k := step(), i; k < min(n, i+8); k++ {
			b = append(b, digits[x>>60], digits[x>>56&15])
			x <<= 8
		}
	}
	return string(b)
}
