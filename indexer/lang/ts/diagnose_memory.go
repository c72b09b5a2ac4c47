package ts

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/query/report"
	"github.com/zeebo/xxh3"
)

// memory is what was found in the files of one configuration. The findings of a file hold
// as long as its key does, which hashes all that its types can depend on: the options, its
// contents, the shapes of all files that it reaches by imports, and those of all that
// declare globals. An edit in the body of a function whose result type is written down so
// leaves the findings of all other files as they are.
type memory struct {
	entries map[string]*recalled        // by absolute path
	keys    map[*tsgo.SourceFile]uint64 // of the files of the current program
	fs      *checkFS                    // of the current check
}

// recalled is what was found in one file.
type recalled struct {
	key      uint64
	findings []report.Diagnostic
	related  map[string]stamp // contents of the other files that findings have places in
}

// known returns the findings of a file if they still hold.
func (m *memory) known(f *tsgo.SourceFile) ([]report.Diagnostic, bool) {
	e := m.entries[f.FileName()]
	if e == nil || e.key != m.keys[f] {
		return nil, false
	}
	for name, want := range e.related {
		if s, _, ok := m.fs.stamp(name); !ok || s != want {
			return nil, false
		}
	}
	return e.findings, true
}

// keep remembers what was found in a file, from the diagnostics that the findings were made of.
func (m *memory) keep(f *tsgo.SourceFile, findings []report.Diagnostic, ds []*tsgo.Diagnostic) {
	e := &recalled{key: m.keys[f], findings: findings, related: map[string]stamp{}}
	for _, d := range ds {
		for _, o := range d.RelatedInformation() {
			if file := o.File(); file != nil && file != f {
				s, _, _ := m.fs.stamp(file.FileName())
				e.related[file.FileName()] = s
			}
		}
	}
	m.entries[f.FileName()] = e
}

// recall returns the memory of a configuration, ready for its new program.
func (r *checkRun) recall(k *checkConfig, prog *tsgo.Program) *memory {
	m := r.c.memory[k.name]
	if m == nil {
		m = &memory{entries: map[string]*recalled{}}
		r.c.memory[k.name] = m
	}
	for name := range m.entries {
		if prog.GetSourceFile(name) == nil {
			delete(m.entries, name)
		}
	}
	m.fs = r.fs
	g := &reach{r: r, prog: prog, files: prog.SourceFiles(), at: map[*tsgo.SourceFile]int{}}
	m.keys = g.keys(r.surroundings(k))
	return m
}

// surroundings hashes what all files of a configuration depend on besides each other.
func (r *checkRun) surroundings(k *checkConfig) uint64 {
	h := xxh3.New()
	fmt.Fprintf(h, "%d %q\n", k.major, k.extra)
	for _, f := range r.in.Configs {
		fmt.Fprintf(h, "%s %x\n", f.Path, f.Hash)
	}
	for _, e := range k.parsed.ExtendedSourceFiles() {
		s, _, _ := r.fs.stamp(e)
		fmt.Fprintf(h, "%s %x\n", e, s)
	}
	return h.Sum64()
}

// reach computes the keys of the files of a program.
type reach struct {
	r     *checkRun
	prog  *tsgo.Program
	files []*tsgo.SourceFile
	at    map[*tsgo.SourceFile]int
	next  [][]int  // per file: those it imports or names
	seen  []uint64 // per file: what others see of it
}

// keys hashes for each file what it reaches. Files that import each other in a circle reach
// the same, so circles are found first, in the order in which what they reach is done.
func (g *reach) keys(around uint64) map[*tsgo.SourceFile]uint64 {
	n := len(g.files)
	for i, f := range g.files {
		g.at[f] = i
	}
	g.next, g.seen = make([][]int, n), make([]uint64, n)
	world := xxh3.New()
	put(world, around)
	own := make([]uint64, n)
	var globals []int
	for i, f := range g.files {
		edges := g.edges(i, f)
		s, shape := g.contents(f)
		own[i] = sum(s.a, s.b, edges)
		g.seen[i] = sum(shape, edges)
		if !tsgo.IsExternalModule(f) || len(f.AmbientModuleNames) > 0 || len(f.ModuleAugmentations) > 0 {
			globals = append(globals, i)
		}
	}
	reached := g.circles()
	for _, i := range globals {
		put(world, reached[i])
	}
	all := world.Sum64()
	keys := make(map[*tsgo.SourceFile]uint64, n)
	for i, f := range g.files {
		keys[f] = sum(own[i], reached[i], all)
	}
	return keys
}

