package gorun

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// A module is a Go module, and what of it is run: the go command runs for one at a time.
type module struct {
	dir      string // absolute: where the go command runs
	path     string // as imports name it; "" when its go.mod does not say
	patterns []string
	env      []string
}

// modules finds what the targets name: their modules in the order of their folders.
func (o Options) modules() ([]*module, error) {
	found := map[string]*module{}
	add := func(m *module, pattern string) {
		if was, ok := found[m.dir]; ok {
			m = was
		}
		found[m.dir] = m
		if !slices.Contains(m.patterns, pattern) {
			m.patterns = append(m.patterns, pattern)
		}
	}
	targets, exact := o.Targets, false
	if len(o.Packages) > 0 {
		targets, exact = o.Packages, true
	}
	if len(targets) == 0 {
		targets = []string{""}
	}
	for _, t := range targets {
		dir, single := filepath.FromSlash(t), exact
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(o.Root, dir)
		}
		info, err := os.Stat(dir)
		if err != nil && o.laid(dir) {
			err, info = nil, nil
		}
		switch {
		case err != nil:
			return nil, &report.Misuse{Text: "there is no file or folder " + cmp.Or(t, o.Root), Err: err}
		case info == nil || !info.IsDir():
			if filepath.Ext(dir) != ".go" {
				return nil, &report.Misuse{Text: t + " is neither a folder nor a .go file"}
			}
			dir, single = filepath.Dir(dir), true
		}
		owner := owner(dir)
		if owner != nil {
			add(owner, pattern(owner.dir, dir, single))
		}
		if single {
			if owner == nil {
				return nil, &report.Misuse{Text: cmp.Or(t, ".") + " is in no Go module: there is no go.mod in its folder or above; make one with `go mod init`"}
			}
			continue
		}
		below, err := below(dir)
		if err != nil {
			return nil, fmt.Errorf("looking for Go modules: %w", err)
		}
		for _, m := range below {
			add(m, "./...")
		}
		if owner == nil && len(below) == 0 {
			return nil, &report.Misuse{Text: "there is no Go module in " + cmp.Or(t, "the project") + ": no go.mod there, above or below; make one with `go mod init`"}
		}
	}
	var all []*module
	for _, m := range found {
		if work := workspace(m.dir); work != "" && !uses(work, m.dir) {
			m.env = append(m.env, "GOWORK=off") // or the go command refuses to look at it
		}
		if slices.Contains(m.patterns, "./...") {
			m.patterns = []string{"./..."}
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *module) int { return strings.Compare(a.dir, b.dir) })
	return all, nil
}

// laid says whether a text is laid over a file of this path.
func (o Options) laid(abs string) bool {
	_, ok := o.text(abs)
	return ok
}

// text is what is laid over a file of this path.
func (o Options) text(abs string) ([]byte, bool) {
	rel, err := filepath.Rel(o.Root, abs)
	text, ok := o.Overlay[filepath.ToSlash(rel)]
	return text, err == nil && ok
}

// pattern names a folder of a module for the go command.
func pattern(module, dir string, single bool) string {
	rel, err := filepath.Rel(module, dir)
	if err != nil {
		rel = dir
	}
	p := "./" + filepath.ToSlash(rel)
	if rel == "." {
		p = "."
	}
	if !single {
		p += "/..."
	}
	return p
}

// owner is the module that a folder is in, or nil.
func owner(dir string) *module {
	for {
		if m := at(dir); m != nil {
			return m
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}

// moduleLine is the line of a go.mod that names the module.
var moduleLine = regexp.MustCompile(`(?m)^[ \t]*module[ \t]+(?:"([^"]+)"|([^\s"/][^\s]*))`)

// at is the module whose go.mod is in the folder, or nil.
func at(dir string) *module {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil
	}
	m := &module{dir: dir}
	if hit := moduleLine.FindSubmatch(text); hit != nil {
		m.path = string(hit[1]) + string(hit[2])
	}
	return m
}

// below finds the modules below a folder, without those that the go command's own patterns
// would not look at, and without those of other people.
func below(dir string) ([]*module, error) {
	var all []*module
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && !errors.Is(err, fs.ErrPermission) && p == dir:
			return err
		case err != nil:
			return fs.SkipDir
		case !d.IsDir() || p == dir:
			return nil
		}
		switch name := d.Name(); {
		case name == "vendor", name == "testdata", name == "node_modules", name[0] == '.', name[0] == '_':
			return fs.SkipDir
		}
		if m := at(p); m != nil {
			all = append(all, m)
		}
		return nil
	})
	return all, err
}

// workspace is the go.work file that the go command would take for the folder, or "".
func workspace(dir string) string {
	switch w := os.Getenv("GOWORK"); w {
	case "":
	case "off":
		return ""
	default:
		return w
	}
	for {
		file := filepath.Join(dir, "go.work")
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// uses says whether a go.work file names the module's folder.
func uses(work, dir string) bool {
	text, err := os.ReadFile(work)
	if err != nil {
		return true // the go command will say what is wrong with it
	}
	block := false
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case block && words[0] == ")":
			block = false
			continue
		case words[0] == "use" && len(words) > 1 && words[1] == "(":
			block = true
			continue
		case words[0] == "use" && len(words) > 1:
			words = words[1:]
		case !block:
			continue
		}
		used := filepath.FromSlash(strings.Trim(words[0], "\"`"))
		if !filepath.IsAbs(used) {
			used = filepath.Join(filepath.Dir(work), used)
		}
		if filepath.Clean(used) == filepath.Clean(dir) {
			return true
		}
	}
	return false
}

// what says in words what is run.
func (o Options) what() string {
	names := o.Targets
	if len(o.Packages) > 0 {
		names = o.Packages
	}
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" || n == "." })
	if len(names) == 0 {
		return "the project"
	}
	for i, n := range names {
		names[i] = path.Clean(filepath.ToSlash(n))
	}
	const most = 4
	if over := len(names) - most; over > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), over)
	}
	return strings.Join(names, ", ")
}
