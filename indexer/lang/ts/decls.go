package ts

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
)

// An entry is one declaration that is, or is part of, a node.
type entry struct {
	node   *tsgo.Node
	name   *tsgo.Node // nil if it has none
	base   string     // the last element of qual, before it was made unique
	qual   string
	kind   graph.Kind // of the whole symbol once the table is finished
	parent int        // index of the enclosing entry; -1 is the file
	flags  graph.Flags
	group  int // index of the first entry of the same symbol and meaning
}

// A fileTable lists the declarations of one file that are nodes.
type fileTable struct {
	path    string // from the root
	sf      *tsgo.SourceFile
	entries []entry
	byNode  map[*tsgo.Node]int
	jsx     bool
}

func (t *fileTable) fileSymbol() graph.Symbol {
	return graph.Symbol{Lang: "ts", Kind: graph.KindFile, Module: t.path}
}

// symbol is the identity of entry i as far as this file alone can tell.
func (t *fileTable) symbol(i int) graph.Symbol {
	if i < 0 {
		return t.fileSymbol()
	}
	e := &t.entries[t.entries[i].group]
	return graph.Symbol{Lang: "ts", Kind: e.kind, Module: t.path, Qual: e.qual}
}

// scope says which variables are nodes at a place.
type scope uint8

const (
	inFunction scope = iota // functions, classes and types only
	inBlock                 // of a module: also what var declares
	inModule                // all
)

// buildTable walks a bound file.
func buildTable(p string, sf *tsgo.SourceFile) *fileTable {
	t := &fileTable{path: p, sf: sf, byNode: map[*tsgo.Node]int{}}
	switch path.Ext(p) {
	case ".tsx", ".jsx", ".js":
		t.jsx = true
	}
	b := &tableBuilder{fileTable: t, bySymbol: map[*tsgo.Symbol][]int{}}
	b.exported = exportedNames(sf)
	b.global = !tsgo.IsExternalOrCommonJSModule(sf)
	for _, s := range sf.Statements.Nodes {
		b.visit(s, -1, inModule)
	}
	b.finish()
	return t
}

type tableBuilder struct {
	*fileTable
	exported map[string]bool
	global   bool
	ambient  bool // within an ambient module or namespace, where everything is exported
	bySymbol map[*tsgo.Symbol][]int
}

// exportedNames collects what `export { a }`, `export default a` and `export = a` name.
func exportedNames(sf *tsgo.SourceFile) map[string]bool {
	names := map[string]bool{}
	for _, s := range sf.Statements.Nodes {
		switch s.Kind {
		case tsgo.KindExportDeclaration:
			d := s.AsExportDeclaration()
			if d.ModuleSpecifier == nil && d.ExportClause != nil && d.ExportClause.Kind == tsgo.KindNamedExports {
				for _, spec := range d.ExportClause.Elements() {
					names[spec.PropertyNameOrName().Text()] = true
				}
			}
		case tsgo.KindExportAssignment:
			if e := s.Expression(); e.Kind == tsgo.KindIdentifier {
				names[e.Text()] = true
			}
		case tsgo.KindExpressionStatement:
			if e := s.Expression(); e.Kind == tsgo.KindBinaryExpression {
				switch tsgo.GetAssignmentDeclarationKind(e) {
				case tsgo.JSDeclarationKindModuleExports, tsgo.JSDeclarationKindExportsProperty:
					markExports(names, e.AsBinaryExpression().Right)
				}
			}
		}
	}
	return names
}

func markExports(names map[string]bool, right *tsgo.Node) {
	switch right.Kind {
	case tsgo.KindIdentifier:
		names[right.Text()] = true
	case tsgo.KindObjectLiteralExpression:
		for _, m := range right.Properties() {
			if m.Kind == tsgo.KindShorthandPropertyAssignment {
				names[m.Name().Text()] = true
			} else if m.Kind == tsgo.KindPropertyAssignment && m.Initializer().Kind == tsgo.KindIdentifier {
				names[m.Initializer().Text()] = true
			}
		}
	}
}

