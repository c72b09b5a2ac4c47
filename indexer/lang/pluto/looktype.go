package pluto

import (
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// typeText is a type as the language writes it: instances of generic declarations with their
// arguments, traits by their names alone; "" for what is not known.
func typeText(t *check.Type) string {
	if t == nil {
		return ""
	}
	switch t.Kind {
	case check.KInvalid:
		return ""
	case check.KArray:
		return "[" + inner(t.Elem) + "]"
	case check.KMap:
		return "Map<" + inner(t.Key) + ", " + inner(t.Elem) + ">"
	case check.KSet:
		return "Set<" + inner(t.Elem) + ">"
	case check.KTask:
		return "Task<" + inner(t.Elem) + ">"
	case check.KSender:
		return "Sender<" + inner(t.Elem) + ">"
	case check.KReceiver:
		return "Receiver<" + inner(t.Elem) + ">"
	case check.KNullable:
		if t.Elem.Kind == check.KVoid {
			return "none"
		}
		return inner(t.Elem) + "?"
	case check.KFunc:
		return callableText(t.Params, t.Result)
	case check.KClass:
		name := t.Class.Name
		if t.Class.Generic != nil {
			name = t.Class.Generic.Name
		}
		var params []*syntax.TypeParam
		if t.Class.Decl != nil {
			params = t.Class.Decl.TypeParams
		}
		return name + argsText(t.Class.TypeArgs, params)
	case check.KEnum:
		name := t.Enum.Name
		if t.Enum.Generic != nil {
			name = t.Enum.Generic.Name
		}
		var params []*syntax.TypeParam
		if t.Enum.Decl != nil {
			params = t.Enum.Decl.TypeParams
		}
		return name + argsText(t.Enum.TypeArgs, params)
	case check.KTrait:
		return t.Trait.Name
	}
	return t.String()
}

// inner is a type inside of another, which cannot be left out.
func inner(t *check.Type) string {
	if text := typeText(t); text != "" {
		return text
	}
	return "unknown"
}

// argsText is the arguments of an instance, or the parameters of a declaration as it is
// written.
func argsText(args []*check.Type, params []*syntax.TypeParam) string {
	var names []string
	for _, a := range args {
		names = append(names, inner(a))
	}
	if len(args) == 0 {
		for _, p := range params {
			if p.Name != nil {
				names = append(names, p.Name.Name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "<" + strings.Join(names, ", ") + ">"
}

func callableText(params []*check.Type, result *check.Type) string {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = inner(p)
	}
	return "fn(" + strings.Join(names, ", ") + ") " + inner(result)
}

// funcText is the type of a function or method, its receiver left out.
func funcText(params []*check.Var, result *check.Type) string {
	types := make([]*check.Type, len(params))
	for i, p := range params {
		if types[i] = p.Type; p.Type == nil {
			return ""
		}
	}
	if result == nil {
		return ""
	}
	return callableText(types, result)
}

// declared has the types of declared names, as instances have them and as they are written.
type declared struct{ instances, written typesOf }

// typesOf has types by the names that were declared.
type typesOf map[*syntax.Ident]string

// several marks a name that has another type in each instance.
const several = "\x00"

// of is the type of a declared name: that of the only instance, or else as it is written.
func (d declared) of(id *syntax.Ident) string {
	if t := d.instances[id]; t != "" && t != several {
		return t
	}
	if t := d.written[id]; t != several {
		return t
	}
	return ""
}

func declaredIn(p *check.Program) declared {
	d := declared{typesOf{}, typesOf{}}
	for _, m := range p.Modules {
		for _, o := range m.Scope {
			switch o := o.(type) {
			case *check.Func:
				d.written.function(o)
			case *check.Class:
				d.written.class(o)
			case *check.Enum:
				d.written.enum(o)
			case *check.Trait:
				d.written.trait(o)
			}
		}
	}
	for _, f := range p.General().Funcs {
		d.written.function(f)
	}
	for _, f := range p.Funcs {
		d.instances.function(f)
	}
	for _, f := range p.Externs {
		d.instances.function(f)
	}
	for _, c := range p.Classes {
		d.instances.class(c)
	}
	for _, e := range p.Enums {
		d.instances.enum(e)
	}
	for _, e := range p.Errors {
		if e.Decl != nil {
			d.instances.put(e.Decl.Name, e.Name)
			for _, f := range e.Fields {
				d.instances.put(f.Decl, typeText(f.Type))
			}
		}
	}
	if p.App != nil {
		d.instances.class(p.App.Class)
		d.instances.put(p.App.Decl.Name, p.App.Name)
	}
	return d
}

func (d typesOf) put(id *syntax.Ident, text string) {
	switch {
	case id == nil || text == "":
	case d[id] == "" || d[id] == text:
		d[id] = text
	default:
		d[id] = several
	}
}

func (d typesOf) function(f *check.Func) {
	switch {
	case f.Test != nil:
	case f.Decl != nil:
		d.put(f.Decl.Name, funcText(f.Params, f.Result))
		d.params(f.Params)
	case f.Extern != nil:
		d.put(f.Extern.Name, funcText(f.Params, f.Result))
		for i, p := range f.Extern.Params {
			if i < len(f.Params) {
				d.put(p.Name, typeText(f.Params[i].Type))
			}
		}
	}
}

func (d typesOf) params(params []*check.Var) {
	for _, p := range params {
		d.put(p.Decl, typeText(p.Type))
	}
}

func (d typesOf) class(c *check.Class) {
	if c.Decl != nil { // the app has none
		d.put(c.Decl.Name, typeText(c.Type))
	}
	for _, f := range c.Fields {
		if !f.Ambient {
			d.put(f.Decl, typeText(f.Type))
		}
	}
	for _, m := range c.Methods {
		if m.Default == nil {
			d.function(m)
		}
	}
}

func (d typesOf) enum(e *check.Enum) {
	if e.Decl == nil {
		return
	}
	d.put(e.Decl.Name, typeText(e.Type))
	for _, v := range e.Variants {
		d.put(v.Decl.Name, typeText(e.Type))
		for _, f := range v.Fields {
			d.put(f.Decl, typeText(f.Type))
		}
	}
}

func (d typesOf) trait(t *check.Trait) {
	if t.Decl == nil {
		return
	}
	d.put(t.Decl.Name, t.Name)
	for _, m := range t.Methods {
		d.put(m.Decl.Name, funcText(m.Params, m.Result))
		d.params(m.Params)
	}
}
