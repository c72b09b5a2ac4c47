package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// object declares a package-level name; nil when there is none.
func (w *lookWorld) object(p *lookPkg, name string) types.Object {
	if obj, known := p.objs[name]; known {
		return obj
	}
	if len(p.index[name]) == 0 || name == "_" || name == "init" {
		return nil
	}
	p.objs[name] = nil
	w.depth++
	for _, d := range p.index[name] {
		decl := w.parse(d)
		spec, ok := declares(decl, name)
		if !ok {
			continue
		}
		switch spec := spec.(type) {
		case nil:
			fn := decl.(*ast.FuncDecl)
			w.declare(d.file, []ast.Decl{&ast.FuncDecl{Name: fn.Name, Type: fn.Type}}, name)
		case *ast.TypeSpec:
			w.declareType(d.file, spec)
		case *ast.ValueSpec:
			w.declareValue(d.file, decl.(*ast.GenDecl), spec, name)
		}
		break
	}
	w.depth--
	for w.depth == 0 && len(w.pending) > 0 {
		s := w.pending[0]
		w.pending = w.pending[1:]
		w.depth++
		w.shape(s)
		w.depth--
	}
	return p.objs[name]
}

// declare checks declarations in their package and notes the names.
func (w *lookWorld) declare(f *lookFile, decls []ast.Decl, names ...string) {
	w.check(f.pkg.types, w.needs(f, decls...), decls, nil)
	f.pkg.note(names)
}

// note remembers what the type checker declared.
func (p *lookPkg) note(names []string) {
	for _, name := range names {
		if obj := p.types.Scope().Lookup(name); obj != nil {
			p.objs[name] = obj
		}
	}
}

func typeDecl(spec *ast.TypeSpec) ast.Decl {
	return &ast.GenDecl{TokPos: spec.Pos(), Tok: token.TYPE, Specs: []ast.Spec{spec}}
}

func (w *lookWorld) declareType(f *lookFile, spec *ast.TypeSpec) {
	switch {
	case spec.Assign.IsValid():
		w.declare(f, []ast.Decl{typeDecl(spec)}, spec.Name.Name)
	case spec.TypeParams != nil:
		w.declareGenerics(f, spec)
	default:
		obj := types.NewTypeName(spec.Name.Pos(), f.pkg.types, spec.Name.Name, nil)
		s := &stub{
			named: types.NewNamed(obj, types.NewStruct(nil, nil), nil), file: f, spec: spec,
			have: map[string]bool{}, methods: map[string]bool{},
		}
		f.pkg.types.Scope().Insert(obj)
		f.pkg.objs[spec.Name.Name] = obj
		w.stubs[obj] = s
		if _, ok := spec.Type.(*ast.StructType); !ok {
			w.pending = append(w.pending, s)
		}
	}
}

// declareValue declares a constant with the group around it, or a variable with those
// that are declared by the same expression.
func (w *lookWorld) declareValue(f *lookFile, gen *ast.GenDecl, spec *ast.ValueSpec, name string) {
	if gen.Tok == token.CONST {
		var names []string
		for _, s := range gen.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				if f.pkg.objs[id.Name] == nil {
					f.pkg.objs[id.Name] = nil
					names = append(names, id.Name)
				}
			}
		}
		w.settle(f, []ast.Decl{gen})
		w.declare(f, []ast.Decl{gen}, names...)
		return
	}
	s := *spec
	switch {
	case spec.Type != nil:
		s.Values = nil
	case len(spec.Values) == len(spec.Names):
		i := max(0, slices.IndexFunc(spec.Names, func(id *ast.Ident) bool { return id.Name == name }))
		s.Names, s.Values = spec.Names[i:i+1], []ast.Expr{typeOnly(spec.Values[i])}
	default:
		s.Values = typesOnly(spec.Values)
	}
	var names []string
	for _, id := range s.Names {
		names = append(names, id.Name)
	}
	decls := []ast.Decl{&ast.GenDecl{TokPos: gen.TokPos, Tok: token.VAR, Specs: []ast.Spec{&s}}}
	if len(s.Values) > 0 {
		w.settle(f, decls)
	}
	w.declare(f, decls, names...)
}

// declareGenerics declares a generic type with its methods, and the generic types of the
// package that it mentions, since they may mention it.
func (w *lookWorld) declareGenerics(f *lookFile, spec *ast.TypeSpec) {
	p := f.pkg
	var names []string
	var decls []ast.Decl // one a file
	var from []*lookFile
	seen := map[string]bool{}
	var add func(f *lookFile, spec *ast.TypeSpec)
	visit := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || seen[id.Name] || p.objs[id.Name] != nil {
				return true
			}
			for _, d := range p.index[id.Name] {
				if d.tok != token.TYPE {
					continue
				}
				spec, _ := declares(w.parse(d), id.Name)
				if ts, ok := spec.(*ast.TypeSpec); ok && (ts.TypeParams != nil || ts.Assign.IsValid()) {
					add(d.file, ts)
					break
				}
			}
			return true
		})
	}
	add = func(f *lookFile, spec *ast.TypeSpec) {
		name := spec.Name.Name
		seen[name] = true
		p.objs[name] = nil
		names, decls, from = append(names, name), append(decls, typeDecl(spec)), append(from, f)
		visit(spec)
		for _, d := range p.methods[name] {
			if fn, ok := w.parse(d).(*ast.FuncDecl); ok {
				decls = append(decls, &ast.FuncDecl{Recv: fn.Recv, Name: fn.Name, Type: fn.Type})
				from = append(from, d.file)
				visit(fn.Type)
			}
		}
	}
	add(f, spec)
	var files []*ast.File
	var list []*needs
	for i, d := range decls {
		n := w.needs(from[i], d)
		files = append(files, n.file(p.types.Name(), []ast.Decl{d}, i))
		list = append(list, n)
	}
	w.checkFiles(p.types, list, files, nil)
	p.note(names)
}
