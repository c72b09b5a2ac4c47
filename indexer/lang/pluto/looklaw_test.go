package pluto

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"
	"golang.org/x/tools/txtar"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/plutotest"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// memory is a project that is not on the disk.
func memory(root string, files map[string]string) *lang.Input {
	now := maps.Clone(files)
	in := &lang.Input{Root: root, Workers: 2, ReadFile: func(p string) ([]byte, error) {
		text, ok := now[p]
		if !ok {
			return nil, errors.New("it is not there")
		}
		return []byte(text), nil
	}}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		f := lang.File{Path: name, Size: int64(len(now[name])), Hash: xxh3.HashString(now[name])}
		switch {
		case isSource(name):
			f.Summary = summarize(name, []byte(now[name]))
			in.Files = append(in.Files, f)
		case isConfig(name):
			in.Configs = append(in.Configs, f)
		}
	}
	return in
}

// programs are the projects of the compiler's own tests, by name.
func programs(t testing.TB) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	put := func(group, name, text string) {
		if name = filepath.ToSlash(filepath.Clean(name)); !filepath.IsLocal(name) {
			return
		}
		if out[group] == nil {
			out[group] = map[string]string{}
		}
		out[group][name] = text
	}
	each := func(pattern string, read func(name string, ar *txtar.Archive)) {
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
	each("../../../compiler/check/testdata/*/*.txtar", func(name string, ar *txtar.Archive) {
		for _, f := range ar.Files {
			if strings.Contains(string(ar.Comment), "// ") {
				put("check "+name, f.Name, string(f.Data))
			} else {
				put("check "+name+"/"+f.Name, "main.pluto", string(f.Data))
			}
		}
	})
	for _, pattern := range []string{"../../../compiler/testdata/*/*.txtar", "../../../compiler/gogen/testdata/run/*.txtar"} {
		each(pattern, func(name string, ar *txtar.Archive) {
			single := slices.ContainsFunc(ar.Files, func(f txtar.File) bool { return f.Name == "main.pluto" || f.Name == "entry" })
			for _, f := range ar.Files {
				group, rest, ok := strings.Cut(f.Name, "/")
				if single || !ok {
					group, rest = "", f.Name
				}
				put(filepath.Base(filepath.Dir(filepath.Dir(pattern)))+" "+name+"/"+group, rest, string(f.Data))
			}
		})
	}
	each("../../../testdata/lang/pluto/*.txtar", func(name string, ar *txtar.Archive) {
		for _, f := range ar.Files {
			put("lang "+name, f.Name, string(f.Data))
		}
	})
	if len(out) < 1500 {
		t.Fatalf("only %d projects", len(out))
	}
	return out
}

// laws counts what was compared.
type laws struct{ sites, exprs, names int }

// TestLookLaw holds the answers about positions to what the compiler says, for every program of
// its tests and for projects that nobody wrote: at each use, the definition is the declaration
// that it uses; at each declaration, it is that; each expression has the type that the checker
// gave it.
func TestLookLaw(t *testing.T) {
	all := programs(t)
	for seed := range uint64(3) {
		all[fmt.Sprintf("generated %d", seed)] = plutotest.Project(seed, plutotest.Shape{Modules: 30, Folders: 5, Tests: 40, Private: true})
	}
	var n laws
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, problem := range n.of(t, all[name]) {
			t.Errorf("%s: %s", name, problem)
		}
	}
	t.Logf("%d uses, %d declarations, %d expressions", n.sites, n.names, n.exprs)
	if !t.Failed() && (n.sites < 14_000 || n.exprs < 30_000 || n.names < 12_000) {
		t.Errorf("only %d uses, %d declarations, %d expressions", n.sites, n.names, n.exprs)
	}
}

