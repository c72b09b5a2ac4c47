package gogen

import (
	"maps"
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// capture is what a closure takes along.
type capture struct {
	name string // of the Go variable, the same inside and outside
	typ  *check.Type
}

// closureExpr lowers a closure to a function literal. It captures by value: a variable that
// is assigned anywhere is copied when the closure is made, and copied again in each call
// when the closure itself assigns it.
func (f *fn) closureExpr(e *syntax.ClosureExpr) val {
	t := f.info.Type(e)
	captured := f.info.Captures[e]
	own := assignedIn(f.info, e)
	saved := map[*check.Var]*local{} // what captured variables are outside
	var caps []capture
	type perCall struct {
		v    *check.Var
		copy string
	}
	var private []perCall
	for _, v := range captured {
		l := f.local(v)
		l.used = true
		if v.Assigned {
			name := f.temp(goIdent(v.Name))
			f.emit(name + " := " + l.name)
			saved[v] = l
			l = &local{name: name, used: true}
			f.vars[v] = l
			if own[v] {
				private = append(private, perCall{v, name})
			}
		}
		name := l.name
		if v.Kind == check.SelfVar {
			name = "self"
		}
		caps = append(caps, capture{name, v.Type})
	}
	outer := f.enter(t.Result)
	var params []string
	for i, p := range e.Params {
		params = append(params, f.declare(f.info.Defs[p.Name]).name+" "+f.g.goType(t.Params[i]))
	}
	for _, p := range private {
		l := &local{name: f.temp(goIdent(p.v.Name))}
		f.vars[p.v] = l
		f.emit(l.name + " := " + p.copy)
		f.keep(l)
	}
	if e.Body != nil {
		f.stmts(e.Body.Stmts)
	} else {
		done := f.on(e.Value)
		f.exprTo(e.Value, dest{kind: destReturn, typ: t.Result})
		done()
	}
	f.finishBody()
	body := f.leaveClosure(outer)
	maps.Copy(f.vars, saved)
	return f.funcLit(t, params, body, caps)
}

// closureState is what a closure's body replaces.
type closureState struct {
	context
	cur *block
	at  int32
}

// enter begins the body of a closure.
func (f *fn) enter(result *check.Type) closureState {
	outer := closureState{f.context, f.cur, f.at}
	f.context = context{result: result, closure: true, frame: f.frame}
	f.cur = &block{}
	return outer
}

// leaveClosure ends the body of a closure.
func (f *fn) leaveClosure(outer closureState) *block {
	body := f.cur
	f.context, f.cur, f.at = outer.context, outer.cur, outer.at
	return body
}

// finishBody ends a function whose end Go might think reachable.
func (f *fn) finishBody() {
	if !isVoid(f.result) && f.cur.flow != ends {
		f.emit(`panic("unreachable")`)
	} else if isVoid(f.result) && f.fallible && f.cur.flow != ends {
		f.emit("return nil")
	}
}

// funcLit is a function literal. One that may cross to another task is made by a function of
// its own, which makes it again from copies of what it captured.
func (f *fn) funcLit(t *check.Type, params []string, body *block, caps []capture) val {
	head := "func(" + strings.Join(params, ", ") + ")"
	if !isVoid(t.Result) {
		head += " " + f.g.goType(t.Result)
	}
	text := head + " " + f.inline(body)
	if !f.g.shipped(t) {
		return val{text: text}
	}
	fnType := "rt.Fn[" + f.g.funcType(t) + "]"
	name := f.g.helper("closure_" + goIdent(f.of.Name))
	own := nameSet{f.frame: true} // of the function that makes it, which has what is captured too
	for _, c := range caps {
		own[c.name] = true
	}
	into, copier := own.pick("into", f.g.globals), own.pick("c", f.g.globals)
	formal := []string{into + " *" + fnType}
	actual := []string{"new(" + fnType + ")"}
	again := []string{into}
	for _, c := range caps {
		formal = append(formal, c.name+" "+f.g.goType(c.typ))
		actual = append(actual, c.name)
		again = append(again, f.g.copied(copier, c.name, c.typ))
	}
	if f.frame != "" {
		formal = append(formal, f.frame+" *rt.Frame")
		actual = append(actual, f.frame)
		again = append(again, f.frame)
	}
	b := &block{}
	b.add(line{text: "func " + name + "(" + strings.Join(formal, ", ") + ") *" + fnType + " {"})
	b.add(line{text: into + ".Call = " + text})
	b.add(line{text: into + ".Copy = func(" + copier + " *rt.Copier, " + into + " *" + fnType + ") {"})
	b.add(line{text: name + "(" + strings.Join(again, ", ") + ")"})
	b.add(line{text: "}"})
	b.add(line{text: "return " + into})
	b.add(line{text: "}"})
	b.add(line{text: ""})
	f.g.closures = append(f.g.closures, b)
	return val{text: name + "(" + strings.Join(actual, ", ") + ")"}
}

// inline is a block as text in braces, for the middle of a line. All variables that its
// conditional lines ask about are declared in it.
func (f *fn) inline(b *block) string {
	if text, ok := b.single(); ok {
		return "{ " + text + " }"
	}
	p := &printer{}
	p.WriteString("{\n")
	p.next = unknown
	p.block(b)
	p.WriteString("}")
	return p.String()
}

// single is the text of a block of one line of the current line of Pluto.
func (b *block) single() (string, bool) {
	var text string
	n := 0
	for _, l := range b.lines {
		switch {
		case l.nested != nil:
			return "", false
		case l.unused != nil && l.unused.used, l.used != nil && !l.used.used:
		default:
			text = l.text
			n++
		}
	}
	return text, n <= 1 && !strings.Contains(text, "\n")
}

// assignedIn says which variables a closure assigns itself, closures in it not counted.
func assignedIn(info *check.Info, e *syntax.ClosureExpr) map[*check.Var]bool {
	set := map[*check.Var]bool{}
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		var target syntax.Expr
		switch n := n.(type) {
		case *syntax.ClosureExpr:
			return
		case *syntax.AssignStmt:
			target = n.Target
		case *syntax.IncDecStmt:
			target = n.Target
		}
		if id, ok := target.(*syntax.IdentExpr); ok {
			if v, ok := info.Target(id).(*check.Var); ok {
				set[v] = true
			}
		}
		syntax.Children(n, visit)
	}
	syntax.Children(e, visit)
	return set
}
