package params

import (
	"cmp"
	"slices"
	"strings"

	"github.com/settgraph/sett/query"
)

// An Error says what is wrong with what a caller gave, in words that tell how to mend it.
type Error struct {
	Param   string   // the parameter, if one is to blame
	Text    string   // what is wrong with it
	Near    []string // names or values that were probably meant
	Choices []string // all that would do
}

// Error returns one line without a full stop.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Param != "" {
		b.WriteString(e.Param + ": ")
	}
	b.WriteString(e.Text)
	switch {
	case len(e.Near) > 0:
		b.WriteString("; did you mean " + strings.Join(e.Near, ", ") + "?")
	case len(e.Choices) > 0:
		b.WriteString("; one of " + strings.Join(e.Choices, ", "))
	}
	return b.String()
}

// Near returns at most three of the names that the word may have been meant for, the
// likeliest first.
func Near(word string, names []string) []string {
	type hit struct {
		name string
		dist int
	}
	var hits []hit
	lower := strings.ToLower(word)
	for _, name := range names {
		d := query.Slips(lower, strings.ToLower(name))
		switch {
		case d <= 2 && d < len(name):
		case len(lower) > 2 && strings.HasPrefix(name, lower):
			d = 3
		default:
			continue
		}
		hits = append(hits, hit{name, d})
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, h := range hits[:min(3, len(hits))] {
		out = append(out, h.name)
	}
	return out
}
