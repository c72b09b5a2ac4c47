package ts

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A repository has more tsconfig.json than its owners ever check: those of examples,
// templates and fixtures, those that only tell an editor how to read a folder, and those of
// packages that a bundler builds without looking at types. What these would say is no error
// that anybody has. So the owners are asked what their project is: the scripts of a
// package.json that run tsc name the configurations that they check.
//
//   - What a script of a package names in that package counts, unless it lies in a folder
//     that by its name holds samples. What a script names in another package does not
//     count: that runs after a build, in the order that the script gives.
//   - The root's own tsconfig.json counts, whatever the scripts say.
//   - Where the scripts of a package, or of one around it, check something, its other
//     configurations do not count. Where they check nothing, they do, except of a private
//     package among others: what nobody publishes and nobody checks has no types to keep.
//   - Packages that the workspace does not list do not count, nor, where there is no
//     workspace, those in folders that by their name hold samples.
//   - What a configuration that counts refers to counts.
//   - If this leaves nothing, all count.
//
// The configurations that do not count are still asked about files that somebody names.
func (r *checkRun) choose(seeds []*checkConfig) {
	pk := r.packages()
	for _, k := range seeds {
		pk.place(k)
	}
	any := false
	for _, k := range seeds {
		k.chosen = pk.counts(k)
		any = any || k.chosen && (k.parsed == nil || len(k.roots)+len(k.parsed.ProjectReferences()) > 0)
	}
	if !any {
		for _, k := range seeds {
			k.chosen = true
		}
	}
}

// packages is what the package.json files of a project say about checking it.
type packages struct {
	root  string
	of    map[string]*packageFolder // by absolute folder
	named map[string]bool           // configurations that scripts check, absolute
}

// packageFolder is a folder with a package.json, or the root without one.
type packageFolder struct {
	dir    string
	up     *packageFolder // the nearest one around it
	file   *packageFile   // nil of the root if it has none
	member bool           // it is the root, or the workspace lists it
	named  bool           // its scripts check something that is its own
	config bool           // it has a tsconfig.json of its own
}

// packages reads the package.json files.
func (r *checkRun) packages() *packages {
	if r.pkgs != nil {
		return r.pkgs
	}
	p := &packages{root: r.root, of: map[string]*packageFolder{r.root: {dir: r.root, member: true}}, named: map[string]bool{}}
	r.pkgs = p
	for _, f := range r.in.Configs {
		if path.Base(f.Path) != "package.json" {
			continue
		}
		dir := path.Dir(r.root + "/" + f.Path)
		if m := r.manifest(r.root + "/" + f.Path); m != nil {
			p.of[dir] = &packageFolder{dir: dir, file: m, member: dir == r.root}
		}
	}
	for dir, f := range p.of {
		if dir != r.root {
			f.up = p.around(path.Dir(dir))
		}
		f.config = r.fs.FileExists(dir + "/tsconfig.json")
	}
	for _, f := range p.of {
		if !f.member {
			f.member = r.isMember(f)
		}
	}
	for _, f := range p.of {
		if f.file == nil || !f.member {
			continue
		}
		var scripts map[string]string
		if json.Unmarshal(f.file.Scripts, &scripts) != nil {
			continue
		}
		for what, script := range scripts {
			if strings.Contains(what, "bench") { // it measures the compiler
				continue
			}
			for _, name := range r.checkedBy(f, script) {
				if dir := path.Dir(name); p.around(dir) == f && !sample(strings.TrimPrefix(dir, f.dir)) {
					p.named[name], f.named = true, true
				}
			}
		}
	}
	return p
}

// around is the package that a folder belongs to.
func (p *packages) around(dir string) *packageFolder {
	for ; len(dir) > len(p.root); dir = path.Dir(dir) {
		if f := p.of[dir]; f != nil {
			return f
		}
	}
	return p.of[p.root]
}

// place notes which package a configuration is of.
func (p *packages) place(k *checkConfig) {
	k.pkg = p.around(k.dir)
	k.named = p.named[k.name]
}

// counts reports whether a configuration is part of the project; see choose.
func (p *packages) counts(k *checkConfig) bool {
	f := k.pkg
	if k.named || k.dir == p.root {
		return true
	}
	if !f.member || f.named || f.up != nil && f.up.file != nil && f.file.Private == true {
		return false
	}
	for up := f.up; up != nil; up = up.up {
		if up.named {
			return false
		}
	}
	return !sample(strings.TrimPrefix(k.dir, f.dir))
}

// foreign reports whether a file is not for a configuration to check though it lists or
// imports it: no script names the configuration, and the file is of another package that
// has a configuration too.
func (p *packages) foreign(k *checkConfig, abs string) bool {
	if k.named || k.pkg == nil || len(p.of) < 2 || inNodeModules(abs) || !strings.HasPrefix(abs, p.root+"/") {
		return false
	}
	f := p.around(path.Dir(abs))
	return f != k.pkg && f.config
}

// sample reports whether a path leads through a folder that by its name holds what is only
// to look at, or to run tools on.
func sample(p string) bool {
	for _, part := range strings.Split(p, "/") {
		switch strings.Trim(part, "._") {
		case "example", "examples", "sample", "samples", "demo", "demos", "template", "templates",
			"fixture", "fixtures", "testdata", "playground", "playgrounds", "snapshots":
			return true
		}
		if strings.HasPrefix(part, "template-") {
			return true
		}
	}
	return false
}

// isMember reports whether the workspace around a package lists it; see choose.
func (r *checkRun) isMember(f *packageFolder) bool {
	for up := f.up; up != nil; up = up.up {
		if patterns := r.workspaces(up); len(patterns) > 0 {
			return listedBy(patterns, strings.TrimPrefix(f.dir, up.dir+"/"))
		}
	}
	return !sample(strings.TrimPrefix(f.dir, r.root))
}

