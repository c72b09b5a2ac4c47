package check

import (
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
)

// phrase is a program and a phrase that its first error contains. A program is a txtar
// archive, or the text of main.pluto.
type phrase struct{ want, text string }

func refuseAll(t *testing.T, cases []phrase, options ...string) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.want, func(t *testing.T) {
			refuses(t, checkArchive(c.text, options...), c.want)
		})
	}
}

// TestDeclRules holds the examples of the rules about declarations to their codes.
func TestDeclRules(t *testing.T) {
	n := 0
	for _, r := range diag.Rules() {
		switch r.Code[:3] {
		case "P03", "P06", "P10":
		default:
			continue
		}
		if r.Wrong == "" {
			t.Errorf("%s has no example", r.Code)
			continue
		}
		n++
		p := checkArchive(r.Wrong)
		if all := p.Diags.Sorted(); len(all) == 0 || all[0].Code != r.Code {
			t.Errorf("%s: the wrong example reports\n%s", r.Code, strings.Join(messages(p), "\n"))
		}
		if p := checkArchive(r.Right); len(messages(p)) > 0 {
			t.Errorf("%s: the right example reports\n%s", r.Code, strings.Join(messages(p), "\n"))
		}
	}
	if n < 45 {
		t.Errorf("%d rules", n)
	}
}

func TestNamesRefused(t *testing.T) {
	refuseAll(t, []phrase{
		{"trait 'A' is already declared", "trait A {\n}\ntrait A {\n}"},
		{"enum 'A' is already declared", "enum A {\nX\n}\nenum A {\nY\n}"},
		{"error 'A' is already declared", "error A {}\nerror A {}"},
		{"class 'A' is already declared", "class A {\n}\nclass A {\n}"},
		{"function 'f' is already declared", "fn f() {\n}\nfn f() {\n}"},
		{"function 'main' is already declared", "-- main.pluto --\nfn main() {\n}\n-- other.pluto --\nfn main() {\n}\n"},
		{"other.pluto:1: Type error: function 'main' is already declared", "-- main.pluto --\nfn main() {\n}\n-- other.pluto --\nfn main() {\n}\n"},
		{"enum 'A' is already declared as a trait", "enum A {\nX\n}\ntrait A {\n}"},
		{"error 'A' is already declared as a trait", "error A {}\ntrait A {\n}"},
		{"error 'A' is already declared as an enum", "error A {}\nenum A {\nX\n}"},
		{"class 'A' is already declared as a trait", "class A {\n}\ntrait A {\n}"},
		{"class 'A' is already declared as an enum", "class A {\n}\nenum A {\nX\n}"},
		{"class 'A' is already declared as an error", "class A {\n}\nerror A {}"},
		{"class 'm' is already declared as an imported module name", "-- main.pluto --\nimport m\nclass m {\n}\n-- m/m.pluto --\nfn f() {\n}\n"},
		{"class 'x' is already declared as an imported module name", "-- main.pluto --\nimport m as x\nclass x {\n}\n-- m/m.pluto --\nfn f() {\n}\n"},
		{"function 'm' is already declared as an imported module name", "-- main.pluto --\nimport m\nfn m() {\n}\n-- m/m.pluto --\nfn f() {\n}\n"},
		{"enum 'm' is already declared as an imported module name", "-- main.pluto --\nimport m\nenum m {\nX\n}\n-- m/m.pluto --\nfn f() {\n}\n"},
		{"function 'A' is already declared as a class", "fn A() {\n}\nclass A {\n}"},
		{"function 'A' is already declared as an enum", "fn A() {\n}\nenum A {\nX\n}"},
		{"function 'A' is already declared as a trait", "fn A() {\n}\ntrait A {\n}"},
		{"duplicate function name 'f': defined as both fn and extern fn", "fn f() {\n}\nextern fn f()"},
		{"class 'A' is already declared as an app", "class A {\n}\napp A {\nfn main(self) {\n}\n}"},
		{"function 'A' is already declared as an app", "fn A() {\n}\napp A {\nfn main(self) {\n}\n}"},
		{"app 'A' is already declared as a trait", "trait A {\n}\napp A {\nfn main(self) {\n}\n}"},
		{"function 'f' is already declared", "extern fn f()\nextern fn f()"},
		{"variant 'V' is already declared in enum 'E'", "enum E {\nV\nV\n}"},
		{"duplicate field 'a' in variant 'E.V'", "enum E {\nV { a: int, a: int }\n}"},
		{"duplicate field 'a' in error 'E'", "error E { a: int a: int }"},
		{"duplicate field 'x' in class 'A'", "class A {\nx: int\nx: int\n}"},
		{"duplicate field 'x' in class 'A'", "class B {\n}\nclass A[x: B] {\nx: int\n}"},
		{"duplicate field 'x' in class 'A'", "class B {\n}\nclass A[x: B, x: B] {\n}"},
		{"duplicate method 'm' in class 'A'", "class A {\nfn m(self) {\n}\nfn m(self) {\n}\n}"},
		{"duplicate method 'm' in trait 'A'", "trait A {\nfn m(self)\nfn m(self)\n}"},
		{"duplicate method 'm' in app 'A'", "app A {\nfn m(self) {\n}\nfn m(self) {\n}\nfn main(self) {\n}\n}"},
		{"parameter 'p' is already declared in function 'f'", "fn f(p: int, p: int) {\n}"},
		{"parameter 'p' is already declared in function 'f'", "fn f(p: int, q: int, p: string) {\n}"},
		{"parameter 'p' is already declared in function 'm'", "class A {\nfn m(self, p: int, p: int) {\n}\n}"},
		{"parameter 'p' is already declared in function 'm'", "trait A {\nfn m(self, p: int, p: int)\n}"},
		{"parameter 'p' is already declared in function 'f'", "extern fn f(p: int, p: int)"},
		{"parameter 'p' is already declared in function 'f'", "fn f<T>(p: T, p: T) {\n}"},
		{"type parameter 'T' is already declared in function 'f'", "fn f<T, T>(a: T) {\n}"},
		{"type parameter 'T' is already declared in class 'A'", "class A<T, T> {\n}"},
		{"type parameter 'T' is already declared in enum 'A'", "enum A<T, T> {\nX\n}"},
		{"type parameter 'B' in function 'f' shadows class 'B'", "class B {\n}\nfn f<B>(a: B) {\n}"},
		{"type parameter 'B' in class 'A' shadows class 'B'", "class B {\n}\nclass A<B> {\n}"},
		{"function 'print' cannot shadow builtin 'print'", "fn print(x: int) {\n}"},
		{"function 'abs' cannot shadow builtin 'abs'", "fn abs(x: int) {\n}"},
		{"function 'expect' cannot shadow builtin 'expect'", "fn expect(x: int) {\n}"},
		{"class 'min' cannot shadow builtin 'min'", "class min {\n}"},
		{"cannot define class 'ClassInfo': conflicts with built-in prelude type", "class ClassInfo {\n}"},
		{"cannot define enum 'FieldInfo': conflicts with built-in prelude type", "enum FieldInfo {\nX\n}"},
		{"cannot define trait 'TypeInfo': conflicts with built-in prelude type", "trait TypeInfo {\n}"},
		{"cannot define error 'TypeKind': conflicts with built-in prelude type", "error TypeKind {}"},
		{"extern functions only support primitive types and arrays (int, float, bool, string, array), got 'byte'", "extern fn f(b: byte)"},
		{"got 'Map<string, int>'", "extern fn f(m: Map<string, int>)"},
		{"got 'int?'", "extern fn f() int?"},
		{"got 'A'", "class A {\n}\nextern fn f(x: int) A"},
		{"got '[A]'", "class A {\n}\nextern fn f(x: [A])"},
		{"got 'fn(int) void'", "extern fn f(g: fn(int))"},
	})
}

