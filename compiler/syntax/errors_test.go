package syntax

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Each file of the archive is a program, and after it the errors that it has, in the order
// in which they are told, all of them: lines that begin with "//! ".
func TestErrors(t *testing.T) {
	const path = "testdata/errors.txtar"
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files) < 150 {
		t.Errorf("only %d cases", len(a.Files))
	}
	seen := map[string]bool{}
	for i, file := range a.Files {
		if seen[file.Name] {
			t.Errorf("%s is there twice", file.Name)
		}
		seen[file.Name] = true
		text, want, _ := strings.Cut(string(file.Data), "//! ")
		if want != "" {
			want = "//! " + want
		}
		text = strings.TrimSuffix(text, "\n")
		got := errorLines(text)
		if got == "" {
			t.Errorf("%s: no error", file.Name)
		}
		a.Files[i].Data = []byte(text + "\n" + got)
		if got != want && os.Getenv("UPDATE") == "" {
			t.Errorf("%s:\n%s\n-- got --\n%s-- want --\n%s", file.Name, text, got, want)
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// errorLines is the errors of a text, one a line.
func errorLines(text string) string {
	var b strings.Builder
	f, diags := parseAny(text)
	for _, d := range diags {
		line, col := f.Src.Position(d.Span.Start)
		fmt.Fprintf(&b, "//! %d:%d %s %s\n", line, col, d.Code, d.Message)
	}
	return b.String()
}
