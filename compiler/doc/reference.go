package doc

import (
	"cmp"
	"embed"
	"path"
	"slices"
	"strings"
)

// The pages of the language reference. A page starts with its title ("# ...") and one
// sentence that sums it up, and is divided into sections ("## ...").
//
//go:embed reference/*.md
var reference embed.FS

// Topic is a page: one of the language reference, or a module of the standard library.
type Topic struct {
	Name    string // what one asks for: errors, std.strings
	Title   string
	Summary string // one sentence
	Text    string // the page, in Markdown
}

// order is how the reference is best read.
func order() []string {
	return []string{
		"types", "operators", "strings", "collections", "nullable", "statements", "declarations", "enums-and-match", "traits", "generics",
		"closures", "errors", "contracts", "concurrency", "app", "modules", "packages", "testing", "formatting", "binary", "cli", "gotchas",
	}
}

// Topics is the language reference, in the order in which it is best read.
func Topics() []Topic {
	files, err := reference.ReadDir("reference")
	if err != nil {
		return nil // it is part of the program
	}
	var out []Topic
	for _, f := range files {
		text, err := reference.ReadFile("reference/" + f.Name())
		if err != nil {
			continue
		}
		out = append(out, topic(strings.TrimSuffix(f.Name(), path.Ext(f.Name())), string(text)))
	}
	at := order()
	slices.SortFunc(out, func(a, b Topic) int { return cmp.Compare(slices.Index(at, a.Name), slices.Index(at, b.Name)) })
	return out
}

// topic reads the head of a page.
func topic(name, text string) Topic {
	head, rest, _ := strings.Cut(text, "\n")
	summary, _, _ := strings.Cut(strings.TrimSpace(rest), "\n\n")
	return Topic{name, strings.TrimPrefix(head, "# "), strings.Join(strings.Fields(summary), " "), text}
}

// Find is the topic of a name, or of another word that people use for one: arrays, di, select.
// When there is none, near are at most three that may have been meant.
func Find(name string) (t Topic, near []string, ok bool) {
	topics := Topics()
	name = strings.ToLower(strings.TrimSpace(name))
	name = strings.TrimSuffix(name, ".md")
	if other, ok := words()[name]; ok {
		name = other
	}
	if i := slices.IndexFunc(topics, func(t Topic) bool { return t.Name == name }); i >= 0 {
		return topics[i], nil, true
	}
	names := make([]string, len(topics))
	for i, t := range topics {
		names[i] = t.Name
	}
	return Topic{}, nearest(name, names), false
}

// words says under which topic to find what has none of its own.
func words() map[string]string {
	out := map[string]string{}
	for topic, list := range map[string]string{
		"types":           "type int float bool byte casts cast conversions",
		"operators":       "operator expressions precedence",
		"strings":         "string text interpolation fstrings f-strings escapes",
		"collections":     "array arrays list lists map maps set sets bytes",
		"nullable":        "nullables null none option optional nil",
		"statements":      "statement syntax control-flow if for while loop loops let variables mutability mut",
		"declarations":    "declaration class classes methods method function functions fn fields objects main",
		"enums-and-match": "enum enums match variants variant pattern patterns",
		"traits":          "trait impl interface interfaces",
		"generics":        "generic bounds",
		"closures":        "closure lambda lambdas",
		"errors":          "error raise catch exceptions",
		"contracts":       "contract requires ensures invariant invariants assert",
		"concurrency":     "spawn task tasks channel channels chan select",
		"app":             "di injection dependency-injection ambient scope scoped transient lifecycles lifecycle",
		"modules":         "module import imports pub visibility",
		"packages":        "package dependencies pluto.toml manifest",
		"testing":         "test tests expect scheduler schedulers",
		"formatting":      "fmt format layout style",
		"binary":          "plto pt .pt sync uuid uuids",
		"cli":             "sett commands command verbs",
		"gotchas":         "gotcha pitfalls mistakes",
	} {
		for _, w := range strings.Fields(list) {
			out[w] = topic
		}
	}
	return out
}

// nearest are at most three of the names that look like a word, best first.
func nearest(word string, names []string) []string {
	type scored struct {
		name  string
		score float64
	}
	var list []scored
	for _, n := range names {
		if s := likeness(strings.ToLower(word), strings.ToLower(n)); s >= 0.35 {
			list = append(list, scored{n, s})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var out []string
	for _, s := range list[:min(3, len(list))] {
		out = append(out, s.name)
	}
	return out
}

// likeness is how much two words have in common, from 0 to 1: twice the pairs of neighbouring
// letters that are in both, by the pairs of each. The ends count as letters.
func likeness(a, b string) float64 {
	pairs := map[string]int{}
	a, b = "^"+a+"$", "^"+b+"$"
	for i := range len(a) - 1 {
		pairs[a[i:i+2]]++
	}
	both := 0
	for i := range len(b) - 1 {
		if p := b[i : i+2]; pairs[p] > 0 {
			pairs[p]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b)-2)
}
