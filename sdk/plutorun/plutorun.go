// Package plutorun builds Pluto programs and runs Pluto tests, and says how that went in the
// words that all languages share.
package plutorun

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// Options says what is built or tested, and how. Only Root must be set.
type Options struct {
	Root    string   // of the project, absolute
	Targets []string // files or folders, slash-separated from the root; none, or "": all

	// Filter, which may be nil, is matched against the names of tests. Names has, by the path of
	// a file from the root, the exact names of the tests to run in it; files that it does not
	// list have none. It wins over Targets, and the Filter is matched besides.
	Filter *regexp.Regexp
	Names  map[string][]string

	Timeout time.Duration // of the whole run, builds included; 0: none
	PerTest time.Duration // of each test; 0: a minute
	NoCache bool          // run tests also when nothing changed since they passed

	Layer  *load.Layer // texts over those of the disk; nil: none
	Stdlib string      // a folder with the standard library; "": PLUTO_STDLIB, then the embedded one

	Output string // of Build: the file to write, from the root or absolute; "": below .pluto-build
	Target string // of Build: a system, as "linux/arm64" or "wasm32-wasi"; "": this one

	Progress func(report.Event) // may be nil
}

func (o *Options) tell(e report.Event) {
	if o.Progress != nil {
		o.Progress(e)
	}
}

// loading is how programs are loaded.
func (o *Options) loading() load.Options {
	return load.Options{Stdlib: o.Stdlib, Base: o.Root, Layer: o.Layer, Cache: load.NewCache()}
}

// what is the targets in words.
func (o *Options) what() string {
	var names []string
	for _, t := range o.Targets {
		if t = filepath.ToSlash(filepath.Clean(filepath.FromSlash(t))); t == "." {
			return "the project"
		}
		names = append(names, t)
	}
	if len(names) == 0 {
		return "the project"
	}
	return strings.Join(names, ", ")
}

// abs is the place on the disk of a path from the root.
func (o *Options) abs(path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(o.Root, path)
}

func (o *Options) rel(abs string) string { return child.From(o.Root, abs) }

// read is the content of a file as it is now.
func (o *Options) read(abs string) ([]byte, error) {
	if text, ok := o.Layer.Read(abs); ok {
		if text == nil {
			return nil, &fs.PathError{Op: "open", Path: abs, Err: fs.ErrNotExist}
		}
		return text, nil
	}
	return os.ReadFile(abs)
}

// sources are the source files of the targets, absolute and sorted. A target that is a file is
// one whatever it is called. Below folders those are left out that have a dot in front, and
// views of modules.
func (o *Options) sources() ([]string, error) {
	targets := o.Targets
	if len(targets) == 0 {
		targets = []string{""}
	}
	var files []string
	for _, target := range targets {
		at := o.abs(target)
		if text, ok := o.Layer.Read(at); ok && text != nil {
			files = append(files, at)
			continue
		}
		found := false
		for _, p := range o.Layer.Paths() {
			if rel, err := filepath.Rel(at, p); err == nil && filepath.IsLocal(rel) && isSource(p) {
				files, found = append(files, p), true
			}
		}
		err := filepath.WalkDir(at, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				if found && path == at && errors.Is(err, fs.ErrNotExist) {
					return nil // a folder that is in the layer only
				}
				return err
			case path == at && !d.IsDir():
				files = append(files, path)
			case path == at:
			case d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
				return filepath.SkipDir
			case d.Type().IsRegular() && !strings.HasPrefix(d.Name(), ".") && isSource(path):
				if text, ok := o.Layer.Read(path); !ok || text != nil {
					files = append(files, path)
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for Pluto files in %s: %w", o.rel(at), err)
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	return slices.DeleteFunc(files, func(p string) bool {
		stem, view := strings.CutSuffix(p, ".pt")
		_, module := slices.BinarySearch(files, stem+".pluto")
		return view && module
	}), nil
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".pluto") || strings.HasSuffix(name, ".pt")
}
