// Package check decides whether a Pluto program is a program, and says of every name and
// expression in it what it is. [Check] is the only entry.
//
// Generic declarations are checked once for each instance: an instance is a [Func],
// [Class] or [Enum] of its own, with its own facts about the same tree.
package check

import (
	"slices"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// Program is a checked program. When Diags has errors, facts may be missing (nil), and the
// program must not be lowered.
type Program struct {
	Project  *load.Project
	Universe *Universe
	Modules  []*Module // in the order of the project, the prelude (Src nil) first
	Root     *Module
	Diags    *diag.List // includes the project's

	// Everything with a body or a layout, generic declarations as their instances only, in a
	// fixed order: modules in order, then the text, instances in the order of their discovery.
	Funcs   []*Func // functions, methods, default methods copied into classes, methods of the app
	Classes []*Class
	Enums   []*Enum
	Traits  []*Trait
	Errors  []*ErrorDecl
	Externs []*Func
	Tests   []*Test
	App     *App  // nil without one
	Main    *Func // fn main of the root module; nil without one
	DI      *Injection

	general func() *General // makes what [Program.General] returns, once
}

// Module is a namespace.
type Module struct {
	Src   *load.Module
	Name  string            // "" for the root
	Scope map[string]Object // *Func (generic too), *Class, *Enum, *Trait by name; imports are not in it
	Errs  map[string]*ErrorDecl

	// Missing says that this stands for a module that could not be loaded: its names are
	// unknown, and nothing is to be said about them.
	Missing bool
}

// Object is what a name or an expression can refer to: *Var, *Func, *Class, *Field, *Enum,
// *Variant, *Trait, *TraitMethod, *ErrorDecl, *ErrorField, *Module, Builtin or BuiltinMethod.
type Object interface{}

// Var is a variable: parameter, let, loop variable, binding.
type Var struct {
	Name     string
	Type     *Type
	Decl     *syntax.Ident // nil for `self` and for parameters of externs
	Kind     VarKind
	Mut      bool        // assignable
	Read     bool        // read somewhere
	Assigned bool        // assigned after its declaration, in any way that rebinds it
	Captured bool        // used inside a closure or spawn that is inside its function
	Owner    syntax.Node // the *syntax.ClosureExpr or *syntax.SpawnExpr that declares it or is the innermost around its declaration; nil for the function itself
}

// VarKind says how a variable came to be.
type VarKind uint8

const (
	LetVar VarKind = iota
	ParamVar
	LoopVar
	MatchVar
	CatchVar
	SelectVar
	ScopeVar
	SenderVar   // tx of let (tx, rx) = chan
	ReceiverVar // rx of it
	SelfVar
	ResultVar // `result` in an ensures clause
)

// Func is a function or method that has a body, or an extern.
type Func struct {
	Name     string // as messages print it: f, m.f, Class$m; instances f$$int
	Short    string // the declared name
	Module   *Module
	File     *source.File
	Decl     *syntax.FuncDecl   // nil for externs
	Extern   *syntax.ExternDecl // nil for others
	Test     *syntax.TestDecl   // of the function that a test block is
	TypeArgs []*Type            // of an instance of a generic function
	Generic  *Func              // what an instance is an instance of
	Class    *Class             // of a method
	App      *App               // of a method of the app
	Default  *TraitMethod       // the trait's method that this is a copy of
	Self     *Var               // nil for functions
	Params   []*Var
	Result   *Type
	Raises   []*ErrorDecl // the error set, sorted by name; not empty means fallible
	Info     *Info
	Requires []Contract // its own, or those of the trait methods it implements
	Ensures  []Contract

	bounds [][]*Trait // of its type parameters

	// ClosureRaises says that a closure in the body can raise; the error leaves this function.
	ClosureRaises bool
}

// Fallible says whether the function can raise.
func (f *Func) Fallible() bool { return len(f.Raises) > 0 }

// Contract is a clause together with the facts about it: a clause of a trait's method is
// checked again for each class.
type Contract struct {
	Clause *syntax.Clause
	File   *source.File
	Info   *Info
	Params []*Var // what its names refer to when it is a trait's clause, parallel to the function's Params; nil when they are the function's own
	Self   *Var
}

// Class is a class, or an instance of a generic one.
type Class struct {
	Name       string // as messages print it: C, m.C, Box$$int
	Module     *Module
	File       *source.File
	Decl       *syntax.ClassDecl
	TypeArgs   []*Type
	Generic    *Class // what an instance is an instance of; a generic class itself is never lowered
	Type       *Type
	Fields     []*Field // injected ones first: brackets, then ambient ones, then declared fields
	Methods    []*Func  // declared, then defaults of traits
	Impls      []*Trait
	Invariants []Contract
	Lifecycle  syntax.Lifecycle // the effective one

	bounds [][]*Trait // of its type parameters
}

// Injected says whether the container builds the class.
func (c *Class) Injected() bool { return len(c.Fields) > 0 && c.Fields[0].Injected }

// Implements says whether the class lists the trait.
func (c *Class) Implements(t *Trait) bool { return slices.Contains(c.Impls, t) }

// Field finds a field, or nil.
func (c *Class) Field(name string) *Field {
	for _, f := range c.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Method finds a method, or nil.
func (c *Class) Method(name string) *Func {
	for _, m := range c.Methods {
		if m.Short == name {
			return m
		}
	}
	return nil
}

// Field is a field of a class.
type Field struct {
	Name     string
	Type     *Type
	Class    *Class
	Injected bool
	Ambient  bool          // injected by `uses`
	Decl     *syntax.Ident // the name in the class; for an ambient field the name after `uses`
}

// Enum is an enum, or an instance of a generic one.
type Enum struct {
	Name     string
	Module   *Module
	File     *source.File
	Decl     *syntax.EnumDecl
	TypeArgs []*Type
	Generic  *Enum
	Type     *Type
	Variants []*Variant

	bounds [][]*Trait // of its type parameters
}

// Variant finds a variant, or nil.
func (e *Enum) Variant(name string) *Variant {
	for _, v := range e.Variants {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// Variant is a variant of an enum.
type Variant struct {
	Name   string
	Enum   *Enum
	Index  int
	Decl   *syntax.Variant
	Fields []*VariantField
}

// VariantField is a payload field.
type VariantField struct {
	Name string
	Type *Type
	Decl *syntax.Ident
}

// Trait is a trait.
type Trait struct {
	Name    string
	Module  *Module
	File    *source.File
	Decl    *syntax.TraitDecl
	Type    *Type
	Methods []*TraitMethod
	Impls   []*Class // every class that implements it
}

// Method finds a method, or nil.
func (t *Trait) Method(name string) *TraitMethod {
	for _, m := range t.Methods {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// TraitMethod is a method of a trait. Its error set is that of all implementations.
type TraitMethod struct {
	Name   string
	Trait  *Trait
	Decl   *syntax.FuncDecl
	Params []*Var
	Result *Type
	Raises []*ErrorDecl

	stand *Func // has its clauses, when there are any: a function to look at them in
}

// ErrorDecl is a declared error, or a predeclared one (Decl nil).
type ErrorDecl struct {
	Name   string
	Module *Module
	File   *source.File
	Decl   *syntax.ErrorDecl
	Fields []*ErrorField
}

// ErrorField is a field of an error.
type ErrorField struct {
	Name string
	Type *Type
	Decl *syntax.Ident
}

// App is the app.
type App struct {
	Name   string
	Module *Module
	File   *source.File
	Decl   *syntax.AppDecl
	Type   *Type  // a class type of its own, so that `self` has one
	Class  *Class // the class behind Type: its fields are the dependencies, its methods the app's
	Main   *Func
}

// Test is a test block; its Func is in Funcs too.
type Test struct {
	Name      string
	Decl      *syntax.TestDecl
	Func      *Func
	Scheduler string // Sequential unless written
}

// Injection is the dependency graph, as the entry of the program builds it.
type Injection struct {
	// Singletons are built at start-up in this order, each after what it depends on. Every
	// injected class and everything that one of them or the app depends on is here, unless it
	// is built by scope blocks only.
	Singletons []*Class
}

// Wiring is how a scope block builds what it binds.
type Wiring struct {
	Seeds []*Class // the class of each seed
	Build []*Class // scoped classes to build, in this order; their injected fields come from Seeds, Build or singletons
}

// Info holds the facts about one body, indexed by the ids of expressions.
type Info struct {
	types   []*Type
	targets []Object

	Defs     map[*syntax.Ident]*Var        // what declares a variable
	Arms     map[*syntax.MatchArm]*Variant // what an arm matches
	Errs     map[syntax.Node]*ErrorDecl    // of *syntax.RaiseStmt and of typed *syntax.Handler
	Wirings  map[*syntax.ScopeStmt]*Wiring
	TypeOf   map[syntax.TypeExpr]*Type    // every type that is written in the body
	Raised   map[syntax.Node][]*ErrorDecl // what each fallible call, select and raise can raise, by node
	Captures map[syntax.Node][]*Var       // what each closure and spawn captures from outside it, in order of first use
}

// Type is the type of an expression: of `none` and of an empty array the type that the
// context gave it (a none that no context needs, as in `none == none`, stays void?), of a
// closure without a written result the function type that it is used as, of the head of a
// path nil, of the range of a for loop range. An expression is not converted by its context
// otherwise: a Dog that is put into an Animal? has type Dog. Nil when it was never checked.
func (i *Info) Type(e syntax.Expr) *Type { return i.types[e.ID()] }

// Target is what an expression refers to, or nil when it refers to nothing:
//
//	IdentExpr    *Var, or *Field when it is an ambient variable of the class; *Module, *Enum as head of a path
//	SelfExpr     *Var
//	CallExpr     *Func, Builtin ("old" in an ensures clause, and "expect", too), or *Var for a closure
//	MethodExpr   *Func for methods and for functions of modules, *TraitMethod, BuiltinMethod
//	FieldExpr    *Field, *Variant, *ErrorField, *Enum (m.E as head of a path), BuiltinMethod for e.message
//	GenericExpr  *Enum
//	LitExpr      *Class or *Variant
//	StaticExpr   *TraitMethod
func (i *Info) Target(e syntax.Expr) Object { return i.targets[e.ID()] }

// Builtin is a built-in function, by its name.
type Builtin string

// BuiltinMethod is a method of a built-in type, by its name; the receiver's type says which.
type BuiltinMethod string
