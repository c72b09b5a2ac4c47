package cli

import "github.com/spf13/cobra"

func methodVerb(e *env) *cobra.Command {
	return e.family("method", "edit the methods of Pluto classes, traits and apps",
		"To replace, rename or delete a method, name it to `sett decl`: sett decl delete Vector.length.",
		toolVerb{
			tool: "add_method", use: "add", short: "add a method",
			long:    "Add the method SOURCE, written as in the class, to the class, trait or app SYMBOL.",
			example: "  sett method add Vector 'fn sum(self) float { return self.x + self.y }'",
		})
}
