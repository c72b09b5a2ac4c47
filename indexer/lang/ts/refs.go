package ts

import (
	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
)

// Reasons why a name could not be bound.
const (
	noPackage = "package not found"
	noFile    = "file not found"
	noName    = "undefined"
	noType    = "type unknown"
)

// walker makes the facts of one file.
type walker struct {
	b        *builder
	c        *tsgo.Checker
	r        *resolver
	prog     *tsgo.Program
	table    *fileTable
	sf       *tsgo.SourceFile
	names    map[int]int // offsets of declared names, to entries
	contexts map[*tsgo.Node]*tsgo.Type
	symbols  []identity
	lost     map[string]bool // names that are declared nowhere
	jsdoc    bool            // within a doc comment
	entry    bool            // the package's manifest names the file
}

type identity struct {
	known       bool
	sym, parent graph.Symbol
}

// run emits all facts of the file, without its uses if it is garbled.
func (w *walker) run(garbled bool) {
	w.names = make(map[int]int, len(w.table.entries))
	w.contexts = map[*tsgo.Node]*tsgo.Type{}
	w.lost = map[string]bool{}
	w.symbols = make([]identity, len(w.table.entries))
	for i := range w.table.entries {
		if n := w.table.entries[i].name; n != nil {
			start, _ := nameRange(w.sf, n)
			w.names[start] = i
		}
	}
	w.declarations()
	w.modules()
	if garbled {
		return
	}
	w.sf.AsNode().ForEachChild(func(n *tsgo.Node) bool {
		w.walk(n, -1)
		return false
	})
}

// canonical is the symbol of entry i and of what encloses it: that of the first of all
// declarations that merge with it, in whatever file.
func (w *walker) canonical(i int) (sym, parent graph.Symbol) {
	if i < 0 {
		return w.table.fileSymbol(), w.table.fileSymbol()
	}
	id := &w.symbols[i]
	if id.known {
		return id.sym, id.parent
	}
	e := &w.table.entries[i]
	id.known, id.sym = true, w.table.symbol(i)
	if e.parent >= 0 {
		id.parent, _ = w.canonical(e.parent)
	} else {
		id.parent = w.table.fileSymbol()
	}
	if s := e.node.Symbol(); s != nil {
		for _, t := range w.r.of(w.c.GetMergedSymbol(s)) {
			if t.meaning&meaning(e.node) != 0 && t.parent != nil && t.Kind != graph.KindFile {
				id.sym, id.parent = t.Symbol, *t.parent
				break
			}
		}
	}
	return id.sym, id.parent
}

func (w *walker) from(i int) graph.Symbol {
	s, _ := w.canonical(i)
	return s
}

// walk visits n and everything below; from is the innermost enclosing entry.
func (w *walker) walk(n *tsgo.Node, from int) {
	if i, ok := w.table.byNode[n]; ok {
		from = i
		w.overrides(i)
	}
	if n.Flags&tsgo.NodeFlagsHasJSDoc != 0 && !w.jsdoc {
		w.jsdoc = true
		for _, d := range n.JSDoc(w.sf) {
			d.ForEachChild(func(c *tsgo.Node) bool {
				w.walk(c, from)
				return false
			})
		}
		w.jsdoc = false
	}
	switch n.Kind {
	case tsgo.KindIdentifier, tsgo.KindPrivateIdentifier:
		w.name(n, from)
		return
	case tsgo.KindStringLiteral, tsgo.KindNoSubstitutionTemplateLiteral:
		if isNameString(n) {
			w.name(n, from)
		}
		return
	case tsgo.KindBreakStatement, tsgo.KindContinueStatement, tsgo.KindMetaProperty:
		return
	case tsgo.KindLabeledStatement:
		w.walk(n.Statement(), from)
		return
	case tsgo.KindThisKeyword:
		w.staticThis(n, from)
		return
	case tsgo.KindSuperKeyword:
		if n.Parent.Kind == tsgo.KindCallExpression && n.Parent.Expression() == n {
			w.superCall(n, from)
		}
		return
	}
	n.ForEachChild(func(c *tsgo.Node) bool {
		w.walk(c, from)
		return false
	})
}

