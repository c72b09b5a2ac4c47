package plutoapp

import (
	"context"
	"fmt"
	"strings"

	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

func getDeclaration(ctx context.Context, c *Call, a *getDeclarationArgs) (*Answer, error) {
	d, err := c.find(ctx, a.Symbol, a.Path)
	if err != nil {
		if list := c.candidates(err); list != nil {
			return list, nil
		}
		return nil, err
	}
	f, err := c.facts(ctx, d)
	if err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) { c.detailLines(b, f) },
		doc:   func() any { return c.detail(f) },
	}, nil
}

// candidates answers an ambiguous name as 001 does: not as an error.
func (c *Call) candidates(err error) *Answer {
	e := new(pluto.Error)
	if !c.json || c.main != D001 || !asEngine(err, &e) || e.Code != pluto.Ambiguous {
		return nil
	}
	return &Answer{doc: func() any {
		return c.object().put("ambiguous", true).put("message", e.Text).put("candidates", each(e.Candidates, func(d *pluto.Decl) any {
			return c.brief(d).put("module", d.Module.Path).put("handle", d.Handle())
		}))
	}}
}

// facts is a declaration with what the checker knows of it; what is nil is not known.
type facts struct {
	*pluto.Decl
	sig          *pluto.Signature
	errors       []pluto.ErrorInfo
	known        bool // errors is
	derived      *xref.Facts
	implementors []*pluto.Decl
	view         *pluto.View
	methods      map[*pluto.Decl]*pluto.Signature
}

