package syntax

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// shape is an expression with parentheses around everything that has parts.
func shape(x Expr) string {
	list := func(xs []Expr) string {
		var out []string
		for _, x := range xs {
			out = append(out, shape(x))
		}
		return strings.Join(out, ", ")
	}
	switch x := x.(type) {
	case *BinaryExpr:
		return fmt.Sprintf("(%s %s %s)", shape(x.X), x.Op, shape(x.Y))
	case *UnaryExpr:
		return fmt.Sprintf("(%s%s)", x.Op, shape(x.X))
	case *CastExpr:
		return fmt.Sprintf("(%s as %s)", shape(x.X), TypeString(x.Type))
	case *RangeExpr:
		return fmt.Sprintf("(%s..%s)", shape(x.Lo), shape(x.Hi))
	case *ParenExpr:
		return "[" + shape(x.X) + "]"
	case *FieldExpr:
		return shape(x.X) + "." + x.Name.Name
	case *MethodExpr:
		return fmt.Sprintf("%s.%s(%s)", shape(x.X), x.Name.Name, list(x.Args))
	case *IndexExpr:
		return fmt.Sprintf("%s@(%s)", shape(x.X), shape(x.Index))
	case *UnwrapExpr:
		return fmt.Sprintf("(%s?)", shape(x.X))
	case *PropagateExpr:
		return fmt.Sprintf("(%s!)", shape(x.X))
	case *SpawnExpr:
		return fmt.Sprintf("(spawn %s)", shape(x.Call))
	case *CatchExpr:
		s := shape(x.X)
		for _, h := range x.Handlers {
			typ := ""
			if h.Type != nil {
				typ = ":" + h.Type.Name
			}
			s += fmt.Sprintf(" catch %s%s {%d}", h.Name.Name, typ, len(h.Body.Stmts))
		}
		if x.Default != nil {
			s += " catch " + shape(x.Default)
		}
		return "(" + s + ")"
	case *ClosureExpr:
		if x.Value == nil {
			return fmt.Sprintf("(%d params => {%d})", len(x.Params), len(x.Body.Stmts))
		}
		return fmt.Sprintf("(%d params => %s)", len(x.Params), shape(x.Value))
	case *CallExpr:
		var types []string
		for _, t := range x.TypeArgs {
			types = append(types, TypeString(t))
		}
		name := x.Name.Name
		if len(types) > 0 {
			name += "<" + strings.Join(types, ",") + ">"
		}
		return fmt.Sprintf("%s(%s)", name, list(x.Args))
	case *ArrayLit:
		return "array(" + list(x.Elems) + ")"
	case *LitExpr:
		s := "lit"
		for i, name := range x.Path {
			s += " " + name.Name
			if len(x.TypeArgs) > 0 && x.ArgsAt == i {
				s += fmt.Sprintf("<%d>", len(x.TypeArgs))
			}
		}
		for _, f := range x.Fields {
			s += fmt.Sprintf(" %s:%s", f.Name.Name, shape(f.Value))
		}
		return "(" + s + ")"
	case *GenericExpr:
		name := x.Name.Name
		if x.Module != nil {
			name = x.Module.Name + "/" + name
		}
		return fmt.Sprintf("%s<%d>", name, len(x.Args))
	}
	return ExprString(x)
}

