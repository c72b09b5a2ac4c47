package typecheck_test

import (
	"os"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/golang/typecheck"
)

// BenchmarkCheck checks the project that CHECK names (else this package's own module), and
// its file FILE: cold, cold with what the go command said before, and after an edit of that
// file.
func BenchmarkCheck(b *testing.B) {
	root, file := os.Getenv("CHECK"), os.Getenv("FILE")
	if root == "" {
		root, file = "../../../..", "graph/graph.go"
	}
	p := &project{root: abs(b, root), over: map[string]string{}}
	src, err := p.read(file)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range []struct {
		name  string
		scope lang.Scope
	}{{"file", lang.Scope{Files: []string{file}}}, {"project", lang.Scope{}}} {
		in := p.input(b)
		b.Run("cold "+s.name, func(b *testing.B) {
			for b.Loop() {
				c := typecheck.New()
				check(b, c, in, s.scope)
				c.Close()
			}
		})
		b.Run("remembered "+s.name, func(b *testing.B) {
			in := *in
			in.Cache = b.TempDir()
			for b.Loop() {
				c := typecheck.New()
				check(b, c, &in, s.scope)
				c.Close()
			}
		})
		b.Run("edited "+s.name, func(b *testing.B) {
			c := typecheck.New()
			defer c.Close()
			check(b, c, in, s.scope)
			n := 0
			for b.Loop() {
				b.StopTimer()
				n++
				edit(in, p, file, string(src), n)
				b.StartTimer()
				check(b, c, in, s.scope)
			}
		})
	}
}
