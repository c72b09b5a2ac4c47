package golang

import (
	"cmp"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/settgraph/sett/indexer/lang"
)

// A goModule is one go.mod of the project.
type goModule struct {
	dir      string // from the root; "." for the root itself
	path     string // import path of dir
	replaces []localReplace
}

// A localReplace sends an import path to a directory.
type localReplace struct {
	path string
	dir  string // from the root; may begin with ".."
}

// modules is what the project's go.mod and go.work files say, of all modules together:
// one version of each dependency, the newest that any of them asks for and that is on
// this machine, so that a type is the same whoever mentions it.
type modules struct {
	list     []*goModule               // deepest first
	replaces []localReplace            // of the workspace, within the project
	versions map[string][]string       // versions wanted of a module path, newest first
	replaced map[string]module.Version // module path -> what to read instead
	outside  map[string]string         // module path -> directory outside the project
}

// readModules parses the configuration files. A broken one counts as far as it goes. What
// they say of other modules holds for all; where they differ, a workspace decides, and
// then the module nearest to the root.
func readModules(in *lang.Input) *modules {
	ms := &modules{versions: map[string][]string{}, replaced: map[string]module.Version{}, outside: map[string]string{}}
	configs := slices.Clone(in.Configs)
	slices.SortStableFunc(configs, func(a, b lang.File) int {
		return cmp.Or(cmp.Compare(rank(a.Path), rank(b.Path)), cmp.Compare(a.Path, b.Path))
	})
	for _, c := range configs {
		base := path.Base(c.Path)
		if base != "go.mod" && base != "go.work" {
			continue
		}
		src, err := in.ReadFile(c.Path)
		if err != nil {
			continue
		}
		dir := path.Dir(c.Path)
		if base == "go.work" {
			if f, err := modfile.ParseWork(c.Path, src, nil); err == nil {
				for _, r := range f.Replace {
					ms.replace(nil, dir, r)
				}
			}
			continue
		}
		f, err := modfile.Parse(c.Path, src, nil)
		if err != nil {
			if f, err = modfile.ParseLax(c.Path, src, nil); err != nil {
				f = &modfile.File{}
			}
		}
		m := &goModule{dir: dir, path: modfile.ModulePath(src)}
		if m.path == "" {
			continue
		}
		for _, r := range f.Require {
			ms.versions[r.Mod.Path] = append(ms.versions[r.Mod.Path], r.Mod.Version)
		}
		for _, r := range f.Replace {
			ms.replace(m, dir, r)
		}
		ms.list = append(ms.list, m)
	}
	for p, vs := range ms.versions {
		slices.SortFunc(vs, func(a, b string) int { return semver.Compare(b, a) })
		ms.versions[p] = slices.Compact(vs)
	}
	depth := func(m *goModule) int {
		if m.dir == "." {
			return 0
		}
		return len(m.dir)
	}
	slices.SortFunc(ms.list, func(a, b *goModule) int {
		return cmp.Or(cmp.Compare(depth(b), depth(a)), cmp.Compare(a.dir, b.dir))
	})
	return ms
}

// rank is less for a configuration file that decides over another one.
func rank(p string) int {
	n := 2 * strings.Count(p, "/")
	if path.Base(p) != "go.work" {
		n++
	}
	return n
}

// replace notes one replace directive of the module m, or of a workspace when m is nil.
func (ms *modules) replace(m *goModule, dir string, r *modfile.Replace) {
	if r.New.Version != "" {
		if _, ok := ms.replaced[r.Old.Path]; !ok {
			ms.replaced[r.Old.Path] = r.New
		}
		return
	}
	to := filepath.ToSlash(r.New.Path)
	if path.IsAbs(to) || filepath.IsAbs(r.New.Path) {
		to = r.New.Path
	} else if to = path.Join(dir, to); to != ".." && !strings.HasPrefix(to, "../") {
		if lr := (localReplace{r.Old.Path, to}); m != nil {
			m.replaces = append(m.replaces, lr)
		} else {
			ms.replaces = append(ms.replaces, lr)
		}
		return
	}
	if _, ok := ms.outside[r.Old.Path]; !ok {
		ms.outside[r.Old.Path] = to
	}
}

// of returns the module that a directory belongs to; nil when none does.
func (ms *modules) of(dir string) *goModule {
	for _, m := range ms.list {
		if m.dir == "." || dir == m.dir || strings.HasPrefix(dir, m.dir+"/") {
			return m
		}
	}
	return nil
}

