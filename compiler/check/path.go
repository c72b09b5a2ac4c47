package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// head resolves an expression that stands before a dot when it is no value but a path: a
// module, or an enum (a generic one without its arguments too). ok is false for values; a
// path that was complained about is nil.
func (b *body) head(e syntax.Expr) (o Object, ok bool) {
	switch e := e.(type) {
	case *syntax.IdentExpr:
		o = b.name(e.Name)
	case *syntax.FieldExpr:
		x, isIdent := e.X.(*syntax.IdentExpr)
		if !isIdent {
			return nil, false
		}
		m, isModule := b.name(x.Name).(*Module)
		if !isModule {
			return nil, false
		}
		b.info.setTarget(x, m)
		en, isEnum := b.item(m, e.Name).(*Enum)
		if !isEnum {
			if !m.Missing {
				b.errorf("P0401", e.Span(), "undefined variable '%s.%s'", x.Name, e.Name.Name)
			}
			return nil, true
		}
		o = en
	case *syntax.GenericExpr:
		return b.genericHead(e), true
	}
	if o == nil {
		return nil, false
	}
	b.info.setTarget(e, o)
	return o, true
}

// name is the enum or module that a name means where no variable has it, or nil.
func (b *body) name(name string) Object {
	if _, ok := b.vars[name]; ok || b.ambient(name) != nil {
		return nil
	}
	if e, ok := b.c.lookup(b.mod, name).(*Enum); ok {
		return e
	}
	if m := b.c.imported(b.mod, name); m != nil {
		return m
	}
	return nil
}

func (b *body) field(e *syntax.FieldExpr) *Type {
	if o, ok := b.head(e.X); ok {
		switch o := o.(type) {
		case *Enum:
			return b.unitVariant(e, o)
		case *Module:
			if !o.Missing { // what modules have are functions and types, not values
				b.errorf("P0401", e.Span(), "undefined variable '%s.%s'", b.text(e.X), e.Name.Name)
			}
		}
		return b.u.Invalid
	}
	t := b.expr(e.X, nil)
	switch t.Kind {
	case KInvalid:
	case KClass:
		f := t.Class.Field(e.Name.Name)
		if f == nil {
			b.noField(t.Class, e.Name)
			return b.u.Invalid
		}
		b.info.setTarget(e, f)
		return f.Type
	case KErrorValue:
		if f := t.Err.Field(e.Name.Name); f != nil {
			b.info.setTarget(e, f)
			return f.Type
		}
		b.errorf("P0420", e.Name.Span(), "error '%s' has no field '%s'", t.Err.Name, e.Name.Name)
	case KError:
		if e.Name.Name == "message" {
			b.info.setTarget(e, BuiltinMethod("message"))
			return b.u.String
		}
		fallthrough
	default:
		b.errorf("P0419", e.Name.Span(), "field access on non-class type %s", t)
	}
	return b.u.Invalid
}

func (b *body) noField(c *Class, name *syntax.Ident) *diag.Diagnostic {
	d := b.errorf("P0420", name.Span(), "class '%s' has no field '%s'", c.Name, name.Name)
	if c.Method(name.Name) != nil {
		d.Note(nil, source.Span{}, "'%s' is a method; call it with ()", name.Name)
	} else {
		meantMember(d, c.Type, name.Name, false)
	}
	return d
}

// text is the source text of a node.
func (b *body) text(n syntax.Node) string {
	s := n.Span()
	if s.Start < 0 || s.End > int32(len(b.file.Text)) || s.Start > s.End {
		return ""
	}
	return b.file.Text[s.Start:s.End]
}
