package refactor_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/compiler/refactor"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// project is one of the projects that laws are tried on.
type project struct {
	name  string
	files map[string]string
}

// corpus is the programs of the compiler's own tests and projects that nobody wrote, those
// without errors.
func corpus(t testing.TB) []project {
	t.Helper()
	var out []project
	for _, pattern := range []string{"../testdata/modules/*.txtar", "../testdata/run/*.txtar", "../check/testdata/accept/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			base := strings.TrimSuffix(filepath.Base(path), ".txtar")
			out = append(out, projectsOf(base, strings.Contains(pattern, "accept"), ar)...)
		}
	}
	for seed := range uint64(generated) {
		files := plutotest.Project(seed, plutotest.Shape{Modules: 4 + int(seed), Folders: int(seed % 3), Tests: 50 * int(seed%2) * 33, Private: true})
		out = append(out, project{fmt.Sprintf("generated-%d", seed), files})
	}
	return out
}

// projectsOf are the projects of an archive: each file is one, or each first segment of paths.
func projectsOf(base string, single bool, ar *txtar.Archive) []project {
	var out []project
	skip := map[string]bool{}
	for _, f := range ar.Files {
		name, file, nested := strings.Cut(f.Name, "/")
		switch {
		case single:
			name, file = f.Name, "main.pluto"
		case !nested:
			name, file = "", f.Name
		}
		ext := filepath.Ext(file)
		if file == "pluto.toml" || file == "error" || strings.Contains(file, ".deps") {
			skip[name] = true
		}
		if ext != ".pluto" && ext != ".pt" {
			continue
		}
		if len(out) == 0 || out[len(out)-1].name != base+"/"+name {
			out = append(out, project{base + "/" + name, map[string]string{}})
		}
		out[len(out)-1].files[file] = string(f.Data)
	}
	return slices.DeleteFunc(out, func(p project) bool {
		_, name, _ := strings.Cut(p.name, "/")
		return skip[name]
	})
}

// sound are the projects without errors, with their states. every says how many are taken:
// each n-th.
func sound(t testing.TB, every int, f func(p project, s *workspace.State)) {
	t.Helper()
	n := 0
	for i, p := range corpus(t) {
		if i%every != 0 && !strings.HasPrefix(p.name, "generated") {
			continue
		}
		s := build(t, p.files)
		if len(errorsOf(t, s)) > 0 {
			continue
		}
		n++
		f(p, s)
	}
	if n < 300/every {
		t.Errorf("there are %d projects without errors, want at least %d", n, 300/every)
	}
}

// every declaration of a state, members included.
func declarations(s *workspace.State) []*xref.Decl {
	var out []*xref.Decl
	for _, m := range s.Modules() {
		out = slices.AppendSeq(out, xref.All(m.Decls))
	}
	return out
}

func sameTexts(a, b map[string]string) string {
	for _, path := range slices.Sorted(maps.Keys(merged(a, b))) {
		if a[path] != b[path] {
			return fmt.Sprintf("%s is\n%s\nand not\n%s", path, b[path], a[path])
		}
	}
	return ""
}

// touched counts the lines of a plan that are not what they were.
func touched(s *workspace.State, p *refactor.Plan) int {
	lines := map[string]bool{}
	for path, edits := range p.Edits {
		src := s.Module(path).File.Src
		for _, e := range edits {
			for line := src.Line(e.At.Start); line <= src.Line(e.At.End); line++ {
				lines[fmt.Sprintf("%s:%d", path, line)] = true
			}
		}
	}
	return len(lines)
}

