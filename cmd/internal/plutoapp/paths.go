package plutoapp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// inside is the path of a file or folder, there or not, relative or absolute, with no
// symbolic links in it. A path that leads out of the root is refused, also one that does so
// through a link.
func inside(root, path string) (string, error) {
	if strings.ContainsRune(path, 0) {
		return "", &Failure{Code: "invalid_argument", Text: "a path has no NUL in it"}
	}
	given := path
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	path = filepath.Clean(path)
	real, err := follow(path)
	if err != nil {
		return "", &Failure{Code: "invalid_argument", Text: given + " cannot be looked at", err: err}
	}
	base, err := filepath.EvalSymlinks(root)
	if err != nil {
		base = root
	}
	rel, err := filepath.Rel(base, real)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", &Failure{Code: "outside_project", Text: fmt.Sprintf("'%s' is outside of the project", given),
			Hint: "give a path below " + root + ", or project_path for another project"}
	}
	return real, nil
}

// follow follows the links of the part of the path that exists.
func follow(path string) (string, error) {
	rest := ""
	for p := path; ; p = filepath.Dir(p) {
		real, err := filepath.EvalSymlinks(p)
		switch {
		case err == nil:
			return filepath.Join(real, rest), nil
		case !errors.Is(err, fs.ErrNotExist) && !isNotDir(p) || p == filepath.Dir(p):
			return "", err
		}
		if info, err := os.Lstat(p); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", &fs.PathError{Op: "follow", Path: p, Err: fs.ErrNotExist} // a link to nowhere: anything may be there when it is written
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}

// isNotDir says whether something above the path is a file.
func isNotDir(path string) bool {
	info, err := os.Stat(filepath.Dir(path))
	return err == nil && !info.IsDir()
}
