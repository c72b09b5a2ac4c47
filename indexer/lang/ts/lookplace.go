package ts

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/microsoft/typescript-go/sett"
	"github.com/microsoft/typescript-go/sett/service"
	"github.com/settgraph/sett/graph"
)

// maxExpr is how much of an expression is shown.
const maxExpr = 120

// placer describes one position.
type placer struct {
	ctx    context.Context
	s      *lookState
	svc    *service.Service
	prog   *tsgo.Program
	sf     *tsgo.SourceFile
	b      *builder
	texts  map[string]*builder // virtual path -> positions in that file
	tables map[string]*fileTable
}

// place describes what stands at an offset: a name, else the innermost expression.
func (w *placer) place(off int) (*graph.Place, error) {
	if p := w.directive(off); p != nil {
		return p, nil
	}
	n := w.svc.Node(w.sf, off)
	if n == nil || !tsgo.IsTokenKind(n.Kind) || n.Kind == tsgo.KindEndOfFile || n.Kind == tsgo.KindJsxText {
		return nil, nil
	}
	start, end := tokenStart(w.sf, n), n.End()
	if off < start || off > end || start == end {
		return nil, nil
	}
	hover, err := w.svc.Hover(w.ctx, w.sf, off)
	if err != nil {
		return nil, err
	}
	targets, err := w.svc.Definitions(w.ctx, w.sf, off)
	if err != nil {
		return nil, err
	}
	if hover.Text == "" && len(targets) == 0 && !isName(n) {
		return w.expression(n), nil
	}
	if own, ok := strings.CutPrefix(hover.Text, "(property) "); ok && n.Kind == tsgo.KindIdentifier && len(targets) == 0 && tsgo.IsExpressionNode(n) && !(n.Parent.Kind == tsgo.KindPropertyAccessExpression && n.Parent.Name() == n) {
		hover.Text = builtinMark + own // the service takes undefined and its like for properties
	}
	p := &graph.Place{Span: w.b.span(start, end), Sig: oneLine(hover.Text), Doc: hover.Doc}
	if isName(n) {
		start, end = nameRange(w.sf, n)
		p.Span, p.Name = w.b.span(start, end), n.Text()
	} else {
		p.Expr = w.text(n)
	}
	if tsgo.IsLabelName(n) && len(targets) == 0 {
		targets = []service.Target{{File: w.sf.FileName(), Start: start, End: end}}
	}
	for _, t := range w.chosen(n, targets) {
		if d, ok := w.definition(t); ok {
			p.Defs = append(p.Defs, d)
		}
	}
	bestFirst(n, p.Defs)
	p.Kind = w.kind(n, p, hover.Text)
	if p.Kind == "import" && p.Sig == "" {
		p.Sig = "import " + p.Name // of a module that is not found
	}
	p.Type = w.typeOf(n, p.Kind)
	if p.Sig == "" && p.Name != "" && p.Type != "" && p.Kind == "const" {
		p.Sig = "const " + p.Name + ": " + p.Type // of what require does not find
	}
	if called, ok := strings.CutSuffix(p.Sig, ": () => any"); ok && p.Type == "any" {
		p.Sig = called + ": any" // calling what is not known says nothing of its type
	}
	p.Value = value(p, hover.Text)
	return p, nil
}

// directive describes the file that a comment of the head refers to; nil if none does.
func (w *placer) directive(off int) *graph.Place {
	path := func(r *tsgo.FileReference) string {
		if f := w.prog.GetSourceFileFromReference(w.sf, r); f != nil {
			return f.FileName()
		}
		return ""
	}
	types := func(r *tsgo.FileReference) string {
		if t := w.prog.GetResolvedTypeReferenceDirectiveFromTypeReferenceDirective(r, w.sf); t != nil {
			return t.ResolvedFileName
		}
		return ""
	}
	lib := func(r *tsgo.FileReference) string {
		if f, ok := tsgo.GetLibFileName(r.FileName); ok {
			return tsgo.LibPath() + "/" + f
		}
		return ""
	}
	for i, file := range []func(*tsgo.FileReference) string{path, types, lib} {
		for _, r := range [][]*tsgo.FileReference{w.sf.ReferencedFiles, w.sf.TypeReferenceDirectives, w.sf.LibReferenceDirectives}[i] {
			if off < r.Pos() || off > r.End() {
				continue
			}
			p := &graph.Place{Span: w.b.span(r.Pos(), r.End()), Expr: r.FileName, Kind: "module"}
			if file := file(r); file != "" {
				if d, ok := w.definition(service.Target{File: file}); ok {
					p.Defs = append(p.Defs, d)
				}
			}
			return p
		}
	}
	return nil
}

