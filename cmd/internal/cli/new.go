package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/settgraph/sett/compiler/load"
)

func newVerb(e *env) *cobra.Command {
	var lib bool
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "begin a Pluto project",
		Long: "Make a folder NAME with a Pluto project in it: a manifest, a program and a test, or with\n" +
			"--lib a package for other projects. NAME may be a path. Nothing is overwritten.\n\n" +
			"Exit codes: 0 made, 1 there is something already, 2 misuse, 3 not made.",
		Example: "  sett new shop && sett run shop && sett test shop\n  sett new --lib wirekit",
		GroupID: groupPluto,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return misuse(cmd, "which name?")
			case len(args) > 1:
				return misuse(cmd, "unexpected argument %q", args[1])
			}
			return e.newProject(cmd, args[0], lib)
		},
	}
	cmd.Flags().BoolVar(&lib, "lib", false, "make a package without a program")
	return cmd
}

var projectName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func (e *env) newProject(cmd *cobra.Command, path string, lib bool) error {
	dir := filepath.Join(e.project, path)
	name := filepath.Base(dir)
	if !projectName.MatchString(name) {
		return misuse(cmd, "%q cannot be the name of a project: it takes a letter or _, then letters, digits, - and _", name)
	}
	files := appFiles
	if lib {
		files = libFiles
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		fmt.Fprintf(e.stderr, "exists: %s is not empty\n", dir)
		return exitError(exitNothing)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	words := strings.NewReplacer("NAME", name, "MODULE", strings.ReplaceAll(name, "-", "_"))
	for _, f := range files {
		file := words.Replace(f.name)
		to, err := os.OpenFile(filepath.Join(dir, file), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return fmt.Errorf("writing the project: %w", err)
		}
		_, err = to.WriteString(words.Replace(f.text))
		if closed := to.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fmt.Errorf("writing the project: %w", err)
		}
		fmt.Fprintln(e.stdout, filepath.ToSlash(filepath.Join(dir, file)))
	}
	return nil
}

// template is a file of a new project. NAME and MODULE stand for the name of the project.
type template struct{ name, text string }

var manifestFile = template{load.ManifestName, `[package]
name = "NAME"
version = "0.1.0"

[dependencies]
`}

var (
	ignoreFile    = template{".gitignore", "# what sett keeps here\n/.sett/\n"}
	ignoreProgram = template{".gitignore", ignoreFile.text + "# the program; a folder of its name is a module\n/NAME\n!/NAME/\n/NAME.exe\n/NAME.wasm\n"}
)

var appFiles = []template{
	manifestFile,
	{"main.pluto", `import greeting

fn main() {
    print(greeting.of("NAME"))
}
`},
	{"greeting.pluto", `// What to say to somebody.
pub fn of(name: string) string {
    return "hello {name}"
}
`},
	{"greeting_test.pluto", `import greeting

test "greets by name" {
    expect(greeting.of("you")).to_equal("hello you")
}
`},
	ignoreProgram,
}

var libFiles = []template{
	manifestFile,
	{"MODULE.pluto", `// The sum of all numbers.
pub fn total(numbers: [int]) int {
    let mut sum = 0
    for n in numbers {
        sum += n
    }
    return sum
}

test "adds all numbers" {
    expect(total([1, 2, 3])).to_equal(6)
}
`},
	ignoreFile,
}
