package cli

import "github.com/spf13/cobra"

func migrateVerb(e *env) *cobra.Command {
	cmd := e.toolCommand(toolVerb{
		tool: "migrate", use: "migrate", short: "turn Pluto files into binary ones, or back",
		long: "Change the form of the file PATH, of the files below the folder PATH, or of all: text into the binary\n" +
			"form, or back with --to text. No byte of the text is lost, and identities stay.",
		example: "  sett migrate --to binary\n  sett migrate math --to text",
	})
	cmd.GroupID = groupPluto
	return cmd
}
