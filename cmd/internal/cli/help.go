package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/query"
)

func helpVerb(e *env) *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "help about a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			if markdown {
				return writeManual(e.stdout, cmd.Root())
			}
			target, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownVerb(cmd.Root(), strings.Join(args, " "))
			}
			target.InitDefaultHelpFlag()
			return target.Help()
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the whole manual")
	if f := cmd.Flags().Lookup("markdown"); f != nil {
		f.Hidden = true
	}
	return cmd
}

// writeManual prints the manual of all verbs and tools.
func writeManual(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	b.WriteString("# The sett manual\n\nPrinted by `sett help --markdown`.\n\n" + root.Long + "\n\n")
	b.WriteString("## Flags of every command\n\n```text\n" + root.PersistentFlags().FlagUsages() + "```\n\n")
	b.WriteString("## Questions\n\n")
	specs := map[string]query.Spec{}
	for _, s := range query.All() {
		specs[s.Verb] = s
	}
	for _, cmd := range root.Commands() {
		if spec, ok := specs[cmd.Name()]; ok {
			writeQuestion(&b, cmd, spec)
		}
	}
	b.WriteString("## Commands\n\n")
	for _, cmd := range root.Commands() {
		if _, ok := specs[cmd.Name()]; !ok && cmd.IsAvailableCommand() && cmd.Name() != "completion" {
			writeCommand(&b, cmd)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeQuestion(b *strings.Builder, cmd *cobra.Command, spec query.Spec) {
	fmt.Fprintf(b, "### %s\n\n%s\n\nOver MCP: `%s`.\n\n", cmd.CommandPath(), spec.Long, spec.Tool)
	fmt.Fprintf(b, "```text\n%s\n\n%s\n```\n\n", cmd.UseLine(), cmd.Example)
	set, err := params.Of(spec.NewArgs())
	if err != nil || len(set.Fields) == 0 {
		return
	}
	b.WriteString("| parameter | flag | default | meaning |\n|---|---|---|---|\n")
	for i := range set.Fields {
		f := &set.Fields[i]
		flag := "--" + flagName(f)
		switch {
		case !f.CLI:
			flag = ""
		case f.Pos >= 0:
			flag = strings.ToUpper(f.Name)
		case f.Short != "":
			flag = "-" + f.Short + ", " + flag
		}
		name := f.Name
		if !f.MCP {
			name = ""
		}
		help := f.Help
		if f.Enum != nil {
			help += ": " + strings.Join(f.Enum, ", ")
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", code(name), code(flag), f.Default, strings.ReplaceAll(help, "|", "\\|"))
	}
	b.WriteString("\n")
}

func writeCommand(b *strings.Builder, cmd *cobra.Command) {
	long := cmd.Long
	if long == "" {
		long = strings.ToUpper(cmd.Short[:1]) + cmd.Short[1:] + "."
	}
	fmt.Fprintf(b, "### %s\n\n%s\n\n```text\n%s\n", cmd.CommandPath(), long, cmd.UseLine())
	if cmd.Example != "" {
		b.WriteString("\n" + cmd.Example + "\n")
	}
	if flags := cmd.LocalFlags().FlagUsages(); flags != "" && cmd.HasAvailableLocalFlags() {
		b.WriteString("\n" + flags)
	}
	b.WriteString("```\n\n")
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			writeCommand(b, sub)
		}
	}
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}
