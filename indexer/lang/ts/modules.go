package ts

import (
	"path"
	"strings"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
)

// modules adds the imports of the file.
func (w *walker) modules() {
	for _, spec := range w.sf.Imports() {
		if spec.Pos() < 0 || !tsgo.IsStringLiteralLike(spec) {
			continue
		}
		w.module(spec)
	}
	for _, name := range w.sf.ModuleAugmentations {
		if name.Kind == tsgo.KindStringLiteral {
			w.module(name)
		}
	}
	for _, ref := range w.sf.ReferencedFiles {
		v := path.Join(path.Dir(w.sf.FileName()), ref.FileName)
		if to, ok := w.fileTarget(v); ok {
			w.b.edge(graph.EdgeImports, graph.EdgeTypeOnly, w.table.fileSymbol(), to, ref.Pos(), ref.End())
		} else {
			w.b.miss(ref.Pos(), ref.FileName, noFile)
		}
	}
}

// fileTarget is the symbol of a file of the project, or of the package that an outside
// file belongs to.
func (w *walker) fileTarget(v string) (graph.Symbol, bool) {
	sf := w.prog.GetSourceFile(v)
	if sf == nil {
		return graph.Symbol{}, false
	}
	if t := w.r.tables.of(sf); t != nil {
		return t.fileSymbol(), true
	}
	return externalModule(packageOfPath(v)), true
}

func externalModule(name string) graph.Symbol {
	return graph.Symbol{Lang: "ts", Kind: graph.KindModule, Module: name, External: true}
}

// module adds the edge of one specifier.
func (w *walker) module(spec *tsgo.Node) {
	start, end := nameRange(w.sf, spec)
	var flags uint8
	if p := spec.Parent; p.Kind == tsgo.KindLiteralType || p.Kind == tsgo.KindModuleDeclaration || p.Flags&tsgo.NodeFlagsJSDoc != 0 || tsgo.IsExclusivelyTypeOnlyImportOrExport(p) {
		flags = graph.EdgeTypeOnly
	}
	from := w.table.fileSymbol()
	if to, ok := w.moduleTarget(spec); ok {
		w.b.edge(graph.EdgeImports, flags, from, to, start, end)
		if to.External && w.resolved(spec) == "" && !isBuiltin(spec.Text()) && !w.ambient(spec) {
			w.b.miss(start, spec.Text(), noPackage)
		}
		return
	}
	if !isAsset(spec.Text()) {
		w.b.miss(start, spec.Text(), noFile)
	}
}

// assets are the extensions of what bundlers import besides sources. Nobody can say what
// such a file exports.
var assets = map[string]bool{
	".css": true, ".scss": true, ".sass": true, ".less": true, ".styl": true, ".svg": true, ".png": true, ".jpg": true, ".jpeg": true,
	".gif": true, ".webp": true, ".avif": true, ".ico": true, ".json": true, ".json5": true, ".vue": true, ".svelte": true, ".astro": true,
	".md": true, ".mdx": true, ".html": true, ".txt": true, ".woff": true, ".woff2": true, ".ttf": true, ".otf": true, ".wasm": true,
	".graphql": true, ".gql": true, ".yaml": true, ".yml": true, ".toml": true, ".xml": true, ".glsl": true, ".vert": true, ".frag": true,
	".mp3": true, ".mp4": true, ".webm": true, ".wav": true, ".pdf": true, ".csv": true, ".sql": true, ".node": true,
}

// isAsset reports whether a specifier names a file that is no source.
func isAsset(spec string) bool {
	spec, query, _ := strings.Cut(spec, "?")
	return query != "" || assets[path.Ext(spec)]
}

// resolved is the virtual path of the file that a specifier leads to, "" if to none.
func (w *walker) resolved(spec *tsgo.Node) string {
	m := w.prog.GetResolvedModuleFromModuleSpecifier(w.sf, spec)
	if m == nil || !m.IsResolved() {
		return ""
	}
	return m.ResolvedFileName
}

func (w *walker) ambient(spec *tsgo.Node) bool {
	return w.c.TryFindAmbientModule(spec.Text()) != nil
}

