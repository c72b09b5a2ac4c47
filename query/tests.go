package query

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/graph"
)

// Tests is the tests that reach a declaration.
type Tests struct {
	Count    int      `json:"count"`            // test declarations: functions of Go, blocks of Pluto, files of others
	Files    []string `json:"files"`            // that hold them
	Names    []string `json:"names"`            // of Go: TestX, FuzzX, ExampleX, sorted; helpers left out
	Packages []string `json:"packages"`         // of Go: folders to test
	Commands []string `json:"commands"`         // run in the project's root, they run the tests
	Blocks   []Block  `json:"blocks,omitempty"` // of Pluto, sorted
	narrow   bool     // every package has a test by name
}

// A Block is a test of Pluto, by the name that it says.
type Block struct {
	File string `json:"file"`
	Name string `json:"name"`
}

// Named reports whether the tests of Go are all known by their names, so that these are
// enough to run them; else whole packages are to be run.
func (t *Tests) Named() bool { return t.narrow && len(t.Names) > 0 }

// maxRun is how many tests are named in a command; more run as whole packages.
const maxRun = 8

// tests looks at the test declarations that were reached.
func (r *reach) tests(ids []graph.NodeID) Tests {
	t := Tests{Files: []string{}, Names: []string{}, Packages: []string{}, Commands: []string{}, narrow: true}
	files, packages, names := map[string]bool{}, map[string]bool{}, map[string]bool{}
	named := map[string]bool{} // packages with a test by name
	for _, id := range ids {
		if r.stop() {
			break
		}
		f := r.g.File(r.file[id])
		files[f.Path] = true
		if f.Lang != "go" {
			if n := r.g.Node(id); n != nil && n.Kind == graph.KindTest {
				t.Count++
				if isPluto(f.Path) {
					t.Blocks = append(t.Blocks, Block{f.Path, n.Name})
				}
			}
			continue
		}
		dir := path.Dir(f.Path)
		packages[dir] = true
		n := r.g.Node(id)
		if n == nil || n.Flags&graph.FlagEntry == 0 {
			continue
		}
		switch {
		case strings.HasPrefix(n.Name, "Test"), strings.HasPrefix(n.Name, "Fuzz"), strings.HasPrefix(n.Name, "Example"):
			names[n.Name] = true
			named[dir] = true
			t.Count++
		case strings.HasPrefix(n.Name, "Benchmark"):
			t.Count++
		}
	}
	slices.SortFunc(t.Blocks, func(a, b Block) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Name, b.Name)) })
	t.Files, t.Packages, t.Names = sorted(files), sorted(packages), sorted(names)
	for _, f := range t.Files {
		if !strings.HasSuffix(f, ".go") && !isPluto(f) {
			t.Count++
		}
	}
	for _, p := range t.Packages {
		t.narrow = t.narrow && named[p]
	}
	t.InModules(nil)
	return t
}

// InModules makes the commands anew for a project whose Go modules have these folders,
// relative to the root, "." for the root itself: the go command must run inside the
// module of the packages that it tests. Who knows the files calls it when the root is
// not the only module.
func (t *Tests) InModules(dirs []string) {
	t.Commands = []string{}
	byModule := map[string][]string{}
	for _, p := range t.Packages {
		m := moduleOf(dirs, p)
		byModule[m] = append(byModule[m], p)
	}
	modules := make([]string, 0, len(byModule))
	for m := range byModule {
		modules = append(modules, m)
	}
	slices.Sort(modules)
	for _, m := range modules {
		cmd := "go test"
		for _, p := range byModule[m] {
			if m != "." {
				p = strings.TrimPrefix(strings.TrimPrefix(p, m), "/")
			}
			cmd += " " + quoteShell(dotted(p))
		}
		if t.narrow && len(t.Names) <= maxRun && len(t.Names) > 0 {
			cmd += " -run '" + strings.Join(t.Names, "|") + "'"
		}
		if m != "." {
			cmd = "(cd " + quoteShell(m) + " && " + cmd + ")"
		}
		t.Commands = append(t.Commands, cmd)
	}
	var others []string
	pluto := "sett test"
	for _, f := range t.Files {
		switch {
		case isPluto(f):
			pluto += " " + quoteShell(f)
		case !strings.HasSuffix(f, ".go"):
			others = append(others, quoteShell(f))
		}
	}
	if pluto != "sett test" {
		t.Commands = append(t.Commands, pluto)
	}
	if len(others) > 0 {
		t.Commands = append(t.Commands, strings.Join(others, " "))
	}
}

// isPluto reports whether a file holds Pluto, whose tests stand in blocks of any file.
func isPluto(p string) bool { return strings.HasSuffix(p, ".pluto") || strings.HasSuffix(p, ".pt") }

// moduleOf returns the innermost of the folders that holds p.
func moduleOf(dirs []string, p string) string {
	best := "."
	for _, d := range dirs {
		if d != "." && (p == d || strings.HasPrefix(p, d+"/")) && (best == "." || len(d) > len(best)) {
			best = d
		}
	}
	return best
}

func dotted(dir string) string {
	if dir == "" || dir == "." {
		return "."
	}
	return "./" + dir
}

// quoteShell quotes a path that a shell would take apart.
func quoteShell(p string) string {
	if strings.IndexFunc(p, func(r rune) bool { return strings.ContainsRune(" '\"\\$&|;<>()[]{}*?!#~`\t", r) }) < 0 {
		return p
	}
	return "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for s := range set {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}
