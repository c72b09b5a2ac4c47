package syntax

import "github.com/settgraph/sett/compiler/source"

func (l *layout) file(f *File) {
	for _, d := range f.Imports {
		l.line(l.first(d), 0, noBlank)
	}
	for _, d := range f.Decls {
		l.line(l.first(d), 0, blankBefore)
		l.decl(d)
	}
}

func (l *layout) decl(d Decl) {
	switch d := d.(type) {
	case *FuncDecl:
		l.function(d, 0)
	case *ClassDecl:
		l.class(d)
	case *TraitDecl:
		l.line(l.last(d), 0, 0)
		for i, m := range d.Methods {
			l.member(m, i, blankBefore)
			l.function(m, 1)
		}
	case *EnumDecl:
		l.typeParams(d.Name, d.TypeParams)
		l.line(l.last(d), 0, 0)
		for i, v := range d.Variants {
			l.member(v, i, 0)
			if len(v.Fields) > 0 {
				l.payload(v.Fields, l.last(v), 1)
			} else if v.Braces {
				l.list(l.first(v.Name)+1, nil, l.last(v), indent{1, 1})
			}
		}
	case *ErrorDecl:
		l.payload(d.Fields, l.last(d), 0)
	case *ExternDecl:
		l.parameters(l.first(d.Name)+1, source.Span{}, d.Params, indent{})
		l.result(d.Result)
	case *AppDecl:
		l.app(d)
	case *TestDecl:
		l.block(d.Body, 0)
	case *TestsDecl:
		l.set(l.first(d)+1, tightBefore)
		l.line(l.last(d), 0, 0)
		for i, t := range d.Tests {
			l.member(t, i, blankBefore)
			l.block(t.Body, 1)
		}
	}
}

// member begins a line for the i-th member of a declaration.
func (l *layout) member(n Node, i int, f style) {
	if i == 0 {
		f = 0
	}
	l.line(l.first(n), 1, f)
}

// function lays a function or method out, whose line is indented.
func (l *layout) function(d *FuncDecl, level int) {
	in := indent{level, level}
	l.parameters(l.typeParams(d.Name, d.TypeParams), d.SelfAt, d.Params, in)
	l.result(d.Result)
	clauses := d.Clauses()
	for _, c := range clauses {
		l.line(l.first(c), level, noBlank)
		l.expr(c.Cond, in)
	}
	if d.Body != nil {
		if len(clauses) > 0 {
			l.line(l.first(d.Body), level, noBlank)
		}
		l.block(d.Body, level)
	}
}

func (l *layout) result(t TypeExpr) {
	if t != nil {
		l.set(l.first(t), spaceBefore)
		l.typ(t)
	}
}

// parameters lays a list of parameters out; self is the receiver's place, if there is one.
func (l *layout) parameters(open int, self source.Span, params []*Param, in indent) {
	var entries []entry
	if self.End > 0 {
		entries = append(entries, entry{l.at(self.Start), l.at(self.End) - 1, nil})
	}
	for _, p := range params {
		entries = append(entries, l.param(p))
	}
	l.list(open, entries, l.closing(l.lastOf(open, entries)), in)
}

func (l *layout) param(p *Param) entry {
	return entry{l.first(p), l.last(p), func(in indent) indent {
		l.typ(p.Type)
		return in
	}}
}

// lastOf is the last token of a list that is not its end or a comma.
func (l *layout) lastOf(open int, entries []entry) int {
	if n := len(entries); n > 0 {
		return entries[n-1].last
	}
	return open
}

// closing is the end of a list whose last entry ends at token i: there may be a comma.
func (l *layout) closing(i int) int {
	if i++; l.pieces[i].kind == COMMA {
		i++
	}
	return i
}

// typeParams lays the type parameters after a name out, and gives the token after them.
func (l *layout) typeParams(name *Ident, params []*TypeParam) int {
	open := l.last(name) + 1
	if l.pieces[open].kind != LT {
		return open
	}
	var entries []entry
	for _, p := range params {
		entries = append(entries, entry{l.first(p), l.last(p), nil})
	}
	end := l.closing(l.lastOf(open, entries))
	l.list(open, entries, end, indent{})
	return end + 1
}

