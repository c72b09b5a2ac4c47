package jsrun

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// A job is one script of one package that is run, and for which part of the package.
type job struct {
	pkg    *Package
	places []string // test files and folders that it is narrowed to, from the root; none: all
	files  bool     // of places: they are exact files
}

// plan finds the jobs of a request: which packages, and what part of each.
func (p *Project) plan(root string, targets, files []string) ([]job, error) {
	if len(files) > 0 {
		return p.owners(root, files, true)
	}
	var folders []string
	for _, t := range targets {
		if t = path.Clean(filepath.ToSlash(t)); t != "." {
			folders = append(folders, t)
		}
	}
	if len(folders) < len(targets) || len(folders) == 0 {
		return p.all(".")
	}
	return p.owners(root, folders, false)
}

// all are the packages of a folder that have tests: the folder's own, whose script speaks for
// all below it, else those below.
func (p *Project) all(dir string) ([]job, error) {
	var jobs []job
	var covered []string
	for i := range p.Packages {
		pkg := &p.Packages[i]
		if !pkg.Tests || !within(pkg.Dir, dir) || slices.ContainsFunc(covered, func(c string) bool { return within(pkg.Dir, c) }) {
			continue
		}
		jobs = append(jobs, job{pkg: pkg})
		covered = append(covered, pkg.Dir)
	}
	return jobs, nil
}

// owners groups places by the packages whose scripts test them.
func (p *Project) owners(root string, places []string, exact bool) ([]job, error) {
	var jobs []job
	for _, place := range places {
		place = path.Clean(filepath.ToSlash(place))
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(place)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &report.Misuse{Text: "there is no " + place + " in the project", Err: err}
		} else if err != nil {
			return nil, fmt.Errorf("looking at %s: %w", place, err)
		}
		pkg := p.owner(place)
		switch {
		case info.IsDir() && !exact && (pkg == nil || p.above(place, pkg)):
			below, err := p.all(place)
			if err != nil {
				return nil, err
			}
			if len(below) > 0 {
				jobs = append(jobs, below...)
				continue
			}
		}
		if pkg == nil {
			return nil, &report.Misuse{Text: "no package.json with a test script is responsible for " + place}
		}
		if place == pkg.Dir {
			jobs = append(jobs, job{pkg: pkg})
			continue
		}
		i := slices.IndexFunc(jobs, func(j job) bool { return j.pkg == pkg })
		if i < 0 {
			i = len(jobs)
			jobs = append(jobs, job{pkg: pkg, files: true})
		} else if len(jobs[i].places) == 0 {
			continue // all of it is run already
		}
		jobs[i].places = append(jobs[i].places, place)
		jobs[i].files = jobs[i].files && !info.IsDir()
	}
	return jobs, nil
}

// owner is the nearest package above a place that has tests.
func (p *Project) owner(place string) *Package {
	var best *Package
	for i := range p.Packages {
		pkg := &p.Packages[i]
		if pkg.Tests && within(place, pkg.Dir) && (best == nil || len(pkg.Dir) > len(best.Dir) || best.Dir == ".") {
			best = pkg
		}
	}
	return best
}

// ownerAbove is the nearest package with tests above a package.
func (p *Project) ownerAbove(pkg *Package) *Package {
	if pkg.Dir == "." {
		return nil
	}
	return p.owner(path.Dir(pkg.Dir))
}

// above says whether a folder holds packages that have tests of their own and is itself only
// a folder of the package above it.
func (p *Project) above(place string, owner *Package) bool {
	return place != owner.Dir && slices.ContainsFunc(p.Packages, func(q Package) bool { return q.Tests && within(q.Dir, place) })
}

// within says whether a path is a folder or below it.
func within(p, dir string) bool {
	return dir == "." || p == dir || strings.HasPrefix(p, dir+"/")
}

// builds are the packages whose build scripts a request means.
func (p *Project) builds(targets []string) []*Package {
	var pkgs []*Package
	add := func(pkg *Package) {
		if pkg != nil && !slices.Contains(pkgs, pkg) {
			pkgs = append(pkgs, pkg)
		}
	}
	if len(targets) == 0 {
		targets = []string{"."}
	}
	for _, t := range targets {
		t = path.Clean(filepath.ToSlash(t))
		var own *Package
		for i := range p.Packages {
			pkg := &p.Packages[i]
			if pkg.script("build") != "" && within(t, pkg.Dir) && (own == nil || len(pkg.Dir) > len(own.Dir) || own.Dir == ".") {
				own = pkg
			}
		}
		below := 0
		if own == nil || own.Dir != t {
			for i := range p.Packages {
				if pkg := &p.Packages[i]; pkg.script("build") != "" && within(pkg.Dir, t) {
					add(pkg)
					below++
				}
			}
		}
		if below == 0 {
			add(own)
		}
	}
	return ordered(pkgs)
}

// ordered puts packages behind those that they depend on, otherwise leaves the order.
func ordered(pkgs []*Package) []*Package {
	var sorted []*Package
	seen := map[*Package]bool{}
	var visit func(pkg *Package)
	visit = func(pkg *Package) {
		if seen[pkg] {
			return // also in a circle
		}
		seen[pkg] = true
		for _, q := range pkgs {
			if q.Name != "" && pkg.deps[q.Name] {
				visit(q)
			}
		}
		sorted = append(sorted, pkg)
	}
	for _, pkg := range pkgs {
		visit(pkg)
	}
	return sorted
}
