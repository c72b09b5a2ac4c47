package compiler_test

import (
	"testing"

	"github.com/settgraph/sett/compiler/compilertest"
)

// TestModules runs programs of several files.
func TestModules(t *testing.T) { compilertest.RunAll(t, "testdata/modules") }
