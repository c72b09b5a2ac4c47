package graph

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"sync"
	"unicode/utf8"
)

// Build joins facts into the pages of a new generation: those of facts, and those that
// base, which may be nil, holds of units not in drop. Each unit of facts that base knows
// must be in drop. The pages depend only on the facts of the units that remain, in
// whatever order and through whatever base they come.
func Build(base *Snapshot, drop map[string]bool, facts []*Facts) (Pages, error) {
	b := &builder{index: make(map[Symbol]int32)}
	if base != nil && base.over != nil {
		return nil, fmt.Errorf("graph.Build: the base must be a stored snapshot")
	}
	if err := b.addFiles(base, drop, facts); err != nil {
		return nil, err
	}
	if base != nil {
		b.addBase(base)
		if err := base.Err(); err != nil {
			return nil, err
		}
	}
	for i, f := range facts {
		if err := b.addFacts(f, b.factFiles[i]); err != nil {
			return nil, err
		}
	}
	b.addTypes(base, drop, facts)
	b.implement()
	b.number()
	return b.encode(), nil
}

type builder struct {
	units     []string
	files     []File
	baseFiles []FileID   // of each base file: its new id, NoFile when dropped
	factFiles [][]FileID // of each Facts, of each of its files

	index   map[Symbol]int32
	nodes   []builtNode
	edges   []Edge // From and To index nodes until number
	missing []Unresolved
	types   typeSets
	derived []derivedEdge // From and To index nodes until number
	ids     []NodeID      // of each of nodes
	order   []int32       // of each id: the index in nodes
	externs int           // how many of order are declared in the project
}

type builtNode struct {
	sym   Symbol
	decls []builtDecl
	used  bool // somebody uses it
}

type builtDecl struct {
	Decl
	parent int32
}

func (b *builder) node(sym Symbol) int32 {
	if i, ok := b.index[sym]; ok {
		return i
	}
	i := int32(len(b.nodes))
	b.index[sym] = i
	b.nodes = append(b.nodes, builtNode{sym: sym})
	return i
}

// addFiles numbers the files that remain, in the order of paths.
func (b *builder) addFiles(base *Snapshot, drop map[string]bool, facts []*Facts) error {
	type ref struct{ facts, file int } // facts -1: of base
	var refs []ref
	path := func(r ref) string {
		if r.facts < 0 {
			return base.files[r.file].Path
		}
		return facts[r.facts].Files[r.file].Path
	}
	units := map[string]bool{}
	if base != nil {
		b.baseFiles = make([]FileID, len(base.files))
		for i, f := range base.files {
			b.baseFiles[i] = NoFile
			if !drop[f.Unit] {
				refs = append(refs, ref{-1, i})
			}
		}
		for _, u := range base.units {
			if !drop[u] {
				units[u] = true
			}
		}
	}
	b.factFiles = make([][]FileID, len(facts))
	for i, f := range facts {
		if units[f.Unit] {
			return fmt.Errorf("unit %s is given twice", f.Unit)
		}
		units[f.Unit] = true
		b.factFiles[i] = make([]FileID, len(f.Files))
		for j := range f.Files {
			refs = append(refs, ref{i, j})
		}
	}
	b.units = sortedKeys(units)
	sort.Slice(refs, func(i, j int) bool { return path(refs[i]) < path(refs[j]) })
	b.files = make([]File, len(refs))
	for i, r := range refs {
		id := FileID(i)
		if r.facts < 0 {
			b.files[i] = base.files[r.file]
			b.baseFiles[r.file] = id
		} else {
			f := facts[r.facts]
			b.files[i] = fileOf(f, r.file)
			b.factFiles[r.facts][r.file] = id
		}
		b.files[i].ID = id
		if i > 0 && b.files[i-1].Path == b.files[i].Path {
			return fmt.Errorf("file %s belongs to two units, %s and %s", b.files[i].Path, b.files[i-1].Unit, b.files[i].Unit)
		}
	}
	return nil
}

func fileOf(f *Facts, i int) File {
	x := f.Files[i]
	return File{Path: x.Path, Lang: f.Lang, Unit: f.Unit, Lines: x.Lines, Size: x.Size, Hash: x.Hash,
		Test: x.Test, Generated: x.Generated, Broken: x.Broken, Node: NoNode}
}

