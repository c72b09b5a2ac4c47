package graph

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Format is the version of the stored pages. A store of another version is rebuilt.
//
//	1: first
//	2: declarations may have identities of their own
const Format = 2

// A Source gives the pages of one generation. It must be safe for concurrent use; the
// bytes it returns are never written to. An unknown key is an error.
type Source interface {
	Page(key string) ([]byte, error)
}

// Pages are the pages of a generation in memory.
type Pages map[string][]byte

// Page implements [Source].
func (p Pages) Page(key string) ([]byte, error) {
	b, ok := p[key]
	if !ok {
		return nil, fmt.Errorf("no page %q", key)
	}
	return b, nil
}

// A Snapshot is the graph at one moment. It never changes and is safe for concurrent
// use. It reads pages when they are first needed; a page that cannot be read gives
// empty answers and is reported by [Snapshot.Err], which callers ask once at the end.
type Snapshot struct {
	src   Source
	meta  meta
	units []string
	files []File
	spans []fileNodes // of files: which nodes are declared there

	nodes, outs, ins []atomic.Pointer[table]
	names, missing   dict

	derived     atomic.Pointer[derivedEdges]
	derivedOnce sync.Once
	err         atomic.Pointer[error]

	over *overlay // nil unless units were re-read since the pages were made
}

// fileNodes says which nodes have a declaration in a file: a run, because ids follow
// files, and those whose first declaration is elsewhere.
type fileNodes struct {
	first NodeID
	n     uint32
	extra []NodeID
}

// pageNodes is how many consecutive nodes share a page.
const pageNodes = 512

// Open reads what every question needs of a generation. It fails on pages of another
// [Format] with a [FormatError], and on damaged ones.
func Open(src Source) (*Snapshot, error) {
	s := &Snapshot{src: src}
	page, err := src.Page("meta")
	if err != nil {
		return nil, err
	}
	if err := s.meta.decode(page); err != nil {
		return nil, err
	}
	page, err = src.Page("files")
	if err != nil {
		return nil, err
	}
	if err := s.decodeFiles(page); err != nil {
		return nil, err
	}
	n := (int(s.meta.nodes) + pageNodes - 1) / pageNodes
	s.nodes = make([]atomic.Pointer[table], n)
	s.outs = make([]atomic.Pointer[table], n)
	s.ins = make([]atomic.Pointer[table], n)
	s.names = dict{prefix: "d"}
	s.missing = dict{prefix: "r"}
	return s, nil
}

// Err returns the first error met while reading pages, if any.
func (s *Snapshot) Err() error {
	if e := s.err.Load(); e != nil {
		return *e
	}
	return nil
}

func (s *Snapshot) fail(key string, err error) {
	err = fmt.Errorf("reading page %s: %w", key, err)
	s.err.CompareAndSwap(nil, &err)
}

// table returns the page of the record, loading it on first use.
func (s *Snapshot) table(pages []atomic.Pointer[table], kind string, page int) *table {
	if t := pages[page].Load(); t != nil {
		return t
	}
	key := pageKey(kind, page)
	t, err := readTable(s.src, key)
	if err != nil {
		s.fail(key, err)
	}
	pages[page].Store(&t)
	return &t
}

func readTable(src Source, key string) (table, error) {
	b, err := src.Page(key)
	if err != nil {
		return table{}, err
	}
	return parseTable(b)
}

func pageKey(kind string, page int) string { return fmt.Sprintf("%s/%06d", kind, page) }

// NumNodes returns one more than the largest id in use.
func (s *Snapshot) NumNodes() int {
	if s.over != nil {
		return int(s.meta.nodes) + len(s.over.added)
	}
	return int(s.meta.nodes)
}

// NumUnits returns how many units the stored pages were made of.
func (s *Snapshot) NumUnits() int { return len(s.units) }

// Node returns a declaration, or nil when the id is not in use. The node must not be
// changed.
func (s *Snapshot) Node(id NodeID) *Node {
	if s.over != nil {
		if n, ok := s.over.nodes[id]; ok {
			return n // nil when it is gone
		}
	}
	return s.baseNode(id)
}

func (s *Snapshot) baseNode(id NodeID) *Node {
	if uint32(id) >= s.meta.nodes {
		return nil
	}
	d := s.table(s.nodes, "n", int(id/pageNodes)).at(int(id % pageNodes))
	n := s.decodeNode(&d, id)
	if d.bad {
		s.fail(pageKey("n", int(id/pageNodes)), errPage)
		return &Node{ID: id, Parent: NoNode}
	}
	return n
}