// below returns the rest of p under the path prefix, joined to dir.
func below(p, prefix, dir string) (string, bool) {
	if p == prefix {
		return dir, true
	}
	if rest, ok := strings.CutPrefix(p, prefix+"/"); ok {
		return path.Join(dir, rest), true
	}
	return "", false
}

// An outsideFinder finds the sources of packages that are not part of the project.
type outsideFinder struct {
	root    string // of the project
	modules *modules
	goroot  string
	caches  []string

	mu   sync.Mutex
	dirs map[string]bool // directories asked for, and whether they are there
}

func newOutsideFinder(root string, ms *modules) *outsideFinder {
	return &outsideFinder{root: root, modules: ms, goroot: findGoroot(), caches: moduleCaches(), dirs: map[string]bool{}}
}

// find returns the directory of the package imported as p from the module m, or from
// the standard library when std is set; empty when it is not on this machine.
func (o *outsideFinder) find(p string, m *goModule, std bool) (dir string, isStd bool) {
	first, _, _ := strings.Cut(p, "/")
	if o.goroot != "" {
		if std {
			if d := filepath.Join(o.goroot, "src", "vendor", filepath.FromSlash(p)); strings.Contains(first, ".") && o.exists(d) {
				return d, true
			}
		}
		if !strings.Contains(first, ".") || std {
			if d := filepath.Join(o.goroot, "src", filepath.FromSlash(p)); o.exists(d) {
				return d, true
			}
		}
	}
	if std {
		return "", true
	}
	if m != nil {
		if d := filepath.Join(o.root, filepath.FromSlash(m.dir), "vendor", filepath.FromSlash(p)); o.exists(d) {
			return d, false
		}
	}
	if m == nil || m.dir != "." {
		if d := filepath.Join(o.root, "vendor", filepath.FromSlash(p)); o.exists(d) {
			return d, false
		}
	}
	for prefix := p; prefix != "." && prefix != "/"; prefix = path.Dir(prefix) {
		rest := strings.TrimPrefix(p[len(prefix):], "/")
		if d, ok := o.modules.outside[prefix]; ok {
			if !filepath.IsAbs(d) {
				d = filepath.Join(o.root, filepath.FromSlash(d))
			}
			if d = filepath.Join(d, filepath.FromSlash(rest)); o.exists(d) {
				return d, false
			}
		}
		if r, ok := o.modules.replaced[prefix]; ok {
			if d := o.cached(r.Path, r.Version, rest); d != "" {
				return d, false
			}
		}
		for _, v := range o.modules.versions[prefix] {
			if d := o.cached(prefix, v, rest); d != "" {
				return d, false
			}
		}
	}
	return "", false
}

// cached returns a module's directory in a module cache.
func (o *outsideFinder) cached(mod, version, rest string) string {
	p, err := module.EscapePath(mod)
	if err != nil {
		return ""
	}
	v, err := module.EscapeVersion(version)
	if err != nil {
		return ""
	}
	for _, c := range o.caches {
		if d := filepath.Join(c, filepath.FromSlash(p)+"@"+v, filepath.FromSlash(rest)); o.exists(d) {
			return d
		}
	}
	return ""
}

func (o *outsideFinder) exists(dir string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	ok, known := o.dirs[dir]
	if !known {
		fi, err := os.Stat(dir)
		ok = err == nil && fi.IsDir()
		o.dirs[dir] = ok
	}
	return ok
}

// findGoroot returns the folder of the Go distribution, or nothing. It runs no program.
func findGoroot() string {
	if d := os.Getenv("GOROOT"); d != "" {
		return d
	}
	var tries []string
	if exe, err := exec.LookPath("go"); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		tries = append(tries, filepath.Dir(filepath.Dir(exe)))
	}
	tries = append(tries, "/usr/local/go", "/usr/lib/go", "/usr/lib/golang", "/usr/share/go",
		"/opt/homebrew/opt/go/libexec", "/usr/local/opt/go/libexec", `C:\Program Files\Go`)
	for _, d := range tries {
		if fi, err := os.Stat(filepath.Join(d, "src", "builtin", "builtin.go")); err == nil && fi.Mode().IsRegular() {
			return d
		}
	}
	return ""
}

// moduleCaches returns the folders where downloaded modules may be.
func moduleCaches() []string {
	if d := os.Getenv("GOMODCACHE"); d != "" {
		return []string{d}
	}
	var out []string
	for _, d := range filepath.SplitList(os.Getenv("GOPATH")) {
		out = append(out, filepath.Join(d, "pkg", "mod"))
	}
	if len(out) == 0 {
		if home, err := os.UserHomeDir(); err == nil {
			out = append(out, filepath.Join(home, "go", "pkg", "mod"))
		}
	}
	return out
}
