// Package script runs whole-program scenarios. A scenario is a txtar archive: its files
// are the project, its comment is a transcript,
//
//	What the scenario shows.
//
//	> sett refs Greet
//	Greet function main.go:5 · 1 ref in 1 file
//	main.go 9
//	> sett refs Gret
//	! not_found: no symbol "Gret"; did you mean Greet?
//	[exit 1]
//
// in which a line with "! " came on standard error and the exit code is given when it is
// not 0. Commands beside sett: cp, mv, rm, mkdir, cd, cat, ls, and programs of the folder by
// ./NAME, and the tools that the caller adds. `sett ... < FILE` reads the file. Times, sizes and the folder's name are replaced by
// fixed words. UPDATE=1 in the environment rewrites what the commands print.
package script

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Main is a program: it takes the arguments after the name and returns the exit code.
type Main func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Tools are commands of scenarios by name. They take the arguments after the name, and give
// what is printed.
type Tools map[string]func(args []string) (string, error)

// Run runs every scenario that the pattern matches, each in a fresh folder. It fails
// when there are fewer of them than the floor.
func Run(t *testing.T, pattern string, floor int, main Main, tools Tools) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < floor {
		t.Fatalf("%d scenarios match %s, want at least %d", len(files), pattern, floor)
	}
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { run(t, abs, main, tools) })
	}
}

