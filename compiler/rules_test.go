package compiler

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
)

// TestModuleRules checks the examples of the rules of modules and packages: the wrong one
// reports the code of its rule, the right one nothing.
func TestModuleRules(t *testing.T) {
	n := 0
	for _, r := range diag.Rules() {
		if !strings.HasPrefix(string(r.Code), "P12") && !strings.HasPrefix(string(r.Code), "P14") || r.Wrong == "" {
			continue
		}
		n++
		t.Run(string(r.Code), func(t *testing.T) {
			found := false
			p := checkExample(t, r.Wrong)
			for _, d := range p.Diags.Sorted() {
				found = found || d.Code == r.Code
			}
			if !found {
				t.Errorf("%s\nreported:\n%s", r.Wrong, lines(p))
			}
			if p := checkExample(t, r.Right); len(p.Diags.Sorted()) > 0 {
				t.Errorf("%s\nreported:\n%s", r.Right, lines(p))
			}
		})
	}
	if n < 20 {
		t.Errorf("only %d rules", n)
	}
}

// checkExample checks a program of one file, or of the files of an archive.
func checkExample(t *testing.T, text string) *check.Program {
	t.Helper()
	dir := t.TempDir()
	ar := txtar.Parse([]byte(text))
	if len(ar.Files) == 0 {
		ar.Files = []txtar.File{{Name: "main.pluto", Data: []byte(text)}}
	}
	for _, f := range ar.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return Check(filepath.Join(dir, "main.pluto"), load.Options{Base: dir, Offline: true})
}

func lines(p *check.Program) string {
	var b bytes.Buffer
	_ = diag.Print(&b, p.Diags.Sorted(), diag.Style{})
	return b.String()
}
