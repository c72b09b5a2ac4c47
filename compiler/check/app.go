package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// appMembers makes the dependencies and methods of the app, and checks what an app must be.
func (c *checker) appMembers() {
	d := c.decls.app
	if d == nil {
		return
	}
	app := d.obj.(*App)
	cl := app.Class
	at := &env{mod: d.mod, file: d.file}
	seen := make(map[string]bool, len(app.Decl.Deps))
	ambient := cl.Fields
	cl.Fields = append(c.fieldsOf(cl, at, nil, app.Decl.Deps, true, seen), ambient...)
	cl.Methods = c.methodsOf(cl, at, "app", app.Decl.Methods)
	for _, m := range cl.Methods {
		m.App = app
	}

	main, ok := c.prog.Root.Scope["main"].(*Func)
	if ok && main.Extern == nil {
		c.report(diag.PhaseDecls, diag.AppAndMain, main.File, main.Decl.Name.Span(), "cannot have both an app declaration and a top-level main function").
			Note(d.file, cl.Decl.Name.Span(), "the app is here")
	}
	app.Main = cl.Method("main")
	switch m := app.Main; {
	case m == nil:
		c.report(diag.PhaseDecls, diag.AppWithoutMain, d.file, cl.Decl.Name.Span(), "app must have a 'main' method")
	case m.Self == nil:
		c.report(diag.PhaseDecls, diag.AppMainSelf, d.file, m.Decl.Name.Span(), "app main method must take 'self' as first parameter")
	case m.Result.Kind != KVoid && !m.Result.broken:
		c.report(diag.PhaseDecls, diag.AppMainResult, d.file, m.Decl.Result.Span(), "app main method must not have a return type")
	}
}

// tests makes the test blocks of the root functions. They are dropped outside of test runs.
func (c *checker) tests() {
	if !c.prog.Project.Test {
		return
	}
	for _, d := range c.decls.all {
		if d.mod != c.prog.Root {
			continue
		}
		switch decl := d.decl.(type) {
		case *syntax.TestDecl:
			c.test(d, decl, "Sequential")
		case *syntax.TestsDecl:
			scheduler := "Sequential"
			if decl.Scheduler != nil {
				scheduler = decl.Scheduler.Name
			}
			for _, t := range decl.Tests {
				c.test(d, t, scheduler)
			}
		}
	}
	c.testRun()
}

// testRun checks that a test run has something to run, and nothing else that starts.
func (c *checker) testRun() {
	if d := c.decls.app; d != nil {
		c.report(diag.PhaseDecls, diag.AppInTests, d.file, d.obj.(*App).Class.Decl.Name.Span(), "test files should not contain an app declaration")
	}
	root := c.prog.Root.Src
	for _, f := range root.Files {
		if !f.OK {
			return // there may be tests that could not be read
		}
	}
	if len(c.prog.Tests) == 0 && len(root.Files) > 0 {
		f := root.Files[0].Src
		c.report(diag.PhaseDecls, diag.NoTests, f, source.Span{}, "no tests found in '%s'", f.Name)
	}
}

func (c *checker) test(d *entry, decl *syntax.TestDecl, scheduler string) {
	f := c.testFunc(d, decl)
	c.plain = append(c.plain, f)
	c.prog.Tests = append(c.prog.Tests, &Test{Name: decl.Name, Decl: decl, Func: f, Scheduler: scheduler})
}

// testFunc is the function that a test block is.
func (c *checker) testFunc(d *entry, decl *syntax.TestDecl) *Func {
	name := &syntax.Ident{Name: `test "` + decl.Name + `"`}
	name.At = decl.NameAt
	fn := &syntax.FuncDecl{Name: name, Body: decl.Body, NumExprs: decl.NumExprs}
	fn.At = decl.At
	return &Func{Name: name.Name, Short: name.Name, Module: d.mod, File: d.file, Decl: fn, Test: decl, Result: c.u.Void}
}
