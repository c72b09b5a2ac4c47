package golang_test

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// TestAlone: a unit's facts do not depend on what is extracted beside it.
func TestAlone(t *testing.T) {
	for _, mod := range []string{"github.com/dgraph-io/badger/v4", "github.com/spf13/cobra"} {
		t.Run(mod, func(t *testing.T) {
			t.Parallel()
			in := readProject(t, moduleDir(t, mod))
			if len(in.Units) < 2 {
				t.Fatalf("only %d units", len(in.Units))
			}
			sameAlone(t, in)
		})
	}
}

func sameAlone(t *testing.T, in *lang.Input) {
	t.Helper()
	together := extractAll(t, in, in.Units)
	for _, u := range in.Units {
		alone := extractAll(t, in, []lang.Unit{u})[u.Name]
		sameFacts(t, u.Name+" alone", alone, together[u.Name])
	}
}

// TestAloneProject does the same for the project that SETT_GO_PROJECT names.
func TestAloneProject(t *testing.T) {
	root := os.Getenv("SETT_GO_PROJECT")
	if root == "" {
		t.Skip("SETT_GO_PROJECT is not set")
	}
	sameAlone(t, readProject(t, root))
}

// TestWorkers: neither the number of workers nor the order of units matters.
func TestWorkers(t *testing.T) {
	t.Parallel()
	in := readProject(t, moduleDir(t, "github.com/spf13/cobra"))
	want := extractAll(t, in, in.Units)
	for _, workers := range []int{1, 7} {
		in.Workers = workers
		todo := slices.Clone(in.Units)
		slices.Reverse(todo)
		for name, f := range extractAll(t, in, todo) {
			sameFacts(t, fmt.Sprintf("%s with %d workers", name, workers), f, want[name])
		}
	}
}

func sameFacts(t *testing.T, name string, got, want *graph.Facts) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	g, w := lines(got), lines(want)
	n := 0
	for _, l := range g {
		if !slices.Contains(w, l) && n < 5 {
			t.Errorf("%s: only here: %s", name, l)
			n++
		}
	}
	for _, l := range w {
		if !slices.Contains(g, l) && n < 10 {
			t.Errorf("%s: missing: %s", name, l)
			n++
		}
	}
	if n == 0 {
		t.Errorf("%s: same facts in another order", name)
	}
}

// lines writes facts without indices.
func lines(f *graph.Facts) []string {
	var out []string
	sym := func(i int) string {
		if i < 0 {
			return "-"
		}
		s := f.Symbols[i]
		return fmt.Sprint(s.Kind, " ", s.Module, " ", s.Qual, " ", s.External)
	}
	for i := range f.Symbols {
		out = append(out, "symbol "+sym(i))
	}
	for _, d := range f.Decls {
		out = append(out, fmt.Sprint("decl ", sym(d.Sym), " in ", sym(d.Parent), d.File, d.Name, d.Full, d.Flags, d.Sig, d.Doc))
	}
	for _, e := range f.Edges {
		out = append(out, fmt.Sprint("edge ", e.Kind, sym(e.From), " to ", sym(e.To), e.Flags, e.File, e.Pos, e.Len))
	}
	for _, m := range f.Missing {
		out = append(out, fmt.Sprint("missing ", m))
	}
	for _, n := range f.Notes {
		out = append(out, fmt.Sprint("note ", n))
	}
	for _, x := range f.Files {
		out = append(out, fmt.Sprint("file ", x))
	}
	for _, m := range f.Types {
		l := fmt.Sprint("type ", sym(m.Sym), m.Interface)
		for _, s := range m.Methods {
			l += fmt.Sprint(" ", s.ID, s.Finger, s.Pointer, sym(s.Sym))
		}
		out = append(out, l)
	}
	return out
}
