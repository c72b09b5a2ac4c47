package syntax

import "github.com/settgraph/sett/compiler/source"

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens. Keywords are between FN and STREAM.
const (
	EOF Kind = iota
	ILLEGAL
	NEWLINE // a maximal run of line ends and the blanks between them
	COMMENT // "// ..." without its line end
	IDENT
	INT
	FLOAT
	STRING  // "..."
	FSTRING // f"..."
	RSTRING // r"..."

	FN
	LET
	MUT
	RETURN
	IF
	ELSE
	WHILE
	TRUE
	FALSE
	CLASS
	TRAIT
	APP
	INJECT
	ERROR
	RAISE
	CATCH
	SPAWN
	SERVE
	ENUM
	IMPL
	SELF
	PUB
	FOR
	IN
	BREAK
	CONTINUE
	MATCH
	IMPORT
	AS
	EXTERN
	USES
	AMBIENT
	TESTS
	TEST
	INVARIANT
	REQUIRES
	ASSERT
	SELECT
	DEFAULT
	SCOPE
	SCOPED
	TRANSIENT
	NONE
	SYSTEM
	STAGE
	OVERRIDE
	YIELD
	STREAM

	INC           // ++
	PLUS          // +
	DEC           // --
	MINUS         // -
	STAR          // *
	SLASH         // /
	PERCENT       // %
	PLUSASSIGN    // +=
	MINUSASSIGN   // -=
	STARASSIGN    // *=
	SLASHASSIGN   // /=
	PERCENTASSIGN // %=
	EQ            // ==
	ASSIGN        // =
	NE            // !=
	SHL           // <<
	SHR           // >>, which the parser makes of two > that touch
	LT            // <
	GT            // >
	LE            // <=
	GE            // >=
	AND           // &
	OR            // |
	XOR           // ^
	TILDE         // ~
	ANDAND        // &&
	OROR          // ||
	NOT           // !
	LPAREN        // (
	RPAREN        // )
	LBRACE        // {
	RBRACE        // }
	LBRACKET      // [
	RBRACKET      // ]
	COMMA         // ,
	COLON         // :
	COLONCOLON    // ::
	ARROW         // ->
	FATARROW      // =>
	DOTDOTEQ      // ..=
	DOTDOT        // ..
	DOT           // .
	QUESTION      // ?
)

// Token is a token and its place. Its text is the span's.
type Token struct {
	Kind Kind
	At   source.Span
}

// String is how messages spell a token of the kind.
func (k Kind) String() string { return spellings[k] }

// IsKeyword says whether the kind is a reserved word.
func (k Kind) IsKeyword() bool { return FN <= k && k <= STREAM }

// spellings is by kind.
var spellings = [...]string{
	EOF: "end of file", ILLEGAL: "illegal", NEWLINE: "newline", COMMENT: "comment",
	IDENT: "identifier", INT: "integer", FLOAT: "float",
	STRING: "string", FSTRING: "string", RSTRING: "string",

	FN: "fn", LET: "let", MUT: "mut", RETURN: "return", IF: "if", ELSE: "else", WHILE: "while",
	TRUE: "true", FALSE: "false", CLASS: "class", TRAIT: "trait", APP: "app", INJECT: "inject",
	ERROR: "error", RAISE: "raise", CATCH: "catch", SPAWN: "spawn", SERVE: "serve", ENUM: "enum",
	IMPL: "impl", SELF: "self", PUB: "pub", FOR: "for", IN: "in", BREAK: "break",
	CONTINUE: "continue", MATCH: "match", IMPORT: "import", AS: "as", EXTERN: "extern",
	USES: "uses", AMBIENT: "ambient", TESTS: "tests", TEST: "test", INVARIANT: "invariant",
	REQUIRES: "requires", ASSERT: "assert", SELECT: "select", DEFAULT: "default", SCOPE: "scope",
	SCOPED: "scoped", TRANSIENT: "transient", NONE: "none", SYSTEM: "system", STAGE: "stage",
	OVERRIDE: "override", YIELD: "yield", STREAM: "stream",

	INC: "++", PLUS: "+", DEC: "--", MINUS: "-", STAR: "*", SLASH: "/", PERCENT: "%",
	PLUSASSIGN: "+=", MINUSASSIGN: "-=", STARASSIGN: "*=", SLASHASSIGN: "/=", PERCENTASSIGN: "%=",
	EQ: "==", ASSIGN: "=", NE: "!=", SHL: "<<", SHR: ">>", LT: "<", GT: ">", LE: "<=", GE: ">=",
	AND: "&", OR: "|", XOR: "^", TILDE: "~", ANDAND: "&&", OROR: "||", NOT: "!",
	LPAREN: "(", RPAREN: ")", LBRACE: "{", RBRACE: "}", LBRACKET: "[", RBRACKET: "]",
	COMMA: ",", COLON: ":", COLONCOLON: "::", ARROW: "->", FATARROW: "=>",
	DOTDOTEQ: "..=", DOTDOT: "..", DOT: ".", QUESTION: "?",
}

// Keyword is the kind of a word: that of a reserved word, or [IDENT].
func Keyword(word string) Kind {
	switch word {
	case "fn":
		return FN
	case "let":
		return LET
	case "mut":
		return MUT
	case "return":
		return RETURN
	case "if":
		return IF
	case "else":
		return ELSE
	case "while":
		return WHILE
	case "true":
		return TRUE
	case "false":
		return FALSE
	case "class":
		return CLASS
	case "trait":
		return TRAIT
	case "app":
		return APP
	case "inject":
		return INJECT
	case "error":
		return ERROR
	case "raise":
		return RAISE
	case "catch":
		return CATCH
	case "spawn":
		return SPAWN
	case "serve":
		return SERVE
	case "enum":
		return ENUM
	case "impl":
		return IMPL
	case "self":
		return SELF
	case "pub":
		return PUB
	case "for":
		return FOR
	case "in":
		return IN
	case "break":
		return BREAK
	case "continue":
		return CONTINUE
	case "match":
		return MATCH
	case "import":
		return IMPORT
	case "as":
		return AS
	case "extern":
		return EXTERN
	case "uses":
		return USES
	case "ambient":
		return AMBIENT
	case "tests":
		return TESTS
	case "test":
		return TEST
	case "invariant":
		return INVARIANT
	case "requires":
		return REQUIRES
	case "assert":
		return ASSERT
	case "select":
		return SELECT
	case "default":
		return DEFAULT
	case "scope":
		return SCOPE
	case "scoped":
		return SCOPED
	case "transient":
		return TRANSIENT
	case "none":
		return NONE
	case "system":
		return SYSTEM
	case "stage":
		return STAGE
	case "override":
		return OVERRIDE
	case "yield":
		return YIELD
	case "stream":
		return STREAM
	}
	return IDENT
}
