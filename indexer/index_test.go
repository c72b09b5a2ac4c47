package indexer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

func extracted(d *Delta) string {
	var ns []string
	for _, f := range d.Facts {
		ns = append(ns, strings.TrimPrefix(f.Unit, "fake:"))
	}
	return strings.Join(ns, " ")
}

func dropped(d *Delta) string {
	var ns []string
	for _, n := range sortedKeys(d.Drop) {
		ns = append(ns, strings.TrimPrefix(n, "fake:"))
	}
	return strings.Join(ns, " ")
}

// chain is a project in which a sees b, b sees c, and x and y see each other and c.
func chain() map[string]string {
	return map[string]string{
		"a.fk": "import b.fk\ndecl a\n",
		"b.fk": "import c.fk\ndecl b\n",
		"c.fk": "decl c\n",
		"x.fk": "import y.fk\nimport c.fk\ndecl x\n",
		"y.fk": "import x.fk\ndecl y\n",
		"z.fk": "decl z\n",
	}
}

func TestUpdateExtractsWhatChanged(t *testing.T) {
	for _, test := range []struct {
		name          string
		do            func(p *project)
		extract, drop string
	}{
		{"nothing", func(p *project) {}, "", ""},
		{"a body", func(p *project) { p.write("c.fk", "decl c\nbody\n") }, "c.fk", "c.fk"},
		{"a shape, seen by all but one", func(p *project) { p.write("c.fk", "decl c2\n") },
			"a.fk b.fk c.fk x.fk y.fk", "a.fk b.fk c.fk x.fk y.fk"},
		{"a shape in a cycle", func(p *project) { p.write("y.fk", "import x.fk\ndecl y2\n") }, "x.fk y.fk", "x.fk y.fk"},
		{"a shape that nobody sees", func(p *project) { p.write("a.fk", "import b.fk\ndecl a2\n") }, "a.fk", "a.fk"},
		{"a cycle is broken", func(p *project) { p.write("y.fk", "decl y\n") }, "x.fk y.fk", "x.fk y.fk"},
		{"an unseen file goes", func(p *project) { p.must(os.Remove(p.path("z.fk"))) }, "", "z.fk"},
		{"a seen file goes", func(p *project) { p.must(os.Remove(p.path("c.fk"))) }, "a.fk b.fk x.fk y.fk", "a.fk b.fk c.fk x.fk y.fk"},
		{"a file comes", func(p *project) { p.write("n.fk", "import a.fk\n") }, "n.fk", "n.fk"},
		{"configuration", func(p *project) { p.write("fake.mod", "1") }, "a.fk b.fk c.fk x.fk y.fk z.fk", "a.fk b.fk c.fk x.fk y.fk z.fk"},
		{"forced", func(p *project) { p.o.Force = true }, "a.fk b.fk c.fk x.fk y.fk z.fk", "a.fk b.fk c.fk x.fk y.fk z.fk"},
		{"another version of the language", func(p *project) { p.o.Languages = langsOf(fake()); p.o.Languages[0].Version++ },
			"a.fk b.fk c.fk x.fk y.fk z.fk", "a.fk b.fk c.fk x.fk y.fk z.fk"},
		{"other dependencies on this machine", func(p *project) {
			p.o.Languages = langsOf(fake())
			p.o.Languages[0].Outside = func(*lang.Input) uint64 { return 1 }
		}, "a.fk b.fk c.fk x.fk y.fk z.fk", "a.fk b.fk c.fk x.fk y.fk z.fk"},
		{"no language", func(p *project) { p.o.Languages = []lang.Language{} }, "", "a.fk b.fk c.fk x.fk y.fk z.fk"},
		{"unsaved text", func(p *project) { p.o.Overlay = map[string][]byte{"z.fk": []byte("decl zz\n")} }, "z.fk", "z.fk"},
		{"touched", func(p *project) { p.write("c.fk", "decl c\n") }, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t, chain())
			first := p.update()
			if got := extracted(first); got != "a.fk b.fk c.fk x.fk y.fk z.fk" {
				t.Fatalf("the first run extracts %s", got)
			}
			test.do(p)
			d := p.update()
			if got := extracted(d); got != test.extract {
				t.Errorf("extracted %q, want %q", got, test.extract)
			}
			if got := dropped(d); got != test.drop {
				t.Errorf("dropped %q, want %q", got, test.drop)
			}
			if d.Report.Units != len(d.State.Units()) || d.Report.Extracted != len(d.Facts) || d.Report.Units != d.Report.Extracted+d.Report.Reused {
				t.Errorf("the report does not add up: %+v", d.Report)
			}
			if p.o.Force {
				return
			}
			if again := p.update(); len(again.Facts)+len(again.Drop) != 0 {
				t.Errorf("nothing changed, and %q is extracted, %q dropped", extracted(again), dropped(again))
			}
		})
	}
}

