package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/compiler/diag"
)

func explainVerb(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE|WORD]",
		Short: "explain an error of the Pluto compiler",
		Long: "Print the rule behind the code of an error: why it is so, a program that breaks it and the\n" +
			"same program mended. With a word, list the rules that have it in their title; with nothing,\n" +
			"list all.\n\nExit codes: 0 explained, 1 there is no such rule, 2 misuse.",
		Example: "  sett explain P0202\n  sett explain import",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse(cmd, "unexpected argument %q", args[1])
			}
			if err := e.linesOrJSON(cmd); err != nil {
				return err
			}
			word := ""
			if len(args) == 1 {
				word = args[0]
			}
			if rule, ok := diag.Explain(diag.Code(strings.ToUpper(word))); ok {
				return e.explain(rule)
			}
			rules := rulesWith(word)
			if len(rules) == 0 {
				return e.noRule(word)
			}
			return e.listRules(rules)
		},
	}
}

// ruleJSON is a rule as JSON has it.
type ruleJSON struct {
	Code  diag.Code `json:"code"`
	Title string    `json:"title"`
	Text  string    `json:"text,omitempty"`
	Wrong string    `json:"wrong,omitempty"`
	Right string    `json:"right,omitempty"`
}

func (e *env) explain(r diag.Rule) error {
	if e.format == "json" {
		return writeJSON(e.stdout, struct {
			Version int `json:"version"`
			ruleJSON
		}{1, ruleJSON(r)})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Code, r.Title)
	if r.Text != "" {
		fmt.Fprintf(&b, "\n%s\n", r.Text)
	}
	if r.Wrong != "" {
		fmt.Fprintf(&b, "\nWrong:\n\n%s\nRight:\n\n%s", indent(r.Wrong), indent(r.Right))
	}
	_, err := io.WriteString(e.stdout, b.String())
	return err
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

// rulesWith are the rules whose title has the word; all for no word.
func rulesWith(word string) []diag.Rule {
	var out []diag.Rule
	for _, r := range diag.Rules() {
		if strings.Contains(strings.ToLower(r.Title), strings.ToLower(word)) {
			out = append(out, r)
		}
	}
	return out
}

func (e *env) listRules(rules []diag.Rule) error {
	if e.format == "json" {
		out := make([]ruleJSON, len(rules))
		for i, r := range rules {
			out[i] = ruleJSON(r)
		}
		return writeJSON(e.stdout, struct {
			Version int        `json:"version"`
			Rules   []ruleJSON `json:"rules"`
		}{1, out})
	}
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&b, "%s %s\n", r.Code, r.Title)
	}
	_, err := io.WriteString(e.stdout, b.String())
	return err
}

var codeLike = regexp.MustCompile(`^[Pp]?\d+$`)

// noRule says which rules are near one that does not exist.
func (e *env) noRule(word string) error {
	text := fmt.Sprintf("not_found: no rule %q", word)
	if codeLike.MatchString(word) {
		digits := strings.TrimLeft(word, "Pp")
		var near []string
		for n := len(digits); n > 0 && len(near) == 0; n-- {
			for _, r := range diag.Rules() {
				if len(near) < 3 && strings.HasPrefix(string(r.Code), "P"+digits[:n]) {
					near = append(near, string(r.Code))
				}
			}
		}
		if len(near) > 0 {
			text += "; did you mean " + strings.Join(near, ", ") + "?"
		}
	}
	fmt.Fprintf(e.stderr, "%s\n(sett explain lists all)\n", text)
	return exitError(exitNothing)
}
