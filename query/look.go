package query

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
)

// A Look is what stands at a position, or what a name means.
type Look struct {
	Place                    // of the name or expression that the rest is about
	Name        string       `json:"name,omitempty"`
	Expr        string       `json:"expression,omitempty"` // when it is no name: one line of it
	Kind        string       `json:"kind"`                 // see [graph.Place]
	Within      string       `json:"within,omitempty"`     // the declaration around the place
	Type        string       `json:"type,omitempty"`       // as the language writes it
	Sig         string       `json:"signature,omitempty"`
	Value       string       `json:"value,omitempty"` // of a constant
	Doc         string       `json:"doc,omitempty"`
	Definitions []Definition `json:"definitions"` // the best first
	Checked     bool         `json:"checked"`     // the language's type checker said all this; else the graph
	Namesakes   int          `json:"namesakes"`   // weaker matches of a name that were not answered for
}

// A Definition is where something is declared. Line and column are of the declared name;
// the rest of the place is the whole declaration when the graph knows it, else the name.
// The file is absolute when it is outside the project, and empty when only the name of its
// module is known.
type Definition struct {
	Place
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Module  string `json:"module,omitempty"` // of what is outside the project
	Outside bool   `json:"outside,omitempty"`
	Handle  string `json:"handle,omitempty"` // of the declaration in the graph; only when all facts are asked for
	UUID    string `json:"uuid,omitempty"`
}

// lookArgs is what the questions about positions have in common.
type lookArgs struct {
	symbol, path string
	full         bool
}

func lookArgsOf(args any) (lookArgs, bool) {
	switch a := args.(type) {
	case *TypeArgs:
		return lookArgs{a.Symbol, a.Path, a.Full}, true
	case *DefArgs:
		return lookArgs{a.Symbol, a.Path, a.Full}, true
	}
	return lookArgs{}, false
}

// LookPlace returns the position about which the language's type checker should be asked
// for a question about a type or a definition; ok is false when the question is none of
// these or can be answered by the graph alone. The checker's answer goes to [AnswerLook].
func LookPlace(g *graph.Snapshot, args any) (file *graph.File, at graph.Pos, ok bool) {
	l, ok := lookArgsOf(args)
	if !ok {
		return nil, at, false
	}
	f, at, ok := placeOf(g, l.symbol)
	switch {
	case ok && at.Col > 0:
		return f, at, true
	case ok:
		at, ok = firstDeclared(g, f.ID, at.Line)
		return f, at, ok
	}
	ids, err := Resolve(g, Selector{Symbol: l.symbol}, l.path)
	if err != nil || len(ids) != 1 {
		return nil, at, false
	}
	n := g.Node(ids[0])
	if n.External {
		return firstUse(g, n)
	}
	if _, isType := args.(*TypeArgs); !isType || len(n.Decls) == 0 {
		return nil, at, false
	}
	// Of what has its type from its value, only the checker knows the type.
	switch n.Kind {
	case graph.KindConst, graph.KindVariable, graph.KindField, graph.KindVariant, graph.KindComponent:
		return g.File(n.Decls[0].File), n.Decls[0].Name, true
	}
	return nil, at, false
}

// placeOf reads FILE:LINE[:COL]; ok is false for anything else, and for a place that
// the project does not have. Col is 0 when it is not given.
func placeOf(g *graph.Snapshot, symbol string) (f *graph.File, at graph.Pos, ok bool) {
	m := position.FindStringSubmatch(cleanName(symbol))
	if m == nil {
		return nil, at, false
	}
	line, err1 := strconv.ParseUint(m[2], 10, 31)
	col, err2 := uint64(0), error(nil)
	if m[3] != "" {
		if col, err2 = strconv.ParseUint(m[3], 10, 31); col == 0 {
			return nil, at, false
		}
	}
	f, err3 := findFile(g, cleanName(m[1]))
	if err1 != nil || err2 != nil || err3 != nil || line == 0 || f.Lines > 0 && line > uint64(f.Lines) {
		return nil, at, false
	}
	return f, graph.Pos{Line: uint32(line), Col: uint32(col)}, true
}

// firstUse returns a position where what the project does not declare is named: only there
// can the checker tell about it.
func firstUse(g *graph.Snapshot, n *graph.Node) (f *graph.File, at graph.Pos, ok bool) {
	for _, e := range g.In(n.ID) {
		if e.Kind != graph.EdgeImports && e.Flags&graph.EdgeDerived == 0 && e.Line > 0 && e.Col > 0 {
			return g.File(e.File), e.Pos, true
		}
	}
	return nil, at, false
}

