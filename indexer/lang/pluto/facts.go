package pluto

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// builder collects the facts of one unit.
type builder struct {
	f       *graph.Facts
	ws      *workspace.State
	checked *workspace.Checked
	ids     *identity.IDs
	index   map[graph.Symbol]int
}

func newBuilder(unit string, ws *workspace.State, checked *workspace.Checked, records identity.Recorded) *builder {
	var drafts []*identity.Draft
	for _, m := range ws.Modules() {
		drafts = append(drafts, identity.Read(&identity.Module{Path: m.Path, File: m.File, Decls: m.Decls, Binary: m.Binary}))
	}
	return &builder{
		f: &graph.Facts{Unit: unit, Lang: langName}, ws: ws, checked: checked,
		ids: identity.Assign(drafts, records), index: map[graph.Symbol]int{},
	}
}

func (b *builder) sym(s graph.Symbol) int {
	s.Lang = langName
	i, ok := b.index[s]
	if !ok {
		i = len(b.f.Symbols)
		b.f.Symbols = append(b.f.Symbols, s)
		b.index[s] = i
	}
	return i
}

// fileSymbol is the node of a file.
func fileSymbol(p string) graph.Symbol { return graph.Symbol{Kind: graph.KindFile, Module: p} }

// kinds are the kinds of declarations in the graph; parameters are none of its nodes.
var kinds = map[xref.Kind]graph.Kind{
	xref.Function: graph.KindFunction, xref.Extern: graph.KindFunction, xref.Class: graph.KindClass, xref.Enum: graph.KindEnum,
	xref.Variant: graph.KindVariant, xref.Trait: graph.KindTrait, xref.Error: graph.KindError, xref.App: graph.KindApp,
	xref.Test: graph.KindTest, xref.Method: graph.KindMethod, xref.Field: graph.KindField,
}

// symbol is the node of a declaration. ok is false for what is none: a parameter, or a
// folder that is a module.
func (b *builder) symbol(k xref.Key) (y graph.Symbol, ok bool) {
	m := b.ws.Module(k.File)
	if k.Kind == xref.Module {
		if m == nil || m.Path != k.File {
			return y, false
		}
		return fileSymbol(k.File), true
	}
	kind, ok := kinds[k.Kind]
	if !ok {
		return y, false
	}
	y = graph.Symbol{Kind: kind, Module: trimExt(k.File), Qual: k.Qual, External: m == nil || m.Path != k.File}
	if k.Kind == xref.Test {
		y.Qual = strconv.Quote(k.Qual)
	}
	// The n-th of a name is marked as in other languages.
	if i := strings.LastIndexByte(y.Qual, '#'); i > 0 && k.Kind != xref.Test {
		y.Qual = strings.ReplaceAll(y.Qual, "#", "@")
	}
	return y, true
}

func trimExt(p string) string {
	for _, ext := range []string{".pluto", ".pt"} {
		if s, ok := strings.CutSuffix(p, ext); ok {
			return s
		}
	}
	return p
}

// file writes down a file and what it declares.
func (b *builder) file(at int, lf lang.File) {
	f := graph.FactFile{Path: lf.Path, Size: uint32(lf.Size), Hash: lf.Hash, Test: lf.Summary.Test}
	self := b.sym(fileSymbol(lf.Path))
	node := graph.FactDecl{Sym: self, Parent: -1, File: at, Name: graph.Pos{Line: 1, Col: 1}, Flags: fileFlags(f)}
	m := b.ws.Module(lf.Path)
	if m == nil || m.Path != lf.Path {
		// The human view of a module, or nothing that could be read: a file without declarations.
		f.Broken = m == nil
		node.Full = graph.Span{Pos: node.Name, EndLine: 1}
		b.f.Files = append(b.f.Files, f)
		b.f.Decls = append(b.f.Decls, node)
		return
	}
	src := m.File.Src
	f.Lines = uint32(src.Lines())
	if strings.HasSuffix(src.Text, "\n") {
		f.Lines--
	}
	f.Broken = !m.File.OK || m.Err != nil
	b.f.Files = append(b.f.Files, f)
	node.Full = span(src, source.Span{End: int32(len(src.Text))})
	node.UUID = b.ids.Of[xref.Key{File: m.Path, Kind: xref.Module}]
	b.f.Decls = append(b.f.Decls, node)
	for d := range xref.All(m.Decls) {
		b.decl(at, self, d)
	}
	if m.Err != nil {
		b.f.Notes = append(b.f.Notes, graph.Note{File: at, Text: m.Err.Error(), Broken: true})
	}
	for _, d := range m.Syntax {
		line, col := src.Position(d.Span.Start)
		b.f.Notes = append(b.f.Notes, graph.Note{File: at, Pos: graph.Pos{Line: uint32(line), Col: uint32(col)}, Text: d.Message, Broken: true})
	}
	for _, d := range b.checked.Diags(m.Path) {
		if reason := unresolved[d.Code]; reason != "" && d.File != nil && d.Span.End <= int32(len(src.Text)) {
			line, col := src.Position(d.Span.Start)
			b.f.Missing = append(b.f.Missing, graph.FactMiss{File: at, Pos: graph.Pos{Line: uint32(line), Col: uint32(col)},
				Name: src.Text[d.Span.Start:d.Span.End], Reason: reason})
		}
	}
}

