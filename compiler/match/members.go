package match

import (
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// slot is a group of members among which a place means something.
type slot struct {
	kind xref.Kind
	dep  bool
}

// members pairs the members of two declarations that are one, and theirs.
func (m *matcher) members(old, new *xref.Decl) {
	if len(old.Members) == 0 || len(new.Members) == 0 {
		return
	}
	type key struct {
		kind xref.Kind
		name string
	}
	of := func(d *xref.Decl) key { return key{d.Kind, d.Name} }
	named := groupBy(old.Members, of, m.oldFree)
	for _, d := range new.Members {
		if g := named[of(d)]; len(g) > 0 && m.pairs[d] == nil {
			m.pair(g[0], d, ByName)
			named[of(d)] = g[1:]
		}
	}
	m.same(withBody(old.Members), withBody(new.Members))
	m.alike(withBody(old.Members), withBody(new.Members))
	m.placed(old.Members, new.Members)
	for _, d := range new.Members {
		if p := m.pairs[d]; p != nil {
			m.members(p.Old, d)
		}
	}
}

func withBody(ds []*xref.Decl) []*xref.Decl {
	var out []*xref.Decl
	for _, d := range ds {
		if f, ok := d.Node.(*syntax.FuncDecl); ok && f.Body != nil {
			out = append(out, d)
		}
	}
	return out
}

// placed pairs what is left and comes after the same member: in order, when the rest of it
// (the type, the parameters, the fields of a variant) is the same.
func (m *matcher) placed(olds, news []*xref.Decl) {
	type gap struct {
		slot
		after *xref.Decl // of the new ones; nil at the start
	}
	left := map[gap][]*xref.Decl{}
	after := map[slot]*xref.Decl{}
	for _, o := range olds {
		s := slot{o.Kind, o.Dep}
		if n := m.partner[o]; n != nil {
			after[s] = n
		} else if bodySpan(o) == (source.Span{Start: o.Full.End, End: o.Full.End}) {
			g := gap{s, after[s]}
			left[g] = append(left[g], o)
		}
	}
	if len(left) == 0 {
		return
	}
	clear(after)
	for _, n := range news {
		s := slot{n.Kind, n.Dep}
		if m.pairs[n] != nil {
			if m.pairs[n].By != ByPlace {
				after[s] = n
			}
			continue
		}
		g := gap{s, after[s]}
		for i, o := range left[g] {
			if m.shape(o).rest == m.shape(n).rest {
				m.pair(o, n, ByPlace)
				left[g] = left[g][i+1:]
				break
			}
		}
	}
}
