package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// Arrays are shared by reference and may grow, so an access has to read first where the
// elements are. Around statements that cannot change that, the slice is kept in a Go
// variable: the reads are spared, and Go may see that an index is in range.

// place is where an array is found again: in a variable, or in fields from there on.
type place struct {
	root *check.Var // nil for self
	path string     // ".a.b"
	row  string     // the Go text of an index into the array there, which gives another array
}

// held is the slice of an array, or of bytes, in a Go variable.
type held struct {
	local
	bytes bool
	reads []*local // what the text of the place reads
	base  *held    // of a row: the array that it is in
	at    string   // of a row: its index there
}

// use marks what the slice is made of as read, too.
func (h *held) use() {
	if h.used {
		return
	}
	h.used = true
	for _, l := range h.reads {
		l.used = true
	}
	if h.base != nil {
		h.base.use()
	}
}

// hoister looks for arrays whose slices can be kept while a statement runs.
type hoister struct {
	*fn
	does     *facts
	assigned map[*check.Var]bool
	added    []place
}

// hoist keeps slices in variables until the result is called; n, all that is lowered until
// then, starts here. Outside of loops an array must be used twice to be worth it. What is
// used beside an inner loop is not: it would take registers from that.
func (f *fn) hoist(n syntax.Node, loop bool) (release func()) {
	uses := map[place]int{}
	var bases, rows []*syntax.IndexExpr
	around := false // the innermost loop here has loops in it
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.ClosureExpr, *syntax.SpawnExpr:
			return // it may run when the slice is another one
		case *syntax.WhileStmt, *syntax.ForStmt:
			outer := around
			around = hasLoop(n)
			syntax.Children(n, visit)
			around = outer
			return
		case *syntax.IndexExpr:
			if on := f.info.Type(n.X); around || on.Kind != check.KArray && on.Kind != check.KBytes {
				break
			}
			if p, _, ok := f.placeOf(n.X); ok {
				uses[p]++
				bases = append(bases, n)
			} else if row, ok := unparen(n.X).(*syntax.IndexExpr); ok && loop && f.info.Type(row.X).Kind == check.KArray {
				rows = append(rows, row)
			}
		}
		syntax.Children(n, visit)
	}
	visit(n)
	if len(bases) == 0 {
		return func() {}
	}
	h := &hoister{fn: f, does: f.g.region(f, n), assigned: assignedWithin(f.info, n)}
	if f.g.reach.spawns && h.does.waits {
		return func() {}
	}
	for _, e := range bases {
		if p, _, _ := f.placeOf(e.X); loop || uses[p] > 1 {
			h.whole(e.X)
		}
	}
	for _, e := range rows {
		h.row(e)
	}
	return func() {
		for _, p := range h.added {
			delete(f.held, p)
		}
	}
}

// hasLoop says whether there are loops in a statement.
func hasLoop(n syntax.Node) bool {
	found := false
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		switch n.(type) {
		case *syntax.WhileStmt, *syntax.ForStmt:
			found = true
		case *syntax.ClosureExpr:
			return
		}
		if !found {
			syntax.Children(n, visit)
		}
	}
	syntax.Children(n, visit)
	return found
}

// placeOf is where an expression finds an array, and the Go text of that; no when it is not
// made of a variable that there is already, and fields.
func (f *fn) placeOf(e syntax.Expr) (place, val, bool) {
	switch e := unparen(e).(type) {
	case *syntax.SelfExpr:
		return place{}, val{text: "self"}, true
	case *syntax.IdentExpr:
		switch o := f.info.Target(e).(type) {
		case *check.Var:
			if l, ok := f.vars[o]; ok {
				return place{root: o}, val{text: l.name}, true
			}
		case *check.Field:
			name := "." + f.fieldName(e)
			return place{path: name}, val{text: "self" + name}, true
		}
	case *syntax.FieldExpr:
		if _, ok := f.info.Target(e).(*check.Field); ok {
			if p, v, ok := f.placeOf(e.X); ok {
				name := "." + f.fieldName(e)
				p.path += name
				v.text += name
				return p, v, true
			}
		}
	}
	return place{}, val{}, false
}

