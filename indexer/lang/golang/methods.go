package golang

import (
	"cmp"
	"go/types"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/graph"
)

// methodSets writes down the method sets of the types declared in the source, and of
// the interfaces outside the project that it may satisfy.
func (s *source) methodSets() {
	x := &extractor{s: s, p: &s.pkg, b: s.b}
	for _, t := range s.declares {
		if named, ok := t.Type().(*types.Named); ok {
			x.methodSet(named, t)
		}
	}
	s.declares = nil
	if len(s.taken) == 0 {
		return
	}
	x.seeError()
	for _, p := range sortedKeys(s.deps) {
		d := s.deps[p]
		if d == nil || d.outline == nil || !d.external || d.types == nil || !s.taking(p) {
			continue
		}
		for _, name := range d.outline.small {
			if t, ok := d.types.Scope().Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
				x.seeInterface(t.Type())
			}
		}
	}
}

// taking reports whether a file whose facts are wanted imports p.
func (s *source) taking(p string) bool {
	for f := range s.taken {
		if slices.Contains(f.imports, p) {
			return true
		}
	}
	return false
}

// seeError enters the method set of the predeclared error when a type has such a method.
func (x *extractor) seeError() {
	has := func(t graph.MethodSet) bool {
		return slices.ContainsFunc(t.Methods, func(m graph.MethodSig) bool { return m.ID == "Error" })
	}
	iface, ok := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	if !ok || !slices.ContainsFunc(x.b.facts.Types, has) {
		return
	}
	if m, ok := x.methodSig(iface.Method(0)); ok {
		sym := x.b.sym(graph.Symbol{Kind: graph.KindInterface, Module: "builtin", Qual: "error", External: true})
		x.enter(graph.MethodSet{Sym: sym, Interface: true, Methods: []graph.MethodSig{m}})
	}
}

// seeInterface enters the method set of an interface outside the project.
func (x *extractor) seeInterface(t types.Type) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !types.IsInterface(named) {
		return
	}
	obj := named.Origin().Obj()
	if p := obj.Pkg(); p != nil {
		if owner := x.s.run.owner(p); owner == nil || !owner.external {
			return
		}
		x.methodSet(named.Origin(), obj)
	}
}

// methodSet enters the method set of a named type.
func (x *extractor) methodSet(t *types.Named, obj *types.TypeName) {
	if iface, ok := t.Underlying().(*types.Interface); ok {
		x.interfaceSet(obj, iface)
		return
	}
	if t.NumMethods() == 0 {
		if st, ok := t.Underlying().(*types.Struct); !ok || !embeds(st) {
			return
		}
	}
	sym := x.target(obj)
	if sym < 0 || x.b.facts.Symbols[sym].Kind == graph.KindInterface { // which it is in another build
		return
	}
	ptr := types.NewMethodSet(types.NewPointer(t))
	if ptr.Len() == 0 {
		return
	}
	val := types.NewMethodSet(t)
	set := graph.MethodSet{Sym: sym}
	for i := range ptr.Len() {
		f, ok := ptr.At(i).Obj().(*types.Func)
		if !ok {
			continue
		}
		m, ok := x.methodSig(f)
		if !ok {
			continue
		}
		m.Pointer = val.Lookup(f.Pkg(), f.Name()) == nil
		set.Methods = append(set.Methods, m)
	}
	x.enter(set)
}

func embeds(st *types.Struct) bool {
	for i := range st.NumFields() {
		if st.Field(i).Embedded() {
			return true
		}
	}
	return false
}

func (x *extractor) interfaceSet(obj *types.TypeName, iface *types.Interface) {
	if iface.NumMethods() == 0 || !iface.IsMethodSet() {
		return
	}
	sym := x.target(obj)
	if sym < 0 || x.b.seen[sym] || x.b.facts.Symbols[sym].Kind == graph.KindStruct {
		return
	}
	if x.b.facts.Symbols[sym].External {
		x.b.seen[sym] = true
	}
	set := graph.MethodSet{Sym: sym, Interface: true}
	for i := range iface.NumMethods() {
		if m, ok := x.methodSig(iface.Method(i)); ok {
			set.Methods = append(set.Methods, m)
		}
	}
	x.enter(set)
}

