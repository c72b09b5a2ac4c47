package gogen

import (
	"slices"
	"strconv"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// raise lowers a raise statement.
func (f *fn) raise(s *syntax.RaiseStmt) {
	decl := f.info.Errs[s]
	name := f.g.errorType(decl)
	names := []string{"Raised"}
	lower := []func() val{func() val { return val{text: f.raisedAt(s)} }}
	for _, init := range s.Fields {
		for _, field := range decl.Fields {
			if field.Name == init.Name.Name {
				names = append(names, f.g.errorField(field))
				lower = append(lower, func() val { return f.exprAs(init.Value, field.Type) })
			}
		}
	}
	v := composite("&"+name, names, f.operands(lower...))
	f.returnError(v.text)
}

// raisedAt is where an error is raised, for the error itself.
func (f *fn) raisedAt(n syntax.Node) string {
	file := slices.Index(f.g.sourceNames(), f.file.Name)
	return "rt.At(" + strconv.Itoa(file) + ", " + strconv.Itoa(int(f.lineOf(n))) + ")"
}

// predeclaredFields are the Go fields of the errors that the runtime declares.
var predeclaredFields = map[string]string{"message": "Message", "millis": "Millis", "service": "Service"}

// errorType is the Go type behind an error.
func (g *generator) errorType(e *check.ErrorDecl) string {
	if e.Decl == nil {
		return "rt." + e.Name
	}
	g.needError(e)
	return g.named[e]
}

// errorField is the Go field of a field of an error.
func (g *generator) errorField(f *check.ErrorField) string {
	if name, ok := g.named[f]; ok {
		return name
	}
	return predeclaredFields[f.Name]
}

// propagate lowers call()!, which returns from the function when the call raises.
func (f *fn) propagate(e *syntax.PropagateExpr, d dest) {
	c := f.call(unparen(e.X))
	if d.kind == destReturn && f.fallible && !f.closure && c.after == "" && c.typ == f.result && !(c.valued && isVoid(c.typ)) {
		f.leave("return "+c.text, ends)
		return
	}
	f.attempt(c, d, func(err string) { f.returnError(err) })
}

// attempt runs a call that can raise, hands the error to a handler that leaves, and puts the
// value where it goes.
func (f *fn) attempt(c call, d dest, handle func(err string)) {
	if d.kind == destLet && c.typ == d.typ {
		f.triedLet(c, d.v, handle)
		return
	}
	v := f.tried(c, d.kind == destDrop, handle)
	switch {
	case d.kind == destReturn && isVoid(c.typ):
		f.returnValue(val{})
	case d.kind != destDrop:
		f.put(d, v, c.typ)
	}
}

// errorVar is the Go variable that errors are put into; no other has its name.
const errorVar = "err"

// triedLet runs a call that can raise and declares a variable with its value, into which
// the handler may put another one.
func (f *fn) triedLet(c call, v *check.Var, handle func(err string)) {
	l := f.declare(v)
	f.emit(l.name + ", " + errorVar + " := " + c.text)
	f.ifError(c.after, errorVar, handle)
	f.keep(l)
}

// tried runs a call that can raise and gives its value, if there is one and it is wanted.
func (f *fn) tried(c call, dropped bool, handle func(err string)) val {
	blank := ""
	if c.valued && isVoid(c.typ) || dropped && !isVoid(c.typ) {
		blank = "_, "
	}
	switch {
	case !isVoid(c.typ) && !dropped:
		name := f.temp("tmp")
		f.emit(name + ", " + errorVar + " := " + c.text)
		f.ifError(c.after, errorVar, handle)
		return val{text: name}
	case c.after == "":
		body := f.apart(func() { handle(errorVar) })
		f.braces("if "+blank+errorVar+" := "+c.text+"; "+errorVar+" != nil", body)
	default:
		err := f.temp("err")
		f.emit(blank + err + " := " + c.text)
		f.ifError(c.after, err, handle)
	}
	return voidValue
}

// ifError writes what follows a call that can raise.
func (f *fn) ifError(after, err string, handle func(err string)) {
	if after != "" {
		f.emit(after)
	}
	body := f.apart(func() { handle(err) })
	f.braces("if "+err+" != nil", body)
}

// handled lowers call()! and call() catch ... to a value.
func (f *fn) handled(e syntax.Expr) val {
	if p, ok := e.(*syntax.PropagateExpr); ok {
		return f.tried(f.call(unparen(p.X)), false, f.returnError)
	}
	c := e.(*syntax.CatchExpr)
	return f.caught(c, f.call(unparen(c.X)))
}

// catch lowers call() catch ..., whose handlers give the value when the call raises.
func (f *fn) catch(e *syntax.CatchExpr, d dest) {
	c := f.call(unparen(e.X))
	switch {
	case isVoid(c.typ) || d.kind == destDrop:
		f.tried(c, true, func(err string) { f.handler(e, 0, err, drop) })
		if d.kind == destReturn {
			f.returnValue(val{})
		}
	case d.kind == destLet && c.typ == d.typ:
		f.triedLet(c, d.v, func(err string) {
			f.handler(e, 0, err, dest{kind: destSet, typ: c.typ, name: f.local(d.v).name})
		})
	case d.kind == destReturn:
		v := f.tried(c, false, func(err string) { f.handler(e, 0, err, d) })
		f.put(d, v, c.typ)
	default:
		f.put(d, f.caught(e, c), c.typ)
	}
}

// caught lowers call() catch ... to a value.
func (f *fn) caught(e *syntax.CatchExpr, c call) val {
	var v val
	handle := func(err string) {
		f.handler(e, 0, err, dest{kind: destSet, typ: c.typ, name: v.text})
	}
	if isVoid(c.typ) {
		return f.tried(c, true, func(err string) { f.handler(e, 0, err, drop) })
	}
	v.text = f.temp("tmp")
	f.emit(v.text + ", " + errorVar + " := " + c.text)
	f.ifError(c.after, errorVar, handle)
	return v
}

// handler lowers the handlers of a catch from the one at i on. The first that fits runs.
func (f *fn) handler(e *syntax.CatchExpr, i int, err string, d dest) {
	if i == len(e.Handlers) {
		switch { // typed handlers cover every error that is declared, but not cancelling
		case e.Default != nil:
			f.exprTo(e.Default, d)
		case f.g.reach.spawns:
			f.leave("panic(rt.Escape("+err+"))", ends)
		default: // then the error need not be on the heap
			f.leave(`panic("unreachable")`, ends)
		}
		return
	}
	h := e.Handlers[i]
	v := f.info.Defs[h.Name]
	l := f.declare(v)
	if h.Type == nil {
		if v.Assigned { // then the variable must be there even if nothing reads it
			f.emit(l.name + " := " + err)
			f.keep(l)
		} else {
			f.emitIf(l, l.name+" := "+err)
		}
		f.blockTo(h.Body, d)
		return
	}
	typ := f.g.goType(v.Type)
	ok := f.temp("ok")
	then := f.apart(func() {
		f.keep(l)
		f.blockTo(h.Body, d)
	})
	name := l.name
	if !l.used && !v.Assigned {
		name, l.used = "_", true
	}
	f.emit("if " + name + ", " + ok + " := " + err + ".(" + typ + "); " + ok + " {")
	f.cur.nest(then)
	other := f.apart(func() { f.handler(e, i+1, err, d) })
	f.close("} else {")
	f.cur.nest(other)
	f.close("}")
	f.cur.flow = min(then.flow, other.flow)
}
