package ts

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
)

// describe writes facts in lines that do not depend on the order of symbols.
func describe(f *graph.Facts) []string {
	sym := func(i int) string {
		if i < 0 {
			return "-"
		}
		s := f.Symbols[i]
		return fmt.Sprintf("%s|%v|%s|%s|%v", s.Lang, s.Kind, s.Module, s.Qual, s.External)
	}
	var lines []string
	for _, x := range f.Files {
		lines = append(lines, fmt.Sprintf("file %+v", x))
	}
	for _, d := range f.Decls {
		lines = append(lines, fmt.Sprintf("decl %s in %s %v %+v %b %q %q", sym(d.Sym), sym(d.Parent), d.Name, d.Full, d.Flags, d.Sig, d.Doc))
	}
	for _, e := range f.Edges {
		lines = append(lines, fmt.Sprintf("edge %v %v %b %s -> %s len %d", e.Pos, e.Kind, e.Flags, sym(e.From), sym(e.To), e.Len))
	}
	for _, m := range f.Missing {
		lines = append(lines, fmt.Sprintf("miss %v %s %s", m.Pos, m.Name, m.Reason))
	}
	for _, n := range f.Notes {
		lines = append(lines, fmt.Sprintf("note %v %s", n.Pos, n.Text))
	}
	slices.Sort(lines)
	return lines
}

// diff lists what only one of two sorted lists holds.
func diff(a, b []string) []string {
	var out []string
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			out, a = append(out, "- "+a[0]), a[1:]
		case len(a) == 0 || cmp.Less(b[0], a[0]):
			out, b = append(out, "+ "+b[0]), b[1:]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return out
}

// checkIncremental extracts every nth file alone and wants the facts of the whole run.
func checkIncremental(t *testing.T, dir string, files map[string]string, every int) {
	t.Helper()
	in := inputOf(t, dir, files, 2)
	all := extractAll(t, in, in.Units)
	bad := 0
	for i, u := range in.Units {
		if i%every != 0 {
			continue
		}
		one := extractAll(t, in, in.Units[i:i+1])
		if d := diff(describe(all[u.Name]), describe(one[u.Name])); len(d) > 0 {
			bad++
			t.Errorf("%s alone differs in %d lines:\n%s", u.Name, len(d), strings.Join(d[:min(len(d), 6)], "\n"))
		}
	}
	t.Logf("%d of %d files differ", bad, (len(in.Units)+every-1)/every)
}

// TestIncrementalRepository is the law on the repository that SETT_TS_REPO names.
func TestIncrementalRepository(t *testing.T) {
	dir := os.Getenv("SETT_TS_REPO")
	if dir == "" {
		t.Skip("SETT_TS_REPO is not set")
	}
	every, _ := strconv.Atoi(os.Getenv("SETT_TS_EVERY"))
	checkIncremental(t, dir, readTree(t, dir), max(every, 1))
}
