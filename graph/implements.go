package graph

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Interface satisfaction is not written anywhere in a Go program, and the two sides need
// not know each other, so no single unit can tell it. Units give the method sets of their
// types, with a hash of each signature; here they are compared.

// typeSets holds the method sets of all units. Those of external interfaces come once
// for every unit that can see them, so they are kept apart with the units that gave them.
type typeSets struct {
	own      map[string]*Facts       // by unit: Unit, Lang, Symbols, Types and Notes only
	external map[Symbol]*externalSet // by interface
}

type externalSet struct {
	facts *Facts // Symbols and one of Types
	units map[string]bool
}

func (b *builder) addTypes(base *Snapshot, drop map[string]bool, facts []*Facts) {
	b.types = typeSets{own: map[string]*Facts{}, external: map[Symbol]*externalSet{}}
	if base != nil {
		b.types.addBase(base, drop)
	}
	for _, f := range facts {
		b.types.add(f)
	}
}

// add splits the method sets of a unit into its own and those of external interfaces.
func (t *typeSets) add(f *Facts) {
	own := &Facts{Unit: f.Unit, Lang: f.Lang, Notes: f.Notes}
	for _, x := range f.Files {
		own.Files = append(own.Files, FactFile{Path: x.Path})
	}
	sorted := slices.Clone(f.Types)
	slices.SortStableFunc(sorted, func(a, b MethodSet) int { return compareSymbols(f.Symbols[a.Sym], f.Symbols[b.Sym]) })
	symbols := map[Symbol]int{}
	for _, set := range sorted {
		if y := f.Symbols[set.Sym]; y.External {
			x := t.external[y]
			if x == nil {
				x = &externalSet{facts: &Facts{Lang: f.Lang}, units: map[string]bool{}}
				x.facts.Types = []MethodSet{set.copyTo(x.facts, map[Symbol]int{}, f)}
				t.external[y] = x
			}
			x.units[f.Unit] = true
			continue
		}
		own.Types = append(own.Types, set.copyTo(own, symbols, f))
	}
	t.own[f.Unit] = own
}

// copyTo moves a method set from one symbol table to another.
func (m MethodSet) copyTo(to *Facts, symbols map[Symbol]int, from *Facts) MethodSet {
	move := func(i int) int {
		y := from.Symbols[i]
		j, ok := symbols[y]
		if !ok {
			j = len(to.Symbols)
			symbols[y] = j
			to.Symbols = append(to.Symbols, y)
		}
		return j
	}
	c := MethodSet{Sym: move(m.Sym), Interface: m.Interface, Methods: slices.Clone(m.Methods)}
	for i := range c.Methods {
		c.Methods[i].Sym = move(c.Methods[i].Sym)
	}
	return c
}

const typesUnits = 64 // units to a page

// encode writes the method sets: pages t/… in the order of units, and tx for externals.
func (t *typeSets) encode(pages Pages, units []string) {
	at := make(map[string]int, len(units))
	for i, u := range units {
		at[u] = i
	}
	for p := 0; p*typesUnits < len(units); p++ {
		group := units[p*typesUnits : min((p+1)*typesUnits, len(units))]
		pages[pageKey("t", p)] = encodeTable(len(group), func(e *encoder, i int) {
			if f := t.own[group[i]]; f != nil {
				e.facts(f)
			}
		})
	}
	var externs []*externalSet
	for _, x := range t.external {
		externs = append(externs, x)
	}
	slices.SortFunc(externs, func(a, b *externalSet) int { return compareSymbols(a.symbol(), b.symbol()) })
	pages["tx"] = encodeTable(len(externs), func(e *encoder, i int) {
		var users []NodeID
		for u := range externs[i].units {
			users = append(users, NodeID(at[u]))
		}
		slices.Sort(users)
		e.ids(users)
		e.facts(externs[i].facts)
	})
}

func (x *externalSet) symbol() Symbol { return x.facts.Symbols[x.facts.Types[0].Sym] }

