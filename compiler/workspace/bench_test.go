package workspace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/plutotest"
)

// large is one program of 500 modules.
func large(tests int) files {
	return plutotest.Project(1, plutotest.Shape{Modules: 500, Folders: 20, Tests: tests})
}

func BenchmarkCold(b *testing.B) {
	in := large(0).input(b.TempDir())
	n := 0
	for _, f := range in.Files {
		text, _ := in.Read(f)
		n += strings.Count(string(text), "\n")
	}
	b.ReportMetric(float64(n), "lines")
	for b.Loop() {
		checked(b, build(b, in, nil))
	}
}

func BenchmarkColdTests(b *testing.B) {
	in := large(33).input(b.TempDir())
	for b.Loop() {
		checked(b, build(b, in, nil))
	}
}

func BenchmarkBuildCold(b *testing.B) {
	in := large(0).input(b.TempDir())
	for b.Loop() {
		build(b, in, nil)
	}
}

// edits gives a state and inputs that each differ from it in the body of one function.
func edits(b *testing.B, f files) (*State, []Input) {
	root := b.TempDir()
	s := build(b, f.input(root), nil)
	checked(b, s)
	var ins []Input
	for i, m := range s.Modules() {
		if i%50 == 10 {
			before := f[m.Path]
			f[m.Path] = strings.Replace(before, "    let mut sum = n", fmt.Sprintf("    let mut sum = %d + n", i), 1)
			ins = append(ins, f.input(root))
			f[m.Path] = before
		}
	}
	return s, ins
}

func BenchmarkBuildEdit(b *testing.B) {
	s, ins := edits(b, large(0))
	i := 0
	for b.Loop() {
		build(b, ins[i%len(ins)], s)
		i++
	}
}

func BenchmarkCheckedEdit(b *testing.B)      { checkedEdit(b, large(0)) }
func BenchmarkCheckedEditTests(b *testing.B) { checkedEdit(b, large(33)) }

func checkedEdit(b *testing.B, f files) {
	s, ins := edits(b, f)
	i := 0
	for b.Loop() {
		c := checked(b, build(b, ins[i%len(ins)], s))
		if len(c.Diags("")) > 0 {
			b.Fatal(say(c.Diags("")))
		}
		i++
	}
}
