package check

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
)

// The corpus is testdata/refuse and testdata/accept: archives of programs, each ending in
// lines that say what is expected of it:
//
//	// first: phrase     the first diagnostic is an error that contains the phrase
//	// want: phrase      some diagnostic contains it
//	// warn: phrase      a warning contains it; these are all warnings, in order
//	// ok                there is no error
//	// silent            there is no diagnostic at all
//	// mode: test        the program is checked as for a test run
//
// An archive with such lines in its head is one program of several files, whose entry is
// main.pluto, or what `// entry: path` says.

// expectation is what a program of the corpus says of itself.
type expectation struct {
	first, want, warn []string
	ok, silent, test  bool
	entry             string
}

// readExpectation reads the expectation from the last lines of a text, and gives the text without
// them.
func readExpectation(text string) (x expectation, rest string, found bool) {
	for {
		body := strings.TrimSuffix(text, "\n")
		at := strings.LastIndexByte(body, '\n') + 1
		line, isMark := strings.CutPrefix(strings.TrimSuffix(body[at:], "\r"), "// ")
		word, phrase, _ := strings.Cut(line, ": ")
		switch word {
		case "first":
			x.first = append(x.first, phrase)
		case "want":
			x.want = append(x.want, phrase)
		case "warn":
			x.warn = append([]string{phrase}, x.warn...)
		case "ok":
			x.ok = true
		case "silent":
			x.silent = true
		case "mode":
			x.test = true
		case "entry":
			x.entry = phrase
		default:
			isMark = false
		}
		if !isMark {
			return x, text, found
		}
		text, found = body[:at], true
	}
}

// corpusCase is one program.
type corpusCase struct {
	name   string
	text   string // of a program of one file
	expect expectation
	check  func(t *testing.T, opts load.Options) *Program
}

// readCorpus reads the archives of a folder.
func readCorpus(t *testing.T, dir string) []corpusCase {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var out []corpusCase
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ar := txtar.Parse(data)
		base := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if x, _, found := readExpectation(string(ar.Comment)); found {
			out = append(out, corpusCase{base, "", x, func(t *testing.T, opts load.Options) *Program { return checkFolder(t, ar, x, opts) }})
			continue
		}
		seen := map[string]bool{}
		for _, f := range ar.Files {
			x, text, found := readExpectation(string(f.Data))
			if !found || seen[f.Name] {
				t.Fatalf("%s: %s says not what is expected, or is there twice", path, f.Name)
			}
			seen[f.Name] = true
			name := base + "/" + strings.TrimSuffix(f.Name, ".pluto")
			out = append(out, corpusCase{name, text, x, func(t *testing.T, opts load.Options) *Program {
				return Check(load.LoadText("main.pluto", text, opts))
			}})
		}
	}
	return out
}

func checkFolder(t *testing.T, ar *txtar.Archive, x expectation, opts load.Options) *Program {
	dir := t.TempDir()
	for _, f := range ar.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	entry := x.entry
	if entry == "" {
		entry = "main.pluto"
	}
	opts.Base = dir
	return Check(load.Load(filepath.Join(dir, filepath.FromSlash(entry)), opts))
}

// run checks a program of the corpus; a panic is a failure of the program alone.
func (c corpusCase) run(t *testing.T) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return c.check(t, load.Options{Test: c.expect.test, Offline: true}), nil
}

// TestCorpus holds every program of the corpus to what it says of itself.
func TestCorpus(t *testing.T) {
	for _, dir := range []struct {
		name string
		min  int
	}{{"refuse", 1250}, {"accept", 250}} {
		t.Run(dir.name, func(t *testing.T) {
			cases := readCorpus(t, dir.name)
			if len(cases) < dir.min {
				t.Errorf("%d programs, expected at least %d", len(cases), dir.min)
			}
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					p, err := c.run(t)
					if err != nil {
						t.Fatal(err)
					}
					c.expect.compare(t, p.Diags)
				})
			}
		})
	}
}

func (x expectation) compare(t *testing.T, diags *diag.List) {
	t.Helper()
	all := diags.Sorted()
	var texts, warnings []string
	for _, d := range all {
		text := d.Message
		if d.File != nil {
			line, col := d.File.Position(d.Span.Start)
			text = fmt.Sprintf("%s:%d:%d: [%s] %s", d.File.Name, line, col, d.Code, d.Message)
		}
		texts = append(texts, text)
		if d.Severity == diag.Warning {
			warnings = append(warnings, d.Message)
		}
	}
	said := strings.Join(texts, "\n\t")
	for _, phrase := range x.first {
		if diags.Errors() == 0 || !strings.Contains(all[0].Message, phrase) {
			t.Errorf("expected first: %s\n\t%s", phrase, said)
		}
	}
	for _, phrase := range x.want {
		if !strings.Contains(said, phrase) {
			t.Errorf("expected: %s\n\t%s", phrase, said)
		}
	}
	if (x.ok || x.silent || len(x.warn) > 0) && diags.Errors() > 0 || x.silent && len(all) > 0 {
		t.Errorf("expected nothing wrong\n\t%s", said)
	}
	if len(x.warn) > 0 && !matchAll(warnings, x.warn) {
		t.Errorf("expected the warnings %q\n\t%s", x.warn, said)
	}
}

func matchAll(texts, phrases []string) bool {
	if len(texts) != len(phrases) {
		return false
	}
	for i, p := range phrases {
		if !strings.Contains(texts[i], p) {
			return false
		}
	}
	return true
}
