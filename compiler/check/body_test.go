package check

import (
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
)

// preamble is what the statements of the tables below stand after.
const preamble = `
trait Animal {
    fn name(self) string
    fn rename(mut self, to: string)
    fn plain() int
}
class Dog impl Animal {
    tag: string
    fn name(self) string { return self.tag }
    fn rename(mut self, to: string) { self.tag = to }
    fn loose() int { return 1 }
    fn plain() int { return 1 }
}
class Cat impl Animal {
    fn name(self) string { return "cat" }
    fn rename(mut self, to: string) { }
    fn plain() int { return 1 }
}
class P {
    x: int
    next: P?
    f: fn(int) int
    pet: Animal?
    fn inc(mut self) int {
        self.x += 1
        return self.x
    }
    fn get(self) int { return self.x }
    fn me(self) P { return self }
}
class Empty {}
class Box<T> { v: T }
class Log {}
class Shop[log: Log] {}
enum Color { Red Green }
enum Shape { Dot Circle { r: float, c: Color, n: int? } Pet { a: Animal } }
enum Opt<T> { Some { value: T } None }
error Bad { code: int, why: string }
error Nothing {}
fn zero() {}
fn one(n: int) int { return n }
fn two(a: int, b: string) int { return a + b.len() }
fn pet(a: Animal) string { return a.name() }
fn maybe(n: int?) int? { return n }
fn apply(f: fn(int) int, n: int) int { return f(n) }
fn later(f: fn() int?) int? { return f() }
fn list(xs: [int]) int { return xs.len() }
fn id<T>(x: T) T { return x }
fn same<T>(x: T, y: T) T { return x }
fn firstOf<T>(xs: [T]) T { return xs[0] }
fn fails(n: int) int {
    if n > 0 { raise Bad { code: n, why: "big" } }
    return n
}
fn failsVoid() { raise Nothing {} }
fn makeP() P { return P { x: 1, next: none, f: (n: int) => n, pet: none } }
fn color() Color { return Color.Red }
fn shape() Shape { return Shape.Dot }
fn bin() bytes { return bytes_new() }
`

// stmts checks statements as the body of a function after the preamble.
func stmts(text string) *Program {
	return checkText(preamble + "fn probe() {\n" + text + "\n}\nfn main() { }\n")
}