// firstDeclared returns the position of the first name that a line declares.
func firstDeclared(g *graph.Snapshot, f graph.FileID, line uint32) (at graph.Pos, ok bool) {
	for _, id := range g.InFile(f) {
		n := g.Node(id)
		if n == nil || isModule(n) {
			continue
		}
		for _, d := range n.Decls {
			if d.File == f && d.Name.Line == line && (!ok || d.Name.Before(at)) {
				at, ok = d.Name, true
			}
		}
	}
	return at, ok
}

// AnswerLook answers a question about a type or a definition from what the language's type
// checker said of the position: the result is what the question gives. file is the one that
// [LookPlace] gave for args. When place is nil because nothing is there, a question about
// that very position gets the error of [NothingAt] without the text, and any other the
// graph's answer.
func AnswerLook(ctx context.Context, g *graph.Snapshot, args any, file *graph.File, place *graph.Place) (any, error) {
	l, ok := lookArgsOf(args)
	if !ok {
		return nil, &InvalidError{"symbol", "a position is no answer to this"}
	}
	a := newAsker(ctx, g, l.full)
	var answers []Look
	if place != nil {
		answers = []Look{a.look(file, place)}
	} else {
		if f, at, ok := placeOf(g, l.symbol); ok && at.Col > 0 {
			return nil, NothingAt(g, f, at, nil)
		}
		var err error
		if answers, err = lookUp(ctx, g, l); err != nil {
			return nil, err
		}
	}
	if err := g.Err(); err != nil {
		return nil, err
	}
	budget := args.(Shaper).Tokens()
	if _, ok := args.(*TypeArgs); ok {
		return &TypeResult{Room{budget}, answers}, a.err
	}
	return &DefResult{Room{budget}, answers}, a.err
}

// look makes an answer of what a type checker said.
func (a *asker) look(file *graph.File, p *graph.Place) Look {
	l := Look{
		Place: spanPlace(file.Path, p.Span), Name: p.Name, Expr: p.Expr, Kind: p.Kind, Type: p.Type, Sig: p.Sig,
		Value: p.Value, Doc: p.Doc, Definitions: []Definition{}, Checked: true,
	}
	around := makeEnclosing(a.g, file.ID)(p.Span.Pos)
	if n := a.g.Node(around); n != nil && a.g.At(file.ID, p.Span.Pos).Decl == around {
		around = n.Parent // the place is the name of what is declared
	}
	if n := a.g.Node(around); n != nil && !isModule(n) {
		l.Within = displayName(n)
	}
	for _, d := range p.Defs {
		x := Definition{Place: spanPlace(d.File, d.Span), Name: d.Name, Kind: d.Kind, Module: d.Module, Outside: d.Outside}
		if f, ok := a.g.FileByPath(d.File); ok && !d.Outside {
			a.declared(&x, f.ID, d.Span.Pos)
		}
		l.Definitions = append(l.Definitions, x)
	}
	return l
}

// declared completes a definition with what the graph knows of it.
func (a *asker) declared(x *Definition, f graph.FileID, at graph.Pos) {
	id := a.g.At(f, at).Decl
	if id == graph.NoNode {
		return
	}
	for _, d := range a.g.Node(id).Decls {
		if d.File == f && d.Name == at {
			x.EndLine, x.Off, x.End = int(d.Full.EndLine), int(d.Full.Off), int(d.Full.End)
		}
	}
	if a.full {
		x.Handle, x.UUID = Handle(a.g, id), UUID(a.g, id)
	}
}

func spanPlace(file string, s graph.Span) Place {
	return Place{File: file, Line: int(s.Line), Col: int(s.Col), EndLine: int(s.EndLine), Off: int(s.Off), End: int(s.End)}
}

// lookUp answers from the graph alone: for names, and for languages that cannot tell more.
func lookUp(ctx context.Context, g *graph.Snapshot, args lookArgs) ([]Look, error) {
	a := newAsker(ctx, g, args.full)
	ts, err := a.targets(Selector{Symbol: args.symbol}, args.path, maxMeanings)
	if err != nil {
		return nil, err
	}
	if f, at, ok := placeOf(g, args.symbol); ok && at.Col == 0 && isModule(g.Node(ts[0].id)) {
		where := fmt.Sprintf("%s:%d", f.Path, at.Line)
		return nil, &NotFoundError{Name: args.symbol, Reason: fmt.Sprintf("nothing is declared at %s; for what is used there give a column: %s:COL", where, where)}
	}
	looks := []Look{}
	for _, t := range ts {
		looks = append(looks, a.known(t))
	}
	return looks, a.err
}

