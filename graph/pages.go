package graph

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// A FormatError says that pages were made by another version of the program.
type FormatError struct{ Got, Want uint64 }

func (e *FormatError) Error() string {
	return fmt.Sprintf("the index has format %d, this program writes format %d", e.Got, e.Want)
}

// meta is the page "meta".
type meta struct {
	nodes, externs uint32 // externs is the id of the first external node
	langs          []string
	stats          Stats
}

func (m *meta) encode() []byte {
	var e encoder
	e.uint(Format)
	e.uint(uint64(m.nodes))
	e.uint(uint64(m.externs))
	e.uint(uint64(len(m.langs)))
	for _, l := range m.langs {
		e.str(l)
	}
	m.stats.encode(&e)
	return e.buf
}

func (m *meta) decode(page []byte) error {
	d := decoder{buf: page}
	if v := d.uint(); v != Format && !d.bad {
		return &FormatError{Got: v, Want: Format}
	}
	m.nodes = d.u32v()
	m.externs = d.u32v()
	m.langs = make([]string, d.count())
	for i := range m.langs {
		m.langs[i] = d.str()
	}
	m.stats.decode(&d)
	if d.bad || m.externs > m.nodes {
		return fmt.Errorf("page meta: %w", errPage)
	}
	return nil
}

func (m *meta) lang(i uint64) string {
	if i < uint64(len(m.langs)) {
		return m.langs[i]
	}
	return ""
}

const (
	fileTest = 1 << iota
	fileGenerated
	fileBroken
)

// encodeFiles makes the page "files": unit names, then files. Both are sorted, so each
// string is written as the length shared with the one before it and the rest.
func encodeFiles(units []string, files []File, spans []fileNodes, lang func(string) uint64) []byte {
	var e encoder
	unit := make(map[string]int, len(units))
	prev := ""
	e.uint(uint64(len(units)))
	for i, u := range units {
		unit[u] = i
		e.prefixed(prev, u)
		prev = u
	}
	prev = ""
	e.uint(uint64(len(files)))
	for i, f := range files {
		e.prefixed(prev, f.Path)
		prev = f.Path
		e.uint(lang(f.Lang))
		e.uint(uint64(unit[f.Unit]))
		e.uint(uint64(f.Node))
		e.uint(uint64(f.Lines))
		e.uint(uint64(f.Size))
		e.u64(f.Hash)
		bits := uint64(0)
		if f.Test {
			bits |= fileTest
		}
		if f.Generated {
			bits |= fileGenerated
		}
		if f.Broken {
			bits |= fileBroken
		}
		e.uint(bits)
		e.uint(uint64(spans[i].first))
		e.uint(uint64(spans[i].n))
		e.ids(spans[i].extra)
	}
	return e.buf
}

func (s *Snapshot) decodeFiles(page []byte) error {
	d := decoder{buf: page}
	s.units = make([]string, d.count())
	prev := ""
	for i := range s.units {
		prev = d.prefixed(prev)
		s.units[i] = prev
	}
	n := d.count()
	s.files = make([]File, n)
	s.spans = make([]fileNodes, n)
	prev = ""
	for i := range s.files {
		f := &s.files[i]
		prev = d.prefixed(prev)
		f.ID, f.Path = FileID(i), prev
		f.Lang = s.meta.lang(d.uint())
		if u := d.uint(); u < uint64(len(s.units)) {
			f.Unit = s.units[u]
		}
		f.Node = NodeID(d.u32v())
		f.Lines = d.u32v()
		f.Size = d.u32v()
		f.Hash = d.u64()
		bits := d.uint()
		f.Test, f.Generated, f.Broken = bits&fileTest != 0, bits&fileGenerated != 0, bits&fileBroken != 0
		s.spans[i] = fileNodes{first: NodeID(d.u32v()), n: d.u32v(), extra: decodeIDs(&d)}
		if sp := s.spans[i]; uint64(sp.first)+uint64(sp.n) > uint64(s.meta.nodes) || uint32(f.Node) >= s.meta.nodes {
			d.fail()
		}
		if d.bad {
			break
		}
	}
	if d.bad {
		return fmt.Errorf("page files: %w", errPage)
	}
	return nil
}

