package jsrun

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// A Manager is a package manager and how it is called.
type Manager struct {
	Name    string   // npm, pnpm, yarn or bun
	Berry   bool     // a yarn of version 2 or later
	Why     string   // what says so: a file from the root, or "" for the default
	Command []string // how it is started: {"pnpm"}, {"corepack", "pnpm"}; {"npm"} also where the right one is not installed
	Missing bool     // it is not installed
}

// A Package is one package.json.
type Package struct {
	Dir     string            // from the root; "." for the root
	Name    string            // as it calls itself
	Scripts map[string]string // by their names
	Runner  string            // the test runner: vitest, jest, mocha, node:test or another; "" when not known
	Ready   bool              // its dependencies are installed, or it has none
	Tests   bool              // it has a script of tests, or a known runner without a script
	deps    map[string]bool
	spaces  []string // the patterns of its workspaces
}

// A Project is what is known of the packages of a folder before anything runs.
type Project struct {
	Manager    Manager
	Packages   []Package // by their folders, the root's first when it has one
	Workspaces bool      // the root's package says that it has workspaces
}

// locks says which package manager writes which file, in the order in which they are looked for.
var locks = [...]struct{ file, manager string }{
	{"pnpm-lock.yaml", "pnpm"}, {"pnpm-workspace.yaml", "pnpm"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"},
	{"yarn.lock", "yarn"}, {"package-lock.json", "npm"}, {"npm-shrinkwrap.json", "npm"},
}

// deepest is how far below the root packages are looked for.
const deepest = 5

// Detect finds the packages of a project and its package manager. A project without a
// package.json is an error that wraps [fs.ErrNotExist].
func Detect(root string) (*Project, error) {
	p := &Project{}
	var problems []error
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			if file == root {
				return err
			}
			return nil // what cannot be read has no packages
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel != "." && (skipped(d.Name()) || strings.Count(filepath.ToSlash(rel), "/") >= deepest) {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Name() != "package.json" {
			return nil
		}
		pkg, err := readPackage(root, path.Dir(filepath.ToSlash(rel)))
		if err != nil {
			problems = append(problems, err)
			return nil
		}
		p.Packages = append(p.Packages, *pkg)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for package.json: %w", err)
	}
	if len(p.Packages) == 0 {
		if len(problems) > 0 {
			return nil, &report.Misuse{Text: problems[0].Error(), Err: problems[0]}
		}
		return nil, &report.Misuse{Text: "there is no package.json in " + root, Err: fs.ErrNotExist}
	}
	slices.SortFunc(p.Packages, func(a, b Package) int {
		if (a.Dir == ".") != (b.Dir == ".") {
			if a.Dir == "." {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Dir, b.Dir)
	})
	_, err = os.Stat(filepath.Join(root, "pnpm-workspace.yaml"))
	p.Workspaces = p.Packages[0].Dir == "." && (len(p.Packages[0].spaces) > 0 || err == nil)
	p.Manager = manager(root, p.Packages[0].Dir)
	for i := range p.Packages {
		pkg := &p.Packages[i]
		pkg.Ready = len(pkg.deps) == 0 || installed(root, pkg.Dir)
		pkg.Runner = runnerOf(pkg)
		pkg.Tests = pkg.script("test") != "" || ours(pkg.Runner) && pkg.Runner != nodeTest
	}
	return p, nil
}

// skipped are folders with packages that are not the project's own to test.
func skipped(name string) bool {
	switch name {
	case "node_modules", "bower_components", "vendor", "testdata", "__fixtures__", "fixtures", "dist":
		return true
	}
	return strings.HasPrefix(name, ".")
}

// words is a list of strings in a package.json, or one, or an object with them.
type words []string

func (w *words) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*w = list
		return nil
	}
	var object struct {
		Packages []string `json:"packages"`
	}
	_ = json.Unmarshal(data, &object) // anything else says nothing
	*w = object.Packages
	return nil
}

// texts are the strings of an object; what is no string is left out.
type texts map[string]string

func (t *texts) UnmarshalJSON(data []byte) error {
	var object map[string]any
	_ = json.Unmarshal(data, &object) // what is no object has no strings
	*t = texts{}
	for k, v := range object {
		if s, ok := v.(string); ok {
			(*t)[k] = s
		}
	}
	return nil
}

type manifest struct {
	Name            any   `json:"name"`
	Scripts         texts `json:"scripts"`
	Dependencies    texts `json:"dependencies"`
	DevDependencies texts `json:"devDependencies"`
	Workspaces      words `json:"workspaces"`
	PackageManager  any   `json:"packageManager"`
}

func readManifest(dir string) (*manifest, error) {
	file := filepath.Join(dir, "package.json")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	var m manifest
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &m); err != nil {
		return nil, fmt.Errorf("%s is not what a package.json should be: %w", file, err)
	}
	return &m, nil
}

