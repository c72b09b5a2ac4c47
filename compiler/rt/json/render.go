package json

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/rt"
)

// Render writes a document that is given in the form that the package describes: compact, or
// with indent > 0 over several lines, that many spaces deeper at each level. The result is
// always JSON: a float that JSON has no text for is null, and bytes of a string that are not
// UTF-8 are U+FFFD.
func Render(codes *rt.Array[int64], floats *rt.Array[float64], texts *rt.Array[string], indent int64) string {
	r := renderer{codes: codes.S, floats: floats.S, texts: texts.S}
	if indent > 0 {
		r.indent = int(min(indent, 64))
	}
	for len(r.codes) > 1 {
		r.value(0)
	}
	return string(r.buf)
}

type renderer struct {
	buf    []byte
	codes  []int64 // what is left of them
	floats []float64
	texts  []string
	indent int
}

func (r *renderer) value(depth int) {
	tag, payload := r.codes[0], r.codes[1]
	r.codes = r.codes[2:]
	switch tag {
	case tagBool:
		r.buf = strconv.AppendBool(r.buf, payload == 1)
	case tagInt:
		r.buf = strconv.AppendInt(r.buf, payload, 10)
	case tagFloat:
		r.float(next(&r.floats))
	case tagString:
		r.str(next(&r.texts))
	case tagArray:
		r.children('[', ']', payload, depth, func() { r.value(depth + 1) })
	case tagObject:
		r.children('{', '}', payload, depth, func() {
			r.str(next(&r.texts))
			r.buf = append(r.buf, ':')
			if r.indent > 0 {
				r.buf = append(r.buf, ' ')
			}
			r.value(depth + 1)
		})
	default:
		r.buf = append(r.buf, "null"...)
	}
}

// next takes the first element; there is one for each value that needs it.
func next[T any](list *[]T) T {
	first := (*list)[0]
	*list = (*list)[1:]
	return first
}

// children writes what is between two brackets, each child by one call of the function.
func (r *renderer) children(open, end byte, n int64, depth int, child func()) {
	r.buf = append(r.buf, open)
	for i := range n {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		r.line(depth + 1)
		child()
	}
	if n > 0 {
		r.line(depth)
	}
	r.buf = append(r.buf, end)
}

// line starts a line, when the document has several.
func (r *renderer) line(depth int) {
	if r.indent == 0 {
		return
	}
	r.buf = append(r.buf, '\n')
	for range depth * r.indent {
		r.buf = append(r.buf, ' ')
	}
}

// float writes 15 digits like all of Pluto, and a fraction or an exponent always, so that a
// reader takes it for a float again.
func (r *renderer) float(f float64) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		r.buf = append(r.buf, "null"...)
		return
	}
	text := strconv.FormatFloat(f, 'g', 15, 64)
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		text = strconv.FormatFloat(f, 'g', -1, 64) // rounding led past the largest float
	}
	r.buf = append(r.buf, text...)
	if !strings.ContainsAny(text, ".e") {
		r.buf = append(r.buf, ".0"...)
	}
}

const hexDigits = "0123456789abcdef"

func (r *renderer) str(s string) {
	r.buf = append(r.buf, '"')
	done := 0 // what is before it is written
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			char, n := utf8.DecodeRuneInString(s[i:])
			if char == utf8.RuneError && n == 1 {
				r.buf = append(append(r.buf, s[done:i]...), "\uFFFD"...)
				done = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		r.buf = append(append(r.buf, s[done:i]...), '\\')
		switch c {
		case '"', '\\':
			r.buf = append(r.buf, c)
		case '\b':
			r.buf = append(r.buf, 'b')
		case '\f':
			r.buf = append(r.buf, 'f')
		case '\n':
			r.buf = append(r.buf, 'n')
		case '\r':
			r.buf = append(r.buf, 'r')
		case '\t':
			r.buf = append(r.buf, 't')
		default:
			r.buf = append(r.buf, 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		done = i
	}
	r.buf = append(append(r.buf, s[done:]...), '"')
}
