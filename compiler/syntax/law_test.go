package syntax

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

var programs = flag.Int("programs", 2000, "random programs per law")

// parse parses a text that must be right.
func parse(t *testing.T, text string) *File {
	t.Helper()
	f, diags := parseAny(text)
	if !f.OK {
		d := diags[0]
		line, col := f.Src.Position(d.Span.Start)
		around := make([]string, 0, 6)
		for i := line - 5; i <= line; i++ {
			around = append(around, f.Src.LineText(i))
		}
		t.Fatalf("%d:%d: %s\n%s", line, col, d.Message, strings.Join(around, "\n"))
	}
	return f
}

func parseAny(text string) (*File, []*diag.Diagnostic) {
	var l diag.List
	f := Parse(source.NewFile("main.pluto", "", text), &l)
	return f, l.Sorted()
}

func comments(f *File) []string {
	var out []string
	for _, t := range f.Tokens {
		if t.Kind == COMMENT {
			out = append(out, strings.TrimRight(f.Src.Text[t.At.Start:t.At.End], " \t\r"))
		}
	}
	return out
}

func TestRandomProgramsKeepTheirMeaning(t *testing.T) {
	for seed := range *programs {
		text := program(rand.New(rand.NewPCG(1, uint64(seed))), 1+seed%5, seed%4 == 0)
		f := parse(t, text)
		checkTokens(t, f)
		checkSpans(t, f)
		checkFormat(t, f)
	}
}

// A program in which a token is lost, doubled, replaced or moved to another line parses to
// something, and if it still is a program, the laws of programs hold.
func TestMutantsAreParsed(t *testing.T) {
	good, bad := 0, 0
	for seed := range *programs {
		r := rand.New(rand.NewPCG(2, uint64(seed)))
		f := parse(t, program(r, 1+seed%3, seed%2 == 0))
		for range 5 {
			f, _ := parseAny(mutate(r, f))
			checkTokens(t, f)
			checkSpans(t, f)
			if !f.OK {
				bad++
				continue
			}
			good++
			checkFormat(t, f)
		}
	}
	if good == 0 || bad == 0 {
		t.Errorf("%d good and %d bad mutants", good, bad)
	}
}

func mutate(r *rand.Rand, f *File) string {
	text := func(i int) string {
		at := f.Tokens[i].At
		return f.Src.Text[at.Start:at.End]
	}
	i, j := r.IntN(len(f.Tokens)), r.IntN(len(f.Tokens))
	at := f.Tokens[i].At
	before, after := f.Src.Text[:at.Start], f.Src.Text[at.End:]
	switch r.IntN(6) {
	case 0:
		return before + after
	case 1:
		return before + text(i) + " " + text(i) + after
	case 2:
		return before + text(j) + after
	case 3:
		return before + " " + text(j) + " " + text(i) + after
	case 4:
		return before + "\n" + text(i) + after
	}
	return before
}

// checkFormat proves that formatting keeps the tree and the comments, leaves no blanks at
// ends of lines, and does nothing the second time.
func checkFormat(t *testing.T, f *File) {
	t.Helper()
	text, out := f.Src.Text, Format(f)
	g := parse(t, out)
	if !Equal(f, g) {
		t.Fatalf("another tree after formatting\n%s\n-- formatted --\n%s", text, out)
	}
	if !slices.Equal(comments(f), comments(g)) {
		t.Fatalf("comments\n%q\n%q\n%s\n-- formatted --\n%s", comments(f), comments(g), text, out)
	}
	if again := Format(g); again != out {
		t.Fatalf("formatting is not stable\n%s\n-- once --\n%s\n-- twice --\n%s", text, out, again)
	}
	for _, tok := range g.Tokens {
		if tok.Kind == NEWLINE && tok.At.Start > 0 && strings.IndexByte(" \t", out[tok.At.Start-1]) >= 0 {
			t.Fatalf("blanks at the end of line %d\n%s", g.Src.Line(tok.At.Start), out)
		}
	}
}

// checkTokens proves that tokens and the blanks between them are the text.
func checkTokens(t *testing.T, f *File) {
	t.Helper()
	var b strings.Builder
	at := int32(0)
	for _, tok := range f.Tokens {
		gap := f.Src.Text[at:tok.At.Start]
		if strings.Trim(gap, " \t") != "" {
			t.Fatalf("%q is between tokens", gap)
		}
		b.WriteString(gap)
		b.WriteString(f.Src.Text[tok.At.Start:tok.At.End])
		at = tok.At.End
	}
	if b.String() != f.Src.Text || f.Tokens[len(f.Tokens)-1].Kind != EOF {
		t.Fatal("tokens are not the text")
	}
}

// checkSpans proves that children are within their parents and ids are unique and dense
// enough in their owners.
func checkSpans(t *testing.T, f *File) {
	t.Helper()
	Walk(f, func(n Node) bool {
		at := n.Span()
		if at.Start < 0 || at.Start > at.End || int(at.End) > len(f.Src.Text) {
			t.Fatalf("%T has span %v in %d bytes", n, at, len(f.Src.Text))
		}
		last := at.Start
		Children(n, func(c Node) {
			if s := c.Span(); s.Start < last || s.End > at.End {
				t.Fatalf("%T %v in %T %v, after %d\n%s", c, s, n, at, last, f.Src.Text)
			}
			last = c.Span().Start
		})
		owner, num := owned(n)
		if owner == nil {
			return true
		}
		seen := make([]bool, num)
		Walk(owner, func(n Node) bool {
			if e, ok := n.(Expr); ok {
				if e.ID() >= num || seen[e.ID()] {
					t.Fatalf("%T has id %d of %d, seen before or too large", e, e.ID(), num)
				}
				seen[e.ID()] = true
			}
			return true
		})
		return true
	})
}

func owned(n Node) (Node, int) {
	switch n := n.(type) {
	case *FuncDecl:
		return n, n.NumExprs
	case *TestDecl:
		return n, n.NumExprs
	case *Clause:
		if n.NumExprs > 0 {
			return n, n.NumExprs
		}
	}
	return nil, 0
}
