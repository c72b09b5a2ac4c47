package gogen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/rt"
	"github.com/settgraph/sett/stdlib"
)

// TestIntrinsicsAreAsTheTableSays compares the table with the functions of the runtime.
func TestIntrinsicsAreAsTheTableSays(t *testing.T) {
	funcs := goFuncs(t)
	if len(intrinsics) < 100 {
		t.Errorf("only %d intrinsics", len(intrinsics))
	}
	if !slices.IsSortedFunc(intrinsics, func(a, b intrinsicRow) int { return strings.Compare(a.name, b.name) }) {
		t.Error("the table is not sorted")
	}
	for i, row := range intrinsics {
		if i > 0 && intrinsics[i-1].name == row.name {
			t.Errorf("%s is there twice", row.name)
		}
		if in, ok := Lookup(intrinsicPrefix + row.name); !ok || in != row.Intrinsic {
			t.Errorf("Lookup(%s) = %v, %v", row.name, in, ok)
		}
		if got := funcs[path.Join(row.Pkg, row.Func)]; got != row.Sig {
			t.Errorf("%s: the table says %s, %s is %q", row.name, row.Sig, path.Join(row.Pkg, row.Func), got)
		}
	}
	for _, name := range []string{"", "__pluto_", "string_len", "__pluto_string_lens", "puts"} {
		if in, ok := Lookup(name); ok {
			t.Errorf("Lookup(%q) = %v", name, in)
		}
	}
}

var externDecl = regexp.MustCompile(`(?m)^extern fn (\w+)\((.*)\) ?(.*)$`)

// TestLibraryDeclaresIntrinsicsRight compares the table with the externs of the library.
func TestLibraryDeclaresIntrinsicsRight(t *testing.T) {
	n := 0
	err := fs.WalkDir(stdlib.Files(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(stdlib.Files(), p)
		for _, m := range externDecl.FindAllStringSubmatch(string(text), -1) {
			n++
			var params []string
			for _, param := range strings.Split(m[2], ", ") {
				if _, typ, ok := strings.Cut(param, ": "); ok {
					params = append(params, typ)
				}
			}
			sig := strings.TrimSpace("(" + strings.Join(params, ", ") + ") " + m[3])
			if in, ok := Lookup(m[1]); !ok || in.Sig != sig {
				t.Errorf("%s: %s is declared as %s, the table says %q", p, m[1], sig, in.Sig)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 100 {
		t.Errorf("only %d externs", n)
	}
}

// goFuncs are the exported functions of the runtime by package folder and name, with their
// types as Pluto writes them; those with other types are missing.
func goFuncs(t *testing.T) map[string]string {
	t.Helper()
	funcs := map[string]string{}
	err := fs.WalkDir(rt.Source, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(rt.Source, p)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				if sig, ok := plutoSig(f.Type); ok {
					funcs[path.Join(path.Dir(p), f.Name.Name)] = sig
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return funcs
}

func plutoSig(f *ast.FuncType) (string, bool) {
	var params []string
	for _, field := range f.Params.List {
		typ, ok := plutoType(field.Type)
		if !ok {
			return "", false
		}
		for range max(1, len(field.Names)) {
			params = append(params, typ)
		}
	}
	sig := "(" + strings.Join(params, ", ") + ")"
	if f.Results == nil {
		return sig, true
	}
	if len(f.Results.List) != 1 {
		return "", false
	}
	result, ok := plutoType(f.Results.List[0].Type)
	return sig + " " + result, ok
}

func plutoType(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		name, ok := map[string]string{"int64": "int", "float64": "float", "bool": "bool", "string": "string"}[e.Name]
		return name, ok
	case *ast.StarExpr: // *rt.Array[T] or *Array[T]
		index, ok := e.X.(*ast.IndexExpr)
		if !ok {
			return "", false
		}
		if sel, ok := index.X.(*ast.SelectorExpr); ok && sel.Sel.Name != "Array" {
			return "", false
		}
		if id, ok := index.X.(*ast.Ident); ok && id.Name != "Array" {
			return "", false
		}
		elem, ok := plutoType(index.Index)
		return "[" + elem + "]", ok
	}
	return "", false
}
