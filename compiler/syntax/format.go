package syntax

import (
	"slices"
	"strings"
)

// Format lays the file out in the one way of sett fmt. The order of declarations, every
// comment, and every literal as it is spelled are kept; only blanks, line ends and optional
// commas change, so the tree stays the same. A file with syntax errors is given back as it is.
//
// It works in two passes: the layout walks the tree and says of each token how it stands to
// the one before, then the tokens are written with the comments that are between them.
func Format(f *File) string {
	if !f.OK {
		return f.Src.Text
	}
	l := newLayout(f)
	l.file(f)
	w := writer{l: l}
	w.out.Grow(len(f.Src.Text) + len(f.Src.Text)/8)
	w.write()
	return w.out.String()
}

// item is a token or a comment, and the number of line ends before it.
type item struct {
	kind  Kind
	text  string
	start int32
	lines int
}

// piece is a token, the comments before it, and how it is to be laid out.
type piece struct {
	item
	comments []item
	style    style
	indent   int // of the line, when the token begins one
}

type style uint16

const (
	breaks      style = 1 << iota // begins a line
	hangs                         // ... that continues a statement
	blankBefore                   // ... after a blank one
	noBlank                       // ... that never comes after a blank one
	tightBefore                   // no space before it
	tightAfter                    // no space after it
	spaceBefore                   // always a space before it
	angle                         // closes type arguments or parameters
	prefix                        // an operator before its operand
	dropped                       // a comma that is not printed
	comma                         // a comma comes after it
)

// layout knows the tokens of a file and how they are laid out.
type layout struct{ pieces []piece }

func newLayout(f *File) *layout {
	l := &layout{pieces: make([]piece, 0, len(f.Tokens))}
	split := map[int32]bool{} // where a >= is the end of type arguments and an =
	for _, d := range f.Decls {
		Walk(d, func(n Node) bool {
			if let, ok := n.(*LetStmt); ok && let.Type != nil {
				split[let.Type.Span().End] = true
			}
			return true
		})
	}
	var comments []item
	lines := 0
	for _, t := range f.Tokens {
		text := f.Src.Text[t.At.Start:t.At.End]
		switch {
		case t.Kind == NEWLINE:
			lines += strings.Count(text, "\n")
			continue
		case t.Kind == COMMENT:
			comments = append(comments, item{COMMENT, strings.TrimRight(text, " \t\r"), t.At.Start, lines})
		case t.Kind == GE && split[t.At.Start+1]:
			l.add(item{GT, ">", t.At.Start, lines}, comments)
			l.add(item{ASSIGN, "=", t.At.Start + 1, 0}, nil)
			comments = nil
		default:
			l.add(item{t.Kind, text, t.At.Start, lines}, comments)
			comments = nil
		}
		lines = 0
	}
	return l
}

func (l *layout) add(it item, comments []item) {
	l.pieces = append(l.pieces, piece{item: it, comments: comments})
}

// at is the first token at or after an offset.
func (l *layout) at(offset int32) int {
	i, _ := slices.BinarySearchFunc(l.pieces, offset, func(p piece, at int32) int { return int(p.start) - int(at) })
	return i
}

func (l *layout) first(n Node) int { return l.at(n.Span().Start) }
func (l *layout) last(n Node) int  { return l.at(n.Span().End) - 1 }

func (l *layout) set(i int, f style) { l.pieces[i].style |= f }

// line makes token i begin a line.
func (l *layout) line(i, indent int, f style) {
	l.pieces[i].style |= breaks | f
	l.pieces[i].indent = indent
}

// broken says whether the text has a line end or a comment before token i.
func (l *layout) broken(i int) bool { return l.pieces[i].lines > 0 || len(l.pieces[i].comments) > 0 }

// indent is where an expression stands: the indentation of its statement, and that of the
// line that it has come to.
type indent struct{ base, cur int }

// hang breaks the line before token i within a statement.
func (l *layout) hang(i int, in indent) indent {
	in.cur = in.base + 1
	l.pieces[i].style |= breaks | hangs
	l.pieces[i].indent = in.cur
	return in
}

// writer writes pieces.
type writer struct {
	l    *layout
	out  strings.Builder
	base int // indentation of the statement
}

func (w *writer) write() {
	var prev *piece
	var pending []item // comments before commas that were dropped
	for i := range w.l.pieces {
		p := &w.l.pieces[i]
		comments := p.comments
		if len(pending) > 0 {
			comments = slices.Concat(pending, comments)
		}
		if p.style&dropped != 0 {
			pending = comments
			continue
		}
		pending = nil
		w.gap(prev, p, comments)
		w.out.WriteString(p.text)
		if p.style&comma != 0 {
			w.out.WriteByte(',')
		}
		prev = p
	}
}

// gap writes what is between two tokens.
func (w *writer) gap(prev, p *piece, comments []item) {
	indent := p.indent
	closes := p.kind == RBRACE || p.kind == RPAREN || p.kind == RBRACKET
	switch {
	case p.style&hangs != 0, p.kind == EOF:
	case p.style&breaks != 0:
		w.base = indent
	case closes, p.kind == LBRACE, p.kind == ELSE, p.kind == CATCH:
		indent = w.base
	default:
		indent = w.base + 1
	}
	inner := indent // of comments
	if closes {
		inner++
	}
	first := true
	line := func(indent, lines int, token bool) {
		blank := lines > 1
		switch {
		case first && prev != nil && (prev.kind == LBRACE || prev.kind == LPAREN || prev.kind == LBRACKET):
			blank = false
		case first && p.style&blankBefore != 0:
			blank = true
		case token && (closes || p.style&breaks == 0 || p.style&hangs != 0 || first && p.style&noBlank != 0):
			blank = false
		}
		first = false
		w.newline(indent, blank)
	}
	for k, c := range comments {
		if k == 0 && c.lines == 0 && prev != nil {
			w.out.WriteByte(' ')
		} else {
			line(inner, c.lines, false)
		}
		w.out.WriteString(c.text)
	}
	switch {
	case p.kind == EOF:
		w.newline(0, false)
	case p.style&breaks != 0 || len(comments) > 0:
		line(indent, p.lines, true)
	case prev != nil && spaced(prev, p):
		w.out.WriteByte(' ')
	}
}

func (w *writer) newline(indent int, blank bool) {
	if w.out.Len() == 0 {
		return
	}
	w.out.WriteByte('\n')
	if blank {
		w.out.WriteByte('\n')
	}
	for range indent {
		w.out.WriteString("    ")
	}
}

// spaced says whether a space is between two tokens of a line.
func spaced(prev, p *piece) bool {
	if p.style&spaceBefore != 0 || prev.style&comma != 0 {
		return true
	}
	if p.style&tightBefore != 0 {
		return false
	}
	if prev.style&prefix != 0 {
		return prev.kind == MINUS && p.kind == MINUS // -- is another token
	}
	if prev.style&tightAfter != 0 {
		return false
	}
	switch p.kind {
	case COMMA, COLON, RPAREN, RBRACKET, COLONCOLON, INC, DEC, QUESTION:
		return false
	case DOT, DOTDOT, DOTDOTEQ:
		return prev.kind == FLOAT // which must not touch a dot
	case LPAREN:
		switch prev.kind {
		case IDENT, FN, SCOPE:
			return false
		}
		if prev.style&angle != 0 {
			return false
		}
	case RBRACE:
		if prev.kind == LBRACE {
			return false
		}
	}
	switch prev.kind {
	case LPAREN, LBRACKET, DOT, DOTDOT, DOTDOTEQ, COLONCOLON:
		return false
	}
	return true
}
