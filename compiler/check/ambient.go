package check

import (
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// ambients reads what the app declares ambient, and gives the classes that use it their
// hidden fields.
func (c *checker) ambients() {
	failed := map[string]bool{} // names that the app could not declare
	if d := c.decls.app; d != nil {
		c.appAmbients(d, failed)
	}
	for _, d := range c.decls.all {
		if cl, ok := d.obj.(*Class); ok && len(cl.Decl.Uses) > 0 {
			c.uses(cl, failed)
		}
	}
}

// appAmbients reads the ambient types of the app, which are fields of the app too.
func (c *checker) appAmbients(d *entry, failed map[string]bool) {
	app := d.obj.(*App)
	for _, id := range app.Decl.Ambient {
		cl, ok := c.lookup(d.mod, id.Name).(*Class)
		if !ok || cl.isGeneric() {
			failed[id.Name] = true
			if id.Name != "" {
				c.report(diag.PhaseAmbient, diag.AmbientUnknown, d.file, id.Span(), "ambient type '%s' is not a known class", id.Name)
			}
			continue
		}
		name := ambientName(id.Name)
		switch {
		case app.Class.Field(name) != nil:
			c.report(diag.PhaseAmbient, diag.AmbientTwice, d.file, id.Span(), "duplicate ambient type '%s' in app", id.Name)
			continue
		case hasParam(app.Decl.Deps, name):
			c.report(diag.PhaseAmbient, diag.AmbientConflict, d.file, id.Span(), "ambient variable '%s' conflicts with existing app dependency", name)
		default:
			app.Class.Fields = append(app.Class.Fields, &Field{Name: name, Type: cl.Type, Class: app.Class, Injected: true, Ambient: true, Decl: id})
		}
		c.decls.ambient = append(c.decls.ambient, cl)
	}
}

// uses gives a class the ambient types that it uses.
func (c *checker) uses(cl *Class, failed map[string]bool) {
	name := cl.Decl.Name.Span()
	switch {
	case cl.isGeneric():
		c.report(diag.PhaseAmbient, diag.AmbientGeneric, cl.File, name, "generic class '%s' cannot use ambient dependencies", cl.Name)
		return
	case c.decls.app == nil:
		c.report(diag.PhaseAmbient, diag.UsesWithoutApp, cl.File, name, "class '%s' uses ambient types, but no app or stage declaration exists", cl.Name)
		return
	}
	for i, id := range cl.Decl.Uses {
		if id.Name == "" || hasIdent(cl.Decl.Uses[:i], id.Name) {
			if id.Name != "" {
				c.report(diag.PhaseAmbient, diag.AmbientTwice, cl.File, id.Span(), "duplicate ambient dependency '%s' in class '%s'", id.Name, cl.Name)
			}
			continue
		}
		dep, ok := c.lookup(cl.Module, id.Name).(*Class)
		if !ok || !c.isAmbient(dep) {
			if !failed[id.Name] {
				c.report(diag.PhaseAmbient, diag.NotAmbient, cl.File, id.Span(), "class '%s' uses ambient type '%s', but '%s' is not declared ambient in the app", cl.Name, id.Name, id.Name)
			}
			continue
		}
		v := ambientName(id.Name)
		if hasParam(cl.Decl.Deps, v) || hasParam(cl.Decl.Fields, v) {
			c.report(diag.PhaseAmbient, diag.AmbientConflict, cl.File, id.Span(), "ambient variable '%s' conflicts with existing field in class '%s'", v, cl.Name)
			continue
		}
		cl.Fields = append(cl.Fields, &Field{Name: v, Type: dep.Type, Class: cl, Injected: true, Ambient: true, Decl: id})
	}
}

func (c *checker) isAmbient(cl *Class) bool {
	for _, a := range c.decls.ambient {
		if a == cl {
			return true
		}
	}
	return false
}

// ambientName is the variable through which an ambient type is used: Logger is logger.
func ambientName(class string) string {
	return strings.ToLower(class[:1]) + class[1:]
}

func hasParam(params []*syntax.Param, name string) bool {
	for _, p := range params {
		if p.Name.Name == name {
			return true
		}
	}
	return false
}

func hasIdent(ids []*syntax.Ident, name string) bool {
	for _, id := range ids {
		if id.Name == name {
			return true
		}
	}
	return false
}
