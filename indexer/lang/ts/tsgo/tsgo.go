// Package tsgo re-exports the parts of typescript-go that the TypeScript front end uses.
// Its module path starts with theirs, which is what lets it import their internal packages.
package tsgo

import (
	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/binder"
	"github.com/microsoft/typescript-go/internal/bundled"
	"github.com/microsoft/typescript-go/internal/checker"
	"github.com/microsoft/typescript-go/internal/collections"
	"github.com/microsoft/typescript-go/internal/compiler"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/diagnostics"
	"github.com/microsoft/typescript-go/internal/module"
	"github.com/microsoft/typescript-go/internal/parser"
	"github.com/microsoft/typescript-go/internal/scanner"
	"github.com/microsoft/typescript-go/internal/tsoptions"
	"github.com/microsoft/typescript-go/internal/tspath"
	"github.com/microsoft/typescript-go/internal/vfs"
)

// Types.
type (
	Checker                  = checker.Checker
	ComparePathsOptions      = tspath.ComparePathsOptions
	CompilerOptions          = core.CompilerOptions
	DiagnosticMessage        = diagnostics.Message
	Entries                  = vfs.Entries
	FS                       = vfs.FS
	Node                     = ast.Node
	ParsedCommandLine        = tsoptions.ParsedCommandLine
	Path                     = tspath.Path
	Program                  = compiler.Program
	ProgramOptions           = compiler.ProgramOptions
	ProjectReference         = core.ProjectReference
	ResolutionMode           = core.ResolutionMode
	ResolvedProjectReference = module.ResolvedProjectReference
	Resolver                 = module.Resolver
	SemanticMeaning          = ast.SemanticMeaning
	SourceFile               = ast.SourceFile
	SourceFileParseOptions   = ast.SourceFileParseOptions
	Symbol                   = ast.Symbol
	Type                     = checker.Type
)

// Other constants.
const (
	ContextFlagsNone                 = checker.ContextFlagsNone
	InternalSymbolNameConstructor    = ast.InternalSymbolNameConstructor
	JSDeclarationKindExportsProperty = ast.JSDeclarationKindExportsProperty
	JSDeclarationKindModuleExports   = ast.JSDeclarationKindModuleExports
	JSDeclarationKindNone            = ast.JSDeclarationKindNone
	JSDeclarationKindProperty        = ast.JSDeclarationKindProperty
	JSDeclarationKindThisProperty    = ast.JSDeclarationKindThisProperty
	JsxEmitNone                      = core.JsxEmitNone
	JsxEmitPreserve                  = core.JsxEmitPreserve
	ModifierFlagsAbstract            = ast.ModifierFlagsAbstract
	ModifierFlagsAmbient             = ast.ModifierFlagsAmbient
	ModifierFlagsDefault             = ast.ModifierFlagsDefault
	ModifierFlagsExport              = ast.ModifierFlagsExport
	ModifierFlagsPrivate             = ast.ModifierFlagsPrivate
	ModuleDetectionKindAuto          = core.ModuleDetectionKindAuto
	ModuleKindCommonJS               = core.ModuleKindCommonJS
	ModuleKindESNext                 = core.ModuleKindESNext
	ModuleKindPreserve               = core.ModuleKindPreserve
	ModuleResolutionKindBundler      = core.ModuleResolutionKindBundler
	NodeFlagsBlockScoped             = ast.NodeFlagsBlockScoped
	NodeFlagsConst                   = ast.NodeFlagsConst
	NodeFlagsHasJSDoc                = ast.NodeFlagsHasJSDoc
	NodeFlagsJSDoc                   = ast.NodeFlagsJSDoc
	NodeFlagsLet                     = ast.NodeFlagsLet
	NodeFlagsReparsed                = ast.NodeFlagsReparsed
	ScriptTargetESNext               = core.ScriptTargetESNext
	SemanticMeaningAll               = ast.SemanticMeaningAll
	SemanticMeaningNamespace         = ast.SemanticMeaningNamespace
	SemanticMeaningType              = ast.SemanticMeaningType
	SemanticMeaningValue             = ast.SemanticMeaningValue
	SymbolFlagsAlias                 = ast.SymbolFlagsAlias
	SymbolFlagsClass                 = ast.SymbolFlagsClass
	SymbolFlagsExportValue           = ast.SymbolFlagsExportValue
	SymbolFlagsModule                = ast.SymbolFlagsModule
	SymbolFlagsTransient             = ast.SymbolFlagsTransient
	SymbolFlagsValue                 = ast.SymbolFlagsValue
	TSFalse                          = core.TSFalse
	TSTrue                           = core.TSTrue
	TSUnknown                        = core.TSUnknown
)

