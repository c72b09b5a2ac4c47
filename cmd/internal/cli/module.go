package cli

import "github.com/spf13/cobra"

func moduleVerb(e *env) *cobra.Command {
	return e.family("module", "list and edit the files of Pluto programs", "A module is one file.",
		toolVerb{
			tool: "list_modules", use: "list", short: "list the modules of the project",
			long:    "List the Pluto files of the project, or those below the folder PATH, with counts of what they declare.",
			example: "  sett module list",
		},
		toolVerb{
			tool: "create_module", use: "create", short: "create a module",
			long:    "Create the file PATH with the text SOURCE, or empty.",
			example: "  sett module create util/ids.pluto\n  sett module create colors.pluto --file colors.txt",
		},
		toolVerb{
			tool: "rename_module", use: "rename", short: "rename or move a module and mend all imports of it",
			long:    "Rename the file PATH to TO and mend all imports of it. Identities stay.",
			example: "  sett module rename math/vectors.pluto math/linear.pluto",
		},
		toolVerb{
			tool: "delete_module", use: "delete", short: "delete a module",
			long:    "Delete the file PATH. One that something uses is not deleted without --force.",
			example: "  sett module delete old.pluto",
		})
}
