package golang

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// A declaration is where a name is declared, parsed with its comments.
type declaration struct {
	source *lookSource
	off    int // of the name

	src   []byte // what was parsed, in which the positions below are
	base  int
	at    token.Pos // of the name
	decl  ast.Decl
	spec  ast.Spec
	field *ast.Field
	owner string // the type that a field or method is of
	outer bool   // declared at the top of a file, or a member of what is
}

// declaration finds where an object is declared.
func (s *sight) declaration(obj types.Object) *declaration { return s.world.declarationAt(obj.Pos()) }

func (w *lookWorld) declarationAt(pos token.Pos) *declaration {
	source, off, ok := w.looker.place(pos)
	if !ok || off < 0 || off > len(source.src) {
		return nil
	}
	d := &declaration{source: source, off: off}
	for _, t := range w.looker.trees {
		if t.source == source && t.from <= off && off < t.to {
			d.find(t.ast, t.src, t.base, off)
			return d
		}
	}
	from, to := source.around(off)
	if from < 0 {
		return d
	}
	const clause = "package p;\n"
	src := append([]byte(clause), source.src[from:to]...)
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if f != nil {
		d.find(f, src, fset.File(f.FileStart).Base(), off-from+len(clause))
	}
	return d
}

// around returns the declaration that holds an offset, with the comment above it and
// without the body of a function.
func (s *lookSource) around(off int) (from, to int) {
	for _, g := range s.seg.segments {
		if off < g.start || off >= g.end {
			continue
		}
		to = g.end
		if g.text != nil {
			to = g.start + len(g.text)
		}
		return docStart(s.src, g.start), max(to, off)
	}
	return -1, -1
}

// docStart returns where the comment begins that ends on the line above an offset.
func docStart(src []byte, off int) int {
	start := bytes.LastIndexByte(src[:off], '\n') + 1
	for start > 0 {
		prev := bytes.LastIndexByte(src[:start-1], '\n') + 1
		line := bytes.TrimSpace(src[prev : start-1])
		switch {
		case bytes.HasPrefix(line, []byte("//")):
		case bytes.HasSuffix(line, []byte("*/")):
			open := bytes.LastIndex(src[:start], []byte("/*"))
			if open < 0 {
				return start
			}
			prev = bytes.LastIndexByte(src[:open], '\n') + 1
			if len(bytes.TrimSpace(src[prev:open])) > 0 {
				return start
			}
		default:
			return start
		}
		start = prev
	}
	return start
}

// find fills in the syntax around the name.
func (d *declaration) find(f *ast.File, src []byte, base, off int) {
	d.src, d.base, d.at = src, base, token.Pos(base+off)
	depth := 0 // of bodies
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*ast.BlockStmt); ok {
				depth--
			}
			stack = stack[:len(stack)-1]
			return true
		}
		if _, file := n.(*ast.File); !file && !covers(n, d.at) {
			return false
		}
		switch n := n.(type) {
		case *ast.CommentGroup:
			return false
		case *ast.BlockStmt:
			depth++
			d.field = nil
		case *ast.FuncDecl:
			d.decl = n
			if n.Name.Pos() == d.at {
				d.outer = true
				d.owner = receiverName(n)
			}
		case *ast.GenDecl:
			d.decl = n
		case *ast.FuncLit, *ast.FuncType:
			d.field = nil
		case *ast.TypeSpec:
			d.spec = n
			d.owner = ""
			if n.Name.Pos() != d.at {
				d.owner = n.Name.Name
			}
			d.outer = depth == 0
		case *ast.ValueSpec:
			d.spec = n
			d.outer = depth == 0
		case *ast.Field:
			d.field = nil
			for _, id := range n.Names {
				if id.Pos() == d.at {
					d.field = n
				}
			}
			if d.field == nil && len(n.Names) > 0 && d.owner != "" { // in a struct without a name
				d.owner += "." + n.Names[0].Name
			}
			if len(n.Names) == 0 {
				if id := embeddedName(n.Type); id != nil && id.Pos() == d.at {
					d.field = n
				}
			}
			if _, ok := d.decl.(*ast.FuncDecl); ok && depth == 0 {
				d.outer = false
			}
		}
		stack = append(stack, n)
		return true
	})
}