// addBase reads the method sets that base holds of units not in drop.
func (t *typeSets) addBase(base *Snapshot, drop map[string]bool) {
	for i, u := range base.units {
		if drop[u] {
			continue
		}
		if f := base.unitTypes(i); f != nil {
			t.own[u] = f
		}
	}
	page, err := readTable(base.src, "tx")
	if err != nil {
		base.fail("tx", err)
		return
	}
	for i := range page.n {
		d := page.at(i)
		users := map[string]bool{}
		for _, u := range decodeIDs(&d) {
			if int(u) < len(base.units) && !drop[base.units[u]] {
				users[base.units[u]] = true
			}
		}
		f := d.facts()
		if d.bad || len(f.Types) != 1 || f.validate() != nil {
			base.fail("tx", errPage)
			return
		}
		if len(users) > 0 {
			x := &externalSet{facts: f, units: users}
			t.external[x.symbol()] = x
		}
	}
}

// unitTypes reads the method sets and notes of one unit of a stored snapshot.
func (s *Snapshot) unitTypes(unit int) *Facts {
	key := pageKey("t", unit/typesUnits)
	page, err := readTable(s.src, key)
	if err != nil {
		s.fail(key, err)
		return nil
	}
	d := page.at(unit % typesUnits)
	if len(d.buf) == 0 && !d.bad {
		return nil
	}
	f := d.facts()
	if d.bad || f.validate() != nil {
		s.fail(key, errPage)
		return nil
	}
	return f
}

// Notes returns the problems that the front ends told, in the order of units. Their File
// indexes the files of the snapshot, or is -1.
func (s *Snapshot) Notes() []Note {
	var notes []Note
	add := func(f *Facts) {
		for _, n := range f.Notes {
			if n.File >= 0 {
				file, ok := s.FileByPath(f.Files[n.File].Path)
				if !ok {
					continue
				}
				n.File = int(file.ID)
			}
			notes = append(notes, n)
		}
	}
	for i, u := range s.units {
		if s.over != nil && s.over.drop[u] {
			continue
		}
		if f := s.unitTypes(i); f != nil {
			add(f)
		}
	}
	if s.over != nil {
		for _, f := range s.over.facts {
			add(f)
		}
	}
	return notes
}

// A derivedEdge says that a type or method satisfies an interface or its method. Ends are
// whatever the caller numbers symbols with.
type derivedEdge struct{ from, to int32 }

// satisfy finds all satisfactions among the method sets. number gives a symbol its number,
// negative when it should be left out.
func (t *typeSets) satisfy(number func(Symbol) int32) []derivedEdge {
	type set struct {
		MethodSet
		facts *Facts
	}
	var types, ifaces []set
	for _, f := range t.own {
		for _, m := range f.Types {
			types = append(types, set{m, f})
			if m.Interface {
				ifaces = append(ifaces, set{m, f})
			}
		}
	}
	for _, x := range t.external {
		if m := x.facts.Types[0]; m.Interface {
			ifaces = append(ifaces, set{m, x.facts})
		}
	}
	having := map[string][]int{} // method id -> types that have it
	for i, y := range types {
		for _, m := range y.Methods {
			having[m.ID] = append(having[m.ID], i)
		}
	}
	var found []derivedEdge
	for _, it := range ifaces {
		if len(it.Methods) == 0 {
			continue
		}
		candidates := having[it.Methods[0].ID]
		for _, m := range it.Methods[1:] {
			if c := having[m.ID]; len(c) < len(candidates) {
				candidates = c
			}
		}
		to := int32(-1)
		for _, i := range candidates {
			y := &types[i]
			if y.facts.Symbols[y.Sym] == it.facts.Symbols[it.Sym] || !implements(y.Methods, it.Methods) {
				continue
			}
			from := number(y.facts.Symbols[y.Sym])
			if to < 0 {
				to = number(it.facts.Symbols[it.Sym])
			}
			if from < 0 || to < 0 {
				continue
			}
			found = append(found, derivedEdge{from, to})
			for _, m := range it.Methods {
				own := y.facts.Symbols[methodByID(y.Methods, m.ID).Sym]
				want := it.facts.Symbols[m.Sym]
				if own == want || own.External {
					continue // the same method, through embedding
				}
				if f, w := number(own), number(want); f >= 0 && w >= 0 {
					found = append(found, derivedEdge{f, w})
				}
			}
		}
	}
	slices.SortFunc(found, compareDerived)
	return slices.Compact(found)
}

func compareDerived(a, b derivedEdge) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
}

func methodByID(ms []MethodSig, id string) *MethodSig {
	i, ok := slices.BinarySearchFunc(ms, id, func(m MethodSig, id string) int { return strings.Compare(m.ID, id) })
	if !ok {
		return nil
	}
	return &ms[i]
}

