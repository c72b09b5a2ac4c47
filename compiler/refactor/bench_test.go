package refactor_test

import (
	"context"
	"testing"

	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/compiler/refactor"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// BenchmarkRename renames a method that many modules call, in a project of 500 modules that
// was checked before.
func BenchmarkRename(b *testing.B) {
	s, most := large(b, xref.Function)
	for b.Loop() {
		if _, err := refactor.Rename(context.Background(), s, most, "fresh_one", refactor.RenameOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAdd adds a function to one of 500 modules.
func BenchmarkAdd(b *testing.B) {
	s, most := large(b, xref.Function)
	for b.Loop() {
		if _, err := refactor.Add(context.Background(), s, most.File, "fn fresh_one() {\n}", refactor.Position{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDelete deletes the function that is used most.
func BenchmarkDelete(b *testing.B) {
	s, most := large(b, xref.Function)
	for b.Loop() {
		if _, err := refactor.Delete(context.Background(), s, most); err != nil {
			b.Fatal(err)
		}
	}
}

// large is a project of 500 modules, and its declaration of the kind with the most uses.
func large(b *testing.B, kind xref.Kind) (*workspace.State, xref.Key) {
	b.Helper()
	s := build(b, plutotest.Project(1, plutotest.Shape{Modules: 500, Folders: 20}))
	c, err := s.Checked(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	var most xref.Key
	for _, d := range declarations(s) {
		if d.Kind == kind && len(c.UsesOf(d.Key)) > len(c.UsesOf(most)) {
			most = d.Key
		}
	}
	b.Logf("%v has %d uses", most, len(c.UsesOf(most)))
	return s, most
}