// add makes an entry and returns its index. base must not be empty.
func (b *tableBuilder) add(node, name *tsgo.Node, base string, kind graph.Kind, parent int, flags graph.Flags) int {
	i := len(b.entries)
	if parent >= 0 && b.entries[parent].flags&graph.FlagExported != 0 && isMember(node) && !isPrivate(node, base) {
		flags |= graph.FlagExported
	}
	b.entries = append(b.entries, entry{node: node, name: name, base: base, kind: kind, parent: parent, flags: flags, group: i})
	b.byNode[node] = i
	if s := node.Symbol(); s != nil {
		b.bySymbol[s] = append(b.bySymbol[s], i)
	}
	return i
}

// isMember reports whether visibility follows the container: not for what functions hold.
func isMember(n *tsgo.Node) bool {
	switch n.Kind {
	case tsgo.KindFunctionDeclaration, tsgo.KindClassDeclaration, tsgo.KindVariableDeclaration, tsgo.KindInterfaceDeclaration,
		tsgo.KindTypeAliasDeclaration, tsgo.KindEnumDeclaration, tsgo.KindModuleDeclaration, tsgo.KindFunctionExpression, tsgo.KindClassExpression, tsgo.KindBindingElement:
		return false
	}
	return true
}

func isPrivate(n *tsgo.Node, base string) bool {
	return strings.HasPrefix(base, "#") || n.ModifierFlags()&tsgo.ModifierFlagsPrivate != 0
}

// nameText is what a declared name is called; ok is false for one that no static name reaches.
func nameText(name *tsgo.Node) (string, bool) {
	if name == nil {
		return "", false
	}
	switch name.Kind {
	case tsgo.KindIdentifier, tsgo.KindPrivateIdentifier, tsgo.KindStringLiteral, tsgo.KindNoSubstitutionTemplateLiteral, tsgo.KindNumericLiteral:
		s := name.Text()
		return s, s != "" && len(s) <= 200 && !strings.ContainsAny(s, "\n\r\x00")
	case tsgo.KindComputedPropertyName:
		e := name.Expression()
		if tsgo.IsStringLiteralLike(e) {
			return e.Text(), e.Text() != "" && len(e.Text()) <= 200 && !strings.ContainsAny(e.Text(), "\n\r\x00")
		}
		if tsgo.IsEntityNameExpression(e) {
			return "[" + strings.Join(strings.Fields(entityText(e)), "") + "]", true
		}
	}
	return "", false
}

func entityText(e *tsgo.Node) string {
	if e.Kind == tsgo.KindPropertyAccessExpression {
		return entityText(e.Expression()) + "." + e.Name().Text()
	}
	if e.Kind == tsgo.KindIdentifier {
		return e.Text()
	}
	return "?"
}

// topFlags are the flags of a declaration that a module, namespace or function holds.
func (b *tableBuilder) topFlags(n *tsgo.Node, name string, sc scope) graph.Flags {
	var f graph.Flags
	mods := tsgo.GetCombinedModifierFlags(n)
	if mods&tsgo.ModifierFlagsExport != 0 || sc == inModule && (b.ambient || b.global) {
		f |= graph.FlagExported
	}
	if mods&tsgo.ModifierFlagsDefault != 0 {
		f |= graph.FlagDefault
	}
	if sc != inFunction && b.exported[name] && !b.ambient {
		f |= graph.FlagExported
	}
	if mods&tsgo.ModifierFlagsAmbient != 0 || b.sf.IsDeclarationFile || mods&tsgo.ModifierFlagsAbstract != 0 {
		f |= graph.FlagAbstract
	}
	return f
}