// Out returns the uses that a declaration makes of others, in the order of file and
// position. A zero Len stands for the length of the target's name.
func (s *Snapshot) Out(id NodeID) []Edge { return s.edges(id, true) }

// In returns the uses that others make of a declaration, in the order of file and position.
func (s *Snapshot) In(id NodeID) []Edge { return s.edges(id, false) }

func (s *Snapshot) edges(id NodeID, out bool) []Edge {
	var es []Edge
	derived := false
	if uint32(id) < s.meta.nodes {
		es, derived = s.baseEdges(id, out)
	}
	if o := s.over; o != nil {
		es = o.filter(es)
		more := o.in[id]
		if out {
			more = o.out[id]
		}
		derived = derived || o.derived != nil
		es = append(es, more...)
		sortEdges(es)
	}
	if derived {
		es = append(es, s.derivedOf(id, out)...)
	}
	return es
}

func (s *Snapshot) baseEdges(id NodeID, out bool) (es []Edge, derived bool) {
	pages, kind := s.ins, "i"
	if out {
		pages, kind = s.outs, "o"
	}
	page := int(id / pageNodes)
	d := s.table(pages, kind, page).at(int(id % pageNodes))
	es, derived = decodeEdges(&d, id, out)
	if d.bad {
		s.fail(pageKey(kind, page), errPage)
		return nil, false
	}
	return es, derived
}

// SiteLen returns the length in code points of the text that refers.
func (s *Snapshot) SiteLen(e Edge) uint32 {
	if e.Len != 0 {
		return uint32(e.Len)
	}
	if n := s.Node(e.To); n != nil {
		return uint32(utf8.RuneCountInString(n.Name))
	}
	return 0
}

// Files returns all files in the order of ids. The slice must not be changed. A file
// that is gone since the pages were made has Node == NoNode.
func (s *Snapshot) Files() []File {
	if s.over != nil {
		return s.over.files
	}
	return s.files
}

// File returns a file by id; it panics on an id that the snapshot did not give.
func (s *Snapshot) File(id FileID) *File { return &s.Files()[id] }

// FileByPath finds a file by its slash-separated path from the root.
func (s *Snapshot) FileByPath(path string) (*File, bool) {
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].Path >= path })
	if i < len(s.files) && s.files[i].Path == path {
		f := s.File(FileID(i))
		return f, f.Node != NoNode
	}
	if s.over != nil {
		for i := len(s.files); i < len(s.over.files); i++ {
			if f := &s.over.files[i]; f.Path == path && f.Node != NoNode {
				return f, true
			}
		}
	}
	return nil, false
}

// InFile returns the nodes that have a declaration in the file, in the order of their
// positions in it, the file's own node first.
func (s *Snapshot) InFile(id FileID) []NodeID {
	if s.over != nil {
		if ids, ok := s.over.inFile[id]; ok {
			return ids
		}
	}
	if int(id) >= len(s.spans) {
		return nil
	}
	f := s.spans[id]
	ids := make([]NodeID, 0, int(f.n)+len(f.extra))
	for i := range f.n {
		ids = append(ids, f.first+NodeID(i))
	}
	if len(f.extra) == 0 {
		return ids
	}
	ids = append(ids, f.extra...)
	off := make(map[NodeID]uint32, len(ids))
	for _, n := range ids {
		off[n] = declOff(s.Node(n), id)
	}
	sort.SliceStable(ids, func(i, j int) bool { return off[ids[i]] < off[ids[j]] })
	return ids
}

// declOff returns a sort key for a node within a file: its offset there, the file itself first.
func declOff(n *Node, f FileID) uint32 {
	if n == nil || n.Kind == KindFile {
		return 0
	}
	for _, d := range n.Decls {
		if d.File == f {
			return d.Full.Off + 1
		}
	}
	return ^uint32(0)
}

// Children returns the declarations directly inside a node, in the order of ids: the
// members of a type, what a Go package or a TypeScript file declares.
func (s *Snapshot) Children(id NodeID) []NodeID {
	var ids []NodeID
	if uint32(id) < s.meta.nodes {
		d := s.table(s.nodes, "n", int(id/pageNodes)).at(int(id % pageNodes))
		ids = s.decodeChildren(&d, id)
	}
	if s.over == nil {
		return ids
	}
	kept := make([]NodeID, 0, len(ids))
	for _, c := range ids {
		if n := s.Node(c); n != nil && n.Parent == id {
			kept = append(kept, c)
		}
	}
	return append(kept, s.over.children[id]...)
}

