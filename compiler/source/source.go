// Package source holds the text of Pluto files and turns offsets into lines and columns.
package source

import (
	"sort"
	"unicode/utf8"
)

// File is one source file. Name is how messages print it: relative to the directory the
// compiler was asked from, with slashes. It is immutable once made.
type File struct {
	Name string // as printed in messages
	Path string // where it is on disk, or "" for text that is nowhere
	Text string

	lines []int32 // offset of the first byte of each line
}

// NewFile makes a file of text.
func NewFile(name, path, text string) *File {
	f := &File{Name: name, Path: path, Text: text, lines: []int32{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			f.lines = append(f.lines, int32(i+1))
		}
	}
	return f
}

// Position turns a byte offset into a line and a column, both from 1; columns count
// Unicode code points. Offsets outside the text are taken to its nearest end.
func (f *File) Position(offset int32) (line, col int) {
	offset = max(0, min(offset, int32(len(f.Text))))
	line = f.Line(offset)
	return line, utf8.RuneCountInString(f.Text[f.lines[line-1]:offset]) + 1
}

// Line is the line of a byte offset, from 1.
func (f *File) Line(offset int32) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
}

// LineText is the text of a line (from 1) without its newline; "" when there is no such line.
func (f *File) LineText(line int) string {
	if line < 1 || line > len(f.lines) {
		return ""
	}
	end := len(f.Text)
	if line < len(f.lines) {
		end = int(f.lines[line]) - 1
	}
	text := f.Text[f.lines[line-1]:end]
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	return text
}

// Lines is the number of lines; a text that ends in a newline has an empty last one.
func (f *File) Lines() int { return len(f.lines) }

// Offset is the byte offset of a line and a column (from 1, code points), clamped to the line.
func (f *File) Offset(line, col int) int32 {
	if line < 1 {
		return 0
	}
	if line > len(f.lines) {
		return int32(len(f.Text))
	}
	text := f.LineText(line)
	at := 0
	for i := 1; i < col && at < len(text); i++ {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return f.lines[line-1] + int32(at)
}

// Span is a range of bytes of one file: from Start up to, not including, End.
type Span struct{ Start, End int32 }

// To is the span from the start of s to the end of t.
func (s Span) To(t Span) Span { return Span{s.Start, t.End} }

// Contains says whether the offset is in the span, its end included: a cursor after the
// last letter of a name is on the name.
func (s Span) Contains(offset int32) bool { return s.Start <= offset && offset <= s.End }
