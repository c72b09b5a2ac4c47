// Package load finds the files of a program: the entry file and its siblings, the modules
// that they import, packages and their manifests, and the standard library.
package load

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// Options says what to load. The zero value loads a program as `sett run` does.
type Options struct {
	Standalone bool              // do not merge the siblings of the entry file
	Test       bool              // a test run: no siblings, test blocks are kept
	Stdlib     string            // a folder with the standard library; "" for PLUTO_STDLIB, then the embedded one
	CacheDir   string            // where git dependencies are; "" for PLUTO_CACHE_DIR, then the user's cache folder
	Overlay    map[string][]byte // contents by absolute path that win over the disk
	Offline    bool              // never run git
}

// Project is everything that one program consists of.
type Project struct {
	Root    *Module
	Modules []*Module // every module, imported ones before those that import them; Root last
	Test    bool
	Diags   *diag.List // of manifest, syntax and imports
	Watch   []string   // the directories and files that the result depends on, absolute
}

// Module is a set of files that share a namespace.
type Module struct {
	Name    string // how items of it are qualified in messages: the last segment of the import path; "" for the root
	Path    string // unique in the project: "" for the root, "std.strings", "util.text", "dep/name"
	Dir     string // absolute; "" for embedded modules
	Std     bool   // of the standard library
	Files   []*syntax.File
	Imports map[string]*Module // by binding; the module of an import that failed is missing
}
