package golang

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A stub is a named type that is not generic, with the members that were asked for. The
// fields that nobody asked for are there, but of another type.
type stub struct {
	named   *types.Named
	file    *lookFile
	spec    *ast.TypeSpec
	shaped  bool            // the underlying type is set
	busy    bool            // it is being set
	have    map[string]bool // fields, or methods of the interface, that are as declared
	methods map[string]bool // methods that are there
	full    bool            // all members are
}

// A wanted says which members are asked for.
type wanted struct {
	names map[string]bool
	all   bool
}

func (a wanted) has(name string) bool { return a.all || a.names[name] }

// shape gives a type its underlying type.
func (w *lookWorld) shape(s *stub) {
	if !s.shaped {
		w.expand(s, wanted{})
	}
}

// expandAll gives a type all of its members.
func (w *lookWorld) expandAll(name *types.TypeName) {
	if s := w.stubs[name]; s != nil {
		w.expand(s, wanted{all: true})
	}
}

// expand gives a type more members, and says whether there were any.
func (w *lookWorld) expand(s *stub, want wanted) (changed bool) {
	if s.busy || s.full {
		return false
	}
	s.busy = true
	defer func() { s.busy = false }()
	s.full = want.all
	switch t := s.spec.Type.(type) {
	case *ast.StructType:
		changed = w.expandStruct(s, t, want)
	case *ast.InterfaceType:
		changed = w.expandInterface(s, t, want)
	default:
		changed = w.expandOther(s, want)
	}
	s.shaped = true
	return w.addMethods(s, want) || changed
}

func (w *lookWorld) expandStruct(s *stub, t *ast.StructType, want wanted) (changed bool) {
	changed = !s.shaped
	for _, f := range t.Fields.List {
		for _, id := range f.Names {
			if want.has(id.Name) && !s.have[id.Name] {
				s.have[id.Name] = true
				changed = true
			}
		}
	}
	if changed {
		pruned := &ast.StructType{Struct: t.Struct, Fields: &ast.FieldList{Opening: t.Fields.Opening, Closing: t.Fields.Closing}}
		for _, f := range t.Fields.List {
			if len(f.Names) == 0 {
				pruned.Fields.List = append(pruned.Fields.List, &ast.Field{Type: f.Type})
				continue
			}
			for _, id := range f.Names {
				typ := f.Type
				if !s.have[id.Name] {
					typ = &ast.StructType{Struct: f.Type.Pos(), Fields: &ast.FieldList{}}
				}
				pruned.Fields.List = append(pruned.Fields.List, &ast.Field{Names: []*ast.Ident{id}, Type: typ})
			}
		}
		if u := w.underlying(s, pruned); u != nil {
			s.named.SetUnderlying(u)
		}
	}
	return w.expandEmbedded(s.named.Underlying(), want, map[types.Type]bool{s.named: true}) || changed
}

// expandEmbedded gives more members to what a struct embeds.
func (w *lookWorld) expandEmbedded(t types.Type, want wanted, seen map[types.Type]bool) (changed bool) {
	st, ok := t.(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Embedded() {
			changed = w.expandType(f.Type(), want, seen) || changed
		}
	}
	return changed
}

// expandType gives more members to the types that an expression of type t gives access to.
func (w *lookWorld) expandType(t types.Type, want wanted, seen map[types.Type]bool) (changed bool) {
	if t == nil || seen[t] {
		return false
	}
	switch t := t.(type) {
	case *types.Basic:
	case *types.Alias:
		return w.expandType(types.Unalias(t), want, seen)
	case *types.Pointer:
		return w.expandType(t.Elem(), want, seen)
	case *types.Slice:
		return w.expandType(t.Elem(), want, seen)
	case *types.Array:
		return w.expandType(t.Elem(), want, seen)
	case *types.Chan:
		return w.expandType(t.Elem(), want, seen)
	case *types.Map:
		a := w.expandType(t.Key(), want, seen)
		return w.expandType(t.Elem(), want, seen) || a
	case *types.Tuple:
		for v := range t.Variables() {
			changed = w.expandType(v.Type(), want, seen) || changed
		}
	case *types.Struct:
		return w.expandEmbedded(t, want, seen)
	case *types.Named:
		seen[t] = true
		if s := w.stubs[t.Obj()]; s != nil {
			return w.expand(s, want)
		}
		for arg := range t.TypeArgs().Types() {
			changed = w.expandType(arg, want, seen) || changed
		}
		changed = w.expandEmbedded(t.Underlying(), want, seen) || changed
	}
	return changed
}

