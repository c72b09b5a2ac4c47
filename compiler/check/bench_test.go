package check

import (
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/plutotest"
)

// BenchmarkTenThousandLines parses and checks a large program.
func BenchmarkTenThousandLines(b *testing.B) {
	text := plutotest.TenThousandLines()
	if p := checkText(text); p.Diags.Errors() > 0 {
		b.Fatal(messages(p)[0])
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			parseProject(map[string]string{"main.pluto": text})
		}
	})
	b.Run("parse and check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			checkText(text)
		}
	})
	b.Logf("%d lines", strings.Count(text, "\n"))
}
