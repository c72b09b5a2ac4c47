package pluto_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// rich are modules with what generated ones do not have.
var rich = map[string]string{
	"extra/rich.pluto": `// What there is in this file is odd.

import std.math // for abs
import std.strings as text1

// Shapes of all kinds.

trait Solid {
    fn area(self) int
    fn twice(self) int { // by default
        return self.area() * 2
    }
}

pub class Square impl Solid {
    side: int // of all four
    name: string

    invariant self.side >= 0

    // How large.
    fn area(self) int {
        return self.side * self.side
    }

    fn scale(mut self, by: int)
    requires by > 0
    {
        self.side = self.side * by // in place
    }
} // the end of Square

class Box<T> {
    value: T
    fn get(self) T { return self.value }
}

enum Tree { Leaf Node { left: int, right: int } }
pub enum Level {
    Low // at the bottom
    High {
        by: int
    }
}
error Bad { why: string }
error Empty { }

fn doubled(s: Solid) int { return s.twice() }

fn sum(t: Tree) int {
    match t {
        Tree.Leaf { return 0 }
        Tree.Node { left, right } { return left + right } // both
    }
}
fn risky(n: int) int {
    if n < 0 {
        raise Bad { why: f"negative {n}" } // why not
    }
    return math.abs(n)
}

// Calls what it is given.
fn apply(f: fn(int) int, n: int) int { return f(n) }

// Uses all of it.
fn everything(n: int) int {
    let s = Square { side: n, name: "s" }
    let mut total = 0
    for x in [s] { total += doubled(x) }
    let b = Box<int> { value: total }
    let t = Tree.Node { left: 1, right: b.get() }
    total += sum(t) + apply((x: int) => x + 1, 2)
    total += risky(n) catch 0
    let found = risky(n - 9) catch err {
        -1
    }
    return total + found
}

fn main() { print(everything(3)) }

test "sums" { expect(sum(Tree.Leaf)).to_equal(0) }
// a comment at the end`,
	"extra2/app.pluto": `// A program with parts.
class Journal {
    lines: int
    fn say(mut self, s: string) {
        self.lines += 1
        print(s)
    }
}

class Repo[log: Journal] {
    count: int
    // Gets it.
    fn get(self) int {
        self.log.say("get")
        return 1
    }
}

class Config {
    name: string
}

class Service uses Config [repo: Repo, log: Journal] {
    fn run(self) int {
        print(config.name)
        return self.repo.get()
    }
}

app Demo[svc: Service, log: Journal] {
    ambient Config
    fn main(self) {
        print(self.svc.run())
        self.helper(1)
    }

    // Helps.
    fn helper(self, n: int) int {
        return n
    }
}
`,
	"extra3/flow.pluto": `fn twice(n: int) int { return n * 2 }

tests[scheduler: Sequential] {
    // The first.
    test "twice" {
        expect(twice(2)).to_equal(4)
    }

    test "again" {
        expect(twice(3)).to_equal(6)
    }
}
`,
	"written.pt": `// A module in the readable form.

// Counts.
pub fn counted(n: int) int {
    return n + 1
}

pub class Pair {
    a: int
    b: int
}
`,
}