func (l *layout) class(d *ClassDecl) {
	open := l.typeParams(d.Name, d.TypeParams)
	if n := len(d.Uses); n > 0 {
		open = l.last(d.Uses[n-1]) + 1
	}
	l.deps(open, len(d.Uses) == 0, d.Deps)
	l.line(l.last(d), 0, 0)
	for i, m := range d.Members {
		switch m := m.(type) {
		case *Param:
			f := style(0)
			if i > 0 && isMethod(d.Members[i-1]) {
				f = blankBefore
			}
			l.member(m, i, f)
			l.typ(m.Type)
			if end := l.last(m); l.pieces[end+1].kind == COMMA {
				l.set(end+1, dropped)
			}
		case *Clause:
			l.member(m, i, blankBefore)
			l.expr(m.Cond, indent{1, 1})
		case *FuncDecl:
			l.member(m, i, blankBefore)
			l.function(m, 1)
		}
	}
}

func isMethod(n Node) bool {
	_, ok := n.(*FuncDecl)
	return ok
}

// deps lays the dependencies in brackets at a token out.
func (l *layout) deps(open int, tight bool, deps []*Param) {
	if l.pieces[open].kind != LBRACKET {
		return
	}
	if tight {
		l.set(open, tightBefore)
	}
	l.parameters(open, source.Span{}, deps, indent{})
}

func (l *layout) app(d *AppDecl) {
	l.deps(l.last(d.Name)+1, true, d.Deps)
	l.line(l.last(d), 0, 0)
	for i, m := range d.Members {
		f := style(0)
		if isMethod(m) || i > 0 && isMethod(d.Members[i-1]) {
			f = blankBefore
		}
		l.member(m, i, f)
		if m, ok := m.(*FuncDecl); ok {
			l.function(m, 1)
		}
	}
}

// payload lays the fields of a variant or an error out, one in a line.
func (l *layout) payload(fields []*Param, end, level int) {
	for _, f := range fields {
		l.line(l.first(f), level+1, 0)
		l.typ(f.Type)
		if i := l.last(f) + 1; l.pieces[i].kind == COMMA {
			l.set(i, dropped)
		}
	}
	l.line(end, level, 0)
}

// entry is one entry of a list: its tokens, and how to lay it out.
type entry struct {
	first, last int
	lay         func(indent) indent
}

// list lays the entries between two brackets out: on lines of their own when the text
// breaks after the opening bracket or has a comment between them, unless they are types
// between < and >. Where the line has come to after the list is the result.
func (l *layout) list(open int, entries []entry, end int, in indent) indent {
	multi := l.broken(open+1) && (len(entries) > 0 || len(l.pieces[end].comments) > 0)
	at := open + 1 // the token after the last entry
	between := func(to int) {
		for ; at <= to; at++ {
			multi = multi || len(l.pieces[at].comments) > 0
			if at < to && l.pieces[at].kind == COMMA {
				l.set(at, dropped)
			}
		}
	}
	for _, e := range entries {
		between(e.first)
		at = e.last + 1
	}
	between(end)
	if l.pieces[open].kind == LT {
		l.set(open, tightBefore|tightAfter)
		l.set(end, tightBefore|angle)
		multi = false
	}
	inner := in
	if multi {
		inner = indent{in.cur + 1, in.cur + 1}
	}
	for i, e := range entries {
		if multi {
			l.line(e.first, inner.base, 0)
		}
		if multi || i < len(entries)-1 {
			l.set(e.last, comma)
		}
		if e.lay == nil {
			continue
		}
		if multi {
			e.lay(inner)
		} else {
			inner = e.lay(inner)
		}
	}
	if multi {
		l.line(end, in.cur, 0)
		return in
	}
	return inner
}

// typ lays a type out.
func (l *layout) typ(t TypeExpr) {
	switch t := t.(type) {
	case *NamedType:
		if len(t.Args) > 0 {
			l.typeArgs(t.Args)
		}
	case *ArrayType:
		l.typ(t.Elem)
	case *FuncType:
		open, entries := l.first(t)+1, l.typeEntries(t.Params)
		l.list(open, entries, l.closing(l.lastOf(open, entries)), indent{})
		l.result(t.Result)
	case *NullableType:
		l.typ(t.Elem)
	}
}

func (l *layout) typeEntries(types []TypeExpr) []entry {
	var entries []entry
	for _, t := range types {
		entries = append(entries, entry{l.first(t), l.last(t), func(in indent) indent {
			l.typ(t)
			return in
		}})
	}
	return entries
}

// typeArgs lays type arguments and their angle brackets out, and gives the closing one.
func (l *layout) typeArgs(args []TypeExpr) int {
	entries := l.typeEntries(args)
	open := entries[0].first - 1
	end := l.closing(l.lastOf(open, entries))
	l.list(open, entries, end, indent{})
	return end
}
