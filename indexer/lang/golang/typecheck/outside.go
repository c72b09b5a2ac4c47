package typecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	gomodule "golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/tools/go/gcexportdata"

	"github.com/settgraph/sett/query/report"
)

// outside is what a world knows of packages that are not the project's. Their types come
// from the export data that the go command keeps of what it built; without a go command,
// or when it refuses, from the declarations in their sources.
type outside struct {
	fromSource bool
	known      map[string]*found
	refusal    []report.Diagnostic // what the go command said when it refused
	recalled   bool                // what is kept was read

	mu    sync.Mutex
	fset  *token.FileSet
	types map[string]*types.Package
}

// found is what the go command said of an import path.
type found struct {
	export  string // the file with its types
	dir     string // not "": it depends on packages of the project, so its sources are read
	err     string
	unsure  bool // what is missing may be there on another day: the project is not at fault
	program bool
	fixed   bool // it cannot change: see remember.go
}

// outsideDep says what an import path means that no module of the world has; ok is false
// when that is not known yet.
func (s *session) outsideDep(p *pkg, importPath string) (d dep, ok bool) {
	w := p.w
	if w.outside.fromSource || s.c.tool.command == "" {
		return s.sourceDep(p, importPath), true
	}
	s.recall(w)
	f := w.outside.known[importPath]
	if f == nil {
		return dep{}, false
	}
	switch {
	case f.err != "":
		return dep{err: f.err, unsure: f.unsure}, true
	case f.program:
		return dep{err: fmt.Sprintf("import %q is a program, not an importable package", importPath)}, true
	case f.dir != "":
		if q := s.load(w, nil, f.dir, importPath); q != nil {
			return dep{pkg: q}, true
		}
	}
	return dep{outside: true}, true
}

// sourceDep finds the sources of a package of others.
func (s *session) sourceDep(p *pkg, importPath string) dep {
	dir, std := s.sourceDir(p, importPath)
	if dir == "" {
		s.note("package %s was not found on this machine: what uses it was not checked", importPath)
		return dep{err: "package " + importPath + " was not found", unsure: true}
	}
	key := importPath
	if std && strings.Contains(dir, filepath.Join("src", "vendor")) {
		key = "vendor/" + importPath
	}
	q := s.load(p.w, nil, dir, key)
	if q == nil || q.unusable() != "" {
		return dep{err: "package " + importPath + " has no Go files for this system", unsure: true}
	}
	q.std = std
	return dep{pkg: q}
}

func (s *session) sourceDir(p *pkg, importPath string) (dir string, std bool) {
	goroot := filepath.Join(s.c.tool.env.GOROOT, "src")
	local := filepath.FromSlash(importPath)
	if first, _, _ := strings.Cut(importPath, "/"); !strings.Contains(first, ".") || p.std {
		for _, d := range []string{filepath.Join(goroot, local), filepath.Join(goroot, "vendor", local)} {
			if isDir(d) {
				return d, true
			}
		}
	}
	if d := filepath.Join(p.w.dir, "vendor", local); isDir(d) {
		return d, false
	}
	best := gomodule.Version{}
	from := ""
	for _, m := range p.w.mods {
		if m.file == nil {
			continue
		}
		for _, r := range m.file.Require {
			_, ok := cutPath(importPath, r.Mod.Path)
			if ok && (len(r.Mod.Path) > len(best.Path) || r.Mod.Path == best.Path && semver.Compare(r.Mod.Version, best.Version) > 0) {
				best, from = r.Mod, m.dir
			}
		}
	}
	if best.Path == "" {
		return "", false
	}
	rest, _ := cutPath(importPath, best.Path)
	for _, m := range p.w.mods {
		if m.file == nil {
			continue
		}
		for _, r := range m.file.Replace {
			if r.Old.Path != best.Path || r.Old.Version != "" && r.Old.Version != best.Version {
				continue
			}
			if r.New.Version == "" {
				d := filepath.FromSlash(r.New.Path)
				if !filepath.IsAbs(d) {
					d = filepath.Join(from, d)
				}
				return filepath.Join(d, filepath.FromSlash(rest)), false
			}
			best = r.New
		}
	}
	mod, err := gomodule.EscapePath(best.Path)
	if err != nil {
		return "", false
	}
	version, err := gomodule.EscapeVersion(best.Version)
	if err != nil {
		return "", false
	}
	d := filepath.Join(s.c.tool.env.GOMODCACHE, filepath.FromSlash(mod)+"@"+version, filepath.FromSlash(rest))
	if !isDir(d) {
		return "", false
	}
	return d, false
}

