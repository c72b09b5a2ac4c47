package refactor

import (
	"maps"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

const byteOrderMark = "\ufeff"

// lineEnd is how most lines of the text end; a newline when there is none.
func lineEnd(text string) string {
	if crlf := strings.Count(text, "\r\n"); 2*crlf > strings.Count(text, "\n") {
		return "\r\n"
	}
	return "\n"
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isSpace(c byte) bool { return isBlank(c) || c == '\r' || c == '\n' }

// lineStart is where the line of an offset begins, after a byte order mark.
func lineStart(text string, at int32) int32 {
	start := int32(strings.LastIndexByte(text[:at], '\n') + 1)
	if start == 0 && at > 0 && strings.HasPrefix(text, byteOrderMark) {
		return int32(len(byteOrderMark))
	}
	return start
}

// lineStop is where the line of an offset ends, before its line end.
func lineStop(text string, at int32) int32 {
	end := int32(len(text))
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		end = at + int32(i)
	}
	for end > at && text[end-1] == '\r' {
		end--
	}
	return end
}

// backOverBlanks and overBlanks leave out blanks before and after an offset.
func backOverBlanks(text string, at int32) int32 {
	for at > 0 && isBlank(text[at-1]) {
		at--
	}
	return at
}

func overBlanks(text string, at int32) int32 {
	for at < int32(len(text)) && isBlank(text[at]) {
		at++
	}
	return at
}

// backOverSpace and overSpace leave out line ends too.
func backOverSpace(text string, at int32) int32 {
	for at > 0 && isSpace(text[at-1]) {
		at--
	}
	return at
}

func overSpace(text string, at int32) int32 {
	for at < int32(len(text)) && isSpace(text[at]) {
		at++
	}
	return at
}

// ends is the number of line ends in a piece of text.
func ends(text string) int { return strings.Count(text, "\n") }

// indentAt is the white space that the line of an offset begins with.
func indentAt(text string, at int32) string {
	start := lineStart(text, at)
	return text[start:overBlanks(text, start)]
}

// unit is one step of indentation as the file has it: the first indented line says so.
func unit(f *syntax.File) string {
	text := f.Src.Text
	for _, d := range f.Decls {
		outer := indentAt(text, d.Span().Start)
		at := d.Span().Start
		for ends(text[at:d.Span().End]) > 0 {
			at += int32(strings.IndexByte(text[at:], '\n')) + 1
			if in := indentAt(text, at); len(in) > len(outer) && strings.HasPrefix(in, outer) {
				return in[len(outer):]
			}
		}
	}
	return "    "
}

// quoted says of offsets whether they are inside a string literal, whose text means itself.
type quoted []source.Span

func literals(f *syntax.File) quoted {
	var q quoted
	for _, t := range f.Tokens {
		switch t.Kind {
		case syntax.STRING, syntax.FSTRING, syntax.RSTRING:
			if ends(f.Src.Text[t.At.Start:t.At.End]) > 0 {
				q = append(q, t.At)
			}
		}
	}
	return q
}

func (q quoted) has(at int32) bool {
	for _, s := range q {
		if s.Start < at && at < s.End {
			return true
		}
	}
	return false
}

// layout is how inserted text is to look.
type layout struct {
	eol    string
	indent string // of its lines
	unit   string // "" to leave the steps of indentation as they are given; without both, all indentation
}

// fit lays out a piece of a parsed text: line ends and indentation as the layout says,
// white space around it dropped. Literals over several lines stay as they are.
func fit(f *syntax.File, at source.Span, l layout) string {
	text := f.Src.Text
	start, end := overSpace(text[:at.End], at.Start), backOverSpace(text, at.End)
	if start >= end {
		return ""
	}
	lines := split(text, start, end, literals(f))
	common, step := "", ""
	if l.indent != "" || l.unit != "" {
		common, step = steps(lines[1:])
	}
	var out strings.Builder
	out.WriteString(lines[0].text)
	for _, ln := range lines[1:] {
		if ln.inside {
			out.WriteString(ln.brk)
			out.WriteString(ln.text)
			continue
		}
		out.WriteString(l.eol)
		rest := strings.TrimPrefix(ln.text, common)
		if strings.TrimSpace(rest) == "" {
			continue
		}
		out.WriteString(l.indent)
		for l.unit != "" && step != "" && step != l.unit && strings.HasPrefix(rest, step) {
			out.WriteString(l.unit)
			rest = rest[len(step):]
		}
		out.WriteString(rest)
	}
	return out.String()
}

// line is a line of a text without its line end.
type line struct {
	text   string
	brk    string // the line end before it
	inside bool   // it begins inside of a literal
}

func (l line) indent() string { return l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t"))] }

// split splits a piece of text into lines.
func split(text string, start, end int32, q quoted) []line {
	var lines []line
	brk := ""
	for pos := start; ; {
		stop, next := end, end+1
		if i := strings.IndexByte(text[pos:end], '\n'); i >= 0 {
			stop = pos + int32(i)
			next = stop + 1
		}
		ln := line{text: text[pos:stop], brk: brk, inside: pos > start && q.has(pos)}
		brk = "\n"
		if strings.HasSuffix(ln.text, "\r") {
			ln.text, brk = ln.text[:len(ln.text)-1], "\r\n"
		}
		lines = append(lines, ln)
		if next > end {
			return lines
		}
		pos = next
	}
}

// steps is the indentation that lines have in common, and one step of it.
func steps(lines []line) (common, step string) {
	first := true
	for _, ln := range lines {
		if ln.inside || strings.TrimSpace(ln.text) == "" {
			continue
		}
		if first {
			common, first = ln.indent(), false
		}
		for !strings.HasPrefix(ln.indent(), common) {
			common = common[:len(common)-1]
		}
	}
	for _, ln := range lines {
		in := ln.indent()
		if ln.inside || len(in) == len(ln.text) || len(in) <= len(common) {
			continue
		}
		if more := in[len(common):]; step == "" || len(more) < len(step) {
			step = more
		}
	}
	return common, step
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