// visit adds the entries of n and below.
func (b *tableBuilder) visit(n *tsgo.Node, parent int, sc scope) {
	if n == nil {
		return
	}
	switch n.Kind {
	case tsgo.KindFunctionDeclaration, tsgo.KindClassDeclaration:
		b.visitNamed(n, parent, sc)
		return
	case tsgo.KindFunctionExpression, tsgo.KindClassExpression:
		if n.Name() != nil {
			b.visitNamed(n, parent, inFunction)
			return
		}
		if n.Kind == tsgo.KindClassExpression {
			// Its members have no name that leads to them.
			b.children(n, parent, inFunction)
			return
		}
		sc = inFunction
	case tsgo.KindArrowFunction, tsgo.KindMethodDeclaration, tsgo.KindGetAccessor, tsgo.KindSetAccessor, tsgo.KindConstructor, tsgo.KindClassStaticBlockDeclaration:
		sc = inFunction
	case tsgo.KindBlock, tsgo.KindIfStatement, tsgo.KindTryStatement, tsgo.KindForStatement, tsgo.KindForInStatement, tsgo.KindForOfStatement, tsgo.KindWhileStatement, tsgo.KindSwitchStatement:
		sc = min(sc, inBlock)
	case tsgo.KindVariableDeclaration:
		b.visitVariable(n, parent, sc)
		return
	case tsgo.KindInterfaceDeclaration, tsgo.KindTypeAliasDeclaration, tsgo.KindJSTypeAliasDeclaration, tsgo.KindEnumDeclaration:
		b.visitType(n, parent, sc)
		return
	case tsgo.KindModuleDeclaration:
		b.visitModule(n, parent, sc)
		return
	case tsgo.KindExportAssignment:
		b.visitExport(n, n.Expression(), parent)
		return
	case tsgo.KindBinaryExpression:
		if b.visitAssignment(n, parent) {
			return
		}
	}
	b.children(n, parent, sc)
}

func (b *tableBuilder) children(n *tsgo.Node, parent int, sc scope) {
	n.ForEachChild(func(c *tsgo.Node) bool {
		b.visit(c, parent, sc)
		return false
	})
}

// visitNamed adds a function or class.
func (b *tableBuilder) visitNamed(n *tsgo.Node, parent int, sc scope) {
	kind := graph.KindFunction
	if tsgo.IsClassLike(n) {
		kind = graph.KindClass
	}
	name, ok := nameText(n.Name())
	if !ok {
		if n.ModifierFlags()&tsgo.ModifierFlagsDefault == 0 {
			b.children(n, parent, inFunction)
			return
		}
		name = "default"
	}
	e := b.add(n, n.Name(), name, b.component(kind, name, n), parent, b.topFlags(n, name, sc))
	if kind == graph.KindClass {
		b.members(n, e)
	} else {
		b.children(n, e, inFunction)
	}
}

// members adds the members of a class, interface or type literal.
func (b *tableBuilder) members(n *tsgo.Node, parent int) {
	inType := !tsgo.IsClassLike(n)
	n.ForEachChild(func(m *tsgo.Node) bool {
		var kind graph.Kind
		switch m.Kind {
		case tsgo.KindMethodDeclaration, tsgo.KindMethodSignature, tsgo.KindGetAccessor, tsgo.KindSetAccessor:
			kind = graph.KindMethod
		case tsgo.KindPropertyDeclaration, tsgo.KindPropertySignature:
			kind = graph.KindField
			if !inType && isFunction(initOf(m)) {
				kind = graph.KindMethod
			}
		case tsgo.KindConstructor:
			e := b.add(m, nil, "constructor", graph.KindMethod, parent, 0)
			for _, p := range m.Parameters() {
				if name, ok := nameText(p.Name()); ok && tsgo.IsParameterPropertyDeclaration(p, m) {
					b.add(p, p.Name(), name, graph.KindField, parent, 0)
				}
			}
			b.children(m, e, inFunction)
			return false
		default:
			b.visit(m, parent, inFunction)
			return false
		}
		name, ok := nameText(m.Name())
		if !ok {
			b.children(m, parent, inFunction)
			return false
		}
		var flags graph.Flags
		if inType || m.ModifierFlags()&tsgo.ModifierFlagsAbstract != 0 || b.sf.IsDeclarationFile {
			flags = graph.FlagAbstract
		}
		e := b.add(m, m.Name(), name, kind, parent, flags)
		b.visitTyped(m, e)
		return false
	})
}

// visitTyped visits the type and value of a field, or the parts of a method.
func (b *tableBuilder) visitTyped(m *tsgo.Node, e int) {
	switch m.Kind {
	case tsgo.KindPropertyDeclaration, tsgo.KindPropertySignature, tsgo.KindVariableDeclaration:
		m.ForEachChild(func(c *tsgo.Node) bool {
			switch c {
			case m.Name():
			case typeOf(m):
				b.typeMembers(c, e)
			case initOf(m):
				b.value(c, e)
			default:
				b.visit(c, e, inFunction)
			}
			return false
		})
	default:
		b.children(m, e, inFunction)
	}
}

