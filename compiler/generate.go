package compiler

import (
	"context"
	"errors"

	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/gogen"
	"github.com/settgraph/sett/compiler/source"
)

// Generate gives the Go text of a checked program: of its entry, or of its tests when it was
// loaded for a test run. When the program has errors, or nothing that it could start with,
// there is no text (nil), and its Diags say why.
func Generate(p *check.Program) (*gogen.Output, error) {
	return gogen.Generate(p, gogen.Options{Test: p.Project.Test})
}

// Build builds a checked program. When it has errors, or cannot be built on this machine,
// the result is nil, and its Diags say why.
func Build(ctx context.Context, p *check.Program, o build.Options) (*build.Program, error) {
	generated, err := Generate(p)
	if err != nil || generated == nil {
		return nil, err
	}
	return link(ctx, p, generated, o)
}

// link builds generated text; what keeps it from being built is reported.
func link(ctx context.Context, p *check.Program, generated *gogen.Output, o build.Options) (*build.Program, error) {
	built, err := build.Build(ctx, generated.Files, o)
	var unable *build.LinkError
	if errors.As(err, &unable) {
		p.Diags.Report(diag.PhaseLink, diag.Code(unable.Code), nil, source.Span{}, "%s", unable.Text)
		return nil, nil
	}
	return built, err
}
