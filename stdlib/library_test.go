package stdlib_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/stdlib"
)

// programs is one executable with the tests of every module ("test strings"), the example in
// the head of every module ("example strings") and the programs of testdata/programs ("run
// server"): linking once is what makes trying all of them quick.
var programs = sync.OnceValues(func() (string, error) {
	all := map[string]build.Files{}
	var faults []error
	add := func(name, path string, o load.Options) {
		files, err := compile(path, o)
		all[name], faults = files, append(faults, err)
	}
	for _, dir := range []string{"tests", "programs"} {
		paths, err := filepath.Glob("testdata/" + dir + "/*.pluto")
		if err != nil {
			return "", err
		}
		for _, p := range paths {
			name := map[string]string{"tests": "test ", "programs": "run "}[dir] + strings.TrimSuffix(filepath.Base(p), ".pluto")
			add(name, p, load.Options{Standalone: true, Test: dir == "tests"})
		}
	}
	dir, err := os.MkdirTemp("", "stdlib-test-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, head := range heads() {
		p := filepath.Join(dir, name+"_example.pluto")
		if err := os.WriteFile(p, []byte(section(head, "Example")), 0o644); err != nil {
			return "", err
		}
		add("example "+name, p, load.Options{Standalone: true})
	}
	if err := errors.Join(faults...); err != nil {
		return "", err
	}
	p, refused, err := build.Batch(context.Background(), all, build.Options{})
	if err != nil {
		return "", err
	}
	for name, why := range refused {
		return "", fmt.Errorf("%s: Go refuses the generated text:\n%s", name, why)
	}
	return p.Path, nil
})

func compile(path string, o load.Options) (build.Files, error) {
	p := compiler.Check(path, o)
	var faults []error
	for _, d := range p.Diags.Sorted() {
		faults = append(faults, fmt.Errorf("%s:%d: %s", d.File.Name, d.File.Line(d.Span.Start), d.Message))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	out, err := compiler.Generate(p)
	if err != nil {
		return nil, err
	}
	return out.Files, nil
}

// program is one of the programs as a command.
func program(t *testing.T, name string, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(append(os.Environ(), build.ProgramVariable+"="+name, "TMPDIR="+t.TempDir()), env...)
	return cmd
}

// run runs a program to its end.
func run(t *testing.T, name, stdin string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := program(t, name)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func TestModules(t *testing.T) {
	if _, err := programs(); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("testdata/tests/*.pluto")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 15 {
		t.Errorf("only %d files with tests", len(paths))
	}
	for _, p := range paths {
		name := strings.TrimSuffix(filepath.Base(p), ".pluto")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Count("\n"+string(text), "\ntest ")
			stdout, stderr, err := run(t, "test "+name, "")
			if err != nil || !strings.HasSuffix(stdout, fmt.Sprintf("\n%d tests passed\n", want)) {
				t.Errorf("%v\n%s%s", err, stdout, stderr)
			}
		})
	}
}

func TestExamples(t *testing.T) {
	if _, err := programs(); err != nil {
		t.Fatal(err)
	}
	n := 0
	for name, head := range heads() {
		n++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, err := run(t, "example "+name, "")
			if want := section(head, "Prints"); err != nil || stdout != want {
				t.Errorf("%v %s\ngot:\n%swant:\n%s", err, stderr, stdout, want)
			}
		})
	}
	if n < 19 {
		t.Errorf("only %d modules", n)
	}
}

// heads are the comments at the top of the modules, without the slashes.
func heads() map[string]string {
	heads := map[string]string{}
	files := stdlib.Files()
	paths, _ := fs.Glob(files, "*/*.pluto") // the pattern is fine
	for _, p := range paths {
		text, _ := fs.ReadFile(files, p) // it is embedded
		var head strings.Builder
		for line := range strings.Lines(string(text)) {
			rest, ok := strings.CutPrefix(line, "//")
			if !ok {
				break
			}
			head.WriteString(strings.TrimPrefix(rest, " "))
		}
		heads[strings.TrimSuffix(filepath.Base(p), ".pluto")] = head.String()
	}
	return heads
}

// section is the indented text after a line "title:", without its indent.
func section(head, title string) string {
	_, text, found := strings.Cut(head, title+":\n")
	if !found {
		return ""
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "    ")
		if !ok && strings.TrimSpace(line) != "" {
			break
		}
		out.WriteString(strings.TrimPrefix(rest, "\n"))
		if rest == "\n" {
			out.WriteString("\n")
		}
	}
	return strings.TrimLeft(out.String(), "\n")
}

var declared = regexp.MustCompile(`(?m)^(?:(pub) (?:class|trait)|(pub fn|    fn|\}))(?: (\w+))?`)

// TestEverythingIsTried fails for a public function, or a method of a public class, that no
// test, example or program calls.
func TestEverythingIsTried(t *testing.T) {
	var calls strings.Builder
	for _, dir := range []string{"tests", "programs"} {
		paths, err := filepath.Glob("testdata/" + dir + "/*.pluto")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			calls.Write(text)
		}
	}
	n := 0
	for module, text := range texts() {
		inClass := false
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			switch {
			case m[1] == "pub":
				inClass = true
				continue
			case m[2] == "}":
				inClass = false
				continue
			case m[2] == "    fn" && !inClass:
				continue
			}
			call := "." + m[3] + "("
			if m[2] == "pub fn" {
				call = module + call
			}
			n++
			if !strings.Contains(calls.String(), call) {
				t.Errorf("nothing calls %s of %s", call, module)
			}
		}
	}
	if n < 250 {
		t.Errorf("only %d functions", n)
	}
}

// TestEverythingIsDocumented fails for a public declaration, or a method of a public class or
// trait, without a comment right above it. Methods of a class that implements a trait may have
// theirs there.
func TestEverythingIsDocumented(t *testing.T) {
	n := 0
	for module, text := range texts() {
		before, inClass := "", false
		for line := range strings.Lines(text) {
			public := strings.HasPrefix(line, "pub ")
			if public {
				inClass = regexp.MustCompile(`^pub (class|trait) \w+ \{`).MatchString(line)
			} else if strings.HasPrefix(line, "class ") {
				inClass = false
			}
			if public || inClass && strings.HasPrefix(line, "    fn ") {
				n++
				if !strings.HasPrefix(strings.TrimSpace(before), "// ") {
					t.Errorf("%s: no comment above %s", module, line)
				}
			}
			before = line
		}
	}
	if n < 300 {
		t.Errorf("only %d declarations", n)
	}
}

// texts are the modules by name.
func texts() map[string]string {
	texts := map[string]string{}
	files := stdlib.Files()
	paths, _ := fs.Glob(files, "*/*.pluto")
	for _, p := range paths {
		text, _ := fs.ReadFile(files, p)
		texts[strings.TrimSuffix(filepath.Base(p), ".pluto")] += string(text)
	}
	return texts
}
