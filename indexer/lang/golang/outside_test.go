package golang_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang/golang"
)

// TestOutside changes what is around a project, and looks whether that is noticed.
func TestOutside(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOROOT", filepath.Join(dir, "go"))
	t.Setenv("GOMODCACHE", filepath.Join(dir, "cache"))
	files := map[string][]byte{}
	config := func(name, text string) {
		t.Helper()
		files[name] = []byte(text)
		write("root/"+name, text)
	}
	config("go.mod", "module m\n\nrequire (\n\texample.com/A v1.0.0\n\texample.com/b v1.2.0\n)\n\nreplace example.com/b => example.com/c v0.1.0\n")
	config("sub/go.mod", "module m/sub\n\nrequire example.com/a v1.1.0\n\nreplace example.com/d => ../../d\n")
	hash := func() uint64 {
		in := project(files)
		in.Root = filepath.Join(dir, "root")
		return golang.Language().Outside(in)
	}
	was := hash()
	for _, step := range []struct {
		name    string
		do      func()
		changes bool
	}{
		{"nothing", func() {}, false},
		{"a distribution", func() { write("go/VERSION", "go1.24") }, true},
		{"another release", func() { write("go/VERSION", "go1.25") }, true},
		{"a module", func() { write("cache/example.com/!a@v1.0.0/a.go", "package a") }, true},
		{"another version that nobody asks for", func() { write("cache/example.com/a@v1.3.0/a.go", "package a") }, false},
		{"what a module is replaced by", func() { write("cache/example.com/c@v0.1.0/c.go", "package c") }, true},
		{"a folder next to the project", func() { write("d/d.go", "package d") }, true},
		{"a vendor folder", func() { write("root/vendor/modules.txt", "# example.com/b v1.2.0\n") }, true},
		{"another list in it", func() { write("root/vendor/modules.txt", "# example.com/b v1.3.0\n") }, true},
		{"a vendor folder of a nested module", func() { write("root/sub/vendor/x/x.go", "package x") }, true},
		{"the cache is elsewhere", func() {
			if err := os.Rename(filepath.Join(dir, "cache"), filepath.Join(dir, "other")); err != nil {
				t.Fatal(err)
			}
			t.Setenv("GOMODCACHE", filepath.Join(dir, "other"))
		}, false},
	} {
		step.do()
		now := hash()
		if (now != was) != step.changes {
			t.Errorf("%s: noticed is %v, want %v", step.name, now != was, step.changes)
		}
		if again := hash(); again != now {
			t.Errorf("%s: asked again, the answer differs", step.name)
		}
		was = now
	}
}

// BenchmarkOutside asks for a project with many requirements, which every question does.
func BenchmarkOutside(b *testing.B) {
	dir := b.TempDir()
	var mod strings.Builder
	mod.WriteString("module m\n\nrequire (\n")
	for i := range 200 {
		mod.WriteString("\texample.com/some/module" + strings.Repeat("x", i%20) + string(rune('a'+i%26)) + "/v" + string(rune('2'+i%8)) + " v2.10.3\n")
	}
	mod.WriteString(")\n")
	in := project(map[string][]byte{"go.mod": []byte(mod.String())})
	in.Root = dir
	outside := golang.Language().Outside
	for b.Loop() {
		outside(in)
	}
}