// typeMembers adds the members of all type literals that the type is made of.
func (b *tableBuilder) typeMembers(t *tsgo.Node, parent int) {
	if t == nil {
		return
	}
	if t.Kind == tsgo.KindTypeLiteral {
		b.members(t, parent)
		return
	}
	t.ForEachChild(func(c *tsgo.Node) bool {
		b.typeMembers(c, parent)
		return false
	})
}

// value adds the members of an object literal, and what functions hold.
func (b *tableBuilder) value(v *tsgo.Node, parent int) {
	if v == nil {
		return
	}
	switch inner := unwrap(v); inner.Kind {
	case tsgo.KindObjectLiteralExpression:
		b.literal(inner, parent)
	case tsgo.KindClassExpression:
		b.members(inner, parent)
	case tsgo.KindFunctionExpression:
		b.children(inner, parent, inFunction)
	default:
		b.visit(v, parent, inFunction)
	}
}

// literal adds the members of an object literal that a name leads to.
func (b *tableBuilder) literal(obj *tsgo.Node, parent int) {
	for _, m := range obj.Properties() {
		name, ok := nameText(m.Name())
		if !ok || m.Kind == tsgo.KindSpreadAssignment {
			b.children(m, parent, inFunction)
			continue
		}
		kind := graph.KindField
		if m.Kind != tsgo.KindShorthandPropertyAssignment && (m.Kind != tsgo.KindPropertyAssignment || isFunction(initOf(m))) {
			kind = graph.KindMethod
		}
		if m.Kind == tsgo.KindShorthandPropertyAssignment && isModuleExports(obj.Parent) {
			continue // stands for the variable: see resolver.target
		}
		e := b.add(m, m.Name(), name, b.component(kind, name, initOf(m)), parent, 0)
		if m.Kind == tsgo.KindPropertyAssignment {
			b.value(m.Initializer(), e)
		} else {
			b.children(m, e, inFunction)
		}
	}
}

func isModuleExports(n *tsgo.Node) bool {
	return n != nil && n.Kind == tsgo.KindBinaryExpression && tsgo.GetAssignmentDeclarationKind(n) == tsgo.JSDeclarationKindModuleExports
}

// unwrap skips what changes the type of an expression only, and Object.freeze.
func unwrap(e *tsgo.Node) *tsgo.Node {
	for {
		switch e.Kind {
		case tsgo.KindParenthesizedExpression, tsgo.KindAsExpression, tsgo.KindSatisfiesExpression, tsgo.KindTypeAssertionExpression, tsgo.KindNonNullExpression:
			e = e.Expression()
		default:
			return e
		}
	}
}

// initOf is the value that a declaration is written with, nil if none.
func initOf(n *tsgo.Node) *tsgo.Node {
	if !tsgo.HasInitializer(n) {
		return nil
	}
	return n.Initializer()
}

// typeOf is the type that a declaration is written with, nil if none.
func typeOf(n *tsgo.Node) *tsgo.Node {
	switch n.Kind {
	case tsgo.KindVariableDeclaration, tsgo.KindPropertyDeclaration, tsgo.KindPropertySignature, tsgo.KindPropertyAssignment:
		return n.Type()
	}
	return nil
}

func isFunction(e *tsgo.Node) bool {
	if e == nil {
		return false
	}
	switch unwrap(e).Kind {
	case tsgo.KindArrowFunction, tsgo.KindFunctionExpression:
		return true
	}
	return false
}

// component is KindComponent for a capitalised function, class or variable that makes JSX.
func (b *tableBuilder) component(kind graph.Kind, name string, n *tsgo.Node) graph.Kind {
	if b.jsx && n != nil && upper(name) && containsJSX(n) {
		switch kind {
		case graph.KindFunction, graph.KindVariable, graph.KindConst, graph.KindClass:
			return graph.KindComponent
		}
	}
	return kind
}

func upper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

func containsJSX(n *tsgo.Node) bool {
	switch n.Kind {
	case tsgo.KindJsxElement, tsgo.KindJsxSelfClosingElement, tsgo.KindJsxFragment:
		return true
	}
	return n.ForEachChild(containsJSX)
}

