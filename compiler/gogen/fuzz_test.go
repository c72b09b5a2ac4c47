package gogen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/gogen"
	"github.com/settgraph/sett/compiler/load"
)

// plutoTexts is every Pluto text at hand: the examples of the parser and the checker, the
// scenarios of this package, the programs of the benchmarks, the blocks of the tour.
func plutoTexts(t testing.TB) []string {
	t.Helper()
	var texts []string
	for _, pattern := range []string{
		"../check/testdata/*/*.txtar", "../syntax/testdata/*.txtar", "testdata/run/*.txtar", "../testdata/run/*.txtar", "../../bench/testdata/pluto/*.txtar",
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range archive.Files {
				switch filepath.Base(f.Name) {
				case "out", "err", "exit", "stdout", "stderr", "stdin", "args", "env", "warn", "error":
				default:
					texts = append(texts, string(f.Data))
				}
			}
		}
	}
	tour, err := os.ReadFile("../../docs/pluto/tour.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```pluto[^\n]*\n(.*?)```").FindAllSubmatch(tour, -1) {
		texts = append(texts, string(m[1]))
	}
	if len(texts) < 1500 {
		t.Fatalf("found %d texts", len(texts))
	}
	return texts
}

// lowerAll takes a text through all phases, functions that nothing calls included. It is nil
// when the text is refused.
func lowerAll(t testing.TB, text string, test bool) build.Files {
	t.Helper()
	p := check.Check(load.LoadText("main.pluto", text, load.Options{Test: test, Standalone: true, Offline: true}))
	if p.Diags.Errors() > 0 {
		return nil
	}
	out, err := gogen.GenerateAll(p)
	switch {
	case err != nil:
		t.Fatalf("%v\n%s", err, text)
	case out == nil && p.Diags.Errors() == 0:
		t.Fatalf("neither Go nor an error\n%s", text)
	case out == nil:
		return nil
	}
	return out.Files
}

// isGo holds a text to the law that what is accepted is a Go program, and says whether it is
// accepted.
func isGo(t testing.TB, text string) bool {
	t.Helper()
	accepted := false
	for _, test := range []bool{false, true} {
		if test && !strings.Contains(text, "test") {
			continue
		}
		if files := lowerAll(t, text, test); files != nil {
			accepted = true
			if err := newJudge().refuses(files); err != nil {
				t.Fatalf("%v\n-- main.pluto --\n%s\n-- main.go --\n%s", err, text, files["main.go"])
			}
		}
	}
	return accepted
}

// TestTextsAreGo lowers every text at hand.
func TestTextsAreGo(t *testing.T) {
	n := 0
	for _, text := range plutoTexts(t) {
		if isGo(t, text) {
			n++
		}
	}
	if n < 450 {
		t.Errorf("%d texts were lowered", n)
	}
}

// FuzzLower proves of any text: no phase panics or goes on for ever, and when the text is accepted, its Go text
// is one that go build, gofmt and go vet take.
func FuzzLower(f *testing.F) {
	for _, text := range plutoTexts(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 20000 {
			slow := time.AfterFunc(20*time.Second, func() { panic("the compiler does not end:\n" + text) })
			defer slow.Stop()
			isGo(t, text)
		}
	})
}
