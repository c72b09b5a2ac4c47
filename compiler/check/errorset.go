package check

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/syntax"
)

// callee is what a call can raise: the errors of another function or method, found by the
// fixed point, or fixed ones; neither for what is infallible.
type callee struct {
	of    Object // *Func, *TraitMethod or nil
	fixed []*ErrorDecl
	noun  string // "function" or "method"
	name  string // as messages name it
}

// errorSets finds the error set of every function, method and method of a trait: the least
// sets that contain what is raised, and what calls marked with ! raise. It is a worklist
// over the edges from callees to callers; sets are bits over the errors in order of name.
func (c *checker) errorSets(sums []*summary) {
	s := &errorSolver{c: c, ids: map[Object]int32{}}
	s.number()
	for _, sum := range sums {
		s.node(sum.f)
	}
	for _, t := range c.prog.Traits {
		for _, m := range t.Methods {
			s.node(m)
		}
	}
	s.bits = make([]uint64, len(s.order)*s.words)
	for _, sum := range sums {
		s.edgesOf(sum)
	}
	for _, t := range c.prog.Traits {
		for _, m := range t.Methods {
			for _, cl := range t.Impls {
				if impl := cl.Method(m.Name); impl != nil {
					s.edge(impl, m)
				}
			}
		}
	}
	s.solve()
	for o, id := range s.ids {
		switch o := o.(type) {
		case *Func:
			o.Raises = s.errorsOf(id)
		case *TraitMethod:
			o.Raises = s.errorsOf(id)
		}
	}
	for _, sum := range sums {
		c.recordRaised(sum)
	}
}

// errorSolver is the state of the fixed point.
type errorSolver struct {
	c      *checker
	errs   []*ErrorDecl // by name
	rank   map[*ErrorDecl]int
	words  int
	ids    map[Object]int32
	order  []Object
	bits   []uint64  // words for each node
	users  [][]int32 // whose sets contain those of a node
	queue  []int32
	queued []bool
}

func (s *errorSolver) number() {
	s.errs = slices.Clone(s.c.everyError())
	s.rank = make(map[*ErrorDecl]int, len(s.errs))
	for i, e := range s.errs {
		s.rank[e] = i
	}
	s.words = (len(s.errs) + 63) / 64
}

func (s *errorSolver) node(o Object) {
	s.ids[o] = int32(len(s.order))
	s.order = append(s.order, o)
	s.users = append(s.users, nil)
	s.queued = append(s.queued, false)
}

func (s *errorSolver) set(id int32) []uint64 {
	return s.bits[int(id)*s.words : (int(id)+1)*s.words]
}

func (s *errorSolver) edge(from, to Object) {
	a, ok := s.ids[from]
	b, ok2 := s.ids[to]
	if ok && ok2 {
		s.users[a] = append(s.users[a], b)
	}
}

// add puts errors into the set of a node.
func (s *errorSolver) add(id int32, errs ...*ErrorDecl) {
	set := s.set(id)
	for _, e := range errs {
		if i, ok := s.rank[e]; ok {
			set[i/64] |= 1 << (i % 64)
		}
	}
	s.push(id)
}

func (s *errorSolver) push(id int32) {
	if !s.queued[id] {
		s.queued[id] = true
		s.queue = append(s.queue, id)
	}
}

// edgesOf adds what the body of a function contributes.
func (s *errorSolver) edgesOf(sum *summary) {
	id := s.ids[sum.f]
	for _, at := range sum.sites {
		switch at.kind {
		case raised:
			if e := sum.f.Info.Errs[at.node]; e != nil {
				s.add(id, e)
			}
		case selectForced:
			s.add(id, s.c.predeclared("ChannelClosed")...)
		case propagated:
			to, ok := s.c.calleeOf(sum, at.node)
			if !ok {
				continue
			}
			if to.of != nil {
				s.edge(to.of, sum.f)
			}
			if len(to.fixed) > 0 {
				s.add(id, to.fixed...)
			}
		}
	}
}

func (s *errorSolver) solve() {
	for len(s.queue) > 0 {
		id := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		s.queued[id] = false
		from := s.set(id)
		for _, user := range s.users[id] {
			to, grown := s.set(user), false
			for w, b := range from {
				if b&^to[w] != 0 {
					to[w] |= b
					grown = true
				}
			}
			if grown {
				s.push(user)
			}
		}
	}
}

// errorsOf lists the set of a node in order of name; nil when it is empty.
func (s *errorSolver) errorsOf(id int32) []*ErrorDecl {
	var out []*ErrorDecl
	for w, b := range s.set(id) {
		for ; b != 0; b &= b - 1 {
			out = append(out, s.errs[w*64+bits.TrailingZeros64(b)])
		}
	}
	return out
}

// recordRaised says of every call, select and raise of a body what it can raise, and
// whether a closure of the body can.
func (c *checker) recordRaised(sum *summary) {
	for _, at := range sum.sites {
		errs := c.siteErrors(sum, at)
		if len(errs) == 0 {
			continue
		}
		info := sum.f.Info
		if info.Raised == nil {
			info.Raised = map[syntax.Node][]*ErrorDecl{}
		}
		info.Raised[at.node] = errs
		if at.closure && at.kind != bareCall && at.kind != caught && at.kind != spawnedCall {
			sum.f.ClosureRaises = true
		}
	}
}

