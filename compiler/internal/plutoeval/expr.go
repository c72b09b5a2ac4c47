package plutoeval

import (
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

func (m *machine) eval(fr *frame, e syntax.Expr) any {
	m.step()
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return m.eval(fr, e.X)
	case *syntax.IntLit:
		return e.Value
	case *syntax.FloatLit:
		return e.Value
	case *syntax.BoolLit:
		return e.Value
	case *syntax.NoneLit:
		return nil
	case *syntax.StringLit:
		var b strings.Builder
		for _, p := range e.Parts {
			if p.X == nil {
				b.WriteString(p.Text)
			} else {
				b.WriteString(show(m.eval(fr, p.X)))
			}
		}
		return m.bounded(b.String())
	case *syntax.SelfExpr:
		return fr.self
	case *syntax.IdentExpr:
		switch o := fr.info.Target(e).(type) {
		case *check.Var:
			switch o.Kind {
			case check.ResultVar:
				return fr.result
			case check.SelfVar:
				return fr.self
			}
			return fr.vars[o]
		case *check.Field:
			return fr.self.(*object).fields[o.Name]
		}
	case *syntax.FieldExpr:
		return m.field(fr, e)
	case *syntax.IndexExpr:
		base, i := m.eval(fr, e.X), m.eval(fr, e.Index)
		return at(base, i)
	case *syntax.LitExpr:
		return m.literal(fr, e)
	case *syntax.ArrayLit:
		a := &array{}
		for _, x := range e.Elems {
			a.xs = append(a.xs, m.eval(fr, x))
		}
		return a
	case *syntax.MapLit:
		t := &table{map[string]entry{}}
		type pair struct{ k, v any }
		var pairs []pair
		for i := range e.Keys {
			k := m.eval(fr, e.Keys[i])
			pairs = append(pairs, pair{k, m.eval(fr, e.Vals[i])})
		}
		for _, p := range pairs {
			t.insert(p.k, p.v)
		}
		return t
	case *syntax.SetLit:
		t := &table{map[string]entry{}}
		for _, x := range e.Elems {
			t.insert(m.eval(fr, x), nil)
		}
		return t
	case *syntax.UnaryExpr:
		return unary(e.Op, m.eval(fr, e.X))
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.ANDAND:
			return m.eval(fr, e.X).(bool) && m.eval(fr, e.Y).(bool)
		case syntax.OROR:
			return m.eval(fr, e.X).(bool) || m.eval(fr, e.Y).(bool)
		}
		x, y := m.eval(fr, e.X), m.eval(fr, e.Y)
		return m.binary(e.Op, x, y)
	case *syntax.CastExpr:
		return cast(m.eval(fr, e.X), fr.info.Type(e).Kind)
	case *syntax.ClosureExpr:
		in := *fr
		return &closure{e, maps.Clone(fr.vars), &in}
	case *syntax.SpawnExpr:
		return m.spawn(fr, e)
	case *syntax.IfExpr:
		if m.eval(fr, e.Cond).(bool) {
			return m.value(fr, e.Then)
		} else if e.ElseIf != nil {
			return m.eval(fr, e.ElseIf)
		}
		return m.value(fr, e.Else)
	case *syntax.MatchExpr:
		return m.eval(fr, m.arm(fr, m.eval(fr, e.X), e.Arms).Value)
	case *syntax.UnwrapExpr:
		v := m.eval(fr, e.X)
		if v == nil {
			panic(returning{nil})
		}
		return v
	case *syntax.PropagateExpr:
		v, err := m.tryCall(fr, unparen(e.X))
		if err != nil {
			m.raise(fr, err)
		}
		return v
	case *syntax.CatchExpr:
		return m.catch(fr, e)
	case *syntax.CallExpr, *syntax.MethodExpr:
		v, err := m.tryCall(fr, e)
		if err != nil {
			panic(escape{err})
		}
		return v
	}
	panic(unknown(fmt.Sprintf("a %T", e)))
}

// bounded is a string that is not too long.
func (m *machine) bounded(s string) string {
	if len(s) > maxString {
		panic(unknown("a long string"))
	}
	return s
}