func TestStatementsRefused(t *testing.T) {
	tests := []struct{ stmts, phrase string }{
		// names
		{`print(nope)`, "undefined variable 'nope'"},
		{`nope = 1`, "undefined variable 'nope'"},
		{`nope += 1`, "undefined variable 'nope'"},
		{`nope++`, "undefined variable 'nope'"},
		{`nope.x = 1`, "undefined variable 'nope'"},
		{`nope[0] = 1`, "undefined variable 'nope'"},
		{`print(x)
		let x = 1`, "undefined variable 'x'"},
		{`let g = one`, "undefined variable 'one'"},
		{`apply(one, 1)`, "undefined variable 'one'"},
		{`let x = x`, "undefined variable 'x'"},
		{`if true { let y = 1 }
		print(y)`, "undefined variable 'y'"},
		{`for i in 0..3 { }
		print(i)`, "undefined variable 'i'"},
		{`let c = Color`, "undefined variable 'Color'"},
		{`let c = Nope.Red`, "undefined variable 'Nope'"},
		{`nope()`, "undefined function 'nope'"},
		{`let f = () => f()`, "undefined function 'f'"},
		{`let n = 1
		n()`, "undefined function 'n'"},
		{`Dog()`, "undefined function 'Dog'"},
		{`print(self)`, "'self' used outside of class method"},
		{`self.x = 1`, "'self'"},
		{`nope.f()`, "undefined variable 'nope'"},

		// scopes
		{`let a = 1
		let a = 2`, "variable 'a' is already declared in this scope"},
		{`let a = 1
		if true { let a = 2 }`, "variable 'a' shadows an existing variable"},
		{`let a = 1
		for a in 0..2 { }`, "variable 'a' shadows an existing variable"},
		{`for i in 0..2 { let i = 1 }`, "variable 'i' shadows an existing variable"},
		{`for i in 0..2 { for i in 0..2 { } }`, "variable 'i' shadows an existing variable"},
		{`let a = 1
		let f = (a: int) => a`, "variable 'a' shadows an existing variable"},
		{`let f = (a: int) => {
			let a = 2
			return a
		}`, "variable 'a' shadows an existing variable"},
		{`let f = (a: int, a: int) => a`, "variable 'a' is already declared in this scope"},
		{`let n = 1
		match shape() {
			Shape.Dot { }
			Shape.Circle { r, c, n } { }
			Shape.Pet { a } { }
		}`, "variable 'n' shadows an existing variable"},
		{`let e = 1
		let n = fails(1) catch e { 0 }`, "variable 'e' shadows an existing variable"},
		{`let n = fails(1) catch e {
			let e = 1
			e
		}`, "variable 'e' shadows an existing variable"},
		{`let tx = 1
		let (tx, rx) = chan<int>()`, "variable 'tx' is already declared in this scope"},
		{`let (a, a) = chan<int>()`, "variable 'a' is already declared in this scope"},
		{`let v = 1
		let (tx, rx) = chan<int>()
		select {
			v = rx.recv() { }
			default { }
		}`, "variable 'v' shadows an existing variable"},
		{`let one = 1`, "variable 'one' shadows a function"},
		{`let print = 1`, "variable 'print' shadows a function"},
		{`let Dog = 1`, "variable 'Dog' shadows a class"},
		{`let Color = 1`, "variable 'Color' shadows an enum"},
		{`let Animal = 1`, "variable 'Animal' shadows a trait"},
		{`let Bad = 1`, "variable 'Bad' shadows an error"},
		{`let MathError = 1`, "variable 'MathError' shadows an error"},

		// let and assignment
		{`let x: int = "a"`, "type mismatch: expected int, found string"},
		{`let x: int = none`, "type mismatch: expected int, found void?"},
		{`let x: byte = 65`, "type mismatch: expected byte, found int"},
		{`let x: float = 1`, "type mismatch: expected float, found int"},
		{`let d: Dog = Cat {}`, "type mismatch: expected Dog, found Cat"},
		{`let a: Animal = Empty {}`, "type mismatch: expected trait Animal, found Empty"},
		{`let a: Animal = Dog { tag: "a" }
		let d: Dog = a`, "expected Dog, found trait Animal"},
		{`let f: fn(int) int = (s: string) => 1`, "expected fn(int) int, found fn(string) int"},
		{`let f: fn(int) = (n: int) => n`, "expected fn(int) void, found fn(int) int"},
		{`let xs: [int] = ["a"]`, "type mismatch: expected [int], found [string]"},
		{`let xs: [Animal] = [Cat {}]`, "type mismatch: expected [trait Animal], found [Cat]"},
		{`let xs: [int?] = [1]`, "type mismatch: expected [int?], found [int]"},
		{`let x: int = []`, "type mismatch: expected int, found empty array"},
		{`let m: Map<string, int> = Map<string, string> {}`, "type mismatch: expected Map<string, int>, found Map<string, string>"},
		{`let x = none`, "cannot infer type of `none`; add a type annotation (e.g. `let x: int? = none`)"},
		{`let x = [none]`, "cannot infer type of `none`"},
		{`let x = () => none`, "cannot infer type of `none`"},
		{`let x = if true { none } else { none }`, "cannot infer type of `none`"},
		{`let x = []`, "cannot infer type of empty array literal; add a type annotation"},
		{`let x = [[]]`, "cannot infer type of empty array literal"},
		{`let x = [[1], []]`, "cannot infer type of empty array literal"},
		{`for x in [] { }`, "cannot infer type of empty array literal"},
		{`let n = [].len()`, "cannot infer type of empty array literal"},
		{`id([])`, "cannot infer type"},
		{`id(none)`, "void? is not allowed"},
		{`let a = 1
		a = 2`, "cannot assign to immutable variable 'a'"},
		{`let a = 1
		a += 2`, "cannot assign to immutable variable 'a'"},
		{`let a = 1
		a++`, "cannot assign to immutable variable 'a'"},
		{`let a = 1
		let f = () => { a = 2 }`, "cannot assign to immutable variable 'a'"},
		{`let mut a = 1
		a = "b"`, "type mismatch in assignment: expected int, found string"},
		{`let mut a = 1
		a = none`, "type mismatch in assignment: expected int, found void?"},
		{`let mut a = 1
		a += "b"`, "operand type mismatch: int vs string"},
		{`let mut a = "s"
		a -= "b"`, "operator not supported for type string"},
		{`let mut a = 1.0
		a++`, "operand type mismatch: float vs int"},
		{`let mut a = true
		a += true`, "operator not supported for type bool"},
		{`let (tx, rx) = chan<int>()
		let (t2, r2) = chan<int>()
		tx = t2`, "cannot reassign channel sender/receiver variable"},
		{`let mut (tx, rx) = chan<int>()
		let (t2, r2) = chan<int>()
		rx = r2`, "cannot reassign channel sender/receiver variable"},
		{`let p = makeP()
		p.x = 2`, "cannot assign to field of immutable variable 'p'; declare with 'let mut' to allow mutation"},
		{`let p = makeP()
		p.x += 2`, "cannot assign to field of immutable variable 'p'"},
		{`let b = Box<P> { v: makeP() }
		b.v.x = 2`, "cannot assign to field of immutable variable 'b'"},
		{`let p = makeP()
		p.inc()`, "cannot call mutating method 'inc' on immutable variable 'p'; declare with 'let mut' to allow mutation"},
		{`let b = Box<P> { v: makeP() }
		b.v.inc()`, "cannot call mutating method 'inc' on immutable variable 'b'"},
		{`let a: Animal = Cat {}
		a.rename("b")`, "cannot call mutating method 'rename' on immutable variable 'a'"},
		{`let mut p = makeP()
		p.x = "a"`, "field 'x': expected int, found string"},
		{`let mut p = makeP()
		p.next = none`, "field 'next': expected P?, found void?"},
		{`let mut p = makeP()
		p.next = makeP()`, "field 'next': expected P?, found P"},
		{`let mut p = makeP()
		p.y = 1`, "class 'P' has no field 'y'"},
		{`let mut n = 1
		n.y = 1`, "field assignment on non-class type int"},
		{`let mut q: P? = makeP()
		q.x = 1`, "field assignment on non-class type P?"},
		{`let xs = [1]
		xs["a"] = 1`, "array index must be int, found string"},
		{`let xs = [1]
		xs[0] = "a"`, "index assignment: expected int, found string"},
		{`let m = Map<string, int?> { }
		m["a"] = 1`, "expected int?, found int"},
		{`let m = Map<string, int> { }
		m[1] = 1`, "map key type mismatch: expected string, found int"},
		{`let b = bin()
		b[0] = 1`, "bytes index assignment: expected byte, found int"},
		{`let b = bin()
		b["a"] = 1 as byte`, "bytes index must be int, found string"},
		{`let s = "abc"
		s[0] = "b"`, "index assignment on non-indexable type string"},
		{`let n = 1
		n[0] = 1`, "index assignment on non-indexable type int"},

		// operators
		{`print("a" + 1)`, "operand type mismatch: string vs int"},
		{`print(1 + 2.0)`, "operand type mismatch: int vs float"},
		{`print(none + 1)`, "operand type mismatch: void? vs int"},
		{`let x = none + none`, "operator not supported for type void?"},
		{`print(true + false)`, "operator not supported for type bool"},
		{`print("a" * "b")`, "operator not supported for type string"},
		{`let x = [1] + [2]`, "operator not supported for type [int]"},
		{`let x = color() + color()`, "operator not supported for type Color"},
		{`let x = (1 as byte) + (2 as byte)`, "operator not supported for type byte"},
		{`print(1 == "a")`, "cannot compare int with string"},
		{`print(none == 1)`, "cannot compare void? with int"},
		{`print(maybe(1) == 1)`, "cannot compare int? with int"},
		{`print(bin() == bin())`, "cannot compare bytes with ==; use element-wise comparison"},
		{`print(Dog { tag: "" } == Cat {})`, "cannot compare Dog with Cat"},
		{`print(zero() == zero())`, "cannot compare void with void"},
		{`print(1 < 2.0)`, "cannot compare int with float"},
		{`print("a" < "b")`, "comparison not supported for type string"},
		{`print(true > false)`, "comparison not supported for type bool"},
		{`print(color() < color())`, "comparison not supported for type Color"},
		{`print(1 < 2 < 3)`, "cannot compare bool with int"},
		{`print(1 && true)`, "logical operators require bool operands, found int and bool"},
		{`print(true || "a")`, "logical operators require bool operands, found bool and string"},
		{`print(1 & 2 == 0)`, "bitwise operators require int operands, found int and bool"},
		{`print(1.0 << 2)`, "bitwise operators require int operands, found float and int"},
		{`print(1 >> "a")`, "bitwise operators require int operands, found int and string"},
		{`print(-"a")`, "cannot negate type string"},
		{`print(-true)`, "cannot negate type bool"},
		{`print(!1)`, "cannot apply '!' to type int"},
		{`print(~1.5)`, "cannot apply '~' to type float"},
		{`print("1" as int)`, "cannot cast from string to int"},
		{`print(1 as int)`, "cannot cast from int to int"},
		{`print(1.5 as bool)`, "cannot cast from float to bool"},
		{`print(1 as string)`, "cannot cast from int to string"},
		{`print(color() as int)`, "cannot cast from Color to int"},
		{`let r = 0..3`, "range expressions can only be used as for loop iterables"},
		{`list(0..3)`, "range expressions can only be used as for loop iterables"},

		// nullables
		{`let n = one(1)?`, "'?' applied to non-nullable type int"},
		{`print(maybe(1))`, "print() does not support type int?"},
		{`print(f"{maybe(1)}")`, "cannot interpolate int? into string"},
		{`let q: P? = none
		print(q.x)`, "field access on non-class type P?"},
		{`let q: P? = none
		print(q.get())`, "method call on non-class type P?"},
		{`let f = (n: int?) => n?`, "'?' cannot be used in function returning non-nullable type int"},
		{`let f = (n: int?) int => n?`, "'?' cannot be used in function returning non-nullable type int"},
		{`let f = (n: int?) => {
			let m = n?
			return m
		}`, "'?' cannot be used in function returning non-nullable type int"},

		// calls
		{`one()`, "function 'one' expects 1 arguments, got 0"},
		{`one(1, 2)`, "function 'one' expects 1 arguments, got 2"},
		{`two("a", "b")`, "argument 1 of 'two': expected int, found string"},
		{`two(1, 2)`, "argument 2 of 'two': expected string, found int"},
		{`pet(Empty {})`, "argument 1 of 'pet': expected trait Animal, found Empty"},
		{`maybe("a")`, "argument 1 of 'maybe': expected int?, found string"},
		{`apply((s: string) => 1, 1)`, "argument 1 of 'apply': expected fn(int) int, found fn(string) int"},
		{`apply((n: int) => "a", 1)`, "argument 1 of 'apply': expected fn(int) int, found fn(int) string"},
		{`one<int>(1)`, "function 'one' is not generic and does not accept type arguments"},
		{`print<int>(1)`, "builtin function 'print' does not accept type arguments"},
		{`id<int, int>(1)`, "function 'id' expects 1 type arguments, got 2"},
		{`id<int>("a")`, "argument 1 of 'id': expected int, found string"},
		{`id()`, "function 'id' expects 1 arguments, got 0"},
		{`same(1, "a")`, "cannot infer type parameters for 'same'"},
		{`let f = (n: int) => n
		f()`, "'f' expects 1 arguments, got 0"},
		{`let f = (n: int) => n
		f("a")`, "argument 1 of 'f': expected int, found string"},
		{`makeP().nope()`, "class 'P' has no method 'nope'"},
		{`makeP().f(1)`, "class 'P' has no method 'f'"},
		{`Dog { tag: "" }.loose()`, "class 'Dog' has no method 'loose'"},
		{`makeP().get(1)`, "method 'get' expects 0 arguments, got 1"},
		{`let mut d = Dog { tag: "" }
		d.rename(1)`, "argument 1 of 'rename': expected string, found int"},
		{`let a: Animal = Cat {}
		a.nope()`, "trait 'Animal' has no method 'nope'"},
		{`let a: Animal = Cat {}
		a.plain()`, "trait 'Animal' has no method 'plain'"},
		{`let a: Animal = Dog { tag: "" }
		print(a.tag)`, "field access on non-class type trait Animal"},
		{`print(makeP().y)`, "class 'P' has no field 'y'"},
		{`print(1.x)`, "field access on non-class type int"},
		{`print("a".len)`, "field access on non-class type string"},
		{`print(color().x)`, "field access on non-class type Color"},
		{`1.foo()`, "method call on non-class type int"},
		{`true.foo()`, "method call on non-class type bool"},
		{`color().foo()`, "method call on non-class type Color"},
		{`none.foo()`, "method call on non-class type void?"},
		{`let f = () => 1
		f.foo()`, "method call on non-class type fn() int"},
		{`Color.Red()`, "undefined function 'Color.Red'"},

		// built-in functions
		{`print()`, "print() expects 1 argument, got 0"},
		{`print(1, 2)`, "print() expects 1 argument, got 2"},
		{`print([1])`, "print() does not support type [int]"},
		{`print(zero())`, "print() does not support type void"},
		{`print(Cat {})`, "print() does not support type Cat"},
		{`print(color())`, "print() does not support type Color"},
		{`let a: Animal = Cat {}
		print(a)`, "print() does not support type trait Animal"},
		{`print(() => 1)`, "print() does not support type fn() int"},
		{`time_ns(1)`, "time_ns() expects 0 arguments, got 1"},
		{`gc_heap_size(1)`, "gc_heap_size() expects 0 arguments, got 1"},
		{`bytes_new(1)`, "bytes_new() expects 0 arguments, got 1"},
		{`abs("a")`, "abs() expects int or float, found string"},
		{`abs(1, 2)`, "abs() expects 1 argument, got 2"},
		{`min(1, 2.0)`, "min() requires matching argument types, found int and float"},
		{`max("a", "b")`, "max() expects int or float arguments, found string"},
		{`max(1)`, "max() expects 2 arguments, got 1"},
		{`let x = pow(1, 2.0) catch 0`, "pow() requires matching argument types, found int and float"},
		{`pow("a", "b")`, "pow() expects int,int or float,float, found string"},
		{`sqrt(1)`, "sqrt() expects float, found int"},
		{`round("a")`, "round() expects float, found string"},
		{`log()`, "log() expects 1 argument, got 0"},
		{`expect(1)`, "expect() must be followed by an assertion method like .to_equal(), .to_be_true(), or .to_be_false()"},
		{`expect(1).to_equal("a")`, "to_equal: expected type string but expect() wraps int"},
		{`expect(1).to_equal()`, "to_equal() expects 1 argument, got 0"},
		{`expect().to_equal(1)`, "expect() takes exactly 1 argument, got 0"},
		{`expect(1).to_be_true()`, "to_be_true requires bool, found int"},
		{`expect("a").to_be_false()`, "to_be_false requires bool, found string"},
		{`expect(1).to_be_nice()`, "unknown assertion method: to_be_nice"},
		{`expect(bin()).to_equal(bin())`, "cannot use to_equal() with bytes; compare elements individually"},
		{`expect([1]).to_equal([1])`, "Codegen error: to_equal not supported for [int]"},
		{`expect(color()).to_equal(color())`, "Codegen error: to_equal not supported for Color"},

		// built-in types
		{`"a".nope()`, "string has no method 'nope'"},
		{`"a".contains(1)`, "contains(): expected string, found int"},
		{`"a".substring("a", 1)`, "substring(): expected int, found string"},
		{`"a".substring(1)`, "substring() expects 2 arguments"},
		{`"a".len(1)`, "len() expects 0 arguments"},
		{`"a".split()`, "split() expects 1 argument"},
		{`"a".replace("a", 1)`, "replace(): expected string, found int"},
		{`print("abc"["a"])`, "string index must be int, found string"},
		{`[1].nope()`, "array has no method 'nope'"},
		{`[1].push("a")`, "push(): expected int, found string"},
		{`[1].push()`, "push() expects 1 argument, got 0"},
		{`let n: int? = 1
		let xs = [n]
		xs.push(1)`, "push(): expected int?, found int"},
		{`let n: int? = 1
		let xs = [n]
		xs.push(none)`, "push(): expected int?, found void?"},
		{`let a: Animal = Cat {}
		let xs = [a]
		xs.push(Dog { tag: "" })`, "push(): expected trait Animal, found Dog"},
		{`[1].contains("a")`, "contains(): expected int, found string"},
		{`[1].index_of("a")`, "index_of(): expected int, found string"},
		{`[1].remove_at("a")`, "remove_at(): expected int index, found string"},
		{`[1].insert_at("a", 1)`, "insert_at(): expected int index, found string"},
		{`[1].insert_at(0, "a")`, "insert_at(): expected int, found string"},
		{`[1].slice("a", 1)`, "slice(): expected int start, found string"},
		{`[1].slice(0, "a")`, "slice(): expected int end, found string"},
		{`[1].slice(0)`, "slice() expects 2 arguments, got 1"},
		{`print([1]["a"])`, "array index must be int, found string"},
		{`print([1, "a"].len())`, "array element type mismatch: expected int, found string"},
		{`print([1, none].len())`, "array element type mismatch: expected int, found void?"},
		{`let xs = [Dog { tag: "" }, Cat {}]`, "array element type mismatch: expected Dog, found Cat"},
		{`let m = Map<[int], int> {}`, "type [int] cannot be used as a map/set key (must be int, float, bool, string, byte, or enum)"},
		{`let s = Set<Dog> {}`, "type Dog cannot be used as a map/set key"},
		{`let s = Set<Animal> {}`, "type trait Animal cannot be used as a map/set key"},
		{`let m = Map<string, int> { 1: 1 }`, "map key type mismatch: expected string, found int"},
		{`let m = Map<string, int> { "a": "b" }`, "map value type mismatch: expected int, found string"},
		{`let m = Map<string, int?> { "a": none }`, "map value type mismatch: expected int?, found void?"},
		{`let s = Set<int> { "a" }`, "set element type mismatch: expected int, found string"},
		{`Map<string, int> {}.nope()`, "Map has no method 'nope'"},
		{`Map<string, int> {}.contains(1)`, "contains(): expected string, found int"},
		{`Map<string, int> {}.insert(1, 1)`, "insert() key: expected string, found int"},
		{`Map<string, int> {}.insert("a", "b")`, "insert() value: expected int, found string"},
		{`Map<string, int> {}.remove(1)`, "remove(): expected string, found int"},
		{`print(Map<string, int> {}[1])`, "expected string, found int"},
		{`Set<int> {}.nope()`, "Set has no method 'nope'"},
		{`Set<int> {}.insert("a")`, "insert(): expected int, found string"},
		{`Set<int> {}.contains("a")`, "contains(): expected int, found string"},
		{`Set<int> {}.remove("a")`, "remove(): expected int, found string"},
		{`bin().push(1)`, "push(): expected byte, found int"},
		{`bin().nope()`, "bytes has no method 'nope'"},
		{`print(bin()["a"])`, "bytes index must be int, found string"},
		{`print(1[0])`, "index on non-indexable type int"},
		{`print(Set<int> {}[0])`, "index on non-indexable type Set<int>"},

		// literals
		{`let n = Nope {}`, "unknown class 'Nope'"},
		{`let n = Animal {}`, "unknown class 'Animal'"},
		{`let n = Bad { code: 1, why: "" }`, "unknown class 'Bad'"},
		{`let n = Box { v: 1 }`, "unknown class 'Box'"},
		{`let n = Dog<int> { tag: "" }`, "unknown generic class 'Dog'"},
		{`let n = Box<int, int> { v: 1 }`, "class 'Box' expects 1 type arguments, got 2"},
		{`let n = Box<int> { v: "a" }`, "field 'v': expected int, found string"},
		{`let n = Dog {}`, "class 'Dog' has 1 fields, but 0 were provided"},
		{`let n = Dog { tag: "", x: 1 }`, "class 'Dog' has 1 fields, but 2 were provided"},
		{`let n = Dog { x: 1 }`, "class 'Dog' has no field 'x'"},
		{`let n = Dog { tag: 1 }`, "field 'tag': expected string, found int"},
		{`let n = Dog { tag: "", tag: "" }`, "class 'Dog' has 1 fields, but 2 were provided"},
		{`let n = P { x: 1, next: none, f: (n: int) => maybe(n), pet: none }`, "field 'f': expected fn(int) int, found fn(int) int?"},
		{`let n = Shop {}`, "cannot manually construct class 'Shop' with injected dependencies"},
		{`let c = Color.Blue`, "enum 'Color' has no variant 'Blue'"},
		{`let c = Shape.Circle`, "variant 'Shape.Circle' has fields; use Shape.Circle { ... }"},
		{`let c = Shape.Circle { r: 1.0 }`, "variant 'Shape.Circle' has 3 fields, but 1 were provided"},
		{`let c = Shape.Circle { r: 1.0, c: Color.Red, q: 1 }`, "variant 'Shape.Circle' has no field 'q'"},
		{`let c = Shape.Circle { r: 1, c: Color.Red, n: none }`, "field 'r': expected float, found int"},
		{`let c = Shape.Pet { a: Cat {} }`, "field 'a': expected trait Animal, found Cat"},
		{`let c = Shape.Nope { a: 1 }`, "enum 'Shape' has no variant 'Nope'"},
		{`let o = Opt.None`, "unknown enum 'Opt'"},
		{`let o = Color<int>.Red`, "unknown generic enum 'Color'"},
		{`let o = Opt<int, int>.None`, "enum 'Opt' expects 1 type arguments, got 2"},
		{`let o = Opt<int>.Some { value: "a" }`, "field 'value': expected int, found string"},

		// control flow
		{`if 1 { }`, "condition must be bool, found int"},
		{`if true { } else if "a" { }`, "condition must be bool, found string"},
		{`while 1 { }`, "while condition must be bool, found int"},
		{`for x in 3 { }`, "for loop requires array, range, string, bytes, receiver, or stream, found int"},
		{`for x in Map<string, int> {} { }`, "expected"},
		{`let m = Map<string, int> {}
		for x in m { }`, "for loop requires array, range, string, bytes, receiver, or stream, found Map<string, int>"},
		{`for x in "a"..3 { }`, "range start must be int, found string"},
		{`for x in 0..1.5 { }`, "range end must be int, found float"},
		{`break`, "'break' can only be used inside a loop"},
		{`continue`, "'continue' can only be used inside a loop"},
		{`while true {
			let f = () => { break }
		}`, "'break' can only be used inside a loop"},
		{`for i in 0..1 {
			let f = () => { continue }
		}`, "'continue' can only be used inside a loop"},
		{`if true { break }`, "'break' can only be used inside a loop"},
		{`return 1`, "return type mismatch: expected void, found int"},
		{`return []`, "expected void"},
		{`let f = () int => "a"`, "return type mismatch: expected int, found string"},
		{`let f = () int => { return "a" }`, "return type mismatch: expected int, found string"},
		{`let f = () => {
			return 1
			return "a"
		}`, "return type mismatch: expected int, found string"},
		{`let f = (n: int) => {
			if n > 0 { return "a" }
			return 1
		}`, "return type mismatch: expected int, found string"},
		{`let f = (n: int) => {
			if n > 0 { return 1 }
		}`, "return type mismatch: expected void, found int"},
		{`let f = (n: int) => {
			if n > 0 { return [] }
		}`, "expected void"},
		{`match 1 { Color.Red { } }`, "match requires enum type, found int"},
		{`match maybe(1) { Color.Red { } }`, "match requires enum type, found int?"},
		{`match color() { Color.Red { } }`, "non-exhaustive match: missing variant 'Green'"},
		{`match shape() { Shape.Dot { } }`, "non-exhaustive match: missing variant 'Circle'"},
		{`match color() {
			Color.Red { }
			Color.Green { }
			Color.Red { }
		}`, "duplicate match arm for variant 'Red'"},
		{`match color() { Color.Blue { } }`, "enum 'Color' has no variant 'Blue'"},
		{`match color() { Shape.Dot { } }`, "match arm enum 'Shape' does not match scrutinee enum 'Color'"},
		{`match color() { Nope.Dot { } }`, "unknown enum 'Nope'"},
		{`let x = match color() { Nope.Dot => 1 }`, "undefined enum 'Nope'"},
		{`match shape() {
			Shape.Dot { }
			Shape.Circle { r } { }
			Shape.Pet { a } { }
		}`, "variant 'Circle' has 3 fields, but 1 bindings provided"},
		{`match shape() {
			Shape.Dot { }
			Shape.Circle { r, c, q } { }
			Shape.Pet { a } { }
		}`, "variant 'Circle' has no field 'q'"},
		{`let x = match color() { Color.Red => 1, Color.Green => "a" }`, "match arms have incompatible types: expected int, found string"},
		{`let x = match color() { Color.Red => 1, Color.Green => zero() }`, "match arms have incompatible types: expected int, found void"},
		{`let x: int? = match color() { Color.Red => none, Color.Green => 1 }`, "match arms have incompatible types: expected void?, found int"},
		{`let x = match color() { Color.Red => 1 }`, "non-exhaustive match: missing variant 'Green'"},
		{`let x = if 1 { 1 } else { 2 }`, "if condition must be bool, found int"},
		{`let x = if true { 1 } else { "a" }`, "if-expression branches have incompatible types: then-branch has type int, else-branch has type string"},
		{`let x = if true { 1 } else { none }`, "then-branch has type int, else-branch has type void?"},
		{`let x = if true { Dog { tag: "" } } else { Cat {} }`, "then-branch has type Dog, else-branch has type Cat"},
		{`let x = if true { 1 } else { return }`, "then-branch has type int, else-branch has type void"},
		{`let x = if true { 1 } else { let y = 2 }`, "then-branch has type int, else-branch has type void"},
		{`let x = if true { 1 } else if false { "a" } else { 2 }`, "if-expression branches have incompatible types"},
		{`assert 1`, "assert expression must be bool, found int"},
		{`spawn one(1)`, "Task handle must be used -- call .get(), .detach(), or assign to a variable"},

		// errors
		{`raise Nope {}`, "unknown error type 'Nope'"},
		{`raise Dog {}`, "unknown error type 'Dog'"},
		{`raise Bad { code: 1 }`, "error 'Bad' has 2 fields, but 1 were provided"},
		{`raise Bad { code: 1, what: "" }`, "error 'Bad' has no field 'what'"},
		{`raise Bad { code: "a", why: "" }`, "field 'code': expected int, found string"},
		{`fails(1) catch e { "a" }`, "catch handler type mismatch: expected int, found string"},
		{`fails(1) catch e { }`, "catch handler type mismatch: expected int, found void"},
		{`fails(1) catch e { raise Nothing {} }`, "catch handler type mismatch: expected int, found void"},
		{`fails(1) catch "a"`, "catch handler type mismatch: expected int, found string"},
		{`failsVoid() catch e { 5 }`, "catch handler type mismatch: expected void, found int"},
		{`failsVoid() catch 5`, "catch handler type mismatch: expected void, found int"},
		{`fails(1) catch e: Nope { 1 }`, "unknown error type 'Nope'"},
		{`fails(1) catch e: Bad { e.what }`, "error 'Bad' has no field 'what'"},
		{`fails(1) catch e: Bad { e.why }`, "catch handler type mismatch: expected int, found string"},
		{`fails(1) catch e { e.code }`, "field access on non-class type error"},
		{`fails(1) catch e { print(e)
		1 }`, "print() does not support type error"},

		// concurrency
		{`let t = spawn one(1)
		t.nope()`, "Task has no method 'nope'"},
		{`let t = spawn one(1)
		t.get(1)`, "get() expects 0 arguments, got 1"},
		{`let t = spawn one(1)
		t.detach(1)`, "detach() expects 0 arguments"},
		{`let t = spawn one(1)
		t.cancel(1)`, "cancel() expects 0 arguments"},
		{`let t = spawn one("a")`, "argument 1 of 'one': expected int, found string"},
		{`let t: Task<string> = spawn one(1)`, "type mismatch: expected Task<string>, found Task<int>"},
		{`let (tx, rx) = chan<int>("a")`, "channel capacity must be int, found string"},
		{`let (tx, rx) = chan<int>()
		tx.send("a")!`, "send() expects int, found string"},
		{`let (tx, rx) = chan<int>()
		tx.try_send("a")!`, "try_send() expects int, found string"},
		{`let (tx, rx) = chan<int?>()
		tx.send(1)!`, "send() expects int?, found int"},
		{`let (tx, rx) = chan<int>()
		tx.recv()!`, "Sender has no method 'recv'"},
		{`let (tx, rx) = chan<int>()
		rx.send(1)!`, "Receiver has no method 'send'"},
		{`let (tx, rx) = chan<int>()
		select {
			v = tx.recv() { }
		}`, "select recv arm requires a Receiver, found Sender<int>"},
		{`let (tx, rx) = chan<int>()
		select {
			rx.send(1) { }
		}`, "select send arm requires a Sender, found Receiver<int>"},
		{`let (tx, rx) = chan<int>()
		select {
			tx.send("a") { }
		}`, "select send expects int, found string"},

		// reflection
		{`TypeInfo::nope<int>()`, "trait 'TypeInfo' has no method 'nope'"},
		{`Nope::kind<int>()`, "unknown trait 'Nope'"},
		{`TypeInfo::kind<int, int>()`, "expects 1 type arguments, got 2"},
	}
	if len(tests) < 250 {
		t.Errorf("only %d cases", len(tests))
	}
	for _, tt := range tests {
		t.Run(tt.phrase, func(t *testing.T) {
			t.Parallel()
			p := stmts(tt.stmts)
			refuses(t, p, tt.phrase)
			if t.Failed() {
				t.Logf("the statements were\n%s", tt.stmts)
			}
		})
	}
}