// isNameString reports whether a string literal stands for a property or an export.
func isNameString(n *tsgo.Node) bool {
	p := n.Parent
	switch p.Kind {
	case tsgo.KindElementAccessExpression:
		return p.AsElementAccessExpression().ArgumentExpression == n
	case tsgo.KindImportSpecifier, tsgo.KindExportSpecifier:
		return true
	case tsgo.KindLiteralType:
		return p.Parent.Kind == tsgo.KindIndexedAccessType && p.Parent.AsIndexedAccessTypeNode().IndexType == p
	case tsgo.KindPropertyAssignment, tsgo.KindMethodDeclaration, tsgo.KindGetAccessor, tsgo.KindSetAccessor, tsgo.KindPropertyDeclaration, tsgo.KindPropertySignature, tsgo.KindMethodSignature:
		return p.Name() == n
	case tsgo.KindBindingElement:
		return p.PropertyName() == n
	case tsgo.KindComputedPropertyName:
		return true
	}
	return false
}

// name makes the edges of one identifier or name string.
func (w *walker) name(n *tsgo.Node, from int) {
	if n.Text() == "" || tsgo.NodeIsMissing(n) || w.jsdoc && tsgo.IsTagName(n) {
		return
	}
	p := n.Parent
	switch p.Kind {
	case tsgo.KindShorthandPropertyAssignment:
		if p.Name() == n {
			w.shorthand(n, p, from)
			return
		}
	case tsgo.KindPropertyAssignment, tsgo.KindMethodDeclaration, tsgo.KindGetAccessor, tsgo.KindSetAccessor, tsgo.KindJsxAttribute:
		if p.Name() == n {
			w.key(n, p, from)
			return
		}
	case tsgo.KindComputedPropertyName:
		if n.Kind != tsgo.KindIdentifier {
			w.key(n, p.Parent, from)
			return
		}
	case tsgo.KindBindingElement:
		if p.Name() == n || p.PropertyName() == n {
			if p.PropertyNameOrName() == n {
				if s := w.r.bound(p); s != nil {
					w.refer(n, s, graph.EdgeReads, from)
				}
			} else if target := w.r.standsFor(p); target != nil {
				w.refer(n, target, graph.EdgeRefs, from)
			}
			return
		}
	case tsgo.KindNamespaceImport, tsgo.KindNamespaceExport, tsgo.KindNamespaceExportDeclaration:
		return // the edge is at the specifier
	case tsgo.KindVariableDeclaration:
		if p.Name() == n && tsgo.IsInJSFile(n) {
			if target := w.r.standsFor(p); target != nil && target.Flags&tsgo.SymbolFlagsModule == 0 {
				w.refer(n, target, graph.EdgeRefs, from)
			}
			return
		}
	case tsgo.KindTypePredicate, tsgo.KindParameter, tsgo.KindTypeParameter, tsgo.KindMappedType:
		if p.Name() == n {
			return
		}
	}
	if start, _ := nameRange(w.sf, n); p.Kind != tsgo.KindPropertyAccessExpression && p.Kind != tsgo.KindElementAccessExpression {
		if w.declares(start) {
			return
		}
	}
	if w.isLost(n) {
		if start, _ := nameRange(w.sf, n); !w.declares(start) {
			w.unbound(n, from)
		}
		return
	}
	s := w.c.GetSymbolAtLocation(n)
	if s == nil || w.c.IsUnknownSymbol(s) {
		if leads(n) {
			w.lost[n.Text()] = true
		}
		w.unbound(n, from)
		return
	}
	target := w.r.alias(s)
	if target == nil {
		w.unresolved(n, s, from)
		return
	}
	if v := w.required(target); v != nil {
		target = v
	}
	w.refer(n, target, graph.EdgeUnknown, from)
}

