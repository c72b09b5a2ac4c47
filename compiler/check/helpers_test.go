package check

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// parseProject makes a project of texts by file name. Files without a folder are the root,
// main.pluto first; the files of a folder are the module of that name, which any file may
// import: `import shapes`. With "test" among the options it is a test run.
func parseProject(files map[string]string, options ...string) *load.Project {
	p := &load.Project{Diags: &diag.List{}, Test: slices.Contains(options, "test")}
	p.Root = &load.Module{Imports: map[string]*load.Module{}}
	mods := map[string]*load.Module{"": p.Root}
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		if a == b {
			return 0
		}
		if a == "main.pluto" || b != "main.pluto" && a < b {
			return -1
		}
		return 1
	})
	for _, name := range names {
		dir, _, ok := strings.Cut(name, "/")
		if !ok {
			dir = ""
		}
		m := mods[dir]
		if m == nil {
			m = &load.Module{Name: dir, Path: dir, Imports: map[string]*load.Module{}}
			mods[dir] = m
		}
		m.Files = append(m.Files, syntax.Parse(source.NewFile(name, "", files[name]), p.Diags))
	}
	seen := map[*load.Module]bool{}
	var visit func(m *load.Module)
	visit = func(m *load.Module) {
		if seen[m] {
			return
		}
		seen[m] = true
		for _, f := range m.Files {
			for _, imp := range f.Imports {
				if to := mods[imp.Path[0].Name]; to != nil && to != p.Root {
					m.Imports[imp.Binding().Name] = to
					visit(to)
				}
			}
		}
		p.Modules = append(p.Modules, m)
	}
	visit(p.Root)
	return p
}

// checkText checks a root of one file.
func checkText(text string, options ...string) *Program {
	return Check(parseProject(map[string]string{"main.pluto": text}, options...))
}

// checkArchive checks a txtar archive of the files of a project, or plain text as main.pluto.
func checkArchive(text string, options ...string) *Program {
	ar := txtar.Parse([]byte(text))
	if len(ar.Files) == 0 {
		return checkText(text, options...)
	}
	files := map[string]string{}
	for _, f := range ar.Files {
		files[f.Name] = string(f.Data)
	}
	return Check(parseProject(files, options...))
}

// messages is what was reported, the deciding one first, as "file:line: message".
func messages(p *Program) []string {
	var out []string
	for _, d := range p.Diags.Sorted() {
		out = append(out, located(d))
	}
	return out
}

func located(d *diag.Diagnostic) string {
	if d.File == nil {
		return d.Message
	}
	line, _ := d.File.Position(d.Span.Start)
	return d.File.Name + ":" + itoa(line) + ": " + d.Message
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

// accepts fails the test unless the program has no errors.
func accepts(t *testing.T, p *Program) {
	t.Helper()
	if p.Diags.Errors() > 0 {
		t.Errorf("refused:\n%s", strings.Join(messages(p), "\n"))
	}
}

// refuses fails the test unless the first error of the program contains the phrase.
func refuses(t *testing.T, p *Program, phrase string) {
	t.Helper()
	all := messages(p)
	if p.Diags.Errors() == 0 {
		t.Errorf("accepted; want %q", phrase)
	} else if !strings.Contains(all[0], phrase) {
		t.Errorf("want first %q, have:\n%s", phrase, strings.Join(all, "\n"))
	}
}
