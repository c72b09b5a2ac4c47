package cli

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// queryVerbs makes a verb of every question.
func queryVerbs(e *env) []*cobra.Command {
	var verbs []*cobra.Command
	for _, spec := range query.All() {
		verbs = append(verbs, queryVerb(e, spec))
	}
	return verbs
}

// queryVerb makes a verb of one question: its parameters are flags and positionals.
func queryVerb(e *env, spec query.Spec) *cobra.Command {
	args := spec.NewArgs()
	set, err := params.Of(args)
	if err != nil { // a test over the table sees to it
		panic(err)
	}
	set.Defaults(args)
	cmd := &cobra.Command{
		Use:     spec.Verb + usage(set),
		Aliases: spec.Aliases,
		Short:   spec.Short,
		Long:    wrap(spec.Long, 90),
		Example: examples(spec.Example),
		GroupID: groupAsk,
	}
	cmd.Flags().SortFlags = false
	last := 0
	for i := range set.Fields {
		f := &set.Fields[i]
		switch {
		case !f.CLI:
		case f.Pos >= 0:
			last = f.Pos + 1
		default:
			declareFlag(cmd, set, f, args)
		}
	}
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if len(given) > last {
			return misuse(cmd, "unexpected argument %q", given[last])
		}
		for i := range last {
			f := &set.Fields[i]
			if i < len(given) {
				if err := set.Set(f, given[i], args); err != nil {
					return misuse(cmd, "%v", err)
				}
			} else if f.Need {
				return misuse(cmd, "which %s? (%s)", f.Name, f.Help)
			}
		}
		return e.ask(cmd, spec, args)
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(given) < last {
			switch f := &set.Fields[len(given)]; {
			case f.Enum != nil:
				return f.Enum, cobra.ShellCompDirectiveNoFileComp
			case f.Name == "path":
				return nil, cobra.ShellCompDirectiveDefault
			}
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// ask answers the question on standard output.
func (e *env) ask(cmd *cobra.Command, spec query.Spec, args any) error {
	bar := newProgress(e)
	p, err := e.open(sdk.Options{Progress: bar.tell})
	if err != nil {
		return err
	}
	defer p.Close()
	if app.Indexed(p.Root()) {
		// A process that lives for milliseconds has no need to collect what it drops: a
		// quarter of its time would go there.
		defer debug.SetGCPercent(debug.SetGCPercent(800))
	}
	if wd, err := os.Getwd(); err == nil && e.project == "" {
		if err := app.Localize(p.Root(), wd, args); err != nil {
			return err
		}
	}
	reply, err := app.Ask(cmd.Context(), p, spec, args, e.form())
	bar.finish()
	if err != nil {
		return err
	}
	if reply.Indexed && reply.Note == "" {
		fmt.Fprintf(e.stderr, "sett: indexed %s for the first time in %s\n", p.Root(), short(reply.Took))
	}
	if _, err := e.stdout.Write(reply.Text); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	if reply.Note != "" {
		fmt.Fprintln(e.stderr, reply.Note)
	}
	if reply.Empty {
		return exitError(exitNothing)
	}
	return nil
}

// declareFlag makes a flag of a parameter.
func declareFlag(cmd *cobra.Command, set *params.Set, f *params.Field, args any) {
	help := f.Help
	if f.Enum != nil {
		help = strings.TrimSpace(help + " (" + strings.Join(f.Enum, ", ") + ")")
	}
	flag := cmd.Flags().VarPF(&flagValue{set: set, field: f, args: args}, flagName(f), f.Short, help)
	if f.Kind == params.Bool {
		flag.NoOptDefVal = "true"
	}
	values := f.Enum
	if values == nil && f.Name == "kind" {
		for _, k := range graph.Kinds() {
			values = append(values, k.String())
		}
	}
	if values != nil {
		_ = cmd.RegisterFlagCompletionFunc(flagName(f), cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
}

// flagName is the parameter's name as flags are written.
func flagName(f *params.Field) string { return strings.ReplaceAll(f.Name, "_", "-") }

// flagValue is a parameter as a flag: it has the methods of pflag's Value.
type flagValue struct {
	set   *params.Set
	field *params.Field
	args  any
}

func (v *flagValue) Set(s string) error { return v.set.Set(v.field, s, v.args) }

func (v *flagValue) String() string {
	if v.set == nil { // pflag asks a zero value what its default looks like
		return ""
	}
	if s := v.set.Get(v.field, v.args); s != "0" {
		return s
	}
	return ""
}

func (v *flagValue) Type() string {
	switch v.field.Kind {
	case params.Bool:
		return "bool"
	case params.Int:
		return "N"
	case params.Float:
		return "X"
	case params.Strings:
		return "LIST"
	}
	return "TEXT"
}

// usage writes the positionals of a verb.
func usage(set *params.Set) string {
	var b strings.Builder
	for _, f := range set.Fields {
		if f.Pos < 0 || !f.CLI {
			continue
		}
		name := strings.ToUpper(f.Name)
		if !f.Need {
			name = "[" + name + "]"
		}
		b.WriteString(" " + name)
	}
	return b.String()
}

// wrap breaks a text into lines of at most width bytes, where it has spaces.
func wrap(text string, width int) string {
	var b strings.Builder
	n := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case n+1+len(word) > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	return b.String()
}

func examples(lines []string) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("  " + l)
	}
	return b.String()
}