// visitVariable adds the variables of one declarator.
func (b *tableBuilder) visitVariable(n *tsgo.Node, parent int, sc scope) {
	init := n.Initializer()
	list := n.Parent
	isVar := list.Flags&tsgo.NodeFlagsBlockScoped == 0
	node := sc == inModule || sc == inBlock && isVar
	if n.Name().Kind != tsgo.KindIdentifier {
		if node && !tsgo.IsVariableDeclarationInitializedToBareOrAccessedRequire(n) {
			b.bindings(n.Name(), parent, sc)
		}
		b.children(n, parent, inFunction)
		return
	}
	name, ok := nameText(n.Name())
	if !ok || isRequired(n) {
		b.children(n, parent, inFunction)
		return
	}
	kind := graph.KindVariable
	if init != nil {
		switch v := unwrap(init); {
		case isFunction(v):
			kind, node = graph.KindFunction, true
		case v.Kind == tsgo.KindClassExpression:
			kind, node = graph.KindClass, true
		case list.Flags&tsgo.NodeFlagsConst != 0 && isSimple(v):
			kind = graph.KindConst
		}
	}
	if !node {
		b.children(n, parent, inFunction)
		return
	}
	flags := b.topFlags(n, name, sc)
	if init == nil && !b.ambient {
		flags &^= graph.FlagAbstract
	}
	e := b.add(n, n.Name(), name, b.component(kind, name, init), parent, flags)
	b.visitTyped(n, e)
}

// isSimple reports whether the expression is a constant at sight.
func isSimple(v *tsgo.Node) bool {
	switch v.Kind {
	case tsgo.KindStringLiteral, tsgo.KindNoSubstitutionTemplateLiteral, tsgo.KindNumericLiteral, tsgo.KindBigIntLiteral,
		tsgo.KindTrueKeyword, tsgo.KindFalseKeyword, tsgo.KindNullKeyword, tsgo.KindRegularExpressionLiteral:
		return true
	case tsgo.KindPrefixUnaryExpression:
		return isSimple(v.AsPrefixUnaryExpression().Operand)
	case tsgo.KindBinaryExpression:
		e := v.AsBinaryExpression()
		return e.OperatorToken.Kind != tsgo.KindEqualsToken && isSimple(unwrap(e.Left)) && isSimple(unwrap(e.Right))
	}
	return false
}

// bindings adds the variables of a destructuring pattern.
func (b *tableBuilder) bindings(pattern *tsgo.Node, parent int, sc scope) {
	for _, el := range pattern.Elements() {
		if el.Kind != tsgo.KindBindingElement || el.Name() == nil {
			continue
		}
		if name, ok := nameText(el.Name()); ok {
			b.add(el, el.Name(), name, graph.KindVariable, parent, b.topFlags(el, name, sc))
		} else if el.Name().Kind != tsgo.KindIdentifier {
			b.bindings(el.Name(), parent, sc)
		}
	}
}

// visitType adds an interface, type alias or enum.
func (b *tableBuilder) visitType(n *tsgo.Node, parent int, sc scope) {
	name, ok := nameText(n.Name())
	if !ok {
		return
	}
	flags := b.topFlags(n, name, sc)
	switch n.Kind {
	case tsgo.KindInterfaceDeclaration:
		b.members(n, b.add(n, n.Name(), name, graph.KindInterface, parent, flags))
	case tsgo.KindEnumDeclaration:
		e := b.add(n, n.Name(), name, graph.KindEnum, parent, flags)
		for _, m := range n.Members() {
			if name, ok := nameText(m.Name()); ok {
				b.add(m, m.Name(), name, graph.KindVariant, e, 0)
			}
		}
	default:
		if n.Kind == tsgo.KindJSTypeAliasDeclaration {
			flags |= graph.FlagExported
		}
		b.typeMembers(n.Type(), b.add(n, n.Name(), name, graph.KindType, parent, flags))
	}
}

