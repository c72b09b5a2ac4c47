package plutoapp

import (
	"os"
	"path/filepath"
	"strings"
)

// The bounds of [HasPluto].
const (
	lookDepth   = 4
	lookEntries = 2000
)

// HasPluto says whether a folder holds Pluto files, as far as a short look can tell: it
// reads a bounded number of directory entries, and no file.
func HasPluto(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, "pluto.toml")); err == nil {
		return true
	}
	left := lookEntries
	level := []string{dir}
	for range lookDepth {
		var next []string
		for _, d := range level {
			found, below := look(d, &left)
			if found {
				return true
			}
			if left <= 0 {
				return false
			}
			next = append(next, below...)
		}
		level = next
	}
	return false
}

// look looks at the entries of one folder.
func look(dir string, left *int) (found bool, below []string) {
	f, err := os.Open(dir)
	if err != nil {
		return false, nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(*left) // what could be read
	*left -= len(entries)
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir():
			if !strings.HasPrefix(name, ".") && name != "node_modules" && name != "vendor" {
				below = append(below, filepath.Join(dir, name))
			}
		case IsSource(name):
			return true, nil
		}
	}
	return false, below
}

// IsSource says whether a path is that of a Pluto module or of its view.
func IsSource(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".pluto" || ext == ".pt"
}
