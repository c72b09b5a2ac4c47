package workspace

import (
	"testing"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/plutotest"
)

// TestForm changes the form of modules, there and back: what was found out about their texts
// holds, and is not found out again.
func TestForm(t *testing.T) {
	f := files(plutotest.Project(7, plutotest.Shape{Modules: 30, Folders: 3, Tests: 20}))
	f["broken.pluto"] = "fn broken() int {\n    return \"text\"\n}\n"
	root := t.TempDir()
	s := build(t, f.input(root), nil)
	first := checked(t, s)
	for _, binary := range []bool{true, false} {
		for name, text := range f {
			switch {
			case binary:
				data, err := (&plto.File{Module: [16]byte{1}, Text: text}).Encode()
				if err != nil {
					t.Fatal(err)
				}
				f[name] = string(data)
			default:
				var err error
				if f[name], err = plto.Text([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
		}
		s = build(t, f.input(root), s)
		for _, m := range s.Modules() {
			if (m.Binary != nil) != binary || m.Err != nil {
				t.Fatalf("%s: binary %v, %v", m.Path, m.Binary != nil, m.Err)
			}
		}
		c := checked(t, s)
		for i, r := range c.results {
			if r != first.results[i] {
				t.Errorf("%s was checked again", s.groups[i].Entry)
			}
		}
		anew := build(t, f.input(root), nil)
		if d := differ(s, anew, c, checked(t, anew)); d != "" {
			t.Errorf("binary %v: %s", binary, d)
		}
		if len(c.Diags("broken.pluto")) == 0 {
			t.Error("no diagnostics")
		}
	}
}
