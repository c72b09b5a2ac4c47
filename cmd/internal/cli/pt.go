package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/sdk/pluto"
)

func ptVerb(e *env) *cobra.Command {
	cmd := e.family("pt", "text views of Pluto modules for people",
		"A binary module x.pluto has a text view x.pt. `pt generate` writes the view, `pt sync` takes edits of it\n"+
			"back into the module.",
		toolVerb{
			tool: "generate_pt", use: "generate", short: "write views",
			long: "Write the views of the module or folder PATH, or of all modules. Views that were edited are not\n" +
				"overwritten without --force. With --check, only say which views are old, and exit 1 if any is.",
			example: "  sett pt generate\n  sett pt generate --check       # in CI",
		},
		toolVerb{
			tool: "sync_pt", use: "sync", short: "take edits of views back",
			long: "Take the edits of the view PATH, of those below a folder, or of all, back into their modules.\n" +
				"Identities stay. Where both sides changed the same declaration nothing is written without --force.\n" +
				"With --check, only say what is out of sync, and exit 1 if anything is.",
			example: "  sett pt sync math/vectors.pt\n  sett pt sync --check           # in CI",
		})
	cmd.AddCommand(ptShow(e))
	return cmd
}

func ptShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "show FILE",
		Short: "print the view of a file",
		Long: "Print the text of FILE, binary or text, with the ids that a binary one has as comments. The file need not\n" +
			"be in a project, so git can show what changed in binary modules:\n\n" +
			"  echo '*.pluto diff=pluto' >> .gitattributes\n" +
			"  git config diff.pluto.textconv 'sett pt show'\n\n" +
			"Exit codes: 0 done; 1 there is no such file, or it is damaged; 2 misuse; 3 not done.",
		Example: "  sett pt show math/vectors.pluto",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return misuse(cmd, "which file?")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				err = fmt.Errorf("reading %s: %w", args[0], reason(err))
			}
			text := ""
			if err == nil {
				text, err = pluto.ShowPT(args[0], data)
			}
			if err != nil {
				fmt.Fprintln(e.stderr, "sett: "+err.Error())
				return exitError(exitNothing)
			}
			_, err = fmt.Fprint(e.stdout, text)
			return err
		},
	}
}