// addBase takes over what base has in files that remain.
func (b *builder) addBase(base *Snapshot) {
	at := make([]int32, base.meta.nodes)
	for id := range NodeID(base.meta.nodes) {
		at[id] = b.node(base.baseNode(id).Symbol)
	}
	for id := range NodeID(base.meta.nodes) {
		n := base.baseNode(id)
		parent := int32(-1)
		if n.Parent != NoNode {
			parent = at[n.Parent]
		}
		for _, d := range n.Decls {
			if d.File = b.baseFiles[d.File]; d.File != NoFile {
				b.nodes[at[id]].decls = append(b.nodes[at[id]].decls, builtDecl{d, parent})
			}
		}
		es, _ := base.baseEdges(id, true)
		for _, e := range es {
			if e.File = b.baseFiles[e.File]; e.File != NoFile {
				e.From, e.To = NodeID(at[e.From]), NodeID(at[e.To])
				b.edges = append(b.edges, e)
			}
		}
	}
	base.MissingNames(func(_ string, us []Unresolved) bool {
		for _, u := range us {
			if u.File = b.baseFiles[u.File]; u.File != NoFile {
				b.missing = append(b.missing, u)
			}
		}
		return true
	})
}

func (b *builder) addFacts(f *Facts, files []FileID) error {
	if err := f.validate(); err != nil {
		return err
	}
	at := make([]int32, len(f.Symbols))
	for i, y := range f.Symbols {
		at[i] = b.node(y)
	}
	for _, d := range f.Decls {
		parent := int32(-1)
		if d.Parent >= 0 {
			parent = at[d.Parent]
		}
		n := &b.nodes[at[d.Sym]]
		n.decls = append(n.decls, builtDecl{d.decl(files), parent})
	}
	for _, e := range f.Edges {
		x := Edge{Kind: e.Kind, Flags: e.Flags, From: NodeID(at[e.From]), To: NodeID(at[e.To]),
			File: files[e.File], Pos: e.Pos, Len: e.Len}
		if int(x.Len) == utf8.RuneCountInString(b.nodes[x.To].sym.Name()) {
			x.Len = 0
		}
		b.edges = append(b.edges, x)
	}
	for _, m := range f.Missing {
		b.missing = append(b.missing, Unresolved{File: files[m.File], Pos: m.Pos, Name: m.Name, Reason: m.Reason})
	}
	return nil
}

func (d *FactDecl) decl(files []FileID) Decl {
	return Decl{File: files[d.File], Name: d.Name, Full: d.Full, Flags: d.Flags, Sig: d.Sig, Doc: d.Doc, UUID: d.UUID}
}

// undeclared is the reason of a use whose target, said to be in the project, is not.
const undeclared = "declaration not found"

// number gives the nodes their ids and turns indices into them: declared ones in the
// order of file and position, then the externals that are used, by symbol.
func (b *builder) number() {
	kept := b.edges[:0]
	for _, e := range b.edges {
		to := &b.nodes[e.To]
		if len(to.decls) == 0 && !to.sym.External {
			b.missing = append(b.missing, Unresolved{File: e.File, Pos: e.Pos, Name: to.sym.Name(), Reason: undeclared})
			continue
		}
		if len(b.nodes[e.From].decls) == 0 {
			continue // nothing can be said from a declaration that is gone
		}
		to.used = true
		kept = append(kept, e)
	}
	b.edges = kept
	slices.SortFunc(b.missing, compareMissing)
	b.missing = slices.Compact(b.missing)
	for _, d := range b.derived {
		b.nodes[d.to].used = true
	}
	var declared, externs []int32
	for i := range b.nodes {
		n := &b.nodes[i]
		n.decls = sortDecls(n.decls)
		switch {
		case len(n.decls) > 0:
			declared = append(declared, int32(i))
		case n.sym.External && n.used:
			externs = append(externs, int32(i))
		}
	}
	slices.SortFunc(declared, func(i, j int32) int { return compareDeclared(&b.nodes[i], &b.nodes[j]) })
	slices.SortFunc(externs, func(i, j int32) int { return compareSymbols(b.nodes[i].sym, b.nodes[j].sym) })
	b.externs = len(declared)
	b.order = append(declared, externs...)
	b.ids = make([]NodeID, len(b.nodes))
	for i := range b.ids {
		b.ids[i] = NoNode
	}
	for id, i := range b.order {
		b.ids[i] = NodeID(id)
	}
	for i := range b.edges {
		e := &b.edges[i]
		e.From, e.To = b.ids[e.From], b.ids[e.To]
	}
}

