package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/cmd/internal/plutoapp"
)

func declVerb(e *env) *cobra.Command {
	return e.family("decl", "look at and edit the declarations of Pluto programs",
		"Declarations are named as everywhere: by name (dot), handle (math/vectors.Vector.length), place\n"+
			"(math/vectors.pluto:12) or UUID, of which 8 digits will do. An edit changes nothing but what it is\n"+
			"about: comments, layout and identities stay. `sett undo` takes it back.",
		toolVerb{
			tool: "add_declaration", use: "add", short: "add declarations to a file",
			long: "Add the declarations of SOURCE to the file PATH, which is made when there is none. Imports in\n" +
				"SOURCE are merged with those of the file.",
			example: "  sett decl add math/vectors.pluto 'fn one() int { return 1 }'\n  sett decl add shop.pluto --file new.txt --position after:shop.Order",
		},
		toolVerb{
			tool: "replace_declaration", use: "replace", short: "give a declaration another text",
			long: "Put SOURCE, one declaration of the same kind, in the place of SYMBOL. The identity stays, and those of\n" +
				"members with the same name. When the name in SOURCE is another one, uses are renamed too.",
			example: "  sett decl replace dot --file dot.txt",
		},
		toolVerb{
			tool: "rename_declaration", use: "rename", short: "rename a declaration and all its uses",
			long: "Rename SYMBOL with all its uses in the project. A name that is taken, or that would capture or shadow\n" +
				"another, is refused.",
			example: "  sett decl rename math/vectors.dot inner_product\n  sett decl rename Vector.x abscissa --dry-run",
		},
		toolVerb{
			tool: "delete_declaration", use: "delete", short: "delete a declaration",
			long:    "Delete SYMBOL with the comments above it. What is used is not deleted without --force.",
			example: "  sett decl delete old_helper",
		},
		toolVerb{
			tool: "move_declaration", use: "move", short: "move a declaration to another file",
			long:    "Move SYMBOL to the file TO and mend the imports and the names in all files.",
			example: "  sett decl move main.Color colors.pluto",
		},
		toolVerb{
			tool: "list_declarations", use: "list", short: "list the declarations of a file",
			long:    "List what the file or folder PATH declares: signature, id, file and lines.",
			example: "  sett decl list math/vectors.pluto\n  sett decl list . --kind class",
		},
		toolVerb{
			tool: "get_declaration", use: "show", short: "show everything about a declaration",
			long:    "Print the signature, the errors, the members with their ids, and the source of SYMBOL.",
			example: "  sett decl show Vector",
		},
		toolVerb{
			tool: "find_declaration", use: "find", short: "find declarations by name",
			long:    "Find declarations, with staged or broken code around them too, by NAME.",
			example: "  sett decl find login\n  sett decl find vec --match prefix",
		},
	)
}

// toolVerb is a verb that answers as a tool does.
type toolVerb struct {
	tool, use, short, long, example string
}

// family makes a verb of several.
func (e *env) family(use, short, long string, verbs ...toolVerb) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, GroupID: groupPluto, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse(cmd, "which of its commands?")
			}
			text := fmt.Sprintf("no command %q", cmd.Name()+" "+args[0])
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				text += "; did you mean " + strings.Join(near[:min(3, len(near))], ", ") + "?"
			}
			return misuse(cmd, "%s", text)
		},
	}
	cmd.SuggestionsMinimumDistance = 2
	for _, v := range verbs {
		cmd.AddCommand(e.toolCommand(v))
		e.verbs[v.tool] = "`sett " + use + " " + v.use + "`"
	}
	return cmd
}

const exitsOfEdits = "\n\nExit codes: 0 done; 1 there is no such thing, or it is refused; 2 misuse; 3 not done."

// toolCommand makes a verb of a tool: its parameters are positionals and flags, and the
// answer is the text that the tool gives.
func (e *env) toolCommand(v toolVerb) *cobra.Command {
	e.verbs[v.tool] = "`sett " + v.use + "`"
	tool := plutoapp.Lookup(v.tool)
	set, args := tool.Params(), tool.Args()
	set.Defaults(args)
	cmd := &cobra.Command{Use: v.use + usage(set), Short: v.short, Long: v.long + exitsOfEdits, Example: v.example}
	flags := cmd.Flags()
	flags.SortFlags = false
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
	file := ""
	source := set.Lookup("source")
	if source != nil {
		flags.StringVar(&file, "file", "", "read SOURCE from `FILE`; - is standard input")
	}
	cmd.RunE = func(cmd *cobra.Command, given []string) error {
		if err := e.linesOrJSON(cmd); err != nil {
			return err
		}
		if len(given) > last {
			return misuse(cmd, "unexpected argument %q", given[last])
		}
		for i := range last {
			f := &set.Fields[i]
			switch {
			case i < len(given):
				if err := set.Set(f, given[i], args); err != nil {
					return misuse(cmd, "%v", err)
				}
			case f.Need && f != source:
				return misuse(cmd, "which %s? (%s)", f.Name, f.Help)
			}
		}
		if source != nil {
			if err := e.readSource(cmd, set, source, file, args); err != nil {
				return err
			}
		}
		return e.tool(cmd, tool, set, args)
	}
	return cmd
}

