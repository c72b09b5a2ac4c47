package lang

import "github.com/settgraph/sett/graph"

// A Local is a name that the graph has no node for, since no other file can use it: a
// variable, parameter or label of a function, a type parameter, the name of an import.
type Local struct {
	Name  string
	Kind  string      // "parameter", "receiver", "result", "variable", "constant", "label", "type parameter" or "import"
	Sig   string      // one line, as the language writes it, without a body
	Decl  graph.Span  // of the declared name
	Sites []LocalSite // the uses in the order of the text; the declaration is none
}

// A LocalSite is one use of a [Local], in the file that declares it.
type LocalSite struct {
	graph.Pos
	Len  uint16         // code points of the name
	Kind graph.EdgeKind // reads, writes, calls, constructs, typeref or refs
}
