package bench

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

func sortBy[T any](s []T, less func(a, b T) bool) {
	sort.SliceStable(s, func(i, j int) bool { return less(s[i], s[j]) })
}

// BenchmarkIndexCold makes the index from nothing and stores it.
func BenchmarkIndexCold(b *testing.B) {
	each(b, func(b *testing.B, dir string) {
		var r *sdk.IndexReport
		for b.Loop() {
			b.StopTimer()
			if err := os.RemoveAll(filepath.Join(dir, ".sett")); err != nil {
				b.Fatal(err)
			}
			p, err := sdk.Open(dir, sdk.Options{})
			if err != nil {
				b.Fatal(err)
			}
			runtime.GC()
			b.StartTimer()
			if r, err = p.Index(context.Background(), sdk.IndexOptions{}); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			p.Close()
			b.StartTimer()
		}
		b.ReportMetric(float64(r.Lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		b.ReportMetric(float64(r.StoreBytes)/float64(r.SourceBytes), "store/source")
	})
}

// BenchmarkIndexUnchanged indexes again when nothing changed.
func BenchmarkIndexUnchanged(b *testing.B) {
	each(b, func(b *testing.B, dir string) {
		indexed(b, dir)
		for b.Loop() {
			p, err := sdk.Open(dir, sdk.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.Index(context.Background(), sdk.IndexOptions{}); err != nil {
				b.Fatal(err)
			}
			p.Close()
		}
	})
}

// BenchmarkEditThenAsk changes the body of a function and asks for the uses of it, with a
// project opened anew each time, as a command line does.
func BenchmarkEditThenAsk(b *testing.B) {
	each(b, func(b *testing.B, dir string) {
		p := indexed(b, dir)
		d := busiest(b, p, 9)[4]
		s, _, err := p.Snapshot(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		file := filepath.Join(dir, s.File(d.Decls[0].File).Path)
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		for n := 0; b.Loop(); n++ {
			b.StopTimer()
			if err := os.WriteFile(file, []byte(string(text)+strings.Repeat("\n", n+1)), 0o666); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			q, err := sdk.Open(dir, sdk.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := q.Refs(context.Background(), query.RefsArgs{Selector: query.Selector{Symbol: query.Handle(s, d.ID)}}); err != nil {
				b.Fatal(err)
			}
			q.Close()
		}
	})
}
