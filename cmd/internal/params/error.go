package params

import (
	"cmp"
	"slices"
	"strings"
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
		d := distance(lower, strings.ToLower(name))
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

// distance counts the insertions, deletions, replacements and swaps of neighbours that
// turn a into b. Words of an absurd length are as far apart as they are long.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return max(len(a), len(b))
	}
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