// visitModule adds a namespace or ambient module; `declare global` is transparent.
func (b *tableBuilder) visitModule(n *tsgo.Node, parent int, sc scope) {
	body := n.Body()
	was := b.ambient
	defer func() { b.ambient = was }()
	if tsgo.IsGlobalScopeAugmentation(n) {
		b.ambient = true
		if body != nil {
			b.children(body, parent, inModule)
		}
		return
	}
	name, ok := nameText(n.Name())
	if !ok {
		return
	}
	if n.Name().Kind == tsgo.KindStringLiteral {
		name = `"` + name + `"`
	}
	flags := b.topFlags(n, name, sc)
	if n.Parent.Kind == tsgo.KindModuleDeclaration && parent >= 0 { // `namespace A.B`
		flags |= b.entries[parent].flags & graph.FlagExported
	}
	b.ambient = was || tsgo.GetCombinedModifierFlags(n)&tsgo.ModifierFlagsAmbient != 0 || n.Name().Kind == tsgo.KindStringLiteral || b.sf.IsDeclarationFile
	e := b.add(n, n.Name(), name, graph.KindModule, parent, flags)
	switch {
	case body == nil:
	case body.Kind == tsgo.KindModuleDeclaration:
		b.visitModule(body, e, inModule)
	default:
		b.children(body, e, inModule)
	}
}

// visitExport adds the node of an exported expression that has no name of its own.
func (b *tableBuilder) visitExport(n, value *tsgo.Node, parent int) {
	name := "default"
	if n.Kind != tsgo.KindExportAssignment || n.AsExportAssignment().IsExportEquals {
		name = "exports"
	}
	v := unwrap(value)
	if tsgo.IsEntityNameExpression(v) {
		b.children(n, parent, inFunction)
		return
	}
	kind := graph.KindVariable
	switch {
	case isFunction(v):
		kind = graph.KindFunction
	case v.Kind == tsgo.KindClassExpression:
		kind = graph.KindClass
	case isSimple(v):
		kind = graph.KindConst
	}
	if b.jsx && kind != graph.KindConst && (containsJSX(v) || wrapsComponent(v)) {
		kind = graph.KindComponent
	}
	e := b.add(n, nil, name, kind, parent, graph.FlagExported|graph.FlagDefault)
	b.value(value, e)
}

// wrapsComponent reports whether the expression is a call with a capitalised name in it,
// as memo(View) is.
func wrapsComponent(v *tsgo.Node) bool {
	return v.Kind == tsgo.KindCallExpression && slices.ContainsFunc(v.Arguments(), func(a *tsgo.Node) bool {
		return a.Kind == tsgo.KindIdentifier && upper(a.Text())
	})
}

// visitAssignment adds what an assignment declares: CommonJS exports, and properties of
// functions, classes and this. It reports false for any other.
func (b *tableBuilder) visitAssignment(n *tsgo.Node, parent int) bool {
	kind := tsgo.GetAssignmentDeclarationKind(n)
	bin := n.AsBinaryExpression()
	left, right := bin.Left, bin.Right
	if kind == tsgo.JSDeclarationKindModuleExports {
		if n.Symbol() == nil {
			return false
		}
		b.visitExport(n, right, parent)
		return true
	}
	if kind == tsgo.JSDeclarationKindNone {
		return false
	}
	prop := tsgo.GetElementOrPropertyAccessName(left)
	name, ok := nameText(prop)
	if !ok {
		return false
	}
	k := graph.KindField
	if isFunction(right) {
		k = graph.KindMethod
	}
	var flags graph.Flags
	switch kind {
	case tsgo.JSDeclarationKindExportsProperty:
		if tsgo.IsEntityNameExpression(right) {
			return false // an alias
		}
		if k, flags = graph.KindVariable, graph.FlagExported; isFunction(right) {
			k = graph.KindFunction
		}
	case tsgo.JSDeclarationKindThisProperty, tsgo.JSDeclarationKindProperty:
		owner := b.assignee(n)
		if owner < 0 {
			return false
		}
		parent = owner
	default:
		return false
	}
	if s := n.Symbol(); s != nil && len(b.bySymbol[s]) > 0 {
		return false // a further assignment writes what the first declared
	}
	e := b.add(n, prop, name, k, parent, flags)
	b.value(right, e)
	return true
}

// assignee is the entry that a property is assigned to; -1 if it is none.
func (b *tableBuilder) assignee(n *tsgo.Node) int {
	s := n.Symbol()
	if s == nil {
		return -1
	}
	if s.Parent != nil {
		for _, d := range s.Parent.Declarations {
			if i, ok := b.byNode[d]; ok {
				return i
			}
			if d.Parent != nil { // the symbol of `const f = () => {}` that holds f.x is the arrow's
				if i, ok := b.byNode[d.Parent]; ok {
					return i
				}
			}
		}
	}
	return -1
}
