// Package json reads and writes JSON (RFC 8259) for std.json. A document crosses the border
// between Go and Pluto as flat arrays, since Pluto alone can build objects of its classes:
//
//   - codes has two numbers for each value, parents before children: its tag and a payload;
//   - texts has the strings, in the order of the values: the keys of an object stand each
//     before the value it belongs to;
//   - floats has the floats, in the order of the values.
//
// The payload of a bool is 0 or 1, of an int its value, of an array or object the number of
// children; of others it is 0.
package json

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/rt"
)

// The tags of values, as std.json documents them.
const (
	tagNull = iota
	tagBool
	tagInt
	tagFloat
	tagString
	tagArray
	tagObject
)

// MaxDepth is how many arrays and objects may be open at once.
const MaxDepth = 10_000

// Scan appends the document to the arrays, in the form that the package describes, and
// returns "", or what is wrong with it: "unexpected end of input" when there is nothing where
// a value should start and "invalid JSON" for all else, each followed by the offset in bytes.
// After a failure the arrays hold some of the document.
func Scan(text string, codes *rt.Array[int64], floats *rt.Array[float64], texts *rt.Array[string]) string {
	s := scanner{text: text, codes: codes.S, floats: floats.S, texts: texts.S}
	s.reserve()
	s.document()
	codes.S, floats.S, texts.S = s.codes, s.floats, s.texts
	return s.problem
}

// scanner reads one document. Methods return false after they set problem.
type scanner struct {
	text    string
	at      int
	depth   int
	codes   []int64
	floats  []float64
	texts   []string
	problem string
}

// reserve makes room at once, since growing would copy more than reading does. Counting what
// starts values and strings is quick; where strings are full of such bytes, the bound holds.
func (s *scanner) reserve() {
	values := strings.Count(s.text, ",") + strings.Count(s.text, "[") + strings.Count(s.text, "{") + 1
	s.codes = slices.Grow(s.codes, 2*min(values, len(s.text)/4+1))
	s.texts = slices.Grow(s.texts, min(strings.Count(s.text, `"`)/2, len(s.text)/4+1))
}

// bad says that the document is wrong at an offset.
func (s *scanner) bad(at int, why string) bool {
	s.problem = "invalid JSON at offset " + strconv.Itoa(at) + ": " + why
	return false
}

// document is a value and nothing else.
func (s *scanner) document() bool {
	if !utf8.ValidString(s.text) {
		at := 0
		for at < len(s.text) {
			r, n := utf8.DecodeRuneInString(s.text[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		return s.bad(at, "the text is not UTF-8")
	}
	if !s.value() {
		return false
	}
	s.blanks()
	if s.at < len(s.text) {
		return s.bad(s.at, "there is more after the value")
	}
	return true
}

func (s *scanner) blanks() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// peek is the next byte after blanks, or 0 at the end; a NUL in the text is an error anywhere.
func (s *scanner) peek() byte {
	s.blanks()
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) emit(tag, payload int64) { s.codes = append(s.codes, tag, payload) }

func (s *scanner) value() bool {
	c := s.peek()
	switch {
	case s.at >= len(s.text):
		s.problem = "unexpected end of input at offset " + strconv.Itoa(s.at)
		return false
	case c == '"':
		s.emit(tagString, 0)
		return s.str()
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case c == '[':
		return s.array()
	case c == '{':
		return s.object()
	}
	for _, w := range [...]struct {
		text         string
		tag, payload int64
	}{{"true", tagBool, 1}, {"false", tagBool, 0}, {"null", tagNull, 0}} {
		if strings.HasPrefix(s.text[s.at:], w.text) {
			s.at += len(w.text)
			s.emit(w.tag, w.payload)
			return true
		}
	}
	return s.bad(s.at, "expected a value")
}

// open starts an array or object and returns the index of its count in codes.
func (s *scanner) open(tag int64) (count int, ok bool) {
	if s.depth++; s.depth > MaxDepth {
		return 0, s.bad(s.at, "more than "+strconv.Itoa(MaxDepth)+" nested arrays and objects")
	}
	s.at++
	s.emit(tag, 0)
	return len(s.codes) - 1, true
}

func (s *scanner) array() bool {
	count, ok := s.open(tagArray)
	if !ok {
		return false
	}
	if s.peek() == ']' {
		s.at++
		s.depth--
		return true
	}
	for {
		if !s.value() {
			return false
		}
		s.codes[count]++
		switch s.peek() {
		case ',':
			s.at++
		case ']':
			s.at++
			s.depth--
			return true
		default:
			return s.bad(s.at, "expected ',' or ']'")
		}
	}
}

func (s *scanner) object() bool {
	count, ok := s.open(tagObject)
	if !ok {
		return false
	}
	if s.peek() == '}' {
		s.at++
		s.depth--
		return true
	}
	for {
		if s.peek() != '"' {
			return s.bad(s.at, "expected a key")
		}
		if !s.str() {
			return false
		}
		if s.peek() != ':' {
			return s.bad(s.at, "expected ':'")
		}
		s.at++
		if !s.value() {
			return false
		}
		s.codes[count]++
		switch s.peek() {
		case ',':
			s.at++
		case '}':
			s.at++
			s.depth--
			return true
		default:
			return s.bad(s.at, "expected ',' or '}'")
		}
	}
}

// number reads a number: an int unless it has a fraction or an exponent, or does not fit.
func (s *scanner) number() bool {
	start := s.at
	if s.text[s.at] == '-' {
		s.at++
	}
	whole := s.at
	if !s.digits() {
		return false
	}
	if s.at > whole+1 && s.text[whole] == '0' {
		return s.bad(whole, "a number begins with 0")
	}
	isInt := true
	if s.at < len(s.text) && s.text[s.at] == '.' {
		isInt = false
		s.at++
		if !s.digits() {
			return false
		}
	}
	if s.at < len(s.text) && (s.text[s.at] == 'e' || s.text[s.at] == 'E') {
		isInt = false
		s.at++
		if s.at < len(s.text) && (s.text[s.at] == '+' || s.text[s.at] == '-') {
			s.at++
		}
		if !s.digits() {
			return false
		}
	}
	literal := s.text[start:s.at]
	if isInt {
		if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
			s.emit(tagInt, n)
			return true
		}
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return s.bad(start, "the number is too large")
	}
	s.emit(tagFloat, 0)
	s.floats = append(s.floats, f)
	return true
}

// digits skips one digit or more.
func (s *scanner) digits() bool {
	start := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	if s.at == start {
		return s.bad(s.at, "expected a digit")
	}
	return true
}

// str reads a string, whose opening quote is next, into texts.
func (s *scanner) str() bool {
	s.at++
	start := s.at
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			s.texts = append(s.texts, s.text[start:s.at])
			s.at++
			return true
		case c == '\\':
			return s.escaped(start)
		case c < ' ':
			return s.bad(s.at, "a control character in a string")
		}
		s.at++
	}
	return s.bad(s.at, "a string without end")
}

