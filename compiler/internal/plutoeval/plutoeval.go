// Package plutoeval runs checked Pluto programs by walking their trees. It is slow and plain,
// and shares nothing with the compiler's back end, so that tests can compare the two.
//
// Tasks run to their end where they are spawned, on copies, and what they send is kept. So
// it knows what a program does only when that does not depend on who runs first.
package plutoeval

import (
	"fmt"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// Result is what a program does.
type Result struct {
	Stdout string
	Stderr string // the first line of it, without the fields of an error
	Code   int
	// Unknown says why the evaluator cannot tell: the program runs for too long, depends on
	// who runs first, or uses what is not evaluated here. The other fields mean nothing then.
	Unknown string
}

// The bounds of an evaluation.
const (
	maxSteps  = 400_000
	maxDepth  = 400
	maxString = 1 << 14
)

// Run runs a program without errors.
func Run(p *check.Program) (r Result) {
	m := &machine{p: p, singletons: map[*check.Class]*object{}}
	defer func() {
		switch sig := recover().(type) {
		case nil:
		case failure:
			r.Stderr, r.Code = string(sig), 1
			if m.tasks > 0 {
				r.Unknown = "a task fails"
			}
		case escape:
			r.Stderr, r.Code = "error: uncaught "+sig.err.decl.Name, 1
			if m.tasks > 0 {
				r.Unknown = "an error leaves a task"
			}
		case unknown:
			r.Unknown = string(sig)
		default:
			panic(sig)
		}
		r.Stdout = string(m.out)
	}()
	var v any
	var err *raised
	switch {
	case p.App != nil:
		for _, c := range p.DI.Singletons {
			m.singletons[c] = m.build(c, nil)
		}
		v, err = m.call(p.App.Main, m.build(p.App.Class, nil), nil)
	case p.Main != nil:
		v, err = m.call(p.Main, nil, nil)
	default:
		panic(unknown("nothing to start with"))
	}
	if err != nil {
		panic(escape{err})
	}
	if code, ok := v.(int64); ok {
		r.Code = int(code & 0xFF)
	}
	return r
}

type machine struct {
	p          *check.Program
	out        []byte
	steps      int
	depth      int
	tasks      int // how deep in tasks
	singletons map[*check.Class]*object
}

// What leaves several levels of the walk at once travels as a panic.
type (
	breaking   struct{}
	continuing struct{}
	returning  struct{ v any }
	raising    struct { // an error on its way out of a function
		err  *raised
		from *frame
	}
	escape  struct{ err *raised } // an error that nobody can catch any more
	failure string                // a failure at run time
	unknown string                // why there is no telling
)

// frame is one call of a function, or of a closure.
type frame struct {
	info   *check.Info
	vars   map[*check.Var]any
	self   any
	named  *frame // the call of the function that a closure is written in; itself for functions
	done   bool
	result any // for ensures clauses
	olds   map[*syntax.CallExpr]any
}

func (m *machine) step() {
	if m.steps++; m.steps > maxSteps {
		panic(unknown("it runs for too long"))
	}
}

// enter bounds the depth of calls.
func (m *machine) enter() func() {
	if m.depth++; m.depth > maxDepth {
		panic(unknown("it calls too deep"))
	}
	return func() { m.depth-- }
}

// call runs a function. An error that it raises is the second result.
func (m *machine) call(f *check.Func, self any, args []any) (v any, err *raised) {
	if f.Decl == nil || f.Decl.Body == nil {
		panic(unknown("an extern"))
	}
	defer m.enter()()
	fr := &frame{info: f.Info, vars: map[*check.Var]any{}, self: self}
	fr.named = fr
	for i, p := range f.Params {
		fr.vars[p] = args[i]
	}
	for _, c := range f.Requires {
		m.clause(fr, c, args, "requires violation in "+f.Name)
	}
	m.keepOlds(fr, f, args)
	err = m.caught(fr, func() { v = m.body(fr, func() { m.block(fr, f.Decl.Body) }) })
	if err == nil {
		fr.result = v
		for i, p := range f.Params {
			fr.vars[p] = args[i]
		}
		for _, c := range f.Ensures {
			m.clause(fr, c, args, "ensures violation in "+f.Name)
		}
	}
	fr.done = true
	return v, err
}

// caught runs something and catches the error that leaves a frame.
func (m *machine) caught(fr *frame, run func()) (err *raised) {
	depth := m.depth
	defer func() {
		if sig := recover(); sig != nil {
			r, ok := sig.(raising)
			if !ok || r.from != fr {
				panic(sig)
			}
			m.depth = depth
			err = r.err
		}
	}()
	run()
	return nil
}

// body runs something and gives what it returns.
func (m *machine) body(fr *frame, run func()) (v any) {
	depth := m.depth
	defer func() {
		if sig := recover(); sig != nil {
			r, ok := sig.(returning)
			if !ok {
				panic(sig)
			}
			m.depth = depth
			v = r.v
		}
	}()
	run()
	return nil
}

// raise leaves the function around with an error.
func (m *machine) raise(fr *frame, err *raised) {
	if fr.named.done {
		panic(escape{err})
	}
	panic(raising{err, fr.named})
}

// callClosure runs a closure.
func (m *machine) callClosure(c *closure, args []any) any {
	defer m.enter()()
	fr := &frame{info: c.in.info, vars: map[*check.Var]any{}, self: c.in.self, named: c.in.named}
	for v, x := range c.vars {
		fr.vars[v] = x
	}
	for i, p := range c.expr.Params {
		fr.vars[fr.info.Defs[p.Name]] = args[i]
	}
	if c.expr.Body == nil {
		return m.body(fr, func() { panic(returning{m.eval(fr, c.expr.Value)}) })
	}
	return m.body(fr, func() {
		m.block(fr, c.expr.Body)
		if t := fr.info.Type(c.expr); t.Result.Kind != check.KVoid { // nobody checks the ends of closures
			fail("pluto: unreachable")
		}
	})
}

// clause checks a clause of a contract.
func (m *machine) clause(fr *frame, c check.Contract, args []any, violation string) {
	if holds := m.eval(m.inClause(fr, c, args), c.Clause.Cond).(bool); !holds {
		panic(failure(violation + ": " + syntax.ExprString(c.Clause.Cond)))
	}
}

// inClause is a frame in which the names of a clause mean something.
func (m *machine) inClause(fr *frame, c check.Contract, args []any) *frame {
	in := *fr
	in.info = c.Info
	for i, p := range c.Params {
		in.vars[p] = args[i]
	}
	return &in
}

// keepOlds evaluates what ensures clauses say about the state on entry.
func (m *machine) keepOlds(fr *frame, f *check.Func, args []any) {
	for _, c := range f.Ensures {
		syntax.Walk(c.Clause.Cond, func(n syntax.Node) bool {
			call, ok := n.(*syntax.CallExpr)
			if !ok || c.Info.Target(call) != check.Builtin("old") {
				return true
			}
			if fr.olds == nil {
				fr.olds = map[*syntax.CallExpr]any{}
			}
			fr.olds[call] = m.eval(m.inClause(fr, c, args), call.Args[0])
			return false
		})
	}
}

// invariants checks the invariants of an object.
func (m *machine) invariants(o *object) {
	for _, c := range o.class.Invariants {
		fr := &frame{info: c.Info, vars: map[*check.Var]any{}, self: o}
		fr.named = fr
		m.clause(fr, c, nil, "invariant violation on "+o.class.Name)
	}
}

// build makes an object as the container does.
func (m *machine) build(c *check.Class, have map[*check.Class]*object) *object {
	o := &object{class: c, fields: map[string]any{}}
	for _, f := range c.Fields {
		switch {
		case !f.Injected:
			o.fields[f.Name] = zero(f.Type)
		case have[f.Type.Class] != nil:
			o.fields[f.Name] = have[f.Type.Class]
		default:
			o.fields[f.Name] = m.singletons[f.Type.Class]
		}
	}
	return o
}

func fail(format string, args ...any) any { panic(failure(fmt.Sprintf(format, args...))) }
