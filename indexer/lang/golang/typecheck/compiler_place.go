package typecheck

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// compilerPlace is where the compiler puts an error that go/types has at pos: the two
// disagree about which part of an expression stands for it.
func (e *errs) compilerPlace(pos token.Pos, code, msg string) place {
	has := func(part string) bool { return strings.Contains(msg, part) }
	switch {
	case code == "WrongArgCount" && (has("not enough arguments in call") || has("not enough arguments for") || has("missing argument in conversion")):
		if call, ok := find(e, pos, func(n *ast.CallExpr) bool { return n.Rparen == pos }); ok {
			if n := len(call.Args); n > 0 && has("in call") {
				return e.place(call.Args[n-1].Pos())
			}
			return e.place(call.Pos())
		}
	case has("cannot use ... in call to non-variadic") || has("cannot use ... with"):
		if call, ok := find(e, pos, func(n *ast.CallExpr) bool { return n.Ellipsis == pos }); ok {
			return e.place(call.Pos())
		}
	case has("implicit function instantiation requires"):
		if call, ok := find(e, pos, func(n *ast.CallExpr) bool { return n.Lparen == pos }); ok {
			return e.place(call.Pos())
		}
	case code == "InvalidSend":
		if send, ok := find(e, pos, func(n *ast.SendStmt) bool { return n.Arrow == pos }); ok {
			return e.place(send.Pos())
		}
	case code == "CannotInferTypeArgs" || code == "InvalidTypeArg":
		if call, ok := find(e, pos, func(n *ast.CallExpr) bool { return n.Fun.Pos() == pos || n.Rparen == pos }); ok {
			return e.place(call.Lparen)
		}
	case code == "NonIndexableOperand" || code == "NonSliceableOperand":
		if x, ok := find(e, pos, func(n *ast.IndexExpr) bool { return n.X.Pos() == pos }); ok && has("cannot index") {
			return e.place(x.Lbrack)
		}
	case has("method has multiple receivers"):
		if fn, ok := find(e, pos, func(n *ast.FuncDecl) bool { return n.Recv != nil && n.Recv.Pos() <= pos && pos <= n.Recv.End() }); ok {
			return e.place(fn.Name.Pos())
		}
	}
	return e.place(pos)
}

// find returns the innermost node of a type around a position that is as wanted.
func find[N ast.Node](e *errs, pos token.Pos, wanted func(N) bool) (best N, ok bool) {
	for _, f := range e.trees {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos > n.End() {
				return false
			}
			if x, is := n.(N); is && wanted(x) {
				best, ok = x, true
			}
			return true
		})
	}
	return best, ok
}

var literal = regexp.MustCompile(`\((func\(.*?) literal\)`)

// literals writes function literals as the compiler does.
func (e *errs) literals(pos token.Pos, msg string) string {
	if !strings.Contains(msg, " literal)") {
		return msg
	}
	body := "{…}"
	fn, _ := find(e, pos, func(n *ast.FuncLit) bool { return n.Pos() == pos })
	if loop, ok := find(e, pos, func(n *ast.RangeStmt) bool { return pos < n.Body.Pos() }); ok && fn == nil {
		fn, _ = loop.X.(*ast.FuncLit)
	}
	if fn != nil && len(fn.Body.List) == 0 {
		body = "{}"
	}
	return literal.ReplaceAllString(msg, "$1 "+body)
}

// notExported says of a name that is not exported what the compiler says, which does not
// see such names at all.
func (e *errs) notExported(pos token.Pos, msg string) string {
	if !strings.HasPrefix(msg, "name ") || !strings.Contains(msg, " not exported by package ") {
		return msg
	}
	sel, ok := find(e, pos, func(n *ast.SelectorExpr) bool { return n.Sel.Pos() == pos })
	if !ok {
		return msg
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok {
		return msg
	}
	for _, f := range e.trees {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		for _, imp := range f.Imports {
			d := e.p.deps[strings.Trim(imp.Path.Value, "\"`")]
			if d.pkg == nil {
				continue
			}
			name := d.pkg.name
			if imp.Name != nil {
				name = imp.Name.Name
			}
			if name == x.Name {
				return "undefined: " + x.Name + "." + sel.Sel.Name
			}
		}
	}
	return msg
}
