package golang

import (
	"cmp"
	"go/build/constraint"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/indexer/lang"
)

// A file is one source file of the project, as its summary describes it.
type file struct {
	path    string
	index   int // in the unit's Files
	info    lang.File
	pkg     string          // the name in its package clause; empty when it has none
	build   constraint.Expr // when it takes part; nil: always
	imports []string
}

// alone reports whether the file is a program of its own, as generators that are kept
// out of every build are.
func (f *file) alone() bool {
	return f.pkg == "main" && f.build != nil && slices.Contains(exprTags(f.build), "ignore") &&
		!f.build.Eval(func(tag string) bool { return tag != "ignore" })
}

// A directory holds the Go packages of one unit.
type directory struct {
	path    string // from the root
	imports string // the import path
	module  *goModule
	files   []*file // sorted by path
	primary string  // name of the package that an import of the directory gives
}

// sources returns the files that say a package name.
func (d *directory) sources() []*file {
	return slices.DeleteFunc(slices.Clone(d.files), func(f *file) bool { return f.pkg == "" })
}

// A repo is the project's directories and how import paths find them.
type repo struct {
	modules *modules
	dirs    map[string]*directory
	byPath  map[string]*directory
	order   []*directory // sorted by path
	cut     func() map[[2]*directory]bool
}

// newRepo groups the files by directory.
func newRepo(in *lang.Input) *repo { return newRepoOf(in, readModules(in)) }

func newRepoOf(in *lang.Input, ms *modules) *repo {
	r := &repo{modules: ms, dirs: map[string]*directory{}, byPath: map[string]*directory{}}
	for _, f := range in.Files {
		p := path.Dir(f.Path)
		d := r.dirs[p]
		if d == nil {
			d = &directory{path: p}
			r.dirs[p] = d
			r.order = append(r.order, d)
		}
		pkg, build := splitHints(f.Summary.Hints)
		d.files = append(d.files, &file{
			path: f.Path, info: f, pkg: pkg, imports: f.Summary.Imports,
			build: fileConstraint(path.Base(f.Path), build, slices.Contains(f.Summary.Imports, "C")),
		})
	}
	slices.SortFunc(r.order, func(a, b *directory) int { return cmp.Compare(a.path, b.path) })
	for _, d := range r.order {
		slices.SortFunc(d.files, func(a, b *file) int { return cmp.Compare(a.path, b.path) })
		for i, f := range d.files {
			f.index = i
		}
		d.primary = primaryName(d.files)
		d.module = r.modules.of(d.path)
	}
	prefix := r.guessPrefix()
	for _, d := range r.order {
		d.imports = r.importPath(d, prefix)
		// A copy of a module somewhere deeper (testdata) must not take the place of it.
		if old := r.byPath[d.imports]; old == nil || len(d.path) < len(old.path) {
			r.byPath[d.imports] = d
		}
	}
	r.cut = sync.OnceValue(r.findCycles)
	return r
}

// findCycles returns imports without which no package imports itself. They depend on
// nothing but the project, so that a unit means the same whatever is read with it.
func (r *repo) findCycles() map[[2]*directory]bool {
	cut := map[[2]*directory]bool{}
	def := defaultConfig()
	done := map[*directory]bool{} // false: on the way
	var visit func(d *directory)
	visit = func(d *directory) {
		done[d] = false
		for _, f := range d.files {
			if f.info.Summary.Test || f.pkg != d.primary || !def.match(f) {
				continue
			}
			for _, p := range f.imports {
				t, _ := r.resolve(d, p)
				if t == nil || t == d {
					continue
				}
				if finished, seen := done[t]; !seen {
					visit(t)
				} else if !finished {
					cut[[2]*directory{d, t}] = true
				}
			}
		}
		done[d] = true
	}
	for _, d := range r.order {
		if _, seen := done[d]; !seen {
			visit(d)
		}
	}
	return cut
}

// importPath returns what others write to import the directory.
func (r *repo) importPath(d *directory, prefix string) string {
	if i := strings.LastIndex("/"+d.path+"/", "/vendor/"); i >= 0 {
		if rest := strings.TrimPrefix(d.path[min(i, len(d.path)):], "/"); len(rest) > len("vendor/") {
			return strings.TrimPrefix(rest, "vendor/")
		}
	}
	if m := d.module; m != nil {
		switch {
		case d.path == m.dir:
			return m.path
		case m.path == "std": // the standard library's own sources
			return strings.TrimPrefix(d.path, m.dir+"/")
		case m.dir == ".":
			return m.path + "/" + d.path
		default:
			return m.path + d.path[len(m.dir):]
		}
	}
	if i := strings.LastIndex("/"+d.path, "/src/"); i >= 0 { // a GOPATH
		return d.path[i+len("src/"):]
	}
	if prefix != "" {
		return path.Join(prefix, d.path)
	}
	return d.path
}

// guessPrefix finds the import path of the root of a project without a go.mod: what
// most of its imports that end in one of its directories begin with.
func (r *repo) guessPrefix() string {
	votes := map[string]int{}
	for _, d := range r.order {
		if d.module != nil {
			continue
		}
		for _, f := range d.files {
			for _, p := range f.imports {
				if first, _, _ := strings.Cut(p, "/"); !strings.Contains(first, ".") {
					continue
				}
				for i := len(p) - 1; i > 0; i-- {
					if p[i] == '/' && r.dirs[p[i+1:]] != nil {
						votes[p[:i]]++
					}
				}
			}
		}
	}
	best := ""
	for p, n := range votes {
		if n > votes[best] || n == votes[best] && (len(p) < len(best) || len(p) == len(best) && p < best) {
			best = p
		}
	}
	return best
}

