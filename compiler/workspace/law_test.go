package workspace

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/plutotest"
)

// The law: whatever was edited, and in whatever order, a state that was built from earlier
// ones says what one says that was built from nothing.

func TestLaw(t *testing.T) {
	full := law(t, 1, 10, 20)
	if full.represented == 0 || full.kept == 0 {
		t.Errorf("nothing was left out: %+v", full)
	}
}

// saved counts how results came about.
type saved struct{ kept, represented, checked int }

func law(t *testing.T, first uint64, projects, steps int) (sum saved) {
	for seed := first; seed < first+uint64(projects); seed++ {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			s := lawOf(t, seed, steps)
			sum.kept += s.kept
			sum.represented += s.represented
			sum.checked += s.checked
		})
	}
	t.Logf("%+v", sum)
	return sum
}

func lawOf(t *testing.T, seed uint64, steps int) (sum saved) {
	r := rand.New(rand.NewPCG(seed, 5))
	root := t.TempDir()
	e := &editor{r: r, gentle: seed%2 == 0, now: plutotest.Project(seed, plutotest.Shape{
		Modules: 4 + r.IntN(26), Folders: r.IntN(8), Tests: int(1-seed%2)*60 + r.IntN(40), Private: true, Imports: 1 + r.IntN(4),
	})}
	e.history = []files{maps.Clone(e.now)}
	state := build(t, e.now.input(root), nil)
	checked(t, state)
	for step := range steps {
		var log []string
		if e.gentle && r.IntN(3) == 0 {
			e.now = maps.Clone(e.history[0])
		}
		for range 1 + r.IntN(2) {
			log = append(log, e.edit())
		}
		if r.IntN(8) == 0 {
			continue // several edits between two looks
		}
		before := state
		state = build(t, e.now.input(root), state)
		if r.IntN(10) == 0 {
			continue // a state that nobody asks
		}
		got := checked(t, state)
		cold := build(t, e.now.input(root), nil)
		want := checked(t, cold)
		if problem := differ(state, cold, got, want); problem != "" {
			t.Fatalf("seed %d, step %d: %s:\n%s", seed, step, strings.Join(log, ", "), problem)
		}
		if again := checked(t, state); again != got {
			t.Errorf("seed %d, step %d: checked twice", seed, step)
		}
		for i, g := range state.groups {
			switch old := before.base[g.identity()]; {
			case before.checked.Load() != nil && slices.Contains(before.checked.Load().results, got.results[i]), old == got.results[i]:
				sum.kept++
			case got.results[i].represented:
				sum.represented++
			default:
				sum.checked++
			}
		}
		e.history = append(e.history, maps.Clone(e.now))
	}
	return sum
}

// differ says where two states differ.
func differ(a, b *State, got, want *Checked) string {
	if x, y := groupText(a), groupText(b); x != y {
		return "groups: got\n" + x + "want\n" + y
	}
	if x, y := say(got.Diags("")), say(want.Diags("")); x != y {
		return "diagnostics: got\n" + x + "want\n" + y
	}
	names := slices.Sorted(maps.Keys(want.files()))
	for _, name := range append(names, slices.Sorted(maps.Keys(got.files()))...) {
		if x, y := say(got.Diags(name)), say(want.Diags(name)); x != y {
			return "diagnostics of " + name + ": got\n" + x + "want\n" + y
		}
		if x, y := got.Sites(name), want.Sites(name); !slices.Equal(x, y) {
			return fmt.Sprintf("sites of %s: got\n%v\nwant\n%v", name, x, y)
		}
	}
	if x, y := got.Facts(), want.Facts(); !reflect.DeepEqual(x, y) {
		for k, s := range y.Signatures {
			if !reflect.DeepEqual(s, x.Signatures[k]) {
				return fmt.Sprintf("facts of %s: got\n%+v\nwant\n%+v", k, x.Signatures[k], s)
			}
		}
		return fmt.Sprintf("facts: got\n%+v\nwant\n%+v", x, y)
	}
	for _, m := range b.Modules() {
		if got.InterfaceHash(m.Path) != want.InterfaceHash(m.Path) {
			return "interface of " + m.Path
		}
		for _, d := range m.Decls {
			if x, y := got.UsesOf(d.Key), want.UsesOf(d.Key); !slices.Equal(x, y) {
				return fmt.Sprintf("uses of %s: got\n%v\nwant\n%v", d.Key, x, y)
			}
			if x, y := got.UsedBy(d.Key), want.UsedBy(d.Key); !slices.Equal(x, y) {
				return fmt.Sprintf("used by %s: got\n%v\nwant\n%v", d.Key, x, y)
			}
		}
	}
	return ""
}