func TestTypesRefused(t *testing.T) {
	refuseAll(t, []phrase{
		{"unknown type 'Nope'", "fn f(x: Nope) {\n}"},
		{"unknown type 'Nope'", "fn f() Nope {\n}"},
		{"unknown type 'Nope'", "fn f(x: [Map<string, fn(Nope) int>]) {\n}"},
		{"unknown type 'Nope'", "class A {\nx: Nope?\n}"},
		{"unknown type 'Nope'", "class A[x: Nope] {\n}"},
		{"unknown type 'Nope'", "app A[x: Nope] {\nfn main(self) {\n}\n}"},
		{"unknown type 'Nope'", "enum E {\nV { x: Nope }\n}"},
		{"unknown type 'Nope'", "error E { x: Nope }"},
		{"unknown type 'Nope'", "trait T {\nfn m(self) Nope\n}"},
		{"unknown type 'Nope'", "class A {\nfn m(self, x: Nope) {\n}\n}"},
		{"unknown type 'Nope'", "extern fn f(x: Nope)"},
		{"unknown type 'Nope'", "fn f<T>(x: Nope) T {\nreturn x\n}"},
		{"unknown type 'Nope'", "fn main() {\nlet f = (x: Nope) => 1\n}"},
		{"unknown type 'U'", "fn f<T>(x: U) {\n}"},
		{"unknown type 'E'", "error E {}\nfn f(x: E) {\n}"},
		{"unknown type 'A'", "app A {\nfn main(self) {\n}\n}\nfn f(x: A) {\n}"},
		{"unknown type 'g'", "fn g() {\n}\nfn f(x: g) {\n}"},
		{"unknown type 'Box'", "class Box<T> {\nv: T\n}\nfn f(x: Box) {\n}"},
		{"unknown type 'Opt'", "enum Opt<T> {\nN\n}\nfn f(x: Opt) {\n}"},
		{"unknown type 'Map'", "fn f(x: Map) {\n}"},
		{"unknown type 'Set'", "fn f(x: Set) {\n}"},
		{"unknown type 'm.Nope'", "-- main.pluto --\nimport m\nfn f(x: m.Nope) {\n}\n-- m/m.pluto --\nfn g() {\n}\n"},
		{"unknown type 'n.Nope'", "-- main.pluto --\nimport m\nfn f(x: n.Nope) {\n}\n-- m/m.pluto --\nfn g() {\n}\n"},
		{"unknown generic type 'A'", "class A {\n}\nfn f(x: A<int>) {\n}"},
		{"unknown generic type 'E'", "enum E {\nV\n}\nfn f(x: E<int>) {\n}"},
		{"unknown generic type 'T'", "trait T {\n}\nfn f(x: T<int>) {\n}"},
		{"unknown generic type 'Nope'", "fn f(x: Nope<int>) {\n}"},
		{"unknown generic type 'int'", "fn f(x: int<int>) {\n}"},
		{"unknown generic type 'm.A'", "-- main.pluto --\nimport m\nfn f(x: m.A<int>) {\n}\n-- m/m.pluto --\npub class A {\n}\n"},
		{"Map expects 2 type arguments, got 1", "fn f(x: Map<int>) {\n}"},
		{"Map expects 2 type arguments, got 3", "fn f(x: Map<int, int, int>) {\n}"},
		{"Set expects 1 type argument, got 2", "fn f(x: Set<int, int>) {\n}"},
		{"Task expects 1 type argument, got 2", "fn f(x: Task<int, int>) {\n}"},
		{"Sender expects 1 type argument, got 2", "fn f(x: Sender<int, int>) {\n}"},
		{"Receiver expects 1 type argument, got 2", "fn f(x: Receiver<int, int>) {\n}"},
		{"type fn() int cannot be used as a map/set key (must be int, float, bool, string, byte, or enum)", "fn f(m: Map<fn() int, int>) {\n}"},
		{"type fn() int cannot be used as a map/set key", "fn f(m: Set<fn() int>) {\n}"},
		{"type fn() int cannot be used as a map/set key", "class A<T> {\ns: Set<T>\n}\nfn f(m: A<fn() int>) {\n}"},
		{"void? is not allowed", "fn f(x: void?) {\n}"},
		{"void? is not allowed", "fn f() void? {\n}"},
		{"nested nullable types (T??) are not allowed", "class Box<T> {\nv: T?\n}\nfn f(b: Box<int?>) {\n}"},
		{"nested nullable types (T??) are not allowed", "enum Opt<T> {\nSome { v: T? }\n}\nfn f(b: Opt<int?>) {\n}"},
		{"nested nullable types (T??) are not allowed", "class In<T> {\nv: T?\n}\nclass Out<T> {\nv: In<T>\n}\nfn f(b: Out<int?>) {\n}"},
		{"nested nullable types (T??) are not allowed", "class Box<T> {\nv: T\nfn m(self) T? {\nreturn none\n}\n}\nfn f(b: Box<int?>) {\n}"},
		{"nested nullable types (T??) are not allowed", "fn g<T>(x: T) T? {\nreturn none\n}\nfn f(x: int?) {\ng(x)\n}"},
		{"void? is not allowed", "class Box<T> {\nv: T?\n}\nfn f(b: Box<void>) {\n}"},
	})
}

