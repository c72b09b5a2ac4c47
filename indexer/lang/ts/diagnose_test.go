package ts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
	"golang.org/x/tools/txtar"
)

// minBroken is how many broken projects there are at least.
const minBroken = 95

// brokenProject is a project with what its compiler prints: the tsc of TypeScript 5.9, or for
// those that say "peer: tsgo" that of TypeScript 7. The expectations come from these tools;
// the test with the tag slow asks them again, and writes them with UPDATE=1. A file "differs"
// holds what we say instead, where the compiler inside differs from the older one.
type brokenProject struct {
	name, path string
	archive    *txtar.Archive
	tsgo       bool
	want       string // what the tool prints
	ours       string // what we print, when not that
}

func brokenProjects(t testing.TB) []*brokenProject {
	t.Helper()
	paths, err := filepath.Glob("testdata/diagnose/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < minBroken {
		t.Fatalf("%d broken projects, want at least %d", len(paths), minBroken)
	}
	var list []*brokenProject
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		b := &brokenProject{name: strings.TrimSuffix(filepath.Base(p), ".txtar"), path: p, archive: a}
		b.tsgo = strings.Contains(string(a.Comment), "peer: tsgo")
		for _, f := range a.Files {
			switch f.Name {
			case "want":
				b.want = string(f.Data)
			case "differs":
				b.ours = string(f.Data)
			}
		}
		list = append(list, b)
	}
	return list
}

// lay writes the project into a folder, with what says which TypeScript it uses.
func (b *brokenProject) lay(t testing.TB, root string) {
	t.Helper()
	write := func(name string, data []byte) {
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range b.archive.Files {
		if f.Name != "want" && f.Name != "differs" {
			write(f.Name, f.Data)
		}
	}
	if !b.tsgo {
		write("node_modules/typescript/package.json", []byte(`{"name":"typescript","version":"5.9.3"}`))
	}
}

// realRoot is a folder of the test, links followed.
func realRoot(t testing.TB) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func lines(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}

// TestBrokenProjects compares what is found in the broken projects with what their compilers
// print.
func TestBrokenProjects(t *testing.T) {
	for _, b := range brokenProjects(t) {
		t.Run(b.name, func(t *testing.T) {
			root := realRoot(t)
			b.lay(t, root)
			got := lines(printed(root, checkAll(t, diskInput(t, root, nil), lang.Scope{}).Findings))
			want := b.want
			if b.ours != "" {
				want = b.ours
			}
			if got != want && os.Getenv("UPDATE") != "" {
				b.write(t, "differs", got)
			} else if got != want {
				t.Errorf("- wanted, + got:\n%s", strings.Join(diff(strings.Split(want, "\n"), strings.Split(got, "\n")), "\n"))
			}
		})
	}
}

// TestBrokenFilesAlone checks every file of the broken projects by itself: when nothing
// hides anything, together that is what the whole project gives.
func TestBrokenFilesAlone(t *testing.T) {
	hides := map[string]bool{}
	for _, b := range brokenProjects(t) {
		if strings.HasPrefix(b.name, "config") || strings.Contains(b.name, "syntax") {
			hides[b.name] = true
		}
	}
	n := 0
	for _, b := range brokenProjects(t) {
		if hides[b.name] {
			continue
		}
		root := realRoot(t)
		b.lay(t, root)
		in := diskInput(t, root, nil)
		c := newChecker()
		var whole, alone []string
		for _, l := range printed(root, checkWith(t, c, in, lang.Scope{}).Findings) {
			for _, f := range in.Files {
				if strings.HasPrefix(l, f.Path+"(") {
					whole = append(whole, l)
				}
			}
		}
		for _, f := range in.Files {
			alone = append(alone, printed(root, checkWith(t, c, in, lang.Scope{Files: []string{f.Path}}).Findings)...)
		}
		slices.Sort(alone)
		for _, l := range whole {
			if !slices.Contains(alone, l) {
				t.Errorf("%s: the file alone does not give %s", b.name, l)
			}
		}
		n += len(whole)
	}
	if n < 200 {
		t.Errorf("%d findings were compared", n)
	}
}

// write replaces a file of the archive.
func (b *brokenProject) write(t *testing.T, name, text string) {
	t.Helper()
	a := &txtar.Archive{Comment: b.archive.Comment}
	for _, f := range b.archive.Files {
		if f.Name != name {
			a.Files = append(a.Files, f)
		}
	}
	if text != "" || name == "want" {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	if err := os.WriteFile(b.path, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
