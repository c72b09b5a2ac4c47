// Package tsgo re-exports the parts of typescript-go that the TypeScript front end uses.
package tsgo

import (
	"github.com/microsoft/typescript-go/internal/bundled"
	"github.com/microsoft/typescript-go/internal/checker"
	"github.com/microsoft/typescript-go/internal/compiler"
	"github.com/microsoft/typescript-go/internal/tsoptions"
)

type (
	Program = compiler.Program
	Checker = checker.Checker
	ParsedCommandLine = tsoptions.ParsedCommandLine
)

var LibPath = bundled.LibPath
