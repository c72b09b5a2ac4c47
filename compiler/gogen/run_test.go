package gogen_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/gogen"
	"github.com/settgraph/sett/compiler/load"
)

// scenario is a program of an archive in testdata/run: `-- name --` with the program, then
// maybe `-- out --` with its stdout, `-- err --` with lines that its stderr must contain, and
// `-- exit --` with its exit code, which is 1 when there is an err and 0 otherwise. A program
// with test blocks is run as a test run. A program with several files has `-- name/file --`.
type scenario struct {
	name string // archive/name
	main string
	out  string
	err  []string
	exit int
	test bool
}

func readScenarios(t *testing.T, pattern string) []*scenario {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var all []*scenario
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(path), ".txtar")
		var s *scenario
		for _, f := range archive.Files {
			text := string(f.Data)
			switch f.Name {
			case "out":
				s.out = text
			case "err":
				s.err = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
				if s.exit == 0 {
					s.exit = 1
				}
			case "exit":
				if s.exit, err = strconv.Atoi(strings.TrimSpace(text)); err != nil {
					t.Fatal(err)
				}
			default:
				s = &scenario{name: base + "/" + f.Name, main: text}
				s.test = hasTests(text)
				all = append(all, s)
			}
		}
	}
	return all
}

// generate lowers a program that is in memory.
func generate(name, text string, test bool) (*gogen.Output, error) {
	p := check.Check(load.LoadText(name, text, load.Options{Test: test, Standalone: true}))
	out, err := gogen.Generate(p, gogen.Options{Test: test})
	if err != nil {
		return nil, err
	}
	if out == nil {
		var b strings.Builder
		for _, d := range p.Diags.Sorted() {
			b.WriteString(d.Message + "\n")
		}
		return nil, errors.New(b.String())
	}
	return out, nil
}

// TestRun runs the programs of testdata/run. They are built at once.
func TestRun(t *testing.T) {
	scenarios := readScenarios(t, "testdata/run/*.txtar")
	if len(scenarios) < 5 {
		t.Fatalf("found %d scenarios", len(scenarios))
	}
	programs := map[string]build.Files{}
	for _, s := range scenarios {
		out, err := generate("main.pluto", s.main, s.test)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		programs[s.name] = build.Files(out.Files)
	}
	program, refused, err := build.Batch(context.Background(), programs, build.Options{CacheDir: os.Getenv("SETT_CACHE")})
	for name, text := range refused {
		t.Errorf("%s: Go refuses it:\n%s\n%s", name, text, programs[name]["main.go"])
		delete(programs, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	for _, s := range scenarios {
		if programs[s.name] == nil {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.run(t, program.Path)
		})
	}
}

func (s *scenario) run(t *testing.T, path string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path)
	cmd.Env = append(os.Environ(), build.ProgramVariable+"="+s.name)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	code := 0
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatal(err)
		}
		code = exit.ExitCode()
	}
	if got := stdout.String(); got != s.out {
		t.Errorf("stdout:\n%s\nwant:\n%s", got, s.out)
	}
	for _, want := range s.err {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("stderr:\n%s\nwant: %s", stderr.String(), want)
		}
	}
	if code != s.exit {
		t.Errorf("exit code %d, want %d\n%s", code, s.exit, stderr.String())
	}
	if s.err == nil && stderr.Len() > 0 {
		t.Errorf("stderr: %s", stderr.String())
	}
}

// output is what a program prints.
func output(t *testing.T, text string) string {
	t.Helper()
	out, err := generate("main.pluto", text, false)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	program, err := build.Build(context.Background(), build.Files(out.Files), build.Options{CacheDir: os.Getenv("SETT_CACHE")})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	stdout, err := exec.Command(program.Path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(stdout)
}
