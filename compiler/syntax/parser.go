// Package syntax reads the text of Pluto files into trees and prints them again. [Parse]
// always gives a tree: what could not be read is a Bad node, and an error was reported.
package syntax

import (
	"slices"
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

// Limits on the shape of trees, so that whoever walks one may recurse.
const (
	maxDepth = 1000  // of brackets, blocks, prefix operators in each other
	maxChain = 10000 // of operators, selectors or else-ifs one after the other
)

// Parse reads a file. Errors go to diags; the file's OK says whether there were any.
// Trees of files with errors have no nil where a tree without errors has none: a name that
// is missing is an Ident with an empty name, what else is missing is a Bad node.
func Parse(src *source.File, diags *diag.List) *File {
	before := diags.Errors()
	p := &parser{src: src, diags: diags}
	p.text = src.Text
	l := &lexer{
		text:   src.Text,
		keep:   true,
		toks:   make([]tok, 0, len(src.Text)/4+16),
		all:    make([]Token, 0, len(src.Text)/3+16),
		errors: p.lexError,
	}
	l.lex(0, len(src.Text))
	p.toks, p.illegal = l.toks, l.illegal
	p.tok = p.toks[0]
	f := &File{Src: src, Tokens: l.all}
	p.file(f)
	f.OK = diags.Errors() == before
	return f
}

// parser reads tokens into a tree. On the first error of a statement, member or declaration
// it jumps to the end of the input, so that everything on the way unwinds by itself; who
// can recover goes back to the place of the error and on from there.
type parser struct {
	view
	src     *source.File
	diags   *diag.List
	illegal []int32 // where the lexer complained about a character

	ids     int32 // of the next expression
	depth   int
	head    bool  // brace literals are not recognised
	unit    int32 // where the innermost statement, member or declaration begins
	unwind  bool  // leave all blocks: a declaration or method begins here
	errors  int   // reported so far
	line    int   // of the last error
	inClass bool  // in a declaration that has methods

	exprs  []Expr // scratch
	stmts  []Stmt // scratch
	idents slab[Ident]
	names  slab[IdentExpr]
	calls  slab[CallExpr]
	meths  slab[MethodExpr]
	fields slab[FieldExpr]
	bins   slab[BinaryExpr]
	ints   slab[IntLit]
	strs   slab[StringLit]
	types  slab[NamedType]
	parts  slab[[1]StringPart]
}

// view is what the parser reads: the tokens of the file, or those of an interpolation.
type view struct {
	text    string
	toks    []tok
	tok     tok // toks[pos], or the end once an error was found
	pos     int
	prevEnd int32 // end of the token before, or once an error was found its place
	failed  bool
	failPos int
	quiet   bool // errors are not reported

	// Of an interpolation whose literal has escapes: the text is what the escapes say, and
	// the spans of toks are those in the file.
	offs []int32       // where each byte of text comes from in the file
	rel  []source.Span // the spans of toks in text
}

// slab allocates nodes in chunks: a tree lives and dies as one.
type slab[T any] struct {
	free []T
	size int
}

func (s *slab[T]) get() *T {
	if len(s.free) == 0 {
		s.size = min(max(8, 2*s.size), 256)
		s.free = make([]T, s.size)
	}
	x := &s.free[0]
	s.free = s.free[1:]
	return x
}

// lit is the text of a token.
func (p *parser) lit(pos int) string {
	at := p.toks[pos].at
	if p.rel != nil {
		at = p.rel[pos]
	}
	return p.text[at.Start:at.End]
}

func (p *parser) advance() {
	p.prevEnd = p.tok.at.End
	p.pos++
	p.tok = p.toks[p.pos]
}

// peek is the kind of the n-th token after the current one.
func (p *parser) peek(n int) Kind {
	if p.pos+n >= len(p.toks) {
		return EOF
	}
	return p.toks[p.pos+n].kind
}

// got consumes a token of the kind if it is there.
func (p *parser) got(k Kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advance()
	return true
}

// expect consumes a token of the kind, or fails.
func (p *parser) expect(k Kind) bool {
	if p.tok.kind == k {
		p.advance()
		return true
	}
	p.expected(k.String())
	return false
}

func (p *parser) expected(what string) {
	if !p.failed {
		p.fail(diag.UnexpectedToken, "expected %s, found %s", what, p.found())
	}
}

// found is the current token as messages spell it.
func (p *parser) found() string { return p.spell(p.pos) }

func (p *parser) spell(pos int) string {
	switch k := p.toks[pos].kind; k {
	case INT:
		v, code, _ := intValue(p.lit(pos))
		if code != "" || v < 0 {
			return p.lit(pos)
		}
		return strconv.FormatInt(v, 10)
	case FLOAT:
		return strconv.FormatFloat(floatValue(p.lit(pos)), 'f', -1, 64)
	case STRING, FSTRING, RSTRING:
		return strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(p.lit(pos))
	default:
		return k.String()
	}
}

// fail reports an error at the current token and jumps to the end.
func (p *parser) fail(code diag.Code, format string, args ...any) {
	p.failAt(p.tok.at, code, format, args...)
}

func (p *parser) failAt(at source.Span, code diag.Code, format string, args ...any) {
	if p.failed {
		return
	}
	p.reportAt(at, code, format, args...)
	p.failed, p.failPos = true, p.pos
	p.prevEnd = p.tok.at.Start // where everything that is missing is
	p.pos = len(p.toks) - 1
	p.tok = p.toks[p.pos]
}

// reportAt reports an error without failing, unless it may be the consequence of another:
// of the one before on the same line, or of one that the lexer found in the statement.
func (p *parser) reportAt(at source.Span, code diag.Code, format string, args ...any) {
	if p.quiet || p.excused(at) {
		return
	}
	if line := p.src.Line(at.Start); line != p.line {
		p.line = line
		p.errors++
		p.diags.Report(diag.PhaseSyntax, code, p.src, at, format, args...)
	}
}

// excused says whether the lexer complained about the statement that the error is in, or about
// what is before it on its line.
func (p *parser) excused(at source.Span) bool {
	if len(p.illegal) == 0 {
		return false
	}
	line := strings.LastIndexByte(p.src.Text[:p.unit], '\n') + 1
	i, _ := slices.BinarySearch(p.illegal, int32(line))
	return i < len(p.illegal) && p.illegal[i] <= at.End
}

// resume goes back to where the error was found.
func (p *parser) resume() {
	p.failed = false
	p.pos = p.failPos
	p.tok = p.toks[p.pos]
}

// enter goes one level deeper, or fails; leave must follow in both cases.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.fail(diag.NestsTooDeeply, "expression nests too deeply")
	}
	return !p.failed
}

