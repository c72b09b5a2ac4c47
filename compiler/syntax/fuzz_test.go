package syntax

import (
	"math/rand/v2"
	"os"
	"testing"

	"golang.org/x/tools/txtar"
)

func seeds(f *testing.F) {
	for _, path := range []string{"testdata/errors.txtar", "testdata/accepted.txtar", "testdata/format.txtar"} {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			f.Add(string(file.Data))
		}
	}
	for seed := range 50 {
		f.Add(program(rand.New(rand.NewPCG(7, uint64(seed))), 2, seed%2 == 0))
	}
}

// FuzzParse proves of any text: it parses without a panic, tokens are the text, spans nest,
// ids are unique, errors make the file not OK and the other way round.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		file, diags := parseAny(text)
		if file.OK != (len(diags) == 0) {
			t.Fatalf("OK is %v with %d errors", file.OK, len(diags))
		}
		checkTokens(t, file)
		checkSpans(t, file)
		for _, d := range diags {
			if d.Span.Start < 0 || int(d.Span.End) > len(text) || d.Span.Start > d.Span.End {
				t.Fatalf("%s is at %v of %d", d.Message, d.Span, len(text))
			}
		}
	})
}

// FuzzFormat proves of any program: formatting keeps its tree and its comments, and does
// nothing when done again.
func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		file, _ := parseAny(text)
		out := Format(file)
		if !file.OK {
			if out != text {
				t.Fatal("a wrong program was changed")
			}
			return
		}
		checkFormat(t, file)
	})
}
