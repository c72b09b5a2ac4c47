package plutogen

import "strings"

type kind uint8

const (
	kInt kind = iota
	kFloat
	kBool
	kString
	kByte
	kBytes
	kVoid
	kArray
	kMap
	kSet
	kNullable
	kFunc
	kClass
	kEnum
	kTrait
	kParam // a type parameter
)

// typ is a Pluto type. Types are equal when their texts are.
type typ struct {
	kind      kind
	key, elem *typ
	params    []*typ
	result    *typ
	class     *class
	enum      *enum
	trait     *trait
	args      []*typ // of a generic class or enum
	text      string
}

func (t *typ) String() string { return t.text }

func same(a, b *typ) bool { return a.text == b.text }

var (
	intT    = &typ{kind: kInt, text: "int"}
	floatT  = &typ{kind: kFloat, text: "float"}
	boolT   = &typ{kind: kBool, text: "bool"}
	stringT = &typ{kind: kString, text: "string"}
	byteT   = &typ{kind: kByte, text: "byte"}
	bytesT  = &typ{kind: kBytes, text: "bytes"}
	voidT   = &typ{kind: kVoid, text: "void"}
)

func arrayOf(t *typ) *typ    { return &typ{kind: kArray, elem: t, text: "[" + t.text + "]"} }
func setOf(t *typ) *typ      { return &typ{kind: kSet, elem: t, text: "Set<" + t.text + ">"} }
func nullableOf(t *typ) *typ { return &typ{kind: kNullable, elem: t, text: t.text + "?"} }
func paramT(name string) *typ {
	return &typ{kind: kParam, text: name}
}

func mapOf(k, v *typ) *typ {
	return &typ{kind: kMap, key: k, elem: v, text: "Map<" + k.text + ", " + v.text + ">"}
}

func funcOf(params []*typ, result *typ) *typ {
	text := "fn(" + joinTypes(params) + ")"
	if result.kind != kVoid {
		text += " " + result.text
	}
	return &typ{kind: kFunc, params: params, result: result, text: text}
}

func joinTypes(ts []*typ) string {
	texts := make([]string, len(ts))
	for i, t := range ts {
		texts[i] = t.text
	}
	return strings.Join(texts, ", ")
}

// withArgs is a name with type arguments after it.
func withArgs(name string, args []*typ) string {
	if len(args) == 0 {
		return name
	}
	return name + "<" + joinTypes(args) + ">"
}

func (t *typ) prim() bool { return t.kind <= kByte }

// The declarations of a program.
type (
	field struct {
		name string
		t    *typ
	}
	class struct {
		name    string
		params  []string // type parameters
		fields  []field
		deps    []field // injected
		methods []*fn
		impls   []*trait
		scoped  bool
		inj     bool   // no literal makes one: the container does, or a scope block
		uses    *class // the ambient class
	}
	variant struct {
		name   string
		fields []field
	}
	enum struct {
		name     string
		params   []string
		variants []variant // the first has fields of plain types at most
	}
	trait struct {
		name    string
		methods []*fn
		impls   []*class
	}
	errDecl struct {
		name   string
		fields []field
	}
	fn struct {
		trait  *trait // of a method that is called through it
		name   string
		params []field
		tparam []string
		bounds map[string]*trait // of type parameters
		result *typ
		raises map[string]bool
		class  *class // of a method
		mut    bool   // mut self
		fuel   bool   // the first parameter bounds its recursion
		quiet  bool   // prints nothing, and calls nothing that may
		calm   bool   // a method of a trait that no implementation may let raise
		body   bool   // a method of a trait with a default
	}
)

// method says whether a receiver is needed.
func (f *fn) method() bool { return f.class != nil || f.trait != nil }

func (c *class) typ(args ...*typ) *typ {
	return &typ{kind: kClass, class: c, args: args, text: withArgs(c.name, args)}
}

func (e *enum) typ(args ...*typ) *typ {
	return &typ{kind: kEnum, enum: e, args: args, text: withArgs(e.name, args)}
}

func (t *trait) typ() *typ { return &typ{kind: kTrait, trait: t, text: t.name} }

// unit says whether no variant has fields.
func (e *enum) unit() bool {
	for _, v := range e.variants {
		if len(v.fields) > 0 {
			return false
		}
	}
	return true
}

// bind maps the names of type parameters to types.
func bind(params []string, args []*typ) map[string]*typ {
	m := map[string]*typ{}
	for i, p := range params {
		if i < len(args) {
			m[p] = args[i]
		}
	}
	return m
}

// subst puts types in the place of type parameters.
func subst(t *typ, m map[string]*typ) *typ {
	if len(m) == 0 {
		return t
	}
	switch t.kind {
	case kParam:
		if to := m[t.text]; to != nil {
			return to
		}
	case kArray:
		return arrayOf(subst(t.elem, m))
	case kSet:
		return setOf(subst(t.elem, m))
	case kNullable:
		return nullableOf(subst(t.elem, m))
	case kMap:
		return mapOf(subst(t.key, m), subst(t.elem, m))
	case kFunc:
		return funcOf(substAll(t.params, m), subst(t.result, m))
	case kClass:
		return t.class.typ(substAll(t.args, m)...)
	case kEnum:
		return t.enum.typ(substAll(t.args, m)...)
	}
	return t
}

func substAll(ts []*typ, m map[string]*typ) []*typ {
	out := make([]*typ, len(ts))
	for i, t := range ts {
		out[i] = subst(t, m)
	}
	return out
}

// fieldsOf are the fields of a class type, with its arguments in them.
func fieldsOf(t *typ) []field {
	m := bind(t.class.params, t.args)
	var out []field
	for _, f := range append(append([]field{}, t.class.deps...), t.class.fields...) {
		out = append(out, field{f.name, subst(f.t, m)})
	}
	return out
}

// usesParam says whether a type mentions a type parameter where an argument of a call shows
// what it is: not inside of generic classes and enums.
func usesParam(t *typ, name string) bool {
	switch t.kind {
	case kParam:
		return t.text == name
	case kArray, kSet, kNullable:
		return usesParam(t.elem, name)
	case kMap:
		return usesParam(t.key, name) || usesParam(t.elem, name)
	}
	return false
}
