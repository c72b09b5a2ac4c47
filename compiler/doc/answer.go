package doc

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
)

// NotFound says that there is no page of a name.
type NotFound struct {
	What string   // topic, module, rule, match
	Name string   // what was asked for
	Near []string // at most three that may have been meant
	Next string   // how to go on
}

func (e *NotFound) Error() string {
	text := fmt.Sprintf("no %s %q", e.What, e.Name)
	if len(e.Near) > 0 {
		text += "; did you mean " + strings.Join(e.Near, ", ") + "?"
	}
	if e.Next != "" {
		text += " (" + e.Next + ")"
	}
	return text
}

// All is the topic that stands for the whole language reference.
const All = "all"

// DocsAnswer is what there is to read about a topic: a page of the reference, a module or a
// declaration of the library (std.strings, std.strings.join), the code of a rule, or All. With
// a query it is the best sections for that, of the topic if one is given. With neither it is
// the list of topics. The error is a *NotFound.
func DocsAnswer(topic, query string) (string, error) {
	topic, query = strings.TrimSpace(topic), strings.TrimSpace(query)
	switch {
	case query != "":
		return searchAnswer(topic, query)
	case topic == "":
		return list(), nil
	case topic == All:
		var b strings.Builder
		for _, t := range Topics() {
			b.WriteString(t.Text + "\n")
		}
		return strings.TrimSuffix(b.String(), "\n"), nil
	}
	t, err := Page(topic)
	return t.Text, err
}

var (
	codeLike   = regexp.MustCompile(`^[Pp]\d+$`)
	moduleLike = regexp.MustCompile(`^(std\b|\w+\.\w)`)
)

// Page is the topic, the module or declaration of the library, or the rule of a name. The error
// is a *NotFound, unless the library is broken.
func Page(name string) (Topic, error) {
	t, near, ok := Find(name)
	switch {
	case ok:
		return t, nil
	case moduleLike.MatchString(name):
		return StdlibModule(name)
	case codeLike.MatchString(name):
		text, err := ExplainAnswer(name)
		return Topic{Name: strings.ToUpper(name), Text: text}, err
	}
	if modules, err := StdlibModules(); err == nil {
		for _, m := range modules {
			if m.Name == "std."+name {
				near = append([]string{m.Name}, near...)
			}
		}
	}
	return Topic{}, &NotFound{"topic", name, near[:min(3, len(near))], ""}
}

// list is all topics, a line each.
func list() string {
	var b strings.Builder
	for _, t := range Topics() {
		fmt.Fprintf(&b, "%s: %s\n", t.Name, t.Summary)
	}
	b.WriteString("std: the standard library; std.strings: a module of it\n")
	return b.String()
}

// Sections is what [Search] finds, in everything or in the pages of a topic. The error is a
// *NotFound, also when nothing is found.
func Sections(topic, query string) ([]Hit, error) {
	in := everything
	if topic != "" && topic != All {
		t, err := Page(topic)
		if err != nil {
			return nil, err
		}
		in = func() []Hit { return sections(t) }
	}
	hits := search(query, in())
	if len(hits) == 0 {
		return nil, &NotFound{What: "section with", Name: query, Next: "fewer words find more"}
	}
	return hits, nil
}

const (
	shownHits = 3    // sections that a search shows in full
	hitBytes  = 5000 // and how much text they are at most, the first one aside
)

func searchAnswer(topic, query string) (string, error) {
	hits, err := Sections(topic, query)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, h := range hits {
		if i > 0 && (i >= shownHits || b.Len()+len(h.Text) > hitBytes) {
			var also []string
			for _, h := range hits[i:min(len(hits), i+5)] {
				also = append(also, h.name())
			}
			fmt.Fprintf(&b, "\n%d more: %s\n", len(hits)-i, strings.Join(also, "; "))
			break
		}
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "## %s\n\n", h.name())
		if h.Text != "" {
			b.WriteString(h.Text + "\n")
		}
	}
	return b.String(), nil
}

func (h Hit) name() string {
	if h.Section == "" {
		return h.Topic
	}
	return h.Topic + ": " + h.Section
}