// bestFirst puts declarations of values before those of types, or behind them where the
// name means a type, and a module's file before what adds to it.
func bestFirst(n *tsgo.Node, defs []graph.Definition) {
	asType := isName(n) && meaningOf(n)&tsgo.SemanticMeaningValue == 0
	slices.SortStableFunc(defs, func(a, b graph.Definition) int {
		order := func(d graph.Definition) int {
			if d.Kind == "module" && d.Span.End == 0 {
				return 0
			}
			if isType := d.Kind == "interface" || d.Kind == "type"; isType == asType || d.Kind == "class" || d.Kind == "enum" {
				return 0
			}
			return 1
		}
		return order(a) - order(b)
	})
}

// chosen keeps of the overloads of a called function the one that is called, also when it
// is called by an imported name.
func (w *placer) chosen(n *tsgo.Node, targets []service.Target) []service.Target {
	call := service.Callee(n)
	if call == nil || len(targets) < 2 {
		return targets
	}
	sig := w.svc.Checker().GetResolvedSignature(call)
	if sig == nil || sig.Declaration() == nil {
		return targets
	}
	d := sig.Declaration()
	switch d.Kind {
	case tsgo.KindFunctionDeclaration, tsgo.KindMethodDeclaration, tsgo.KindMethodSignature:
	default:
		return targets
	}
	name := tsgo.GetNameOfDeclaration(d)
	if name == nil {
		return targets
	}
	sf := tsgo.GetSourceFileOfNode(d)
	for _, t := range targets {
		if t.File == sf.FileName() && t.Start == tokenStart(sf, name) {
			return []service.Target{t}
		}
	}
	return targets
}

// isName reports whether a token names something, as far as its form goes.
func isName(n *tsgo.Node) bool {
	switch n.Kind {
	case tsgo.KindIdentifier, tsgo.KindPrivateIdentifier:
		return true
	case tsgo.KindStringLiteral, tsgo.KindNoSubstitutionTemplateLiteral:
		return isNameString(n)
	}
	return false
}

// isSpecifier reports whether a token names the module of an import or export.
func isSpecifier(n *tsgo.Node) bool {
	switch n.Parent.Kind {
	case tsgo.KindImportDeclaration, tsgo.KindExportDeclaration, tsgo.KindExternalModuleReference:
		return n.Kind == tsgo.KindStringLiteral
	}
	return false
}

// expression describes the innermost expression or type around a token that is no name.
func (w *placer) expression(n *tsgo.Node) *graph.Place {
	for e := n; e != nil && e.Kind != tsgo.KindSourceFile; e = e.Parent {
		if !tsgo.IsExpressionNode(e) && !tsgo.IsPartOfTypeNode(e) {
			if e == n {
				continue
			}
			return nil
		}
		kind := "expression"
		if e == n && tsgo.IsKeywordKind(n.Kind) {
			kind = "keyword"
		}
		t := w.svc.Checker().GetTypeAtLocation(e)
		if t == nil {
			return nil
		}
		return &graph.Place{
			Span: w.b.span(tokenStart(w.sf, e), e.End()),
			Expr: w.text(e),
			Kind: kind,
			Type: oneLine(w.svc.TypeText(t, e, false)),
		}
	}
	return nil
}

func (w *placer) text(n *tsgo.Node) string {
	return cut(fold(w.b.text[tokenStart(w.sf, n):n.End()]), maxExpr)
}

