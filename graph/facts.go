package graph

import "fmt"

// Facts is everything that one unit contributes to the graph. A front end fills it;
// [Build] and [Snapshot.With] join many. Two extractions of the same files, with the
// same surroundings, give equal Facts.
type Facts struct {
	Unit    string      // unique among all units: "go:tsdb", "ts:src/app.ts"
	Lang    string      // of all symbols declared here
	Key     [16]byte    // hash of all that the facts depend on; the indexer sets it
	Files   []FactFile  // sorted by path; each file belongs to exactly one unit
	Symbols []Symbol    // all symbols that Decls, Edges and Types mention, each once; any order
	Decls   []FactDecl  // any order
	Edges   []FactEdge  // any order; exact duplicates are dropped
	Missing []FactMiss  // names that could not be bound
	Types   []MethodSet // of Go: named types with methods, and interfaces
	Notes   []Note      // problems of the unit worth telling
}

// A FactFile is a file of a unit.
type FactFile struct {
	Path      string
	Lines     uint32
	Size      uint32
	Hash      uint64
	Test      bool
	Generated bool
	Broken    bool
}

// A FactDecl says that Symbols[Sym] is declared in Files[File]. Each file must also
// have a declaration of its own KindFile symbol, and each Go package one of its
// KindPackage symbol, so that they become nodes.
type FactDecl struct {
	Sym    int
	Parent int // index in Symbols; -1 for packages and files
	File   int // index in Files
	Name   Pos
	Full   Span
	Flags  Flags
	Sig    string
	Doc    string
	UUID   [16]byte // see [Decl.UUID]
}

// A FactEdge is one use: Symbols[From] uses Symbols[To] at a place in Files[File].
// A target that no unit declares becomes an external node, if it is marked External,
// and otherwise counts as unresolved.
type FactEdge struct {
	Kind     EdgeKind
	Flags    uint8
	From, To int
	File     int
	Pos
	Len uint16 // code points of the referring text; 0 when as long as the target's name
}

// A FactMiss is a name used in Files[File] that could not be bound.
type FactMiss struct {
	File int
	Pos
	Name   string
	Reason string
}

// A MethodSet lists the methods of Symbols[Sym] so that interface satisfaction across
// packages can be computed by comparison: a type implements an interface when it has
// all of its methods with equal fingerprints.
type MethodSet struct {
	Sym       int
	Interface bool
	Methods   []MethodSig // sorted by ID
}

// A MethodSig is one method of a method set, promoted ones included.
type MethodSig struct {
	ID      string // the name; an unexported one is qualified by its package path
	Finger  uint64 // hash of the signature with all types qualified by package path
	Sym     int    // the method's symbol: where it is declared, not where promoted to
	Pointer bool   // only the pointer type has it
}

// A Note is a problem that a person should hear about after indexing.
type Note struct {
	File int // index in Files, or -1
	Pos
	Text   string
	Broken bool // true: the unit's facts may be incomplete
}

// validate reports the first index that is out of range, so that a faulty front end
// is named instead of crashing the join.
func (f *Facts) validate() error {
	sym := func(i int) bool { return i >= 0 && i < len(f.Symbols) }
	file := func(i int) bool { return i >= 0 && i < len(f.Files) }
	for _, d := range f.Decls {
		if !sym(d.Sym) || d.Parent != -1 && !sym(d.Parent) || !file(d.File) {
			return fmt.Errorf("facts of %s: a declaration is out of range", f.Unit)
		}
		if f.Symbols[d.Sym].External {
			return fmt.Errorf("facts of %s: %s is declared and external", f.Unit, f.Symbols[d.Sym].Qual)
		}
	}
	for _, e := range f.Edges {
		if !sym(e.From) || !sym(e.To) || !file(e.File) || e.Kind == EdgeUnknown || e.Kind >= edgeKindCount {
			return fmt.Errorf("facts of %s: an edge is out of range", f.Unit)
		}
	}
	for _, m := range f.Missing {
		if !file(m.File) {
			return fmt.Errorf("facts of %s: an unresolved name is out of range", f.Unit)
		}
	}
	for _, t := range f.Types {
		ok := sym(t.Sym)
		for _, m := range t.Methods {
			ok = ok && sym(m.Sym)
		}
		if !ok {
			return fmt.Errorf("facts of %s: a method set is out of range", f.Unit)
		}
	}
	for _, n := range f.Notes {
		if n.File != -1 && !file(n.File) {
			return fmt.Errorf("facts of %s: a note is out of range", f.Unit)
		}
	}
	return nil
}
