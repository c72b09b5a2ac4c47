package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
)

// A sight is a look at one position.
type sight struct {
	world *lookWorld
	file  *lookFile
	tree  *lookTree

	path []ast.Node // around the position, the innermost first
	info *types.Info
}

// look tells what is at an offset.
func (s *sight) look(off int) *graph.Place {
	if s.tree == nil {
		return nil
	}
	pos := token.Pos(s.tree.base + off)
	for _, g := range s.tree.ast.Comments {
		if g.Pos() <= pos && pos < g.End() {
			return nil
		}
	}
	if covers(s.tree.ast.Name, pos) {
		return s.packagePlace(s.tree.ast.Name, s.file.pkg)
	}
	for _, spec := range s.tree.ast.Imports {
		if covers(spec, pos) {
			return s.importPlace(spec, pos)
		}
	}
	id := s.identAt(pos)
	if id == nil && s.tree.raw != nil { // it may stand in what had to be left out
		raw := *s
		raw.tree = s.tree.raw
		pos = token.Pos(raw.tree.base + off)
		if id = raw.identAt(pos); id != nil {
			return raw.name(id)
		}
		return raw.expression(pos)
	}
	if id == nil && off < len(s.tree.src) {
		if r, _ := utf8.DecodeRune(s.tree.src[off:]); unicode.IsSpace(r) {
			return nil
		}
	}
	if id != nil {
		return s.name(id)
	}
	return s.expression(pos)
}

// identAt finds the name at a position, or before it, and the nodes around it.
func (s *sight) identAt(pos token.Pos) *ast.Ident {
	var best []ast.Node
	var stack []ast.Node
	ast.Inspect(s.tree.ast, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if _, file := n.(*ast.File); !file && !covers(n, pos) {
			return false
		}
		stack = append(stack, n)
		if id, ok := n.(*ast.Ident); ok && (best == nil || id.Pos() == pos) {
			best = slices.Clone(stack)
		}
		return true
	})
	if best == nil {
		return nil
	}
	slices.Reverse(best)
	s.path = best
	return best[0].(*ast.Ident)
}

// exprAt finds the innermost expression that covers a position, and the nodes around it.
func (s *sight) exprAt(pos token.Pos) ast.Expr {
	var best, stack []ast.Node
	ast.Inspect(s.tree.ast, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if _, file := n.(*ast.File); !file && (pos < n.Pos() || pos >= n.End()) {
			return false
		}
		stack = append(stack, n)
		best = slices.Clone(stack)
		return true
	})
	slices.Reverse(best)
	if len(best) == 0 {
		return nil
	}
	s.path = best
	e, _ := best[0].(ast.Expr)
	return e
}

// name tells what a name means.
func (s *sight) name(id *ast.Ident) *graph.Place {
	if id.Name == "" {
		return nil
	}
	if p := s.label(id); p != nil {
		return p
	}
	if p := s.qualifier(id); p != nil {
		return p
	}
	obj := s.object(id)
	if obj == nil {
		return s.switched(id)
	}
	return s.objectPlace(id, obj)
}

// qualifier tells what the head of a selector means if it is a package.
func (s *sight) qualifier(id *ast.Ident) *graph.Place {
	sel, ok := s.path[1].(*ast.SelectorExpr)
	if !ok || sel.X != id {
		return nil
	}
	path, ok := s.world.importNamed(s.file, id.Name)
	if !ok {
		return nil
	}
	s.check(id.Pos(), id.End())
	if _, ok := s.info.Uses[id].(*types.PkgName); !ok {
		return nil
	}
	for _, spec := range s.tree.ast.Imports {
		if got, err := strconv.Unquote(spec.Path.Value); err == nil && got == path {
			return s.importedPlace(id, spec, path)
		}
	}
	return nil
}

