package gogen_test

import (
	"os"
	"testing"
)

// TestLibraryIsGo lowers every function of the standard library.
func TestLibraryIsGo(t *testing.T) {
	entries, err := os.ReadDir("../../stdlib")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if e.IsDir() && e.Name() != "testdata" {
			n++
			if !isGo(t, "import std."+e.Name()+"\n\nfn main() {\n}\n") {
				t.Errorf("std.%s is refused", e.Name())
			}
		}
	}
	if n < 15 {
		t.Errorf("found %d modules", n)
	}
}