// resolve finds the project's directory for an import written in from; missing says
// that the path belongs to the project but nothing is there.
func (r *repo) resolve(from *directory, p string) (d *directory, missing bool) {
	if strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || p == "." || p == ".." {
		return r.dirs[path.Join(from.path, p)], true
	}
	if m := from.module; m != nil {
		if dir, ok := below(p, m.path, m.dir); ok {
			if d := r.dirs[dir]; d != nil && d.module == m {
				return d, false
			}
		}
		for _, lr := range m.replaces {
			if dir, ok := below(p, lr.path, lr.dir); ok {
				if d := r.dirs[dir]; d != nil {
					return d, false
				}
			}
		}
	}
	for _, lr := range r.modules.replaces {
		if dir, ok := below(p, lr.path, lr.dir); ok {
			if d := r.dirs[dir]; d != nil {
				return d, false
			}
		}
	}
	if d := r.byPath[p]; d != nil {
		return d, false
	}
	for _, m := range r.modules.list {
		if dir, ok := below(p, m.path, m.dir); ok {
			// What stands in a testdata folder is there, but not part of the project.
			return nil, !slices.Contains(strings.Split(dir, "/"), "testdata")
		}
	}
	return nil, false
}

// primaryName returns the name of the package that importers of a directory see: that
// of most of the files which the default configuration builds.
func primaryName(files []*file) string {
	def := defaultConfig()
	for _, consider := range []func(*file) bool{
		func(f *file) bool { return !f.info.Summary.Test && def.match(f) },
		func(f *file) bool { return !f.info.Summary.Test && !f.alone() },
		func(f *file) bool { return f.info.Summary.Test },
	} {
		count := map[string]int{}
		for _, f := range files {
			if f.pkg == "" || !consider(f) {
				continue
			}
			name := f.pkg
			if f.info.Summary.Test {
				name = strings.TrimSuffix(name, "_test")
			}
			count[name]++
		}
		best := ""
		for name, n := range count {
			switch {
			case best == "" || n > count[best]:
				best = name
			case n == count[best] && (best == "main" || name != "main" && name < best):
				best = name
			}
		}
		if best != "" {
			return best
		}
	}
	return ""
}

// A group is one package of a directory under one configuration, with its tests.
type group struct {
	name    string
	path    string // the module of its symbols
	files   []*file
	tests   []*file // in-package tests
	xtests  []*file // of the package <name>_test
	primary bool
}

// groups splits the files that take part into packages, the primary one first.
func (d *directory) groups(c *config) []*group {
	var out []*group
	get := func(name, path string) *group {
		for _, g := range out {
			if g.path == path && g.name == name {
				return g
			}
		}
		g := &group{name: name, path: path, primary: path == d.imports}
		out = append(out, g)
		return g
	}
	named := func(name string) *group {
		if name == d.primary {
			return get(name, d.imports)
		}
		return get(name, d.imports+"#"+name)
	}
	var tests []*file
	for _, f := range d.files {
		switch {
		case !c.match(f) || f.pkg == "":
		case f.info.Summary.Test:
			tests = append(tests, f)
		case f.alone():
			g := get(f.pkg, d.imports+"/"+path.Base(f.path))
			g.files = append(g.files, f)
		default:
			g := named(f.pkg)
			g.files = append(g.files, f)
		}
	}
	for _, f := range tests {
		base, external := strings.CutSuffix(f.pkg, "_test")
		known := func(name string) bool {
			return name == d.primary || slices.ContainsFunc(out, func(g *group) bool { return g.name == name })
		}
		if external && !known(f.pkg) {
			g := named(base)
			g.xtests = append(g.xtests, f)
		} else {
			g := named(f.pkg)
			g.tests = append(g.tests, f)
		}
	}
	slices.SortStableFunc(out, func(a, b *group) int {
		if a.primary != b.primary {
			if a.primary {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.path, b.path)
	})
	return out
}

// units makes a unit of every directory.
func units(in *lang.Input) []lang.Unit {
	r := newRepo(in)
	out := make([]lang.Unit, 0, len(r.order))
	for _, d := range r.order {
		u := lang.Unit{Name: unitName(d.path)}
		var shape []byte
		for _, f := range d.files {
			u.Files = append(u.Files, f.path)
			if !f.info.Summary.Test {
				shape = append(shape, path.Base(f.path)...)
				for i := range 8 {
					shape = append(shape, byte(f.info.Summary.Shape>>(8*i)))
				}
			}
			for _, p := range f.imports {
				if t, _ := r.resolve(d, p); t != nil && t != d {
					u.Deps = append(u.Deps, unitName(t.path))
				}
			}
		}
		u.Shape = xxh3.Hash(append(shape, d.imports...))
		slices.Sort(u.Deps)
		u.Deps = slices.Compact(u.Deps)
		out = append(out, u)
	}
	return out
}

func unitName(dir string) string { return langName + ":" + dir }
