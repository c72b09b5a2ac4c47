package plutogen

import (
	"fmt"
	"maps"
)

// opaque is the type of variables that nothing random uses.
var opaque = &typ{kind: kVoid, text: "opaque"}

// concurrent writes statements with tasks or channels. Whoever runs first, they mean the
// same: tasks print nothing and work on copies.
func (g *gen) concurrent() {
	switch g.n(6) {
	case 0, 1:
		g.spawnCall()
	case 2:
		g.producer()
	case 3:
		g.spawnClosure()
	case 4:
		g.channel()
	default:
		g.selection()
	}
}

// taskName declares a variable for a task or the end of a channel.
func (g *gen) taskName(word string) string {
	g.tasks++
	name := fmt.Sprintf("%s%d", word, g.tasks)
	v := g.declare(name, opaque, false)
	v.here = true
	return name
}

// spawnCall runs a quiet function or method.
func (g *gen) spawnCall() {
	var fs []*fn
	for _, f := range g.funcs {
		if f.quiet && len(f.tparam) == 0 && (f.method() || !g.hidden(f.name)) && g.reachable(f) {
			if f.method() && (f.class == nil || len(f.class.params) > 0 || f.class.inj || len(g.variablesOf(f)) == 0) {
				continue
			}
			fs = append(fs, f)
		}
	}
	if len(fs) == 0 {
		g.channel()
		return
	}
	f := pick(g, fs)
	var params []*typ
	for _, p := range f.params {
		params = append(params, p.t)
	}
	g.b.noBang++
	call := f.name + "(" + g.fueled(f, params, 2) + ")"
	g.b.noBang--
	if f.method() {
		call = pick(g, g.variablesOf(f)) + "." + call
	}
	if len(f.raises) == 0 && g.p(10) {
		g.line("let %s = spawn %s", g.taskName("gone"), call)
		return
	}
	task := g.taskName("task")
	if f.result.kind != kVoid && f.result.kind != kFunc && g.p(25) {
		g.several(f, task, call)
		return
	}
	g.line("let %s = spawn %s", task, call)
	g.statements(g.n(2), 1)
	g.get(task, f)
}

// several starts the same call more than once and keeps the tasks in an array. What those
// raise is not known: any error of the program.
func (g *gen) several(f *fn, tasks, call string) {
	g.line("let %s: [Task<%s>] = []", tasks, f.result)
	g.line("for round%d in 0..%d {", g.tasks, 1+g.n(3))
	g.line("    %s.push(spawn %s)", tasks, call)
	g.line("}")
	g.scoped(func() {
		t := g.local(false)
		g.declare(t, opaque, false)
		g.b.loops++
		body := g.block(func() {
			name := g.local(true)
			g.line("let %s = %s.get() catch %s", name, t, g.value(f.result, 1).head())
			g.declare(name, f.result, false)
			g.line("print(%s)", g.show(f.result, name, "2"))
			g.statements(g.n(2), 1)
		})
		g.b.loops--
		g.line("for %s in %s %s", t, tasks, body)
	})
}

// variablesOf are variables that a method can be called on.
func (g *gen) variablesOf(f *fn) []string {
	var out []string
	for _, v := range g.visible() {
		if v.t != nil && same(v.t, f.class.typ()) && (v.mut || !f.mut) {
			out = append(out, v.name)
		}
	}
	return out
}

// get waits for a task.
func (g *gen) get(task string, f *fn) {
	e := g.fallible(task+".get()", f.raises, f.result, 1)
	switch f.result.kind {
	case kVoid, kFunc:
		g.line("%s", e.s)
	default:
		name := g.local(true)
		g.line("let %s = %s", name, e.s)
		g.declare(name, f.result, false)
	}
}

// spawnClosure runs a closure on copies of what it captured.
func (g *gen) spawnClosure() {
	t := funcOf(nil, pick(g, []*typ{intT, stringT, arrayOf(intT)}))
	quiet, canRaise := g.b.quiet, g.b.canRaise
	g.b.quiet, g.b.canRaise = true, false
	c := g.closure(t, 2)
	g.b.quiet, g.b.canRaise = quiet, canRaise
	f := g.taskName("fun")
	g.line("let %s = %s", f, c.s)
	task := g.taskName("task")
	g.line("let %s = spawn %s()", task, f)
	g.get(task, &fn{result: t.result})
}

