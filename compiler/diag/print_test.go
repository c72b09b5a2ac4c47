package diag

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/source"
)

// sample is a list with what printing has to cope with: tabs, letters of several bytes, a
// span over several lines, one past the end, notes, and no place at all.
func sample() *List {
	f := source.NewFile("a.pluto", "", "fn f() {\n\tlet é = \"ü\" + 1\n}\n")
	at := func(phrase string) source.Span {
		i := int32(strings.Index(f.Text, phrase))
		return source.Span{Start: i, End: i + int32(len(phrase))}
	}
	var l List
	l.Report(PhaseBodies, "P0407", f, at("\"ü\" + 1"), "operand type mismatch: %s vs %s", "string", "int").
		Note(f, at("é"), "of %s", "this").Note(nil, source.Span{}, "a hint")
	l.Report(PhaseWarnings, "P1501", f, at("{\n\tlet"), "unused")
	l.Report(PhaseSyntax, "P0201", f, source.Span{Start: 900, End: 901}, "expected }, found end of file")
	l.Report(PhaseLink, "P1404", nil, source.Span{}, "no Go\nat all")
	return &l
}

func TestPrint(t *testing.T) {
	tests := []struct {
		style Style
		want  string
	}{
		{Style{}, `a.pluto:4:1: error[P0201]: Syntax error: expected }, found end of file
a.pluto:2:10: error[P0407]: Type error: operand type mismatch: string vs int
a.pluto:2:6: note: of this
note: a hint
error[P1404]: Link error: no Go at all
a.pluto:1:8: warning[P1501]: unused
`},
		{Style{Source: true}, `a.pluto:4:1: error[P0201]: Syntax error: expected }, found end of file
   4 | 
     | ^
a.pluto:2:10: error[P0407]: Type error: operand type mismatch: string vs int
   2 | 	let é = "ü" + 1
     | 	        ^^^^^^^
a.pluto:2:6: note: of this
   2 | 	let é = "ü" + 1
     | 	    ^
note: a hint
error[P1404]: Link error: no Go at all
a.pluto:1:8: warning[P1501]: unused
   1 | fn f() {
     |        ^
`},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		if err := Print(&b, sample().Sorted(), tt.style); err != nil {
			t.Fatal(err)
		}
		if b.String() != tt.want {
			t.Errorf("%+v:\n%s\nwant:\n%s", tt.style, b.String(), tt.want)
		}
	}
	var b bytes.Buffer
	if err := Print(&b, sample().Sorted(), Style{Color: true, Source: true}); err != nil {
		t.Fatal(err)
	}
	plain := b.String()
	for _, escape := range []string{red, yellow, cyan, dim, reset} {
		if !strings.Contains(plain, escape) {
			t.Errorf("no %q in colours", escape)
		}
		plain = strings.ReplaceAll(plain, escape, "")
	}
	if plain != tests[1].want {
		t.Errorf("without the colours:\n%s", plain)
	}
}

func TestPrintJSON(t *testing.T) {
	var b bytes.Buffer
	if err := PrintJSON(&b, sample().Sorted()); err != nil {
		t.Fatal(err)
	}
	var doc Document
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != 1 || doc.OK || doc.Errors != 3 || doc.Warnings != 1 || len(doc.Diagnostics) != 4 {
		t.Errorf("got %+v", doc)
	}
	d := doc.Diagnostics[1]
	want := Entry{File: "a.pluto", Line: 2, Column: 10, EndLine: 2, EndColumn: 17, Severity: "error", Code: "P0407",
		Message: "Type error: operand type mismatch: string vs int"}
	notes := d.Notes
	if d.Notes = nil; d.File != want.File || d.Line != want.Line || d.Column != want.Column || d.EndColumn != want.EndColumn || d.Message != want.Message || d.Code != want.Code {
		t.Errorf("got %+v, want %+v", d, want)
	}
	if len(notes) != 2 || notes[0] != (EntryNote{"a.pluto", 2, 6, "of this"}) || notes[1] != (EntryNote{Message: "a hint"}) {
		t.Errorf("notes: %+v", notes)
	}
	b.Reset()
	if err := PrintJSON(&b, nil); err != nil || !strings.Contains(b.String(), `"diagnostics": []`) || !strings.Contains(b.String(), `"ok": true`) {
		t.Errorf("nothing wrong: %s", b.String())
	}
}

// TestRules sees to it that rules have codes of their own, and say something.
func TestRules(t *testing.T) {
	seen := map[Code]bool{}
	for _, r := range Rules() {
		if seen[r.Code] || len(r.Code) != 5 || r.Title == "" || (r.Wrong == "") != (r.Right == "") {
			t.Errorf("the rule %s: %+v", r.Code, r)
		}
		seen[r.Code] = true
		if got, ok := Explain(r.Code); !ok || got != r {
			t.Errorf("%s is not explained", r.Code)
		}
	}
	if len(seen) < 120 {
		t.Errorf("%d rules", len(seen))
	}
	if _, ok := Explain("P9999"); ok {
		t.Error("P9999 is explained")
	}
}
