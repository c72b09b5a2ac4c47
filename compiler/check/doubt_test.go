package check

import (
	"slices"
	"strings"
	"testing"
)

// TestDoubt lists everything that is said of programs with mistakes of syntax: nothing that
// may only be the consequence of one, but whatever else is wrong.
func TestDoubt(t *testing.T) {
	tests := []struct {
		name, text string
		says       []string
	}{
		{"a body and its neighbour", "fn main() {\n    const x = 1\n    print(x)\n}\nfn f() int {\n    return \"a\"\n}\n",
			[]string{"expected newline after statement", "return type mismatch: expected int, found string"}},
		{"a body that is not closed", "fn f(x: int) int {\n    if x > 0 {\n        return 1\n}\nfn g() int {\n    return true\n}\n",
			[]string{"unexpected token fn in expression", "return type mismatch: expected int, found bool"}},
		{"a method and its neighbour", "class P {\n    fn a(self) int { return nope( }\n    fn b(self) int { return none }\n}\n",
			[]string{"unexpected token } in expression", "return type mismatch: expected int, found void?"}},
		{"a test", "test \"a\" {\n    let x = = 1\n    print(y)\n}\n", []string{"unexpected token = in expression"}},
		{"a character", "fn main() {\n    let x = 1;\n    print(y)\n}\n", []string{"unexpected character ';'"}},
		{"a lost declaration", "func one() int { return 1 }\nfn main() {\n    print(one())\n}\nfn two(x: Nope) {}\n",
			[]string{"expected 'fn'", "unknown type 'Nope'"}},
		{"lost variants", "enum E { A, B }\nfn f(e: E) {\n    match e {\n        E.A { }\n        E.B { }\n    }\n}\n",
			[]string{"expected identifier, found ,"}},
		{"a signature", "fn f(x: int): int {\n    return x\n}\nfn main() {\n    print(f(1, 2))\n}\n", []string{"expected"}},
		{"no mistake of syntax", "test \"a\" {\n    print(x)\n    print(y)\n}\n", []string{"'x'", "'y'"}},
	}
	for _, tt := range tests {
		var got []string
		for _, d := range checkText(tt.text, "test").Diags.Sorted() {
			got = append(got, d.Message)
		}
		if !slices.EqualFunc(got, tt.says, strings.Contains) {
			t.Errorf("%s: says\n  %s\nwant\n  %s", tt.name, strings.Join(got, "\n  "), strings.Join(tt.says, "\n  "))
		}
	}
}