// escaped reads the rest of a string that has an escape at s.at.
func (s *scanner) escaped(start int) bool {
	buf := append(make([]byte, 0, s.at-start+32), s.text[start:s.at]...)
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			s.texts = append(s.texts, string(buf))
			s.at++
			return true
		case c < ' ':
			return s.bad(s.at, "a control character in a string")
		case c != '\\':
			buf = append(buf, c)
			s.at++
		default:
			var ok bool
			if buf, ok = s.escape(buf); !ok {
				return false
			}
		}
	}
	return s.bad(s.at, "a string without end")
}

// escape appends what the escape at s.at stands for.
func (s *scanner) escape(buf []byte) ([]byte, bool) {
	at := s.at
	s.at++
	if s.at >= len(s.text) {
		return buf, s.bad(s.at, "a string without end")
	}
	c := s.text[s.at]
	s.at++
	switch c {
	case '"', '\\', '/':
		return append(buf, c), true
	case 'b':
		return append(buf, '\b'), true
	case 'f':
		return append(buf, '\f'), true
	case 'n':
		return append(buf, '\n'), true
	case 'r':
		return append(buf, '\r'), true
	case 't':
		return append(buf, '\t'), true
	case 'u':
		r, ok := s.hex()
		if !ok {
			return buf, s.bad(at, "an escape needs four hex digits")
		}
		if utf16.IsSurrogate(r) {
			if !strings.HasPrefix(s.text[s.at:], `\u`) {
				return buf, s.bad(at, "half of a surrogate pair")
			}
			s.at += 2
			low, ok := s.hex()
			if !ok {
				return buf, s.bad(s.at-2, "an escape needs four hex digits")
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				return buf, s.bad(at, "half of a surrogate pair")
			}
		}
		return utf8.AppendRune(buf, r), true
	}
	return buf, s.bad(at, "an unknown escape")
}

// hex reads four hex digits; it moves only when they are there.
func (s *scanner) hex() (rune, bool) {
	if s.at+4 > len(s.text) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s.text[s.at : s.at+4]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	s.at += 4
	return r, true
}

// ParseInt reads an optional sign and decimal digits after blanks, as far as they go. What
// does not fit is the nearest int; no digits are 0.
func ParseInt(s string) int64 {
	s = strings.TrimLeft(s, " \t\n\r")
	end := 0
	if end < len(s) && (s[end] == '-' || s[end] == '+') {
		end++
	}
	for end < len(s) && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(s[:end], 10, 64)
	if err != nil && n != math.MaxInt64 && n != math.MinInt64 {
		return 0
	}
	return n
}

// ParseFloat reads a whole JSON number with blanks around it; anything else is 0, and what
// is too large is infinite.
func ParseFloat(s string) float64 {
	f, err := strconv.ParseFloat(strings.Trim(s, " \t\n\r"), 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0
	}
	return f
}