func TestGenericsRefused(t *testing.T) {
	const cat = "trait Named {\nfn name(self) string\n}\nclass Cat impl Named {\nfn name(self) string {\nreturn \"cat\"\n}\n}\nclass Dog {\n}\n"
	refuseAll(t, []phrase{
		{"unknown trait 'Nope' in type bound for 'T'", "fn f<T: Nope>(x: T) {\n}"},
		{"unknown trait 'Nope' in type bound for 'T'", "class A<T: Nope> {\n}"},
		{"unknown trait 'Nope' in type bound for 'T'", "enum A<T: Nope> {\nX\n}"},
		{"unknown trait 'B' in type bound for 'T'", "class B {\n}\nfn f<T: B>(x: T) {\n}"},
		{"type Dog does not satisfy bound 'T: Named' required by 'f'", cat + "fn f<T: Named>(x: T) {\n}\nfn main() {\nf(Dog {})\n}"},
		{"type int does not satisfy bound 'T: Named' required by 'f'", cat + "fn f<T: Named>(x: T) {\n}\nfn main() {\nf(1)\n}"},
		{"type int does not satisfy bound 'T: Named' required by 'f'", cat + "fn f<T: Named>(x: T) {\n}\nfn main() {\nf<int>(1)\n}"},
		{"type trait Named does not satisfy bound 'T: Named' required by 'f'", cat + "fn f<T: Named>(x: T) {\n}\nfn main() {\nlet n: Named = Cat {}\nf(n)\n}"},
		{"type Cat? does not satisfy bound 'T: Named' required by 'f'", cat + "fn f<T: Named>(x: T) {\n}\nfn main() {\nlet n: Cat? = none\nf(n)\n}"},
		{"type Dog does not satisfy bound 'T: Named' required by 'Box'", cat + "class Box<T: Named> {\nv: T\n}\nfn f(b: Box<Dog>) {\n}"},
		{"type Dog does not satisfy bound 'T: Named' required by 'Box'", cat + "class Box<T: Named> {\nv: T\n}\nfn main() {\nlet b = Box<Dog> { v: Dog {} }\n}"},
		{"type Dog does not satisfy bound 'U: Named' required by 'Opt'", cat + "enum Opt<T, U: Named> {\nN\n}\nfn main() {\nlet b = Opt<int, Dog>.N\n}"},
		{"type Dog does not satisfy bound 'T: Named' required by 'Box'", cat + "class Box<T: Named> {\nv: T\n}\nclass Pair<A> {\nb: Box<A>?\n}\nfn f(b: Pair<Dog>) {\n}"},
		{"type Half does not satisfy bound 'T: Other' required by 'f'", cat + "trait Other {\n}\nfn f<T: Named + Other>(x: T) {\n}\nclass Both impl Named, Other {\nfn name(self) string {\nreturn \"\"\n}\n}\nclass Half impl Named {\nfn name(self) string {\nreturn \"\"\n}\n}\nfn main() {\nf(Both {})\nf(Half {})\n}"},
		{"class 'Box' expects 1 type arguments, got 2", "class Box<T> {\nv: T\n}\nfn f(b: Box<int, int>) {\n}"},
		{"class 'Pair' expects 2 type arguments, got 1", "class Pair<A, B> {\na: A\nb: B\n}\nfn main() {\nlet p = Pair<int> { a: 1, b: 2 }\n}"},
		{"enum 'Opt' expects 1 type arguments, got 2", "enum Opt<T> {\nN\n}\nfn f(b: Opt<int, int>) {\n}"},
		{"enum 'Opt' expects 1 type arguments, got 2", "enum Opt<T> {\nN\n}\nfn main() {\nlet o = Opt<int, int>.N\n}"},
		{"function 'f' expects 1 type arguments, got 2", "fn f<T>(x: T) {\n}\nfn main() {\nf<int, int>(1)\n}"},
		{"class 'm.Box' expects 1 type arguments, got 2", "-- main.pluto --\nimport m\nfn f(b: m.Box<int, int>) {\n}\n-- m/m.pluto --\npub class Box<T> {\nv: T\n}\n"},
		{"cannot infer type parameters for 'f'", "fn f<T>(a: T, b: T) {\n}\nfn main() {\nf(1, \"a\")\n}"},
		{"argument 2 of 'f': expected int, found string", "fn f<T>(a: T, b: T) {\n}\nfn main() {\nf(1, \"a\")\n}"},
		{"cannot infer type parameters for 'f'", "fn f<T>(a: [T]) {\n}\nfn main() {\nf(1)\n}"},
		{"cannot infer type parameters for 'f'", "fn f<T>(a: Map<T, int>) {\n}\nfn main() {\nf(Map<int, string> {})\n}"},
		{"argument 1 of 'f': expected fn(T) int, found fn(int, int) int", "fn f<T>(a: fn(T) int) {\n}\nfn main() {\nf((a: int, b: int) => a)\n}"},
		{"argument 2 of 'f': expected int, found string", "fn f<T>(a: T, n: int) {\n}\nfn main() {\nf(1, \"a\")\n}"},
		{"cannot infer type parameter 'T' for 'f'", "fn f<T>(n: int) {\n}\nfn main() {\nf(1)\n}"},
		{"cannot infer type parameter 'U' for 'f'", "fn f<T, U>(n: T) {\n}\nfn main() {\nf(1)\n}"},
		{"cannot infer type parameter 'T' for 'f'", "class Box<T> {\nv: T\n}\nfn f<T>(b: Box<T>) {\n}\nfn main() {\nf(Box<int> { v: 1 })\n}"},
		{"void? is not allowed", "fn f<T>(x: T) {\n}\nfn main() {\nf(none)\n}"},
		{"void? is not allowed", "fn f<T>(x: T?) {\n}\nfn main() {\nf(none)\n}"},
		{"operator not supported for type bool", "fn add<T>(a: T, b: T) T {\nreturn a + b\n}\nfn main() {\nprint(add(1, 2))\nprint(add(true, false))\n}"},
		{"missing return statement in function with return type T", "fn f<T>(a: T) T {\n}"},
		{"missing return statement in function with return type T", "class A<T> {\nv: T\nfn m(self) T {\n}\n}"},
		{"instantiating 'Nest' never ends", "class Nest<T> {\ninner: Nest<Nest<T>>?\n}\nfn f(n: Nest<int>) {\n}"},
		{"instantiating 'Nest' never ends", "class Nest<T> {\na: Nest<[T]>?\nb: Nest<Task<T>>?\nc: Nest<fn(T)>?\nd: Nest<fn(T) T>?\n}\nfn f(n: Nest<int>) {\n}"},
		{"never ends: it needs ever larger type arguments", "class Pair<A, B> {\na: A\nb: B\n}\nclass Tree<T> {\na: Tree<Pair<T, T>>?\n}\nfn f(n: Tree<int>) {\n}"},
		{"instantiating 'List' never ends", "enum List<T> {\nEnd\nMore { rest: List<[T]> }\n}\nfn f(n: List<int>) {\n}"},
		{"instantiating 'f' never ends", "fn f<T>(x: T, n: int) {\nif n > 0 {\nf([x], n - 1)\n}\n}\nfn main() {\nf(1, 2)\n}"},
		{"undefined variable 'y'", "class Box<T> {\nv: T\nfn m(self) int {\nreturn y\n}\n}\nfn f(b: Box<int>) {\n}"},
	})
}

