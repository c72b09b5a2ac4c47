package compiler_test

import (
	"testing"

	"github.com/settgraph/sett/compiler/compilertest"
)

// TestRun holds the whole compiler to the specification: the programs in testdata/run are
// compiled and run, and print, fail or are refused as their archives say.
func TestRun(t *testing.T) {
	compilertest.RunAll(t, "testdata/run")
}
