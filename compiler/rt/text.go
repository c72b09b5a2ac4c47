package rt

import (
	"strconv"
	"strings"
)

// Strings are byte strings: every index and length counts bytes, letters are ASCII letters.
const blanks = " \t\n\r"

// StrLen is s.len().
func StrLen(s string) int64 { return int64(len(s)) }

// StrIsEmpty is s.is_empty().
func StrIsEmpty(s string) bool { return s == "" }

// StrIsWhitespace is s.is_whitespace(): true of the empty string.
func StrIsWhitespace(s string) bool { return strings.Trim(s, blanks) == "" }

// StrContains is s.contains(x).
func StrContains(s, x string) bool { return strings.Contains(s, x) }

// StrStartsWith is s.starts_with(x).
func StrStartsWith(s, x string) bool { return strings.HasPrefix(s, x) }

// StrEndsWith is s.ends_with(x).
func StrEndsWith(s, x string) bool { return strings.HasSuffix(s, x) }

// StrIndexOf is s.index_of(x).
func StrIndexOf(s, x string) int64 { return int64(strings.Index(s, x)) }

// StrLastIndexOf is s.last_index_of(x).
func StrLastIndexOf(s, x string) int64 { return int64(strings.LastIndex(s, x)) }

// StrCount is s.count(x): 0 for an empty x.
func StrCount(s, x string) int64 {
	if x == "" {
		return 0
	}
	return int64(strings.Count(s, x))
}

// StrSubstring is s.substring(start, length), both clamped; a negative start does not
// shorten the length.
func StrSubstring(s string, start, length int64) string {
	n := int64(len(s))
	start = min(max(start, 0), n)
	length = min(max(length, 0), n-start)
	return s[start : start+length]
}

// StrTrim is s.trim().
func StrTrim(s string) string { return strings.Trim(s, blanks) }

// StrTrimStart is s.trim_start().
func StrTrimStart(s string) string { return strings.TrimLeft(s, blanks) }

// StrTrimEnd is s.trim_end().
func StrTrimEnd(s string) string { return strings.TrimRight(s, blanks) }

// StrToUpper is s.to_upper().
func StrToUpper(s string) string { return mapLetters(s, 'a', 'z') }

// StrToLower is s.to_lower().
func StrToLower(s string) string { return mapLetters(s, 'A', 'Z') }

// mapLetters turns the letters between first and last to the other case.
func mapLetters(s string, first, last byte) string {
	for i := 0; i < len(s); i++ {
		if first <= s[i] && s[i] <= last {
			b := []byte(s)
			for ; i < len(b); i++ {
				if first <= b[i] && b[i] <= last {
					b[i] ^= 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

// StrReplace is s.replace(old, new): an empty old changes nothing.
func StrReplace(s, old, new string) string {
	if old == "" {
		return s
	}
	return strings.ReplaceAll(s, old, new)
}

// StrSplit is s.split(delim): empty pieces stay, an empty delim gives single bytes.
func StrSplit(s, delim string) *Array[string] {
	if delim != "" {
		return &Array[string]{S: strings.Split(s, delim)}
	}
	pieces := make([]string, len(s))
	for i := range pieces {
		pieces[i] = s[i : i+1]
	}
	return &Array[string]{S: pieces}
}

// StrJoin is the pieces with sep between them.
func StrJoin(pieces *Array[string], sep string) string { return strings.Join(pieces.S, sep) }

// StrAt is s[i] and s.char_at(i).
func StrAt(s string, i int64) string {
	if uint64(i) >= uint64(len(s)) {
		panic(stringFault{i, int64(len(s))})
	}
	return s[i : i+1]
}

// StrCode is the byte that s[i] consists of.
func StrCode(s string, i int64) byte {
	if uint64(i) >= uint64(len(s)) {
		panic(stringFault{i, int64(len(s))})
	}
	return s[i]
}

// StrByteAt is s.byte_at(i).
func StrByteAt(s string, i int64) int64 {
	if uint64(i) >= uint64(len(s)) {
		panic(byteAtFault{i, int64(len(s))})
	}
	return int64(s[i])
}

// maxString bounds what StrRepeat builds; Go's own limit is a panic with another text.
const maxString = 1 << 40

// StrRepeat is s.repeat(n).
func StrRepeat(s string, n int64) string {
	if n <= 0 || s == "" {
		return ""
	}
	if n > maxString/int64(len(s)) {
		panic(Fault("pluto: out of memory"))
	}
	return strings.Repeat(s, int(n))
}

// StrToInt is s.to_int(): none when it does not fit an int.
func StrToInt(s string) Opt[int64] {
	v, err := strconv.ParseInt(strings.Trim(s, blanks), 10, 64)
	if err != nil {
		return Opt[int64]{}
	}
	return Some(v)
}

// StrToFloat is s.to_float(): what C's strtod reads, the whole string of it. What is too
// large is infinite.
func StrToFloat(s string) Opt[float64] {
	s = strings.Trim(s, blanks)
	if strings.Contains(s, "_") {
		return Opt[float64]{}
	}
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 {
		return Opt[float64]{}
	}
	switch {
	case strings.EqualFold(digits, "nan"):
		s = "nan"
	case len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x' && !strings.ContainsAny(digits, "pP"):
		s += "p0"
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && v == 0 || v != v && s != "nan" {
		return Opt[float64]{}
	}
	return Some(v)
}

// StrToBytes is s.to_bytes(): a copy.
func StrToBytes(s string) *Bytes { return &Bytes{B: []byte(s)} }

// Quote is s between quotes with Pluto's escapes, as errors show it.
func Quote(s string) string {
	buf := []byte{'"'}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\n':
			buf = append(buf, `\n`...)
		case '\r':
			buf = append(buf, `\r`...)
		case '\t':
			buf = append(buf, `\t`...)
		case 0:
			buf = append(buf, `\0`...)
		case '"', '\\':
			buf = append(buf, '\\', c)
		default:
			buf = append(buf, c)
		}
	}
	return string(append(buf, '"'))
}
