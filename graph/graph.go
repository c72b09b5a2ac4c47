package graph

// NodeID numbers a declaration within one [Snapshot]. Ids are dense, in the
// order of file and position, externals last; they change from one generation
// to the next and never leave the process. The lasting name of a node is its
// [Symbol], or the UUID made from it.
type NodeID uint32

// NoNode is the id of no node: the parent of a root.
const NoNode = ^NodeID(0)

// FileID numbers a file within one [Snapshot], in the order of paths.
type FileID uint32

// NoFile is the id of no file.
const NoFile = ^FileID(0)

// A Kind says what sort of declaration a node is.
type Kind uint8

// The kinds of declarations. Their order is part of the stored format: add at
// the end and raise [Format].
const (
	KindUnknown   Kind = iota
	KindPackage        // a Go package
	KindModule         // a TypeScript namespace or ambient module, a Pluto module
	KindFile           // a source file
	KindFunction       // a free function
	KindMethod         // a method, constructor or accessor; also of an interface
	KindClass          // a class
	KindStruct         // a Go struct type
	KindInterface      // a Go or TypeScript interface
	KindTrait          // a Pluto trait
	KindType           // a type alias or a defined type that is none of the others
	KindEnum           // an enum
	KindVariant        // an enum member
	KindField          // a struct field, class or interface property, object literal member
	KindConst          // a constant
	KindVariable       // a package, module or static variable
	KindComponent      // a JSX component, whatever it is declared with
	KindError          // a Pluto error
	KindApp            // a Pluto app
	KindTest           // a Pluto test block
	kindCount
)

var kindNames = [kindCount]string{
	"unknown", "package", "module", "file", "function", "method", "class", "struct", "interface", "trait",
	"type", "enum", "variant", "field", "const", "variable", "component", "error", "app", "test",
}

// String returns the name that answers print and `--kind` takes.
func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "unknown"
}

// Kinds returns every kind but the unknown one, in stored order.
func Kinds() []Kind {
	ks := make([]Kind, 0, kindCount-1)
	for k := KindUnknown + 1; k < kindCount; k++ {
		ks = append(ks, k)
	}
	return ks
}

// ParseKind is the inverse of [Kind.String]; ok is false for an unknown name.
func ParseKind(s string) (k Kind, ok bool) {
	for k := KindUnknown + 1; k < kindCount; k++ {
		if kindNames[k] == s {
			return k, true
		}
	}
	return KindUnknown, false
}

// IsType reports whether declarations of the kind are types.
func (k Kind) IsType() bool {
	switch k {
	case KindClass, KindStruct, KindInterface, KindTrait, KindType, KindEnum, KindError:
		return true
	}
	return false
}

// IsCallable reports whether declarations of the kind have a body that runs.
func (k Kind) IsCallable() bool {
	switch k {
	case KindFunction, KindMethod, KindComponent, KindTest, KindApp:
		return true
	}
	return false
}

// An EdgeKind says how one declaration uses another.
type EdgeKind uint8

// The kinds of edges, from the user to the used. Containment is not an edge: see
// [Node.Parent] and [Snapshot.Children]. Their order is part of the stored format.
const (
	EdgeUnknown      EdgeKind = iota
	EdgeImports               // a file imports a package or file
	EdgeCalls                 // a function is called, a constructor too
	EdgeRefs                  // a function or method is used as a value; any other use
	EdgeTypeRef               // a type is named
	EdgeConstructs            // a composite literal, new expression or JSX element of a type
	EdgeReads                 // a field, variable or constant is read
	EdgeWrites                // a field or variable is assigned, incremented, or its address taken for writing
	EdgeImplements            // a type or method satisfies an interface or one of its methods
	EdgeOverrides             // a method overrides one of a base class
	EdgeExtends               // a class or interface extends another
	EdgeEmbeds                // a Go struct or interface embeds a type
	EdgeRaises                // a Pluto function raises an error
	EdgeCatches               // a Pluto handler catches an error
	EdgeInstantiates          // a generic is instantiated with a type
	EdgeTests                 // a test names what it tests (a Go Example)
	edgeKindCount
)

var edgeNames = [edgeKindCount]string{
	"unknown", "imports", "calls", "refs", "typeref", "constructs", "reads", "writes", "implements",
	"overrides", "extends", "embeds", "raises", "catches", "instantiates", "tests",
}

// String returns the name that answers print.
func (k EdgeKind) String() string {
	if k < edgeKindCount {
		return edgeNames[k]
	}
	return "unknown"
}