// A file that a unit names before it exists is a dependency all the same.
func TestUpdateSeesNewDependency(t *testing.T) {
	p := newProject(t, map[string]string{"a.fk": "import later.fk\n"})
	p.update()
	p.write("later.fk", "decl l\n")
	if got := extracted(p.update()); got != "a.fk later.fk" {
		t.Errorf("extracted %q", got)
	}
}

// However a project came to be what it is, and however many work on it, its state is the
// same, and so are the facts of a full run.
func TestUpdateIsDeterministic(t *testing.T) {
	files := chain()
	for i := range 200 {
		files[fmt.Sprintf("more/f%d.fk", i)] = fmt.Sprintf("import more/f%d.fk\nimport more/f%d.fk\ndecl d%d\nbroken\n", (i*7)%200, (i+1)%200, i)
	}
	p := newProject(t, files)
	full := func(workers int) *Delta {
		o := p.o
		o.Workers = workers
		s, err := ScanFiles(t.Context(), o, nil)
		p.must(err)
		d, err := Update(t.Context(), o, s, nil)
		p.must(err)
		return d
	}
	r := rand.New(rand.NewPCG(1, 1))
	for round := range 6 {
		for range 5 {
			i := r.IntN(200)
			p.write(fmt.Sprintf("more/f%d.fk", i), fmt.Sprintf("import more/f%d.fk\ndecl d%d\n%s\n", r.IntN(200), r.IntN(3), []string{"", "broken"}[r.IntN(2)]))
		}
		facts := map[string]*graph.Facts{}
		inc := p.update()
		one, many := full(1), full(8)
		if !bytes.Equal(one.State.Encode(), many.State.Encode()) || !reflect.DeepEqual(one.Facts, many.Facts) {
			t.Fatalf("round %d: 1 and 8 workers differ", round)
		}
		if !bytes.Equal(inc.State.Encode(), one.State.Encode()) {
			t.Fatalf("round %d: step by step and at once differ", round)
		}
		for _, f := range one.Facts {
			facts[f.Unit] = f
		}
		for _, f := range inc.Facts {
			if !reflect.DeepEqual(f, facts[f.Unit]) {
				t.Errorf("round %d: facts of %s differ", round, f.Unit)
			}
		}
		if !reflect.DeepEqual(inc.Report.Broken, one.Report.Broken) || len(inc.Report.Broken) == 0 {
			t.Errorf("round %d: %d broken units step by step, %d at once", round, len(inc.Report.Broken), len(one.Report.Broken))
		}
	}
}

func TestUpdateReports(t *testing.T) {
	p := newProject(t, map[string]string{"a.fk": "x\nbroken\n", "b.fk": "generated\n", "c.py": "", "sett.toml": "[index]\ngenerated = false\n"})
	d := p.update()
	want := []UnitNote{{Unit: "fake:a.fk", File: "", Line: 2, Col: 1, Text: "cannot be understood", Broken: true}}
	want[0].File = "a.fk"
	if !slices.Equal(d.Report.Broken, want) {
		t.Errorf("broken: %+v", d.Report.Broken)
	}
	if d.Report.Skipped[skipGenerated] != 1 || d.Report.Unindexed["python"] != 1 || d.Report.Units != 1 {
		t.Errorf("%+v", d.Report)
	}
	again := p.update()
	if !slices.Equal(again.Report.Broken, want) || again.Report.Reused != 1 {
		t.Errorf("the second time: %+v", again.Report)
	}
}

func TestUpdateTellsProgress(t *testing.T) {
	p := newProject(t, chain())
	var mu sync.Mutex
	last := map[string]Event{}
	p.o.Progress = func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Done >= last[e.Phase].Done {
			last[e.Phase] = e
		}
	}
	p.update()
	if last["scan"].Done != 6 {
		t.Errorf("scan ended with %+v", last["scan"])
	}
	for _, phase := range []string{"read", "extract"} {
		if e := last[phase]; e.Done != 6 || e.Total != 6 || e.Lang != "fake" {
			t.Errorf("%s ended with %+v", phase, e)
		}
	}
}