// object returns what a name means; nil when it is not known.
func (s *sight) object(id *ast.Ident) types.Object {
	s.check(id.Pos(), id.End())
	if s.info == nil {
		return nil
	}
	obj := s.info.Defs[id]
	if v, ok := obj.(*types.Var); (obj == nil || ok && v.Embedded()) && s.info.Uses[id] != nil {
		obj = s.info.Uses[id]
	}
	if obj == nil && len(s.path) > 1 {
		switch s.path[1].(type) {
		case *ast.ValueSpec, *ast.TypeSpec, *ast.FuncDecl:
			if obj = s.world.object(s.file.pkg, id.Name); obj != nil && !s.here(obj, id) {
				obj = nil
			}
		}
	}
	if fn, ok := obj.(*types.Func); ok {
		if decl, ok := s.path[1].(*ast.FuncDecl); ok && decl.Name == id && decl.Recv != nil {
			return s.method(decl, fn)
		}
	}
	return obj
}

// here reports whether an object is declared by a name of this file.
func (s *sight) here(obj types.Object, id *ast.Ident) bool {
	src, off, ok := s.world.looker.place(obj.Pos())
	return ok && src == s.tree.source && off == s.tree.offset(id.Pos())
}

// check runs the type checker over the declaration that holds a stretch, cut down to what
// the stretch depends on.
func (s *sight) check(from, to token.Pos) {
	if s.info != nil {
		return
	}
	p := narrower{from, to}
	for _, n := range s.path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.checkFunc(n, p)
			return
		case *ast.GenDecl:
			if !slices.Contains(s.tree.ast.Decls, ast.Decl(n)) {
				continue
			}
			d := n
			if n.Tok != token.CONST {
				c := *p.gen(n)
				for i, spec := range n.Specs {
					if p.in(spec) {
						c.Specs = c.Specs[i : i+1]
						break
					}
				}
				d = &c
			}
			s.info = s.world.settle(s.file, []ast.Decl{d})
			return
		}
	}
}

// checkFunc checks a function, or a method as a function with one more parameter.
func (s *sight) checkFunc(fn *ast.FuncDecl, p narrower) {
	var body *ast.BlockStmt
	if fn.Body != nil && p.in(fn.Body) {
		body = p.block(fn.Body)
	}
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		s.info = s.world.settle(s.file, []ast.Decl{&ast.FuncDecl{Name: fn.Name, Type: fn.Type, Body: body}})
		return
	}
	typ := *fn.Type
	typ.Params = &ast.FieldList{}
	recv := fn.Recv.List[0]
	fields := []*ast.Field{recv}
	if fn.Type.Params != nil {
		fields = append(fields, fn.Type.Params.List...)
	}
	for _, f := range fields {
		if len(f.Names) == 0 {
			f = &ast.Field{Names: []*ast.Ident{{NamePos: f.Pos(), Name: "_"}}, Type: f.Type}
		}
		typ.Params.List = append(typ.Params.List, f)
	}
	var extra []types.Object
	typ.TypeParams, extra = s.receiverParams(recv.Type)
	s.info = s.world.settle(s.file, []ast.Decl{&ast.FuncDecl{Name: fn.Name, Type: &typ, Body: body}}, extra...)
}

// receiverParams turns the type parameters that a receiver names into those of a function.
// Their constraints are declared under names of their own.
func (s *sight) receiverParams(recv ast.Expr) (*ast.FieldList, []types.Object) {
	var names []ast.Expr
	base := ast.Unparen(recv)
	if star, ok := base.(*ast.StarExpr); ok {
		base = ast.Unparen(star.X)
	}
	switch x := base.(type) {
	case *ast.IndexExpr:
		base, names = x.X, []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		base, names = x.X, x.Indices
	default:
		return nil, nil
	}
	name := s.world.typeName(s.file, base)
	if name == nil {
		return nil, nil
	}
	generic, ok := name.Type().(*types.Named)
	if !ok {
		return nil, nil
	}
	out := &ast.FieldList{}
	var extra []types.Object
	for i, e := range names {
		id, ok := e.(*ast.Ident)
		if !ok || i >= generic.TypeParams().Len() {
			return nil, nil
		}
		c := "constraint·" + strconv.Itoa(i)
		extra = append(extra, types.NewTypeName(token.NoPos, nil, c, generic.TypeParams().At(i).Constraint()))
		out.List = append(out.List, &ast.Field{Names: []*ast.Ident{id}, Type: &ast.Ident{NamePos: id.Pos(), Name: c}})
	}
	return out, extra
}

