package syntax_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

func TestLocals(t *testing.T) {
	const text = `import std.strings as text

class Box<T> {
	item: T
}

fn f<T>(a: T, g: fn(int) int) int {
	let mut n = g(1)
	n = n + text.len("x")
	for i in 0..n {
		n += i
		let n2 = (n: int) => n + i
		n2(n)
	}
	match pair() {
		P.Q { left, right: r } {
			n = left + r
		}
	}
	let v = call() catch e {
		print(e.message)
		return n
	}
	let (tx, rx) = chan<int>(1)
	tx.send(v)!
	return n
}
`
	var got []string
	f := syntax.Parse(source.NewFile("a.pluto", "", text), &diag.List{})
	for _, l := range syntax.Locals(f) {
		line, _ := f.Src.Position(l.Decl.At.Start)
		s := fmt.Sprintf("%s %s %d:", l.Kind, l.Name, line)
		for _, u := range l.Uses {
			at, _ := f.Src.Position(u.At.Span().Start)
			s += fmt.Sprintf(" %d", at)
			if u.Write {
				s += "w"
			}
			if u.Call {
				s += "c"
			}
		}
		got = append(got, s)
	}
	want := []string{
		"import text 1: 9",
		"type parameter T 3: 4",
		"type parameter T 7: 7",
		"parameter a 7:",
		"parameter g 7: 8c",
		"variable n 8: 9w 9 10 11w 13 17w 22 26",
		"variable i 10: 11 12",
		"parameter n 12: 12",
		"variable n2 12: 13c",
		"variable left 16: 17",
		"variable r 16: 17",
		"variable e 20: 21",
		"variable v 20: 25",
		"variable tx 24: 25",
		"variable rx 24:",
	}
	slices.Sort(got)
	slices.Sort(want)
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// Who renames a local where [syntax.Locals] says it is named has the same program: no finding
// of the checker may appear.
func TestRenamedLocals(t *testing.T) {
	paths, err := filepath.Glob("../check/testdata/accept/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	renamed := 0
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			if strings.HasSuffix(file.Name, ".pluto") {
				renamed += renameLocals(t, p+"/"+file.Name, string(file.Data))
			}
		}
	}
	if renamed < 500 {
		t.Errorf("only %d locals in the programs", renamed)
	}
}

// renameLocals renames all locals of a program, each to a name of its own.
func renameLocals(t *testing.T, name, text string) int {
	before := check.Check(load.LoadText("main.pluto", text, load.Options{}))
	if before.Diags.Errors() > 0 {
		return 0 // it needs other files
	}
	f := syntax.Parse(source.NewFile("main.pluto", "", text), &diag.List{})
	type edit struct {
		at   source.Span
		text string
	}
	var edits []edit
	n := 0
	for i, l := range syntax.Locals(f) {
		if l.Kind == syntax.LocalImport {
			continue
		}
		n++
		to := fmt.Sprintf("fresh%d", i)
		if l.Kind == syntax.LocalTypeParam {
			to = fmt.Sprintf("Fresh%d", i)
		}
		decl := to
		if b, ok := l.In.(*syntax.Binding); ok && b.Field == b.Name {
			decl = l.Name + ": " + to
		}
		edits = append(edits, edit{l.Decl.At, decl})
		for _, u := range l.Uses {
			edits = append(edits, edit{u.At.Span(), to})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.at.Start, a.at.Start) })
	for _, e := range edits {
		text = text[:e.at.Start] + e.text + text[e.at.End:]
	}
	after := check.Check(load.LoadText("main.pluto", text, load.Options{}))
	if after.Diags.Errors() > 0 {
		t.Errorf("%s: %s\n%s", name, after.Diags.Sorted()[0].Message, text)
	}
	return n
}