// sortDecls orders declarations: those outside tests first, then by place; the same
// place counts once.
func sortDecls(ds []builtDecl) []builtDecl {
	if len(ds) < 2 {
		return ds
	}
	slices.SortStableFunc(ds, func(a, b builtDecl) int {
		return cmp.Or(cmp.Compare(a.Flags&FlagTest, b.Flags&FlagTest), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Full.Off, b.Full.Off), cmp.Compare(a.Name.Line, b.Name.Line), cmp.Compare(a.Name.Col, b.Name.Col))
	})
	return slices.CompactFunc(ds, func(a, b builtDecl) bool { return a.File == b.File && a.Name == b.Name && a.Full == b.Full })
}

func compareDeclared(a, b *builtNode) int {
	x, y := &a.decls[0], &b.decls[0]
	return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(rank(a.sym.Kind), rank(b.sym.Kind)),
		cmp.Compare(x.Full.Off, y.Full.Off), cmp.Compare(y.Full.End, x.Full.End),
		cmp.Compare(x.Name.Line, y.Name.Line), cmp.Compare(x.Name.Col, y.Name.Col), compareSymbols(a.sym, b.sym))
}

// rank puts a file before its package and both before what they declare.
func rank(k Kind) int {
	switch k {
	case KindFile:
		return 0
	case KindPackage:
		return 1
	}
	return 2
}

func compareSymbols(a, b Symbol) int {
	ext := func(y Symbol) int {
		if y.External {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Lang, b.Lang), cmp.Compare(a.Module, b.Module), cmp.Compare(a.Qual, b.Qual),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(ext(a), ext(b)))
}

// declFlags joins the flags of several declarations: a node is a test's or generated
// only when all of it is.
func declFlags[D any](ds []D, flags func(*D) Flags) Flags {
	const all = FlagTest | FlagGenerated
	var any, every Flags = 0, all
	for i := range ds {
		f := flags(&ds[i])
		any |= f
		every &= f
	}
	return any&^all | every
}

// encode makes the pages.
func (b *builder) encode() Pages {
	nodes := make([]Node, len(b.order))
	children := make([][]NodeID, len(nodes))
	spans := make([]fileNodes, len(b.files))
	langs := map[string]bool{}
	for id, i := range b.order {
		t := &b.nodes[i]
		n := &nodes[id]
		*n = Node{ID: NodeID(id), Symbol: t.sym, Name: t.sym.Name(), Parent: NoNode}
		langs[n.Lang] = true
		if len(t.decls) == 0 {
			n.Flags = FlagExternal
			continue
		}
		n.Flags = declFlags(t.decls, func(d *builtDecl) Flags { return d.Flags })
		n.Decls = make([]Decl, len(t.decls))
		for j, d := range t.decls {
			n.Decls[j] = d.Decl
			sp := &spans[d.File]
			switch {
			case j == 0:
				if sp.n == 0 {
					sp.first = n.ID
				}
				sp.n++
			case d.File != n.Decls[0].File && d.File != n.Decls[j-1].File:
				sp.extra = append(sp.extra, n.ID)
			}
		}
		if n.Kind == KindFile {
			b.files[n.Decls[0].File].Node = n.ID
		}
		if p := t.decls[0].parent; p >= 0 && b.ids[p] != NoNode && b.ids[p] != n.ID {
			n.Parent = b.ids[p]
			children[n.Parent] = append(children[n.Parent], n.ID)
		}
	}
	for _, f := range b.files {
		langs[f.Lang] = true
	}

	out, in := b.adjacency(true), b.adjacency(false)
	dv := b.derivedByID()
	pages := Pages{}
	m := meta{nodes: uint32(len(nodes)), externs: uint32(b.externs), langs: sortedKeys(langs), stats: b.stats(nodes, out, dv)}
	lang := func(l string) uint64 { i, _ := slices.BinarySearch(m.langs, l); return uint64(i) }
	pages["meta"] = m.encode()
	pages["files"] = encodeFiles(b.units, b.files, spans, lang)
	b.encodeNames(pages, nodes)
	b.encodeMissing(pages)
	pages["v"] = dv.encode()
	b.types.encode(pages, b.units)

	outDerived, inDerived := dv.marks(len(nodes))
	count := (len(nodes) + pageNodes - 1) / pageNodes
	made := make([][3][]byte, count)
	parallel(count, func(p int) {
		from := p * pageNodes
		n := min(from+pageNodes, len(nodes)) - from
		made[p][0] = encodeTable(n, func(e *encoder, i int) { encodeNode(e, &nodes[from+i], children[from+i], lang) })
		made[p][1] = encodeTable(n, func(e *encoder, i int) {
			encodeEdges(e, NodeID(from+i), out[from+i], true, outDerived[from+i])
		})
		made[p][2] = encodeTable(n, func(e *encoder, i int) {
			encodeEdges(e, NodeID(from+i), in[from+i], false, inDerived[from+i])
		})
	})
	for p, m := range made {
		pages[pageKey("n", p)], pages[pageKey("o", p)], pages[pageKey("i", p)] = m[0], m[1], m[2]
	}
	return pages
}

