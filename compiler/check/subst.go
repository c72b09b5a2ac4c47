package check

import (
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// substitution puts types in the place of type parameters. What goes wrong is reported
// where the instance is wanted.
type substitution struct {
	c        *checker
	from, to []*Type
	file     *source.File
	at       source.Span
}

func (c *checker) substitution(owner syntax.Decl, params []*syntax.TypeParam, args []*Type, file *source.File, at source.Span) *substitution {
	return &substitution{c, c.paramTypes(owner, params), args, file, at}
}

// paramTypes are the type parameters of a declaration as types.
func (c *checker) paramTypes(owner syntax.Decl, params []*syntax.TypeParam) []*Type {
	out := make([]*Type, len(params))
	for i, p := range params {
		out[i] = c.u.Param(owner, p.Name.Name)
	}
	return out
}

func (s *substitution) of(t *Type) *Type {
	if !t.open {
		return t
	}
	u := s.c.u
	switch t.Kind {
	case KParam:
		for i, p := range s.from {
			if p == t && i < len(s.to) {
				return s.to[i]
			}
		}
	case KArray:
		if elem := s.of(t.Elem); !elem.broken {
			return u.Array(elem)
		}
	case KMap:
		if key, elem := s.of(t.Key), s.of(t.Elem); !key.broken && !elem.broken && s.key(key) {
			return u.Map(key, elem)
		}
	case KSet, KTask, KSender, KReceiver:
		if elem := s.of(t.Elem); !elem.broken && (t.Kind != KSet || s.key(elem)) {
			return u.Wrapped(t.Kind, elem)
		}
	case KNullable:
		elem := s.of(t.Elem)
		switch {
		case elem.broken:
		case elem.Kind == KVoid:
			s.fail(diag.VoidNullable, "void? is not allowed")
		case elem.Kind == KNullable:
			s.fail(diag.NestedNullable, "nested nullable types (T??) are not allowed")
		default:
			return u.Nullable(elem)
		}
	case KFunc:
		params, ok := s.all(t.Params)
		if result := s.of(t.Result); ok && !result.broken {
			return u.Func(params, result)
		}
	case KClass:
		if args, ok := s.all(t.Class.TypeArgs); ok {
			if cl := s.c.instantiateClass(t.Class.Generic, args, s.file, s.at); cl != nil {
				return cl.Type
			}
		}
	case KEnum:
		if args, ok := s.all(t.Enum.TypeArgs); ok {
			if e := s.c.instantiateEnum(t.Enum.Generic, args, s.file, s.at); e != nil {
				return e.Type
			}
		}
	}
	return u.Invalid
}

// fail reports a type that cannot be. What an instance needs in turn is wanted at the same
// place, and one complaint for each place is enough.
func (s *substitution) fail(code diag.Code, format string, args ...any) {
	at := place{s.file, s.at}
	if !s.c.instances.failed[at] {
		s.c.instances.failed[at] = true
		s.c.report(s.c.phase, code, s.file, s.at, format, args...)
	}
}

// key says whether a map or set may have keys of a type, as in [checker.key].
func (s *substitution) key(t *Type) bool {
	if t.Kind != KFunc {
		return true
	}
	s.fail("P0417", badKey, t)
	return false
}

func (s *substitution) all(ts []*Type) (types []*Type, ok bool) {
	types, ok = make([]*Type, len(ts)), true
	for i, t := range ts {
		types[i] = s.of(t)
		ok = ok && !types[i].broken
	}
	return types, ok
}

func (s *substitution) params(ps []*Var) []*Var {
	out := make([]*Var, len(ps))
	for i, p := range ps {
		out[i] = &Var{Name: p.Name, Type: s.of(p.Type), Decl: p.Decl, Kind: p.Kind, Mut: p.Mut}
	}
	return out
}

// mangle names an instance: Box$$int, f$$arr$int$string.
func mangle(base string, args []*Type) string {
	var b strings.Builder
	b.WriteString(base)
	b.WriteString("$$")
	for i, a := range args {
		if i > 0 {
			b.WriteByte('$')
		}
		mangleType(&b, a)
	}
	return b.String()
}

func mangleType(b *strings.Builder, t *Type) {
	parts := func(word string, ts ...*Type) {
		b.WriteString(word)
		for _, t := range ts {
			b.WriteByte('$')
			mangleType(b, t)
		}
	}
	switch t.Kind {
	case KArray:
		parts("arr", t.Elem)
	case KMap:
		parts("map", t.Key, t.Elem)
	case KSet:
		parts("set", t.Elem)
	case KNullable:
		parts("nullable", t.Elem)
	case KTask:
		parts("task", t.Elem)
	case KSender:
		parts("sender", t.Elem)
	case KReceiver:
		parts("receiver", t.Elem)
	case KFunc:
		parts("fn", t.Params...)
		parts("$ret", t.Result)
	case KTrait:
		b.WriteString(t.Trait.Name)
	default:
		b.WriteString(t.text)
	}
}
