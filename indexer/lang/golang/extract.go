package golang

import (
	"bytes"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
)

// An extractor writes down the facts of one package's files, or of its test files.
type extractor struct {
	s      *source
	p      *pkg // the package, or its external tests
	b      *builder
	info   *types.Info
	files  []*parsed
	test   bool
	pkgSym int

	// Of the file at hand.
	f       *parsed
	fileSym int
	flags   graph.Flags // of its declarations
	eflags  uint8       // of its edges
	entry   map[string]bool

	// Of the declaration at hand.
	from   int
	qual   string         // its qualified name, which local types continue
	locals map[string]int // how often a local type's name came up
}

func newExtractor(s *source, p *pkg, files []*parsed, test bool) *extractor {
	return &extractor{s: s, p: p, b: s.b, info: s.info, files: files, test: test}
}

func (x *extractor) run() {
	x.pkgSym = x.b.sym(graph.Symbol{Kind: graph.KindPackage, Module: x.p.path})
	x.declarePackage()
	for _, f := range x.files {
		if x.s.taken[f.file] {
			x.open(f)
			d := declarer{kinds: x.s.kinds(x.p.path), visit: x.declare}
			d.file(f.ast, path.Base(f.file.path))
		}
	}
	for _, f := range x.files {
		if x.s.taken[f.file] {
			x.open(f)
			x.walkFile()
		}
	}
}

// open turns to another file.
func (x *extractor) open(f *parsed) {
	x.f = f
	x.fileSym = x.b.sym(graph.Symbol{Kind: graph.KindFile, Module: f.file.path})
	x.flags = fileFlags(f.file)
	x.eflags = 0
	if f.file.info.Summary.Test {
		x.eflags = graph.EdgeTest
	}
	x.entry = entryNames(f)
	x.from, x.qual, x.locals = x.fileSym, "", nil
}

// declarePackage declares the package once, where its first file says its name.
func (x *extractor) declarePackage() {
	if x.test && x.p == &x.s.pkg && len(x.s.group.files) > 0 {
		return
	}
	var first *parsed
	var doc string
	deprecated := false
	for _, f := range x.files {
		if !x.s.taken[f.file] {
			continue
		}
		if first == nil {
			first = f
		}
		if doc == "" {
			doc, deprecated = firstSentence(f.ast.Doc)
		}
	}
	if first == nil || x.s.cfg.id != "" && x.s.group.primary && x.declaredElsewhere() {
		return
	}
	flags := fileFlags(first.file) | graph.FlagExported
	if deprecated {
		flags |= graph.FlagDeprecated
	}
	name := first.ast.Name
	x.b.facts.Decls = append(x.b.facts.Decls, graph.FactDecl{
		Sym: x.pkgSym, Parent: -1, File: first.file.index, Name: first.pos(name.Pos()),
		Full: first.span(first.ast.Package, name.End()), Flags: flags, Sig: "package " + name.Name, Doc: doc,
	})
}

// declaredElsewhere reports whether the unit declares the package under another
// configuration already.
func (x *extractor) declaredElsewhere() bool {
	for _, s := range x.s.unit.sources {
		if s == x.s {
			return false
		}
		if s.path != x.s.path {
			continue
		}
		for f := range s.taken {
			if (f.pkg == x.p.name) && f.info.Summary.Test == x.test {
				return true
			}
		}
	}
	return false
}

// symbol returns the symbol of a declaration of the package.
func (x *extractor) symbol(kind graph.Kind, qual string) int {
	return x.b.sym(graph.Symbol{Kind: kind, Module: x.p.path, Qual: qual})
}

// declare writes down one declaration.
func (x *extractor) declare(d *declared) {
	f := x.f
	fact := graph.FactDecl{
		Sym: x.symbol(d.kind, d.qual), Parent: x.pkgSym, File: f.file.index, Name: f.pos(d.at), Flags: x.flags,
	}
	switch {
	case d.parent != nil:
		fact.Parent = x.symbol(d.parent.kind, d.parent.qual)
	case d.recv != "":
		if kind := x.s.typeKinds[d.recv]; kind != graph.KindUnknown {
			fact.Parent = x.symbol(kind, d.recv)
		}
	}
	if ast.IsExported(d.name) {
		fact.Flags |= graph.FlagExported
	}
	if d.embedded {
		fact.Flags |= graph.FlagEmbedded
	}
	doc := x.describe(d, &fact)
	first, deprecated := firstSentence(doc)
	fact.Doc = first
	if deprecated {
		fact.Flags |= graph.FlagDeprecated
	}
	x.b.facts.Decls = append(x.b.facts.Decls, fact)
}

