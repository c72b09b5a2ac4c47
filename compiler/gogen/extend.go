package gogen

import (
	"slices"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// extended sees a string that becomes itself and more: s = s + a + b, s = f"{s}{a}". It
// gives what lowers the rest, which is appended then: strings grow in place (rt.Extend).
func (f *fn) extended(s *syntax.AssignStmt) (func() val, bool) {
	target, _, ok := f.placeOf(s.Target)
	if !ok || f.info.Type(s.Target).Kind != check.KString {
		return nil, false
	}
	var rest []syntax.Expr
	first := unparen(s.Value)
	for {
		b, ok := first.(*syntax.BinaryExpr)
		if !ok || b.Op != syntax.PLUS {
			break
		}
		rest = append(rest, b.Y)
		first = b.X
	}
	slices.Reverse(rest)
	if lit, ok := first.(*syntax.StringLit); ok && len(lit.Parts) > 1 && lit.Parts[0].X != nil {
		after := *lit
		after.Parts = lit.Parts[1:]
		rest = slices.Insert(rest, 0, syntax.Expr(&after))
		first = lit.Parts[0].X
	}
	if at, _, ok := f.placeOf(first); !ok || at != target || len(rest) == 0 {
		return nil, false
	}
	return func() val { return f.joined(rest, f.info.Type(s.Target)) }, true
}

// joined is strings one after the other.
func (f *fn) joined(parts []syntax.Expr, text *check.Type) val {
	lower := make([]func() val, len(parts))
	for i, p := range parts {
		lower[i] = func() val { return f.expr(p) }
	}
	vs := f.operands(lower...)
	out := vs[0]
	for _, v := range vs[1:] {
		out = f.binary(syntax.PLUS, out, v, text)
	}
	return out
}

// extend appends to the string at a place.
func (f *fn) extend(place string, more val) {
	f.emit(place + " = rt.Extend(" + place + ", " + more.text + ")")
}

// grows says whether an operation appends to a string.
func grows(op syntax.Kind, t *check.Type) bool { return op == syntax.PLUS && t.Kind == check.KString }
