package app

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
)

// OutsideError says that a path leaves the project.
type OutsideError struct{ Path string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is outside the project", e.Path)
}

// place splits FILE:LINE[:COLUMN].
var place = regexp.MustCompile(`^(.+?)(:\d+(?::\d+)?)$`)

// Localize rewrites the paths among the arguments so that they start at the root: absolute
// ones, and those that exist below base, the folder that the asker is in (empty: the
// root). A path that leaves the project is an [OutsideError].
func Localize(root, base string, args any) error {
	set, err := params.Of(args)
	if err != nil {
		return err
	}
	for i := range set.Fields {
		f := &set.Fields[i]
		if f.Kind != params.String {
			continue
		}
		text := set.Get(f, args)
		if text == "" {
			continue
		}
		switch f.Name {
		case "path", "in":
			local, ok := localPath(root, base, text)
			if !ok {
				return &OutsideError{text}
			}
			text = local
		case "symbol", "at", "from", "to":
			m := place.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			local, ok := localPath(root, base, m[1])
			if !ok {
				continue // a regular expression may look like this
			}
			text = local + m[2]
		default:
			continue
		}
		if err := set.Set(f, text, args); err != nil {
			return err
		}
	}
	return nil
}

// localPath returns the path from the root, slash-separated; ok is false when it leads
// out of the project. What exists nowhere, or is a pattern, stays as it is.
func localPath(root, base, path string) (local string, ok bool) {
	if !filepath.IsAbs(path) {
		if base == "" || base == root {
			return path, !leaves(filepath.Clean(path))
		}
		if _, err := os.Lstat(filepath.Join(base, path)); err != nil {
			return path, !leaves(filepath.Clean(path))
		}
		path = filepath.Join(base, path)
	}
	rel, err := filepath.Rel(root, path)
	if err != nil || leaves(rel) {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return path, false
		}
		if rel, err = filepath.Rel(root, real); err != nil || leaves(rel) {
			return path, false
		}
	}
	return filepath.ToSlash(rel), true
}

func leaves(rel string) bool {
	return rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
