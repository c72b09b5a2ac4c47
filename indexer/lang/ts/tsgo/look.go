package tsgo

import (
	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/checker"
	"github.com/microsoft/typescript-go/internal/tsoptions"
)

// What only looking at a position uses.
const (
	KindEndOfFile         = ast.KindEndOfFile
	KindAwaitExpression   = ast.KindAwaitExpression
	KindImportDeclaration = ast.KindImportDeclaration
	KindThisType          = ast.KindThisType
	KindThisWord          = ast.KindThisKeyword
	KindCallSignature     = ast.KindCallSignature
	KindConstructSig      = ast.KindConstructSignature
	KindIndexSignature    = ast.KindIndexSignature
	KindJsxText           = ast.KindJsxText
	KindConstructorWord   = ast.KindConstructorKeyword
	SymbolFlagsTypeAlias  = ast.SymbolFlagsTypeAlias
	SymbolFlagsType       = ast.SymbolFlagsType
	TypeFlagsAny          = checker.TypeFlagsAny
	TypeFlagsUnit         = checker.TypeFlagsUnit
)

// FileReference is a file that a comment at the head of another one refers to.
type FileReference = ast.FileReference

// Functions that only looking at a position uses.
var (
	GetDefaultLibFileName = tsoptions.GetDefaultLibFileName
	GetLibFileName        = tsoptions.GetLibFileName
	IsDeclaration         = ast.IsDeclaration
	IsExpressionNode      = ast.IsExpressionNode
	IsLabelName           = ast.IsLabelName
	IsKeywordKind         = ast.IsKeywordKind
	IsTokenKind           = ast.IsTokenKind
	IsVarConst            = ast.IsVarConst
)
