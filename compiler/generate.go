package compiler

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/gogen"
)

// Generate gives the Go text of a checked program: of its entry, or of its tests when it was
// loaded for a test run. When the program has errors, or nothing that it could start with,
// there is no text (nil), and its Diags say why.
func Generate(p *check.Program) (*gogen.Output, error) {
	return gogen.Generate(p, gogen.Options{Test: p.Project.Test})
}
