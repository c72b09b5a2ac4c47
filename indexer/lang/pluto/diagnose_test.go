package pluto_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/indexer/lang/pluto"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/stdlib"
)

// findings are what a new checker says, a line each.
func findings(t testing.TB, in *lang.Input, s lang.Scope) string {
	t.Helper()
	c := pluto.Language().Checker()
	defer c.Close()
	return said(t, c, in, s)
}

func said(t testing.TB, c lang.Checker, in *lang.Input, s lang.Scope) string {
	t.Helper()
	r, err := c.Check(context.Background(), in, s)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, d := range r.Findings {
		b.WriteString(findingText(d) + "\n")
	}
	for _, n := range r.Notes {
		b.WriteString("note: " + n + "\n")
	}
	return b.String()
}

func findingText(d report.Diagnostic) string {
	text := fmt.Sprintf("%s:%d:%d-%d:%d: %s %s %s %s", d.File, d.Line, d.Col, d.EndLine, d.EndCol, d.Source, d.Severity, d.Code, d.Message)
	if d.Help != "" {
		text += " (" + d.Help + ")"
	}
	for _, r := range d.Related {
		text += fmt.Sprintf(" [%s:%d:%d %s]", r.File, r.Line, r.Col, r.Message)
	}
	return text
}

// several programs: main.pluto with its module, one in a folder, a file with tests.
func several() map[string]string {
	return map[string]string{
		"main.pluto":       "import lib\n\nfn main() {\n    let unused = 1\n    print(lib.two(\"x\"))\n}\n",
		"lib.pluto":        "pub fn two(n: int) int {\n    return \"2\"\n}\n",
		"tools/main.pluto": "error Bad {\n}\n\nfn f() {\n    raise Bad { }\n}\n\nfn main() {\n    f()\n}\n",
		"a_test.pluto":     "import lib\n\ntest \"two\" {\n    expect(lib.two(1)).to_equal(missing)\n}\n",
	}
}

const (
	inTest  = "a_test.pluto:4:33-4:40: pluto error P0401 Type error: undefined variable 'missing'\n"
	inLib   = "lib.pluto:2:12-2:15: pluto error P0513 Type error: return type mismatch: expected int, found string\n"
	inMain  = "main.pluto:5:19-5:22: pluto error P0405 Type error: argument 1 of 'lib.two': expected int, found string\n"
	inTools = "tools/main.pluto:9:5-9:8: pluto error P0701 Type error: call to fallible function 'f' must be handled with ! or catch (it can raise Bad)\n"
)

// TestCheck says what is wrong with all programs, or some files, each thing once.
func TestCheck(t *testing.T) {
	in := project(t, several())
	for _, c := range []struct {
		name  string
		scope lang.Scope
		want  string
	}{
		{"all", lang.Scope{}, inTest + inLib + inMain + inTools},
		{"without tests", lang.Scope{NoTests: true}, inLib + inMain + inTools},
		{"a module", lang.Scope{Files: []string{"lib.pluto"}}, inLib},
		{"two files", lang.Scope{Files: []string{"a_test.pluto", "tools/main.pluto"}}, inTest + inTools},
		{"a test that is left out", lang.Scope{Files: []string{"a_test.pluto"}, NoTests: true}, ""},
		{"none", lang.Scope{Files: []string{}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := findings(t, in, c.scope); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// A checker that remembers says what a new one does.
func TestCheckAgain(t *testing.T) {
	files := several()
	in := project(t, files)
	c := pluto.Language().Checker()
	defer c.Close()
	for _, edit := range []struct{ file, old, new string }{
		{"main.pluto", "", ""}, {"lib.pluto", "\"2\"", "2"}, {"main.pluto", "\"x\"", "1"}, {"a_test.pluto", "missing", "2"},
		{"tools/main.pluto", "    f()", "    f() catch e { }"}, {"lib.pluto", "n: int", "n: string"},
	} {
		files[edit.file] = strings.Replace(files[edit.file], edit.old, edit.new, 1)
		now := edited(t, in, files)
		if got, want := said(t, c, now, lang.Scope{}), findings(t, now, lang.Scope{}); got != want {
			t.Errorf("%s: %q: got\n%swant\n%s", edit.file, edit.new, got, want)
		}
	}
}

// A git dependency that is not on this machine is asked for once, and what that says is told.
func TestCheckFetches(t *testing.T) {
	t.Setenv("PLUTO_CACHE_DIR", t.TempDir())
	t.Setenv("PATH", t.TempDir())
	in := project(t, map[string]string{
		"main.pluto": "import kit\n\nfn main() {\n    kit.go()\n}\n",
		"pluto.toml": "[package]\nname = \"x\"\n[dependencies]\nkit = { git = \"https://example.invalid/kit\" }\n",
	})
	c := pluto.Language().Checker()
	defer c.Close()
	first := said(t, c, in, lang.Scope{})
	if !strings.Contains(first, "https://example.invalid/kit") {
		t.Errorf("got %s", first)
	}
	if again := said(t, c, in, lang.Scope{}); again != first {
		t.Errorf("got %s, then %s", first, again)
	}
}

// TestCheckLibrary finds nothing wrong with the standard library where it lies in a project: it
// may have the names of what is built in.
func TestCheckLibrary(t *testing.T) {
	files := map[string]string{"main.pluto": "fn abs(x: int) int {\n    return x\n}\n\nfn main() {\n    print(abs(1))\n}\n"}
	err := fs.WalkDir(stdlib.Files(), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var text []byte
			text, err = fs.ReadFile(stdlib.Files(), p)
			files["lib/stdlib/"+p] = string(text)
		}
		return err
	})
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	in := project(t, files)
	if got, want := findings(t, in, lang.Scope{}), "main.pluto:1:4-1:7: pluto error P0308 Type error: function 'abs' cannot shadow builtin 'abs'\n"; got != want {
		t.Errorf("found\n%swant\n%s", got, want)
	}
}
