package syntax

import (
	"strconv"
	"strings"
)

// TypeString is a type as one writes it; "void" for nil.
func TypeString(t TypeExpr) string {
	if t == nil {
		return "void"
	}
	var w textWriter
	w.typ(t)
	return w.String()
}

// ExprString is an expression in the form that contract violations print: on one line, single
// spaces around binary operators, no parentheses, literals by their value. A closure's
// block and the like are cut short.
func ExprString(e Expr) string {
	var w textWriter
	w.expr(e)
	return w.String()
}

type textWriter struct{ strings.Builder }

func (w *textWriter) put(texts ...string) {
	for _, s := range texts {
		w.WriteString(s)
	}
}

func (w *textWriter) typ(t TypeExpr) {
	switch t := t.(type) {
	case *NamedType:
		if t.Module != nil {
			w.put(t.Module.Name, ".")
		}
		w.put(t.Name.Name)
		w.typeArgs(t.Args)
	case *ArrayType:
		w.put("[")
		w.typ(t.Elem)
		w.put("]")
	case *FuncType:
		w.put("fn(")
		list(w, t.Params, w.typ)
		w.put(")")
		if t.Result != nil {
			w.put(" ")
			w.typ(t.Result)
		}
	case *NullableType:
		w.typ(t.Elem)
		w.put("?")
	default:
		w.put("?")
	}
}

func (w *textWriter) typeArgs(args []TypeExpr) {
	if len(args) > 0 {
		w.put("<")
		list(w, args, w.typ)
		w.put(">")
	}
}

// list puts commas between items.
func list[T any](w *textWriter, items []T, item func(T)) {
	for i, x := range items {
		if i > 0 {
			w.put(", ")
		}
		item(x)
	}
}

func (w *textWriter) args(args []Expr) {
	w.put("(")
	list(w, args, w.expr)
	w.put(")")
}

// braces puts the entries of a literal between braces.
func braces[T any](w *textWriter, entries []T, entry func(T)) {
	if len(entries) == 0 {
		w.put(" {}")
		return
	}
	w.put(" { ")
	list(w, entries, entry)
	w.put(" }")
}

func (w *textWriter) expr(e Expr) {
	switch e := e.(type) {
	case *IntLit:
		w.put(strconv.FormatInt(e.Value, 10))
	case *FloatLit:
		w.put(strconv.FormatFloat(e.Value, 'f', -1, 64))
	case *BoolLit:
		w.put(strconv.FormatBool(e.Value))
	case *NoneLit:
		w.put("none")
	case *StringLit:
		w.str(e)
	case *SelfExpr:
		w.put("self")
	case *IdentExpr:
		w.put(e.Name)
	case *ParenExpr:
		w.expr(e.X)
	case *CallExpr:
		w.put(e.Name.Name)
		w.typeArgs(e.TypeArgs)
		w.args(e.Args)
	case *MethodExpr:
		w.expr(e.X)
		w.put(".", e.Name.Name)
		w.args(e.Args)
	case *StaticExpr:
		w.put(e.Trait.Name, "::", e.Name.Name)
		w.typeArgs(e.TypeArgs)
		w.args(e.Args)
	case *FieldExpr:
		w.expr(e.X)
		w.put(".", e.Name.Name)
	case *GenericExpr:
		if e.Module != nil {
			w.put(e.Module.Name, ".")
		}
		w.put(e.Name.Name)
		w.typeArgs(e.Args)
	case *IndexExpr:
		w.expr(e.X)
		w.put("[")
		w.expr(e.Index)
		w.put("]")
	case *UnaryExpr:
		w.put(e.Op.String())
		w.expr(e.X)
	case *BinaryExpr:
		w.expr(e.X)
		w.put(" ", e.Op.String(), " ")
		w.expr(e.Y)
	case *CastExpr:
		w.expr(e.X)
		w.put(" as ")
		w.typ(e.Type)
	case *RangeExpr:
		w.expr(e.Lo)
		w.put("..")
		if e.Inclusive {
			w.put("=")
		}
		w.expr(e.Hi)
	case *UnwrapExpr:
		w.expr(e.X)
		w.put("?")
	case *PropagateExpr:
		w.expr(e.X)
		w.put("!")
	default:
		w.literal(e)
	}
}

// literal puts the expressions that braces, brackets or keywords make long.
func (w *textWriter) literal(e Expr) {
	switch e := e.(type) {
	case *ArrayLit:
		w.put("[")
		list(w, e.Elems, w.expr)
		w.put("]")
	case *LitExpr:
		for i, name := range e.Path {
			if i > 0 {
				w.put(".")
			}
			w.put(name.Name)
			if i == e.ArgsAt {
				w.typeArgs(e.TypeArgs)
			}
		}
		braces(w, e.Fields, func(f *FieldInit) {
			w.put(f.Name.Name, ": ")
			w.expr(f.Value)
		})
	case *MapLit:
		w.put("Map")
		w.typeArgs([]TypeExpr{e.Key, e.Value})
		i := 0
		braces(w, e.Keys, func(key Expr) {
			w.expr(key)
			w.put(": ")
			w.expr(e.Vals[i])
			i++
		})
	case *SetLit:
		w.put("Set")
		w.typeArgs([]TypeExpr{e.Elem})
		braces(w, e.Elems, w.expr)
	case *ClosureExpr:
		w.put("(")
		list(w, e.Params, func(p *Param) {
			w.put(p.Name.Name, ": ")
			w.typ(p.Type)
		})
		w.put(") ")
		if e.Result != nil {
			w.typ(e.Result)
			w.put(" ")
		}
		w.put("=> ")
		if e.Value != nil {
			w.expr(e.Value)
		} else {
			w.put("{ ... }")
		}
	case *SpawnExpr:
		w.put("spawn ")
		w.expr(e.Call)
	case *IfExpr:
		w.put("if ")
		w.expr(e.Cond)
		w.put(" { ... } else { ... }")
	case *MatchExpr:
		w.put("match ")
		w.expr(e.X)
		w.put(" { ... }")
	case *CatchExpr:
		w.expr(e.X)
		w.put(" catch ")
		if e.Default != nil && len(e.Handlers) == 0 {
			w.expr(e.Default)
		} else {
			w.put("{ ... }")
		}
	}
}

// str puts a string literal by its value, interpolated when it has expressions.
func (w *textWriter) str(e *StringLit) {
	var b strings.Builder
	interpolated := false
	for _, part := range e.Parts {
		interpolated = interpolated || part.X != nil
	}
	for _, part := range e.Parts {
		switch {
		case part.X != nil:
			b.WriteString("{" + ExprString(part.X) + "}")
		case interpolated:
			b.WriteString(strings.NewReplacer("{", "{{", "}", "}}").Replace(part.Text))
		default:
			b.WriteString(part.Text)
		}
	}
	if interpolated {
		w.put("f")
	}
	w.put(`"`, strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(b.String()), `"`)
}
