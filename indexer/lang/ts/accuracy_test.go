package ts

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/microsoft/typescript-go/sett"
	"github.com/microsoft/typescript-go/sett/oracle"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// site is a place in a project, as file:line:col.
type site struct {
	file string
	graph.Pos
}

func (s site) String() string { return fmt.Sprintf("%s:%d:%d", s.file, s.Line, s.Col) }

// answers holds the facts of a project by symbol.
type answers struct {
	uses  map[graph.Symbol]map[site]bool
	decls map[graph.Symbol][]site
	up    map[graph.Symbol][]graph.Symbol // overrides and implements, member to base member
	down  map[graph.Symbol][]graph.Symbol
	at    map[site][]graph.Symbol // what the name at a place refers to
}

func answersOf(all map[string]*graph.Facts) *answers {
	a := &answers{map[graph.Symbol]map[site]bool{}, map[graph.Symbol][]site{}, map[graph.Symbol][]graph.Symbol{}, map[graph.Symbol][]graph.Symbol{}, map[site][]graph.Symbol{}}
	for _, f := range all {
		path := f.Files[0].Path
		for _, d := range f.Decls {
			s := f.Symbols[d.Sym]
			a.decls[s] = append(a.decls[s], site{path, d.Name})
		}
		for _, e := range f.Edges {
			from, to := f.Symbols[e.From], f.Symbols[e.To]
			if e.Kind == graph.EdgeImports && (to.Kind == graph.KindFile || to.Kind == graph.KindModule && (to.Qual == "" || to.Qual[0] == '"')) {
				continue
			}
			if (e.Kind == graph.EdgeOverrides || e.Kind == graph.EdgeImplements) && (from.Kind == graph.KindMethod || from.Kind == graph.KindField) {
				a.up[from] = append(a.up[from], to)
				a.down[to] = append(a.down[to], from)
				continue
			}
			if a.uses[to] == nil {
				a.uses[to] = map[site]bool{}
			}
			p := site{path, e.Pos}
			a.uses[to][p] = true
			a.at[p] = append(a.at[p], to)
		}
	}
	return a
}

// references answers as the language service does: with the members that s overrides or
// is overridden by, and with what the declared name also refers to.
func (a *answers) references(s graph.Symbol, at site) map[site]bool {
	search := map[graph.Symbol]bool{}
	var add func(graph.Symbol)
	add = func(s graph.Symbol) {
		if !search[s] {
			search[s] = true
			for _, b := range a.up[s] {
				add(b)
			}
		}
	}
	add(s)
	for _, t := range a.at[at] {
		add(t)
	}
	found := map[graph.Symbol]bool{}
	var take func(graph.Symbol)
	take = func(s graph.Symbol) {
		if !found[s] {
			found[s] = true
			for _, d := range a.down[s] {
				take(d)
			}
		}
	}
	for s := range search {
		take(s)
	}
	sites := map[site]bool{}
	for t := range found {
		for p := range a.uses[t] {
			sites[p] = true
		}
		for _, p := range a.decls[t] {
			sites[p] = true
		}
	}
	for _, p := range a.decls[s] {
		delete(sites, p)
	}
	return sites
}

// explained lists where the language service and we differ for a reason. A line counts
// neither for nor against us if it begins so.
var explained = []struct{ prefix, reason string }{
	{"commonjs: extra ", "the service does not follow what module.exports and require pass on"},
	{"sample: extra variable routes (declared packages/server/src/main.ts:6:14) at scripts/count.js", "the same: a use of what require gave"},
	{"jsx: missing function memo ", "for the service, importing `export default memo(x)` uses memo itself"},
	{"namespaces: extra module Outer.Deep ", "the service does not follow `import A = B.C`"},
}

func reasonFor(line string) string {
	for _, e := range explained {
		if strings.HasPrefix(line, e.prefix) {
			return e.reason
		}
	}
	return ""
}

// measure counts agreement with the language service.
type measure struct {
	decls, both, missing, extra int
	lines                       []string
}

func (m *measure) recall() float64    { return ratio(m.both, m.both+m.missing) }
func (m *measure) precision() float64 { return ratio(m.both, m.both+m.extra) }

func ratio(n, d int) float64 {
	if d == 0 {
		return 1
	}
	return float64(n) / float64(d)
}

