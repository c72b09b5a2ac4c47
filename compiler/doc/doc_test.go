package doc_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/settgraph/sett/compiler/doc"
)

// TestPages keeps the generated pages as the sources say.
func TestPages(t *testing.T) {
	pages := map[string]string{"stdlib.md": doc.Markdown(stdlib(t)), "errors.md": doc.Errors(), "reference/README.md": doc.Contents()}
	for _, topic := range doc.Topics() {
		pages["reference/"+topic.Name+".md"] = topic.Text
	}
	if len(pages) < 25 {
		t.Fatalf("%d pages", len(pages))
	}
	for name, want := range pages {
		path := filepath.Join("..", "..", "docs", "pluto", filepath.FromSlash(name))
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s is not what is generated (UPDATE=1 writes it): %s", name, diff)
		}
	}
}

func stdlib(t *testing.T) []doc.Module {
	t.Helper()
	modules, err := doc.Stdlib()
	if err != nil {
		t.Fatal(err)
	}
	if len(modules) < 18 {
		t.Fatalf("%d modules, want at least 18", len(modules))
	}
	return modules
}

// TestDescribed demands that everything public is described; methods of traits are by their
// trait.
func TestDescribed(t *testing.T) {
	for _, m := range stdlib(t) {
		if m.Text == "" || m.Example == "" {
			t.Errorf("%s has no text or no example", m.Name)
		}
		if len(m.Items) == 0 {
			t.Errorf("%s has nothing public", m.Name)
		}
		for _, it := range m.Items {
			if it.Text == "" {
				t.Errorf("%s: %s is not described", m.Name, it.Signature)
			}
			for _, member := range it.Members {
				if it.Kind == "class" && member.Kind == "method" && member.Text == "" && !strings.Contains(it.Signature, " impl ") {
					t.Errorf("%s: %s: %s is not described", m.Name, it.Name, member.Signature)
				}
			}
		}
	}
}

// TestSignatures reads signatures and errors as they should look.
func TestSignatures(t *testing.T) {
	want := map[string]string{
		"std.collections map":  "fn map<T, U>(arr: [T], f: fn(T) U) [U]",
		"std.collections Pair": "class Pair<A, B>",
		"std.fs read_all":      "fn read_all(path: string) string raises FileError",
		"std.fs File.seek":     "fn seek(self, offset: int, whence: int) int raises FileError",
		"std.json JsonError":   "error JsonError { message: string, detail: string }",
	}
	for _, m := range stdlib(t) {
		for _, it := range m.Items {
			check := func(name string, one doc.Item) {
				text := one.Signature
				if len(one.Raises) > 0 {
					text += " raises " + strings.Join(one.Raises, ", ")
				}
				if w, ok := want[name]; ok && w != text {
					t.Errorf("%s: %s, want %s", name, text, w)
				}
				delete(want, name)
			}
			check(m.Name+" "+it.Name, it)
			for _, member := range it.Members {
				check(m.Name+" "+it.Name+"."+member.Name, member)
			}
		}
	}
	for name := range want {
		t.Errorf("%s was not found", name)
	}
}
