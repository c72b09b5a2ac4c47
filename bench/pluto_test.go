package bench

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/load"
)

// BenchmarkPluto runs each program of testdata/pluto beside the equal Go program, in turn,
// and reports the ratio of their fastest runs; the last line is the geometric mean. Both
// must print the same.
//
//	go test -run xxx -bench Pluto -benchtime 5x ./bench
func BenchmarkPluto(b *testing.B) {
	files, err := filepath.Glob("testdata/pluto/*.txtar")
	if err != nil || len(files) < 20 {
		b.Fatalf("found %d programs, want at least 20 (%v)", len(files), err)
	}
	var ratios []float64
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			pluto, golang := buildPair(b, dir, file)
			best := [2]time.Duration{math.MaxInt64, math.MaxInt64}
			var out [2][]byte
			for b.Loop() {
				for i, bin := range []string{pluto, golang} {
					start := time.Now()
					text, err := exec.Command(bin).CombinedOutput()
					if err != nil {
						b.Fatalf("%s: %v\n%s", bin, err, text)
					}
					best[i] = min(best[i], time.Since(start))
					out[i] = text
				}
			}
			if !bytes.Equal(out[0], out[1]) {
				b.Fatalf("Pluto printed\n%s\nGo printed\n%s", out[0], out[1])
			}
			ratio := best[0].Seconds() / best[1].Seconds()
			b.ReportMetric(best[0].Seconds()*1000, "pluto-ms")
			b.ReportMetric(best[1].Seconds()*1000, "go-ms")
			b.ReportMetric(ratio, "ratio")
			ratios = append(ratios, ratio)
		})
	}
	if len(ratios) == 0 {
		return // all were filtered out
	}
	b.Run("geomean", func(b *testing.B) {
		sum := 0.0
		for b.Loop() {
			sum = 0
			for _, r := range ratios {
				sum += math.Log(r)
			}
		}
		b.ReportMetric(math.Exp(sum/float64(len(ratios))), "ratio")
	})
}

// buildPair builds the Pluto and the Go program of a file.
func buildPair(b *testing.B, dir, file string) (pluto, golang string) {
	b.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range ar.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	if !slices.ContainsFunc(ar.Files, func(f txtar.File) bool { return f.Name == "main.go" }) {
		b.Fatalf("%s has no main.go", file)
	}
	golang = filepath.Join(dir, "go.exe")
	prog := compiler.Check(filepath.Join(dir, "main.pluto"), load.Options{Standalone: true})
	out, err := compiler.Generate(prog)
	if err != nil || out == nil {
		b.Fatalf("%s: %v %v", file, err, prog.Diags.Sorted())
	}
	built, err := build.Build(context.Background(), out.Files, build.Options{Release: true})
	if err != nil {
		b.Fatal(err)
	}
	pluto = built.Path
	cmd := exec.Command("go", "build", "-o", golang, "main.go")
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, text)
	}
	return pluto, golang
}
