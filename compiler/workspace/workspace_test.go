package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/compiler/xref"
)

const main = "fn main() {\n}\n"

// shape is the groups of a state, a line each: the files of the namespace, what else is in
// the program, and how it is loaded.
func shape(s *State) string {
	var out []string
	for _, g := range s.Groups() {
		line := strings.Join(g.Files, " ")
		for _, f := range g.Closure {
			if !slices.Contains(g.Files, f) {
				line += " +" + f
			}
		}
		switch {
		case g.Test:
			line += " (test)"
		case g.Standalone:
			line += " (alone)"
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func TestGroups(t *testing.T) {
	tests := []struct {
		name  string
		files files
		want  string
	}{
		{"one file", files{"a.pluto": ""}, "a.pluto"},
		{"siblings", files{"b.pluto": main, "a.pluto": "", "c.pt": ""}, "b.pluto a.pluto c.pt"},
		{"module", files{"main.pluto": "import util\n" + main, "util.pluto": ""}, "main.pluto +util.pluto"},
		{"module of a module is a sibling too, as it is when it is run",
			files{"main.pluto": "import a\n" + main, "a.pluto": "import b\n", "b.pluto": ""}, "main.pluto b.pluto +a.pluto"},
		{"folder", files{"main.pluto": "import lib\n" + main, "lib/a.pluto": "", "lib/b.pluto": ""}, "main.pluto +lib/a.pluto +lib/b.pluto"},
		{"file of a folder, and one that nobody imports", files{"main.pluto": "import lib.a\n" + main, "lib/a.pluto": "", "lib/b.pluto": ""},
			"lib/b.pluto; main.pluto +lib/a.pluto"},
		{"module of a module beside a file that nobody imports", files{"main.pluto": "import lib.a\n" + main, "lib/a.pluto": "import c\n", "lib/b.pluto": "", "lib/c.pluto": ""},
			"lib/b.pluto; main.pluto +lib/a.pluto +lib/c.pluto"},
		{"two mains", files{"a.pluto": main, "b.pluto": "import c\n" + main, "c.pluto": "", "d.pluto": ""},
			"a.pluto (alone); b.pluto +c.pluto (alone); d.pluto (alone)"},
		{"main of an imported module", files{"a.pluto": "import b\n" + main, "b.pluto": main}, "a.pluto +b.pluto"},
		{"app", files{"main.pluto": "", "z.pluto": "app Z {\n    fn main(self) {\n    }\n}\n"}, "z.pluto main.pluto"},
		{"circle", files{"main.pluto": "import a\n" + main, "a.pluto": "import main\n", "b.pluto": ""}, "main.pluto b.pluto +a.pluto"},
		{"circle without a start", files{"x/a.pluto": "import b\n", "x/b.pluto": "import a\n"}, "x/a.pluto +x/b.pluto (alone)"},
		{"itself", files{"a.pluto": "import a\n"}, "a.pluto (alone)"},
		{"tests", files{"main.pluto": "import a\n" + main, "a.pluto": "test \"x\" {\n}\n", "b.pluto": "import a\n\ntest \"y\" {\n}\n"},
			"main.pluto b.pluto +a.pluto; a.pluto (test); b.pluto +a.pluto (test)"},
		{"view", files{"a.pluto": "", "a.pt": "import x\n", "b.pt": ""}, "a.pluto b.pt"},
		{"package in the tree", files{
			"main.pluto": "import kit\n" + main, "pluto.toml": "[package]\nname = \"x\"\n[dependencies]\nkit = { path = \"pkg/kit\" }\n",
			"pkg/kit/a.pluto": "", "pkg/kit/b.pluto": "",
		}, "main.pluto +pkg/kit/a.pluto +pkg/kit/b.pluto"},
		{"hidden package", files{"main.pluto": "import kit\n" + main, ".deps/kit/a.pluto": ""}, "main.pluto +.deps/kit/a.pluto"},
		{"library and what is missing", files{"main.pluto": "import std.strings\nimport gone\n" + main}, "main.pluto"},
		{"nothing", files{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			s := build(t, tt.files.write(t, root), nil)
			if got := shape(s); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			same(t, tt.name, s, root)
		})
	}
}

func TestModule(t *testing.T) {
	root := t.TempDir()
	s := build(t, files{"math/vectors.pluto": "pub fn dot() {\n}\n", "math/vectors.pt": "", "b.pt": ""}.input(root), nil)
	for _, path := range []string{"math/vectors", "math/vectors.pluto", "math/vectors.pt", "./math/vectors", filepath.Join(s.Root(), "math", "vectors.pluto")} {
		if m := s.Module(path); m == nil || m.Path != "math/vectors.pluto" || m.Name != "math/vectors" || m.View != "math/vectors.pt" {
			t.Errorf("%s: %+v", path, m)
		}
	}
	if m := s.Module("b"); m == nil || m.Path != "b.pt" {
		t.Errorf("b: %+v", m)
	}
	for _, path := range []string{"", "vectors", "../x", "/nowhere/at/all"} {
		if m := s.Module(path); m != nil {
			t.Errorf("%q: %s", path, m.Path)
		}
	}
	k := xref.Key{File: "math/vectors.pluto", Kind: xref.Function, Qual: "dot"}
	if d := s.Decl(k); d == nil || d.Key != k {
		t.Errorf("decl: %+v", d)
	}
	if d := s.Decl(xref.Key{File: "math/vectors.pluto", Kind: xref.Class, Qual: "dot"}); d != nil {
		t.Errorf("decl: %+v", d)
	}
}

// TestBinary reads modules in the binary form, and says what is wrong with damaged ones.
func TestBinary(t *testing.T) {
	data, err := (&plto.File{Text: "pub fn two() int {\n    return 2\n}\n"}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	f := files{"main.pluto": "import a\n\nfn main() {\n    print(a.two())\n}\n", "a.pluto": string(data)}
	root := t.TempDir()
	s := build(t, f.input(root), nil)
	c := checked(t, s)
	if m := s.Module("a"); m.Binary == nil || m.Err != nil || len(m.Decls) != 1 || len(c.Diags("")) > 0 {
		t.Errorf("%+v\n%s", m, say(c.Diags("")))
	}
	if uses := c.UsesOf(xref.Key{File: "a.pluto", Kind: xref.Function, Qual: "two"}); len(uses) != 1 || uses[0].File != "main.pluto" {
		t.Errorf("uses: %v", uses)
	}
	f["a.pluto"] = string(data[:len(data)-3])
	s = build(t, f.input(root), s)
	c = checked(t, s)
	if m := s.Module("a"); m.Err == nil || m.File == nil || len(m.Decls) != 0 || len(c.Diags("a.pluto")) != 1 {
		t.Errorf("%+v\n%s", m, say(c.Diags("")))
	}
}

// TestUnreadable goes on with the other files.
func TestUnreadable(t *testing.T) {
	in := files{"main.pluto": main}.input(t.TempDir())
	in.Files = []string{"gone.pluto", "main.pluto"}
	s := build(t, in, nil)
	c := checked(t, s)
	if m := s.Module("gone"); m == nil || m.Err == nil || m.File == nil {
		t.Errorf("%+v", m)
	}
	if got := say(c.Diags("gone.pluto")); !strings.Contains(got, "cannot read") {
		t.Errorf("%s", say(c.Diags("")))
	}
}

// TestGone sees a removal that is only staged.
func TestGone(t *testing.T) {
	root := t.TempDir()
	in := files{"main.pluto": "import a\n" + main, "a.pluto": ""}.write(t, root)
	s := build(t, in, nil)
	if n := checked(t, s).Errors(); n != 0 {
		t.Errorf("%d errors", n)
	}
	in.Files, in.Gone = []string{"main.pluto"}, []string{"a.pluto"}
	s = build(t, in, s)
	if got := say(checked(t, s).Diags("")); !strings.Contains(got, "cannot find module 'a'") {
		t.Error(got)
	}
}

// TestOutside sees changes of what is not among the files of the project, writes no lock and
// runs no git.
func TestOutside(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("PLUTO_CACHE_DIR", t.TempDir())
	dir := t.TempDir()
	files{"a.pluto": "pub fn one() int {\n    return 1\n}\n"}.write(t, filepath.Join(dir, "kit"))
	root := filepath.Join(dir, "project")
	manifest := "[package]\nname = \"x\"\n[dependencies]\nkit = { path = \"../kit\" }\n"
	in := files{"main.pluto": "import kit\n\nfn main() {\n    print(kit.one())\n}\n", "pluto.toml": manifest}.write(t, root)
	in.Hash = func(string) uint64 { return 1 }
	s := build(t, in, nil)
	if got := say(checked(t, s).Diags("")); got != "" {
		t.Error(got)
	}
	files{"a.pluto": "pub fn two() int {\n    return 1\n}\n"}.write(t, filepath.Join(dir, "kit"))
	s = build(t, in, s)
	if got := say(checked(t, s).Diags("")); !strings.Contains(got, "one") {
		t.Errorf("after the edit: %s", got)
	}
	files{"pluto.toml": manifest + "far = { git = \"https://example.invalid/x\" }\n"}.write(t, root)
	s = build(t, in, s)
	if got := say(checked(t, s).Diags("")); !strings.Contains(got, "far") && !strings.Contains(got, "git checkout failed") {
		t.Errorf("with a repository: %s", got)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 2 {
		t.Errorf("files were written: %v %v", entries, err)
	}
}

// TestCancelled gives the error of the context, and can be called again.
func TestCancelled(t *testing.T) {
	in := files(plutotest.Project(3, plutotest.Shape{Modules: 60, Folders: 6, Tests: 100})).input(t.TempDir())
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ended, in, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("build: %v", err)
	}
	s := build(t, in, nil)
	if _, err := s.Checked(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("checked: %v", err)
	}
	during, cancel := context.WithCancel(context.Background())
	run := &checking{s: s}
	var n atomic.Int32
	err := run.each(during, 1000, func(int) {
		n.Add(1)
		cancel()
	})
	if !errors.Is(err, context.Canceled) || n.Load() > 100 {
		t.Errorf("in the middle: %v after %d", err, n.Load())
	}
	want := checked(t, build(t, in, nil))
	if problem := differ(s, s, checked(t, s), want); problem != "" {
		t.Error(problem)
	}
}

// TestTogether uses states from several goroutines.
func TestTogether(t *testing.T) {
	f := files(plutotest.Project(4, plutotest.Shape{Modules: 20, Folders: 4, Tests: 60}))
	root := t.TempDir()
	s := build(t, f.input(root), nil)
	checked(t, s)
	var all sync.WaitGroup
	for i := range 4 {
		f["main.pluto"] += fmt.Sprintf("\nfn more%d() {\n}\n", i/2)
		in := f.input(root)
		next := build(t, in, s)
		for range 2 {
			all.Go(func() {
				c, err := next.Checked(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				for _, m := range next.Modules() {
					c.Sites(m.Path)
					c.InterfaceHash(m.Path)
					for _, d := range m.Decls {
						next.Decl(d.Key)
						c.UsesOf(d.Key)
					}
				}
				c.Facts()
				if _, err := Build(context.Background(), in, next); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
}

// TestInterfaceHash says which edits other modules can see.
func TestInterfaceHash(t *testing.T) {
	const text = `pub error E {
    code: int
}

pub trait T {
    fn area(self) int

    fn label(self) string {
        return "x"
    }
}

pub class C impl T {
    n: int

    fn area(self) int {
        return self.n
    }
}

pub fn f(n: int) int
requires n > 0
{
    return n
}

pub fn same<X>(x: X) X {
    return x
}

test "it" {
    print(f(1))
}
`
	tests := []struct {
		old, new string
		seen     bool
	}{
		{"    return n\n", "    print(1)\n    return n\n", false},
		{"        return self.n\n", "        return self.n + 1\n", false},
		{"    print(f(1))", "    print(f(2))", false},
		{"pub error E {", "// says why\n\n\npub error E {", false},
		{"fn f(n: int) int", "fn f(n:  int)  int", false},
		{"    return n\n", "    if n > 3 {\n        raise E { code: 1 }\n    }\n    return n\n", true},
		{"    return n\n", "    let x: int = \"\"\n    return n\n", true},
		{"    return x\n", "    print(1)\n    return x\n", true},
		{"return \"x\"", "return \"y\"", true},
		{"n > 0", "n > 1", true},
		{"pub fn f", "fn f", true},
		{"fn f(n: int) int", "fn f(n: int, m: int) int", true},
		{"    n: int\n", "    n: int\n    m: int\n", true},
		{"pub class C impl T", "pub transient class C impl T", true},
		{"    code: int", "    code: int\n    why: string", true},
	}
	root := t.TempDir()
	before := checked(t, build(t, files{"a.pluto": text}.input(root), nil)).InterfaceHash("a.pluto")
	for _, tt := range tests {
		if strings.Count(text, tt.old) == 0 {
			t.Fatalf("%q is not in the text", tt.old)
		}
		after := checked(t, build(t, files{"a.pluto": strings.Replace(text, tt.old, tt.new, 1)}.input(root), nil)).InterfaceHash("a.pluto")
		if seen := before != after; seen != tt.seen {
			t.Errorf("%q -> %q: seen %v", tt.old, tt.new, seen)
		}
	}
}