// moduleTarget is what a specifier leads to; ok is false for a file that is not there.
func (w *walker) moduleTarget(spec *tsgo.Node) (graph.Symbol, bool) {
	if v := w.resolved(spec); v != "" {
		if to, ok := w.fileTarget(v); ok {
			return to, true
		}
		if inNodeModules(v) {
			return externalModule(packageOfPath(v)), true
		}
	}
	text := spec.Text()
	if text == "" {
		return graph.Symbol{}, false
	}
	if s := w.c.TryFindAmbientModule(text); s != nil {
		for _, t := range w.r.of(s) {
			return t.Symbol, true
		}
	}
	if isBare(text) {
		return externalModule(packageName(text)), true
	}
	return graph.Symbol{}, false
}

// isBare reports whether a specifier names a package rather than a file.
func isBare(spec string) bool {
	return spec != "" && !strings.HasPrefix(spec, ".") && !strings.HasPrefix(spec, "/") && !strings.HasPrefix(spec, "#") &&
		!strings.HasPrefix(spec, "~") && !strings.HasPrefix(spec, "@/")
}

// builtins are the modules that come with Node.
var builtins = map[string]bool{
	"assert": true, "async_hooks": true, "buffer": true, "child_process": true, "cluster": true, "console": true, "constants": true,
	"crypto": true, "dgram": true, "diagnostics_channel": true, "dns": true, "domain": true, "events": true, "fs": true, "http": true,
	"http2": true, "https": true, "inspector": true, "module": true, "net": true, "os": true, "path": true, "perf_hooks": true,
	"process": true, "punycode": true, "querystring": true, "readline": true, "repl": true, "stream": true, "string_decoder": true,
	"sys": true, "timers": true, "tls": true, "trace_events": true, "tty": true, "url": true, "util": true, "v8": true, "vm": true,
	"wasi": true, "worker_threads": true, "zlib": true,
}

// isBuiltin reports whether a specifier names what a runtime or bundler provides.
func isBuiltin(spec string) bool {
	if scheme, _, ok := strings.Cut(spec, ":"); ok {
		return len(scheme) > 1
	}
	first, _, _ := strings.Cut(spec, "/")
	return builtins[first]
}

// unresolved handles a name n whose alias s leads out of the project or nowhere.
func (w *walker) unresolved(n *tsgo.Node, s *tsgo.Symbol, from int) {
	for range 64 {
		next := w.c.GetImmediateAliasedSymbol(s)
		if next == nil || next == s || w.c.IsUnknownSymbol(next) || next.Flags&tsgo.SymbolFlagsAlias == 0 {
			break
		}
		s = next
	}
	for _, d := range s.Declarations {
		spec, name := importOf(d)
		if spec == nil {
			continue
		}
		start, end := nameRange(w.sf, n)
		sf := tsgo.GetSourceFileOfNode(d)
		m := w.prog.GetResolvedModuleFromModuleSpecifier(sf, spec)
		pkg := ""
		switch {
		case m != nil && m.IsResolved() && inNodeModules(m.ResolvedFileName):
			pkg = packageOfPath(m.ResolvedFileName)
		case (m == nil || !m.IsResolved()) && isBare(spec.Text()):
			pkg = packageName(spec.Text())
		default:
			if !w.jsdoc && !isAsset(spec.Text()) {
				reason := noName
				if m == nil || !m.IsResolved() {
					reason = noFile
				}
				w.b.miss(start, n.Text(), reason)
			}
			return
		}
		to := graph.Symbol{Lang: "ts", Module: pkg, Qual: name, External: true}
		if name == "" {
			if isQualifier(n) || n.Parent == d {
				return
			}
			to.Kind = graph.KindModule
		}
		t := target{Symbol: to}
		flags := uint8(0)
		if w.jsdoc || isTypeOnly(n) {
			flags = graph.EdgeTypeOnly
		}
		w.b.edge(w.kindAt(n, t), flags, w.from(from), to, start, end)
		return
	}
	if !w.jsdoc {
		w.b.miss(tokenStart(w.sf, n), n.Text(), noName)
	}
}

