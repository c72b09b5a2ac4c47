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
