package compilertest

import (
	"strings"
	"testing"
)

func TestArchives(t *testing.T) { RunAll(t, "testdata") }

// TestProblems sees to it that a case can fail.
func TestProblems(t *testing.T) {
	hello := map[string]string{"main.pluto": "fn main() {\n    print(1)\n}\n"}
	wrong := map[string]string{"main.pluto": "fn main() {\n    print(x)\n}\n"}
	two := "2\n"
	cases := []struct {
		c    Case
		want string
	}{
		{Case{Name: "stdout", Files: hello, Stdout: &two}, "printed\n1\n"},
		{Case{Name: "exit", Files: hello, Exit: 4}, "exit code 0, want 4"},
		{Case{Name: "stderr", Files: hello, Stderr: []string{"oh"}}, `want "oh"`},
		{Case{Name: "accepted", Files: hello, Errors: []string{}}, "the program is accepted"},
		{Case{Name: "refused", Files: wrong}, "the program is refused"},
		{Case{Name: "phrase", Files: wrong, Errors: []string{"mismatch"}}, `want "mismatch"`},
		{Case{Name: "warnings", Files: hello, Warnings: []string{"unused"}}, "warns\n\nwant\nunused"},
		{Case{Name: "missing", Files: map[string]string{"main.pluto": "fn f() {\n}\n"}}, "main"},
	}
	var all []Case
	for _, c := range cases {
		all = append(all, c.c)
	}
	for i, r := range Results(t, all) {
		got := strings.Join(all[i].problems(r), "\n")
		if !strings.Contains(got, cases[i].want) {
			t.Errorf("%s: %q, want %q", all[i].Name, got, cases[i].want)
		}
	}
}
