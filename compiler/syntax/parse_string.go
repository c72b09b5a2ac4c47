package syntax

import (
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

// stringLit reads a string literal of any form.
func (p *parser) stringLit() Expr {
	t, lit := p.tok, p.lit(p.pos)
	x := p.strs.get()
	x.base = base{t.at}
	switch t.kind {
	case FSTRING:
		x.Kind = FString
	case RSTRING:
		x.Kind = RawString
	}
	prefix := 1
	if x.Kind != PlainString {
		prefix = 2
	}
	raw := lit[prefix : len(lit)-1]
	switch {
	case raw == "":
	case x.Kind == RawString || t.flags == 0:
		part := p.parts.get()
		part[0] = StringPart{At: source.Span{Start: t.at.Start + int32(prefix), End: t.at.End - 1}, Text: raw}
		x.Parts = part[:]
	default:
		x.Parts = p.stringParts(p.contents(prefix, raw, t.flags), x.Kind)
	}
	p.advance()
	x.id = p.ids
	p.ids++
	return x
}

// stringText is the text of a plain or raw string whose braces mean nothing.
func (p *parser) stringText() string {
	lit, kind := p.lit(p.pos), p.tok.kind
	p.advance()
	if kind == RSTRING {
		return lit[2 : len(lit)-1]
	}
	return unescape(lit[1:len(lit)-1], nil).text
}

// contents is what a string literal says and where each byte of it is in the file.
type contents struct {
	text string
	lo   int     // offset of text in the parser's text, when no escape is in it
	offs []int32 // else where each byte of it comes from in the file
}

func (p *parser) contents(prefix int, raw string, flags uint8) contents {
	at := p.tok.at
	if p.rel != nil {
		at = p.rel[p.pos]
	}
	lo := int(at.Start) + prefix
	if flags&hasEscape == 0 {
		return contents{raw, lo, nil}
	}
	u := unescape(raw, nil)
	for i, off := range u.offs {
		u.offs[i] = p.origin(lo + int(off))
	}
	return contents{u.text, 0, u.offs}
}

// origin is the offset in the file of an offset in the parser's text.
func (p *parser) origin(i int) int32 {
	if p.offs != nil {
		return p.offs[i]
	}
	return int32(i)
}

// span is the place in the file of s.text[i:j].
func (p *parser) spanOf(s contents, i, j int) source.Span {
	if s.offs != nil {
		return source.Span{Start: s.offs[i], End: s.offs[j]}
	}
	return source.Span{Start: p.origin(s.lo + i), End: p.origin(s.lo + j)}
}

// brace is a literal brace in a plain string that is not closed yet.
type brace bool

const (
	single brace = false // {
	double brace = true  // {{
)

// stringParts splits the text of a literal at its interpolations.
//
// In a plain string a brace that does not open an expression is text and so is the one
// that closes it, even where two of those meet: "{"a":{"b":1}}" is JSON and stays it.
func (p *parser) stringParts(s contents, kind StringKind) []StringPart {
	var parts []StringPart
	var text strings.Builder
	from := 0 // of the pending text
	flush := func(to int) {
		if text.Len() > 0 {
			parts = append(parts, StringPart{At: p.spanOf(s, from, to), Text: text.String()})
			text.Reset()
		}
	}
	var open []brace
	var ends map[int]int
	for i := 0; i < len(s.text); {
		c := s.text[i]
		twice := i+1 < len(s.text) && s.text[i+1] == c
		switch {
		case c == '{' && twice:
			text.WriteByte('{')
			open = append(open, double)
			i += 2
		case c == '{':
			if ends == nil {
				ends = closers(s.text)
			}
			var x Expr
			end, ok := ends[i]
			if kind == FString {
				if !ok {
					p.reportAt(p.spanOf(s, i, i+1), diag.UnterminatedInterpolation, "unterminated interpolation expression")
					flush(i)
					return parts
				}
				x = p.interpolation(s, i+1, end, false)
			} else if ok && i+1 < end && classes[s.text[i+1]] == letter {
				x = p.interpolation(s, i+1, end, true)
			}
			if x == nil {
				text.WriteByte('{')
				open = append(open, single)
				i++
				continue
			}
			flush(i)
			parts = append(parts, StringPart{At: p.spanOf(s, i, end+1), X: x})
			i = end + 1
			from = i
		case c == '}':
			top := double
			if n := len(open); n > 0 {
				top = open[n-1]
				open = open[:n-1]
			}
			text.WriteByte('}')
			i++
			switch {
			case twice && (kind == FString || top == double):
				i++
			case kind == FString:
				p.reportAt(p.spanOf(s, i-1, i), diag.LoneBrace, "unexpected '}' in string literal (use '}}' for literal brace)")
			}
		default:
			n := strings.IndexAny(s.text[i:], "{}")
			if n < 0 {
				n = len(s.text) - i
			}
			text.WriteString(s.text[i : i+n])
			i += n
		}
	}
	flush(len(s.text))
	return parts
}

// maxBraces bounds how deep the braces in an interpolation nest, so that looking for
// interpolations in a plain string takes linear time.
const maxBraces = 100

// closers finds for each opening brace the one that closes it, by plain counting. A brace
// around more than maxBraces levels has none.
func closers(text string) map[int]int {
	type opening struct{ at, height int }
	ends := map[int]int{}
	var open []opening
	for i := range len(text) {
		switch text[i] {
		case '{':
			open = append(open, opening{i, 0})
		case '}':
			n := len(open) - 1
			if n < 0 {
				continue
			}
			o := open[n]
			open = open[:n]
			if o.height < maxBraces {
				ends[o.at] = i
			}
			if n > 0 {
				open[n-1].height = max(open[n-1].height, o.height+1)
			}
		}
	}
	return ends
}

// interpolation parses s.text[i:j] as one expression. A tentative one that is none gives nil.
func (p *parser) interpolation(s contents, i, j int, tentative bool) Expr {
	saved, ids, head, unwind := p.view, p.ids, p.head, p.unwind
	quiet := saved.quiet || tentative
	v := view{text: s.text, quiet: quiet, offs: s.offs, prevEnd: p.spanOf(s, i, i).Start}
	bad := false
	l := &lexer{text: s.text, errors: func(code diag.Code, start, end int, msg string) {
		if bad = true; !quiet {
			p.reportAt(p.spanOf(s, start, end), code, "%s", msg)
		}
	}}
	lo, hi := i, j
	if s.offs == nil {
		l.text, v.text, v.offs = p.text, p.text, p.offs
		lo, hi = lo+s.lo, hi+s.lo
		s.lo = 0
	}
	l.lex(lo, hi)
	v.toks = l.toks
	if v.offs != nil {
		v.rel = make([]source.Span, len(v.toks))
		for i := range v.toks {
			t := &v.toks[i]
			v.rel[i] = t.at
			t.at = p.spanOf(s, int(t.at.Start), int(t.at.End))
		}
	}
	v.tok = v.toks[0]
	p.view, p.head = v, false
	var x Expr
	switch {
	case bad:
		x = p.badExpr()
	case tentative && p.tok.kind != IDENT && p.tok.kind != SELF:
		p.failed = true
	default:
		x = p.expr()
		if !p.failed && p.tok.kind != EOF {
			p.fail(diag.InterpolationTokens, "unexpected tokens in interpolation expression")
		}
	}
	failed := p.failed || bad
	p.view, p.head, p.unwind = saved, head, unwind
	if tentative && failed {
		p.ids = ids
		return nil
	}
	return x
}
