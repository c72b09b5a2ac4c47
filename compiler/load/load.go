// Package load finds the files of a program: the entry file and its siblings, the modules
// that they import, packages and their manifests, and the standard library.
package load

import (
	"os"
	"path/filepath"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// Options says what to load. The zero value loads a program as `sett run` does.
type Options struct {
	Standalone bool              // do not merge the siblings of the entry file
	Test       bool              // a test run: no siblings, test blocks are kept
	Stdlib     string            // a folder with the standard library; "" for PLUTO_STDLIB, then the embedded one
	CacheDir   string            // where git dependencies are; "" for PLUTO_CACHE_DIR, then the user's cache folder
	Overlay    map[string][]byte // contents by absolute path that win over the disk; nil: there is no such file
	Layer      *Layer            // an overlay made once for several loads, instead of Overlay
	Cache      *Cache            // shares parsed files between loads; nil parses everything
	Offline    bool              // never run git over the network
	ReadOnly   bool              // never run git at all, and write nothing: pluto.lock and the cache of git stay as they are
	Apart      map[string]bool   // source files by absolute path that are modules of their own, and no siblings of the entry
	Base       string            // names in messages are relative to this folder; "" for the working folder
}

// Project is everything that one program consists of.
type Project struct {
	Root    *Module
	Modules []*Module // every module, imported ones before those that import them; Root last
	Test    bool
	Diags   *diag.List   // of manifest, syntax and imports
	Watch   []string     // the directories and files that the result depends on, absolute
	Lock    []LockChange // what this load changed in pluto.lock
}

// Module is a set of files that share a namespace.
type Module struct {
	Name    string // how items of it are qualified in messages: the last segment of the import path; "" for the root
	Path    string // unique in the project: "" for the root, "std.strings", "util.text", "dep/name"
	Dir     string // absolute; "" for embedded modules
	Std     bool   // of the standard library
	Folder  bool   // an import means all files of a folder by it, not one file
	Files   []*syntax.File
	Imports map[string]*Module // by binding; the module of an import that failed is missing
}

// Load loads the program of an entry file, or of a folder: of its main.pluto, or else of
// all its files as one module. What is wrong is in the project's Diags; the project is
// never nil and has a root with the files that could be read.
func Load(entry string, opts Options) *Project {
	l := newLoader(opts)
	l.loadEntry(entry)
	return l.finish()
}

// LoadText loads a program that is in memory. It has no siblings and no package: imports
// other than those of the standard library are passed over.
func LoadText(name, text string, opts Options) *Project {
	l := newLoader(opts)
	t := &memory{name: name, text: text}
	l.root = &node{mod: &Module{Imports: map[string]*Module{}}, place: place{t, ".", &pkg{}, ""}, text: true}
	l.root.mod.Files = l.parse([]fileAt{{t, name}})
	l.follow()
	return l.finish()
}

// Updated is what [Update] did.
type Updated struct {
	Found   bool         // there is a manifest
	Deps    []LockChange // every git dependency, one that did not move with equal commits
	Changes []LockChange // what changed in the lock
	Diags   *diag.List
}

// Update looks for newer commits of the git dependencies of the package that the folder is
// in, and of those of its dependencies, and moves pluto.lock to them.
func Update(dir string, opts Options) *Updated {
	l := newLoader(opts)
	l.update = true
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	root := l.manifests(dir)
	out := &Updated{Found: root.dir != "", Diags: l.proj.Diags, Changes: l.proj.Lock}
	for _, e := range l.locked {
		change := LockChange{e.Name, e.URL, e.Ref, e.Commit, e.Commit}
		for _, c := range l.proj.Lock {
			if c.URL == e.URL && c.Ref == e.Ref {
				change = c
			}
		}
		out.Deps = append(out.Deps, change)
	}
	return out
}

func newLoader(opts Options) *loader {
	base := opts.Base
	if base == "" {
		base, _ = os.Getwd() // without one, names are absolute
	}
	base, _ = filepath.Abs(base)
	l := &loader{
		opts: opts, mods: map[location]*node{}, paths: map[string]bool{"": true}, watch: map[string]bool{},
		proj: &Project{Test: opts.Test, Diags: &diag.List{}},
	}
	if opts.Layer == nil {
		opts.Layer = NewLayer(opts.Overlay)
	}
	l.disk = &disk{base: base, over: opts.Layer}
	return l
}
