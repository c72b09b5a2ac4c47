package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/doc"
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
			text, err := doc.ExplainAnswer(word)
			if err != nil {
				return e.noDocs(err, "sett explain lists all")
			}
			if e.format == "json" {
				return e.explainJSON(word)
			}
			_, err = io.WriteString(e.stdout, text)
			return err
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

// explainJSON prints the rule of a code, or those whose title has a word.
func (e *env) explainJSON(word string) error {
	if r, ok := diag.Explain(diag.Code(strings.ToUpper(word))); ok {
		return writeJSON(e.stdout, struct {
			Version int `json:"version"`
			ruleJSON
		}{1, ruleJSON(r)})
	}
	out := []ruleJSON{}
	for _, r := range doc.RulesWith(word) {
		out = append(out, ruleJSON(r))
	}
	return writeJSON(e.stdout, struct {
		Version int        `json:"version"`
		Rules   []ruleJSON `json:"rules"`
	}{1, out})
}
