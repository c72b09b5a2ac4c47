package ts

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// TestRepository measures a run over the repository that SETT_TS_REPO names.
func TestRepository(t *testing.T) {
	dir := os.Getenv("SETT_TS_REPO")
	if dir == "" {
		t.Skip("SETT_TS_REPO is not set")
	}
	files := readTree(t, dir)
	start := time.Now()
	in := inputOf(t, dir, files, 2)
	t.Logf("summaries and units of %d files: %v", len(in.Files), time.Since(start))
	start = time.Now()
	in.Units = units(in)
	t.Logf("units: %v", time.Since(start))
	start = time.Now()
	all := extractAll(t, in, in.Units)
	t.Logf("extraction: %v", time.Since(start))
	var decls, edges, missing int
	reasons := map[string]int{}
	names := map[string]int{}
	kinds := map[graph.EdgeKind]int{}
	for _, u := range in.Units {
		f := all[u.Name]
		decls += len(f.Decls)
		edges += len(f.Edges)
		missing += len(f.Missing)
		for _, e := range f.Edges {
			kinds[e.Kind]++
		}
		for _, m := range f.Missing {
			reasons[m.Reason]++
			names[m.Reason+" "+m.Name]++
			if m.Reason == noFile && os.Getenv("SETT_TS_FILES") != "" {
				t.Logf("%s:%d: %s not found", f.Files[0].Path, m.Line, m.Name)
			}
		}
		for _, n := range f.Notes {
			t.Logf("note %s:%d: %s", u.Name, n.Line, n.Text)
		}
	}
	t.Logf("%d decls, %d edges, %d missing %v, kinds %v", decls, edges, missing, reasons, kinds)
	type count struct {
		name string
		n    int
	}
	var top []count
	for s, n := range names {
		top = append(top, count{s, n})
	}
	slices.SortFunc(top, func(a, b count) int { return b.n - a.n })
	for _, c := range top[:min(len(top), 30)] {
		t.Logf("%6d %s", c.n, c.name)
	}
	if one := os.Getenv("SETT_TS_FILE"); one != "" {
		for range 3 {
			start = time.Now()
			i := slices.IndexFunc(in.Units, func(u lang.Unit) bool { return u.Files[0] == one })
			extractAll(t, in, in.Units[i:i+1])
			t.Logf("one file: %v", time.Since(start))
		}
		f := all["ts:"+one]
		for _, d := range f.Decls {
			fmt.Println("decl", f.Symbols[d.Sym].Kind, f.Symbols[d.Sym].Qual, d.Name, d.Flags, "|", d.Sig, "|", d.Doc)
		}
		for _, e := range f.Edges {
			to := f.Symbols[e.To]
			fmt.Println("edge", e.Line, e.Col, f.Symbols[e.From].Qual, e.Kind, to.Kind, to.Module, to.Qual, strings.Repeat("!", int(e.Flags)))
		}
	}
}
