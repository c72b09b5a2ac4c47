package ts

import (
	"fmt"
	"path"
	"strings"

	"github.com/microsoft/typescript-go/sett"
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

// noteInstall says which folder's dependencies are missing, for a configuration in which an
// import was not found: the errors are true, and this is why.
func (r *checkRun) noteInstall(k *checkConfig) {
	needs := ""
	for d := k.dir; len(d) >= len(r.root); d = path.Dir(d) {
		if r.fs.DirectoryExists(d+"/node_modules") || r.fs.FileExists(d+"/.pnp.cjs") {
			return
		}
		if m := r.manifest(d + "/package.json"); m != nil && len(m.Dependencies)+len(m.DevDependencies)+len(m.PeerDependencies) > 0 {
			needs = d
		}
	}
	if needs == "" {
		return
	}
	where := ""
	if p, in := r.rel(needs); in {
		where = p + "/"
	}
	r.first = append(r.first, fmt.Sprintf("%snode_modules is missing: run `%s`", where, r.installer(needs)))
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

// absent reports whether a finding is that a module or a type package is not there.
func absent(d *tsgo.Diagnostic) bool {
	switch d.Code() {
	case 2307, 2580, 2582, 2591, 2593, 2688, 2792, 2875, 6053, 7016, 7026:
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
