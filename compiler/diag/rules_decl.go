package diag

// The codes of names and declarations.
const (
	UnknownType     Code = "P0301"
	UnknownGeneric  Code = "P0302"
	TypeArity       Code = "P0303"
	VoidNullable    Code = "P0304"
	NestedNullable  Code = "P0305"
	Declared        Code = "P0306"
	DeclaredAs      Code = "P0307"
	ShadowsBuiltin  Code = "P0308"
	PreludeName     Code = "P0309"
	DuplicateField  Code = "P0310"
	DuplicateMethod Code = "P0311"
	VariantDeclared Code = "P0312"
	ParamDeclared   Code = "P0313"
	FnAndExtern     Code = "P0314"
	ExternType      Code = "P0315"
	Private         Code = "P0316"
)

// The codes of generics and traits.
const (
	TypeParamDeclared Code = "P0601"
	TypeParamShadows  Code = "P0602"
	UnknownBound      Code = "P0603"
	GenericArity      Code = "P0604"
	CannotInferParams Code = "P0605"
	BoundNotSatisfied Code = "P0606"
	EndlessInstances  Code = "P0607"
	UnknownTrait      Code = "P0610"
	TraitTwice        Code = "P0611"
	MissingMethod     Code = "P0612"
	MethodArity       Code = "P0613"
	MethodParam       Code = "P0614"
	MethodResult      Code = "P0615"
	MethodSelf        Code = "P0616"
	TwoDefaults       Code = "P0617"
)

// The codes of injection and lifecycles.
const (
	NotInjectable   Code = "P1001"
	CircularDeps    Code = "P1002"
	UsesWithoutApp  Code = "P1003"
	NotAmbient      Code = "P1004"
	AmbientUnknown  Code = "P1005"
	AmbientTwice    Code = "P1006"
	AmbientConflict Code = "P1007"
	AmbientGeneric  Code = "P1008"
	OverrideUnknown Code = "P1009"
	OverrideLonger  Code = "P1010"
	OverrideInApp   Code = "P1011"
	SeedLifecycle   Code = "P1012"
	SeedType        Code = "P1013"
	BindingType     Code = "P1014"
	NotReachable    Code = "P1015"
	MustBeSeed      Code = "P1016"
	ScopeCircular   Code = "P1017"
	CannotWire      Code = "P1018"
	AppAndMain      Code = "P1020"
	AppWithoutMain  Code = "P1021"
	AppMainSelf     Code = "P1022"
	AppMainResult   Code = "P1023"
)

var declRules = []Rule{}
