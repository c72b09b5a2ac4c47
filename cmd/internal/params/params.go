// Package params reads an argument struct once and derives from it whatever a door
// needs: the flags and positionals of a verb, the JSON schema of a tool, the rows of
// the manual, and the filling of the struct from either side.
//
// Struct tags are described at [query.Spec]. Fields of embedded structs count as
// fields of the outer one. The supported field types are string, bool, the integers,
// float64 and []string.
package params

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Kind is the type of a parameter as a caller sees it.
type Kind uint8

// The kinds of parameters.
const (
	String Kind = iota
	Bool
	Int
	Float
	Strings // a comma list; in JSON an array will do too
)

// A Field is one parameter.
type Field struct {
	Name    string   // the parameter's and the flag's name
	Kind    Kind     //
	Pos     int      // index among the positional arguments, or -1
	Need    bool     // it must be given
	Default string   // in the form that a command line would give; empty for none
	Enum    []string // the allowed values; nil for any
	Help    string   // one phrase
	Aliases []string // old spellings
	Short   string   // one-letter flag
	CLI     bool     // the command line offers it
	MCP     bool     // the tools offer it

	part  int   // which of the structs
	index []int // the field within it
}

// A Set is the parameters of one question: those of one struct or of several taken together.
type Set struct {
	Fields []Field // positionals by position, then the others as declared

	types []reflect.Type
}

// Of reads pointers to argument structs. An error is a mistake in the tags.
func Of(structs ...any) (*Set, error) {
	s := &Set{}
	for i, v := range structs {
		t := reflect.TypeOf(v)
		if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
			return nil, fmt.Errorf("%T is not a pointer to a struct", v)
		}
		s.types = append(s.types, t.Elem())
		if err := s.read(t.Elem(), i, nil); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Elem(), err)
		}
	}
	slices.SortStableFunc(s.Fields, func(a, b Field) int {
		return cmpPos(a.Pos) - cmpPos(b.Pos)
	})
	return s, s.check()
}

func cmpPos(pos int) int {
	if pos < 0 {
		return math.MaxInt32
	}
	return pos
}

func (s *Set) read(t reflect.Type, part int, index []int) error {
	for i := range t.NumField() {
		sf := t.Field(i)
		at := append(slices.Clone(index), i)
		if sf.Anonymous && sf.Type.Kind() == reflect.Struct {
			if err := s.read(sf.Type, part, at); err != nil {
				return err
			}
			continue
		}
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if !sf.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			return fmt.Errorf("field %s has no json tag", sf.Name)
		}
		f, err := readField(name, sf)
		if err != nil {
			return fmt.Errorf("field %s: %w", sf.Name, err)
		}
		f.part, f.index = part, at
		s.Fields = append(s.Fields, f)
	}
	return nil
}

func readField(name string, sf reflect.StructField) (Field, error) {
	f := Field{
		Name:    name,
		Pos:     -1,
		Default: sf.Tag.Get("default"),
		Enum:    list(sf.Tag.Get("enum")),
		Help:    sf.Tag.Get("help"),
		Aliases: list(sf.Tag.Get("alias")),
		Short:   sf.Tag.Get("short"),
		CLI:     sf.Tag.Get("cli") != "-",
		MCP:     sf.Tag.Get("mcp") != "-",
	}
	switch sf.Type.Kind() {
	case reflect.String:
		f.Kind = String
	case reflect.Bool:
		f.Kind = Bool
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		f.Kind = Int
	case reflect.Float64:
		f.Kind = Float
	case reflect.Slice:
		if sf.Type.Elem().Kind() != reflect.String {
			return f, fmt.Errorf("%s is no type of a parameter", sf.Type)
		}
		f.Kind = Strings
	default:
		return f, fmt.Errorf("%s is no type of a parameter", sf.Type)
	}
	if pos, ok := sf.Tag.Lookup("pos"); ok {
		n, err := strconv.Atoi(strings.TrimSuffix(pos, "?"))
		if err != nil || n < 0 {
			return f, fmt.Errorf("bad pos %q", pos)
		}
		f.Pos = n
		f.Need = !strings.HasSuffix(pos, "?") && f.Default == ""
	}
	return f, nil
}

