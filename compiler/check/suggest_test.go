package check

import "testing"

func TestSuggestions(t *testing.T) {
	tests := []struct{ stmts, note string }{
		{"let total = 1\nprint(totl)", "did you mean 'total'?"},
		{"let total = 1\nprint(sum)", ""},
		{"prnt(1)", "did you mean 'print'?"},
		{"mayb(1)", "did you mean 'maybe'?"},
		{"nothing_like_it(1)", ""},
		{"let twice = (n: int) => n\ntwise(1)", "did you mean 'twice'?"},
		{"print(makeP().nxt)", "did you mean 'next'?"},
		{"makeP().gett()", "did you mean 'get'?"},
		{"makeP().f(1)", "'f' is a field; read it into a variable and call that"},
		{"print(makeP().get)", "'get' is a method; call it with ()"},
		{"[1].pushh(2)", "did you mean 'push'?"},
		{"\"a\".starts_wth(\"a\")", "did you mean 'starts_with'?"},
		{"let c = Color.Redd", "did you mean 'Red'?"},
		{"let a: Animal = Cat {}\na.nam()", "did you mean 'name'?"},
		{"let g = one", "functions are not values; wrap the call in a closure"},
	}
	for _, tt := range tests {
		p := stmts(tt.stmts)
		got := ""
		for _, d := range p.Diags.Sorted() {
			for _, n := range d.Notes {
				got = n.Message
			}
		}
		if got != tt.note {
			t.Errorf("%s\nnote %q, want %q", tt.stmts, got, tt.note)
		}
	}
}