// text returns the source of a node in one line.
func (d *declaration) text(n ast.Node) string {
	a, b := int(n.Pos())-d.base, int(n.End())-d.base
	if a < 0 || b > len(d.src) || a >= b {
		return ""
	}
	return oneLine(withoutComments(d.src[a:b]))
}

// withoutComments leaves out comments and the blanks before them.
func withoutComments(src []byte) []byte {
	if !bytes.Contains(src, []byte("/")) {
		return src
	}
	var out []byte
	for i := 0; i < len(src); {
		end := i + 1
		if c := src[i]; c == '"' || c == '\'' || c == '`' || c == '/' {
			end = skipToken(src, i)
			if c == '/' && end > i+1 {
				out = bytes.TrimRight(out, " \t")
				if bytes.IndexByte(src[i:end], '\n') >= 0 {
					out = append(out, '\n')
				}
				i = end
				continue
			}
		}
		out = append(out, src[i:end]...)
		i = end
	}
	return out
}

// whole returns the source of the declaration itself in one line.
func (d *declaration) whole() string {
	switch decl := d.decl.(type) {
	case *ast.FuncDecl:
		return "func " + d.text(&ast.FuncDecl{Name: decl.Name, Type: &ast.FuncType{
			Func: decl.Name.Pos(), TypeParams: decl.Type.TypeParams, Params: decl.Type.Params, Results: decl.Type.Results,
		}})
	case *ast.GenDecl:
		if d.spec != nil {
			return decl.Tok.String() + " " + strings.Join(strings.Fields(d.text(d.spec)), " ")
		}
	}
	return ""
}

// doc returns the comment of what is declared.
func (d *declaration) doc() string {
	var groups []*ast.CommentGroup
	if d.field != nil {
		groups = append(groups, d.field.Doc, d.field.Comment)
	} else {
		switch spec := d.spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.Pos() != d.at {
				return ""
			}
			groups = append(groups, spec.Doc, declDoc(d.decl), spec.Comment)
		case *ast.ValueSpec:
			groups = append(groups, spec.Doc, declDoc(d.decl), spec.Comment)
		default:
			if fn, ok := d.decl.(*ast.FuncDecl); ok && fn.Name.Pos() == d.at {
				groups = append(groups, fn.Doc)
			}
		}
	}
	for _, g := range groups {
		if g != nil {
			return validText(strings.TrimSpace(g.Text()))
		}
	}
	return ""
}

// declDoc returns the comment above a declaration of types or values.
func declDoc(d ast.Decl) *ast.CommentGroup {
	if g, ok := d.(*ast.GenDecl); ok {
		return g.Doc
	}
	return nil
}

// qualified returns the name as others write it.
func (d *declaration) qualified(name string) string {
	if !d.outer {
		return name
	}
	if d.owner != "" {
		name = d.owner + "." + name
	}
	return d.source.seg.pkg + "." + name
}

// packageDoc returns the comment above a package clause.
func packageDoc(src []byte) (doc string, ok bool) {
	f, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.ParseComments)
	if f == nil || f.Doc == nil {
		return "", false
	}
	doc = validText(strings.TrimSpace(f.Doc.Text()))
	return doc, doc != ""
}

// packageNameOffset returns where the name in the package clause begins; negative when
// there is none.
func packageNameOffset(src []byte) int {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", src, parser.PackageClauseOnly)
	if f == nil || f.Name == nil || !f.Name.Pos().IsValid() {
		return -1
	}
	return fset.File(f.FileStart).Offset(f.Name.Pos())
}
