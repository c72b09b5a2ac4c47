package pluto

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// now finds the declaration of this view that one of another view is.
func (v *View) now(d *Decl) (*Decl, error) {
	if d == nil {
		return nil, fail(InvalidArgument, "no declaration is given")
	}
	return v.Lookup(d.ID)
}

// uses turns sites into uses, those of the kinds only, all for none.
func (v *View) uses(sites []xref.Site, kinds []xref.Use) []Use {
	var out []Use
	for i := range sites {
		if len(kinds) == 0 || slices.Contains(kinds, sites[i].Use) {
			out = append(out, v.use(&sites[i]))
		}
	}
	return out
}

func (v *View) use(s *xref.Site) Use {
	u := Use{
		Kind: s.Use, Owner: v.Decl(s.Owner), Module: v.byPath[s.File], Target: v.Decl(s.Target), Key: s.Target, Dynamic: s.Dynamic,
		At: Place{File: s.File, Start: s.At.Start, End: s.At.End}, Whole: Place{File: s.File, Start: s.Full.Start, End: s.Full.End},
	}
	if m := u.Module; m != nil {
		src := m.file.Src
		u.At, u.Whole = place(src, s.At), place(src, s.Full)
		u.Line = strings.TrimSpace(src.LineText(u.At.Line))
	}
	return u
}

// Uses lists where a declaration is used in the project, in the order of files and positions;
// only uses of these kinds when some are given.
func (v *View) Uses(ctx context.Context, d *Decl, kinds ...xref.Use) ([]Use, error) {
	d, c, err := v.checked(ctx, d)
	if err != nil {
		return nil, err
	}
	return v.uses(c.UsesOf(d.Key), kinds), nil
}

// UsesIn lists what a declaration, its members included, uses, in the order of the text.
func (v *View) UsesIn(ctx context.Context, d *Decl, kinds ...xref.Use) ([]Use, error) {
	d, c, err := v.checked(ctx, d)
	if err != nil {
		return nil, err
	}
	if d.Kind == xref.Module {
		return v.uses(c.Sites(d.Module.Path), kinds), nil
	}
	return v.uses(c.UsedBy(d.Key), kinds), nil
}

func (v *View) checked(ctx context.Context, d *Decl) (*Decl, *workspace.Checked, error) {
	d, err := v.now(d)
	if err != nil {
		return nil, nil, err
	}
	c, err := v.state.Checked(ctx)
	if err != nil {
		return nil, nil, err
	}
	return d, c, nil
}

// calls are the uses that run a function.
var calls = []xref.Use{xref.Call, xref.MethodCall, xref.Static}

// Callers lists the calls of a function or method. Calls through a trait count for the
// methods that implement it; they are marked Dynamic.
func (v *View) Callers(ctx context.Context, d *Decl) ([]Use, error) {
	d, c, err := v.checked(ctx, d)
	if err != nil {
		return nil, err
	}
	if err := callable(d); err != nil {
		return nil, err
	}
	return v.uses(callersOf(c, d.Key, v.Decl), calls), nil
}

func callable(d *Decl) error {
	switch d.Kind {
	case xref.Function, xref.Method, xref.Extern, xref.Test:
		return nil
	}
	return &Error{Code: KindMismatch, Text: d.Handle() + " is " + a(d.Kind) + ", which is not called", Hint: "usages_of lists the uses of any declaration"}
}

// callersOf adds to the sites of a method those of the trait methods that it implements.
func callersOf(c *workspace.Checked, k xref.Key, decl func(xref.Key) *Decl) []xref.Site {
	sites := c.UsesOf(k)
	if k.Kind != xref.Method {
		return sites
	}
	owner, name, ok := strings.Cut(k.Qual, ".")
	info := c.Facts().Classes[xref.Key{File: k.File, Kind: xref.Class, Qual: owner}]
	if !ok || info == nil {
		return sites
	}
	more := false
	for _, t := range info.Impls {
		for _, s := range c.UsesOf(xref.Key{File: t.File, Kind: xref.Method, Qual: t.Qual + "." + name}) {
			if s.Dynamic {
				if !more {
					sites, more = slices.Clone(sites), true
				}
				sites = append(sites, s)
			}
		}
	}
	if more {
		slices.SortStableFunc(sites, func(a, b xref.Site) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.At.Start, b.At.Start))
		})
	}
	return sites
}

// Callees lists the calls that a declaration makes, its members included.
func (v *View) Callees(ctx context.Context, d *Decl) ([]Use, error) {
	return v.UsesIn(ctx, d, calls...)
}

