package golang

import (
	"cmp"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// findLocal finds the local at a position by reading its file, and others only where a
// name cannot be told without them.
func findLocal(ctx context.Context, in *lang.Input, path string, at graph.Pos) (*lang.Local, error) {
	src, err := in.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := parseLocals(path, src)
	if p == nil {
		return nil, nil
	}
	off, ok := p.offsetOf(at)
	if !ok {
		return nil, nil
	}
	f := &localFile{parsed: p, binder: bind(p.ast), literals: newLiterals(in, path, p.ast)}
	l := f.at(off)
	if l == nil {
		return nil, nil
	}
	return f.describe(l), nil
}

// parseLocals parses a file, as far as it can be; nil when not at all.
func parseLocals(path string, src []byte) *parsed {
	fset := token.NewFileSet()
	mode := parser.SkipObjectResolution | parser.AllErrors
	tree, err := parser.ParseFile(fset, path, src, mode)
	if tree == nil {
		return nil
	}
	if err != nil {
		tree = reparse(fset, path, src, mode, tree)
	}
	return newParsed(&file{path: path}, src, fset, tree)
}

// offsetOf is the inverse of at.
func (p *parsed) offsetOf(pos graph.Pos) (int, bool) {
	if pos.Line == 0 || pos.Col == 0 || int(pos.Line) > len(p.lines) {
		return 0, false
	}
	off := p.lines[pos.Line-1]
	if pos.Line == 1 && strings.HasPrefix(string(p.src[:min(3, len(p.src))]), "\ufeff") {
		off += 3
	}
	for range pos.Col - 1 {
		if off >= len(p.src) || p.src[off] == '\n' {
			return 0, false
		}
		_, n := utf8.DecodeRune(p.src[off:])
		off += n
	}
	return off, off < len(p.src)
}

// A localFile is a file with its locals.
type localFile struct {
	*parsed
	*binder
	literals *literals
}

// at returns the local whose name covers the offset.
func (f *localFile) at(off int) *local {
	covers := func(id *ast.Ident) bool {
		from := f.offset(id.Pos())
		return from <= off && off < from+len(id.Name)
	}
	for _, l := range f.locals {
		if l.kind == aType {
			continue // the graph knows it
		}
		if covers(l.at) {
			return l
		}
		for _, s := range l.sites {
			if covers(s.id) {
				return l
			}
		}
	}
	for _, k := range f.keys {
		if covers(k.id) && k.local.kind != aType && !f.literals.isStruct(f.types, k.literal) {
			return k.local
		}
	}
	for _, id := range f.free {
		if covers(id) {
			return f.imported(id.Name)
		}
	}
	for _, spec := range f.ast.Imports {
		if spec.Name != nil && covers(spec.Name) {
			return f.imported(spec.Name.Name)
		}
	}
	return nil
}

// imported makes the local that an import declares, with its uses; nil when none has
// the name.
func (f *localFile) imported(name string) *local {
	spec := f.literals.importNamed(f.literals.here, name)
	if spec == nil || name == "_" || name == "." {
		return nil
	}
	l := &local{name: name, kind: anImport, at: spec.Name, node: spec}
	for _, id := range f.free {
		if id.Name == name {
			l.sites = append(l.sites, localSite{id, graph.EdgeRefs})
		}
	}
	return l
}

// uses returns the sites of a local with those of literal keys, in order.
func (f *localFile) uses(l *local) []localSite {
	sites := slices.Clone(l.sites)
	for _, k := range f.keys {
		if k.local == l && !f.literals.isStruct(f.types, k.literal) {
			sites = append(sites, localSite{k.id, graph.EdgeReads})
		}
	}
	slices.SortFunc(sites, func(a, b localSite) int { return cmp.Compare(a.id.Pos(), b.id.Pos()) })
	return sites
}

func (f *localFile) describe(l *local) *lang.Local {
	out := &lang.Local{Name: l.name, Kind: l.kind, Sig: f.signature(l)}
	if l.at != nil {
		out.Decl = f.span(l.at.Pos(), l.at.End())
	} else { // between the quotes, where the graph has the import
		path := l.node.(*ast.ImportSpec).Path
		out.Decl = f.span(path.Pos()+1, path.End()-1)
	}
	n := uint16(min(utf8.RuneCountInString(l.name), 1<<16-1))
	for _, s := range f.uses(l) {
		out.Sites = append(out.Sites, lang.LocalSite{Pos: f.pos(s.id.Pos()), Len: n, Kind: s.kind})
	}
	return out
}

// signature writes a local the way it was declared.
func (f *localFile) signature(l *local) string {
	switch n := l.node.(type) {
	case *ast.Field:
		return l.name + " " + f.text(n.Type.Pos(), n.Type.End())
	case *ast.ImportSpec:
		return "import " + f.text(n.Pos(), n.End())
	case *ast.LabeledStmt:
		return l.name + ":"
	case *ast.AssignStmt:
		return f.text(n.Pos(), f.headEnd(n))
	case *ast.RangeStmt:
		return f.text(n.For, f.headEnd(n.X))
	case *ast.TypeSwitchStmt:
		return "switch " + f.text(n.Assign.Pos(), f.headEnd(n.Assign))
	case *ast.ValueSpec:
		return f.valueSignature(l, n)
	}
	return l.name
}

func (f *localFile) valueSignature(l *local, spec *ast.ValueSpec) string {
	s := "var " + l.name
	if l.kind == aConstant {
		s = "const " + l.name
	}
	if spec.Type != nil {
		s += " " + f.text(spec.Type.Pos(), spec.Type.End())
	}
	i := slices.Index(spec.Names, l.at)
	switch {
	case len(spec.Values) == len(spec.Names) && i >= 0:
		s += " = " + f.text(spec.Values[i].Pos(), f.headEnd(spec.Values[i]))
	case len(spec.Values) > 0:
		return "var " + f.text(spec.Pos(), f.headEnd(spec))
	}
	return s
}

// headEnd is where n ends, or the first body of a function in it begins.
func (f *localFile) headEnd(n ast.Node) token.Pos {
	end := n.End()
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			end = min(end, lit.Type.End())
		}
		return true
	})
	return end
}
