package xref

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
)

// program is a program of one of the corpora of the compiler.
type program struct {
	name   string
	files  map[string]string
	entry  string
	test   bool
	stdout *string // what it prints, if that is written down
}

// check checks the program, without a disk.
func (p *program) check() *check.Program {
	root := filepath.FromSlash("/nowhere/at/all")
	overlay := make(map[string][]byte, len(p.files))
	for name, text := range p.files {
		overlay[filepath.Join(root, filepath.FromSlash(name))] = []byte(text)
	}
	opts := load.Options{Overlay: overlay, Base: root, Test: p.test, Offline: true}
	return check.Check(load.Load(filepath.Join(root, filepath.FromSlash(p.entry)), opts))
}

// with is the program with other texts.
func (p *program) with(texts map[string]string) *program {
	q := *p
	q.files = make(map[string]string, len(p.files))
	for name, text := range p.files {
		if other, ok := texts[name]; ok {
			text = other
		}
		q.files[name] = text
	}
	return &q
}

// programs reads the corpora.
func programs(t testing.TB) []*program {
	t.Helper()
	var out []*program
	archives := func(pattern string, read func(name string, ar *txtar.Archive)) {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d archives, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			read(strings.TrimSuffix(filepath.Base(path), ".txtar"), ar)
		}
	}
	archives("../check/testdata/*/*.txtar", func(name string, ar *txtar.Archive) {
		if marks := string(ar.Comment); strings.Contains(marks, "// ") {
			p := &program{name: name, files: map[string]string{}, entry: "main.pluto", test: strings.Contains(marks, "// mode: test")}
			if _, entry, ok := strings.Cut(marks, "// entry: "); ok {
				p.entry, _, _ = strings.Cut(entry, "\n")
			}
			for _, f := range ar.Files {
				p.files[f.Name] = string(f.Data)
			}
			out = append(out, p)
			return
		}
		for _, f := range ar.Files {
			text := string(f.Data)
			out = append(out, &program{name: name + "/" + f.Name, files: map[string]string{"main.pluto": text}, entry: "main.pluto",
				test: strings.Contains(text, "// mode: test")})
		}
	})
	for _, pattern := range []string{"../testdata/*/*.txtar", "../gogen/testdata/run/*.txtar"} {
		archives(pattern, func(name string, ar *txtar.Archive) {
			cases := map[string]*program{}
			var order []*program
			single := false
			for _, f := range ar.Files {
				single = single || f.Name == "main.pluto" || f.Name == "entry"
			}
			for _, f := range ar.Files {
				group, rest := "", f.Name
				if !single {
					group, rest, _ = strings.Cut(f.Name, "/")
				}
				p := cases[group]
				if p == nil {
					p = &program{name: name + "/" + group, files: map[string]string{}, entry: "main.pluto"}
					cases[group] = p
					order = append(order, p)
				}
				switch text := string(f.Data); rest {
				case "test":
					p.test = true
				case "entry":
					p.entry = strings.TrimSpace(text)
				case "stdout":
					p.stdout = &text
				case "args", "env", "stdin", "error", "warn", "stderr", "exit":
				default:
					p.files[rest] = text
				}
			}
			out = append(out, order...)
		})
	}
	modules, _ := filepath.Glob("../../stdlib/*/*.pluto")
	for _, path := range modules {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
		out = append(out, &program{name: name, files: map[string]string{name: string(text)}, entry: name})
	}
	if len(modules) < 10 {
		t.Fatalf("only %d modules of the library", len(modules))
	}
	if len(out) < 1500 {
		t.Fatalf("only %d programs", len(out))
	}
	return out
}

// texts are the sources of a program by name, those of its library too.
func texts(p *check.Program) map[string]*source.File {
	out := map[string]*source.File{}
	for _, m := range p.Project.Modules {
		for _, f := range m.Files {
			out[f.Src.Name] = f.Src
		}
	}
	return out
}
