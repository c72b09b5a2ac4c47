package xref

import "github.com/settgraph/sett/compiler/check"

// Sites lists every use of a declaration in the files of a checked program, those of the
// standard library left out, in order of file and position. Of what was checked several
// times, as generic bodies and default methods are, each use is there once for each target.
// Programs with errors give what is sound of them.
func Sites(p *check.Program) []Site {
	return nil
}