// leads reports whether n is called or accessed: a variable, by its place.
func leads(n *tsgo.Node) bool {
	if n.Kind != tsgo.KindIdentifier {
		return false
	}
	switch p := n.Parent; p.Kind {
	case tsgo.KindCallExpression, tsgo.KindNewExpression, tsgo.KindPropertyAccessExpression, tsgo.KindElementAccessExpression:
		return p.Expression() == n
	}
	return false
}

// isLost reports whether n is a variable that is declared nowhere, or a member of what it
// gives. It holds for the names of test frameworks wherever they are not installed, and
// the checker goes through all globals for a similar name at each use.
func (w *walker) isLost(n *tsgo.Node) bool {
	if p := n.Parent; p.Kind == tsgo.KindPropertyAccessExpression && p.Name() == n {
		for n = p.Expression(); n.Kind != tsgo.KindIdentifier; n = n.Expression() {
			switch n.Kind {
			case tsgo.KindCallExpression, tsgo.KindPropertyAccessExpression, tsgo.KindElementAccessExpression, tsgo.KindNonNullExpression:
			default:
				return false
			}
		}
	}
	return leads(n) && w.lost[n.Text()] && w.c.ResolveName(n.Text(), n, tsgo.SymbolFlagsValue|tsgo.SymbolFlagsExportValue, false) == nil
}

func (w *walker) declares(start int) bool {
	_, ok := w.names[start]
	return ok
}

// required returns what a variable that is set from require() stands for, nil for any other.
func (w *walker) required(s *tsgo.Symbol) *tsgo.Symbol {
	if len(s.Declarations) == 0 || !tsgo.IsInJSFile(s.Declarations[0]) {
		return nil
	}
	switch d := s.Declarations[0]; d.Kind {
	case tsgo.KindBindingElement, tsgo.KindVariableDeclaration:
		return w.r.standsFor(d)
	}
	return nil
}

// refer adds the edges of name n to all nodes that symbol s stands for. kind is the kind
// of the edges, or EdgeUnknown if the place decides.
func (w *walker) refer(n *tsgo.Node, s *tsgo.Symbol, kind graph.EdgeKind, from int) {
	targets := w.r.of(s)
	if len(targets) == 0 {
		return
	}
	start, end := nameRange(w.sf, n)
	mean := tsgo.SemanticMeaning(0)
	if len(targets) > 1 || targets[0].partial {
		mean = meaningAt(n)
		if !targets[0].partial && !matches(targets, mean) {
			mean = 0
		}
	}
	own, declares := w.names[start]
	for _, t := range targets {
		if mean != 0 && t.meaning&mean == 0 || declares && w.from(own) == t.Symbol {
			continue
		}
		if t.Kind == graph.KindFile || t.Kind == graph.KindModule && t.Qual == "" {
			if isQualifier(n) || t.Module == w.table.path {
				continue
			}
		}
		k, flags := kind, uint8(0)
		switch {
		case k == graph.EdgeUnknown:
			k = w.kindAt(n, t)
		case k == graph.EdgeReads && (t.Kind.IsCallable() || t.Kind.IsType()):
			k = graph.EdgeRefs
		}
		if w.jsdoc || isTypeOnly(n) {
			flags |= graph.EdgeTypeOnly
		}
		if k == graph.EdgeCalls && t.abstract && t.Kind == graph.KindMethod {
			flags |= graph.EdgeDynamic
		}
		w.b.edge(k, flags, w.from(from), t.Symbol, start, end)
	}
	if kind == graph.EdgeUnknown && s.Flags&tsgo.SymbolFlagsClass != 0 && isNewTarget(n) {
		w.construct(s, start, end, from)
	}
}

func matches(targets []target, mean tsgo.SemanticMeaning) bool {
	for _, t := range targets {
		if t.meaning&mean != 0 {
			return true
		}
	}
	return false
}

// shorthand handles the key of `{ a }`: the variable, and the property of the expected type.
func (w *walker) shorthand(n, p *tsgo.Node, from int) {
	kind := graph.EdgeUnknown
	inPattern := tsgo.IsArrayLiteralOrObjectLiteralDestructuringPattern(p.Parent)
	if inPattern {
		kind = graph.EdgeWrites
	}
	if v := w.c.GetShorthandAssignmentValueSymbol(p); v != nil && !w.c.IsUnknownSymbol(v) {
		target := w.r.alias(v)
		if target == nil {
			w.unresolved(n, v, from)
		} else {
			if r := w.required(target); r != nil {
				target = r
			}
			w.refer(n, target, kind, from)
		}
	} else {
		w.unbound(n, from)
	}
	w.key(n, p, from)
}