// compare asks about every nth declaration of the files below only. The name is what
// lines begin with.
func compare(t *testing.T, name string, in *lang.Input, only string, every int) *measure {
	t.Helper()
	a := answersOf(extractAll(t, in, in.Units))
	p := newProject(in)
	defer p.close()
	var roots []string
	for _, f := range in.Files {
		roots = append(roots, vroot+"/"+f.Path)
	}
	prog := p.program(roots, 2)
	c, _ := tsgo.NewChecker(prog, nil)
	ts := &tables{m: map[*tsgo.SourceFile]*lazyTable{}}
	r := &resolver{c: c, tables: ts, targets: map[*tsgo.Symbol][]target{}}
	service := oracle.New(prog)
	m := &measure{}
	lines := map[string]*builder{}
	posOf := func(file string, off int) (site, bool) {
		path, ok := rel(file)
		if !ok || inNodeModules(file) {
			return site{}, false
		}
		b := lines[path]
		if b == nil {
			b = newBuilder("", prog.GetSourceFile(file).Text(), graph.FactFile{})
			lines[path] = b
		}
		return site{path, b.pos(off)}, true
	}
	n := 0
	done := map[graph.Symbol]bool{}
	for _, f := range in.Files {
		if !strings.HasPrefix(f.Path, only) {
			continue
		}
		sf := prog.GetSourceFile(vroot + "/" + f.Path)
		if sf == nil {
			continue
		}
		w := &walker{c: c, r: r, prog: prog, table: ts.of(sf), sf: sf}
		w.symbols = make([]identity, len(w.table.entries))
		for i := range w.table.entries {
			e := &w.table.entries[i]
			sym, _ := w.canonical(i)
			if e.name == nil || e.name.Kind == tsgo.KindComputedPropertyName || e.kind == graph.KindModule && e.name.Kind == tsgo.KindStringLiteral || done[sym] {
				continue
			}
			done[sym] = true
			if n++; n%every != 0 {
				continue
			}
			start, _ := nameRange(sf, e.name)
			at, _ := posOf(sf.FileName(), start)
			refs := service.References(sf.FileName(), start)
			if refs == nil {
				continue
			}
			m.decls++
			want := map[site]bool{}
			for _, ref := range refs {
				if s, ok := posOf(ref.File, ref.Start); ok {
					want[s] = true
				}
			}
			for _, s := range a.decls[sym] {
				delete(want, s)
			}
			got := a.references(sym, at)
			differ := func(how string, count *int, s site) {
				line := fmt.Sprintf("%s: %s %s %s (declared %v) at %v", name, how, sym.Kind, sym.Qual, at, s)
				if why := reasonFor(line); why != "" {
					line += ", explained: " + why
				} else {
					*count++
				}
				m.lines = append(m.lines, line)
			}
			for s := range want {
				if got[s] {
					m.both++
				} else {
					differ("missing", &m.missing, s)
				}
			}
			for s := range got {
				if !want[s] {
					differ("extra", &m.extra, s)
				}
			}
		}
	}
	slices.Sort(m.lines)
	return m
}

const sampleDir = "../../../testdata/repos/ts-sample"

// TestAccuracySample compares every declaration of the sample project.
func TestAccuracySample(t *testing.T) {
	files := readTree(t, sampleDir)
	if len(files) < 20 {
		t.Fatalf("%d files in the sample, want at least 20", len(files))
	}
	m := compare(t, "sample", inputOf(t, sampleDir, files, 2), "", 1)
	t.Logf("%d declarations: recall %.4f precision %.4f (%d agree, %d missing, %d extra)", m.decls, m.recall(), m.precision(), m.both, m.missing, m.extra)
	if m.decls < 100 || m.recall() < 0.995 || m.precision() < 0.995 {
		t.Error("want at least 100 declarations, recall and precision of at least 0.995")
	}
	for _, l := range m.lines {
		t.Log(l)
	}
}

// TestAccuracyRepository compares the repository that SETT_TS_REPO names, files below
// SETT_TS_ONLY, every SETT_TS_EVERY-th declaration.
func TestAccuracyRepository(t *testing.T) {
	dir := os.Getenv("SETT_TS_REPO")
	if dir == "" {
		t.Skip("SETT_TS_REPO is not set")
	}
	every, _ := strconv.Atoi(os.Getenv("SETT_TS_EVERY"))
	in := inputOf(t, dir, readTree(t, dir), 2)
	m := compare(t, "repo", in, os.Getenv("SETT_TS_ONLY"), max(every, 1))
	t.Logf("%d declarations: recall %.4f precision %.4f (%d agree, %d missing, %d extra)", m.decls, m.recall(), m.precision(), m.both, m.missing, m.extra)
	for _, l := range m.lines[:min(len(m.lines), 20000)] {
		t.Log(l)
	}
	if m.decls == 0 || m.recall() < 0.985 || m.precision() < 0.985 {
		t.Error("too few agree")
	}
}
