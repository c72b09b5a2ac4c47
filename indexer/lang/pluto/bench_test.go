package pluto

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// large is one program of 500 modules.
func large() map[string]string {
	return plutotest.Project(1, plutotest.Shape{Modules: 500, Folders: 20})
}

// spots are positions all over a file.
func spots(text string) []graph.Pos {
	var out []graph.Pos
	for i, line := range strings.Split(text, "\n") {
		if n := len(strings.TrimSpace(line)); n > 3 {
			out = append(out, graph.Pos{Line: uint32(i + 1), Col: uint32(len(line) - n/2)})
		}
	}
	return out
}

func look(b *testing.B, l lang.Looker, in *lang.Input, i int) {
	f := in.Files[i*37%len(in.Files)].Path
	text, err := in.ReadFile(f)
	if err != nil {
		b.Fatal(err)
	}
	at := spots(string(text))
	if _, err := l.Look(context.Background(), in, f, at[i*13%len(at)]); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLookCold is the first question about a project.
func BenchmarkLookCold(b *testing.B) {
	in := memory(b.TempDir(), large())
	i := 0
	for b.Loop() {
		l := newLooker()
		look(b, l, in, i)
		l.Close()
		i++
	}
}

// BenchmarkLookWarm is one of many questions about a project that stays as it is.
func BenchmarkLookWarm(b *testing.B) {
	in := memory(b.TempDir(), large())
	l := newLooker()
	defer l.Close()
	look(b, l, in, 0)
	i := 0
	for b.Loop() {
		look(b, l, in, i)
		i++
	}
}

// edits are states of the project that differ in the body of one function each.
func edits(b *testing.B) []*lang.Input {
	files, root := large(), b.TempDir()
	out := []*lang.Input{memory(root, files)}
	for i, f := range out[0].Files {
		if i%100 == 10 {
			before := files[f.Path]
			files[f.Path] = strings.Replace(before, "    let mut sum = n", fmt.Sprintf("    let mut sum = %d + n", i), 1)
			out = append(out, memory(root, files))
			files[f.Path] = before
		}
	}
	return out
}

// BenchmarkLookEdited is a question after an edit.
func BenchmarkLookEdited(b *testing.B) {
	ins := edits(b)
	l := newLooker().(*looker)
	defer l.Close()
	i := 0
	for b.Loop() {
		look(b, l, ins[i%len(ins)], i)
		l.views = nil // more states than are kept here come again
		i++
	}
}

// BenchmarkCheckCold is the first check of a project.
func BenchmarkCheckCold(b *testing.B) {
	in := memory(b.TempDir(), large())
	for b.Loop() {
		c := newChecker()
		if _, err := c.Check(context.Background(), in, lang.Scope{}); err != nil {
			b.Fatal(err)
		}
		c.Close()
	}
}

// BenchmarkCheckEdited is a check after an edit.
func BenchmarkCheckEdited(b *testing.B) {
	ins := edits(b)
	c := newChecker()
	defer c.Close()
	i := 0
	for b.Loop() {
		if _, err := c.Check(context.Background(), ins[i%len(ins)], lang.Scope{}); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
