package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/query"
)

// contextLines prints
//
//	Head.Append method tsdb/head_append.go:40-90 in Head
//	func (h *Head) Append(ref SeriesRef) error
//	Append adds a sample.
//	refs 12 in 4 files (9 in tests): calls 11, refs 1
//	callers DB.write tsdb/db.go:90, +9 in tests
func contextLines(r *query.ContextResult) string {
	var b strings.Builder
	used := 0
	for i := range r.Answers {
		text := contextAnswer(&r.Answers[i], share(r.Tokens(), used, len(r.Answers)-i))
		used += Tokens(text)
		b.WriteString(text)
	}
	return b.String()
}

func contextAnswer(c *query.Context, budget int) string {
	v := contextView{c}
	if c.Limit > 0 {
		return v.text(c.Limit, c.Limit)
	}
	// Six names a section are what an answer at a glance shows; a larger budget shows more.
	sizes := [][2]int{{6, 12}, {4, 8}, {3, 4}, {1, 2}, {0, 0}}
	if budget > query.DefaultBudget {
		sizes = append([][2]int{{1000, 1000}, {50, 50}, {12, 24}}, sizes...)
	}
	var texts []func() string
	for _, s := range sizes {
		texts = append(texts, func() string { return v.text(s[0], s[1]) })
	}
	return fit(budget, func(n int) string { return fmt.Sprintf("+%s: --sections\n", plural(n, "line")) }, texts...)
}

type contextView struct{ *query.Context }

func (v contextView) text(names, members int) string {
	var b strings.Builder
	s := &v.Symbol
	head := subject(s)
	if len(s.Places) == 1 && s.Places[0].EndLine > s.Places[0].Line && s.Kind != "file" && s.Kind != "package" {
		head = strings.Replace(head, at(s.Places[0].File, s.Places[0].Line), fmt.Sprintf("%s-%d", at(s.Places[0].File, s.Places[0].Line), s.Places[0].EndLine), 1)
	}
	b.WriteString(head)
	if v.In != "" && v.In != s.Module && s.Kind != "file" {
		b.WriteString(" in " + v.In)
	}
	b.WriteString(flag(s.Exported, " exported") + flag(s.Deprecated, " deprecated") + flag(s.Generated, " generated") + "\n")
	if s.Sig != "" {
		b.WriteString(shorten(s.Sig, 60) + "\n")
	}
	if s.Doc != "" {
		b.WriteString(shorten(sentence(s.Doc), 50) + "\n")
	}
	if slices.Contains(v.Sections, "refs") {
		b.WriteString(v.refs() + "\n")
	}
	here := ""
	if len(s.Places) > 0 {
		here = s.Places[0].File
	}
	if len(v.Callers) > 0 {
		b.WriteString("callers " + v.callers(here, names) + "\n")
	}
	if len(v.Callees) > 0 {
		b.WriteString("callees " + spots(v.Callees, here, names) + "\n")
	}
	for _, r := range v.Hierarchy {
		b.WriteString(r.Relation + " " + spots(r.Symbols, here, names) + "\n")
	}
	if len(v.Types) > 0 {
		b.WriteString("types " + spots(v.Types, here, min(names, max(4, members/4))) + "\n")
	}
	if len(v.Members) > 0 {
		b.WriteString("members " + v.members(here, members) + "\n")
	}
	return b.String()
}

// refs is the line that counts uses, with the reason when there are none.
func (v contextView) refs() string {
	r := v.Refs
	if r.Total == 0 {
		return "0 refs" + noRefs(&query.Refs{Symbol: v.Symbol, Unresolved: r.Unresolved})
	}
	s := fmt.Sprintf("refs %d in %s", r.Total, plural(r.Files, "file"))
	if r.Tests > 0 {
		s += fmt.Sprintf(" (%d in tests)", r.Tests)
	}
	if r.Unresolved > 0 {
		s += fmt.Sprintf(", %d unresolved of this name", r.Unresolved)
	}
	if len(r.ByKind) > 1 {
		s += ": " + counts(r.ByKind)
	}
	return s
}

// callers lists callers outside tests and counts the others.
func (v contextView) callers(here string, most int) string {
	outside := v.Callers[:len(v.Callers)-v.TestCallers]
	if len(outside) == 0 {
		return spots(v.Callers, here, min(most, 3)) + flag(v.TestCallers > 1, " (all in tests)") + flag(v.TestCallers == 1, " (in a test)")
	}
	s := spots(outside, here, most)
	if v.TestCallers > 0 {
		s += fmt.Sprintf(", +%d in tests", v.TestCallers)
	}
	return s
}

func (v contextView) members(here string, most int) string {
	// What can be used from outside first, what it does before what it holds.
	order := func(m query.Member) int {
		n := 0
		if !m.Exported && v.Symbol.Exported {
			n += 2
		}
		if m.Kind == "field" {
			n++
		}
		return n
	}
	sorted := slices.Clone(v.Members)
	slices.SortStableFunc(sorted, func(a, b query.Member) int { return order(a) - order(b) })
	refs := make([]query.Ref, len(sorted))
	for i, m := range sorted {
		refs[i] = m.Ref
		refs[i].Name = m.Name + flag(m.Kind == "method", "()")
	}
	return spots(refs, here, most)
}

// shorten cuts a long signature or doc line at about that many tokens.
func shorten(s string, tokens int) string {
	s = strings.Join(strings.Fields(s), " ")
	if Tokens(s) <= tokens {
		return s
	}
	words := strings.Split(s, " ")
	for len(words) > 1 && Tokens(strings.Join(words, " ")) > tokens {
		words = words[:len(words)-1]
	}
	s = strings.Join(words, " ")
	for len(words) == 1 && Tokens(s) > tokens && len(s) > 8 {
		s = strings.ToValidUTF8(s[:len(s)*3/4], "")
	}
	return s + " ..."
}

func contextTable(r *query.ContextResult) table {
	t := table{head: []string{"symbol", "section", "name", "kind", "file", "line"}}
	for _, c := range r.Answers {
		add := func(section string, rs ...query.Ref) {
			for _, x := range rs {
				t.add(c.Symbol.Name, section, flag(x.Dynamic, "~")+x.Name, x.Kind, x.File, x.Line)
			}
		}
		for _, p := range c.Symbol.Places {
			t.add(c.Symbol.Name, "declared", c.Symbol.Name, c.Symbol.Kind, p.File, p.Line)
		}
		add("callers", c.Callers...)
		add("callees", c.Callees...)
		for _, h := range c.Hierarchy {
			add(h.Relation, h.Symbols...)
		}
		add("types", c.Types...)
		for _, m := range c.Members {
			add("members", m.Ref)
		}
	}
	return t
}