// Constructors lists the literals that make an instance of a class.
func (v *View) Constructors(ctx context.Context, d *Decl) ([]Use, error) {
	if err := ofKind(d, xref.Class); err != nil {
		return nil, err
	}
	return v.Uses(ctx, d, xref.Construct)
}

// EnumUses lists where the variants of an enum, or one variant, are made and matched.
func (v *View) EnumUses(ctx context.Context, d *Decl) ([]Use, error) {
	if err := ofKind(d, xref.Enum, xref.Variant); err != nil {
		return nil, err
	}
	return v.Uses(ctx, d, xref.EnumVariant, xref.MatchArm)
}

// RaiseSites lists where an error is raised and where it is caught by its name.
func (v *View) RaiseSites(ctx context.Context, d *Decl) ([]Use, error) {
	if err := ofKind(d, xref.Error); err != nil {
		return nil, err
	}
	return v.Uses(ctx, d, xref.Raise, xref.Catch)
}

func ofKind(d *Decl, kinds ...xref.Kind) error {
	if d == nil {
		return fail(InvalidArgument, "no declaration is given")
	}
	return (&FindOptions{Kinds: kinds}).fits(d)
}

// Implementors lists the classes that implement a trait; of a method of a trait, their methods.
func (v *View) Implementors(ctx context.Context, d *Decl) ([]*Decl, error) {
	d, c, err := v.checked(ctx, d)
	if err != nil {
		return nil, err
	}
	trait, method := d, ""
	if d.Kind == xref.Method && d.Parent != nil {
		trait, method = d.Parent, d.Name
	}
	if trait.Kind != xref.Trait {
		return nil, ofKind(d, xref.Trait)
	}
	return v.implementors(c, trait.Key, method), nil
}

func (v *View) implementors(c *workspace.Checked, trait xref.Key, method string) []*Decl {
	info := c.Facts().Traits[trait]
	if info == nil {
		return nil
	}
	var out []*Decl
	for _, k := range info.Implementors {
		class := v.Decl(k)
		if class == nil {
			continue
		}
		if method == "" {
			out = append(out, class)
			continue
		}
		for _, m := range class.Members {
			if m.Kind == xref.Method && m.Name == method {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, compareDecls)
	return out
}

// Signature is what callers of a function, a method or an extern see; nil when it is not
// known because the program around it does not check.
func (v *View) Signature(ctx context.Context, d *Decl) (*Signature, error) {
	d, c, err := v.checked(ctx, d)
	if err != nil {
		return nil, err
	}
	s := c.Facts().Signatures[d.Key]
	if s == nil {
		return nil, nil
	}
	out := &Signature{Result: s.Result, Self: selfWord(s.Self), Known: s.Known}
	for _, p := range s.Params {
		out.Params = append(out.Params, Param{p.Name, p.Type})
	}
	if s.Known {
		out.Fallible = s.Fallible()
		for _, e := range s.Errors {
			out.Errors = append(out.Errors, e.Name)
		}
	}
	return out, nil
}

func selfWord(k syntax.SelfKind) string {
	switch k {
	case syntax.Self:
		return "self"
	case syntax.MutSelf:
		return "mut self"
	}
	return ""
}

// ErrorSet lists the errors that can leave a function, and why. known is false when nobody
// can say, because the program around it does not check: that is not "none".
func (v *View) ErrorSet(ctx context.Context, d *Decl) (errs []ErrorInfo, known bool, err error) {
	d, c, err := v.checked(ctx, d)
	if err != nil {
		return nil, false, err
	}
	if err := callable(d); err != nil {
		return nil, false, err
	}
	s := c.Facts().Signatures[d.Key]
	if s == nil || !s.Known {
		return nil, false, nil
	}
	for _, r := range s.Errors {
		e := ErrorInfo{Name: r.Name, Decl: v.Decl(r.Error), Key: r.Error}
		for _, at := range r.RaisedAt {
			e.Origins = append(e.Origins, Origin{At: v.placeOf(at), Raised: true})
		}
		for _, from := range r.From {
			e.Origins = append(e.Origins, Origin{At: v.placeOf(from.At), From: v.Decl(from.Callee), Key: from.Callee, Builtin: from.Builtin})
		}
		slices.SortStableFunc(e.Origins, func(a, b Origin) int { return cmp.Compare(a.At.Start, b.At.Start) })
		errs = append(errs, e)
	}
	return errs, true, nil
}

func (v *View) placeOf(p xref.Place) Place {
	if m := v.byPath[p.File]; m != nil {
		return place(m.file.Src, p.At)
	}
	return Place{File: p.File, Start: p.At.Start, End: p.At.End}
}