func TestUpdateSurvivesFrontEnds(t *testing.T) {
	for _, test := range []struct {
		name, text string
		change     func(l *lang.Language)
		want       string
	}{
		{"summary panics", "panic in summary\n", nil, "failed on bad.fk: told to"},
		{"extract panics", "panic in extract\n", nil, "fake:bad.fk"},
		{"units panic", "", func(l *lang.Language) { l.Units = func(*lang.Input) []lang.Unit { panic("no") } }, "the list of files"},
		{"two units of a name", "", func(l *lang.Language) {
			l.Units = func(in *lang.Input) []lang.Unit { return []lang.Unit{{Name: "u"}, {Name: "u"}} }
		}, "two units u"},
		{"a file in two units", "", func(l *lang.Language) {
			l.Units = func(in *lang.Input) []lang.Unit {
				return []lang.Unit{{Name: "u", Files: []string{"bad.fk"}}, {Name: "v", Files: []string{"bad.fk"}}}
			}
		}, "in the units u and v"},
		{"a strange file", "", func(l *lang.Language) {
			l.Units = func(in *lang.Input) []lang.Unit { return []lang.Unit{{Name: "u", Files: []string{"else"}}} }
		}, "no source"},
		{"no facts", "", func(l *lang.Language) {
			l.Extract = func(context.Context, *lang.Input, []lang.Unit, func(*graph.Facts) error) error { return nil }
		}, "no facts for fake:bad.fk"},
		{"facts twice", "", func(l *lang.Language) {
			l.Extract = func(_ context.Context, _ *lang.Input, todo []lang.Unit, emit func(*graph.Facts) error) error {
				return errors.Join(emit(&graph.Facts{Unit: todo[0].Name}), emit(&graph.Facts{Unit: todo[0].Name}))
			}
		}, "or twice"},
		{"an error", "", func(l *lang.Language) {
			l.Extract = func(context.Context, *lang.Input, []lang.Unit, func(*graph.Facts) error) error {
				return errors.New("cannot go on")
			}
		}, "cannot go on"},
	} {
		l := fake()
		if test.change != nil {
			test.change(&l)
		}
		p := newProject(t, map[string]string{"bad.fk": test.text})
		p.o.Languages = langsOf(l)
		_, err := Update(t.Context(), p.o, p.scan(), nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
		var pe *PanicError
		if strings.Contains(test.name, "panic") && (!errors.As(err, &pe) || len(pe.Stack) == 0) {
			t.Errorf("%s: %T", test.name, err)
		}
	}
}

// Files that change between the scan and the extraction make the next update read them
// again, even when they are then as the scan saw them.
func TestUpdateWhileFilesChange(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(p *project)
		undo   func(p *project)
	}{
		{"edit", func(p *project) { p.write("c.fk", "decl other\n") }, func(p *project) { p.write("c.fk", "decl c\n") }},
		{"remove", func(p *project) { p.must(os.Remove(p.path("c.fk"))) }, func(p *project) { p.write("c.fk", "decl c\n") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t, chain())
			want := p.update().State.Encode()
			p.state = nil
			l := fake()
			extract := l.Extract
			l.Extract = func(ctx context.Context, in *lang.Input, todo []lang.Unit, emit func(*graph.Facts) error) error {
				test.change(p)
				return extract(ctx, in, todo, emit)
			}
			s := p.scan()
			o := p.o
			o.Languages = langsOf(l)
			d, err := Update(t.Context(), o, s, nil)
			p.must(err)
			if !slices.Equal(d.Report.Unstable, []string{"c.fk"}) || d.State.Digest != (Digest{}) {
				t.Errorf("unstable: %q, digest %x", d.Report.Unstable, d.State.Digest)
			}
			p.state = d.State
			test.undo(p)
			d = p.update()
			if got := extracted(d); got != "c.fk" {
				t.Errorf("the next update extracts %q", got)
			}
			if !bytes.Equal(d.State.Encode(), want) {
				t.Error("the state does not become what it would have been")
			}

			// Between the scan and the first reading a file may change too.
			p.state = nil
			s = p.scan()
			test.change(p)
			d, err = Update(t.Context(), p.o, s, nil)
			p.must(err)
			p.state = d.State
			if got := extracted(p.update()); got != "" {
				t.Errorf("after a change before the reading the next update extracts %q", got)
			}
		})
	}
}

