package query

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
)

// SourceArgs asks for the text of a declaration.
type SourceArgs struct {
	Selector
	Path   string `json:"path" short:"p" alias:"in" help:"which declaration: only those in this file, folder or glob"`
	Budget int    `json:"budget" default:"2000" help:"tokens that the answer may take"`
	Full   bool   `json:"-"`
}

// SetFull is for [Shaper]; the answer is the same.
func (a *SourceArgs) SetFull() { a.Full = true }

// Tokens returns the budget asked for, or the default.
func (a *SourceArgs) Tokens() int {
	if a.Budget <= 0 {
		return 2000
	}
	return a.Budget
}

// SourceResult is the text of each meaning of the name. A question never sees a disk, so
// whoever asks fills in the text with [SourceResult.Fill] before it is printed.
type SourceResult struct {
	Room
	Answers []Source `json:"answers"`
}

// Source is the text of a declaration at each place where it is declared.
type Source struct {
	Symbol Decl         `json:"symbol"`
	Texts  []SourceText `json:"texts"`
}

// A SourceText is one stretch of a file. The doc comment is part of it once it is filled.
type SourceText struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // of the first line of Text
	EndLine int    `json:"end_line"`
	Off     int    `json:"off"` // bytes; End is one past the last
	End     int    `json:"end"`
	Text    string `json:"text"`
}

var sourceSpec = define(Spec{
	Verb:    "source",
	Tool:    "get_source",
	Title:   "Source of a symbol",
	Short:   "print the source text of a symbol",
	Long:    "Use to read one declaration instead of a whole file: its source text with the doc comment, under a line that gives file and line range. budget cuts long ones.",
	Example: []string{"sett source tsdb.NewHead", "sett source Head.Append --budget 2000"},
}, source)

func source(ctx context.Context, g *graph.Snapshot, args *SourceArgs) (*SourceResult, error) {
	a := newAsker(ctx, g, args.Full)
	ts, err := a.targets(args.Selector, args.Path, maxMeanings)
	if err != nil {
		return nil, err
	}
	res := &SourceResult{Answers: []Source{}}
	for _, t := range ts {
		s := Source{Symbol: a.decl(t.id), Texts: []SourceText{}}
		s.Symbol.Namesakes = t.namesakes
		n := g.Node(t.id)
		if len(n.Decls) == 0 {
			return nil, &NotFoundError{Name: args.Symbol, Reason: fmt.Sprintf("%s is declared outside the project: no source", s.Symbol.Name)}
		}
		for i, d := range n.Decls {
			if i > 0 && n.Kind == graph.KindPackage {
				break
			}
			s.Texts = append(s.Texts, SourceText{File: a.path(d.File), Line: int(d.Full.Line), EndLine: int(d.Full.EndLine), Off: int(d.Full.Off), End: int(d.Full.End)})
		}
		res.Answers = append(res.Answers, s)
	}
	return res, a.err
}

// Fill reads the files and cuts the texts out of them, each with the comment lines right
// above it. read takes a path from the root.
func (r *SourceResult) Fill(read func(path string) ([]byte, error)) error {
	for i := range r.Answers {
		for j := range r.Answers[i].Texts {
			t := &r.Answers[i].Texts[j]
			src, err := read(t.File)
			if err != nil {
				return fmt.Errorf("reading %s: %w", t.File, err)
			}
			if t.Off > t.End || t.End > len(src) {
				return fmt.Errorf("%s is shorter than when it was indexed", t.File)
			}
			t.Off = lineStart(src, t.Off)
			for {
				off, ok := commentAbove(src, t.Off)
				if !ok {
					break
				}
				t.Line -= bytes.Count(src[off:t.Off], []byte("\n"))
				t.Off = off
			}
			t.Text = strings.ToValidUTF8(string(src[t.Off:t.End]), string(utf8.RuneError))
		}
	}
	return nil
}

// lineStart returns the beginning of the line when only blanks, or the words of an
// enclosing declaration, stand before off.
func lineStart(src []byte, off int) int {
	start := bytes.LastIndexByte(src[:off], '\n') + 1
	if before := strings.TrimSpace(string(src[start:off])); before == "" || isKeywords(before) {
		return start
	}
	return off
}

// isKeywords reports whether the text is only what may stand before a declaration that
// belongs to it: "type" before a Go type, "export default" before a class.
func isKeywords(text string) bool {
	for _, w := range strings.Fields(text) {
		switch w {
		case "type", "var", "const", "func", "export", "default", "declare", "async", "let":
		default:
			return false
		}
	}
	return true
}

// commentAbove returns the start of the comment that ends on the line before off.
func commentAbove(src []byte, off int) (int, bool) {
	if off == 0 || src[off-1] != '\n' {
		return 0, false
	}
	start := bytes.LastIndexByte(src[:off-1], '\n') + 1
	line := strings.TrimSpace(string(src[start : off-1]))
	switch {
	case strings.HasPrefix(line, "//"), strings.HasPrefix(line, "#["), strings.HasPrefix(line, "@"):
		return start, true
	case strings.HasPrefix(line, "/*") && strings.HasSuffix(line, "*/"):
		return start, true
	case strings.HasSuffix(line, "*/"):
		open := bytes.LastIndex(src[:off-1], []byte("/*"))
		if open < 0 {
			return 0, false
		}
		open0 := bytes.LastIndexByte(src[:open], '\n') + 1
		if strings.TrimSpace(string(src[open0:open])) != "" {
			return 0, false
		}
		return open0, true
	}
	return 0, false
}

// docAbove returns the comment right above a declaration without its marks.
func docAbove(src []byte, off int) string {
	end := lineStart(src, off)
	start := end
	for {
		from, ok := commentAbove(src, start)
		if !ok {
			break
		}
		start = from
	}
	var lines []string
	block := false
	for line := range strings.Lines(strings.ToValidUTF8(string(src[start:end]), string(utf8.RuneError))) {
		line = strings.TrimSpace(line)
		if !block {
			if rest, ok := strings.CutPrefix(line, "//"); ok {
				if !isDirective(rest) {
					lines = append(lines, strings.TrimPrefix(strings.TrimLeft(rest, "/!"), " "))
				}
				continue
			}
			if !strings.HasPrefix(line, "/*") {
				continue // a decorator or an attribute
			}
			block = true
			line = "*" + strings.TrimLeft(line[2:], "*!")
		}
		text, closed := strings.CutSuffix(line, "*/")
		text = strings.TrimPrefix(text, "*")
		lines = append(lines, strings.TrimRight(strings.TrimPrefix(text, " "), " *"))
		block = !closed
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// isDirective reports whether the rest of a line comment is for a tool: go:build, eslint.
func isDirective(rest string) bool {
	word, _, _ := strings.Cut(rest, " ")
	front, tool, ok := strings.Cut(word, ":")
	return ok && tool != "" && front != "" && strings.Trim(front, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}
