package gogen

import (
	"strconv"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// Pluto has no characters: s[i] is a string of one byte. Comparing two such strings is
// comparing their bytes.

// letter says whether an expression is a string that is known to have one byte.
func (f *fn) letter(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.IndexExpr:
		return f.info.Type(e.X).Kind == check.KString
	case *syntax.MethodExpr:
		return f.info.Target(e) == check.BuiltinMethod("char_at")
	case *syntax.StringLit:
		return len(e.Parts) == 1 && e.Parts[0].X == nil && len(e.Parts[0].Text) == 1
	case *syntax.IdentExpr:
		v, ok := f.info.Target(e).(*check.Var)
		return ok && f.letters[v]
	}
	return false
}

// noteLetter remembers a variable that is never assigned when its value is one byte.
func (f *fn) noteLetter(v *check.Var, one bool) {
	if one && !v.Assigned && v.Type.Kind == check.KString {
		f.letters[v] = true
	}
}

// code is the byte of a letter.
func (f *fn) code(e syntax.Expr) val {
	switch e := unparen(e).(type) {
	case *syntax.IndexExpr:
		return f.codeAt(e.X, e.Index)
	case *syntax.MethodExpr:
		return f.codeAt(e.X, e.Args[0])
	case *syntax.StringLit:
		c := e.Parts[0].Text[0]
		v := constant(c)
		if ' ' <= c && c <= '~' {
			v.text = strconv.QuoteRune(rune(c))
		}
		return v
	}
	v := f.expr(e)
	return val{text: v.operand(precPrimary) + "[0]", eff: v.eff}
}

func (f *fn) codeAt(s, i syntax.Expr) val {
	vs := f.operands(func() val { return f.expr(s) }, func() val { return f.expr(i) })
	return val{text: "rt.StrCode(" + args(vs) + ")", eff: effects(vs...) | reads}
}
