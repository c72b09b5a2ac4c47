package graph

import "sort"

// Stats counts what a graph holds.
type Stats struct {
	Files      map[string]int   // by language
	Lines      map[string]int   // by language
	Broken     int              // files whose facts may be incomplete
	Nodes      map[Kind]int     // declared in the project
	Externals  int              // declarations outside the project that it uses
	Edges      map[EdgeKind]int // derived ones included
	Unresolved map[string]int   // sites that could not be bound, by reason
}

func (st *Stats) init() {
	st.Files, st.Lines = map[string]int{}, map[string]int{}
	st.Nodes, st.Edges = map[Kind]int{}, map[EdgeKind]int{}
	st.Unresolved = map[string]int{}
}

func (st *Stats) encode(e *encoder) {
	e.counts(st.Files)
	e.counts(st.Lines)
	e.uint(uint64(st.Broken))
	e.uint(uint64(st.Externals))
	for k := range kindCount {
		e.uint(uint64(st.Nodes[k]))
	}
	for k := range edgeKindCount {
		e.uint(uint64(st.Edges[k]))
	}
	e.counts(st.Unresolved)
}

func (st *Stats) decode(d *decoder) {
	st.init()
	d.counts(st.Files)
	d.counts(st.Lines)
	st.Broken = int(d.u32v())
	st.Externals = int(d.u32v())
	for k := range kindCount {
		if n := int(d.u32v()); n > 0 {
			st.Nodes[k] = n
		}
	}
	for k := range edgeKindCount {
		if n := int(d.u32v()); n > 0 {
			st.Edges[k] = n
		}
	}
	d.counts(st.Unresolved)
}

func (e *encoder) counts(m map[string]int) {
	e.uint(uint64(len(m)))
	for _, k := range sortedKeys(m) {
		e.str(k)
		e.uint(uint64(m[k]))
	}
}

func (d *decoder) counts(m map[string]int) {
	for range d.count() {
		k := d.str()
		m[k] = int(d.u32v())
	}
}

func sortedKeys[V any](m map[string]V) []string {
	ks := make([]string, 0, len(m))
	for k := range m {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	return ks
}

// Stats counts the graph. It is free on a snapshot as stored, and walks everything when
// units were re-read since.
func (s *Snapshot) Stats() Stats {
	if s.over == nil {
		return s.meta.stats
	}
	var st Stats
	st.init()
	for _, f := range s.Files() {
		if f.Node == NoNode {
			continue
		}
		st.Files[f.Lang]++
		st.Lines[f.Lang] += int(f.Lines)
		if f.Broken {
			st.Broken++
		}
	}
	for id := range NodeID(s.NumNodes()) {
		n := s.Node(id)
		if n == nil {
			continue
		}
		for _, e := range s.Out(id) {
			st.Edges[e.Kind]++
		}
		if !n.External {
			st.Nodes[n.Kind]++
		} else if len(s.In(id)) > 0 {
			st.Externals++
		}
	}
	s.MissingNames(func(_ string, us []Unresolved) bool {
		for _, u := range us {
			st.Unresolved[u.Reason]++
		}
		return true
	})
	return st
}
