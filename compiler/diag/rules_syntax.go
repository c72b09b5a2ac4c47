package diag

// The codes of text and tokens.
const (
	UnexpectedCharacter       Code = "P0101"
	IntOutOfRange             Code = "P0102"
	IntTooLarge               Code = "P0103"
	BinaryDigits              Code = "P0104"
	InvalidNumber             Code = "P0105"
	UnknownEscape             Code = "P0106"
	HexEscape                 Code = "P0107"
	UnicodeEscape             Code = "P0108"
	LoneBrace                 Code = "P0109"
	UnterminatedInterpolation Code = "P0110"
	InterpolationTokens       Code = "P0111"
)

// The codes of the grammar.
const (
	UnexpectedToken     Code = "P0201"
	ExpectedNewline     Code = "P0202"
	UnexpectedInExpr    Code = "P0203"
	UnexpectedEnd       Code = "P0204"
	ExpectedDeclaration Code = "P0205"
	LifecycleModifier   Code = "P0206"
	NotPub              Code = "P0207"
	IncompleteModifier  Code = "P0208"
	ExternWithoutFn     Code = "P0209"
	AppConflict         Code = "P0210"
	MixedTests          Code = "P0211"
	TestName            Code = "P0212"
	DuplicateTest       Code = "P0213"
	Scheduler           Code = "P0214"
	TestsOnly           Code = "P0215"
	SelfAfterMut        Code = "P0216"
	AssignTarget        Code = "P0217"
	ChanExpected        Code = "P0218"
	SelectForm          Code = "P0219"
	ScopeForm           Code = "P0220"
	MatchArms           Code = "P0221"
	SpawnForm           Code = "P0222"
	NestsTooDeeply      Code = "P0223"
)

var syntaxRules = []Rule{}
