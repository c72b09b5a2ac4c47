package pluto

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/compiler/match"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// viewRecord is what a module and its view had in common when they were last brought
// together. It is kept where it survives a clone if it can: in the PLTO file. That of a text
// module, whose text git merges anyway, is below .sett.
type viewRecord struct {
	View    string            `json:"view"`            // hash of the bytes of the .pt file
	Source  string            `json:"source"`          // hash of its text without the hints that sett wrote
	Loose   string            `json:"loose"`           // hash of what is outside of declarations and imports
	Imports []string          `json:"imports"`         // in the order of the text
	Decls   map[string]string `json:"decls,omitempty"` // hashes of the top-level declarations, by id
}

func hashBytes(data string) string {
	h := xxh3.HashString128(data).Bytes()
	return fmt.Sprintf("%x", h[:])
}

func (r *viewRecord) encode() []byte {
	data, err := json.Marshal(r)
	if err != nil {
		return nil // texts always encode
	}
	return data
}

// decodeRecord reads a record; one that cannot be read is none.
func decodeRecord(data []byte) *viewRecord {
	var r viewRecord
	if len(data) == 0 || json.Unmarshal(data, &r) != nil || r.View == "" {
		return nil
	}
	return &r
}

// side is one of two texts that go together.
type side struct {
	file  *syntax.File
	decls []*xref.Decl
	ids   map[xref.Key]uuid.UUID
	byID  map[uuid.UUID]*xref.Decl // top-level
	named map[declName]*xref.Decl  // likewise
}

type declName struct {
	kind xref.Kind
	qual string
}

func newSide(f *syntax.File, decls []*xref.Decl, ids map[xref.Key]uuid.UUID) *side {
	s := &side{file: f, decls: decls, ids: ids, byID: make(map[uuid.UUID]*xref.Decl, len(decls)), named: make(map[declName]*xref.Decl, len(decls))}
	for _, d := range decls {
		s.named[declName{d.Kind, d.Qual}] = d
		if id, ok := ids[d.Key]; ok {
			s.byID[id] = d
		}
	}
	return s
}

// record is what there is to know about a side later. view are the bytes of the .pt file.
func (s *side) record(view string) *viewRecord {
	r := &viewRecord{View: hashBytes(view), Source: hashBytes(s.file.Src.Text), Loose: s.loose(), Imports: s.imports(), Decls: make(map[string]string, len(s.decls))}
	for id, d := range s.byID {
		r.Decls[id.String()] = s.hash(d)
	}
	return r
}

// bare is the text of a declaration with its comments, without hints.
func (s *side) bare(d *xref.Decl) string {
	text := s.file.Src.Text[d.WithDoc.Start:d.WithDoc.End]
	if !strings.Contains(text, "@uuid:") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if _, is := hintLine(line); !is {
			b.WriteString(line)
		}
	}
	return strings.TrimLeft(b.String(), " \t")
}

// hash is short: it only has to tell the texts that one declaration had.
func (s *side) hash(d *xref.Decl) string {
	h := binary.BigEndian.AppendUint64(nil, xxh3.HashString(s.bare(d)))
	return fmt.Sprintf("%x", h)
}

func (s *side) imports() []string {
	out := []string{}
	for _, i := range s.file.Imports {
		out = append(out, match.ImportText(i))
	}
	return out
}

// loose is a hash of the tokens outside of imports and declarations: comments that stand
// alone, heads of groups of tests.
func (s *side) loose() string {
	var b strings.Builder
	decls, imports := s.decls, s.file.Imports
	for _, t := range s.file.Tokens {
		for len(decls) > 0 && decls[0].WithDoc.End <= t.At.Start {
			decls = decls[1:]
		}
		for len(imports) > 0 && imports[0].Span().End <= t.At.Start {
			imports = imports[1:]
		}
		switch {
		case t.Kind == syntax.NEWLINE,
			len(decls) > 0 && decls[0].WithDoc.Start <= t.At.Start,
			len(imports) > 0 && imports[0].Span().Start <= t.At.Start:
			continue
		}
		b.WriteString(strings.TrimRight(s.file.Src.Text[t.At.Start:t.At.End], " \t\r"))
		b.WriteByte('\n')
	}
	return hashBytes(b.String())
}

