package doc

import (
	"fmt"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
)

// Markdown is the reference of modules as one page.
func Markdown(modules []Module) string {
	var b strings.Builder
	b.WriteString("# The standard library\n\nGenerated from the modules' own comments and signatures; `UPDATE=1 go test ./compiler/doc` writes it anew.\n" +
		"Every example is compiled and run by a test.\n\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "- [`%s`](#%s): %s\n", m.Name, strings.ReplaceAll(m.Name, ".", ""), sentence(m.Text))
	}
	for _, m := range modules {
		b.WriteString("\n## " + m.Name + "\n")
		m.write(&b)
	}
	return b.String()
}

// write writes a module, without a heading.
func (m Module) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s\n", m.Text)
	if m.Example != "" {
		fmt.Fprintf(b, "\n```pluto\n%s\n```\n", m.Example)
	}
	if m.Prints != "" {
		fmt.Fprintf(b, "```output\n%s\n```\n", m.Prints)
	}
	for _, it := range m.Items {
		fmt.Fprintf(b, "\n### `%s`\n", it.Signature)
		text(b, "", it)
		for _, member := range it.Members {
			fmt.Fprintf(b, "\n- `%s`", member.Signature)
			text(b, "  ", member)
		}
		if len(it.Members) > 0 {
			b.WriteString("\n")
		}
	}
}

// sentence is the first sentence of a text, in one line.
func sentence(text string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	first, _, more := strings.Cut(strings.Join(strings.Fields(first), " "), ". ")
	if more {
		first += "."
	}
	return first
}

// text writes what is said of an item.
func text(b *strings.Builder, indent string, it Item) {
	said := it.Text
	if len(it.Raises) > 0 {
		if said != "" {
			said += "\n"
		}
		said += "Raises `" + strings.Join(it.Raises, "`, `") + "`."
	}
	if said == "" {
		if indent == "" {
			b.WriteString("\n")
		}
		return
	}
	if indent == "" {
		b.WriteString("\n" + said + "\n")
		return
	}
	b.WriteString(": " + strings.ReplaceAll(said, "\n", "\n"+indent))
}

// Contents is the page that leads to the topics of the language reference.
func Contents() string {
	var b strings.Builder
	b.WriteString("# The language reference\n\nCopied from `compiler/doc/reference`; `UPDATE=1 go test ./compiler/doc` writes it anew. `sett docs TOPIC` prints a page.\n" +
		"Every program in it is compiled by a test, which also runs it and compares what it prints; a wrong one is refused with exactly\nthe errors that its comments say.\n\n")
	for _, t := range Topics() {
		fmt.Fprintf(&b, "- [%s](%s.md): %s\n", t.Title, t.Name, t.Summary)
	}
	return b.String()
}

// Errors is the reference of the compiler's codes as one page.
func Errors() string {
	var b strings.Builder
	b.WriteString("# What the compiler says\n\nGenerated from its own rules; `sett explain CODE` prints one of them.\n")
	for _, r := range diag.Rules() {
		fmt.Fprintf(&b, "\n## %s: %s\n\n%s\n", r.Code, r.Title, r.Text)
		if r.Wrong != "" {
			fmt.Fprintf(&b, "\nWrong:\n\n```\n%s\n```\n", strings.TrimSpace(r.Wrong))
		}
		if r.Right != "" {
			fmt.Fprintf(&b, "\nRight:\n\n```\n%s\n```\n", strings.TrimSpace(r.Right))
		}
	}
	return b.String()
}
