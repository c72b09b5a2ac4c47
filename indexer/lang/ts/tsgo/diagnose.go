package tsgo

import (
	"strings"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/collections"
	"github.com/microsoft/typescript-go/internal/compiler"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/diagnostics"
	"github.com/microsoft/typescript-go/internal/diagnosticwriter"
	"github.com/microsoft/typescript-go/internal/locale"
	"github.com/microsoft/typescript-go/internal/scanner"
	"github.com/microsoft/typescript-go/internal/tsoptions"
	"github.com/microsoft/typescript-go/internal/tspath"
	"github.com/microsoft/typescript-go/internal/vfs/cachedvfs"
	"github.com/microsoft/typescript-go/internal/vfs/osvfs"
)

// The types that finding errors needs.
type (
	CheckerPool              = compiler.CheckerPool
	Diagnostic               = ast.Diagnostic
	ExtendedConfigCacheEntry = tsoptions.ExtendedConfigCacheEntry
	ParseConfigHost          = tsoptions.ParseConfigHost
	Tristate                 = core.Tristate
)

// The constants that finding errors needs.
const (
	CategoryError               = diagnostics.CategoryError
	CategoryWarning             = diagnostics.CategoryWarning
	JsxEmitReactJSX             = core.JsxEmitReactJSX
	ModuleKindES2015            = core.ModuleKindES2015
	ModuleKindNode16            = core.ModuleKindNode16
	ModuleKindNodeNext          = core.ModuleKindNodeNext
	ModuleKindNone              = core.ModuleKindNone
	ModuleResolutionKindClassic = core.ModuleResolutionKindClassic
	ModuleResolutionKindNode10  = core.ModuleResolutionKindNode10
	ModuleResolutionKindUnknown = core.ModuleResolutionKindUnknown
	ScriptTargetES2015          = core.ScriptTargetES2015
	ScriptTargetES2022          = core.ScriptTargetES2022
	ScriptTargetES5             = core.ScriptTargetES5
	ScriptTargetLatestStandard  = core.ScriptTargetLatestStandard
	ScriptTargetNone            = core.ScriptTargetNone
)

// The functions that finding errors needs.
var (
	CachedFS            = cachedvfs.From
	IsExternalModule    = ast.IsExternalModule
	IsSourceFileJS      = ast.IsSourceFileJS
	LineAndByteOffset   = scanner.GetECMALineAndByteOffsetOfPosition
	OSFS                = osvfs.FS
	ParseExtendedConfig = tsoptions.ParseExtendedConfig
	SortDiagnostics     = compiler.SortAndDeduplicateDiagnostics
	ToPath              = tspath.ToPath
)

// Flatten returns the words of a diagnostic: its own, and those of its chain below, each
// level indented by two blanks more.
func Flatten(d *Diagnostic) string {
	var b strings.Builder
	diagnosticwriter.WriteFlattenedASTDiagnosticMessage(&b, d, "\n", locale.Default)
	return b.String()
}

// Writes reports whether a configuration has the property at its top, itself or by what it
// extends.
func Writes(c *ParsedCommandLine, property string) bool {
	raw, ok := c.Raw.(*collections.OrderedMap[string, any])
	return ok && raw.Has(property)
}
