package diag

// The codes of handling errors.
const (
	Unhandled       Code = "P0701"
	NothingToPass   Code = "P0702"
	NothingToCatch  Code = "P0703"
	HandlesNoCall   Code = "P0704"
	HandlersMissing Code = "P0705"
	PassInSpawn     Code = "P0706"
	UnknownError    Code = "P0751"
	ErrorFields     Code = "P0752"
	HandlerType     Code = "P0753"
	SelfField       Code = "P0801"
	SelfData        Code = "P0802"
	SelfMethod      Code = "P0803"
	Immutable       Code = "P0850"
	ImmutableField  Code = "P0851"
	ImmutableMethod Code = "P0852"
	NotInContract   Code = "P0901"
	AddsRequires    Code = "P0905"
	TwoContracts    Code = "P0906"
	ContractType    Code = "P0950"
	SpawnInScope    Code = "P1030"
	EscapesByReturn Code = "P1031"
	EscapesByAssign Code = "P1032"
	UnusedVariable  Code = "P1501"
)

var flowRules = []Rule{
	{Unhandled, "A call that can raise an error is handled with '!' or 'catch'.",
		"Which errors a function can raise follows from its body and from what it calls. Every call of such a function says at the call what happens then: `f()!` passes the error on to the caller of the function around it, `f() catch e { ... }` and `f() catch value` deal with it here.\n\nA `get()` can raise whatever the task can; of a task that is not a local bound directly to its `spawn`, that is anything.",
		"error Bad {\n}\nfn risky() int {\n    raise Bad {}\n}\nfn main() {\n    print(risky())\n}\n",
		"error Bad {\n}\nfn risky() int {\n    raise Bad {}\n}\nfn main() {\n    print(risky() catch 0)\n}\n"},
	{NothingToPass, "'!' is only for calls that can raise an error.",
		"The function that is called raises nothing, nor does anything that it calls with `!`. The mark would say that this line can end the function early, which it cannot. Remove it.",
		"fn safe() int {\n    return 1\n}\nfn main() {\n    print(safe()!)\n}\n",
		"fn safe() int {\n    return 1\n}\nfn main() {\n    print(safe())\n}\n"},
	{NothingToCatch, "'catch' is only for calls that can raise an error.",
		"The handler could never run. Remove it. A task that was spawned from a function without errors has a `get()` without errors.",
		"fn safe() int {\n    return 1\n}\nfn main() {\n    print(safe() catch 0)\n}\n",
		"fn safe() int {\n    return 1\n}\nfn main() {\n    print(safe())\n}\n"},
	{HandlesNoCall, "'!' and 'catch' stand directly after a call.",
		"Only calls raise errors. Put the mark after the call itself, not after a value or an operation that contains it.",
		"fn main() {\n    let x = 1\n    print(x catch 0)\n}\n",
		"fn main() {\n    let x = 1\n    print(x)\n}\n"},
	{HandlersMissing, "Typed handlers cover every error of the call.",
		"`catch e: A { ... }` runs for A alone. When the call can raise others too, add a handler for each, or end with one for all: `catch e { ... }` or a fallback value.",
		"error A {\n}\nerror B {\n}\nfn f(x: int) int {\n    if x == 1 {\n        raise A {}\n    }\n    raise B {}\n}\nfn main() {\n    print(f(1) catch e: A { 0 })\n}\n",
		"error A {\n}\nerror B {\n}\nfn f(x: int) int {\n    if x == 1 {\n        raise A {}\n    }\n    raise B {}\n}\nfn main() {\n    print(f(1) catch e: A { 0 } catch 1)\n}\n"},
	{PassInSpawn, "No error is passed on in the arguments of a spawn.",
		"The arguments belong to the task, which is not the function that the error would leave. Compute the value before the spawn.",
		"error Bad {\n}\nfn risky() int {\n    raise Bad {}\n}\nfn work(x: int) {\n    print(x)\n}\nfn main() {\n    let t = spawn work(risky()!)\n    t.get()\n}\n",
		"error Bad {\n}\nfn risky() int {\n    raise Bad {}\n}\nfn work(x: int) {\n    print(x)\n}\nfn main() {\n    let x = risky()!\n    let t = spawn work(x)\n    t.get()\n}\n"},
	{UnknownError, "What is raised or caught is a declared error.",
		"`raise` and `catch e: E` name errors: those of the file, `m.E` of an imported module, and the predeclared ones. Classes and enums are none.",
		"fn main() {\n    raise Lost {}\n}\n",
		"error Lost {\n}\nfn main() {\n    raise Lost {}\n}\n"},
	{ErrorFields, "A raise gives every field of the error once.",
		"An error has no default values, and nothing beside the fields of its declaration.",
		"error Bad { code: int }\nfn main() {\n    raise Bad {}\n}\n",
		"error Bad { code: int }\nfn main() {\n    raise Bad { code: 1 }\n}\n"},
	{HandlerType, "A handler gives what the call would have given.",
		"The value of a handler is its last statement when that is an expression, and it takes the place of the result of the call. A block that ends otherwise has no value, and fits only calls without a result. One that ends in `return` leaves the function and needs none.",
		"error Bad {\n}\nfn risky() int {\n    raise Bad {}\n}\nfn main() {\n    print(risky() catch e { \"zero\" })\n}\n",
		"error Bad {\n}\nfn risky() int {\n    raise Bad {}\n}\nfn main() {\n    print(risky() catch e { 0 })\n}\n"},

	{SelfField, "Only a method with 'mut self' assigns to fields of its receiver.",
		"The signature tells callers whether a method changes its object: on a variable without `mut`, only methods with plain `self` can be called.",
		"class Counter {\n    n: int\n    fn inc(self) {\n        self.n += 1\n    }\n}\n",
		"class Counter {\n    n: int\n    fn inc(mut self) {\n        self.n += 1\n    }\n}\n"},
	{SelfData, "Only a method with 'mut self' stores into elements of its fields.",
		"Storing into an array or map that a field of the receiver holds changes the receiver. Declare the method with `mut self`.",
		"class Board {\n    cells: [int]\n    fn mark(self, i: int) {\n        self.cells[i] = 1\n    }\n}\n",
		"class Board {\n    cells: [int]\n    fn mark(mut self, i: int) {\n        self.cells[i] = 1\n    }\n}\n"},
	{SelfMethod, "Only a method with 'mut self' calls such methods on its receiver.",
		"Otherwise a method could change its object through another one without saying so.",
		"class Counter {\n    n: int\n    fn inc(mut self) {\n        self.n += 1\n    }\n    fn twice(self) {\n        self.inc()\n        self.inc()\n    }\n}\n",
		"class Counter {\n    n: int\n    fn inc(mut self) {\n        self.n += 1\n    }\n    fn twice(mut self) {\n        self.inc()\n        self.inc()\n    }\n}\n"},
	{Immutable, "Only a 'let mut' variable is assigned to.",
		"`let` binds a name for good. Parameters, loop variables and the bindings of match, catch and closures may be assigned; the two ends of a channel may not.",
		"fn main() {\n    let n = 0\n    n = 1\n    print(n)\n}\n",
		"fn main() {\n    let mut n = 0\n    n = 1\n    print(n)\n}\n"},
	{ImmutableField, "Fields are assigned through a 'let mut' variable.",
		"`let` protects the fields of the object too when they are reached through the variable. Elements of arrays, maps, sets and bytes are not protected.",
		"class P {\n    x: int\n}\nfn main() {\n    let p = P { x: 1 }\n    p.x = 2\n    print(p.x)\n}\n",
		"class P {\n    x: int\n}\nfn main() {\n    let mut p = P { x: 1 }\n    p.x = 2\n    print(p.x)\n}\n"},
	{ImmutableMethod, "A method with 'mut self' is called through a 'let mut' variable.",
		"Such a method changes its object, which `let` alone does not allow.",
		"class Counter {\n    n: int\n    fn inc(mut self) {\n        self.n += 1\n    }\n}\nfn main() {\n    let c = Counter { n: 0 }\n    c.inc()\n}\n",
		"class Counter {\n    n: int\n    fn inc(mut self) {\n        self.n += 1\n    }\n}\nfn main() {\n    let mut c = Counter { n: 0 }\n    c.inc()\n}\n"},

	{NotInContract, "Contracts are made of names, fields, numbers, operators and 'len()'.",
		"`requires`, `ensures` and `invariant` say something about values that can be read off without running code of the program: int, float, bool and `none` literals, parameters, `self`, fields, operators, parentheses and `.len()`; `ensures` also `result` and `old(...)`. For anything else write an `assert` in the body.",
		"fn even(n: int) bool {\n    return n % 2 == 0\n}\nfn half(n: int) int\nrequires even(n)\n{\n    return n / 2\n}\n",
		"fn half(n: int) int\nrequires n % 2 == 0\n{\n    return n / 2\n}\n"},
	{AddsRequires, "A method that implements one of a trait adds no 'requires'.",
		"Whoever calls through the trait knows only the clauses of the trait, so a class must not ask for more. Put the clause into the trait, where it holds for all.",
		"trait Store {\n    fn put(self, n: int)\n}\nclass Disk impl Store {\n    fn put(self, n: int)\n    requires n > 0\n    {\n    }\n}\n",
		"trait Store {\n    fn put(self, n: int)\n    requires n > 0\n}\nclass Disk impl Store {\n    fn put(self, n: int) {\n    }\n}\n"},
	{TwoContracts, "A method has its contract from one trait.",
		"Two traits of the class declare this method, and there are clauses. Each was written without knowing of the other; give the methods different names.",
		"trait A {\n    fn put(self, n: int)\n    requires n > 0\n}\ntrait B {\n    fn put(self, n: int)\n    requires n > 1\n}\nclass Disk impl A, B {\n    fn put(self, n: int) {\n    }\n}\n",
		"trait A {\n    fn put(self, n: int)\n    requires n > 0\n}\ntrait B {\n    fn add(self, n: int)\n    requires n > 1\n}\nclass Disk impl A, B {\n    fn put(self, n: int) {\n    }\n    fn add(self, n: int) {\n    }\n}\n"},
	{ContractType, "A clause of a contract is a bool.",
		"Compare with something: numbers are not conditions.",
		"fn half(n: int) int\nrequires n\n{\n    return n / 2\n}\n",
		"fn half(n: int) int\nrequires n != 0\n{\n    return n / 2\n}\n"},

	{SpawnInScope, "A task does not use what a scope block binds.",
		"The instances of a scope block end with it, and a task may run on. Pass the task values that it needs.",
		"scoped class Request {\n    id: int\n}\nfn note(id: int) {\n    print(id)\n}\nfn main() {\n    scope(Request { id: 1 }) |r: Request| {\n        let t = spawn note(r.id)\n        t.get()\n    }\n}\n",
		"scoped class Request {\n    id: int\n}\nfn note(id: int) {\n    print(id)\n}\nfn main() {\n    scope(Request { id: 1 }) |r: Request| {\n        let id = r.id\n        let t = spawn note(id)\n        t.get()\n    }\n}\n"},
	{EscapesByReturn, "A closure that uses what a scope block binds is not returned from it.",
		"It would keep instances of the scope alive after their end. Call the closure in the block and return what it gives.",
		"scoped class Request {\n    id: int\n}\nfn f() fn() int {\n    scope(Request { id: 1 }) |r: Request| {\n        return () => r.id\n    }\n    return () => 0\n}\n",
		"scoped class Request {\n    id: int\n}\nfn f() int {\n    scope(Request { id: 1 }) |r: Request| {\n        let g = () => r.id\n        return g()\n    }\n    return 0\n}\n"},
	{EscapesByAssign, "A closure that uses what a scope block binds is not put into a variable from outside.",
		"It would keep instances of the scope alive after their end. Declare the variable in the block.",
		"scoped class Request {\n    id: int\n}\nfn main() {\n    let mut f = () => 0\n    scope(Request { id: 1 }) |r: Request| {\n        f = () => r.id\n    }\n    print(f())\n}\n",
		"scoped class Request {\n    id: int\n}\nfn main() {\n    scope(Request { id: 1 }) |r: Request| {\n        let f = () => r.id\n        print(f())\n    }\n}\n"},

	{UnusedVariable, "A variable that is never read is not needed.",
		"Being assigned is not being read. Remove the variable, or begin its name with `_` when it is there on purpose.",
		"fn main() {\n    let n = 1\n}\n",
		"fn main() {\n    let n = 1\n    print(n)\n}\n"},
}
