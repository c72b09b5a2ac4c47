package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

// tok is a token that the parser sees: comments and newlines are gone, what is left of a
// newline is the mark on the token after it.
type tok struct {
	kind  Kind
	nl    bool  // a newline is between the token before and this one
	flags uint8 // of strings: escapes, braces
	at    source.Span
}

const (
	hasEscape uint8 = 1 << iota
	hasBrace
)

// lexer cuts a range of a text into tokens.
type lexer struct {
	text   string
	toks   []tok
	all    []Token // every token, when keep is set
	keep   bool
	nl     bool
	errors func(code diag.Code, start, end int, msg string)

	illegal []int32 // offsets of what was complained about
	badLine int     // end of the line in which the last unexpected character was reported
}

// The classes of bytes.
const (
	other uint8 = iota
	blank
	lineEnd
	letter
	digit
)

var classes = func() (c [256]uint8) {
	c[' '], c['\t'] = blank, blank
	c['\n'], c['\r'] = lineEnd, lineEnd
	for b := byte('a'); b <= 'z'; b++ {
		c[b], c[b-'a'+'A'] = letter, letter
	}
	c['_'] = letter
	for b := byte('0'); b <= '9'; b++ {
		c[b] = digit
	}
	return c
}()

func isWord(c byte) bool  { return classes[c] >= letter }
func isDigit(c byte) bool { return classes[c] == digit }

// byteOrderMark is what some editors write first; it says nothing.
const byteOrderMark = "\ufeff"

// lex cuts text[lo:hi] into tokens and ends them with EOF.
func (l *lexer) lex(lo, hi int) {
	text := l.text[:hi]
	if lo == 0 && strings.HasPrefix(text, byteOrderMark) {
		lo = len(byteOrderMark)
	}
	for i := lo; i < hi; {
		start := i
		c := text[i]
		switch classes[c] {
		case blank:
			i++
		case letter:
			if (c == 'f' || c == 'r') && i+1 < hi && text[i+1] == '"' {
				if end, flags, ok := l.scanString(text, i+2, c == 'r'); ok {
					kind := FSTRING
					if c == 'r' {
						kind = RSTRING
					}
					l.add(kind, start, end, flags)
					i = end
					continue
				}
			}
			for i++; i < hi && isWord(text[i]); i++ {
			}
			l.add(Keyword(text[start:i]), start, i, 0)
		case digit:
			i = l.number(text, i)
		case lineEnd:
			if c == '\r' && (i+1 >= hi || text[i+1] != '\n') {
				l.unexpected(text, i)
				i++
				continue
			}
			i = newlineEnd(text, i)
			if l.keep {
				l.all = append(l.all, Token{NEWLINE, source.Span{Start: int32(start), End: int32(i)}})
			}
			l.nl = true
		default:
			i = l.symbol(text, i)
		}
	}
	l.add(EOF, hi, hi, 0)
}

// newlineEnd is the end of the run of line ends that begins at i.
func newlineEnd(text string, i int) int {
	end := i
	for i < len(text) {
		switch {
		case text[i] == '\n':
			i++
			end = i
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			i += 2
			end = i
		case classes[text[i]] == blank:
			i++
		default:
			return end
		}
	}
	return end
}

func (l *lexer) report(code diag.Code, start, end int, msg string) {
	l.illegal = append(l.illegal, int32(start))
	l.errors(code, start, end, msg)
}

func (l *lexer) add(kind Kind, start, end int, flags uint8) {
	at := source.Span{Start: int32(start), End: int32(end)}
	l.toks = append(l.toks, tok{kind: kind, nl: l.nl, flags: flags, at: at})
	l.nl = false
	if l.keep {
		l.all = append(l.all, Token{kind, at})
	}
}