// oneLine joins what a declaration shows on several lines. Lines that do not continue the
// one before, as further overloads, are set apart. Modules are named from the root.
func oneLine(s string) string {
	var out strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
			continue
		case out.Len() == 0:
		case line[0] == ' ' || line[0] == '\t' || strings.ContainsRune("})]>|&", rune(line[0])):
			out.WriteByte(' ')
		default:
			out.WriteString("; ")
		}
		out.WriteString(trimmed)
	}
	return strings.ReplaceAll(out.String(), `"`+vroot+"/", `"`)
}

// kind says what a token is, best told by where it is declared.
func (w *placer) kind(n *tsgo.Node, p *graph.Place, hover string) string {
	switch {
	case tsgo.IsLabelName(n):
		return "label"
	case len(p.Defs) == 0 && isSpecifier(n):
		return "module" // that is not found
	case n.Kind == tsgo.KindConstructorWord:
		return "method"
	case tsgo.IsKeywordKind(n.Kind):
		return "keyword"
	case n.Parent.Kind == tsgo.KindNamedTupleMember:
		return "field"
	case n.Parent.Kind == tsgo.KindBindingElement && n.Parent.Name() == n:
		return localKind(n.Parent)
	case len(p.Defs) > 0 && p.Defs[0].Kind == "import" && strings.HasPrefix(hover, "(alias) module"):
		return "module"
	case len(p.Defs) > 0:
		return p.Defs[0].Kind
	case n.Kind == tsgo.KindIdentifier && localKind(n.Parent) == "import":
		return "import"
	}
	hover = strings.TrimPrefix(hover, "(alias) ")
	for _, k := range hoverKinds {
		if strings.HasPrefix(hover, k.prefix) {
			return k.kind
		}
	}
	return "unknown"
}

// builtinMark begins the display of what has a name and no declaration.
const builtinMark = "(builtin) "

// hoverKinds tell by the first words of a display what has no declaration: what is built
// in, and properties of mapped types.
var hoverKinds = [...]struct{ prefix, kind string }{
	{builtinMark, "builtin"}, {"namespace globalThis", "builtin"}, {"module globalThis", "builtin"},
	{"(property)", "field"}, {"(accessor)", "method"}, {"(method)", "method"}, {"(parameter)", "parameter"},
	{"(type parameter)", "type parameter"}, {"(enum member)", "variant"}, {"const ", "variable"}, {"let ", "variable"},
	{"var ", "variable"}, {"function ", "function"}, {"class ", "class"}, {"interface ", "interface"}, {"type ", "type"},
	{"enum ", "enum"}, {"module ", "module"}, {"namespace ", "module"}, {"any", "unknown"},
}

// typeOf is the type of what a token names.
func (w *placer) typeOf(n *tsgo.Node, kind string) string {
	c := w.svc.Checker()
	write := func(t *tsgo.Type, expand bool) string {
		if t == nil {
			return ""
		}
		return oneLine(w.svc.TypeText(t, n, expand))
	}
	switch {
	case n.Kind == tsgo.KindThisWord, n.Kind == tsgo.KindThisType:
		return write(c.GetTypeAtLocation(n), false)
	case n.Parent.Kind == tsgo.KindNamedTupleMember:
		return write(c.GetTypeAtLocation(n.Parent), false)
	case n.Parent.Kind == tsgo.KindAwaitExpression && tsgo.IsKeywordKind(n.Kind):
		return write(c.GetTypeAtLocation(n.Parent), false)
	}
	s := c.GetSymbolAtLocation(n)
	if kind == "label" || isSpecifier(n) || s == nil && (kind == "module" || tsgo.IsKeywordKind(n.Kind) && !tsgo.IsExpressionNode(n) && !tsgo.IsPartOfTypeNode(n)) {
		return ""
	}
	if s != nil && s.Flags&tsgo.SymbolFlagsAlias != 0 {
		if to, ok := c.ResolveAlias(s); ok {
			s = to
		}
	}
	if s == nil {
		return write(c.GetTypeAtLocation(n), false)
	}
	if call := service.Callee(n); call != nil && s.Flags&tsgo.SymbolFlagsValue != 0 {
		if sig := c.GetResolvedSignature(call); sig != nil && sig.Declaration() != nil {
			return oneLine(w.svc.SignatureText(sig, n))
		}
	}
	if s.Flags&tsgo.SymbolFlagsModule != 0 && s.Flags&(tsgo.SymbolFlagsType|tsgo.SymbolFlagsValue&^tsgo.SymbolFlagsModule) == 0 {
		return ""
	}
	asType := meaningOf(n)&tsgo.SemanticMeaningType != 0 && s.Flags&tsgo.SymbolFlagsType != 0
	if asType || s.Flags&tsgo.SymbolFlagsValue == 0 {
		if p := n.Parent; p != nil && p.Kind == tsgo.KindTypeReference {
			return write(c.GetTypeAtLocation(p), true)
		}
		return write(c.GetDeclaredTypeOfSymbol(s), s.Flags&tsgo.SymbolFlagsTypeAlias != 0)
	}
	return write(c.GetTypeOfSymbolAtLocation(s, n), false)
}

