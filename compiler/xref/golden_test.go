package xref

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
)

// checkFiles checks a project of files; the entry is main.pluto unless it says otherwise.
func checkFiles(t testing.TB, files []txtar.File, entry string, opts load.Options) *check.Program {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if entry == "" {
		entry = "main.pluto"
	}
	opts.Base, opts.Offline = dir, true
	return check.Check(load.Load(filepath.Join(dir, filepath.FromSlash(entry)), opts))
}

// messages is what was said about a program.
func messages(p *check.Program) string {
	var b strings.Builder
	for _, d := range p.Diags.Sorted() {
		if d.File != nil {
			line, col := d.File.Position(d.Span.Start)
			fmt.Fprintf(&b, "%s:%d:%d: ", d.File.Name, line, col)
		}
		fmt.Fprintln(&b, d.Message)
	}
	return b.String()
}

// show prints a site as the golden files have it.
func show(p *check.Program, s Site) string {
	line, col, text := 0, 0, "?"
	for _, m := range p.Project.Modules {
		for _, f := range m.Files {
			if f.Src.Name == s.File {
				line, col = f.Src.Position(s.At.Start)
				text = f.Src.Text[s.At.Start:s.At.End]
			}
		}
	}
	var flags strings.Builder
	for _, f := range []struct {
		on   bool
		name string
	}{{s.Dynamic, " dynamic"}, {s.Shorthand, " shorthand"}, {s.Alias, " alias"}, {s.Ambient, " ambient"}} {
		if f.on {
			flags.WriteString(f.name)
		}
	}
	where := ""
	if s.Target.File != s.File {
		where = " of " + s.Target.File
	}
	return fmt.Sprintf("%d:%d %s %s -> %s %s%s%s [in %s %s]", line, col, text, s.Use, s.Target.Kind, s.Target.Qual, where, flags.String(), s.Owner.Kind, s.Owner.Qual)
}

// TestGolden compares the sites of programs that have every construct of the language with
// what is written beside them. The files "want NAME" of an archive are the sites in NAME;
// with UPDATE=1 they are written.
func TestGolden(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "sites", "*.txtar"))
	if len(paths) < 8 {
		t.Fatalf("%d archives", len(paths))
	}
	total := 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var files, wants []txtar.File
			for _, f := range ar.Files {
				if strings.HasPrefix(f.Name, "want ") {
					wants = append(wants, f)
				} else {
					files = append(files, f)
				}
			}
			p := checkFiles(t, files, "", load.Options{})
			if broken := bytes.Contains(ar.Comment, []byte("broken")); broken != (p.Diags.Errors() > 0) {
				t.Fatalf("errors:\n%s", messages(p))
			}
			got := map[string]*strings.Builder{}
			for _, s := range Sites(p) {
				total++
				if got[s.File] == nil {
					got[s.File] = &strings.Builder{}
				}
				fmt.Fprintln(got[s.File], show(p, s))
			}
			if os.Getenv("UPDATE") != "" {
				ar.Files = files
				for _, f := range files {
					if b := got[f.Name]; b != nil {
						ar.Files = append(ar.Files, txtar.File{Name: "want " + f.Name, Data: []byte(b.String())})
					}
				}
				if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			for _, w := range wants {
				name := strings.TrimPrefix(w.Name, "want ")
				text := ""
				if got[name] != nil {
					text = got[name].String()
				}
				if text != string(w.Data) {
					t.Errorf("%s:\n%s", name, difference(string(w.Data), text))
				}
				delete(got, name)
			}
			for name := range got {
				t.Errorf("%s has sites that nobody wants", name)
			}
		})
	}
	if total < 150 {
		t.Errorf("only %d sites", total)
	}
}

// difference lists the lines that one of two texts lacks.
func difference(want, got string) string {
	var b strings.Builder
	has := func(text, line string) bool { return strings.Contains("\n"+text, "\n"+line+"\n") }
	for line := range strings.Lines(want) {
		if line = strings.TrimSuffix(line, "\n"); !has(got, line) {
			fmt.Fprintln(&b, "-", line)
		}
	}
	for line := range strings.Lines(got) {
		if line = strings.TrimSuffix(line, "\n"); !has(want, line) {
			fmt.Fprintln(&b, "+", line)
		}
	}
	return b.String()
}