// known is what the graph knows of a declaration.
func (a *asker) known(t target) Look {
	n := a.g.Node(t.id)
	d := a.decl(t.id)
	l := Look{Name: d.Name, Kind: d.Kind, Sig: d.Sig, Doc: d.Doc, Definitions: []Definition{}, Namesakes: t.namesakes}
	if p := a.g.Node(n.Parent); n.Parent != graph.NoNode && p != nil && !isModule(p) {
		l.Within = displayName(p)
	}
	for _, p := range d.Places {
		x := Definition{Place: p, Name: d.Name, Kind: d.Kind}
		if a.full {
			x.Handle, x.UUID = d.Handle, d.UUID
		}
		l.Definitions = append(l.Definitions, x)
	}
	if d.External {
		l.Definitions = append(l.Definitions, Definition{Name: d.Name, Kind: d.Kind, Module: d.Module, Outside: true})
	}
	l.Place = l.Definitions[0].Place
	return l
}

// NothingAt is the error for a position where the language's type checker found no name and
// no expression. text, which may be nil, is the file's: with it the error says what is
// there instead.
func NothingAt(g *graph.Snapshot, file *graph.File, at graph.Pos, text []byte) error {
	where := fmt.Sprintf("%s:%d:%d", file.Path, at.Line, at.Col)
	reason := fmt.Sprintf("no name or expression at %s", where)
	if text != nil {
		if s := instead(string(text), at); s != "" {
			reason = fmt.Sprintf("%s is %s", where, s)
			if strings.HasPrefix(s, "line ") {
				reason = fmt.Sprintf("%s: %s", where, s)
			}
		}
	}
	if n := g.Node(makeEnclosing(g, file.ID)(at)); n != nil && !isModule(n) {
		r := refTo(g, n)
		reason += fmt.Sprintf("; it is within %s %s:%d", r.Name, file.Path, declLine(n, file.ID))
	}
	return &NotFoundError{Name: where, Reason: reason}
}

func declLine(n *graph.Node, f graph.FileID) uint32 {
	for _, d := range n.Decls {
		if d.File == f {
			return d.Name.Line
		}
	}
	return 0
}

// instead says what stands at a position that holds no name; "" when it cannot tell.
func instead(text string, at graph.Pos) string {
	if at.Line == 0 || at.Col == 0 {
		return ""
	}
	lines := strings.SplitAfter(text, "\n")
	if int(at.Line) > len(lines) {
		return fmt.Sprintf("line %d of %d: past the end of the file", at.Line, len(lines))
	}
	line := strings.TrimRight(lines[at.Line-1], "\r\n")
	columns := utf8.RuneCountInString(line)
	switch {
	case columns == 0:
		return "an empty line"
	case int(at.Col) > columns+1:
		return fmt.Sprintf("line %d has %s", at.Line, columnWords(columns))
	}
	off := 0
	for _, l := range lines[:at.Line-1] {
		off += len(l)
	}
	for range at.Col - 1 {
		_, n := utf8.DecodeRuneInString(text[off:])
		off += n
	}
	switch in := lexical(text, off); {
	case in != "":
		return in
	case int(at.Col) == columns+1:
		return "the end of the line"
	}
	r, _ := utf8.DecodeRuneInString(text[off:])
	if unicode.IsSpace(r) {
		return "white space"
	}
	if word := wordAt(text, off); word != "" {
		return word + ", which is no known name"
	}
	return fmt.Sprintf("%q", r)
}

// wordAt is the name around an offset, as most languages write names; "" when there is none.
func wordAt(text string, off int) string {
	no := func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	start := strings.LastIndexFunc(text[:off], no)
	if start < 0 {
		start = 0
	} else {
		_, n := utf8.DecodeRuneInString(text[start:])
		start += n
	}
	if end := strings.IndexFunc(text[off:], no); end >= 0 {
		return text[start : off+end]
	}
	return text[start:]
}

func columnWords(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

// lexical says whether an offset is in a comment or a string, as the languages that look
// like C write them; "" for neither.
func lexical(text string, off int) string {
	for i := 0; i < len(text) && i <= off; {
		end, what := i+1, ""
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "//"):
			end, what = i+until(rest, 2, "\n"), "a comment"
		case strings.HasPrefix(rest, "/*"):
			end, what = i+until(rest, 2, "*/")+2, "a comment"
		case rest[0] == '`' || rest[0] == '"' || rest[0] == '\'':
			if n := quoted(rest, rest[0] == '`'); n > 0 {
				end, what = i+n, "a string"
			}
		}
		if off < end && what != "" {
			return what
		}
		i = end
	}
	return ""
}

// until returns where the end mark stands in s behind from, or the length.
func until(s string, from int, end string) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i
	}
	return len(s)
}

// quoted returns the length of the string at the beginning of s, 0 when it is not closed.
// lines says that it may have several.
func quoted(s string, lines bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == s[0]:
			return i + 1
		case s[i] == '\n' && !lines:
			return 0
		}
	}
	return 0
}