// ask asks the go command where packages are.
func (s *session) ask(w *world, paths []string) error {
	o := &w.outside
	if o.known == nil {
		o.known = map[string]*found{}
	}
	args := []string{"list", "-e", "-export", "-json=ImportPath,Name,Dir,Export,Error,Deps,Standard"}
	overlay, done, err := s.overlay(w)
	if err != nil {
		return err
	}
	defer done()
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	args = append(append(args, "--"), paths...)
	out, bad, err := s.c.tool.run(s.ctx, w.dir, w.env, args...)
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	type answer struct {
		ImportPath, Name, Dir, Export string
		Standard                      bool
		Error                         *struct{ Err, Pos string }
		Deps                          []string
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	n := 0
	for {
		var a answer
		if e := dec.Decode(&a); e != nil {
			if !errors.Is(e, io.EOF) {
				err = e
			}
			break
		}
		n++
		f := &found{export: a.Export, program: a.Name == "main" && !a.Standard}
		if a.Error != nil {
			f.err = strings.TrimSpace(a.Error.Err)
		} else if a.Export == "" && a.ImportPath != "unsafe" {
			f.err = "could not import " + a.ImportPath + " (it could not be built)"
		}
		if strings.Contains(f.err, "GOPROXY=off") || strings.Contains(f.err, "was not built") {
			f.unsure = true
			s.note("package %s is of a module that is not on this machine: run go mod download", a.ImportPath)
		}
		for _, dep := range a.Deps {
			if !a.Standard && w.owns(dep) {
				f.dir = a.Dir
				break
			}
		}
		f.fixed = f.err == "" && (a.ImportPath == "unsafe" || s.c.tool.fixed(a.Dir))
		o.known[a.ImportPath] = f
	}
	if n == 0 {
		if err == nil {
			err = errors.New("it said nothing")
		}
		o.fromSource = true
		s.refused(w, strings.TrimSpace(string(bad)), err)
		return nil
	}
	for _, p := range paths {
		if o.known[p] == nil {
			o.known[p] = &found{err: "package " + p + " was not found", unsure: true}
		}
	}
	s.keep(w)
	return nil
}

// overlay writes a file that tells the go command of configuration that is not saved; "" when
// all is. What was written goes away with done.
func (s *session) overlay(w *world) (name string, done func(), err error) {
	names := []string{filepath.Join(w.dir, "go.work"), filepath.Join(w.dir, "go.work.sum")}
	for _, m := range w.mods {
		names = append(names, filepath.Join(m.dir, "go.mod"), filepath.Join(m.dir, "go.sum"))
	}
	done = func() {}
	var dir string
	replace := map[string]string{}
	for i, n := range names {
		src, err := s.read(n)
		if err != nil {
			continue
		}
		if old, err := os.ReadFile(n); err == nil && bytes.Equal(old, src) {
			continue
		}
		if dir == "" {
			if dir, err = os.MkdirTemp("", "sett-overlay-"); err != nil {
				return "", done, fmt.Errorf("laying unsaved text over files: %w", err)
			}
			done = func() { _ = os.RemoveAll(dir) }
		}
		replace[n] = filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(replace[n], src, 0o600); err != nil {
			return "", done, fmt.Errorf("laying unsaved text over files: %w", err)
		}
	}
	if dir == "" {
		return "", done, nil
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		name = filepath.Join(dir, "overlay.json")
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		return "", done, fmt.Errorf("laying unsaved text over files: %w", err)
	}
	return name, done, nil
}

// owns reports whether an import path is one of the world's own modules'.
func (w *world) owns(importPath string) bool {
	for _, m := range w.mods {
		if _, ok := cutPath(importPath, m.path); ok {
			return true
		}
	}
	return false
}

// refused reports that the go command did not even look at packages: the configuration is
// at fault.
func (s *session) refused(w *world, words string, err error) {
	if words == "" {
		s.note("the go command failed (%v): dependencies were read from their sources", err)
		return
	}
	if w.broken {
		return // said with more detail already
	}
	words = strings.TrimPrefix(words, "go: ")
	if strings.Contains(words, "GOPROXY=off") || strings.Contains(words, "toolchain") && strings.Contains(words, "not available") {
		s.note("the go command could not answer without the network: %s", firstLine(words))
		return
	}
	m := w.mods[len(w.mods)-1]
	rel, ok := s.rel(filepath.Join(m.dir, "go.mod"))
	if !ok || m.path == "" {
		s.note("the go command refused: %s", firstLine(words))
		return
	}
	line := 1
	if f := goModLine.FindStringSubmatch(words); f != nil {
		line, _ = strconv.Atoi(f[2])
		words = words[len(f[0]):]
	} else if m.file != nil {
		line = m.lineOf(words)
	}
	d := report.Diagnostic{File: rel, Line: line, Col: 1, Severity: report.Error, Source: "go", Message: s.local(words)}
	w.outside.refusal = append(w.outside.refusal, d)
	s.findings = append(s.findings, d)
}

// lineOf is the line of a go.mod that words of the go command are about.
func (m *module) lineOf(words string) int {
	for _, r := range m.file.Require {
		if r.Syntax != nil && strings.Contains(words, r.Mod.Path+"@"+r.Mod.Version) {
			return r.Syntax.Start.Line
		}
	}
	if m.file.Go != nil && m.file.Go.Syntax != nil && strings.Contains(words, "requires go >= ") {
		return m.file.Go.Syntax.Start.Line
	}
	return 1
}

var goModLine = regexp.MustCompile(`^(\S*go\.(?:mod|work)):(\d+): `)

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// outsideTypes reads the types of a package of others.
func (w *world) outsideTypes(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	o := &w.outside
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.types == nil {
		o.types, o.fset = map[string]*types.Package{}, token.NewFileSet()
	}
	if p := o.types[importPath]; p != nil && p.Complete() {
		return p, nil
	}
	f := o.known[importPath]
	if f == nil || f.export == "" {
		return nil, fmt.Errorf("no export data of %s", importPath)
	}
	file, err := os.Open(f.export)
	if err != nil {
		delete(o.known, importPath) // the cache was cleaned: ask again
		return nil, fmt.Errorf("reading export data: %w", err)
	}
	defer func() { _ = file.Close() }()
	r, err := gcexportdata.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("reading export data of %s: %w", importPath, err)
	}
	return gcexportdata.Read(r, o.fset, o.types, importPath)
}
