package ts

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
)

// tables builds the declaration table of each file once, on demand, for all workers.
type tables struct {
	mu sync.Mutex
	m  map[*tsgo.SourceFile]*lazyTable
}

type lazyTable struct {
	once  sync.Once
	table *fileTable
}

// of returns the table of a project file, nil for any other.
func (ts *tables) of(sf *tsgo.SourceFile) *fileTable {
	p, ok := rel(sf.FileName())
	if !ok || inNodeModules(sf.FileName()) {
		return nil
	}
	ts.mu.Lock()
	l := ts.m[sf]
	if l == nil {
		l = &lazyTable{}
		ts.m[sf] = l
	}
	ts.mu.Unlock()
	l.once.Do(func() { l.table = buildTable(p, sf) })
	return l.table
}

// A target is a node that a symbol of the checker stands for, or a part of it if the
// declarations of the symbol share no meaning.
type target struct {
	graph.Symbol
	meaning  tsgo.SemanticMeaning
	abstract bool // a member without a body
	partial  bool // the symbol also means something that is no node
	decl     *tsgo.Node
	parent   *graph.Symbol // of the canonical declaration; nil for externals
}

// resolver maps symbols of one checker to nodes. It is not safe for concurrent use.
type resolver struct {
	c       *tsgo.Checker
	tables  *tables
	targets map[*tsgo.Symbol][]target
}

// of returns the nodes that s stands for, none if it is a local, a parameter or unknown.
func (r *resolver) of(s *tsgo.Symbol) []target {
	if t, ok := r.targets[s]; ok {
		return t
	}
	r.targets[s] = nil // ends a cycle
	t := r.find(s)
	r.targets[s] = t
	return t
}

func (r *resolver) find(s *tsgo.Symbol) []target {
	if s.Flags&(tsgo.SymbolFlagsTransient) != 0 || s.CheckFlags != 0 {
		if roots := r.c.GetRootSymbols(s); len(roots) != 1 || roots[0] != s {
			var all []target
			for _, root := range roots {
				if root != nil && root != s {
					all = append(all, r.of(root)...)
				}
			}
			return compact(all)
		}
	}
	var own []located
	var foreign []*tsgo.Node
	partial := false
	for _, d := range s.Declarations {
		sf := tsgo.GetSourceFileOfNode(d)
		if sf == nil {
			continue
		}
		t := r.tables.of(sf)
		if t == nil {
			foreign = append(foreign, d)
			continue
		}
		if d.Kind == tsgo.KindSourceFile {
			own = append(own, located{t, -1, d})
		} else if i, ok := t.byNode[d]; ok {
			own = append(own, located{t, i, d})
		} else if v := r.standsFor(d); v != nil {
			return r.of(v)
		} else {
			partial = true
		}
	}
	if len(own) > 0 {
		out := r.group(own)
		for i := range out {
			out[i].partial = partial
		}
		if d := own[0].decl; d.Kind == tsgo.KindExportAssignment {
			out = append(out, r.wrapped(d.Expression())...)
		}
		return compact(out)
	}
	return external(foreign)
}

// wrapped returns what an exported call wraps: whoever imports `export default memo(View)`
// uses View as well.
func (r *resolver) wrapped(e *tsgo.Node) []target {
	if e = unwrap(e); e.Kind != tsgo.KindCallExpression {
		return nil
	}
	var out []target
	for _, arg := range e.Arguments() {
		if arg.Kind != tsgo.KindIdentifier {
			continue
		}
		s := r.c.GetSymbolAtLocation(arg)
		if s == nil {
			continue
		}
		if s = r.alias(s); s == nil {
			continue
		}
		for _, t := range r.of(s) {
			if !t.External && (t.Kind.IsCallable() || t.Kind == graph.KindClass) {
				out = append(out, t)
			}
		}
	}
	return out
}