func (w *lookWorld) expandInterface(s *stub, t *ast.InterfaceType, want wanted) (changed bool) {
	changed = !s.shaped
	f := s.file
	pruned := &ast.InterfaceType{Interface: t.Interface, Methods: &ast.FieldList{Opening: t.Methods.Opening, Closing: t.Methods.Closing}}
	for _, m := range t.Methods.List {
		if len(m.Names) == 0 {
			changed = w.expandNames(f, m.Type, want) || changed
			pruned.Methods.List = append(pruned.Methods.List, m)
			continue
		}
		id := m.Names[0]
		if want.has(id.Name) && !s.have[id.Name] {
			s.have[id.Name] = true
			changed = true
		}
		if want.all {
			w.extra[id.Name] = true
		}
		if s.have[id.Name] {
			pruned.Methods.List = append(pruned.Methods.List, m)
		}
	}
	if !changed {
		return false
	}
	u, ok := w.underlying(s, pruned).(*types.Interface)
	if !ok {
		return false
	}
	// The receiver of its methods is the type itself.
	var methods []*types.Func
	for m := range u.ExplicitMethods() {
		sig := m.Signature()
		recv := types.NewVar(m.Pos(), m.Pkg(), "", s.named)
		sig = types.NewSignatureType(recv, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
		methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), sig))
	}
	var embedded []types.Type
	for e := range u.EmbeddedTypes() {
		embedded = append(embedded, e)
	}
	s.named.SetUnderlying(types.NewInterfaceType(methods, embedded).Complete())
	return true
}

// expandNames gives more members to the types that an embedded element names. Those of a
// union must be known, whatever is asked for.
func (w *lookWorld) expandNames(f *lookFile, e ast.Expr, want wanted) (changed bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if name := w.typeName(f, e); name != nil {
				if s := w.stubs[name]; s != nil {
					changed = w.expand(s, want) || changed
				} else {
					changed = w.expandType(name.Type(), want, map[types.Type]bool{}) || changed
				}
				return false
			}
		}
		return true
	})
	return changed
}

// expandOther expands a type that is neither a struct nor an interface as written.
func (w *lookWorld) expandOther(s *stub, want wanted) (changed bool) {
	changed = w.expandNames(s.file, s.spec.Type, want)
	if s.shaped && !changed {
		return false
	}
	if u := w.underlying(s, s.spec.Type); u != nil {
		s.named.SetUnderlying(u)
	}
	return true
}

// underlying evaluates a type in the place of a stub's.
func (w *lookWorld) underlying(s *stub, t ast.Expr) types.Type {
	name := &ast.Ident{NamePos: s.spec.Name.NamePos, Name: "_"}
	decls := []ast.Decl{&ast.GenDecl{TokPos: s.spec.Pos(), Tok: token.TYPE, Specs: []ast.Spec{&ast.TypeSpec{Name: name, Type: t}}}}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	w.check(s.file.pkg.types, w.needs(s.file, decls...), decls, info)
	obj := info.Defs[name]
	if obj == nil || obj.Type() == nil {
		return nil
	}
	return obj.Type().Underlying()
}

// addMethods declares the methods that are asked for.
func (w *lookWorld) addMethods(s *stub, want wanted) bool {
	p := s.file.pkg
	var files []*ast.File
	var list []*needs
	var decls []*ast.FuncDecl
	var idents []*ast.Ident
	for _, d := range p.methods[s.spec.Name.Name] {
		if len(d.names) == 0 || !want.has(d.names[0]) || s.methods[d.names[0]] {
			continue
		}
		s.methods[d.names[0]] = true
		fn, ok := w.parse(d).(*ast.FuncDecl)
		if !ok || fn.Recv == nil || len(fn.Recv.List) == 0 {
			continue
		}
		id := &ast.Ident{NamePos: fn.Name.NamePos, Name: "_"}
		free := []ast.Decl{&ast.FuncDecl{Name: id, Type: fn.Type}}
		n := w.needs(d.file, free...)
		files = append(files, n.file(p.types.Name(), free, len(list)))
		list = append(list, n)
		decls, idents = append(decls, fn), append(idents, id)
	}
	if len(files) == 0 {
		return false
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	w.checkFiles(p.types, list, files, info)
	for i, fn := range decls {
		obj, ok := info.Defs[idents[i]].(*types.Func)
		if !ok {
			continue
		}
		sig, ok := obj.Type().(*types.Signature)
		if !ok {
			continue
		}
		recv := fn.Recv.List[0]
		var typ types.Type = s.named
		if _, ok := ast.Unparen(recv.Type).(*ast.StarExpr); ok {
			typ = types.NewPointer(typ)
		}
		v := types.NewVar(recv.Pos(), p.types, "", typ)
		if len(recv.Names) > 0 {
			v = types.NewVar(recv.Names[0].Pos(), p.types, recv.Names[0].Name, typ)
		}
		sig = types.NewSignatureType(v, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
		s.named.AddMethod(types.NewFunc(fn.Name.Pos(), p.types, fn.Name.Name, sig))
	}
	return true
}
