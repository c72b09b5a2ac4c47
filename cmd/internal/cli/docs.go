package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/compiler/doc"
)

func docsVerb(e *env) *cobra.Command {
	var search bool
	cmd := &cobra.Command{
		Use:   "docs [TOPIC]",
		Short: "the reference of Pluto and of its library",
		Long: "Print a page of the language reference, of the standard library (std.strings, or one\n" +
			"declaration of it, std.strings.join), or with all the whole language reference. Without a\n" +
			"topic, list the topics; std lists the library. With --search, print the sections that have\n" +
			"all of the words, best first.\n\nExit codes: 0 printed, 1 there is nothing of that name, 2 misuse.",
		Example: "  sett docs errors\n  sett docs std.strings\n  sett docs --search close a channel",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := e.linesOrJSON(cmd); err != nil {
				return err
			}
			switch {
			case search && len(args) == 0:
				return misuse(cmd, "which words?")
			case !search && len(args) > 1:
				return misuse(cmd, "unexpected argument %q", args[1])
			}
			if e.format == "json" {
				return e.docsJSON(args, search)
			}
			topic, query := "", strings.Join(args, " ")
			if !search {
				topic, query = query, ""
			}
			text, err := doc.DocsAnswer(topic, query)
			if err != nil {
				return e.noDocs(err, "sett docs lists all")
			}
			_, err = io.WriteString(e.stdout, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&search, "search", false, "print the sections that have the words")
	return cmd
}

// docsJSON prints topics, or what a search finds, as JSON.
func (e *env) docsJSON(args []string, search bool) error {
	type section struct {
		Topic   string `json:"topic"`
		Section string `json:"section,omitempty"`
		Text    string `json:"text"`
	}
	type topic struct {
		Name    string `json:"name"`
		Title   string `json:"title,omitempty"`
		Summary string `json:"summary,omitempty"`
		Text    string `json:"text,omitempty"`
	}
	out := struct {
		Version  int       `json:"version"`
		Topics   []topic   `json:"topics,omitempty"`
		Sections []section `json:"sections,omitempty"`
	}{Version: 1}
	switch {
	case search:
		hits, err := doc.Sections("", strings.Join(args, " "))
		if err != nil {
			return e.noDocs(err, "sett docs lists all")
		}
		for _, h := range hits {
			out.Sections = append(out.Sections, section(h))
		}
	case len(args) == 0 || args[0] == doc.All:
		for _, t := range doc.Topics() {
			if len(args) == 0 {
				t.Text = ""
			}
			out.Topics = append(out.Topics, topic(t))
		}
	default:
		t, err := doc.Page(args[0])
		if err != nil {
			return e.noDocs(err, "sett docs lists all")
		}
		out.Topics = []topic{topic(t)}
	}
	return writeJSON(e.stdout, out)
}

// noDocs says that there is nothing of a name, and how to go on.
func (e *env) noDocs(err error, next string) error {
	var missing *doc.NotFound
	if !errors.As(err, &missing) {
		return err
	}
	fmt.Fprintf(e.stderr, "not_found: %v\n(%s)\n", err, next)
	return exitError(exitNothing)
}