// importOf returns the specifier that an alias declaration imports from, and the name it
// imports: "" for the module itself.
func importOf(d *tsgo.Node) (spec *tsgo.Node, name string) {
	switch d.Kind {
	case tsgo.KindImportSpecifier:
		return d.Parent.Parent.Parent.ModuleSpecifier(), d.PropertyNameOrName().Text()
	case tsgo.KindExportSpecifier:
		return d.Parent.Parent.ModuleSpecifier(), d.PropertyNameOrName().Text()
	case tsgo.KindImportClause:
		return d.Parent.ModuleSpecifier(), "default"
	case tsgo.KindNamespaceImport:
		return d.Parent.Parent.ModuleSpecifier(), ""
	case tsgo.KindNamespaceExport:
		return d.Parent.ModuleSpecifier(), ""
	case tsgo.KindImportEqualsDeclaration:
		if e := tsgo.GetExternalModuleImportEqualsDeclarationExpression(d); tsgo.IsExternalModuleImportEqualsDeclaration(d) && e != nil && tsgo.IsStringLiteralLike(e) {
			return e, ""
		}
	case tsgo.KindVariableDeclaration, tsgo.KindBindingElement:
		decl := tsgo.WalkUpBindingElementsAndPatterns(d)
		if tsgo.IsInJSFile(d) && tsgo.IsVariableDeclarationInitializedToBareOrAccessedRequire(decl) {
			if s := tsgo.GetModuleSpecifierOfBareOrAccessedRequire(decl); s != nil {
				if d.Kind == tsgo.KindBindingElement {
					return s, d.PropertyNameOrName().Text()
				}
				return s, ""
			}
		}
	}
	return nil, ""
}

// unbound handles a name that the checker knows nothing about.
func (w *walker) unbound(n *tsgo.Node, from int) {
	if w.jsdoc || n.Kind != tsgo.KindIdentifier && n.Kind != tsgo.KindPrivateIdentifier && n.Parent.Kind != tsgo.KindElementAccessExpression {
		return
	}
	p := n.Parent
	start, end := nameRange(w.sf, n)
	switch p.Kind {
	case tsgo.KindPropertyAccessExpression, tsgo.KindElementAccessExpression, tsgo.KindQualifiedName:
		if p.Kind == tsgo.KindPropertyAccessExpression && p.Name() != n || p.Kind == tsgo.KindElementAccessExpression && p.AsElementAccessExpression().ArgumentExpression != n ||
			p.Kind == tsgo.KindQualifiedName && p.AsQualifiedName().Right != n {
			break
		}
		if to, ok := w.externalMember(p, n.Text()); ok {
			w.b.edge(w.kindAt(n, target{Symbol: to}), 0, w.from(from), to, start, end)
			return
		}
		if p.Kind != tsgo.KindElementAccessExpression {
			w.b.miss(start, n.Text(), noType)
		}
		return
	case tsgo.KindBindingElement, tsgo.KindMetaProperty, tsgo.KindJsxNamespacedName, tsgo.KindImportAttribute, tsgo.KindPropertyAssignment, tsgo.KindNamedTupleMember, tsgo.KindTypePredicate:
		return
	case tsgo.KindImportSpecifier, tsgo.KindExportSpecifier:
		if s := p.Symbol(); s != nil {
			w.unresolved(n, s, from)
		}
		return
	case tsgo.KindJsxOpeningElement, tsgo.KindJsxSelfClosingElement, tsgo.KindJsxClosingElement:
		if c := n.Text()[0]; c >= 'a' && c <= 'z' {
			return
		}
	}
	switch n.Text() {
	case "undefined", "arguments", "require", "module", "exports", "globalThis", "const":
		return
	}
	if tsgo.IsDeclarationName(n) {
		return
	}
	w.b.miss(start, n.Text(), noName)
}

// externalMember names `ns.member` where ns is a package that is not there.
func (w *walker) externalMember(access *tsgo.Node, member string) (graph.Symbol, bool) {
	var left *tsgo.Node
	if access.Kind == tsgo.KindQualifiedName {
		left = access.AsQualifiedName().Left
	} else {
		left = access.Expression()
	}
	if left.Kind != tsgo.KindIdentifier {
		return graph.Symbol{}, false
	}
	s := w.c.GetSymbolAtLocation(left)
	if s == nil || s.Flags&tsgo.SymbolFlagsAlias == 0 || w.r.alias(s) != nil {
		return graph.Symbol{}, false
	}
	for _, d := range s.Declarations {
		spec, name := importOf(d)
		if spec == nil || !isBare(spec.Text()) {
			continue
		}
		m := w.prog.GetResolvedModuleFromModuleSpecifier(tsgo.GetSourceFileOfNode(d), spec)
		pkg := packageName(spec.Text())
		if m != nil && m.IsResolved() {
			if !inNodeModules(m.ResolvedFileName) {
				return graph.Symbol{}, false
			}
			pkg = packageOfPath(m.ResolvedFileName)
		}
		if name != "" {
			member = name + "." + member
		}
		return graph.Symbol{Lang: "ts", Module: pkg, Qual: member, External: true}, true
	}
	return graph.Symbol{}, false
}