func TestTraitsRefused(t *testing.T) {
	const tr = "trait T {\nfn m(self, n: int) string\n}\n"
	refuseAll(t, []phrase{
		{"unknown trait 'Nope'", "class C impl Nope {\n}"},
		{"unknown trait 'A'", "class A {\n}\nclass C impl A {\n}"},
		{"unknown trait 'E'", "enum E {\nX\n}\nclass C impl E {\n}"},
		{"unknown trait 'f'", "fn f() {\n}\nclass C impl f {\n}"},
		{"unknown trait 'T'", "-- main.pluto --\nimport m\nclass C impl T {\n}\n-- m/m.pluto --\npub trait T {\n}\n"},
		{"trait 'T' appears multiple times in impl list for class 'C'", "trait T {\n}\nclass C impl T, T {\n}"},
		{"class 'C' does not implement required method 'm' from trait 'T'", tr + "class C impl T {\n}"},
		{"class 'C' does not implement required method 'm' from trait 'T'", tr + "class C<X> impl T {\nx: X\n}"},
		{"method 'm' of class 'C' has wrong number of parameters for trait 'T'", tr + "class C impl T {\nfn m(self) string {\nreturn \"\"\n}\n}"},
		{"method 'm' of class 'C' has wrong number of parameters for trait 'T'", tr + "class C impl T {\nfn m(n: int) string {\nreturn \"\"\n}\n}"},
		{"method 'm' parameter 1 type mismatch: trait 'T' expects int, class 'C' has float", tr + "class C impl T {\nfn m(self, n: float) string {\nreturn \"\"\n}\n}"},
		{"method 'm' parameter 1 type mismatch: trait 'T' expects int, class 'C' has int?", tr + "class C impl T {\nfn m(self, n: int?) string {\nreturn \"\"\n}\n}"},
		{"method 'm' return type mismatch: trait 'T' expects string, class 'C' returns int", tr + "class C impl T {\nfn m(self, n: int) int {\nreturn 1\n}\n}"},
		{"method 'm' return type mismatch: trait 'T' expects string, class 'C' returns void", tr + "class C impl T {\nfn m(self, n: int) {\n}\n}"},
		{"method 'm' return type mismatch: trait 'T' expects trait T, class 'C' returns C", "trait T {\nfn m(self) T\n}\nclass C impl T {\nfn m(self) C {\nreturn self\n}\n}"},
		{"method 'm' in trait 'T' declares 'mut self', but class 'C' does not", "trait T {\nfn m(mut self)\n}\nclass C impl T {\nfn m(self) {\n}\n}"},
		{"method 'm' in trait 'T' declares 'self', but class 'C' declares 'mut self'", "trait T {\nfn m(self)\n}\nclass C impl T {\nfn m(mut self) {\n}\n}"},
		{"method 'm' parameter 1 type mismatch: trait 'T' expects int, class 'C$$string' has string", tr + "class C<X> impl T {\nx: X\nfn m(self, n: X) string {\nreturn \"\"\n}\n}\nfn f(c: C<int>, d: C<string>) {\n}"},
		{"method 'm' return type mismatch: trait 'B' expects int, class 'C' returns string", "trait A {\nfn m(self) string {\nreturn \"\"\n}\n}\ntrait B {\nfn m(self) int\n}\nclass C impl A, B {\n}"},
		{"Codegen error: Duplicate definition of identifier: C$work", "trait A {\nfn work(self) {\n}\n}\ntrait B {\nfn work(self) {\n}\n}\nclass C impl A, B {\n}"},
		{"class 'C' has no method 'gone'", "trait A {\nfn work(self) {\nself.gone()\n}\n}\nclass C impl A {\n}"},
		{"expected trait T, found C", "trait T {\n}\nclass C {\n}\nfn f(t: T) {\n}\nfn main() {\nf(C {})\n}"},
		{"type mismatch: expected trait A, found trait B", "trait A {\n}\ntrait B {\n}\nfn f(b: B) {\nlet a: A = b\n}"},
		{"Type error: requires expression must be bool, found int", "trait T {\nfn m(self, n: int)\nrequires n\n}"},
		{"field access on non-class type trait T", "trait T {\nfn m(self)\nrequires self.n > 0\n}"},
	})
}

func TestInjectionRefused(t *testing.T) {
	const app = "app Main {\nfn main(self) {\n}\n}\n"
	const logger = "class Logger {\n}\n"
	refuseAll(t, []phrase{
		{"app must have a 'main' method", "app A {\nfn other(self) {\n}\n}"},
		{"app main method must take 'self' as first parameter", "app A {\nfn main() {\n}\n}"},
		{"app main method must not have a return type", "app A {\nfn main(self) int {\nreturn 1\n}\n}"},
		{"cannot have both an app declaration and a top-level main function", app + "fn main() {\n}"},
		{"unknown type 'Main'", app + "fn f(a: Main) {\n}"},
		{"unknown class 'Main'", app + "fn f() {\nlet x = Main {}\n}"},
		{"injected dependency 'int' in class 'A' is not a known class", "class A[n: int] {\n}"},
		{"injected dependency 'T' in class 'A' is not a known class", "trait T {\n}\nclass A[n: T] {\n}"},
		{"injected dependency 'E' in class 'A' is not a known class", "enum E {\nX\n}\nclass A[n: E] {\n}"},
		{"injected dependency '[B]' in class 'A' is not a known class", "class B {\n}\nclass A[n: [B]] {\n}"},
		{"injected dependency 'int' in app 'A' is not a known class", "app A[n: int] {\nfn main(self) {\n}\n}"},
		{"injected dependency 'int' in class 'A$$int' is not a known class", "class A<T>[n: T] {\n}\nfn f(a: A<int>) {\n}"},
		{"circular dependency detected: A -> A", "class A[a: A] {\n}"},
		{"circular dependency detected: A -> B -> A", "class A[b: B] {\n}\nclass B[a: A] {\n}"},
		{"circular dependency detected: B -> C -> B", "class A[b: B] {\n}\nclass B[c: C] {\n}\nclass C[b: B] {\n}\n" + app},
		{"circular dependency detected: A -> W$$int -> A", "class W<T>[a: A] {\n}\nclass A[w: W<int>] {\n}"},
		{"class 'S' uses ambient types, but no app or stage declaration exists", logger + "class S uses Logger {\n}"},
		{"class 'S' uses ambient type 'Logger', but 'Logger' is not declared ambient in the app", logger + "class S uses Logger {\n}\n" + app},
		{"class 'S' uses ambient type 'Nope', but 'Nope' is not declared ambient in the app", "class S uses Nope {\n}\n" + app},
		{"ambient type 'Nope' is not a known class", "app A {\nambient Nope\nfn main(self) {\n}\n}"},
		{"ambient type 'T' is not a known class", "trait T {\n}\napp A {\nambient T\nfn main(self) {\n}\n}"},
		{"duplicate ambient dependency 'Logger' in class 'S'", logger + "class S uses Logger, Logger {\n}\napp A {\nambient Logger\nfn main(self) {\n}\n}"},
		{"duplicate ambient type 'Logger' in app", logger + "app A {\nambient Logger\nambient Logger\nfn main(self) {\n}\n}"},
		{"ambient variable 'logger' conflicts with existing field in class 'S'", logger + "class S uses Logger {\nlogger: int\n}\napp A {\nambient Logger\nfn main(self) {\n}\n}"},
		{"ambient variable 'logger' conflicts with existing field in class 'S'", logger + "class S uses Logger[logger: Logger] {\n}\napp A {\nambient Logger\nfn main(self) {\n}\n}"},
		{"ambient variable 'logger' conflicts with existing app dependency", logger + "app A[logger: Logger] {\nambient Logger\nfn main(self) {\n}\n}"},
		{"generic class 'S' cannot use ambient dependencies", logger + "class S<T> uses Logger {\n}\napp A {\nambient Logger\nfn main(self) {\n}\n}"},
		{"cannot manually construct class 'S' with injected dependencies", logger + "class S uses Logger {\n}\napp A {\nambient Logger\nfn main(self) {\nlet s = S {}\n}\n}"},
		{"cannot manually construct class 'S' with injected dependencies", logger + "class S[l: Logger] {\nn: int\n}\nfn main() {\nlet s = S { n: 1 }\n}"},
		{"lifecycle override: unknown class 'Nope'", "app A {\nscoped Nope\nfn main(self) {\n}\n}"},
		{"lifecycle override: cannot lengthen lifecycle of 'X' from transient to scoped; overrides can only shorten lifecycle (singleton -> scoped -> transient)", "transient class X {\n}\napp A {\nscoped X\nfn main(self) {\n}\n}"},
		{"app bracket dependency 'x' has overridden lifecycle; use scope blocks to access scoped/transient instances", "class X {\n}\napp A[x: X] {\nscoped X\nfn main(self) {\n}\n}"},
		{"undefined variable 'self'", "fn main() {\nprint(self.x)\n}"},
	})
}

