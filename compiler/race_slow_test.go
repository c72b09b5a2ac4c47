//go:build slow

package compiler_test

import (
	"testing"

	"github.com/settgraph/sett/compiler/compilertest"
)

// TestRaces runs the programs with tasks under Go's race detector: whatever a task and its
// spawner can both reach is copied, locked or handed over.
func TestRaces(t *testing.T) {
	for _, pattern := range []string{"testdata/run/08-*.txtar", "testdata/run/10-*.txtar", "testdata/run/12-tests.txtar"} {
		compilertest.RunRaces(t, pattern)
	}
}