func (n *laws) of(t *testing.T, files map[string]string) (problems []string) {
	t.Helper()
	in := memory(t.TempDir(), files)
	l := newLooker().(*looker)
	defer l.Close()
	ctx := context.Background()
	state, err := l.files.now(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := state.Checked(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range state.Modules() {
		src := m.File.Src
		look := func(off int32) *graph.Place {
			p, err := l.Look(ctx, in, m.Path, pos(src, off))
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		at := func(off int32, format string, args ...any) {
			line, col := src.Position(off)
			problems = append(problems, fmt.Sprintf("%s:%d:%d: ", m.Path, line, col)+fmt.Sprintf(format, args...))
		}
		for _, s := range checked.Sites(m.Path) {
			n.sites++
			p := look(s.At.Start)
			if p == nil {
				at(s.At.Start, "nothing, want %s", s.Target)
			} else if !leadsTo(state, p, s.Target) {
				at(s.At.Start, "%+v, want %s", p.Defs, s.Target)
			}
		}
		for d := range xref.All(m.Decls) {
			n.names++
			p := look(d.NameAt.Start)
			if p == nil || p.Kind != declKind(d) || !leadsTo(state, p, d.Key) {
				at(d.NameAt.Start, "%+v, want the declaration of %s", p, d.Key)
			}
		}
		problems = append(problems, n.types(state, m, l, look)...)
	}
	return problems
}

// leadsTo says whether one of the definitions of a place is a declaration.
func leadsTo(s *workspace.State, p *graph.Place, k xref.Key) bool {
	return slices.ContainsFunc(p.Defs, func(d graph.Definition) bool {
		if k.Kind == xref.Module {
			return d.File == k.File || strings.HasPrefix(d.File, k.File+"/") || d.Outside && strings.HasSuffix(d.File, k.File) ||
				d.Outside && strings.Contains(d.File, k.File+"/")
		}
		if decl := s.Decl(k); decl != nil {
			want := span(decl.File.Src, decl.NameAt)
			if k.Kind == xref.Test {
				want = span(decl.File.Src, source.Span{Start: decl.NameAt.Start + 1, End: max(decl.NameAt.End-1, decl.NameAt.Start+1)})
			}
			return d.File == k.File && d.Span == want
		}
		return d.Outside && strings.HasSuffix(d.File, k.File) && strings.HasSuffix(k.Qual, d.Name[strings.LastIndexByte(d.Name, '.')+1:])
	})
}

// types compares the types of expressions with those that the checker gives when it looks at
// the program from scratch.
func (n *laws) types(state *workspace.State, m *workspace.Module, l *looker, look func(int32) *graph.Place) (problems []string) {
	groups := map[bool]*check.Program{}
	for _, d := range m.File.Decls {
		syntax.Walk(d, func(node syntax.Node) bool {
			e, ok := node.(syntax.Expr)
			_, self := node.(*syntax.SelfExpr)
			if _, trait := d.(*syntax.TraitDecl); !ok || self && trait { // there it is the trait
				return true
			}
			off := e.Span().Start
			switch x := e.(type) {
			case *syntax.BinaryExpr:
				off = x.OpAt.Start + 1
			case *syntax.CallExpr, *syntax.MethodExpr, *syntax.IndexExpr:
				off = e.Span().End
			case *syntax.FieldExpr:
				off = x.Name.Span().Start
			}
			p := look(off)
			_, field := e.(*syntax.FieldExpr)
			if p == nil || p.Span != span(m.File.Src, e.Span()) && !field {
				return true
			}
			g := programsOf(state, m, off)[0]
			program := groups[g.Test]
			if program == nil {
				program, _ = state.Program(g)
				groups[g.Test] = program
			}
			want := typesIn(program, m.File, e)
			if len(want) != 1 || want[0] == "" {
				return true
			}
			n.exprs++
			if p.Type != want[0] {
				line, col := m.File.Src.Position(off)
				problems = append(problems, fmt.Sprintf("%s:%d:%d: type %s, want %s", m.Path, line, col, p.Type, want[0]))
			}
			return true
		})
	}
	return problems
}

// typesIn is what the functions of a program say of an expression, as messages print types;
// types that messages print in another way than the language are left out.
func typesIn(p *check.Program, f *syntax.File, e syntax.Expr) []string {
	seen := map[string]bool{}
	for _, fn := range p.Funcs {
		var at source.Span
		switch {
		case fn.Test != nil:
			at = fn.Test.Span()
		case fn.Decl != nil:
			at = fn.Decl.Span()
		}
		if fn.File != f.Src || at.Start > e.Span().Start || at.End < e.Span().End || fn.Info == nil || !fn.Info.Has(e) || fn.Info.Type(e) == nil {
			continue
		}
		text := fn.Info.Type(e).String()
		if strings.Contains(text, "$") || strings.Contains(text, "trait ") || strings.Contains(text, "unknown") || strings.Contains(text, "void?") {
			text = typeText(fn.Info.Type(e))
		}
		seen[text] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// The signature of a declaration is that of its node in the graph.
func TestLookSignatures(t *testing.T) {
	n := 0
	for seed := range uint64(2) {
		in := memory(t.TempDir(), plutotest.Project(seed, plutotest.Shape{Modules: 30, Folders: 5, Tests: 40}))
		in.Units = units(in)
		l := newLooker()
		err := extract(t.Context(), in, in.Units, func(f *graph.Facts) error {
			for _, d := range f.Decls {
				if f.Symbols[d.Sym].Kind == graph.KindFile {
					continue
				}
				p, err := l.Look(t.Context(), in, f.Files[d.File].Path, d.Name)
				if err != nil {
					return err
				}
				n++
				first := ""
				if p != nil {
					first, _, _ = strings.Cut(p.Doc, "\n")
				}
				if p == nil || p.Sig != d.Sig || first != d.Doc {
					t.Errorf("%s:%d:%d: %+v, want %s", f.Files[d.File].Path, d.Name.Line, d.Name.Col, p, d.Sig)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
	if n < 500 {
		t.Errorf("only %d declarations", n)
	}
}

// Several may look at once, also while the project changes.
func TestLookTogether(t *testing.T) {
	files, root := plutotest.Project(4, plutotest.Shape{Modules: 10, Folders: 2, Tests: 60}), t.TempDir()
	before := memory(root, files)
	files["main.pluto"] += "\nfn more() {\n}\n"
	after := memory(root, files)
	l := newLooker()
	defer l.Close()
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for k := range 40 {
				in := []*lang.Input{before, after}[(i+k)%2]
				f := in.Files[k%len(in.Files)].Path
				for line := range uint32(20) {
					if _, err := l.Look(t.Context(), in, f, graph.Pos{Line: line + 1, Col: 12}); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
}

// TestLookAnywhere asks about every position of mutilated files: there is an answer or none,
// and its places are in the text.
func TestLookAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	all := programs(t)
	names := slices.Sorted(maps.Keys(all))
	asked, found := 0, 0
	for range 150 {
		files := map[string]string{}
		for name, text := range all[names[r.IntN(len(names))]] {
			for range 1 + r.IntN(3) {
				text = mutant(r, text)
			}
			files[name] = text
		}
		in := memory(t.TempDir(), files)
		l := newLooker()
		for _, f := range in.Files {
			lines := strings.Split(files[f.Path], "\n")
			for i := range min(len(lines)+2, 60) {
				for col := range 40 {
					p, err := l.Look(context.Background(), in, f.Path, graph.Pos{Line: uint32(i), Col: uint32(col)})
					if err != nil {
						t.Fatal(err)
					}
					if asked++; p == nil {
						continue
					}
					found++
					if int(p.Span.End) > len(files[f.Path]) && !strings.HasPrefix(files[f.Path], "PLTO") || p.Span.Off > p.Span.End || p.Kind == "" {
						t.Errorf("%+v in\n%s", p, files[f.Path])
					}
				}
			}
		}
		l.Close()
	}
	t.Logf("%d of %d positions", found, asked)
	if found < 5000 {
		t.Errorf("only %d of %d positions have something", found, asked)
	}
}

// mutant takes a piece away, repeats one, or puts bytes in.
func mutant(r *rand.Rand, text string) string {
	if len(text) < 4 {
		return text
	}
	i := r.IntN(len(text) - 1)
	j := i + 1 + r.IntN(min(len(text)-i-1, 30))
	switch r.IntN(5) {
	case 0:
		return text[:i] + text[j:]
	case 1:
		return text[:j] + text[i:]
	case 2:
		return text[:i] + string([]byte{byte(r.IntN(256)), 0xff, 0}) + text[i:]
	case 3:
		return text[:i] + []string{"{", "}", "(", ".", "<T>", "fn ", "\"{", "match "}[r.IntN(8)] + text[i:]
	}
	return text
}