// TestRenameAndBack renames everything that there is, and back: the texts are the same
// again, in between everything checks, and no more lines changed than have the name on them.
func TestRenameAndBack(t *testing.T) {
	asked, refused := 0, map[string]int{}
	sound(t, stride, func(p project, s *workspace.State) {
		before := texts(s)
		for _, d := range declarations(s) {
			if d.Kind == xref.Extern || d.Name == "main" || d.Name == "" {
				continue
			}
			asked++
			to := "fresh_one"
			if 'A' <= d.Name[0] && d.Name[0] <= 'Z' {
				to = "Fresh_one"
			}
			plan, err := refactor.Rename(context.Background(), s, d.Key, to, refactor.RenameOptions{})
			if err != nil {
				refused[err.Error()]++
				continue
			}
			next := carryOut(t, s, plan)
			if errs := errorsOf(t, next); len(errs) > 0 {
				t.Errorf("%s: %v as %s: %q", p.name, d.Key, to, errs)
				continue
			}
			if n, most := touched(s, plan), plan.Updated+len(plan.Moved); n > most {
				t.Errorf("%s: the plan for %v touches %d lines, want at most %d", p.name, d.Key, n, most)
			}
			if len(plan.Added)+len(plan.Removed)+len(plan.Dangling) > 0 {
				t.Errorf("%s: renaming %v adds %v, removes %v", p.name, d.Key, plan.Added, plan.Removed)
			}
			now, ok := plan.Moved[d.Key]
			if !ok {
				t.Errorf("%s: %v goes nowhere", p.name, d.Key)
				continue
			}
			back, err := refactor.Rename(context.Background(), next, now, d.Name, refactor.RenameOptions{})
			if err != nil {
				t.Errorf("%s: %v goes to %s and not back: %v", p.name, d.Key, to, err)
				continue
			}
			if diff := sameTexts(before, texts(carryOut(t, next, back))); diff != "" {
				t.Errorf("%s: %v renamed there and back: %s", p.name, d.Key, diff)
			}
		}
	})
	n := 0
	for _, text := range slices.Sorted(maps.Keys(refused)) {
		n += refused[text]
		t.Logf("%d refused: %s", refused[text], text)
	}
	t.Logf("%d renames, %d refused", asked, n)
	if asked < 1000/stride || n > asked/20 {
		t.Errorf("of %d renames %d were refused", asked, n)
	}
}

// TestDeleteUnused deletes what nothing uses: what is left checks, and no other byte of a
// line with text on it is different.
func TestDeleteUnused(t *testing.T) {
	deleted := 0
	sound(t, stride, func(p project, s *workspace.State) {
		for _, d := range declarations(s) {
			if d.Kind == xref.Param || d.Name == "main" {
				continue
			}
			plan, err := refactor.Delete(context.Background(), s, d.Key)
			if err != nil {
				t.Errorf("%s: deleting %v: %v", p.name, d.Key, err)
				continue
			}
			next := carryOut(t, s, plan)
			if m := next.Module(d.Key.File); !m.File.OK {
				t.Errorf("%s: without %v, the text does not parse:\n%s", p.name, d.Key, m.File.Src.Text)
			}
			if len(plan.Removed) != 1 || plan.Removed[0] != d.Key {
				t.Errorf("%s: deleting %v removes %v", p.name, d.Key, plan.Removed)
			}
			if len(plan.Dangling) > 0 {
				continue
			}
			deleted++
			if errs := errorsOf(t, next); len(errs) > 0 {
				t.Errorf("%s: without %v, which nothing uses: %q", p.name, d.Key, errs)
			}
		}
	})
	if deleted < 300/stride {
		t.Errorf("%d were deleted", deleted)
	}
}

// TestAddAndDelete adds a declaration everywhere and deletes it: the texts are the same again.
func TestAddAndDelete(t *testing.T) {
	sound(t, stride, func(p project, s *workspace.State) {
		before := texts(s)
		for _, m := range s.Modules() {
			var at []refactor.Position
			for _, d := range m.Decls {
				if d.Kind != xref.Test {
					at = append(at, refactor.Position{Before: d.Key}, refactor.Position{After: d.Key})
				}
			}
			for _, pos := range append(at, refactor.Position{}) {
				plan, err := refactor.Add(context.Background(), s, m.Path, "// Fresh.\nfn fresh_one() int {\n    return 1\n}\n", pos)
				if err != nil {
					t.Errorf("%s: %v: %v", p.name, pos, err)
					continue
				}
				next := carryOut(t, s, plan)
				if errs := errorsOf(t, next); len(errs) > 0 {
					t.Errorf("%s: adding at %v: %q", p.name, pos, errs)
				}
				if len(plan.Added) != 1 || len(plan.Moved)+len(plan.Removed) > 0 {
					t.Errorf("%s: adding at %v adds %v, moves %v", p.name, pos, plan.Added, plan.Moved)
					continue
				}
				back, err := refactor.Delete(context.Background(), next, plan.Added[0])
				if err != nil {
					t.Fatal(err)
				}
				// A missing blank line between neighbours comes with what is added, and stays.
				now := texts(carryOut(t, next, back))
				if before[m.Path] != now[m.Path] && squeezed(before[m.Path]) != squeezed(now[m.Path]) {
					t.Errorf("%s: added and deleted at %v: %s", p.name, pos, sameTexts(before, now))
				}
			}
		}
	})
}

