package pluto

import (
	"slices"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/graph"
)

// spot is a position in a file of a program, and what there is around it.
type spot struct {
	*view
	file *syntax.File
	mod  *load.Module
	off  int32
	path []syntax.Node // from the file to the smallest node

	// What the checker says of the body around it: each time that it was checked, and as it
	// is written.
	checked, written []*check.Info
}

// look tells what is at an offset of a file; nil for nothing.
func (v *view) look(name string, off int32) *graph.Place {
	f, mod := v.index.File(name)
	if f == nil || int(off) > len(f.Src.Text) {
		return nil
	}
	s := &spot{view: v, file: f, mod: mod, off: off, path: syntax.At(f, off)}
	for i, n := range slices.Backward(s.path) {
		_, clause := n.(*syntax.Clause)
		if clause && i > 0 {
			_, clause = s.path[i-1].(*syntax.ClassDecl)
		}
		switch n.(type) {
		case *syntax.FuncDecl, *syntax.TestDecl:
			clause = true
		}
		if clause {
			s.checked, s.written = v.index.Infos(n)
			break
		}
	}
	return s.place()
}

// up is the n-th node around the position, the smallest for 0; nil when there are not so many.
func (s *spot) up(n int) syntax.Node {
	if i := len(s.path) - 1 - n; i >= 0 {
		return s.path[i]
	}
	return nil
}

func (s *spot) place() *graph.Place {
	switch n := s.up(0).(type) {
	case *syntax.Ident:
		return s.named(n.Span(), n.Name)
	case *syntax.IdentExpr:
		return s.named(n.Span(), n.Name)
	case *syntax.SelfExpr:
		return s.receiver(n.Span(), s.exprType(n))
	case *syntax.FuncDecl:
		if n.Self != syntax.NoSelf && n.SelfAt.Contains(s.off) {
			return s.receiver(n.SelfAt, "")
		}
	case *syntax.TestDecl:
		if n.NameAt.Contains(s.off) {
			for d := range xref.All(s.declsOf(s.file)) {
				if d.Node == syntax.Node(n) {
					p := s.declaration(d, n.NameAt)
					p.Name = n.Name
					return p
				}
			}
		}
	case syntax.TypeExpr:
		return s.expression(n, syntax.TypeString(n))
	case syntax.Expr:
		return s.expression(n, s.exprType(n))
	}
	return nil
}

// declsOf are the declarations of a file of the program.
func (s *spot) declsOf(f *syntax.File) []*xref.Decl { return s.index.Decls(f) }

// expression is the place of what has no name.
func (s *spot) expression(n syntax.Node, text string) *graph.Place {
	if text == "" {
		return nil
	}
	return &graph.Place{Span: span(s.file.Src, n.Span()), Expr: excerpt(s.file.Src, n.Span()), Kind: "expression", Type: text}
}

// excerpt is a piece of text on one line, cut when it is long.
func excerpt(src *source.File, at source.Span) string {
	const most = 80
	text := []rune(oneLine(src.Text[at.Start:at.End]))
	if len(text) > most {
		return string(text[:most-3]) + "..."
	}
	return string(text)
}

// agreed is what f says of the body: the same every time that it was checked, or else what it
// says as the body is written.
func (s *spot) agreed(f func(*check.Info) string) string {
	one, differ := "", false
	for _, info := range s.checked {
		text := f(info)
		if one == "" {
			one = text
		}
		differ = differ || text != "" && text != one
	}
	if one != "" && !differ {
		return one
	}
	for _, info := range s.written {
		if text := f(info); text != "" {
			return text
		}
	}
	return one
}

// exprType is the type of an expression of the body.
func (s *spot) exprType(e syntax.Expr) string {
	text := s.agreed(func(i *check.Info) string {
		if !i.Has(e) {
			return ""
		}
		return typeText(i.Type(e))
	})
	if p, ok := e.(*syntax.ParenExpr); ok && text == "" && p.X != nil {
		return s.exprType(p.X)
	}
	return text
}

// target is what an expression refers to, or nil.
func (s *spot) target(e syntax.Expr) check.Object {
	for _, infos := range [][]*check.Info{s.checked, s.written} {
		for _, i := range infos {
			if i.Has(e) {
				if o := i.Target(e); o != nil {
					return o
				}
			}
		}
	}
	return nil
}

// defined is the variable that a name declares, or nil.
func (s *spot) defined(id *syntax.Ident) *check.Var {
	for _, infos := range [][]*check.Info{s.checked, s.written} {
		for _, i := range infos {
			if v := i.Defs[id]; v != nil {
				return v
			}
		}
	}
	return nil
}

