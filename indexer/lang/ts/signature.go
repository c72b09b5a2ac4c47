package ts

import (
	"strings"
	"unicode/utf8"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
)

// maxSig bounds a signature, in bytes.
const maxSig = 200

// declarations emits one FactDecl per entry of the table, and the file's own.
func (w *walker) declarations() {
	b, t := w.b, w.table
	end := len(b.text)
	var flags graph.Flags
	if b.test {
		flags |= graph.FlagTest
	}
	if b.f.Files[0].Generated {
		flags |= graph.FlagGenerated
	}
	entry := flags
	if w.entry {
		entry |= graph.FlagEntry
	}
	b.f.Decls = append(b.f.Decls, graph.FactDecl{Sym: b.sym(t.fileSymbol()), Parent: -1, Name: graph.Pos{Line: 1, Col: 1}, Full: b.span(0, end), Flags: entry})
	for i := range t.entries {
		e := &t.entries[i]
		sym, parent := w.canonical(i)
		full := w.fullNode(e.node)
		start := tokenStart(t.sf, full)
		f := e.flags | flags
		doc := docComment(b.text, full.Pos(), start)
		if strings.Contains(doc, "@deprecated") {
			f |= graph.FlagDeprecated
		}
		if f&graph.FlagDefault != 0 && entryDefault(t.path) {
			f |= graph.FlagEntry
		}
		b.f.Decls = append(b.f.Decls, graph.FactDecl{
			Sym:    b.sym(sym),
			Parent: b.sym(parent),
			Name:   b.pos(w.nameStart(e, start)),
			Full:   b.span(start, full.End()),
			Flags:  f,
			Sig:    w.signature(e.node, full),
			Doc:    firstSentence(doc),
		})
	}
}

// fullNode is the node whose text is the whole declaration: the statement of a variable
// that is declared alone.
func (w *walker) fullNode(n *tsgo.Node) *tsgo.Node {
	if n.Kind == tsgo.KindVariableDeclaration && n.Parent.Kind == tsgo.KindVariableDeclarationList {
		if list := n.Parent; len(list.AsVariableDeclarationList().Declarations.Nodes) == 1 && list.Parent.Kind == tsgo.KindVariableStatement {
			return list.Parent
		}
	}
	if n.Kind == tsgo.KindBinaryExpression && n.Parent.Kind == tsgo.KindExpressionStatement {
		return n.Parent
	}
	return n
}

// nameStart is the offset of a declared name: of the keyword that stands for it if there is none.
func (w *walker) nameStart(e *entry, start int) int {
	if e.name != nil && e.name.Kind != tsgo.KindComputedPropertyName {
		s, _ := nameRange(w.table.sf, e.name)
		return s
	}
	if e.name != nil {
		if x := e.name.Expression(); x != nil {
			s, _ := nameRange(w.table.sf, x)
			return s
		}
	}
	word := "constructor"
	switch e.node.Kind {
	case tsgo.KindConstructor:
	case tsgo.KindBinaryExpression:
		return start
	default:
		word = "default"
		if e.base == "exports" {
			word = "export"
		}
	}
	text := w.b.text[start:e.node.End()]
	if i := strings.Index(text, word); i >= 0 && i < 4096 {
		return start + i
	}
	return start
}

// signature is the declaration in one line, without decorators, export and body.
func (w *walker) signature(n, full *tsgo.Node) string {
	start, end := tokenStart(w.table.sf, full), full.End()
	for _, m := range full.ModifierNodes() {
		switch m.Kind {
		case tsgo.KindDecorator, tsgo.KindExportKeyword, tsgo.KindDefaultKeyword, tsgo.KindDeclareKeyword:
			if start < m.End() {
				start = m.End()
			}
		}
	}
	switch n.Kind {
	case tsgo.KindClassDeclaration, tsgo.KindClassExpression, tsgo.KindInterfaceDeclaration, tsgo.KindEnumDeclaration, tsgo.KindModuleDeclaration:
		end = w.headEnd(n)
	case tsgo.KindTypeAliasDeclaration, tsgo.KindJSTypeAliasDeclaration, tsgo.KindEnumMember:
	case tsgo.KindVariableDeclaration, tsgo.KindPropertyDeclaration, tsgo.KindPropertyAssignment, tsgo.KindParameter, tsgo.KindBindingElement:
		end = w.valueEnd(initOf(n), start, end)
	case tsgo.KindBinaryExpression:
		end = w.valueEnd(n.AsBinaryExpression().Right, start, end)
	case tsgo.KindExportAssignment:
		end = w.valueEnd(n.Expression(), start, end)
	default:
		if body := bodyOf(n); body != nil {
			end = body.Pos()
		}
	}
	s := fold(w.b.text[min(start, end):end])
	s = strings.TrimRight(s, " ;,{")
	switch {
	case n.Kind == tsgo.KindBindingElement && n.Name().Kind == tsgo.KindIdentifier:
		s = keyword(tsgo.WalkUpBindingElementsAndPatterns(n).Parent) + n.Name().Text()
	case n.Kind == tsgo.KindVariableDeclaration && full == n:
		s = keyword(n.Parent) + s
	}
	return cut(s, maxSig)
}