func groupText(s *State) string {
	var out strings.Builder
	for _, g := range s.Groups() {
		fmt.Fprintf(&out, "%+v\n", *g)
	}
	return out.String()
}

// editor edits a project at random.
type editor struct {
	r       *rand.Rand
	now     files
	history []files
	n       int
	gentle  bool // most programs stay without errors
}

// file is one of the files of the project.
func (e *editor) file() string {
	names := slices.Sorted(maps.Keys(e.now))
	return names[e.r.IntN(len(names))]
}

// insert puts text behind one of the places where another is.
func (e *editor) insert(name, after, text string) bool {
	old := e.now[name]
	n := strings.Count(old, after)
	if n == 0 {
		return false
	}
	at := 0
	for range 1 + e.r.IntN(n) {
		at += strings.Index(old[at:], after) + len(after)
	}
	e.now[name] = old[:at] + text + old[at:]
	return true
}

func (e *editor) replace(name, old, with string) bool {
	if !strings.Contains(e.now[name], old) {
		return false
	}
	e.now[name] = strings.Replace(e.now[name], old, with, 1+e.r.IntN(2))
	return true
}

// edit does something and says what.
func (e *editor) edit() string {
	for {
		name := e.file()
		e.n++
		kind := e.r.IntN(37)
		if e.gentle && slices.Contains([]int{4, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 22, 23, 26}, kind) {
			continue
		}
		if what, ok := e.one(name, kind); ok {
			return what + " " + name
		}
	}
}