// unresolved are the findings that say that a name means nothing.
var unresolved = map[diag.Code]string{
	diag.NoModule: "module not found", diag.NoModulePath: "module not found", diag.UnknownType: "type not found",
	diag.UnknownGeneric: "type not found", diag.UnknownTrait: "trait not found", diag.UnknownBound: "trait not found",
	diag.UnknownError: "error not found", "P0401": "variable not found", "P0402": "function not found",
}

func fileFlags(f graph.FactFile) graph.Flags {
	if f.Test {
		return graph.FlagTest
	}
	return 0
}

func (b *builder) decl(at, file int, d *xref.Decl) {
	y, ok := b.symbol(d.Key)
	if !ok {
		return
	}
	src := d.File.Src
	c := graph.FactDecl{
		Sym: b.sym(y), Parent: file, File: at, Name: pos(src, d.NameAt.Start), Full: span(src, d.Full),
		Flags: flags(d) | fileFlags(b.f.Files[at]), Sig: signature(d) + inferred(d, b.checked.Facts()), Doc: docLine(src.Text[d.WithDoc.Start:d.Full.Start]),
		UUID: b.ids.Of[d.Key],
	}
	if d.Kind == xref.Test {
		c.Name = pos(src, d.NameAt.Start+1) // behind the quote
	}
	if d.Parent != nil {
		if p, ok := b.symbol(d.Parent.Key); ok {
			c.Parent = b.sym(p)
		}
	}
	b.f.Decls = append(b.f.Decls, c)
}

func flags(d *xref.Decl) graph.Flags {
	var f graph.Flags
	top := d
	for top.Parent != nil {
		top = top.Parent
	}
	if top.Pub {
		f |= graph.FlagExported
	}
	switch d.Kind {
	case xref.Test:
		f |= graph.FlagTest | graph.FlagEntry
	case xref.App:
		f |= graph.FlagEntry
	case xref.Extern:
		f |= graph.FlagAbstract
	case xref.Function:
		if d.Name == "main" {
			f |= graph.FlagEntry
		}
	case xref.Method:
		fn, ok := d.Node.(*syntax.FuncDecl)
		if ok && fn.Body == nil {
			f |= graph.FlagAbstract
		}
		if d.Parent.Kind == xref.App && d.Name == "main" {
			f |= graph.FlagEntry
		}
	}
	return f
}

// uses writes down what a file uses.
func (b *builder) uses(at int, p string) {
	src := b.ws.Module(p).File.Src
	for _, s := range b.checked.Sites(p) {
		kind, ok := edgeKind(s)
		if !ok {
			continue
		}
		from, ok := b.symbol(s.Owner)
		if !ok {
			from = fileSymbol(p)
		}
		if s.Use == xref.Import {
			b.imports(at, src, s, from)
			continue
		}
		to, ok := b.symbol(s.Target)
		if !ok {
			continue
		}
		b.edge(at, src, s, kind, from, to)
	}
	for d := range xref.All(b.ws.Module(p).Decls) {
		b.implementation(at, src, d)
	}
}

func (b *builder) edge(at int, src *source.File, s xref.Site, kind graph.EdgeKind, from, to graph.Symbol) {
	e := graph.FactEdge{Kind: kind, From: b.sym(from), To: b.sym(to), File: at, Pos: pos(src, s.At.Start)}
	if s.Dynamic {
		e.Flags |= graph.EdgeDynamic
	}
	if s.Owner.Kind == xref.Test || b.f.Files[at].Test {
		e.Flags |= graph.EdgeTest
	}
	text := src.Text[s.At.Start:s.At.End]
	y := to
	y.Lang = langName
	if text != y.Name() {
		e.Len = uint16(min(utf8.RuneCountInString(text), 1<<16-1))
	}
	b.f.Edges = append(b.f.Edges, e)
}

// imports leads to the file that is imported, or to every file of the folder.
func (b *builder) imports(at int, src *source.File, s xref.Site, from graph.Symbol) {
	if y, ok := b.symbol(s.Target); ok {
		b.edge(at, src, s, graph.EdgeImports, from, y)
		return
	}
	inside := false
	for _, m := range b.ws.Modules() {
		if strings.HasPrefix(m.Path, s.Target.File+"/") && !strings.Contains(m.Path[len(s.Target.File)+1:], "/") {
			b.edge(at, src, s, graph.EdgeImports, from, fileSymbol(m.Path))
			inside = true
		}
	}
	if !inside {
		b.edge(at, src, s, graph.EdgeImports, from, graph.Symbol{Kind: graph.KindModule, Module: trimExt(s.Target.File), External: true})
	}
}

