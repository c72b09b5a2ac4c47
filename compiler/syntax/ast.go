package syntax

import "github.com/settgraph/sett/compiler/source"

// Node is a piece of the tree. Spans are byte offsets into the node's file.
type Node interface{ Span() source.Span }

// base gives a node its span.
type base struct{ At source.Span }

// Span implements [Node].
func (b *base) Span() source.Span { return b.At }

// Ident is a name where it is written.
type Ident struct {
	base
	Name string
}

// File is one parsed file. The tree is lossless: Tokens, comments and newlines included,
// together with the white space between them are the text, and every node knows its span.
type File struct {
	Src     *source.File
	Tokens  []Token // every token in order, comments and newlines too, ending in EOF
	Imports []*Import
	Decls   []Decl
	OK      bool // no syntax error was found
}

// Span is the whole text.
func (f *File) Span() source.Span { return source.Span{End: int32(len(f.Src.Text))} }

// Import is `import a.b.c as x`.
type Import struct {
	base
	Path  []*Ident
	Alias *Ident // nil without `as`
}

// Binding is the name that the import introduces.
func (i *Import) Binding() *Ident {
	if i.Alias != nil {
		return i.Alias
	}
	return i.Path[len(i.Path)-1]
}

// Decl is a top-level declaration.
type Decl interface {
	Node
	decl()
	// DeclName is the declared name; nil for a group of tests and for what could not be read.
	DeclName() *Ident
}

// Lifecycle is how long an injected instance lives; the smaller, the shorter.
type Lifecycle uint8

const (
	Transient Lifecycle = iota
	Scoped
	Singleton
)

func (l Lifecycle) String() string { return [...]string{"transient", "scoped", "singleton"}[l] }

// TypeParam is `T: A + B`.
type TypeParam struct {
	base
	Name   *Ident
	Bounds []*Ident
}

// Param is `name: Type`. It serves for parameters, injected dependencies, class fields,
// enum payload fields and error fields.
type Param struct {
	base
	Name *Ident
	Type TypeExpr
}

// SelfKind says how a method takes its receiver.
type SelfKind uint8

const (
	NoSelf SelfKind = iota
	Self
	MutSelf
)

// Clause is one `requires` or `ensures` condition. NumExprs is as in [FuncDecl]: the ids of
// a clause of a function are among those of the function; an invariant counts its own.
type Clause struct {
	base
	Cond     Expr
	NumExprs int
}

// FuncDecl is a function, a method, a method of an app or of a trait (Body nil when it only
// states a signature).
type FuncDecl struct {
	base
	Pub        bool
	Name       *Ident
	TypeParams []*TypeParam
	Self       SelfKind
	SelfAt     source.Span // the `self` or `mut self`, when there is one
	Params     []*Param    // without self
	Result     TypeExpr    // nil for void
	Requires   []*Clause
	Ensures    []*Clause
	Body       *Block
	NumExprs   int // the ids of the expressions in it are below this
}

// ClassDecl is a class.
type ClassDecl struct {
	base
	Pub        bool
	Lifecycle  Lifecycle // Singleton unless written
	Name       *Ident
	TypeParams []*TypeParam
	Uses       []*Ident
	Deps       []*Param // the bracket dependencies
	Impls      []*Ident
	Fields     []*Param
	Invariants []*Clause
	Methods    []*FuncDecl
	Members    []Node // fields, invariants and methods in the order of the text
}

// TraitDecl is a trait.
type TraitDecl struct {
	base
	Pub     bool
	Name    *Ident
	Methods []*FuncDecl
}

// EnumDecl is an enum.
type EnumDecl struct {
	base
	Pub        bool
	Name       *Ident
	TypeParams []*TypeParam
	Variants   []*Variant
}

// Variant is one variant of an enum.
type Variant struct {
	base
	Name   *Ident
	Fields []*Param
	Braces bool // written with { }
}

// ErrorDecl is `error E { field: T }`.
type ErrorDecl struct {
	base
	Pub    bool
	Name   *Ident
	Fields []*Param
}

// ExternDecl is `extern fn f(a: int) int`.
type ExternDecl struct {
	base
	Pub    bool
	Name   *Ident
	Params []*Param
	Result TypeExpr // nil for void
}

