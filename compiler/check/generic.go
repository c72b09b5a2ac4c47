package check

import (
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// instances are the instances of generic declarations, in the order of their discovery.
type instances struct {
	byKey   map[instanceKey]Object
	funcs   []*Func // free functions, and methods of classes
	classes []*Class
	enums   []*Enum

	ready    bool // the members of generic declarations are known
	settling bool
	pending  []filling
	checked  int // so many of funcs have been checked

	failed    map[place]bool // where types that cannot be were reported
	large     int            // instances whose types nest deeply
	exhausted bool           // there were too many; the next are refused without a word
}

// instanceKey is a generic declaration and the ids of its type arguments.
type instanceKey struct {
	generic Object
	args    string
}

// filling is an instance whose members are still to be made, and where it is first wanted.
type filling struct {
	class *Class
	enum  *Enum
	file  *source.File
	at    source.Span
}

// place is where something is written.
type place struct {
	file *source.File
	at   source.Span
}

func (i *instances) init() {
	i.byKey = map[instanceKey]Object{}
	i.failed = map[place]bool{}
}

func keyOf(g Object, args []*Type) instanceKey {
	return instanceKey{g, string(appendIDs(make([]byte, 0, 16), args))}
}

// instantiateFunc is the instance of a generic function. It reports a wrong number of
// arguments, bounds that do not hold and types that cannot be; then it is nil. A new
// instance is checked after all plain bodies.
func (c *checker) instantiateFunc(g *Func, args []*Type, file *source.File, at source.Span) *Func {
	key := keyOf(g, args)
	if o, ok := c.instances.byKey[key]; ok {
		return o.(*Func)
	}
	if !c.fitsParams("function", g.Name, g.Decl.TypeParams, g.bounds, args, file, at) {
		return nil
	}
	f := &Func{
		Name: mangle(g.Name, args), Short: g.Short, Module: g.Module, File: g.File, Decl: g.Decl,
		TypeArgs: args, Generic: g, Requires: ownClauses(g.Requires), Ensures: ownClauses(g.Ensures),
	}
	s := c.substitution(g.Decl, g.Decl.TypeParams, args, file, at)
	f.Params = s.params(g.Params)
	f.Result = s.of(g.Result)
	c.instances.byKey[key] = f
	c.instances.funcs = append(c.instances.funcs, f)
	return f
}

// instantiateClass is the same for classes. With arguments that mention type parameters it
// is only a name for the type in a generic signature, and has no members.
func (c *checker) instantiateClass(g *Class, args []*Type, file *source.File, at source.Span) *Class {
	key := keyOf(g, args)
	if o, ok := c.instances.byKey[key]; ok {
		return o.(*Class)
	}
	if !c.fitsParams("class", g.Name, g.Decl.TypeParams, g.bounds, args, file, at) {
		return nil
	}
	cl := &Class{
		Name: mangle(g.Name, args), Module: g.Module, File: g.File, Decl: g.Decl, TypeArgs: args, Generic: g,
		Impls: g.Impls, Lifecycle: g.Decl.Lifecycle,
	}
	cl.Type = c.u.ClassType(cl)
	c.instances.byKey[key] = cl
	if !cl.Type.open {
		c.instances.classes = append(c.instances.classes, cl)
		c.fill(filling{class: cl, file: file, at: at})
	}
	return cl
}

// instantiateEnum is the same for enums.
func (c *checker) instantiateEnum(g *Enum, args []*Type, file *source.File, at source.Span) *Enum {
	key := keyOf(g, args)
	if o, ok := c.instances.byKey[key]; ok {
		return o.(*Enum)
	}
	if !c.fitsParams("enum", g.Name, g.Decl.TypeParams, g.bounds, args, file, at) {
		return nil
	}
	e := &Enum{Name: mangle(g.Name, args), Module: g.Module, File: g.File, Decl: g.Decl, TypeArgs: args, Generic: g}
	e.Type = c.u.EnumType(e)
	c.instances.byKey[key] = e
	if !e.Type.open {
		c.instances.enums = append(c.instances.enums, e)
		c.fill(filling{enum: e, file: file, at: at})
	}
	return e
}

// fitsParams checks the arguments of a new instance: their number, that they satisfy the
// bounds, and that types do not grow for ever.
func (c *checker) fitsParams(kind, name string, params []*syntax.TypeParam, bounds [][]*Trait, args []*Type, file *source.File, at source.Span) bool {
	if len(params) != len(args) {
		c.report(c.phase, diag.GenericArity, file, at, "%s '%s' expects %d type arguments, got %d", kind, name, len(params), len(args))
		return false
	}
	ok := true
	for i, a := range args {
		if a.broken {
			return false
		}
		if a.open || i >= len(bounds) {
			continue // a bound of a parameter that stands for a parameter is checked when both stand for a type
		}
		for _, b := range bounds[i] {
			if a.Kind != KClass || !a.Class.Implements(b) {
				c.report(c.phase, diag.BoundNotSatisfied, file, at, "type %s does not satisfy bound '%s: %s' required by '%s'", a, params[i].Name.Name, b.Name, name)
				ok = false
			}
		}
	}
	return ok && c.bounded(name, args, file, at)
}

// Types nest as deep as somebody wrote them, and there are as many instances as somebody
// wants, unless an instance needs a larger one of itself, and that without end.
const (
	largeNesting = 10   // more than anybody writes
	maxLarge     = 500  // instances of larger types
	maxNesting   = 60   // of those
	maxTypeText  = 4096 // the length of their names
	maxInstances = 10_000
)

// bounded reports instances that need ever larger or ever more ones.
func (c *checker) bounded(name string, args []*Type, file *source.File, at source.Span) bool {
	in := &c.instances
	deepest, text := 0, 0
	for _, a := range args {
		deepest = max(deepest, int(a.nesting))
		text += len(a.text)
	}
	few := len(in.byKey) < maxInstances
	if deepest <= largeNesting && text <= maxTypeText && few {
		return true
	}
	if in.exhausted {
		return false
	}
	in.large++
	if deepest <= maxNesting && text <= maxTypeText && in.large <= maxLarge && few {
		return true
	}
	in.exhausted = true
	c.report(c.phase, diag.EndlessInstances, file, at, "instantiating '%s' never ends: it needs ever larger type arguments", name)
	return false
}

// fill makes the members of an instance, at once when those of its generic declaration are
// known. What it needs in turn is filled after it, so that recursion is no nesting.
func (c *checker) fill(f filling) {
	c.instances.pending = append(c.instances.pending, f)
	if c.instances.ready {
		c.settle()
	}
}

// settle fills the pending instances, and those that they need.
func (c *checker) settle() {
	in := &c.instances
	if in.settling {
		return
	}
	in.settling = true
	for i := 0; i < len(in.pending); i++ {
		if f := in.pending[i]; f.class != nil {
			c.fillClass(f)
		} else {
			c.fillEnum(f)
		}
	}
	if c.graph.known {
		for _, f := range in.pending {
			if f.class != nil {
				c.enroll([]*Class{f.class})
			}
		}
	}
	in.pending = in.pending[:0]
	in.settling = false
}

func (c *checker) fillEnum(at filling) {
	e, g := at.enum, at.enum.Generic
	s := c.substitution(g.Decl, g.Decl.TypeParams, e.TypeArgs, at.file, at.at)
	for _, v := range g.Variants {
		w := &Variant{Name: v.Name, Enum: e, Index: v.Index, Decl: v.Decl}
		for _, f := range v.Fields {
			w.Fields = append(w.Fields, &VariantField{Name: f.Name, Type: s.of(f.Type), Decl: f.Decl})
		}
		e.Variants = append(e.Variants, w)
	}
}

func (c *checker) fillClass(at filling) {
	cl, g := at.class, at.class.Generic
	s := c.substitution(g.Decl, g.Decl.TypeParams, cl.TypeArgs, at.file, at.at)
	for _, f := range g.Fields {
		cl.Fields = append(cl.Fields, &Field{Name: f.Name, Type: s.of(f.Type), Class: cl, Injected: f.Injected, Ambient: f.Ambient, Decl: f.Decl})
	}
	for _, m := range g.Methods {
		f := &Func{
			Name: cl.Name + "$" + m.Short, Short: m.Short, Module: g.Module, File: g.File, Decl: m.Decl, Class: cl,
			Generic: m, Params: s.params(m.Params), Result: s.of(m.Result),
			Requires: ownClauses(m.Requires), Ensures: ownClauses(m.Ensures),
		}
		f.Self = selfOf(m.Decl, cl.Type)
		cl.Methods = append(cl.Methods, f)
	}
	for _, ct := range g.Invariants {
		cl.Invariants = append(cl.Invariants, Contract{Clause: ct.Clause, File: ct.File})
	}
	c.conform(cl)
	c.instances.funcs = append(c.instances.funcs, cl.Methods...)
	c.dependencies(cl, "class")
}

// ownClauses are clauses to be checked again for another function, without those of traits.
func ownClauses(cts []Contract) []Contract {
	var out []Contract
	for _, ct := range cts {
		if ct.Params == nil {
			out = append(out, Contract{Clause: ct.Clause, File: ct.File})
		}
	}
	return out
}

// checkInstances checks the bodies of instances, and of those that this discovers.
func (c *checker) checkInstances() {
	classes := 0
	in := &c.instances
	for in.checked < len(in.funcs) || classes < len(in.classes) {
		if in.checked < len(in.funcs) {
			f := in.funcs[in.checked]
			in.checked++
			c.checkFunc(f)
			continue
		}
		cl := in.classes[classes]
		classes++
		c.checkInvariants([]*Class{cl})
	}
}

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

// inferTypeArgs finds the type arguments of a call of a generic function from the types of
// its value arguments, of which there are as many as parameters; an argument whose type is
// nil or invalid says nothing. After an error it is nil, and without one when an invalid
// argument leaves a parameter open.
func (c *checker) inferTypeArgs(g *Func, args []*Type, file *source.File, at source.Span) []*Type {
	n := inference{c: c, params: c.paramTypes(g.Decl, g.Decl.TypeParams)}
	n.found = make([]*Type, len(n.params))
	silent := false
	for i, a := range args {
		if i >= len(g.Params) {
			break
		}
		if a != nil && a.broken {
			silent = true
		}
		if a == nil || a.broken {
			continue
		}
		p := g.Params[i].Type
		if !n.unify(p, a) {
			want := (&substitution{c, n.params, n.known(), file, at}).of(p)
			c.report(c.phase, diag.CannotInferParams, file, at, "cannot infer type parameters for '%s': argument %d of '%s': expected %s, found %s", g.Name, i+1, g.Name, want, a)
			return nil
		}
	}
	for i, t := range n.found {
		switch {
		case t == nil && silent:
			return nil
		case t == nil && n.none, t != nil && unresolved(t):
			c.report(c.phase, diag.VoidNullable, file, at, "void? is not allowed").
				Note(nil, source.Span{}, "'%s' cannot be inferred from none; give the argument a type first, or write the type arguments", n.params[i].Name)
			return nil
		case t == nil:
			c.report(c.phase, diag.CannotInferParams, file, at, "cannot infer type parameter '%s' for '%s'", n.params[i].Name, g.Name).
				Note(nil, source.Span{}, "write the type arguments: %s<...>(...)", g.Name)
			return nil
		}
	}
	return n.found
}

// inference is what a call says about the type parameters of its function.
type inference struct {
	c      *checker
	params []*Type
	found  []*Type // parallel; nil while unknown
	none   bool    // some `none` stood where a nullable of a parameter is wanted
}

// known is what was found, and the parameters themselves for the rest.
func (n *inference) known() []*Type {
	out := make([]*Type, len(n.found))
	for i, t := range n.found {
		if out[i] = t; t == nil {
			out[i] = n.params[i]
		}
	}
	return out
}

// unify lets an argument of type a say what the parameters in p are; false means that it
// cannot fit. Inside user-defined generic types it does not look.
func (n *inference) unify(p, a *Type) bool {
	if !p.open {
		return n.c.assignable(a, p)
	}
	switch p.Kind {
	case KParam:
		for i, q := range n.params {
			if q == p {
				if n.found[i] == nil {
					n.found[i] = a
				}
				return n.found[i] == a
			}
		}
		return false
	case KNullable:
		switch {
		case a == n.c.u.None:
			n.none = true
			return true
		case a.Kind == KNullable:
			return n.unify(p.Elem, a.Elem)
		}
		return n.unify(p.Elem, a)
	case KClass, KEnum:
		return a.Kind == p.Kind
	case KFunc:
		if a.Kind != KFunc || len(a.Params) != len(p.Params) {
			return false
		}
		for i, q := range p.Params {
			if !n.unify(q, a.Params[i]) {
				return false
			}
		}
		return n.unify(p.Result, a.Result)
	}
	if a.Kind != p.Kind || p.Key != nil && !n.unify(p.Key, a.Key) {
		return false
	}
	return n.unify(p.Elem, a.Elem)
}

// typeParams checks the type parameters of a declaration and finds their bounds. kind and
// name say whose they are.
func (c *checker) typeParams(m *Module, file *source.File, kind, name string, params []*syntax.TypeParam) [][]*Trait {
	if len(params) == 0 {
		return nil
	}
	bounds := make([][]*Trait, len(params))
	for i, p := range params {
		at := p.Name.Span()
		for _, q := range params[:i] {
			if q.Name.Name == p.Name.Name {
				c.report(diag.PhaseDecls, diag.TypeParamDeclared, file, at, "type parameter '%s' is already declared in %s '%s'", p.Name.Name, kind, name)
				break
			}
		}
		if _, ok := m.Scope[p.Name.Name].(*Class); ok {
			c.report(diag.PhaseDecls, diag.TypeParamShadows, file, at, "type parameter '%s' in %s '%s' shadows class '%s'", p.Name.Name, kind, name, p.Name.Name)
		}
		for _, b := range p.Bounds {
			if t, ok := c.lookup(m, b.Name).(*Trait); ok {
				bounds[i] = append(bounds[i], t)
			} else {
				c.report(diag.PhaseDecls, diag.UnknownBound, file, b.Span(), "unknown trait '%s' in type bound for '%s'", b.Name, p.Name.Name)
			}
		}
	}
	return bounds
}