// key handles the key of an object literal or attributes: it writes the property of the
// contextual type, or reads the one that a destructuring assignment takes.
func (w *walker) key(n, el *tsgo.Node, from int) {
	lit := el.Parent
	if lit.Kind != tsgo.KindObjectLiteralExpression && lit.Kind != tsgo.KindJsxAttributes {
		return
	}
	if tsgo.IsArrayLiteralOrObjectLiteralDestructuringPattern(lit) {
		if n.Parent == el {
			if s := w.c.GetPropertySymbolOfDestructuringAssignment(n); s != nil {
				w.refer(n, s, graph.EdgeReads, from)
			}
		}
		return
	}
	t, ok := w.contexts[lit]
	if !ok {
		t = w.c.GetContextualType(lit, tsgo.ContextFlagsNone)
		w.contexts[lit] = t
	}
	if t == nil {
		return
	}
	for _, s := range w.c.GetPropertySymbolsFromContextualType(el, t, true) {
		if s != nil {
			w.refer(n, s, graph.EdgeWrites, from)
		}
	}
}

// kindAt says how the place of n uses t.
func (w *walker) kindAt(n *tsgo.Node, t target) graph.EdgeKind {
	x := n
	if p := n.Parent; p.Kind == tsgo.KindPropertyAccessExpression && p.Name() == n ||
		p.Kind == tsgo.KindElementAccessExpression && p.AsElementAccessExpression().ArgumentExpression == n {
		x = p
	}
	if k := heritageKind(x); k != graph.EdgeUnknown {
		return k
	}
	if tsgo.IsPartOfTypeNode(n) || tsgo.IsPartOfTypeNode(x) {
		if t.Kind == graph.KindUnknown || t.Kind.IsType() || t.Kind == graph.KindVariant || t.Kind == graph.KindModule {
			return graph.EdgeTypeRef
		}
		return graph.EdgeRefs
	}
	for {
		p := x.Parent
		switch p.Kind {
		case tsgo.KindParenthesizedExpression, tsgo.KindNonNullExpression, tsgo.KindAsExpression, tsgo.KindSatisfiesExpression, tsgo.KindTypeAssertionExpression, tsgo.KindExpressionWithTypeArguments:
			if p.Expression() == x {
				x = p
				continue
			}
		}
		break
	}
	switch p := x.Parent; p.Kind {
	case tsgo.KindCallExpression, tsgo.KindDecorator:
		if p.Expression() == x {
			return graph.EdgeCalls
		}
	case tsgo.KindNewExpression:
		if p.Expression() == x {
			return graph.EdgeConstructs
		}
	case tsgo.KindTaggedTemplateExpression:
		if p.AsTaggedTemplateExpression().Tag == x {
			return graph.EdgeCalls
		}
	case tsgo.KindJsxOpeningElement, tsgo.KindJsxSelfClosingElement:
		if p.TagName() == x {
			return graph.EdgeConstructs
		}
	case tsgo.KindImportSpecifier, tsgo.KindImportClause, tsgo.KindImportEqualsDeclaration:
		return graph.EdgeImports
	case tsgo.KindExportSpecifier:
		if d := p.Parent.Parent; d.Kind == tsgo.KindExportDeclaration && d.ModuleSpecifier() != nil {
			return graph.EdgeImports
		}
		return graph.EdgeRefs
	case tsgo.KindExportAssignment, tsgo.KindJsxClosingElement:
		return graph.EdgeRefs
	}
	switch t.Kind {
	case graph.KindField, graph.KindVariable, graph.KindConst, graph.KindVariant:
		if tsgo.IsAssignmentTarget(x) {
			return graph.EdgeWrites
		}
		return graph.EdgeReads
	}
	if tsgo.IsAssignmentTarget(x) {
		return graph.EdgeWrites
	}
	return graph.EdgeRefs
}