// AppDecl is the app. Ambient, Scoped and Transient are the lines of its body that start
// with these words.
type AppDecl struct {
	base
	Name      *Ident
	Deps      []*Param
	Ambient   []*Ident
	Overrides []*Override
	Methods   []*FuncDecl
	Members   []Node // *AmbientLine, *Override and *FuncDecl in the order of the text
}

// AmbientLine is `ambient T` in an app.
type AmbientLine struct {
	base
	Type *Ident
}

// Override is `scoped T` or `transient T` in an app.
type Override struct {
	base
	Lifecycle Lifecycle
	Class     *Ident
}

// TestDecl is `test "name" { }`.
type TestDecl struct {
	base
	Name     string // as the escapes say
	NameAt   source.Span
	Body     *Block
	NumExprs int
}

// TestsDecl is `tests[scheduler: S] { test ... }`.
type TestsDecl struct {
	base
	Scheduler *Ident
	Tests     []*TestDecl
}

// BadDecl is text that is no declaration; an error was reported.
type BadDecl struct{ base }

func (*FuncDecl) decl()   {}
func (*ClassDecl) decl()  {}
func (*TraitDecl) decl()  {}
func (*EnumDecl) decl()   {}
func (*ErrorDecl) decl()  {}
func (*ExternDecl) decl() {}
func (*AppDecl) decl()    {}
func (*TestDecl) decl()   {}
func (*TestsDecl) decl()  {}
func (*BadDecl) decl()    {}

func (d *FuncDecl) DeclName() *Ident   { return d.Name }
func (d *ClassDecl) DeclName() *Ident  { return d.Name }
func (d *TraitDecl) DeclName() *Ident  { return d.Name }
func (d *EnumDecl) DeclName() *Ident   { return d.Name }
func (d *ErrorDecl) DeclName() *Ident  { return d.Name }
func (d *ExternDecl) DeclName() *Ident { return d.Name }
func (d *AppDecl) DeclName() *Ident    { return d.Name }
func (d *TestDecl) DeclName() *Ident   { return nil }
func (d *TestsDecl) DeclName() *Ident  { return nil }
func (d *BadDecl) DeclName() *Ident    { return nil }

// TypeExpr is a type as it is written.
type TypeExpr interface {
	Node
	typeExpr()
}

type (
	// NamedType is `T`, `m.T`, `T<A>` or `m.T<A>`.
	NamedType struct {
		base
		Module *Ident // nil without a module
		Name   *Ident
		Args   []TypeExpr
	}
	// ArrayType is `[T]`.
	ArrayType struct {
		base
		Elem TypeExpr
	}
	// FuncType is `fn(A, B) R`; Result is nil for void.
	FuncType struct {
		base
		Params []TypeExpr
		Result TypeExpr
	}
	// NullableType is `T?`.
	NullableType struct {
		base
		Elem TypeExpr
	}
	// BadType is text that is no type; an error was reported.
	BadType struct{ base }
)

func (*NamedType) typeExpr()    {}
func (*ArrayType) typeExpr()    {}
func (*FuncType) typeExpr()     {}
func (*NullableType) typeExpr() {}
func (*BadType) typeExpr()      {}

// Block is `{ statements }`.
type Block struct {
	base
	Stmts []Stmt
}

// Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

type (
	// LetStmt is `let [mut] name[: Type] = value`.
	LetStmt struct {
		base
		Mut   bool
		Name  *Ident
		Type  TypeExpr // nil when inferred
		Value Expr
	}
	// LetChanStmt is `let (tx, rx) = chan<T>(capacity)`.
	LetChanStmt struct {
		base
		Mut      bool // written, without effect
		Tx, Rx   *Ident
		Elem     TypeExpr
		Capacity Expr // nil when left out
	}
	// ReturnStmt is `return [value]`.
	ReturnStmt struct {
		base
		Value Expr // nil without a value
	}
	BreakStmt    struct{ base }
	ContinueStmt struct{ base }
	// AssertStmt is `assert cond`.
	AssertStmt struct {
		base
		Cond Expr
	}
	// RaiseStmt is `raise E { field: value }`.
	RaiseStmt struct {
		base
		Module *Ident // nil without a module
		Name   *Ident
		Fields []*FieldInit
	}
	// IfStmt is an if; Else is nil, a *Block or an *IfStmt.
	IfStmt struct {
		base
		Cond Expr
		Then *Block
		Else Stmt
	}
	WhileStmt struct {
		base
		Cond Expr
		Body *Block
	}
	// ForStmt is `for name in iterable { }`.
	ForStmt struct {
		base
		Name *Ident
		Iter Expr
		Body *Block
	}
	// MatchStmt is a match whose arms are blocks.
	MatchStmt struct {
		base
		X    Expr
		Arms []*MatchArm
	}
	// SelectStmt is a select.
	SelectStmt struct {
		base
		Arms []*SelectArm
	}
	// ScopeStmt is `scope(seeds) |name: Class, ...| { }`.
	ScopeStmt struct {
		base
		Seeds    []Expr
		Bindings []*Param
		Body     *Block
	}
	// AssignStmt is `target = value`, or with Op: `target += value` (Op is PLUS, MINUS, STAR,
	// SLASH or PERCENT). Target is an *IdentExpr, *FieldExpr or *IndexExpr.
	AssignStmt struct {
		base
		Target Expr
		Op     Kind // 0 for plain assignment
		Value  Expr
	}
	// IncDecStmt is `target++` or `target--`.
	IncDecStmt struct {
		base
		Target Expr
		Dec    bool
	}
	// ExprStmt is an expression whose value is dropped.
	ExprStmt struct {
		base
		X Expr
	}
	// BadStmt is text that is no statement; an error was reported.
	BadStmt struct{ base }
)

