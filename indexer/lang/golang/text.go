package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
)

// A parsed is a file of a source after parsing.
type parsed struct {
	file  *file
	src   []byte
	ast   *ast.File
	tf    *token.File
	base  int   // token.Pos of offset 0
	lines []int // offsets of the lines
	ascii bool
	line  int // index of the line found last
}

func newParsed(f *file, src []byte, fset *token.FileSet, tree *ast.File) *parsed {
	tf := fset.File(tree.FileStart)
	p := &parsed{file: f, src: src, ast: tree, tf: tf, base: tf.Base(), lines: tf.Lines(), ascii: true}
	for _, c := range src {
		if c >= utf8.RuneSelf {
			p.ascii = false
			break
		}
	}
	return p
}

func (p *parsed) offset(pos token.Pos) int {
	return max(0, min(int(pos)-p.base, len(p.src)))
}

// pos converts a position. Line directives do not count: it is of the file itself.
func (p *parsed) pos(at token.Pos) graph.Pos { return p.at(p.offset(at)) }

// at converts an offset.
func (p *parsed) at(off int) graph.Pos {
	l := p.line
	if !(p.lines[l] <= off && (l+1 == len(p.lines) || off < p.lines[l+1])) {
		l = sort.Search(len(p.lines), func(i int) bool { return p.lines[i] > off }) - 1
		p.line = l
	}
	start := p.lines[l]
	col := off - start
	if !p.ascii {
		if l == 0 && bytes.HasPrefix(p.src, []byte("\ufeff")) && off >= 3 {
			start = 3
		}
		col = utf8.RuneCount(p.src[start:off])
	}
	return graph.Pos{Line: uint32(l) + 1, Col: uint32(col) + 1}
}

func (p *parsed) span(from, to token.Pos) graph.Span {
	a, b := p.offset(from), p.offset(to)
	s := graph.Span{Pos: p.at(a), Off: uint32(a), End: uint32(b)}
	s.EndLine = s.Line
	if b > a {
		s.EndLine = p.at(b - 1).Line
	}
	return s
}

// text returns the source between two positions on one line.
func (p *parsed) text(from, to token.Pos) string {
	a, b := p.offset(from), p.offset(to)
	if a >= b {
		return ""
	}
	return oneLine(p.src[a:b])
}

const (
	maxSig = 200
	maxDoc = 160
)

// oneLine joins the lines of a piece of source as if it had been written on one.
func oneLine(src []byte) string {
	if bytes.IndexByte(src, '\n') < 0 && !bytes.Contains(src, []byte("/")) && len(src) <= maxSig {
		return validText(string(src))
	}
	var out []byte
	for i := 0; i < len(src) && len(out) < 2*maxSig; {
		switch c := src[i]; c {
		case ' ', '\t', '\r', '\n':
			newline := false
			for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\r' || src[i] == '\n') {
				newline = newline || src[i] == '\n'
				i++
			}
			if len(out) == 0 || i == len(src) {
				continue
			}
			last := out[len(out)-1]
			switch {
			case last == ' ':
			case newline && (last == '(' || last == '['):
			case newline && (src[i] == ')' || src[i] == ']') && last == ',':
				out = out[:len(out)-1]
			case newline && last != '{' && last != ',' && last != ';' && src[i] != '}' && src[i] != '.':
				out = append(out, ';', ' ')
			default:
				out = append(out, ' ')
			}
		case '"', '\'', '`', '/':
			end := skipToken(src, i)
			if c != '/' || end == i+1 {
				for _, c := range src[i:end] {
					out = append(out, max(c, ' ')) // a raw string may have lines
				}
			}
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return cutText(validText(string(bytes.TrimSpace(out))), maxSig)
}

func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// cutText shortens s to about limit bytes, at a space when there is one near.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(s[:cut], ' '); i > limit*3/4 {
		cut = i
	}
	return s[:cut] + "…"
}

// firstSentence returns the beginning of a doc comment, and whether it says that what
// it documents is deprecated.
func firstSentence(doc *ast.CommentGroup) (first string, deprecated bool) {
	if doc == nil {
		return "", false
	}
	text := doc.Text()
	deprecated = strings.HasPrefix(text, "Deprecated: ") || strings.Contains(text, "\n\nDeprecated: ")
	para, _, _ := strings.Cut(text, "\n\n")
	para = strings.Join(strings.Fields(para), " ")
	for i := 0; i+1 < len(para); i++ {
		if (para[i] == '.' || para[i] == '!' || para[i] == '?') && para[i+1] == ' ' && !abbreviates(para[:i]) {
			para = para[:i+1]
			break
		}
	}
	return cutText(validText(para), maxDoc), deprecated
}

// abbreviates reports whether a full stop after s does not end a sentence.
func abbreviates(s string) bool {
	word := s[strings.LastIndexAny(s, " (")+1:]
	switch word {
	case "e.g", "i.e", "etc", "vs", "cf", "resp", "approx":
		return true
	}
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z'
}
