package pluto_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/compilertest"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

// TestManyRandomEdits plays random sequences of everything that can be done to a project, with
// arguments that make sense and others. After every step the files, the declarations, their
// ids and what the compiler says are what the change said, or nothing changed and there is
// an error. SETT_SEED plays one sequence and tells what it does.
func TestManyRandomEdits(t *testing.T) {
	first, last := uint64(0), uint64(sequences)
	one, err := strconv.ParseUint(os.Getenv("SETT_SEED"), 10, 64)
	if alone := err == nil; alone {
		first, last = one, one+1
	}
	var mu sync.Mutex
	var cases []compilertest.Case
	done, refused := map[string]int{}, map[string]int{}
	t.Run("sequences", func(t *testing.T) {
		next := make(chan uint64)
		for range runtime.GOMAXPROCS(0) {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for seed := range next {
					g := newGame(t, seed)
					g.play()
					mu.Lock()
					for k, n := range g.done {
						done[k] += n
					}
					for k, n := range g.refused {
						refused[k] += n
					}
					if g.quiet && !g.bad && len(cases) < 2*ran {
						cases = append(cases, compilertest.Case{Name: fmt.Sprintf("%d before", seed), Files: g.first}, compilertest.Case{Name: fmt.Sprintf("%d after", seed), Files: g.last})
					}
					mu.Unlock()
				}
			})
		}
		go func() {
			defer close(next)
			for seed := first; seed < last; seed++ {
				next <- seed
			}
		}()
	})
	total := 0
	for _, k := range slices.Sorted(maps.Keys(done)) {
		total += done[k]
		t.Logf("%-14s %5d done, %5d refused", k, done[k], refused[k])
	}
	t.Logf("%d steps", total)
	if first+1 != last && total < steps*sequences/3 {
		t.Errorf("only %d steps were made", total)
	}
	results := compilertest.Results(t, cases)
	for i := 0; i < len(results); i += 2 {
		before, after := results[i], results[i+1]
		if before.Fault+before.Refused != "" {
			t.Errorf("%s: %s%s", cases[i].Name, before.Fault, before.Refused)
		}
		if before != after {
			t.Errorf("%s: %+v, then %+v", cases[i].Name, before, after)
		}
	}
	if first+1 != last && len(cases) < ran {
		t.Errorf("%d programs ran", len(cases)/2)
	}
}

// game is one sequence on one project.
type game struct {
	t    *testing.T
	r    *rand.Rand
	seed uint64
	root string
	p    *pluto.Project
	o    pluto.Options

	quiet bool // only edits that no program can see
	outer bool // other programs edit files too

	bad     bool
	unseen  map[string]bool // modules that others edited since the last reload
	mixed   bool            // staged and direct edits, so that nobody knows all ids of a step back
	now     *world
	past    history
	fresh   int
	said    []string
	done    map[string]int
	refused map[string]int
	first   map[string]string
	last    map[string]string
}

// world is all of a project at one moment.
type world struct {
	v        *pluto.View
	files    map[string]string // as the project has them
	disk     map[string]string
	decls    map[uuid.UUID]*pluto.Decl // modules as well
	errors   map[string]int            // what the compiler says, without lines
	comments map[string]int
	entries  int
}