// definedType is the type of the variable that a name declares.
func (s *spot) definedType(id *syntax.Ident) string {
	return s.agreed(func(i *check.Info) string {
		if v := i.Defs[id]; v != nil {
			return typeText(v.Type)
		}
		return ""
	})
}

// receiver is the place of a `self`.
func (s *spot) receiver(at source.Span, text string) *graph.Place {
	p := &graph.Place{Span: span(s.file.Src, at), Name: "self", Kind: "receiver", Type: text, Sig: "self"}
	var owner *syntax.Ident
	for _, n := range s.path {
		switch n := n.(type) {
		case *syntax.ClassDecl:
			owner = n.Name
		case *syntax.TraitDecl:
			owner, p.Type = n.Name, "" // whatever class it is in
		case *syntax.AppDecl:
			owner = n.Name
		case *syntax.FuncDecl:
			if n.Self != syntax.NoSelf {
				p.Sig = oneLine(s.file.Src.Text[n.SelfAt.Start:n.SelfAt.End])
				p.Defs = []graph.Definition{s.local(n.SelfAt, "self", "receiver")}
			}
		}
	}
	if owner != nil {
		if p.Type == "" {
			p.Type = s.types().of(owner)
		}
		if p.Type == "" {
			p.Type = owner.Name
		}
		if p.Defs == nil { // in an invariant
			for d := range xref.All(s.declsOf(s.file)) {
				if d.NameAt == owner.Span() {
					p.Defs = s.definitions(d)
				}
			}
		}
	}
	return p
}

// named is the place of a name. What xref knows comes first: it has every use and every
// declaration that is more than a local.
func (s *spot) named(at source.Span, name string) *graph.Place {
	if name == "" {
		return nil
	}
	if b, ok := s.up(1).(*syntax.Binding); ok && b.Name == b.Field { // it names a variable too
		return s.binding(b)
	}
	var found *graph.Place
	for _, site := range s.index.Sites(s.file.Src.Name) {
		if site.At != at {
			continue
		}
		if found != nil {
			found.Defs = append(found.Defs, s.targets(site.Target)...)
			continue
		}
		found = s.used(at, site)
	}
	if found != nil {
		return found
	}
	for d := range xref.All(s.declsOf(s.file)) {
		if d.NameAt == at {
			return s.declaration(d, at)
		}
	}
	if p := s.variable(at, name); p != nil {
		return p
	}
	if p := s.localName(at); p != nil {
		return p
	}
	return s.builtin(at, name)
}

// used is the place of a use.
func (s *spot) used(at source.Span, site xref.Site) *graph.Place {
	if site.Target.Kind == xref.Module {
		p := &graph.Place{
			Span: span(s.file.Src, at), Name: s.file.Src.Text[at.Start:at.End], Kind: graph.KindModule.String(), Defs: s.targets(site.Target),
		}
		for _, imp := range s.file.Imports {
			if b := imp.Binding(); b != nil && (imp.Span().Contains(s.off) || b.Name == p.Name) {
				p.Sig = oneLine(s.file.Src.Text[imp.Span().Start:imp.Span().End])
			}
		}
		return p
	}
	d := s.index.Decl(site.Target)
	if d == nil {
		return nil
	}
	p := s.declaration(d, at)
	if text := s.useType(); text != "" {
		p.Type = text
	}
	return p
}

// targets is where a key leads.
func (s *spot) targets(k xref.Key) []graph.Definition {
	if k.Kind != xref.Module {
		if d := s.index.Decl(k); d != nil {
			return s.definitions(d)
		}
		return nil
	}
	m := s.index.Module(k)
	if m == nil {
		return nil
	}
	var out []graph.Definition
	for _, f := range m.Files {
		out = append(out, s.definition(f.Src, source.Span{}, m.Path, graph.KindModule.String()))
	}
	return out
}

// useType is the type that the name at the position has where it is used; "" when it is that
// of the declaration.
func (s *spot) useType() string {
	id, _ := s.up(0).(*syntax.Ident)
	switch n := s.up(0).(type) {
	case *syntax.IdentExpr:
		return s.exprType(n)
	case syntax.Expr:
		return ""
	}
	switch n := s.up(1).(type) {
	case *syntax.CallExpr:
		return s.callType(n, id, n.Name, n.Args)
	case *syntax.MethodExpr:
		return s.callType(n, id, n.Name, n.Args)
	case *syntax.StaticExpr:
		return s.callType(n, id, n.Name, n.Args)
	case *syntax.FieldExpr:
		return s.exprType(n)
	case *syntax.LitExpr:
		return s.exprType(n)
	case *syntax.GenericExpr:
		if f, ok := s.up(2).(*syntax.FieldExpr); ok && id == n.Name {
			return s.exprType(f)
		}
	case *syntax.NamedType:
		if id == n.Name {
			return s.writtenType(n)
		}
	case *syntax.FieldInit:
		return s.initType(n)
	case *syntax.Binding:
		return s.fieldType(n)
	case *syntax.MatchArm:
		return s.agreed(func(i *check.Info) string {
			if v := i.Arms[n]; v != nil && v.Enum != nil {
				return typeText(v.Enum.Type)
			}
			return ""
		})
	}
	return ""
}

