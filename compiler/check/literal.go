package check

import (
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

func (b *body) arrayLit(e *syntax.ArrayLit, want *Type) *Type {
	if len(e.Elems) == 0 {
		return b.emptyArray(e, want)
	}
	elem := b.expr(e.Elems[0], nil)
	if elem.Kind == KVoid {
		b.errorf("P0415", e.Elems[0].Span(), "array element type mismatch: expected a value, found void")
		elem = b.u.Invalid
	}
	for _, x := range e.Elems[1:] {
		// The first element does not say what later ones should be, so that `[[1], []]` is
		// refused as it is in the other order.
		if t := b.expr(x, nil); !b.c.same(t, elem) {
			b.errorf("P0415", x.Span(), "array element type mismatch: expected %s, found %s", elem, t)
		} else if bad(t) {
			elem = t // and the array says nothing about its elements
		}
	}
	return b.u.Array(elem)
}

func (b *body) emptyArray(e *syntax.ArrayLit, want *Type) *Type {
	switch {
	case want == nil:
		b.errorf("P0414", e.Span(), "cannot infer type of empty array literal; add a type annotation")
	case want.Kind == KArray:
		return want
	case want.Kind == KNullable && want.Elem.Kind == KArray:
		return want.Elem
	case !bad(want):
		b.errorf("P0404", e.Span(), "type mismatch: expected %s, found empty array", want)
	}
	return b.u.Invalid
}

// hashable checks that a type may be a key.
func (b *body) hashable(at syntax.TypeExpr, t *Type) {
	if !t.IsPrim() && t.Kind != KEnum && !bad(t) {
		b.errorf("P0417", at.Span(), "type %s cannot be used as a map/set key (must be int, float, bool, string, byte, or enum)", t)
	}
}

func (b *body) mapLit(e *syntax.MapLit) *Type {
	key, val := b.c.resolve(b.env, e.Key), b.c.resolve(b.env, e.Value)
	b.hashable(e.Key, key)
	for i, k := range e.Keys {
		if t, ok := b.exact(k, key); !ok {
			b.errorf("P0416", k.Span(), "map key type mismatch: expected %s, found %s", key, t)
		}
		if i < len(e.Vals) {
			if t, ok := b.exact(e.Vals[i], val); !ok {
				b.errorf("P0416", e.Vals[i].Span(), "map value type mismatch: expected %s, found %s", val, t)
			}
		}
	}
	return b.u.Map(key, val)
}

func (b *body) setLit(e *syntax.SetLit) *Type {
	elem := b.c.resolve(b.env, e.Elem)
	b.hashable(e.Elem, elem)
	for _, x := range e.Elems {
		if t, ok := b.exact(x, elem); !ok {
			b.errorf("P0416", x.Span(), "set element type mismatch: expected %s, found %s", elem, t)
		}
	}
	return b.u.Wrapped(KSet, elem)
}

// literal checks `Path { field: value }`: which of class, class of a module, variant and
// variant of a module's enum the path is, its names say.
func (b *body) literal(e *syntax.LitExpr) *Type {
	first := e.Path[0]
	if len(e.Path) == 1 {
		return b.classLit(e, b.c.lookup(b.mod, first.Name), first.Name)
	}
	switch o := b.name(first.Name).(type) {
	case *Enum:
		if len(e.Path) == 2 {
			return b.variantLit(e, o, e.ArgsAt == 0)
		}
	case *Module:
		if o.Missing {
			return b.failedLit(e)
		}
		second := e.Path[1]
		if len(e.Path) == 2 {
			return b.classLit(e, b.item(o, second), first.Name+"."+second.Name)
		}
		en, ok := b.item(o, second).(*Enum)
		if ok {
			return b.variantLit(e, en, e.ArgsAt == 1)
		}
		b.errorf("P0428", second.Span(), "unknown enum '%s.%s'", first.Name, second.Name)
		return b.failedLit(e)
	}
	b.errorf("P0428", first.Span(), "unknown class '%s'", pathText(e.Path))
	return b.failedLit(e)
}

func pathText(path []*syntax.Ident) string {
	text := path[0].Name
	for _, p := range path[1:] {
		text += "." + p.Name
	}
	return text
}

// failedLit looks at the values of a literal that is wrong anyway.
func (b *body) failedLit(e *syntax.LitExpr) *Type {
	for _, f := range e.Fields {
		b.expr(f.Value, b.u.Invalid)
	}
	return b.u.Invalid
}

func (b *body) classLit(e *syntax.LitExpr, o Object, name string) *Type {
	c, ok := o.(*Class)
	generic := ok && c.isGeneric()
	switch {
	case len(e.TypeArgs) > 0 && !generic:
		b.errorf("P0428", e.Path[0].Span(), "unknown generic class '%s'", name)
		return b.failedLit(e)
	case len(e.TypeArgs) > 0:
		args, ok := b.typeArgs(e.TypeArgs)
		if ok {
			c = b.c.instantiateClass(c, args, b.file, e.Span())
		}
		if !ok || c == nil {
			return b.failedLit(e)
		}
	case !ok || generic:
		d := b.errorf("P0428", e.Path[0].Span(), "unknown class '%s'", name)
		if generic {
			d.Note(nil, source.Span{}, "'%s' is generic: write its type arguments, as in %s<int> { ... }", name, name)
		}
		return b.failedLit(e)
	}
	b.info.setTarget(e, c)
	if c.Injected() {
		b.errorf("P0431", e.Span(), "cannot manually construct class '%s' with injected dependencies", c.Name)
		b.failedLit(e)
		return c.Type
	}
	if len(e.Fields) != len(c.Fields) {
		b.errorf("P0429", e.Span(), "class '%s' has %d fields, but %d were provided", c.Name, len(c.Fields), len(e.Fields))
	}
	for i, init := range e.Fields {
		f := c.Field(init.Name.Name)
		if f == nil {
			b.noField(c, init.Name)
			b.expr(init.Value, b.u.Invalid)
			continue
		}
		b.repeated(e.Fields, i)
		if t := b.expr(init.Value, f.Type); b.c.storable(t, f.Type) {
			b.adopt(init.Value, f.Type)
		} else {
			b.badField(init, f.Type, t)
		}
	}
	return c.Type
}

func (b *body) badField(init *syntax.FieldInit, want, got *Type) {
	b.errorf("P0430", init.Value.Span(), "field '%s': expected %s, found %s", init.Name.Name, want, got)
}

// repeated complains about a field that a literal gives twice.
func (b *body) repeated(fields []*syntax.FieldInit, i int) {
	for _, f := range fields[:i] {
		if f.Name.Name == fields[i].Name.Name {
			b.errorf("P0429", fields[i].Name.Span(), "field '%s' is given twice", f.Name.Name).
				Note(b.file, f.Name.Span(), "'%s' is given here first", f.Name.Name)
			return
		}
	}
}

// enumOf is the enum that a path means, instantiated when type arguments are written; nil
// after an error.
func (b *body) enumOf(en *Enum, name string, args []syntax.TypeExpr, at source.Span) *Enum {
	generic := en.isGeneric()
	switch {
	case len(args) > 0 && !generic:
		b.errorf("P0428", at, "unknown generic enum '%s'", name)
	case len(args) > 0:
		if types, ok := b.typeArgs(args); ok {
			return b.c.instantiateEnum(en, types, b.file, at)
		}
	case generic:
		b.errorf("P0428", at, "unknown enum '%s'", name).
			Note(nil, source.Span{}, "'%s' is generic: write its type arguments, as in %s<int>", name, name)
	default:
		return en
	}
	return nil
}

// genericHead resolves `E<T>` or `m.E<T>`; nil after an error.
func (b *body) genericHead(e *syntax.GenericExpr) Object {
	name, m := e.Name.Name, b.mod
	if e.Module != nil {
		name = e.Module.Name + "." + name
		if m = b.c.imported(b.mod, e.Module.Name); m == nil {
			b.errorf("P0428", e.Module.Span(), "unknown generic enum '%s'", name)
			return nil
		}
	}
	o := b.item(m, e.Name)
	en, ok := o.(*Enum)
	if !ok {
		if !m.Missing {
			b.errorf("P0428", e.Name.Span(), "unknown generic enum '%s'", name)
		}
		return nil
	}
	en = b.enumOf(en, name, e.Args, e.Span())
	if en == nil {
		return nil
	}
	b.info.setTarget(e, en)
	return en
}

// variantLit checks a literal of a variant; argsHere says that the type arguments, if there
// are any, follow the enum.
func (b *body) variantLit(e *syntax.LitExpr, en *Enum, argsHere bool) *Type {
	name := pathText(e.Path[:len(e.Path)-1])
	if len(e.TypeArgs) > 0 && !argsHere {
		b.errorf("P0428", e.Span(), "unknown generic class '%s'", pathText(e.Path))
		return b.failedLit(e)
	}
	if en = b.enumOf(en, name, e.TypeArgs, e.Path[0].Span()); en == nil {
		return b.failedLit(e)
	}
	last := e.Path[len(e.Path)-1]
	v := en.Variant(last.Name)
	if v == nil {
		b.noVariant(en, last)
		b.failedLit(e)
		return en.Type
	}
	b.info.setTarget(e, v)
	if len(e.Fields) != len(v.Fields) {
		b.errorf("P0433", e.Span(), "variant '%s.%s' has %d fields, but %d were provided", en.Name, v.Name, len(v.Fields), len(e.Fields))
	}
	for i, init := range e.Fields {
		f := v.Field(init.Name.Name)
		if f == nil {
			b.errorf("P0433", init.Name.Span(), "variant '%s.%s' has no field '%s'", en.Name, v.Name, init.Name.Name)
			b.expr(init.Value, b.u.Invalid)
			continue
		}
		b.repeated(e.Fields, i)
		t, ok := b.exact(init.Value, f.Type)
		switch {
		case ok:
		case f.Type.Kind == KNullable && (t == b.u.None || b.c.same(t, f.Type.Elem)):
			b.adopt(init.Value, f.Type)
		default:
			b.badField(init, f.Type, t)
		}
	}
	return en.Type
}

func (b *body) noVariant(en *Enum, name *syntax.Ident) {
	d := b.errorf("P0432", name.Span(), "enum '%s' has no variant '%s'", en.Name, name.Name)
	meantMember(d, en.Type, name.Name, false)
}

// unitVariant checks `E.V`, a variant without fields.
func (b *body) unitVariant(e *syntax.FieldExpr, en *Enum) *Type {
	if en.isGeneric() {
		b.enumOf(en, b.text(e.X), nil, e.X.Span())
		return b.u.Invalid
	}
	v := en.Variant(e.Name.Name)
	if v == nil {
		b.noVariant(en, e.Name)
		return en.Type
	}
	b.info.setTarget(e, v)
	if len(v.Fields) > 0 {
		b.errorf("P0433", e.Span(), "variant '%s.%s' has fields; use %s.%s { ... }", en.Name, v.Name, en.Name, v.Name)
	}
	return en.Type
}

// Field finds a field, or nil.
func (v *Variant) Field(name string) *VariantField {
	for _, f := range v.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// isGeneric says that an enum is a generic declaration, not an instance.
func (e *Enum) isGeneric() bool {
	return e.Generic == nil && e.Decl != nil && len(e.Decl.TypeParams) > 0
}

// isGeneric says that a class is a generic declaration, not an instance.
func (c *Class) isGeneric() bool {
	return c.Generic == nil && c.Decl != nil && len(c.Decl.TypeParams) > 0
}