func readPackage(root, dir string) (*Package, error) {
	m, err := readManifest(filepath.Join(root, filepath.FromSlash(dir)))
	if err != nil {
		return nil, err
	}
	p := &Package{Dir: dir, Scripts: m.Scripts, deps: map[string]bool{}, spaces: m.Workspaces}
	p.Name, _ = m.Name.(string)
	for _, deps := range []texts{m.Dependencies, m.DevDependencies} {
		for name := range deps {
			p.deps[name] = true
		}
	}
	return p, nil
}

// script is a script of the package, "" for none and for the one that npm init writes.
func (p *Package) script(name string) string {
	s := strings.TrimSpace(p.Scripts[name])
	if name == "test" && strings.Contains(s, "no test specified") {
		return ""
	}
	return s
}

// manager finds out the package manager of a folder: from the folder up, since the root may
// be one package of a larger repository, the packageManager field first, then lock files.
func manager(root, dir string) Manager {
	m := Manager{Name: "npm"}
	at := filepath.Join(root, filepath.FromSlash(dir))
	for ; ; at = filepath.Dir(at) {
		if name, version, ok := declared(at); ok {
			m.Name, m.Why = name, near(root, filepath.Join(at, "package.json"))
			m.Berry = name == "yarn" && version != "" && !strings.HasPrefix(version, "1.") && !strings.HasPrefix(version, "0.")
			break
		}
		if name, file := locked(at); name != "" {
			m.Name, m.Why = name, near(root, filepath.Join(at, file))
			_, err := os.Stat(filepath.Join(at, ".yarnrc.yml"))
			m.Berry = name == "yarn" && err == nil
			break
		}
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil || filepath.Dir(at) == at {
			break
		}
	}
	m.Command = []string{m.Name}
	if !inPath(m.Name) {
		m.Missing = true
		switch {
		case (m.Name == "pnpm" || m.Name == "yarn") && prepared(root, m.Name):
			m.Command, m.Missing = []string{"corepack", m.Name}, false
		case inPath("npm"):
			m.Command = []string{"npm"}
		}
	}
	return m
}

// prepared says whether corepack has the package manager of the project already: it would
// load one that it has not, when nobody asked for that.
func prepared(root, name string) bool {
	if !inPath("corepack") {
		return false
	}
	res, err := child.Run(context.Background(), child.Command{
		Dir: root, Args: []string{"corepack", name, "--version"}, Env: []string{"COREPACK_ENABLE_NETWORK=0"}, Timeout: 20 * time.Second,
	})
	return err == nil && res.Code == 0
}

// declared is what the packageManager field of a folder's package.json says: "pnpm@9.1.0".
func declared(dir string) (name, version string, ok bool) {
	pkg, err := readManifest(dir)
	if err != nil {
		return "", "", false
	}
	field, _ := pkg.PackageManager.(string)
	name, version, _ = strings.Cut(field, "@")
	return name, version, slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, name)
}

func locked(dir string) (manager, file string) {
	for _, l := range locks {
		if _, err := os.Stat(filepath.Join(dir, l.file)); err == nil {
			return l.manager, l.file
		}
	}
	return "", ""
}

// near is a path from the root, also for what is above it.
func near(root, file string) string {
	rel, err := filepath.Rel(root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// installed says whether a package has dependencies installed: in its own folder or one
// above it, or in no folder at all (Plug'n'Play).
func installed(root, dir string) bool {
	for at := filepath.Join(root, filepath.FromSlash(dir)); ; at = filepath.Dir(at) {
		for _, name := range []string{"node_modules", ".pnp.cjs", ".pnp.js"} {
			if _, err := os.Stat(filepath.Join(at, name)); err == nil {
				return true
			}
		}
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil || filepath.Dir(at) == at {
			return false
		}
	}
}

// run is the command that runs a script of a package.
func (m Manager) run(script string, args []string) []string {
	cmd := append(slices.Clone(m.Command), "run", script)
	if len(args) > 0 && m.Command[len(m.Command)-1] == "npm" {
		cmd = append(cmd, "--")
	}
	return append(cmd, args...)
}

// install is what somebody types to install the dependencies.
func (m Manager) install() string { return m.Name + " install" }

// note says what is to be known about the manager after some steps, or nothing.
func (m Manager) note(steps []report.Step) string {
	switch {
	case !m.Missing:
		return ""
	case m.Command[0] == m.Name:
		return fmt.Sprintf("%s is not installed", m.Name)
	}
	if slices.ContainsFunc(steps, func(s report.Step) bool { return s.Code == notFound }) {
		return fmt.Sprintf("the project uses %s (%s), which is not installed, and its scripts call it: `npm install --global %s`", m.Name, m.Why, m.Name)
	}
	return fmt.Sprintf("the project uses %s (%s), which is not installed: its scripts were run with %s", m.Name, m.Why, m.Command[0])
}
