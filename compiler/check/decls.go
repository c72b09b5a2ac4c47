package check

import (
	"slices"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// declared are the declarations of the program while their parts are put together.
type declared struct {
	all      []*entry // modules in order, each as it is written
	app      *entry
	bindings map[binding]bool // every name that an import introduces; true when the module is there
	ambient  []*Class         // what the app declares ambient
}

// entry is a declaration and what became of it.
type entry struct {
	mod  *Module
	file *source.File
	decl syntax.Decl
	obj  Object // nil for one that lost its name to another
}

// binding is an import in a module.
type binding struct {
	mod  *Module
	name string
}

// declare fills modules, signatures and the injection graph. The steps are in the order in
// which the language says that their findings count.
func (c *checker) declare() {
	c.modules()
	c.visibility()
	c.contractFragments()

	c.traitNames()
	c.enumNames()
	c.appName()
	c.errorNames()
	c.classNames()
	c.impls()
	c.ambients()
	c.errorFields()
	c.traitSignatures()
	c.payloads()
	c.fields()
	c.externs()
	c.signatures()
	c.methods()
	c.instances.ready = true
	c.settle()
	c.appMembers()
	c.injection()
	c.conformance()
	c.collect()
	c.tests()
}

// modules makes the modules of the program, the prelude first, and lists what they declare.
func (c *checker) modules() {
	p := c.prog.Project
	c.prelude = c.newPrelude()
	c.missing = &Module{Missing: true}
	c.decls.bindings = map[binding]bool{}
	failed := p.Diags.Errors() > 0 // else an import without a module was passed over on purpose
	for _, src := range p.Modules {
		m := c.newModule(src, src.Name)
		c.byLoad[src] = m
		for _, f := range src.Files {
			for _, imp := range f.Imports {
				if name := imp.Binding(); name != nil && (failed || src.Imports[name.Name] != nil) {
					c.decls.bindings[binding{m, name.Name}] = src.Imports[name.Name] != nil
				}
			}
			for _, d := range f.Decls {
				c.decls.all = append(c.decls.all, &entry{mod: m, file: f.Src, decl: d})
			}
		}
		if src == p.Root {
			c.prog.Root = m
		}
	}
	if c.prog.Root == nil {
		c.prog.Root = c.newModule(&load.Module{}, "")
	}
}

func (c *checker) newModule(src *load.Module, name string) *Module {
	m := &Module{Src: src, Name: name, Scope: map[string]Object{}, Errs: map[string]*ErrorDecl{}}
	c.prog.Modules = append(c.prog.Modules, m)
	return m
}

// qualified is how messages print an item of a module.
func qualified(m *Module, name string) string {
	if m.Name == "" {
		return name
	}
	return m.Name + "." + name
}

// free says whether a declaration may have its name, and reports when it may not.
func (c *checker) free(d *entry, kind string) bool {
	id := d.decl.DeclName()
	if id == nil || id.Name == "" {
		return false
	}
	name := id.Name
	report := func(code diag.Code, format string, args ...any) *diag.Diagnostic {
		return c.report(diag.PhaseDecls, code, d.file, id.Span(), format, args...)
	}
	if d.mod == c.prog.Root { // names of other modules are qualified
		switch {
		case builtinFuncs[name] && (kind == "function" || kind == "class"):
			report(diag.ShadowsBuiltin, "%s '%s' cannot shadow builtin '%s'", kind, name, name)
			return false
		case kind != "function" && isPreludeName(name):
			report(diag.PreludeName, "cannot define %s '%s': conflicts with built-in prelude type", kind, name)
			return false
		}
	}
	old, taken := d.mod.Scope[name]
	if e, ok := d.mod.Errs[name]; !taken && ok && (kind == "class" || kind == "error") {
		old, taken = e, true
	}
	if taken {
		word, file, span := origin(old)
		switch f, _ := old.(*Func); {
		case f != nil && (f.Extern != nil) != isExtern(d.decl):
			report(diag.FnAndExtern, "duplicate function name '%s': defined as both fn and extern fn", name).
				Note(file, span, "the other '%s' is here", name)
		case word == kind:
			report(diag.Declared, "%s '%s' is already declared", kind, name).Note(file, span, "'%s' is declared here", name)
		default:
			report(diag.DeclaredAs, "%s '%s' is already declared as %s %s", kind, name, article(word), word).
				Note(file, span, "the %s '%s' is declared here", word, name)
		}
		return false
	}
	if app := c.prog.App; app != nil && d.mod == c.prog.Root && app.Name == name {
		report(diag.DeclaredAs, "%s '%s' is already declared as an app", kind, name).
			Note(app.File, app.Class.Decl.Name.Span(), "the app '%s' is declared here", name)
		return false
	}
	if _, ok := c.decls.bindings[binding{d.mod, name}]; ok && kind != "error" {
		report(diag.DeclaredAs, "%s '%s' is already declared as an imported module name", kind, name)
		return false
	}
	return true
}

func isExtern(d syntax.Decl) bool {
	_, ok := d.(*syntax.ExternDecl)
	return ok
}

// origin is the kind of something declared, and where its name is.
func origin(o Object) (kind string, file *source.File, span source.Span) {
	switch o := o.(type) {
	case *Func:
		if o.Extern != nil {
			return "function", o.File, o.Extern.Name.Span()
		}
		return "function", o.File, o.Decl.Name.Span()
	case *Class:
		return "class", o.File, o.Decl.Name.Span()
	case *Enum:
		return "enum", o.File, o.Decl.Name.Span()
	case *Trait:
		return "trait", o.File, o.Decl.Name.Span()
	case *ErrorDecl:
		return "error", o.File, o.Decl.Name.Span()
	}
	return "", nil, source.Span{}
}

func article(word string) string {
	if word == "enum" || word == "error" || word == "app" {
		return "an"
	}
	return "a"
}

func (c *checker) traitNames() {
	for _, d := range c.decls.all {
		if decl, ok := d.decl.(*syntax.TraitDecl); ok && c.free(d, "trait") {
			t := &Trait{Name: qualified(d.mod, decl.Name.Name), Module: d.mod, File: d.file, Decl: decl}
			t.Type = c.u.TraitType(t)
			d.obj = t
			d.mod.Scope[decl.Name.Name] = t
			c.prog.Traits = append(c.prog.Traits, t)
		}
	}
}

func (c *checker) enumNames() {
	for _, d := range c.decls.all {
		if decl, ok := d.decl.(*syntax.EnumDecl); ok && c.free(d, "enum") {
			e := &Enum{Name: qualified(d.mod, decl.Name.Name), Module: d.mod, File: d.file, Decl: decl}
			e.Type = c.u.EnumType(e)
			d.obj = e
			d.mod.Scope[decl.Name.Name] = e
			if !e.isGeneric() {
				c.prog.Enums = append(c.prog.Enums, e)
			}
		}
	}
}

// appName finds the app of the program. The loader has reported those of other modules, and
// second ones.
func (c *checker) appName() {
	for _, d := range c.decls.all {
		decl, ok := d.decl.(*syntax.AppDecl)
		if !ok || d.mod != c.prog.Root || c.decls.app != nil {
			continue
		}
		c.free(d, "app") // it is the app, whatever else has its name
		app := &App{Name: decl.Name.Name, Module: d.mod, File: d.file, Decl: decl}
		class := &syntax.ClassDecl{Name: decl.Name, Lifecycle: syntax.Singleton, Deps: decl.Deps, Methods: decl.Methods}
		class.At = decl.At
		app.Class = &Class{Name: app.Name, Module: d.mod, File: d.file, Decl: class, Lifecycle: syntax.Singleton}
		app.Type = c.u.ClassType(app.Class)
		app.Class.Type = app.Type
		d.obj = app
		c.decls.app = d
		c.prog.App = app
	}
}

func (c *checker) errorNames() {
	for _, d := range c.decls.all {
		if decl, ok := d.decl.(*syntax.ErrorDecl); ok && c.free(d, "error") {
			e := &ErrorDecl{Name: qualified(d.mod, decl.Name.Name), Module: d.mod, File: d.file, Decl: decl}
			d.obj = e
			d.mod.Errs[decl.Name.Name] = e
			c.prog.Errors = append(c.prog.Errors, e)
		}
	}
}

func (c *checker) errorFields() {
	for _, d := range c.decls.all {
		if e, ok := d.obj.(*ErrorDecl); ok {
			at := &env{mod: d.mod, file: d.file}
			for i, p := range e.Decl.Fields {
				c.duplicate(d.file, e.Decl.Fields[:i], p, "error", e.Name)
				e.Fields = append(e.Fields, &ErrorField{Name: p.Name.Name, Type: c.resolve(at, p.Type), Decl: p.Name})
			}
			c.redeclared(e)
		}
	}
}

// redeclared lets a declaration that repeats a predeclared error be that error, so that
// handlers for it meet what the runtime raises.
func (c *checker) redeclared(e *ErrorDecl) {
	name := e.Decl.Name.Name
	old := c.prelude.Errs[name]
	if old == nil || !slices.EqualFunc(e.Fields, old.Fields, func(a, b *ErrorField) bool { return a.Name == b.Name && a.Type == b.Type }) {
		return
	}
	e.Module.Errs[name] = old
	c.prog.Errors = slices.DeleteFunc(c.prog.Errors, func(x *ErrorDecl) bool { return x == e })
}

// duplicate reports a field with the name of one before it.
func (c *checker) duplicate(file *source.File, before []*syntax.Param, p *syntax.Param, kind, owner string) {
	for _, q := range before {
		if q.Name.Name == p.Name.Name && p.Name.Name != "" {
			c.report(diag.PhaseDecls, diag.DuplicateField, file, p.Name.Span(), "duplicate field '%s' in %s '%s'", p.Name.Name, kind, owner).
				Note(file, q.Name.Span(), "the first '%s' is here", p.Name.Name)
			return
		}
	}
}

func (c *checker) classNames() {
	for _, d := range c.decls.all {
		if decl, ok := d.decl.(*syntax.ClassDecl); ok && c.free(d, "class") {
			cl := &Class{Name: qualified(d.mod, decl.Name.Name), Module: d.mod, File: d.file, Decl: decl, Lifecycle: decl.Lifecycle}
			cl.Type = c.u.ClassType(cl)
			d.obj = cl
			d.mod.Scope[decl.Name.Name] = cl
			if !cl.isGeneric() {
				c.prog.Classes = append(c.prog.Classes, cl)
			}
		}
	}
	// Now that all names of types are known, so are the bounds of type parameters.
	for _, d := range c.decls.all {
		switch o := d.obj.(type) {
		case *Class:
			o.bounds = c.typeParams(d.mod, d.file, "class", o.Name, o.Decl.TypeParams)
		case *Enum:
			o.bounds = c.typeParams(d.mod, d.file, "enum", o.Name, o.Decl.TypeParams)
		}
	}
}

// impls finds the traits that classes list. What is wrong with the lists is reported with
// their conformance, but types are compared long before.
func (c *checker) impls() {
	for _, d := range c.decls.all {
		cl, ok := d.obj.(*Class)
		if !ok {
			continue
		}
		for _, id := range cl.Decl.Impls {
			if t, ok := c.lookup(cl.Module, id.Name).(*Trait); ok && !cl.Implements(t) {
				cl.Impls = append(cl.Impls, t)
			}
		}
	}
}

func (c *checker) payloads() {
	for _, d := range c.decls.all {
		e, ok := d.obj.(*Enum)
		if !ok {
			continue
		}
		at := c.declEnv(d, e.Decl.TypeParams)
		for i, v := range e.Decl.Variants {
			for _, w := range e.Decl.Variants[:i] {
				if w.Name.Name == v.Name.Name && v.Name.Name != "" {
					c.report(diag.PhaseDecls, diag.VariantDeclared, d.file, v.Name.Span(), "variant '%s' is already declared in enum '%s'", v.Name.Name, e.Name).
						Note(d.file, w.Name.Span(), "the first '%s' is here", v.Name.Name)
					break
				}
			}
			variant := &Variant{Name: v.Name.Name, Enum: e, Index: i, Decl: v}
			for j, p := range v.Fields {
				c.duplicate(d.file, v.Fields[:j], p, "variant", e.Name+"."+v.Name.Name)
				variant.Fields = append(variant.Fields, &VariantField{Name: p.Name.Name, Type: c.resolve(at, p.Type), Decl: p.Name})
			}
			e.Variants = append(e.Variants, variant)
		}
	}
}

// declEnv is where the types of a declaration are resolved: its type parameters stand for
// themselves.
func (c *checker) declEnv(d *entry, params []*syntax.TypeParam) *env {
	return &env{mod: d.mod, file: d.file, params: bind(params, c.paramTypes(d.decl, params))}
}

// fields makes the fields of classes: brackets, then ambient ones, then their own.
func (c *checker) fields() {
	for _, d := range c.decls.all {
		cl, ok := d.obj.(*Class)
		if !ok {
			continue
		}
		at := c.declEnv(d, cl.Decl.TypeParams)
		seen := make(map[string]bool, len(cl.Decl.Deps)+len(cl.Decl.Fields))
		ambient := cl.Fields
		cl.Fields = c.fieldsOf(cl, at, nil, cl.Decl.Deps, true, seen)
		cl.Fields = append(cl.Fields, ambient...)
		cl.Fields = c.fieldsOf(cl, at, cl.Fields, cl.Decl.Fields, false, seen)
		for _, inv := range cl.Decl.Invariants {
			cl.Invariants = append(cl.Invariants, Contract{Clause: inv, File: d.file})
		}
	}
}

func (c *checker) fieldsOf(cl *Class, at *env, to []*Field, params []*syntax.Param, injected bool, seen map[string]bool) []*Field {
	for _, p := range params {
		t := c.resolve(at, p.Type)
		if p.Name.Name == "" {
			continue
		}
		if seen[p.Name.Name] {
			c.report(diag.PhaseDecls, diag.DuplicateField, at.file, p.Name.Span(), "duplicate field '%s' in class '%s'", p.Name.Name, cl.Name)
			continue
		}
		seen[p.Name.Name] = true
		to = append(to, &Field{Name: p.Name.Name, Type: t, Class: cl, Injected: injected, Decl: p.Name})
	}
	return to
}

// collect lists what has a body, in the order of the text.
func (c *checker) collect() {
	for _, d := range c.decls.all {
		switch o := d.obj.(type) {
		case *Func:
			switch {
			case o.Extern != nil:
			case o.isGeneric():
				c.generics = append(c.generics, o)
			default:
				c.plain = append(c.plain, o)
			}
		case *Class:
			if o.isGeneric() {
				c.generics = append(c.generics, o.Methods...)
			} else {
				c.plain = append(c.plain, o.Methods...)
			}
		case *App:
			c.plain = append(c.plain, o.Class.Methods...)
		}
	}
	if f, ok := c.prog.Root.Scope["main"].(*Func); ok && f.Extern == nil && !f.isGeneric() {
		c.prog.Main = f
	}
}
