package pluto_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/pluto"
)

const scenarios = "../../../testdata/lang/pluto"

// TestScenarios extracts small projects and compares the graph with the section "want" of
// each, as [graph.Snapshot.WriteText] prints it without ids. UPDATE=1 rewrites the sections.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scenarios, "*.txtar"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d scenarios, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			want, wanted := "", -1
			for i, f := range a.Files {
				if f.Name == "want" {
					want, wanted = string(f.Data), i
					continue
				}
				files[f.Name] = string(f.Data)
			}
			got := describe(t, project(t, files))
			if os.Getenv("UPDATE") != "" {
				if wanted < 0 {
					wanted = len(a.Files)
					a.Files = append(a.Files, txtar.File{Name: "want"})
				}
				a.Files[wanted].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// project writes files to a folder and makes of them what the indexer would give.
func project(t testing.TB, files map[string]string) *lang.Input {
	t.Helper()
	root := t.TempDir()
	l := pluto.Language()
	in := &lang.Input{Root: root, Workers: 2, ReadFile: func(p string) ([]byte, error) { return os.ReadFile(filepath.Join(root, p)) }}
	for name, text := range files {
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		f := lang.File{Path: name, Size: int64(len(text)), Hash: xxh3.HashString(text)}
		switch {
		case l.Source(name):
			f.Summary = l.Summarize(name, []byte(text))
			in.Files = append(in.Files, f)
		case l.Config(name):
			in.Configs = append(in.Configs, f)
		}
	}
	byPath := func(a, b lang.File) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(in.Files, byPath)
	slices.SortFunc(in.Configs, byPath)
	in.Units = l.Units(in)
	return in
}

func facts(t testing.TB, in *lang.Input, todo []lang.Unit) []*graph.Facts {
	t.Helper()
	var mu sync.Mutex
	var out []*graph.Facts
	err := pluto.Language().Extract(context.Background(), in, todo, func(f *graph.Facts) error {
		mu.Lock()
		defer mu.Unlock()
		out = append(out, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != len(todo) {
		t.Fatalf("%d units gave %d facts", len(todo), len(out))
	}
	slices.SortFunc(out, func(a, b *graph.Facts) int { return strings.Compare(a.Unit, b.Unit) })
	return out
}

// describe prints the graph of a project: a line for each declaration and below it, as
// "kind target line:col", what it uses.
func describe(t testing.TB, in *lang.Input) string {
	t.Helper()
	pages, err := graph.Build(nil, nil, facts(t, in, in.Units))
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(pages)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range g.Check() {
		t.Error(problem)
	}
	var b strings.Builder
	for _, f := range g.Files() {
		fmt.Fprintf(&b, "%s %s", f.Path, f.Unit)
		if f.Test {
			b.WriteString(" test")
		}
		if f.Broken {
			b.WriteString(" broken")
		}
		b.WriteString("\n")
		for _, id := range g.InFile(f.ID) {
			n := g.Node(id)
			if n.Kind != graph.KindFile {
				d := n.Decls[0]
				fmt.Fprintf(&b, "  %s %s %d:%d-%d%s : %s", n.Kind, n.Qual, d.Name.Line, d.Name.Col, d.Full.EndLine, n.Flags, d.Sig)
				if d.Doc != "" {
					b.WriteString(" // " + d.Doc)
				}
				b.WriteString("\n")
			}
			var uses []string
			for _, e := range g.Out(id) {
				y := g.Node(e.To).Symbol
				to := y.Module
				if y.Qual != "" {
					to += "." + y.Qual
				}
				if y.External {
					to = "external " + to
				}
				s := fmt.Sprintf("    %03d:%02d %s %s", e.Line, e.Col, e.Kind, to)
				if e.Flags&graph.EdgeDynamic != 0 {
					s += " dynamic"
				}
				uses = append(uses, s+"\n")
			}
			slices.Sort(uses)
			b.WriteString(strings.Join(uses, ""))
		}
	}
	g.MissingNames(func(name string, us []graph.Unresolved) bool {
		for _, u := range us {
			fmt.Fprintf(&b, "missing %s %s:%d:%d %s\n", name, g.File(u.File).Path, u.Line, u.Col, u.Reason)
		}
		return true
	})
	return b.String()
}

// A unit extracted alone gives what it gives with all others.
func TestAlone(t *testing.T) {
	a, err := txtar.ParseFile(filepath.Join(scenarios, "modules.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"lone/x.pluto": "fn f() int { return 1 }\n", "solo/y.pluto": "fn main() { }\n"}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	in := project(t, files)
	if len(in.Units) != 3 {
		t.Fatalf("%d units: %v", len(in.Units), in.Units)
	}
	all := facts(t, in, in.Units)
	for i, u := range in.Units {
		alone := facts(t, in, []lang.Unit{u})
		if diff := cmp.Diff(all[i], alone[0]); diff != "" {
			t.Error(diff)
		}
	}
}
