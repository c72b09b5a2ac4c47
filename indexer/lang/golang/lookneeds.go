package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// needs are what declarations name of other packages and of their own.
type needs struct {
	imports map[string]*lookPkg // by local name; nil for one that is missing
	paths   map[string]string   // of what is missing, as imported
	dots    []*lookPkg
	names   map[string]bool // of the package's own names
}

// needs declares what declarations mention.
func (w *lookWorld) needs(f *lookFile, decls ...ast.Decl) *needs {
	n := &needs{imports: map[string]*lookPkg{}, names: map[string]bool{}, paths: map[string]string{}}
	for _, d := range decls {
		w.need(n, f, d)
	}
	return n
}

func (w *lookWorld) need(n *needs, f *lookFile, node ast.Node) {
	ast.Inspect(node, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.Field: // its names are no uses
			if x.Type != nil {
				w.need(n, f, x.Type)
			}
			return false
		case *ast.FuncType:
			w.constraints(f, x.TypeParams)
		case *ast.TypeSpec:
			w.constraints(f, x.TypeParams)
		case *ast.SelectorExpr:
			id, ok := x.X.(*ast.Ident)
			if !ok {
				w.need(n, f, x.X)
				return false
			}
			if len(f.pkg.index[id.Name]) == 0 {
				if p, ok := w.named(f, id.Name); ok {
					if _, known := n.imports[id.Name]; !known {
						n.imports[id.Name] = p
						if p == nil {
							n.paths[id.Name], _ = w.importNamed(f, id.Name)
						}
					}
					if p != nil {
						w.object(p, x.Sel.Name)
					}
					return false
				}
			}
			w.needName(n, f, id.Name)
			return false
		case *ast.Ident:
			w.needName(n, f, x.Name)
		}
		return true
	})
}

func (w *lookWorld) needName(n *needs, f *lookFile, name string) {
	if n.names[name] {
		return
	}
	n.names[name] = true
	if len(f.pkg.index[name]) > 0 {
		w.object(f.pkg, name)
		return
	}
	for _, p := range w.dotImports(f) {
		if len(p.index[name]) > 0 && ast.IsExported(name) {
			w.object(p, name)
			if !slices.Contains(n.dots, p) {
				n.dots = append(n.dots, p)
			}
		}
	}
}

// constraints makes the interfaces in a list of type parameters whole, since inference
// looks at all of their methods.
func (w *lookWorld) constraints(f *lookFile, list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, field := range list.List {
		if field.Type != nil {
			w.expandNames(f, field.Type, wanted{all: true})
		}
	}
}

// typeName returns the type that an expression in a declaration names; nil for what is no
// name.
func (w *lookWorld) typeName(f *lookFile, e ast.Expr) *types.TypeName {
	var obj types.Object
	switch e := e.(type) {
	case *ast.Ident:
		obj = w.object(f.pkg, e.Name)
		for _, p := range w.dotImports(f) {
			if obj == nil && ast.IsExported(e.Name) {
				obj = w.object(p, e.Name)
			}
		}
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if p, _ := w.named(f, id.Name); p != nil {
				obj = w.object(p, e.Sel.Name)
			}
		}
	}
	name, _ := obj.(*types.TypeName)
	return name
}

// file makes a file of declarations that imports what they need. The paths of its imports
// begin with its number, since each file has its own.
func (n *needs) file(pkg string, decls []ast.Decl, number int) *ast.File {
	gen := &ast.GenDecl{Tok: token.IMPORT}
	add := func(name, path string) {
		spec := &ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(path)}}
		if name != path {
			spec.Name = &ast.Ident{Name: name}
		}
		gen.Specs = append(gen.Specs, spec)
	}
	for _, name := range sortedKeys(n.imports) {
		if path := n.paths[name]; path == "C" || path == "unsafe" {
			add(name, path)
		} else {
			add(name, importKey(number, name))
		}
	}
	for i := range n.dots {
		add(".", dotKey(number, i))
	}
	f := &ast.File{Name: &ast.Ident{Name: pkg}}
	if len(gen.Specs) > 0 {
		f.Decls = append(f.Decls, gen)
	}
	for _, d := range decls {
		f.Decls = append(f.Decls, parenthesized(d))
	}
	return f
}

// parenthesized writes type declarations that consist of a name alone in brackets. The
// checker follows such names in search of cycles, and it knows only what the same files
// declare.
func parenthesized(d ast.Decl) ast.Decl {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.TYPE {
		return d
	}
	c := *g
	c.Specs = slices.Clone(g.Specs)
	for i, spec := range c.Specs {
		if ts, ok := spec.(*ast.TypeSpec); ok {
			if id, ok := ts.Type.(*ast.Ident); ok {
				t := *ts
				t.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
				c.Specs[i] = &t
			}
		}
	}
	return &c
}

func importKey(file int, name string) string { return strconv.Itoa(file) + "/" + name }
func dotKey(file, i int) string              { return strconv.Itoa(file) + "./" + strconv.Itoa(i) }

// check runs the type checker over declarations of one file.
func (w *lookWorld) check(in *types.Package, n *needs, decls []ast.Decl, info *types.Info) {
	w.checkFiles(in, []*needs{n}, []*ast.File{n.file(in.Name(), decls, 0)}, info)
}

func (w *lookWorld) checkFiles(in *types.Package, list []*needs, files []*ast.File, info *types.Info) {
	found := map[string]*types.Package{"unsafe": types.Unsafe}
	for i, n := range list {
		for name, p := range n.imports {
			if p != nil {
				found[importKey(i, name)] = p.types
			}
		}
		for j, p := range n.dots {
			found[dotKey(i, j)] = p.types
		}
	}
	conf := &types.Config{
		FakeImportC: true, Sizes: w.sizes, Error: func(error) {}, DisableUnusedImportCheck: true,
		Importer: importerFunc(func(p string) (*types.Package, error) {
			if t := found[p]; t != nil {
				return t, nil
			}
			return nil, errMissing
		}),
	}
	defer func() { _ = recover() }() // what it declares is then missing
	_ = types.NewChecker(conf, w.fset, in, info).Files(files)
}
