//go:build slow

package workspace

import "testing"

// TestLawLong is TestLaw for as long as it takes.
func TestLawLong(t *testing.T) { law(t, 1000, 80, 100) }
