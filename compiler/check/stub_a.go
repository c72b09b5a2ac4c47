package check

import (
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

type failedImport struct {
	mod     *Module
	binding string
}

type declared struct {
	failed map[failedImport]bool
}

type instances struct {
	funcs   []*Func
	classes []*Class
	enums   []*Enum
}

func (i *instances) init() {}

type lifecycles struct{}

func (l *lifecycles) init() {}

// declare fills modules, signatures and the injection graph, and reports what is wrong with them.
func (c *checker) declare() {
	c.contractFragments()
}

func (c *checker) checkInstances()  {}
func (c *checker) orderSingletons() {}

// resolve is the type that is written, under the type parameters of e. It reports what is
// wrong and then is the invalid type.
func (c *checker) resolve(e *env, t syntax.TypeExpr) *Type { return c.u.Invalid }

// resolveAll is resolve of each.
func (c *checker) resolveAll(e *env, ts []syntax.TypeExpr) []*Type { return nil }

// instantiateFunc is the instance of a generic function. It reports a wrong number of
// arguments, bounds that do not hold and types that cannot be; then it is nil.
func (c *checker) instantiateFunc(g *Func, args []*Type, file *source.File, at source.Span) *Func {
	return nil
}

// instantiateClass is the same for classes.
func (c *checker) instantiateClass(g *Class, args []*Type, file *source.File, at source.Span) *Class {
	return nil
}

// instantiateEnum is the same for enums.
func (c *checker) instantiateEnum(g *Enum, args []*Type, file *source.File, at source.Span) *Enum {
	return nil
}

// inferTypeArgs finds the type arguments of a call of a generic function from the types of
// its value arguments, whose number is right already. After an error it is nil; it is nil
// without a message when an argument is broken and leaves a parameter open.
func (c *checker) inferTypeArgs(g *Func, args []*Type, file *source.File, at source.Span) []*Type {
	return nil
}

// wire decides how a scope block builds what it binds. The seeds are the types of the seed
// expressions. It reports what is wrong; the second result is the type of each binding.
func (c *checker) wire(e *env, s *syntax.ScopeStmt, seeds []*Type) (*Wiring, []*Type) {
	return nil, nil
}
