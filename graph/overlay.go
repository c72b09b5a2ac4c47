package graph

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// An overlay is what changed since the pages were made: some units are gone or re-read.
// Nodes keep their ids when their symbol remains; new ones follow after those of the pages.
type overlay struct {
	drop   map[string]bool
	facts  []*Facts
	masked []bool // of each stored file: its facts no longer hold

	files    []File
	inFile   map[FileID][]NodeID
	nodes    map[NodeID]*Node // changed and new nodes; nil for those that are gone
	added    []NodeID
	children map[NodeID][]NodeID // those that the stored parent does not list
	out, in  map[NodeID][]Edge
	names    map[string][]NodeID // of added nodes
	missing  []Unresolved
	derived  *derivedEdges // nil when the stored ones still hold
}

// With lays the facts of re-read units over a stored snapshot: the units of drop are gone,
// those of facts are there. It costs what the facts cost, not what the graph does. The
// result answers as the graph that [Build] would make of the same, except that ids differ.
func (s *Snapshot) With(drop map[string]bool, facts []*Facts) (*Snapshot, error) {
	if s.over != nil {
		return nil, fmt.Errorf("graph.With: the snapshot already has re-read units")
	}
	o := &overlay{
		drop: drop, facts: facts,
		inFile: map[FileID][]NodeID{}, nodes: map[NodeID]*Node{}, children: map[NodeID][]NodeID{},
		out: map[NodeID][]Edge{}, in: map[NodeID][]Edge{}, names: map[string][]NodeID{},
	}
	w := &overlayWriter{s: s, o: o, ids: map[Symbol]NodeID{}, byName: map[string][]NodeID{}}
	if err := w.addFiles(); err != nil {
		return nil, err
	}
	w.forget()
	for i, f := range facts {
		if err := f.validate(); err != nil {
			return nil, err
		}
		w.declare(f, w.files[i])
	}
	w.settle()
	for i, f := range facts {
		w.link(f, w.files[i])
	}
	slices.SortFunc(o.missing, compareMissing)
	o.missing = slices.Compact(o.missing)
	w.satisfy()
	if err := s.Err(); err != nil {
		return nil, err
	}
	// The pages already read are shared: they never change.
	t := &Snapshot{src: s.src, meta: s.meta, units: s.units, files: s.files, spans: s.spans,
		nodes: s.nodes, outs: s.outs, ins: s.ins, names: dict{prefix: "d"}, missing: dict{prefix: "r"}, over: o}
	return t, nil
}

type overlayWriter struct {
	s      *Snapshot
	o      *overlay
	files  [][]FileID
	ids    map[Symbol]NodeID
	byName map[string][]NodeID
	found  []FileID // the files of facts
}

func (w *overlayWriter) addFiles() error {
	s, o := w.s, w.o
	o.files = slices.Clone(s.files)
	o.masked = make([]bool, len(s.files))
	for i := range o.files {
		if o.drop[o.files[i].Unit] {
			o.masked[i] = true
			o.files[i].Node = NoNode
		}
	}
	added := map[string]FileID{}
	for _, f := range o.facts {
		ids := make([]FileID, len(f.Files))
		for i, x := range f.Files {
			id := NoFile
			if at := sort.Search(len(s.files), func(i int) bool { return s.files[i].Path >= x.Path }); at < len(s.files) && s.files[at].Path == x.Path {
				id = FileID(at)
				if !o.masked[at] {
					return fmt.Errorf("file %s belongs to two units, %s and %s", x.Path, s.files[at].Unit, f.Unit)
				}
			} else if _, ok := added[x.Path]; ok {
				return fmt.Errorf("file %s belongs to two units, one is %s", x.Path, f.Unit)
			} else {
				id = FileID(len(o.files))
				added[x.Path] = id
				o.files = append(o.files, File{})
			}
			o.files[id] = fileOf(f, i)
			o.files[id].ID = id
			ids[i] = id
			w.found = append(w.found, id)
		}
		w.files = append(w.files, ids)
	}
	return nil
}

// forget takes the declarations in masked files from their nodes.
func (w *overlayWriter) forget() {
	for f, masked := range w.o.masked {
		if !masked {
			continue
		}
		w.o.inFile[FileID(f)] = nil
		for _, id := range w.s.InFile(FileID(f)) {
			n := w.change(id)
			n.Decls = slices.DeleteFunc(n.Decls, func(d Decl) bool { return d.File == FileID(f) })
		}
	}
}

