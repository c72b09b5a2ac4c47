package bench

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"github.com/settgraph/sett/format"
	"github.com/settgraph/sett/query"
)

// BenchmarkWarm asks a project that is already open, as an MCP server does: the files are
// looked at before each answer.
func BenchmarkWarm(b *testing.B) {
	each(b, func(b *testing.B, dir string) {
		p := indexed(b, dir)
		s, _, err := p.Snapshot(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		top := query.Selector{Symbol: query.Handle(s, busiest(b, p, 1)[0].ID)}
		for verb, args := range map[string]any{
			"find":      &query.FindArgs{Symbol: "New*"},
			"refs":      &query.RefsArgs{Selector: top},
			"impact":    &query.ImpactArgs{Selector: top},
			"callgraph": &query.CallGraphArgs{Selector: top, Direction: "callers", Depth: 3},
			"context":   &query.ContextArgs{Selector: top},
			"circular":  &query.CircularArgs{},
			"deadcode":  &query.DeadCodeArgs{},
		} {
			b.Run(verb, func(b *testing.B) {
				spec, _ := query.ByVerb(verb)
				var took []time.Duration
				for b.Loop() {
					start := time.Now()
					if _, err := p.Ask(context.Background(), spec, args); err != nil {
						b.Fatal(err)
					}
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
			})
		}
	})
}

// BenchmarkProcess runs the command as a process of its own, cold every time.
func BenchmarkProcess(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "sett")
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/sett").CombinedOutput(); err != nil {
		b.Fatalf("building: %v\n%s", err, out)
	}
	each(b, func(b *testing.B, dir string) {
		p := indexed(b, dir)
		s, _, err := p.Snapshot(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		symbol := query.Handle(s, busiest(b, p, 9)[4].ID)
		for _, args := range [][]string{{"find", "New*"}, {"refs", symbol}, {"callgraph", symbol, "--direction", "callers"}, {"impact", symbol}} {
			b.Run(args[0], func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					cmd := exec.Command(bin, append([]string{"-C", dir}, args...)...)
					start := time.Now()
					if out, err := cmd.CombinedOutput(); err != nil {
						b.Fatalf("%v: %v\n%s", args, err, out)
					}
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			})
		}
	})
}

// BenchmarkTokens compares what an agent pays for the references of a symbol with what
// `grep -rnw` costs for the same name, over symbols from the most used to the least.
func BenchmarkTokens(b *testing.B) {
	enc, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		b.Fatal(err)
	}
	count := func(text string) int {
		n, err := enc.Count(text)
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	each(b, func(b *testing.B, dir string) {
		p := indexed(b, dir)
		s, _, err := p.Snapshot(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		var ours, impact, grep []int
		for b.Loop() {
			ours, impact, grep = nil, nil, nil
			for _, d := range busiest(b, p, 60) {
				sel := query.Selector{Symbol: query.Handle(s, d.ID)}
				for verb, args := range map[string]any{"refs": &query.RefsArgs{Selector: sel}, "impact": &query.ImpactArgs{Selector: sel}} {
					spec, _ := query.ByVerb(verb)
					a, err := p.Ask(context.Background(), spec, args)
					if err != nil {
						b.Fatal(err)
					}
					var text bytes.Buffer
					if err := format.Lines(&text, a.Result, format.Style{}); err != nil {
						b.Fatal(err)
					}
					if verb == "refs" {
						ours = append(ours, count(text.String()))
					} else {
						impact = append(impact, count(text.String()))
					}
				}
				cmd := exec.Command("grep", "-rnw", "--include=*.go", "--include=*.ts", "--include=*.tsx", "--", d.Name, ".")
				cmd.Dir = dir
				out, _ := cmd.Output() // exits 1 when nothing matches
				grep = append(grep, count(string(out)))
			}
		}
		slices.Sort(ours)
		slices.Sort(impact)
		slices.Sort(grep)
		b.ReportMetric(float64(ours[len(ours)/2]), "refs-median")
		b.ReportMetric(float64(ours[len(ours)-1]), "refs-max")
		b.ReportMetric(float64(impact[len(impact)/2]), "impact-median")
		b.ReportMetric(float64(impact[len(impact)-1]), "impact-max")
		b.ReportMetric(float64(grep[len(grep)/2]), "grep-median")
		b.ReportMetric(0, "ns/op")
	})
}