func TestScopesRefused(t *testing.T) {
	const req = "scoped class Req {\nid: int\n}\n"
	scope := func(decls, head string) string {
		return req + decls + "fn main() {\nscope(" + head + "| {\n}\n}"
	}
	refuseAll(t, []phrase{
		{"scope seed must be a scoped class, but 'X' has lifecycle 'singleton'; add 'scoped' keyword: scoped class X { ... }", scope("class X {\n}\n", "X {}) |r: Req")},
		{"but 'X' has lifecycle 'transient'", scope("transient class X {\n}\n", "X {}) |r: Req")},
		{"scope seed must be a class instance, found int", scope("", "1) |r: Req")},
		{"scope seed must be a class instance, found trait T", scope("trait T {\n}\nfn t() T? {\nreturn none\n}\n", "t()?) |r: Req")},
		{"unknown class 'Nope'", scope("", "Nope {}) |r: Req")},
		{"scope binding must be a class type, found int", scope("", "Req { id: 1 }) |r: int")},
		{"scope binding must be a class type, found trait T", scope("trait T {\n}\n", "Req { id: 1 }) |r: T")},
		{"unknown class 'Nope' in scope binding", scope("", "Req { id: 1 }) |r: Nope")},
		{"scope block: binding type 'X' is not reachable from seeds; add a seed for 'X' or one of its transitive scoped dependencies", scope("class X {\n}\n", "Req { id: 1 }) |x: X")},
		{"scope block: binding type 'X' is not reachable from seeds", scope("transient class Y {\n}\nscoped class X[y: Y] {\n}\n", "Req { id: 1 }) |x: X")},
		{"scoped class 'X' has non-injected fields and must be provided as a seed; provide it as a seed expression: scope(X { field: val }) |...| { ... }", scope("scoped class X {\nn: int\n}\n", "Req { id: 1 }) |x: X")},
		{"scoped class 'X' has non-injected fields", scope("scoped class X {\nn: int\n}\nclass Y[x: X] {\n}\n", "Req { id: 1 }) |y: Y")},
		{"scoped class 'X' has non-injected fields", scope("scoped class X[r: Req] {\nn: int\n}\n", "Req { id: 1 }) |x: X")},
		{"circular dependency detected", scope("scoped class A[b: B] {\n}\nscoped class B[a: A] {\n}\n", "Req { id: 1 }) |a: A")},
		{"scope block: cannot wire field 'c' of class 'X': dependency 'C' is not available as a seed, singleton, or scoped instance", scope("class C {\n}\nscoped class X[c: C] {\n}\n", "Req { id: 1 }) |x: X")},
	})
}

func TestModulesRefused(t *testing.T) {
	const m = "-- m/m.pluto --\nfn f() int {\nreturn 1\n}\nclass C {\n}\nclass G<T> {\nv: T\n}\nenum E {\nA\nB { n: int }\n}\nerror Bad {}\npub fn fail() {\nraise Bad {}\n}\npub fn give() E {\nreturn E.A\n}\ntrait T {\n}\n"
	private := func(item, body string) phrase {
		return phrase{"'" + item + "' is private to module 'm'; declare it `pub` to use it from another module", "-- main.pluto --\nimport m\n" + body + "\n" + m}
	}
	refuseAll(t, []phrase{
		private("f", "fn main() {\nprint(m.f())\n}"),
		private("C", "fn main() {\nlet c = m.C {}\n}"),
		private("C", "fn g(c: m.C) {\n}"),
		private("C", "class A {\nc: [m.C]\n}"),
		private("G", "fn g(c: m.G<int>) {\n}"),
		private("G", "fn main() {\nlet g = m.G<int> { v: 1 }\n}"),
		private("T", "fn g(t: m.T) {\n}"),
		private("E", "fn main() {\nlet e = m.E.A\n}"),
		private("E", "fn main() {\nlet e = m.E.B { n: 1 }\n}"),
		private("E", "fn main() {\nmatch m.give() {\nm.E.A {\n}\nm.E.B { n } {\n}\n}\n}"),
		private("Bad", "fn main() {\nraise m.Bad {}\n}"),
		private("Bad", "fn main() {\nm.fail() catch e: m.Bad {\n}\n}"),
		private("f", "fn g<T>(x: T) {\nm.f()\n}"),
		private("f", "class A {\nfn g(self) {\nlet h = () => m.f()\n}\n}"),
		{"'f' is private to module 'm'", "-- main.pluto --\nfn main() {\n}\n-- other.pluto --\nimport m\nfn g() {\nm.f()\n}\n" + m},
		{"'f' is private to module 'x'", "-- main.pluto --\nimport m as x\nfn g() {\nx.f()\n}\n" + m},
		{"other.pluto:2: Type error: unknown type 'Nope'", "-- main.pluto --\nfn main() {\n}\n-- other.pluto --\n\nfn g(x: Nope) {\n}\n"},
		{"m/b.pluto:1: Type error: unknown type 'Nope'", "-- main.pluto --\nimport m\nfn main() {\n}\n-- m/a.pluto --\nclass A {\n}\n-- m/b.pluto --\nfn g(x: Nope) A {\nreturn A {}\n}\n"},
		{"argument 1 of 'm.f': expected m.C, found int", "-- main.pluto --\nimport m\nfn main() {\nm.f(1)\n}\n-- m/m.pluto --\npub class C {\n}\npub fn f(c: C) {\n}\n"},
		{"type mismatch: expected m.Box$$int, found m.Box$$string", "-- main.pluto --\nimport m\nfn main() {\nlet b: m.Box<int> = m.Box<string> { v: \"\" }\n}\n-- m/m.pluto --\npub class Box<T> {\nv: T\n}\n"},
	})
}

