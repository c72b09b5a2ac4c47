package golang

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
)

const (
	anExpression = "expression"
	aKeyword     = "keyword"
	aBuiltin     = "builtin"
	aPackage     = "package"
)

// objectPlace describes what a name means.
func (s *sight) objectPlace(id *ast.Ident, obj types.Object) *graph.Place {
	p := &graph.Place{
		Span: s.tree.span(id.Pos(), id.End()), Name: id.Name, Kind: s.kind(obj), Type: s.typeString(obj.Type()),
	}
	if !obj.Pos().IsValid() {
		return s.builtinPlace(p, obj)
	}
	d := s.declaration(obj)
	p.Sig = s.signature(id, obj, d)
	if c, ok := obj.(*types.Const); ok {
		p.Value = valueText(c.Val())
	}
	if inst, ok := s.instance(id); ok {
		p.Type = s.typeString(inst)
	}
	if d != nil {
		p.Doc = d.doc()
		if p.Kind == graph.KindType.String() {
			if ts, ok := d.spec.(*ast.TypeSpec); ok {
				p.Kind = typeKind(ts).String()
			}
		}
		if p.Kind == aTypeParameter {
			d.outer = false
		}
		p.Defs = []graph.Definition{s.definition(d, obj, p.Kind)}
	}
	return p
}

// instance returns the type that a generic function or type is used as.
func (s *sight) instance(id *ast.Ident) (types.Type, bool) {
	if s.info == nil {
		return nil, false
	}
	inst, ok := s.info.Instances[id]
	return inst.Type, ok && inst.Type != nil
}

func (s *sight) kind(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Var:
		switch obj.Kind() {
		case types.FieldVar:
			return graph.KindField.String()
		case types.RecvVar:
			return aReceiver
		case types.ParamVar:
			if fn := s.function(); fn != nil && fn.Recv != nil && covers(fn.Recv, obj.Pos()) {
				return aReceiver
			}
			return aParameter
		case types.ResultVar:
			return aResult
		}
		return aVariable
	case *types.Const:
		return graph.KindConst.String()
	case *types.TypeName:
		if _, ok := obj.Type().(*types.TypeParam); ok {
			return aTypeParameter
		}
		return graph.KindType.String()
	case *types.Func:
		if obj.Signature().Recv() != nil {
			return graph.KindMethod.String()
		}
		return graph.KindFunction.String()
	case *types.Builtin, *types.Nil:
		return aBuiltin
	}
	return graph.KindUnknown.String()
}

// function returns the declared function around the position.
func (s *sight) function() *ast.FuncDecl {
	for _, n := range s.path {
		if fn, ok := n.(*ast.FuncDecl); ok {
			return fn
		}
	}
	return nil
}

// qualify names a package the way the file does.
func (s *sight) qualify(p *types.Package) string {
	if p.Path() == s.file.pkg.path {
		return ""
	}
	for _, imp := range s.file.source.seg.imports {
		if imp.name == "" || imp.name == "_" {
			continue
		}
		if got := s.world.imported(s.file, imp.path); got != nil && got.path == p.Path() {
			if imp.name == "." {
				return ""
			}
			return imp.name
		}
	}
	return p.Name()
}

func (s *sight) typeString(t types.Type) string {
	if t == nil || t == types.Typ[types.Invalid] {
		return ""
	}
	return plain(types.TypeString(t, s.qualify))
}

