package plto

import (
	"cmp"
	"slices"
	"strings"
)

func encode(f *File) ([]byte, error) {
	w := &writer{}
	parts := []section{{id: sourceSection, flags: required, data: []byte(f.Text)}}
	add := func(id, flags uint32, fields func(w *writer)) {
		w.out = nil
		fields(w)
		parts = append(parts, section{id: id, flags: flags, data: w.out})
	}
	add(declSection, required, f.writeDecls)
	if len(f.Refs) > 0 || f.RefsExtra != "" {
		add(refSection, 0, func(w *writer) {
			w.refs(1, slices.SortedFunc(slices.Values(f.Refs), compareRefs))
			w.extra(refsShape, f.RefsExtra)
		})
	}
	if f.Derived != nil {
		add(derivedSection, 0, f.Derived.write)
	}
	if w.err != nil {
		return nil, w.err
	}
	for _, s := range f.Sections {
		parts = append(parts, section{id: s.ID, data: s.Data})
		if s.ID <= derivedSection {
			return nil, whole(Invalid, "section %d is not unknown", s.ID)
		}
	}
	if _, err := contents(parts); err != nil { // what cannot be read must not be written
		bad := *err.(*Error)
		bad.Kind, bad.Offset = Invalid, -1 // nothing is anywhere yet
		return nil, &bad
	}
	return join(parts)
}

func (f *File) writeDecls(w *writer) {
	w.id(1, f.Module)
	for i := range f.Decls {
		d := &f.Decls[i]
		w.record(2, func() {
			w.id(1, d.ID)
			w.str(2, d.Kind)
			w.str(3, d.Name)
			w.int(4, d.Parent+1)
			w.extra(declShape, d.Extra)
		})
	}
	w.extra(declsShape, f.Extra)
}

func (w *writer) refs(num uint32, list []Ref) {
	for i := range list {
		r := &list[i]
		w.record(num, func() {
			w.str(1, r.Module)
			w.id(2, r.Decl)
			w.str(3, r.Name)
			w.str(4, r.Kind)
			w.extra(refShape, r.Extra)
		})
	}
}

func (d *Derived) write(w *writer) {
	w.item(1, string(d.Source[:]))
	w.str(2, d.Compiler)
	for _, i := range slices.SortedFunc(slices.Values(d.Interfaces), func(a, b Interface) int { return strings.Compare(a.Module, b.Module) }) {
		w.record(3, func() {
			w.str(1, i.Module)
			w.str(2, i.Hash)
			w.extra(interfaceShape, i.Extra)
		})
	}
	for _, f := range slices.SortedFunc(slices.Values(d.Facts), func(a, b Facts) int { return cmp.Compare(a.Decl, b.Decl) }) {
		w.record(4, func() { f.write(w) })
	}
	w.refs(5, d.Order)
	w.extra(derivedShape, d.Extra)
}

func (f *Facts) write(w *writer) {
	w.int(1, f.Decl)
	if s := f.Signature; s != nil {
		w.record(2, func() {
			for _, p := range s.Params {
				w.item(1, p)
			}
			w.str(2, s.Return)
			w.extra(signatureShape, s.Extra)
		})
	}
	list := func(num uint32, refs *Refs) {
		if refs != nil {
			w.record(num, func() {
				w.refs(1, refs.List)
				w.extra(refsShape, refs.Extra)
			})
		}
	}
	list(3, f.Errors)
	w.str(4, f.Lifecycle)
	list(5, f.Implementors)
	w.extra(factsShape, f.Extra)
}
