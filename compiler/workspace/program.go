package workspace

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// program is a group and what loading it says.
type program struct {
	group *Group
	once  sync.Once
	load  *loaded
}

// loaded is a program with its files.
type loaded struct {
	project   *load.Project
	contained map[string]bool     // files of the project in modules that are imported
	shape     [32]byte            // which files are in which modules, and what loading said
	key       [32]byte            // shape, and the texts
	sums      map[string][32]byte // the text of each file
	clean     bool                // nothing of it is in doubt: loading found no errors
}

// loaded loads the program at the first call, from the files of the state.
func (p *program) loaded(s *State) *loaded {
	p.once.Do(func() {
		o := s.options
		o.Standalone, o.Test = p.group.Standalone, p.group.Test
		if m := s.byPath[p.group.Entry]; p.group.Standalone || starts(m.File) {
			o.Apart = nil // it is what `sett run` makes of it
		}
		project := load.Load(filepath.Join(s.root, filepath.FromSlash(p.group.Entry)), o)
		l := &loaded{
			project: project, contained: map[string]bool{}, sums: map[string][32]byte{}, clean: project.Diags.Errors() == 0,
		}
		h := sha256.New()
		fmt.Fprintln(h, p.group.Test)
		for _, mod := range project.Modules {
			fmt.Fprintf(h, "module %q %q %q %v %v\n", mod.Path, mod.Name, mod.Dir, mod.Std, mod == project.Root)
			for _, f := range mod.Files {
				io.WriteString(h, f.Src.Name+"\n")
				if m := s.byPath[f.Src.Name]; m != nil && m.File == f {
					l.sums[f.Src.Name] = m.text
				} else if _, ok := l.sums[f.Src.Name]; !ok {
					l.sums[f.Src.Name] = sha256.Sum256([]byte(f.Src.Text))
				}
			}
			for _, name := range slices.Sorted(maps.Keys(mod.Imports)) {
				fmt.Fprintf(h, "import %q %q\n", name, mod.Imports[name].Path)
			}
		}
		for _, d := range project.Diags.Sorted() {
			if d.Phase != diag.PhaseLex && d.Phase != diag.PhaseSyntax { // they follow from the contents
				writeDiag(h, d)
			}
		}
		h.Sum(l.shape[:0])
		h.Reset()
		h.Write(l.shape[:])
		for _, mod := range project.Modules {
			for _, f := range mod.Files {
				sum := l.sums[f.Src.Name]
				h.Write(sum[:])
			}
		}
		h.Sum(l.key[:0])
		p.load = l
	})
	return p.load
}

func writeDiag(h hash.Hash, d *diag.Diagnostic) {
	fmt.Fprintf(h, "%s %d %q %v %q\n", d.Code, d.Phase, fileName(d), d.Span, d.Message)
	for _, n := range d.Notes {
		name := ""
		if n.File != nil {
			name = n.File.Name
		}
		fmt.Fprintf(h, "note %q %v %q\n", name, n.Span, n.Message)
	}
}

// fileName is the name of the file of a diagnostic, or "".
func fileName(d *diag.Diagnostic) string {
	if d.File == nil {
		return ""
	}
	return d.File.Name
}

// result is what the compiler says about a program.
type result struct {
	*loaded
	modules map[string]*Module // those of the project's files, as they were
	diags   []*diag.Diagnostic // as diag.List.Sorted has them
	details func() *details

	represented bool // what changed was taken from another program
}

// details is what takes a while to collect, and is not always asked for.
type details struct {
	files  map[string]*fileResult
	di     []xref.Key
	errors [32]byte // identifies the errors that the program declares
}

// fileResult is the part of a result that is about one file. It does not change any more.
type fileResult struct {
	diags []*diag.Diagnostic
	sites []xref.Site
	facts fileFacts
}

// check checks a program. Its details are collected when they are asked for.
func (p *program) check(s *State) *result {
	l := p.loaded(s)
	program := check.Check(l.copy())
	r := &result{loaded: l, modules: s.modulesOf(p.group), diags: program.Diags.Sorted()}
	known := s.byPath // and not the state, which knows results itself
	r.details = sync.OnceValue(func() *details {
		sites, facts := xref.OfKnown(program, func(f *syntax.File) []*xref.Decl {
			if m := known[f.Src.Name]; m != nil && m.File == f {
				return m.Decls
			}
			return xref.Decls(f)
		})
		return &details{split(r.diags, sites, facts), facts.DI, errorsOf(facts)}
	})
	return r
}

// modulesOf is the modules of a program.
func (s *State) modulesOf(g *Group) map[string]*Module {
	out := make(map[string]*Module, len(g.Closure))
	for _, path := range g.Closure {
		out[path] = s.byPath[path]
	}
	return out
}

// copy is the project with a list of diagnostics of its own, which checking adds to.
func (l *loaded) copy() *load.Project {
	p := *l.project
	p.Diags = &diag.List{}
	for _, d := range l.project.Diags.Sorted() {
		p.Diags.Add(d)
	}
	return &p
}

// split gives each file its part.
func split(diags []*diag.Diagnostic, sites []xref.Site, facts *xref.Facts) map[string]*fileResult {
	out := map[string]*fileResult{}
	of := func(name string) *fileResult {
		f := out[name]
		if f == nil {
			f = &fileResult{}
			out[name] = f
		}
		return f
	}
	for _, d := range diags {
		f := of(fileName(d))
		f.diags = append(f.diags, d)
	}
	for len(sites) > 0 {
		n := 1
		for n < len(sites) && sites[n].File == sites[0].File {
			n++
		}
		f := of(sites[0].File)
		if f.sites == nil {
			f.sites = sites[:n:n]
		} else {
			f.sites = append(f.sites, sites[:n]...)
		}
		sites = sites[n:]
	}
	for name, facts := range splitFacts(facts) {
		of(name).facts = facts
	}
	return out
}

// equal says whether two results for a file are the same.
func (f *fileResult) equal(g *fileResult) bool {
	return slices.Equal(f.sites, g.sites) && slices.EqualFunc(f.diags, g.diags, sameDiag) && slices.EqualFunc(f.facts, g.facts, fact.equal)
}

func sameDiag(a, b *diag.Diagnostic) bool {
	return a == b || a.Code == b.Code && a.Severity == b.Severity && a.Phase == b.Phase && a.Span == b.Span && a.Message == b.Message &&
		fileName(a) == fileName(b) && slices.EqualFunc(a.Notes, b.Notes, sameNote)
}

func sameNote(a, b diag.Note) bool {
	return a.Span == b.Span && a.Message == b.Message && (a.File == b.File || a.File != nil && b.File != nil && a.File.Name == b.File.Name)
}