func TestStatementsAccepted(t *testing.T) {
	tests := []string{
		`let r = zero()`,
		`return zero()`,
		`for i in 0..2 { print(i) }
		for i in 0..2 { print(i) }`,
		`if true { let a = 1 } else { let a = 2 }`,
		`let f = (print: int) => print + 1
		print(f(1))`,
		`let f = (one: int) => one(one)`,
		`let f = () => {}
		f()`,
		`let xs = [1]
		xs.push(2)
		xs[0] = 5`,
		`let m = Map<string, int> { "a": 1 }
		m["k"] = 1
		print(m["k"])`,
		`print(fails(1) catch Bad { return })`,
		`print(fails(1) catch e: Bad { e.code } catch 0)`,
		`print(fails(1) catch e { print(e.message)
		0 })`,
		`failsVoid() catch e { print(e.message) }`,
		`failsVoid() catch e { }`,
		`fails(1) catch 0`,
		`let a: Animal = Cat {}
		let b: Animal = Dog { tag: "b" }
		print(a == b)`,
		`let a: Animal? = Cat {}
		print(a == none)`,
		`let a: Animal = if true { Dog { tag: "a" } } else { Dog { tag: "b" } }
		print(a.name())`,
		`let x: int? = if true { 1 } else { 2 }
		print(x == none)`,
		`let x = if true { maybe(1) } else { none }
		print(x == none)`,
		`let x = if true { none } else { maybe(1) }
		print(x == none)`,
		`let x = if true { maybe(1) } else { 1 }
		print(x == none)`,
		`let x: int? = if true { none } else { none }
		print(x != none)`,
		`print(if true { let y = 2
		y + 1 } else { 0 })`,
		`print(if true { if false { 1 } else { 2 } } else { 3 })`,
		`print(if true { 1 } else if false { 2 } else { 3 })`,
		`let x = match color() { Color.Red => maybe(1), Color.Green => none }
		print(x == none)`,
		`let x = match color() { Color.Red => zero(), Color.Green => zero() }`,
		`let o: Opt<int> = Opt<int>.Some { value: 1 }
		match o {
			Opt.Some { value } { print(value) }
			Opt.None { }
		}`,
		`let c = Shape.Circle { r: 1.0, c: Color.Red, n: 1 }
		match c {
			Shape.Dot { }
			Shape.Circle { c: k, r: radius, n } {
				n = none
				print(radius)
				print(k == Color.Red)
			}
			Shape.Pet { a } { print(a.name()) }
		}`,
		`let p = P { x: 1, next: makeP(), f: (n: int) => n, pet: Cat {} }
		let f = p.f
		print(f(1))`,
		`let mut p = makeP()
		p.x = 2
		p.inc()
		p.x += 1
		p.x++`,
		`makeP().inc()
		let ps = [makeP()]
		ps[0].x = 1
		ps[0].inc()`,
		`let f: fn(Dog) Animal? = (d: Dog) => d
		print(f(Dog { tag: "" }) == none)`,
		`let f: fn() int? = () => none
		print(f() == none)`,
		`let f: fn() [int] = () => []
		print(f().len())`,
		`let f = () [int] => []
		print(f().len())`,
		`let f = (n: int) => {
			if n > 0 { return [] }
			return [1]
		}
		print(f(1).len())`,
		`let f: fn(int?) int? = (n: int?) => n?
		print(f(1) == none)`,
		`let f = (n: int?) int? => n?
		print(f(1) == none)`,
		`let f = (n: int?) => {
			let m = n?
			print(m)
		}
		f(1)`,
		`print(maybe(1)?)`,
		`print(later(() => none) == none)`,
		`print(later(() => 1) == none)`,
		`print(list([]))`,
		`let xs: [int] = []
		let ys: [int]? = []
		print(xs.len())
		print(ys == none)`,
		`let mut xs = [1]
		xs = []
		print(xs.len())`,
		`print(same([], [1]).len())`,
		`print(same([1], []).len())`,
		`print(firstOf([1, 2]))`,
		`print(id<int?>(none) == none)`,
		`let t = spawn one(1)
		print(t.get())`,
		`spawn one(1).detach()`,
		`let (tx, rx) = chan<int>(2)
		tx.send(1)!
		tx.close()
		for v in rx { print(v) }
		select {
			v = rx.recv() { print(v) }
			tx.send(1) { }
			default { }
		}`,
		`let (one, rx) = chan<int>()
		one.close()
		print(rx.recv()!)`,
		`for one in [1] { print(one) }`,
		`let mut n = 0
		let f = () => { n = 1 }
		f()
		print(n)`,
		`let k = 10
		print(apply((n: int) => n * k, 1))`,
		`while true { break }
		for c in "abc" { print(c) }
		for b in bin() { print(b) }
		for i in (0..3) { continue }`,
		`print(1 == 1 == true)
		print(3 < 5 == true)
		print(1.5 > 2.5)
		print((1 as byte) < (2 as byte))`,
		`let b = bin()
		b.push(1 as byte)
		b[0] = 2 as byte
		print(b[0])
		print(b.to_string())`,
		`print("1".to_int() == none)
		print("1".to_float() == none)
		print("a,b".split(",").len())
		print("abc"[0])`,
		`expect(1).to_equal(1)
		expect(true).to_be_true()
		expect(1 as byte).to_equal(1 as byte)`,
		`print(abs(-1))
		print(abs(1.5))
		print(min(1, 2))
		print(pow(2.0, 3.0))
		print(pow(2, 3) catch 0)
		print(round(1.5))
		print(time_ns() > 0)`,
		`print(TypeInfo::type_name<[int]>())
		let k = TypeInfo::kind<int>()
		match k {
			TypeKind.Primitive { name } { print(name) }
			TypeKind.Class { info } { print(info.name) }
			TypeKind.Enum { info } { print(info.name) }
			TypeKind.Array { element_type } { print(element_type) }
			TypeKind.Map { key_type, value_type } { print(key_type + value_type) }
			TypeKind.Set { element_type } { print(element_type) }
			TypeKind.Nullable { inner_type } { print(inner_type) }
			TypeKind.Function { param_types, return_type } { print(return_type + param_types[0]) }
			TypeKind.Void { }
		}`,
		`let s = Set<Color> { Color.Red, Color.Green }
		print(s.len())`,
		`let e = Empty {}
		let c = Color.Red {}
		print(c == Color.Red)
		print(e == e)`,
		`return
		print(1)`,
		`let n = 1
		let x = f"{n} {if n > 0 { \"a\" } else { \"b\" }}"
		print(x)`,
		`let outer = (n: int) => (m: int) => n + m
		let inner = outer(1)
		print(inner(2))`,
		`let n: int? = none
		let xs = [n]
		let v: int? = 2
		xs.push(v)
		print(xs[0] == none)`,
		`print(none == none)`,
		`let b = Box<fn(int) int> { v: (n: int) => n }
		let f = b.v
		print(f(1))`,
	}
	for _, text := range tests {
		t.Run(strings.TrimSpace(text), func(t *testing.T) {
			t.Parallel()
			accepts(t, stmts(text))
		})
	}
}

