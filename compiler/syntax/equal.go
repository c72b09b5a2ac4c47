package syntax

import (
	"reflect"

	"github.com/settgraph/sett/compiler/source"
)

// Equal says whether two trees are the same up to spans and ids; of files only the
// declarations count.
func Equal(a, b Node) bool { return equal(reflect.ValueOf(a), reflect.ValueOf(b)) }

// Types whose values say where something is, or of which text it was made, not what it is.
func placeOnly(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[source.Span](), reflect.TypeFor[base](), reflect.TypeFor[ebase](),
		reflect.TypeFor[*source.File](), reflect.TypeFor[[]Token]():
		return true
	}
	return false
}

func equal(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	if !a.IsValid() || placeOnly(a.Type()) {
		return true
	}
	switch a.Kind() {
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equal(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}
