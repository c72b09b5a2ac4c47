package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/mcpserver"
)

func mcpVerb(e *env) *cobra.Command {
	var o mcpserver.Options
	var transport, listen string
	cmd := &cobra.Command{
		Use:   "mcp [PATH]",
		Short: "serve the questions as tools over MCP",
		Long: "Serve the Model Context Protocol to a coding agent: on standard input and output, or\n" +
			"with --transport http on a loopback address, where requests need the bearer token that\n" +
			"is printed on standard error (or taken from SETT_MCP_TOKEN).\n\n" +
			"The project is PATH, else the flag -C, else CLAUDE_PROJECT_DIR, else the client's first\n" +
			"root, else the project of the current folder.\n\n" +
			"In projects with Pluto files the tools that edit, run and explain Pluto are listed too;\n" +
			"--toolset chooses among graph, more, edit, build, pluto, modules, cot and all. Every tool can be called,\n" +
			"listed or not. cot is the nine tools of a compiler's own server (check_file, get_type, run_tests,\n" +
			"...), which then answer in its words. With --dialect 000 or 001 the tools of Pluto answer in the JSON of that\n" +
			"document instead of lines; 000 also keeps edits in memory until they are saved.",
		Example: "  claude mcp add sett -- sett mcp\n  sett mcp --project shop --staged\n  sett mcp --transport http --listen 127.0.0.1:7388",
		GroupID: groupWork,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misuse(cmd, "unexpected argument %q", args[1])
			}
			o.Project, o.ProjectFlag = e.project, e.project != ""
			if len(args) == 1 {
				o.Project = args[0]
			}
			if o.Project != "" {
				if _, err := app.Folder(o.Project); err != nil {
					return err
				}
			}
			o.ProjectEnv = os.Getenv("CLAUDE_PROJECT_DIR")
			o.NoRefresh = e.noRefresh
			o.Log = e.stderr
			for _, v := range cmd.Root().Commands() {
				if !v.Hidden {
					o.Verbs = append(o.Verbs, mcpserver.Verb{Name: v.Name(), Short: v.Short})
				}
			}
			s, err := mcpserver.New(o)
			if err != nil {
				return misuse(cmd, "%v", err)
			}
			defer s.Close()
			switch transport {
			case "stdio":
				return s.ServeStdio(cmd.Context(), e.stdin, e.stdout)
			case "http":
				return s.ServeHTTP(cmd.Context(), listen, os.Getenv("SETT_MCP_TOKEN"))
			}
			return misuse(cmd, "no transport %q; one of stdio, http", transport)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&transport, "transport", "stdio", "stdio or http")
	flags.StringVar(&listen, "listen", "127.0.0.1:0", "loopback `ADDRESS` of the http transport")
	flags.StringSliceVar(&o.Toolsets, "toolset", nil, "list the tools of these `SETS` (default: graph and build, and edit and pluto where there is Pluto)")
	flags.BoolVar(&o.Staged, "staged", false, "keep edits in memory until the tool save writes them")
	flags.StringVar(&o.Dialect, "dialect", "", "answer about Pluto as document `N` has it: 000 or 001")
	flags.BoolVar(&o.ReadOnly, "read-only", false, "refuse every tool that changes a file")
	return cmd
}
