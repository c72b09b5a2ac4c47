package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/compiler/load"
)

func updateVerb(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "update [DIR]",
		Short: "move pluto.lock to the newest commits of git dependencies",
		Long: "Fetch the git dependencies of the Pluto package that DIR (default: the current folder) is in,\n" +
			"and move pluto.lock to the commits that their branches and tags have now. A build uses exactly\n" +
			"the commits of the lock, whatever happens to the branches.\n\n" +
			"Exit codes: 0 updated, or nothing to update; 1 a dependency could not be had, or the\n" +
			"manifest is wrong; 2 misuse; 3 not updated.",
		Example: "  sett update\n  sett update ../shop",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse(cmd, "unexpected argument %q", args[1])
			}
			dir, err := e.entry(args)
			if err != nil {
				return err
			}
			u := load.Update(dir, load.Options{})
			if !u.Found && u.Diags.Errors() == 0 {
				return &usageError{text: fmt.Sprintf("there is no %s in %s or above it", load.ManifestName, dir)}
			}
			for _, d := range u.Deps {
				ref := ""
				if d.Ref != "" {
					ref = " (" + d.Ref + ")"
				}
				switch {
				case d.From == d.To:
					fmt.Fprintf(e.stderr, "unchanged: %s %.12s%s\n", d.Name, d.To, ref)
				case d.From == "":
					fmt.Fprintf(e.stderr, "updated: %s to %.12s%s\n", d.Name, d.To, ref)
				default:
					fmt.Fprintf(e.stderr, "updated: %s from %.12s to %.12s%s\n", d.Name, d.From, d.To, ref)
				}
			}
			if len(u.Deps) == 0 && u.Diags.Errors() == 0 {
				fmt.Fprintln(e.stderr, "no git dependencies to update")
			}
			return e.checked(u.Diags.Sorted(), u.Diags.Errors())
		},
	}
}
