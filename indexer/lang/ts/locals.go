package ts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// findLocal finds the local at a position. Scopes end with the file, so a program of that
// file alone tells what each of its names is bound to.
func findLocal(ctx context.Context, in *lang.Input, file string, at graph.Pos) (l *lang.Local, err error) {
	src, err := in.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text, v := string(src), vroot+"/"+file
	if !parsable(v) || unreadable(text) != "" || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	one := lang.File{Path: file, Size: int64(len(src))}
	p := newProject(&lang.Input{Files: []lang.File{one}, Workers: 1, ReadFile: func(string) ([]byte, error) { return src, nil }})
	defer p.close()
	p.options.NoLib, p.options.NoResolve, p.options.Types = tsgo.TSTrue, tsgo.TSTrue, []string{}
	prog := p.program([]string{v}, 1)
	sf := prog.GetSourceFile(v)
	if sf == nil || sf.Text() != text {
		return nil, nil
	}
	defer func() {
		if why := recover(); why != nil {
			l, err = nil, fmt.Errorf("the TypeScript checker failed on %s: %.100v", file, why)
		}
	}()
	c, _ := tsgo.NewChecker(prog, nil)
	f := &localFile{c: c, walker: walker{b: newBuilder("", text, graph.FactFile{Path: file}), sf: sf, table: buildTable(file, sf)}}
	off, ok := f.b.offset(at)
	if !ok {
		return nil, nil
	}
	return f.local(f.identifier(off)), nil
}

// offset is the inverse of pos.
func (b *builder) offset(at graph.Pos) (int, bool) {
	if at.Line == 0 || at.Col == 0 || int(at.Line) > len(b.lines) {
		return 0, false
	}
	off := b.lines[at.Line-1]
	if off == 0 && b.bom {
		off = len("\ufeff")
	}
	for range at.Col - 1 {
		if off >= len(b.text) || b.text[off] == '\n' {
			return 0, false
		}
		_, n := utf8.DecodeRuneInString(b.text[off:])
		off += n
	}
	return off, off < len(b.text)
}

// localFile is a file with a checker that sees no other.
type localFile struct {
	c *tsgo.Checker
	walker
}

// identifiers calls f for every name in the text, those of doc comments too.
func (f *localFile) identifiers(visit func(*tsgo.Node)) {
	var walk func(n *tsgo.Node, jsdoc bool)
	walk = func(n *tsgo.Node, jsdoc bool) {
		if n.Kind == tsgo.KindIdentifier {
			if !tsgo.NodeIsMissing(n) && n.Flags&tsgo.NodeFlagsReparsed == 0 && !(jsdoc && tsgo.IsTagName(n)) {
				visit(n)
			}
			return
		}
		if n.Flags&tsgo.NodeFlagsHasJSDoc != 0 && !jsdoc {
			for _, d := range n.JSDoc(f.sf) {
				walk(d, true)
			}
		}
		n.ForEachChild(func(c *tsgo.Node) bool {
			walk(c, jsdoc)
			return false
		})
	}
	walk(f.sf.AsNode(), false)
}

// identifier returns the name that covers an offset; nil when none does.
func (f *localFile) identifier(off int) (found *tsgo.Node) {
	f.identifiers(func(n *tsgo.Node) {
		if start, end := nameRange(f.sf, n); found == nil && start <= off && off < end {
			found = n
		}
	})
	return found
}

// local describes what a name is bound to, if that is a local.
func (f *localFile) local(n *tsgo.Node) *lang.Local {
	if n == nil {
		return nil
	}
	if isLabel(n) {
		return f.label(n)
	}
	s := f.symbol(n)
	if s == nil {
		return nil
	}
	d := f.declaration(s, meaningOf(n))
	if d == nil {
		return nil
	}
	name := d.Name()
	out := f.describe(name, localKind(d), f.localSignature(d))
	f.identifiers(func(n *tsgo.Node) {
		if n.Text() != name.Text() || isLabel(n) || f.symbol(n) != s || f.declaration(s, meaningOf(n)) != d {
			return
		}
		start, _ := nameRange(f.sf, n)
		if pos := f.b.pos(start); pos != out.Decl.Pos {
			out.Sites = append(out.Sites, lang.LocalSite{Pos: pos, Len: nameLength(n), Kind: f.useOf(n, d)})
		}
	})
	return sortSites(out)
}