// Named returns the nodes with exactly this name, externals last.
func (s *Snapshot) Named(name string) []NodeID {
	var ids []NodeID
	if d, ok := s.names.find(s, name); ok {
		ids = decodeIDs(&d)
	}
	if s.over != nil {
		ids = s.over.live(ids)
		ids = append(ids, s.over.names[name]...)
	}
	return ids
}

// Names calls f for every name with the prefix, in byte order, with its nodes, until f
// returns false.
func (s *Snapshot) Names(prefix string, f func(name string, ids []NodeID) bool) {
	var added []string
	if s.over != nil {
		added = s.over.namesWith(prefix)
	}
	going := true
	s.names.scan(s, prefix, func(name string, d *decoder) bool {
		for len(added) > 0 && added[0] < name && going {
			going = f(added[0], s.over.names[added[0]])
			added = added[1:]
		}
		if !going {
			return false
		}
		ids := decodeIDs(d)
		if s.over != nil {
			ids = s.over.live(ids)
			if len(added) > 0 && added[0] == name {
				ids = append(ids, s.over.names[name]...)
				added = added[1:]
			}
			if len(ids) == 0 {
				return true
			}
		}
		going = f(name, ids)
		return going
	})
	for ; going && len(added) > 0; added = added[1:] {
		going = f(added[0], s.over.names[added[0]])
	}
}

// Missing returns the sites of a name that the front ends could not bind, in the order
// of file and position.
func (s *Snapshot) Missing(name string) []Unresolved {
	var us []Unresolved
	if d, ok := s.missing.find(s, name); ok {
		us = decodeMissing(&d, name)
	}
	if s.over != nil {
		us = s.over.missingOf(name, us)
	}
	return us
}

// MissingNames calls f for every unresolved name in byte order until it returns false.
func (s *Snapshot) MissingNames(f func(name string, sites []Unresolved) bool) {
	if s.over == nil {
		s.missing.scan(s, "", func(name string, d *decoder) bool { return f(name, decodeMissing(d, name)) })
		return
	}
	names := map[string]bool{}
	s.missing.scan(s, "", func(name string, _ *decoder) bool { names[name] = true; return true })
	for _, m := range s.over.missing {
		names[m.Name] = true
	}
	for _, name := range sortedKeys(names) {
		if us := s.Missing(name); len(us) > 0 && !f(name, us) {
			return
		}
	}
}

// A Hit is what [Snapshot.At] finds: a declaration whose name is at the position, or
// the uses made there.
type Hit struct {
	Decl NodeID // NoNode unless the position is on a declared name
	Uses []Edge // the uses whose referring name covers the position
}

// At finds what a position in a file names. A column of zero means the whole line:
// the first declaration on it, else all its uses.
func (s *Snapshot) At(file FileID, pos Pos) Hit {
	hit := Hit{Decl: NoNode}
	ids := s.InFile(file)
	for _, id := range ids {
		n := s.Node(id)
		if n == nil || n.Kind == KindFile {
			continue
		}
		for _, d := range n.Decls {
			if d.File != file || d.Name.Line != pos.Line {
				continue
			}
			end := d.Name.Col + uint32(utf8.RuneCountInString(n.Name))
			if hit.Decl == NoNode && (pos.Col == 0 || d.Name.Col <= pos.Col && pos.Col < end) {
				hit.Decl = id
			}
		}
	}
	for _, id := range ids {
		n := s.Node(id)
		if n == nil || !covers(n, file, pos.Line) {
			continue
		}
		for _, e := range s.Out(id) {
			if e.File != file || e.Line != pos.Line || e.Flags&EdgeDerived != 0 {
				continue
			}
			if pos.Col == 0 || e.Col <= pos.Col && pos.Col < e.Col+max(s.SiteLen(e), 1) {
				hit.Uses = append(hit.Uses, e)
			}
		}
	}
	sortEdges(hit.Uses)
	return hit
}

func covers(n *Node, file FileID, line uint32) bool {
	if n.Kind == KindFile || n.Kind == KindPackage {
		return true
	}
	for _, d := range n.Decls {
		if d.File == file && d.Full.Line <= line && line <= d.Full.EndLine {
			return true
		}
	}
	return false
}