func (p *parser) leave() { p.depth-- }

// chain complains about chains that are too long.
func (p *parser) chain(n int) {
	if n > maxChain {
		p.fail(diag.NestsTooDeeply, "expression nests too deeply")
	}
}

// start is where the current token begins; after an error, where the text before ends.
func (p *parser) start() int32 {
	if p.failed {
		return p.prevEnd
	}
	return p.tok.at.Start
}

// to is a span from start up to the last token that was read.
func (p *parser) to(start int32) base {
	return base{source.Span{Start: start, End: max(start, p.prevEnd)}}
}

// expr gives an expression from start up to here its base.
func (p *parser) ebase(start int32) ebase {
	p.ids++
	return ebase{p.to(start), p.ids - 1}
}

// ident reads a name.
func (p *parser) ident() *Ident {
	id := p.idents.get()
	if p.tok.kind != IDENT {
		p.expected("identifier")
		id.At = source.Span{Start: p.prevEnd, End: p.prevEnd}
		return id
	}
	id.At, id.Name = p.tok.at, p.lit(p.pos)
	p.advance()
	return id
}

// endStmt asks for the end of the line, of the block or of the file.
func (p *parser) endStmt() {
	if p.tok.nl || p.tok.kind == RBRACE || p.tok.kind == EOF {
		return
	}
	p.fail(diag.ExpectedNewline, "expected newline after statement")
}

func (p *parser) lexError(code diag.Code, start, end int, msg string) {
	p.diags.Report(diag.PhaseLex, code, p.src, source.Span{Start: int32(start), End: int32(end)}, "%s", msg)
}

// syncStmt skips what is left of a statement that begins at token first, up to the next
// line that can be trusted or the end of the block.
func (p *parser) syncStmt(first int) {
	p.sync(first, func(brackets) bool { return startsStmt(p.tok.kind) })
}

// syncMember does the same for a member of a declaration or an arm.
func (p *parser) syncMember(first int) {
	p.sync(first, func(open brackets) bool {
		return (p.tok.kind == FN || p.tok.kind == INVARIANT) && !slices.Contains(open, LBRACE)
	})
}

// sync stops at a line that begins outside of all brackets, at one for which sure says that
// a closing bracket must have been forgotten, and before the end of the block.
func (p *parser) sync(first int, sure func(brackets) bool) {
	p.resume()
	var open brackets
	for _, t := range p.toks[first:p.pos] {
		open.see(t.kind)
	}
	for p.tok.kind != EOF {
		if p.tok.nl || p.pos == first {
			if p.declStarts() || p.methodStarts() {
				p.unwind = true
				return
			}
			k := p.tok.kind
			if p.pos > first && (len(open) == 0 && k != RPAREN && k != RBRACKET || sure(open)) {
				return
			}
		}
		if !open.see(p.tok.kind) {
			return
		}
		p.advance()
	}
}

// brackets is the brackets that are open.
type brackets []Kind

// see takes a token in; false for a brace that closes none of the open ones. A brace closes
// what was opened after its partner, too.
func (b *brackets) see(k Kind) bool {
	switch k {
	case LPAREN, LBRACKET, LBRACE:
		*b = append(*b, k)
	case RPAREN, RBRACKET:
		if n := len(*b); n > 0 && (*b)[n-1] != LBRACE {
			*b = (*b)[:n-1]
		}
	case RBRACE:
		for n := len(*b) - 1; n >= 0; n-- {
			if (*b)[n] == LBRACE {
				*b = (*b)[:n]
				return true
			}
		}
		return false
	}
	return true
}

// startsStmt says whether a line that begins so is a statement, however unbalanced the
// brackets before it are.
func startsStmt(k Kind) bool {
	switch k {
	case LET, RETURN, WHILE, FOR, RAISE, ASSERT, BREAK, CONTINUE, SELECT:
		return true
	}
	return false
}

// declStarts says whether a top-level declaration begins at the current token, judged from
// its place at the left margin.
func (p *parser) declStarts() bool {
	if at := p.tok.at.Start; p.rel != nil || at > 0 && p.text[at-1] != '\n' {
		return false
	}
	switch p.tok.kind {
	case FN, ERROR, APP:
		return p.peek(1) == IDENT
	case CLASS, TRAIT, ENUM, EXTERN, TESTS, PUB, IMPORT, TRANSIENT, SCOPED:
		return true
	case TEST:
		return p.peek(1) == STRING
	}
	return false
}
