// Package xref says what the declarations of Pluto files are, and who uses them.
//
// [Decls] lists the declarations of one file from its text alone. [Sites] lists every place
// of a checked program where one of them is named, and [FactsOf] what the checker found out
// about them: types, error sets and where they come from, lifecycles, implementors.
package xref

import (
	"iter"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// Kind is what a declaration declares.
type Kind uint8

const (
	Module Kind = iota
	Function
	Class
	Enum
	Variant
	Trait
	Error
	App
	Test
	Extern
	Method // of a class, a trait or the app
	Field  // of a class, its dependencies in brackets included, of an error, or of a variant; and the dependencies of the app
	Param  // of a function, a method or an extern; `self` is none
)

// String is the word for the kind: "function", "class" and so on.
func (k Kind) String() string {
	words := [...]string{"module", "function", "class", "enum", "variant", "trait", "error", "app", "test", "extern", "method", "field", "param"}
	if int(k) < len(words) {
		return words[k]
	}
	return "unknown"
}

// Key names a declaration for as long as its file and its qualified name stay.
type Key struct {
	// File is the Name of the source.File: the slash path from the root, and
	// "std/strings.pluto" for the library. Of a Module that is a whole folder it is the
	// path of the folder.
	File string
	Kind Kind
	// Qual is the name with those of the declarations around it: "dot", "Vector.length",
	// "Color.Red.x", and for parameters "dot.a". Of a test it is its name, of a Module
	// nothing. Of several declarations with one kind and one name in a file the second has
	// "#2" after it, the third "#3", and so on; the members of such a declaration go by it.
	Qual string
}

// String is the key as tests and debug output show it: "function dot (math.pluto)".
func (k Key) String() string {
	s := k.Kind.String()
	if k.Qual != "" {
		s += " " + k.Qual
	}
	return s + " (" + k.File + ")"
}

// Decl is a declaration in a file.
type Decl struct {
	Key
	Name    string
	Parent  *Decl // nil for top-level declarations, tests in a `tests` group included
	Pub     bool
	Dep     bool // of a Field: the container injects it; it stands in the brackets
	File    *syntax.File
	Node    syntax.Node // *syntax.FuncDecl, *ClassDecl, *EnumDecl, *Variant, *TraitDecl, *ErrorDecl, *AppDecl, *TestDecl, *ExternDecl or *Param
	NameAt  source.Span // of the name; of a test, of the string literal
	Full    source.Span // the whole declaration, without comments before it
	WithDoc source.Span // Full, from the start of the comment lines directly above it to the end of a comment on its last line
	Members []*Decl     // fields, dependencies, methods, variants and parameters in the order of the text
}

// All goes over declarations and their members, each before its members.
func All(decls []*Decl) iter.Seq[*Decl] {
	return func(yield func(*Decl) bool) { all(decls, yield) }
}

func all(decls []*Decl, yield func(*Decl) bool) bool {
	for _, d := range decls {
		if !yield(d) || !all(d.Members, yield) {
			return false
		}
	}
	return true
}

// Use is how a site uses its target.
type Use uint8

const (
	Call        Use = iota // f() of a function or extern
	MethodCall             // x.m()
	Construct              // C { }
	EnumVariant            // E.V and E.V { }, of E as of V
	MatchArm               // E.V in an arm, of E as of V
	Raise                  // raise E { }
	Catch                  // catch e: E
	Impl                   // a trait in the list of a class
	TypeRef                // a type where types are written
	FieldRead              // x.f, a binding of a match arm, an ambient variable
	FieldWrite             // x.f = v, x.f += v, and f: v in a literal
	ParamRead              // a parameter in its function
	ParamWrite             // a parameter that is assigned
	Import                 // the last name of the path of an import
	ModuleRef              // m in m.f()
	Inject                 // the class of a dependency, of a binding of a scope block, of an `ambient` line
	Uses                   // a class after `uses`
	Override               // a class in a lifecycle line of the app
	Bound                  // a trait that a type parameter must implement
	Static                 // T and m in T::m<A>()
)

// String is the word for the use: "call", "method_call" and so on.
func (u Use) String() string {
	words := [...]string{
		"call", "method_call", "construct", "enum_variant", "match_arm", "raise", "catch", "impl", "type_ref",
		"field_read", "field_write", "param_read", "param_write", "import", "module_ref", "inject", "uses", "override", "bound", "static",
	}
	if int(u) < len(words) {
		return words[u]
	}
	return "unknown"
}

// Site is a place where a declaration is named.
type Site struct {
	Use    Use
	File   string      // the Name of the source.File
	At     source.Span // exactly the name that a rename of Target rewrites
	Full   source.Span // what it is the head of: the call, the literal, the head of the arm, the type, the import
	Owner  Key         // the innermost function, method, class, enum, trait, error, app, test or extern around it; the Module for imports
	Target Key

	Dynamic   bool // which method runs is decided at run time: Target is the trait's
	Shorthand bool // `field` in a match arm, which names a variable too: a rename to x writes `x: field`
	Alias     bool // of Import: it says `as`, or means a dependency by the name in the manifest; of ModuleRef: the text is another name than that of the file or folder
	Ambient   bool // the text is the class's name with a small first letter, the variable that an ambient class is used through
}
