package check

import (
	"fmt"
	"slices"
	"testing"

	"github.com/settgraph/sett/compiler/syntax"
)

// facts lists what is known about the expressions of the functions of a program whose text
// is one of the wanted: their type.
func facts(p *Program, wanted ...string) map[string][]string {
	out := map[string][]string{}
	for _, f := range p.Funcs {
		if f.Info == nil || f.File.Name != "main.pluto" {
			continue
		}
		var walk func(n syntax.Node)
		walk = func(n syntax.Node) {
			if e, ok := n.(syntax.Expr); ok {
				s := e.Span()
				if text := f.File.Text[s.Start:s.End]; slices.Contains(wanted, text) {
					t := "nothing"
					if f.Info.Type(e) != nil {
						t = f.Info.Type(e).String()
					}
					out[text] = append(out[text], t)
				}
			}
			syntax.Children(n, walk)
		}
		walk(f.Decl.Body)
	}
	return out
}

func TestTypesFromContext(t *testing.T) {
	tests := []struct {
		stmts, expr string
		types       []string
	}{
		{`let x: int? = none`, "none", []string{"int?"}},
		{`let x: int? = (none)`, "none", []string{"int?"}},
		{`let mut x: P? = makeP()
		x = none`, "none", []string{"P?"}},
		{`maybe(none)`, "none", []string{"int?"}},
		{`print(maybe(1) == none)`, "none", []string{"int?"}},
		{`print(none != maybe(1))`, "none", []string{"int?"}},
		{`print(none == none)`, "none", []string{"void?", "void?"}},
		{`let x = if true { maybe(1) } else if false { none } else { none }`, "none", []string{"int?", "int?"}},
		{`let x: int? = if true { none } else { if true { none } else { none } }`, "none", []string{"int?", "int?", "int?"}},
		{`let x: int? = match color() { Color.Red => none, Color.Green => none }`, "none", []string{"int?", "int?"}},
		{`let x = match color() { Color.Red => maybe(1), Color.Green => none }`, "none", []string{"int?"}},
		{`let f: fn() int? = () => none`, "none", []string{"int?"}},
		{`let f: fn() int? = () => none`, "() => none", []string{"fn() int?"}},
		{`let f: fn() int? = () => 1`, "() => 1", []string{"fn() int?"}},
		{`let f: fn() int? = () => {
			if true { return none }
			return maybe(1)
		}`, "none", []string{"int?"}},
		{`let f: fn() fn() int? = () => () => none`, "none", []string{"int?"}},
		{`let p = P { x: 1, next: none, f: (n: int) => n, pet: none }`, "none", []string{"P?", "trait Animal?"}},
		{`let c = Shape.Circle { r: 1.0, c: Color.Red, n: none }`, "none", []string{"int?"}},
		{`let x = id<int?>(none)`, "none", []string{"int?"}},
		{`let xs: [int] = []`, "[]", []string{"[int]"}},
		{`let xs: [[int]]? = []`, "[]", []string{"[[int]]"}},
		{`list([])`, "[]", []string{"[int]"}},
		{`same([1], [])`, "[]", []string{"[int]"}},
		{`let f: fn() [int] = () => []`, "[]", []string{"[int]"}},
		{`let f = (n: int) => {
			if n > 0 { return [] }
			return [1]
		}`, "[]", []string{"[int]"}},
		{`let xs = [[1]]
		xs[0] = []`, "[]", []string{"[int]"}},
		{`let x: [int] = if true { [] } else { [1] }`, "[]", []string{"[int]"}},
		{`for i in (0..3) { }`, "0..3", []string{"range"}},
		{`fails(1) catch e: Bad { e.code }`, "e", []string{"Bad"}},
		{`fails(1) catch e { e.message.len() }`, "e", []string{"error"}},
		{`let t = spawn one(1)
		t.get()`, "spawn one(1)", []string{"Task<int>"}},
		{`let x = "a".to_int()`, `"a".to_int()`, []string{"int?"}},
		{`let x = "a,b".split(",")`, `"a,b".split(",")`, []string{"[string]"}},
		{`let x = Map<string, int> {}.keys()`, `Map<string, int> {}.keys()`, []string{"[string]"}},
		{`let x = Map<string, int> {}.values()`, `Map<string, int> {}.values()`, []string{"[int]"}},
	}
	for _, tt := range tests {
		p := stmts(tt.stmts)
		accepts(t, p)
		if got := facts(p, tt.expr)[tt.expr]; !slices.Equal(got, tt.types) && !endsWith(got, tt.types) {
			t.Errorf("%s\n%s is %q, want %q", tt.stmts, tt.expr, got, tt.types)
		}
	}
}

// endsWith leaves out what the preamble says.
func endsWith(got, want []string) bool {
	return len(got) >= len(want) && slices.Equal(got[len(got)-len(want):], want)
}

