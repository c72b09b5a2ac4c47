package diag

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/source"
)

// Style says how [Print] shows diagnostics. The zero value is one plain line for each
// diagnostic and note.
type Style struct {
	Source bool // show the line of the text with carets under the place
	Color  bool // with the escapes of terminals
}

// Print writes diagnostics as lines, in the order given:
//
//	file:line:col: error[code]: message
//	file:line:col: note: message
//
// What has no place starts with its severity.
func Print(w io.Writer, diags []*Diagnostic, style Style) error {
	var b strings.Builder
	for _, d := range diags {
		label := d.Severity.String()
		if d.Code != "" {
			label += "[" + string(d.Code) + "]"
		}
		color := red
		if d.Severity == Warning {
			color = yellow
		}
		style.write(&b, d.File, d.Span, label, color, d.Message)
		for _, n := range d.Notes {
			style.write(&b, n.File, n.Span, "note", cyan, n.Message)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// The escapes that terminals understand.
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	cyan   = "\x1b[1;36m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

func (s Style) paint(color, text string) string {
	if !s.Color {
		return text
	}
	return color + text + reset
}

// write writes one finding: its line and, when asked for, the text it is about.
func (s Style) write(b *strings.Builder, file *source.File, span source.Span, label, color, message string) {
	if file != nil {
		line, col := file.Position(span.Start)
		fmt.Fprintf(b, "%s:%d:%d: ", file.Name, line, col)
	}
	fmt.Fprintf(b, "%s: %s\n", s.paint(color, label), oneLine(message))
	if s.Source && file != nil {
		s.excerpt(b, file, span, color)
	}
}

// longest is the longest line that is shown: nobody reads more.
const longest = 400

// excerpt writes the first line of the span and carets under the part that is in it.
func (s Style) excerpt(b *strings.Builder, file *source.File, span source.Span, color string) {
	line := file.Line(span.Start)
	text := file.LineText(line)
	if len(text) > longest {
		return
	}
	start := max(0, min(int(span.Start-file.Offset(line, 1)), len(text)))
	end := max(start, min(start+int(span.End-span.Start), len(text)))
	blank := func(r rune) rune {
		if r == '\t' {
			return r // so that the carets stand below whatever a tab is wide
		}
		return ' '
	}
	number := fmt.Sprintf("%4d", line)
	margin := strings.Repeat(" ", len(number))
	carets := strings.Repeat("^", max(1, utf8.RuneCountInString(text[start:end])))
	fmt.Fprintf(b, "%s %s\n%s %s%s\n", s.paint(dim, number+" |"), text,
		s.paint(dim, margin+" |"), strings.Map(blank, text[:start]), s.paint(color, carets))
}

// oneLine keeps a message on one line: what other programs say in it may have several.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\n\r") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

// Entry is a diagnostic as JSON has it. Lines and columns are from 1, columns count code
// points, the end is exclusive; they are left out where there is no place.
type Entry struct {
	File      string      `json:"file,omitempty"`
	Line      int         `json:"line,omitempty"`
	Column    int         `json:"column,omitempty"`
	EndLine   int         `json:"endLine,omitempty"`
	EndColumn int         `json:"endColumn,omitempty"`
	Severity  string      `json:"severity"`
	Code      Code        `json:"code"`
	Message   string      `json:"message"`
	Notes     []EntryNote `json:"notes,omitempty"`
}

// EntryNote is a note as JSON has it.
type EntryNote struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// Document is what checking says, as JSON has it. Version is raised when a field changes
// its meaning or goes away.
type Document struct {
	Version     int     `json:"version"`
	OK          bool    `json:"ok"` // there is no error
	Errors      int     `json:"errors"`
	Warnings    int     `json:"warnings"`
	Diagnostics []Entry `json:"diagnostics"`
}

// NewDocument makes the document of diagnostics, in the order given.
func NewDocument(diags []*Diagnostic) Document {
	doc := Document{Version: 1, Diagnostics: make([]Entry, 0, len(diags))}
	for _, d := range diags {
		e := Entry{Severity: d.Severity.String(), Code: d.Code, Message: d.Message}
		if d.File != nil {
			e.File = d.File.Name
			e.Line, e.Column = d.File.Position(d.Span.Start)
			e.EndLine, e.EndColumn = d.File.Position(d.Span.End)
		}
		for _, n := range d.Notes {
			note := EntryNote{Message: n.Message}
			if n.File != nil {
				note.File = n.File.Name
				note.Line, note.Column = n.File.Position(n.Span.Start)
			}
			e.Notes = append(e.Notes, note)
		}
		if d.Severity == Error {
			doc.Errors++
		} else {
			doc.Warnings++
		}
		doc.Diagnostics = append(doc.Diagnostics, e)
	}
	doc.OK = doc.Errors == 0
	return doc
}

// PrintJSON writes the [Document] of diagnostics.
func PrintJSON(w io.Writer, diags []*Diagnostic) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(NewDocument(diags))
}
