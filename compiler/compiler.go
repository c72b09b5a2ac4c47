// Package compiler drives the phases of the Pluto compiler: it checks programs, builds them,
// runs them and runs their tests.
package compiler

import (
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
)

// Check loads and checks the program of an entry file or a folder. What is wrong is in the
// Diags of the result, which is never nil.
func Check(entry string, o load.Options) *check.Program { return check.Check(load.Load(entry, o)) }

// CheckText checks a program that is in memory; see [load.LoadText].
func CheckText(name, text string, o load.Options) *check.Program {
	return check.Check(load.LoadText(name, text, o))
}
