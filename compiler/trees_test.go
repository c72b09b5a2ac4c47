package compiler

import (
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/load"
)

// TestTreesAreNotWrittenTo: loads share the trees of files, so what is done with one program
// must leave them as the parser made them.
func TestTreesAreNotWrittenTo(t *testing.T) {
	var archives []string
	for _, pattern := range []string{"testdata/run/*.txtar", "testdata/modules/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, files...)
	}
	programs := 0
	for _, archive := range archives {
		ar, err := txtar.ParseFile(archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if filepath.Ext(f.Name) != ".pluto" {
				continue
			}
			programs++
			p := CheckText(f.Name, string(f.Data), load.Options{Test: programs%2 == 0})
			if _, err := Generate(p); err != nil {
				t.Fatal(err)
			}
			for _, m := range p.Project.Modules {
				for _, file := range m.Files {
					fresh, _ := load.Parse(file.Src.Name, file.Src.Path, []byte(file.Src.Text))
					if !reflect.DeepEqual(file, fresh) {
						t.Errorf("%s in %s: the tree of %s was changed", f.Name, archive, file.Src.Name)
					}
				}
			}
		}
	}
	if programs < 50 {
		t.Errorf("there are only %d programs", programs)
	}
}