// texts are the files of a project.
func texts(r *rand.Rand, seed uint64) map[string]string {
	shape := plutotest.Shape{Modules: 2 + r.IntN(5), Folders: r.IntN(4), Tests: 40, Private: true}
	files := plutotest.Project(seed, shape)
	for _, name := range slices.Sorted(maps.Keys(rich)) {
		if r.IntN(3) == 0 {
			files[name] = rich[name]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if r.IntN(8) == 0 {
			text = hinted(r, name, text)
		}
		switch r.IntN(8) {
		case 0:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 1:
			text = "\ufeff" + text
		case 2:
			text = strings.TrimRight(text, "\n")
		case 3:
			text += "\n\n"
		}
		files[name] = text
	}
	return files
}

// hinted writes ids above some declarations.
func hinted(r *rand.Rand, name, text string) string {
	for _, d := range slices.Backward(xref.Decls(parsed(name, text))) {
		if r.IntN(2) == 0 && strings.TrimSpace(text[strings.LastIndexByte(text[:d.Full.Start], '\n')+1:d.Full.Start]) == "" {
			id := uuid.UUID{}
			for i := range id {
				id[i] = byte(r.Uint32())
			}
			text = text[:d.Full.Start] + "// @uuid: " + id.String() + "\n" + text[d.Full.Start:]
		}
	}
	return text
}

func parsed(name, text string) *syntax.File {
	return syntax.Parse(source.NewFile(name, "", text), &diag.List{})
}

// given is source for an edit.
type given struct {
	text     string
	names    []string // of its declarations
	comments []string
	sound    bool
}

// comment is a comment that nobody wrote before.
func (g *game) comment() string {
	g.fresh++
	return fmt.Sprintf("// Remark %d.", g.fresh)
}

// part is one declaration.
func (g *game) part() (text, name string) {
	n := func() int { return g.r.IntN(9) }
	switch g.r.IntN(11) {
	case 0:
		name = g.name(xref.Class)
		text = fmt.Sprintf("pub class %s {\n    a: int\n    b: string %s\n\n    fn %s(self, by: int) int {\n        return self.a + by\n    }\n}", name, g.comment(), g.name(xref.Method))
	case 1:
		name = g.name(xref.Class)
		text = fmt.Sprintf("class %s<T> {\n    value: T\n    fn get(self) T { return self.value }\n}", name)
	case 2:
		name = g.name(xref.Enum)
		text = fmt.Sprintf("enum %s {\n    One\n    Two { n: int }\n}", name)
	case 3:
		name = g.name(xref.Trait)
		text = fmt.Sprintf("pub trait %s {\n    fn m(self) int\n\n    fn d(self) int {\n        return self.m() + %d\n    }\n}", name, n())
	case 4:
		name = g.name(xref.Error)
		text = fmt.Sprintf("error %s { why: string }", name)
	case 5:
		name = g.name(xref.Test)
		text = fmt.Sprintf("test %q {\n    expect(%d).to_equal(%d)\n}", name, 1, 1)
	case 6:
		name = g.name(xref.Function)
		text = fmt.Sprintf("fn %s<T>(x: T) T { return x }", name)
	case 7:
		name = g.name(xref.Function)
		text = fmt.Sprintf("fn %s(n: int) int\nrequires n > %d\n{\n    %s\n    return n\n}", name, n(), g.comment())
	default:
		name = g.name(xref.Function)
		text = fmt.Sprintf("pub fn %s(n: int) int {\n    let mut x = n * %d %s\n    x += 1\n    return x\n}", name, n(), g.comment())
	}
	return text, name
}

// source is one to four declarations, mostly without mistakes.
func (g *game) source(taken string) *given {
	s := &given{sound: true}
	var parts []string
	if g.r.IntN(4) == 0 {
		name, alias := g.name(xref.Function), "math"
		imp := "import std.math"
		if g.r.IntN(2) == 0 {
			alias = g.name(xref.Module)
			imp += " as " + alias
		}
		if g.r.IntN(3) == 0 {
			imp = g.comment() + "\n" + imp
		}
		parts = append(parts, imp+"\n\n"+fmt.Sprintf("fn %s(n: int) int {\n    return %s.abs(n)\n}", name, alias))
		s.names = append(s.names, name)
	}
	for range 1 + g.r.IntN(4)*g.r.IntN(2) {
		text, name := g.part()
		if g.r.IntN(2) == 0 {
			text = g.comment() + "\n" + text
		}
		if g.r.IntN(6) == 0 {
			text = g.comment() + "\n\n" + text
		}
		if g.r.IntN(6) == 0 {
			text += " " + g.comment()
		}
		parts, s.names = append(parts, text), append(s.names, name)
	}
	s.text = strings.Join(parts, "\n\n")
	switch g.r.IntN(10) {
	case 0:
		s.text = strings.ReplaceAll(s.text, "\n", "\r\n")
	case 1:
		s.text = "\n\n" + s.text
	case 2:
		s.text += "\n" + g.comment() + "\n"
	case 3:
		s.text += "\n\n"
	}
	switch g.r.IntN(14) {
	case 0: // something is missing
		at := g.r.IntN(len(s.text))
		s.text, s.sound, s.names = s.text[:at]+s.text[min(len(s.text), at+1+g.r.IntN(4)):], false, nil
	case 1:
		s.text, s.sound, s.names = s.text+"\n\nfn "+taken+"() {\n}", false, nil
	case 2:
		s.text = pick(g.r, []string{"", "// only this", "import std.math", "fn fn() {\n}", "let x = 1", "}", "fn main() {\n}", "class int {\n}", "fn print() {\n}"})
		s.sound, s.names = false, nil
	case 3: // it does not check
		name := g.name(xref.Function)
		s.text, s.sound, s.names = fmt.Sprintf("fn %s() int {\n    return nobody%d()\n}", name, g.r.IntN(9)), false, []string{name}
	}
	s.comments = comments(parsed("x.pluto", s.text))
	return s
}

// odd is a name that should not be had: taken, wrong, or in the way of a local.
func (g *game) odd(taken string) string {
	return pick(g.r, []string{
		taken, taken, taken, "", "1x", "fn", "self", "print", "int", "a b", "x.y", "n", "sum", "item", "got", "level", "x", "Map", "math",
		"main", "étage", "_", "make", "count", "Item", "mod001", "size",
	})
}

// path is where a module may be, or not.
func (g *game) path(taken string) string {
	name := g.name(xref.Module)
	switch g.r.IntN(12) {
	case 0:
		return pick(g.r, []string{"", "../x", "/x/y", "a.txt", ".hidden", ".sett/x", "x/../..", taken, path.Dir(taken) + "/./" + path.Base(taken), "math", "a b", "1x", "fn"})
	case 1, 2:
		return "new/" + name + ".pluto"
	case 3:
		return "new/deep/" + name
	case 4:
		return name + ".pt"
	case 5, 6, 7:
		return path.Join(path.Dir(taken), name)
	case 8:
		return "part00/" + name
	}
	return name
}