// standsFor returns the variable behind a declaration that is no node because it only
// passes another one on.
func (r *resolver) standsFor(d *tsgo.Node) *tsgo.Symbol {
	switch d.Kind {
	case tsgo.KindShorthandPropertyAssignment:
		if isModuleExports(d.Parent.Parent) {
			if v := r.c.GetShorthandAssignmentValueSymbol(d); v != nil {
				return r.alias(v)
			}
		}
	case tsgo.KindBindingElement:
		// const { a } = require("x")
		if tsgo.IsInJSFile(d) && tsgo.IsVariableDeclarationInitializedToBareOrAccessedRequire(d.Parent.Parent) {
			return r.bound(d)
		}
	case tsgo.KindVariableDeclaration:
		if !isRequired(d) {
			return nil
		}
		if access := d.Initializer(); access.Kind != tsgo.KindCallExpression { // require("x").a
			if s := r.c.GetSymbolAtLocation(access.Name()); s != nil {
				return r.alias(s)
			}
		} else {
			if v := r.c.ResolveExternalModuleName(d.Initializer().Arguments()[0]); v != nil {
				if v = r.c.ResolveExternalModuleSymbol(v); v != nil {
					return r.alias(v)
				}
			}
		}
	case tsgo.KindBinaryExpression:
		switch tsgo.GetAssignmentDeclarationKind(d) {
		case tsgo.JSDeclarationKindExportsProperty, tsgo.JSDeclarationKindModuleExports:
			if v := unwrap(d.AsBinaryExpression().Right); tsgo.IsEntityNameExpression(v) {
				if s := r.c.GetSymbolAtLocation(v); s != nil {
					return r.alias(s)
				}
			}
		}
	}
	return nil
}

// isRequired reports whether a variable is what require gives, or one property of it.
func isRequired(d *tsgo.Node) bool {
	if !tsgo.IsInJSFile(d) || d.Name().Kind != tsgo.KindIdentifier || !tsgo.IsVariableDeclarationInitializedToBareOrAccessedRequire(d) {
		return false
	}
	e := d.Initializer()
	return e.Kind == tsgo.KindCallExpression || e.Kind == tsgo.KindPropertyAccessExpression && e.Expression().Kind == tsgo.KindCallExpression
}

// bound returns the property that an element of an object pattern takes, nil if unknown.
func (r *resolver) bound(el *tsgo.Node) *tsgo.Symbol {
	name := el.PropertyNameOrName()
	if el.Parent.Kind != tsgo.KindObjectBindingPattern || !tsgo.IsPropertyNameLiteral(name) {
		return nil
	}
	t := r.c.GetTypeAtLocation(el.Parent)
	if t == nil {
		return nil
	}
	if s := r.c.GetPropertyOfType(t, name.Text()); s != nil {
		return r.alias(s)
	}
	return nil
}

// alias follows imports and re-exports; nil if they lead nowhere.
func (r *resolver) alias(s *tsgo.Symbol) *tsgo.Symbol {
	if s.Flags&tsgo.SymbolFlagsAlias == 0 {
		return s
	}
	t := r.c.GetAliasedSymbol(s)
	if t == nil || r.c.IsUnknownSymbol(t) {
		return nil
	}
	return t
}

type located struct {
	table *fileTable
	index int
	decl  *tsgo.Node
}

// group makes targets of all declarations that a symbol has in the project. The first
// declaration in the order of path and position names the node.
func (r *resolver) group(own []located) []target {
	if len(own) > 1 {
		slices.SortFunc(own, func(a, b located) int {
			return cmp.Or(strings.Compare(a.table.path, b.table.path), cmp.Compare(a.decl.Pos(), b.decl.Pos()), cmp.Compare(a.index, b.index))
		})
	}
	for _, l := range own {
		// What augments a module does not rename it.
		if l.index < 0 {
			sym := l.table.fileSymbol()
			return []target{{Symbol: sym, meaning: meaning(l.decl), decl: l.decl, parent: &sym}}
		}
	}
	var out []target
	for _, part := range components(own, func(l located) tsgo.SemanticMeaning { return meaning(l.decl) }) {
		first := part[0]
		sym := first.table.symbol(first.index)
		parent := first.table.fileSymbol()
		t := target{decl: first.decl}
		if first.index >= 0 {
			parent = first.table.symbol(first.table.entries[first.index].parent)
			t.abstract = first.table.entries[first.index].flags&graph.FlagAbstract != 0
		}
		for _, l := range part {
			t.meaning |= meaning(l.decl)
			if l.index >= 0 {
				sym.Kind = stronger(sym.Kind, l.table.entries[l.index].kind)
			}
		}
		t.Symbol, t.parent = sym, &parent
		out = append(out, t)
	}
	return out
}

// compact drops what is there twice.
func compact(list []target) []target {
	var out []target
	for _, t := range list {
		if !slices.ContainsFunc(out, func(o target) bool { return o.Symbol == t.Symbol }) {
			out = append(out, t)
		}
	}
	return out
}

