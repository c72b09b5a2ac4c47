package typecheck

import (
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// What ./... leaves out the go command builds only when it is named: Go files outside any
// module, and those that a constraint "ignore" keeps out of their package. Which of a
// folder's belong together nobody says, so a file that cannot be with all others is checked
// with those only that can be with all, and nothing is said that what was left out may
// explain.

// A bundle is files of a folder that are checked together.
type bundle struct {
	files []*text
	only  *text    // whose findings are wanted; nil: of all
	apart []string // what the files declare that were left out
}

// bundles divides files of one folder.
func (s *session) bundles(list []*text) []bundle {
	s.parse(slices.DeleteFunc(slices.Clone(list), func(t *text) bool { return t.declares != nil }))
	byName := map[string][]*text{}
	for _, t := range list {
		if t.declares == nil {
			t.declares = declared(t.file)
		}
		byName[t.name] = append(byName[t.name], t)
	}
	var out []bundle
	for _, name := range sortedKeys(byName) {
		files := byName[name]
		times := map[string]int{}
		for _, t := range files {
			for _, d := range t.declares {
				times[d]++
			}
		}
		var shared, single []*text
		for _, t := range files {
			if slices.ContainsFunc(t.declares, func(d string) bool { return times[d] > 1 }) {
				single = append(single, t)
			} else {
				shared = append(shared, t)
			}
		}
		others := func(t *text) (names []string) {
			for _, o := range single {
				if o != t {
					names = append(names, o.declares...)
				}
			}
			return names
		}
		if len(shared) > 0 {
			out = append(out, bundle{files: shared, apart: others(nil)})
		}
		for _, t := range single {
			out = append(out, bundle{append([]*text{t}, shared...), t, others(t)})
		}
	}
	return out
}

// declared returns the names that a file declares for its package, each once, those of
// methods behind their type's: "T.M".
func declared(f *ast.File) []string {
	names := []string{}
	add := func(id *ast.Ident) {
		if id.Name != "_" {
			names = append(names, id.Name)
		}
	}
	if f == nil {
		return names
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil && len(d.Recv.List) > 0:
				names = append(names, receiver(d.Recv.List[0].Type)+"."+d.Name.Name)
			case d.Name.Name != "init":
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, sp := range d.Specs {
				switch sp := sp.(type) {
				case *ast.TypeSpec:
					add(sp.Name)
				case *ast.ValueSpec:
					if d.Tok != token.IMPORT {
						for _, id := range sp.Names {
							add(id)
						}
					}
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// receiver is the name of the type that a method is of.
func receiver(x ast.Expr) string {
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.ParenExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// mayExplain reports whether words of a message are declared in files that were left out.
func mayExplain(apart []string, msg string) bool {
	if len(apart) == 0 {
		return false
	}
	words := map[string]bool{}
	for _, w := range word.FindAllString(msg, -1) {
		words[w] = true
	}
	return slices.ContainsFunc(apart, func(name string) bool {
		return words[name[strings.LastIndexByte(name, '.')+1:]]
	})
}

// loosePkgs makes a package of each bundle of files of a folder.
func (s *session) loosePkgs(dir *pkg, list []*text) []*pkg {
	var out []*pkg
	for _, b := range s.bundles(list) {
		key := path.Join(dir.path, filepath.Base(b.files[0].path))
		p := dir.w.pkgs[key]
		if p == nil {
			p = &pkg{w: dir.w, dir: dir.dir, path: key}
			dir.w.pkgs[key] = p
		}
		p.seen, p.mod, p.lang, p.nonGo, p.loose = s, dir.mod, dir.lang, dir.nonGo, true
		p.name, p.files, p.only, p.apart = b.files[0].name, b.files, b.only, b.apart
		p.deps, p.cyclic = nil, false
		out = append(out, p)
	}
	return out
}

// looseTargets are the packages of a folder's files that only a name makes the go command
// build.
func (s *session) looseTargets(p *pkg) []*target {
	var list []*text
	if p.mod.loose {
		list = slices.Concat(p.files, p.tests, p.xtests)
	}
	for _, t := range p.ignored {
		if t.script {
			list = append(list, t)
		}
	}
	if s.scope.NoTests {
		list = slices.DeleteFunc(list, func(t *text) bool { return strings.HasSuffix(t.path, "_test.go") })
	}
	var out []*target
	for _, q := range s.loosePkgs(p, list) {
		if s.wanted == nil || q.only == nil && s.wants(q.files) || q.only != nil && s.wanted[q.only.path] {
			out = append(out, &target{p: q, plain: true})
		}
	}
	return out
}
