package syntax

import (
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
)

// The examples of the syntax rules break their rule, alone, and keep it.
func TestRulesAreTrue(t *testing.T) {
	n := 0
	var codes []diag.Code
	for _, r := range diag.Rules() {
		if !strings.HasPrefix(string(r.Code), "P01") && !strings.HasPrefix(string(r.Code), "P02") {
			continue
		}
		n++
		codes = append(codes, r.Code)
		f, diags := parseAny(r.Wrong)
		if f.OK || len(diags) != 1 || diags[0].Code != r.Code {
			t.Errorf("%s: the wrong program has errors %v", r.Code, errorLines(r.Wrong))
		}
		if f, _ := parseAny(r.Right); !f.OK {
			t.Errorf("%s: the right program has errors %v", r.Code, errorLines(r.Right))
		}
		if r.Title == "" {
			t.Errorf("%s has no title", r.Code)
		}
	}
	if n < 30 {
		t.Errorf("only %d rules", n)
	}
	if slices.Sort(codes); len(slices.Compact(codes)) != n {
		t.Error("a code has two rules")
	}
}