func TestTestRunsRefused(t *testing.T) {
	refuseAll(t, []phrase{
		{"no tests found in 'main.pluto'", "fn main() {\n}"},
		{"test files should not contain an app declaration", "app A {\nfn main(self) {\n}\n}\ntest \"a\" {\n}"},
		{"undefined variable 'x'", "test \"a\" {\nprint(x)\n}"},
		{"return type mismatch: expected void, found int", "test \"a\" {\nreturn 1\n}"},
	}, "test")
}

// TestOrder holds programs with several errors to the one that decides.
func TestOrder(t *testing.T) {
	refuseAll(t, []phrase{
		{"enum 'A' is already declared", "fn f() {\nprint(x)\n}\nclass B {\ny: Nope\n}\nenum A {\nX\n}\nenum A {\nX\n}"},
		{"trait 'A' is already declared", "enum E {\nX\n}\nenum E {\nX\n}\ntrait A {\n}\ntrait A {\n}"},
		{"error 'A' is already declared", "class E {\n}\nclass E {\n}\nerror A {}\nerror A {}"},
		{"unknown type 'InTrait'", "enum E {\nX { a: InEnum }\n}\ntrait A {\nfn f(self, a: InTrait)\n}"},
		{"unknown type 'InEnum'", "class C {\na: InClass\n}\nenum E {\nX { a: InEnum }\n}"},
		{"unknown type 'InClass'", "extern fn e(a: InExtern)\nclass C {\na: InClass\n}"},
		{"unknown type 'InExtern'", "fn e(a: InFn)\n{\n}\nextern fn g(a: InExtern)"},
		{"unknown type 'InFn'", "class C {\nfn m(self, a: InMethod) {\n}\n}\nfn e(a: InFn) {\n}"},
		{"unknown type 'InMethod'", "app A {\n}\nclass C {\nfn m(self, a: InMethod) {\n}\n}"},
		{"app must have a 'main' method", "app A {\n}\nclass C[c: C] {\n}"},
		{"circular dependency", "trait T {\nfn m(self)\n}\nclass D impl T {\n}\nclass C[c: C] {\n}"},
		{"does not implement required method", "fn main() {\nprint(x)\n}\ntrait T {\nfn m(self)\n}\nclass D impl T {\n}"},
		{"undefined variable 'x'", "fn g<T>(a: T) {\nprint(y)\n}\nfn main() {\ng(1)\nprint(x)\n}"},
		{"no app or stage declaration exists", "class A uses B {\nx: Nope\n}\nclass B {\n}"},
		{"is not allowed in contract expressions", "class A {\nx: Nope\ninvariant f()\n}"},
		{"is private to module 'm'", "-- main.pluto --\nimport m\nclass A uses B {\n}\nfn f() {\nm.g()\n}\n-- m/m.pluto --\nfn g() {\n}\n"},
	})
}