// value is the value of a constant, as its declaration or its type tells.
func value(p *graph.Place, hover string) string {
	switch p.Kind {
	case "variant":
		_, v, _ := strings.Cut(hover, " = ")
		return v
	case "const", "variable", "field":
		if !strings.Contains(hover, "const ") || p.Type == "" {
			return ""
		}
		if t := p.Type; t == "true" || t == "false" || t == "null" || t[0] == '-' || t[0] >= '0' && t[0] <= '9' || t[0] == '"' && strings.Count(t, `"`) == 2 && strings.HasSuffix(t, `"`) {
			return t
		}
	}
	return ""
}

// definition describes the declaration that a target points at.
func (w *placer) definition(t service.Target) (graph.Definition, bool) {
	d := graph.Definition{File: t.File, Kind: "unknown"}
	r, in := rel(t.File)
	switch {
	case in && !inNodeModules(t.File):
		d.File = r
	case in:
		d.File, d.Outside, d.Module = path.Join(w.s.in.Root, r), true, packageOfPath(t.File)
	default:
		d.File, d.Outside, d.Module = path.Base(t.File), true, "typescript"
	}
	sf := w.prog.GetSourceFile(t.File)
	b := w.texts[t.File]
	if b == nil {
		text, ok := "", true
		if sf != nil {
			text = sf.Text()
		} else if text, ok = w.s.p.fs.ReadFile(t.File); !ok {
			if text, ok = w.s.p.fs.read(t.File); !ok { // what is no source, as a style sheet
				return d, false
			}
		}
		b = newBuilder("", text, graph.FactFile{})
		w.texts[t.File] = b
	}
	start, end := t.Start, t.End
	if sf == nil || start == end || end == sf.End() && start == tokenStart(sf, sf.AsNode()) {
		d.Span, d.Kind, d.Name = b.span(start, start), "module", d.File
		if d.Outside {
			d.Name = d.File[strings.LastIndex(d.File, "/node_modules/")+len("/node_modules/"):]
		}
		return d, true
	}
	node := declarationAt(sf, w.svc.Node(sf, start), start, end)
	if node == nil {
		d.Span, d.Kind = b.span(start, end), "keyword"
		return d, true
	}
	if name := tsgo.GetNameOfDeclaration(node); name != nil && tokenStart(sf, name) == start {
		start, end = nameRange(sf, name)
	}
	d.Span = b.span(start, end)
	d.Name, d.Kind = w.named(node, sf, !d.Outside, t.File)
	return d, true
}

// declarationAt returns the declaration whose name, or all of which, is the range.
func declarationAt(sf *tsgo.SourceFile, n *tsgo.Node, start, end int) *tsgo.Node {
	for ; n != nil && n.Kind != tsgo.KindSourceFile; n = n.Parent {
		if n.Kind == tsgo.KindLabeledStatement {
			return n
		}
		if !tsgo.IsDeclaration(n) {
			continue
		}
		if name := tsgo.GetNameOfDeclaration(n); name != nil && tokenStart(sf, name) == start && name.End() == end {
			return n
		}
		if tokenStart(sf, n) == start && n.End() == end {
			return n
		}
	}
	return nil
}