// change returns the overlay's copy of a node.
func (w *overlayWriter) change(id NodeID) *Node {
	if n := w.o.nodes[id]; n != nil {
		return n
	}
	n := *w.s.baseNode(id)
	n.Decls = slices.Clone(n.Decls)
	w.o.nodes[id] = &n
	return &n
}

// find returns the id of a symbol, NoNode when it is new.
func (w *overlayWriter) find(y Symbol) NodeID {
	if id, ok := w.ids[y]; ok {
		return id
	}
	name := y.Name()
	ids, ok := w.byName[name]
	if !ok {
		ids = w.s.Named(name)
		w.byName[name] = ids
		for _, id := range ids {
			w.ids[w.s.baseNode(id).Symbol] = id
		}
	}
	if id, ok := w.ids[y]; ok {
		return id
	}
	w.ids[y] = NoNode
	return NoNode
}

// node returns the id of a symbol, a new one when it is new.
func (w *overlayWriter) node(y Symbol) NodeID {
	if id := w.find(y); id != NoNode {
		return id
	}
	id := NodeID(w.s.meta.nodes) + NodeID(len(w.o.added))
	w.ids[y] = id
	n := &Node{ID: id, Symbol: y, Name: y.Name(), Parent: NoNode}
	if y.External {
		n.Flags = FlagExternal
	}
	w.o.nodes[id] = n
	w.o.added = append(w.o.added, id)
	w.o.names[n.Name] = append(w.o.names[n.Name], id)
	return id
}

func (w *overlayWriter) declare(f *Facts, files []FileID) {
	for _, d := range f.Decls {
		id := w.node(f.Symbols[d.Sym])
		n := w.change(id)
		decl := d.decl(files)
		if len(n.Decls) == 0 {
			n.Parent = NoNode
			if d.Parent >= 0 {
				n.Parent = w.node(f.Symbols[d.Parent])
			}
		}
		n.Decls = append(n.Decls, decl)
		if n.Kind == KindFile {
			w.o.files[decl.File].Node = id
		}
		if ids := w.o.inFile[decl.File]; !slices.Contains(ids[max(0, len(ids)-8):], id) {
			w.o.inFile[decl.File] = append(ids, id)
		}
	}
}

// settle brings changed nodes into their final form once all are declared.
func (w *overlayWriter) settle() {
	o := w.o
	ids := make([]NodeID, 0, len(o.nodes))
	for id := range o.nodes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		n := o.nodes[id]
		if n.External {
			continue
		}
		if len(n.Decls) == 0 {
			o.nodes[id] = nil
			continue
		}
		ds := make([]builtDecl, len(n.Decls))
		for i, d := range n.Decls {
			ds[i].Decl = d
		}
		ds = sortDecls(ds)
		n.Decls = n.Decls[:len(ds)]
		for i, d := range ds {
			n.Decls[i] = d.Decl
		}
		n.Flags = declFlags(n.Decls, func(d *Decl) Flags { return d.Flags })
		if n.Parent != NoNode {
			stored := uint32(id) < w.s.meta.nodes && w.s.baseNode(id).Parent == n.Parent
			if !stored {
				o.children[n.Parent] = append(o.children[n.Parent], id)
			}
		}
	}
	for f, ids := range o.inFile {
		ids = slices.DeleteFunc(ids, func(id NodeID) bool { return o.nodes[id] == nil })
		slices.Sort(ids)
		ids = slices.Compact(ids)
		slices.SortStableFunc(ids, func(a, b NodeID) int {
			return int(int64(declOff(o.nodes[a], f)) - int64(declOff(o.nodes[b], f)))
		})
		o.inFile[f] = ids
	}
	added := o.added[:0:0]
	for _, id := range o.added {
		added = append(added, id)
		if n := o.nodes[id]; n == nil { // a parent that nobody declares
			w.forgetName(id)
		}
	}
	o.added = added
}

func (w *overlayWriter) forgetName(id NodeID) {
	for name, ids := range w.o.names {
		if i := slices.Index(ids, id); i >= 0 {
			w.o.names[name] = slices.Delete(ids, i, i+1)
			if len(w.o.names[name]) == 0 {
				delete(w.o.names, name)
			}
		}
	}
}

