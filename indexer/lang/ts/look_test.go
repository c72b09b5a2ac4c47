package ts

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"golang.org/x/tools/txtar"
)

// mark stands before each place that a scenario asks about.
const mark = "/*?*/"

// asked lists the marked places of a file.
func asked(file, text string) (list []spot) {
	for i, line := range strings.Split(text, "\n") {
		for off := 0; ; {
			k := strings.Index(line[off:], mark)
			if k < 0 {
				break
			}
			off += k + len(mark)
			list = append(list, spot{file, graph.Pos{Line: uint32(i + 1), Col: uint32(len([]rune(line[:off])) + 1)}})
		}
	}
	return list
}

// shown writes a place in one line, and where it is declared in more.
func shown(s spot, p *graph.Place) string {
	at := fmt.Sprintf("%s:%d:%d", s.file, s.at.Line, s.at.Col)
	if p == nil {
		return at + " nothing\n"
	}
	var out strings.Builder
	what := p.Name
	if what == "" {
		what = "`" + p.Expr + "`"
	}
	fmt.Fprintf(&out, "%s %s: %s", at, what, p.Kind)
	for _, f := range []struct{ name, text string }{{"type", p.Type}, {"sig", p.Sig}, {"value", p.Value}, {"doc", strings.ReplaceAll(p.Doc, "\n", `\n`)}} {
		if f.text != "" {
			fmt.Fprintf(&out, "\n    %s %s", f.name, f.text)
		}
	}
	for _, d := range p.Defs {
		fmt.Fprintf(&out, "\n    at %s", d.File)
		if d.Outside && d.Module == "typescript" {
			fmt.Fprintf(&out, " %s %s, of %s", d.Kind, d.Name, d.Module) // the line changes with the release
			continue
		}
		fmt.Fprintf(&out, ":%d:%d %s %s", d.Span.Line, d.Span.Col, d.Kind, d.Name)
		if d.Outside {
			fmt.Fprintf(&out, ", of %s", d.Module)
		}
	}
	return out.String() + "\n"
}

// lookScenario lays the files of an archive into a folder, for node_modules is read from disk.
func lookScenario(t testing.TB, ar *txtar.Archive) (*lang.Input, map[string]string) {
	root := t.TempDir()
	files := map[string]string{}
	for _, f := range ar.Files {
		if f.Name == "want" {
			continue
		}
		p := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(f.Name, "node_modules/") {
			files[f.Name] = string(f.Data)
		}
	}
	in := inputOf(t, root, files, 2)
	in.Units = nil
	return in, files
}

// TestLook asks at each mark of each archive. UPDATE=1 writes down the answers.
func TestLook(t *testing.T) {
	names, _ := filepath.Glob("testdata/look/*.txtar")
	total := 0
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			in, files := lookScenario(t, ar)
			l := newLooker()
			defer l.Close()
			var got bytes.Buffer
			for _, f := range in.Files {
				for _, s := range asked(f.Path, files[f.Path]) {
					total++
					p, err := l.Look(context.Background(), in, s.file, s.at)
					if err != nil {
						t.Fatal(err)
					}
					if p != nil {
						for i, d := range p.Defs {
							p.Defs[i].File = strings.TrimPrefix(d.File, in.Root+"/")
						}
					}
					got.WriteString(shown(s, p))
				}
			}
			for i, f := range ar.Files {
				if f.Name != "want" {
					continue
				}
				if os.Getenv("UPDATE") != "" {
					ar.Files[i].Data = got.Bytes()
					if err := os.WriteFile(name, txtar.Format(ar), 0o600); err != nil {
						t.Fatal(err)
					}
				} else if string(f.Data) != got.String() {
					t.Errorf("got\n%s", firstDifference(got.String(), string(f.Data)))
				}
				return
			}
			t.Error("no answers to compare with")
		})
	}
	if total < 120 {
		t.Errorf("only %d places were asked about", total)
	}
}

// firstDifference shows the answers from the first one that differs.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return strings.Join(g[max(0, i-2):min(len(g), i+5)], "\n") + "\nwant\n" + strings.Join(w[max(0, i-2):min(len(w), i+5)], "\n")
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