// producer is a task that sends, and a loop that receives.
func (g *gen) producer() {
	t := pick(g, []*typ{intT, stringT, g.anyType(1)})
	if t.kind == kFunc {
		t = intT
	}
	name := fmt.Sprintf("produce%d", len(g.decls))
	f := &fn{name: name, result: voidT, raises: map[string]bool{}}
	b := &body{quiet: true, canRaise: true, budget: 3}
	f.params = []field{{"n", intT}}
	outer := g.b
	g.b = b
	b.fn, b.result = f, voidT
	tparams := g.tparams
	g.tparams = nil
	if hasParam(t) {
		t = intT
	}
	g.declare("n", intT, false)
	g.declare("tx", opaque, false)
	text := fmt.Sprintf("fn %s(tx: Sender<%s>, n: int) ", name, t) + g.block(func() {
		g.line("for i in 0..n %s", g.block(func() {
			g.declare("i", intT, false)
			g.line("tx.send(%s)!", g.exact(t, 2).s)
		}))
	})
	g.tparams = tparams
	g.b = outer
	g.decls = append(g.decls, text)
	f.raises["ChannelClosed"] = true

	tx, rx, task := g.taskName("tx"), g.taskName("rx"), g.taskName("task")
	g.line("let (%s, %s) = chan<%s>(%d)", tx, rx, t, 1+g.n(3))
	g.line("let %s = spawn %s(%s, %d)", task, name, tx, g.n(5))
	g.line("%s.close()", tx)
	g.receive(rx, t, true)
	g.get(task, f)
}

// receive is a loop over what comes through a channel. When all must be taken, because
// somebody waits until he has sent it, no break may leave the loop.
func (g *gen) receive(rx string, t *typ, all bool) {
	g.scoped(func() {
		loops := g.b.loops
		defer func() { g.b.loops = loops }()
		name := g.local(false)
		g.declare(name, t, true)
		g.b.loops++
		if all {
			g.b.loops = 0
		}
		text := g.block(func() {
			if t.kind != kFunc {
				g.line("print(%s)", g.show(t, name, "2"))
			}
			g.statements(g.n(3), 1)
		})
		g.line("for %s in %s %s", name, rx, text)
	})
}

var (
	closed      = map[string]bool{"ChannelClosed": true}
	closedFull  = map[string]bool{"ChannelClosed": true, "ChannelFull": true}
	closedEmpty = map[string]bool{"ChannelClosed": true, "ChannelEmpty": true}
)

// channel sends to itself as much as fits.
func (g *gen) channel() {
	t := g.small()
	tx, rx := g.taskName("tx"), g.taskName("rx")
	size := 1 + g.n(3)
	g.line("let (%s, %s) = chan<%s>(%d)", tx, rx, t, size)
	n := g.n(size + 1)
	for range n {
		g.line("%s", g.fallible(fmt.Sprintf("%s.send(%s)", tx, g.exact(t, 1).s), closed, voidT, 1).s)
	}
	if g.p(50) { // the last of these is too much
		for range size - n + 1 {
			g.line("%s", g.fallible(fmt.Sprintf("%s.try_send(%s)", tx, g.exact(t, 0).s), closedFull, voidT, 1).s)
		}
		n = size
	}
	for range g.n(n + 2) {
		g.line("print(%s)", g.fallible(rx+".try_recv()", closedEmpty, t, 1).s)
	}
	g.line("%s.close()", tx)
	if g.p(50) {
		g.receive(rx, t, false)
	}
	if g.p(50) {
		g.line("print(%s)", g.fallible(rx+".recv()", closed, t, 1).s)
	}
}

// selection is a select of which one arm is ready.
func (g *gen) selection() {
	t := g.small()
	tx, rx, tx2, rx2 := g.taskName("tx"), g.taskName("rx"), g.taskName("tx"), g.taskName("rx")
	g.line("let (%s, %s) = chan<%s>(2)", tx, rx, t)
	g.line("let (%s, %s) = chan<int>()", tx2, rx2)
	ready := g.p(70)
	if ready {
		g.line("%s", g.fallible(fmt.Sprintf("%s.send(%s)", tx, g.exact(t, 1).s), closed, voidT, 1).s)
	}
	arm := func(head, name string, t *typ) string {
		var text string
		g.scoped(func() {
			if name != "" {
				g.declare(name, t, true)
			}
			g.b.indent++
			text = "    " + head + " " + g.block(func() { g.statements(g.n(3), 1) }) + "\n"
			g.b.indent--
		})
		return text
	}
	text := "select {\n"
	if g.p(25) {
		text += arm(fmt.Sprintf("%s.send(%s)", tx2, g.exact(intT, 1).s), "", nil)
		ready = true
	} else {
		name := g.local(false)
		text += arm(fmt.Sprintf("%s = %s.recv()", name, rx), name, t)
		name = g.local(false)
		text += arm(fmt.Sprintf("%s = %s.recv()", name, rx2), name, intT)
	}
	if !ready || !g.b.canRaise {
		text += arm("default", "", nil)
	} else {
		maps.Copy(g.b.fn.raises, closed)
	}
	g.line("%s}", text)
	g.line("%s.close()", tx2)
}
