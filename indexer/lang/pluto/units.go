package pluto

import (
	"path"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/indexer/lang"
)

// summarize says what a file imports, and as hints which ids it wants. Its shape is all of
// it, because there is nothing that other files of its unit certainly do not see.
func summarize(name string, src []byte) lang.Summary {
	s := lang.Summary{Shape: xxh3.Hash(src)}
	text, err := textOf(src)
	if err != nil {
		return s
	}
	f := syntax.Parse(source.NewFile(name, "", text), &diag.List{})
	for _, imp := range f.Imports {
		names := make([]string, len(imp.Path))
		for i, id := range imp.Path {
			names[i] = id.Name
		}
		s.Imports = append(s.Imports, strings.Join(names, "/"))
	}
	slices.Sort(s.Imports)
	s.Imports = slices.Compact(s.Imports)
	s.Test = isTest(name, f)
	s.Hints = wants(name, src, f)
	return s
}

// wants are the ids that a file wants, in short: whether it claims some, which a file does
// that has hints or is binary, then eight bytes of each.
func wants(name string, src []byte, f *syntax.File) string {
	m := &identity.Module{Path: name, File: f, Decls: xref.Decls(f)}
	if plto.Is(src) {
		m.Binary, _ = plto.Decode(src) // a damaged one has no ids
	}
	ids, claims := identity.Read(m).Wants()
	b := []byte{defaults}
	if claims {
		b[0] = claiming
	}
	for _, id := range ids {
		b = append(b, id[:short]...)
	}
	return string(b)
}

const (
	defaults = 'd'
	claiming = 'c'
	short    = 8
)

// joinRivals joins files that want the same id, as copies do: who gets it, they only know
// together.
func joinRivals(in *lang.Input, g *groups) {
	first := map[string]int{}
	want := func(i int, id string) {
		if j, ok := first[id]; ok {
			g.join(j, i)
		} else {
			first[id] = i
		}
	}
	records := recorded(in)
	if len(records) == 0 && !slices.ContainsFunc(in.Files, func(f lang.File) bool { return strings.HasPrefix(f.Summary.Hints, string(claiming)) }) {
		return
	}
	index := make(map[string]int, len(in.Files))
	for i, f := range in.Files {
		index[f.Path] = i
		if f.Summary.Hints == "" {
			continue
		}
		for ids := f.Summary.Hints[1:]; len(ids) >= short; ids = ids[short:] {
			want(i, ids[:short])
		}
	}
	for k, id := range records {
		if i, ok := index[k.File]; ok {
			want(i, string(id[:short]))
		}
	}
}

// isTest reports whether a file is there for tests: it says so in its name, or has nothing
// but test blocks.
func isTest(name string, f *syntax.File) bool {
	if strings.HasSuffix(strings.TrimSuffix(name, path.Ext(name)), "_test") {
		return true
	}
	for _, d := range f.Decls {
		switch d.(type) {
		case *syntax.TestDecl, *syntax.TestsDecl:
		default:
			return false
		}
	}
	return len(f.Decls) > 0
}

// textOf is the text of a file of either form.
func textOf(src []byte) (string, error) {
	if plto.Is(src) {
		return plto.Text(src)
	}
	return string(src), nil
}

// units puts files together that may have to do with each other: those of a folder, which
// are merged into one program, those that an import may lead to, and those that want one id. Which file it does
// lead to is for the compiler to say; here every file or folder counts whose path ends in
// that of the import, and all packages hang together when one names another by its path.
func units(in *lang.Input) []lang.Unit {
	g := newGroups(len(in.Files))
	folders := map[string]int{}         // the first file of each folder
	byName := map[string][]string{}     // folders with files, by their last element
	stems := map[string][]int{}         // files by their last element without extension
	at := make([]string, len(in.Files)) // paths without extension
	for i, f := range in.Files {
		dir := path.Dir(f.Path)
		if first, ok := folders[dir]; ok {
			g.join(first, i)
		} else {
			folders[dir] = i
			byName[path.Base(dir)] = append(byName[path.Base(dir)], dir)
		}
		at[i] = strings.TrimSuffix(f.Path, path.Ext(f.Path))
		stems[path.Base(at[i])] = append(stems[path.Base(at[i])], i)
	}
	for i, f := range in.Files {
		for _, imp := range f.Summary.Imports {
			for _, j := range stems[path.Base(imp)] {
				if endsIn(at[j], imp) {
					g.join(i, j)
				}
			}
			for _, dir := range byName[path.Base(imp)] {
				if endsIn(dir, imp) {
					g.join(i, folders[dir])
				}
			}
		}
	}
	if linked(in) {
		joinPackages(in, g)
	}
	joinRivals(in, g)

	var list []lang.Unit
	unit := map[int]int{}
	for i, f := range in.Files {
		root := g.find(i)
		u, ok := unit[root]
		if !ok {
			u = len(list)
			unit[root] = u
			list = append(list, lang.Unit{Name: "pluto:" + f.Path})
		}
		list[u].Files = append(list[u].Files, f.Path)
	}
	for i := range list {
		h := xxh3.New()
		for _, p := range list[i].Files {
			_, _ = h.WriteString(p + "\x00")
		}
		list[i].Shape = h.Sum64()
	}
	return list
}

func endsIn(p, tail string) bool { return p == tail || strings.HasSuffix(p, "/"+tail) }

// linked reports whether some package of the project depends on another by its path.
func linked(in *lang.Input) bool {
	for _, c := range in.Configs {
		if path.Base(c.Path) != "pluto.toml" {
			continue
		}
		if text, err := in.ReadFile(c.Path); err != nil || strings.Contains(string(text), "path") {
			return true
		}
	}
	return false
}

// joinPackages joins all files that are in some package.
func joinPackages(in *lang.Input, g *groups) {
	packages := map[string]bool{}
	for _, c := range in.Configs {
		if path.Base(c.Path) == "pluto.toml" {
			packages[path.Dir(c.Path)] = true
		}
	}
	first := -1
	for i, f := range in.Files {
		for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
			if packages[dir] {
				if first < 0 {
					first = i
				}
				g.join(first, i)
				break
			}
			if dir == "." {
				break
			}
		}
	}
}

// groups are disjoint sets of small numbers.
type groups struct{ up []int }

func newGroups(n int) *groups {
	g := &groups{up: make([]int, n)}
	for i := range g.up {
		g.up[i] = i
	}
	return g
}

func (g *groups) find(i int) int {
	for g.up[i] != i {
		g.up[i] = g.up[g.up[i]]
		i = g.up[i]
	}
	return i
}

func (g *groups) join(i, j int) { g.up[g.find(j)] = g.find(i) }
