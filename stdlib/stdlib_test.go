package stdlib_test

import (
	"io/fs"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/stdlib"
)

func TestModulesParse(t *testing.T) {
	n := 0
	err := fs.WalkDir(stdlib.Files(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(stdlib.Files(), p)
		if err != nil {
			return err
		}
		n++
		var diags diag.List
		syntax.Parse(source.NewFile(p, p, string(text)), &diags)
		for _, d := range diags.Sorted() {
			t.Errorf("%s:%d: %s", p, d.File.Line(d.Span.Start), d.Message)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 18 {
		t.Errorf("only %d files", n)
	}
}
