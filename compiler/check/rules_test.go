package check

import (
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
)

// TestRulesHold checks the examples of the rules of this package: the wrong one reports the
// code of its rule, the right one nothing.
func TestRulesHold(t *testing.T) {
	n := 0
	for _, r := range diag.Rules() {
		if r.Code < "P03" || r.Code >= "P12" && r.Code < "P13" || r.Code >= "P14" && r.Code < "P15" || r.Wrong == "" {
			continue // of other packages
		}
		n++
		t.Run(string(r.Code), func(t *testing.T) {
			t.Parallel()
			found := false
			p := checkArchive(r.Wrong)
			for _, d := range p.Diags.Sorted() {
				found = found || d.Code == r.Code
			}
			if !found {
				t.Errorf("%s\nreported:\n%s", r.Wrong, strings.Join(messages(p), "\n"))
			}
			if p := checkArchive(r.Right); len(p.Diags.Sorted()) > 0 {
				t.Errorf("%s\nreported:\n%s", r.Right, strings.Join(messages(p), "\n"))
			}
		})
	}
	if n < 70 {
		t.Errorf("only %d rules", n)
	}
}