// prefixed writes s as the number of bytes it shares with prev, and the rest.
func (e *encoder) prefixed(prev, s string) {
	n := 0
	for n < len(prev) && n < len(s) && prev[n] == s[n] {
		n++
	}
	e.uint(uint64(n))
	e.str(s[n:])
}

func (d *decoder) prefixed(prev string) string {
	n := d.uint()
	if n > uint64(len(prev)) {
		d.fail()
		return ""
	}
	return prev[:n] + d.str()
}

// ids writes node ids, usually close to each other, as differences.
func (e *encoder) ids(ids []NodeID) {
	e.uint(uint64(len(ids)))
	prev := NodeID(0)
	for _, id := range ids {
		e.int(int64(id) - int64(prev))
		prev = id
	}
}

func decodeIDs(d *decoder) []NodeID {
	n := d.count()
	if n == 0 {
		return nil
	}
	ids := make([]NodeID, n)
	prev := int64(0)
	for i := range ids {
		prev += d.int()
		ids[i] = NodeID(prev)
	}
	return ids
}

// A node record holds its children first, because they are often wanted alone.
func encodeNode(e *encoder, n *Node, children []NodeID, lang func(string) uint64) {
	kids := make([]NodeID, len(children))
	for i, c := range children {
		kids[i] = c - n.ID // wraps around for a smaller id, and back when decoded
	}
	e.ids(kids)
	e.byte(byte(n.Kind))
	e.uint(lang(n.Lang))
	e.uint(uint64(n.Flags))
	e.str(n.Module)
	e.str(n.Qual)
	if n.Parent == NoNode {
		e.int(0)
	} else {
		e.int(int64(n.Parent) - int64(n.ID)) // never 0: nothing is its own parent
	}
	e.uint(uint64(len(n.Decls)))
	for _, d := range n.Decls {
		e.uint(uint64(d.File))
		e.pos(d.Name)
		e.span(d.Full)
		e.flags(d.Flags, d.UUID)
		e.str(d.Sig)
		e.str(d.Doc)
	}
}

func (s *Snapshot) decodeChildren(d *decoder, id NodeID) []NodeID {
	ids := decodeIDs(d)
	for i := range ids {
		ids[i] += id
	}
	return ids
}

func (s *Snapshot) decodeNode(d *decoder, id NodeID) *Node {
	decodeIDs(d)
	n := &Node{ID: id, Parent: NoNode}
	n.Kind = Kind(d.byte())
	n.Lang = s.meta.lang(d.uint())
	n.Flags = Flags(d.uint())
	n.External = n.Flags&FlagExternal != 0
	n.Module = d.str()
	n.Qual = d.str()
	n.Name = n.Symbol.Name()
	if p := d.int(); p != 0 {
		n.Parent = NodeID(int64(id) + p)
	}
	n.Decls = make([]Decl, d.count())
	for i := range n.Decls {
		c := &n.Decls[i]
		c.File, c.Name, c.Full = FileID(d.u32v()), d.pos(), d.span()
		c.Flags, c.UUID = d.flags()
		c.Sig, c.Doc = d.str(), d.str()
		if int(c.File) >= len(s.files) {
			d.fail()
		}
	}
	return n
}

// Name returns the last element of the qualified name: without the mark that keeps
// same-named declarations apart ("run.step@2" is step, "init@main.go" is init), and
// without the quotes of one that is no identifier. For a package or file it is the last
// element of its path.
func (y Symbol) Name() string {
	q := y.Qual
	switch {
	case q == "":
		return y.Module[strings.LastIndexByte(y.Module, '/')+1:]
	case strings.HasPrefix(q, "init@"):
		return "init"
	case len(q) > 1 && q[len(q)-1] == '"':
		return q[strings.LastIndexByte(q[:len(q)-1], '"')+1 : len(q)-1]
	case len(q) > 1 && q[len(q)-1] == ']': // C.[Symbol.iterator]
		if i := strings.LastIndexByte(q, '['); i >= 0 {
			return q[i:]
		}
	}
	q = q[strings.LastIndexByte(q, '.')+1:]
	if i := strings.IndexByte(q, '@'); i > 0 {
		q = q[:i]
	}
	return q
}