// keyword is what declares the variables of a list.
func keyword(list *tsgo.Node) string {
	switch {
	case list.Flags&tsgo.NodeFlagsConst != 0:
		return "const "
	case list.Flags&tsgo.NodeFlagsLet != 0:
		return "let "
	}
	return "var "
}

func bodyOf(n *tsgo.Node) *tsgo.Node {
	if n.BodyData() == nil {
		return nil
	}
	return n.Body()
}

// headEnd is where the braces of a class, interface, enum or namespace open.
func (w *walker) headEnd(n *tsgo.Node) int {
	if n.Kind == tsgo.KindModuleDeclaration {
		if b := n.Body(); b != nil && b.Kind == tsgo.KindModuleBlock {
			return tokenStart(w.table.sf, b)
		}
		return n.Name().End()
	}
	at := n.Pos()
	if name := n.Name(); name != nil {
		at = name.End()
	}
	n.ForEachChild(func(c *tsgo.Node) bool {
		switch c.Kind {
		case tsgo.KindTypeParameter, tsgo.KindHeritageClause:
			at = max(at, c.End())
		}
		return false
	})
	if i := strings.IndexByte(w.b.text[at:n.End()], '{'); i >= 0 {
		return at + i
	}
	return n.End()
}

// valueEnd cuts what a variable or field is set to, unless it is short enough to tell something.
func (w *walker) valueEnd(value *tsgo.Node, start, end int) int {
	if value == nil {
		return end
	}
	switch v := unwrap(value); v.Kind {
	case tsgo.KindArrowFunction, tsgo.KindFunctionExpression:
		if body := v.Body(); body != nil {
			end = body.Pos()
			if v.Kind == tsgo.KindArrowFunction {
				if i := strings.LastIndex(w.b.text[start:end], "=>"); i > 0 {
					end = start + i
				}
			}
			return end
		}
	case tsgo.KindClassExpression:
		return w.headEnd(v)
	default:
		if isSimple(v) && v.End()-v.Pos() <= 60 {
			return value.End()
		}
	}
	end = value.Pos()
	if s := strings.TrimRight(w.b.text[start:end], " \t\r\n"); strings.HasSuffix(s, "=") || strings.HasSuffix(s, ":") {
		return start + len(s) - 1
	}
	return end
}

// fold joins lines and drops comments of the whole-line kind.
func fold(s string) string {
	if !strings.ContainsAny(s, "\n/") {
		return strings.Join(strings.Fields(s), " ")
	}
	var out strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "*") {
			continue
		}
		if i := strings.Index(line, " // "); i >= 0 {
			line = line[:i]
		}
		out.WriteString(line)
		out.WriteByte(' ')
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

func cut(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.ToValidUTF8(strings.TrimRight(s[:n], " "), "\ufffd") + "…"
}

// docComment returns the text of the last doc comment in the trivia [pos, start).
func docComment(text string, pos, start int) string {
	trivia := text[min(pos, start):start]
	i := strings.LastIndex(trivia, "/**")
	if i < 0 {
		return ""
	}
	doc := trivia[i+3:]
	if j := strings.Index(doc, "*/"); j >= 0 {
		return doc[:j]
	}
	return ""
}

// firstSentence is the first sentence of a doc comment, without markup of the comment.
func firstSentence(doc string) string {
	var out strings.Builder
	for line := range strings.SplitSeq(doc, "\n") {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimLeft(line, "*"))
		if line == "" {
			if out.Len() > 0 {
				break
			}
			continue
		}
		if strings.HasPrefix(line, "@") {
			break
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(line)
		if out.Len() > 300 {
			break
		}
	}
	s := out.String()
	for _, stop := range []string{". ", "! ", "? "} {
		if i := strings.Index(s, stop); i > 0 && !strings.HasSuffix(s[:i], "e.g") && !strings.HasSuffix(s[:i], "i.e") {
			s = s[:i+1]
		}
	}
	return cut(s, maxSig)
}

// entryDefault reports whether a framework or tool calls the default export of the file.
func entryDefault(p string) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	if strings.Contains(base, ".config.") || strings.Contains(base, ".stories.") || strings.HasPrefix(base, ".") {
		return true
	}
	for dir := range strings.SplitSeq(p, "/") {
		switch dir {
		case "pages", "app", "routes":
			return true
		}
	}
	return false
}
