package golang

import (
	"go/ast"
	"go/token"
	"strings"
	"sync"

	"github.com/settgraph/sett/graph"
)

// A name may be a struct in one build and a function in another. It is one symbol all
// the same, of the kind that the default configuration gives it, or else the first
// configuration that has it; tests come after all others, since what other packages see
// must not depend on them. kindTable holds the names for which that matters, and their
// members, by qualified name.
type kindTable map[string]graph.Kind

// kindsOf returns the kinds of what several files declare differently. The first one
// that declares a name decides.
func kindsOf(files []*segmented) kindTable {
	segments := map[string][]*segment{}
	varied := map[string]bool{}
	for _, f := range files {
		for _, g := range f.segments {
			if g.recv != "" {
				continue
			}
			for _, name := range g.names {
				if l := segments[name]; len(l) > 0 && (l[0].tok != g.tok || g.tok == token.TYPE) {
					varied[name] = true
				}
				segments[name] = append(segments[name], g)
			}
		}
	}
	delete(varied, "_")
	delete(varied, "init")
	if len(varied) == 0 {
		return nil
	}
	first, table := kindTable{}, kindTable{}
	enter := func(kind graph.Kind, qual string) {
		if k, ok := first[qual]; !ok {
			first[qual] = kind
		} else if k != kind {
			table[qual] = k
		}
	}
	fset := token.NewFileSet()
	d := declarer{visit: func(d *declared) {
		if name, _, _ := strings.Cut(d.qual, "."); varied[name] {
			enter(d.kind, d.qual)
		}
	}}
	for _, f := range files {
		for _, g := range f.segments {
			switch {
			case g.recv != "":
				for _, name := range g.names {
					if varied[g.recv] {
						enter(graph.KindMethod, g.recv+"."+name)
					}
				}
				continue
			case !anyIn(varied, g.names):
				continue
			}
			if decl := g.parse(fset); decl != nil {
				d.file(&ast.File{Decls: []ast.Decl{decl}}, "")
			}
		}
	}
	return table
}

func anyIn(set map[string]bool, names []string) bool {
	for _, n := range names {
		if set[n] {
			return true
		}
	}
	return false
}

// kinds returns the table of the package of a directory whose symbols are of a module.
// It is the same whatever is extracted.
func (r *run) kinds(d *directory, module string) kindTable {
	r.mu.Lock()
	f := r.varied[d]
	if f == nil {
		f = sync.OnceValue(func() map[string]kindTable { return r.readKinds(d) })
		r.varied[d] = f
	}
	r.mu.Unlock()
	return f()[module]
}

// readKinds compares the files of a directory, by the module of their symbols.
func (r *run) readKinds(d *directory) map[string]kindTable {
	configs, takes := cover(d.sources())
	if len(configs) < 2 {
		return nil
	}
	files, tests := map[string][]*segmented{}, map[string][]*segmented{}
	for i, c := range configs {
		taken := map[*file]bool{}
		for _, f := range takes[i] {
			taken[f] = true
		}
		for _, g := range d.groups(c) {
			for j, list := range [][]*file{g.files, g.tests, g.xtests} {
				module, to := g.path, files
				if j > 0 {
					to = tests
				}
				if j == 2 {
					module += "_test"
				}
				for _, f := range list {
					if !taken[f] {
						continue
					}
					if src, err := r.in.ReadFile(f.path); err == nil {
						to[module] = append(to[module], newSegmented(src))
					}
				}
			}
		}
	}
	for module, list := range tests {
		files[module] = append(files[module], list...)
	}
	out := map[string]kindTable{}
	for module, list := range files {
		out[module] = kindsOf(list)
	}
	return out
}

// outlineKinds returns what gives the table for an outline, once its files are read.
func (r *run) outlineKinds(o *outline) func() kindTable {
	switch {
	case o.cfg.id == "":
		return func() kindTable { return nil }
	case o.dir != nil:
		return func() kindTable { return r.kinds(o.dir, o.path) }
	}
	// Outside the project the files of the default configuration come first, and of
	// the others only those at hand count.
	fo, own := o.folder, o.files
	return func() kindTable {
		var files []*segmented
		def := defaultConfig()
		for _, f := range fo.files {
			if f.build == nil || f.build.Eval(def.has) {
				files = append(files, newSegmented(f.text().src))
			}
		}
		for _, f := range own {
			files = append(files, newSegmented(f.text.src))
		}
		return kindsOf(files)
	}
}