func (x *extractor) enter(set graph.MethodSet) {
	if len(set.Methods) == 0 {
		return
	}
	slices.SortFunc(set.Methods, func(a, b graph.MethodSig) int { return cmp.Compare(a.ID, b.ID) })
	x.b.facts.Types = append(x.b.facts.Types, set)
}

// methodSig describes a method; ok is false for one that other packages' tests add.
func (x *extractor) methodSig(f *types.Func) (graph.MethodSig, bool) {
	m := graph.MethodSig{ID: f.Name(), Sym: x.target(f)}
	if !f.Exported() && f.Pkg() != nil {
		m.ID = f.Pkg().Path() + "." + f.Name()
	}
	if m.Sym < 0 {
		return m, false
	}
	fp := fingerprint{}
	fp.signature(f.Signature())
	if !fp.any {
		m.Finger = max(1, xxh3.Hash(fp.text))
	}
	return m, true
}

// A fingerprint is the text of a signature that two methods share when one can stand
// for the other.
type fingerprint struct {
	text  []byte
	any   bool // it mentions a type parameter or an unknown type, and so fits anything
	depth int
}

func (p *fingerprint) add(s string) { p.text = append(p.text, s...) }

func (p *fingerprint) signature(s *types.Signature) {
	p.add("(")
	p.tuple(s.Params())
	if s.Variadic() {
		p.add("...")
	}
	p.add(")(")
	p.tuple(s.Results())
	p.add(")")
}

func (p *fingerprint) tuple(t *types.Tuple) {
	for i := range t.Len() {
		p.typ(t.At(i).Type())
		p.add(",")
	}
}

func (p *fingerprint) typ(t types.Type) {
	if p.depth > 50 {
		p.any = true
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.Invalid {
			p.any = true
			return
		}
		p.add(types.Typ[t.Kind()].Name())
	case *types.Named:
		obj := t.Obj()
		if obj.Pkg() != nil {
			p.add(obj.Pkg().Path())
			p.add(".")
		}
		p.add(obj.Name())
		if args := t.TypeArgs(); args.Len() > 0 {
			p.add("[")
			for i := range args.Len() {
				p.typ(args.At(i))
				p.add(",")
			}
			p.add("]")
		}
	case *types.Pointer:
		p.add("*")
		p.typ(t.Elem())
	case *types.Slice:
		p.add("[]")
		p.typ(t.Elem())
	case *types.Array:
		p.add("[")
		p.text = strconv.AppendInt(p.text, t.Len(), 10)
		p.add("]")
		p.typ(t.Elem())
	case *types.Map:
		p.add("map[")
		p.typ(t.Key())
		p.add("]")
		p.typ(t.Elem())
	case *types.Chan:
		p.add([]string{"chan ", "chan<- ", "<-chan "}[t.Dir()])
		p.typ(t.Elem())
	case *types.Signature:
		p.add("func")
		p.signature(t)
	case *types.Struct:
		p.add("struct{")
		for i := range t.NumFields() {
			f := t.Field(i)
			p.add(f.Id())
			p.add(" ")
			p.typ(f.Type())
			p.add(t.Tag(i))
			p.add(";")
		}
		p.add("}")
	case *types.Interface:
		p.add("interface{")
		ids := make([]*types.Func, 0, t.NumMethods())
		for i := range t.NumMethods() {
			ids = append(ids, t.Method(i))
		}
		slices.SortFunc(ids, func(a, b *types.Func) int { return cmp.Compare(a.Id(), b.Id()) })
		for _, m := range ids {
			p.add(m.Id())
			p.signature(m.Signature())
			p.add(";")
		}
		p.add("}")
	default: // a type parameter, a union
		p.any = true
	}
}