// EdgeKinds returns every edge kind but the unknown one, in stored order.
func EdgeKinds() []EdgeKind {
	ks := make([]EdgeKind, 0, edgeKindCount-1)
	for k := EdgeUnknown + 1; k < edgeKindCount; k++ {
		ks = append(ks, k)
	}
	return ks
}

// ParseEdgeKind is the inverse of [EdgeKind.String]; ok is false for an unknown name.
func ParseEdgeKind(s string) (k EdgeKind, ok bool) {
	for k := EdgeUnknown + 1; k < edgeKindCount; k++ {
		if edgeNames[k] == s {
			return k, true
		}
	}
	return EdgeUnknown, false
}

// Flags are the yes-or-no facts of one declaration.
type Flags uint16

// The flags of a declaration.
const (
	FlagExported   Flags = 1 << iota // visible outside its package or file
	FlagTest                         // declared in a test file
	FlagGenerated                    // declared in a generated file
	FlagExternal                     // declared outside the project
	FlagEntry                        // called from outside by convention: main, init, TestX, a default-exported page
	FlagDeprecated                   // its doc comment says so
	FlagAbstract                     // has no body of its own: an interface method, an ambient declaration
	FlagDefault                      // the default export of a TypeScript module
	FlagEmbedded                     // an embedded Go field
)

// A Pos is a place in a file: 1-based line and 1-based column, the column counted
// in Unicode code points.
type Pos struct{ Line, Col uint32 }

// Before reports whether p comes before q.
func (p Pos) Before(q Pos) bool { return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col }

// A Span is a stretch of one file. Offsets count bytes; End is exclusive.
type Span struct {
	Pos            // of the first character
	EndLine uint32 // the line that holds the last character
	Off     uint32 // of the first byte
	End     uint32 // one past the last byte
}

// A Decl is one place where a node is declared. A node has several when files for
// several platforms declare the same name, when TypeScript merges declarations, and
// for overloads.
type Decl struct {
	File  FileID
	Name  Pos      // of the declared name
	Full  Span     // of the whole declaration, without its doc comment
	Flags Flags    // those of this declaration
	Sig   string   // one line, as the language writes it, without a body
	Doc   string   // the first sentence or line of the doc comment
	UUID  [16]byte // the identity that the project keeps for it (Pluto); zero: the symbol is its identity
}

// A Node is a declaration.
type Node struct {
	ID     NodeID
	Symbol        // Kind, Lang, Module, Qual, External: its lasting identity
	Name   string // the last element of Qual: "Append"; of a package or file its last path element
	Parent NodeID // the enclosing declaration, package or file; NoNode for packages, files and externals
	Flags  Flags  // the union over Decls; FlagExternal when there is none
	Decls  []Decl // in the order of file and position, non-test first; empty for externals
}

// A Symbol names a declaration for all time: the same source text gives the same
// symbol on every machine.
type Symbol struct {
	Lang     string // "go", "ts" (JavaScript too), "pluto"
	Kind     Kind
	Module   string // Go import path, TypeScript file path from the root, Pluto module path; the package name for externals
	Qual     string // qualified name within the module: "Head.Append"; empty for a package or file itself
	External bool   // not declared by any unit of the project
}

// Edge flags.
const (
	EdgeDynamic  uint8 = 1 << iota // the callee is chosen at run time among several
	EdgeTypeOnly                   // a TypeScript type-only import or export
	EdgeTest                       // the site is in a test file
	EdgeDerived                    // computed from method sets, not written at the site
)

// An Edge is one use of a declaration at one place.
type Edge struct {
	Kind  EdgeKind
	Flags uint8
	From  NodeID // the innermost enclosing declaration of the site
	To    NodeID
	File  FileID // where the site is; not always a file that declares From
	Pos          // of the name that refers
	Len   uint16 // code points of the referring name; 0 when as long as the name of To: see [Snapshot.SiteLen]
}

// A File is a source file of the project.
type File struct {
	ID        FileID
	Path      string // slash-separated, from the root
	Lang      string
	Unit      string // the unit that it belongs to
	Node      NodeID // its KindFile node
	Lines     uint32
	Size      uint32 // bytes
	Hash      uint64 // xxh3 of the contents
	Test      bool
	Generated bool
	Broken    bool // has syntax errors: its facts may be incomplete
}

// An Unresolved is a name that the front end saw used and could not bind.
type Unresolved struct {
	File FileID
	Pos
	Name   string
	Reason string // a short fixed phrase: "package not found", "type unknown"
}
