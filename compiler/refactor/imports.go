package refactor

import (
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
)

// dotted is the path of an import as it is written.
func dotted(imp *syntax.Import) string {
	names := make([]string, len(imp.Path))
	for i, id := range imp.Path {
		names[i] = id.Name
	}
	return strings.Join(names, ".")
}

// mergeImports adds the imports of given source to a module. Where the module knows an
// import under another name, the result rewrites the source to use that.
func (d *draft) mergeImports(m *workspace.Module, g *given) ([]Edit, error) {
	var names []Edit
	var lines []string
	taken := map[string]string{}
	for _, imp := range g.file.Imports {
		name, path := imp.Binding().Name, dotted(imp)
		if old, ok := taken[name]; ok {
			if old != path {
				return nil, refuse(Conflict, "the source imports '%s' and '%s' under one name", old, path).at(g.file.Src, imp.Span().Start)
			}
			continue
		}
		taken[name] = path
		if has := importOf(m.File, path, name); has != nil {
			if to := has.Binding().Name; to != name {
				for _, at := range qualifiers(g.file, name) {
					names = append(names, Edit{at, to})
				}
			}
			continue
		}
		if err := d.space(m.Path).freeBinding(name, path); err != nil {
			return nil, err
		}
		lines = append(lines, importLine(path, name))
	}
	d.addImports(m.Path, lines)
	return names, nil
}

// importOf finds the import of a path, if possible under a name.
func importOf(f *syntax.File, path, name string) *syntax.Import {
	var found *syntax.Import
	for _, imp := range f.Imports {
		if imp.Binding() != nil && dotted(imp) == path && (found == nil || imp.Binding().Name == name) {
			found = imp
		}
	}
	return found
}

func importLine(path, name string) string {
	if path == name || strings.HasSuffix(path, "."+name) {
		return "import " + path
	}
	return "import " + path + " as " + name
}

// addImports puts lines at the end of the imports of a module, or where imports begin.
func (d *draft) addImports(path string, lines []string) {
	if len(lines) == 0 {
		return
	}
	f := d.file(path)
	text := f.Src.Text
	eol := lineEnd(text)
	block := strings.Join(lines, eol)
	put := func(at int32, text string) { d.edit(path, source.Span{Start: at, End: at}, text) }
	if n := len(f.Imports); n > 0 {
		put(lineStop(text, f.Imports[n-1].Span().End), eol+block)
		return
	}
	if len(f.Decls) == 0 {
		p := backOverSpace(text, int32(len(text)))
		if p == 0 || text[:p] == byteOrderMark {
			put(p, block+eol+eol)
			return
		}
		put(p, eol+eol+block)
		return
	}
	start := docStart(f, f.Decls[0].Span().Start)
	lead := ""
	if prev := backOverSpace(text, start); prev > 0 && text[:prev] != byteOrderMark && ends(text[prev:start]) == 1 {
		lead = eol
	}
	put(start, lead+block+eol+eol)
}

// docStart is where the comment lines directly above an offset begin, or its line.
func docStart(f *syntax.File, at int32) int32 {
	start := lineStart(f.Src.Text, at)
	comments := map[int32]bool{}
	for _, c := range commentsIn(f) {
		if first := lineStart(f.Src.Text, c.Start); overBlanks(f.Src.Text, first) == c.Start {
			comments[first] = true
		}
	}
	for start > 0 && f.Src.Text[start-1] == '\n' {
		above := lineStart(f.Src.Text, start-1)
		if !comments[above] {
			break
		}
		start = above
	}
	return start
}

// dropImport takes the line of an import out of its file.
func (d *draft) dropImport(path string, imp *syntax.Import) {
	text := d.file(path).Src.Text
	start, stop := lineStart(text, imp.Span().Start), lineStop(text, imp.Span().End)
	next := overSpace(text, stop)
	prev := backOverSpace(text, start)
	end := stop
	if nl := strings.IndexByte(text[stop:], '\n'); nl >= 0 {
		end = stop + int32(nl) + 1
	}
	alone := (prev == 0 || text[:prev] == byteOrderMark || ends(text[prev:start]) > 1) && ends(text[stop:next]) > 1
	if alone { // the blank line after the block goes with it
		end = startOfLine(text, next)
	}
	d.edit(path, source.Span{Start: start, End: end}, "")
}

// qualifiers are the places where a file says a name and means an import by it.
func qualifiers(f *syntax.File, name string) []source.Span {
	q := &qualified{name: name}
	for _, d := range f.Decls {
		q.node(d, false)
	}
	return q.out
}

// qualified looks for uses of an import. Local variables of its name hide it.
type qualified struct {
	name string
	out  []source.Span
}

func (q *qualified) is(id *syntax.Ident) bool { return id != nil && id.Name == q.name }

func (q *qualified) add(id *syntax.Ident) {
	if q.is(id) {
		q.out = append(q.out, id.Span())
	}
}

func (q *qualified) binds(params []*syntax.Param) bool {
	for _, p := range params {
		if q.is(p.Name) {
			return true
		}
	}
	return false
}

// node goes over a node; hidden says that a local variable has the name.
func (q *qualified) node(n syntax.Node, hidden bool) {
	inner := hidden
	switch n := n.(type) {
	case *syntax.FuncDecl:
		inner = hidden || q.binds(n.Params)
	case *syntax.ClosureExpr:
		inner = hidden || q.binds(n.Params)
	case *syntax.Block:
		for _, s := range n.Stmts {
			q.node(s, inner)
			switch s := s.(type) {
			case *syntax.LetStmt:
				inner = inner || q.is(s.Name)
			case *syntax.LetChanStmt:
				inner = inner || q.is(s.Tx) || q.is(s.Rx)
			}
		}
		return
	case *syntax.ForStmt:
		q.node(n.Iter, hidden)
		q.node(n.Body, hidden || q.is(n.Name))
		return
	case *syntax.ScopeStmt:
		for _, s := range n.Seeds {
			q.node(s, hidden)
		}
		for _, b := range n.Bindings {
			q.node(b, hidden)
		}
		q.node(n.Body, hidden || q.binds(n.Bindings))
		return
	case *syntax.SelectArm:
		for _, x := range []syntax.Expr{n.Chan, n.Value} {
			if x != nil {
				q.node(x, hidden)
			}
		}
		q.node(n.Body, hidden || q.is(n.Name))
		return
	case *syntax.MatchArm:
		q.add(n.Module)
		for _, b := range n.Bindings {
			inner = inner || q.is(b.Name)
		}
	case *syntax.Handler:
		q.add(n.Module)
		inner = hidden || q.is(n.Name)
	case *syntax.RaiseStmt:
		q.add(n.Module)
	case *syntax.NamedType:
		q.add(n.Module)
	case *syntax.GenericExpr:
		q.add(n.Module)
	case *syntax.LitExpr:
		if len(n.Path) > 1 {
			q.add(n.Path[0])
		}
	case *syntax.MethodExpr:
		q.head(n.X, hidden)
	case *syntax.FieldExpr:
		q.head(n.X, hidden)
	}
	syntax.Children(n, func(c syntax.Node) { q.node(c, inner) })
}

// head looks at what is before a dot.
func (q *qualified) head(x syntax.Expr, hidden bool) {
	if id, ok := x.(*syntax.IdentExpr); ok && id.Name == q.name && !hidden {
		q.out = append(q.out, id.Span())
	}
}
