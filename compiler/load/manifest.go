package load

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// ManifestName is the file that makes a folder a package.
const ManifestName = "pluto.toml"

// pkg is a package: a folder and the packages that its manifest names.
type pkg struct {
	name string // of the manifest, else the folder's
	dir  string // "" when it could not be found, which was reported
	path string // of its module: "dep/util"; "" for the root
	deps map[string]*pkg

	unread bool // the manifest makes no sense, which was reported: the dependencies are unknown
}

// manifest is pluto.toml.
type manifest struct {
	file *source.File
	name string
	deps []dependency
}

// dependency is one line of the table of dependencies: a path or a git repository.
type dependency struct {
	name string
	at   source.Span
	path string
	url  string
	ref  gitRef

	broken bool // the line makes no sense, which was reported
}

// packages loads the manifests of a project.
type packages struct {
	l    *loader
	git  *gitCache
	seen map[string]*pkg // by folder
	way  []*pkg          // from the root to the package being loaded
}

// manifests finds the manifest of the folder or of one above it, and loads the packages
// that it names, and those that they name.
func (l *loader) manifests(dir string) *pkg {
	p := packages{l: l, seen: map[string]*pkg{}}
	root := &pkg{}
	for at := dir; ; at = filepath.Dir(at) {
		file := filepath.Join(at, ManifestName)
		l.watch[file] = true
		if l.disk.isFile(file) {
			root.dir, root.name = real(at), filepath.Base(at)
			p.git = newGitCache(l, at)
			p.load(root, at)
			p.git.close()
			return root
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || filepath.Dir(at) == at {
			return root
		}
	}
}

// real is the path with links followed, so that one folder has one name.
func real(dir string) string {
	if r, err := filepath.EvalSymlinks(dir); err == nil {
		return r
	}
	return dir
}

// load reads the manifest in dir, when there is one, and the packages that it names.
func (p *packages) load(to *pkg, dir string) {
	m := p.read(dir)
	if m == nil {
		to.unread = p.l.disk.isFile(filepath.Join(dir, ManifestName))
		return
	}
	to.name, to.deps = m.name, map[string]*pkg{}
	p.way = append(p.way, to)
	defer func() { p.way = p.way[:len(p.way)-1] }()
	for _, d := range m.deps {
		to.deps[d.name] = p.dependency(to, m, d, dir)
	}
}

// dependency is the package of one dependency; one without a folder when it failed.
func (p *packages) dependency(of *pkg, m *manifest, d dependency, dir string) *pkg {
	at := d.path
	switch {
	case d.broken:
		return &pkg{name: d.name}
	case d.url != "":
		checkout, err := p.git.checkout(d, dir)
		if err != nil {
			p.report(diag.GitFailed, m.file, d.at, "%v", err)
			return &pkg{name: d.name}
		}
		at = checkout
	case !filepath.IsAbs(at):
		at = filepath.Join(dir, filepath.FromSlash(at))
	}
	p.l.watch[at] = true
	if !p.l.disk.isDir(at) {
		p.report(diag.NoDepPath, m.file, d.at, "dependency '%s': path '%s' does not exist or is not a directory", d.name, d.path)
		return &pkg{name: d.name}
	}
	at = real(at)
	if i := slices.IndexFunc(p.way, func(q *pkg) bool { return q.dir == at }); i >= 0 {
		var names []string
		for _, q := range p.way[i:] {
			names = append(names, q.name)
		}
		p.report(diag.CircularPackage, m.file, d.at, "circular package dependency: %s", strings.Join(append(names, p.way[i].name), " -> "))
		return &pkg{name: d.name}
	}
	if q := p.seen[at]; q != nil {
		return q
	}
	q := &pkg{name: d.name, dir: at, path: "dep/" + d.name}
	if of.path != "" {
		q.path = of.path + "/" + d.name
	}
	p.seen[at] = q
	p.load(q, at)
	return q
}

func (p *packages) report(code diag.Code, file *source.File, at source.Span, format string, args ...any) {
	p.l.proj.Diags.Report(diag.PhaseManifest, code, file, at, format, args...)
}

// read reads the manifest in dir; nil when there is none, or none that makes sense.
func (p *packages) read(dir string) *manifest {
	file := filepath.Join(dir, ManifestName)
	p.l.watch[file] = true
	if !p.l.disk.isFile(file) {
		return nil
	}
	name := p.l.disk.display(file)
	text, err := p.l.disk.read(file)
	if err != nil {
		p.report(diag.BadManifest, source.NewFile(name, file, ""), source.Span{}, "pluto.toml: %v", reason(err))
		return nil
	}
	m := &manifest{file: source.NewFile(name, file, string(text))}
	var raw struct {
		Package      *map[string]any `toml:"package"`
		Dependencies map[string]any  `toml:"dependencies"`
	}
	if _, err := toml.Decode(string(text), &raw); err != nil {
		at, why := tomlError(m.file, err)
		p.report(diag.BadManifest, m.file, at, "pluto.toml: invalid syntax: %s", why)
		return nil
	}
	if raw.Package == nil {
		p.report(diag.NoPackage, m.file, source.Span{}, "pluto.toml: missing [package] section")
		return nil
	}
	value, given := (*raw.Package)["name"]
	pkgName, isText := value.(string)
	switch at := keyAt(m.file, "name"); {
	case !given:
		p.report(diag.NoPackageName, m.file, keyAt(m.file, "package"), "pluto.toml: missing 'name' in [package]")
	case !isText:
		p.report(diag.BadManifest, m.file, at, "pluto.toml: invalid syntax: 'name' must be a string")
	case strings.TrimSpace(pkgName) == "":
		p.report(diag.NoPackageName, m.file, at, "pluto.toml: package name must not be empty")
	}
	m.name = pkgName
	for _, name := range slices.Sorted(maps.Keys(raw.Dependencies)) {
		d := dependency{name: name, at: keyAt(m.file, name)}
		if code, problem := d.fill(raw.Dependencies[name]); problem != "" {
			p.report(code, m.file, d.at, "pluto.toml: %s", problem)
			d.broken = true
		}
		m.deps = append(m.deps, d)
	}
	return m
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fill checks the name and takes over the value of a line; the result says what is wrong.
func (d *dependency) fill(value any) (diag.Code, string) {
	switch {
	case !identifier.MatchString(d.name):
		return diag.BadDepName, fmt.Sprintf("dependency name '%s' is not a valid identifier", d.name)
	case d.name == "std":
		return diag.BadDepName, "dependency name 'std' is reserved"
	case syntax.Keyword(d.name) != syntax.IDENT:
		return diag.BadDepName, fmt.Sprintf("dependency name '%s' is a reserved keyword", d.name)
	}
	table, _ := value.(map[string]any) // anything else has neither path nor git
	keys := map[string]string{}
	for _, key := range []string{"path", "git", "rev", "tag", "branch"} {
		v, given := table[key]
		text, isText := v.(string)
		if given && !isText {
			return diag.BadManifest, fmt.Sprintf("invalid syntax: dependency '%s': '%s' must be a string", d.name, key)
		}
		if given {
			keys[key] = text
		}
	}
	path, isPath := keys["path"]
	url, isGit := keys["git"]
	delete(keys, "path")
	delete(keys, "git")
	switch {
	case isPath && isGit:
		return diag.BadDepSource, fmt.Sprintf("dependency '%s': specify either 'path' or 'git', not both", d.name)
	case !isPath && !isGit:
		return diag.BadDepSource, fmt.Sprintf("dependency '%s': must specify 'path' or 'git'", d.name)
	case isPath && len(keys) > 0:
		return diag.BadDepRef, fmt.Sprintf("dependency '%s': 'rev'/'tag'/'branch' are only valid with git dependencies", d.name)
	case len(keys) > 1:
		return diag.BadDepRef, fmt.Sprintf("dependency '%s': specify at most one of 'rev', 'tag', 'branch'", d.name)
	case isGit && strings.TrimSpace(url) == "":
		return diag.BadDepSource, fmt.Sprintf("dependency '%s': 'git' must not be empty", d.name)
	}
	d.path, d.url = path, url
	for kind, name := range keys {
		d.ref = gitRef{kind, name}
	}
	return "", ""
}

// tomlError is the place and the text of what the TOML parser says.
func tomlError(file *source.File, err error) (source.Span, string) {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		return source.Span{}, strings.TrimPrefix(err.Error(), "toml: ")
	}
	start := int32(pe.Position.Start)
	return source.Span{Start: start, End: start + int32(max(pe.Position.Len, 1))}, pe.Message
}

// keyAt is the place of a key or a table header of that name: the decoder does not tell.
func keyAt(file *source.File, key string) source.Span {
	at := regexp.MustCompile(`(?m)^[ \t]*(?:\[+[ \t]*(?:dependencies[ \t]*\.[ \t]*)?)?["']?(` + regexp.QuoteMeta(key) + `)["']?[ \t]*[]=.]`)
	if m := at.FindStringSubmatchIndex(file.Text); m != nil {
		return source.Span{Start: int32(m[2]), End: int32(m[3])}
	}
	return source.Span{}
}
