package graph

// A Place is what the language's own type checker knows of one position in a file: the
// type and the definition of the name or expression there.
type Place struct {
	Span Span   // of the name or expression that the rest is about, in the file that was asked about
	Name string // the identifier; "" for every other expression
	Expr string // the expression as it stands, when there is no Name: one line, cut when long

	// Kind says what is there: a kind of the graph ("function", "method", "field", ...), or
	// "variable", "parameter", "receiver", "result", "type parameter", "label", "import",
	// "package", "builtin", "keyword", or "expression".
	Kind string

	Type  string // as the language writes it, in one line; "" for what has none, as a package
	Sig   string // the declaration in one line, without a body, as hovering shows it; "" for expressions
	Value string // of a constant
	Doc   string // the declaration's comment without its marks, "" for none

	Defs []Definition // where it is declared, the best first; none for what is built in or for expressions
}

// A Definition is a place where something is declared, in the project or outside it.
type Definition struct {
	File    string // slash-separated: from the project's root, or absolute when Outside
	Outside bool   // in a dependency, or in what comes with the language
	Span    Span   // of the declared name
	Name    string // qualified, as the language writes it from elsewhere: "http.Header.Get"
	Kind    string // as in Place
	Module  string // of what is Outside: the package or module that it belongs to
}