// siteErrors is what a site can raise, after the fixed point.
func (c *checker) siteErrors(sum *summary, at site) []*ErrorDecl {
	switch at.kind {
	case raised:
		if e := sum.f.Info.Errs[at.node]; e != nil {
			return []*ErrorDecl{e}
		}
		return nil
	case selectForced:
		return c.predeclared("ChannelClosed")
	case noCall:
		return nil
	}
	to, _ := c.calleeOf(sum, at.node)
	return to.errors()
}

// errors is what a call of it can raise, after the fixed point.
func (t callee) errors() []*ErrorDecl {
	switch of := t.of.(type) {
	case *Func:
		return of.Raises
	case *TraitMethod:
		return of.Raises
	}
	return t.fixed
}

// calleeOf says what a call can raise. It is false for a call of which nothing is known,
// because it has an error.
func (c *checker) calleeOf(sum *summary, call syntax.Node) (callee, bool) {
	switch call := call.(type) {
	case *syntax.CallExpr:
		return c.calleeOfCall(sum, call)
	case *syntax.MethodExpr:
		return c.calleeOfMethod(sum, call)
	case *syntax.StaticExpr:
		return callee{noun: "method", name: call.Name.Name}, true
	}
	return callee{}, false
}

func (c *checker) calleeOfCall(sum *summary, call *syntax.CallExpr) (callee, bool) {
	to := callee{noun: "function", name: call.Name.Name}
	switch o := sum.f.Info.Target(call).(type) {
	case *Func:
		to.of, to.name = o, plainName(o)
	case Builtin:
		if t := sum.f.Info.Type(call); o == "pow" && t != nil && t.Kind == KInt {
			to.fixed = c.predeclared("MathError")
		}
	case *Var:
	default:
		return to, false
	}
	return to, true
}

func (c *checker) calleeOfMethod(sum *summary, call *syntax.MethodExpr) (callee, bool) {
	to := callee{noun: "method", name: call.Name.Name}
	switch o := sum.f.Info.Target(call).(type) {
	case *Func:
		to.of = o
		if o.Class == nil && o.App == nil {
			to.noun, to.name = "function", plainName(o)
		}
	case *TraitMethod:
		to.of = o
	case BuiltinMethod:
		switch recv := sum.f.Info.Type(call.X); {
		case recv == nil:
		case recv.Kind == KTask && o == "get":
			return c.calleeOfGet(sum, call, to), true
		case recv.Kind == KSender && o == "send", recv.Kind == KReceiver && o == "recv":
			to.fixed = c.predeclared("ChannelClosed")
		case recv.Kind == KSender && o == "try_send":
			to.fixed = c.predeclared("ChannelClosed", "ChannelFull")
		case recv.Kind == KReceiver && o == "try_recv":
			to.fixed = c.predeclared("ChannelClosed", "ChannelEmpty")
		}
	default:
		return to, false
	}
	return to, true
}

// calleeOfGet says what get() on a task raises: what the spawned call does when the task is
// a local that was bound to it for good, and else anything.
func (c *checker) calleeOfGet(sum *summary, call *syntax.MethodExpr, to callee) callee {
	if id, ok := unparen(call.X).(*syntax.IdentExpr); ok {
		if v, ok := sum.f.Info.Target(id).(*Var); ok && !v.Assigned {
			if spawned := sum.tasks[v]; spawned != nil {
				// A call with an error in it is taken to raise nothing more.
				from, _ := c.calleeOf(sum, spawned)
				to.of, to.fixed = from.of, from.fixed
				return to
			}
		}
	}
	to.fixed = c.everyError()
	return to
}

// plainName is the name of a function as messages have it: that of the generic one for an
// instance.
func plainName(f *Func) string {
	if f.Generic != nil {
		return f.Generic.Name
	}
	return f.Name
}

// everyError is all errors of the program, the predeclared ones included, in order of name.
func (c *checker) everyError() []*ErrorDecl {
	if c.allErrors == nil {
		seen := map[*ErrorDecl]bool{}
		add := func(e *ErrorDecl) {
			if !seen[e] {
				seen[e] = true
				c.allErrors = append(c.allErrors, e)
			}
		}
		for _, e := range c.prog.Errors {
			add(e)
		}
		for _, e := range c.prelude.Errs {
			add(e)
		}
		slices.SortStableFunc(c.allErrors, func(a, b *ErrorDecl) int { return strings.Compare(a.Name, b.Name) })
	}
	return c.allErrors
}

// predeclared finds predeclared errors, in order of name.
func (c *checker) predeclared(names ...string) []*ErrorDecl {
	key := names[0] + names[len(names)-1]
	if es, ok := c.runtimeErrors[key]; ok {
		return es
	}
	if c.runtimeErrors == nil {
		c.runtimeErrors = map[string][]*ErrorDecl{}
	}
	var out []*ErrorDecl
	for _, n := range names {
		if e := c.prelude.Errs[n]; e != nil {
			out = append(out, e)
		}
	}
	c.runtimeErrors[key] = out
	return out
}
