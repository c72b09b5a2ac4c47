package typecheck_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
)

const useStd = `
-- go.mod --
module example.com/m

go 1.24
-- a.go --
package a

import "strings"

var N int = strings.ToUpper("n")
`

// deaf puts a go command first in the PATH that refuses to list packages.
func deaf(t *testing.T) {
	t.Helper()
	real, err := exec.LookPath("go")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs a go command and a shell")
	}
	dir := t.TempDir()
	text := "#!/bin/sh\nif [ \"$1\" = list ]; then echo no list >&2; exit 1; fi\nexec '" + real + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestRemember lets a second checker answer from what a first one kept, until the
// configuration is another or what is kept is gone.
func TestRemember(t *testing.T) {
	p := write(t, useStd)
	cache := filepath.Join(t.TempDir(), "cache")
	ask := func() (findings, notes string) {
		in := p.input(t)
		in.Cache = cache
		out := check(t, newChecker(t), in, lang.Scope{})
		return strings.Join(render(out.Findings), "\n"), strings.Join(out.Notes, "\n")
	}
	want, notes := ask()
	if !strings.Contains(want, "a.go:5:13: ") || notes != "" {
		t.Fatalf("found %q, noted %q", want, notes)
	}
	deaf(t)
	if got, notes := ask(); got != want || notes != "" {
		t.Errorf("the second time found %q, noted %q", got, notes)
	}
	p.over["go.mod"] = "module example.com/m\n\ngo 1.23\n"
	if got, notes := ask(); !strings.Contains(got+notes, "no list") {
		t.Errorf("with another go.mod found %q, noted %q: the go command was not asked", got, notes)
	}
	delete(p.over, "go.mod")
	files, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q is kept, %v", files, err)
	}
	src, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "{", "null", strings.ReplaceAll(string(src), `"Export":"`, `"Export":"/gone`)} {
		if err := os.WriteFile(files[0], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, notes := ask(); !strings.Contains(got+notes, "no list") {
			t.Errorf("with %q found %q, noted %q: the go command was not asked", text, got, notes)
		}
	}
}

// TestUnsavedConfig lays a go.mod over the one on disk: what it says counts, also for what
// the go command is asked.
func TestUnsavedConfig(t *testing.T) {
	p := write(t, `
-- go.mod --
module example.com/m

go 1.24
-- a.go --
package a

import _ "example.com/other/o"

var N int = ""
-- vendored/go.mod --
module example.com/other

go 1.24
-- vendored/o/o.go --
package o
`)
	before := strings.Join(render(checkAll(t, p).Findings), "\n")
	if !strings.Contains(before, "no required module provides package example.com/other/o") {
		t.Errorf("before: %s", before)
	}
	p.over["go.mod"] = "module example.com/m\n\ngo 1.24\n\nrequire example.com/other v1.0.0\n\nreplace example.com/other => ./vendored\n"
	out := checkAll(t, p)
	if got := strings.Join(render(out.Findings), "\n"); !strings.HasPrefix(got, "a.go:5:13: cannot use") || strings.Contains(got, "\na") {
		t.Errorf("with the unsaved text: %s (%s)", got, out.Notes)
	}
	p.over["go.mod"] = "module example.com/m\n\ngo 1.24\n\nrequire golang.org/x/nothing/such v1.0.0\n"
	p.over["a.go"] = "package a\n\nimport _ \"golang.org/x/nothing/such\"\n"
	out = checkAll(t, p)
	if got := strings.Join(append(render(out.Findings), out.Notes...), "\n"); !strings.Contains(got, "golang.org/x/nothing/such") || strings.Contains(got, "no required module") {
		t.Errorf("with an unsaved requirement: %s", got)
	}
}
