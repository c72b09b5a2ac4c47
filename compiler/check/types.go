package check

import (
	"encoding/binary"
	"strings"

	"github.com/settgraph/sett/compiler/syntax"
)

// TypeKind says what a [Type] is.
type TypeKind uint8

const (
	KInvalid TypeKind = iota // of something that was already complained about; fits everything
	KInt
	KFloat
	KBool
	KString
	KByte
	KBytes
	KVoid
	KRange
	KError // of a wildcard catch variable
	KArray
	KMap
	KSet
	KNullable // `none` alone is nullable void
	KFunc
	KTask
	KSender
	KReceiver
	KClass
	KEnum
	KTrait
	KErrorValue // of a typed catch variable: Err says which
	KParam      // a type parameter, only in signatures of generic declarations, never in a body
)

// Type is a type. Types are interned in their [Universe]: equal types are the same pointer.
type Type struct {
	Kind    TypeKind
	Key     *Type   // of a map
	Elem    *Type   // of an array, set, map (its values), nullable, task, sender, receiver
	Params  []*Type // of a function
	Result  *Type   // of a function, never nil there
	Class   *Class
	Enum    *Enum
	Trait   *Trait
	Err     *ErrorDecl
	Name    string // of a type parameter
	text    string
	id      uint32
	nesting int32 // how deep types are in it
	open    bool  // mentions a type parameter
	broken  bool  // is or mentions the invalid type: fits everything
}

// String is the type as messages print it.
func (t *Type) String() string { return t.text }

// IsPrim says whether the type is int, float, bool, string or byte.
func (t *Type) IsPrim() bool { return t.Kind >= KInt && t.Kind <= KByte }

// Universe interns types.
type Universe struct {
	Invalid, Int, Float, Bool, String, Byte, Bytes, Void, Range, Error, None *Type

	byKey map[typeKey]*Type
	funcs map[string]*Type
	count uint32
}

type typeKey struct {
	kind      TypeKind
	key, elem *Type
	of        any
}

// NewUniverse makes a universe with the basic types.
func NewUniverse() *Universe {
	u := &Universe{byKey: map[typeKey]*Type{}, funcs: map[string]*Type{}}
	basic := func(k TypeKind, text string) *Type { return u.made(&Type{Kind: k, text: text}) }
	u.Invalid = basic(KInvalid, "unknown")
	u.Int = basic(KInt, "int")
	u.Float = basic(KFloat, "float")
	u.Bool = basic(KBool, "bool")
	u.String = basic(KString, "string")
	u.Byte = basic(KByte, "byte")
	u.Bytes = basic(KBytes, "bytes")
	u.Void = basic(KVoid, "void")
	u.Range = basic(KRange, "range")
	u.Error = basic(KError, "error")
	u.None = u.Nullable(u.Void)
	return u
}

// made numbers a new type and sees what it mentions.
func (u *Universe) made(t *Type) *Type {
	u.count++
	t.id = u.count
	t.open = t.Kind == KParam
	t.broken = t.Kind == KInvalid
	t.mentions(t.Key)
	t.mentions(t.Elem)
	t.mentions(t.Result)
	for _, p := range t.Params {
		t.mentions(p)
	}
	var args []*Type
	switch t.Kind {
	case KClass:
		args = t.Class.TypeArgs
	case KEnum:
		args = t.Enum.TypeArgs
	}
	for _, a := range args {
		t.mentions(a)
	}
	return t
}

func (t *Type) mentions(part *Type) {
	if part != nil {
		t.nesting = max(t.nesting, part.nesting+1)
		t.open = t.open || part.open
		t.broken = t.broken || part.broken
	}
}

func (u *Universe) intern(k typeKey, make func() *Type) *Type {
	t, ok := u.byKey[k]
	if !ok {
		t = u.made(make())
		u.byKey[k] = t
	}
	return t
}

// Array is [elem].
func (u *Universe) Array(elem *Type) *Type {
	return u.intern(typeKey{KArray, nil, elem, nil}, func() *Type {
		return &Type{Kind: KArray, Elem: elem, text: "[" + elem.text + "]"}
	})
}

// Map is Map<key, elem>.
func (u *Universe) Map(key, elem *Type) *Type {
	return u.intern(typeKey{KMap, key, elem, nil}, func() *Type {
		return &Type{Kind: KMap, Key: key, Elem: elem, text: "Map<" + key.text + ", " + elem.text + ">"}
	})
}

// Wrapped is Set<elem>, Task<elem>, Sender<elem> or Receiver<elem>.
func (u *Universe) Wrapped(kind TypeKind, elem *Type) *Type {
	return u.intern(typeKey{kind, nil, elem, nil}, func() *Type {
		return &Type{Kind: kind, Elem: elem, text: wrapperName(kind) + "<" + elem.text + ">"}
	})
}

func wrapperName(kind TypeKind) string {
	switch kind {
	case KSet:
		return "Set"
	case KTask:
		return "Task"
	case KSender:
		return "Sender"
	}
	return "Receiver"
}

// Nullable is elem?.
func (u *Universe) Nullable(elem *Type) *Type {
	return u.intern(typeKey{KNullable, nil, elem, nil}, func() *Type {
		return &Type{Kind: KNullable, Elem: elem, text: elem.text + "?"}
	})
}

// Func is fn(params) result.
func (u *Universe) Func(params []*Type, result *Type) *Type {
	key := string(binary.BigEndian.AppendUint32(appendIDs(nil, params), result.id))
	t, ok := u.funcs[key]
	if !ok {
		var text strings.Builder
		text.WriteString("fn(")
		for i, p := range params {
			if i > 0 {
				text.WriteString(", ")
			}
			text.WriteString(p.text)
		}
		text.WriteString(") " + result.text)
		t = u.made(&Type{Kind: KFunc, Params: params, Result: result, text: text.String()})
		u.funcs[key] = t
	}
	return t
}

// appendIDs adds what tells lists of types apart.
func appendIDs(to []byte, types []*Type) []byte {
	for _, t := range types {
		to = binary.BigEndian.AppendUint32(to, t.id)
	}
	return to
}

// Class, Enum, Trait, ErrorValue and Param are the types of declarations.

// ClassType is the type of instances of c.
func (u *Universe) ClassType(c *Class) *Type {
	return u.intern(typeKey{KClass, nil, nil, c}, func() *Type { return &Type{Kind: KClass, Class: c, text: c.Name} })
}

// EnumType is the type of values of e.
func (u *Universe) EnumType(e *Enum) *Type {
	return u.intern(typeKey{KEnum, nil, nil, e}, func() *Type { return &Type{Kind: KEnum, Enum: e, text: e.Name} })
}

// TraitType is the type of values that implement t.
func (u *Universe) TraitType(t *Trait) *Type {
	return u.intern(typeKey{KTrait, nil, nil, t}, func() *Type { return &Type{Kind: KTrait, Trait: t, text: "trait " + t.Name} })
}

// ErrorValue is the type of a typed catch variable.
func (u *Universe) ErrorValue(e *ErrorDecl) *Type {
	return u.intern(typeKey{KErrorValue, nil, nil, e}, func() *Type { return &Type{Kind: KErrorValue, Err: e, text: e.Name} })
}

// Param is a type parameter of a declaration.
func (u *Universe) Param(owner syntax.Decl, name string) *Type {
	return u.intern(typeKey{KParam, nil, nil, [2]any{owner, name}}, func() *Type { return &Type{Kind: KParam, Name: name, text: name} })
}
