package gogen

import (
	"strings"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// fn lowers one body: of a function, a method or a test, the closures in it included.
type fn struct {
	g    *generator
	of   *check.Func
	info *check.Info
	file *source.File

	vars  map[*check.Var]*local
	names map[string]string // the Go name of each Pluto name of a local
	taken nameSet           // the Go names of locals

	letters map[*check.Var]bool // strings of one byte, see [fn.letter]

	head    string // the parameters of the Go function
	cur     *block
	at      int32 // the line of the statement that is being lowered
	assigns int   // how many assignments to variables were lowered
	context

	// Of a function with ensures clauses.
	oldValues  map[*syntax.CallExpr]string // by old(...): the variable with the value on entry
	resultName string
}

// context is what changes inside a closure.
type context struct {
	result   *check.Type // of the function or closure
	fallible bool        // it returns errors
	closure  bool        // errors leave it through the frame of the function around it
	frame    string      // the variable with the rt.Frame, where closures can raise
	loops    []*loop     // innermost last
	held     map[place]*held
	found    map[place]*local // values of maps, in variables
}

// loop is a loop whose body is being lowered.
type loop struct {
	switches int    // Go switches between the loop and the current place
	label    string // set once a break needs it
	left     bool   // a break leaves it
}

func (g *generator) newFn(of *check.Func, info *check.Info, file *source.File) *fn {
	return &fn{
		g: g, of: of, info: info, file: file,
		vars: map[*check.Var]*local{}, names: map[string]string{}, taken: nameSet{}, cur: &block{},
		letters: map[*check.Var]bool{},
	}
}

// emit adds a statement of the current line.
func (f *fn) emit(text string) { f.cur.add(line{text: text, at: f.at, file: f.file}) }

// close adds text that can neither fail nor be on a stack: braces, labels.
func (f *fn) close(text string) { f.cur.add(line{text: text}) }

// emitIf adds a statement that is only kept when something reads the variable.
func (f *fn) emitIf(used *local, text string) {
	f.cur.add(line{text: text, at: f.at, file: f.file, used: used})
}

// keep adds what makes Go accept a variable that nothing reads.
func (f *fn) keep(l *local) { f.cur.add(line{text: "_ = " + l.name, unused: l}) }

// leave ends the current statements: nothing after this one runs.
func (f *fn) leave(text string, how flow) {
	f.emit(text)
	f.cur.flow = how
}

// apart lowers statements into a block of their own.
func (f *fn) apart(lower func()) *block {
	saved := f.cur
	f.cur = &block{}
	lower()
	b := f.cur
	f.cur = saved
	return b
}

// declare names a variable. Variables of one name have one Go name: Pluto forbids shadowing,
// so they live in scopes beside each other.
func (f *fn) declare(v *check.Var) *local {
	name, ok := f.names[v.Name]
	if !ok {
		name = f.fresh(v.Name)
		f.names[v.Name] = name
	}
	l := &local{name: name}
	f.vars[v] = l
	return l
}

// fresh takes a Go name for a local.
func (f *fn) fresh(want string) string {
	name := f.taken.pick(want, f.g.globals)
	f.g.locals[name] = true
	return name
}

// temp takes a Go name for a variable that Pluto does not have.
func (f *fn) temp(word string) string {
	name := f.taken.number(word, f.g.globals, f.g.locals)
	f.g.locals[name] = true
	return name
}

// local is the Go variable of a Pluto variable.
func (f *fn) local(v *check.Var) *local {
	l, ok := f.vars[v]
	if !ok { // of a declaration in code that was not lowered
		l = f.declare(v)
	}
	return l
}

// read is the value of a variable.
func (f *fn) read(v *check.Var) val {
	switch v.Kind {
	case check.SelfVar:
		return val{text: "self"}
	case check.ResultVar:
		return val{text: f.resultName}
	}
	l := f.local(v)
	l.used = true
	if v.Assigned {
		return val{text: l.name, eff: reassigned}
	}
	return val{text: l.name}
}

// lineOf is the line of a node.
func (f *fn) lineOf(n syntax.Node) int32 { return int32(f.file.Line(n.Span().Start)) }

// results is what follows the parameters in a Go signature.
func (g *generator) results(result *check.Type, fallible bool) string {
	switch {
	case fallible && isVoid(result):
		return " rt.Error"
	case fallible:
		return " (" + g.goType(result) + ", rt.Error)"
	case isVoid(result):
		return ""
	}
	return " " + g.goType(result)
}

// returnValue returns from the function or closure; v is not looked at when it has no result.
func (f *fn) returnValue(v val) {
	switch {
	case isVoid(f.result) && f.fallible:
		f.leave("return nil", ends)
	case isVoid(f.result):
		f.leave("return", ends)
	case f.fallible:
		f.leave("return "+v.text+", nil", ends)
	default:
		f.leave("return "+v.text, ends)
	}
}

// returnError leaves the function with an error.
func (f *fn) returnError(err string) {
	switch {
	case f.closure && f.frame != "":
		f.leave("panic("+f.frame+".Raise("+err+"))", ends)
	case f.closure || !f.fallible:
		f.leave("panic(rt.Escape("+err+"))", ends)
	case isVoid(f.result):
		f.leave("return "+err, ends)
	default:
		f.leave("return "+f.g.zero(f.result)+", "+err, ends)
	}
}

// header opens a block of Go: text, the statements, a brace.
func (f *fn) braces(head string, body *block) {
	f.emit(head + " {")
	f.cur.nest(body)
	f.close("}")
}

// params is a Go parameter list.
func (f *fn) params(vars []*check.Var) string {
	var texts []string
	for _, v := range vars {
		texts = append(texts, f.declare(v).name+" "+f.g.goType(v.Type))
	}
	return strings.Join(texts, ", ")
}
