package query

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/sahilm/fuzzy"

	"github.com/settgraph/sett/graph"
)

// How well a name fits what was typed, best first.
const (
	rankExact = iota
	rankFold
	rankPrefix
	rankWord // begins at a word within the name: Head in newHead
	rankNone
)

// rankName says how well a name fits what was typed.
func rankName(name, typed string) int {
	switch {
	case name == typed:
		return rankExact
	case strings.EqualFold(name, typed):
		return rankFold
	case len(name) > len(typed) && strings.EqualFold(name[:len(typed)], typed):
		return rankPrefix
	}
	for i := 1; i+len(typed) <= len(name); i++ {
		if wordStart(name, i) && strings.EqualFold(name[i:i+len(typed)], typed) {
			return rankWord
		}
	}
	return rankNone
}

// wordStart reports whether a word of a camelCase or snake_case name begins at byte i.
func wordStart(name string, i int) bool {
	before, at := rune(name[i-1]), rune(name[i])
	switch {
	case at >= 0x80 || before >= 0x80:
		return false
	case before == '_' || before == '-' || before == '$':
		return true
	case unicode.IsUpper(at):
		// The last capital of a run begins a word: S in HTTPServer.
		return !unicode.IsUpper(before) || i+1 < len(name) && unicode.IsLower(rune(name[i+1]))
	}
	return unicode.IsDigit(at) != unicode.IsDigit(before)
}

// importance orders declarations that fit a name equally well: those of the project
// first, then those outside tests, written by hand, exported, and not fields.
func importance(n *graph.Node) int {
	o := 0
	for i, last := range []bool{n.Kind == graph.KindField, n.Flags&graph.FlagExported == 0,
		n.Flags&graph.FlagGenerated != 0, n.Flags&graph.FlagTest != 0, n.External} {
		if last {
			o += 1 << i
		}
	}
	return o
}

// notFound makes the error for an unknown name, with at most three suggestions.
func notFound(g *graph.Snapshot, name string) error {
	return &NotFoundError{Name: name, Near: near(g, name)}
}

// near returns at most three names that were probably meant: those a slip of the finger
// away, then those that the typed letters are spread over.
func near(g *graph.Snapshot, typed string) []string {
	typed = cleanName(typed)
	// Of a qualified name only the last part is compared.
	word := typed[strings.LastIndexAny(typed, ".#/:")+1:]
	if word == "" || len(word) > 80 {
		return nil
	}
	type hit struct {
		name string
		dist int
	}
	var hits []hit
	var names []string
	lower := strings.ToLower(word)
	allowed := min(len(word)/3, 2)
	g.Names("", func(name string, ids []graph.NodeID) bool {
		if n := len(name); n == 0 || n > 80 {
			return true
		}
		names = append(names, name)
		if d := len(name) - len(lower); d >= -allowed && d <= allowed {
			if d := Slips(lower, strings.ToLower(name)); d <= allowed && (d < len(lower) || len(lower) == 1) {
				hits = append(hits, hit{name, d})
			}
		}
		return true
	})
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(Slips(word, a.name), Slips(word, b.name)), cmp.Compare(a.name, b.name))
	})
	out := nearMembers(g, typed, word)
	for _, h := range hits {
		if h.dist <= 1 {
			out = appendDeclared(g, out, h.name)
		}
	}
	if len(out) < 3 && len(word) > 1 {
		found := fuzzy.FindNoSort(word, names)
		slices.SortStableFunc(found, func(a, b fuzzy.Match) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(len(a.Str), len(b.Str)), cmp.Compare(a.Str, b.Str))
		})
		for _, m := range found {
			if len(m.Str) <= 4*len(word) {
				out = appendDeclared(g, out, m.Str)
			}
		}
	}
	for _, h := range hits {
		out = appendDeclared(g, out, h.name)
	}
	return out
}

// nearMembers suggests members of the type, or declarations of the package, that a
// qualified name begins with.
func nearMembers(g *graph.Snapshot, typed, word string) []string {
	front := strings.TrimRight(strings.TrimSuffix(typed, word), ".#/:")
	if front == "" {
		return nil
	}
	type hit struct {
		name string
		dist int
	}
	var hits []hit
	for _, id := range match(g, front) {
		for _, c := range g.Children(id) {
			n := g.Node(c)
			if n == nil {
				continue
			}
			d := Slips(strings.ToLower(word), strings.ToLower(n.Name))
			if r := rankName(n.Name, word); r < rankNone {
				d = min(d, 1)
			}
			if d <= 2 && d < len(word) {
				hits = append(hits, hit{front + "." + n.Name, d})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.name, b.name)) })
	var out []string
	for _, h := range hits {
		if !slices.Contains(out, h.name) && len(out) < 3 {
			out = append(out, h.name)
		}
	}
	return out
}

// appendDeclared adds a name that the project declares, until there are three.
func appendDeclared(g *graph.Snapshot, out []string, name string) []string {
	if len(out) >= 3 || slices.Contains(out, name) {
		return out
	}
	for _, id := range g.Named(name) {
		if n := g.Node(id); n != nil && !n.External && !isModule(n) {
			return append(out, name)
		}
	}
	return out
}

// Slips counts the insertions, deletions, replacements and swaps of neighbours, in bytes,
// that make one word of another. Words of an absurd length are as far apart as they are long.
func Slips(a, b string) int {
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
