package sdk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/indexer"
	"github.com/settgraph/sett/query"
)

// What checks, builds and tests are about: which files, of which languages.

// withText is what lies over the files, with more laid over it.
func (p *Project) withText(text map[string][]byte) map[string][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(text) == 0 {
		return p.laid
	}
	laid := maps.Clone(p.laid)
	if laid == nil {
		laid = map[string][]byte{}
	}
	maps.Copy(laid, text)
	return laid
}

// sources finds the files as they are now, and what is known of them from an index.
func (p *Project) sources(ctx context.Context, laid map[string][]byte) (*indexer.Scan, *indexer.State, indexer.Options, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	options := p.indexOptions(nil, false)
	options.Overlay = laid
	var st *indexer.State
	if err := p.load(ctx); err == nil && p.now != nil {
		st, _ = p.now.indexState() // without it more is read
	}
	last := p.last
	scan, err := p.scan(ctx, nil, laid)
	if len(laid) > 0 {
		p.last = last // the text is not there for the next question
	}
	return scan, st, options, err
}

// wholeProject is what there is without targets, in words.
const wholeProject = "the project"

// what names targets in words.
func what(targets []string) string {
	switch {
	case len(targets) == 0, len(targets) == 1 && clean(targets[0]) == ".":
		return wholeProject
	case len(targets) <= 3:
		return strings.Join(targets, ", ")
	}
	return fmt.Sprintf("%d files and folders", len(targets))
}

func clean(target string) string { return path.Clean(strings.TrimSuffix(target, "/...")) }

// within says whether a target is the file or a folder around it.
func within(p, target string) bool {
	return target == "." || p == target || strings.HasPrefix(p, target+"/")
}

// inTargets says which files the targets name; nil for all. Each target must name one.
func inTargets(root string, scan *indexer.Scan, targets []string) (func(string) bool, error) {
	var want []string
	for _, t := range targets {
		t = clean(t)
		if !slices.ContainsFunc(scan.Files, func(f indexer.File) bool { return f.Lang != "" && within(f.Path, t) }) && t != "." {
			return nil, notSource(root, scan, t)
		}
		want = append(want, t)
	}
	if len(want) == 0 || slices.Contains(want, ".") {
		return nil, nil
	}
	return func(p string) bool {
		return slices.ContainsFunc(want, func(t string) bool { return within(p, t) })
	}, nil
}

// notSource says why a path is nothing that can be checked, built or tested.
func notSource(root string, scan *indexer.Scan, p string) error {
	fail := func(format string, args ...any) error {
		return &query.NotFoundError{Name: p, Reason: fmt.Sprintf(format, args...)}
	}
	for _, l := range scan.Left {
		if l.Path == p {
			return fail("%s is left out: %s", p, l.Reason)
		}
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("reading the project: %w", err)
	}
	defer r.Close()
	const kinds = "Go, TypeScript, JavaScript or Pluto"
	info, err := r.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail("there is no file or folder %s", p)
	case err != nil:
		return fail("%s cannot be read: %v", p, err)
	case info.IsDir():
		return fail("no source files of %s are in %s, or all are ignored", kinds, p)
	}
	return fail("%s is no source file of %s, or is ignored", p, kinds)
}

// Languages says which languages source files in the targets are of, or in the whole project:
// "go", "ts" (JavaScript too) and "pluto".
func (p *Project) Languages(ctx context.Context, targets []string) (map[string]bool, error) {
	scan, _, _, err := p.sources(ctx, p.withText(nil))
	if err != nil {
		return nil, err
	}
	if len(targets) == 0 {
		targets = []string{"."}
	}
	out := map[string]bool{}
	for _, f := range scan.Files {
		if f.Lang != "" && slices.ContainsFunc(targets, func(t string) bool { return within(f.Path, clean(t)) }) {
			out[f.Lang] = true
		}
	}
	return out, nil
}

// present says in which languages there is something to build or to test, and for each
// target which.
type present struct {
	goes, scripts, pluto bool
	by                   map[string]map[string]bool // target -> languages
}

// count is how many languages there are something in.
func (p *present) count() int {
	n := 0
	for _, has := range []bool{p.goes, p.scripts, p.pluto} {
		if has {
			n++
		}
	}
	return n
}

// of keeps the targets that have something of the language; none for the whole project.
func (p *present) of(lang string, targets []string) []string {
	var out []string
	for _, t := range targets {
		if t = clean(t); p.by[t][lang] && t != "." {
			out = append(out, t)
		}
	}
	return out
}

// buildable looks in which languages the targets, or else the project, have something to
// build or to test. JavaScript counts where a package.json is around it.
func (p *Project) buildable(ctx context.Context, targets []string) (*present, error) {
	scan, _, _, err := p.sources(ctx, p.withText(nil))
	if err != nil {
		return nil, err
	}
	if _, err := inTargets(p.root, scan, targets); err != nil {
		return nil, err
	}
	if len(targets) == 0 {
		targets = []string{"."}
	}
	packages := map[string]bool{}
	for _, f := range scan.Files {
		if path.Base(f.Path) == "package.json" {
			packages[path.Dir(f.Path)] = true
		}
	}
	out := &present{by: map[string]map[string]bool{}}
	for _, t := range targets {
		t = clean(t)
		has := map[string]bool{}
		for _, f := range scan.Files {
			if within(f.Path, t) && (f.Lang != "ts" || packaged(f.Path, packages)) {
				has[f.Lang] = true
			}
		}
		out.by[t] = has
		out.goes, out.scripts, out.pluto = out.goes || has["go"], out.scripts || has["ts"], out.pluto || has["pluto"]
	}
	return out, nil
}

// packaged says whether a folder around the file has a package.json.
func packaged(file string, packages map[string]bool) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if packages[dir] {
			return true
		}
		if dir == "." {
			return false
		}
	}
}