func (m *machine) field(fr *frame, e *syntax.FieldExpr) any {
	switch o := fr.info.Target(e).(type) {
	case *check.Field:
		return m.eval(fr, e.X).(*object).fields[o.Name]
	case *check.ErrorField:
		return m.eval(fr, e.X).(*raised).fields[o.Name]
	case *check.Variant:
		return &variant{of: o}
	case check.BuiltinMethod:
		err := m.eval(fr, e.X).(*raised)
		if len(err.decl.Fields) == 0 {
			return err.decl.Name
		}
		return show(err.fields[err.decl.Fields[0].Name])
	}
	panic(unknown("a field"))
}

func (m *machine) literal(fr *frame, e *syntax.LitExpr) any {
	fields := map[string]any{}
	for _, f := range e.Fields {
		fields[f.Name.Name] = m.eval(fr, f.Value)
	}
	if v, ok := fr.info.Target(e).(*check.Variant); ok {
		return &variant{v, fields}
	}
	o := &object{fr.info.Target(e).(*check.Class), fields}
	m.invariants(o)
	return o
}

// at is base[i].
func at(base, i any) any {
	switch b := base.(type) {
	case *array:
		return b.xs[inside("array", i, len(b.xs))]
	case *buffer:
		return b.xs[inside("bytes", i, len(b.xs))]
	case string:
		k := inside("string", i, len(b))
		return b[k : k+1]
	}
	v, ok := base.(*table).find(i)
	if !ok {
		fail("pluto: map key not found")
	}
	return v
}

func setAt(base, i, v any) {
	switch b := base.(type) {
	case *array:
		b.xs[inside("array", i, len(b.xs))] = v
	case *buffer:
		b.xs[inside("bytes", i, len(b.xs))] = v.(byte)
	case *table:
		b.insert(i, v)
	}
}

// inside is an index that is one.
func inside(what string, i any, n int) int {
	k := i.(int64)
	if k < 0 || k >= int64(n) {
		fail("pluto: %s index out of bounds: index %d, length %d", what, k, n)
	}
	return int(k)
}

func unary(op syntax.Kind, x any) any {
	switch x := x.(type) {
	case bool:
		return !x
	case float64:
		return -x
	}
	if op == syntax.TILDE {
		return ^x.(int64)
	}
	return -x.(int64)
}

func (m *machine) binary(op syntax.Kind, x, y any) any {
	switch op {
	case syntax.EQ:
		return equal(x, y)
	case syntax.NE:
		return !equal(x, y)
	case syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return ordered(op, x, y)
	}
	switch a := x.(type) {
	case string:
		return m.bounded(a + y.(string))
	case float64:
		return floats(op, a, y.(float64))
	}
	return ints(op, x.(int64), y.(int64))
}

func ordered(op syntax.Kind, x, y any) bool {
	if a, ok := x.(float64); ok && (math.IsNaN(a) || math.IsNaN(y.(float64))) {
		return false
	}
	c := compare(x, y)
	switch op {
	case syntax.LT:
		return c < 0
	case syntax.LE:
		return c <= 0
	case syntax.GT:
		return c > 0
	}
	return c >= 0
}

func floats(op syntax.Kind, a, b float64) float64 {
	switch op {
	case syntax.PLUS:
		return a + b
	case syntax.MINUS:
		return a - b
	case syntax.STAR:
		return a * b
	case syntax.SLASH:
		return a / b
	}
	return math.Mod(a, b)
}

func ints(op syntax.Kind, a, b int64) int64 {
	switch op {
	case syntax.PLUS:
		return a + b
	case syntax.MINUS:
		return a - b
	case syntax.STAR:
		return a * b
	case syntax.SLASH, syntax.PERCENT:
		if b == 0 {
			fail("pluto: division by zero")
		}
		if op == syntax.SLASH {
			return a / b
		}
		return a % b
	case syntax.AND:
		return a & b
	case syntax.OR:
		return a | b
	case syntax.XOR:
		return a ^ b
	case syntax.SHL:
		return a << uint(b&63)
	}
	return a >> uint(b&63)
}

func cast(x any, to check.TypeKind) any {
	switch x := x.(type) {
	case float64:
		switch {
		case math.IsNaN(x):
			return int64(0)
		case x >= math.MaxInt64:
			return int64(math.MaxInt64)
		case x <= math.MinInt64:
			return int64(math.MinInt64)
		}
		return int64(x)
	case bool:
		if x {
			return int64(1)
		}
		return int64(0)
	case byte:
		return int64(x)
	case int64:
		switch to {
		case check.KFloat:
			return float64(x)
		case check.KBool:
			return x != 0
		case check.KByte:
			return byte(x)
		}
	}
	panic("no such cast")
}
