package plutotest

import (
	"math/rand"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// Tokens cuts a text into its tokens, each with the white space before it.
func Tokens(text string) []string {
	var out []string
	last := int32(0)
	for _, tok := range syntax.Parse(source.NewFile("main.pluto", "", text), &diag.List{}).Tokens {
		if tok.At.End > last {
			out = append(out, text[last:tok.At.End])
			last = tok.At.End
		}
	}
	return out
}

// Mutate drops, doubles, swaps and replaces up to three tokens of a text, by words that may
// come from elsewhere.
func Mutate(r *rand.Rand, tokens, words []string) string {
	tokens = slices.Clone(tokens)
	for range 1 + r.Intn(3) {
		if len(tokens) < 2 {
			break
		}
		i, j := r.Intn(len(tokens)), r.Intn(len(tokens))
		switch r.Intn(5) {
		case 0:
			tokens = append(tokens[:i], tokens[i+1:]...)
		case 1:
			tokens[i] += tokens[i]
		case 2:
			tokens[i], tokens[j] = tokens[j], tokens[i]
		case 3:
			tokens[i] = words[r.Intn(len(words))]
		case 4:
			tokens[i] = tokens[j]
		}
	}
	return strings.Join(tokens, "")
}
