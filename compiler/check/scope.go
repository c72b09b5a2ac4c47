package check

import (
	"github.com/settgraph/sett/compiler/syntax"
)

// lookup finds a name in the module and then in the prelude: a *Func, *Class, *Enum or
// *Trait, or nil. Locals, imports, built-in functions and errors are not looked at. What a
// module declares wins over built-in functions: only the root cannot declare their names.
func (c *checker) lookup(m *Module, name string) Object {
	if o, ok := m.Scope[name]; ok {
		return o
	}
	if o, ok := c.prelude.Scope[name]; ok {
		c.preludeUsed = c.preludeUsed || m != c.prelude
		return o
	}
	return nil
}

// lookupError finds an error in the module, then among the predeclared ones; or nil.
func (c *checker) lookupError(m *Module, name string) *ErrorDecl {
	if e, ok := m.Errs[name]; ok {
		return e
	}
	return c.prelude.Errs[name]
}

// imported is the module behind the name of an import of m, or nil. Of an import that failed
// it is a module with Missing set, of whose items nothing is to be said.
func (c *checker) imported(m *Module, name string) *Module {
	if m.Src == nil {
		return nil
	}
	if to, ok := m.Src.Imports[name]; ok && to != nil {
		return c.byLoad[to]
	}
	if _, ok := c.decls.bindings[binding{m, name}]; ok {
		return c.missing
	}
	return nil
}

// shadowed says what global a plain `let` of the root hides: "a function", "a class", "an
// enum", "a trait", "an error", "the app", or "". Modules are qualified by their names, so
// that nothing of theirs is hidden.
func (c *checker) shadowed(m *Module, name string) string {
	if m != c.prog.Root {
		return ""
	}
	if builtinFuncs[name] {
		return "a function"
	}
	switch c.lookup(m, name).(type) {
	case *Func:
		return "a function"
	case *Class:
		return "a class"
	case *Enum:
		return "an enum"
	case *Trait:
		return "a trait"
	}
	if c.lookupError(m, name) != nil {
		return "an error"
	}
	if c.prog.App != nil && c.prog.App.Name == name {
		return "the app"
	}
	return ""
}

// builtinFuncs are the names of the built-in functions.
var builtinFuncs = map[string]bool{
	"print": true, "expect": true, "time_ns": true, "gc_heap_size": true, "bytes_new": true,
	"abs": true, "min": true, "max": true, "pow": true, "sqrt": true, "floor": true, "ceil": true,
	"round": true, "sin": true, "cos": true, "tan": true, "log": true,
}

// bind pairs type parameters with what they stand for.
func bind(params []*syntax.TypeParam, args []*Type) map[string]*Type {
	if len(params) == 0 {
		return nil
	}
	m := make(map[string]*Type, len(params))
	for i, p := range params {
		if i < len(args) && p.Name != nil {
			m[p.Name.Name] = args[i]
		}
	}
	return m
}

// assignable says whether a value of type from fits where to is expected.
func (c *checker) assignable(from, to *Type) bool {
	switch {
	case from == to, from.broken, to.broken:
		return true
	case to.Kind == KNullable:
		return from == c.u.None || c.assignable(from, to.Elem)
	case from.Kind == KClass && to.Kind == KTrait:
		return from.Class.Implements(to.Trait)
	case from.Kind == KFunc && to.Kind == KFunc:
		if len(from.Params) != len(to.Params) {
			return false
		}
		for i, p := range from.Params {
			if !c.assignable(p, to.Params[i]) {
				return false
			}
		}
		return c.assignable(from.Result, to.Result)
	}
	return false
}

// same says whether two types are equal, as places demand that convert nothing.
func (c *checker) same(a, b *Type) bool { return a == b || a.broken || b.broken }

// storable says whether a value fits the field of a class literal: equal, or class to
// trait, or either of them or none to nullable. Functions must be equal there.
func (c *checker) storable(from, to *Type) bool {
	if to.Kind == KNullable && from != to {
		return from == c.u.None || c.storable(from, to.Elem)
	}
	return c.same(from, to) || from.Kind == KClass && to.Kind == KTrait && from.Class.Implements(to.Trait)
}