// describe fills in span and signature and returns the doc comment.
func (x *extractor) describe(d *declared, fact *graph.FactDecl) *ast.CommentGroup {
	f := x.f
	switch n := d.node.(type) {
	case *ast.FuncDecl:
		fact.Full = f.span(n.Pos(), n.End())
		fact.Sig = f.text(n.Pos(), n.Type.End())
		if x.entry[d.name] && n.Recv == nil || x.isEntry(n) {
			fact.Flags |= graph.FlagEntry
		}
		return n.Doc
	case *ast.TypeSpec:
		x.types(n.Name)
		from, doc := n.Pos(), n.Doc
		if !d.gen.Lparen.IsValid() {
			from = d.gen.Pos()
			if doc == nil {
				doc = d.gen.Doc
			}
		}
		fact.Full = f.span(from, n.End())
		switch kind := typeKind(n); kind {
		case graph.KindStruct, graph.KindInterface:
			fact.Sig = "type " + strings.TrimSpace(f.text(n.Pos(), n.Type.Pos())) + " " + kind.String()
		default:
			fact.Sig = "type " + f.text(n.Pos(), n.End())
		}
		return orComment(doc, n.Comment)
	case *ast.ValueSpec:
		from, doc := n.Pos(), n.Doc
		if !d.gen.Lparen.IsValid() {
			from = d.gen.Pos()
			if doc == nil {
				doc = d.gen.Doc
			}
		}
		fact.Full = f.span(from, n.End())
		fact.Sig = x.valueSig(d, n)
		return orComment(doc, n.Comment)
	case *ast.Field:
		fact.Full = f.span(n.Pos(), fieldEnd(n))
		switch {
		case d.abstract:
			fact.Flags |= graph.FlagAbstract
			fact.Sig = d.name + f.text(n.Type.Pos(), n.Type.End())
		case d.embedded:
			fact.Sig = f.text(n.Type.Pos(), n.Type.End())
		default:
			fact.Sig = cutText(d.name+" "+f.text(n.Type.Pos(), n.Type.End()), maxSig)
		}
		return orComment(n.Doc, n.Comment)
	}
	return nil
}

func orComment(doc, line *ast.CommentGroup) *ast.CommentGroup {
	if doc != nil {
		return doc
	}
	return line
}

func fieldEnd(n *ast.Field) token.Pos {
	if n.Tag != nil {
		return n.Tag.End()
	}
	return n.Type.End()
}

// valueSig describes a constant or variable: by its type when it says one, else by its
// value, and a constant that repeats another's expression by what comes of it.
func (x *extractor) valueSig(d *declared, n *ast.ValueSpec) string {
	sig := d.gen.Tok.String() + " " + d.name
	if n.Type != nil {
		sig += " " + x.f.text(n.Type.Pos(), n.Type.End())
	}
	obj := x.info.Defs[d.id]
	if d.gen.Tok == token.CONST {
		if d.index < len(n.Values) {
			v := n.Values[d.index]
			if text := x.f.text(v.Pos(), v.End()); len(text) <= 80 && !mentions(v, "iota") {
				return cutText(sig+" = "+text, maxSig)
			}
		}
		if c, ok := obj.(*types.Const); ok && c.Val() != nil && c.Val().Kind() != constant.Unknown {
			if n.Type == nil {
				if named, ok := c.Type().(*types.Named); ok {
					sig += " " + named.Obj().Name()
				}
			}
			if val := c.Val().String(); len(val) <= 80 {
				sig += " = " + validText(val)
			}
		}
		return cutText(sig, maxSig)
	}
	if n.Type == nil && obj != nil && obj.Type() != nil {
		if t := types.TypeString(obj.Type(), x.qualifier); !strings.Contains(t, "invalid type") {
			return cutText(sig+" "+t, maxSig)
		}
	}
	if n.Type == nil && d.index < len(n.Values) {
		v := n.Values[d.index]
		if text := x.f.text(v.Pos(), v.End()); len(text) <= 80 {
			sig += " = " + text
		}
	}
	return cutText(sig, maxSig)
}

func mentions(e ast.Expr, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}

func (x *extractor) qualifier(p *types.Package) string {
	if p == x.s.types || p == x.p.types {
		return ""
	}
	return p.Name()
}

// types remembers a declared type for its method set.
func (x *extractor) types(id *ast.Ident) {
	if t, ok := x.info.Defs[id].(*types.TypeName); ok && !t.IsAlias() {
		x.s.declares = append(x.s.declares, t)
	}
}

// isEntry reports whether the runtime or the test runner calls the function.
func (x *extractor) isEntry(d *ast.FuncDecl) bool {
	if d.Recv != nil {
		return false
	}
	name := d.Name.Name
	switch {
	case name == "init", name == "main" && x.p.name == "main":
		return true
	case !x.f.file.info.Summary.Test:
		return false
	case name == "TestMain":
		return true
	}
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}

// entryNames returns the functions that directives hand to C code or to the linker.
func entryNames(f *parsed) map[string]bool {
	if !bytes.Contains(f.src, []byte("//go:linkname ")) && !bytes.Contains(f.src, []byte("//export ")) {
		return nil
	}
	out := map[string]bool{}
	for _, g := range f.ast.Comments {
		for _, c := range g.List {
			for _, prefix := range []string{"//go:linkname ", "//export "} {
				if rest, ok := strings.CutPrefix(c.Text, prefix); ok {
					if w := strings.Fields(rest); len(w) > 0 {
						out[w[0]] = true
					}
				}
			}
		}
	}
	return out
}
