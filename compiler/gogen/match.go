package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// match lowers a match, statement or expression, to a switch.
func (f *fn) match(x syntax.Expr, arms []*syntax.MatchArm, d dest) {
	enum := f.info.Type(x).Enum
	subject := f.expr(x)
	if unitOnly(enum) {
		bodies := f.arms(arms, func(a *syntax.MatchArm) { f.arm(a, d) })
		f.switchOn(subject.head(), arms, bodies)
		return
	}
	v := &local{name: f.temp("v")}
	bodies := f.arms(arms, func(a *syntax.MatchArm) {
		fields := f.info.Arms[a].Fields
		for _, b := range a.Bindings {
			for _, field := range fields {
				if field.Name == b.Field.Name {
					f.bind(f.info.Defs[b.Name], v, field)
				}
			}
		}
		f.arm(a, d)
	})
	for _, a := range arms {
		for _, b := range a.Bindings {
			b := f.info.Defs[b.Name]
			v.used = v.used || b.Assigned || f.local(b).used
		}
	}
	head := val{text: subject.typed(), prec: typedPrec(subject)}.operand(precPrimary) + ".(type)"
	if v.used {
		head = v.name + " := " + head
	}
	f.switchOn(head, arms, bodies)
}

// bind declares a variable of an arm; it is gone again when nothing reads it.
func (f *fn) bind(b *check.Var, v *local, field *check.VariantField) {
	l := f.declare(b)
	star := ""
	if f.g.boxed(field.Type) {
		star = "*"
	}
	text := l.name + " := " + star + v.name + "." + f.g.named[field]
	if b.Assigned { // then the variable must be there even if nothing reads it
		f.emit(text)
		f.keep(l)
		return
	}
	f.emitIf(l, text)
}

// arms lowers the arms of a match, each apart.
func (f *fn) arms(arms []*syntax.MatchArm, lower func(*syntax.MatchArm)) []*block {
	if n := len(f.loops); n > 0 {
		f.loops[n-1].switches++
		defer func() { f.loops[n-1].switches-- }()
	}
	bodies := make([]*block, len(arms))
	for i, a := range arms {
		bodies[i] = f.apart(func() { lower(a) })
	}
	return bodies
}

func (f *fn) arm(a *syntax.MatchArm, d dest) {
	if a.Body != nil {
		f.stmts(a.Body.Stmts)
		return
	}
	defer f.on(a.Value)()
	f.exprTo(a.Value, d)
}

// switchOn writes the switch. When control leaves every arm, Go has to be told that there
// is no other way out.
func (f *fn) switchOn(head string, arms []*syntax.MatchArm, bodies []*block) {
	f.emit("switch " + head + " {")
	how := ends
	for i, a := range arms {
		v := f.info.Arms[a]
		f.g.needEnum(v.Enum)
		f.close("case " + f.g.named[v] + ":")
		f.cur.nest(bodies[i])
		how = min(how, bodies[i].flow)
	}
	if how != falls {
		f.close("default:")
		f.emit("panic(rt.Unset())")
	}
	f.close("}")
	f.cur.flow = how
}