// whole keeps the slice of the array that e finds at a place.
func (h *hoister) whole(e syntax.Expr) {
	p, v, _ := h.placeOf(e)
	if h.held[p] != nil || h.does.resizes[h.info.Type(e)] || !h.stays(e) {
		return
	}
	s := &held{}
	word := "self"
	if p.root != nil {
		l := h.vars[p.root]
		s.reads = []*local{l}
		word = l.name
	}
	if i := len(p.path) - len(lastField(p.path)); p.path != "" {
		word = p.path[i:]
	}
	if s.bytes = h.info.Type(e).Kind == check.KBytes; s.bytes {
		h.add(p, s, word, v.text+".B")
		return
	}
	h.add(p, s, word, v.text+".S")
}

// lastField is the name at the end of a path.
func lastField(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' {
			return path[i+1:]
		}
	}
	return path
}

// stays says whether a place is the same all the while.
func (h *hoister) stays(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.IdentExpr:
		switch o := h.info.Target(e).(type) {
		case *check.Var:
			return !h.assigned[o]
		case *check.Field:
			return !h.does.writes[o]
		}
	case *syntax.FieldExpr:
		field, _ := h.info.Target(e).(*check.Field)
		return !h.does.writes[field] && h.stays(e.X)
	}
	return true
}

// row keeps the slice of an array that is at an index of another one that is kept. Should
// there be no such index, that must be said only when an element is wanted.
func (h *hoister) row(e *syntax.IndexExpr) {
	p, _, ok := h.placeOf(e.X)
	base := h.held[p]
	if !ok || base == nil || h.info.Type(e).Kind != check.KArray || h.does.resizes[h.info.Type(e)] || h.does.stores[h.info.Type(e.X)] {
		return
	}
	s := &held{base: base}
	index, ok := h.fixed(e.Index, &s.reads)
	if !ok || !h.same(e.Index) {
		return
	}
	s.at, p.row = index.text, index.text
	if h.held[p] == nil {
		h.add(p, s, "row", "rt.Row("+base.name+", "+index.text+")")
	}
}

func (h *hoister) add(p place, s *held, word, text string) {
	if h.held == nil {
		h.fn.held = map[place]*held{}
	}
	s.name = h.temp(word + "_s")
	h.held[p] = s
	h.added = append(h.added, p)
	h.emitIf(&s.local, s.name+" := "+text)
}

// fixed is the Go text of an index made of variables and constants.
func (f *fn) fixed(e syntax.Expr, reads *[]*local) (val, bool) {
	switch e := unparen(e).(type) {
	case *syntax.IntLit:
		return constant(e.Value), true
	case *syntax.IdentExpr:
		if v, ok := f.info.Target(e).(*check.Var); ok {
			if l, ok := f.vars[v]; ok {
				*reads = append(*reads, l)
				return val{text: l.name}, true
			}
		}
	case *syntax.BinaryExpr:
		if e.Op == syntax.PLUS || e.Op == syntax.MINUS || e.Op == syntax.STAR {
			x, ok := f.fixed(e.X, reads)
			y, also := f.fixed(e.Y, reads)
			if ok && also {
				return f.binary(e.Op, x, y, f.info.Type(e)), true
			}
		}
	}
	return val{}, false
}

// same says whether no variable of an index is assigned.
func (h *hoister) same(e syntax.Expr) bool {
	switch e := unparen(e).(type) {
	case *syntax.IdentExpr:
		v, _ := h.info.Target(e).(*check.Var)
		return !h.assigned[v]
	case *syntax.BinaryExpr:
		return h.same(e.X) && h.same(e.Y)
	}
	return true
}

// assignedWithin says which variables are assigned in some statements.
func assignedWithin(info *check.Info, n syntax.Node) map[*check.Var]bool {
	set := map[*check.Var]bool{}
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		var target syntax.Expr
		switch n := n.(type) {
		case *syntax.AssignStmt:
			target = n.Target
		case *syntax.IncDecStmt:
			target = n.Target
		}
		if id, ok := unparen(target).(*syntax.IdentExpr); ok {
			if v, ok := info.Target(id).(*check.Var); ok {
				set[v] = true
			}
		}
		syntax.Children(n, visit)
	}
	visit(n)
	return set
}

// heldAt is the kept slice of the array that e finds, or nil.
func (f *fn) heldAt(e syntax.Expr) *held {
	if len(f.held) == 0 {
		return nil
	}
	p, _, ok := f.placeOf(e)
	if row, index := unparen(e).(*syntax.IndexExpr); !ok && index {
		var at val
		var reads []*local
		if p, _, ok = f.placeOf(row.X); ok {
			at, ok = f.fixed(row.Index, &reads)
			p.row = at.text
		}
	}
	if !ok {
		return nil
	}
	return f.held[p]
}
