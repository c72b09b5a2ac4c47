package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// static lowers TypeInfo::type_name<T>() and TypeInfo::kind<T>().
func (f *fn) static(e *syntax.StaticExpr) calling {
	t := f.info.TypeOf[e.TypeArgs[0]]
	return calling{build: func([]val) call {
		if e.Name.Name == "type_name" {
			return call{k: t.String(), typ: f.info.Type(e)}
		}
		v := f.typeKind(f.info.Type(e).Enum, t)
		return call{text: v.typed(), typ: f.info.Type(e)}
	}}
}

// typeKind describes a type by a variant of the prelude's TypeKind.
func (f *fn) typeKind(kinds *check.Enum, t *check.Type) val {
	texts := map[string]string{}
	name := "Primitive"
	switch t.Kind {
	case check.KVoid:
		name = "Void"
	case check.KClass:
		name = "Class"
	case check.KEnum:
		name = "Enum"
	case check.KArray:
		name, texts["element_type"] = "Array", t.Elem.String()
	case check.KMap:
		name, texts["key_type"], texts["value_type"] = "Map", t.Key.String(), t.Elem.String()
	case check.KSet:
		name, texts["element_type"] = "Set", t.Elem.String()
	case check.KNullable:
		name, texts["inner_type"] = "Nullable", t.Elem.String()
	case check.KFunc:
		name, texts["return_type"] = "Function", t.Result.String()
	default:
		texts["name"] = t.String()
	}
	v := kinds.Variant(name)
	vs := make([]val, len(v.Fields))
	for i, field := range v.Fields {
		switch {
		case field.Type.Kind == check.KString:
			vs[i] = constant(texts[field.Name])
		case field.Type.Kind == check.KArray:
			vs[i] = f.typeNames(t.Params)
		case t.Kind == check.KClass:
			vs[i] = f.classInfo(field.Type.Class, t.Class)
		default:
			vs[i] = f.enumInfo(field.Type.Class, t.Enum)
		}
	}
	return f.variant(v, v.Fields, vs)
}

func (f *fn) typeNames(types []*check.Type) val {
	vs := make([]val, len(types))
	for i, t := range types {
		vs[i] = constant(t.String())
	}
	return val{text: "rt.NewArray[string](" + args(vs) + ")"}
}

// object is an object of one of the prelude's classes, with values for its fields.
func (f *fn) object(c *check.Class, vs ...val) val {
	f.g.needClass(c)
	names := make([]string, len(c.Fields))
	for i, field := range c.Fields {
		names[i] = f.g.named[field]
	}
	return composite("&"+f.g.named[c], names, vs)
}

func (f *fn) objects(of *check.Type, vs []val) val {
	return val{text: "rt.NewArray[" + f.g.goType(of) + "](" + args(vs) + ")"}
}

func (f *fn) classInfo(info, c *check.Class) val {
	element := info.Fields[1].Type.Elem
	vs := make([]val, len(c.Fields))
	for i, field := range c.Fields {
		vs[i] = f.fieldInfo(element.Class, field.Name, field.Type, i)
	}
	return f.object(info, constant(c.Name), f.objects(element, vs))
}

func (f *fn) enumInfo(info *check.Class, e *check.Enum) val {
	variant := info.Fields[1].Type.Elem
	vs := make([]val, len(e.Variants))
	for i, v := range e.Variants {
		element := variant.Class.Fields[1].Type.Elem
		fields := make([]val, len(v.Fields))
		for j, field := range v.Fields {
			fields[j] = f.fieldInfo(element.Class, field.Name, field.Type, j)
		}
		vs[i] = f.object(variant.Class, constant(v.Name), f.objects(element, fields))
	}
	return f.object(info, constant(e.Name), f.objects(variant, vs))
}

func (f *fn) fieldInfo(info *check.Class, name string, t *check.Type, index int) val {
	return f.object(info, constant(name), constant(t.String()), constant(int64(8*index)))
}