// check finds what would make the set ambiguous for a caller.
func (s *Set) check() error {
	seen := map[string]string{}
	for i, f := range s.Fields {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if other, dup := seen[name]; dup {
				return fmt.Errorf("%s and %s are both called %s", other, f.Name, name)
			}
			seen[name] = f.Name
		}
		if f.Pos >= 0 && f.Pos != i {
			return fmt.Errorf("positional %s is number %d, not %d", f.Name, i, f.Pos)
		}
		if f.Default != "" {
			if _, err := f.parse(f.Default); err != nil {
				return fmt.Errorf("default of %s: %w", f.Name, err)
			}
		}
	}
	return nil
}

// Lookup returns the field of the name or old spelling, or nil.
func (s *Set) Lookup(name string) *Field {
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Name == name || slices.Contains(f.Aliases, name) {
			return f
		}
	}
	return nil
}

// Defaults sets every field that has a default. The structs are of the types that [Of]
// was given, in the same order.
func (s *Set) Defaults(structs ...any) {
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Default != "" {
			v, err := f.parse(f.Default)
			if err == nil { // check has seen to it
				_ = s.store(f, v, structs)
			}
		}
	}
}

// Set stores the value that a command line gave for the field. A list may be given
// several times.
func (s *Set) Set(f *Field, text string, structs ...any) error {
	v, err := f.parse(text)
	if err != nil {
		return err
	}
	return s.store(f, v, structs)
}

// Get returns the field's value in the form that a command line would give.
func (s *Set) Get(f *Field, structs ...any) string {
	v := s.value(f, structs)
	if f.Kind == Strings {
		return strings.Join(v.Interface().([]string), ",")
	}
	return fmt.Sprint(v.Interface())
}

func (s *Set) value(f *Field, structs []any) reflect.Value {
	return reflect.ValueOf(structs[f.part]).Elem().FieldByIndex(f.index)
}

// parse reads the value of a command line: a string, bool, int64, float64 or []string.
func (f *Field) parse(text string) (any, error) {
	switch f.Kind {
	case Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, &Error{Param: f.Name, Text: fmt.Sprintf("want true or false, got %q", text)}
		}
		return b, nil
	case Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, &Error{Param: f.Name, Text: fmt.Sprintf("want an integer, got %q", text)}
		}
		return n, nil
	case Float:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, &Error{Param: f.Name, Text: fmt.Sprintf("want a number, got %q", text)}
		}
		return x, nil
	case Strings:
		return list(text), nil
	}
	return text, nil
}

// store checks the value against the enum and the field's range and sets it.
func (s *Set) store(f *Field, v any, structs []any) error {
	if err := f.allowed(v); err != nil {
		return err
	}
	dst := s.value(f, structs)
	switch x := v.(type) {
	case string:
		dst.SetString(x)
	case bool:
		dst.SetBool(x)
	case float64:
		dst.SetFloat(x)
	case []string:
		dst.Set(reflect.ValueOf(x).Convert(dst.Type()))
	case int64:
		switch {
		case dst.CanInt() && !dst.OverflowInt(x):
			dst.SetInt(x)
		case dst.CanUint() && x >= 0 && !dst.OverflowUint(uint64(x)):
			dst.SetUint(uint64(x))
		default:
			return &Error{Param: f.Name, Text: fmt.Sprintf("%d is out of range", x)}
		}
	}
	return nil
}

func (f *Field) allowed(v any) error {
	if f.Enum == nil {
		return nil
	}
	var values []string
	switch x := v.(type) {
	case string:
		values = []string{x}
	case []string:
		values = x
	}
	for _, x := range values {
		if x != "" && !slices.Contains(f.Enum, x) {
			return &Error{Param: f.Name, Text: fmt.Sprintf("no value %q", x), Near: Near(x, f.Enum), Choices: f.Enum}
		}
	}
	return nil
}

// list splits a comma list and drops what is empty.
func list(s string) []string {
	var out []string
	for _, part := range strings.Split(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
