package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// modules is how many modules the project of the Living benchmarks has, besides base and main.
const modules = 500

// livingPluto lays out a Pluto project of five hundred modules in 18,300 lines, each time the
// same. Every module uses the one before it, every fifth the class Base too.
func livingPluto(b testing.TB) string {
	root := b.TempDir()
	put(b, root, "base.pluto", "pub class Base {\n    n: int\n\n    fn twice(self) int {\n        return self.n * 2\n    }\n}\n")
	put(b, root, "main.pluto", fmt.Sprintf("import m%[1]d\n\nfn main() {\n    print(m%[1]d.total%[1]d(1))\n}\n", modules-1))
	for i := range modules {
		put(b, root, fmt.Sprintf("m%d.pluto", i), plutoModule(i))
	}
	return root
}

func plutoModule(i int) string {
	var t strings.Builder
	if i%5 == 0 {
		t.WriteString("import base\n")
	}
	if i > 0 {
		fmt.Fprintf(&t, "import m%d\n", i-1)
	}
	fmt.Fprintf(&t, `
// What module %[1]d knows about loads.
pub class Load%[1]d {
    weight: int
    label: string

    fn heavy(self, limit: int) bool {
        return self.weight > limit
    }
}

pub error Broken%[1]d { code: int }

pub enum State%[1]d {
    Idle
    Busy { since: int }
}

pub fn check%[1]d(l: Load%[1]d) int {
    if l.heavy(1000000) {
        raise Broken%[1]d { code: l.weight }
    }
    let s = State%[1]d.Busy { since: l.weight }
    match s {
        State%[1]d.Idle { return 0 }
        State%[1]d.Busy { since } { return since }
    }
}

pub fn total%[1]d(n: int) int {
    let l = Load%[1]d { weight: n, label: f"load {n}" }
    let mut sum = check%[1]d(l) catch 0
`, i)
	if i%5 == 0 {
		t.WriteString("    let b = base.Base { n: sum }\n    sum = sum + b.twice()\n")
	}
	if i > 0 {
		fmt.Fprintf(&t, "    sum = sum + m%[1]d.total%[1]d(n)\n", i-1)
	}
	t.WriteString("    return sum\n}\n")
	return t.String()
}

// livingGo is the equal Go module: a package for each module.
func livingGo(b testing.TB) string {
	root := b.TempDir()
	put(b, root, "go.mod", "module example.com/living\n\ngo 1.24\n")
	put(b, root, "base/base.go", "package base\n\ntype Base struct {\n\tN int\n}\n\nfunc (b Base) Twice() int {\n\treturn b.N * 2\n}\n")
	put(b, root, "main.go", fmt.Sprintf(
		"package main\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/living/m%[1]d\"\n)\n\nfunc main() {\n\tfmt.Println(m%[1]d.Total%[1]d(1))\n}\n", modules-1))
	for i := range modules {
		put(b, root, fmt.Sprintf("m%[1]d/m%[1]d.go", i), goModule(i))
	}
	return root
}

func goModule(i int) string {
	var t strings.Builder
	fmt.Fprintf(&t, "package m%d\n\nimport (\n\t\"fmt\"\n", i)
	if i%5 == 0 {
		t.WriteString("\n\t\"example.com/living/base\"\n")
	}
	if i > 0 {
		fmt.Fprintf(&t, "\n\t\"example.com/living/m%d\"\n", i-1)
	}
	fmt.Fprintf(&t, `)

// Load%[1]d is what module %[1]d knows about loads.
type Load%[1]d struct {
	Weight int
	Label  string
}

func (l Load%[1]d) Heavy(limit int) bool {
	return l.Weight > limit
}

type Broken%[1]d struct{ Code int }

func (Broken%[1]d) Error() string { return "broken" }

type State%[1]d interface{ state() }

type (
	Idle%[1]d struct{}
	Busy%[1]d struct{ Since int }
)

func (Idle%[1]d) state() {}
func (Busy%[1]d) state() {}

func Check%[1]d(l Load%[1]d) (int, error) {
	if l.Heavy(1000000) {
		return 0, Broken%[1]d{Code: l.Weight}
	}
	var s State%[1]d = Busy%[1]d{Since: l.Weight}
	switch s := s.(type) {
	case Busy%[1]d:
		return s.Since, nil
	}
	return 0, nil
}

func Total%[1]d(n int) int {
	l := Load%[1]d{Weight: n, Label: fmt.Sprintf("load %%d", n)}
	sum, err := Check%[1]d(l)
	if err != nil {
		sum = 0
	}
`, i)
	if i%5 == 0 {
		t.WriteString("\tb := base.Base{N: sum}\n\tsum += b.Twice()\n")
	}
	if i > 0 {
		fmt.Fprintf(&t, "\tsum += m%[1]d.Total%[1]d(n)\n", i-1)
	}
	t.WriteString("\treturn sum\n}\n")
	return t.String()
}

func put(b testing.TB, root, name, text string) {
	b.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}

// swap changes the body of a function of a module's text in one of two ways, in turn.
func swap(b testing.TB, file, one, other string, turn int) {
	b.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	if turn%2 == 1 {
		one, other = other, one
	}
	now := strings.Replace(string(text), one, other, 1)
	if now == string(text) {
		b.Fatalf("%s does not have %q", file, one)
	}
	if err := os.WriteFile(file, []byte(now), 0o666); err != nil {
		b.Fatal(err)
	}
}

// timed runs something again and again and reports its fastest run, the median and the 99th
// percentile, in milliseconds; before, which may be nil, is not part of the time. It is given
// the number of the run.
func timed(b *testing.B, before, f func(i int)) {
	b.Helper()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		if before != nil {
			before(i)
		}
		start := time.Now()
		f(i)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[0]), "min-ms")
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
	b.ReportMetric(0, "ns/op")
}
