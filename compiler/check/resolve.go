package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// resolve is the type that is written, under the type parameters of e. It reports what is
// wrong, and then is the invalid type.
func (c *checker) resolve(e *env, t syntax.TypeExpr) *Type {
	if t == nil {
		return c.u.Invalid
	}
	r := c.written(e, t)
	if r.broken {
		r = c.u.Invalid
	}
	if e.info != nil {
		if e.info.TypeOf == nil {
			e.info.TypeOf = make(map[syntax.TypeExpr]*Type)
		}
		e.info.TypeOf[t] = r
	}
	return r
}

// resolveResult is resolve for the result of a function: nothing is void.
func (c *checker) resolveResult(e *env, t syntax.TypeExpr) *Type {
	if t == nil {
		return c.u.Void
	}
	return c.resolve(e, t)
}

func (c *checker) resolveAll(e *env, ts []syntax.TypeExpr) (types []*Type, ok bool) {
	types, ok = make([]*Type, len(ts)), true
	for i, t := range ts {
		types[i] = c.resolve(e, t)
		ok = ok && !types[i].broken
	}
	return types, ok
}

func (c *checker) written(e *env, t syntax.TypeExpr) *Type {
	switch t := t.(type) {
	case *syntax.NamedType:
		if t.Module != nil {
			return c.qualifiedType(e, t)
		}
		return c.namedType(e, t)
	case *syntax.ArrayType:
		if elem := c.resolve(e, t.Elem); !elem.broken {
			return c.u.Array(elem)
		}
	case *syntax.NullableType:
		elem := c.resolve(e, t.Elem)
		switch {
		case elem.broken:
		case elem.Kind == KVoid:
			c.report(c.phase, diag.VoidNullable, e.file, t.Span(), "void? is not allowed")
		case elem.Kind == KNullable: // only where a type parameter stands for a nullable
			c.report(c.phase, diag.NestedNullable, e.file, t.Span(), "nested nullable types (T??) are not allowed")
		default:
			return c.u.Nullable(elem)
		}
	case *syntax.FuncType:
		params, ok := c.resolveAll(e, t.Params)
		result := c.resolveResult(e, t.Result)
		if ok && !result.broken {
			return c.u.Func(params, result)
		}
	}
	return c.u.Invalid
}

// namedType resolves a name without a module: a basic type, a built-in generic one, a type
// parameter, or what the module declares.
func (c *checker) namedType(e *env, t *syntax.NamedType) *Type {
	name := t.Name.Name
	if name == "" {
		return c.u.Invalid // the parser has complained
	}
	if len(t.Args) == 0 {
		if basic := c.basicType(name); basic != nil {
			return basic
		}
		if p, ok := e.params[name]; ok {
			return p
		}
	} else if kind, arity := builtinGeneric(name); arity > 0 {
		return c.builtinType(e, t, kind, arity)
	}
	return c.declaredType(e, t, c.lookup(e.mod, name), name)
}

func (c *checker) basicType(name string) *Type {
	switch name {
	case "int":
		return c.u.Int
	case "string":
		return c.u.String
	case "bool":
		return c.u.Bool
	case "float":
		return c.u.Float
	case "byte":
		return c.u.Byte
	case "bytes":
		return c.u.Bytes
	case "void":
		return c.u.Void
	}
	return nil
}

func builtinGeneric(name string) (kind TypeKind, arity int) {
	switch name {
	case "Map":
		return KMap, 2
	case "Set":
		return KSet, 1
	case "Task":
		return KTask, 1
	case "Sender":
		return KSender, 1
	case "Receiver":
		return KReceiver, 1
	}
	return KInvalid, 0
}

func (c *checker) builtinType(e *env, t *syntax.NamedType, kind TypeKind, arity int) *Type {
	args, ok := c.resolveAll(e, t.Args)
	if len(args) != arity {
		plural := "s"
		if arity == 1 {
			plural = ""
		}
		c.report(c.phase, diag.TypeArity, e.file, t.Span(), "%s expects %d type argument%s, got %d", t.Name.Name, arity, plural, len(args))
		return c.u.Invalid
	}
	switch {
	case !ok || (kind == KMap || kind == KSet) && !c.key(args[0], e.file, t.Args[0].Span()):
		return c.u.Invalid
	case kind == KMap:
		return c.u.Map(args[0], args[1])
	}
	return c.u.Wrapped(kind, args[0])
}

// key says whether a map or set may be of a type of keys at all. Keys of other types than
// literals allow are fine in a signature, where they only mean that nobody can call it, but
// functions cannot even be compared.
func (c *checker) key(t *Type, file *source.File, at source.Span) bool {
	if t.Kind != KFunc {
		return true
	}
	c.report(c.phase, "P0417", file, at, badKey, t)
	return false
}

const badKey = "type %s cannot be used as a map/set key (must be int, float, bool, string, byte, or enum)"

// qualifiedType resolves `m.T` and `m.T<A>`.
func (c *checker) qualifiedType(e *env, t *syntax.NamedType) *Type {
	if t.Name.Name == "" {
		return c.u.Invalid
	}
	name := t.Module.Name + "." + t.Name.Name
	m := c.imported(e.mod, t.Module.Name)
	if m == nil {
		return c.declaredType(e, t, nil, name)
	}
	if m.Missing {
		c.resolveAll(e, t.Args)
		return c.u.Invalid
	}
	return c.declaredType(e, t, m.Scope[t.Name.Name], name)
}

// declaredType is the type that a declaration gives with the written arguments.
func (c *checker) declaredType(e *env, t *syntax.NamedType, o Object, name string) *Type {
	if len(t.Args) == 0 {
		switch o := o.(type) {
		case *Class:
			if !o.isGeneric() {
				return o.Type
			}
		case *Enum:
			if !o.isGeneric() {
				return o.Type
			}
		case *Trait:
			return o.Type
		}
		c.report(c.phase, diag.UnknownType, e.file, t.Span(), "unknown type '%s'", name)
		return c.u.Invalid
	}
	args, ok := c.resolveAll(e, t.Args)
	switch o := o.(type) {
	case *Class:
		if o.isGeneric() {
			if ok {
				if inst := c.instantiateClass(o, args, e.file, t.Span()); inst != nil {
					return inst.Type
				}
			}
			return c.u.Invalid
		}
	case *Enum:
		if o.isGeneric() {
			if ok {
				if inst := c.instantiateEnum(o, args, e.file, t.Span()); inst != nil {
					return inst.Type
				}
			}
			return c.u.Invalid
		}
	}
	c.report(c.phase, diag.UnknownGeneric, e.file, t.Span(), "unknown generic type '%s'", name)
	return c.u.Invalid
}
