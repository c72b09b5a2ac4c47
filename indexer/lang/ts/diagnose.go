package ts

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/query/report"
)

// newChecker makes what finds errors: what `tsc --noEmit` prints for each tsconfig.json of a
// project, and `tsc -b` where there are references.
//
// Unlike the indexer, which reads a project leniently and as one program, it takes every
// tsconfig.json as it is written, over the real file system, and makes a program of each.
// Three things are its own:
//
//   - Which tsconfig.json are asked. A plain tsc reads one; a project may have many. See plan.
//   - The compiler inside is a newer one than many projects use. Defaults and options that
//     changed between are set as the project's own release has them; see age.
//   - It remembers: parsed files by their contents, and the findings of a file until
//     something that it can see changes; see memory.
func newChecker() lang.Checker {
	return &checker{parsed: &parseCache{}, memory: map[string]*memory{}}
}

type checker struct {
	mu     sync.Mutex // one check at a time: it uses all the workers there are
	parsed *parseCache
	memory map[string]*memory // by path of the configuration
}

// Close forgets everything.
func (c *checker) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parsed, c.memory = &parseCache{}, map[string]*memory{}
}

// Check finds what is wrong with the files of the scope.
func (c *checker) Check(ctx context.Context, in *lang.Input, s lang.Scope) (*lang.Checked, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(in.Files)+len(in.Configs) == 0 {
		return &lang.Checked{}, nil
	}
	r := newCheckRun(ctx, c, in, s)
	configs, left := r.plan()
	if s.Files != nil {
		r.files(slices.Concat(configs, left))
	} else {
		r.project(configs, left)
		c.forget(configs)
	}
	c.parsed.sweep()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.result(), nil
}

// forget drops what is remembered of configurations that are no more.
func (c *checker) forget(configs []*checkConfig) {
	for name := range c.memory {
		if name != "" && !slices.ContainsFunc(configs, func(k *checkConfig) bool { return k.name == name }) {
			delete(c.memory, name)
		}
	}
}

// checkRun is one call of Check.
type checkRun struct {
	ctx      context.Context
	c        *checker
	in       *lang.Input
	scope    lang.Scope
	root     string // absolute, slashes, links followed
	fs       *checkFS
	host     *checkHost
	wanted   map[string]bool // paths from the root that the scope names; nil for all
	found    []report.Diagnostic
	first    []string // notes that explain findings
	notes    []string
	checked  map[string]bool // absolute paths of project files that were checked
	included map[string]bool // absolute paths of files that an earlier configuration lists
	outside  map[string]bool // absolute paths of files that only configurations list that do not count
	pkgs     *packages
}

func newCheckRun(ctx context.Context, c *checker, in *lang.Input, s lang.Scope) *checkRun {
	root := in.Root
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	root = strings.TrimSuffix(filepath.ToSlash(root), "/")
	r := &checkRun{ctx: ctx, c: c, in: in, scope: s, root: root, checked: map[string]bool{}, included: map[string]bool{}, outside: map[string]bool{}}
	r.fs = newCheckFS(root, in)
	r.host = newCheckHost(r.fs, c.parsed, root)
	if s.Files != nil {
		r.wanted = make(map[string]bool, len(s.Files))
		for _, f := range s.Files {
			r.wanted[f] = true
		}
	}
	return r
}

// rel makes a path from the root of an absolute one; in is false for what is outside.
func (r *checkRun) rel(abs string) (p string, in bool) {
	return strings.CutPrefix(abs, r.root+"/")
}

// wants reports whether findings of the file are asked for.
func (r *checkRun) wants(abs string) bool {
	p, in := r.rel(abs)
	if r.wanted != nil && !(in && r.wanted[p]) {
		return false
	}
	return !(r.scope.NoTests && in && isTest(p))
}

// project checks every configuration, and when there is none all files together.
func (r *checkRun) project(configs, left []*checkConfig) {
	if len(configs) == 0 {
		r.check(r.inferred(r.sources()))
		return
	}
	for _, k := range configs {
		if r.ctx.Err() != nil {
			return
		}
		r.check(k)
		for _, f := range k.roots {
			if !r.pkgs.foreign(k, f) {
				r.included[f] = true
			}
		}
	}
	r.noteLeft(slices.Concat(left, configs))
	r.noteLeftOut()
}

// files checks the configurations that list a file of the scope. A file that none lists is
// checked with the options of the nearest, as an import of it would be.
func (r *checkRun) files(configs []*checkConfig) {
	var jobs []*checkConfig
	extra := map[*checkConfig][]string{}
	add := func(k *checkConfig) {
		if !slices.Contains(jobs, k) {
			jobs = append(jobs, k)
		}
	}
	var alone []string
	for _, p := range r.scope.Files {
		abs := r.root + "/" + p
		if !isSource(p) || !parsable(abs) || !r.fs.FileExists(abs) {
			continue
		}
		if k := owner(configs, abs); k != nil {
			add(k)
		} else if k := nearest(configs, abs); k != nil {
			add(k)
			extra[k] = append(extra[k], abs)
		} else {
			alone = append(alone, abs)
		}
	}
	if len(alone) > 0 {
		add(r.inferred(alone))
	}
	for _, k := range jobs {
		if r.ctx.Err() != nil {
			return
		}
		r.check(k.with(extra[k]))
	}
}

// owner is the first configuration that lists the file.
func owner(configs []*checkConfig, abs string) *checkConfig {
	for _, k := range configs {
		if k.listed[abs] {
			return k
		}
	}
	return nil
}

// nearest is the configuration of the deepest folder above the file; of several in it, one
// that lists files.
func nearest(configs []*checkConfig, abs string) *checkConfig {
	var best *checkConfig
	score := func(k *checkConfig) int {
		n := 2 * len(k.dir)
		if len(k.roots) > 0 {
			n++
		}
		return n
	}
	for _, k := range configs {
		if k.parsed != nil && strings.HasPrefix(abs, k.dir+"/") && (best == nil || score(k) > score(best)) {
			best = k
		}
	}
	return best
}

// sources lists the absolute paths of all source files.
func (r *checkRun) sources() []string {
	var list []string
	for _, f := range r.in.Files {
		if abs := r.root + "/" + f.Path; parsable(abs) {
			list = append(list, abs)
		}
	}
	return list
}

// result puts together what was found.
func (r *checkRun) result() *lang.Checked {
	out := &lang.Checked{Findings: r.uninstalled(report.Sort(r.found)), Files: len(r.checked)}
	for _, n := range slices.Concat(r.first, r.notes) {
		if !slices.Contains(out.Notes, n) {
			out.Notes = append(out.Notes, n)
		}
	}
	return out
}
