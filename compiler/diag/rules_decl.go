package diag

// The codes of names and declarations.
const (
	UnknownType     Code = "P0301"
	UnknownGeneric  Code = "P0302"
	TypeArity       Code = "P0303"
	VoidNullable    Code = "P0304"
	NestedNullable  Code = "P0305"
	Declared        Code = "P0306"
	DeclaredAs      Code = "P0307"
	ShadowsBuiltin  Code = "P0308"
	PreludeName     Code = "P0309"
	DuplicateField  Code = "P0310"
	DuplicateMethod Code = "P0311"
	VariantDeclared Code = "P0312"
	ParamDeclared   Code = "P0313"
	FnAndExtern     Code = "P0314"
	ExternType      Code = "P0315"
)

// The codes of generics and traits.
const (
	TypeParamDeclared Code = "P0601"
	TypeParamShadows  Code = "P0602"
	UnknownBound      Code = "P0603"
	GenericArity      Code = "P0604"
	CannotInferParams Code = "P0605"
	BoundNotSatisfied Code = "P0606"
	EndlessInstances  Code = "P0607"
	UnknownTrait      Code = "P0610"
	TraitTwice        Code = "P0611"
	MissingMethod     Code = "P0612"
	MethodArity       Code = "P0613"
	MethodParam       Code = "P0614"
	MethodResult      Code = "P0615"
	MethodSelf        Code = "P0616"
)

// The codes of injection and lifecycles.
const (
	NotInjectable   Code = "P1001"
	CircularDeps    Code = "P1002"
	UsesWithoutApp  Code = "P1003"
	NotAmbient      Code = "P1004"
	AmbientUnknown  Code = "P1005"
	AmbientTwice    Code = "P1006"
	AmbientConflict Code = "P1007"
	AmbientGeneric  Code = "P1008"
	OverrideUnknown Code = "P1009"
	OverrideLonger  Code = "P1010"
	OverrideInApp   Code = "P1011"
	SeedLifecycle   Code = "P1012"
	SeedType        Code = "P1013"
	BindingType     Code = "P1014"
	NotReachable    Code = "P1015"
	MustBeSeed      Code = "P1016"
	CannotWire      Code = "P1018"
	AppAndMain      Code = "P1020"
	AppWithoutMain  Code = "P1021"
	AppMainSelf     Code = "P1022"
	AppMainResult   Code = "P1023"
)

// The codes of test runs.
const (
	NoTests    Code = "P1310"
	AppInTests Code = "P1311"
)

