package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/store"
	"github.com/settgraph/sett/sdk"
)

// debugVerb holds the views into the index for those who work on sett.
func debugVerb(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "debug",
		Short:   "look inside the index",
		GroupID: groupWork,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse(cmd, "no view %q", args[0])
			}
			return cmd.Help()
		},
	}
	views := []struct {
		use, short string
		args       int
		run        func(cmd *cobra.Command, p *sdk.Project, s *graph.Snapshot, args []string) error
	}{
		{"check", "walk all invariants of the index; exit 1 if one does not hold", 0, e.debugCheck},
		{"store", "list the generations and verify every byte of the current one", 0, e.debugStore},
		{"graph", "print the whole graph as text", 0, e.debugGraph},
		{"unit [NAME]", "list the units, or the files of one", 1, e.debugUnit},
	}
	for _, v := range views {
		cmd.AddCommand(&cobra.Command{
			Use:   v.use,
			Short: v.short,
			RunE: func(cmd *cobra.Command, args []string) error {
				if len(args) > v.args {
					return misuse(cmd, "unexpected argument %q", args[v.args])
				}
				p, err := e.open(sdk.Options{NoRefresh: true})
				if err != nil {
					return err
				}
				defer p.Close()
				s, _, err := p.Snapshot(cmd.Context())
				if err != nil {
					return err
				}
				return v.run(cmd, p, s, args)
			},
		})
	}
	return cmd
}

func (e *env) debugCheck(_ *cobra.Command, p *sdk.Project, s *graph.Snapshot, _ []string) error {
	problems := s.Check()
	if err := s.Err(); err != nil {
		return err
	}
	for _, problem := range problems {
		fmt.Fprintln(e.stdout, problem)
	}
	if st := store.At(p.Root()); len(problems) == 0 {
		ref, err := st.Current()
		if err == nil {
			_, err = st.Verify(ref)
		}
		if err != nil && !errors.Is(err, store.ErrNone) {
			return err
		}
	}
	if len(problems) > 0 {
		return exitError(exitNothing)
	}
	fmt.Fprintf(e.stdout, "%s, %s: all invariants hold\n", plural(s.NumNodes(), "node"), plural(len(s.Files()), "file"))
	return nil
}

func (e *env) debugStore(_ *cobra.Command, p *sdk.Project, _ *graph.Snapshot, _ []string) error {
	st := store.At(p.Root())
	generations, err := st.Generations()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, g := range generations {
		mark := ""
		if g.Current {
			mark = " current"
		}
		fmt.Fprintf(&b, "generation %s %s%s\n", g.ID, size(g.Disk), mark)
	}
	ref, err := st.Current()
	if err != nil {
		return err
	}
	if ref.Layer != "" {
		fmt.Fprintf(&b, "layer %s\n", ref.Layer)
	}
	kinds, err := st.Verify(ref)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		fmt.Fprintf(&b, "pages %-8s %6s %10s, stored in %s\n", k.Kind, group(k.Pages), size(k.Size), size(k.Stored))
	}
	_, err = e.stdout.Write([]byte(b.String()))
	return err
}

func (e *env) debugGraph(_ *cobra.Command, _ *sdk.Project, s *graph.Snapshot, _ []string) error {
	return s.WriteText(e.stdout)
}

func (e *env) debugUnit(cmd *cobra.Command, _ *sdk.Project, s *graph.Snapshot, args []string) error {
	var b strings.Builder
	files := map[string]int{}
	var names []string
	for _, f := range s.Files() {
		if files[f.Unit] == 0 {
			names = append(names, f.Unit)
		}
		files[f.Unit]++
		if len(args) == 1 && args[0] == f.Unit {
			fmt.Fprintf(&b, "%s %s %s%s\n", f.Path, plural(int(f.Lines), "line"), plural(len(s.InFile(f.ID)), "declaration"), marks(f))
		}
	}
	if len(args) == 0 {
		for _, name := range names {
			fmt.Fprintf(&b, "%s %s\n", name, plural(files[name], "file"))
		}
	} else if b.Len() == 0 {
		fmt.Fprintf(e.stderr, "not_found: no unit %q\n", args[0])
		return exitError(exitNothing)
	}
	_, err := e.stdout.Write([]byte(b.String()))
	return err
}

func marks(f graph.File) string {
	var s string
	if f.Test {
		s += " test"
	}
	if f.Generated {
		s += " generated"
	}
	if f.Broken {
		s += " broken"
	}
	return s
}