func (f *localFile) describe(name *tsgo.Node, kind, sig string) *lang.Local {
	start, end := nameRange(f.sf, name)
	return &lang.Local{Name: name.Text(), Kind: kind, Sig: cut(sig, maxSig), Decl: f.b.span(start, end)}
}

// sortSites orders the uses; what a doc comment and a reparsed type share counts once.
func sortSites(l *lang.Local) *lang.Local {
	slices.SortFunc(l.Sites, func(a, b lang.LocalSite) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	l.Sites = slices.CompactFunc(l.Sites, func(a, b lang.LocalSite) bool { return a.Pos == b.Pos })
	return l
}

func nameLength(n *tsgo.Node) uint16 {
	return uint16(min(utf8.RuneCountInString(n.Text()), 1<<16-1))
}

// symbol returns what a name is bound to in this file; nil for properties and the unknown.
func (f *localFile) symbol(n *tsgo.Node) *tsgo.Symbol {
	p := n.Parent
	switch p.Kind {
	case tsgo.KindPropertyAccessExpression, tsgo.KindPropertyAssignment, tsgo.KindMethodDeclaration, tsgo.KindGetAccessor, tsgo.KindSetAccessor,
		tsgo.KindPropertyDeclaration, tsgo.KindPropertySignature, tsgo.KindMethodSignature, tsgo.KindJsxAttribute, tsgo.KindEnumMember, tsgo.KindNamedTupleMember:
		if p.Name() == n {
			return nil
		}
	case tsgo.KindQualifiedName:
		if p.AsQualifiedName().Right == n {
			return nil
		}
	case tsgo.KindMetaProperty, tsgo.KindNamespaceExport, tsgo.KindJsxNamespacedName, tsgo.KindImportAttribute:
		return nil
	case tsgo.KindBindingElement, tsgo.KindImportSpecifier:
		if p.PropertyName() == n {
			return nil
		}
	case tsgo.KindExportSpecifier:
		if p.PropertyNameOrName() != n || p.Parent.Parent.ModuleSpecifier() != nil {
			return nil
		}
		return f.c.GetExportSpecifierLocalTargetSymbol(p)
	case tsgo.KindShorthandPropertyAssignment:
		if p.Name() == n {
			return f.c.GetShorthandAssignmentValueSymbol(p)
		}
	}
	s := f.c.GetSymbolAtLocation(n)
	if s == nil || f.c.IsUnknownSymbol(s) {
		return nil
	}
	return f.c.GetMergedSymbol(s)
}

// declaration returns where a symbol is first declared; nil when it is no local. What
// shares a name and a scope shares a symbol, such as a constant and a type, and the
// meaning tells them apart.
func (f *localFile) declaration(s *tsgo.Symbol, mean tsgo.SemanticMeaning) (first *tsgo.Node) {
	all := tsgo.SemanticMeaning(0)
	for _, d := range s.Declarations {
		all |= meaning(d)
	}
	for _, d := range s.Declarations {
		if meaning(d) != all && meaning(d)&mean == 0 {
			continue
		}
		if _, node := f.table.byNode[d]; node || tsgo.GetSourceFileOfNode(d) != f.sf || localKind(d) == "" {
			return nil
		}
		if name := d.Name(); name == nil || name.Kind != tsgo.KindIdentifier || name.Text() == "this" {
			return nil
		}
		if first == nil || d.Pos() < first.Pos() {
			first = d
		}
	}
	return first
}

// meaningOf is what a name means at its place, also where it is declared.
func meaningOf(n *tsgo.Node) tsgo.SemanticMeaning {
	if tsgo.IsDeclarationName(n) {
		return meaning(n.Parent)
	}
	return meaningAt(n)
}

// localKind is what a declaration is called, "" if it declares no local.
func localKind(d *tsgo.Node) string {
	switch d.Kind {
	case tsgo.KindParameter:
		return "parameter"
	case tsgo.KindVariableDeclaration, tsgo.KindFunctionExpression, tsgo.KindClassExpression:
		return "variable"
	case tsgo.KindBindingElement:
		if tsgo.WalkUpBindingElementsAndPatterns(d).Kind == tsgo.KindParameter {
			return "parameter"
		}
		return "variable"
	case tsgo.KindTypeParameter:
		return "type parameter"
	case tsgo.KindImportClause, tsgo.KindImportSpecifier, tsgo.KindNamespaceImport, tsgo.KindImportEqualsDeclaration:
		return "import"
	}
	return ""
}

// useOf says how a name uses the local that d declares.
func (f *localFile) useOf(n, d *tsgo.Node) graph.EdgeKind {
	p := n.Parent
	if n.Flags&tsgo.NodeFlagsJSDoc != 0 {
		return graph.EdgeRefs
	}
	if p.Kind == tsgo.KindShorthandPropertyAssignment && p.Name() == n && tsgo.IsArrayLiteralOrObjectLiteralDestructuringPattern(p.Parent) {
		return graph.EdgeWrites
	}
	if localKind(p) != "" && p.Name() == n { // declared once more
		if initOf(p) != nil {
			return graph.EdgeWrites
		}
		return graph.EdgeRefs
	}
	t := target{Symbol: graph.Symbol{Kind: graph.KindVariable}}
	switch localKind(d) {
	case "type parameter":
		t.Kind = graph.KindType
	case "import":
		t.Kind = graph.KindUnknown
	}
	return f.kindAt(n, t)
}

func (f *localFile) localSignature(d *tsgo.Node) string {
	text := func(n *tsgo.Node) string { return fold(f.b.text[tokenStart(f.sf, n):n.End()]) }
	switch d.Kind {
	case tsgo.KindImportClause, tsgo.KindImportSpecifier, tsgo.KindNamespaceImport, tsgo.KindImportEqualsDeclaration:
		n := d
		for n.Parent.Kind != tsgo.KindSourceFile && n.Parent.Kind != tsgo.KindModuleBlock {
			n = n.Parent
		}
		return strings.TrimSuffix(text(n), ";")
	case tsgo.KindTypeParameter:
		if d.Parent.Kind == tsgo.KindMappedType {
			return strings.TrimSpace(f.b.text[tokenStart(f.sf, d):d.End()])
		}
		return text(d)
	case tsgo.KindFunctionExpression, tsgo.KindClassExpression:
		return f.signature(d, d)
	case tsgo.KindBindingElement:
		if root := tsgo.WalkUpBindingElementsAndPatterns(d); root.Kind == tsgo.KindParameter {
			return text(root)
		}
		return f.signature(d, d)
	case tsgo.KindVariableDeclaration:
		if d.Parent.Kind != tsgo.KindVariableDeclarationList {
			return "catch (" + text(d) + ")"
		}
	}
	return f.signature(d, f.fullNode(d))
}

// isLabel reports whether a name is a label or names one.
func isLabel(n *tsgo.Node) bool {
	switch n.Parent.Kind {
	case tsgo.KindLabeledStatement, tsgo.KindBreakStatement, tsgo.KindContinueStatement:
		return n.Parent.Label() == n
	}
	return false
}

// label describes the label that a name is or means.
func (f *localFile) label(n *tsgo.Node) *lang.Local {
	d := labelOf(n)
	if d == nil {
		return nil
	}
	out := f.describe(d.Label(), "label", d.Label().Text()+":")
	f.identifiers(func(n *tsgo.Node) {
		if isLabel(n) && n.Parent != d && labelOf(n) == d {
			start, _ := nameRange(f.sf, n)
			out.Sites = append(out.Sites, lang.LocalSite{Pos: f.b.pos(start), Len: nameLength(n), Kind: graph.EdgeRefs})
		}
	})
	return sortSites(out)
}

// labelOf returns the labeled statement that a label belongs to.
func labelOf(n *tsgo.Node) *tsgo.Node {
	if n.Parent.Kind == tsgo.KindLabeledStatement {
		return n.Parent
	}
	for p := n.Parent; p != nil && !tsgo.IsFunctionLike(p); p = p.Parent {
		if p.Kind == tsgo.KindLabeledStatement && p.Label().Text() == n.Text() {
			return p
		}
	}
	return nil
}
