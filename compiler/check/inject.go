package check

import (
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// lifecycles is what is known of the graph of injected dependencies.
type lifecycles struct {
	known     bool // the classes of the text are in it; instances follow as they are made
	overrides map[*Class]syntax.Lifecycle
	state     map[*Class]visitState
	effective map[*Class]syntax.Lifecycle
}

type visitState uint8

const (
	unvisited visitState = iota
	visiting
	visited
)

func (l *lifecycles) init() {
	l.overrides = map[*Class]syntax.Lifecycle{}
	l.state = map[*Class]visitState{}
	l.effective = map[*Class]syntax.Lifecycle{}
}

// injection checks the graph of dependencies, and finds the lifecycle of every class.
func (c *checker) injection() {
	for _, d := range c.decls.all {
		switch o := d.obj.(type) {
		case *Class:
			c.dependencies(o, "class")
		case *App:
			c.dependencies(o.Class, "app")
		}
	}
	if c.decls.app != nil {
		c.lifecycleOverrides()
	}
	c.graph.known = true
	c.enroll(c.prog.Classes)
	c.enroll(c.instances.classes)
	if app := c.prog.App; app != nil {
		c.findCycle(app.Class)
	}
}

// dependencies reports injected fields that are no classes. Those of an instance were
// reported with its generic class unless they depend on its parameters.
func (c *checker) dependencies(cl *Class, kind string) {
	for i, f := range cl.Fields {
		if !f.Injected {
			return
		}
		if f.Type.Kind == KClass || f.Type.Kind == KParam || f.Type.broken || cl.Generic != nil && !cl.Generic.Fields[i].Type.open {
			continue
		}
		c.report(c.phase, diag.NotInjectable, cl.File, f.Decl.Span(),
			"injected dependency '%s' in %s '%s' is not a known class; only classes can be injected", injectedName(f.Type), kind, cl.Name)
	}
}

func injectedName(t *Type) string {
	if t.Kind == KTrait {
		return t.Trait.Name
	}
	return t.text
}

// enroll puts classes into the graph: they are in no cycle, or that is reported, and their
// lifecycles are final.
func (c *checker) enroll(classes []*Class) {
	for _, cl := range classes {
		if cl.Injected() {
			c.findCycle(cl)
		}
		cl.Lifecycle = c.lifecycle(cl)
	}
}

// injected are the classes that the container puts into a class.
func (cl *Class) injected() []*Class {
	var out []*Class
	for _, f := range cl.Fields {
		if !f.Injected {
			break
		}
		if f.Type.Kind == KClass {
			out = append(out, f.Type.Class)
		}
	}
	return out
}

// findCycle reports the circular dependencies that a class leads to, each once.
func (c *checker) findCycle(cl *Class) {
	var path []*Class
	var visit func(cl *Class)
	visit = func(cl *Class) {
		switch c.graph.state[cl] {
		case visited:
			return
		case visiting:
			at := cl
			c.report(c.phase, diag.CircularDeps, at.File, at.Decl.Name.Span(), "circular dependency detected: %s", cyclePath(path, cl))
			return
		}
		c.graph.state[cl] = visiting
		path = append(path, cl)
		for _, dep := range cl.injected() {
			visit(dep)
		}
		path = path[:len(path)-1]
		c.graph.state[cl] = visited
	}
	visit(cl)
}

// cyclePath prints the end of a path that closes at a class: A -> B -> A.
func cyclePath(path []*Class, closing *Class) string {
	i := len(path) - 1
	for i > 0 && path[i] != closing {
		i--
	}
	var b strings.Builder
	for _, cl := range path[i:] {
		b.WriteString(cl.Name + " -> ")
	}
	return b.String() + closing.Name
}

// lifecycle is the effective lifecycle of a class: the shortest of its own and those of
// everything that is injected into it.
func (c *checker) lifecycle(cl *Class) syntax.Lifecycle {
	if l, ok := c.graph.effective[cl]; ok {
		return l
	}
	l := cl.Decl.Lifecycle
	if o, ok := c.graph.overrides[cl]; ok {
		l = min(l, o)
	}
	c.graph.effective[cl] = l // for what depends on it in a circle
	for _, dep := range cl.injected() {
		l = min(l, c.lifecycle(dep))
	}
	c.graph.effective[cl] = l
	return l
}

// lifecycleOverrides reads the lines of the app that shorten lifecycles.
func (c *checker) lifecycleOverrides() {
	d := c.decls.app
	app := d.obj.(*App)
	for _, o := range app.Decl.Overrides {
		if o.Class == nil || o.Class.Name == "" {
			continue
		}
		at := o.Class.Span()
		cl, ok := c.lookup(d.mod, o.Class.Name).(*Class)
		switch {
		case !ok || cl.isGeneric():
			c.report(diag.PhaseDecls, diag.OverrideUnknown, d.file, at, "lifecycle override: unknown class '%s'", o.Class.Name)
		case o.Lifecycle > cl.Decl.Lifecycle:
			c.report(diag.PhaseDecls, diag.OverrideLonger, d.file, at,
				"lifecycle override: cannot lengthen lifecycle of '%s' from %s to %s; overrides can only shorten lifecycle (singleton -> scoped -> transient)",
				o.Class.Name, cl.Decl.Lifecycle, o.Lifecycle)
		default:
			c.graph.overrides[cl] = o.Lifecycle
		}
	}
	for _, f := range app.Class.Fields {
		if f.Ambient || f.Type.Kind != KClass {
			continue
		}
		if _, ok := c.graph.overrides[f.Type.Class]; ok {
			c.report(diag.PhaseDecls, diag.OverrideInApp, d.file, f.Decl.Span(),
				"app bracket dependency '%s' has overridden lifecycle; use scope blocks to access scoped/transient instances", f.Name)
		}
	}
}

// orderSingletons lists what the entry of a program with an app builds before the app: what
// the app needs, whatever its lifecycle, and every singleton that an injected class needs.
func (c *checker) orderSingletons() {
	app := c.prog.App
	if app == nil {
		return
	}
	done := map[*Class]bool{}
	var build func(cl *Class)
	build = func(cl *Class) {
		if done[cl] {
			return
		}
		done[cl] = true
		for _, dep := range cl.injected() {
			build(dep)
		}
		c.prog.DI.Singletons = append(c.prog.DI.Singletons, cl)
	}
	for _, dep := range app.Class.injected() {
		build(dep)
	}
	for _, cl := range c.prog.Classes {
		if !cl.Injected() {
			continue
		}
		if cl.Lifecycle == syntax.Singleton {
			build(cl)
			continue
		}
		for _, dep := range cl.injected() {
			if dep.Lifecycle == syntax.Singleton {
				build(dep)
			}
		}
	}
}

// wire decides how a scope block builds what it binds. The seeds are the types of the seed
// expressions. It reports what is wrong; the second result is the type of each binding.
func (c *checker) wire(e *env, s *syntax.ScopeStmt, seeds []*Type) (*Wiring, []*Type) {
	w := wiring{c: c, file: e.file, at: s.Span(), seeded: map[*Class]bool{}, done: map[*Class]bool{}, out: &Wiring{}}
	for i, t := range seeds {
		w.seed(s.Seeds[i], t)
	}
	types := make([]*Type, len(s.Bindings))
	for i, b := range s.Bindings {
		types[i] = c.scopeBinding(e, b)
		if types[i].Kind == KClass && !w.failed {
			w.bind(b, types[i].Class)
		}
	}
	return w.out, types
}

// scopeBinding is the type of a binding: a class, or invalid after an error.
func (c *checker) scopeBinding(e *env, b *syntax.Param) *Type {
	if n, ok := b.Type.(*syntax.NamedType); ok && len(n.Args) == 0 && c.basicType(n.Name.Name) == nil && e.params[n.Name.Name] == nil {
		name, m := n.Name.Name, e.mod
		if n.Module != nil {
			name, m = n.Module.Name+"."+name, c.imported(e.mod, n.Module.Name)
		}
		if m == nil || !m.Missing && c.lookup(m, n.Name.Name) == nil {
			c.report(c.phase, diag.BindingType, e.file, b.Type.Span(), "unknown class '%s' in scope binding", name)
			return c.u.Invalid
		}
	}
	t := c.resolve(e, b.Type)
	if t.Kind != KClass && !t.broken {
		c.report(c.phase, diag.BindingType, e.file, b.Type.Span(), "scope binding must be a class type, found %s", t)
		return c.u.Invalid
	}
	return t
}

// wiring finds what one scope block builds.
type wiring struct {
	c      *checker
	file   *source.File
	at     source.Span
	seeded map[*Class]bool
	done   map[*Class]bool
	failed bool // a seed was wrong: nothing more can be said
	out    *Wiring
}

func (w *wiring) seed(x syntax.Expr, t *Type) {
	switch {
	case t.broken:
		w.failed = true
	case t.Kind != KClass:
		w.failed = true
		w.c.report(w.c.phase, diag.SeedType, w.file, x.Span(), "scope seed must be a class instance, found %s", t)
	case t.Class.Lifecycle != syntax.Scoped:
		w.failed = true
		w.c.report(w.c.phase, diag.SeedLifecycle, w.file, x.Span(),
			"scope seed must be a scoped class, but '%s' has lifecycle '%s'; add 'scoped' keyword: scoped class %s { ... }", t, t.Class.Lifecycle, t)
	default:
		w.seeded[t.Class] = true
		w.out.Seeds = append(w.out.Seeds, t.Class)
	}
}

// bind makes sure that the block can build the class of a binding.
func (w *wiring) bind(b *syntax.Param, cl *Class) {
	if cl.Lifecycle != syntax.Scoped {
		w.c.report(w.c.phase, diag.NotReachable, w.file, b.Span(),
			"scope block: binding type '%s' is not reachable from seeds; add a seed for '%s' or one of its transitive scoped dependencies", cl.Name, cl.Name)
		return
	}
	w.build(cl)
}

// build adds a scoped class to what the block builds, after what it needs.
func (w *wiring) build(cl *Class) {
	if w.seeded[cl] || w.done[cl] {
		return
	}
	w.done[cl] = true // before what it needs: circles were reported with the graph
	for _, f := range cl.Fields {
		if !f.Injected {
			w.c.report(w.c.phase, diag.MustBeSeed, w.file, w.at,
				"scoped class '%s' has non-injected fields and must be provided as a seed; provide it as a seed expression: scope(%s { field: val }) |...| { ... }", cl.Name, cl.Name)
			break
		}
		if f.Type.Kind != KClass {
			continue
		}
		dep := f.Type.Class
		switch {
		case dep.Lifecycle == syntax.Scoped:
			w.build(dep)
		case w.c.prog.App == nil:
			w.c.report(w.c.phase, diag.CannotWire, w.file, w.at,
				"scope block: cannot wire field '%s' of class '%s': dependency '%s' is not available as a seed, singleton, or scoped instance; singletons exist only in programs with an app", f.Name, cl.Name, dep.Name)
		}
	}
	w.out.Build = append(w.out.Build, cl)
}
