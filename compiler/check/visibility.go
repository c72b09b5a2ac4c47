package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// visibility reports what the root uses of other modules though it is private there. Names
// used inside of imported modules are not checked, and members of classes have no
// visibility.
func (c *checker) visibility() {
	root := c.prog.Root
	if root.Src == nil || len(root.Src.Imports) == 0 {
		return
	}
	private := c.privateItems()
	for _, d := range c.decls.all {
		if d.mod != root {
			continue
		}
		if !c.prog.Project.Test {
			switch d.decl.(type) {
			case *syntax.TestDecl, *syntax.TestsDecl:
				continue
			}
		}
		v := &visible{c: c, file: d.file, private: private, locals: map[string]bool{}}
		syntax.Walk(d.decl, v.binders)
		syntax.Walk(d.decl, v.references)
	}
}

// privateItems are the items without pub of the modules that the root imports, by binding
// and name.
func (c *checker) privateItems() map[string]map[string]bool {
	root := c.prog.Root.Src
	out := map[string]map[string]bool{}
	for name, mod := range root.Imports {
		if mod == nil {
			continue
		}
		items := map[string]bool{}
		for _, f := range mod.Files {
			for _, d := range f.Decls {
				if id := d.DeclName(); id != nil && id.Name != "" && !isPub(d) {
					items[id.Name] = true
				}
			}
		}
		out[name] = items
	}
	return out
}

// isPub says whether other modules may use a declaration. Externs are exempt.
func isPub(d syntax.Decl) bool {
	switch d := d.(type) {
	case *syntax.FuncDecl:
		return d.Pub
	case *syntax.ClassDecl:
		return d.Pub
	case *syntax.TraitDecl:
		return d.Pub
	case *syntax.EnumDecl:
		return d.Pub
	case *syntax.ErrorDecl:
		return d.Pub
	}
	return true
}

// visible looks for uses of private items in one declaration.
type visible struct {
	c       *checker
	file    *source.File
	private map[string]map[string]bool
	locals  map[string]bool // every name that the declaration binds: it may win over a module
}

func (v *visible) local(id *syntax.Ident) {
	if id != nil && v.private[id.Name] != nil {
		v.locals[id.Name] = true
	}
}

func (v *visible) binders(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.FuncDecl:
		for _, p := range n.Params {
			v.local(p.Name)
		}
	case *syntax.ClosureExpr:
		for _, p := range n.Params {
			v.local(p.Name)
		}
	case *syntax.ScopeStmt:
		for _, p := range n.Bindings {
			v.local(p.Name)
		}
	case *syntax.LetStmt:
		v.local(n.Name)
	case *syntax.LetChanStmt:
		v.local(n.Tx)
		v.local(n.Rx)
	case *syntax.ForStmt:
		v.local(n.Name)
	case *syntax.MatchArm:
		for _, b := range n.Bindings {
			v.local(b.Name)
		}
	case *syntax.SelectArm:
		v.local(n.Name)
	case *syntax.Handler:
		v.local(n.Name)
	}
	return true
}

func (v *visible) references(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.NamedType:
		v.use(n.Module, n.Name)
	case *syntax.GenericExpr:
		v.use(n.Module, n.Name)
	case *syntax.MatchArm:
		v.use(n.Module, n.Enum)
	case *syntax.RaiseStmt:
		v.use(n.Module, n.Name)
	case *syntax.Handler:
		v.use(n.Module, n.Type)
	case *syntax.LitExpr:
		if len(n.Path) > 1 && !v.locals[n.Path[0].Name] {
			v.use(n.Path[0], n.Path[1])
		}
	case *syntax.MethodExpr:
		v.member(n.X, n.Name)
	case *syntax.FieldExpr:
		v.member(n.X, n.Name)
	}
	return true
}

// member is a use of `x.name`, where x may be a module.
func (v *visible) member(x syntax.Expr, name *syntax.Ident) {
	if id, ok := x.(*syntax.IdentExpr); ok && !v.locals[id.Name] {
		v.item(id.Name, name)
	}
}

func (v *visible) use(module, name *syntax.Ident) {
	if module != nil && name != nil {
		v.item(module.Name, name)
	}
}

func (v *visible) item(module string, name *syntax.Ident) {
	if v.private[module][name.Name] {
		v.c.report(diag.PhaseVisibility, diag.PrivateItem, v.file, name.Span(),
			"'%s' is private to module '%s'; declare it `pub` to use it from another module", name.Name, module)
	}
}