func (*Block) stmt()        {}
func (*LetStmt) stmt()      {}
func (*LetChanStmt) stmt()  {}
func (*ReturnStmt) stmt()   {}
func (*BreakStmt) stmt()    {}
func (*ContinueStmt) stmt() {}
func (*AssertStmt) stmt()   {}
func (*RaiseStmt) stmt()    {}
func (*IfStmt) stmt()       {}
func (*WhileStmt) stmt()    {}
func (*ForStmt) stmt()      {}
func (*MatchStmt) stmt()    {}
func (*SelectStmt) stmt()   {}
func (*ScopeStmt) stmt()    {}
func (*AssignStmt) stmt()   {}
func (*IncDecStmt) stmt()   {}
func (*ExprStmt) stmt()     {}
func (*BadStmt) stmt()      {}

// FieldInit is `name: value` in a literal of a class, a variant or an error.
type FieldInit struct {
	base
	Name  *Ident
	Value Expr
}

// MatchArm is `[module.]Enum.Variant [{ bindings }]` with a block (statement) or a value
// after => (expression); the other of Body and Value is nil.
type MatchArm struct {
	base
	Module   *Ident // nil without a module
	Enum     *Ident
	Variant  *Ident
	Bindings []*Binding
	Braces   bool // bindings are written, maybe none
	Body     *Block
	Value    Expr
}

// Binding is `field` or `field: name` in a match arm.
type Binding struct {
	base
	Field *Ident
	Name  *Ident // the same node as Field when there is no other name
}

// SelectKind is what an arm of a select waits for.
type SelectKind uint8

const (
	SelectRecv SelectKind = iota
	SelectSend
	SelectDefault
)

// SelectArm is one arm of a select.
type SelectArm struct {
	base
	Kind  SelectKind
	Name  *Ident // of a receive
	Chan  Expr   // of a receive or send
	Value Expr   // of a send
	Body  *Block
}

// Expr is an expression. Each has an id that is unique in the function, test or invariant
// that it is written in, counted from 0, so that facts about expressions fit a slice.
type Expr interface {
	Node
	ID() int
}

// ebase gives an expression its span and id.
type ebase struct {
	base
	id int32
}

// ID implements [Expr].
func (e *ebase) ID() int { return int(e.id) }

// StringKind is the form of a string literal.
type StringKind uint8

const (
	PlainString StringKind = iota
	FString
	RawString
)

