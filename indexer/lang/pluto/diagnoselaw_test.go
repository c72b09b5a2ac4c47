package pluto

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/query/report"
)

// TestCheckLaw: for every program of the compiler's tests the checker finds what checking the
// same entries one after the other finds, each thing once.
func TestCheckLaw(t *testing.T) {
	all := programs(t)
	all["generated"] = plutotest.Project(5, plutotest.Shape{Modules: 40, Folders: 5, Tests: 40})
	findings, clean := 0, 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		in := memory(t.TempDir(), all[name])
		c := newChecker().(*checker)
		got, err := c.Check(context.Background(), in, lang.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		want := separately(t, c, in, all[name])
		findings += len(want)
		if len(want) == 0 {
			clean++
		}
		a, b := texts(got.Findings), texts(want)
		if !slices.Equal(a, b) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
		c.Close()
	}
	t.Logf("%d findings, %d projects without any", findings, clean)
	if findings < 900 || clean < 500 {
		t.Errorf("only %d findings, %d projects without any", findings, clean)
	}
}

// starts says whether a file has what a program begins with.
func starts(f *syntax.File) bool {
	return slices.ContainsFunc(f.Decls, func(d syntax.Decl) bool {
		_, app := d.(*syntax.AppDecl)
		return app || d.DeclName() != nil && d.DeclName().Name == "main"
	})
}

// separately checks each program on its own, as the command does.
func separately(t *testing.T, c *checker, in *lang.Input, files map[string]string) []report.Diagnostic {
	t.Helper()
	state, err := c.files.now(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	over := map[string][]byte{}
	for name, text := range files {
		if isSource(name) {
			over[filepath.Join(state.Root(), filepath.FromSlash(name))] = []byte(text)
		}
	}
	var out []report.Diagnostic
	names := map[string]string{} // how modules are called, by file
	for _, g := range state.Groups() {
		o := load.Options{Overlay: over, Base: state.Root(), Standalone: g.Standalone, Test: g.Test, Offline: true, ReadOnly: true}
		if m := state.Module(g.Entry); !g.Standalone && !starts(m.File) {
			o.Apart = map[string]bool{}
			for _, other := range state.Modules() {
				if !slices.Contains(g.Files, other.Path) {
					o.Apart[filepath.Join(state.Root(), filepath.FromSlash(other.Path))] = true
				}
			}
		}
		p := check.Check(load.Load(filepath.Join(state.Root(), filepath.FromSlash(g.Entry)), o))
		for _, m := range p.Project.Modules {
			for _, f := range m.Files {
				names[f.Src.Name] = m.Name
			}
		}
		for _, d := range p.Diags.Sorted() {
			out = append(out, Finding(d))
		}
	}
	// What is said of a file as a module and as the root is said once.
	seen := map[string]bool{}
	out = slices.DeleteFunc(out, func(d report.Diagnostic) bool {
		key := fmt.Sprint(d.File, d.Line, d.Col, d.EndLine, d.EndCol, d.Code, d.Message)
		if n := names[d.File]; n != "" {
			key = strings.ReplaceAll(key, n+".", "")
		}
		was := seen[key]
		seen[key] = true
		return was
	})
	return report.Sort(out)
}

func texts(ds []report.Diagnostic) []string {
	var out []string
	for _, d := range ds {
		out = append(out, fmt.Sprintf("%s:%d:%d-%d:%d %s %s %s %s %v", d.File, d.Line, d.Col, d.EndLine, d.EndCol, d.Severity, d.Code, d.Message, d.Help, d.Related))
	}
	return out
}