// Kinds of nodes.
const (
	KindArrowFunction                 = ast.KindArrowFunction
	KindAsExpression                  = ast.KindAsExpression
	KindBigIntLiteral                 = ast.KindBigIntLiteral
	KindBinaryExpression              = ast.KindBinaryExpression
	KindBindingElement                = ast.KindBindingElement
	KindBlock                         = ast.KindBlock
	KindBreakStatement                = ast.KindBreakStatement
	KindCallExpression                = ast.KindCallExpression
	KindClassDeclaration              = ast.KindClassDeclaration
	KindClassExpression               = ast.KindClassExpression
	KindClassStaticBlockDeclaration   = ast.KindClassStaticBlockDeclaration
	KindComputedPropertyName          = ast.KindComputedPropertyName
	KindConstructor                   = ast.KindConstructor
	KindContinueStatement             = ast.KindContinueStatement
	KindDeclareKeyword                = ast.KindDeclareKeyword
	KindDecorator                     = ast.KindDecorator
	KindDefaultKeyword                = ast.KindDefaultKeyword
	KindElementAccessExpression       = ast.KindElementAccessExpression
	KindEnumDeclaration               = ast.KindEnumDeclaration
	KindEnumMember                    = ast.KindEnumMember
	KindEqualsToken                   = ast.KindEqualsToken
	KindExportAssignment              = ast.KindExportAssignment
	KindExportDeclaration             = ast.KindExportDeclaration
	KindExportKeyword                 = ast.KindExportKeyword
	KindExportSpecifier               = ast.KindExportSpecifier
	KindExpressionStatement           = ast.KindExpressionStatement
	KindExpressionWithTypeArguments   = ast.KindExpressionWithTypeArguments
	KindExtendsKeyword                = ast.KindExtendsKeyword
	KindExternalModuleReference       = ast.KindExternalModuleReference
	KindFalseKeyword                  = ast.KindFalseKeyword
	KindForInStatement                = ast.KindForInStatement
	KindForOfStatement                = ast.KindForOfStatement
	KindForStatement                  = ast.KindForStatement
	KindFunctionDeclaration           = ast.KindFunctionDeclaration
	KindFunctionExpression            = ast.KindFunctionExpression
	KindGetAccessor                   = ast.KindGetAccessor
	KindHeritageClause                = ast.KindHeritageClause
	KindIdentifier                    = ast.KindIdentifier
	KindIfStatement                   = ast.KindIfStatement
	KindImplementsKeyword             = ast.KindImplementsKeyword
	KindImportAttribute               = ast.KindImportAttribute
	KindImportClause                  = ast.KindImportClause
	KindImportEqualsDeclaration       = ast.KindImportEqualsDeclaration
	KindImportSpecifier               = ast.KindImportSpecifier
	KindImportType                    = ast.KindImportType
	KindIndexedAccessType             = ast.KindIndexedAccessType
	KindInterfaceDeclaration          = ast.KindInterfaceDeclaration
	KindIntersectionType              = ast.KindIntersectionType
	KindJSTypeAliasDeclaration        = ast.KindJSTypeAliasDeclaration
	KindJsxAttribute                  = ast.KindJsxAttribute
	KindJsxAttributes                 = ast.KindJsxAttributes
	KindJsxClosingElement             = ast.KindJsxClosingElement
	KindJsxElement                    = ast.KindJsxElement
	KindJsxFragment                   = ast.KindJsxFragment
	KindJsxNamespacedName             = ast.KindJsxNamespacedName
	KindJsxOpeningElement             = ast.KindJsxOpeningElement
	KindJsxSelfClosingElement         = ast.KindJsxSelfClosingElement
	KindLabeledStatement              = ast.KindLabeledStatement
	KindLiteralType                   = ast.KindLiteralType
	KindMappedType                    = ast.KindMappedType
	KindMetaProperty                  = ast.KindMetaProperty
	KindMethodDeclaration             = ast.KindMethodDeclaration
	KindMethodSignature               = ast.KindMethodSignature
	KindModuleBlock                   = ast.KindModuleBlock
	KindModuleDeclaration             = ast.KindModuleDeclaration
	KindNamedExports                  = ast.KindNamedExports
	KindNamedTupleMember              = ast.KindNamedTupleMember
	KindNamespaceExport               = ast.KindNamespaceExport
	KindNamespaceExportDeclaration    = ast.KindNamespaceExportDeclaration
	KindNamespaceImport               = ast.KindNamespaceImport
	KindNewExpression                 = ast.KindNewExpression
	KindNoSubstitutionTemplateLiteral = ast.KindNoSubstitutionTemplateLiteral
	KindNonNullExpression             = ast.KindNonNullExpression
	KindNullKeyword                   = ast.KindNullKeyword
	KindNumericLiteral                = ast.KindNumericLiteral
	KindObjectBindingPattern          = ast.KindObjectBindingPattern
	KindObjectLiteralExpression       = ast.KindObjectLiteralExpression
	KindParameter                     = ast.KindParameter
	KindParenthesizedExpression       = ast.KindParenthesizedExpression
	KindPrefixUnaryExpression         = ast.KindPrefixUnaryExpression
	KindPrivateIdentifier             = ast.KindPrivateIdentifier
	KindPropertyAccessExpression      = ast.KindPropertyAccessExpression
	KindPropertyAssignment            = ast.KindPropertyAssignment
	KindPropertyDeclaration           = ast.KindPropertyDeclaration
	KindPropertySignature             = ast.KindPropertySignature
	KindQualifiedName                 = ast.KindQualifiedName
	KindRegularExpressionLiteral      = ast.KindRegularExpressionLiteral
	KindSatisfiesExpression           = ast.KindSatisfiesExpression
	KindSetAccessor                   = ast.KindSetAccessor
	KindShorthandPropertyAssignment   = ast.KindShorthandPropertyAssignment
	KindSourceFile                    = ast.KindSourceFile
	KindSpreadAssignment              = ast.KindSpreadAssignment
	KindStringLiteral                 = ast.KindStringLiteral
	KindSuperKeyword                  = ast.KindSuperKeyword
	KindSwitchStatement               = ast.KindSwitchStatement
	KindTaggedTemplateExpression      = ast.KindTaggedTemplateExpression
	KindThisKeyword                   = ast.KindThisKeyword
	KindTrueKeyword                   = ast.KindTrueKeyword
	KindTryStatement                  = ast.KindTryStatement
	KindTypeAliasDeclaration          = ast.KindTypeAliasDeclaration
	KindTypeAssertionExpression       = ast.KindTypeAssertionExpression
	KindTypeLiteral                   = ast.KindTypeLiteral
	KindTypeParameter                 = ast.KindTypeParameter
	KindTypePredicate                 = ast.KindTypePredicate
	KindTypeReference                 = ast.KindTypeReference
	KindUnionType                     = ast.KindUnionType
	KindVariableDeclaration           = ast.KindVariableDeclaration
	KindVariableDeclarationList       = ast.KindVariableDeclarationList
	KindVariableStatement             = ast.KindVariableStatement
	KindWhileStatement                = ast.KindWhileStatement
)

