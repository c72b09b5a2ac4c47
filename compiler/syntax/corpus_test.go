package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// The library and every program of the compiler's tests keep their tree and their comments
// when they are laid out, and what is laid out stays as it is.
func TestFormatOfTheCorpora(t *testing.T) {
	library, programs, neat := 0, 0, 0
	law := func(name, text string) {
		f, _ := parseAny(text)
		if !f.OK {
			if got := Format(f); got != text {
				t.Errorf("%s: a wrong file is laid out", name)
			}
			return
		}
		if !strings.HasPrefix(text, byteOrderMark) { // which is no token
			checkTokens(t, f)
		}
		checkFormat(t, f)
		out := Format(f)
		if out == text {
			neat++
		}
		// Whatever the line ends are, the layout has one kind; only a string keeps its own.
		if crlf, _ := parseAny(strings.ReplaceAll(out, "\n", "\r\n")); crlf.OK && !strings.Contains(Format(crlf), "\r") && Format(crlf) != out {
			t.Errorf("%s: another layout with other line ends", name)
		}
		programs++
	}
	paths, _ := filepath.Glob("../../stdlib/*/*.p*")
	for _, p := range paths {
		if e := filepath.Ext(p); e != ".pluto" && e != ".pt" {
			continue
		}
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		library++
		law(p, string(data))
		if f, _ := parseAny(string(data)); Format(f) != string(data) {
			t.Errorf("%s is not laid out", p)
		}
	}
	for _, pattern := range []string{"../testdata/*/*.txtar", "../check/testdata/*/*.txtar"} {
		paths, _ := filepath.Glob(pattern)
		for _, p := range paths {
			a, err := txtar.ParseFile(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Files {
				if e := filepath.Ext(f.Name); e == ".pluto" || e == ".pt" {
					law(p+"/"+f.Name, string(f.Data))
				}
			}
		}
	}
	if library < 10 || programs < 1000 || neat < 100 {
		t.Errorf("%d files of the library, %d programs, %d laid out before", library, programs, neat)
	}
}
