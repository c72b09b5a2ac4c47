package xref

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// goldens compares what show makes of the files of each archive of a folder with its file
// "want"; with UPDATE=1 that is written.
func goldens(t *testing.T, folder string, show func(t *testing.T, ar *txtar.Archive, files []txtar.File) string) {
	paths, _ := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if len(paths) < 2 {
		t.Fatalf("%d archives in %s", len(paths), folder)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var files []txtar.File
			want := ""
			for _, f := range ar.Files {
				if f.Name == "want" {
					want = string(f.Data)
				} else {
					files = append(files, f)
				}
			}
			got := show(t, ar, files)
			if os.Getenv("UPDATE") != "" {
				ar.Files = append(files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != want {
				t.Errorf("\n%s", difference(want, got))
			}
		})
	}
}

// TestFacts compares the facts about programs.
func TestFacts(t *testing.T) {
	goldens(t, "facts", func(t *testing.T, ar *txtar.Archive, files []txtar.File) string {
		p := checkFiles(t, files, "", load.Options{})
		if broken := strings.Contains(string(ar.Comment), "broken"); broken != (p.Diags.Errors() > 0) {
			t.Fatalf("errors:\n%s", messages(p))
		}
		return showFacts(p, FactsOf(p))
	})
}

func showFacts(p *check.Program, f *Facts) string {
	var b strings.Builder
	src := texts(p)
	place := func(at Place) string {
		line, col := src[at.File].Position(at.At.Start)
		return fmt.Sprintf("%s:%d:%d", at.File, line, col)
	}
	fields := func(of []FieldInfo) string {
		var out []string
		for _, f := range of {
			text := f.Name + ": " + f.Type
			if f.Injected {
				text += " injected"
			}
			if f.Ambient {
				text += " ambient"
			}
			out = append(out, text)
		}
		return "(" + strings.Join(out, ", ") + ")"
	}
	for _, k := range keys(f.Signatures) {
		s := f.Signatures[k]
		known := ""
		if !s.Known {
			known = " UNKNOWN"
		}
		fmt.Fprintf(&b, "%s %s%s %s self=%d requires=%d ensures=%d%s\n", k.Kind, k.Qual, fields(s.Params), s.Result, s.Self, s.Requires, s.Ensures, known)
		for _, e := range s.Errors {
			fmt.Fprintf(&b, "    raises %s", e.Name)
			if e.Error == (Key{}) {
				fmt.Fprint(&b, " (predeclared)")
			}
			for _, at := range e.RaisedAt {
				fmt.Fprintf(&b, ", here %s", place(at))
			}
			for _, by := range e.From {
				fmt.Fprintf(&b, ", from %s%s at %s", by.Callee.Qual, by.Builtin, place(by.At))
			}
			fmt.Fprintln(&b)
		}
	}
	for _, k := range keys(f.Classes) {
		c := f.Classes[k]
		fmt.Fprintf(&b, "%s %s%s %s injected=%t invariants=%d impls=%v\n", k.Kind, k.Qual, fields(c.Fields), c.Lifecycle, c.Injected, c.Invariants, quals(c.Impls))
	}
	for _, k := range keys(f.Traits) {
		t := f.Traits[k]
		fmt.Fprintf(&b, "trait %s %v defaults=%v implementors=%v\n", k.Qual, t.Methods, t.Defaults, quals(t.Implementors))
	}
	for _, k := range keys(f.Enums) {
		fmt.Fprintf(&b, "enum %s", k.Qual)
		for _, v := range f.Enums[k].Variants {
			fmt.Fprintf(&b, " %s%s", v.Name, fields(v.Fields))
		}
		fmt.Fprintln(&b)
	}
	for _, k := range keys(f.Errors) {
		fmt.Fprintf(&b, "error %s%s\n", k.Qual, fields(f.Errors[k]))
	}
	for _, k := range keys(f.Implements) {
		fmt.Fprintf(&b, "%s implements %v\n", k.Qual, quals(f.Implements[k]))
	}
	fmt.Fprintf(&b, "built: %v\n", quals(f.DI))
	return b.String()
}

func keys[V any](m map[Key]V) []Key {
	return slices.SortedFunc(maps.Keys(m), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Qual, b.Qual))
	})
}

func quals(ks []Key) []string {
	out := []string{}
	for _, k := range ks {
		out = append(out, k.Qual)
	}
	return out
}

// TestDecls compares the declarations of files, and where they are.
func TestDecls(t *testing.T) {
	goldens(t, "decls", func(t *testing.T, _ *txtar.Archive, files []txtar.File) string {
		var b strings.Builder
		for _, file := range files {
			text := strings.ReplaceAll(string(file.Data), "\\r", "\r")
			f := syntax.Parse(source.NewFile(file.Name, "", text), &diag.List{})
			for d := range All(Decls(f)) {
				line := func(at int32) string {
					l, c := f.Src.Position(at)
					return fmt.Sprintf("%d:%d", l, c)
				}
				span := func(s source.Span) string { return line(s.Start) + "-" + line(s.End) }
				fmt.Fprintf(&b, "%s %s name %s %s full %s", d.Kind, d.Qual, d.Name, span(d.NameAt), span(d.Full))
				if d.WithDoc != d.Full {
					fmt.Fprintf(&b, " doc %s", span(d.WithDoc))
				}
				if d.Pub {
					fmt.Fprint(&b, " pub")
				}
				if d.Dep {
					fmt.Fprint(&b, " dep")
				}
				if d.Parent != nil {
					fmt.Fprintf(&b, " in %s", d.Parent.Qual)
				}
				fmt.Fprintln(&b)
			}
		}
		return b.String()
	})
}
