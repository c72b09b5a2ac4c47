package gogen

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/settgraph/sett/compiler/check"
)

// nameSet is a set of Go names that are in use.
type nameSet map[string]bool

// pick takes a free name: the wanted one, with as many underscores after it as it needs.
func (n nameSet) pick(want string, others ...nameSet) string {
	name := goIdent(want)
	for n[name] || anyHas(others, name) {
		name += "_"
	}
	n[name] = true
	return name
}

// number takes a free name made of a word and a number.
func (n nameSet) number(word string, others ...nameSet) string {
	for i := 1; ; i++ {
		name := word + strconv.Itoa(i)
		if !n[name] && !anyHas(others, name) {
			n[name] = true
			return name
		}
	}
}

func anyHas(sets []nameSet, name string) bool {
	for _, s := range sets {
		if s[name] {
			return true
		}
	}
	return false
}

// goIdent turns a name as messages print it (m.f, Box$$int) into a Go identifier.
func goIdent(name string) string {
	name = strings.ReplaceAll(name, "$$", "_")
	name = strings.Map(func(r rune) rune {
		if r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, name)
	if token.IsKeyword(name) || name == "_" || name == "" {
		name += "_"
	}
	return name
}

// predeclared are the names that Go or every generated file gives a meaning to.
const predeclared = `any append bool byte cap clear close comparable complex complex128 complex64 copy
	delete error false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil
	panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr
	main init rt err self`

// nameGlobals gives a Go name to everything that will be declared at the top level, all at
// once, so that the names of locals can keep clear of them.
func (g *generator) nameGlobals() {
	for _, w := range strings.Fields(predeclared) {
		g.globals[w] = true
	}
	for _, x := range g.p.Externs {
		if in, ok := Lookup(x.Extern.Name.Name); ok && in.Pkg != "" {
			g.packageName(in.Pkg)
		}
	}
	for _, c := range g.p.Classes {
		g.named[c] = g.globals.pick(c.Name)
	}
	for _, e := range g.p.Enums {
		g.named[e] = g.globals.pick(e.Name)
		for _, v := range e.Variants {
			g.named[v] = g.globals.pick(e.Name + "_" + v.Name)
			fields := nameSet{}
			for _, f := range v.Fields {
				g.named[f] = fields.pick(f.Name)
			}
		}
	}
	for _, t := range g.p.Traits {
		g.named[t] = g.globals.pick(t.Name)
	}
	for _, e := range g.p.Errors {
		if e.Decl == nil {
			continue
		}
		g.named[e] = g.globals.pick(e.Name)
		fields := nameSet{"Raised": true, "ErrorName": true, "ErrorMessage": true, "ErrorText": true, "ErrorAt": true}
		for _, f := range e.Fields {
			g.named[f] = fields.pick(f.Name)
		}
	}
	if app := g.p.App; app != nil && g.named[app.Class] == "" {
		g.named[app.Class] = g.globals.pick(app.Name)
	}
	for _, f := range g.p.Funcs {
		if f.Class == nil && f.App == nil {
			g.named[f] = g.globals.pick(f.Name)
		}
		for _, v := range f.Params {
			g.locals[v.Name] = true
		}
		if f.Info != nil {
			for _, v := range f.Info.Defs {
				g.locals[v.Name] = true
			}
		}
	}
	g.nameMembers()
}

// nameMembers names fields for each class, and methods the same in all classes: a class may
// have a field and a method of one name, which Go does not allow, and a trait wants the same
// name of all its classes.
func (g *generator) nameMembers() {
	fields := map[string][]nameSet{} // by method: the fields of the classes that have it
	classes := g.p.Classes
	if g.p.App != nil {
		classes = append(classes[:len(classes):len(classes)], g.p.App.Class)
	}
	for _, c := range classes {
		set := nameSet{}
		for _, f := range c.Fields {
			name := set.pick(f.Name)
			g.named[f] = name
			g.fields[name] = true
		}
		for _, m := range c.Methods {
			fields[m.Short] = append(fields[m.Short], set)
		}
	}
	for _, c := range classes {
		for _, m := range c.Methods {
			if g.methods[m.Short] == "" {
				g.methods[m.Short] = g.members.pick(m.Short, fields[m.Short]...)
			}
		}
	}
	for _, t := range g.p.Traits {
		for _, m := range t.Methods {
			switch {
			case g.needsAdapter(m):
				g.named[m] = g.members.pick(m.Name+"_"+t.Name, g.fields)
			case g.methods[m.Name] != "":
				g.named[m] = g.methods[m.Name]
			default:
				g.methods[m.Name] = g.members.pick(m.Name, g.fields)
				g.named[m] = g.methods[m.Name]
			}
		}
	}
	g.lockField = g.members.pick("lock", g.fields)
}

// needsAdapter says whether classes implement the method of a trait by a Go method of their
// own: when some implementation can fail, the trait's method has an error result, and those
// that cannot fail have none.
func (g *generator) needsAdapter(m *check.TraitMethod) bool {
	for _, c := range m.Trait.Impls {
		if impl := c.Method(m.Name); impl != nil && impl.Fallible() != (len(m.Raises) > 0) {
			return true
		}
	}
	return false
}

// helper takes a name for a declaration that no Pluto declaration stands behind.
func (g *generator) helper(want string) string { return g.globals.pick(want, g.locals) }

// packageName is the name under which generated files import a subpackage of the runtime.
func (g *generator) packageName(pkg string) string {
	name, ok := g.packages[pkg]
	if !ok {
		base := pkg[strings.LastIndexByte(pkg, '/')+1:]
		name = g.globals.pick(base)
		g.packages[pkg] = name
	}
	return name
}
