package params

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FillJSON sets the defaults and then stores the members of a JSON object. It is strict:
// an unknown member, a value of another type, a missing parameter and two spellings of
// one parameter that disagree are each an [Error]. A null counts as absent, and so does
// an empty document.
func (s *Set) FillJSON(object []byte, structs ...any) error {
	s.Defaults(structs...)
	given := map[string]json.RawMessage{}
	if object = bytes.TrimSpace(object); len(object) > 0 && !bytes.Equal(object, []byte("null")) {
		if err := json.Unmarshal(object, &given); err != nil {
			return &Error{Text: "the arguments are not a JSON object"}
		}
	}
	names := make([]string, 0, len(given))
	for name, raw := range given {
		if !bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
			names = append(names, name)
		}
	}
	slices.Sort(names)

	type seen struct {
		spelling string
		value    any
	}
	done := map[*Field]seen{}
	for _, name := range names {
		f := s.Lookup(name)
		if f == nil || !f.MCP {
			return s.unknown(name)
		}
		v, err := f.decode(name, given[name])
		if err != nil {
			return err
		}
		if was, twice := done[f]; twice && !reflect.DeepEqual(was.value, v) {
			return &Error{Text: fmt.Sprintf("%s and %s are the same parameter and disagree: %s and %s",
				was.spelling, name, show(was.value), show(v))}
		}
		if err := s.store(f, v, structs); err != nil {
			return err
		}
		done[f] = seen{name, v}
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if _, ok := done[f]; f.Need && f.MCP && !ok {
			return &Error{Param: f.Name, Text: "it is missing: " + f.Help}
		}
	}
	return nil
}

func (s *Set) unknown(name string) error {
	var names []string
	for _, f := range s.Fields {
		if f.MCP {
			names = append(names, f.Name)
		}
	}
	return &Error{Text: fmt.Sprintf("no parameter %q", clip(name)), Near: Near(name, names), Choices: names}
}

// decode reads the value of a JSON member that was spelled name.
func (f *Field) decode(name string, raw json.RawMessage) (any, error) {
	var v any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		return nil, &Error{Param: name, Text: "it is not JSON"}
	}
	switch x := v.(type) {
	case string:
		switch f.Kind {
		case String:
			return x, nil
		case Strings:
			return list(x), nil
		}
	case bool:
		if f.Kind == Bool {
			return x, nil
		}
	case json.Number:
		switch f.Kind {
		case Int:
			if n, err := strconv.ParseInt(x.String(), 10, 64); err == nil {
				return n, nil
			}
			if fl, err := x.Float64(); err == nil && fl == float64(int64(fl)) { // 20.0, 2e1
				return int64(fl), nil
			}
		case Float:
			if fl, err := x.Float64(); err == nil {
				return fl, nil
			}
		}
	case []any:
		if f.Kind != Strings {
			break
		}
		out := make([]string, 0, len(x))
		for i, e := range x {
			text, ok := e.(string)
			if !ok {
				return nil, &Error{Param: fmt.Sprintf("%s[%d]", name, i), Text: "want a string, got " + show(e)}
			}
			out = append(out, list(text)...)
		}
		return out, nil
	}
	return nil, &Error{Param: name, Text: "want " + f.Kind.phrase() + ", got " + show(v)}
}

func (k Kind) phrase() string {
	switch k {
	case Bool:
		return "true or false"
	case Int:
		return "an integer"
	case Float:
		return "a number"
	case Strings:
		return "a list of strings"
	}
	return "a string"
}

// show prints a value for an error, cut when it is long.
func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%T", v)
	}
	return clip(string(b))
}

func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

// Schema returns the JSON schema of the parameters that tools offer: the part of draft
// 2020-12 that every client takes, members in the order of the fields. describe, which
// may be nil for the help of each field, says how a parameter is described and whether
// it is listed at all.
func (s *Set) Schema(describe func(*Field) (text string, listed bool)) json.RawMessage {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{`)
	var need []string
	first := true
	closed := true
	for i := range s.Fields {
		f := &s.Fields[i]
		if !f.MCP {
			continue
		}
		text, listed := f.Help, true
		if describe != nil {
			text, listed = describe(f)
		}
		if !listed {
			closed = false
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.WriteString(quote(f.Name) + ":" + f.schema(text))
		if f.Need {
			need = append(need, f.Name)
		}
	}
	b.WriteByte('}')
	if need != nil {
		b.WriteString(`,"required":` + quote(need))
	}
	if closed {
		b.WriteString(`,"additionalProperties":false`)
	}
	b.WriteByte('}')
	return json.RawMessage(b.String())
}

func (f *Field) schema(text string) string {
	var b strings.Builder
	b.WriteByte('{')
	enum := ""
	if f.Enum != nil {
		enum = `,"enum":` + quote(f.Enum)
	}
	switch f.Kind {
	case Bool:
		b.WriteString(`"type":"boolean"`)
	case Int:
		b.WriteString(`"type":"integer"`)
	case Float:
		b.WriteString(`"type":"number"`)
	case Strings:
		b.WriteString(`"type":"string"`) // a comma list, which costs less to describe; an array is taken too
	default:
		b.WriteString(`"type":"string"` + enum)
	}
	if f.Default != "" {
		if v, err := f.parse(f.Default); err == nil {
			b.WriteString(`,"default":` + quote(v))
		}
	}
	if text != "" {
		b.WriteString(`,"description":` + quote(text))
	}
	b.WriteByte('}')
	return b.String()
}

// quote encodes what cannot fail to encode, leaving < and > as they are.
func quote(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return `""`
	}
	return strings.TrimSpace(b.String())
}
