package plto

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// The records. A new field takes the next number, and the greatest one here with it.
var (
	declsShape     = shape{known: 2, lists: 1 << 2}             // module, declarations
	declShape      = shape{known: 4}                            // id, kind, name, parent plus one
	refsShape      = shape{known: 1, lists: 1 << 1}             // references
	refShape       = shape{known: 4}                            // module, id, name, kind
	derivedShape   = shape{known: 5, lists: 1<<3 | 1<<4 | 1<<5} // source, compiler, interfaces, facts, order
	interfaceShape = shape{known: 2}                            // module, hash
	factsShape     = shape{known: 5, maybe: 1<<2 | 1<<3 | 1<<5} // declaration, signature, errors, lifecycle, implementors
	signatureShape = shape{known: 2, lists: 1 << 1}             // parameters, return
)

// How many bytes a record takes at least, with its tag and length.
const (
	leastDecl      = 2 + 18 + 3
	leastRef       = 2 + 3 + 3
	leastInterface = 2 + 3 + 3
	leastFacts     = 2
	leastParam     = 3
)

func decode(data []byte) (*File, error) {
	parts, err := sections(data)
	if err != nil {
		return nil, err
	}
	return contents(parts)
}

// contents reads the sections of a file.
func contents(parts []section) (*File, error) {
	f := &File{}
	var last uint32
	for i, s := range parts {
		if s.id <= last {
			return nil, damaged(sectionName(s.id), s.offset, "the section comes after %s", sectionName(last))
		}
		last = s.id
		if i == 0 && s.id != sourceSection {
			return nil, noSource()
		}
		if i == 1 && s.id != declSection {
			return nil, noDecls()
		}
		want := s.flags & required
		switch s.id {
		case 0:
			return nil, damaged("section 0", s.offset, "there is no such section")
		case sourceSection, declSection:
			want = required
		case refSection, derivedSection:
			want = 0
		default:
			if want == required {
				return nil, unknown(s.id, s.offset)
			}
		}
		if s.flags != want {
			return nil, damaged(sectionName(s.id), s.offset, "the section has the flags %#x", s.flags)
		}
		if err := f.section(s); err != nil {
			return nil, err
		}
	}
	switch len(parts) {
	case 0:
		return nil, noSource()
	case 1:
		return nil, noDecls()
	}
	return f, nil
}

func noDecls() error { return whole(Damaged, "the declarations section is missing") }

// section reads one section.
func (f *File) section(s section) (err error) {
	r := reader{base: s.offset, section: sectionName(s.id)}
	switch s.id {
	case sourceSection:
		f.Text, err = sourceText(s.data, s.offset)
		return err
	case declSection:
		r.data, r.shape = string(s.data), declsShape
		f.decls(&r)
	case refSection:
		r.data, r.shape = string(s.data), refsShape
		f.refs(&r)
	case derivedSection:
		r.data, r.shape = string(s.data), derivedShape
		f.Derived = derived(&r, len(f.Decls))
	default:
		f.Sections = append(f.Sections, Section{s.id, slices.Clone(s.data)})
	}
	if r.err != nil {
		return r.err
	}
	return nil
}

func (f *File) decls(r *reader) {
	var seen map[uuid.UUID]bool
	for r.next() {
		if r.num == 1 {
			f.Module = r.id()
			continue
		}
		if f.Decls == nil {
			n := r.count(leastDecl)
			f.Decls, seen = make([]Decl, 0, n), make(map[uuid.UUID]bool, n+1)
			seen[f.Module] = true
		}
		at := r.start
		in := r.inside(declShape)
		d := decl(&in, len(f.Decls))
		r.done(&in)
		if seen[d.ID] {
			r.fail(at, "the identity %s is there twice", d.ID)
		}
		seen[d.ID] = true
		f.Decls = append(f.Decls, d)
	}
	f.Extra = r.extra()
}

// decl reads the declaration with the index given.
func decl(r *reader, index int) Decl {
	d := Decl{Parent: -1}
	for r.next() {
		switch r.num {
		case 1:
			d.ID = r.id()
		case 2:
			d.Kind = r.str()
		case 3:
			d.Name = r.str()
		case 4:
			d.Parent = r.integer(index+1) - 1
		}
	}
	d.Extra = r.extra()
	r.need(d.ID != uuid.Nil, 1)
	r.need(d.Kind != "", 2)
	return d
}

func (f *File) refs(r *reader) {
	f.Refs, f.RefsExtra = refs(r)
	if r.err == nil && len(r.data) == 0 {
		r.fail(0, "the section is empty")
	}
	for i := 1; i < len(f.Refs); i++ {
		a, b := &f.Refs[i-1], &f.Refs[i]
		if compareRefs(*a, *b) >= 0 || sameDecl(a, b) {
			r.fail(0, "reference %d (%s) does not come after the one before it", i, b.Name)
		}
	}
}

