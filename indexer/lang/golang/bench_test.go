package golang_test

import (
	"os"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
)

// BenchmarkUnit extracts one unit, SETT_GO_UNIT, of the project that SETT_GO_PROJECT
// names, as after an edit.
func BenchmarkUnit(b *testing.B) {
	root, unit := os.Getenv("SETT_GO_PROJECT"), os.Getenv("SETT_GO_UNIT")
	if root == "" || unit == "" {
		b.Skip("SETT_GO_PROJECT and SETT_GO_UNIT are not set")
	}
	in := readProject(b, root)
	for _, u := range in.Units {
		if u.Name == unit {
			for b.Loop() {
				extractAll(b, in, []lang.Unit{u})
			}
		}
	}
}