// edgeKind is the kind of a use in the graph. Uses of what is no node have none, nor have
// the names of modules before a dot, which lead to what follows them.
func edgeKind(s xref.Site) (graph.EdgeKind, bool) {
	switch s.Use {
	case xref.Call, xref.MethodCall:
		return graph.EdgeCalls, true
	case xref.Construct:
		return graph.EdgeConstructs, true
	case xref.EnumVariant:
		if s.Target.Kind == xref.Variant {
			return graph.EdgeConstructs, true
		}
		return graph.EdgeTypeRef, true
	case xref.MatchArm:
		if s.Target.Kind == xref.Variant {
			return graph.EdgeReads, true
		}
		return graph.EdgeTypeRef, true
	case xref.Raise:
		return graph.EdgeRaises, true
	case xref.Catch:
		return graph.EdgeCatches, true
	case xref.Impl:
		return graph.EdgeImplements, true
	case xref.TypeRef, xref.Inject, xref.Uses, xref.Override, xref.Bound:
		return graph.EdgeTypeRef, true
	case xref.FieldRead:
		return graph.EdgeReads, true
	case xref.FieldWrite:
		return graph.EdgeWrites, true
	case xref.Import:
		return graph.EdgeImports, true
	case xref.Static:
		if s.Target.Kind == xref.Method {
			return graph.EdgeCalls, true
		}
		return graph.EdgeTypeRef, true
	}
	return 0, false
}

// implementation says which methods of traits a method is: of a class, or the default that
// a class takes from another trait.
func (b *builder) implementation(at int, src *source.File, d *xref.Decl) {
	from, ok := b.symbol(d.Key)
	if d.Kind != xref.Method || !ok {
		return
	}
	for _, method := range b.checked.Facts().Implements[d.Key] {
		kind := graph.EdgeImplements
		if own := b.ws.Decl(method); own != nil {
			if fn, ok := own.Node.(*syntax.FuncDecl); ok && fn.Body != nil {
				kind = graph.EdgeOverrides
			}
		}
		if to, ok := b.symbol(method); ok {
			b.edge(at, src, xref.Site{At: d.NameAt, Owner: d.Key}, kind, from, to)
		}
	}
}

func pos(src *source.File, off int32) graph.Pos {
	line, col := src.Position(off)
	return graph.Pos{Line: uint32(line), Col: uint32(col)}
}

func span(src *source.File, s source.Span) graph.Span {
	end := src.Line(max(s.End-1, s.Start))
	return graph.Span{Pos: pos(src, s.Start), EndLine: uint32(end), Off: uint32(s.Start), End: uint32(max(s.End, s.Start))}
}

// inferred is what a signature does not say and the checker found out: the errors that a
// function can raise, and how long the container keeps an object of a class.
func inferred(d *xref.Decl, facts *xref.Facts) string {
	switch d.Kind {
	case xref.Function, xref.Method:
		sig := facts.Signatures[d.Key]
		if sig == nil || !sig.Known || !sig.Fallible() {
			return ""
		}
		names := make([]string, len(sig.Errors))
		for i, e := range sig.Errors {
			names[i] = e.Name
		}
		return " raises " + strings.Join(names, ", ")
	case xref.Class:
		info, n := facts.Classes[d.Key], d.Node.(*syntax.ClassDecl)
		if info != nil && info.Injected && info.Lifecycle != n.Lifecycle {
			return " (" + info.Lifecycle.String() + ")"
		}
	}
	return ""
}

// signature is a declaration without its body, on one line, with its contracts.
func signature(d *xref.Decl) string {
	text := d.File.Src.Text
	end := d.Full.End
	switch n := d.Node.(type) {
	case *syntax.FuncDecl:
		if n.Body != nil {
			end = n.Body.Span().Start
		}
	case *syntax.ClassDecl, *syntax.EnumDecl, *syntax.TraitDecl, *syntax.AppDecl, *syntax.ErrorDecl, *syntax.TestDecl:
		if i := strings.IndexByte(text[d.NameAt.End:d.Full.End], '{'); i >= 0 {
			end = d.NameAt.End + int32(i)
		}
	}
	return oneLine(text[d.Full.Start:end])
}

// docLine is the first line of a comment that says something.
func docLine(comment string) string {
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "/"))
		if line != "" && !strings.HasPrefix(line, "@uuid:") {
			return line
		}
	}
	return ""
}