// Edge records: the count and whether derived edges exist too, then the edges in the
// order of file and position, each relative to the one before it.
func encodeEdges(e *encoder, id NodeID, es []Edge, out, derived bool) {
	bit := uint64(0)
	if derived {
		bit = 1
	}
	e.uint(uint64(len(es))<<1 | bit)
	prev := Edge{From: id, To: id}
	for _, x := range es {
		e.byte(byte(x.Kind)<<4 | x.Flags&0xf)
		if out {
			e.int(int64(x.To) - int64(prev.To))
		} else {
			e.int(int64(x.From) - int64(prev.From))
		}
		head := uint64(0)
		if x.File != prev.File {
			head |= 1
			prev.Line = 0
		}
		if x.Len != 0 {
			head |= 2
		}
		e.uint(uint64(x.Line-prev.Line)<<2 | head)
		if x.File != prev.File {
			e.uint(uint64(x.File - prev.File))
		}
		e.uint(uint64(x.Col))
		if x.Len != 0 {
			e.uint(uint64(x.Len))
		}
		prev = x
	}
}

func decodeEdges(d *decoder, id NodeID, out bool) (es []Edge, derived bool) {
	head := d.uint()
	if head>>1 > uint64(len(d.buf)) {
		d.fail()
		return nil, false
	}
	n := int(head >> 1)
	if n == 0 {
		return nil, head&1 != 0
	}
	es = make([]Edge, n)
	prev := Edge{From: id, To: id}
	for i := range es {
		b := d.byte()
		x := Edge{Kind: EdgeKind(b >> 4), Flags: b & 0xf, From: id, To: id, File: prev.File}
		if out {
			x.To = NodeID(int64(prev.To) + d.int())
		} else {
			x.From = NodeID(int64(prev.From) + d.int())
		}
		h := d.uint()
		x.Line = uint32(h >> 2)
		if h&1 != 0 {
			x.File += FileID(d.u32v())
		} else {
			x.Line += prev.Line
		}
		x.Col = d.u32v()
		if h&2 != 0 {
			x.Len = uint16(d.uint())
		}
		es[i], prev = x, x
	}
	return es, head&1 != 0
}

func sortEdges(es []Edge) {
	sort.Slice(es, func(i, j int) bool { return edgeLess(&es[i], &es[j]) })
}

// edgeLess orders edges by place, then by everything else, so that equal sets sort alike.
func edgeLess(a, b *Edge) bool {
	if a.File != b.File {
		return a.File < b.File
	}
	if a.Pos != b.Pos {
		return a.Pos.Before(b.Pos)
	}
	if a.Kind != b.Kind {
		return a.Kind < b.Kind
	}
	if a.To != b.To {
		return a.To < b.To
	}
	return a.From < b.From
}

// encodeMissing writes the sites of one unresolved name, sorted by file and position.
func encodeMissing(e *encoder, us []Unresolved) {
	e.uint(uint64(len(us)))
	prev := FileID(0)
	for _, u := range us {
		e.uint(uint64(u.File - prev))
		prev = u.File
		e.pos(u.Pos)
		e.str(u.Reason)
	}
}

func decodeMissing(d *decoder, name string) []Unresolved {
	us := make([]Unresolved, d.count())
	prev := FileID(0)
	for i := range us {
		prev += FileID(d.u32v())
		us[i] = Unresolved{File: prev, Pos: d.pos(), Name: name, Reason: d.str()}
	}
	if d.bad {
		return nil
	}
	return us
}

// IsFormat reports whether the error says that an index was made by another version.
func IsFormat(err error) bool {
	var f *FormatError
	return errors.As(err, &f)
}
