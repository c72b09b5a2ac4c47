package typecheck

import (
	"cmp"
	"fmt"
	"go/version"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// A pkg is a package of a world whose source is read here.
type pkg struct {
	w        *world
	mod      *module
	dir      string
	path     string
	lang     string
	name     string
	clash    string // what the go command says of files of two packages
	clashAt  *text
	files    []*text
	tests    []*text // of the package itself
	xtests   []*text // of the package beside it
	ignored  []*text
	nonGo    bool     // has files in assembler
	other    []string // names of files that only cgo compiles
	foreign  bool     // not the project's: its errors are not reported
	loose    bool     // see loose.go
	only     *text
	apart    []string
	std      bool
	seen     *session // for which it was loaded
	deps     map[string]dep
	cyclic   bool
	rep      *rep
	outcomes [3]outcome
}

// A dep is what an import path means to a package.
type dep struct {
	pkg     *pkg   // checked here
	outside bool   // read from export data
	err     string // why it is neither
	unsure  bool   // err is no fault of the project
}

// byPath loads the package that a world has of an import path; nil when none of its modules
// has a folder for it.
func (s *session) byPath(w *world, importPath string) *pkg {
	if p := w.pkgs[importPath]; p != nil && p.seen == s {
		return p
	}
	for _, m := range w.mods {
		rest, ok := cutPath(importPath, m.path)
		if !ok {
			continue
		}
		dir := filepath.Join(m.dir, filepath.FromSlash(rest))
		if slices.ContainsFunc(m.holes, func(h string) bool { return below(h, dir) }) {
			continue
		}
		if p := s.load(w, m, dir, importPath); p != nil {
			return p
		}
	}
	return nil
}

// cutPath returns the rest of an import path below a module's.
func cutPath(importPath, modPath string) (rest string, ok bool) {
	if modPath == "" {
		return "", false
	}
	if importPath == modPath {
		return "", true
	}
	return strings.CutPrefix(importPath, modPath+"/")
}

// load reads what files a folder's package has; nil when it has none.
func (s *session) load(w *world, m *module, dir, importPath string) *pkg {
	if p := w.pkgs[importPath]; p != nil && p.seen == s {
		return p
	}
	names := map[string]bool{}
	for _, f := range s.byDir[dir] {
		names[path.Base(f.Path)] = true
	}
	nonGo, other := false, []string(nil)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.HasSuffix(name, ".go"):
			if !e.IsDir() {
				names[name] = true
			}
		case strings.HasSuffix(name, ".s"), strings.HasSuffix(name, ".S"), strings.HasSuffix(name, ".sx"):
			nonGo = true
		case cgoLanguage(name) != "":
			other = append(other, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	p := w.pkgs[importPath]
	if p == nil {
		p = &pkg{w: w, dir: dir, path: importPath}
		w.pkgs[importPath] = p
	}
	p.seen, p.mod, p.nonGo, p.other, p.deps, p.cyclic = s, m, nonGo, other, nil, false
	p.dir, p.foreign, p.std = dir, m == nil || !m.main, false
	if m != nil {
		p.lang = m.lang
	}
	p.name, p.clash, p.clashAt = "", "", nil
	p.files, p.tests, p.xtests, p.ignored = nil, nil, nil, nil
	first := ""
	for _, name := range sortedKeys(names) {
		if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		abs := filepath.Join(dir, name)
		t, err := s.readText(abs)
		if err != nil {
			if s.files[abs] != nil {
				s.note("%s could not be read: %v", s.files[abs].Path, err)
			}
			continue
		}
		if t.ignored || t.name == "documentation" && len(t.bad) == 0 {
			p.ignored = append(p.ignored, t)
			continue
		}
		own, test := t.name, strings.HasSuffix(name, "_test.go")
		x := false
		if test {
			own, x = strings.CutSuffix(own, "_test")
		}
		if own != "" && len(t.bad) == 0 {
			switch {
			case p.name == "":
				p.name, first = own, name
			case p.name != own && p.clash == "":
				p.clash = fmt.Sprintf("found packages %s (%s) and %s (%s) in %s", p.name, first, own, name, dir)
				p.clashAt = t
			}
		}
		switch {
		case x:
			p.xtests = append(p.xtests, t)
		case test:
			p.tests = append(p.tests, t)
		default:
			p.files = append(p.files, t)
		}
	}
	return p
}

// unusable says why a package cannot be imported, in the go command's words.
func (p *pkg) unusable() string {
	switch {
	case p.clash != "":
		return p.clash
	case len(p.files) > 0:
		return ""
	case len(p.tests)+len(p.xtests) > 0:
		return "no non-test Go files in " + p.dir
	}
	return "build constraints exclude all Go files in " + p.dir
}

// resolve says what an import path means to a package. ask is set when only the go command
// knows and has not been asked yet.
func (s *session) resolve(p *pkg, importPath string) (d dep, ask bool) {
	if importPath == "unsafe" {
		return dep{outside: true}, false
	}
	if p.loose {
		defer func() {
			if d.err != "" && !d.unsure { // it may be meant for another place
				d.unsure = true
				s.note("package %s, which %s imports, was not found", importPath, p.path)
			}
		}()
	}
	if msg := invalidPath(importPath); msg != "" {
		return dep{err: msg}, false
	}
	if !p.std {
		if q := s.byPath(p.w, importPath); q != nil {
			if why := q.unusable(); why != "" {
				return dep{err: why}, false
			}
			if q.name == "main" && !p.foreign {
				return dep{err: fmt.Sprintf("import %q is a program, not an importable package", importPath)}, false
			}
			if !mayImport(p.path, importPath) && !p.foreign {
				return dep{err: "use of internal package " + importPath + " not allowed"}, false
			}
			return dep{pkg: q}, false
		}
	}
	d, ok := s.outsideDep(p, importPath)
	if !ok {
		return dep{}, true
	}
	if f := sumMissing.FindString(d.err); f != "" {
		d.err = strings.TrimSuffix(f, "; to add:") + " (imported by " + p.path + "); to add:\n\tgo get " + p.path
	}
	if d.err == "" && !p.foreign && !mayImport(p.path, importPath) {
		return dep{err: "use of internal package " + importPath + " not allowed"}, false
	}
	return d, false
}

var sumMissing = regexp.MustCompile(`^missing go.sum entry for module providing package \S+; to add:`)

// invalidPath says what is wrong with an import path by itself.
func invalidPath(p string) string {
	switch {
	case p == "":
		return `invalid import path: ""`
	case p == "." || p == ".." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../"):
		return fmt.Sprintf("%q is relative, but relative import paths are not supported in module mode", p)
	case strings.HasPrefix(p, "/"):
		return fmt.Sprintf("cannot import absolute path %q", p)
	case strings.ContainsAny(p, "!\"#$%&'()*,:;<=>?[\\]^`{|} \t\uFFFD"):
		return "invalid import path: " + p
	}
	return ""
}

// mayImport is the rule of internal folders.
func mayImport(from, to string) bool {
	i := -1
	switch {
	case to == "internal" || strings.HasPrefix(to, "internal/"):
		i = 0
	case strings.HasSuffix(to, "/internal"):
		i = len(to) - len("internal")
	}
	if j := strings.LastIndex(to, "/internal/"); j >= 0 {
		i = max(i, j+1)
	}
	if i < 0 {
		return true
	}
	if i == 0 {
		return false // the standard library's, and it is not here
	}
	parent := to[:i-1]
	return from == parent || strings.HasPrefix(from, parent+"/") || strings.HasPrefix(from, parent+"_test")
}

// A target is a package that findings are wanted of, and of which of its files.
type target struct {
	p                  *pkg
	plain, test, xtest bool
}

// targets chooses what is checked.
func (s *session) targets() []*target {
	dirs := map[string]bool{}
	if s.scope.Files != nil {
		for _, f := range s.scope.Files {
			dirs[filepath.Dir(s.abs(f))] = true
		}
	} else {
		for dir := range s.byDir {
			dirs[dir] = true
		}
	}
	var out, named []*target
	for _, dir := range sortedKeys(dirs) {
		if s.ctx.Err() != nil {
			return nil
		}
		for _, w := range s.worlds {
			m := w.home(dir)
			if m == nil || s.scope.Files == nil && !matched(m.dir, dir) || vendored(m.dir, dir) {
				continue
			}
			rel, _ := filepath.Rel(m.dir, dir)
			importPath := path.Join(m.path, filepath.ToSlash(rel))
			if m.path == "" {
				importPath = "command-line-arguments/" + filepath.ToSlash(rel)
			}
			p := s.load(w, m, dir, importPath)
			if p == nil {
				continue
			}
			if m.loose {
				out = append(out, s.looseTargets(p)...)
				break
			}
			t := &target{p: p, plain: len(p.files) > 0, test: len(p.tests) > 0 && !s.scope.NoTests, xtest: len(p.xtests) > 0 && !s.scope.NoTests}
			if s.wanted != nil {
				t.plain, t.test, t.xtest = t.plain && s.wants(p.files), t.test && s.wants(p.tests), t.xtest && s.wants(p.xtests)
				named = append(named, s.looseTargets(p)...)
			}
			if t.plain || t.test || t.xtest || s.wanted == nil {
				if matched(m.dir, dir) {
					out = append(out, t)
				} else {
					named = append(named, t)
				}
			}
			break
		}
	}
	// What ./... leaves out is meant only by who asks for nothing else.
	if len(out) == 0 {
		out = named
	}
	var left []string
	for _, abs := range sortedKeys(s.wanted) {
		if t := s.c.texts[abs]; t != nil && t.ignored && !slices.ContainsFunc(out, func(o *target) bool { return slices.Contains(o.p.files, t) }) {
			left = append(left, t.rel)
		}
	}
	switch n := len(left); {
	case n == 1:
		s.note("%s is left out by its build constraints: it was not checked", left[0])
	case n > 3:
		s.note("%d files are left out by their build constraints, as %s: they were not checked", n, joinWords(left[:2]))
	case n > 0:
		s.note("%s are left out by their build constraints: they were not checked", joinWords(left))
	}
	return out
}

func (s *session) wants(list []*text) bool {
	return slices.ContainsFunc(list, func(t *text) bool { return s.wanted[t.path] })
}

// home is the module of a world that a folder is in and whose findings are this world's.
func (w *world) home(dir string) *module {
	var best *module
	for _, m := range w.mods {
		if m.main && below(m.dir, dir) && !slices.ContainsFunc(m.holes, func(h string) bool { return below(h, dir) }) {
			if best == nil || len(m.dir) > len(best.dir) {
				best = m
			}
		}
	}
	return best
}

// matched reports whether the pattern ./... of a module means a folder.
func matched(mod, dir string) bool {
	rel, err := filepath.Rel(mod, dir)
	if err != nil {
		return false
	}
	for _, e := range strings.Split(filepath.ToSlash(rel), "/") {
		if e == "testdata" || e == "vendor" || e != "." && strings.HasPrefix(e, ".") || strings.HasPrefix(e, "_") {
			return false
		}
	}
	return true
}

// vendored reports whether a folder of a module has copies of others' packages.
func vendored(mod, dir string) bool {
	rel, err := filepath.Rel(mod, dir)
	return err == nil && slices.Contains(strings.Split(filepath.ToSlash(rel), "/"), "vendor")
}

// connect resolves all imports of the targets and of what they import, asking the go
// command about each round's unknown packages together.
func (s *session) connect(targets []*target) error {
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	for _, w := range s.worlds {
		// A module may want a newer release than there is: the go command knows what to say.
		if l := w.mods[len(w.mods)-1].lang; s.c.tool.command != "" && l != "" && version.Compare(l, s.c.tool.env.GOVERSION) > 0 && w.outside.known["unsafe"] == nil && !w.outside.fromSource {
			if err := s.ask(w, []string{"unsafe"}); err != nil {
				return err
			}
		}
		s.findings = append(s.findings, w.outside.refusal...)
	}
	for {
		unknown := map[*world]map[string]bool{}
		done := map[*pkg]bool{}
		var visit func(p *pkg, lists ...[]*text)
		resolveAll := func(p *pkg, lists [][]*text) (next []*pkg) {
			if p.deps == nil {
				p.deps = map[string]dep{}
			}
			for _, list := range lists {
				for _, t := range list {
					for _, imp := range t.imports {
						d, ok := p.deps[imp.path]
						if !ok {
							var ask bool
							if d, ask = s.resolve(p, imp.path); ask {
								if unknown[p.w] == nil {
									unknown[p.w] = map[string]bool{}
								}
								unknown[p.w][imp.path] = true
								continue
							}
							p.deps[imp.path] = d
						}
						if d.pkg != nil {
							next = append(next, d.pkg)
						}
					}
				}
			}
			return next
		}
		visit = func(p *pkg, lists ...[]*text) {
			for _, q := range resolveAll(p, lists) {
				if !done[q] {
					done[q] = true
					visit(q, q.files)
				}
			}
		}
		for _, t := range targets {
			lists := [][]*text{t.p.files}
			done[t.p] = true
			if t.test {
				lists = append(lists, t.p.tests)
			}
			if t.xtest {
				lists = append(lists, t.p.tests, t.p.xtests)
			}
			visit(t.p, lists...)
		}
		if len(unknown) == 0 {
			return nil
		}
		for _, w := range s.worlds {
			if paths := unknown[w]; len(paths) > 0 {
				if err := s.ask(w, sortedKeys(paths)); err != nil {
					return err
				}
			}
		}
	}
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func joinWords(words []string) string { return strings.Join(words, ", ") }

// fault reports something wrong at a place of a text.
func (s *session) fault(t *text, at place, code, msg string) {
	if t.rel == "" {
		return
	}
	s.add(report.Diagnostic{File: t.rel, Line: at.line, Col: t.column(at), Code: code, Message: msg})
}

// add adds a finding.
func (s *session) add(d report.Diagnostic) {
	d.Severity, d.Source = report.Error, "go"
	s.mu.Lock()
	defer s.mu.Unlock()
	s.findings = append(s.findings, d)
}
