package compilertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/build"
)

// RunAll runs the cases of every archive (*.txtar) in a folder. An archive is one case when
// it has a file main.pluto; else the first segment of its paths names the cases:
//
//	-- main.pluto --            -- halves/main.pluto --
//	-- stdout --                -- halves/stdout --
//
// A case is its files, and sections that say how it is run and what comes of it:
//
//	args, env     one to a line
//	stdin
//	entry         the file to compile instead of main.pluto
//	test          run its tests (the section may be empty)
//	error         it is refused; the first line is in the first diagnostic, the others in any
//	warn          the warnings, a phrase to a line
//	stdout        exactly
//	stderr        each line is contained
//	exit          the exit code, 0 unless given
//
// UPDATE=1 rewrites the sections stdout. A folder without cases is a failure.
func RunAll(t *testing.T, dir string) {
	t.Helper()
	runArchives(t, filepath.Join(dir, "*.txtar"), build.Options{})
}

// RunRaces is RunAll for the archives that match a pattern, under Go's race detector.
func RunRaces(t *testing.T, pattern string) {
	t.Helper()
	runArchives(t, pattern, build.Options{Race: true})
}

func runArchives(t *testing.T, pattern string, options build.Options) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var cases []Case
	var where []origin
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for _, group := range groups(ar) {
			c, err := caseOf(group.files)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			c.Name = strings.TrimSuffix(base+"/"+group.name, "/")
			cases = append(cases, c)
			where = append(where, origin{path, group.name})
		}
	}
	if len(cases) == 0 {
		t.Fatalf("there are no cases in %s", pattern)
	}
	if os.Getenv("UPDATE") != "" {
		update(t, cases, where)
	}
	run(t, cases, options)
}

// origin is where a case comes from.
type origin struct{ path, group string }

type group struct {
	name  string
	files []txtar.File
}

// groups splits an archive into cases.
func groups(ar *txtar.Archive) []group {
	if slices.ContainsFunc(ar.Files, func(f txtar.File) bool { return f.Name == "main.pluto" || f.Name == "entry" }) {
		return []group{{"", ar.Files}}
	}
	var out []group
	for _, f := range ar.Files {
		first, rest, _ := strings.Cut(f.Name, "/")
		i := slices.IndexFunc(out, func(g group) bool { return g.name == first })
		if i < 0 {
			i = len(out)
			out = append(out, group{name: first})
		}
		out[i].files = append(out[i].files, txtar.File{Name: rest, Data: f.Data})
	}
	return out
}

// caseOf reads a case.
func caseOf(files []txtar.File) (Case, error) {
	c := Case{Files: map[string]string{}}
	for _, f := range files {
		text := string(f.Data)
		switch f.Name {
		case "args":
			c.Args = lines(text)
		case "env":
			c.Env = lines(text)
		case "stdin":
			c.Stdin = text
		case "entry":
			c.Entry = strings.TrimSpace(text)
		case "test":
			c.Test = true
		case "error":
			c.Errors = lines(text)
		case "warn":
			c.Warnings = lines(text)
		case "stdout":
			c.Stdout = &text
		case "stderr":
			c.Stderr = lines(text)
		case "exit":
			code, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil {
				return c, fmt.Errorf("reading the exit code: %w", err)
			}
			c.Exit = code
		default:
			if _, twice := c.Files[f.Name]; twice || f.Name == "" || filepath.Ext(f.Name) == "" {
				return c, fmt.Errorf("the section %q is unknown, or there twice", f.Name)
			}
			c.Files[f.Name] = text
		}
	}
	return c, nil
}

// lines are the lines of a text without their ends; never nil.
func lines(text string) []string {
	out := []string{}
	for l := range strings.Lines(text) {
		if l = strings.TrimRight(l, "\n"); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// update rewrites the sections stdout of the cases that print something else.
func update(t *testing.T, cases []Case, where []origin) {
	t.Helper()
	results := Results(t, cases)
	for i, r := range results {
		c := &cases[i]
		if c.Stdout == nil || r.Fault != "" || r.Refused != "" || r.Stdout == *c.Stdout || r.Stdout+"\n" == *c.Stdout {
			continue
		}
		c.Stdout = &r.Stdout
		ar, err := txtar.ParseFile(where[i].path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(where[i].group+"/stdout", "/")
		for k := range ar.Files {
			if ar.Files[k].Name == name {
				ar.Files[k].Data = []byte(r.Stdout)
			}
		}
		if err := os.WriteFile(where[i].path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
