package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/compiler/syntax"
)

// group finds out which files form which programs. What each program consists of is what
// loading it says; which files are the entries of programs follows from the imports:
//
//   - A file that an import names, or a folder, is a module, and no entry.
//   - The other files of a folder are one program, as `sett run` merges them, unless several
//     of them have a fn main or an app: then each is a program alone. When none has, and
//     nobody runs them, modules that some file imports are not merged into them.
//   - A program that is all in others as their module (a package in the tree) is none.
//   - What is left over after that, as files are that import each other, is a program each.
//   - Every file with tests is a test run too.
//
// Nothing of this depends on the bodies of functions, so that mostly it is as it was.
func (b *builder) group(ctx context.Context) error {
	if b.sameLayout() {
		b.keepGroups()
		return nil
	}
	imported := b.imported()
	b.state.options.Apart = make(map[string]bool, len(imported))
	for p := range imported {
		b.state.options.Apart[b.abs(p)] = true
	}
	programs := b.candidates(imported)
	for _, m := range b.state.modules {
		if hasTests(m.File) {
			programs = append(programs, &program{group: &Group{Entry: m.Path, Standalone: true, Test: true}})
		}
	}
	if err := b.load(ctx, programs); err != nil {
		return err
	}
	programs = dropContained(programs)
	covered := map[string]bool{}
	for _, p := range programs {
		if !p.group.Test {
			cover(covered, p.group.Closure)
		}
	}
	for _, m := range b.state.modules {
		if covered[m.Path] {
			continue
		}
		p := &program{group: &Group{Entry: m.Path, Standalone: true}}
		if err := b.load(ctx, []*program{p}); err != nil {
			return err
		}
		cover(covered, p.group.Closure)
		programs = append(programs, p)
	}
	slices.SortStableFunc(programs, func(x, y *program) int {
		return cmp.Or(order(x.group.Test)-order(y.group.Test), cmp.Compare(x.group.Entry, y.group.Entry))
	})
	b.state.programs = programs
	watched := map[string]string{}
	for _, p := range programs {
		b.state.groups = append(b.state.groups, p.group)
		for _, at := range p.loaded(b.state).project.Watch {
			if _, ok := watched[at]; !ok && b.state.byPath[b.slash(at)] == nil {
				watched[at] = fingerprint(at)
			}
		}
	}
	b.state.watched = watched
	return nil
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

func cover(covered map[string]bool, paths []string) {
	for _, p := range paths {
		covered[p] = true
	}
}

func (b *builder) slash(abs string) string {
	rel, err := filepath.Rel(b.state.root, abs)
	if err != nil {
		return abs
	}
	return filepath.ToSlash(rel)
}

// sameLayout says whether the files form the programs that they formed before.
func (b *builder) sameLayout() bool {
	if b.prev == nil || len(b.prev.modules) != len(b.state.modules) || !slices.Equal(b.in.Gone, b.prev.gone) {
		return false
	}
	for i, m := range b.state.modules {
		if old := b.prev.modules[i]; old != m && (old.Path != m.Path || old.layout != m.layout) {
			return false
		}
	}
	for at, before := range b.prev.watched {
		if fingerprint(at) != before {
			return false
		}
	}
	return true
}

// keepGroups takes the groups from the earlier state; programs with changed files are loaded
// again when they are checked.
func (b *builder) keepGroups() {
	s := b.state
	s.groups, s.watched, s.options.Apart = b.prev.groups, b.prev.watched, b.prev.options.Apart
	s.programs = slices.Clone(b.prev.programs)
	if len(b.changed) == 0 {
		return
	}
	for i, p := range s.programs {
		if slices.ContainsFunc(p.group.Closure, func(f string) bool { return b.changed[f] }) {
			s.programs[i] = &program{group: p.group}
		}
	}
}

// fingerprint is what a place on the disk is like, as far as loading cares: the names of
// sources and folders in a folder, or the content of a file.
func fingerprint(at string) string {
	entries, err := os.ReadDir(at)
	if err == nil {
		var out strings.Builder
		for _, e := range entries {
			switch ext := filepath.Ext(e.Name()); {
			case e.IsDir():
				out.WriteString(e.Name() + "/")
			case ext == moduleExt || ext == viewExt:
				out.WriteString(e.Name() + ":")
			}
		}
		return "folder " + out.String()
	}
	data, err := os.ReadFile(at)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return "file " + hex.EncodeToString(sum[:])
}

// imported says of each file whether an import of another leads to it.
func (b *builder) imported() map[string]bool {
	s := b.state
	folders := map[string][]string{}
	for _, m := range s.modules {
		dir := path.Dir(m.Path)
		folders[dir] = append(folders[dir], m.Path)
		for dir != "." {
			dir = path.Dir(dir)
			if !isFolder(folders, dir) {
				folders[dir] = nil
			}
		}
	}
	to := map[string][]string{} // from each file to those that it imports
	from := map[string][]string{}
	for _, m := range s.modules {
		for _, imp := range m.File.Imports {
			for _, p := range s.target(folders, path.Dir(m.Path), importPath(imp)) {
				to[m.Path] = append(to[m.Path], p)
				from[p] = append(from[p], m.Path)
			}
		}
	}
	imported := map[string]bool{}
	for p, importers := range from {
		if !starts(s.byPath[p].File) || !circular(to, p, importers) {
			imported[p] = true
		}
	}
	return imported
}

// circular says whether a file imports all of its importers: that makes a circle, which does
// not take the start from a program.
func circular(to map[string][]string, p string, importers []string) bool {
	reached := map[string]bool{p: true}
	for queue := []string{p}; len(queue) > 0; queue = queue[1:] {
		for _, next := range to[queue[0]] {
			if !reached[next] {
				reached[next] = true
				queue = append(queue, next)
			}
		}
	}
	return !slices.ContainsFunc(importers, func(q string) bool { return !reached[q] })
}

// target is the files of the project that an import in a folder leads to, as load finds
// modules beside a file.
func (s *State) target(folders map[string][]string, dir string, names []string) []string {
	if len(names) == 0 || names[0] == "std" {
		return nil
	}
	for _, name := range names[:len(names)-1] {
		if dir = path.Join(dir, name); !isFolder(folders, dir) {
			return nil
		}
	}
	at := path.Join(dir, names[len(names)-1])
	var file []string
	for _, ext := range []string{viewExt, moduleExt} {
		if m := s.byPath[at+ext]; m != nil {
			file = []string{m.Path}
		}
	}
	if file != nil && (len(names) > 1 || !isFolder(folders, at)) {
		return file
	}
	return folders[at]
}

func isFolder(folders map[string][]string, dir string) bool {
	_, ok := folders[dir]
	return ok
}

// candidates are the programs of the files that no import leads to.
func (b *builder) candidates(imported map[string]bool) []*program {
	var dirs []string
	own := map[string][]*Module{}
	for _, m := range b.state.modules {
		if imported[m.Path] {
			continue
		}
		dir := path.Dir(m.Path)
		if own[dir] == nil {
			dirs = append(dirs, dir)
		}
		own[dir] = append(own[dir], m)
	}
	var out []*program
	for _, dir := range dirs {
		files := own[dir]
		entry, heads := files[0], 0
		for _, m := range files {
			if entry.Err != nil && m.Err == nil {
				entry = m
			}
		}
		for _, m := range files {
			if starts(m.File) {
				heads++
				entry = m
			}
		}
		if heads < 2 {
			out = append(out, &program{group: &Group{Entry: entry.Path}})
			continue
		}
		for _, m := range files {
			out = append(out, &program{group: &Group{Entry: m.Path, Standalone: true}})
		}
	}
	return out
}

// load loads new programs and completes their groups.
func (b *builder) load(ctx context.Context, programs []*program) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range programs {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.complete(p)
			return nil
		})
	}
	return group.Wait()
}

