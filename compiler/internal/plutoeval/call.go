package plutoeval

import (
	"math"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// prepared is a call whose receiver and arguments are evaluated.
type prepared struct {
	fun  any // *check.Func, *check.TraitMethod, check.Builtin, check.BuiltinMethod or nil for a closure
	self any // the receiver, or the closure
	args []any
}

// tryCall runs a call; an error that it raises is the second result.
func (m *machine) tryCall(fr *frame, e syntax.Expr) (any, *raised) {
	if c, ok := e.(*syntax.CallExpr); ok && fr.info.Target(c) == check.Builtin("old") {
		return fr.olds[c], nil
	}
	return m.run(m.prepare(fr, e))
}

// prepare evaluates the receiver and the arguments, from left to right.
func (m *machine) prepare(fr *frame, e syntax.Expr) prepared {
	var p prepared
	var args []syntax.Expr
	switch e := e.(type) {
	case *syntax.CallExpr:
		args = e.Args
		switch o := fr.info.Target(e).(type) {
		case *check.Var:
			p.self = fr.vars[o]
		default:
			p.fun = o
		}
	case *syntax.MethodExpr:
		args = e.Args
		p.fun = fr.info.Target(e)
		if f, ok := p.fun.(*check.Func); !ok || f.Class != nil || f.App != nil {
			p.self = m.eval(fr, e.X)
		}
	default:
		panic(unknown("a call"))
	}
	for _, a := range args {
		p.args = append(p.args, m.eval(fr, a))
	}
	return p
}

func (m *machine) run(p prepared) (any, *raised) {
	switch f := p.fun.(type) {
	case *check.Func:
		v, err := m.call(f, p.self, p.args)
		if o, ok := p.self.(*object); ok && f.Class != nil && f.Decl.Self == syntax.MutSelf {
			m.invariants(o)
		}
		return v, err
	case *check.TraitMethod:
		o := p.self.(*object)
		return m.call(o.class.Method(f.Name), o, p.args)
	case check.Builtin:
		return m.builtin(string(f), p.args)
	case check.BuiltinMethod:
		return m.method(string(f), p.self, p.args)
	}
	return m.callClosure(p.self.(*closure), p.args), nil
}

// spawn runs a call on copies, at once.
func (m *machine) spawn(fr *frame, e *syntax.SpawnExpr) any {
	p := m.prepare(fr, unparen(e.Call))
	c := &copier{m, map[any]any{}}
	p.self = c.copy(p.self)
	for i, a := range p.args {
		p.args[i] = c.copy(a)
	}
	m.tasks++
	v, err := m.run(p)
	m.tasks--
	return &task{v, err}
}

// catch is call catch ...
func (m *machine) catch(fr *frame, e *syntax.CatchExpr) any {
	v, err := m.tryCall(fr, unparen(e.X))
	if err == nil {
		return v
	}
	for _, h := range e.Handlers {
		if h.Type == nil || fr.info.Errs[h] == err.decl {
			fr.vars[fr.info.Defs[h.Name]] = err
			return m.value(fr, h.Body)
		}
	}
	if e.Default != nil {
		return m.eval(fr, e.Default)
	}
	panic(escape{err})
}

// predeclared is an error that the runtime raises.
func (m *machine) predeclared(name, message string) *raised {
	for _, mod := range m.p.Modules {
		if e := mod.Errs[name]; mod.Src == nil && e != nil {
			return &raised{e, map[string]any{"message": message}}
		}
	}
	panic(unknown("the error " + name))
}

func (m *machine) builtin(name string, args []any) (any, *raised) {
	switch name {
	case "print":
		m.out = append(append(m.out, show(args[0])...), '\n')
		return void{}, nil
	case "bytes_new":
		return &buffer{}, nil
	case "abs":
		if x, ok := args[0].(int64); ok {
			return max(x, -x), nil
		}
		return math.Abs(args[0].(float64)), nil
	case "min", "max":
		return minMax(name == "min", args[0], args[1]), nil
	case "pow":
		return m.pow(args[0], args[1])
	}
	f, ok := map[string]func(float64) float64{
		"sqrt": math.Sqrt, "floor": math.Floor, "ceil": math.Ceil, "round": math.Round,
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "log": math.Log,
	}[name]
	if !ok {
		panic(unknown("the function " + name))
	}
	return f(args[0].(float64)), nil
}

func minMax(least bool, a, b any) any {
	if x, ok := a.(int64); ok {
		if y := b.(int64); least == (x < y) {
			return x
		}
		return b
	}
	x, y := a.(float64), b.(float64)
	if least {
		return math.Min(x, y)
	}
	return math.Max(x, y)
}

func (m *machine) pow(a, b any) (any, *raised) {
	if x, ok := a.(float64); ok {
		return math.Pow(x, b.(float64)), nil
	}
	x, n := a.(int64), b.(int64)
	if n < 0 {
		return nil, m.predeclared("MathError", "negative exponent in integer pow")
	}
	r := int64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r, nil
}
