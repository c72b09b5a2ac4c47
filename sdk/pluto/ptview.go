package pluto

import (
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// A view is the text of a module with hints: lines `// @uuid: <id>` directly above the
// declarations. Nothing else differs, so the module's text is what is left without them.

// byteOrderMark is what some editors write first.
const byteOrderMark = "\ufeff"

// piece replaces a part of a text.
type piece struct {
	at   source.Span
	text string
}

// splice writes a text with pieces, which are in order and do not overlap.
func splice(text string, pieces []piece) string {
	if len(pieces) == 0 {
		return text
	}
	var b strings.Builder
	at := int32(0)
	for _, p := range pieces {
		b.WriteString(text[at:p.at.Start])
		b.WriteString(p.text)
		at = p.at.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// parseText reads a text under the name of a module.
func parseText(name, text string) (*syntax.File, []*diag.Diagnostic) {
	var l diag.List
	f := syntax.Parse(source.NewFile(name, "", text), &l)
	return f, l.Sorted()
}

// lineStart is where the line of an offset begins, behind a byte order mark.
func lineStart(text string, at int32) int32 {
	start := int32(strings.LastIndexByte(text[:at], '\n') + 1)
	if start == 0 && strings.HasPrefix(text, byteOrderMark) {
		return min(at, int32(len(byteOrderMark)))
	}
	return start
}

// lineEnd is where the next line begins.
func lineEnd(text string, at int32) int32 {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + int32(i) + 1
	}
	return int32(len(text))
}

// newline is how the lines of a text end: as its first one does.
func newline(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// withHints writes hints into the text of a file: above each declaration that begins a line,
// has an id, needs a hint, and has none that says so already.
func withHints(f *syntax.File, decls []*xref.Decl, ids map[xref.Key]uuid.UUID, needs func(d *xref.Decl, id, follows uuid.UUID) bool) string {
	text := f.Src.Text
	end := newline(text)
	var pieces []piece
	for d := range xref.All(decls) {
		id, ok := ids[d.Key]
		parent := uuid.Nil
		if d.Parent != nil {
			parent = ids[d.Parent.Key]
		}
		if !ok || !needs(d, id, identity.Default(d.Key, parent)) {
			continue
		}
		if has, ok := identity.Hint(d); ok && has == id {
			continue
		}
		start := lineStart(text, d.Full.Start)
		if indent := text[start:d.Full.Start]; strings.Trim(indent, " \t") == "" {
			pieces = append(pieces, piece{source.Span{Start: start, End: start}, indent + identity.HintLine(id) + end})
		}
	}
	return splice(text, pieces)
}

// inView says whether a declaration needs a hint in a view: at the top level each does, and
// members whose id does not follow from that of their owner.
func inView(d *xref.Decl, id, follows uuid.UUID) bool { return d.Parent == nil || id != follows }

// onItsOwn says whether a declaration needs a hint in a text that nothing else is known about.
func onItsOwn(d *xref.Decl, id, follows uuid.UUID) bool {
	return id != follows || misled(d, id, follows)
}

// misled says whether a declaration has a hint that is wrong.
func misled(d *xref.Decl, id, _ uuid.UUID) bool {
	has, ok := identity.Hint(d)
	return ok && has != id
}

// hint is a line above a declaration that states an id.
type hint struct {
	of   *xref.Decl
	id   uuid.UUID
	line source.Span // with its newline
}

// hintsOf are the hints of a file in the order of the text.
func hintsOf(f *syntax.File, decls []*xref.Decl) []hint {
	text := f.Src.Text
	if !strings.Contains(text, "@uuid:") {
		return nil
	}
	var out []hint
	for d := range xref.All(decls) {
		for at := lineStart(text, d.WithDoc.Start); at < d.Full.Start; {
			next := lineEnd(text, at)
			if id, ok := hintLine(text[at:next]); ok && next <= d.Full.Start {
				out = append(out, hint{d, id, source.Span{Start: at, End: next}})
			}
			at = next
		}
	}
	return out
}

func hintLine(line string) (uuid.UUID, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
	if !ok {
		return uuid.Nil, false
	}
	if rest, ok = strings.CutPrefix(strings.TrimSpace(rest), "@uuid:"); !ok {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(strings.TrimSpace(rest))
	return id, err == nil
}

// withoutHints removes the hints that drop says.
func withoutHints(f *syntax.File, hints []hint, drop func(hint) bool) string {
	var pieces []piece
	last := int32(-1)
	for _, h := range hints {
		if h.line.Start > last && drop(h) {
			pieces = append(pieces, piece{at: h.line})
			last = h.line.Start
		}
	}
	return splice(f.Src.Text, pieces)
}