func TestShapesOfExpressions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// precedence
		{"a || b && c | d ^ e & f == g < h << i + j * k", "(a || (b && (c | (d ^ (e & (f == (g < (h << (i + (j * k))))))))))"},
		{"a * b + c << d < e == f & g ^ h | i && j || k", "((((((((((a * b) + c) << d) < e) == f) & g) ^ h) | i) && j) || k)"},
		{"a - b - c", "((a - b) - c)"}, {"1 == 1 == true", "((1 == 1) == true)"}, {"a < b < c", "((a < b) < c)"},
		{"1 + 2 << 3", "((1 + 2) << 3)"}, {"5 ^ 3 & 1", "(5 ^ (3 & 1))"}, {"x & 3 == 0", "(x & (3 == 0))"},
		{"a >> b >> c", "((a >> b) >> c)"}, {"a > b >> c", "(a > (b >> c))"}, {"a > > b", ""},
		{"-1 as byte", "((-1) as byte)"}, {"a + b as float", "(a + (b as float))"}, {"3.9 as int as float", "((3.9 as int) as float)"},
		{"-arr[0] * 2", "((-arr@(0)) * 2)"}, {"-f()!", "(-(f()!))"}, {"!!b", "(!(!b))"}, {"- -x", "(-(-x))"}, {"~-x", "(~(-x))"},
		{"x as int < 5", "((x as int) < 5)"}, {"x as int?", "(x as int?)"},
		{"a - -b", "(a - (-b))"}, {"(a + b) * c", "([(a + b)] * c)"},
		// ranges are the loosest
		{"0..n - 1", "(0..(n - 1))"}, {"a + 1..b", "((a + 1)..b)"}, {"-1..=5", "((-1)..5)"},
		// postfix
		{"a.b.c(1)[2]?!", "((a.b.c(1)@(2)?)!)"}, {"a()?.b()?.c", "((a()?).b()?).c"}, {"spawn f().detach()", "(spawn f()).detach()"},
		{"spawn self.a.b(1).get()!", "((spawn self.a.b(1)).get()!)"},
		{"f() catch 0 + 1", "(f() catch (0 + 1))"}, {"1 + f() catch 2", "(1 + (f() catch 2))"}, {"-f() catch 0", "(-(f() catch 0))"},
		{"f() catch NetErr { 0 }", "(f() catch NetErr {1})"}, {"f() catch e: E { 0 } catch e2 { } catch 5", "(f() catch e:E {1} catch e2 {0} catch 5)"},
		{"f() catch e: E { 0 }\n catch 5", "(f() catch e:E {1} catch 5)"}, {"f() catch e", "(f() catch e)"}, {"f() catch (e)", "(f() catch [e])"},
		// what glues to the line before
		{"a\n.b()\n.c", "a.b().c"}, {"a\n- b", "(a - b)"}, {"a\n* b", "(a * b)"}, {"a\n[0]", "a@(0)"}, {"a\n(1)", "a(1)"}, {"a\n& b", "(a & b)"},
		{"a +\n\n b", "(a + b)"}, {"0\n..5", "(0..5)"}, {"a.b\n(1)", "a.b(1)"},
		// generics or less-than
		{"f<int>(1)", "f<int>(1)"}, {"f<Map<string, [int]>, fn(int) bool>(1)", "f<Map<string, [int]>,fn(int) bool>(1)"},
		{"a < b", "(a < b)"}, {"a < b && c > (d)", "((a < b) && (c > [d]))"}, {"a < b > (c)", "a<b>(c)"}, {"a < 1 > (c)", "((a < 1) > [c])"},
		{"Box<int> { v: 1 }", "(lit Box<1> v:1)"}, {"Box<Box<int>> { v: 1 }", "(lit Box<1> v:1)"}, {"Box<int>\n{ v: 1 }", "(lit Box<1> v:1)"},
		{"m.Box<int> { v: 1 }", "(lit m Box<1> v:1)"}, {"Opt<int>.Some { v: 1 }", "(lit Opt<1> Some v:1)"}, {"m.Opt<int>.Some { v: 1 }", "(lit m Opt<1> Some v:1)"},
		{"Opt<int>.None", "Opt<1>.None"}, {"m.Opt<int>.None", "m/Opt<1>.None"}, {"Opt<int?>.None == x", "(Opt<1>.None == x)"},
		// literals
		{"P { x: 1, y: 2 }", "(lit P x:1 y:2)"}, {"P { x: 1 y: 2 }", "(lit P x:1 y:2)"}, {"P {}", "(lit P)"}, {"P {\n}", "(lit P)"},
		{"m.P { x: 1 }", "(lit m P x:1)"}, {"m.E.V { x: 1 }", "(lit m E V x:1)"}, {"E.V", "E.V"}, {"P { x: Q { y: 1 } }.x", "(lit P x:(lit Q y:1)).x"},
		{"Map<string, int> { \"a\": 1 \"b\": 2 }", "Map<string, int> { \"a\": 1, \"b\": 2 }"}, {"Set<int> { 1 2, 3 }", "Set<int> { 1, 2, 3 }"}, {"Set<int> {}", "Set<int> {}"},
		{"[1, 2,]", "array(1, 2)"}, {"[]", "array()"}, {"[\n1,\n2\n]", "array(1, 2)"},
		// closures
		{"() => 1", "(0 params => 1)"}, {"(x: int) => x + 1", "(1 params => (x + 1))"}, {"(x: int, y: [int?]) bool => { return true }", "(2 params => {1})"},
		{"() int => 5", "(0 params => 5)"}, {"() => () => 1", "(0 params => (0 params => 1))"}, {"() => {}", "(0 params => {0})"},
		// keywords as operands
		{"1 + if a { 1 } else { 2 }", "(1 + if a { ... } else { ... })"}, {"match e { E.A => 1, E.B { x, y: z } => x, }.foo()", "match e { ... }.foo()"},
		{"Info::kind<int>()", "Info::kind<int>()"},
	} {
		f, _ := parseAny("fn f() {\nlet x = " + c.text + "\n}")
		if f.OK != (c.want != "") {
			t.Errorf("%s: it is %v that it parses", c.text, f.OK)
		}
		if !f.OK {
			continue
		}
		if got := shape(f.Decls[0].(*FuncDecl).Body.Stmts[0].(*LetStmt).Value); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// The files of the archive are programs without syntax errors; the first line may say how
// many statements their first function has.
func TestAcceptedPrograms(t *testing.T) {
	a, err := txtar.ParseFile("testdata/accepted.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files) < 60 {
		t.Errorf("only %d cases", len(a.Files))
	}
	for _, file := range a.Files {
		text := string(file.Data)
		if lines := errorLines(text); lines != "" {
			t.Errorf("%s:\n%s%s", file.Name, text, lines)
			continue
		}
		f := parse(t, text)
		checkTokens(t, f)
		checkSpans(t, f)
		if want, ok := strings.CutPrefix(strings.SplitN(text, "\n", 2)[0], "// statements: "); ok {
			if got := fmt.Sprint(len(f.Decls[0].(*FuncDecl).Body.Stmts)); got != want {
				t.Errorf("%s: %s statements, want %s", file.Name, got, want)
			}
		}
	}
}
