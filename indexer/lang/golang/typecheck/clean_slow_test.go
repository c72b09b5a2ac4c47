//go:build slow

package typecheck_test

import (
	"os"
	"strings"
	"testing"
)

// TestClean finds nothing in the projects that CLEAN names, which the go command builds.
func TestClean(t *testing.T) {
	roots := strings.Fields(os.Getenv("CLEAN"))
	if len(roots) == 0 {
		t.Skip("CLEAN names no projects")
	}
	for _, root := range roots {
		out := checkAll(t, &project{root: root})
		t.Logf("%s: %d files, notes: %s", root, out.Files, strings.Join(out.Notes, "; "))
		if out.Files < 10 {
			t.Errorf("%s: only %d files were checked", root, out.Files)
		}
		for _, f := range render(out.Findings) {
			t.Errorf("%s: %s", root, f)
		}
	}
}