// merger brings together what two sides did to what they had in common.
type merger struct {
	base         *viewRecord
	mine, theirs *side
	conflicts    []string // declarations, kind before name
	frame, other *side    // the text that is built on, and the one that changes are taken from
	pieces       []piece
}

// merge makes one text of two that began as one. Changes of different declarations go
// together; the names of those that both sides changed, each in its way, come back instead.
func merge(base *viewRecord, mine, theirs *side) (string, []string) {
	m := &merger{base: base, mine: mine, theirs: theirs, frame: mine, other: theirs}
	myLoose, theirLoose := mine.loose(), theirs.loose()
	switch {
	case myLoose == theirLoose, theirLoose == base.Loose:
	case myLoose == base.Loose:
		m.frame, m.other = theirs, mine
	default:
		m.conflicts = append(m.conflicts, "comments between declarations")
	}
	for _, d := range m.frame.decls {
		m.kept(d)
	}
	for i, d := range m.other.decls {
		m.only(i, d)
	}
	m.imports()
	if len(m.conflicts) > 0 {
		slices.Sort(m.conflicts)
		return "", slices.Compact(m.conflicts)
	}
	slices.SortStableFunc(m.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.at.Start, b.at.Start), cmp.Compare(a.at.End, b.at.End))
	})
	for i, p := range m.pieces[min(1, len(m.pieces)):] {
		if m.pieces[i].at.End > p.at.Start {
			return "", []string{"lines with several declarations"}
		}
	}
	text := splice(m.frame.file.Src.Text, m.pieces)
	if f, diags := parseText(m.frame.file.Src.Name, text); !f.OK {
		line, _ := f.Src.Position(diags[0].Span.Start)
		return "", []string{fmt.Sprintf("what the two make together (line %d: %s)", line, diags[0].Message)}
	}
	return text, nil
}

func (m *merger) before(id uuid.UUID) string { return m.base.Decls[id.String()] }

// counterpart is the declaration of the other side with the same id, or, of two that are new
// on their side, with the same kind and name.
func (m *merger) counterpart(from, to *side, d *xref.Decl) *xref.Decl {
	id, ok := from.ids[d.Key]
	if o := to.byID[id]; ok && o != nil {
		return o
	}
	if ok && m.before(id) != "" {
		return nil
	}
	if o := to.named[declName{d.Kind, d.Qual}]; o != nil && m.before(to.ids[o.Key]) == "" {
		return o
	}
	return nil
}

// kept decides about a declaration of the frame.
func (m *merger) kept(d *xref.Decl) {
	o := m.counterpart(m.frame, m.other, d)
	was := m.before(m.frame.ids[d.Key])
	if o == nil {
		switch was {
		case "": // new here
		case m.frame.hash(d): // gone there
			m.pieces = append(m.pieces, piece{at: wholeLines(m.frame.file.Src.Text, d.WithDoc)})
		default:
			m.conflicts = append(m.conflicts, title(d))
		}
		return
	}
	here, there := m.frame.hash(d), m.other.hash(o)
	switch {
	case here == there, there == was:
	case here == was:
		m.pieces = append(m.pieces, piece{d.WithDoc, m.other.file.Src.Text[o.WithDoc.Start:o.WithDoc.End]})
	default:
		m.conflicts = append(m.conflicts, title(d))
	}
}

