package load

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/plto"
)

// TestBinaryVersions: a file of any version is parsed as the text in it.
func TestBinaryVersions(t *testing.T) {
	files, err := filepath.Glob("../plto/testdata/*.plto")
	if err != nil || len(files) < 3 {
		t.Fatalf("there are %d files, %v", len(files), err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, diags := Parse("a.pluto", "/a.pluto", data)
		if f == nil || diags.Errors() > 0 {
			t.Errorf("%s is not parsed: %v", path, diags.Sorted())
			continue
		}
		if text, _ := plto.Text(data); f.Src.Text != text || len(f.Decls) != 1 || f.Src.Line(f.Decls[0].Span().Start) != 5 {
			t.Errorf("%s is parsed as another text", path)
		}
	}
}

// TestBinaryProblems: what cannot be read is reported at the file, by what is wrong with it.
func TestBinaryProblems(t *testing.T) {
	whole, err := (&plto.File{Text: "fn f() {}\n"}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	more, err := (&plto.File{Text: "fn f() {}\n", Refs: []plto.Ref{{Module: "b.pluto", Name: "g", Kind: "function"}}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		data string
		code diag.Code
		want string
	}{
		{"PLTO", diag.DamagedBinary, "'a.pluto' is a damaged binary Pluto file: truncated file: expected at least 20 bytes, got 4"},
		{string(whole[:90]), diag.DamagedBinary, "truncated file: expected at least 94 bytes, got 90"},
		{strings.Replace(string(whole), "fn", "fm", 1), diag.DamagedBinary, "source at byte 84: the checksum does not match"},
		{"PLTO\x63" + string(whole[5:]), diag.NewerBinary, "'a.pluto' is a binary Pluto file of a later version: unsupported schema version 99 (expected 4)"},
		{string(more[:len(more)-1]), diag.DamagedBinary, "only the text of this binary file is whole: references at byte 114: truncated file"},
		{string(more[:len(more)-1]) + "?", diag.DamagedBinary, "only the text of this binary file is whole: references at byte 114: the checksum does not match"},
	} {
		f, diags := Parse("a.pluto", "", []byte(test.data))
		all := diags.Sorted()
		if (f != nil) != strings.HasPrefix(test.want, "only") || len(all) != 1 || all[0].Code != test.code || all[0].File.Name != "a.pluto" || !strings.Contains(all[0].Message, test.want) {
			t.Errorf("%.30q: %+v", test.data, all)
		}
	}
}

func TestLayer(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "main.pluto", "import a\nimport b\nimport c.d\nimport gone\nfn main() {}\n")
	put(t, dir, "gone.pluto", "")
	put(t, dir, "sibling.pluto", "")
	put(t, dir, "a.pluto", "pub fn old() {}\n")
	put(t, dir, "b/one.pluto", "")
	put(t, dir, "b/two.pluto", "")
	put(t, dir, "empty.pt", "fn pt() {}\n")
	abs := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	layer := map[string][]byte{
		abs("a.pluto"):       []byte("pub fn fresh() {}\n"),
		abs("b/two.pluto"):   nil,
		abs("b/three.pluto"): {},
		abs("c/d/e.pt"):      []byte("pub fn e() {}\n"), // neither c nor d are on the disk
		abs("gone.pluto"):    nil,
		abs("sibling.pluto"): nil,
		abs("brother.pluto"): []byte("fn brother() {}\n"),
		abs("empty.pluto"):   {}, // an empty file, and no deletion
	}
	want := `a (a): a.pluto
b (b): b/one.pluto b/three.pluto
d (c.d): c/d/e.pt
root: main.pluto brother.pluto empty.pluto | a=a b=b d=c.d
main.pluto:4:8: error[P1201]: Syntax error: cannot find module 'gone': no directory or file found
`
	if got := dump(Load(abs("main.pluto"), Options{Base: dir, Overlay: layer})); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := dump(Load(abs("main.pluto"), Options{Base: dir, Layer: NewLayer(layer)})); got != want {
		t.Errorf("with a layer made before, got:\n%s\nwant:\n%s", got, want)
	}
	layer[abs("main.pluto")] = nil
	if got := dump(Load(abs("main.pluto"), Options{Base: dir, Overlay: layer})); !strings.Contains(got, "cannot read 'main.pluto'") {
		t.Errorf("an entry that is gone gives:\n%s", got)
	}
	nowhere := filepath.Join(dir, "nowhere")
	only := map[string][]byte{filepath.Join(nowhere, "x", "main.pluto"): []byte("import y\nfn main() {}\n"), filepath.Join(nowhere, "x", "y", "z.pluto"): {}}
	want = "y (y): x/y/z.pluto\nroot: x/main.pluto | y=y\n"
	if got := dump(Load(filepath.Join(nowhere, "x"), Options{Base: nowhere, Overlay: only})); got != want {
		t.Errorf("a project that is nowhere on the disk: got:\n%s\nwant:\n%s", got, want)
	}
}

func TestCache(t *testing.T) {
	c := NewCache()
	text := func(n int) []byte { return fmt.Appendf(nil, "fn f%d() {\n", n) }
	first, diags := c.Parse("a.pluto", "/a.pluto", text(0))
	if first == nil || diags.Errors() == 0 {
		t.Fatalf("the file is %v, with %d errors", first, diags.Errors())
	}
	if f, d := c.Parse("a.pluto", "/a.pluto", text(0)); f != first || d != diags {
		t.Error("the same content is parsed again")
	}
	if f, _ := c.Parse("b.pluto", "/b.pluto", text(0)); f == first || f.Src.Name != "b.pluto" {
		t.Error("another file has the tree of the first")
	}
	if f, _ := c.Parse("a.pluto", "/a.pluto", text(1)); f == first {
		t.Error("another content has the tree of the first")
	}
	if f, _ := c.Parse("a.pluto", "/a.pluto", text(0)); f != first {
		t.Error("the content that was there before is parsed again")
	}
	for n := range 10 {
		c.Parse("a.pluto", "/a.pluto", text(n+1))
	}
	if f, _ := c.Parse("a.pluto", "/a.pluto", text(0)); f == first {
		t.Error("all contents that ever were are kept")
	}
}

// TestCacheOfManyLoads: loads side by side get the same trees and the same diagnostics.
func TestCacheOfManyLoads(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "main.pluto", "import a\nimport std.strings\nfn main() {}\n")
	put(t, dir, "a.pluto", "pub fn a( {\n")
	put(t, dir, "b.pluto", "fn b() {}\n")
	t.Setenv("PLUTO_STDLIB", "")
	o := Options{Base: dir, Cache: NewCache()}
	first := Load(dir, o)
	var group sync.WaitGroup
	projects := make([]*Project, 8)
	for i := range projects {
		group.Go(func() { projects[i] = Load(dir, o) })
	}
	group.Wait()
	for _, p := range projects {
		if dump(p) != dump(first) {
			t.Errorf("loaded again, the program is\n%s and was\n%s", dump(p), dump(first))
		}
		for i, m := range p.Modules {
			for j, f := range m.Files {
				if f != first.Modules[i].Files[j] {
					t.Errorf("%s has two trees", f.Src.Name)
				}
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "main.pluto", "import lib\nfn main() {}\n")
	put(t, dir, "lib.pluto", strings.Repeat("(", maxSource+1))
	p := Load(filepath.Join(dir, "main.pluto"), Options{Base: dir})
	all := p.Diags.Sorted()
	if len(all) != 1 || all[0].Code != diag.UnreadableFile || all[0].Message != "Syntax error: cannot read 'lib.pluto': it has more than 16 MB" {
		t.Errorf("%+v", all)
	}
}