func TestVariables(t *testing.T) {
	p := stmts(`
		let unread = 1
		let read = 2
		let mut counted = 0
		counted += 1
		let mut assigned = 0
		assigned = 1
		let mut captured = 3
		let f = (p: int) => {
			let inner = captured + p
			let g = () => inner
			return g()
		}
		captured = f(read)
		let task = spawn one(read)
		let (tx, rx) = chan<int>()
		for loop in [1] { print(loop) }
		select { got = rx.recv() { tx.close() } default { } }
		print(fails(1) catch err { 0 })
		print(task.get())`)
	accepts(t, p)
	var vars = map[string]*Var{}
	for _, f := range p.Funcs {
		if f.Name == "probe" {
			for at, v := range f.Info.Defs {
				if v.Decl != at || v.Name != at.Name {
					t.Errorf("%s is declared at %s", v.Name, at.Name)
				}
				vars[v.Name] = v
			}
		}
	}
	tests := []struct {
		name                                string
		kind                                VarKind
		mut, read, assigned, captured, owns bool // owns: something is around its declaration
	}{
		{"unread", LetVar, false, false, false, false, false},
		{"read", LetVar, false, true, false, true, false},
		{"counted", LetVar, true, true, true, false, false},
		{"assigned", LetVar, true, false, true, false, false},
		{"captured", LetVar, true, true, true, true, false},
		{"f", LetVar, false, true, false, false, false},
		{"p", ParamVar, true, true, false, false, true},
		{"inner", LetVar, false, true, false, true, true},
		{"tx", SenderVar, false, true, false, false, false},
		{"rx", ReceiverVar, false, true, false, false, false},
		{"loop", LoopVar, true, true, false, false, false},
		{"got", SelectVar, true, false, false, false, false},
		{"err", CatchVar, true, false, false, false, false},
	}
	for _, tt := range tests {
		v := vars[tt.name]
		if v == nil {
			t.Errorf("%s is not defined", tt.name)
			continue
		}
		if v.Kind != tt.kind || v.Mut != tt.mut || v.Read != tt.read || v.Assigned != tt.assigned ||
			v.Captured != tt.captured || (v.Owner != nil) != tt.owns {
			t.Errorf("%s: %+v", tt.name, *v)
		}
	}
}

func TestContractsKnowTheirNames(t *testing.T) {
	p := checkText(`
class Account {
    balance: int
    invariant self.balance >= 0
    fn take(mut self, n: int) int
    requires n > 0 && n <= self.balance
    ensures result == old(self.balance) - n
    {
        self.balance -= n
        return self.balance
    }
}
trait T {
    fn f(self, n: int) int
    requires n > 0
}
class A impl T {
    fn f(self, n: int) int { return n }
}
class Cell<V> {
    v: V
    n: int
    invariant self.n > 0
}
fn half<V>(v: V, n: int) int
requires n > 0
{ return n }
fn main() {
    let c = Cell<int> { v: 1, n: 1 }
    print(half(c, 2))
}
`)
	accepts(t, p)
	clauses := func(cs []Contract) int {
		n := 0
		for _, c := range cs {
			if c.Info == nil || c.Info.Type(c.Clause.Cond) != p.Universe.Bool {
				t.Errorf("a clause is no bool")
			}
			n++
		}
		return n
	}
	n := 0
	for _, f := range p.Funcs {
		n += clauses(f.Requires) + clauses(f.Ensures)
	}
	for _, c := range p.Classes {
		n += clauses(c.Invariants)
	}
	if n < 6 {
		t.Errorf("only %d clauses", n)
	}
}

// illTyped finds an expression of a program without errors that has no type that lowering
// can use, or a name that means nothing.
func illTyped(p *Program) (err error) {
	for _, f := range p.Funcs {
		if f.Info == nil || f.Decl == nil || f.Decl.Body == nil {
			continue
		}
		var walk func(n syntax.Node)
		walk = func(n syntax.Node) {
			if e, ok := n.(syntax.Expr); ok && err == nil {
				if what := illTypedExpr(f.Info, e); what != "" {
					line, _ := f.File.Position(e.Span().Start)
					err = fmt.Errorf("%s:%d: in %s: %T %s", f.File.Name, line, f.Name, e, what)
				}
			}
			syntax.Children(n, walk)
		}
		walk(f.Decl.Body)
	}
	return err
}

func illTypedExpr(info *Info, e syntax.Expr) string {
	typ, target := info.Type(e), info.Target(e)
	switch target.(type) {
	case *Module, *Enum: // the head of a path
	default:
		if typ == nil {
			return "has no type"
		}
	}
	if typ != nil && (typ.broken || typ.open) {
		return "has type " + typ.String()
	}
	switch e.(type) {
	case *syntax.IdentExpr, *syntax.CallExpr, *syntax.MethodExpr, *syntax.FieldExpr, *syntax.LitExpr, *syntax.StaticExpr, *syntax.SelfExpr:
		if target == nil {
			return "refers to nothing"
		}
	}
	return ""
}

func TestAcceptedProgramsAreWellTyped(t *testing.T) {
	n := 0
	for _, c := range readCorpus(t, "accept") {
		p, err := c.run(t)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if p.Diags.Errors() > 0 {
			continue
		}
		n++
		if err := illTyped(p); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if n < 100 {
		t.Errorf("only %d programs", n)
	}
}

// FuzzCheck looks for texts that the checker does not survive, or accepts without knowing
// what they mean.
func FuzzCheck(f *testing.F) {
	for _, text := range corpusTexts(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := survives(text, true); err != nil {
			t.Fatal(err)
		}
	})
}