func (e *editor) one(name string, what int) (string, bool) {
	n := e.n
	body := func(text string) bool {
		// of any function
		heads := []string{"{\n    let mut sum = ", "{\n    let mut got = ", "    return got\n", "int {\n        return", ") int {\n"}
		at := heads[e.r.IntN(len(heads))]
		i := strings.Index(at, "{\n")
		if i < 0 {
			return e.replace(name, at, text+at)
		}
		return e.replace(name, at, at[:i+2]+text+at[i+2:])
	}
	imports := e.imported(name)
	other := ""
	if len(imports) > 0 {
		other = imports[e.r.IntN(len(imports))]
	}
	switch what {
	case 0, 1, 2:
		return "body", body(fmt.Sprintf("    print(%d)\n", n))
	case 3:
		return "unused variable", body(fmt.Sprintf("    let idle%d = %d\n", n, n))
	case 4:
		return "mistake", body(fmt.Sprintf("    let bad%d: int = \"x\"\n", n))
	case 5:
		i := strings.Index(e.now[name], "pub error ")
		if i < 0 {
			return "", false
		}
		failure, _, _ := strings.Cut(e.now[name][i+len("pub error "):], " ")
		return "raise", body(fmt.Sprintf("    if 1 > %d {\n        raise %s { code: %d }\n    }\n", n, failure, n))
	case 6:
		return "comment", e.insert(name, "\n", fmt.Sprintf("// comment %d\n", n))
	case 7:
		e.now[name] = "// first\n" + e.now[name]
		return "first line", true
	case 8:
		return "parameter", e.replace(name, "pub fn load(n: int", fmt.Sprintf("pub fn load(n: int, m%d: int", n))
	case 9:
		return "name", e.replace(name, "fn size(", "fn extent(")
	case 10:
		return "private", e.replace(name, "pub fn calc", "fn calc")
	case 11:
		return "public", e.replace(name, "\nfn calc", "\npub fn calc")
	case 12:
		if to := e.file(); to != "main.pluto" && path.Dir(to) == path.Dir(name) {
			stem := strings.TrimSuffix(path.Base(to), path.Ext(to))
			e.now[name] = "import " + stem + "\n" + e.now[name]
			return "import " + stem, true
		}
		return "", false
	case 13:
		return "no import", e.replace(name, "import ", "// import ")
	case 14:
		if len(e.now) < 3 || e.r.IntN(3) > 0 {
			return "", false
		}
		delete(e.now, name)
		return "delete", true
	case 15:
		to := path.Join(path.Dir(name), fmt.Sprintf("new%03d.pluto", n))
		e.now[to] = e.now[e.file()]
		return "copy to " + to, true
	case 16:
		to := path.Join(path.Dir(name), fmt.Sprintf("run%03d.pluto", n))
		stem := strings.TrimSuffix(path.Base(name), path.Ext(name))
		e.now[to] = fmt.Sprintf("import %s\n\nfn main() {\n    print(%s.calc(%d))\n}\n", stem, stem, n)
		return "program " + to, true
	case 17:
		return "syntax", e.insert(name, "\n", []string{"fn fn (\n", "}\n", "    let = \n", "class {\n", "\"\n"}[e.r.IntN(5)])
	case 18, 19, 20, 21:
		old := e.history[e.r.IntN(len(e.history))]
		text, ok := old[name]
		e.now[name] = text
		if !ok {
			delete(e.now, name)
		}
		return "back", len(e.now) > 0
	case 22:
		old := e.history[e.r.IntN(len(e.history))]
		e.now = maps.Clone(old)
		return "all back", e.r.IntN(2) == 0
	case 23:
		stem := strings.TrimSuffix(name, path.Ext(name))
		e.now[stem+".pt"] = e.now[name]
		return "view", true
	case 24:
		return "task", body(fmt.Sprintf("    let task%d = spawn load(%d)\n    print(task%d.get() catch 0)\n", n, n, n))
	case 25:
		return "task in a box", body(fmt.Sprintf("    let tasks%d = [spawn load(%d)]\n    print(tasks%d[0].get() catch 0)\n", n, n, n))
	case 26:
		e.now[name] += fmt.Sprintf("\ntest \"t%d\" {\n    print(make(%d).size())\n    let mut got = %d\n    print(got)\n}\n", n, n, n)
		return "test", true
	case 27:
		e.now[name] += fmt.Sprintf("\nclass Other%d impl Shape {\n    fn area(self) int {\n        return %d\n    }\n}\n", n, n)
		return "implementor", strings.Contains(e.now[name], "trait Shape")
	case 28:
		return "raising implementor", e.replace(name, "        return self.size() * ", "        if self.count > 5 {\n            raise Failure { }\n        }\n        return self.size() * ") &&
			e.replace(name, "pub error ", "error Failure { }\n\npub error ")
	case 29:
		if other == "" {
			return "", false
		}
		return "generic use", body(fmt.Sprintf("    print(%s.same(%d) + %s.same(\"x\").len())\n", other, n, other))
	case 30:
		if other == "" {
			return "", false
		}
		return "trait use", body(fmt.Sprintf("    print(%s.describe(%s.make(%d)))\n", other, other, n))
	case 31:
		return "generic body", e.replace(name, "T {\n    return x", fmt.Sprintf("T {\n    print(%d)\n    return x", n))
	case 32:
		return "trait body", e.replace(name, "        return f\"area", fmt.Sprintf("        print(%d)\n        return f\"area", n))
	case 33, 34:
		if other == "" {
			return "", false
		}
		return "private use", body(fmt.Sprintf("    print(%s.hidden%s(%d))\n", other, strings.TrimLeft(other, "modther"), n))
	case 35:
		return "no raise", e.replace(name, "        raise Failure", "        print(\"failure\")\n    }\n    if false {\n        // raise Failure")
	default:
		if other == "" {
			return "", false
		}
		return "bare call", body(fmt.Sprintf("    print(%s.load(%d))\n", other, n))
	}
}

// imported are the names of the modules that a file imports.
func (e *editor) imported(name string) []string {
	var out []string
	for line := range strings.Lines(e.now[name]) {
		words := strings.Fields(line)
		if len(words) > 1 && words[0] == "import" {
			out = append(out, words[len(words)-1][strings.LastIndexByte(words[len(words)-1], '.')+1:])
		}
	}
	return out
}