func run(t *testing.T, file string, main Main, tools Tools) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if err := os.CopyFS(dir, mustFS(t, archive)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)

	r := runner{t: t, main: main, tools: tools, dir: dir}
	var got strings.Builder
	commands := 0
	for _, s := range split(string(archive.Comment)) {
		got.WriteString(s.prose)
		if s.command == "" {
			continue
		}
		commands++
		fmt.Fprintf(&got, "> %s\n%s", s.command, r.do(s.command))
	}
	if commands == 0 {
		t.Fatal("the scenario has no command")
	}
	want := string(archive.Comment)
	if text := got.String() + "\n"; trimmed(text) != trimmed(want) {
		if os.Getenv("UPDATE") == "" {
			t.Errorf("got:\n%s\nwant:\n%s", text, want)
		} else {
			archive.Comment = []byte(text)
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.check()
}

func trimmed(s string) string { return strings.TrimRight(s, "\n") }

func mustFS(t *testing.T, a *txtar.Archive) fs.FS {
	t.Helper()
	f, err := txtar.FS(a)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// step is one command of a transcript and the prose before it.
type step struct{ prose, command string }

// split finds the commands of a transcript and drops what they printed.
func split(text string) []step {
	var steps []step
	var prose strings.Builder
	printed := false
	for l := range strings.Lines(text) {
		line := strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(line, "> "):
			steps = append(steps, step{prose.String(), line[2:]})
			prose.Reset()
			printed = true
		case strings.HasPrefix(line, "# "):
			prose.WriteString(line + "\n")
		case !printed:
			prose.WriteString(line + "\n")
		}
	}
	if prose.Len() > 0 {
		steps = append(steps, step{prose: prose.String()})
	}
	return steps
}

type runner struct {
	t     *testing.T
	main  Main
	tools Tools
	dir   string
}

// do runs a command and returns what the transcript shows of it.
func (r *runner) do(command string) string {
	words, err := fields(command)
	if err != nil {
		return fmt.Sprintf("! %v\n", err)
	}
	var out, errs bytes.Buffer
	switch {
	case words[0] == "sett":
		args, stdin := words[1:], ""
		if n := len(words) - 2; n > 0 && words[n] == "<" {
			text, err := os.ReadFile(words[n+1])
			if err != nil {
				return fmt.Sprintf("! %v\n", err)
			}
			args, stdin = words[1:n], string(text)
		}
		code := r.main(r.t.Context(), args, strings.NewReader(stdin), &out, &errs)
		return r.show(out.String(), errs.String(), code)
	case strings.HasPrefix(words[0], "./"):
		cmd := exec.CommandContext(r.t.Context(), words[0], words[1:]...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			return fmt.Sprintf("! %s\n", r.steady(err.Error()))
		}
		return r.show(out.String(), errs.String(), cmd.ProcessState.ExitCode())
	case r.tools[words[0]] != nil:
		text, err := r.tools[words[0]](words[1:])
		if err != nil {
			return fmt.Sprintf("! %s\n", r.steady(err.Error()))
		}
		return r.show(text, "", 0)
	case words[0] == "cat" && len(words) == 2:
		text, err := os.ReadFile(words[1])
		if err != nil {
			return fmt.Sprintf("! %s\n", r.steady(err.Error()))
		}
		return r.show(string(text), "", 0)
	case words[0] == "ls" && len(words) == 2:
		entries, err := os.ReadDir(words[1])
		if err != nil {
			return fmt.Sprintf("! %s\n", r.steady(err.Error()))
		}
		for _, e := range entries {
			out.WriteString(e.Name() + "\n")
		}
		return r.show(out.String(), "", 0)
	}
	if err := fileCommand(words); err != nil {
		return fmt.Sprintf("! %s\n", r.steady(err.Error()))
	}
	return ""
}

func (r *runner) show(out, errs string, code int) string {
	var b strings.Builder
	if out != "" {
		b.WriteString(strings.TrimSuffix(r.steady(out), "\n") + "\n")
	}
	for l := range strings.Lines(r.steady(errs)) {
		b.WriteString("! " + strings.TrimSuffix(l, "\n") + "\n")
	}
	if code != 0 {
		fmt.Fprintf(&b, "[exit %d]\n", code)
	}
	return b.String()
}

var (
	durations   = regexp.MustCompile(`\b\d+ ms\b|\b\d+\.\d+ s\b`)
	storeSizes  = regexp.MustCompile(`(?m)^store: .*$`)
	millis      = regexp.MustCompile(`("ms": )[\d.]+`)
	sizes       = regexp.MustCompile(`("(?:store|source)Bytes": )\d+`)
	generations = regexp.MustCompile(`("generation": "|^generation )\w+`)
	cached      = regexp.MustCompile(` \(\d+ cached\)`)
	taken       = regexp.MustCompile(`(\(|after )[\d.]+(?:ms|s)\b`)
	nanos       = regexp.MustCompile(`("took_ns":)\d+`)
	printed     = regexp.MustCompile(`("bytes":)\d+`)
	logs        = regexp.MustCompile(`\.sett/logs/(\w+)-[\w.-]+\.log`)
	programs    = regexp.MustCompile(`\((?:\w+-\w+, )?[\d.]+ [KM]B\)`)
	systems     = regexp.MustCompile(`("target":")\w+-\w+`)
)

// steady replaces what differs from run to run.
func (r *runner) steady(s string) string {
	s = strings.ReplaceAll(s, r.dir, "$DIR")
	s = durations.ReplaceAllString(s, "N ms")
	s = storeSizes.ReplaceAllString(s, "store: SIZE")
	s = millis.ReplaceAllString(s, "${1}0")
	s = sizes.ReplaceAllString(s, "${1}0")
	s = cached.ReplaceAllString(s, "")
	s = taken.ReplaceAllString(s, "${1}N ms")
	s = nanos.ReplaceAllString(s, "${1}0")
	s = printed.ReplaceAllString(s, "${1}0")
	s = logs.ReplaceAllString(s, ".sett/logs/$1.log")
	s = programs.ReplaceAllString(s, "(SYSTEM, SIZE)")
	s = systems.ReplaceAllString(s, "${1}SYSTEM")
	return generations.ReplaceAllString(s, "${1}GENERATION")
}

// check walks the invariants of whatever index the scenario left behind.
func (r *runner) check() {
	if _, err := os.Stat(filepath.Join(r.dir, ".sett")); err != nil {
		return
	}
	var out, errs bytes.Buffer
	if code := r.main(r.t.Context(), []string{"debug", "check", "-C", r.dir}, strings.NewReader(""), &out, &errs); code != 0 {
		r.t.Errorf("sett debug check: exit %d\n%s%s", code, out.String(), errs.String())
	}
}

// fileCommand runs one of the commands that change files.
func fileCommand(words []string) error {
	switch {
	case words[0] == "cp" && len(words) == 3:
		b, err := os.ReadFile(words[1])
		if err != nil {
			return err
		}
		return os.WriteFile(words[2], b, 0o644)
	case words[0] == "mv" && len(words) == 3:
		return os.Rename(words[1], words[2])
	case words[0] == "rm" && len(words) == 2:
		return os.RemoveAll(words[1])
	case words[0] == "mkdir" && len(words) == 2:
		return os.MkdirAll(words[1], 0o755)
	case words[0] == "cd" && len(words) == 2:
		return os.Chdir(words[1])
	}
	return fmt.Errorf("no command %q with %d arguments", words[0], len(words)-1)
}

// fields splits a command line; single and double quotes keep words together.
func fields(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	open := false
	for _, c := range line {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteRune(c)
			}
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ':
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	if quote != 0 || len(words) == 0 {
		return nil, fmt.Errorf("cannot read the command %q", line)
	}
	return words, nil
}
