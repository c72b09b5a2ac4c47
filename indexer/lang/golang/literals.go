package golang

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/settgraph/sett/indexer/lang"
)

// literals tells composite literals of structs from others by looking up how their types
// are declared. Nearly all are told without reading another file.
type literals struct {
	in      *lang.Input
	here    *typeFile
	repo    *repo // nil until other files are needed
	outside *outsideFinder
}

// A typeFile is a file in which a type is written: it says what names mean there.
type typeFile struct {
	path string
	tree *ast.File
	pkg  *typePackage // nil until needed
}

// A typePackage is the files that declare the types of one package.
type typePackage struct {
	dir    *directory // of the project; nil when outside
	module *goModule  // whose requirements hold
	std    bool
	name   string
	paths  []string
	read   func(string) ([]byte, error)
}

func newLiterals(in *lang.Input, p string, tree *ast.File) *literals {
	return &literals{in: in, here: &typeFile{path: p, tree: tree}}
}

// isStruct reports whether the names before the colons of a literal are fields. So are
// those of a type that nobody declares.
func (l *literals) isStruct(locals map[*ast.Ident]*local, t *literalType) bool {
	_, e := l.typeOf(locals, t)
	switch e.(type) {
	case *ast.ArrayType, *ast.MapType:
		return false
	}
	return true
}

// typeOf returns the struct, array or map type of a literal and the file in which it is
// written; nil when it is neither or unknown.
func (l *literals) typeOf(locals map[*ast.Ident]*local, t *literalType) (*typeFile, ast.Expr) {
	if t.around == nil {
		return l.under(locals, l.here, t.expr, 0)
	}
	f, e := l.typeOf(locals, t.around)
	switch e := e.(type) {
	case *ast.ArrayType:
		return l.under(locals, f, e.Elt, 0)
	case *ast.MapType:
		if t.isKey {
			return l.under(locals, f, e.Key, 0)
		}
		return l.under(locals, f, e.Value, 0)
	}
	return nil, nil
}

// maxAliases bounds how many declarations stand between a name and its type.
const maxAliases = 50

// under follows a type to what it is made of.
func (l *literals) under(locals map[*ast.Ident]*local, f *typeFile, e ast.Expr, depth int) (*typeFile, ast.Expr) {
	for ; depth < maxAliases; depth++ {
		switch t := e.(type) {
		case *ast.StructType, *ast.ArrayType, *ast.MapType:
			return f, e
		case *ast.ParenExpr:
			e = t.X
		case *ast.StarExpr: // the elements of []*T are literals of T
			e = t.X
		case *ast.UnaryExpr: // ~T
			e = t.X
		case *ast.BinaryExpr: // A | B: all of one kind, or there would be no literal
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.InterfaceType: // a constraint
			if e = embeddedType(t); e == nil {
				return nil, nil
			}
		case *ast.Ident:
			if d := locals[t]; d != nil {
				switch n := d.node.(type) {
				case *ast.TypeSpec:
					e = n.Type
				case *ast.Field:
					e = n.Type
				default:
					return nil, nil
				}
				continue
			}
			if f, e = l.find(f, t.Name); f == nil {
				return nil, nil
			}
		case *ast.SelectorExpr:
			x, ok := t.X.(*ast.Ident)
			if !ok {
				return nil, nil
			}
			spec := l.importNamed(f, x.Name)
			if spec == nil {
				return nil, nil
			}
			p := l.imported(f, importPath(spec))
			if p == nil {
				return nil, nil
			}
			if f, e = p.find(t.Sel.Name); f == nil {
				return nil, nil
			}
		default:
			return nil, nil
		}
	}
	return nil, nil
}

func embeddedType(t *ast.InterfaceType) ast.Expr {
	if t.Methods != nil {
		for _, m := range t.Methods.List {
			if len(m.Names) == 0 {
				return m.Type
			}
		}
	}
	return nil
}

// find finds a package-level type by the name that it has in f.
func (l *literals) find(f *typeFile, name string) (*typeFile, ast.Expr) {
	if t := declaredType(f.tree, name); t != nil {
		return f, t
	}
	if in, t := l.packageOf(f).find(name); t != nil {
		return in, t
	}
	for _, spec := range f.tree.Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			if p := l.imported(f, importPath(spec)); p != nil {
				if in, t := p.find(name); t != nil {
					return in, t
				}
			}
		}
	}
	return nil, nil
}