// heritageKind is the kind of an edge in `extends` or `implements`; EdgeUnknown elsewhere.
func heritageKind(x *tsgo.Node) graph.EdgeKind {
	e := x.Parent
	if e.Kind != tsgo.KindExpressionWithTypeArguments || e.Expression() != x || e.Parent.Kind != tsgo.KindHeritageClause {
		return graph.EdgeUnknown
	}
	if e.Parent.AsHeritageClause().Token == tsgo.KindImplementsKeyword {
		return graph.EdgeImplements
	}
	return graph.EdgeExtends
}

// meaningAt is what a name can mean at its place.
func meaningAt(n *tsgo.Node) tsgo.SemanticMeaning {
	n = tsgo.GetReparsedNodeForNode(n)
	p := n.Parent
	switch p.Kind {
	case tsgo.KindExportAssignment, tsgo.KindExportSpecifier, tsgo.KindExternalModuleReference, tsgo.KindImportSpecifier, tsgo.KindImportClause:
		return tsgo.SemanticMeaningAll
	case tsgo.KindImportEqualsDeclaration:
		if p.Name() == n {
			return tsgo.SemanticMeaningAll
		}
		return tsgo.SemanticMeaningNamespace
	case tsgo.KindLiteralType:
		return tsgo.SemanticMeaningType | tsgo.SemanticMeaningValue
	}
	if tsgo.IsEntityName(n) && tsgo.IsJSDocNameReferenceContext(n) {
		return tsgo.SemanticMeaningAll
	}
	root := n // the outermost dotted name that n is part of
	for root.Parent.Kind == tsgo.KindQualifiedName || root.Parent.Kind == tsgo.KindPropertyAccessExpression {
		root = root.Parent
	}
	last := true // n ends it
	switch {
	case root == n:
	case root.Kind == tsgo.KindQualifiedName:
		last = root.AsQualifiedName().Right == n
	default:
		last = root.Name() == n
	}
	switch e := root.Parent; e.Kind {
	case tsgo.KindTypeReference, tsgo.KindImportType:
		if !last {
			return tsgo.SemanticMeaningNamespace
		}
		return tsgo.SemanticMeaningType
	case tsgo.KindImportEqualsDeclaration:
		if last {
			return tsgo.SemanticMeaningAll
		}
		return tsgo.SemanticMeaningNamespace
	case tsgo.KindExpressionWithTypeArguments:
		if tsgo.IsPartOfTypeNode(e) && !tsgo.IsExpressionWithTypeArgumentsInClassExtendsClause(e) {
			if !last {
				return tsgo.SemanticMeaningNamespace
			}
			return tsgo.SemanticMeaningType
		}
		if tsgo.IsPartOfTypeNode(e) && last {
			return tsgo.SemanticMeaningType | tsgo.SemanticMeaningValue
		}
	}
	return tsgo.SemanticMeaningValue
}

// isQualifier reports whether n only leads to a name after a dot.
func isQualifier(n *tsgo.Node) bool {
	p := n.Parent
	switch p.Kind {
	case tsgo.KindPropertyAccessExpression:
		return p.Expression() == n
	case tsgo.KindQualifiedName:
		return p.AsQualifiedName().Left == n
	case tsgo.KindImportClause, tsgo.KindImportSpecifier, tsgo.KindImportEqualsDeclaration:
		return true
	}
	return false
}

// isTypeOnly reports whether n is part of a type-only import or export.
func isTypeOnly(n *tsgo.Node) bool {
	switch n.Parent.Kind {
	case tsgo.KindImportSpecifier, tsgo.KindExportSpecifier, tsgo.KindImportClause, tsgo.KindNamespaceImport:
		return tsgo.IsPartOfTypeOnlyImportOrExportDeclaration(n)
	}
	return false
}

func isNewTarget(n *tsgo.Node) bool { return tsgo.IsNewExpressionTarget(n, false, false) }
