package golang_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang"
)

// BenchmarkLook asks about random places of the project that SETT_GO_PROJECT names: each
// of a new looker (cold), all of one that has been asked about the same files (warm) and
// about the same places (again), and of a file that has changed since the question before
// (edited). It reports the median, the 95th percentile, and what a warm looker holds.
func BenchmarkLook(b *testing.B) {
	root := os.Getenv("SETT_GO_PROJECT")
	if root == "" {
		b.Skip("SETT_GO_PROJECT is not set")
	}
	in := readProject(b, root)
	l := golang.Language()
	type place struct {
		file int
		at   graph.Pos
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	places := make([]place, 200)
	for i := range places {
		f := rnd.IntN(len(in.Files))
		src, err := in.ReadFile(in.Files[f].Path)
		if err != nil {
			b.Fatal(err)
		}
		places[i] = place{f, somewhere(rnd, src)}
	}
	look := func(b *testing.B, lk lang.Looker, in *lang.Input, p place) time.Duration {
		start := time.Now()
		if _, err := lk.Look(context.Background(), in, in.Files[p.file].Path, p.at); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	report := func(b *testing.B, took []time.Duration) {
		slices.Sort(took)
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
		b.ReportMetric(ms(took[len(took)*95/100]), "p95-ms")
		b.ReportMetric(ms(took[len(took)-1]), "max-ms")
	}
	b.Run("cold", func(b *testing.B) {
		var took []time.Duration
		for b.Loop() {
			for _, p := range places {
				lk := l.Looker()
				took = append(took, look(b, lk, in, p))
				lk.Close()
			}
		}
		report(b, took)
	})
	for _, passes := range []int{1, 2} {
		b.Run([]string{"warm", "again"}[passes-1], func(b *testing.B) {
			before := heap()
			lk := l.Looker()
			defer lk.Close()
			var took []time.Duration
			for b.Loop() {
				took = took[:0]
				for pass := range passes + 1 {
					for _, p := range places {
						p.at.Line += uint32(min(pass, 1))
						if d := look(b, lk, in, p); pass == passes {
							took = append(took, d)
						}
					}
				}
			}
			report(b, took)
			b.ReportMetric(heap()-before, "held-MB")
		})
	}
	b.Run("edited", func(b *testing.B) {
		lk := l.Looker()
		defer lk.Close()
		var took []time.Duration
		for b.Loop() {
			for _, p := range places {
				look(b, lk, in, p)
				next := *in
				next.Files = slices.Clone(in.Files)
				next.Files[p.file].Hash++
				took = append(took, look(b, lk, &next, p))
			}
		}
		report(b, took)
	})
}

// somewhere returns the position of a name in a text.
func somewhere(rnd *rand.Rand, src []byte) graph.Pos {
	for range 1000 {
		off := rnd.IntN(len(src))
		if c := src[off] | 0x20; c < 'a' || c > 'z' {
			continue
		}
		p := graph.Pos{Line: 1, Col: 1}
		for _, c := range string(src[:off]) {
			if p.Col++; c == '\n' {
				p = graph.Pos{Line: p.Line + 1, Col: 1}
			}
		}
		return p
	}
	return graph.Pos{Line: 1, Col: 1}
}

// heap returns the megabytes in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}
