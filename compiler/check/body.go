package check

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// body is the state of checking one body or one clause of a contract.
type body struct {
	c     *checker
	u     *Universe
	info  *Info
	env   *env
	mod   *Module
	file  *source.File
	class *Class // whose ambient fields bare names mean; nil outside of methods
	self  *Var   // nil where there is no self
	post  bool   // in an ensures clause: old(e) is allowed

	vars  map[string]local
	undo  []shadowed
	depth int

	// owner is the innermost closure or spawn; nil in the function itself.
	owner syntax.Node
	frame *frame

	wrong []int32 // where something was complained about
}

// local is what a name means at the moment, and how deep the block is that says so.
type local struct {
	v     *Var
	depth int
}

// shadowed is what a name meant before a block gave it another meaning.
type shadowed struct {
	name string
	old  local
}

// frame is the function or closure whose statements are being checked.
type frame struct {
	result *Type // nil while the result of a closure is still to be found
	hint   *Type // what the context of a closure wants its result to be, or nil
	loops  int

	// What waits for the result of a closure to be known.
	returns []pendingReturn
	unwraps []*syntax.UnwrapExpr
}

// pendingReturn is a return in a nested block of a closure whose result is not yet known.
type pendingReturn struct {
	stmt *syntax.ReturnStmt
	got  *Type // nil when the value is an empty array, which waits for the result
}

func (c *checker) newBody(e *env, class *Class, self *Var) *body {
	return &body{
		c: c, u: c.u, info: e.info, env: e, mod: e.mod, file: e.file,
		class: class, self: self, vars: make(map[string]local), frame: &frame{result: c.u.Void},
	}
}

// errorf complains, unless something within the place was complained about before: what
// holds a mistake is likely to be wrong because of it, and the mistake is to be said first.
// A place without extent is something missing, which the parser complained about.
func (b *body) errorf(code diag.Code, at source.Span, format string, args ...any) *diag.Diagnostic {
	if at.Start == at.End {
		return &diag.Diagnostic{}
	}
	for _, w := range b.wrong {
		if at.Start <= w && w < at.End {
			return &diag.Diagnostic{}
		}
	}
	b.wrong = append(b.wrong, at.Start)
	return b.c.report(b.c.phase, code, b.file, at, format, args...)
}

// open starts a scope and returns what closes it.
func (b *body) open() int {
	b.depth++
	return len(b.undo)
}

func (b *body) close(mark int) {
	for i := len(b.undo) - 1; i >= mark; i-- {
		s := b.undo[i]
		if s.old.v == nil {
			delete(b.vars, s.name)
		} else {
			b.vars[s.name] = s.old
		}
	}
	b.undo = b.undo[:mark]
	b.depth--
}

// bind gives a name a meaning in the current scope without asking whether it may.
func (b *body) bind(v *Var) {
	b.undo = append(b.undo, shadowed{v.Name, b.vars[v.Name]})
	b.vars[v.Name] = local{v, b.depth}
}

// declare makes a variable of the current scope; names must not shadow others. It says
// whether the name was free.
func (b *body) declare(at *syntax.Ident, kind VarKind, t *Type, mut bool) (*Var, bool) {
	v := &Var{Name: at.Name, Type: t, Decl: at, Kind: kind, Mut: mut, Owner: b.owner}
	b.info.define(at, v)
	old, taken := b.vars[at.Name]
	if taken {
		msg := "variable '%s' shadows an existing variable"
		code := diag.Code("P0502")
		if old.depth == b.depth {
			msg, code = "variable '%s' is already declared in this scope", "P0501"
		}
		b.noteDecl(b.errorf(code, at.Span(), msg, at.Name), old.v)
	}
	b.bind(v)
	return v, !taken
}

// noteDecl says where a variable was declared.
func (b *body) noteDecl(d *diag.Diagnostic, v *Var) {
	if v.Decl != nil {
		d.Note(b.file, v.Decl.Span(), "'%s' is declared here", v.Name)
	}
}

// use notes a read of a variable.
func (b *body) use(v *Var) {
	v.Read = true
	if v.Owner != b.owner {
		v.Captured = true
	}
}

// assigned notes that a variable is bound again.
func (b *body) assigned(v *Var) {
	v.Assigned = true
	if v.Owner != b.owner {
		v.Captured = true
	}
}

// ambient is the ambient field that a bare name means in a method, or nil.
func (b *body) ambient(name string) *Field {
	if b.class == nil {
		return nil
	}
	for _, f := range b.class.Fields {
		if f.Ambient && f.Name == name {
			return f
		}
	}
	return nil
}

// useSelf notes a use of the receiver.
func (b *body) useSelf() {
	if b.self != nil {
		b.use(b.self)
	}
}
