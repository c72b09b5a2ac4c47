package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// preludeText declares the types of reflection. The methods of TypeInfo are called on types,
// `TypeInfo::kind<T>()`; the compiler implements them.
const preludeText = `
class FieldInfo {
    name: string
    type_name: string
    offset: int
}

class ClassInfo {
    name: string
    fields: [FieldInfo]
}

class VariantInfo {
    name: string
    fields: [FieldInfo]
}

class EnumInfo {
    name: string
    variants: [VariantInfo]
}

enum TypeKind {
    Primitive { name: string }
    Class { info: ClassInfo }
    Enum { info: EnumInfo }
    Array { element_type: string }
    Map { key_type: string, value_type: string }
    Set { element_type: string }
    Nullable { inner_type: string }
    Function { param_types: [string], return_type: string }
    Void
}

trait TypeInfo {
    fn type_name() string
    fn kind() TypeKind
}
`

// isPreludeName says whether the prelude declares a type of that name.
func isPreludeName(name string) bool {
	switch name {
	case "FieldInfo", "ClassInfo", "VariantInfo", "EnumInfo", "TypeKind", "TypeInfo":
		return true
	}
	return false
}

// newPrelude makes the module that every name is looked up in last: the types of reflection,
// and the predeclared errors.
func (c *checker) newPrelude() *Module {
	m := c.newModule(nil, "")
	src := source.NewFile("prelude", "", preludeText)
	for _, d := range syntax.Parse(src, &diag.List{}).Decls {
		c.decls.all = append(c.decls.all, &entry{mod: m, file: src, decl: d})
	}
	predeclare := func(name, field string, t *Type) {
		m.Errs[name] = &ErrorDecl{Name: name, Module: m, Fields: []*ErrorField{{Name: field, Type: t}}}
	}
	for _, name := range []string{"MathError", "RustError", "ChannelClosed", "ChannelFull", "ChannelEmpty", "TaskCancelled", "NetworkError"} {
		predeclare(name, "message", c.u.String)
	}
	predeclare("TimeoutError", "millis", c.u.Int)
	predeclare("ServiceUnavailable", "service", c.u.String)
	return m
}

// dropPrelude takes the types of reflection out of a program that does not mention them.
func (c *checker) dropPrelude() {
	if c.preludeUsed {
		return
	}
	p := c.prog
	p.Classes = outside(p.Classes, func(cl *Class) bool { return cl.Module == c.prelude })
	p.Enums = outside(p.Enums, func(e *Enum) bool { return e.Module == c.prelude })
	p.Traits = outside(p.Traits, func(t *Trait) bool { return t.Module == c.prelude })
}

// outside drops the first elements of a list while they are in the prelude.
func outside[T any](list []T, in func(T) bool) []T {
	for len(list) > 0 && in(list[0]) {
		list = list[1:]
	}
	return list
}
