package xref

import (
	"cmp"
	"slices"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// Facts is what the checker found out about declarations, those of the library too. Types
// are as the declaration writes them. What is not known is not there: a function without a
// signature here, or with one that is not Known, is not known to be infallible.
type Facts struct {
	Signatures map[Key]*Signature  // of functions, methods, those of traits too, and externs
	Classes    map[Key]*ClassInfo  // of the app too
	Traits     map[Key]*TraitInfo  //
	Enums      map[Key]*EnumInfo   //
	Errors     map[Key][]FieldInfo //
	// Implements has, by a method of a class, the methods of traits that it implements, and
	// by a default method those of other traits that it implements in some class. All of
	// them have to have one name.
	Implements map[Key][]Key
	DI         []Key // the classes that start-up builds, in this order
}

// FieldInfo is a field, a parameter or a dependency.
type FieldInfo struct {
	Name     string
	Type     string
	Injected bool
	Ambient  bool // injected by `uses`, or declared ambient by the app
}

// Signature is what calls of a function have to know.
type Signature struct {
	Params   []FieldInfo
	Result   string // "void" for none
	Self     syntax.SelfKind
	Requires int // clauses, those that come from a trait included
	Ensures  int

	// Known says that the error set is. It is not for what nothing instantiates or
	// inherits, nor for what has mistakes in it or passes on errors of such a function.
	Known  bool
	Errors []Raised // sorted by name; not empty means fallible
}

// Fallible says whether a call can raise, as far as is known.
func (s *Signature) Fallible() bool { return len(s.Errors) > 0 }

// Raised is an error of an error set, and why it is in it. Of a trait's method without a
// body the reasons are the methods that implement it.
type Raised struct {
	Name     string     // of the declaration: "NotFound"
	Error    Key        // zero for a predeclared error
	RaisedAt []Place    // the raise statements in the body
	From     []RaisedBy // the calls that let it through
}

// RaisedBy is something that lets an error through.
type RaisedBy struct {
	Callee  Key    // zero for what is built in
	Builtin string // then its name: "recv", "pow", "select"
	At      Place  // the call; of an implementation, its name
}

// Place is a span of a file.
type Place struct {
	File string
	At   source.Span
}

// ClassInfo is what is known of a class.
type ClassInfo struct {
	Fields     []FieldInfo // injected ones first
	Impls      []Key
	Lifecycle  syntax.Lifecycle // the effective one
	Injected   bool             // the container builds it
	Invariants int
}

// TraitInfo is what is known of a trait.
type TraitInfo struct {
	Methods      []string
	Defaults     []string // those with a body
	Implementors []Key    // classes, in the order of the program
}

// EnumInfo is what is known of an enum.
type EnumInfo struct {
	Variants []VariantInfo
}

// VariantInfo is a variant and its payload.
type VariantInfo struct {
	Name   string
	Fields []FieldInfo
}

// FactsOf collects the facts of a checked program. Of what is generic they are those of all
// its instances together.
func FactsOf(p *check.Program) *Facts { return factsOf(newIndex(p)) }

func factsOf(ix *index) *Facts {
	c := &collector{
		index: ix,
		funcs: make(map[*Decl][]*check.Func, len(ix.program.Funcs)),
		wrong: map[*source.File][]int32{}, callers: map[Key][]Key{}, implementors: map[Key][]Key{},
		out: &Facts{
			Signatures: map[Key]*Signature{}, Classes: map[Key]*ClassInfo{}, Traits: map[Key]*TraitInfo{},
			Enums: map[Key]*EnumInfo{}, Errors: map[Key][]FieldInfo{}, Implements: map[Key][]Key{},
		},
	}
	for _, d := range ix.program.Diags.Sorted() {
		if d.Severity == diag.Error && d.File != nil {
			c.wrong[d.File] = append(c.wrong[d.File], d.Span.Start)
		}
	}
	for _, f := range ix.program.Funcs {
		if f.Decl != nil && f.Test == nil {
			if d := ix.byName[f.Decl.Name]; d != nil {
				c.funcs[d] = append(c.funcs[d], f)
			}
		}
	}
	c.objects()
	c.signatures()
	c.spreadDoubt()
	return c.out
}

// collector makes the facts of a program.
type collector struct {
	*index
	funcs map[*Decl][]*check.Func  // as they were checked
	wrong map[*source.File][]int32 // where errors are
	out   *Facts

	implementors map[Key][]Key // of traits, in the order of the text

	doubtful []Key         // whose error set is not known
	callers  map[Key][]Key // who passes on the errors of whom
}

// objects collects what the checker says of types.
func (c *collector) objects() {
	p := c.program
	for _, file := range c.order {
		for _, d := range file.decls {
			switch o := c.checked[file.mod].Scope[d.Name].(type) {
			case *check.Trait:
				if c.of(o) == d {
					c.trait(o, d)
				}
			case *check.Class:
				if c.of(o) == d {
					c.class(o, d)
				}
			}
		}
	}
	for t, classes := range c.implementors {
		if info := c.out.Traits[t]; info != nil {
			info.Implementors = classes
		}
	}
	lives := map[Key]syntax.Lifecycle{}
	for _, cl := range p.Classes { // instances may live shorter than their declaration says
		if d := c.of(cl); d != nil {
			if l, ok := lives[d.Key]; !ok || cl.Lifecycle < l {
				lives[d.Key] = cl.Lifecycle
			}
		}
	}
	for k, l := range lives {
		if info := c.out.Classes[k]; info != nil {
			info.Lifecycle = l
		}
	}
	if app := p.App; app != nil {
		if d := c.byName[app.Decl.Name]; d != nil {
			c.class(app.Class, d)
		}
	}
	seen := map[Key]bool{}
	for _, cl := range p.DI.Singletons {
		if d := c.of(cl); d != nil && !seen[d.Key] {
			seen[d.Key] = true
			c.out.DI = append(c.out.DI, d.Key)
		}
	}
}

func (c *collector) class(cl *check.Class, d *Decl) {
	info := &ClassInfo{Lifecycle: cl.Lifecycle, Injected: cl.Injected(), Invariants: len(cl.Invariants)}
	for _, f := range cl.Fields {
		field := FieldInfo{Name: f.Name, Injected: f.Injected, Ambient: f.Ambient}
		if f.Ambient {
			field.Type = f.Decl.Name
		} else if of := c.byName[f.Decl]; of != nil {
			field.Type = typeOf(of.Node)
		}
		info.Fields = append(info.Fields, field)
	}
	for _, t := range cl.Impls {
		to := c.of(t)
		if to == nil {
			continue
		}
		info.Impls = append(info.Impls, to.Key)
		c.implementors[to.Key] = append(c.implementors[to.Key], d.Key)
		for _, want := range t.Methods {
			if m := c.implementation(cl, d, want); m != nil && !slices.Contains(c.out.Implements[m.Key], c.of(want).Key) {
				c.out.Implements[m.Key] = append(c.out.Implements[m.Key], c.of(want).Key)
			}
		}
	}
	c.out.Classes[d.Key] = info
}

func (c *collector) trait(t *check.Trait, d *Decl) {
	info := &TraitInfo{}
	for _, m := range t.Methods {
		info.Methods = append(info.Methods, m.Name)
		if m.Decl.Body != nil {
			info.Defaults = append(info.Defaults, m.Name)
		}
	}
	c.out.Traits[d.Key] = info
	for _, m := range t.Methods {
		if of := c.of(m); of != nil {
			c.traitMethod(of, m)
		}
	}
}

// implementation is the method that a class has for one of a trait, unless it is that of the
// trait itself: its own, or the default of another of its traits.
func (c *collector) implementation(cl *check.Class, d *Decl, want *check.TraitMethod) *Decl {
	if want.Decl.Self == syntax.NoSelf {
		return nil
	}
	if m := d.member(Method, want.Name); m != nil {
		return m
	}
	for _, t := range cl.Impls {
		if m := t.Method(want.Name); m != nil && m != want && m.Decl.Body != nil && m.Decl.Self != syntax.NoSelf && want.Decl.Body == nil {
			return c.of(m)
		}
	}
	return nil
}

// signatures collects what the text says of functions and of what has fields.
func (c *collector) signatures() {
	for _, decls := range c.files {
		for d := range All(decls) {
			switch n := d.Node.(type) {
			case *syntax.FuncDecl:
				c.function(d, n)
			case *syntax.ExternDecl:
				c.out.Signatures[d.Key] = &Signature{Params: fields(d, Param), Result: syntax.TypeString(n.Result), Known: true}
			case *syntax.EnumDecl:
				info := &EnumInfo{}
				for _, v := range d.Members {
					info.Variants = append(info.Variants, VariantInfo{v.Name, fields(v, Field)})
				}
				c.out.Enums[d.Key] = info
			case *syntax.ErrorDecl:
				c.out.Errors[d.Key] = fields(d, Field)
			}
		}
	}
}

// fields lists members of a declaration.
func fields(d *Decl, kind Kind) []FieldInfo {
	var out []FieldInfo
	for _, m := range d.Members {
		if m.Kind == kind {
			out = append(out, FieldInfo{Name: m.Name, Type: typeOf(m.Node), Injected: m.Dep})
		}
	}
	return out
}

// typeOf is the type of a parameter or field; "" when it could not be read.
func typeOf(n syntax.Node) string {
	p, ok := n.(*syntax.Param)
	if !ok {
		return ""
	}
	bad := false
	syntax.Walk(p.Type, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BadType:
			bad = true
		case *syntax.NamedType:
			bad = bad || n.Name.Name == ""
		}
		return !bad
	})
	if bad {
		return ""
	}
	return syntax.TypeString(p.Type)
}

// byName sorts an error set.
func byName(set []Raised) {
	slices.SortFunc(set, func(a, b Raised) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Error.File, b.Error.File), cmp.Compare(a.Error.Qual, b.Error.Qual))
	})
}
