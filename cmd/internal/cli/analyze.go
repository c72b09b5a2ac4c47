package cli

import "github.com/spf13/cobra"

func analyzeVerb(e *env) *cobra.Command {
	cmd := e.toolCommand(toolVerb{
		tool: "analyze", use: "analyze", short: "check Pluto modules and refresh what binary ones hold of it",
		long: "Check the file PATH, or all, and write what the checker found out, error sets and types, into binary\n" +
			"modules, where other programs can read it.",
		example: "  sett analyze\n  sett analyze main.pluto",
	})
	cmd.GroupID = groupPluto
	return cmd
}