type (
	// IntLit is an integer; Value is what it means, 2^63 wrapped to the smallest int.
	IntLit struct {
		ebase
		Value int64
	}
	FloatLit struct {
		ebase
		Value float64
	}
	BoolLit struct {
		ebase
		Value bool
	}
	NoneLit struct{ ebase }
	// StringLit is a string of any form. Parts alternate freely: text with escapes resolved
	// (X nil) and interpolated expressions; a string without interpolation has one part of
	// text, or none when it is empty.
	StringLit struct {
		ebase
		Kind  StringKind
		Parts []StringPart
	}
	// SelfExpr is `self`.
	SelfExpr struct{ ebase }
	// IdentExpr is a name: a variable, or the head of a path that the checker resolves (enum,
	// module).
	IdentExpr struct {
		ebase
		Name string
	}
	// ParenExpr is `(x)`.
	ParenExpr struct {
		ebase
		X Expr
	}
	// CallExpr is `name(args)` or `name<T>(args)`.
	CallExpr struct {
		ebase
		Name     *Ident
		TypeArgs []TypeExpr
		Args     []Expr
	}
	// MethodExpr is `x.name(args)`; x may turn out to be a module.
	MethodExpr struct {
		ebase
		X    Expr
		Name *Ident
		Args []Expr
	}
	// StaticExpr is `Trait::name<T>(args)`.
	StaticExpr struct {
		ebase
		Trait    *Ident
		Name     *Ident
		TypeArgs []TypeExpr
		Args     []Expr
	}
	// FieldExpr is `x.name`: a field, a variant without fields, ...
	FieldExpr struct {
		ebase
		X    Expr
		Name *Ident
	}
	// GenericExpr is `E<T>` or `m.E<T>`, which stands only as X of a FieldExpr: `E<T>.V`.
	GenericExpr struct {
		ebase
		Module *Ident // nil without a module
		Name   *Ident
		Args   []TypeExpr
	}
	// IndexExpr is `x[i]`.
	IndexExpr struct {
		ebase
		X, Index Expr
	}
	// LitExpr is `Path { field: value }`: a class `C`, `m.C`, or a variant `E.V`, `m.E.V`, with
	// type arguments after the class or enum. Which of them `a.b { }` is, the checker says.
	LitExpr struct {
		ebase
		Path     []*Ident
		TypeArgs []TypeExpr
		ArgsAt   int // index in Path of the name that TypeArgs follow
		Fields   []*FieldInit
	}
	// MapLit is `Map<K, V> { k: v }`.
	MapLit struct {
		ebase
		Key, Value TypeExpr
		Keys, Vals []Expr
	}
	// SetLit is `Set<T> { x }`.
	SetLit struct {
		ebase
		Elem  TypeExpr
		Elems []Expr
	}
	ArrayLit struct {
		ebase
		Elems []Expr
	}
	// UnaryExpr is `-x`, `!x` or `~x`; Op is MINUS, NOT or TILDE.
	UnaryExpr struct {
		ebase
		Op Kind
		X  Expr
	}
	// BinaryExpr has an operator of the table in the specification, SHL and SHR included.
	BinaryExpr struct {
		ebase
		Op   Kind
		OpAt source.Span
		X, Y Expr
	}
	// CastExpr is `x as T`.
	CastExpr struct {
		ebase
		X    Expr
		Type TypeExpr
	}
	// RangeExpr is `lo..hi` or `lo..=hi`.
	RangeExpr struct {
		ebase
		Lo, Hi    Expr
		Inclusive bool
	}
	// ClosureExpr has a Body (a block) or a Value after =>, the other is nil.
	ClosureExpr struct {
		ebase
		Params []*Param
		Result TypeExpr // nil when inferred
		Body   *Block
		Value  Expr
	}
	// SpawnExpr is `spawn call`; Call is a *CallExpr or a *MethodExpr.
	SpawnExpr struct {
		ebase
		Call Expr
	}
	// IfExpr is an if with a value; Else is a *Block or nil, or ElseIf goes on.
	IfExpr struct {
		ebase
		Cond   Expr
		Then   *Block
		Else   *Block
		ElseIf *IfExpr
	}
	// MatchExpr is a match with a value.
	MatchExpr struct {
		ebase
		X    Expr
		Arms []*MatchArm
	}
	// UnwrapExpr is `x?`.
	UnwrapExpr struct {
		ebase
		X Expr
	}
	// PropagateExpr is `x!`.
	PropagateExpr struct {
		ebase
		X Expr
	}
	// CatchExpr is `x catch ...`: handlers in order, then maybe a fallback value.
	CatchExpr struct {
		ebase
		X        Expr
		Handlers []*Handler
		Default  Expr // nil without one
	}
	// BadExpr is text that is no expression; an error was reported.
	BadExpr struct{ ebase }
)

// Handler is `catch name { }` (Type nil: a wildcard) or `catch name: [module.]Type { }`.
type Handler struct {
	base
	Name   *Ident
	Module *Ident
	Type   *Ident
	Body   *Block
}

// StringPart is a piece of a string literal: Text, or an interpolated expression.
type StringPart struct {
	At   source.Span
	Text string
	X    Expr // nil for text
}
