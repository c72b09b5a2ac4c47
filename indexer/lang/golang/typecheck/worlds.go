package typecheck

import (
	"cmp"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
	"golang.org/x/mod/modfile"

	"github.com/settgraph/sett/query/report"
)

// A world is what the go command builds together: a module with those that it replaces by
// folders, or the modules of a workspace. In a world, an import path is one package.
type world struct {
	dir     string    // where the go command is asked
	env     []string  // what it is asked with
	mods    []*module // longest path first
	key     uint64    // of all that says which packages are meant
	broken  bool      // its go.mod cannot be read
	open    bool      // built with folders that are not seen here
	outside outside
	pkgs    map[string]*pkg // by import path
}

// A module is a folder of packages of a world whose sources belong to the project.
type module struct {
	dir   string
	path  string
	lang  string // the language version: "go1.21"
	main  bool   // its findings are of this world
	loose bool   // no module: what is in none
	file  *modfile.File
	holes []string // folders of other modules below it
}

// goFile reads a project file by its absolute path, or any other from the disk.
func (s *session) read(abs string) ([]byte, error) {
	if rel, ok := s.rel(abs); ok {
		return s.in.ReadFile(rel)
	}
	return os.ReadFile(abs)
}

// rel is the path from the root of what is below it.
func (s *session) rel(abs string) (string, bool) {
	r, err := filepath.Rel(s.in.Root, abs)
	if err != nil || r == ".." || strings.HasPrefix(r, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(r), true
}

func (s *session) abs(rel string) string { return filepath.Join(s.in.Root, filepath.FromSlash(rel)) }

func isModFile(name string) bool {
	base := path.Base(name)
	return base == "go.mod" || base == "go.work"
}

// findWorlds reads the configuration and says which modules are built together.
func (s *session) findWorlds() {
	var modDirs, workDirs []string
	for _, c := range s.in.Configs {
		dir := filepath.Dir(s.abs(c.Path))
		switch path.Base(c.Path) {
		case "go.mod":
			modDirs = append(modDirs, dir)
		case "go.work":
			workDirs = append(workDirs, dir)
		}
	}
	for dir, hasMod, hasWork := s.in.Root, slices.Contains(modDirs, s.in.Root), slices.Contains(workDirs, s.in.Root); ; {
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
		if !hasMod && isFile(filepath.Join(dir, "go.mod")) {
			modDirs, hasMod = append(modDirs, dir), true
		}
		if !hasWork && isFile(filepath.Join(dir, "go.work")) {
			workDirs, hasWork = append(workDirs, dir), true
		}
	}
	if s.c.tool.env.GOWORK == "off" {
		workDirs = nil
	}
	slices.Sort(modDirs)
	slices.SortFunc(workDirs, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	mods := map[string]*module{}
	for _, dir := range modDirs {
		m := s.readModule(dir)
		m.main = true
		for _, other := range modDirs {
			if other != dir && below(dir, other) {
				m.holes = append(m.holes, other)
			}
		}
		mods[dir] = m
	}
	inWork := map[string]bool{}
	for _, dir := range workDirs {
		s.workWorld(dir, mods, inWork)
	}
	for _, dir := range modDirs {
		if inWork[dir] {
			continue
		}
		w := &world{dir: dir, mods: []*module{mods[dir]}, broken: mods[dir].file == nil}
		if len(workDirs) > 0 {
			w.env = []string{"GOWORK=off"}
			if slices.ContainsFunc(workDirs, func(d string) bool { return below(d, dir) }) {
				r, _ := s.rel(dir)
				s.note("the module in %s is in no workspace: it was checked on its own", r)
			}
		}
		s.addWorld(w, mods)
	}
	if loose := s.looseDirs(); len(loose) > 0 {
		s.addWorld(&world{dir: s.in.Root, mods: []*module{{dir: s.in.Root, path: "", main: true, loose: true, holes: modDirs}}}, mods)
	}
}

// looseDirs are the folders of Go files that are in no module.
func (s *session) looseDirs() []string {
	var loose []string
	for dir := range s.byDir {
		if !slices.ContainsFunc(s.worlds, func(w *world) bool {
			return slices.ContainsFunc(w.mods, func(m *module) bool { return m.main && below(m.dir, dir) })
		}) {
			loose = append(loose, dir)
		}
	}
	return loose
}

func (s *session) workWorld(dir string, mods map[string]*module, inWork map[string]bool) {
	name := filepath.Join(dir, "go.work")
	src, err := s.read(name)
	if err != nil {
		return
	}
	f, err := modfile.ParseWork(name, src, nil)
	if err != nil {
		s.modErrors(name, err)
		return
	}
	w := &world{dir: dir}
	for _, use := range f.Use {
		d := filepath.Join(dir, filepath.FromSlash(use.Path))
		m := mods[d]
		if m == nil || inWork[d] {
			w.open = w.open || m == nil
			continue
		}
		inWork[d] = true
		w.mods = append(w.mods, m)
		w.broken = w.broken || m.file == nil
	}
	if len(w.mods) == 0 {
		return
	}
	for _, r := range f.Replace {
		s.replaceBy(w, r, dir, mods)
	}
	w.open = w.open || w.opens(f.Replace, dir)
	s.addWorld(w, mods)
}

// addWorld completes a world with the modules that it replaces by folders of the project,
// and takes the one that is remembered if nothing changed.
func (s *session) addWorld(w *world, mods map[string]*module) {
	for _, m := range slices.Clone(w.mods) {
		if m.file == nil {
			continue
		}
		for _, r := range m.file.Replace {
			s.replaceBy(w, r, m.dir, mods)
		}
	}
	for _, m := range w.mods {
		w.open = w.open || m.file != nil && w.opens(m.file.Replace, m.dir)
	}
	slices.SortStableFunc(w.mods, func(a, b *module) int { return cmp.Compare(len(b.path), len(a.path)) })
	h := xxh3.New()
	_, _ = h.WriteString(s.c.tool.env.GOROOT + "\x00" + s.c.tool.env.GOVERSION + "\x00" + w.dir + "\x00" + strings.Join(w.env, "\x00"))
	for _, name := range []string{"go.work", "go.work.sum", "vendor/modules.txt"} {
		s.hashFile(h, filepath.Join(w.dir, filepath.FromSlash(name)))
	}
	for _, m := range w.mods {
		for _, name := range []string{"go.mod", "go.sum", "vendor/modules.txt"} {
			s.hashFile(h, filepath.Join(m.dir, filepath.FromSlash(name)))
		}
		for _, hole := range m.holes {
			_, _ = h.WriteString(hole + "\x00")
		}
	}
	w.key = h.Sum64()
	id := w.dir + "\x00" + w.mods[0].path
	if old := s.c.worlds[id]; old != nil && old.key == w.key {
		w = old
	} else {
		w.pkgs = map[string]*pkg{}
		s.c.worlds[id] = w
	}
	s.worlds = append(s.worlds, w)
}

func (s *session) hashFile(h *xxh3.Hasher, name string) {
	src, err := s.read(name)
	if err != nil {
		src = nil
	}
	_, _ = h.WriteString(name + "\x00")
	_, _ = h.Write(src)
	_, _ = h.Write([]byte{0})
}

// replaceBy adds a module that is replaced by a folder of the project, if it is required.
func (s *session) replaceBy(w *world, r *modfile.Replace, from string, mods map[string]*module) {
	if r.New.Version != "" || !modfile.IsDirectoryPath(r.New.Path) {
		return
	}
	dir := filepath.FromSlash(r.New.Path)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(from, dir)
	}
	m := mods[dir]
	if m == nil || slices.ContainsFunc(w.mods, func(o *module) bool { return o.dir == dir || o.path == r.Old.Path }) {
		return
	}
	required := slices.ContainsFunc(w.mods, func(o *module) bool {
		return o.file != nil && slices.ContainsFunc(o.file.Require, func(q *modfile.Require) bool { return q.Mod.Path == r.Old.Path })
	})
	if required {
		w.mods = append(w.mods, &module{dir: dir, path: r.Old.Path, lang: m.lang, file: m.file, holes: m.holes})
	}
}

// readModule reads a go.mod. When it is broken the module has no file, and as much of the
// rest as can be read.
func (s *session) readModule(dir string) *module {
	m := &module{dir: dir, lang: "go1.16"}
	name := filepath.Join(dir, "go.mod")
	src, err := s.read(name)
	if err != nil {
		return m
	}
	f, err := modfile.Parse(name, src, nil)
	m.file = f
	if err != nil {
		m.file = nil
		s.modErrors(name, err)
		if f, err = modfile.ParseLax(name, src, nil); err != nil {
			m.path = modfile.ModulePath(src)
			return m
		}
	}
	if f.Module != nil {
		m.path = f.Module.Mod.Path
	}
	if f.Go != nil {
		m.lang = "go" + f.Go.Version
	}
	return m
}

// modErrors reports what is wrong with a go.mod or go.work.
func (s *session) modErrors(name string, err error) {
	rel, ok := s.rel(name)
	if !ok {
		s.note("%s: %v", name, err)
		return
	}
	var list modfile.ErrorList
	if !errors.As(err, &list) {
		s.add(report.Diagnostic{File: rel, Line: 1, Col: 1, Message: err.Error()})
		return
	}
	for _, e := range list {
		line, col := max(1, e.Pos.Line), max(1, e.Pos.LineRune)
		msg := e.Err.Error()
		if e.Verb != "" {
			msg = strings.TrimPrefix((&modfile.Error{Verb: e.Verb, ModPath: e.ModPath, Err: e.Err}).Error(), ": ")
		}
		s.add(report.Diagnostic{File: rel, Line: line, Col: col, Message: msg})
	}
}

// below reports whether a path is a folder or in it.
func below(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