func (b *builder) complete(p *program) {
	g, l := p.group, p.loaded(b.state)
	files := func(mod *load.Module) []string {
		var out []string
		for _, f := range mod.Files {
			if b.state.owns(f) {
				out = append(out, f.Src.Name)
			}
		}
		return out
	}
	g.Files = files(l.project.Root)
	if !slices.Contains(g.Files, g.Entry) {
		g.Files = slices.Insert(g.Files, 0, g.Entry) // it could not be read
	}
	g.Closure = slices.Clone(g.Files)
	for _, mod := range l.project.Modules {
		if mod != l.project.Root {
			own := files(mod)
			cover(l.contained, own)
			g.Closure = append(g.Closure, own...)
		}
	}
	slices.Sort(g.Closure)
	g.Closure = slices.Compact(g.Closure)
}

// owns says whether the file is one of the project.
func (s *State) owns(f *syntax.File) bool {
	m := s.byPath[f.Src.Name]
	return m != nil && f.Src.Path == m.abs
}

// dropContained leaves out programs whose own files are all modules of others that stay.
func dropContained(programs []*program) []*program {
	count := map[string]int{} // in how many programs a file is a module
	for _, p := range programs {
		if !p.group.Test {
			for f := range p.load.contained {
				count[f]++
			}
		}
	}
	return slices.DeleteFunc(programs, func(p *program) bool {
		if p.group.Test {
			return false
		}
		for _, f := range p.group.Files {
			if n := count[f]; n == 0 || n == 1 && p.load.contained[f] {
				return false
			}
		}
		for f := range p.load.contained {
			count[f]--
		}
		return true
	})
}
