package syntax

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/diag"
)

// number reads an integer or a float at i and gives its end.
func (l *lexer) number(text string, i int) int {
	start := i
	if text[i] == '0' && i+1 < len(text) && strings.IndexByte("xXbB", text[i+1]) >= 0 {
		for i += 2; i < len(text) && isWord(text[i]); i++ {
		}
		l.integer(text, start, i)
		return i
	}
	digits := func(i int) int {
		for i < len(text) && (isDigit(text[i]) || text[i] == '_') {
			i++
		}
		return i
	}
	at := func(i int) byte {
		if i < len(text) {
			return text[i]
		}
		return 0
	}
	i = digits(i)
	float := false
	if at(i) == '.' && isDigit(at(i+1)) {
		float = true
		i = digits(i + 1)
	}
	if c := at(i); c == 'e' || c == 'E' {
		j := i + 1
		if c := at(j); c == '+' || c == '-' {
			j++
		}
		if isDigit(at(j)) {
			float = true
			i = digits(j)
		}
	}
	if !float {
		l.integer(text, start, i)
		return i
	}
	if at(i) == '.' {
		l.report(diag.InvalidNumber, start, i+1, "invalid number format: multiple decimal points")
		for i < len(text) && (isWord(text[i]) || text[i] == '.') {
			i++
		}
	}
	l.add(FLOAT, start, i, 0)
	return i
}

// integer adds the integer text[start:end] after a look at its value.
func (l *lexer) integer(text string, start, end int) {
	if end-start > 18 || text[start] == '0' && end-start > 1 {
		if _, code, msg := intValue(text[start:end]); code != "" {
			l.report(code, start, end, msg)
		}
	}
	l.add(INT, start, end, 0)
}

// intValue is the value of an integer literal, 2^63 wrapped to the smallest int, or what is
// wrong with it.
func intValue(text string) (value int64, code diag.Code, msg string) {
	digits, base := text, 10
	if len(text) > 1 && text[0] == '0' {
		switch text[1] {
		case 'x', 'X':
			digits, base = text[2:], 16
		case 'b', 'B':
			digits, base = text[2:], 2
		}
	}
	if base == 2 {
		if digits == "" {
			return 0, diag.BinaryDigits, "expected digits after binary prefix: " + text
		}
		if strings.Trim(digits, "01_") != "" {
			return 0, diag.BinaryDigits, "invalid digit in binary literal: " + text
		}
	}
	tooLarge := "integer literal too large to represent: " + text
	if base != 10 && (digits == "" || digits[0] == '_' || digits[len(digits)-1] == '_') {
		return 0, diag.IntTooLarge, tooLarge
	}
	plain := strings.ReplaceAll(digits, "_", "")
	if n, err := strconv.ParseUint(plain, base, 64); err == nil && n <= 1<<63 {
		return int64(n), "", ""
	}
	n, ok := new(big.Int).SetString(plain, base)
	if !ok || n.BitLen() > 128 {
		return 0, diag.IntTooLarge, tooLarge
	}
	return 0, diag.IntOutOfRange, fmt.Sprintf("integer literal out of range: %s (must be between %d and %d)", n, math.MinInt64, math.MaxInt64)
}

// floatValue is the value of a float literal; what is too large is infinite.
func floatValue(text string) float64 {
	if strings.IndexByte(text, '_') >= 0 {
		text = strings.ReplaceAll(text, "_", "")
	}
	v, _ := strconv.ParseFloat(text, 64) // out of range gives infinity, which is what is meant
	return v
}

// unescaped is the text that escapes in a string literal say.
type unescaped struct {
	text string
	offs []int32 // where each byte of text comes from in the literal's raw text, and at last its end
}

// unescape resolves the escapes of the raw text between the quotes. What is no escape is
// reported, when someone wants to know, and kept as it is.
func unescape(raw string, report func(start, end int, code diag.Code, msg string)) unescaped {
	var b strings.Builder
	b.Grow(len(raw))
	offs := make([]int32, 0, len(raw)+1)
	put := func(s string, at int) {
		b.WriteString(s)
		for range len(s) {
			offs = append(offs, int32(at))
		}
	}
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			offs = append(offs, int32(i))
			i++
			continue
		}
		text, n, code, msg := escape(raw[i:])
		if code != "" {
			if report != nil {
				report(i, i+n, code, msg)
			}
			text = raw[i : i+n]
		}
		put(text, i)
		i += n
	}
	return unescaped{b.String(), append(offs, int32(len(raw)))}
}

// escape reads the escape that s begins with: its text and length, or what is wrong.
func escape(s string) (text string, n int, code diag.Code, msg string) {
	if len(s) < 2 {
		return "", 1, diag.UnknownEscape, "unexpected backslash at end of string"
	}
	switch s[1] {
	case 'n':
		return "\n", 2, "", ""
	case 'r':
		return "\r", 2, "", ""
	case 't':
		return "\t", 2, "", ""
	case '\\':
		return "\\", 2, "", ""
	case '"':
		return "\"", 2, "", ""
	case '0':
		return "\x00", 2, "", ""
	case 'x':
		return hexEscape(s)
	case 'u':
		return unicodeEscape(s)
	}
	r, size := utf8.DecodeRuneInString(s[1:])
	return "", 1 + size, diag.UnknownEscape, fmt.Sprintf(`unknown escape sequence '\%s'`, visible(r))
}

func hexEscape(s string) (text string, n int, code diag.Code, msg string) {
	n = 2
	for n < len(s) && n < 4 && isHex(s[n]) {
		n++
	}
	if n == 4 {
		v, _ := strconv.ParseUint(s[2:4], 16, 8) // two hex digits always parse
		return string(rune(v)), n, "", ""
	}
	found, end := "", 2
	for range 2 {
		r, size := utf8.DecodeRuneInString(s[end:])
		if size > 0 {
			found += visible(r)
			end += size
		}
	}
	return "", n, diag.HexEscape, fmt.Sprintf(`invalid hex escape: expected 2 hex digits after \x, found '%s'`, found)
}

func unicodeEscape(s string) (text string, n int, code diag.Code, msg string) {
	bad := func(n int, format string, args ...any) (string, int, diag.Code, string) {
		return "", n, diag.UnicodeEscape, "invalid unicode escape: " + fmt.Sprintf(format, args...)
	}
	if len(s) < 3 || s[2] != '{' {
		return bad(2, `expected '{' after \u`)
	}
	end := 3
	for end < len(s) && isHex(s[end]) {
		end++
	}
	hex := s[3:end]
	switch {
	case len(hex) > 6:
		return bad(end, "too many hex digits (max 6)")
	case end == len(s):
		return bad(end, "missing closing '}'")
	case s[end] != '}':
		r, size := utf8.DecodeRuneInString(s[end:])
		return bad(end+size, "unexpected character '%s'", visible(r))
	case hex == "":
		return bad(end+1, `empty \u{}`)
	}
	v, _ := strconv.ParseUint(hex, 16, 32) // at most six hex digits always parse
	switch {
	case 0xD800 <= v && v <= 0xDFFF:
		return bad(end+1, "U+%04X is a surrogate codepoint", v)
	case v > utf8.MaxRune:
		return bad(end+1, "U+%04X is not a valid Unicode codepoint", v)
	}
	return string(rune(v)), end + 1, "", ""
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
