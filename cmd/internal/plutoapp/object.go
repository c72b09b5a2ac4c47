package plutoapp

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object is a JSON object whose members are in the order in which they were put, some of
// them only for one dialect.
type object struct {
	d    Dialect
	keys []string
	vals []any
}

func (c *Call) object() *object { return &object{d: c.dialect} }

// put adds a member for both dialects.
func (o *object) put(key string, v any) *object {
	o.keys, o.vals = append(o.keys, key), append(o.vals, v)
	return o
}

// in adds a member for one dialect.
func (o *object) in(d Dialect, key string, v any) *object {
	if o.d&d != 0 {
		o.put(key, v)
	}
	return o
}

// named adds a member that has a name of its own in each dialect.
func (o *object) named(key000, key001 string, v any) *object {
	return o.in(D000, key000, v).in(D001, key001, v)
}

// MarshalJSON writes the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, key := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := compact(o.vals[i])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", key, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// compact is a value as JSON on one line, with < and > as they are.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("writing the answer: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// each makes an array of what f makes of the elements; it is never null.
func each[T any](list []T, f func(T) any) []any {
	out := make([]any, 0, len(list))
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}
