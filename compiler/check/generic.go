package check

import (
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
	if !cl.Type.open || c.asWritten {
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
	if !e.Type.open || c.asWritten {
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
	if c.asWritten {
		c.inherit(cl)
		return
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
