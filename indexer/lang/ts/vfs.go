package ts

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/indexer/lang"
)

// vroot is where the project lies for the checker: facts must not depend on the real place.
const vroot = "/project"

// maxSource is the size above which a file is taken for data or a bundle and not read.
const maxSource = 1 << 20

// projectFS shows the checker the indexed files as the indexer gives them, the contents
// of node_modules from disk, and each workspace package under node_modules of the root.
// It is safe for concurrent use.
type projectFS struct {
	in    *lang.Input
	files map[string]bool         // virtual paths of sources and configuration files
	dirs  map[string]*dirListing  // virtual directories that hold them
	links map[string]string       // node_modules/<name> of a workspace package, to its folder
	pkgs  *workspace              // rewrites package.json of workspace packages
	disk  *os.Root                // nil if the root cannot be opened
	mu    sync.Mutex              // guards the caches below
	lists map[string]*diskListing // node_modules directories already read
	reals map[string]string       // package folders below node_modules, to where links lead
}

type dirListing struct{ files, dirs []string }

type diskListing struct {
	files, dirs map[string]bool
	ok          bool
}

func newProjectFS(in *lang.Input) *projectFS {
	p := &projectFS{
		in:    in,
		files: make(map[string]bool, len(in.Files)+len(in.Configs)),
		dirs:  map[string]*dirListing{},
		links: map[string]string{},
		lists: map[string]*diskListing{},
		reals: map[string]string{},
	}
	p.dir(vroot)
	for _, list := range [][]lang.File{in.Configs, in.Files} {
		for _, f := range list {
			v := vroot + "/" + f.Path
			if p.files[v] || !parsable(v) || isLock(path.Base(v)) {
				continue
			}
			p.files[v] = true
			d := p.dir(path.Dir(v))
			d.files = append(d.files, path.Base(v))
		}
	}
	if root, err := os.OpenRoot(in.Root); err == nil {
		p.disk = root
	}
	return p
}

// close releases the project's root directory.
func (p *projectFS) close() {
	if p.disk != nil {
		p.disk.Close()
	}
}

// link shows the workspace folder dir as the package name in node_modules of the root,
// unless one is installed there.
func (p *projectFS) link(name, dir string) {
	at := vroot + "/node_modules/" + name
	if p.list(path.Dir(at)).has(path.Base(at)) {
		return
	}
	p.links[at] = dir
	for d := path.Dir(at); d != vroot; d = path.Dir(d) {
		p.dir(d)
	}
}

func (p *projectFS) dir(v string) *dirListing {
	if d := p.dirs[v]; d != nil {
		return d
	}
	d := &dirListing{}
	p.dirs[v] = d
	if v != "/" {
		parent := p.dir(path.Dir(v))
		parent.dirs = append(parent.dirs, path.Base(v))
	}
	return d
}

// rel is the project path of a virtual one; ok is false outside the project.
func rel(v string) (string, bool) { return strings.CutPrefix(v, vroot+"/") }

func inNodeModules(v string) bool { return strings.Contains(v, "/node_modules/") }

// locate follows links of packages below node_modules.
func (p *projectFS) locate(v string) string {
	from := 0
	for range 32 {
		i := strings.Index(v[from:], "/node_modules/")
		if i < 0 {
			return v
		}
		start := from + i + len("/node_modules/")
		end := segment(v, start)
		if end < len(v) && v[start] == '@' {
			end = segment(v, end+1)
		}
		if target := p.target(v[:end]); target != v[:end] {
			v, from = target+v[end:], 0
			continue
		}
		from = end
		if end >= len(v) {
			return v
		}
	}
	return v
}

func segment(v string, start int) int {
	if start >= len(v) {
		return len(v)
	}
	if i := strings.IndexByte(v[start:], '/'); i >= 0 {
		return start + i
	}
	return len(v)
}