// writtenType is a type that is written out, as the body around it has it; "" where that is
// what its name alone says.
func (s *spot) writtenType(n syntax.TypeExpr) string {
	if text := s.agreed(func(i *check.Info) string { return typeText(i.TypeOf[n]) }); text != "" {
		return text
	}
	if named, ok := n.(*syntax.NamedType); ok && len(named.Args) == 0 {
		return ""
	}
	return syntax.TypeString(n)
}

// callType is the type of what a call calls; id must be the name in the call.
func (s *spot) callType(e syntax.Expr, id, name *syntax.Ident, args []syntax.Expr) string {
	if id != name {
		return ""
	}
	return s.agreed(func(i *check.Info) string {
		if !i.Has(e) {
			return ""
		}
		switch o := i.Target(e).(type) {
		case *check.Func:
			return funcText(o.Params, o.Result)
		case *check.TraitMethod:
			return funcText(o.Params, o.Result)
		case *check.Var:
			return typeText(o.Type)
		case check.Builtin, check.BuiltinMethod:
			types := make([]*check.Type, len(args))
			for k, a := range args {
				if !i.Has(a) || i.Type(a) == nil {
					return ""
				}
				types[k] = i.Type(a)
			}
			if i.Type(e) != nil {
				return callableText(types, i.Type(e))
			}
		}
		return ""
	})
}

// initType is the type of a field in the literal that sets it.
func (s *spot) initType(n *syntax.FieldInit) string {
	lit, ok := s.up(2).(*syntax.LitExpr)
	if !ok {
		return ""
	}
	return s.agreed(func(i *check.Info) string {
		if !i.Has(lit) {
			return ""
		}
		switch o := i.Target(lit).(type) {
		case *check.Class:
			if f := o.Field(n.Name.Name); f != nil {
				return typeText(f.Type)
			}
		case *check.Variant:
			return variantField(o, n.Name.Name)
		}
		return ""
	})
}

func variantField(v *check.Variant, name string) string {
	for _, f := range v.Fields {
		if f.Name == name {
			return typeText(f.Type)
		}
	}
	return ""
}

// fieldType is the type of the payload field that an arm binds.
func (s *spot) fieldType(b *syntax.Binding) string {
	arm, ok := s.up(2).(*syntax.MatchArm)
	if !ok {
		return ""
	}
	return s.agreed(func(i *check.Info) string {
		if v := i.Arms[arm]; v != nil {
			return variantField(v, b.Field.Name)
		}
		return ""
	})
}

// binding is the place of a variable that has the name of the field that it takes.
func (s *spot) binding(b *syntax.Binding) *graph.Place {
	p := &graph.Place{Span: span(s.file.Src, b.Name.Span()), Name: b.Name.Name, Kind: "variable", Sig: b.Name.Name, Type: s.definedType(b.Name)}
	if p.Type == "" {
		p.Type = s.fieldType(b)
	}
	if p.Type != "" {
		p.Sig += ": " + p.Type
	}
	for _, site := range s.index.Sites(s.file.Src.Name) {
		if site.At == b.Name.Span() {
			p.Defs = append(p.Defs, s.targets(site.Target)...)
		}
	}
	if p.Defs == nil {
		p.Defs = []graph.Definition{s.local(b.Name.Span(), b.Name.Name, p.Kind)}
	}
	return p
}

// variable is the place of a name that the checker knows as a variable.
func (s *spot) variable(at source.Span, name string) *graph.Place {
	var v *check.Var
	text := ""
	switch n := s.up(0).(type) {
	case *syntax.IdentExpr:
		v, _ = s.target(n).(*check.Var)
		text = s.exprType(n)
	case *syntax.Ident:
		if call, ok := s.up(1).(*syntax.CallExpr); ok && call.Name == n {
			v, _ = s.target(call).(*check.Var)
			text = s.useType()
		} else {
			v = s.defined(n)
			text = s.definedType(n)
		}
	}
	if v == nil {
		return nil
	}
	p := &graph.Place{Span: span(s.file.Src, at), Name: name, Kind: varKind(v), Type: text, Sig: name}
	if p.Type == "" {
		p.Type = s.definedType(v.Decl)
	}
	if p.Type == "" {
		p.Type = typeText(v.Type)
	}
	switch {
	case v.Decl != nil:
		p.Defs = []graph.Definition{s.local(v.Decl.Span(), v.Name, p.Kind)}
		for _, l := range syntax.Locals(s.file) {
			if l.Decl == v.Decl {
				if let, ok := l.In.(*syntax.LetStmt); ok && let.Type != nil && p.Type == "" {
					p.Type = syntax.TypeString(let.Type)
				}
				p.Sig = typedSignature(s.file.Src, l, p.Type)
				p.Doc = s.docAbove(l.In)
			}
		}
	case v.Kind == check.ResultVar:
		for _, n := range s.path {
			if f, ok := n.(*syntax.FuncDecl); ok && f.Result != nil {
				p.Defs = []graph.Definition{s.local(f.Result.Span(), name, p.Kind)}
			}
		}
	}
	return p
}