// Functions.
var (
	BindSourceFile                                          = binder.BindSourceFile
	BundledFS                                               = bundled.WrapFS
	GetAssignmentDeclarationKind                            = ast.GetAssignmentDeclarationKind
	GetClassExtendsHeritageElement                          = ast.GetClassExtendsHeritageElement
	GetCombinedModifierFlags                                = ast.GetCombinedModifierFlags
	GetContainingClass                                      = ast.GetContainingClass
	GetElementOrPropertyAccessName                          = ast.GetElementOrPropertyAccessName
	GetExternalModuleImportEqualsDeclarationExpression      = ast.GetExternalModuleImportEqualsDeclarationExpression
	GetHeritageElements                                     = ast.GetHeritageElements
	GetImplementsTypeNodes                                  = ast.GetImplementsTypeNodes
	GetMeaningFromDeclaration                               = ast.GetMeaningFromDeclaration
	GetModuleSpecifierOfBareOrAccessedRequire               = ast.GetModuleSpecifierOfBareOrAccessedRequire
	GetNameOfDeclaration                                    = ast.GetNameOfDeclaration
	GetParsedCommandLineOfConfigFilePath                    = tsoptions.GetParsedCommandLineOfConfigFilePath
	GetPragmaArgument                                       = ast.GetPragmaArgument
	GetPragmaFromSourceFile                                 = ast.GetPragmaFromSourceFile
	GetReparsedNodeForNode                                  = ast.GetReparsedNodeForNode
	GetScriptKindFromFileName                               = core.GetScriptKindFromFileName
	GetSourceFileOfNode                                     = ast.GetSourceFileOfNode
	GetTokenPosOfNode                                       = scanner.GetTokenPosOfNode
	HasInitializer                                          = ast.HasInitializer
	IsArrayLiteralOrObjectLiteralDestructuringPattern       = ast.IsArrayLiteralOrObjectLiteralDestructuringPattern
	IsAssignmentTarget                                      = ast.IsAssignmentTarget
	IsClassLike                                             = ast.IsClassLike
	IsDeclarationName                                       = ast.IsDeclarationName
	IsEntityName                                            = ast.IsEntityName
	IsEntityNameExpression                                  = ast.IsEntityNameExpression
	IsExclusivelyTypeOnlyImportOrExport                     = ast.IsExclusivelyTypeOnlyImportOrExport
	IsExpressionWithTypeArgumentsInClassExtendsClause       = ast.IsExpressionWithTypeArgumentsInClassExtendsClause
	IsExternalModuleImportEqualsDeclaration                 = ast.IsExternalModuleImportEqualsDeclaration
	IsExternalOrCommonJSModule                              = ast.IsExternalOrCommonJSModule
	IsFunctionLike                                          = ast.IsFunctionLike
	IsGlobalScopeAugmentation                               = ast.IsGlobalScopeAugmentation
	IsInJSFile                                              = ast.IsInJSFile
	IsJSDocNameReferenceContext                             = ast.IsJSDocNameReferenceContext
	IsMethodOrAccessor                                      = ast.IsMethodOrAccessor
	IsNewExpressionTarget                                   = ast.IsNewExpressionTarget
	IsParameterPropertyDeclaration                          = ast.IsParameterPropertyDeclaration
	IsPartOfTypeNode                                        = ast.IsPartOfTypeNode
	IsPartOfTypeOnlyImportOrExportDeclaration               = ast.IsPartOfTypeOnlyImportOrExportDeclaration
	IsPropertyNameLiteral                                   = ast.IsPropertyNameLiteral
	IsStatic                                                = ast.IsStatic
	IsStringLiteralLike                                     = ast.IsStringLiteralLike
	IsTagName                                               = ast.IsTagName
	IsVariableDeclarationInitializedToBareOrAccessedRequire = ast.IsVariableDeclarationInitializedToBareOrAccessedRequire
	LibPath                                                 = bundled.LibPath
	NewChecker                                              = checker.NewChecker
	NewParsedCommandLine                                    = tsoptions.NewParsedCommandLine
	NewProgram                                              = compiler.NewProgram
	NewResolver                                             = module.NewResolver
	NewTsconfigSourceFileFromFilePath                       = tsoptions.NewTsconfigSourceFileFromFilePath
	NodeIsMissing                                           = ast.NodeIsMissing
	NormalizePath                                           = tspath.NormalizePath
	ParseSourceFile                                         = parser.ParseSourceFile
	WalkUpBindingElementsAndPatterns                        = ast.WalkUpBindingElementsAndPatterns
)

// NewPaths returns an empty value for the paths option.
func NewPaths() *collections.OrderedMap[string, []string] {
	return collections.NewOrderedMapWithSizeHint[string, []string](8)
}
