package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/load"
)

// manyLines is a program of at least n lines: classes, functions, loops, calls, strings.
func manyLines(n int) string {
	var b strings.Builder
	b.WriteString("fn main() {\n    print(total0(3, \"x\"))\n}\n")
	for i := 0; strings.Count(b.String(), "\n") < n; i++ {
		fmt.Fprintf(&b, `class Account%[1]d {
    owner: string
    cents: int

    fn earn(mut self, cents: int) int {
        for month in 0..cents {
            self.cents += month * %[1]d
        }
        return self.cents
    }
}

fn total%[1]d(months: int, owner: string) string {
    let mut a = Account%[1]d { owner: owner, cents: months }
    let sum = a.earn(months) + %[1]d
    if sum > 10 {
        return f"{a.owner}: {sum}"
    }
    return owner.repeat(sum)
}

`, i)
	}
	return b.String()
}

// BenchmarkPlutoCheck reads and checks a program of ten thousand lines.
func BenchmarkPlutoCheck(b *testing.B) {
	file := filepath.Join(b.TempDir(), "main.pluto")
	text := manyLines(10_000)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if p := compiler.Check(file, load.Options{}); p.Diags.Errors() > 0 {
			b.Fatal(p.Diags.Sorted()[0].Message)
		}
	}
	b.ReportMetric(float64(strings.Count(text, "\n")), "lines")
}

// BenchmarkPlutoRun takes a program that nobody has built yet from its text to its output,
// beside `go build` and a run of an equal Go program, in turn.
func BenchmarkPlutoRun(b *testing.B) {
	dir := b.TempDir()
	var took [2]time.Duration
	n := time.Now().UnixNano() // no text is met twice, not even in the cache of an earlier run
	for b.Loop() {
		n++
		start := time.Now()
		runPluto(b, fmt.Sprintf("fn main() {\n    print(\"hello %d\")\n}\n", n))
		took[0] += time.Since(start)

		file, bin := filepath.Join(dir, "main.go"), filepath.Join(dir, "hello.exe")
		text := fmt.Sprintf("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello %d\") }\n", n)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		start = time.Now()
		if out, err := exec.Command("go", "build", "-o", bin, file).CombinedOutput(); err != nil {
			b.Fatalf("go build: %v\n%s", err, out)
		}
		if out, err := exec.Command(bin).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		took[1] += time.Since(start)
	}
	b.ReportMetric(took[0].Seconds()*1000/float64(b.N), "pluto-ms")
	b.ReportMetric(took[1].Seconds()*1000/float64(b.N), "go-ms")
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "ratio")
}

func runPluto(b *testing.B, text string) {
	b.Helper()
	p := compiler.CheckText("main.pluto", text, load.Options{})
	out, err := compiler.Generate(p)
	if err != nil || out == nil {
		b.Fatal(err, p.Diags.Sorted())
	}
	built, err := build.Build(context.Background(), out.Files, build.Options{})
	if err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command(built.Path).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
}
