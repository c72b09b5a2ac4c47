package cli

import "github.com/spf13/cobra"

func ptVerb(e *env) *cobra.Command {
	return e.family("pt", "text views of Pluto modules for people",
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
}