var declRules = []Rule{
	{
		Code:  UnknownType,
		Title: "A type has a name that is declared or built in.",
		Text:  "Types are the basic ones, those of the module itself and, as `module.Type`, those of imported modules. A generic class or enum is a type only with its type arguments; errors and the app are no types.",
		Wrong: "fn show(p: Point) {\n    print(p.x)\n}\n",
		Right: "class Point {\n    x: int\n}\n\nfn show(p: Point) {\n    print(p.x)\n}\n",
	},
	{
		Code:  UnknownGeneric,
		Title: "Only generic classes and enums, and built-in generic types, take type arguments.",
		Text:  "Built-in generic types are Map, Set, Task, Sender and Receiver; the others are declared with type parameters, as `class Box<T>`.",
		Wrong: "class Box {\n    value: int\n}\n\nfn open(b: Box<int>) int {\n    return b.value\n}\n",
		Right: "class Box<T> {\n    value: T\n}\n\nfn open(b: Box<int>) int {\n    return b.value\n}\n",
	},
	{
		Code:  TypeArity,
		Title: "A built-in generic type has as many type arguments as it takes.",
		Text:  "Map takes the types of its keys and of its values; Set, Task, Sender and Receiver take one type.",
		Wrong: "fn size(m: Map<int>) int {\n    return m.len()\n}\n",
		Right: "fn size(m: Map<string, int>) int {\n    return m.len()\n}\n",
	},
	{
		Code:  VoidNullable,
		Title: "There is no nullable void.",
		Text:  "A void has no value that could be missing. The message also comes where a type parameter would have to be inferred from `none` alone: give the value a type first, or write the type arguments.",
		Wrong: "fn f() void? {\n    return none\n}\n",
		Right: "fn f() int? {\n    return none\n}\n",
	},
	{
		Code:  NestedNullable,
		Title: "A type is nullable once.",
		Text:  "With a type argument that is nullable itself, a `T?` in the generic declaration would be nullable twice, and `none` could mean either.",
		Wrong: "class Box<T> {\n    value: T?\n}\n\nfn f(b: Box<int?>) {\n    print(b.value == none)\n}\n",
		Right: "class Box<T> {\n    value: T?\n}\n\nfn f(b: Box<int>) {\n    print(b.value == none)\n}\n",
	},
	{
		Code:  Declared,
		Title: "A name is declared once in its module.",
		Text:  "The files of a module share their names. Traits, enums, errors, classes and functions have different names.",
		Wrong: "fn area() int {\n    return 1\n}\n\nfn area() int {\n    return 2\n}\n",
		Right: "fn area() int {\n    return 1\n}\n\nfn volume() int {\n    return 2\n}\n",
	},
	{
		Code:  DeclaredAs,
		Title: "A name stands for one kind of thing in its module.",
		Text:  "Functions, classes, traits, enums, errors and the names of imports are one namespace, so that a name always means one thing.",
		Wrong: "trait Shape {\n    fn area(self) int\n}\n\nclass Shape {\n    side: int\n}\n",
		Right: "trait Shape {\n    fn area(self) int\n}\n\nclass Square {\n    side: int\n}\n",
	},
	{
		Code:  ShadowsBuiltin,
		Title: "Functions and classes have other names than the built-in functions.",
		Text:  "The names of built-in functions are reserved in a program; functions of imported modules, which are written `module.name`, may have them.",
		Wrong: "fn max(a: int, b: int, c: int) int {\n    return a + b + c\n}\n",
		Right: "fn max_of_three(a: int, b: int, c: int) int {\n    return max(a, max(b, c))\n}\n",
	},
	{
		Code:  PreludeName,
		Title: "Declarations have other names than the types of the prelude.",
		Text:  "FieldInfo, ClassInfo, VariantInfo, EnumInfo, TypeKind and TypeInfo are declared in every program: they describe its types.",
		Wrong: "class FieldInfo {\n    name: string\n}\n",
		Right: "class Column {\n    name: string\n}\n",
	},
	{
		Code:  DuplicateField,
		Title: "The fields of a class have names of their own.",
		Text:  "Fields of a class, an error or a variant have different names. The dependencies in brackets are fields of the class too.",
		Wrong: "class Point {\n    x: int\n    x: float\n}\n",
		Right: "class Point {\n    x: int\n    y: float\n}\n",
	},
	{
		Code:  DuplicateMethod,
		Title: "The methods of a class have names of their own.",
		Text:  "There is no overloading: a class, a trait or an app has one method of a name.",
		Wrong: "class A {\n    fn f(self) {\n    }\n\n    fn f(self, n: int) {\n        print(n)\n    }\n}\n",
		Right: "class A {\n    fn f(self) {\n    }\n\n    fn g(self, n: int) {\n        print(n)\n    }\n}\n",
	},
	{
		Code:  VariantDeclared,
		Title: "The variants of an enum have names of their own.",
		Text:  "A match finds a variant by its name alone, whatever its fields are.",
		Wrong: "enum Color {\n    Red\n    Green\n    Red\n}\n",
		Right: "enum Color {\n    Red\n    Green\n    Blue\n}\n",
	},
	{
		Code:  ParamDeclared,
		Title: "The parameters of a function have names of their own.",
		Text:  "Inside the function a name means one value.",
		Wrong: "fn add(a: int, a: int) int {\n    return a\n}\n",
		Right: "fn add(a: int, b: int) int {\n    return a + b\n}\n",
	},
	{
		Code:  FnAndExtern,
		Title: "A function has a body or is extern.",
		Text:  "An extern function lives in the runtime, and its name stands for that. Give the one with a body another name.",
		Wrong: "extern fn now() int\n\nfn now() int {\n    return 1\n}\n",
		Right: "extern fn now() int\n\nfn later() int {\n    return now() + 1\n}\n",
	},
	{
		Code:  ExternType,
		Title: "Only int, float, bool, string, arrays of them and void cross over to extern functions.",
		Text:  "The runtime, where extern functions live, knows nothing of the classes and enums of a program.",
		Wrong: "class P {\n    x: int\n}\n\nextern fn move(p: P)\n",
		Right: "extern fn move(x: int)\n",
	},
	{
		Code:  TypeParamDeclared,
		Title: "The type parameters of a declaration have names of their own.",
		Text:  "Inside the declaration a name means one type.",
		Wrong: "fn first<T, T>(a: T, b: T) T {\n    return a\n}\n",
		Right: "fn first<T, U>(a: T, b: U) T {\n    return a\n}\n",
	},
	{
		Code:  TypeParamShadows,
		Title: "A type parameter has another name than the classes.",
		Text:  "Inside the declaration the name would mean the parameter, though a reader may know the class.",
		Wrong: "class Item {\n    n: int\n}\n\nfn same<Item>(x: Item) Item {\n    return x\n}\n",
		Right: "class Item {\n    n: int\n}\n\nfn same<T>(x: T) T {\n    return x\n}\n",
	},
	{
		Code:  UnknownBound,
		Title: "A bound of a type parameter is a trait.",
		Text:  "A bound names a trait of the same module. Types that do not list the trait in their impl clause do not satisfy it.",
		Wrong: "fn show<T: Printable>(x: T) {\n    x.print_it()\n}\n",
		Right: "trait Printable {\n    fn print_it(self)\n}\n\nfn show<T: Printable>(x: T) {\n    x.print_it()\n}\n",
	},
	{
		Code:  GenericArity,
		Title: "A generic declaration has as many type arguments as it has type parameters.",
		Text:  "Every type parameter needs one argument. Calls of functions may leave all of them out, to be inferred.",
		Wrong: "fn id<T>(x: T) T {\n    return x\n}\n\nfn main() {\n    print(id<int, int>(1))\n}\n",
		Right: "fn id<T>(x: T) T {\n    return x\n}\n\nfn main() {\n    print(id<int>(1))\n}\n",
	},
	{
		Code:  CannotInferParams,
		Title: "The arguments of a call tell its type arguments, unless they are written.",
		Text:  "They come from the types of the arguments alone: each parameter must be mentioned in the type of one, and all mentions must agree. What is inside a generic class or enum is not looked at. Write the type arguments where this does not suffice.",
		Wrong: "fn empty<T>() [T] {\n    return []\n}\n\nfn main() {\n    let xs: [int] = empty()\n    print(xs.len())\n}\n",
		Right: "fn empty<T>() [T] {\n    return []\n}\n\nfn main() {\n    let xs = empty<int>()\n    print(xs.len())\n}\n",
	},
	{
		Code:  BoundNotSatisfied,
		Title: "A type argument is a class that implements the bounds of its parameter.",
		Text:  "Classes that list the trait in their impl clause satisfy a bound; other types never do, not even the trait itself.",
		Wrong: "trait Named {\n    fn name(self) string\n}\n\nfn hello<T: Named>(x: T) {\n    print(x.name())\n}\n\nfn main() {\n    hello(1)\n}\n",
		Right: "trait Named {\n    fn name(self) string\n}\n\nclass Cat impl Named {\n    fn name(self) string {\n        return \"cat\"\n    }\n}\n\nfn hello<T: Named>(x: T) {\n    print(x.name())\n}\n\nfn main() {\n    hello(Cat {})\n}\n",
	},
	{
		Code:  EndlessInstances,
		Title: "A generic declaration has a finite number of instances.",
		Text:  "Each use of a generic declaration with new type arguments makes a copy of it. When a copy uses the declaration with a larger argument than its own, there is no last one.",
		Wrong: "class Nest<T> {\n    inner: Nest<[T]>?\n}\n\nfn main() {\n    let n: Nest<int>? = none\n    print(n == none)\n}\n",
		Right: "class Nest<T> {\n    inner: Nest<T>?\n}\n\nfn main() {\n    let n: Nest<int>? = none\n    print(n == none)\n}\n",
	},
	{
		Code:  UnknownTrait,
		Title: "An impl clause names traits.",
		Text:  "Only traits can be implemented, and only those of the same module.",
		Wrong: "class Cat impl Animal {\n}\n",
		Right: "trait Animal {\n}\n\nclass Cat impl Animal {\n}\n",
	},
	{
		Code:  TraitTwice,
		Title: "An impl clause names a trait once.",
		Text:  "Once is enough.",
		Wrong: "trait Animal {\n}\n\nclass Cat impl Animal, Animal {\n}\n",
		Right: "trait Animal {\n}\n\nclass Cat impl Animal {\n}\n",
	},
	{
		Code:  MissingMethod,
		Title: "A class has every method that its traits require.",
		Text:  "Methods of a trait without a body must be written in every class that implements it.",
		Wrong: "trait Animal {\n    fn name(self) string\n}\n\nclass Cat impl Animal {\n}\n",
		Right: "trait Animal {\n    fn name(self) string\n}\n\nclass Cat impl Animal {\n    fn name(self) string {\n        return \"cat\"\n    }\n}\n",
	},
	{
		Code:  MethodArity,
		Title: "A method takes as many parameters as its trait says.",
		Text:  "Whoever calls through the trait gives the arguments that the trait lists.",
		Wrong: "trait Animal {\n    fn eat(self, grams: int)\n}\n\nclass Cat impl Animal {\n    fn eat(self) {\n    }\n}\n",
		Right: "trait Animal {\n    fn eat(self, grams: int)\n}\n\nclass Cat impl Animal {\n    fn eat(self, grams: int) {\n        print(grams)\n    }\n}\n",
	},
	{
		Code:  MethodParam,
		Title: "A parameter of a method has exactly the type that its trait says.",
		Text:  "The types must be exactly equal: `int?` is not `int`, and a class is not the trait that it implements.",
		Wrong: "trait Animal {\n    fn eat(self, grams: int)\n}\n\nclass Cat impl Animal {\n    fn eat(self, grams: float) {\n        print(grams)\n    }\n}\n",
		Right: "trait Animal {\n    fn eat(self, grams: int)\n}\n\nclass Cat impl Animal {\n    fn eat(self, grams: int) {\n        print(grams)\n    }\n}\n",
	},
	{
		Code:  MethodResult,
		Title: "A method returns exactly the type that its trait says.",
		Text:  "The types must be exactly equal: `int?` is not `int`, and a class is not the trait that it implements.",
		Wrong: "trait Animal {\n    fn legs(self) int\n}\n\nclass Cat impl Animal {\n    fn legs(self) string {\n        return \"four\"\n    }\n}\n",
		Right: "trait Animal {\n    fn legs(self) int\n}\n\nclass Cat impl Animal {\n    fn legs(self) int {\n        return 4\n    }\n}\n",
	},
	{
		Code:  MethodSelf,
		Title: "A method takes 'self' or 'mut self' as its trait says.",
		Text:  "Whoever calls through the trait must know whether the object may change, so both say the same.",
		Wrong: "trait Counter {\n    fn bump(self)\n}\n\nclass Clicks impl Counter {\n    n: int\n\n    fn bump(mut self) {\n        self.n += 1\n    }\n}\n",
		Right: "trait Counter {\n    fn bump(mut self)\n}\n\nclass Clicks impl Counter {\n    n: int\n\n    fn bump(mut self) {\n        self.n += 1\n    }\n}\n",
	},
	{
		Code:  NotInjectable,
		Title: "Only classes are injected.",
		Text:  "The container builds objects of classes. It has no way to make a number, and none to choose a class for a trait.",
		Wrong: "class Service[retries: int] {\n}\n",
		Right: "class Retries {\n    count: int\n}\n\nclass Service[retries: Retries] {\n}\n",
	},
	{
		Code:  CircularDeps,
		Title: "Classes do not depend on each other in a circle.",
		Text:  "Each object is built after those that are injected into it, so in a circle none can be the first. Move what both need into a third class.",
		Wrong: "class A[b: B] {\n}\n\nclass B[a: A] {\n}\n",
		Right: "class Shared {\n}\n\nclass A[shared: Shared] {\n}\n\nclass B[shared: Shared] {\n}\n",
	},
	{
		Code:  UsesWithoutApp,
		Title: "Only in a program with an app do classes use ambient types.",
		Text:  "Ambient types are declared in the app: `ambient Logger`.",
		Wrong: "class Logger {\n}\n\nclass Service uses Logger {\n}\n",
		Right: "class Logger {\n}\n\nclass Service uses Logger {\n}\n\napp Main[service: Service] {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  NotAmbient,
		Title: "A class uses only what the app declares ambient.",
		Text:  "Add a line `ambient T` to the app, or take the class as a dependency in brackets.",
		Wrong: "class Logger {\n}\n\nclass Service uses Logger {\n}\n\napp Main[service: Service] {\n    fn main(self) {\n    }\n}\n",
		Right: "class Logger {\n}\n\nclass Service uses Logger {\n}\n\napp Main[service: Service] {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  AmbientUnknown,
		Title: "Only classes are ambient.",
		Text:  "Ambient types are classes without type parameters.",
		Wrong: "app Main {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
		Right: "class Logger {\n}\n\napp Main {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  AmbientTwice,
		Title: "An ambient type is named once.",
		Text:  "Once is enough, in the app as well as after `uses`.",
		Wrong: "class Logger {\n}\n\napp Main {\n    ambient Logger\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
		Right: "class Logger {\n}\n\napp Main {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  AmbientConflict,
		Title: "An ambient variable has another name than the fields.",
		Text:  "The variable is called as the class, with a small first letter. Rename the field or the dependency.",
		Wrong: "class Logger {\n}\n\nclass Service uses Logger {\n    logger: int\n}\n\napp Main {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
		Right: "class Logger {\n}\n\nclass Service uses Logger {\n    level: int\n}\n\napp Main {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  AmbientGeneric,
		Title: "A generic class uses no ambient types.",
		Text:  "Take the class as a dependency in brackets.",
		Wrong: "class Logger {\n}\n\nclass Cache<T> uses Logger {\n}\n\napp Main {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
		Right: "class Logger {\n}\n\nclass Cache<T>[logger: Logger] {\n}\n\napp Main {\n    ambient Logger\n\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  OverrideUnknown,
		Title: "The app overrides the lifecycle of classes only.",
		Text:  "Lines `scoped T` and `transient T` name classes of the program.",
		Wrong: "app Main {\n    scoped Session\n\n    fn main(self) {\n    }\n}\n",
		Right: "class Session {\n}\n\napp Main {\n    scoped Session\n\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  OverrideLonger,
		Title: "The app only shortens lifecycles.",
		Text:  "A class that was written to live shortly may hold what must not be kept. Overrides go from singleton to scoped to transient.",
		Wrong: "transient class Session {\n}\n\napp Main {\n    scoped Session\n\n    fn main(self) {\n    }\n}\n",
		Right: "scoped class Session {\n}\n\napp Main {\n    transient Session\n\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  OverrideInApp,
		Title: "A class whose lifecycle the app shortens is no dependency of the app.",
		Text:  "What is in the brackets of the app lives as long as the app. Get shorter-lived objects from a scope block.",
		Wrong: "class Session {\n}\n\napp Main[session: Session] {\n    scoped Session\n\n    fn main(self) {\n    }\n}\n",
		Right: "class Session {\n}\n\napp Main[session: Session] {\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  SeedLifecycle,
		Title: "A seed of a scope block is of a scoped class.",
		Text:  "The seeds are what one execution of the block is about, and live as long: their classes say `scoped`.",
		Wrong: "class Request {\n    id: int\n}\n\nscoped class Handler[request: Request] {\n}\n\nfn main() {\n    scope(Request { id: 1 }) |h: Handler| {\n        print(h == h)\n    }\n}\n",
		Right: "scoped class Request {\n    id: int\n}\n\nscoped class Handler[request: Request] {\n}\n\nfn main() {\n    scope(Request { id: 1 }) |h: Handler| {\n        print(h == h)\n    }\n}\n",
	},
	{
		Code:  SeedType,
		Title: "A seed of a scope block is an object of a class.",
		Text:  "Other objects find a seed by its class.",
		Wrong: "scoped class Handler {\n}\n\nfn main() {\n    scope(1) |h: Handler| {\n        print(h == h)\n    }\n}\n",
		Right: "scoped class Request {\n    id: int\n}\n\nscoped class Handler {\n}\n\nfn main() {\n    scope(Request { id: 1 }) |h: Handler| {\n        print(h == h)\n    }\n}\n",
	},
	{
		Code:  BindingType,
		Title: "A binding of a scope block has a class for its type.",
		Text:  "The block builds objects of scoped classes and binds them to the names.",
		Wrong: "scoped class Request {\n    id: int\n}\n\nfn main() {\n    scope(Request { id: 1 }) |n: int| {\n        print(n)\n    }\n}\n",
		Right: "scoped class Request {\n    id: int\n}\n\nfn main() {\n    scope(Request { id: 1 }) |r: Request| {\n        print(r.id)\n    }\n}\n",
	},
	{
		Code:  NotReachable,
		Title: "A scope block binds only what it builds.",
		Text:  "Scope blocks build scoped classes. A class that depends on a scoped class is scoped too; one that does not is a singleton, and one that depends on a transient class is transient.",
		Wrong: "scoped class Request {\n    id: int\n}\n\nclass Handler {\n}\n\nfn main() {\n    scope(Request { id: 1 }) |h: Handler| {\n        print(h == h)\n    }\n}\n",
		Right: "scoped class Request {\n    id: int\n}\n\nclass Handler[request: Request] {\n}\n\nfn main() {\n    scope(Request { id: 1 }) |h: Handler| {\n        print(h == h)\n    }\n}\n",
	},
	{
		Code:  MustBeSeed,
		Title: "A scoped class with fields of its own is given to a scope block as a seed.",
		Text:  "A class with fields of its own cannot be built by the container. Give an object of it as a seed.",
		Wrong: "scoped class Request {\n    id: int\n}\n\nscoped class Tenant {\n    name: string\n}\n\nscoped class Handler[request: Request, tenant: Tenant] {\n}\n\nfn main() {\n    scope(Request { id: 1 }) |h: Handler| {\n        print(h == h)\n    }\n}\n",
		Right: "scoped class Request {\n    id: int\n}\n\nscoped class Tenant {\n    name: string\n}\n\nscoped class Handler[request: Request, tenant: Tenant] {\n}\n\nfn main() {\n    scope(Request { id: 1 }, Tenant { name: \"a\" }) |h: Handler| {\n        print(h == h)\n    }\n}\n",
	},
	{
		Code:  CannotWire,
		Title: "Only in a program with an app do scope blocks need singletons.",
		Text:  "The singletons of a program are built with its app. Without one a scope block has only seeds and scoped classes.",
		Wrong: "scoped class Request {\n    id: int\n}\n\nclass Clock {\n}\n\nscoped class Handler[request: Request, clock: Clock] {\n}\n\nfn main() {\n    scope(Request { id: 1 }) |h: Handler| {\n        print(h == h)\n    }\n}\n",
		Right: "scoped class Request {\n    id: int\n}\n\nclass Clock {\n}\n\nscoped class Handler[request: Request, clock: Clock] {\n}\n\napp Main {\n    fn main(self) {\n        scope(Request { id: 1 }) |h: Handler| {\n            print(h == h)\n        }\n    }\n}\n",
	},
	{
		Code:  AppAndMain,
		Title: "A program has an app or a function main.",
		Text:  "Both are where a program starts. Put what main does into the main method of the app.",
		Wrong: "app Main {\n    fn main(self) {\n    }\n}\n\nfn main() {\n}\n",
		Right: "app Main {\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  AppWithoutMain,
		Title: "An app has a method 'main'.",
		Text:  "The program starts with it: `fn main(self) { ... }`.",
		Wrong: "app Main {\n}\n",
		Right: "app Main {\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  AppMainSelf,
		Title: "The method 'main' of an app takes 'self'.",
		Text:  "It is a method like others, and reaches the dependencies of the app through self.",
		Wrong: "app Main {\n    fn main() {\n    }\n}\n",
		Right: "app Main {\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  AppMainResult,
		Title: "The method 'main' of an app returns nothing.",
		Text:  "Nobody is there to take it. A program whose exit code is a result is a function `main` that returns int, without an app.",
		Wrong: "app Main {\n    fn main(self) int {\n        return 1\n    }\n}\n",
		Right: "app Main {\n    fn main(self) {\n    }\n}\n",
	},
	{
		Code:  NoTests,
		Title: "A file whose tests are run has tests.",
		Text:  "Tests are blocks at the top of the file: `test \"name\" { ... }`.",
	},
	{
		Code:  AppInTests,
		Title: "A file whose tests are run has no app.",
		Text:  "Tests start at the tests. Put what they test into a module, or into a file of its own beside the one with the app.",
	},
}
