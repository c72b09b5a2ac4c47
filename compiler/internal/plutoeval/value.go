package plutoeval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// A value is an int64, float64, bool, string or byte, nil for none, or one of these.
type (
	void   struct{}
	array  struct{ xs []any }
	buffer struct{ xs []byte }
	object struct {
		class  *check.Class
		fields map[string]any
	}
	variant struct {
		of     *check.Variant
		fields map[string]any
	}
	// table is a map, or a set, whose values are nil. Keys are found by their text.
	table   struct{ entries map[string]entry }
	entry   struct{ key, val any }
	closure struct {
		expr *syntax.ClosureExpr
		vars map[*check.Var]any
		in   *frame
	}
	raised struct {
		decl   *check.ErrorDecl
		fields map[string]any
	}
	task struct {
		v   any
		err *raised
	}
	channel struct {
		queue    []any
		capacity int
		closed   bool
	}
)

// zero is the value of a field that nobody set.
func zero(t *check.Type) any {
	switch t.Kind {
	case check.KInt:
		return int64(0)
	case check.KFloat:
		return 0.0
	case check.KBool:
		return false
	case check.KString:
		return ""
	case check.KByte:
		return byte(0)
	case check.KArray:
		return &array{}
	case check.KMap, check.KSet:
		return &table{map[string]entry{}}
	case check.KBytes:
		return &buffer{}
	case check.KNullable:
		return nil
	}
	panic(unknown("a zero value of " + t.String()))
}

// show is a value as print writes it.
func show(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case byte:
		return strconv.Itoa(int(v))
	case string:
		return v
	case float64:
		switch {
		case math.IsNaN(v):
			return "nan"
		case math.IsInf(v, 0):
			return map[bool]string{true: "inf", false: "-inf"}[v > 0]
		}
		return strconv.FormatFloat(v, 'g', 15, 64)
	}
	panic(fmt.Sprintf("show of %T", v))
}

// equal is ==.
func equal(a, b any) bool {
	x, ok := a.(*variant)
	y, also := b.(*variant)
	if !ok || !also {
		return a == b
	}
	if x.of != y.of {
		return false
	}
	for name, v := range x.fields {
		if !equal(v, y.fields[name]) {
			return false
		}
	}
	return true
}

// keyText is a text that tells keys apart.
func keyText(k any) string {
	if f, ok := k.(float64); ok && (f == 0 || f != f) {
		panic(unknown("a key with a sign, or none at all"))
	}
	v, ok := k.(*variant)
	if !ok {
		return fmt.Sprintf("%T %v", k, k)
	}
	text := v.of.Name
	for _, f := range v.of.Fields {
		text += fmt.Sprintf(" %q", keyText(v.fields[f.Name]))
	}
	return text
}

func (t *table) find(k any) (any, bool) {
	e, ok := t.entries[keyText(k)]
	return e.val, ok
}

func (t *table) insert(k, v any) { t.entries[keyText(k)] = entry{k, v} }

// sorted are the entries in the order of their keys.
func (t *table) sorted() []entry {
	var out []entry
	for _, e := range t.entries {
		out = append(out, e)
	}
	if len(out) > 1 {
		if v, ok := out[0].key.(*variant); ok && len(v.of.Fields) > 0 {
			panic(unknown("keys without an order"))
		}
	}
	slices.SortFunc(out, func(a, b entry) int { return compare(a.key, b.key) })
	return out
}

func compare(a, b any) int {
	switch a := a.(type) {
	case int64:
		return cmp.Compare(a, b.(int64))
	case float64:
		return cmp.Compare(a, b.(float64))
	case byte:
		return cmp.Compare(a, b.(byte))
	case string:
		return cmp.Compare(a, b.(string))
	case bool:
		switch {
		case a == b.(bool):
			return 0
		case a:
			return 1
		}
		return -1
	case *variant:
		return cmp.Compare(a.of.Index, b.(*variant).of.Index)
	}
	panic(fmt.Sprintf("compare of %T", a))
}

// copier copies what crosses to a task.
type copier struct {
	m    *machine
	memo map[any]any
}

func (c *copier) copy(v any) any {
	if v == nil {
		return nil
	}
	switch v := v.(type) {
	case *variant: // has no identity
		n := &variant{v.of, map[string]any{}}
		for name, x := range v.fields {
			n.fields[name] = c.copy(x)
		}
		return n
	case *array:
		if n, ok := c.memo[v]; ok {
			return n
		}
		n := &array{make([]any, len(v.xs))}
		c.memo[v] = n
		for i, x := range v.xs {
			n.xs[i] = c.copy(x)
		}
		return n
	case *buffer:
		if n, ok := c.memo[v]; ok {
			return n
		}
		n := &buffer{slices.Clone(v.xs)}
		c.memo[v] = n
		return n
	case *table:
		if n, ok := c.memo[v]; ok {
			return n
		}
		n := &table{map[string]entry{}}
		c.memo[v] = n
		for text, e := range v.entries {
			n.entries[text] = entry{c.copy(e.key), c.copy(e.val)}
		}
		return n
	case *object:
		if n, ok := c.memo[v]; ok {
			return n
		}
		if c.m.singletons[v.class] == v || c.m.p.App != nil && v.class == c.m.p.App.Class {
			return v
		}
		n := &object{v.class, map[string]any{}}
		c.memo[v] = n
		for name, x := range v.fields {
			n.fields[name] = c.copy(x)
		}
		return n
	case *closure:
		if n, ok := c.memo[v]; ok {
			return n
		}
		in := *v.in
		n := &closure{v.expr, map[*check.Var]any{}, &in}
		c.memo[v] = n
		in.self = c.copy(in.self)
		for name, x := range v.vars {
			n.vars[name] = c.copy(x)
		}
		return n
	}
	return v
}