func TestProgramsRefused(t *testing.T) {
	tests := []struct{ text, phrase string }{
		{"fn f() int { }\nfn main() { }", "missing return statement in function with return type int"},
		{"fn f() int? { }\nfn main() { }", "missing return statement in function with return type int?"},
		{"fn f() int {\nwhile true { return 1 }\n}", "missing return statement"},
		{"fn f() int {\nfor i in 0..1 { return 1 }\n}", "missing return statement"},
		{"fn f(b: bool) int {\nif b { return 1 }\n}", "missing return statement"},
		{"fn f(b: bool) int {\nif b { return 1 } else { print(1) }\n}", "missing return statement"},
		{"enum E { A B }\nfn f(e: E) int {\nmatch e {\nE.A { return 1 }\nE.B { }\n}\n}", "missing return statement"},
		{"fn f() int { 5 }", "missing return statement"},
		{"fn f<T>(x: T) int { }", "missing return statement"},
		{"class A {\nfn f(self) int { }\n}", "missing return statement"},
		{"class B<T> {\nv: T\nfn f(self) int { }\n}", "missing return statement"},
		{"fn f() int { return }", "return type mismatch: expected int, found void"},
		{"fn f() int { return \"a\" }", "return type mismatch: expected int, found string"},
		{"fn f() int { return none }", "return type mismatch: expected int, found void?"},
		{"fn f() { return [] }", "expected void, found empty array"},
		{"fn f(n: int?) int { return n? }", "'?' cannot be used in function returning non-nullable type int"},
		{"fn f(n: int) { let n = 2 }", "variable 'n' is already declared in this scope"},
		{"fn f(n: int) {\nif true { let n = 2 }\n}", "variable 'n' shadows an existing variable"},
		{"class A {\nfn f(self, n: int) { let n = 2 }\n}", "variable 'n' is already declared in this scope"},
		{"fn f(n: int)\nrequires n\n{ }", "requires expression must be bool, found int"},
		{"class A {\nn: int\ninvariant self.n\n}", "invariant expression must be bool, found int"},
		{"class A {\nn: int\ninvariant self.m > 0\n}", "class 'A' has no field 'm'"},
		{"fn f(n: int) int\nrequires m > 0\n{ return n }", "undefined variable 'm'"},
		{"fn f(n: int) int\nensures result\n{ return n }", "ensures expression must be bool, found int"},
		{"fn f(n: int)\nensures result > 0\n{ }", "undefined variable 'result'"},
		{"class A {\nfn f(self) { nope() }\n}", "undefined function 'nope'"},
		{"class A {\nx: int\nfn f(self) { print(x) }\n}", "undefined variable 'x'"},
		{"class A {\nfn g(self) {}\nfn f(self) { g() }\n}", "undefined function 'g'"},
		{"app A {\nfn main(self) { self.nope() }\n}", "class 'A' has no method 'nope'"},
		{"app A {\nfn main(self) { let A = 1 }\n}", "variable 'A' shadows the app"},
		{"fn add<T>(a: T, b: T) T { return a + b }\nfn main() { add(true, false) }", "operator not supported for type bool"},
		{"class B<T> {\nv: T\nfn show(self) { print(self.v) }\n}\nfn main() { B<[int]> { v: [1] }.show() }", "print() does not support type [int]"},
		{"test \"a\" { break }", ""},
		{"scoped class Q { n: int }\nfn main() {\nscope(Nope {}) |q: Q| { }\n}", "unknown class 'Nope' in scope seed"},
		{"scoped class Q { n: int }\nfn main() {\nscope(Q { n: \"a\" }) |q: Q| { }\n}", "field 'n': expected int, found string"},
		{"scoped class Q { n: int }\nfn main() {\nscope(Q { n: 1 }) |q: Q, q: Q| { }\n}", "variable 'q' is already declared in this scope"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			if tt.phrase == "" { // only in a test run
				p := checkText(tt.text, "test")
				refuses(t, p, "'break'")
				return
			}
			refuses(t, checkText(tt.text), tt.phrase)
		})
	}
}