// plain writes the names that were made for the checker as they were written.
func plain(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// signature writes a declaration in one line.
func (s *sight) signature(id *ast.Ident, obj types.Object, d *declaration) string {
	switch obj := obj.(type) {
	case *types.Func:
		if inst, ok := s.instance(id); ok {
			if sig, ok := inst.(*types.Signature); ok {
				return plain(types.ObjectString(types.NewFunc(obj.Pos(), obj.Pkg(), obj.Name(), sig), s.qualify))
			}
		}
		return s.funcSignature(obj)
	case *types.Const:
		return s.constSignature(obj, d)
	case *types.TypeName:
		if _, ok := obj.Type().(*types.TypeParam); ok || d == nil {
			break
		}
		if ts, ok := d.spec.(*ast.TypeSpec); ok {
			return "type " + d.text(ts)
		}
	case *types.Var:
		if obj.Kind() == types.ParamVar && s.kind(obj) == aReceiver {
			return "var " + obj.Name() + " " + s.typeString(obj.Type())
		}
		text := plain(types.ObjectString(obj, s.qualify))
		if d != nil && d.field != nil && d.field.Tag != nil {
			text += " " + d.field.Tag.Value
		}
		return text
	}
	return plain(types.ObjectString(obj, s.qualify))
}

func (s *sight) funcSignature(fn *types.Func) string {
	var b bytes.Buffer
	b.WriteString("func ")
	sig := fn.Signature()
	if recv := sig.Recv(); recv != nil {
		b.WriteByte('(')
		if _, ok := recv.Type().(*types.Interface); ok {
			b.WriteString("interface")
		} else {
			if recv.Name() != "" && recv.Name() != "_" {
				b.WriteString(recv.Name() + " ")
			}
			types.WriteType(&b, recv.Type(), s.qualify)
		}
		b.WriteString(") ")
	} else if fn.Pkg() != nil {
		if q := s.qualify(fn.Pkg()); q != "" {
			b.WriteString(q + ".")
		}
	}
	b.WriteString(fn.Name())
	types.WriteSignature(&b, sig, s.qualify)
	return plain(b.String())
}

// constSignature writes a constant with its value as it was written, and as it is.
func (s *sight) constSignature(c *types.Const, d *declaration) string {
	text := plain(types.ObjectString(c, s.qualify))
	if c.Val() == nil || c.Val().Kind() == constant.Unknown {
		return text
	}
	written, worth := c.Val().String(), ""
	if c.Val().Kind() != constant.String && d != nil {
		if v, ok := d.spec.(*ast.ValueSpec); ok {
			i := slices.IndexFunc(v.Names, func(id *ast.Ident) bool { return id.Pos() == d.at })
			if i >= 0 && i < len(v.Values) {
				if as := d.text(v.Values[i]); as != written {
					written, worth = as, written
				}
			}
		}
	}
	if named, ok := types.Unalias(c.Type()).(*types.Named); ok && c.Val().Kind() == constant.Int {
		if o := named.Obj(); o.Pkg() != nil && o.Pkg().Path() == "time" && o.Name() == "Duration" {
			if n, ok := constant.Int64Val(c.Val()); ok {
				worth = time.Duration(n).String()
			}
		}
	}
	text += " = " + written
	if worth != "" && worth != written {
		text += " // " + worth
	}
	return text
}

func valueText(v constant.Value) string {
	if v == nil || v.Kind() == constant.Unknown {
		return ""
	}
	if v.Kind() == constant.Float || v.Kind() == constant.Complex {
		return v.String() // not as a fraction
	}
	return cutText(v.ExactString(), maxSig)
}

// definition tells where a declaration stands.
func (s *sight) definition(d *declaration, obj types.Object, kind string) graph.Definition {
	def := graph.Definition{
		File: d.source.path, Outside: d.source.outside, Span: spanIn(d.source.src, d.off, len(obj.Name())), Kind: kind,
		Name: d.qualified(obj.Name()),
	}
	if def.Outside {
		def.Module = s.world.moduleOf(d.source.path)
	}
	return def
}

// moduleOf returns the module, with its version, that a file outside the project is in.
func (w *lookWorld) moduleOf(file string) string {
	if w.finder.goroot != "" {
		if strings.HasPrefix(file, filepath.ToSlash(w.finder.goroot)+"/") {
			return "std"
		}
	}
	for _, c := range w.finder.caches {
		rest, ok := strings.CutPrefix(file, filepath.ToSlash(c)+"/")
		if !ok {
			continue
		}
		if at := strings.IndexByte(rest, '@'); at >= 0 {
			if end := strings.IndexByte(rest[at:], '/'); end >= 0 {
				return unescapeModule(rest[:at+end])
			}
		}
	}
	return ""
}

// unescapeModule undoes the escaping of capital letters in a module cache.
func unescapeModule(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] == '!' && i+1 < len(p) {
			i++
			b.WriteString(strings.ToUpper(p[i : i+1]))
			continue
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

// spanIn returns the span of n bytes of one line of a text.
func spanIn(src []byte, off, n int) graph.Span {
	off = min(max(off, 0), len(src))
	end := min(off+n, len(src))
	start := bytes.LastIndexByte(src[:off], '\n') + 1
	line := uint32(bytes.Count(src[:off], []byte("\n"))) + 1
	if start == 0 && bytes.HasPrefix(src, []byte("\ufeff")) && off >= 3 {
		start = 3
	}
	return graph.Span{
		Pos:     graph.Pos{Line: line, Col: uint32(utf8.RuneCount(src[start:off])) + 1},
		EndLine: line, Off: uint32(off), End: uint32(end),
	}
}

// builtinPlace completes the place of a name that the language itself declares.
func (s *sight) builtinPlace(p *graph.Place, obj types.Object) *graph.Place {
	name := obj.Name()
	p.Kind = aBuiltin
	if obj == types.Universe.Lookup("nil") {
		p.Type = "untyped nil"
	} else if _, ok := obj.(*types.Builtin); ok {
		p.Type = ""
	}
	if c, ok := obj.(*types.Const); ok {
		p.Value = valueText(c.Val())
	}
	path := "builtin"
	if types.Unsafe.Scope().Lookup(name) == obj {
		path = "unsafe"
	}
	owner := name
	if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil {
		owner = "error"
	}
	d := s.world.builtinDeclaration(path, owner)
	if d == nil {
		return p
	}
	// The types that stand for many in the documentation are shown as the likeliest.
	likely := strings.NewReplacer("IntegerType", "int", "FloatType", "float64", "ComplexType", "complex128")
	p.Sig, p.Doc = likely.Replace(d.whole()), d.doc()
	if owner != name {
		p.Sig, p.Doc = "func (error)."+name+"() string", ""
		if i := bytes.Index(d.source.src[d.off:], []byte(name+"()")); i >= 0 {
			d.off += i
		}
	}
	def := s.definition(d, obj, aBuiltin)
	def.Name = cmp.Or(strings.TrimSuffix(path, "builtin"), "")
	if def.Name != "" {
		def.Name += "."
	}
	if owner != name {
		def.Name += owner + "."
	}
	def.Name += name
	p.Defs = []graph.Definition{def}
	return p
}

// packagePlace describes the package that a file belongs to.
func (s *sight) packagePlace(id *ast.Ident, p *lookPkg) *graph.Place {
	place := &graph.Place{
		Span: s.tree.span(id.Pos(), id.End()), Name: id.Name, Kind: aPackage, Sig: "package " + id.Name,
	}
	s.world.packageFacts(place, p, s.file.source)
	return place
}

// importPlace describes an import, by its name or its path.
func (s *sight) importPlace(spec *ast.ImportSpec, pos token.Pos) *graph.Place {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return nil
	}
	if spec.Name != nil && covers(spec.Name, pos) {
		return s.importedPlace(spec.Name, spec, path)
	}
	if !covers(spec.Path, pos) {
		return nil
	}
	place := &graph.Place{Span: s.tree.span(spec.Path.Pos(), spec.Path.End()), Name: path, Kind: anImport}
	if p := s.world.imported(s.file, path); p != nil {
		place.Sig = "package " + p.types.Name()
		s.world.packageFacts(place, p, nil)
	}
	return place
}

// importedPlace describes a name that an import declares.
func (s *sight) importedPlace(id *ast.Ident, spec *ast.ImportSpec, path string) *graph.Place {
	place := &graph.Place{Span: s.tree.span(id.Pos(), id.End()), Name: id.Name, Kind: aPackage}
	p := s.world.imported(s.file, path)
	if p != nil {
		s.world.packageFacts(place, p, nil)
	}
	place.Sig = "package " + id.Name
	if id == spec.Name {
		if p != nil {
			place.Sig = "package " + p.types.Name()
		}
	} else if path != id.Name {
		place.Sig += " (" + strconv.Quote(path) + ")"
	}
	at, kind := ast.Node(spec.Path), anImport
	if spec.Name != nil {
		at = spec.Name
	}
	here := graph.Definition{File: s.tree.source.path, Span: s.tree.span(at.Pos(), at.End()), Name: id.Name, Kind: kind}
	place.Defs = append([]graph.Definition{here}, place.Defs...)
	return place
}

// packageFacts adds the comment of a package, and where it is: the file that has the
// comment, or else the one that was asked about, or the first.
func (w *lookWorld) packageFacts(place *graph.Place, p *lookPkg, asked *lookSource) {
	var best *lookSource
	for _, f := range p.files {
		doc, has := packageDoc(f.source.src)
		switch {
		case has && place.Doc == "":
			place.Doc, best = doc, f.source
		case best == nil && (asked == nil || asked == f.source):
			best = f.source
		}
	}
	if best == nil {
		return
	}
	off := packageNameOffset(best.src)
	if off < 0 {
		return
	}
	def := graph.Definition{
		File: best.path, Outside: best.outside, Span: spanIn(best.src, off, len(p.types.Name())), Name: p.path, Kind: aPackage,
	}
	if def.Outside {
		def.Module = w.moduleOf(best.path)
	}
	place.Defs = append(place.Defs, def)
}

// builtinPackage returns the folder of the distribution that documents the language.
func (w *lookWorld) builtinPackage(name string) *lookPkg {
	if w.finder.goroot == "" {
		return nil
	}
	return w.outsidePackage(name, filepath.Join(w.finder.goroot, "src", name), nil, true)
}

func (w *lookWorld) builtinDeclaration(pkg, name string) *declaration {
	p := w.builtinPackage(path.Clean(pkg))
	if p == nil {
		return nil
	}
	for _, d := range p.index[name] {
		if spec, ok := declares(w.parse(d), name); ok {
			at := token.NoPos
			switch spec := spec.(type) {
			case nil:
				at = d.decl.(*ast.FuncDecl).Name.Pos()
			case *ast.TypeSpec:
				at = spec.Name.Pos()
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					if id.Name == name {
						at = id.Pos()
					}
				}
			}
			return w.declarationAt(at)
		}
	}
	return nil
}
