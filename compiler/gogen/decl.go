package gogen

import (
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// needClass, needEnum, needTrait and needError ask for the declaration of a type.

func (g *generator) needClass(c *check.Class) { g.types[c] = true }

func (g *generator) needEnum(e *check.Enum) { g.types[e] = true }

func (g *generator) needTrait(t *check.Trait) { g.types[t] = true }

func (g *generator) needError(e *check.ErrorDecl) { g.types[e] = true }

// structDecl writes a struct type.
func structDecl(name string, fields []string) string {
	if len(fields) == 0 {
		return "type " + name + " struct{}\n"
	}
	return "type " + name + " struct {\n" + strings.Join(fields, "\n") + "\n}\n"
}

// classDecl writes the struct of a class. Objects have an identity, which Go only gives to
// what has a size.
func (g *generator) classDecl(c *check.Class) string {
	var fields []string
	if g.locked(c) {
		fields = append(fields, g.lockField+" rt.RWLock")
	}
	for _, f := range c.Fields {
		fields = append(fields, g.named[f]+" "+g.goType(f.Type))
	}
	if len(fields) == 0 {
		fields = append(fields, "_ byte")
	}
	return structDecl(g.named[c], fields)
}

// enumDecl writes an enum: integers when no variant has fields, else structs behind an
// interface.
func (g *generator) enumDecl(e *check.Enum) string {
	name := g.named[e]
	if unitOnly(e) {
		text := "type " + name + " int\n\n"
		if len(e.Variants) > 0 {
			text += "const (\n"
			for i, v := range e.Variants {
				text += g.named[v]
				if i == 0 {
					text += " " + name + " = iota"
				}
				text += "\n"
			}
			text += ")\n"
		}
		return text
	}
	taken := nameSet{}
	for _, v := range e.Variants {
		for _, f := range v.Fields {
			taken[g.named[f]] = true
		}
	}
	marker := taken.pick("is" + name)
	text := "type " + name + " interface{ " + marker + "() }\n\n"
	for _, v := range e.Variants {
		var fields []string
		for _, f := range v.Fields {
			star := ""
			if g.boxed(f.Type) {
				star = "*"
			}
			fields = append(fields, g.named[f]+" "+star+g.goType(f.Type))
		}
		text += structDecl(g.named[v], fields) + "\nfunc (" + g.named[v] + ") " + marker + "() {}\n\n"
	}
	return text
}

// traitDecl writes the interface of a trait: the methods that are called through it.
func (g *generator) traitDecl(t *check.Trait) string {
	var methods []string
	for _, m := range t.Methods {
		if g.reach.methods[m] {
			methods = append(methods, g.named[m]+g.signature(m.Params, m.Result, len(m.Raises) > 0))
		}
	}
	if len(methods) == 0 {
		return "type " + g.named[t] + " interface{}\n"
	}
	return "type " + g.named[t] + " interface {\n" + strings.Join(methods, "\n") + "\n}\n"
}

// signature is the part of a Go signature after the name, without names of parameters.
func (g *generator) signature(params []*check.Var, result *check.Type, fails bool) string {
	types := make([]string, len(params))
	for i, p := range params {
		types[i] = g.goType(p.Type)
	}
	return "(" + strings.Join(types, ", ") + ")" + g.results(result, fails)
}

// adapters writes the methods by which classes implement methods of a trait that can raise
// for some classes and not for others.
func (g *generator) adapters(t *check.Trait) {
	for _, m := range t.Methods {
		if !g.reach.methods[m] || !g.needsAdapter(m) {
			continue
		}
		for _, c := range t.Impls {
			impl := c.Method(m.Name)
			if impl == nil || !g.types[c] {
				continue
			}
			f := g.newFn(impl, impl.Info, impl.File)
			f.result, f.fallible = m.Result, true
			text := "func (self *" + g.named[c] + ") " + g.named[m] + "(" + f.params(impl.Params) + ")" + g.results(m.Result, true)
			var vs []val
			for _, p := range impl.Params {
				vs = append(vs, f.read(p))
			}
			inner := "self." + g.methods[impl.Short] + "(" + args(vs) + ")"
			switch {
			case impl.Fallible():
				f.cur.add(line{text: "return " + inner})
			case isVoid(m.Result):
				f.cur.add(line{text: inner})
				f.cur.add(line{text: "return nil"})
			default:
				f.cur.add(line{text: "return " + inner + ", nil"})
			}
			b := &block{}
			b.add(line{text: text + " {"})
			b.nest(f.cur)
			b.add(line{text: "}"})
			g.helpers = append(g.helpers, b)
		}
	}
}

// errorDecl writes the struct of an error and its methods.
func (g *generator) errorDecl(e *check.ErrorDecl) string {
	name := g.named[e]
	fields := []string{"rt.Raised"}
	for _, f := range e.Fields {
		fields = append(fields, g.named[f]+" "+g.goType(f.Type))
	}
	message := quote(e.Name)
	if len(e.Fields) > 0 {
		message = g.fieldText(e.Fields[0], false)
	}
	whole, text := "", e.Name+" { "
	for i, f := range e.Fields {
		if i > 0 {
			text = ", "
		}
		whole += quote(text+f.Name+": ") + " + " + g.fieldText(f, true) + " + "
		text = " "
	}
	whole += quote(text + "}")
	method := func(of, result string) string {
		return "func (e *" + name + ") " + of + "() string { return " + result + " }\n\n"
	}
	return structDecl(name, fields) + "\n" + method("ErrorName", quote(e.Name)) + method("ErrorMessage", message) + method("ErrorText", whole)
}

// fieldText is a field of an error as text; what is no primitive value shows as its type.
func (g *generator) fieldText(f *check.ErrorField, quoted bool) string {
	field := "e." + g.named[f]
	switch {
	case f.Type.Kind == check.KString && quoted:
		return "rt.Quote(" + field + ")"
	case f.Type.Kind == check.KString:
		return field
	case f.Type.IsPrim():
		return "rt.Show" + kindWord(f.Type) + "(" + field + ")"
	}
	return quote("<" + f.Type.String() + ">")
}

// function writes a function, method or test.
func (g *generator) function(of *check.Func) *block {
	out := &block{}
	name := g.named[of]
	receiver := ""
	if c := classOf(of); c != nil {
		g.needClass(c)
		receiver = "(self *" + g.named[c] + ") "
		name = g.methods[of.Short]
	}
	f := g.begin(of)
	if c := of.Class; c != nil && g.locked(c) {
		f.lock(of)
	}
	if len(of.Ensures) > 0 {
		inner := g.innerName(of, name)
		f.requires()
		f.guarded(inner)
		g.write(out, f, receiver, name, false)
		f = g.begin(of)
		f.whole()
		g.write(out, f, receiver, inner, of.ClosureRaises)
		return out
	}
	f.requires()
	f.whole()
	g.write(out, f, receiver, name, of.ClosureRaises)
	return out
}

// whole lowers the body of the function.
func (f *fn) whole() {
	body := f.of.Decl.Body
	defer f.hoist(body, false)()
	f.stmts(body.Stmts)
}

// classOf is the class that a method belongs to, an app's too.
func classOf(of *check.Func) *check.Class {
	if of.App != nil {
		return of.App.Class
	}
	return of.Class
}

// begin starts lowering a function.
func (g *generator) begin(of *check.Func) *fn {
	f := g.newFn(of, of.Info, of.File)
	f.at = f.lineOf(of.Decl)
	f.result, f.fallible = of.Result, of.Fallible()
	f.head = f.params(of.Params)
	if of.ClosureRaises {
		f.frame = f.temp("frame")
	}
	return f
}

// innerName is the name of the function with the body of a function with ensures clauses.
func (g *generator) innerName(of *check.Func, name string) string {
	if classOf(of) != nil {
		return g.members.pick(name+"_body", g.fields)
	}
	return g.helper(name + "_body")
}

// lock makes a method of a shared singleton run alone, or beside others that only read.
func (f *fn) lock(of *check.Func) {
	lock, unlock := "RLock", "RUnlock"
	if of.Decl.Self == syntax.MutSelf {
		lock, unlock = "Lock", "Unlock"
	}
	f.emit("self." + f.g.lockField + "." + lock + "()")
	f.emit("defer self." + f.g.lockField + "." + unlock + "()")
}

// write adds a lowered function to the output.
func (g *generator) write(out *block, f *fn, receiver, name string, raises bool) {
	f.finishBody()
	results := g.results(f.result, f.fallible)
	first := &block{}
	if raises {
		raised := f.temp("raised")
		results = " (" + raised + " rt.Error)"
		if !isVoid(f.result) {
			results = " (_ " + g.goType(f.result) + ", " + raised + " rt.Error)"
		}
		first.add(line{text: f.frame + " := rt.NewFrame()"})
		first.add(line{text: "defer " + f.frame + ".Catch(&" + raised + ")"})
	}
	out.add(line{text: "func " + receiver + name + "(" + f.head + ")" + results + " {", at: f.lineOf(f.of.Decl), file: f.file})
	out.nest(first)
	out.nest(f.cur)
	out.add(line{text: "}"})
	out.add(line{text: ""})
}