// named gives the qualified name of a declaration and what it is called.
func (w *placer) named(d *tsgo.Node, sf *tsgo.SourceFile, own bool, v string) (name, kind string) {
	if own {
		t := w.tables[v]
		if t == nil {
			r, _ := rel(v)
			t = buildTable(r, sf)
			w.tables[v] = t
		}
		for n := d; n != nil; n = n.Parent {
			if i, ok := t.byNode[n]; ok {
				s := t.symbol(i)
				if n.Kind == tsgo.KindModuleDeclaration {
					return s.Qual, graph.KindModule.String() // which may be one with a function
				}
				return s.Qual, s.Kind.String()
			}
			if n.Kind != tsgo.KindFunctionExpression && n.Kind != tsgo.KindArrowFunction {
				break
			}
		}
	} else if s, ok := externalSymbol(d); ok {
		name = s.Qual
	}
	if name == "" {
		name = qualified(d)
	}
	return name, kindOf(d)
}

// qualified is the name of a declaration with those that it is a member of.
func qualified(d *tsgo.Node) string {
	if d.Kind == tsgo.KindLabeledStatement {
		return d.Label().Text()
	}
	text := func(n *tsgo.Node) string {
		switch n.Kind {
		case tsgo.KindConstructor:
			return "constructor"
		case tsgo.KindConstructSig:
			return "new"
		case tsgo.KindCallSignature:
			return "()"
		case tsgo.KindIndexSignature:
			return "[]"
		}
		if name := tsgo.GetNameOfDeclaration(n); name != nil {
			s, _ := nameText(name)
			return s
		}
		return ""
	}
	name := text(d)
	for n := d; n.Parent != nil && n.Kind != tsgo.KindParameter && n.Kind != tsgo.KindTypeParameter; n = n.Parent {
		switch p := n.Parent; p.Kind {
		case tsgo.KindClassDeclaration, tsgo.KindClassExpression, tsgo.KindInterfaceDeclaration, tsgo.KindEnumDeclaration, tsgo.KindModuleDeclaration, tsgo.KindTypeAliasDeclaration:
			if s := text(p); s != "" && name != "" {
				name = s + "." + name
			}
		case tsgo.KindObjectLiteralExpression, tsgo.KindTypeLiteral, tsgo.KindModuleBlock, tsgo.KindVariableStatement, tsgo.KindVariableDeclarationList:
		case tsgo.KindVariableDeclaration, tsgo.KindPropertyAssignment, tsgo.KindPropertySignature, tsgo.KindPropertyDeclaration:
			if s := text(p); s != "" && name != "" && n != p.Name() {
				name = s + "." + name
			}
		default:
			return name
		}
	}
	return name
}

// kindOf is what a declaration that is no node of the graph is called.
func kindOf(d *tsgo.Node) string {
	switch d.Kind {
	case tsgo.KindLabeledStatement:
		return "label"
	case tsgo.KindFunctionExpression, tsgo.KindArrowFunction, tsgo.KindFunctionDeclaration:
		return "function"
	case tsgo.KindClassExpression:
		return "class"
	case tsgo.KindPropertyAssignment, tsgo.KindShorthandPropertyAssignment, tsgo.KindJsxAttribute, tsgo.KindIndexSignature:
		return "field"
	case tsgo.KindCallSignature, tsgo.KindConstructSig:
		return "method"
	case tsgo.KindParameter:
		if tsgo.IsParameterPropertyDeclaration(d, d.Parent) {
			return "field"
		}
	case tsgo.KindVariableDeclaration:
		if list := d.Parent; list.Kind == tsgo.KindVariableDeclarationList && list.Parent != nil && list.Parent.Parent != nil {
			switch list.Parent.Parent.Kind {
			case tsgo.KindSourceFile, tsgo.KindModuleBlock:
				if tsgo.IsVarConst(d) {
					return "const"
				}
			}
		}
	}
	if k := localKind(d); k != "" {
		return k
	}
	return externalKind(d).String()
}
