package ts

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// note adds a line on what could not be checked.
func (r *checkRun) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// show writes a path for people: from the root.
func (r *checkRun) show(abs string) string {
	if p, in := r.rel(abs); in {
		return p
	}
	return abs
}

// missing finds the folder whose dependencies a file of the folder dir has not, because they
// are not installed; "" when they are, or none are needed.
func (r *checkRun) missing(dir string) (needs string) {
	for d := dir; len(d) >= len(r.root); d = path.Dir(d) {
		if r.fs.DirectoryExists(d+"/node_modules") || r.fs.FileExists(d+"/.pnp.cjs") {
			return ""
		}
		if m := r.manifest(d + "/package.json"); m != nil && len(m.Dependencies)+len(m.DevDependencies)+len(m.PeerDependencies) > 0 {
			needs = d
		}
	}
	return needs
}

// uninstalled looks for folders whose dependencies are missing: an import was not found. The
// errors are true, and this is why, as a note says. A check of the whole project tells one
// error of such a folder instead of the thousands that follow from it.
func (r *checkRun) uninstalled(found []report.Diagnostic) []report.Diagnostic {
	needs := map[string]int{}
	byDir := map[string]string{}
	for _, d := range found {
		if dir := path.Dir(r.root + "/" + d.File); absent(d.Code) {
			if _, known := byDir[dir]; !known {
				byDir[dir] = r.missing(dir)
			}
			if n := byDir[dir]; n != "" {
				needs[n] = 0
			}
		}
	}
	dirs := slices.Sorted(maps.Keys(needs))
	if r.wanted != nil || len(dirs) == 0 {
		for _, dir := range dirs {
			r.first = append(r.first, fmt.Sprintf("%s is missing: run `%s`", r.show(dir+"/node_modules"), r.installer(dir)))
		}
		return found
	}
	left := slices.DeleteFunc(found, func(d report.Diagnostic) bool {
		i := slices.IndexFunc(dirs, func(dir string) bool { return strings.HasPrefix(r.root+"/"+d.File, dir+"/") })
		syntax := len(d.Code) == len("TS1234") && strings.HasPrefix(d.Code, "TS1")
		if i < 0 || syntax || r.missing(path.Dir(r.root+"/"+d.File)) == "" {
			return false
		}
		needs[dirs[i]]++
		return true
	})
	for _, dir := range dirs {
		left = append(left, report.Diagnostic{
			File: r.show(dir + "/package.json"), Line: 1, Col: 1, Severity: report.Error, Source: "sett", Code: "not-installed",
			Message: fmt.Sprintf("the dependencies are not installed: run `%s` (left out, since they may follow from that: %d errors)", r.installer(dir), needs[dir]),
		})
	}
	return report.Sort(left)
}

// installer is the command that installs the dependencies of a folder.
func (r *checkRun) installer(dir string) string {
	for d := dir; len(d) >= len(r.root); d = path.Dir(d) {
		for _, l := range [...]struct{ lock, tool string }{
			{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"},
			{"package-lock.json", "npm"}, {"npm-shrinkwrap.json", "npm"},
		} {
			if r.fs.FileExists(d + "/" + l.lock) {
				return l.tool + " install"
			}
		}
		if m := r.manifest(d + "/package.json"); m != nil {
			if tool, _, ok := strings.Cut(m.PackageManager, "@"); ok {
				return tool + " install"
			}
		}
	}
	return "npm install"
}

// absent reports whether a finding of that code is that a module or a type package is not there.
func absent(code string) bool {
	switch code {
	case "TS2307", "TS2580", "TS2582", "TS2591", "TS2593", "TS2688", "TS2792", "TS2875", "TS6053", "TS7016", "TS7026":
		return true
	}
	return false
}

// noteLeftOut says which TypeScript files no configuration lists and no checked file
// imports. Those that only declare are not missed.
func (r *checkRun) noteLeftOut() {
	var list []string
	for _, f := range r.in.Files {
		abs := r.root + "/" + f.Path
		switch path.Ext(f.Path) {
		case ".ts", ".tsx", ".mts", ".cts":
			if !r.checked[abs] && !r.included[abs] && !r.outside[abs] && !strings.Contains(path.Base(f.Path), ".d.") && r.wants(abs) {
				list = append(list, f.Path)
			}
		}
	}
	switch n := len(list); {
	case n == 0:
	case n == 1:
		r.note("%s is in no tsconfig.json: not checked", list[0])
	case n <= 3:
		r.note("%s are in no tsconfig.json: not checked", strings.Join(list, ", "))
	default:
		r.note("%d TypeScript files are in no tsconfig.json: not checked: %s, ...", n, strings.Join(list[:3], ", "))
	}
}