// squeezed is a text without blank lines.
func squeezed(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out, "\n")
}

// TestReplaceBySelf replaces everything by its own text: nothing changes.
func TestReplaceBySelf(t *testing.T) {
	sound(t, stride, func(p project, s *workspace.State) {
		before := texts(s)
		for _, d := range declarations(s) {
			text := d.File.Src.Text[d.Full.Start:d.Full.End]
			plan, err := refactor.Replace(context.Background(), s, d.Key, text)
			if err != nil {
				t.Errorf("%s: %v by itself: %v", p.name, d.Key, err)
				continue
			}
			if diff := sameTexts(before, texts(carryOut(t, s, plan))); diff != "" {
				t.Errorf("%s: %v by itself: %s", p.name, d.Key, diff)
			}
			if len(plan.Moved)+len(plan.Added)+len(plan.Removed)+len(plan.Dangling) > 0 {
				t.Errorf("%s: %v by itself: moved %v, added %v, removed %v", p.name, d.Key, plan.Moved, plan.Added, plan.Removed)
			}
		}
	})
}

// TestMoveAndBack moves every declaration to every other module of its project and back:
// what is accepted checks, and back the texts are those from before but for order, imports
// and pub.
func TestMoveAndBack(t *testing.T) {
	moved, refused := 0, map[string]int{}
	sound(t, stride, func(p project, s *workspace.State) {
		for _, m := range s.Modules() {
			for _, d := range m.Decls {
				for _, to := range s.Modules() {
					if to == m {
						continue
					}
					plan, err := refactor.Move(context.Background(), s, d.Key, to.Path, refactor.Position{})
					if err != nil {
						refused[generic(err.Error())]++
						continue
					}
					moved++
					next := carryOut(t, s, plan)
					if errs := errorsOf(t, next); len(errs) > 0 {
						t.Errorf("%s: %v to %s: %q", p.name, d.Key, to.Path, errs)
						continue
					}
					now, ok := plan.Moved[d.Key]
					if !ok || len(plan.Added)+len(plan.Removed) > 0 {
						t.Errorf("%s: %v to %s: moved %v, added %v, removed %v", p.name, d.Key, to.Path, plan.Moved, plan.Added, plan.Removed)
						continue
					}
					back, err := refactor.Move(context.Background(), next, now, m.Path, refactor.Position{})
					if err != nil {
						continue // it may have become what its old module cannot import
					}
					if errs := errorsOf(t, carryOut(t, next, back)); len(errs) > 0 {
						t.Errorf("%s: %v to %s and back: %q", p.name, d.Key, to.Path, errs)
					}
				}
			}
		}
	})
	for _, text := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("%d refused: %s", refused[text], text)
	}
	t.Logf("%d moves", moved)
	if moved < 200/stride {
		t.Errorf("%d were moved", moved)
	}
}

// generic is a message without the names in it.
func generic(text string) string {
	parts := strings.Split(text, "'")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = ""
	}
	text, _, _ = strings.Cut(strings.Join(parts, "'"), " (")
	return text
}