// only decides about a declaration that the frame does not have: it is new there, or gone
// here. A new one goes after the one that it comes after.
func (m *merger) only(i int, d *xref.Decl) {
	if m.counterpart(m.other, m.frame, d) != nil {
		return
	}
	switch m.before(m.other.ids[d.Key]) {
	case "":
	case m.other.hash(d):
		return
	default:
		m.conflicts = append(m.conflicts, title(d))
		return
	}
	text := m.frame.file.Src.Text
	end := newline(text)
	own := m.other.file.Src.Text[d.WithDoc.Start:d.WithDoc.End]
	for i--; i >= 0; i-- {
		if before := m.counterpart(m.other, m.frame, m.other.decls[i]); before != nil {
			at := m.after(before, d)
			if at > 0 && text[at-1] != '\n' {
				own = end + own
			} else {
				own += end
			}
			m.pieces = append(m.pieces, piece{source.Span{Start: at, End: at}, end + own})
			return
		}
	}
	at := int32(len(text))
	if len(m.frame.decls) > 0 {
		at = lineStart(text, m.frame.decls[0].WithDoc.Start)
		own += end
	} else if at > 0 && text[at-1] != '\n' {
		own = end + own
	}
	m.pieces = append(m.pieces, piece{source.Span{Start: at, End: at}, own + end})
}

// after is where something new goes that comes after a declaration: on the next line, behind
// the group of tests that the declaration is in when the new one is in none.
func (m *merger) after(before, d *xref.Decl) int32 {
	text := m.frame.file.Src.Text
	at := before.WithDoc.End
	if g := group(before); g != nil && group(d) == nil {
		at = g.Span().End
	}
	at = lineEnd(text, at)
	for _, next := range m.frame.decls {
		if next.WithDoc.Start < at && at < next.WithDoc.End {
			at = lineEnd(text, next.WithDoc.End)
		}
	}
	return at
}

// group is the `tests` that a test is in, or nil.
func group(d *xref.Decl) *syntax.TestsDecl {
	if d.Kind != xref.Test {
		return nil
	}
	for _, x := range d.File.Decls {
		if g, ok := x.(*syntax.TestsDecl); ok && g.Span().Start <= d.Full.Start && d.Full.End <= g.Span().End {
			return g
		}
	}
	return nil
}

// wholeLines widens a span to whole lines when nothing else is on them, and by the blank
// lines behind it.
func wholeLines(text string, at source.Span) source.Span {
	start, end := lineStart(text, at.Start), lineEnd(text, at.End)
	if strings.TrimSpace(text[start:at.Start])+strings.TrimSpace(text[at.End:end]) != "" {
		return at
	}
	for end < int32(len(text)) && strings.TrimSpace(text[end:lineEnd(text, end)]) == "" {
		end = lineEnd(text, end)
	}
	return source.Span{Start: start, End: end}
}

// imports takes over the imports that the other side added and removed.
func (m *merger) imports() {
	text := m.frame.file.Src.Text
	here, there := m.frame.imports(), m.other.imports()
	last := int32(-1)
	for i, imp := range m.frame.file.Imports {
		last = lineEnd(text, imp.Span().End)
		if slices.Contains(m.base.Imports, here[i]) && !slices.Contains(there, here[i]) {
			start := lineStart(text, imp.Span().Start)
			m.pieces = append(m.pieces, piece{at: source.Span{Start: start, End: last}})
		}
	}
	added := ""
	for _, s := range there {
		if !slices.Contains(m.base.Imports, s) && !slices.Contains(here, s) {
			added += s + newline(text)
		}
	}
	if added == "" {
		return
	}
	if last < 0 {
		last = int32(len(text))
		if len(m.frame.decls) > 0 {
			last = lineStart(text, m.frame.decls[0].WithDoc.Start)
		}
		added += newline(text)
	} else if text[last-1] != '\n' {
		added = newline(text) + added
	}
	m.pieces = append(m.pieces, piece{source.Span{Start: last, End: last}, added})
}

// title names a declaration as reports do: "fn add", "class P", `test "sums"`.
func title(d *xref.Decl) string {
	switch d.Kind {
	case xref.Function:
		return "fn " + d.Qual
	case xref.Extern:
		return "extern fn " + d.Qual
	case xref.Test:
		return fmt.Sprintf("test %q", d.Qual)
	}
	return d.Kind.String() + " " + d.Qual
}
