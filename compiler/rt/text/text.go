// Package text has the string intrinsics in the form that their names promise: a predicate
// gives 1 or 0. Those whose form is that of a method of strings are in package rt.
package text

import (
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/rt"
)

// Contains is 1 when the needle is somewhere in s, else 0.
func Contains(s, needle string) int64 { return rt.BoolToInt(strings.Contains(s, needle)) }

// StartsWith is 1 when s begins with the prefix, else 0.
func StartsWith(s, prefix string) int64 { return rt.BoolToInt(strings.HasPrefix(s, prefix)) }

// EndsWith is 1 when s ends with the suffix, else 0.
func EndsWith(s, suffix string) int64 { return rt.BoolToInt(strings.HasSuffix(s, suffix)) }

// IsEmpty is 1 for "", else 0.
func IsEmpty(s string) int64 { return rt.BoolToInt(s == "") }

// IsWhitespace is 1 when all of s is white space, else 0.
func IsWhitespace(s string) int64 { return rt.BoolToInt(rt.StrIsWhitespace(s)) }

// Compare is -1, 0 or 1: whether a is less than, equal to or greater than b, byte by byte.
func Compare(a, b string) int64 { return int64(strings.Compare(a, b)) }

// FromCodePoint is the UTF-8 text of a code point, that of U+FFFD when there is no such.
func FromCodePoint(c int64) string {
	if c < 0 || c > utf8.MaxRune {
		c = utf8.RuneError
	}
	return string(rune(c))
}

// CodePoints are the code points of a text, U+FFFD for each byte that is not UTF-8.
func CodePoints(s string) *rt.Array[int64] {
	points := make([]int64, 0, len(s))
	for _, c := range s {
		points = append(points, int64(c))
	}
	return rt.NewArray(points...)
}

// URLDecode resolves %XX, and + as a blank. A % without two hex digits stays as it is.
func URLDecode(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			b = append(b, ' ')
		case s[i] == '%' && i+2 < len(s) && nibble(s[i+1]) >= 0 && nibble(s[i+2]) >= 0:
			b = append(b, byte(nibble(s[i+1])<<4|nibble(s[i+2])))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

func nibble(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// URLEncode writes every byte but letters, digits and -_.~ as %XX.
func URLEncode(s string) string {
	const hex = "0123456789ABCDEF"
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.~", c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}
