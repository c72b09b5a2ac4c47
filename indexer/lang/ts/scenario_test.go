package ts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
	"golang.org/x/tools/txtar"
)

const scenarioDir = "../../../testdata/lang/ts"

// minScenarios is how many there are at least: an empty folder proves nothing.
const minScenarios = 28

type scenario struct {
	name, path string
	archive    *txtar.Archive
	files      map[string]string
	want       string
}

// scenarios reads all scenario files. A line of `want` is one of
//
//	decl kind file#qual line:col [flags] signature
//	edge from -kind-> file#qual file:line:col [flags]
//	miss file:line:col name: reason
//	note file:line:col text
//
// An external target is written package!qual, a file its path alone.
func scenarios(t *testing.T) []*scenario {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(scenarioDir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < minScenarios {
		t.Fatalf("%d scenarios in %s, want at least %d", len(paths), scenarioDir, minScenarios)
	}
	var list []*scenario
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		s := &scenario{name: strings.TrimSuffix(filepath.Base(p), ".txtar"), path: p, archive: a, files: map[string]string{}}
		for _, f := range a.Files {
			if f.Name == "want" {
				s.want = string(f.Data)
			} else {
				s.files[f.Name] = string(f.Data)
			}
		}
		list = append(list, s)
	}
	return list
}

// notation writes the facts of a project in the lines of a scenario.
func notation(all map[string]*graph.Facts) string {
	name := func(s graph.Symbol) string {
		switch {
		case s.External:
			return s.Module + "!" + s.Qual
		case s.Qual == "":
			return s.Module
		}
		return s.Module + "#" + s.Qual
	}
	var decls, edges, rest []string
	for _, f := range all {
		path := f.Files[0].Path
		for _, d := range f.Decls {
			if s := f.Symbols[d.Sym]; s.Kind != graph.KindFile {
				decls = append(decls, fmt.Sprintf("decl %s %s %s:%04d:%d%s %s", s.Kind, name(s), path, d.Name.Line, d.Name.Col, flagNames(d.Flags), d.Sig))
			}
		}
		for _, e := range f.Edges {
			to := f.Symbols[e.To]
			if to.External && to.Module == libModule {
				continue
			}
			from := f.Symbols[e.From].Qual
			if from == "" {
				from = "(file)"
			}
			edges = append(edges, fmt.Sprintf("edge %s:%04d:%03d %s -%s-> %s%s", path, e.Line, e.Col, from, e.Kind, name(to), edgeFlagNames(e.Flags)))
		}
		for _, m := range f.Missing {
			rest = append(rest, fmt.Sprintf("miss %s:%04d:%03d %s: %s", path, m.Line, m.Col, m.Name, m.Reason))
		}
		for _, n := range f.Notes {
			rest = append(rest, fmt.Sprintf("note %s:%04d:%03d %s", path, n.Line, n.Col, n.Text))
		}
	}
	slices.SortFunc(decls, func(a, b string) int { return strings.Compare(declKey(a), declKey(b)) })
	slices.Sort(edges)
	slices.Sort(rest)
	var out strings.Builder
	for _, l := range slices.Concat(decls, edges, rest) {
		out.WriteString(unpad(l) + "\n")
	}
	return out.String()
}

// declKey orders declarations by place.
func declKey(l string) string { return strings.Fields(l)[3] + l }

// unpad drops the zeros that made places sort.
func unpad(l string) string {
	for _, z := range []string{":000", ":00", ":0"} {
		l = strings.ReplaceAll(l, z, ":")
	}
	return l
}

func flagNames(f graph.Flags) string {
	var names []string
	for _, n := range []struct {
		f graph.Flags
		s string
	}{{graph.FlagExported, "exported"}, {graph.FlagDefault, "default"}, {graph.FlagTest, "test"}, {graph.FlagGenerated, "generated"}, {graph.FlagEntry, "entry"}, {graph.FlagDeprecated, "deprecated"}, {graph.FlagAbstract, "abstract"}} {
		if f&n.f != 0 {
			names = append(names, n.s)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " [" + strings.Join(names, ",") + "]"
}

func edgeFlagNames(f uint8) string {
	s := ""
	if f&graph.EdgeDynamic != 0 {
		s += " [dynamic]"
	}
	if f&graph.EdgeTypeOnly != 0 {
		s += " [type]"
	}
	if f&graph.EdgeTest != 0 {
		s += " [test]"
	}
	return s
}

func TestScenarios(t *testing.T) {
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			in := inputOf(t, t.TempDir(), s.files, 2)
			got := notation(extractAll(t, in, in.Units))
			if os.Getenv("UPDATE") != "" {
				a := &txtar.Archive{Comment: s.archive.Comment}
				for _, f := range s.archive.Files {
					if f.Name != "want" {
						a.Files = append(a.Files, f)
					}
				}
				a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(s.path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if s.want == "" {
				t.Fatal("the scenario expects nothing")
			}
			if d := diff(sorted(s.want), sorted(got)); len(d) > 0 {
				t.Errorf("- wanted, + got:\n%s", strings.Join(d, "\n"))
			}
		})
	}
}

func sorted(s string) []string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	slices.Sort(lines)
	return lines
}

// TestScenarioLaws checks on every scenario that a file alone, another number of workers,
// several programs and another run give the same facts.
func TestScenarioLaws(t *testing.T) { scenarioLaws(t, 3) }

// scenarioLaws takes one of so many scenarios: all take long, and are a slow test.
func scenarioLaws(t *testing.T, every int) {
	for i, s := range scenarios(t) {
		if i%every != 0 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			checkIncremental(t, t.TempDir(), s.files, 1)
			in := inputOf(t, t.TempDir(), s.files, 2)
			two := notation(extractAll(t, in, in.Units))
			in.Workers = 1
			if one := notation(extractAll(t, in, in.Units)); one != two {
				t.Errorf("one worker and two differ:\n%s", strings.Join(diff(sorted(one), sorted(two)), "\n"))
			}
			many := map[string]*graph.Facts{}
			if err := extractWithin(context.Background(), in, in.Units, 100, func(f *graph.Facts) error {
				many[f.Unit] = f
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if n := notation(many); n != two {
				t.Errorf("one program and many differ:\n%s", strings.Join(diff(sorted(two), sorted(n)), "\n"))
			}
			in.Workers = 5
			slices.Reverse(in.Units)
			if five := notation(extractAll(t, in, in.Units)); five != two {
				t.Errorf("five workers and two differ:\n%s", strings.Join(diff(sorted(five), sorted(two)), "\n"))
			}
		})
	}
}

// TestScenarioAccuracy compares every declaration of every scenario with the language
// service.
func TestScenarioAccuracy(t *testing.T) {
	var sum measure
	for _, s := range scenarios(t) {
		if s.name == "broken" {
			continue // two recoveries from one error need not agree
		}
		in := inputOf(t, t.TempDir(), s.files, 2)
		m := compare(t, s.name, in, "", 1)
		sum.decls += m.decls
		sum.both += m.both
		sum.missing += m.missing
		sum.extra += m.extra
		for _, l := range m.lines {
			t.Log(l)
		}
	}
	t.Logf("%d declarations: recall %.4f, precision %.4f", sum.decls, sum.recall(), sum.precision())
	if sum.recall() < 0.995 || sum.precision() < 0.995 {
		t.Errorf("recall and precision must be at least 0.995")
	}
}
