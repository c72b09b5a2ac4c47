package xref

import (
	"testing"

	"github.com/settgraph/sett/compiler/plutotest"
)

// BenchmarkTenThousandLines compares what a program costs to check with what its sites and
// facts do.
func BenchmarkTenThousandLines(b *testing.B) {
	prog := &program{files: map[string]string{"main.pluto": plutotest.TenThousandLines()}, entry: "main.pluto"}
	p := prog.check()
	if p.Diags.Errors() > 0 {
		b.Fatal(messages(p))
	}
	b.Run("parse and check", func(b *testing.B) {
		for b.Loop() {
			prog.check()
		}
	})
	b.Run("decls", func(b *testing.B) {
		for b.Loop() {
			Decls(p.Project.Root.Files[0])
		}
	})
	b.Run("sites", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Sites(p)
		}
	})
	b.Run("sites and facts", func(b *testing.B) {
		for b.Loop() {
			Of(p)
		}
	})
	b.Run("facts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			FactsOf(p)
		}
	})
	b.Logf("%d sites", len(Sites(p)))
}
