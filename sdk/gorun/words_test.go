package gorun

import (
	"strings"
	"testing"
)

func TestValues(t *testing.T) {
	tests := []struct{ message, expected, got string }{
		{"F(1) = 2, want 3", "3", "2"},
		{"F(1) = 2; want 3", "3", "2"},
		{"F(1) = 2 want 3", "3", "2"},
		{"F(a = b) = 2, wanted 3", "3", "2"},
		{"got 1, want 2", "2", "1"},
		{"got 1; want 2", "2", "1"},
		{"got 1 want 2", "2", "1"},
		{"got: 1, want: 2", "2", "1"},
		{"got=1 want=2", "2", "1"},
		{"got = 1, want = 2", "2", "1"},
		{"Got 1, expected 2", "2", "1"},
		{"want 2, got 1", "2", "1"},
		{"want: 2 got: 1", "2", "1"},
		{"expected 2, got 1", "2", "1"},
		{"expected 2 but got 1", "2", "1"},
		{"expected 2, but got 1", "2", "1"},
		{"expected 2 but was 1", "2", "1"},
		{"Expected: 2, actual: 1", "2", "1"},
		{"expected: 2\nactual: 1", "2", "1"},
		{"Expected '2' got '1'", "'2'", "'1'"},
		{"wrong status: expected 200, received 404", "200", "404"},
		{"case 1: got (1, 2), want (3, 4)", "(3, 4)", "(1, 2)"},
		{"mismatch (got 1, want 2)", "2", "1"},
		{"wrong answer [got 1, want 2]", "2", "1"},
		{`got "a, want b", want "it got \"c\""`, `"it got \"c\""`, `"a, want b"`},
		{"have 1, want 2", "2", "1"},
		{"have:\n\tone\n\ttwo\nwant:\n\tone\n\tthree\n", "one\nthree", "one\ntwo"},
		{"got:\none\n\nwant:\ntwo\nlines", "two\nlines", "one"},
		{"\n\n\texp: 1\n\n\tgot: 2\n\n", "1", "2"},
		{"expected error, got nil", "error", "nil"},
		{"got error EOF, want nil\nmore words", "nil", "error EOF"},
		{"parsing: 12, want 13", "13", "12"},
		{"mismatch (-want +got):\n  []int{\n- \t1,\n+ \t2,\n  }", "1", "2"},
		{"mismatch (-got +want):\n- 1\n+ 2\n", "2", "1"},
		{"diff -want, +got:\n-a\n-b\n+c\n", "a\nb", "c"},
		{"diff (-expected, +actual)\n--- expected\n+++ actual\n@@ -1 +1 @@\n-a\n+b\n", "a", "b"},
		{"1 != 2", "", ""},
		{"unexpected error: EOF", "", ""},
		{"something failed", "", ""},
		{"the forgotten wanton", "", ""},
		{"", "", ""},
		{"got", "", ""},
		{"want", "", ""},
		{"want got", "", ""},
		{"got want", "", ""},
	}
	for _, tt := range tests {
		if expected, got := values(tt.message); expected != tt.expected || got != tt.got {
			t.Errorf("%q: expected %q, got %q; want %q and %q", tt.message, expected, got, tt.expected, tt.got)
		}
	}
}

func TestTestify(t *testing.T) {
	message := strings.Join([]string{
		"", "\tError Trace:\t/p/a/help_test.go:7", "\t            \t\t\t\t/p/a/a_test.go:12",
		"\tError:      \tNot equal: ", "\t            \texpected: []string{\"a\"}", "\t            \tactual  : []string{\"b\"}", "\t            \t",
		"\t            \tDiff:", "\t            \t--- Expected", "\t            \t+++ Actual",
		"\tTest:       \tTestX/sub", "\tMessages:   \tof the list", "",
	}, "\n")
	a, ok := testify(message)
	want := assertion{"/p/a/help_test.go:7", "Not equal:\nof the list", `[]string{"a"}`, `[]string{"b"}`}
	if !ok || a != want {
		t.Errorf("%+v, %v", a, ok)
	}
	a, ok = testify("\n\tError Trace:\ta_test.go:7\n\tError:      \tReceived unexpected error:\n\t            \topen x: no such file\n\tTest:       \tTestX\n")
	want = assertion{"a_test.go:7", "Received unexpected error:\nopen x: no such file", "", ""}
	if !ok || a != want {
		t.Errorf("%+v, %v", a, ok)
	}
	if _, ok := testify("got 1, want 2"); ok {
		t.Error("that is not testify's")
	}
}
