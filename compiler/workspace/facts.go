package workspace

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/settgraph/sett/compiler/xref"
)

// fact is one thing that is known about a declaration.
type fact struct {
	key  xref.Key
	kind factKind

	sig        *xref.Signature
	class      *xref.ClassInfo
	trait      *xref.TraitInfo
	enum       *xref.EnumInfo
	err        []xref.FieldInfo
	implements []xref.Key
}

// factKind says which map of xref.Facts a fact is from, and which of its fields is in use.
type factKind uint8

const (
	ofSignature factKind = iota
	ofClass
	ofTrait
	ofEnum
	ofError
	ofImplements
)

// fileFacts are the facts about the declarations of a file, in order of their keys.
type fileFacts []fact

// splitFacts gives each file its facts.
func splitFacts(f *xref.Facts) map[string]fileFacts {
	all := make([]fact, 0, len(f.Signatures)+len(f.Classes)+len(f.Traits)+len(f.Enums)+len(f.Errors)+len(f.Implements))
	for k, v := range f.Signatures {
		all = append(all, fact{key: k, kind: ofSignature, sig: v})
	}
	for k, v := range f.Classes {
		all = append(all, fact{key: k, kind: ofClass, class: v})
	}
	for k, v := range f.Traits {
		all = append(all, fact{key: k, kind: ofTrait, trait: v})
	}
	for k, v := range f.Enums {
		all = append(all, fact{key: k, kind: ofEnum, enum: v})
	}
	for k, v := range f.Errors {
		all = append(all, fact{key: k, kind: ofError, err: v})
	}
	for k, v := range f.Implements {
		all = append(all, fact{key: k, kind: ofImplements, implements: v})
	}
	slices.SortFunc(all, compareFacts)
	out := map[string]fileFacts{}
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].key.File == all[0].key.File {
			n++
		}
		out[all[0].key.File] = all[:n:n]
		all = all[n:]
	}
	return out
}

func compareFacts(a, b fact) int {
	return cmp.Or(compareKeys(a.key, b.key), cmp.Compare(a.kind, b.kind))
}

// addTo puts facts together again.
func (fs fileFacts) addTo(out *xref.Facts) {
	for _, f := range fs {
		switch f.kind {
		case ofSignature:
			out.Signatures[f.key] = f.sig
		case ofClass:
			out.Classes[f.key] = f.class
		case ofTrait:
			out.Traits[f.key] = f.trait
		case ofEnum:
			out.Enums[f.key] = f.enum
		case ofError:
			out.Errors[f.key] = f.err
		case ofImplements:
			out.Implements[f.key] = f.implements
		}
	}
}

func newFacts() *xref.Facts {
	return &xref.Facts{
		Signatures: map[xref.Key]*xref.Signature{}, Classes: map[xref.Key]*xref.ClassInfo{}, Traits: map[xref.Key]*xref.TraitInfo{},
		Enums: map[xref.Key]*xref.EnumInfo{}, Errors: map[xref.Key][]xref.FieldInfo{}, Implements: map[xref.Key][]xref.Key{},
	}
}

func (f fact) equal(g fact) bool {
	return f.key == g.key && f.kind == g.kind && slices.Equal(f.err, g.err) && slices.Equal(f.implements, g.implements) &&
		sameSignature(f.sig, g.sig) && sameClass(f.class, g.class) && sameTrait(f.trait, g.trait) && sameEnum(f.enum, g.enum)
}

func sameSignature(a, b *xref.Signature) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	return a.Result == b.Result && a.Self == b.Self && a.Requires == b.Requires && a.Ensures == b.Ensures && a.Known == b.Known &&
		slices.Equal(a.Params, b.Params) &&
		slices.EqualFunc(a.Errors, b.Errors, func(x, y xref.Raised) bool {
			return x.Name == y.Name && x.Error == y.Error && slices.Equal(x.RaisedAt, y.RaisedAt) && slices.Equal(x.From, y.From)
		})
}

func sameClass(a, b *xref.ClassInfo) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	return a.Lifecycle == b.Lifecycle && a.Injected == b.Injected && a.Invariants == b.Invariants &&
		slices.Equal(a.Fields, b.Fields) && slices.Equal(a.Impls, b.Impls)
}

