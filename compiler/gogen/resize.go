package gogen

import (
	"maps"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// facts are what running a function, or some statements, may do to the places where arrays
// are and to their lengths.
type facts struct {
	resizes map[*check.Type]bool  // the types of arrays and bytes whose length it may change
	stores  map[*check.Type]bool  // the types of arrays and maps whose elements it may replace
	writes  map[*check.Field]bool // the fields that it may assign
	calls   map[*facts]bool
	invokes bool // calls closures
	waits   bool // for other tasks, which may share arrays with this one
}

func (x *facts) call(y *facts) { note(&x.calls, y) }

// note adds to a set that may not be there yet.
func note[K comparable](set *map[K]bool, k K) {
	if *set == nil {
		*set = map[K]bool{}
	}
	(*set)[k] = true
}

// method notes what a method of a built-in type does.
func (x *facts) method(name string, on *check.Type) {
	if on == nil {
		return
	}
	switch on.Kind {
	case check.KArray, check.KBytes:
		switch name {
		case "push", "pop", "insert_at", "remove_at", "clear":
			note(&x.resizes, on)
		case "reverse":
			note(&x.stores, on)
		}
	case check.KMap:
		if name == "insert" || name == "remove" {
			note(&x.stores, on)
		}
	case check.KTask, check.KSender, check.KReceiver:
		x.waits = true
	}
}

// extern notes what an extern does: it may do anything to what it is given.
func (x *facts) extern(to *check.Func) {
	x.waits = true
	for _, p := range to.Params {
		note(&x.resizes, p.Type)
		note(&x.stores, p.Type)
	}
}

// assigned notes the target of an assignment.
func (x *facts) assigned(info *check.Info, target syntax.Expr) {
	target = unparen(target)
	if e, ok := target.(*syntax.IndexExpr); ok {
		note(&x.stores, info.Type(e.X))
		return
	}
	if field, ok := info.Target(target).(*check.Field); ok {
		note(&x.writes, field)
	}
}

// region is all that running some statements may do, with what they call.
func (g *generator) region(f *fn, n syntax.Node) *facts {
	own := &facts{}
	(&reachWalk{reach: g.reach, info: f.info, into: own}).node(n)
	sum := &facts{resizes: map[*check.Type]bool{}, stores: map[*check.Type]bool{}, writes: map[*check.Field]bool{}}
	sum.add(own, &g.reach.closure, map[*facts]bool{})
	return sum
}

func (x *facts) add(y, closures *facts, seen map[*facts]bool) {
	if seen[y] {
		return
	}
	seen[y] = true
	maps.Copy(x.resizes, y.resizes)
	maps.Copy(x.stores, y.stores)
	maps.Copy(x.writes, y.writes)
	x.waits = x.waits || y.waits
	if y.invokes {
		x.add(closures, closures, seen)
	}
	for c := range y.calls {
		x.add(c, closures, seen)
	}
}

// resizes says whether a loop's body may change the length of arrays of a type, or of bytes.
func (g *generator) resizes(f *fn, body *syntax.Block, t *check.Type) bool {
	return g.region(f, body).resizes[t]
}
