package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
)

func versionVerb(e *env) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		GroupID: groupWork,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse(cmd, "unexpected argument %q", args[0])
			}
			_, err := fmt.Fprintf(e.stdout, "sett %s %s %s/%s\n", app.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