func declaredType(f *ast.File, name string) ast.Expr {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, s := range g.Specs {
				if s := s.(*ast.TypeSpec); s.Name.Name == name {
					return s.Type
				}
			}
		}
	}
	return nil
}

// setUp reads what leads to other files.
func (l *literals) setUp() {
	if l.repo == nil {
		l.repo = newRepo(l.in)
		l.outside = newOutsideFinder(l.in.Root, l.repo.modules)
	}
}

// packageOf returns the package that a file belongs to.
func (l *literals) packageOf(f *typeFile) *typePackage {
	if f.pkg != nil {
		return f.pkg
	}
	l.setUp()
	f.pkg = &typePackage{name: f.tree.Name.Name, read: l.in.ReadFile}
	if d := l.repo.dirs[path.Dir(f.path)]; d != nil {
		f.pkg.dir, f.pkg.module = d, d.module
		for _, o := range d.files {
			if o.pkg == f.pkg.name && o.path != f.path {
				f.pkg.paths = append(f.pkg.paths, o.path)
			}
		}
	}
	return f.pkg
}

// imported returns the package that an import in f gives; nil when it is not there.
func (l *literals) imported(f *typeFile, p string) *typePackage {
	from := l.packageOf(f)
	if d := l.resolve(from, p); d != nil {
		out := &typePackage{dir: d, module: d.module, name: d.primary, read: l.in.ReadFile}
		for _, o := range d.files {
			if o.pkg == d.primary && !o.info.Summary.Test {
				out.paths = append(out.paths, o.path)
			}
		}
		return out
	}
	dir, std := l.outside.find(p, from.module, from.std)
	if dir == "" {
		return nil
	}
	out := &typePackage{module: from.module, std: std, name: packageClause(dir), read: os.ReadFile}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if n := e.Name(); isSource(n) && !strings.HasSuffix(n, "_test.go") && !e.IsDir() {
			out.paths = append(out.paths, filepath.Join(dir, n))
		}
	}
	return out
}

// resolve finds the folder of the project that an import gives; nil when it is none.
func (l *literals) resolve(from *typePackage, p string) *directory {
	if from.dir == nil || from.std {
		return nil
	}
	d, _ := l.repo.resolve(from.dir, p)
	return d
}

// find finds a type that the package declares.
func (p *typePackage) find(name string) (*typeFile, ast.Expr) {
	for _, file := range p.paths {
		src, err := p.read(file)
		if err != nil || !bytes.Contains(src, []byte(name)) {
			continue
		}
		tree, _ := parser.ParseFile(token.NewFileSet(), file, cutBodies(src), parser.SkipObjectResolution)
		if tree == nil || tree.Name.Name != p.name {
			continue
		}
		if t := declaredType(tree, name); t != nil {
			return &typeFile{path: file, tree: tree, pkg: p}, t
		}
	}
	return nil, nil
}

// importNamed returns the import that a name in f stands for; nil when none does.
func (l *literals) importNamed(f *typeFile, name string) *ast.ImportSpec {
	var likely, others []*ast.ImportSpec
	for _, spec := range f.tree.Imports {
		switch names := assumedNames(importPath(spec)); {
		case spec.Name != nil:
			if spec.Name.Name == name {
				return spec
			}
		case slices.Contains(names, name):
			likely = append(likely, spec)
		default:
			others = append(others, spec)
		}
	}
	if len(likely) == 1 && assumedNames(importPath(likely[0]))[0] == name {
		return likely[0]
	}
	for _, spec := range append(likely, others...) {
		if l.packageName(f, importPath(spec)) == name {
			return spec
		}
	}
	for _, spec := range likely {
		if l.packageName(f, importPath(spec)) == "" {
			return spec
		}
	}
	return nil
}

// packageName returns the name of the package that an import in f gives, if it is there.
func (l *literals) packageName(f *typeFile, p string) string {
	from := l.packageOf(f)
	if d := l.resolve(from, p); d != nil {
		return d.primary
	}
	if dir, _ := l.outside.find(p, from.module, from.std); dir != "" {
		return packageClause(dir)
	}
	return ""
}

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return p
}
