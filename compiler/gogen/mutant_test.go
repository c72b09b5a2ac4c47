package gogen_test

import (
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// TestMutantsAreGo holds the law for programs that nobody wrote: those at hand with some
// tokens exchanged, as far as they are accepted. MUTANTS says how many are tried, SEED where
// to begin.
func TestMutantsAreGo(t *testing.T) {
	tries, seed := 1000, int64(1)
	if n, err := strconv.Atoi(os.Getenv("MUTANTS")); err == nil {
		tries = n
	}
	if n, err := strconv.ParseInt(os.Getenv("SEED"), 10, 64); err == nil {
		seed = n
	}
	texts := plutoTexts(t)
	r := rand.New(rand.NewSource(seed))
	n := 0
	for range tries {
		text := mutate(r, texts[r.Intn(len(texts))], texts)
		if isGo(t, text) {
			n++
		}
	}
	if n < tries/20 {
		t.Errorf("only %d of %d mutants are accepted", n, tries)
	}
}

func hasTests(text string) bool {
	return strings.HasPrefix(text, "test \"") || strings.Contains(text, "\ntest \"") || strings.Contains(text, "tests[")
}

// piece is a token with the blanks before it.
type piece struct {
	text string
	kind syntax.Kind
}

func pieces(text string) []piece {
	f := syntax.Parse(source.NewFile("m", "", text), &diag.List{})
	var out []piece
	last := int32(0)
	for _, tok := range f.Tokens {
		out = append(out, piece{text[last:tok.At.End], tok.Kind})
		last = tok.At.End
	}
	return out
}

// mutate changes a few tokens of a text: mostly to others of their kind or class, which has
// the best chance of giving a program again.
func mutate(r *rand.Rand, text string, texts []string) string {
	ps := pieces(text)
	donor := pieces(texts[r.Intn(len(texts))])
	for range 1 + r.Intn(3) {
		i := r.Intn(len(ps))
		switch r.Intn(6) {
		case 0:
			ps[i].text = "" // leave it out
		case 1:
			j := r.Intn(len(ps)) // another of this program
			if class(ps[j].kind) == class(ps[i].kind) {
				ps[i] = ps[j]
			}
		case 2:
			j := r.Intn(len(donor))
			if class(donor[j].kind) == class(ps[i].kind) {
				ps[i] = donor[j]
			}
		case 3: // a line twice, or moved
			lo, hi := lineAround(ps, i)
			ps = append(ps[:hi:hi], append(append([]piece{}, ps[lo:hi]...), ps[hi:]...)...)
		case 4:
			ps[i].text += ps[i].text
		default:
			if words := names(ps); len(words) > 0 && ps[i].kind == syntax.IDENT {
				ps[i].text = " " + words[r.Intn(len(words))]
			}
		}
	}
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.text)
	}
	return b.String()
}

// class groups kinds of tokens that can stand for each other.
func class(k syntax.Kind) int {
	switch {
	case k == syntax.INT || k == syntax.FLOAT || k == syntax.STRING || k == syntax.TRUE || k == syntax.FALSE || k == syntax.NONE:
		return 1
	case k == syntax.IDENT || k == syntax.SELF:
		return 2
	case k >= syntax.INC && k <= syntax.NOT:
		return 3
	}
	return 10 + int(k)
}

func names(ps []piece) []string {
	words := strings.Fields("type func err rt len string int64 var map range switch case t1 tmp1 main init")
	for _, p := range ps {
		if p.kind == syntax.IDENT {
			words = append(words, strings.TrimSpace(p.text))
		}
	}
	return words
}

func lineAround(ps []piece, i int) (int, int) {
	lo, hi := i, i
	for lo > 0 && ps[lo-1].kind != syntax.NEWLINE {
		lo--
	}
	for hi < len(ps) && ps[hi].kind != syntax.NEWLINE {
		hi++
	}
	return lo, min(hi+1, len(ps))
}