func TestModulesQualified(t *testing.T) {
	const shapes = `
-- shapes/shapes.pluto --
pub class Square {
    side: int
    fn area(self) int { return self.side * self.side }
}
pub class Cell<T> { v: T }
pub enum Kind { Round Edgy { n: int } }
pub enum May<T> { Has { v: T } Not }
pub error Broken { why: string }
pub fn make(n: int) Square { return Square { side: n } }
pub fn pick<T>(a: T, b: T) T { return a }
pub fn abs(n: int) int { return n }
pub fn risky() int { raise Broken { why: "a" } }
fn inner() int { return abs(-1) }
`
	accepted := []string{
		`let s = shapes.make(2)
		print(s.area())`,
		`let s = shapes.Square { side: 2 }
		let t: shapes.Square = s
		print(t.side)`,
		`let c = shapes.Cell<int> { v: 1 }
		print(c.v)`,
		`print(shapes.pick(1, 2))`,
		`print(shapes.abs(1))`,
		`let k = shapes.Kind.Edgy { n: 3 }
		match k {
			shapes.Kind.Round { }
			shapes.Kind.Edgy { n } { print(n) }
		}
		print(match shapes.Kind.Round { shapes.Kind.Round => 1, shapes.Kind.Edgy { n } => n })`,
		`let m = shapes.May<int>.Has { v: 1 }
		match m {
			shapes.May.Has { v } { print(v) }
			shapes.May.Not { }
		}
		print(m == shapes.May<int>.Not)`,
		`print(shapes.risky() catch e: shapes.Broken { e.why.len() })`,
		`if true { raise shapes.Broken { why: "b" } }`,
		`let t = spawn shapes.make(1)
		print(t.get().side)`,
	}
	program := func(text string) string {
		return "-- main.pluto --\nimport shapes\nfn probe() {\n" + text + "\n}\nfn main() { }\n" + shapes
	}
	for _, text := range accepted {
		accepts(t, checkArchive(program(text)))
	}
	refused := []struct{ text, phrase string }{
		{`shapes.nope()`, "undefined function 'shapes.nope'"},
		{`shapes.make("a")`, "argument 1 of 'shapes.make': expected int, found string"},
		{`let s = shapes.Nope { side: 1 }`, "unknown class 'shapes.Nope'"},
		{`let s = nope.Square { side: 1 }`, "unknown class 'nope.Square'"},
		{`let s = shapes.Square { side: "a" }`, "field 'side': expected int, found string"},
		{`let s: int = shapes.make(1)`, "type mismatch: expected int, found shapes.Square"},
		{`let k = shapes.Kind.Blue`, "enum 'shapes.Kind' has no variant 'Blue'"},
		{`let k = shapes.Nope.Blue`, "undefined variable 'shapes.Nope'"},
		{`let k = shapes.Nope.Blue { n: 1 }`, "unknown enum 'shapes.Nope'"},
		{`let k = shapes.make`, "undefined variable 'shapes.make'"},
		{`raise shapes.Nope {}`, "unknown error type 'shapes.Nope'"},
		{`raise nope.Broken {}`, "unknown error type 'nope.Broken'"},
		{`let x = shapes`, "undefined variable 'shapes'"},
		{`match shapes.Kind.Round { Kind.Round { } }`, "unknown enum 'Kind'"},
	}
	for _, tt := range refused {
		p := checkArchive(program(tt.text))
		refuses(t, p, tt.phrase)
	}
}