func newGame(t *testing.T, seed uint64) *game {
	g := &game{t: t, r: rand.New(rand.NewPCG(seed, 31)), seed: seed, root: t.TempDir(), unseen: map[string]bool{}, done: map[string]int{}, refused: map[string]int{}}
	g.quiet = seed%8 == 1
	g.outer = !g.quiet && seed%2 == 1
	g.o.Staged = !g.quiet && seed%5 == 3
	for name, text := range texts(g.r, seed) {
		write(t, g.root, name, text)
	}
	g.open()
	if g.r.IntN(4) == 0 {
		if _, err := g.p.Migrate(ctx, nil, pluto.MigrateOptions{To: pluto.BinaryForm}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := os.RemoveAll(filepath.Join(g.root, ".sett")); err != nil {
			t.Fatal(err)
		}
		g.open()
	}
	g.now = g.look()
	g.first = maps.Clone(g.now.files)
	if len(g.now.errors) > 0 {
		t.Fatalf("seed %d: the project has errors to begin with: %v", seed, g.now.errors)
	}
	return g
}

func (g *game) open() {
	if g.p != nil {
		if err := g.p.Close(); err != nil {
			g.fail("closing: %v", err)
		}
	}
	p, err := pluto.Open(g.root, g.o)
	if err != nil {
		g.t.Fatal(err)
	}
	g.p = p
}

// fail reports a problem of the present step.
func (g *game) fail(format string, args ...any) {
	g.t.Helper()
	what := "beginning"
	if len(g.said) > 0 {
		what = g.said[len(g.said)-1]
	}
	g.bad = true
	g.t.Errorf("seed %d, step %d: %s\n\tafter %s", g.seed, len(g.said), fmt.Sprintf(format, args...), what)
}

// say begins a step.
func (g *game) say(format string, args ...any) { g.said = append(g.said, fmt.Sprintf(format, args...)) }

// note adds to the name of the step.
func (g *game) note(format string, args ...any) {
	g.said[len(g.said)-1] += " " + fmt.Sprintf(format, args...)
}

// play plays the sequence, then undoes and redoes all of it.
func (g *game) play() {
	defer func() {
		if r := recover(); r != nil {
			g.fail("panic: %v\n%s", r, debug.Stack())
		}
		g.p.Close()
		if g.bad || os.Getenv("SETT_SEED") != "" {
			for i, s := range g.said {
				g.t.Logf("seed %d, step %d: %s", g.seed, i+1, s)
			}
		}
	}()
	for range steps {
		g.step()
		if !g.bad && len(g.now.errors) > 0 && g.r.IntN(3) == 0 {
			g.say("heal")
			g.travel(true)
		}
		if g.bad {
			break
		}
	}
	if !g.bad {
		g.last = maps.Clone(g.now.files)
		g.say("rewind")
		g.rewind()
	}
}

// look reads all of the project.
func (g *game) look() *world {
	g.t.Helper()
	v, err := g.p.View(ctx)
	if err != nil {
		g.t.Fatalf("seed %d, step %d: %v", g.seed, len(g.said), err)
	}
	w := &world{v: v, disk: contents(g.t, g.root), decls: map[uuid.UUID]*pluto.Decl{}, comments: map[string]int{}}
	w.files = maps.Clone(w.disk)
	for _, name := range g.p.Dirty() {
		data, err := pluto.Contents(g.p, v, name)
		if err != nil {
			g.fail("%s: %v", name, err)
		}
		if data == nil {
			delete(w.files, name)
		} else {
			w.files[name] = string(data)
		}
	}
	keep := func(d *pluto.Decl) {
		if other := w.decls[d.ID]; other != nil {
			g.fail("%s and %s have the same id", other.Key, d.Key)
		}
		if d.ID == uuid.Nil {
			g.fail("%s has no id", d.Key)
		}
		w.decls[d.ID] = d
	}
	for _, m := range v.Modules() {
		keep(m.Self)
		for d := range m.All() {
			keep(d)
		}
		for _, c := range comments(m.File()) {
			w.comments[c]++
		}
	}
	w.errors = g.errors(v)
	entries, err := g.p.History()
	if err != nil {
		g.fail("%v", err)
	}
	w.entries = len(entries)
	return w
}

// errors are what the compiler has against a project, by file and message.
func (g *game) errors(v *pluto.View) map[string]int {
	g.t.Helper()
	diags, err := v.Check(ctx, "")
	if err != nil {
		g.fail("%v", err)
	}
	return counted(diags)
}

func counted(diags []*diag.Diagnostic) map[string]int {
	out := map[string]int{}
	for _, d := range diags {
		if d.Severity == diag.Error {
			name := ""
			if d.File != nil {
				name = d.File.Name
			}
			out[name+": "+d.Message]++
		}
	}
	return out
}

// comments are the comments of a file, without those that state ids.
func comments(f *syntax.File) []string {
	var out []string
	for _, t := range f.Tokens {
		if t.Kind == syntax.COMMENT {
			if text := strings.TrimSpace(f.Src.Text[t.At.Start:t.At.End]); !strings.HasPrefix(text, "// @uuid:") {
				out = append(out, text)
			}
		}
	}
	return out
}

// pick takes one at random.
func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// decl is a declaration of one of the kinds, or of any; nil when there is none.
func (g *game) decl(v *pluto.View, kinds ...xref.Kind) *pluto.Decl {
	var all []*pluto.Decl
	for _, m := range v.Modules() {
		for d := range m.All() {
			if len(kinds) == 0 || slices.Contains(kinds, d.Kind) {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return pick(g.r, all)
}

func (g *game) module(v *pluto.View) *pluto.Module { return pick(g.r, v.Modules()) }

// name is a new name for a declaration of a kind.
func (g *game) name(kind xref.Kind) string {
	g.fresh++
	switch kind {
	case xref.Function, xref.Method, xref.Field, xref.Param, xref.Extern, xref.Module:
		return fmt.Sprintf("fresh%d", g.fresh)
	case xref.Test:
		return fmt.Sprintf("fresh test %d", g.fresh)
	}
	return fmt.Sprintf("Fresh%d", g.fresh)
}