// implements reports whether the methods of a type include those of an interface. A
// fingerprint of 0, of a signature that mentions type parameters, equals any.
func implements(have, want []MethodSig) bool {
	for i := range want {
		m := methodByID(have, want[i].ID)
		if m == nil || m.Finger != want[i].Finger && m.Finger != 0 && want[i].Finger != 0 {
			return false
		}
	}
	return true
}

func (b *builder) implement() {
	b.derived = b.types.satisfy(func(y Symbol) int32 {
		if y.External {
			return b.node(y)
		}
		if i, ok := b.index[y]; ok && len(b.nodes[i].decls) > 0 {
			return i
		}
		return -1
	})
}

// derivedEdges is the page "v": pairs sorted by from, with an index by to.
type derivedEdges struct {
	edges []derivedEdge
	byTo  []int32
}

func newDerived(es []derivedEdge) *derivedEdges {
	slices.SortFunc(es, compareDerived)
	v := &derivedEdges{edges: es, byTo: make([]int32, len(es))}
	for i := range v.byTo {
		v.byTo[i] = int32(i)
	}
	slices.SortStableFunc(v.byTo, func(i, j int32) int { return cmp.Compare(es[i].to, es[j].to) })
	return v
}

func (b *builder) derivedByID() *derivedEdges {
	var es []derivedEdge
	for _, d := range b.derived {
		if f, t := b.ids[d.from], b.ids[d.to]; f != NoNode && t != NoNode {
			es = append(es, derivedEdge{int32(f), int32(t)})
		}
	}
	return newDerived(es)
}

func (v *derivedEdges) encode() []byte {
	var e encoder
	e.uint(uint64(len(v.edges)))
	var prev derivedEdge
	for _, d := range v.edges {
		e.uint(uint64(d.from - prev.from))
		e.int(int64(d.to) - int64(prev.to))
		prev = d
	}
	return e.buf
}

// marks says which nodes have derived edges out and in, so that others need not load the page.
func (v *derivedEdges) marks(n int) (out, in []bool) {
	out, in = make([]bool, n), make([]bool, n)
	for _, d := range v.edges {
		out[d.from], in[d.to] = true, true
	}
	return out, in
}

func (s *Snapshot) loadDerived() *derivedEdges {
	if s.over != nil && s.over.derived != nil {
		return s.over.derived
	}
	s.derivedOnce.Do(func() {
		page, err := s.src.Page("v")
		if err != nil {
			s.fail("v", err)
		}
		d := decoder{buf: page}
		es := make([]derivedEdge, d.count())
		var prev derivedEdge
		for i := range es {
			prev = derivedEdge{prev.from + int32(d.u32v()), prev.to + int32(d.int())}
			es[i] = prev
			if uint32(prev.from) >= s.meta.nodes || uint32(prev.to) >= s.meta.nodes {
				d.fail()
				break
			}
		}
		if d.bad {
			s.fail("v", errPage)
			es = nil
		}
		s.derived.Store(newDerived(es))
	})
	return s.derived.Load()
}

// derivedOf returns the satisfactions of one node as edges whose site is the declaration
// of the satisfying type or method.
func (s *Snapshot) derivedOf(id NodeID, out bool) []Edge {
	v := s.loadDerived()
	var es []Edge
	add := func(d derivedEdge) {
		from, to := s.Node(NodeID(d.from)), s.Node(NodeID(d.to))
		if from == nil || to == nil || len(from.Decls) == 0 {
			return
		}
		at := from.Decls[0]
		e := Edge{Kind: EdgeImplements, Flags: EdgeDerived, From: from.ID, To: to.ID, File: at.File, Pos: at.Name}
		if at.Flags&FlagTest != 0 {
			e.Flags |= EdgeTest
		}
		es = append(es, e)
	}
	if out {
		i := sort.Search(len(v.edges), func(i int) bool { return v.edges[i].from >= int32(id) })
		for ; i < len(v.edges) && v.edges[i].from == int32(id); i++ {
			add(v.edges[i])
		}
		return es
	}
	i := sort.Search(len(v.byTo), func(i int) bool { return v.edges[v.byTo[i]].to >= int32(id) })
	for ; i < len(v.byTo) && v.edges[v.byTo[i]].to == int32(id); i++ {
		add(v.edges[v.byTo[i]])
	}
	return es
}
