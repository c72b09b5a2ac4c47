package ts

import (
	"bytes"
	"context"
	"math/rand"
	"os"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
)

// lookRepo is the project that the benchmarks ask about: SETT_LOOK_REPO names its folder.
func lookRepo(b testing.TB) (*lang.Input, map[string]string) {
	dir := os.Getenv("SETT_LOOK_REPO")
	if dir == "" {
		b.Skip("SETT_LOOK_REPO names no project")
	}
	files := readTree(b, dir)
	in := inputOf(b, dir, files, runtime.GOMAXPROCS(0))
	in.Units = nil
	return in, files
}

// A spot is the start of an identifier.
type spot struct {
	file string
	at   graph.Pos
}

var identifier = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

// randomSpots picks places where names stand, seeded so that each run asks the same.
func randomSpots(in *lang.Input, files map[string]string, n int, seed int64) []spot {
	r := rand.New(rand.NewSource(seed))
	var list []spot
	for len(list) < n {
		f := in.Files[r.Intn(len(in.Files))].Path
		src := []byte(files[f])
		all := identifier.FindAllIndex(src, -1)
		if len(all) == 0 {
			continue
		}
		off := all[r.Intn(len(all))][0]
		line := bytes.Count(src[:off], []byte("\n"))
		start := bytes.LastIndexByte(src[:off], '\n') + 1
		list = append(list, spot{f, graph.Pos{Line: uint32(line + 1), Col: uint32(len([]rune(string(src[start:off]))) + 1)}})
	}
	return list
}

// BenchmarkLookCold asks the first question of a new looker.
func BenchmarkLookCold(b *testing.B) {
	in, files := lookRepo(b)
	spots := randomSpots(in, files, 100, 1)
	for i := 0; b.Loop(); i++ {
		l := newLooker()
		s := spots[i%len(spots)]
		if _, err := l.Look(context.Background(), in, s.file, s.at); err != nil {
			b.Fatal(err)
		}
		l.Close()
	}
}

// BenchmarkLookWarm asks a looker that has the project. It also says the 95th percentile,
// and what the looker holds after the questions.
func BenchmarkLookWarm(b *testing.B) {
	in, files := lookRepo(b)
	spots := randomSpots(in, files, 2000, 2)
	l := newLooker()
	defer l.Close()
	for _, s := range randomSpots(in, files, 200, 3) {
		l.Look(context.Background(), in, s.file, s.at)
	}
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		s := spots[i%len(spots)]
		from := time.Now()
		if _, err := l.Look(context.Background(), in, s.file, s.at); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(from))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MB")
}

// BenchmarkLookEdit asks after each edit of the file that is asked about.
func BenchmarkLookEdit(b *testing.B) {
	in, files := lookRepo(b)
	spots := randomSpots(in, files, 50, 4)
	l := newLooker()
	defer l.Close()
	l.Look(context.Background(), in, spots[0].file, spots[0].at)
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		s := spots[i%len(spots)]
		l.Look(context.Background(), in, s.file, s.at) // the configuration's program is there
		files[s.file] += "\n;"
		k := slices.IndexFunc(in.Files, func(f lang.File) bool { return f.Path == s.file })
		in.Files[k].Hash = xxh3.HashString(files[s.file])
		b.StartTimer()
		if _, err := l.Look(context.Background(), in, s.file, s.at); err != nil {
			b.Fatal(err)
		}
	}
}