func TestDeclsAccepted(t *testing.T) {
	cases := []struct{ name, text string }{
		{"forward", "fn main() {\nlet b: B = make()\nprint(b.a.n)\n}\nfn make() B {\nreturn B { a: A { n: 1 } }\n}\nclass B {\na: A\n}\nclass A {\nn: int\n}"},
		{"trait after implementor", "class C impl T {\n}\ntrait T {\n}"},
		{"error with a field of a class", "error E { a: A, b: [B<int>] }\nclass A {\n}\nclass B<T> {\nv: T\n}"},
		{"empty declarations", "class C {\n}\ntrait T {\n}\nenum E {\n}\nerror X {}"},
		{"field and method of one name", "class C {\nn: int\nfn n(self) int {\nreturn self.n\n}\n}"},
		{"class named like a built-in generic", "class Task {\ntitle: string\n}\nfn f(t: Task) string {\nreturn t.title\n}"},
		{"predeclared errors again", "error MathError { code: int }\nfn f() {\nraise MathError { code: 1 }\n}\nfn main() {\nf() catch e: MathError {\nprint(e.code)\n}\n}"},
		{"predeclared errors", "fn f(n: int) int {\nif n > 0 {\nraise TimeoutError { millis: 3 }\n}\nraise ServiceUnavailable { service: \"a\" }\n}"},
		{"function named like an error", "error bad {}\nfn bad() {\nraise bad {}\n}"},
		{"recursive class", "class Node {\nnext: Node?\nall: [Node]\n}"},
		{"recursive enum", "enum List {\nEnd\nMore { head: int, tail: List }\n}"},
		{"recursive generic", "class Node<T> {\nv: T\nnext: Node<T>?\n}\nfn f(n: Node<int>) int {\nreturn n.v\n}"},
		{"mutually recursive generics", "class A<T> {\nb: B<T>?\n}\nclass B<T> {\na: A<T>?\nc: A<int>?\n}\nfn f(a: A<string>) {\n}"},
		{"deeply written generics", "class Box<T> {\nv: T\n}\nfn f(b: Box<Box<Box<Box<Box<Box<Box<Box<Box<Box<Box<Box<int>>>>>>>>>>>>) {\n}"},
		{"nested instances", "class Box<T> {\nv: T\n}\nclass Pair<A, B> {\na: A\nb: B\n}\nfn f(a: Box<Box<int>>, b: Map<string, Pair<int, bool>>, c: [Box<int>], d: Box<fn(int) int>) int {\nreturn a.v.v\n}"},
		{"generic body is not checked", "fn f<T>(a: T) T {\nreturn a.nope(1, 2) + \"\"\n}"},
		{"generic class body is not checked", "class A<T> {\nv: T\nfn m(self) int {\nreturn self.v.nope\n}\n}"},
		{"default that nobody inherits", "trait T {\nfn m(self) int {\nreturn self.nope\n}\n}"},
		{"default that is overridden", "trait T {\nfn m(self) int {\nreturn self.nope\n}\n}\nclass C impl T {\nfn m(self) int {\nreturn 1\n}\n}"},
		{"default uses members of the class", "trait T {\nfn m(self) int {\nreturn self.n + self.other()\n}\n}\nclass C impl T {\nn: int\nfn other(self) int {\nreturn 1\n}\n}\nfn main() {\nprint(C { n: 1 }.m())\n}"},
		{"trait methods without self", "trait T {\nfn make() int\n}\nclass C impl T {\n}"},
		{"one method for two traits", "trait A {\nfn m(self) int\n}\ntrait B {\nfn m(self) int\n}\nclass C impl A, B {\nfn m(self) int {\nreturn 1\n}\n}"},
		{"default of one trait for another", "trait A {\nfn m(self) int\n}\ntrait B {\nfn m(self) int {\nreturn 1\n}\n}\nclass C impl A, B {\n}"},
		{"two defaults and a method", "trait A {\nfn m(self) int {\nreturn 1\n}\n}\ntrait B {\nfn m(self) int {\nreturn 2\n}\n}\nclass C impl A, B {\nfn m(self) int {\nreturn 3\n}\n}"},
		{"generic class with a trait", "trait T {\nfn m(self) int\n}\nclass C<X> impl T {\nx: X\nfn m(self) int {\nreturn 1\n}\n}\nfn f(t: T) int {\nreturn t.m()\n}\nfn main() {\nprint(f(C<string> { x: \"\" }))\n}"},
		{"generic class conforms by its arguments", "trait T {\nfn m(self, x: int) int\n}\nclass C<X> impl T {\nfn m(self, x: X) X {\nreturn x\n}\n}\nfn main() {\nlet t: T = C<int> {}\nprint(t.m(1))\n}"},
		{"bound", "trait T {\nfn m(self) int\n}\nclass C impl T {\nfn m(self) int {\nreturn 1\n}\n}\nfn f<X: T>(x: X) int {\nreturn x.m()\n}\nclass Box<X: T> {\nx: X\nfn m(self) int {\nreturn f(self.x)\n}\n}\nfn main() {\nprint(Box<C> { x: C {} }.m())\n}"},
		{"inference", "fn f<A, B>(xs: [A], g: fn(A) B, m: Map<A, B>, s: Set<B>, n: A?) B {\nreturn g(xs[0])\n}\nfn main() {\nlet n: int? = 1\nprint(f([1], (x: int) => \"a\", Map<int, string> {}, Set<string> {}, n))\nprint(f([1], (x: int) => \"a\", Map<int, string> {}, Set<string> {}, none))\nprint(f([1], (x: int) => \"a\", Map<int, string> {}, Set<string> {}, 1))\n}"},
		{"inference of tasks and channels", "fn f<A, B, C>(t: Task<A>, s: Sender<B>, r: Receiver<C>) {\n}\nfn g() int {\nreturn 1\n}\nfn main() {\nlet (tx, rx) = chan<string>(1)\nlet t = spawn g()\nf(t, tx, rx)\n}"},
		{"class converts in an argument of a generic function", "trait T {\n}\nclass C impl T {\n}\nfn f<X>(x: X, t: T) X {\nreturn x\n}\nfn main() {\nprint(f(1, C {}))\n}"},
		{"generic recursion", "fn f<T>(x: T, n: int) int {\nif n == 0 {\nreturn 0\n}\nreturn f(x, n - 1)\n}\nfn main() {\nprint(f(\"a\", 3))\n}"},
		{"chain of generics", "fn a<T>(x: T) T {\nreturn b(x)\n}\nfn b<T>(x: T) T {\nreturn c([x])[0]\n}\nfn c<T>(x: T) T {\nreturn x\n}\nfn main() {\nprint(a(1))\n}"},
		{"externs", "extern fn a(x: int, y: [string]) float\nextern fn b()\nfn main() {\nb()\nprint(a(1, []))\n}"},
		{"ambient", "class Logger {\nfn log(self, s: string) {\nprint(s)\n}\n}\nclass S uses Logger {\nfn go(self) {\nlogger.log(\"s\")\n}\n}\napp A[s: S] {\nambient Logger\nfn main(self) {\nself.s.go()\nlogger.log(\"a\")\n}\n}"},
		{"ambient of a parameter's name", "class Logger {\n}\nclass S uses Logger {\nfn go(self, logger: int) int {\nreturn logger\n}\n}\napp A[s: S] {\nambient Logger\nfn main(self) {\n}\n}"},
		{"overrides", "class X {\n}\nscoped class Y {\n}\napp A {\nscoped X\ntransient Y\nfn main(self) {\nscope(X {}) |x: X| {\nprint(x == x)\n}\n}\n}"},
		{"declared scoped class in app brackets", "scoped class S {\nn: int\n}\napp A[s: S] {\nfn main(self) {\nprint(self.s.n)\n}\n}"},
		{"scope block", "scoped class Req {\nid: int\n}\nscoped class Audit[req: Req] {\n}\nscoped class Handler[req: Req, audit: Audit] {\n}\nfn main() {\nscope(Req { id: 1 }) |h: Handler, a: Audit, r: Req| {\nprint(r.id)\n}\n}"},
		{"scope block with singletons", "class Clock {\nn: int\n}\nscoped class Req {\nid: int\n}\nscoped class Handler[req: Req, clock: Clock] {\n}\napp A {\nfn main(self) {\nscope(Req { id: 1 }) |h: Handler| {\n}\n}\n}"},
		{"generic dependency", "class Repo<T>[log: Log] {\n}\nclass Log {\n}\nclass S[a: Repo<int>, b: Repo<string>] {\n}\napp A[s: S] {\nfn main(self) {\n}\n}"},
		{"main with a result", "fn main() int {\nreturn 1\n}"},
		{"method main and function main", "class C {\nfn main(self) {\n}\n}\nfn main() {\n}"},
		{"tests are dropped", "test \"a\" {\nnope()\n}"},
		{"parameters named like globals", "class A {\n}\nfn f(g: int, A: int, print: int) int {\nreturn g + A + print\n}\nfn g() {\n}"},
		{"reflection types", "fn f(x: FieldInfo) string {\nreturn x.name\n}\nfn main() {\nlet k = TypeInfo::kind<int>()\nprint(k == k)\nprint(TypeInfo::type_name<[int]>())\n}"},
		{"modules", "-- main.pluto --\nimport m\nimport m as n\nfn main() {\nlet c: m.C = n.C { x: 1 }\nlet b = m.Box<int> { v: 2 }\nlet o = n.Opt<int>.Some { v: 3 }\nmatch o {\nm.Opt.Some { v } {\nprint(v)\n}\nm.Opt.None {\n}\n}\nprint(m.id(c.x) + n.take(b))\nm.fail() catch e: n.Bad {\nprint(e.why)\n}\n}\n-- m/a.pluto --\npub class C {\nx: int\n}\npub class Box<T> {\nv: T\n}\npub enum Opt<T> {\nSome { v: T }\nNone\n}\npub error Bad { why: string }\n-- m/b.pluto --\npub fn id<T>(x: T) T {\nreturn x\n}\npub fn take(b: Box<int>) int {\nreturn b.v\n}\npub fn fail() {\nraise Bad { why: \"\" }\n}\n"},
		{"modules with names of their own", "-- main.pluto --\nimport m\nfn main() {\nprint(m.max(1, 2))\n}\n-- m/m.pluto --\npub fn max(a: int, b: int) int {\nlet min = 1\nreturn abs(a) + b + min\n}\nfn abs(x: int) int {\nreturn x\n}\nfn main() {\n}\npub class FieldInfo {\n}\n"},
		{"private items inside modules", "-- main.pluto --\nimport m\nfn main() {\nprint(m.open())\n}\n-- m/m.pluto --\nimport n\npub fn open() int {\nreturn n.hidden() + own()\n}\nfn own() int {\nreturn 1\n}\n-- n/n.pluto --\nfn hidden() int {\nreturn 1\n}\n"},
		{"private extern", "-- main.pluto --\nimport m\nfn main() {\nprint(m.e())\n}\n-- m/m.pluto --\nextern fn e() int\n"},
		{"local wins over module", "-- main.pluto --\nimport m\nclass P {\nf: int\n}\nfn g(m: P) int {\nreturn m.f\n}\nfn main() {\n}\n-- m/m.pluto --\nfn f() {\n}\n"},
		{"trait of a module as a type", "-- main.pluto --\nimport m\nfn f(t: m.T) int {\nreturn t.x()\n}\nfn main() {\nprint(f(m.make()))\n}\n-- m/m.pluto --\npub trait T {\nfn x(self) int\n}\nclass C impl T {\nfn x(self) int {\nreturn 1\n}\n}\npub fn make() T {\nreturn C {}\n}\n"},
		{"ambient in a module", "-- main.pluto --\nimport m\nclass Here {\n}\napp A[s: m.S] {\nambient Here\nfn main(self) {\n}\n}\n-- m/m.pluto --\npub class S {\n}\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { accepts(t, checkArchive(c.text)) })
	}
}

// TestFailedImport checks that what was not found is complained about once.
func TestFailedImport(t *testing.T) {
	p := parseProject(map[string]string{"main.pluto": `import gone
class C {
    a: gone.A
    b: gone.B<int>
}
fn f(x: [gone.A]) gone.B<string>? {
    let y: gone.A = x[0]
    gone.call(y)
    let z = gone.A { n: 1 }
    print(z.n + gone.E.V)
    return none
}
class gone {
}
`})
	p.Diags.Report(diag.PhaseLoad, diag.NoModule, p.Root.Files[0].Src, p.Root.Files[0].Imports[0].Span(), "cannot find module 'gone'")
	got := strings.Join(messages(Check(p)), "\n")
	want := "main.pluto:1: Syntax error: cannot find module 'gone'\nmain.pluto:13: Type error: class 'gone' is already declared as an imported module name"
	if got != want && got != want+"\nmain.pluto:9: unused variable 'z'" {
		t.Errorf("have\n%s", got)
	}
	// An import that was passed over without a word leaves its name undefined.
	refuses(t, checkText("import gone\nfn main() {\ngone.f()\n}"), "undefined variable 'gone'")
	refuses(t, checkText("import gone\nfn f(x: gone.T) {\n}"), "unknown type 'gone.T'")
}

// TestProgram looks at what a checked program says of itself.
func TestProgram(t *testing.T) {
	p := checkArchive(`-- main.pluto --
import m
trait T {
    fn a(self)
    requires 1 < 2
    fn b(self) int {
        return 1
    }
}
class C impl T {
    n: int
    invariant self.n > 0
    fn a(self) {
    }
}
class Log {
}
class Mid[log: Log] {
}
class Top[mid: Mid, log: Log] {
    m: m.Box<int>
}
transient class Gone[log: Log] {
}
scoped class Req {
}
class Per[req: Req, top: Top] {
}
app Demo[top: Top] {
    ambient Log
    fn main(self) {
        print(m.id(1))
        print(m.id(""))
        print(m.id(2))
    }
    fn other(self) {
    }
}
error E {}
extern fn ext()
-- m/m.pluto --
pub class Box<T> {
    v: T
    fn get(self) T {
        return self.v
    }
}
pub fn id<T>(x: T) T {
    return x
}
`)
	accepts(t, p)
	list := func(n int, name func(i int) string) string {
		var out []string
		for i := range n {
			out = append(out, name(i))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ what, got, want string }{
		{"functions", list(len(p.Funcs), func(i int) string { return p.Funcs[i].Name }),
			"C$a C$b Demo$main Demo$other m.Box$$int$get m.id$$int m.id$$string"},
		{"classes", list(len(p.Classes), func(i int) string { return p.Classes[i].Name }), "C Log Mid Top Gone Req Per m.Box$$int"},
		{"traits", list(len(p.Traits), func(i int) string { return p.Traits[i].Name }), "T"},
		{"errors", list(len(p.Errors), func(i int) string { return p.Errors[i].Name }), "E"},
		{"externs", list(len(p.Externs), func(i int) string { return p.Externs[i].Name }), "ext"},
		{"singletons", list(len(p.DI.Singletons), func(i int) string { return p.DI.Singletons[i].Name }), "Log Mid Top"},
		{"lifecycles", list(len(p.Classes), func(i int) string { return p.Classes[i].Lifecycle.String() }),
			"singleton singleton singleton singleton transient scoped scoped singleton"},
		{"app", list(len(p.App.Class.Fields), func(i int) string { return p.App.Class.Fields[i].Name }), "top log"},
		{"modules", list(len(p.Modules), func(i int) string { return "'" + p.Modules[i].Name + "'" }), "'' 'm' ''"},
		{"implementors", list(len(p.Traits[0].Impls), func(i int) string { return p.Traits[0].Impls[i].Name }), "C"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	if p.Main != nil || p.App.Main == nil || p.App.Main.App != p.App || p.App.Main.Self.Type != p.App.Type {
		t.Errorf("main is %v, the app's %v", p.Main, p.App.Main)
	}
	a, b := p.Classes[0].Method("a"), p.Classes[0].Method("b")
	if len(a.Requires) != 1 || a.Requires[0].Info == nil || b.Default == nil || b.Self.Type != p.Classes[0].Type || b.Info == nil {
		t.Errorf("contracts of a: %v; default of b: %v", a.Requires, b.Default)
	}
	if inv := p.Classes[0].Invariants; len(inv) != 1 || inv[0].Info.Type(inv[0].Clause.Cond) != p.Universe.Bool {
		t.Errorf("invariants: %v", inv)
	}
}

// TestTestRun looks at the tests of a test run.
func TestTestRun(t *testing.T) {
	p := checkArchive("-- main.pluto --\nimport m\ntests[scheduler: Random] {\ntest \"one\" {\nprint(helper())\n}\ntest \"two\" {\nfail()!\n}\n}\nfn helper() int {\nreturn m.f()\n}\nfn main() {\n}\nerror E {}\nfn fail() {\nraise E {}\n}\n-- m/m.pluto --\npub fn f() int {\nreturn 1\n}\ntest \"dropped\" {\nnope()\n}\n", "test")
	accepts(t, p)
	if len(p.Tests) != 2 || p.Tests[0].Name != "one" || p.Tests[1].Scheduler != "Random" || p.Tests[1].Func.Name != `test "two"` || len(p.Tests[1].Func.Raises) != 1 {
		t.Errorf("tests: %v", p.Tests)
	}
	plain := checkText("test \"one\" {\n}\n", "test")
	if len(plain.Tests) != 1 || plain.Tests[0].Scheduler != "Sequential" {
		t.Errorf("tests: %v", plain.Tests)
	}
}
