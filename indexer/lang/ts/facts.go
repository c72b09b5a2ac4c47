package ts

import (
	"strings"
	"unicode/utf8"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
)

// builder collects the facts of one file.
type builder struct {
	f     *graph.Facts
	text  string
	lines []int // offsets of line starts
	bom   bool
	index map[graph.Symbol]int
	edges map[edgeKey]bool
	test  bool
}

type edgeKey struct {
	pos  graph.Pos
	to   int
	kind graph.EdgeKind
}

func newBuilder(unit, text string, file graph.FactFile) *builder {
	b := &builder{
		f:     &graph.Facts{Unit: unit, Lang: "ts", Files: []graph.FactFile{file}},
		text:  text,
		lines: lineStarts(text),
		bom:   strings.HasPrefix(text, "\ufeff"),
		index: map[graph.Symbol]int{},
		edges: map[edgeKey]bool{},
		test:  file.Test,
	}
	b.f.Files[0].Lines = uint32(countLines(text))
	return b
}

func lineStarts(text string) []int {
	starts := make([]int, 1, 1+len(text)/32)
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

func countLines(text string) int {
	n := strings.Count(text, "\n")
	if len(text) > 0 && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

func (b *builder) sym(s graph.Symbol) int {
	i, ok := b.index[s]
	if !ok {
		i = len(b.f.Symbols)
		b.f.Symbols = append(b.f.Symbols, s)
		b.index[s] = i
	}
	return i
}

// line is the index of the line that holds the offset.
func (b *builder) line(off int) int {
	lo, hi := 0, len(b.lines)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; b.lines[mid] <= off {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// pos converts a byte offset.
func (b *builder) pos(off int) graph.Pos {
	off = min(off, len(b.text))
	l := b.line(off)
	col := 1 + utf8.RuneCountInString(b.text[b.lines[l]:off])
	if l == 0 && b.bom && off > 0 {
		col--
	}
	return graph.Pos{Line: uint32(l + 1), Col: uint32(col)}
}

// span converts the byte range [start, end).
func (b *builder) span(start, end int) graph.Span {
	end = max(min(end, len(b.text)), start)
	return graph.Span{
		Pos:     b.pos(start),
		EndLine: uint32(b.line(max(end-1, start)) + 1),
		Off:     uint32(start),
		End:     uint32(end),
	}
}

// edge adds one use at [start, end). A second one of the same target at the same place
// and of the same kind is dropped.
func (b *builder) edge(kind graph.EdgeKind, flags uint8, from, to graph.Symbol, start, end int) {
	if b.test {
		flags |= graph.EdgeTest
	}
	p := b.pos(start)
	t := b.sym(to)
	key := edgeKey{p, t, 0}
	if kind == graph.EdgeOverrides || kind == graph.EdgeImplements || kind == graph.EdgeExtends || kind == graph.EdgeImports {
		key.kind = kind
	}
	if b.edges[key] {
		return
	}
	b.edges[key] = true
	n := utf8.RuneCountInString(b.text[start:end])
	if n == utf8.RuneCountInString(to.Qual[strings.LastIndexByte(to.Qual, '.')+1:]) && to.Qual != "" {
		n = 0
	}
	b.f.Edges = append(b.f.Edges, graph.FactEdge{Kind: kind, Flags: flags, From: b.sym(from), To: t, Pos: p, Len: uint16(min(n, 1<<16-1))})
}

func (b *builder) miss(start int, name, reason string) {
	b.f.Missing = append(b.f.Missing, graph.FactMiss{Pos: b.pos(start), Name: name, Reason: reason})
}

func (b *builder) note(off int, text string, broken bool) {
	b.f.Notes = append(b.f.Notes, graph.Note{Pos: b.pos(off), Text: text, Broken: broken})
	if broken {
		b.f.Files[0].Broken = true
	}
}

// nameRange is where a name stands: inside the quotes of a string.
func nameRange(sf *tsgo.SourceFile, n *tsgo.Node) (start, end int) {
	start, end = tokenStart(sf, n), n.End()
	if (n.Kind == tsgo.KindStringLiteral || n.Kind == tsgo.KindNoSubstitutionTemplateLiteral) && end-start > 2 {
		return start + 1, end - 1
	}
	return start, end
}

func tokenStart(sf *tsgo.SourceFile, n *tsgo.Node) int {
	return tsgo.GetTokenPosOfNode(n, sf, false)
}