func (c *Call) facts(ctx context.Context, d *pluto.Decl) (*facts, error) {
	v := c.view
	f := &facts{Decl: d, view: v, methods: map[*pluto.Decl]*pluto.Signature{}}
	var err error
	if f.derived, err = v.Facts(ctx); err != nil {
		return nil, err
	}
	switch d.Kind {
	case xref.Function, xref.Method, xref.Extern, xref.Test:
		if f.sig, err = v.Signature(ctx, d); err != nil {
			return nil, err
		}
		if f.errors, f.known, err = v.ErrorSet(ctx, d); err != nil {
			return nil, err
		}
	case xref.Trait:
		if f.implementors, err = v.Implementors(ctx, d); err != nil {
			return nil, err
		}
	}
	for _, m := range d.Members {
		if m.Kind == xref.Method {
			if f.methods[m], err = v.Signature(ctx, m); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// of lists the members of a kind.
func (f *facts) of(k xref.Kind) []*pluto.Decl {
	var out []*pluto.Decl
	for _, m := range f.Members {
		if m.Kind == k {
			out = append(out, m)
		}
	}
	return out
}

// typeText is the type of a field or parameter as written.
func typeText(d *pluto.Decl) string {
	p, ok := d.Node.(*syntax.Param)
	if !ok || p.Type == nil {
		return ""
	}
	text, at := d.Module.Text(), p.Type.Span()
	return strings.Join(strings.Fields(text[at.Start:at.End]), " ")
}

func (c *Call) detailLines(b *strings.Builder, f *facts) {
	p := f.Place()
	fmt.Fprintf(b, "%s  %s  %s:%s\n", head(f.Decl), f.ID, f.Module.Path, lineRange(p))
	if f.Parent != nil {
		fmt.Fprintf(b, "%s of %s %s  %s\n", f.Kind, f.Parent.Kind, f.Parent.Qual, short(f.Parent.ID))
	}
	switch {
	case f.Kind == xref.Test || f.sig == nil && !f.known:
	case f.known && len(f.errors) == 0:
		b.WriteString("raises nothing\n")
	case f.known:
		b.WriteString("raises " + names(f.errors, func(e pluto.ErrorInfo) string { return e.Name }) + "\n")
	default:
		b.WriteString("errors unknown: the program does not check\n")
	}
	if info := f.class(); info != nil {
		fmt.Fprintf(b, "lifecycle %s\n", info.Lifecycle)
	}
	if len(f.implementors) > 0 {
		b.WriteString("implemented by " + names(f.implementors, func(d *pluto.Decl) string { return d.Handle() }) + "\n")
	}
	for i, m := range f.Members {
		if m.Kind == xref.Param {
			continue
		}
		if c.agent && i >= maxMembers {
			fmt.Fprintf(b, "  and %d more\n", len(f.Members)-i)
			break
		}
		fmt.Fprintf(b, "  %s  %s  %d\n", head(m), short(m.ID), m.Place().Line)
		for _, sub := range m.Members {
			if sub.Kind == xref.Field {
				fmt.Fprintf(b, "    %s  %s\n", head(sub), short(sub.ID))
			}
		}
	}
	if f.Kind == xref.Module && c.agent {
		return // get_source has the text
	}
	b.WriteString("\n" + c.capped(f.Source()+"\n", 0))
}

// maxMembers is how many members an agent is told of.
const maxMembers = 200

func names[T any](list []T, name func(T) string) string {
	var out []string
	for _, x := range list {
		out = append(out, name(x))
	}
	return strings.Join(out, ", ")
}

func (f *facts) class() *xref.ClassInfo {
	if f.derived == nil || f.Kind != xref.Class && f.Kind != xref.App {
		return nil
	}
	return f.derived.Classes[f.Key]
}

// detail is everything about a declaration.
func (c *Call) detail(f *facts) *object {
	o := c.brief(f.Decl).put("is_pub", f.Pub).put("module", f.Module.Path)
	switch f.Kind {
	case xref.Function, xref.Method, xref.Extern, xref.Test:
		c.functionDetail(o, f)
	case xref.Class:
		c.classDetail(o, f)
	case xref.App:
		c.appDetail(o, f)
	case xref.Enum:
		c.enumDetail(o, f)
	case xref.Trait:
		c.traitDetail(o, f)
	case xref.Error, xref.Variant:
		o.put("fields", c.fields(f.of(xref.Field)))
		if f.Kind == xref.Error {
			o.in(D001, "resolved_fields", resolved(f.derivedErrors()))
		}
	case xref.Field, xref.Param:
		o.put("type", typeText(f.Decl))
		if f.Kind == xref.Field {
			o.put("is_injected", f.Dep)
		}
	}
	if f.Parent != nil {
		o.put("parent", c.brief(f.Parent))
	}
	return o.put("handle", f.Handle()).put("span", span(f.Place())).put("source", f.Source()+"\n")
}

func (f *facts) derivedErrors() []xref.FieldInfo {
	if f.derived == nil {
		return nil
	}
	return f.derived.Errors[f.Key]
}

// functionDetail adds what is particular to functions. What is not known is null, not false.
func (c *Call) functionDetail(o *object, f *facts) {
	var selfKind syntax.SelfKind
	var result string
	if n, ok := f.Node.(*syntax.FuncDecl); ok {
		selfKind = n.Self
	}
	ps := f.of(xref.Param)
	result = resultText(f.Decl)
	plain := each(ps, func(d *pluto.Decl) any { return (&object{}).put("name", d.Name).put("type", typeText(d)) })
	long := each(ps, func(d *pluto.Decl) any {
		return (&object{}).put("name", d.Name).put("type", typeText(d)).put("is_mut", false).put("uuid", d.ID.String())
	})
	if selfKind != syntax.NoSelf && f.Parent != nil {
		long = append([]any{(&object{}).put("name", "self").put("type", f.Parent.Name).put("is_mut", selfKind == syntax.MutSelf)}, long...)
	}
	var fallible any
	var errs any
	if f.known {
		fallible = len(f.errors) > 0
		errs = each(f.errors, func(e pluto.ErrorInfo) any { return c.errorRef(e) })
	}
	o.in(D001, "params", long).in(D001, "return_type", result).in(D001, "is_fallible", fallible).put("error_set", errs)
	o.put("signature", c.signature(f, plain, ps, result, fallible))
}

// signature is an object that both documents' readers understand.
func (c *Call) signature(f *facts, plain []any, ps []*pluto.Decl, result string, fallible any) any {
	types := each(ps, func(d *pluto.Decl) any { return typeText(d) })
	if f.sig != nil {
		types = each(f.sig.Params, func(p pluto.Param) any { return p.Type })
		result = f.sig.Result
	}
	return c.object().in(D000, "params", plain).in(D001, "param_types", types).put("return_type", result).put("is_fallible", fallible)
}

func resultText(d *pluto.Decl) string {
	var t syntax.TypeExpr
	switch n := d.Node.(type) {
	case *syntax.FuncDecl:
		t = n.Result
	case *syntax.ExternDecl:
		t = n.Result
	}
	if t == nil {
		return "void"
	}
	at := t.Span()
	return strings.Join(strings.Fields(d.Module.Text()[at.Start:at.End]), " ")
}

// errorRef is an error in an error set. One that the language declares has no id.
func (c *Call) errorRef(e pluto.ErrorInfo) *object {
	var id any
	if e.Decl != nil {
		id = e.Decl.ID.String()
	}
	return c.object().in(D000, "id", id).put("name", e.Name).in(D001, "uuid", id)
}

func (c *Call) fields(ds []*pluto.Decl) []any {
	return each(ds, func(d *pluto.Decl) any {
		return c.object().in(D000, "id", d.ID.String()).put("name", d.Name).put("type", typeText(d)).in(D001, "uuid", d.ID.String())
	})
}

func (c *Call) methods(f *facts) []any {
	return each(f.of(xref.Method), func(d *pluto.Decl) any {
		o := c.object().in(D000, "id", d.ID.String()).put("name", d.Name).in(D001, "uuid", d.ID.String()).put("signature", signature(d))
		if f.Kind == xref.Trait {
			n, ok := d.Node.(*syntax.FuncDecl)
			o.put("has_default_body", ok && n.Body != nil)
		}
		if sig := f.methods[d]; sig != nil {
			o.put("is_fallible", sig.Fallible)
		}
		return o
	})
}

// own and injected tell the fields of a class from its dependencies.
func split(ds []*pluto.Decl) (own, injected []*pluto.Decl) {
	for _, d := range ds {
		if d.Dep {
			injected = append(injected, d)
		} else {
			own = append(own, d)
		}
	}
	return own, injected
}

func (c *Call) classDetail(o *object, f *facts) {
	own, injected := split(f.of(xref.Field))
	var impls []any
	invariants := 0
	if n, ok := f.Node.(*syntax.ClassDecl); ok {
		impls = each(n.Impls, func(i *syntax.Ident) any { return i.Name })
		invariants = len(n.Invariants)
	}
	o.put("fields", c.fields(own)).put("methods", c.methods(f)).put("bracket_deps", c.fields(injected)).
		put("impl_traits", impls).in(D001, "invariant_count", invariants)
	var fields, lifecycle any
	if info := f.class(); info != nil {
		word := info.Lifecycle.String()
		fields, lifecycle = resolved(info.Fields), strings.ToUpper(word[:1])+word[1:] // as the document has it
	}
	o.in(D001, "resolved_fields", fields).in(D001, "lifecycle", lifecycle)
}

func resolved(fields []xref.FieldInfo) any {
	return each(fields, func(i xref.FieldInfo) any {
		return (&object{}).put("name", i.Name).put("type", i.Type).put("is_injected", i.Injected)
	})
}

func (c *Call) appDetail(o *object, f *facts) {
	_, injected := split(f.of(xref.Field))
	var ambient []any
	if n, ok := f.Node.(*syntax.AppDecl); ok {
		ambient = each(n.Ambient, func(i *syntax.Ident) any { return i.Name })
	}
	o.put("bracket_deps", c.fields(injected)).put("methods", c.methods(f)).in(D001, "ambient_types", ambient)
	order := []any{}
	if f.derived != nil {
		order = each(f.derived.DI, func(k xref.Key) any {
			if d := f.view.Decl(k); d != nil {
				return c.brief(d)
			}
			return (&object{}).put("name", k.Qual)
		})
	}
	o.in(D001, "di_order", order)
}

func (c *Call) enumDetail(o *object, f *facts) {
	var generics []any
	if n, ok := f.Node.(*syntax.EnumDecl); ok {
		generics = each(n.TypeParams, func(p *syntax.TypeParam) any { return p.Name.Name })
	}
	o.put("variants", each(f.of(xref.Variant), func(d *pluto.Decl) any {
		var fields []*pluto.Decl
		for _, m := range d.Members {
			if m.Kind == xref.Field {
				fields = append(fields, m)
			}
		}
		return c.object().in(D000, "id", d.ID.String()).put("name", d.Name).in(D001, "uuid", d.ID.String()).put("fields", c.fields(fields))
	})).in(D001, "type_params", generics)
	var variants any
	if f.derived != nil && f.derived.Enums[f.Key] != nil {
		variants = each(f.derived.Enums[f.Key].Variants, func(v xref.VariantInfo) any {
			return (&object{}).put("name", v.Name).put("fields", resolved(v.Fields))
		})
	}
	o.in(D001, "resolved_variants", variants)
}

func (c *Call) traitDetail(o *object, f *facts) {
	o.put("methods", c.methods(f))
	o.in(D001, "resolved_methods", each(f.of(xref.Method), func(d *pluto.Decl) any {
		var fallible any
		if sig := f.methods[d]; sig != nil {
			fallible = sig.Fallible
		}
		return (&object{}).put("name", d.Name).put("signature", signature(d)).put("is_fallible", fallible)
	}))
	o.put("implementors", each(f.implementors, func(d *pluto.Decl) any { return c.brief(d) }))
}