// readSource takes source text from where the command line says.
func (e *env) readSource(cmd *cobra.Command, set *params.Set, f *params.Field, file string, args any) error {
	text := set.Get(f, args)
	switch {
	case file != "" && text != "":
		return misuse(cmd, "the source is given twice")
	case file == "" && text == "" && !f.Need:
		return nil
	case file == "" && text != "" && text != "-":
		return nil
	case file == "" && text == "" && isTerminalIn(e.stdin):
		return misuse(cmd, "which source? (an argument, --file, or standard input)")
	}
	var data []byte
	var err error
	if file == "" || file == "-" {
		if data, err = io.ReadAll(e.stdin); err != nil {
			return fmt.Errorf("reading standard input: %w", err)
		}
	} else if data, err = os.ReadFile(file); err != nil {
		return &usageError{text: fmt.Sprintf("reading %s: %v", file, reason(err))}
	}
	return set.Set(f, string(data), args)
}

// tool prints the answer of a tool.
func (e *env) tool(cmd *cobra.Command, tool *plutoapp.Tool, set *params.Set, args any) error {
	dir := e.project
	if dir == "" {
		dir = "."
		if err := e.localize(set, args); err != nil {
			return err
		}
	}
	// As in ask: the process is gone before what it drops would matter.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	a := plutoapp.New(plutoapp.Options{Root: app.Root, Fixed: true})
	defer a.Close()
	reply, err := a.RunArgs(cmd.Context(), tool, dir, e.format == "json", args)
	if err != nil {
		return err
	}
	if _, err := e.stdout.Write(reply.Text); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	if reply.Failed {
		return exitError(exitNothing)
	}
	return nil
}

// localize makes paths that are meant from the current folder into ones that mean the same
// from everywhere.
func (e *env) localize(set *params.Set, args any) error {
	wd, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("finding the current folder: %w", err)
	}
	root, err := app.Root(wd)
	if err != nil {
		return err
	}
	for _, name := range []string{"path", "to", "pluto_path"} {
		f := set.Lookup(name)
		if f == nil || !f.CLI || f.Enum != nil {
			continue
		}
		text := set.Get(f, args)
		if text == "" || filepath.IsAbs(text) || exists(filepath.Join(root, text)) && !exists(filepath.Join(wd, text)) {
			continue
		}
		local, err := filepath.Rel(root, filepath.Join(wd, text))
		if err != nil || !filepath.IsLocal(local) {
			local = filepath.Join(wd, text) // outside, as the tool will say
		}
		if err := set.Set(f, local, args); err != nil {
			return err
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func isTerminalIn(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && isTerminal(f)
}

// otherVerbs are the commands that do what tools do and are not made from them.
func otherVerbs() map[string]string {
	return map[string]string{
		"docs": "`sett docs`", "stdlib_docs": "`sett docs std`", "explain": "`sett explain`",
		"usages_of": "`sett refs`", "callers_of": "`sett refs`", "get_source": "`sett source`", "project_path": "-C",
	}
}

var toolName = regexp.MustCompile(`\b(?:[a-z]+(?:_[a-z]+)+|docs|explain)\b`)

// refused is what to print when a tool refused, and the exit code; ok is false for other
// errors. Where the next step is another tool, it is the command that does the same.
func (e *env) refused(err error) (text string, code int, ok bool) {
	var f *plutoapp.Failure
	if !errors.As(err, &f) {
		return "", 0, false
	}
	f.Hint = strings.ReplaceAll(f.Hint, "find_declaration with match: fuzzy", "`sett decl find --match fuzzy`")
	f.Hint = toolName.ReplaceAllStringFunc(f.Hint, func(name string) string {
		if verb := e.verbs[name]; verb != "" {
			return verb
		}
		return name
	})
	switch {
	case f.Misuse():
		return f.Error(), exitMisuse, true
	}
	return f.Error(), exitNothing, true
}