// sameDecl says whether two references are to one declaration.
func sameDecl(a, b *Ref) bool {
	return a.Module == b.Module && a.Decl == b.Decl && a.Decl != uuid.Nil
}

// compareRefs is the order of references.
func compareRefs(a, b Ref) int {
	for _, c := range [...]int{
		strings.Compare(a.Module, b.Module), slices.Compare(a.Decl[:], b.Decl[:]),
		strings.Compare(a.Name, b.Name), strings.Compare(a.Kind, b.Kind),
	} {
		if c != 0 {
			return c
		}
	}
	return 0
}

// refs reads a record that is a list of references.
func refs(r *reader) (list []Ref, extra Extra) {
	for r.next() {
		list = appendRef(list, r)
	}
	return list, r.extra()
}

// appendRef reads the reference in the current field.
func appendRef(list []Ref, r *reader) []Ref {
	if list == nil {
		list = make([]Ref, 0, r.count(leastRef))
	}
	in := r.inside(refShape)
	list = append(list, ref(&in))
	r.done(&in)
	return list
}

func ref(r *reader) (ref Ref) {
	for r.next() {
		switch r.num {
		case 1:
			ref.Module = r.str()
		case 2:
			ref.Decl = r.id()
		case 3:
			ref.Name = r.str()
		case 4:
			ref.Kind = r.str()
		}
	}
	ref.Extra = r.extra()
	r.need(ref.Name != "", 3)
	r.need(ref.Kind != "", 4)
	return ref
}

// derived reads what was derived for so many declarations.
func derived(r *reader, decls int) *Derived {
	d := &Derived{}
	hashed := false
	for r.next() {
		switch r.num {
		case 1:
			text, _ := r.content()
			if hashed = copy(d.Source[:], text) == sha256.Size && len(text) == sha256.Size; !hashed {
				r.fail(r.start, "a hash has %d bytes and not %d", len(text), sha256.Size)
			}
		case 2:
			d.Compiler = r.str()
		case 3:
			if d.Interfaces == nil {
				d.Interfaces = make([]Interface, 0, r.count(leastInterface))
			}
			at := r.start
			in := r.inside(interfaceShape)
			d.Interfaces = append(d.Interfaces, iface(&in))
			r.done(&in)
			if n := len(d.Interfaces); n > 1 && d.Interfaces[n-2].Module >= d.Interfaces[n-1].Module {
				r.fail(at, "the interface of %s does not come after the one before it", d.Interfaces[n-1].Module)
			}
		case 4:
			if d.Facts == nil {
				d.Facts = make([]Facts, 0, min(r.count(leastFacts), decls))
			}
			at := r.start
			in := r.inside(factsShape)
			d.Facts = append(d.Facts, facts(&in, decls))
			r.done(&in)
			if n := len(d.Facts); n > 1 && d.Facts[n-2].Decl >= d.Facts[n-1].Decl {
				r.fail(at, "facts of declaration %d do not come after those before them", d.Facts[n-1].Decl)
			}
		case 5:
			d.Order = appendRef(d.Order, r)
		}
	}
	d.Extra = r.extra()
	r.need(hashed, 1)
	return d
}

func iface(r *reader) (i Interface) {
	for r.next() {
		switch r.num {
		case 1:
			i.Module = r.str()
		case 2:
			i.Hash, _ = r.content()
		}
	}
	i.Extra = r.extra()
	r.need(i.Module != "", 1)
	r.need(i.Hash != "", 2)
	return i
}

func facts(r *reader, decls int) (f Facts) {
	for r.next() {
		switch r.num {
		case 1:
			f.Decl = r.integer(decls)
		case 2:
			in := r.inside(signatureShape)
			f.Signature = signature(&in)
			r.done(&in)
		case 3:
			f.Errors = known(r)
		case 4:
			f.Lifecycle = r.str()
		case 5:
			f.Implementors = known(r)
		}
	}
	f.Extra = r.extra()
	if f.Decl >= decls { // also the first, which is not written
		r.fail(0, "there is no declaration %d", f.Decl)
	}
	return f
}

// known reads the list of references in the current field.
func known(r *reader) *Refs {
	list := &Refs{}
	in := r.inside(refsShape)
	list.List, list.Extra = refs(&in)
	r.done(&in)
	return list
}

func signature(r *reader) *Signature {
	s := &Signature{}
	for r.next() {
		switch r.num {
		case 1:
			if s.Params == nil {
				s.Params = make([]string, 0, r.count(leastParam))
			}
			param := r.str()
			if param == "" {
				r.fail(r.start, "parameter %d has no type", len(s.Params))
			}
			s.Params = append(s.Params, param)
		case 2:
			s.Return = r.str()
		}
	}
	s.Extra = r.extra()
	return s
}
