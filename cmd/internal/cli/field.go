package cli

import "github.com/spf13/cobra"

func fieldVerb(e *env) *cobra.Command {
	return e.family("field", "edit the fields of Pluto classes, errors and variants",
		"To rename or delete a field, name it to `sett decl`: sett decl rename Vector.x abscissa.",
		toolVerb{
			tool: "add_field", use: "add", short: "add a field",
			long:    "Add a field to the class, error or variant SYMBOL. Literals that lack it now are listed.",
			example: "  sett field add Vector z float\n  sett field add Service log Logger --injected",
		})
}
