package gogen

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// reach is what a program can run. The rest, most of a library for instance, is not lowered.
type reach struct {
	g       *generator
	funcs   map[*check.Func]*facts
	methods map[*check.TraitMethod]bool // called through the trait
	queue   []*check.Func
	spawns  bool
	scopes  bool
	crossed map[*check.Type]bool // types of values that cross to tasks, and of what is in them
	ships   bool                 // closures are among them
	closure facts                // of all bodies of closures: calling one may run any of them
}

func newReach(g *generator) *reach {
	return &reach{
		g: g, funcs: map[*check.Func]*facts{}, methods: map[*check.TraitMethod]bool{},
		crossed: map[*check.Type]bool{},
	}
}

// need asks for a function.
func (r *reach) need(f *check.Func) *facts {
	if x, ok := r.funcs[f]; ok {
		return x
	}
	x := &facts{}
	r.funcs[f] = x
	if f.Extern == nil {
		r.queue = append(r.queue, f)
	}
	return x
}

// run walks the bodies of everything that was asked for, which asks for more.
func (r *reach) run() {
	for len(r.queue) > 0 {
		f := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		w := &reachWalk{reach: r, info: f.Info, into: r.funcs[f]}
		if body := bodyOf(f); body != nil {
			w.node(body)
		}
	}
}

// bodyOf is the body of a function or of a test.
func bodyOf(f *check.Func) *syntax.Block {
	if f.Decl == nil {
		return nil
	}
	return f.Decl.Body
}

// reachWalk walks one body.
type reachWalk struct {
	*reach
	info *check.Info
	into *facts
}

func (w *reachWalk) node(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ClosureExpr:
		outer := w.into
		w.into = &w.closure
		syntax.Children(n, w.node)
		w.into = outer
		return
	case *syntax.SpawnExpr:
		w.spawns = true
		w.spawned(n.Call)
	case *syntax.CallExpr:
		w.called(w.info.Target(n), nil)
	case *syntax.MethodExpr:
		w.called(w.info.Target(n), w.info.Type(n.X))
	case *syntax.ScopeStmt:
		w.scopes = true
	case *syntax.SelectStmt:
		w.into.waits = true
	case *syntax.ForStmt:
		if w.info.Type(n.Iter).Kind == check.KReceiver {
			w.into.waits = true
		}
	case *syntax.AssignStmt:
		w.into.assigned(w.info, n.Target)
	case *syntax.IncDecStmt:
		w.into.assigned(w.info, n.Target)
	}
	syntax.Children(n, w.node)
}

// called notes the target of a call.
func (w *reachWalk) called(to check.Object, on *check.Type) {
	switch to := to.(type) {
	case *check.Func:
		w.into.call(w.need(to))
		if to.Extern != nil {
			w.into.extern(to)
		}
		w.into.waits = w.into.waits || w.g.isSingleton[to.Class]
	case *check.TraitMethod:
		w.methods[to] = true
		for _, c := range to.Trait.Impls {
			if m := c.Method(to.Name); m != nil {
				w.into.call(w.need(m))
				w.into.waits = w.into.waits || w.g.isSingleton[c]
			}
		}
	case *check.Var:
		w.into.invokes = true
	case check.BuiltinMethod:
		w.into.method(string(to), on)
	}
}

// spawned notes what a spawned call takes along.
func (w *reachWalk) spawned(call syntax.Expr) {
	var es []syntax.Expr
	switch c := unparen(call).(type) {
	case *syntax.CallExpr:
		es = c.Args
		if v, ok := w.info.Target(c).(*check.Var); ok {
			w.cross(v.Type)
		}
	case *syntax.MethodExpr:
		es = c.Args
		if t := w.info.Type(c.X); t != nil {
			w.cross(t)
		}
	}
	switch o := targetOf(w.info, call).(type) {
	case *check.Func:
		for _, p := range o.Params {
			w.cross(p.Type)
		}
	case *check.TraitMethod:
		for _, p := range o.Params {
			w.cross(p.Type)
		}
	default:
		for _, e := range es {
			w.cross(w.info.Type(e))
		}
	}
}

func targetOf(info *check.Info, call syntax.Expr) check.Object {
	switch c := unparen(call).(type) {
	case *syntax.CallExpr, *syntax.MethodExpr:
		return info.Target(c)
	}
	return nil
}

// cross notes a type of values that cross to tasks, and those of what is in them.
func (r *reach) cross(t *check.Type) {
	if t == nil || r.crossed[t] {
		return
	}
	r.crossed[t] = true
	switch t.Kind {
	case check.KFunc:
		r.ships = true
	case check.KArray, check.KSet, check.KNullable:
		r.cross(t.Elem)
	case check.KMap:
		r.cross(t.Key)
		r.cross(t.Elem)
	case check.KClass:
		for _, f := range t.Class.Fields {
			r.cross(f.Type)
		}
	case check.KTrait:
		for _, c := range t.Trait.Impls {
			r.cross(c.Type)
		}
	case check.KEnum:
		for _, v := range t.Enum.Variants {
			for _, f := range v.Fields {
				r.cross(f.Type)
			}
		}
	}
}

// locked says whether methods of a class lock their object: it is a singleton that tasks
// may share.
func (g *generator) locked(c *check.Class) bool {
	return g.reach.spawns && g.isSingleton[c] && (g.reach.scopes || g.reach.crossed[c.Type])
}

// shipped says whether closures of the program are kept together with a way to copy what
// they captured: when any closure may cross to a task.
func (g *generator) shipped(*check.Type) bool { return g.reach.ships }
