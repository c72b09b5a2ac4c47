package workspace

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/settgraph/sett/compiler/xref"
)

// fact is what is known about one declaration.
type fact struct {
	key   xref.Key
	sig   *xref.Signature
	class *xref.ClassInfo
	trait *xref.TraitInfo
	enum  *xref.EnumInfo
	isErr bool
	err   []xref.FieldInfo
}

// fileFacts are the facts about the declarations of a file, in order of their keys.
type fileFacts []fact

// splitFacts gives each file its facts.
func splitFacts(f *xref.Facts) map[string]fileFacts {
	all := make([]fact, 0, len(f.Signatures)+len(f.Classes)+len(f.Traits)+len(f.Enums)+len(f.Errors))
	for k, v := range f.Signatures {
		all = append(all, fact{key: k, sig: v})
	}
	for k, v := range f.Classes {
		all = append(all, fact{key: k, class: v})
	}
	for k, v := range f.Traits {
		all = append(all, fact{key: k, trait: v})
	}
	for k, v := range f.Enums {
		all = append(all, fact{key: k, enum: v})
	}
	for k, v := range f.Errors {
		all = append(all, fact{key: k, isErr: true, err: v})
	}
	slices.SortFunc(all, func(a, b fact) int { return compareKeys(a.key, b.key) })
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

// facts puts facts together again.
func (fs fileFacts) addTo(out *xref.Facts) {
	for _, f := range fs {
		switch {
		case f.sig != nil:
			out.Signatures[f.key] = f.sig
		case f.class != nil:
			out.Classes[f.key] = f.class
		case f.trait != nil:
			out.Traits[f.key] = f.trait
		case f.enum != nil:
			out.Enums[f.key] = f.enum
		case f.isErr:
			out.Errors[f.key] = f.err
		}
	}
}

func newFacts() *xref.Facts {
	return &xref.Facts{
		Signatures: map[xref.Key]*xref.Signature{}, Classes: map[xref.Key]*xref.ClassInfo{}, Traits: map[xref.Key]*xref.TraitInfo{},
		Enums: map[xref.Key]*xref.EnumInfo{}, Errors: map[xref.Key][]xref.FieldInfo{},
	}
}

func (f fact) equal(g fact) bool {
	return f.key == g.key && f.isErr == g.isErr && slices.Equal(f.err, g.err) && sameSignature(f.sig, g.sig) &&
		sameClass(f.class, g.class) && sameTrait(f.trait, g.trait) && sameEnum(f.enum, g.enum)
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
	at := map[xref.Key]int{}
	var out fileFacts
	for _, part := range parts {
		for _, f := range part {
			i, ok := at[f.key]
			if !ok {
				at[f.key] = len(out)
				out = append(out, f)
				continue
			}
			out[i].sig = mergeSignatures(out[i].sig, f.sig)
			out[i].trait = mergeTraits(out[i].trait, f.trait)
		}
	}
	slices.SortFunc(out, func(a, b fact) int { return compareKeys(a.key, b.key) })
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
		if x.Name != y.Name {
			if x.Name < y.Name {
				return -1
			}
			return 1
		}
		return compareKeys(x.Error, y.Error)
	})
	return &sum
}

func mergeTraits(a, b *xref.TraitInfo) *xref.TraitInfo {
	if a == nil || b == nil || sameTrait(a, b) {
		return a
	}
	sum := *a
	sum.Implementors = union(a.Implementors, b.Implementors)
	slices.SortFunc(sum.Implementors, compareKeys)
	return &sum
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
