package golang_test

import (
	"os"
	"testing"
	"time"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// TestThroughput extracts the project that SETT_GO_PROJECT names and says what came out.
func TestThroughput(t *testing.T) {
	root := os.Getenv("SETT_GO_PROJECT")
	if root == "" {
		t.Skip("SETT_GO_PROJECT is not set")
	}
	start := time.Now()
	in := readProject(t, root)
	read := time.Since(start)
	start = time.Now()
	facts := extractAll(t, in, in.Units)
	took := time.Since(start)
	var decls, edges, missing, notes, types, external int
	reasons := map[string]int{}
	kinds := map[graph.EdgeKind]int{}
	for _, f := range facts {
		decls += len(f.Decls)
		edges += len(f.Edges)
		missing += len(f.Missing)
		notes += len(f.Notes)
		types += len(f.Types)
		for _, m := range f.Missing {
			reasons[m.Reason]++
		}
		for _, e := range f.Edges {
			kinds[e.Kind]++
			if f.Symbols[e.To].External {
				external++
			}
		}
	}
	t.Logf("read and summarize %v, extract %v", read, took)
	t.Logf("%d files, %d units, %d decls, %d edges (%d external), %d types, %d missing %v, %d notes",
		len(in.Files), len(in.Units), decls, edges, external, types, missing, reasons, notes)
	t.Log(kinds)
	if dir := os.Getenv("SETT_GO_UNIT"); dir != "" {
		for _, u := range in.Units {
			if u.Name == dir {
				start = time.Now()
				extractAll(t, in, in.Units[:0:0])
				f := extractAll(t, in, append(in.Units[:0:0], u))
				t.Logf("%s alone: %v, %d edges", dir, time.Since(start), len(f[dir].Edges))
			}
		}
	}
}

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