// contents returns the stamp of a file, and what others see of it: of JavaScript all, since
// its comments are types.
func (g *reach) contents(f *tsgo.SourceFile) (s stamp, shape uint64) {
	s, _, _ = g.r.fs.stamp(f.FileName())
	shape = sum(s.a, s.b)
	if file, known := g.r.fs.files[f.FileName()]; known && file.Summary.Shape != 0 && !tsgo.IsSourceFileJS(f) {
		shape = file.Summary.Shape
	}
	return s, shape
}

// edges notes which files a file leads to, and hashes how its specifiers resolve.
func (g *reach) edges(i int, f *tsgo.SourceFile) uint64 {
	type edge struct{ spec, to string }
	var list []edge
	for key, m := range g.prog.GetResolvedModules()[f.Path()] {
		e := edge{spec: fmt.Sprint(key.Mode, " ", key.Name)}
		if m.IsResolved() {
			e.to = m.ResolvedFileName
		}
		list = append(list, e)
	}
	for key, t := range g.prog.GetResolvedTypeReferenceDirectives()[f.Path()] {
		e := edge{spec: fmt.Sprint("types ", key.Mode, " ", key.Name)}
		if t.IsResolved() {
			e.to = t.ResolvedFileName
		}
		list = append(list, e)
	}
	for _, ref := range f.ReferencedFiles {
		e := edge{spec: "file " + ref.FileName}
		if to := g.prog.GetSourceFileFromReference(f, ref); to != nil {
			e.to = to.FileName()
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b edge) int { return cmp.Or(cmp.Compare(a.spec, b.spec), cmp.Compare(a.to, b.to)) })
	h := xxh3.New()
	meta := g.prog.GetSourceFileMetaData(f.Path())
	fmt.Fprintf(h, "%s %s %d\n", f.FileName(), meta.PackageJsonType, meta.ImpliedNodeFormat)
	for _, e := range list {
		fmt.Fprintf(h, "%s\x00%s\n", e.spec, e.to)
		if e.to == "" {
			continue
		}
		if to := g.prog.GetSourceFileForResolvedModule(e.to); to != nil {
			if j := g.at[to]; j != i {
				g.next[i] = append(g.next[i], j)
			}
		}
	}
	slices.Sort(g.next[i])
	g.next[i] = slices.Compact(g.next[i])
	return h.Sum64()
}

// circles hashes what each file reaches, itself included. It finds strongly connected
// components by Tarjan's algorithm, with a stack of its own.
func (g *reach) circles() []uint64 {
	n := len(g.files)
	reached, index, low := make([]uint64, n), make([]int, n), make([]int, n)
	on := make([]bool, n)
	var stack, path []int
	at := make([]int, n) // next edge to follow
	count := 0
	for root := range n {
		if index[root] != 0 {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			i := path[len(path)-1]
			if index[i] == 0 {
				count++
				index[i], low[i], on[i] = count, count, true
				stack = append(stack, i)
			}
			if at[i] < len(g.next[i]) {
				j := g.next[i][at[i]]
				at[i]++
				if index[j] == 0 {
					path = append(path, j)
				} else if on[j] {
					low[i] = min(low[i], index[j])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1]
				low[up] = min(low[up], low[i])
			}
			if low[i] != index[i] {
				continue
			}
			k := slices.Index(stack, i)
			circle := stack[k:]
			stack = stack[:k]
			g.close(circle, on, reached)
		}
	}
	return reached
}

// close hashes what a circle reaches: its files, and what the files that these lead to reach.
func (g *reach) close(circle []int, on []bool, reached []uint64) {
	slices.Sort(circle)
	for _, i := range circle {
		on[i] = false
	}
	h := xxh3.New()
	var out []int
	for _, i := range circle {
		put(h, g.seen[i])
		for _, j := range g.next[i] {
			if _, in := slices.BinarySearch(circle, j); !in {
				out = append(out, j)
			}
		}
	}
	slices.Sort(out)
	for _, j := range slices.Compact(out) {
		put(h, reached[j])
	}
	all := h.Sum64()
	for _, i := range circle {
		reached[i] = all
	}
}

func put(h *xxh3.Hasher, v uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	h.Write(b[:])
}

func sum(vs ...uint64) uint64 {
	h := xxh3.New()
	for _, v := range vs {
		put(h, v)
	}
	return h.Sum64()
}