// parallel calls f for 0 to n-1 on all processors.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}

// adjacency groups the edges by one end, each group in the order of place, duplicates once.
func (b *builder) adjacency(out bool) [][]Edge {
	end := func(e *Edge) NodeID {
		if out {
			return e.From
		}
		return e.To
	}
	starts := make([]int, len(b.order)+1)
	for i := range b.edges {
		starts[end(&b.edges[i])+1]++
	}
	for i := range len(b.order) {
		starts[i+1] += starts[i]
	}
	sorted := make([]Edge, len(b.edges))
	next := slices.Clone(starts)
	for i := range b.edges {
		id := end(&b.edges[i])
		sorted[next[id]] = b.edges[i]
		next[id]++
	}
	groups := make([][]Edge, len(b.order))
	parallel(len(groups), func(i int) {
		es := sorted[starts[i]:starts[i+1]]
		slices.SortFunc(es, func(x, y Edge) int {
			if edgeLess(&x, &y) {
				return -1
			}
			if edgeLess(&y, &x) {
				return 1
			}
			return cmp.Or(cmp.Compare(x.Flags, y.Flags), cmp.Compare(x.Len, y.Len))
		})
		groups[i] = slices.CompactFunc(es, func(x, y Edge) bool { return !edgeLess(&x, &y) && !edgeLess(&y, &x) })
	})
	return groups
}

func (b *builder) encodeNames(pages Pages, nodes []Node) {
	ids := map[string][]NodeID{}
	for i := range nodes {
		ids[nodes[i].Name] = append(ids[nodes[i].Name], NodeID(i))
	}
	names := sortedKeys(ids)
	encodeDict(pages, "d", names, func(e *encoder, i int) { e.ids(ids[names[i]]) })
}

func (b *builder) encodeMissing(pages Pages) {
	sites := map[string][]Unresolved{}
	for _, u := range b.missing {
		sites[u.Name] = append(sites[u.Name], u)
	}
	names := sortedKeys(sites)
	encodeDict(pages, "r", names, func(e *encoder, i int) { encodeMissing(e, sites[names[i]]) })
}

func compareMissing(a, b Unresolved) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
		cmp.Compare(a.Name, b.Name), cmp.Compare(a.Reason, b.Reason))
}

func (b *builder) stats(nodes []Node, out [][]Edge, dv *derivedEdges) Stats {
	var st Stats
	st.init()
	for _, f := range b.files {
		st.Files[f.Lang]++
		st.Lines[f.Lang] += int(f.Lines)
		if f.Broken {
			st.Broken++
		}
	}
	for i := range nodes {
		if nodes[i].External {
			st.Externals++
		} else {
			st.Nodes[nodes[i].Kind]++
		}
		for _, e := range out[i] {
			st.Edges[e.Kind]++
		}
	}
	if n := len(dv.edges); n > 0 {
		st.Edges[EdgeImplements] += n
	}
	for _, u := range b.missing {
		st.Unresolved[u.Reason]++
	}
	return st
}
