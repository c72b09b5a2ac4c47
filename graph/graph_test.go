package graph_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/graphtest"
)

const sample = `
tsdb/head.go
  struct Head 10-20 exported : type Head struct // Head is the newest block.
  field Head.n 11
  method Head.Append 30-40 exported : func (h *Head) Append(v int) error
  function NewHead 22-28 exported : func NewHead() *Head
  NewHead constructs Head 23:10
  NewHead writes Head.n 24:4
  Head.Append calls !fmt#Println 31:6
  implements Head { Append/1 }
tsdb/head_test.go test
  function TestHead 5-9 entry
  TestHead calls NewHead 6:7
  TestHead calls Head.Append 7:4
store/store.go
  interface Appender 5-8 exported
  method Appender.Append 6 exported abstract
  function Save 10-14 exported
  Save calls Appender.Append 11:4 dynamic
  . imports tsdb 3:8
  Save calls tsdb#NewHead 12:7
  missing Closed 13:2 type unknown
  interface Appender { Append/1 }
`

func text(t testing.TB, s *graph.Snapshot) string {
	t.Helper()
	for _, p := range s.Check() {
		t.Errorf("check: %v", p)
	}
	var b bytes.Buffer
	if err := s.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func open(t testing.TB, base *graph.Snapshot, drop map[string]bool, facts []*graph.Facts) *graph.Snapshot {
	t.Helper()
	pages, err := graph.Build(base, drop, facts)
	if err != nil {
		t.Fatal(err)
	}
	s, err := graph.Open(pages)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func node(t testing.TB, s *graph.Snapshot, qual string) *graph.Node {
	t.Helper()
	for id := range graph.NodeID(s.NumNodes()) {
		if n := s.Node(id); n != nil && n.Qual == qual {
			return n
		}
	}
	t.Fatalf("no node %s", qual)
	return nil
}

func TestSnapshotAnswers(t *testing.T) {
	s := graphtest.Snapshot(t, sample)
	head := node(t, s, "Head.Append")
	var got []string
	for _, e := range s.In(head.ID) {
		got = append(got, fmt.Sprintf("%s %s %s:%d:%d", s.Node(e.From).Qual, e.Kind, s.File(e.File).Path, e.Line, e.Col))
	}
	want := []string{"TestHead calls tsdb/head_test.go:7:4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("uses of Head.Append:", diff)
	}
	var sat []string
	for _, e := range s.Out(head.ID) {
		if e.Kind == graph.EdgeImplements {
			sat = append(sat, s.Node(e.To).Qual)
		}
	}
	if !slices.Equal(sat, []string{"Appender.Append"}) {
		t.Errorf("Head.Append implements %v", sat)
	}
	if n := s.Node(head.Parent); n.Qual != "Head" || len(s.Children(n.ID)) != 2 {
		t.Errorf("parent %v with %d members", n.Qual, len(s.Children(n.ID)))
	}
	f, _ := s.FileByPath("tsdb/head_test.go")
	if hit := s.At(f.ID, graph.Pos{Line: 6, Col: 9}); len(hit.Uses) != 1 || s.Node(hit.Uses[0].To).Qual != "NewHead" {
		t.Errorf("at 6:9: %+v", hit)
	}
	if us := s.Missing("Closed"); len(us) != 1 || us[0].Line != 13 {
		t.Errorf("missing Closed: %+v", us)
	}
	if ids := s.Named("Println"); len(ids) != 1 || !s.Node(ids[0]).External {
		t.Errorf("Println: %v", ids)
	}
	var names []string
	s.Names("Head", func(name string, _ []graph.NodeID) bool { names = append(names, name); return true })
	if !slices.Equal(names, []string{"Head"}) {
		t.Errorf("names with Head: %v", names)
	}
	st := s.Stats()
	if st.Files["go"] != 3 || st.Nodes[graph.KindMethod] != 2 || st.Edges[graph.EdgeImplements] != 2 || st.Externals != 1 || st.Unresolved["type unknown"] != 1 {
		t.Errorf("stats: %+v", st)
	}
}

// randomFacts makes units that declare, use, merge and satisfy at random; version changes
// some of a unit's contents.
func randomFacts(r *rand.Rand, unit int) *graph.Facts {
	module := fmt.Sprintf("m%d", unit)
	f := &graph.Facts{Unit: "go:" + module, Lang: "go"}
	sym := func(y graph.Symbol) int {
		if i := slices.Index(f.Symbols, y); i >= 0 {
			return i
		}
		f.Symbols = append(f.Symbols, y)
		return len(f.Symbols) - 1
	}
	local := func(q string, k graph.Kind) int {
		return sym(graph.Symbol{Lang: "go", Kind: k, Module: module, Qual: q})
	}
	at := func(n int) graph.Span {
		return graph.Span{Pos: graph.Pos{Line: uint32(n), Col: 1}, EndLine: uint32(n), Off: uint32(n * 10), End: uint32(n*10 + 9)}
	}
	for i := range 1 + r.Intn(3) {
		path := fmt.Sprintf("%s/f%d.go", module, i)
		f.Files = append(f.Files, graph.FactFile{Path: path, Lines: 1000, Size: 20000, Hash: r.Uint64(), Test: i == 2})
		f.Decls = append(f.Decls, graph.FactDecl{Sym: sym(graph.Symbol{Lang: "go", Kind: graph.KindFile, Module: path}), Parent: -1, File: i,
			Name: graph.Pos{Line: 1, Col: 1}, Full: graph.Span{Pos: graph.Pos{Line: 1, Col: 1}, EndLine: 1000, End: 20000}})
	}
	pkg := sym(graph.Symbol{Lang: "go", Kind: graph.KindPackage, Module: module})
	f.Decls = append(f.Decls, graph.FactDecl{Sym: pkg, Parent: -1, Name: graph.Pos{Line: 1, Col: 9}, Full: at(1)})
	line := 2
	for i := range 2 + r.Intn(6) {
		if r.Intn(5) == 0 {
			continue
		}
		file := r.Intn(len(f.Files))
		for range 1 + r.Intn(8)/7 { // now and then declared twice
			line++
			f.Decls = append(f.Decls, graph.FactDecl{Sym: local(fmt.Sprintf("F%d", i), graph.KindFunction), Parent: pkg, File: file,
				Name: graph.Pos{Line: uint32(line), Col: 6}, Full: at(line), Sig: fmt.Sprint("func F", i)})
			if r.Intn(3) == 0 {
				r.Read(f.Decls[len(f.Decls)-1].UUID[:])
			}
			file = r.Intn(len(f.Files))
		}
	}
	line++
	typ, m := local("T", graph.KindStruct), local("T.M", graph.KindMethod)
	f.Decls = append(f.Decls, graph.FactDecl{Sym: typ, Parent: pkg, Name: graph.Pos{Line: uint32(line), Col: 6}, Full: at(line)})
	f.Decls = append(f.Decls, graph.FactDecl{Sym: m, Parent: typ, Name: graph.Pos{Line: uint32(line + 1), Col: 6}, Full: at(line + 1)})
	f.Types = append(f.Types, graph.MethodSet{Sym: typ, Interface: r.Intn(3) == 0, Methods: []graph.MethodSig{{ID: "M", Finger: uint64(r.Intn(3)), Sym: m}}})
	if r.Intn(2) == 0 {
		x := sym(graph.Symbol{Lang: "go", Kind: graph.KindInterface, Module: "io", Qual: "Mer", External: true})
		xm := sym(graph.Symbol{Lang: "go", Kind: graph.KindMethod, Module: "io", Qual: "Mer.M", External: true})
		f.Types = append(f.Types, graph.MethodSet{Sym: x, Interface: true, Methods: []graph.MethodSig{{ID: "M", Finger: 2, Sym: xm}}})
	}
	for i := range r.Intn(30) {
		to := graph.Symbol{Lang: "go", Kind: graph.KindFunction, Module: fmt.Sprintf("m%d", r.Intn(6)), Qual: fmt.Sprintf("F%d", r.Intn(8))}
		if r.Intn(4) == 0 {
			to = graph.Symbol{Lang: "go", Kind: graph.KindFunction, Module: "fmt", Qual: fmt.Sprintf("P%d", r.Intn(5)), External: true}
		}
		f.Edges = append(f.Edges, graph.FactEdge{Kind: graph.EdgeKind(1 + r.Intn(6)), From: typ, To: sym(to), File: r.Intn(len(f.Files)),
			Pos: graph.Pos{Line: uint32(1 + r.Intn(300)), Col: uint32(i + 1)}, Len: uint16(r.Intn(4))})
	}
	if r.Intn(2) == 0 {
		f.Missing = append(f.Missing, graph.FactMiss{Pos: graph.Pos{Line: 7, Col: 1}, Name: fmt.Sprint("X", r.Intn(3)), Reason: "type unknown"})
	}
	if r.Intn(3) == 0 {
		f.Notes = append(f.Notes, graph.Note{File: 0, Text: "odd"})
	}
	return f
}

// declaredOnly drops the uses of what no unit declares: a front end would extract their
// units again when that changes, and the laws below re-extract only the changed ones.
func declaredOnly(all map[string]*graph.Facts) map[string]*graph.Facts {
	declared := map[graph.Symbol]bool{}
	for _, f := range all {
		for _, d := range f.Decls {
			declared[f.Symbols[d.Sym]] = true
		}
	}
	out := map[string]*graph.Facts{}
	for u, f := range all {
		g := *f
		g.Edges = slices.DeleteFunc(slices.Clone(f.Edges), func(e graph.FactEdge) bool {
			y := f.Symbols[e.To]
			return !y.External && !declared[y]
		})
		out[u] = &g
	}
	return out
}

func list(all map[string]*graph.Facts) []*graph.Facts {
	var fs []*graph.Facts
	for _, u := range slices.Sorted(maps.Keys(all)) {
		fs = append(fs, all[u])
	}
	return fs
}

// TestIncrementalIsCold changes, adds and removes units at random; laying the change over a
// snapshot, joining it into new pages and building all from nothing must give one graph.
func TestIncrementalIsCold(t *testing.T) {
	for seed := range int64(150) {
		r := rand.New(rand.NewSource(seed))
		before, after := map[string]*graph.Facts{}, map[string]*graph.Facts{}
		for i := range 6 {
			f := randomFacts(r, i)
			if r.Intn(6) > 0 {
				before[f.Unit] = f
			}
			switch r.Intn(6) {
			case 0: // gone, or never there
			case 1, 2:
				g := randomFacts(r, i)
				after[g.Unit] = g
			default:
				if before[f.Unit] != nil || r.Intn(2) == 0 {
					after[f.Unit] = f
				}
			}
		}
		before, after = declaredOnly(before), declaredOnly(after)
		drop := map[string]bool{}
		var changed []*graph.Facts
		for u, f := range before {
			if !reflect.DeepEqual(after[u], f) {
				drop[u] = true
			}
		}
		for _, f := range list(after) {
			if before[f.Unit] == nil || drop[f.Unit] {
				changed = append(changed, f)
			}
		}
		base := open(t, nil, nil, list(before))
		cold := open(t, nil, nil, list(after))
		want := text(t, cold)
		over, err := base.With(drop, changed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, text(t, over)); diff != "" {
			t.Fatalf("seed %d: laid over (-cold +incremental):\n%s", seed, diff)
		}
		if got, want := over.Stats(), cold.Stats(); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: stats laid over %+v, cold %+v", seed, got, want)
		}
		again := open(t, base, drop, changed)
		if diff := cmp.Diff(want, text(t, again)); diff != "" {
			t.Fatalf("seed %d: joined (-cold +incremental):\n%s", seed, diff)
		}
		reversed := list(after)
		slices.Reverse(reversed)
		p1, _ := graph.Build(nil, nil, list(after))
		p2, _ := graph.Build(nil, nil, reversed)
		p3, _ := graph.Build(base, drop, changed)
		for key := range p1 {
			if !bytes.Equal(p1[key], p2[key]) {
				t.Fatalf("seed %d: page %s depends on the order of facts", seed, key)
			}
			if !bytes.Equal(p1[key], p3[key]) {
				t.Fatalf("seed %d: page %s differs between cold and incremental", seed, key)
			}
		}
	}
}

func TestFactsRoundTrip(t *testing.T) {
	facts, err := graphtest.Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range int64(20) {
		facts = append(facts, randomFacts(rand.New(rand.NewSource(seed)), int(seed)))
	}
	got, err := graph.DecodeFacts(graph.EncodeFacts(facts))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(facts, got); diff != "" {
		t.Error(diff)
	}
}

func TestSymbolName(t *testing.T) {
	for qual, want := range map[string]string{
		"Head.Append": "Append", "Head": "Head", "init@main.go": "init", "init@main.go:2": "init",
		"run.step@2": "step", "run.step@2.inner": "inner", `routes."a.b"`: "a.b", `"virtual:mod"`: "virtual:mod", "C.#x": "#x", "C.[Symbol.iterator]": "[Symbol.iterator]", "escapes.]": "]",
	} {
		if got := (graph.Symbol{Qual: qual}).Name(); got != want {
			t.Errorf("name of %s: got %s, want %s", qual, got, want)
		}
	}
	if got := (graph.Symbol{Module: "example.com/a/tsdb"}).Name(); got != "tsdb" {
		t.Errorf("name of a package: %s", got)
	}
}

// TestDamagedPages flips bytes and truncates pages: the snapshot must answer or report an
// error, and never crash or hang.
func TestDamagedPages(t *testing.T) {
	facts, err := graphtest.Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	pages, err := graph.Build(nil, nil, facts)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	for key, page := range pages {
		for range 300 {
			bad := maps.Clone(pages)
			b := slices.Clone(page)
			if len(b) == 0 || r.Intn(3) == 0 {
				b = b[:r.Intn(len(b)+1)]
			} else {
				b[r.Intn(len(b))] ^= byte(1 << r.Intn(8))
			}
			bad[key] = b
			s, err := graph.Open(bad)
			if err != nil {
				continue
			}
			s.Check()
		}
		bad := maps.Clone(pages)
		delete(bad, key)
		if s, err := graph.Open(bad); err == nil && len(s.Check()) == 0 && key != "tx" {
			t.Errorf("a store without page %s passes the check", key)
		}
	}
}

func FuzzDecodeFacts(f *testing.F) {
	facts, err := graphtest.Parse(sample)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(graph.EncodeFacts(facts))
	f.Fuzz(func(t *testing.T, b []byte) {
		fs, err := graph.DecodeFacts(b)
		if err != nil {
			return
		}
		again, err := graph.DecodeFacts(graph.EncodeFacts(fs))
		if err != nil || !reflect.DeepEqual(fs, again) {
			t.Fatalf("what was read is not read again: %v", err)
		}
		if _, err := graph.Build(nil, nil, fs); err != nil {
			return
		}
	})
}
