package check

import "github.com/settgraph/sett/compiler/syntax"

// slot is a type in the signature of a method of a built-in type, relative to the receiver.
type slot uint8

const (
	sVoid slot = iota
	sInt
	sBool
	sString
	sByte
	sBytes
	sElem      // of an array, set, map (its values), task, sender or receiver
	sKey       // of a map
	sSelf      // the receiver's own type
	sElems     // [elem]
	sKeys      // [key]
	sStrings   // [string]
	sMaybeInt  // int?
	sMaybeReal // float?
)

// method is a method of a built-in type.
type method struct {
	result slot
	params []param
}

// param is a parameter; wrong is the message about an argument of another type and takes
// the method, the expected type and the type that was found.
type param struct {
	slot  slot
	wrong string
}

const plainWrong = "%s(): expected %s, found %s"

var (
	oneString = []param{{sString, plainWrong}}
	oneInt    = []param{{sInt, plainWrong}}
	oneElem   = []param{{sElem, plainWrong}}
	oneKey    = []param{{sKey, plainWrong}}
	indexed   = param{sInt, "%s(): expected %s index, found %s"}
	sent      = []param{{sElem, "%s() expects %s, found %s"}}
)

// The methods of built-in types. The tables are never written to.
var (
	stringMethods = map[string]method{
		"len":           {sInt, nil},
		"is_empty":      {sBool, nil},
		"is_whitespace": {sBool, nil},
		"contains":      {sBool, oneString},
		"starts_with":   {sBool, oneString},
		"ends_with":     {sBool, oneString},
		"index_of":      {sInt, oneString},
		"last_index_of": {sInt, oneString},
		"count":         {sInt, oneString},
		"substring":     {sString, []param{{sInt, plainWrong}, {sInt, plainWrong}}},
		"trim":          {sString, nil},
		"trim_start":    {sString, nil},
		"trim_end":      {sString, nil},
		"to_upper":      {sString, nil},
		"to_lower":      {sString, nil},
		"replace":       {sString, []param{{sString, plainWrong}, {sString, plainWrong}}},
		"split":         {sStrings, oneString},
		"char_at":       {sString, oneInt},
		"byte_at":       {sInt, oneInt},
		"repeat":        {sString, oneInt},
		"to_int":        {sMaybeInt, nil},
		"to_float":      {sMaybeReal, nil},
		"to_bytes":      {sBytes, nil},
	}
	arrayMethods = map[string]method{
		"len":       {sInt, nil},
		"is_empty":  {sBool, nil},
		"push":      {sVoid, oneElem},
		"pop":       {sElem, nil},
		"first":     {sElem, nil},
		"last":      {sElem, nil},
		"clear":     {sVoid, nil},
		"reverse":   {sVoid, nil},
		"insert_at": {sVoid, []param{indexed, {sElem, plainWrong}}},
		"remove_at": {sElem, []param{indexed}},
		"slice":     {sSelf, []param{{sInt, "%s(): expected %s start, found %s"}, {sInt, "%s(): expected %s end, found %s"}}},
		"contains":  {sBool, oneElem},
		"index_of":  {sInt, oneElem},
	}
	mapMethods = map[string]method{
		"len":      {sInt, nil},
		"contains": {sBool, oneKey},
		"insert":   {sVoid, []param{{sKey, "%s() key: expected %s, found %s"}, {sElem, "%s() value: expected %s, found %s"}}},
		"remove":   {sVoid, oneKey},
		"keys":     {sKeys, nil},
		"values":   {sElems, nil},
	}
	setMethods = map[string]method{
		"len":      {sInt, nil},
		"contains": {sBool, oneElem},
		"insert":   {sVoid, oneElem},
		"remove":   {sVoid, oneElem},
		"to_array": {sElems, nil},
	}
	bytesMethods = map[string]method{
		"len":       {sInt, nil},
		"push":      {sVoid, []param{{sByte, plainWrong}}},
		"to_string": {sString, nil},
	}
	taskMethods = map[string]method{
		"get":    {sElem, nil},
		"detach": {sVoid, nil},
		"cancel": {sVoid, nil},
	}
	senderMethods = map[string]method{
		"send":     {sVoid, sent},
		"try_send": {sVoid, sent},
		"close":    {sVoid, nil},
	}
	receiverMethods = map[string]method{
		"recv":     {sElem, nil},
		"try_recv": {sElem, nil},
	}
)

// methodsOf is the table of a type and the word for such types in messages; nil for types
// without methods.
func methodsOf(k TypeKind) (map[string]method, string) {
	switch k {
	case KString:
		return stringMethods, "string"
	case KArray:
		return arrayMethods, "array"
	case KMap:
		return mapMethods, "Map"
	case KSet:
		return setMethods, "Set"
	case KBytes:
		return bytesMethods, "bytes"
	case KTask:
		return taskMethods, "Task"
	case KSender:
		return senderMethods, "Sender"
	case KReceiver:
		return receiverMethods, "Receiver"
	}
	return nil, ""
}

// builtinMethod checks a method call on a type that is neither a class nor a trait.
func (b *body) builtinMethod(e *syntax.MethodExpr, t *Type) *Type {
	name := e.Name.Name
	table, word := methodsOf(t.Kind)
	m, ok := table[name]
	switch {
	case table == nil:
		b.errorf("P0422", e.Name.Span(), "method call on non-class type %s", t)
	case !ok:
		b.noMethod(e, t, "%s has no method '%s'", word)
	}
	if !ok {
		b.silent(e.Args)
		return b.u.Invalid
	}
	b.info.setTarget(e, BuiltinMethod(name))
	result := b.slotType(m.result, t)
	if len(e.Args) != len(m.params) {
		b.wrongCount(e, name, len(m.params), e.Args)
		return result
	}
	for i, a := range e.Args {
		to := b.slotType(m.params[i].slot, t)
		if got, ok := b.exact(a, to); !ok {
			b.errorf("P0423", a.Span(), m.params[i].wrong, name, to, got)
		}
	}
	return result
}

// slotType is what a slot means for a receiver.
func (b *body) slotType(s slot, t *Type) *Type {
	u := b.u
	switch s {
	case sInt:
		return u.Int
	case sBool:
		return u.Bool
	case sString:
		return u.String
	case sByte:
		return u.Byte
	case sBytes:
		return u.Bytes
	case sElem:
		return t.Elem
	case sKey:
		return t.Key
	case sSelf:
		return t
	case sElems:
		return u.Array(t.Elem)
	case sKeys:
		return u.Array(t.Key)
	case sStrings:
		return u.Array(u.String)
	case sMaybeInt:
		return u.Nullable(u.Int)
	case sMaybeReal:
		return u.Nullable(u.Float)
	}
	return u.Void
}
