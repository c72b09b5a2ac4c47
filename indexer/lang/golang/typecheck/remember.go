package typecheck

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
	"golang.org/x/mod/modfile"
)

// What the go command says of packages that cannot change (those of the standard library
// and of released modules, as the world's configuration chooses them) is kept in a file for
// the next process, which then need not ask. A file that is gone, or of another
// configuration, counts for nothing.

// A memory is the contents of the file.
type memory struct {
	Key      string // of all that says which packages are meant
	Packages map[string]remembered
}

// remembered is what is kept of a package.
type remembered struct {
	Export  string
	Dir     string `json:",omitempty"` // as of found
	Program bool   `json:",omitempty"`
}

// memoryOf names the file of a world and its key; "" when nothing is kept.
func (s *session) memoryOf(w *world) (name, key string) {
	if s.in.Cache == "" || w.open || s.c.tool.command == "" {
		return "", ""
	}
	return filepath.Join(s.in.Cache, fmt.Sprintf("go-packages-%016x.json", xxh3.HashString(w.dir))), fmt.Sprintf("%016x-%016x", w.key, s.c.tool.key)
}

// recall takes what is kept of packages that the world has not asked about.
func (s *session) recall(w *world) {
	o := &w.outside
	if o.recalled {
		return
	}
	o.recalled = true
	name, key := s.memoryOf(w)
	if name == "" {
		return
	}
	src, err := os.ReadFile(name)
	var m memory
	if err != nil || json.Unmarshal(src, &m) != nil || m.Key != key {
		return
	}
	if o.known == nil {
		o.known = map[string]*found{}
	}
	for path, r := range m.Packages {
		if o.known[path] == nil && (path == "unsafe" || isFile(r.Export)) {
			o.known[path] = &found{export: r.Export, dir: r.Dir, program: r.Program, fixed: true}
		}
	}
}

// keep writes what is known of a world. That it cannot be kept is no fault.
func (s *session) keep(w *world) {
	name, key := s.memoryOf(w)
	if name == "" || w.outside.fromSource {
		return
	}
	m := memory{Key: key, Packages: map[string]remembered{}}
	for path, f := range w.outside.known {
		if f.fixed {
			m.Packages[path] = remembered{f.export, f.dir, f.program}
		}
	}
	src, err := json.Marshal(m)
	if err != nil || os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".go-packages-*")
	if err != nil {
		return
	}
	_, err = tmp.Write(src)
	if closed := tmp.Close(); err != nil || closed != nil || os.Rename(tmp.Name(), name) != nil {
		_ = os.Remove(tmp.Name())
	}
}

// fixed reports whether the sources of a package cannot change as long as the configuration
// does not.
func (t *tool) fixed(dir string) bool {
	for _, home := range []string{filepath.Join(t.env.GOROOT, "src"), t.env.GOMODCACHE} {
		if filepath.IsAbs(home) && below(home, dir) {
			return true
		}
	}
	return false
}

// opens reports whether a world is built with modules that it does not have: folders that
// may change without anything here being told.
func (w *world) opens(replaced []*modfile.Replace, from string) bool {
	return slices.ContainsFunc(replaced, func(r *modfile.Replace) bool {
		if r.New.Version != "" || !modfile.IsDirectoryPath(r.New.Path) {
			return false
		}
		dir := filepath.FromSlash(r.New.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(from, dir)
		}
		return !slices.ContainsFunc(w.mods, func(m *module) bool { return m.dir == dir })
	})
}

// envKey hashes what the go command says of its environment, but for what differs with
// every call.
func envKey(said []byte) uint64 {
	var env map[string]string
	if json.Unmarshal(said, &env) != nil {
		return xxh3.Hash(said)
	}
	delete(env, "GOGCCFLAGS")
	h := xxh3.New()
	for _, k := range slices.Sorted(maps.Keys(env)) {
		_, _ = h.WriteString(k + "=" + strings.TrimSpace(env[k]) + "\x00")
	}
	return h.Sum64()
}