func sameTrait(a, b *xref.TraitInfo) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	return slices.Equal(a.Methods, b.Methods) && slices.Equal(a.Defaults, b.Defaults) && slices.Equal(a.Implementors, b.Implementors)
}

func sameEnum(a, b *xref.EnumInfo) bool {
	if a == nil || b == nil || a == b {
		return a == b
	}
	return slices.EqualFunc(a.Variants, b.Variants, func(x, y xref.VariantInfo) bool {
		return x.Name == y.Name && slices.Equal(x.Fields, y.Fields)
	})
}

// mergeFacts puts together what programs know of one file. Of what a class or an enum is, the
// first program that has it decides; error sets, and who implements a trait, depend on what is
// in the program, and add up.
func mergeFacts(parts []fileFacts) fileFacts {
	if len(parts) == 1 {
		return parts[0]
	}
	var all, out fileFacts
	for _, part := range parts {
		all = append(all, part...)
	}
	slices.SortStableFunc(all, compareFacts)
	for _, f := range all {
		last := len(out) - 1
		if last < 0 || compareFacts(out[last], f) != 0 {
			out = append(out, f)
			continue
		}
		out[last].sig = mergeSignatures(out[last].sig, f.sig)
		out[last].trait = mergeTraits(out[last].trait, f.trait)
		out[last].implements = mergeKeys(out[last].implements, f.implements)
	}
	return out
}

func mergeSignatures(a, b *xref.Signature) *xref.Signature {
	if a == nil || b == nil || sameSignature(a, b) {
		return a
	}
	sum := *a
	sum.Known = a.Known || b.Known
	sum.Errors = slices.Clone(a.Errors)
	for _, e := range b.Errors {
		i := slices.IndexFunc(sum.Errors, func(o xref.Raised) bool { return o.Name == e.Name && o.Error == e.Error })
		if i < 0 {
			sum.Errors = append(sum.Errors, e)
			continue
		}
		sum.Errors[i].RaisedAt = union(sum.Errors[i].RaisedAt, e.RaisedAt)
		sum.Errors[i].From = union(sum.Errors[i].From, e.From)
	}
	slices.SortFunc(sum.Errors, func(x, y xref.Raised) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), compareKeys(x.Error, y.Error))
	})
	return &sum
}

func mergeTraits(a, b *xref.TraitInfo) *xref.TraitInfo {
	if a == nil || b == nil || sameTrait(a, b) {
		return a
	}
	sum := *a
	sum.Implementors = mergeKeys(a.Implementors, b.Implementors)
	return &sum
}

// mergeKeys is the keys of both, in order when they differ.
func mergeKeys(a, b []xref.Key) []xref.Key {
	if slices.Equal(a, b) {
		return a
	}
	out := union(a, b)
	slices.SortFunc(out, compareKeys)
	return out
}

// union is a and what of b is not in it.
func union[T comparable](a, b []T) []T {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			out = append(out, x)
		}
	}
	return out
}

// writeErrors writes what the functions of a file can raise, but not why.
func (fs fileFacts) writeErrors(w io.Writer) {
	for _, f := range fs {
		if f.sig == nil || f.key.Kind == xref.Test {
			continue
		}
		fmt.Fprintf(w, "%s %d %v", f.key.Qual, f.key.Kind, f.sig.Known)
		for _, e := range f.sig.Errors {
			fmt.Fprintf(w, " %s %s %s", e.Name, e.Error.File, e.Error.Qual)
		}
		io.WriteString(w, "\n")
	}
}

// errorsOf identifies the errors that a program declares.
func errorsOf(f *xref.Facts) [32]byte {
	h := sha256.New()
	for _, k := range slices.SortedFunc(maps.Keys(f.Errors), compareKeys) {
		fmt.Fprintf(h, "%s %s\n", k.File, k.Qual)
	}
	return [32]byte(h.Sum(nil))
}

// points says whether a fact has a place in one of the files.
func (fs fileFacts) points(files map[string]bool) bool {
	in := func(p xref.Place) bool { return files[p.File] }
	for _, f := range fs {
		if f.sig == nil {
			continue
		}
		for _, e := range f.sig.Errors {
			if slices.ContainsFunc(e.RaisedAt, in) || slices.ContainsFunc(e.From, func(r xref.RaisedBy) bool { return in(r.At) }) {
				return true
			}
		}
	}
	return false
}