// symbol reads a comment, a plain string, an operator or punctuation.
func (l *lexer) symbol(text string, i int) int {
	next := byte(0)
	if i+1 < len(text) {
		next = text[i+1]
	}
	kind, n := ILLEGAL, 1
	pick := func(one Kind, second byte, two Kind) {
		kind = one
		if next == second {
			kind, n = two, 2
		}
	}
	switch text[i] {
	case '/':
		if next == '/' {
			return l.comment(text, i)
		}
		pick(SLASH, '=', SLASHASSIGN)
	case '"':
		if end, flags, ok := l.scanString(text, i+1, false); ok {
			l.add(STRING, i, end, flags)
			return end
		}
		return l.unterminated(text, i)
	case '+':
		if pick(PLUS, '+', INC); n == 1 {
			pick(PLUS, '=', PLUSASSIGN)
		}
	case '-':
		if pick(MINUS, '-', DEC); n == 1 {
			if pick(MINUS, '=', MINUSASSIGN); n == 1 {
				pick(MINUS, '>', ARROW)
			}
		}
	case '*':
		pick(STAR, '=', STARASSIGN)
	case '%':
		pick(PERCENT, '=', PERCENTASSIGN)
	case '=':
		if pick(ASSIGN, '=', EQ); n == 1 {
			pick(ASSIGN, '>', FATARROW)
		}
	case '!':
		pick(NOT, '=', NE)
	case '<':
		if pick(LT, '<', SHL); n == 1 {
			pick(LT, '=', LE)
		}
	case '>':
		pick(GT, '=', GE)
	case '&':
		pick(AND, '&', ANDAND)
	case '|':
		pick(OR, '|', OROR)
	case '^':
		kind = XOR
	case '~':
		kind = TILDE
	case '(':
		kind = LPAREN
	case ')':
		kind = RPAREN
	case '{':
		kind = LBRACE
	case '}':
		kind = RBRACE
	case '[':
		kind = LBRACKET
	case ']':
		kind = RBRACKET
	case ',':
		kind = COMMA
	case ':':
		pick(COLON, ':', COLONCOLON)
	case '.':
		if pick(DOT, '.', DOTDOT); n == 2 && i+2 < len(text) && text[i+2] == '=' {
			kind, n = DOTDOTEQ, 3
		}
	case '?':
		kind = QUESTION
	default:
		return l.unexpected(text, i)
	}
	l.add(kind, i, i+n, 0)
	return i + n
}

func (l *lexer) comment(text string, i int) int {
	end := len(text)
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		end = i + n
		if text[end-1] == '\r' {
			end--
		}
	}
	if l.keep {
		l.all = append(l.all, Token{COMMENT, source.Span{Start: int32(i), End: int32(end)}})
	}
	return end
}

// scanString finds the end of a string whose text begins at i; false when it has none.
func (l *lexer) scanString(text string, i int, raw bool) (end int, flags uint8, ok bool) {
	start := i
	if raw {
		n := strings.IndexByte(text[i:], '"')
		return i + n + 1, 0, n >= 0
	}
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			if flags&hasEscape != 0 {
				unescape(text[start:i], func(from, to int, code diag.Code, msg string) {
					l.report(code, start+from, start+to, msg)
				})
			}
			return i + 1, flags, true
		case '\\':
			flags |= hasEscape
			i++
		case '{', '}':
			flags |= hasBrace
		}
	}
	return 0, 0, false
}

// unterminated complains about a quote without an end, and takes the rest of its line for
// the string that was meant.
func (l *lexer) unterminated(text string, i int) int {
	end := len(text)
	if n := strings.IndexAny(text[i:], "\r\n"); n >= 0 {
		end = i + n
	}
	l.report(diag.UnexpectedCharacter, i, i+1, `unexpected character '"'`)
	l.skip(i, end)
	l.badLine = end
	return end
}

func (l *lexer) unexpected(text string, i int) int {
	r, n := utf8.DecodeRuneInString(text[i:])
	if i >= l.badLine {
		l.report(diag.UnexpectedCharacter, i, i+n, fmt.Sprintf("unexpected character '%s'", visible(r)))
		l.badLine = len(text)
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			l.badLine = i + n
		}
	}
	l.skip(i, i+n)
	return i + n
}

// visible is a character as messages print it.
func visible(r rune) string {
	if !strconv.IsPrint(r) || r == utf8.RuneError {
		quoted := fmt.Sprintf("%q", r)
		return quoted[1 : len(quoted)-1]
	}
	return string(r)
}

// skip takes text for no token.
func (l *lexer) skip(start, end int) {
	if l.keep {
		l.all = append(l.all, Token{ILLEGAL, source.Span{Start: int32(start), End: int32(end)}})
	}
}