// method makes a method of the function that it was checked as.
func (s *sight) method(decl *ast.FuncDecl, fn *types.Func) types.Object {
	sig := fn.Signature()
	if sig.Params().Len() == 0 {
		return fn
	}
	var params []*types.Var
	for v := range sig.Params().Variables() {
		if v.Name() == "_" && len(decl.Type.Params.List) > 0 && len(decl.Type.Params.List[0].Names) == 0 {
			v = types.NewVar(v.Pos(), v.Pkg(), "", v.Type())
		}
		params = append(params, v)
	}
	recv := types.NewVar(params[0].Pos(), fn.Pkg(), sig.Params().At(0).Name(), params[0].Type())
	sig = types.NewSignatureType(recv, nil, nil, types.NewTuple(params[1:]...), sig.Results(), sig.Variadic())
	return types.NewFunc(fn.Pos(), fn.Pkg(), fn.Name(), sig)
}

// label tells what the name of a label is.
func (s *sight) label(id *ast.Ident) *graph.Place {
	switch n := s.path[1].(type) {
	case *ast.LabeledStmt:
		if n.Label != id {
			return nil
		}
	case *ast.BranchStmt:
	default:
		return nil
	}
	place := &graph.Place{Span: s.tree.span(id.Pos(), id.End()), Name: id.Name, Kind: aLabel, Sig: "label " + id.Name}
	for _, l := range bind(s.tree.ast).locals {
		if l.kind != aLabel || l.at != id && !slices.ContainsFunc(l.sites, func(u localSite) bool { return u.id == id }) {
			continue
		}
		place.Defs = []graph.Definition{{
			File: s.tree.source.path, Span: s.tree.span(l.at.Pos(), l.at.End()), Name: id.Name, Kind: aLabel,
		}}
	}
	return place
}

// switched tells what the variable of a type switch is where it is declared: it has the
// type of what is switched on.
func (s *sight) switched(id *ast.Ident) *graph.Place {
	for _, n := range s.path {
		sw, ok := n.(*ast.TypeSwitchStmt)
		if !ok {
			continue
		}
		assign, ok := sw.Assign.(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 1 || assign.Lhs[0] != id || len(assign.Rhs) != 1 {
			return nil
		}
		x, ok := assign.Rhs[0].(*ast.TypeAssertExpr)
		if !ok {
			return nil
		}
		s.info = nil
		s.check(x.X.Pos(), x.X.End())
		typ := s.info.Types[x.X].Type
		if typ == nil {
			return nil
		}
		return s.objectPlace(id, types.NewVar(id.Pos(), s.file.pkg.types, id.Name, typ))
	}
	return nil
}

// expression tells what the innermost expression at a position is.
func (s *sight) expression(pos token.Pos) *graph.Place {
	e := s.exprAt(pos)
	if e == nil {
		return s.keyword(pos)
	}
	switch e.(type) {
	case *ast.BadExpr, *ast.KeyValueExpr, *ast.Ellipsis:
		return nil
	}
	s.check(e.Pos(), e.End())
	if s.info == nil {
		return nil
	}
	tv, ok := s.info.Types[e]
	if !ok || tv.Type == nil || tv.Type == types.Typ[types.Invalid] {
		return nil
	}
	p := &graph.Place{
		Span: s.tree.span(e.Pos(), e.End()), Expr: s.tree.text(e.Pos(), e.End()), Kind: anExpression,
		Type: s.typeString(tv.Type),
	}
	if tv.Value != nil {
		p.Value = valueText(tv.Value)
	}
	if tv.IsVoid() {
		p.Type = ""
	}
	return p
}

// keyword tells that a word of the language is at a position.
func (s *sight) keyword(pos token.Pos) *graph.Place {
	off := s.tree.offset(pos)
	src := s.tree.src
	from, to := off, off
	for from > 0 && isLetter(src[from-1]) {
		from--
	}
	for to < len(src) && isLetter(src[to]) {
		to++
	}
	word := string(src[from:to])
	if !token.IsKeyword(word) {
		return nil
	}
	return &graph.Place{Span: s.tree.span(pos-token.Pos(off-from), pos+token.Pos(to-off)), Name: word, Kind: aKeyword}
}