// target is where the package folder v really lies, v itself if it is no link.
func (p *projectFS) target(v string) string {
	if t, ok := p.links[v]; ok {
		return t
	}
	p.mu.Lock()
	t, ok := p.reals[v]
	p.mu.Unlock()
	if ok {
		return t
	}
	t = v
	if r, ok := rel(v); ok && p.disk != nil {
		if to, err := p.disk.Readlink(r); err == nil {
			to = strings.ReplaceAll(to, `\`, "/")
			if !path.IsAbs(to) {
				if abs := path.Join(path.Dir(v), to); strings.HasPrefix(abs, vroot+"/") {
					t = abs
				}
			} else if in, ok := strings.CutPrefix(to, strings.ReplaceAll(p.in.Root, `\`, "/")+"/"); ok {
				t = vroot + "/" + in
			}
		}
	}
	p.mu.Lock()
	p.reals[v] = t
	p.mu.Unlock()
	return t
}

func (l *diskListing) has(name string) bool { return l.files[name] || l.dirs[name] }

// list reads a directory below node_modules, once.
func (p *projectFS) list(v string) *diskListing {
	p.mu.Lock()
	l := p.lists[v]
	p.mu.Unlock()
	if l != nil {
		return l
	}
	l = &diskListing{}
	if parent := path.Dir(v); inNodeModules(v) && !p.list(parent).dirs[path.Base(v)] {
		// Nothing there: do not ask the disk.
	} else if r, ok := rel(v); ok && p.disk != nil {
		if entries, err := fs.ReadDir(p.disk.FS(), r); err == nil {
			l.ok, l.files, l.dirs = true, map[string]bool{}, map[string]bool{}
			for _, e := range entries {
				dir := e.IsDir()
				if e.Type()&fs.ModeSymlink != 0 {
					info, err := p.disk.Stat(r + "/" + e.Name())
					if err != nil {
						continue
					}
					dir = info.IsDir()
				}
				if dir {
					l.dirs[e.Name()] = true
				} else {
					l.files[e.Name()] = true
				}
			}
		}
	}
	p.mu.Lock()
	p.lists[v] = l
	p.mu.Unlock()
	return l
}

func onDisk(v string) bool { return inNodeModules(v) || strings.HasSuffix(v, "/node_modules") }

// UseCaseSensitiveFileNames is always true: the indexer's paths are exact.
func (p *projectFS) UseCaseSensitiveFileNames() bool { return true }

// FileExists reports whether the checker may read a file at v.
func (p *projectFS) FileExists(v string) bool {
	v = p.locate(v)
	if onDisk(v) {
		return p.list(path.Dir(v)).files[path.Base(v)]
	}
	return p.files[v] || p.extraConfig(v)
}

// extraConfig reports whether v is a JSON file that a configuration extends although
// its name does not say that it is one.
func (p *projectFS) extraConfig(v string) bool {
	if !strings.HasSuffix(v, ".json") || path.Base(v) == "package.json" {
		return false
	}
	_, ok := p.read(v)
	return ok
}

// ReadFile returns the text of a file. JSON that nests too deep for the compiler is shown to
// it as broken.
func (p *projectFS) ReadFile(v string) (string, bool) {
	text, ok := p.text(v)
	if ok && strings.HasSuffix(v, ".json") && tooDeep(text) {
		return "{", true
	}
	return text, ok
}

func (p *projectFS) text(v string) (string, bool) {
	v = p.locate(v)
	if onDisk(v) {
		r, ok := rel(v)
		if !ok || p.disk == nil || !p.list(path.Dir(v)).files[path.Base(v)] {
			return "", false
		}
		b, err := p.disk.ReadFile(r)
		return string(b), err == nil
	}
	if path.Base(v) == "package.json" && p.pkgs != nil {
		if s, ok := p.pkgs.manifest(v); ok {
			return s, true
		}
	}
	if !p.files[v] && !strings.HasSuffix(v, ".json") {
		return "", false
	}
	return p.read(v)
}

func (p *projectFS) read(v string) (string, bool) {
	r, ok := rel(v)
	if !ok || !fs.ValidPath(r) {
		return "", false
	}
	b, err := p.in.ReadFile(r)
	if err != nil {
		return "", false
	}
	return string(b), true
}

// DirectoryExists reports whether v is a directory that holds something visible.
func (p *projectFS) DirectoryExists(v string) bool {
	v = strings.TrimSuffix(p.locate(strings.TrimSuffix(v, "/")), "/")
	if p.dirs[v] != nil {
		return true
	}
	return onDisk(v) && p.list(v).ok
}

// GetAccessibleEntries lists the directory v.
func (p *projectFS) GetAccessibleEntries(v string) tsgo.Entries {
	v = strings.TrimSuffix(p.locate(strings.TrimSuffix(v, "/")), "/")
	var e tsgo.Entries
	if d := p.dirs[v]; d != nil {
		e.Files, e.Directories = slices.Clone(d.files), slices.Clone(d.dirs)
	}
	if onDisk(v) {
		l := p.list(v)
		for n := range l.files {
			e.Files = append(e.Files, n)
		}
		for n := range l.dirs {
			if !slices.Contains(e.Directories, n) {
				e.Directories = append(e.Directories, n)
			}
		}
	}
	slices.Sort(e.Files)
	slices.Sort(e.Directories)
	return e
}

// Realpath follows the links of packages.
func (p *projectFS) Realpath(v string) string { return p.locate(v) }

// Stat is only asked for by writers, of which there are none.
func (p *projectFS) Stat(string) fs.FileInfo { return nil }

var errReadOnly = errors.New("the project is read-only")

// WriteFile refuses.
func (p *projectFS) WriteFile(string, string) error { return errReadOnly }

// AppendFile refuses.
func (p *projectFS) AppendFile(string, string) error { return errReadOnly }

// Remove refuses.
func (p *projectFS) Remove(string) error { return errReadOnly }

// Chtimes refuses.
func (p *projectFS) Chtimes(string, time.Time, time.Time) error { return errReadOnly }

// WalkDir refuses: nothing in a compilation walks.
func (p *projectFS) WalkDir(string, fs.WalkDirFunc) error { return errReadOnly }