// StdlibModules is the standard library, a topic for each module.
func StdlibModules() ([]Topic, error) {
	modules, err := Stdlib()
	if err != nil {
		return nil, err
	}
	out := make([]Topic, len(modules))
	for i, m := range modules {
		var b strings.Builder
		b.WriteString("# " + m.Name + "\n")
		m.write(&b)
		out[i] = Topic{m.Name, m.Name, sentence(m.Text), b.String()}
	}
	return out, nil
}

// StdlibModule is the documentation of a module, std.strings, std/strings or strings, or of one declaration
// of it, std.strings.join. The error is a *NotFound, unless the library is broken.
func StdlibModule(name string) (Topic, error) {
	modules, err := StdlibModules()
	if err != nil {
		return Topic{}, err
	}
	if name == "std" {
		return Topic{Name: "std", Title: "The standard library", Text: listModules(modules)}, nil
	}
	full := "std." + strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(name), "/", "."), "std.")
	var names []string
	for _, m := range modules {
		if m.Name == full {
			return m, nil
		}
		item, ok := strings.CutPrefix(full, m.Name+".")
		if !ok {
			names = append(names, m.Name)
			continue
		}
		var near []string
		for _, s := range sections(m)[1:] {
			n := declared(s.Section)
			if n == item {
				return Topic{Name: full, Title: s.Section, Text: "`" + s.Section + "`\n\n" + s.Text + "\n"}, nil
			}
			near = append(near, m.Name+"."+n)
		}
		return Topic{}, &NotFound{What: "declaration", Name: full, Near: nearest(full, near)}
	}
	return Topic{}, &NotFound{What: "module", Name: name, Near: nearest(full, names)}
}

// declared is the name in a signature.
func declared(signature string) string {
	_, rest, _ := strings.Cut(signature, " ")
	return rest[:len(rest)-len(strings.TrimLeft(rest, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))]
}

// StdlibAnswer is the text of [StdlibModule]; for no module a line about each.
func StdlibAnswer(module string) (string, error) {
	if strings.TrimSpace(module) == "" {
		module = "std"
	}
	t, err := StdlibModule(module)
	return t.Text, err
}

func listModules(modules []Topic) string {
	var b strings.Builder
	b.WriteString("`import std.strings`, then `strings.join(...)`.\n\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "%s: %s\n", m.Name, m.Summary)
	}
	return b.String()
}

// RulesWith are the rules whose title has the word; all for no word.
func RulesWith(word string) []diag.Rule {
	return slices.DeleteFunc(diag.Rules(), func(r diag.Rule) bool {
		return !strings.Contains(strings.ToLower(r.Title), strings.ToLower(word))
	})
}

// ExplainAnswer is the rule behind a code, with the smallest program that breaks it and the
// same program mended; for a word, the rules that have it in their title; for nothing all of
// them. The error is a *NotFound.
func ExplainAnswer(code string) (string, error) {
	code = strings.TrimSpace(code)
	var b strings.Builder
	if r, ok := diag.Explain(diag.Code(strings.ToUpper(code))); ok {
		fmt.Fprintf(&b, "%s: %s\n", r.Code, r.Title)
		if r.Text != "" {
			fmt.Fprintf(&b, "\n%s\n", r.Text)
		}
		if r.Wrong != "" {
			fmt.Fprintf(&b, "\nWrong:\n\n%s\nRight:\n\n%s", indent(r.Wrong), indent(r.Right))
		}
		return b.String(), nil
	}
	rules := RulesWith(code)
	if len(rules) == 0 {
		return "", &NotFound{What: "rule", Name: code, Near: nearCodes(code)}
	}
	for _, r := range rules {
		fmt.Fprintf(&b, "%s %s\n", r.Code, r.Title)
	}
	return b.String(), nil
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			line = "    " + line
		}
		b.WriteString(line)
	}
	return b.String()
}

var numbered = regexp.MustCompile(`^[Pp]?\d+$`)

// nearCodes are rules whose codes begin as a number does that is none.
func nearCodes(code string) []string {
	if !numbered.MatchString(code) {
		return nil
	}
	digits := strings.TrimLeft(code, "Pp")
	var near []string
	for n := len(digits); n > 0 && len(near) == 0; n-- {
		for _, r := range diag.Rules() {
			if len(near) < 3 && strings.HasPrefix(string(r.Code), "P"+digits[:n]) {
				near = append(near, string(r.Code))
			}
		}
	}
	return near
}