func TestUpdateEnds(t *testing.T) {
	p := newProject(t, chain())
	s := p.scan()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Update(ctx, p.o, s, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v", err)
	}
}

func TestStateRoundTrip(t *testing.T) {
	p := newProject(t, chain())
	p.write("d.fk", "broken\nimport a.fk\ngenerated\n")
	p.write("e_test.fk", "")
	p.write("fake.mod", "")
	p.write("x.py", "")
	st := p.update().State
	data := st.Encode()
	back, err := DecodeState(data)
	if err != nil || !reflect.DeepEqual(st, back) {
		t.Errorf("%v: decoded\n%+v\nencoded\n%+v", err, back, st)
	}
	if d, ok := PeekDigest(data); !ok || d != st.Digest {
		t.Errorf("PeekDigest = %x, %v", d, ok)
	}
	for i := range data {
		if _, err := DecodeState(data[:i]); !errors.Is(err, ErrState) {
			t.Fatalf("the first %d bytes give %v", i, err)
		}
	}
	if st.Files()["fake"] != 8 || len(st.Notes()) != 1 {
		t.Errorf("files %v, notes %v", st.Files(), st.Notes())
	}
}

func FuzzDecodeState(f *testing.F) {
	p := newProject(f, chain())
	p.write("d.fk", "broken\n")
	f.Add(p.update().State.Encode())
	scan := p.scan()
	f.Fuzz(func(t *testing.T, data []byte) {
		st, err := DecodeState(data)
		if err != nil {
			return
		}
		again, err := DecodeState(st.Encode())
		if err != nil || !reflect.DeepEqual(st, again) {
			t.Errorf("what was decoded is not what is encoded: %v", err)
		}
		if _, err := Update(t.Context(), p.o, scan, st); err != nil {
			t.Error(err)
		}
	})
}

// The components of random graphs, by their definition.
func TestComponents(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		n := 1 + r.IntN(12)
		edges := make([][]int, n)
		reach := make([][]bool, n)
		for i := range edges {
			reach[i] = make([]bool, n)
			reach[i][i] = true
			for range r.IntN(3) {
				j := r.IntN(n)
				edges[i] = append(edges[i], j)
				reach[i][j] = true
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		done := make([]bool, n)
		components(edges, func(members []int) {
			for _, i := range members {
				done[i] = true
			}
			for _, i := range members {
				for j := range n {
					if same := reach[i][j] && reach[j][i]; same != slices.Contains(members, j) {
						t.Errorf("edges %v: %d and %d: together %v, in one component %v", edges, i, j, same, !same)
					}
					if reach[i][j] && !done[j] {
						t.Errorf("edges %v: %d comes before %d, which it leads to", edges, i, j)
					}
				}
			}
		})
		if slices.Contains(done, false) {
			t.Errorf("edges %v: not all are in a component", edges)
		}
	}
}

func manyUnits(n int) ([]lang.Unit, map[string]uint64) {
	r := rand.New(rand.NewPCG(5, 5))
	name := func(i int) string { return fmt.Sprintf("fake:f%06d", i) }
	units := make([]lang.Unit, n)
	files := map[string]uint64{}
	for i := range units {
		f := fmt.Sprintf("f%06d", i)
		files[f] = r.Uint64()
		units[i] = lang.Unit{Name: name(i), Files: []string{f}, Shape: r.Uint64()}
		for range 8 {
			units[i].Deps = append(units[i].Deps, name(r.IntN(n)))
		}
		if i > 0 {
			units[i].Deps = append(units[i].Deps, name(i-1)) // a chain as long as the project
		}
		slices.Sort(units[i].Deps)
	}
	return units, files
}

func BenchmarkKeys20k(b *testing.B) {
	units, files := manyUnits(20000)
	for b.Loop() {
		keys(1, units, files)
	}
}

func BenchmarkUpdate1500(b *testing.B) {
	files := map[string]string{}
	for i := range 1500 {
		files[fmt.Sprintf("pkg%02d/f%d.fk", i%40, i)] = fmt.Sprintf("import pkg%02d/f%d.fk\ndecl d\n", (i*7)%40, i*7) + strings.Repeat("a line of text\n", 400)
	}
	p := newProject(b, files)
	st := p.update().State
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			if d := p.update(); len(d.Facts) > 0 {
				b.Fatal("something is extracted")
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		data := st.Encode()
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := DecodeState(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