func varKind(v *check.Var) string {
	switch v.Kind {
	case check.ParamVar:
		return "parameter"
	case check.SelfVar:
		return "receiver"
	case check.ResultVar:
		return "result"
	}
	return "variable"
}

// localName is the place of a name that the text alone makes a local: a type parameter, an
// import of what is missing, a variable in a body that could not be checked.
func (s *spot) localName(at source.Span) *graph.Place {
	imp, importing := s.up(1).(*syntax.Import)
	for _, l := range syntax.Locals(s.file) {
		found := l.Decl.Span() == at || importing && l.In == syntax.Node(imp)
		for _, u := range l.Uses {
			found = found || u.At.Span() == at
		}
		if !found {
			continue
		}
		p := &graph.Place{
			Span: span(s.file.Src, at), Name: s.file.Src.Text[at.Start:at.End], Kind: l.Kind.String(), Sig: localSignature(s.file.Src, l),
			Defs: []graph.Definition{s.local(l.Decl.Span(), l.Name, l.Kind.String())}, Doc: s.docAbove(l.In),
		}
		switch {
		case l.Kind == syntax.LocalTypeParam:
			p.Type = l.Name
		case l.Kind == syntax.LocalImport:
			for _, site := range s.index.Sites(s.file.Src.Name) {
				if in, ok := l.In.(*syntax.Import); ok && site.Use == xref.Import && site.Full == in.Span() {
					p.Kind, p.Defs = graph.KindModule.String(), s.targets(site.Target)
				}
			}
		default:
			p.Type = s.types().of(l.Decl)
			if param, ok := l.In.(*syntax.Param); ok && p.Type == "" && param.Type != nil {
				p.Type = syntax.TypeString(param.Type)
			}
			if let, ok := l.In.(*syntax.LetStmt); ok && p.Type == "" && let.Type != nil {
				p.Type = syntax.TypeString(let.Type)
			}
		}
		return p
	}
	return nil
}

// builtin is the place of a name that the language declares.
func (s *spot) builtin(at source.Span, name string) *graph.Place {
	p := &graph.Place{Span: span(s.file.Src, at), Name: name, Kind: "builtin"}
	id, _ := s.up(0).(*syntax.Ident)
	switch n := s.up(1).(type) {
	case *syntax.NamedType:
		if id == n.Name && n.Module == nil && builtinTypes(name) {
			p.Type = syntax.TypeString(n)
		}
	case *syntax.CallExpr:
		if _, ok := s.target(n).(check.Builtin); ok {
			p.Type = s.useType()
		}
	case *syntax.MethodExpr:
		if _, ok := s.target(n).(check.BuiltinMethod); ok && id == n.Name {
			p.Type = s.useType()
		}
	case *syntax.FieldExpr:
		if id == n.Name {
			p.Type = s.exprType(n)
		}
		if _, ok := s.target(n).(*check.ErrorField); ok {
			p.Kind = graph.KindField.String()
		}
	case *syntax.RaiseStmt:
		s.predeclared(p, n, id == n.Name)
	case *syntax.Handler:
		s.predeclared(p, n, id == n.Type)
	}
	if p.Type == "" {
		return nil
	}
	return p
}

// builtinTypes says whether a name is one of the language's own types.
func builtinTypes(name string) bool {
	switch name {
	case "int", "float", "bool", "string", "byte", "bytes", "void", "Map", "Set", "Task", "Sender", "Receiver":
		return true
	}
	return false
}

// predeclared completes the place of an error that the language declares.
func (s *spot) predeclared(p *graph.Place, n syntax.Node, it bool) {
	for _, infos := range [][]*check.Info{s.checked, s.written} {
		for _, i := range infos {
			if e := i.Errs[n]; it && e != nil && p.Type == "" {
				p.Kind, p.Type = graph.KindError.String(), e.Name
			}
		}
	}
}
