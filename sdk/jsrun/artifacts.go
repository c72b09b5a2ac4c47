package jsrun

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
)

// artifacts are the files that the package.json names as what the package gives to others
// (main, module, types, bin, exports), as far as they are newer than the build.
func artifacts(root string, pkg *Package, began time.Time) []report.Artifact {
	dir := filepath.Join(root, filepath.FromSlash(pkg.Dir))
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil
	}
	var m map[string]any
	if json.Unmarshal(data, &m) != nil {
		return nil
	}
	var names []string
	for _, field := range []string{"main", "module", "browser", "types", "typings", "bin", "exports"} {
		names = leaves(m[field], names)
	}
	slices.Sort(names)
	var all []report.Artifact
	for _, name := range slices.Compact(names) {
		if !filepath.IsLocal(name) || strings.Contains(name, "*") {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(began.Add(-time.Second)) {
			continue
		}
		all = append(all, report.Artifact{Path: path.Join(pkg.Dir, name), Bytes: info.Size()})
	}
	if len(all) == 0 {
		all = folder(root, pkg, began)
	}
	return all
}

// leaves adds the paths in a value of a package.json.
func leaves(v any, names []string) []string {
	switch v := v.(type) {
	case string:
		names = append(names, path.Clean(v))
	case map[string]any:
		for _, w := range v {
			names = leaves(w, names)
		}
	case []any:
		for _, w := range v {
			names = leaves(w, names)
		}
	}
	return names
}

// folder is the output folder by its usual names, when the build wrote into it: as one artifact.
func folder(root string, pkg *Package, began time.Time) []report.Artifact {
	for _, name := range []string{"dist", "build", "out", "lib", ".next", ".output"} {
		at := filepath.Join(root, filepath.FromSlash(pkg.Dir), name)
		var bytes int64
		fresh := false
		_ = filepath.WalkDir(at, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // what cannot be read is not counted
			}
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
				bytes += info.Size()
				fresh = fresh || !info.ModTime().Before(began.Add(-time.Second))
			}
			return nil
		})
		if fresh {
			return []report.Artifact{{Path: path.Join(pkg.Dir, name), Bytes: bytes}}
		}
	}
	return nil
}