// external names a declaration outside the project.
func external(decls []*tsgo.Node) []target {
	var out []target
	for _, part := range components(decls, meaning) {
		best := target{}
		for _, d := range part {
			sym, ok := externalSymbol(d)
			if !ok {
				continue
			}
			best.meaning |= meaning(d)
			if best.decl == nil || compareSymbols(sym, best.Symbol) < 0 {
				best.Symbol, best.decl = sym, d
			}
			best.Symbol.Kind = stronger(best.Symbol.Kind, sym.Kind)
		}
		if best.decl != nil {
			best.abstract = best.Kind == graph.KindMethod && best.decl.Kind == tsgo.KindMethodSignature
			out = append(out, best)
		}
	}
	return compact(out)
}

func compareSymbols(a, b graph.Symbol) int {
	return cmp.Or(strings.Compare(a.Module, b.Module), strings.Compare(a.Qual, b.Qual), cmp.Compare(a.Kind, b.Kind))
}

// libModule is the module of what TypeScript's own libraries declare.
const libModule = "lib"

func externalSymbol(d *tsgo.Node) (graph.Symbol, bool) {
	sf := tsgo.GetSourceFileOfNode(d)
	sym := graph.Symbol{Lang: "ts", Module: packageOfPath(sf.FileName()), External: true}
	if d.Kind == tsgo.KindSourceFile {
		sym.Kind = graph.KindModule
		return sym, true
	}
	var names []string
	for n := d; n != nil && n.Kind != tsgo.KindSourceFile; n = n.Parent {
		switch n.Kind {
		case tsgo.KindModuleDeclaration:
			if n.Name().Kind == tsgo.KindStringLiteral {
				sym.Module = packageName(n.Name().Text())
				if n == d {
					sym.Kind = graph.KindModule
					return sym, true
				}
				n = nil
			} else if tsgo.IsGlobalScopeAugmentation(n) {
				continue
			}
		case tsgo.KindParameter, tsgo.KindTypeParameter:
			return sym, false
		case tsgo.KindSourceFile, tsgo.KindModuleBlock, tsgo.KindVariableDeclarationList, tsgo.KindVariableStatement, tsgo.KindTypeLiteral, tsgo.KindUnionType, tsgo.KindIntersectionType:
			continue
		}
		if n == nil {
			break
		}
		if name, ok := nameText(tsgo.GetNameOfDeclaration(n)); ok {
			names = append(names, name)
		} else if n == d {
			return sym, false
		}
	}
	if len(names) == 0 {
		return sym, false
	}
	slices.Reverse(names)
	sym.Qual = strings.Join(names, ".")
	sym.Kind = externalKind(d)
	return sym, true
}

func externalKind(d *tsgo.Node) graph.Kind {
	switch d.Kind {
	case tsgo.KindFunctionDeclaration:
		return graph.KindFunction
	case tsgo.KindClassDeclaration:
		return graph.KindClass
	case tsgo.KindInterfaceDeclaration:
		return graph.KindInterface
	case tsgo.KindTypeAliasDeclaration:
		return graph.KindType
	case tsgo.KindEnumDeclaration:
		return graph.KindEnum
	case tsgo.KindEnumMember:
		return graph.KindVariant
	case tsgo.KindModuleDeclaration:
		return graph.KindModule
	case tsgo.KindMethodSignature, tsgo.KindMethodDeclaration, tsgo.KindGetAccessor, tsgo.KindSetAccessor, tsgo.KindConstructor:
		return graph.KindMethod
	case tsgo.KindPropertySignature, tsgo.KindPropertyDeclaration:
		return graph.KindField
	}
	return graph.KindVariable
}

// packageOfPath is the package that a file outside the project belongs to.
func packageOfPath(v string) string {
	i := strings.LastIndex(v, "/node_modules/")
	if i < 0 {
		return libModule
	}
	return packageName(v[i+len("/node_modules/"):])
}

// packageName is the package that a specifier names: its first part, or two of a scoped one.
func packageName(spec string) string {
	spec = strings.TrimPrefix(spec, "node:")
	name, rest, _ := strings.Cut(spec, "/")
	if strings.HasPrefix(name, "@") && rest != "" {
		second, _, _ := strings.Cut(rest, "/")
		if name == "@types" {
			if scope, n, ok := strings.Cut(second, "__"); ok {
				return "@" + scope + "/" + n
			}
			return second
		}
		return name + "/" + second
	}
	return name
}
