package sdk

import (
	"fmt"
	"os"
	"path/filepath"
)

// rootMarkers are what makes a folder the root of a project. A repository is one project
// whatever it holds, so the first group is looked for in all ancestors before the second.
var rootMarkers = [][]string{
	{".sett", ".git", ".hg", ".jj"},
	{"sett.toml", "go.work", "go.mod", "package.json", "tsconfig.json", "pluto.toml"},
}

// FindRoot returns the root of the project that dir is in, as an absolute path without
// symbolic links, and the name of the file or folder that says so: the nearest ancestor
// that is a repository or has an index, else the nearest that is a module, else dir itself
// with an empty marker.
func FindRoot(dir string) (root, marker string, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", "", fmt.Errorf("finding the project: %w", err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", "", fmt.Errorf("finding the project: %w", err)
	}
	for _, markers := range rootMarkers {
		for d := abs; ; d = filepath.Dir(d) {
			for _, m := range markers {
				if _, err := os.Lstat(filepath.Join(d, m)); err == nil {
					return d, m, nil
				}
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	return abs, "", nil
}
