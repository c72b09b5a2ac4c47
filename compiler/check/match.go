package check

import (
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// scrutinee checks what is matched and finds its enum; nil when it is none.
func (b *body) scrutinee(x syntax.Expr) *Enum {
	t := b.settled(x)
	if t.Kind == KEnum {
		return t.Enum
	}
	if !bad(t) {
		b.errorf("P0515", x.Span(), "match requires enum type, found %s", t)
	}
	return nil
}

func (b *body) matchStmt(s *syntax.MatchStmt) {
	b.arms(s, b.scrutinee(s.X), s.Arms, "unknown", func(a *syntax.MatchArm) {
		if a.Body != nil {
			b.block(a.Body)
		}
	})
}

func (b *body) matchExpr(e *syntax.MatchExpr, want *Type) *Type {
	var result *Type
	b.arms(e, b.scrutinee(e.X), e.Arms, "undefined", func(a *syntax.MatchArm) {
		if a.Value == nil {
			return
		}
		if result == nil {
			result = b.expr(a.Value, want)
			return
		}
		if bad(result) {
			result = b.expr(a.Value, want)
			return
		}
		if t, ok := b.fit(a.Value, result); !ok {
			b.errorf("P0438", a.Value.Span(), "match arms have incompatible types: expected %s, found %s", result, t)
		}
	})
	if result == nil {
		return b.u.Invalid
	}
	return result
}

// arms checks the patterns of a match over an enum (nil when the scrutinee is none) and,
// with their bindings declared, what each does. missing is the word for an enum that does
// not exist.
func (b *body) arms(at syntax.Node, en *Enum, arms []*syntax.MatchArm, missing string, do func(*syntax.MatchArm)) {
	var seen []bool
	if en != nil {
		seen = make([]bool, len(en.Variants))
	}
	sure := en != nil // every arm is right, so that a missing variant is really missing
	for _, a := range arms {
		v := b.pattern(a, en, missing)
		switch {
		case v == nil:
			sure = false
		case seen[v.Index]:
			b.errorf("P0517", a.Variant.Span(), "duplicate match arm for variant '%s'", v.Name)
			sure = false
		default:
			seen[v.Index] = true
		}
		mark := b.open()
		b.bindings(a, v)
		do(a)
		b.close(mark)
	}
	if !sure {
		return
	}
	for i, ok := range seen {
		if !ok {
			b.errorf("P0516", lastByte(at), "non-exhaustive match: missing variant '%s'", en.Variants[i].Name)
			return
		}
	}
}

// lastByte is the closing brace of a node that ends in one.
func lastByte(n syntax.Node) source.Span {
	end := n.Span().End
	return source.Span{Start: max(end-1, 0), End: end}
}

// pattern finds the variant of en that an arm matches; nil after an error, or when there is
// no enum.
func (b *body) pattern(a *syntax.MatchArm, en *Enum, missing string) *Variant {
	m, name := b.mod, a.Enum.Name
	if a.Module != nil {
		name = a.Module.Name + "." + name
		if m = b.c.imported(b.mod, a.Module.Name); m == nil {
			b.errorf("P0518", a.Module.Span(), "%s enum '%s'", missing, name)
			return nil
		}
	}
	named, ok := b.item(m, a.Enum).(*Enum)
	if !ok {
		if !m.Missing {
			b.errorf("P0518", a.Enum.Span(), "%s enum '%s'", missing, name)
		}
		return nil
	}
	if en == nil {
		return nil
	}
	if named != en && named != en.Generic {
		b.errorf("P0518", a.Enum.Span(), "match arm enum '%s' does not match scrutinee enum '%s'", named.Name, en.Name)
		return nil
	}
	v := en.Variant(a.Variant.Name)
	if v == nil {
		b.noVariant(en, a.Variant)
		return nil
	}
	b.info.setArm(a, v)
	return v
}

// bindings declares what an arm binds; v is nil when the variant is not known.
func (b *body) bindings(a *syntax.MatchArm, v *Variant) {
	if v != nil && len(a.Bindings) != len(v.Fields) {
		b.errorf("P0519", a.Span(), "variant '%s' has %d fields, but %d bindings provided", v.Name, len(v.Fields), len(a.Bindings))
	}
	for i, bd := range a.Bindings {
		t := b.u.Invalid
		if v != nil {
			if f := v.Field(bd.Field.Name); f != nil {
				t = f.Type
			} else {
				b.errorf("P0519", bd.Field.Span(), "variant '%s' has no field '%s'", v.Name, bd.Field.Name)
			}
			for _, earlier := range a.Bindings[:i] {
				if earlier.Field.Name == bd.Field.Name {
					b.errorf("P0519", bd.Field.Span(), "field '%s' is bound twice", bd.Field.Name)
					break
				}
			}
		}
		b.declare(bd.Name, MatchVar, t, true)
	}
}
