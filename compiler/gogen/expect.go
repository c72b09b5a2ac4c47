package gogen

import (
	"strconv"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// expectation is expect(x).matcher(...), when a method call is that.
func (f *fn) expectation(e *syntax.MethodExpr) (calling, bool) {
	subject, ok := e.X.(*syntax.CallExpr)
	if !ok || f.info.Target(subject) != check.Builtin("expect") {
		return calling{}, false
	}
	var c calling
	c.addArgs(f, subject.Args, nil)
	c.addArgs(f, e.Args, nil)
	matcher := map[string]string{
		"to_be_true": "True", "to_be_false": "False", "to_equal": kindWord(c.types[0]),
	}[e.Name.Name]
	at := strconv.Itoa(int(f.lineOf(e)))
	c.build = func(vs []val) call {
		return call{text: "rt.Expect" + matcher + "(" + at + ", " + args(vs) + ")", eff: acts, typ: f.info.Type(e)}
	}
	return c, true
}
