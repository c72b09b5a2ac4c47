package rt

import (
	"math/rand"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestExtend grows many strings in turn, old ones again too, beside plain concatenation.
func TestExtend(t *testing.T) {
	var wg sync.WaitGroup
	for seed := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewSource(int64(seed)))
			type pair struct{ got, want string }
			all := []pair{{"", ""}}
			for step := range 3000 {
				p := all[r.Intn(len(all))]
				more := strings.Repeat(string(rune('a'+step%26)), r.Intn(200))
				p = pair{Extend(p.got, more), p.want + more}
				if len(all) < 20 {
					all = append(all, p)
				} else {
					all[r.Intn(len(all))] = p
				}
				if step%500 == 0 {
					runtime.GC()
				}
			}
			for _, p := range all {
				if p.got != p.want {
					t.Errorf("seed %d: a string of %d bytes changed", seed, len(p.want))
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkExtend builds a text of a megabyte, ten bytes at a time.
func BenchmarkExtend(b *testing.B) {
	for b.Loop() {
		s := ""
		for len(s) < 1<<20 {
			s = Extend(s, "0123456789")
		}
	}
}
