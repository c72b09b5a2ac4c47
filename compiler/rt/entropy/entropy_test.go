package entropy

import (
	"regexp"
	"testing"
)

func TestHex(t *testing.T) {
	a, b := Hex(16), Hex(16)
	if a == b || !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(a) {
		t.Errorf("%q and %q", a, b)
	}
	if Hex(0) != "" || Hex(-3) != "" {
		t.Error("there are digits of nothing")
	}
}
