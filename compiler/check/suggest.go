package check

import (
	"maps"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

// suggestion is the search for the name that somebody meant.
type suggestion struct {
	wrong string
	best  string
	far   int
}

// meant starts a search. Names that are further than a third of their length are no slips.
func meant(wrong string) *suggestion { return &suggestion{wrong: wrong, far: 1 + len(wrong)/3} }

// try looks at a name that exists.
func (s *suggestion) try(name string) {
	if name == s.wrong {
		return
	}
	if d := slips(s.wrong, name, s.far); d < s.far || d == s.far && s.best != "" && name < s.best {
		s.best, s.far = name, d
	}
}

// note adds what was found to a diagnostic.
func (s *suggestion) note(d *diag.Diagnostic) {
	if s.best != "" {
		d.Note(nil, source.Span{}, "did you mean '%s'?", s.best)
	}
}

// slips counts the letters to insert, drop or exchange to make b of a; above limit it may
// say limit+1.
func slips(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// meantVariable looks for a variable that is visible.
func (b *body) meantVariable(d *diag.Diagnostic, wrong string) {
	s := meant(wrong)
	for name := range maps.Keys(b.vars) {
		s.try(name)
	}
	s.note(d)
}

// meantFunction looks for a function, a built-in one too, or a variable with a closure.
func (b *body) meantFunction(d *diag.Diagnostic, wrong string) {
	s := meant(wrong)
	b.c.eachFunc(b.mod, s.try)
	for name := range builtinFuncs {
		s.try(name)
	}
	for name, l := range b.vars {
		if l.v.Type.Kind == KFunc {
			s.try(name)
		}
	}
	s.note(d)
}

// eachFunc calls f with the name of every function of a module.
func (c *checker) eachFunc(m *Module, f func(string)) {
	for name, o := range m.Scope {
		if _, ok := o.(*Func); ok {
			f(name)
		}
	}
}

// meantMember looks for a field or a method of a type.
func meantMember(d *diag.Diagnostic, t *Type, wrong string, methods bool) {
	s := meant(wrong)
	table, _ := methodsOf(t.Kind)
	switch {
	case t.Kind == KClass && methods:
		for _, m := range t.Class.Methods {
			s.try(m.Short)
		}
	case t.Kind == KClass:
		for _, f := range t.Class.Fields {
			s.try(f.Name)
		}
	case t.Kind == KTrait && methods:
		for _, m := range t.Trait.Methods {
			s.try(m.Name)
		}
	case t.Kind == KEnum:
		for _, v := range t.Enum.Variants {
			s.try(v.Name)
		}
	case methods:
		for name := range table {
			s.try(name)
		}
	}
	s.note(d)
}