// workspaces returns the patterns of the folders that belong to a package's workspace.
func (r *checkRun) workspaces(f *packageFolder) []string {
	if f.file == nil {
		return nil
	}
	var list []string
	if json.Unmarshal(f.file.Workspaces, &list) == nil && len(list) > 0 {
		return list
	}
	var long struct {
		Packages []string `json:"packages"`
	}
	if json.Unmarshal(f.file.Workspaces, &long) == nil && len(long.Packages) > 0 {
		return long.Packages
	}
	if name := f.dir + "/pnpm-workspace.yaml"; r.fs.FileExists(name) {
		text, _ := r.fs.ReadFile(name)
		return pnpmPackages(text)
	}
	return nil
}

// pnpmPackages reads the list "packages" of a pnpm-workspace.yaml.
func pnpmPackages(text string) (list []string) {
	in := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, " #")
		item, dash := strings.CutPrefix(strings.TrimSpace(line), "-")
		switch {
		case strings.HasPrefix(line, "packages:"):
			in = true
		case in && dash:
			list = append(list, strings.Trim(strings.TrimSpace(item), `'"`))
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			in = false
		}
	}
	return list
}

// listedBy reports whether patterns name a folder: a star is any part of a path, two are
// any number of parts, and a pattern after "!" takes away.
func listedBy(patterns []string, dir string) (listed bool) {
	for _, p := range patterns {
		p, not := strings.CutPrefix(p, "!")
		if matchParts(strings.Split(path.Clean(p), "/"), strings.Split(dir, "/")) {
			listed = !not
		}
	}
	return listed
}

func matchParts(pattern, parts []string) bool {
	if len(pattern) == 0 {
		return len(parts) == 0
	}
	if pattern[0] == "**" {
		return matchParts(pattern[1:], parts) || len(parts) > 0 && matchParts(pattern, parts[1:])
	}
	if len(parts) == 0 {
		return false
	}
	ok, _ := path.Match(pattern[0], parts[0])
	return ok && matchParts(pattern[1:], parts[1:])
}

// checkedBy lists the configurations that a script has tsc check.
func (r *checkRun) checkedBy(f *packageFolder, script string) (list []string) {
	dir := f.dir
	for _, command := range strings.FieldsFunc(script, func(c rune) bool { return strings.ContainsRune("&|;()\n", c) }) {
		words := strings.Fields(command)
		for i := range words {
			words[i] = strings.Trim(words[i], `'"\`)
		}
		if len(words) == 2 && words[0] == "cd" {
			dir = path.Join(dir, words[1])
		}
		at := slices.IndexFunc(words, func(w string) bool {
			switch path.Base(w) {
			case "tsc", "tsgo", "vue-tsc", "tsc.js":
				return true
			}
			return false
		})
		if at >= 0 {
			list = append(list, r.asked(dir, words[at+1:])...)
		}
		// Before it checks types, Next writes some. Where it has not run they are missing.
		if slices.Contains(words, "next") && slices.Contains(words, "build") && r.fs.DirectoryExists(dir+"/.next") {
			list = append(list, r.asked(dir, nil)...)
		}
	}
	return list
}

// asked lists the configurations that tsc checks when it is started in dir with the words.
func (r *checkRun) asked(dir string, words []string) (list []string) {
	build, project := false, false
	var args []string
	for i, w := range words {
		switch strings.ToLower(strings.TrimLeft(w, "-")) {
		case "nocheck", "init", "clean", "version", "v", "help", "h", "showconfig":
			if strings.HasPrefix(w, "-") {
				return nil
			}
		case "b", "build":
			build = build || strings.HasPrefix(w, "-")
		case "p", "project":
			if strings.HasPrefix(w, "-") && i+1 < len(words) {
				project = true
				list = append(list, r.configAt(path.Join(dir, words[i+1])))
			}
		default:
			args = append(args, w)
		}
	}
	switch {
	case project:
		return list
	case build:
		for _, a := range args {
			if !strings.HasPrefix(a, "-") {
				list = append(list, r.configAt(path.Join(dir, a)))
			}
		}
		if len(list) > 0 {
			return list
		}
	case slices.ContainsFunc(args, isSource): // files, and no configuration
		return nil
	}
	for d := dir; len(d) >= len(r.root); d = path.Dir(d) {
		if r.fs.FileExists(d + "/tsconfig.json") {
			return []string{d + "/tsconfig.json"}
		}
	}
	return nil
}

// configAt is the configuration that a path means, which may be that of a folder.
func (r *checkRun) configAt(abs string) string {
	if r.fs.DirectoryExists(abs) {
		return abs + "/tsconfig.json"
	}
	if path.Ext(abs) != ".json" {
		return abs + ".json"
	}
	return abs
}

// noteLeft says which configurations were not asked, as far as that leaves files out.
func (r *checkRun) noteLeft(left []*checkConfig) {
	var names []string
	files := 0
	for _, k := range left {
		n := 0
		for _, f := range k.roots {
			if !r.checked[f] && !r.included[f] && !r.outside[f] && !strings.Contains(path.Base(f), ".d.") && r.wants(f) {
				n++
			}
			r.outside[f] = true
		}
		if n > 0 {
			names = append(names, r.show(k.name))
			files += n
		}
	}
	slices.Sort(names)
	switch n := len(names); {
	case n == 0:
	case n <= 3:
		r.note("no script of a package.json checks %s: not checked (%s)", strings.Join(names, ", "), count(files))
	default:
		r.note("no script of a package.json checks %d tsconfig.json: not checked (%s): %s, ...", n, count(files), strings.Join(names[:3], ", "))
	}
}

func count(files int) string {
	if files == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", files)
}