// TestSequences edits projects at random. After every edit they check, and what the plans say
// of keys agrees with the texts.
func TestSequences(t *testing.T) {
	done := map[string]int{}
	defer func() { t.Logf("carried out: %v", done) }()
	for seed := range uint64(sequences) {
		r := rand.New(rand.NewPCG(seed, 7))
		files := plutotest.Project(seed, plutotest.Shape{Modules: 3 + r.IntN(6), Folders: r.IntN(3), Tests: 33, Private: true})
		s := build(t, files)
		if errs := errorsOf(t, s); len(errs) > 0 {
			t.Fatalf("seed %d: %q", seed, errs)
		}
		for step := range 25 {
			op, plan := random(r, s, step)
			if plan == nil {
				continue
			}
			kind, _, _ := strings.Cut(op, " ")
			done[kind]++
			next := carryOut(t, s, plan)
			if errs := errorsOf(t, next); len(errs) > 0 {
				t.Fatalf("seed %d, step %d: %s: %q", seed, step, op, errs)
			}
			if problem := keysAgree(s, next, plan); problem != "" {
				t.Fatalf("seed %d, step %d: %s: %s", seed, step, op, problem)
			}
			s = next
		}
	}
}

// random plans a random edit; nil when it is refused or would break something.
func random(r *rand.Rand, s *workspace.State, step int) (string, *refactor.Plan) {
	ctx := context.Background()
	all := declarations(s)
	d := all[r.IntN(len(all))]
	modules := s.Modules()
	m := modules[r.IntN(len(modules))]
	name := fmt.Sprintf("fresh%d", step)
	var plan *refactor.Plan
	var err error
	op := fmt.Sprint(d.Key)
	switch r.IntN(9) {
	case 0, 1:
		op = "rename " + op
		plan, err = refactor.Rename(ctx, s, d.Key, strings.ToUpper(name[:1])+name[1:], refactor.RenameOptions{})
	case 2:
		op = "rename to another name " + op
		plan, err = refactor.Rename(ctx, s, d.Key, all[r.IntN(len(all))].Name, refactor.RenameOptions{})
	case 3:
		op = "delete " + op
		if plan, err = refactor.Delete(ctx, s, d.Key); err == nil && (len(plan.Dangling) > 0 || d.Name == "main") {
			return "", nil
		}
	case 4:
		op = "move " + op + " to " + m.Path
		plan, err = refactor.Move(ctx, s, d.Key, m.Path, refactor.Position{})
	case 5:
		op = "add to " + m.Path
		plan, err = refactor.Add(ctx, s, m.Path, "import std.math\n\npub fn "+name+"(n: int) int {\n    return math.abs(n)\n}", refactor.Position{})
	case 6:
		op = "method " + op
		plan, err = refactor.AddMethod(ctx, s, d.Key, "fn "+name+"(self) int {\n    return 1\n}", refactor.Position{})
	case 7:
		op = "rename module " + m.Path
		if m.Path == "main.pluto" {
			return "", nil
		}
		plan, err = refactor.RenameModule(ctx, s, m.Path, filepath.ToSlash(filepath.Join(filepath.Dir(m.Path), name)))
	case 8:
		op = "move " + op + " to a new module"
		plan, err = refactor.Move(ctx, s, d.Key, "new/"+name, refactor.Position{})
	}
	if err != nil {
		return "", nil
	}
	return op, plan
}

// keysAgree says what is wrong with what a plan says of keys: every old declaration goes on
// under its key or the one in Moved unless it is in Removed, and every new one was there or
// is in Added.
func keysAgree(before, after *workspace.State, p *refactor.Plan) string {
	left := map[xref.Key]bool{}
	for _, d := range declarations(after) {
		left[d.Key] = true
	}
	for _, d := range declarations(before) {
		if gone(p.Removed, d) {
			continue
		}
		k := d.Key
		if now, ok := p.Moved[k]; ok {
			k = now
		}
		if !left[k] {
			return fmt.Sprintf("%v should be %v, which is not there", d.Key, k)
		}
		delete(left, k)
	}
	for k := range left {
		if d := after.Decl(k); !gone(p.Added, d) {
			return fmt.Sprintf("%v came from nowhere", k)
		}
	}
	return ""
}

func gone(keys []xref.Key, d *xref.Decl) bool {
	for ; d != nil; d = d.Parent {
		if slices.Contains(keys, d.Key) {
			return true
		}
	}
	return false
}
