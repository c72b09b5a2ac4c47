package plutotest_test

import (
	"path/filepath"
	"testing"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/plutotest"
)

// TestProject checks that projects have no mistakes, and that all of them belongs to main.
func TestProject(t *testing.T) {
	root := t.TempDir()
	for seed := range uint64(60) {
		shape := plutotest.Shape{Modules: int(seed), Folders: int(seed % 12), Tests: int(seed%3) * 45, Private: seed%3 == 0}
		files := map[string][]byte{}
		for name, text := range plutotest.Project(seed, shape) {
			files[filepath.Join(root, filepath.FromSlash(name))] = []byte(text)
		}
		p := check.Check(load.Load(filepath.Join(root, "main.pluto"), load.Options{Overlay: files, Base: root, Offline: true}))
		for _, d := range p.Diags.Sorted() {
			line, _ := d.File.Position(d.Span.Start)
			t.Errorf("seed %d: %s:%d: %s: %s", seed, d.File.Name, line, d.Message, d.File.LineText(line))
		}
		if len(p.Project.Modules) != len(files) {
			t.Errorf("seed %d: main has %d modules of %d", seed, len(p.Project.Modules), len(files))
		}
		if t.Failed() {
			return
		}
	}
}