// link adds the uses that a unit makes.
func (w *overlayWriter) link(f *Facts, files []FileID) {
	o := w.o
	at := make([]NodeID, len(f.Symbols))
	for i := range at {
		at[i] = NoNode
	}
	resolve := func(i int) NodeID {
		if at[i] != NoNode {
			return at[i]
		}
		y := f.Symbols[i]
		id := NoNode
		if y.External {
			id = w.node(y)
		} else if id = w.find(y); id != NoNode {
			if n, changed := o.nodes[id]; changed && n == nil {
				id = NoNode
			}
		}
		at[i] = id
		return id
	}
	seen := make(map[Edge]bool, len(f.Edges))
	for _, e := range f.Edges {
		from := resolve(e.From)
		if from == NoNode {
			continue
		}
		to := resolve(e.To)
		if to == NoNode {
			o.missing = append(o.missing, Unresolved{File: files[e.File], Pos: e.Pos, Name: f.Symbols[e.To].Name(), Reason: undeclared})
			continue
		}
		x := Edge{Kind: e.Kind, Flags: e.Flags, From: from, To: to, File: files[e.File], Pos: e.Pos, Len: e.Len}
		if int(x.Len) == utf8.RuneCountInString(f.Symbols[e.To].Name()) {
			x.Len = 0
		}
		if key := (Edge{Kind: x.Kind, From: from, To: to, File: x.File, Pos: x.Pos}); !seen[key] {
			seen[key] = true
			o.out[from] = append(o.out[from], x)
			o.in[to] = append(o.in[to], x)
		}
	}
	for _, m := range f.Missing {
		o.missing = append(o.missing, Unresolved{File: files[m.File], Pos: m.Pos, Name: m.Name, Reason: m.Reason})
	}
}

// satisfy computes interface satisfaction anew when the method sets of the units changed.
func (w *overlayWriter) satisfy() {
	if w.sameTypes() {
		return
	}
	var sets typeSets
	sets.own, sets.external = map[string]*Facts{}, map[Symbol]*externalSet{}
	sets.addBase(w.s, w.o.drop)
	for _, f := range w.o.facts {
		sets.add(f)
	}
	w.o.derived = newDerived(sets.satisfy(func(y Symbol) int32 {
		if y.External {
			return int32(w.node(y))
		}
		id := w.find(y)
		if id == NoNode {
			return -1
		}
		if n, changed := w.o.nodes[id]; changed && n == nil {
			return -1
		}
		return int32(id)
	}))
}

// sameTypes reports whether the re-read units have the method sets that are stored of them.
func (w *overlayWriter) sameTypes() bool {
	var now typeSets
	now.own, now.external = map[string]*Facts{}, map[Symbol]*externalSet{}
	for _, f := range w.o.facts {
		now.add(f)
	}
	for i, u := range w.s.units {
		if !w.o.drop[u] {
			continue
		}
		old := w.s.unitTypes(i)
		f := now.own[u]
		if f == nil || old == nil || !bytes.Equal(typesKey(old), typesKey(f)) {
			return false
		}
		delete(now.own, u)
	}
	if len(now.own) > 0 {
		return false // a new unit
	}
	page, err := readTable(w.s.src, "tx")
	if err != nil {
		w.s.fail("tx", err)
		return true
	}
	had := 0
	for i := range page.n {
		d := page.at(i)
		var users []string
		for _, u := range decodeIDs(&d) {
			if int(u) < len(w.s.units) && w.o.drop[w.s.units[u]] {
				users = append(users, w.s.units[u])
			}
		}
		if len(users) == 0 {
			continue
		}
		had++
		f := d.facts()
		if d.bad || len(f.Types) != 1 || f.validate() != nil {
			return false
		}
		x := now.external[f.Symbols[f.Types[0].Sym]]
		if x == nil || len(x.units) != len(users) || !bytes.Equal(typesKey(f), typesKey(x.facts)) {
			return false
		}
	}
	return had == len(now.external)
}

// typesKey encodes the method sets alone.
func typesKey(f *Facts) []byte {
	var e encoder
	e.facts(&Facts{Symbols: f.Symbols, Types: f.Types})
	return e.buf
}

// filter drops the edges that no longer hold. It works in place: its argument is freshly decoded.
func (o *overlay) filter(es []Edge) []Edge {
	return slices.DeleteFunc(es, func(e Edge) bool {
		return o.masked[e.File] || o.gone(e.From) || o.gone(e.To)
	})
}

func (o *overlay) gone(id NodeID) bool {
	n, ok := o.nodes[id]
	return ok && n == nil
}

func (o *overlay) live(ids []NodeID) []NodeID { return slices.DeleteFunc(ids, o.gone) }

func (o *overlay) namesWith(prefix string) []string {
	var names []string
	for name := range o.names {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (o *overlay) missingOf(name string, stored []Unresolved) []Unresolved {
	us := slices.DeleteFunc(stored, func(u Unresolved) bool { return o.masked[u.File] })
	for _, u := range o.missing {
		if u.Name == name {
			us = append(us, u)
		}
	}
	slices.SortFunc(us, compareMissing)
	return us
}