// TestFirstErrorOnly holds the checker to silence about consequences: each text has one
// mistake.
func TestOneMistakeOneError(t *testing.T) {
	tests := []string{
		`let x = nope
		print(x + 1)
		let y = x.foo(x)
		for z in x { print(z.a) }
		y[x] = -x`,
		`let x: Nope = 1
		let xs = [x, 2]
		xs.push("a")
		print(xs)`,
		`let x = [nope, 1]
		x.push("s")
		print(f"{x[0]}")`,
		`let f = (a: Nope) => a
		apply(f, 1)
		print(f(1))`,
		`let x = nope() catch e: Bad { e.code }
		print(x)`,
		`match nope {
			Color.Red { }
		}`,
		`print(match nope { Shape.Circle { r, c, n } => r, Shape.Dot => 1.0 })`,
		`let p = Nope { a: [], b: none }
		p.c = p.d`,
		`let t = spawn nope()
		print(t.get())`,
		`let m = Map<string, Nope> { "a": 1 }
		m["b"] = 2
		print(m["a"])`,
		`let (tx, rx) = chan<Nope>()
		tx.send(1)!
		for v in rx { print(v) }`,
		`let x = if nope { 1 } else { 2 }
		print(x)`,
		`one([], none)`,
		`let x = id(nope)
		print(x)`,
		`raise Nope { a: [], b: none }`,
		`nope.x = []`,
		`let x: string = one(nope)`,
		`let x: string = if one(nope) { 1 } else { "b" }`,
		`apply((s: string) => nope, 1)`,
		`match color() {
			Color.Red { }
			Color.Red { }
		}`,
		`nope[0] = none`,
		`let a = 1
		a += "b"`,
	}
	for _, text := range tests {
		p := stmts(text)
		n := 0
		for _, d := range p.Diags.Sorted() {
			if d.Severity == diag.Error {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s\n%d errors:\n%s", text, n, strings.Join(messages(p), "\n"))
		}
	}
}
