package load

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/diag"
)

// TestScenarios runs the archives of testdata. The files of one are a folder; its comment
// says what is loaded and what comes of it:
//
//	> load main.pluto --standalone
//	util (dep/util): util/util.pluto
//	root: main.pluto | util=dep/util
//	main.pluto:1:8: error[P1201]: Syntax error: ...
//
// with a line for each module in order, for each change of the lock, and the diagnostics.
// UPDATE=1 rewrites what comes of it.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	loads := 0
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { loads += scenario(t, abs) })
	}
	if loads < 60 {
		t.Errorf("%d loads in the scenarios, want at least 60", loads)
	}
}

func scenario(t *testing.T, file string) int {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range ar.Files {
		put(t, dir, f.Name, string(f.Data))
	}
	t.Chdir(dir)
	var got bytes.Buffer
	loads := 0
	for line := range strings.Lines(string(ar.Comment)) {
		words := strings.Fields(line)
		switch {
		case len(words) > 1 && words[0] == ">":
			loads++
			fmt.Fprintf(&got, "%s%s", line, outcome(t, words[1:]))
		case strings.HasPrefix(line, "# "), loads == 0:
			got.WriteString(line)
		}
	}
	if loads == 0 {
		t.Fatal("nothing is loaded")
	}
	text := strings.ReplaceAll(got.String(), dir, "$DIR") + "\n"
	if strings.TrimSpace(text) == strings.TrimSpace(string(ar.Comment)) {
		return loads
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("got:\n%s\nwant:\n%s", text, ar.Comment)
		return loads
	}
	ar.Comment = []byte(text)
	if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
		t.Fatal(err)
	}
	return loads
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// outcome loads what a line of a scenario says: `load ENTRY [flags]`, or `text NAME`.
func outcome(t *testing.T, words []string) string {
	opts := Options{Offline: true}
	t.Setenv("PLUTO_STDLIB", "")
	for _, w := range words[2:] {
		name, value, _ := strings.Cut(w, "=")
		switch name {
		case "--standalone":
			opts.Standalone = true
		case "--test":
			opts.Test = true
		case "--stdlib":
			opts.Stdlib = value
		case "--env-stdlib":
			t.Setenv("PLUTO_STDLIB", value)
		case "--base":
			opts.Base = value
		case "--overlay": // file:from
			to, from, _ := strings.Cut(value, ":")
			text, err := os.ReadFile(from)
			if err != nil {
				t.Fatal(err)
			}
			abs, err := filepath.Abs(to)
			if err != nil {
				t.Fatal(err)
			}
			opts.Overlay = map[string][]byte{abs: text}
		default:
			t.Fatalf("no flag %s", w)
		}
	}
	switch words[0] {
	case "load":
		return dump(Load(words[1], opts))
	case "text":
		text, err := os.ReadFile(words[1])
		if err != nil {
			t.Fatal(err)
		}
		return dump(LoadText("text.pluto", string(text), opts))
	}
	t.Fatalf("no command %s", words[0])
	return ""
}

// dump shows a project.
func dump(p *Project) string {
	var b strings.Builder
	for _, m := range p.Modules {
		switch {
		case m == p.Root:
			b.WriteString("root:")
		case m.Std:
			fmt.Fprintf(&b, "std %s (%s):", m.Name, m.Path)
		default:
			fmt.Fprintf(&b, "%s (%s):", m.Name, m.Path)
		}
		for _, f := range m.Files {
			b.WriteString(" " + f.Src.Name)
		}
		for i, name := range slices.Sorted(maps.Keys(m.Imports)) {
			if i == 0 {
				b.WriteString(" |")
			}
			fmt.Fprintf(&b, " %s=%s", name, m.Imports[name].Path)
		}
		b.WriteString("\n")
	}
	for _, c := range p.Lock {
		b.WriteString("lock: " + c.String() + "\n")
	}
	_ = diag.Print(&b, p.Diags.Sorted(), diag.Style{})
	return b.String()
}
