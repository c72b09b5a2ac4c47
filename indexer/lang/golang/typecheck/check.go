package typecheck

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/query/report"
)

// The parts of a package that are checked apart.
const (
	plain  = iota // what others import
	intest        // with the package's own test files
	xtest         // the package of tests beside it
)

// A rep is what others see of a package. It stays while declarations stay, so that a type
// is one and the same for all who use it.
type rep struct {
	id    int64
	key   uint64
	types *types.Package
	hurt  bool // its declarations have errors
}

// An outcome is what the check of a part found.
type outcome struct {
	key      uint64
	findings []report.Diagnostic
	tainted  bool // as of the job
	skipped  bool // types were not checked
	variant  *rep // of intest: the package as its tests beside it see it
}

// A job checks one part of one package.
type job struct {
	p       *pkg
	part    int
	full    bool // findings are wanted, not only declarations
	waits   []*job
	done    chan struct{}
	tainted bool // it, or what it depends on, has errors that others would stumble over
	depsOK  bool // what it depends on has none
}

func newSession(ctx context.Context, c *checker, in *lang.Input, scope lang.Scope) *session {
	s := &session{
		c: c, ctx: ctx, in: in, scope: scope,
		files: map[string]*lang.File{}, byDir: map[string][]*lang.File{},
		checked: map[string]bool{}, skipped: map[string]bool{},
		work: make(chan struct{}, max(1, in.Workers)),
	}
	for i := range in.Files {
		f := &in.Files[i]
		abs := s.abs(f.Path)
		s.files[abs] = f
		s.byDir[filepath.Dir(abs)] = append(s.byDir[filepath.Dir(abs)], f)
	}
	if scope.Files != nil {
		s.wanted = map[string]bool{}
		for _, f := range scope.Files {
			s.wanted[s.abs(f)] = true
		}
	}
	return s
}

// run finds what is wrong. When it is canceled some jobs may not be done yet.
func (s *session) run() (left []*job, err error) {
	s.findWorlds()
	if s.scope.Files == nil {
		s.readAll()
	}
	targets := s.targets()
	if err := s.connect(targets); err != nil {
		return nil, err
	}
	s.findCycles(targets)
	s.loadFaults(targets)
	jobs := s.plan(targets)
	for _, j := range jobs {
		go s.perform(j)
	}
	for _, j := range jobs {
		select {
		case <-j.done:
		case <-s.ctx.Done():
			return jobs, s.ctx.Err()
		}
	}
	if s.ctx.Err() != nil {
		return jobs, s.ctx.Err()
	}
	for _, t := range targets {
		s.collect(t)
	}
	s.forget(targets)
	return nil, nil
}

// readAll reads all files at once, with all workers.
func (s *session) readAll() {
	var all []string
	for dir, list := range s.byDir {
		if slices.ContainsFunc(s.worlds, func(w *world) bool { m := w.home(dir); return m != nil && matched(m.dir, dir) }) {
			for _, f := range list {
				all = append(all, s.abs(f.Path))
			}
		}
	}
	each(cap(s.work), all, func(abs string) {
		if s.ctx.Err() == nil {
			_, _ = s.readText(abs)
		}
	})
}

// each calls f for all items on several goroutines.
func each[T any](workers int, items []T, f func(T)) {
	var g sync.WaitGroup
	next := make(chan T)
	for range min(workers, len(items)) {
		g.Go(func() {
			for x := range next {
				f(x)
			}
		})
	}
	for _, x := range items {
		next <- x
	}
	close(next)
	g.Wait()
}

// plan makes the jobs, each after those that it waits for.
func (s *session) plan(targets []*target) []*job {
	var jobs []*job
	byPkg := map[*pkg]*job{}
	var need func(p *pkg) *job
	waitFor := func(j *job, p *pkg, list []*text) {
		for _, path := range importsOf(list) {
			if d := p.deps[path]; d.pkg != nil && d.pkg != p {
				j.waits = append(j.waits, need(d.pkg))
			}
		}
	}
	need = func(p *pkg) *job {
		if j := byPkg[p]; j != nil {
			return j
		}
		j := &job{p: p, part: plain, done: make(chan struct{})}
		byPkg[p] = j
		if !p.cyclic {
			waitFor(j, p, p.files)
		}
		jobs = append(jobs, j)
		return j
	}
	for _, t := range targets {
		if t.plain {
			need(t.p).full = true
		}
	}
	for _, t := range targets {
		p := t.p
		var own *job
		if t.test || t.xtest && len(p.tests) > 0 {
			own = &job{p: p, part: intest, full: t.test, done: make(chan struct{})}
			if len(p.files) > 0 {
				own.waits = append(own.waits, need(p))
			}
			waitFor(own, p, p.tests)
			jobs = append(jobs, own)
		}
		if t.xtest {
			j := &job{p: p, part: xtest, full: true, done: make(chan struct{})}
			if own != nil {
				j.waits = append(j.waits, own)
			}
			if len(p.files) > 0 && slices.Contains(importsOf(p.xtests), p.path) {
				j.waits = append(j.waits, need(p))
			}
			waitFor(j, p, p.xtests)
			jobs = append(jobs, j)
		}
	}
	return jobs
}

func importsOf(lists ...[]*text) []string {
	var out []string
	for _, list := range lists {
		for _, t := range list {
			for _, imp := range t.imports {
				out = append(out, imp.path)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (s *session) perform(j *job) {
	defer close(j.done)
	ok := true
	for _, w := range j.waits {
		<-w.done
		ok = ok && (!w.tainted || j.holds(w) && w.depsOK)
	}
	j.depsOK = ok
	s.work <- struct{}{}
	defer func() { <-s.work }()
	if s.ctx.Err() != nil {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			j.tainted = true
			s.note("package %s: the check failed: %v at %s", j.p.path, r, firstFrame(debug.Stack()))
		}
	}()
	s.checkJob(j, ok)
}

// holds reports whether what w is about is compiled together with this: tests with their
// package, whose errors of its own then hide none of theirs.
func (j *job) holds(w *job) bool { return j.part == intest && w.part == plain && w.p == j.p }

// firstFrame is the place in a stack that a panic came from.
func firstFrame(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "panic(") && i+2 < len(lines) {
			return lines[i+2]
		}
	}
	return "an unknown place"
}

func (s *session) checkJob(j *job, depsOK bool) {
	p := j.p
	own := p.part(j.part)
	all := own
	if j.part == intest {
		all = slices.Concat(p.files, own)
	}
	bad := p.clash != "" || p.cyclic || slices.ContainsFunc(all, func(t *text) bool { return len(t.bad) > 0 })
	for _, imp := range importsOf(all) {
		bad = bad || p.deps[imp].err != ""
	}
	key, seen := s.keys(j, all)
	out := &p.outcomes[j.part]
	fresh := p.rep != nil && p.rep.key == seen
	switch {
	case j.part == plain && !j.full:
		s.parse(changed(own))
		if fresh && !bad && depsOK && !p.anySyntax(own) {
			j.tainted = p.rep.hurt
			return
		}
	case out.key == key && (j.part != plain || out.tainted || fresh):
		j.tainted = out.tainted
		if out.skipped {
			s.skip(p)
		}
		return
	}
	s.parse(all)
	skipped := false
	var found []report.Diagnostic
	if p.anySyntax(own) {
		found = s.syntaxFindings(p, own)
	}
	switch {
	case p.anySyntax(all) || bad:
		j.tainted = true
	case !depsOK:
		j.tainted, skipped = true, true
		s.skip(p)
	default:
		more := s.types(j, own, seen)
		for _, w := range j.waits {
			j.tainted = j.tainted || j.holds(w) && w.tainted
		}
		found = append(found, more...)
	}
	if (j.full || j.part != plain) && s.ctx.Err() == nil { // the compiler may have been killed
		out.key, out.findings, out.tainted, out.skipped = key, found, j.tainted, skipped
	}
}

func (s *session) skip(p *pkg) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !p.foreign {
		s.skipped[p.path] = true
	}
}

func (p *pkg) part(part int) []*text { return [][]*text{p.files, p.tests, p.xtests}[part] }

func (p *pkg) anySyntax(list []*text) bool {
	return slices.ContainsFunc(list, func(t *text) bool {
		_, _, wrong := t.state()
		return wrong
	})
}

func changed(list []*text) []*text {
	return slices.DeleteFunc(slices.Clone(list), func(t *text) bool {
		_, known, _ := t.state()
		return known
	})
}

// keys hashes what a job's findings depend on, and what others see of the package.
func (s *session) keys(j *job, all []*text) (whole, seen uint64) {
	p := j.p
	h, v := xxh3.New(), xxh3.New()
	put := func(h *xxh3.Hasher, f string, args ...any) { _, _ = fmt.Fprintf(h, f, args...) }
	for _, x := range []*xxh3.Hasher{h, v} {
		put(x, "%d %s %s %s %t %q\n", j.part, p.path, p.lang, p.clash, p.cyclic, p.apart)
	}
	for _, t := range all {
		test := j.part == intest && !strings.HasSuffix(t.path, "_test.go")
		if test {
			put(h, "%s %x\n", t.path, t.shape)
		} else {
			put(h, "%s %x\n", t.path, t.hash)
		}
		put(v, "%s %x\n", t.path, t.shape)
	}
	for _, imp := range importsOf(all) {
		d := p.deps[imp]
		id := int64(0)
		if d.pkg != nil && d.pkg.rep != nil {
			id = d.pkg.rep.id
		}
		put(h, "%s %s %d\n", imp, d.err, id)
		put(v, "%s %s %d\n", imp, d.err, id)
	}
	for _, w := range j.waits {
		put(h, "%t ", w.tainted)
		if w.part == intest && w.p.outcomes[intest].variant != nil {
			put(h, "%d ", w.p.outcomes[intest].variant.id)
		}
	}
	return h.Sum64() | 1, v.Sum64() | 1
}

func (s *session) parse(list []*text) {
	list = slices.DeleteFunc(slices.Clone(list), func(t *text) bool {
		parsed, _, _ := t.state()
		return parsed
	})
	each(cap(s.work), list, func(t *text) {
		t.parse(func(size int) int {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.c.base == 0 {
				s.c.base = 1
			}
			b := s.c.base
			s.c.base += size + 2
			return b
		})
	})
}

// types runs go/types over a part.
func (s *session) types(j *job, own []*text, seen uint64) []report.Diagnostic {
	p := j.p
	var trees []*ast.File
	texts := own
	if j.part == intest {
		texts = slices.Concat(p.files, own)
	}
	fset := token.NewFileSet()
	for _, t := range texts {
		f := t.file
		if j.part == plain && !j.full || j.part == intest && !strings.HasSuffix(t.path, "_test.go") {
			f = withoutBodies(f)
		}
		trees = append(trees, f)
		fset.AddExistingFiles(t.tok)
	}
	path := p.path
	var im types.Importer = importer(func(imp string) (*types.Package, error) { return s.imported(p, imp) })
	if j.part == xtest {
		path += "_test"
		im = s.testImporter(p)
	}
	e := &errs{s: s, p: p, fset: fset, texts: texts, trees: trees, only: j.part == intest}
	tp := e.check(path, im)
	s.c.take(func() {
		r := &rep{key: seen, types: tp, hurt: e.hurt}
		switch {
		case j.part == plain && (p.rep == nil || p.rep.key != seen):
			s.c.serial++
			r.id = s.c.serial
			p.rep = r
		case j.part == intest:
			s.c.serial++
			r.id = s.c.serial
			p.outcomes[intest].variant = r
		}
	})
	if j.part == plain {
		j.tainted = p.rep.hurt
	} else {
		j.tainted = e.hurt
	}
	if !j.full || p.foreign {
		return nil
	}
	e.beyondTypes(own)
	return e.findings
}

// take runs f alone.
func (c *checker) take(f func()) {
	c.ids.Lock()
	defer c.ids.Unlock()
	f()
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

var errNoTypes = errors.New("it has no types")

func (s *session) imported(p *pkg, path string) (*types.Package, error) {
	d, ok := p.deps[path]
	switch {
	case !ok || d.err != "":
		return nil, errNoTypes
	case d.pkg == nil:
		return p.w.outsideTypes(path)
	case d.pkg.rep == nil:
		return nil, errNoTypes
	}
	return d.pkg.rep.types, nil
}

// testImporter gives the tests beside a package the package with its own test files, and
// whatever depends on it checked anew against that.
func (s *session) testImporter(p *pkg) types.Importer {
	v := p.outcomes[intest].variant
	if len(p.tests) == 0 || v == nil {
		return importer(func(imp string) (*types.Package, error) { return s.imported(p, imp) })
	}
	reaches := map[*pkg]bool{p: true}
	var reach func(q *pkg) bool
	reach = func(q *pkg) bool {
		if r, ok := reaches[q]; ok {
			return r
		}
		reaches[q] = false
		for _, imp := range importsOf(q.files) {
			if d := q.deps[imp]; d.pkg != nil && reach(d.pkg) {
				reaches[q] = true
			}
		}
		return reaches[q]
	}
	made := map[*pkg]*types.Package{p: v.types}
	var importFor func(q *pkg) importer
	importFor = func(q *pkg) importer {
		return func(imp string) (*types.Package, error) {
			d := q.deps[imp]
			if d.pkg == nil || !reach(d.pkg) {
				return s.imported(q, imp)
			}
			if t := made[d.pkg]; t != nil {
				return t, nil
			}
			s.parse(d.pkg.files)
			e := &errs{s: s, p: d.pkg, fset: token.NewFileSet(), texts: d.pkg.files}
			for _, t := range d.pkg.files {
				if t.tok == nil {
					return nil, errNoTypes
				}
				e.trees = append(e.trees, withoutBodies(t.file))
				e.fset.AddExistingFiles(t.tok)
			}
			t := e.check(d.pkg.path, importFor(d.pkg))
			made[d.pkg] = t
			return t, nil
		}
	}
	return importFor(p)
}

// withoutBodies is a file with functions that do nothing: all that others can see of it.
func withoutBodies(f *ast.File) *ast.File {
	g := *f
	g.Decls = slices.Clone(f.Decls)
	for i, d := range g.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			c := *fn
			at := fn.Body.Lbrace
			c.Body = &ast.BlockStmt{Lbrace: at, Rbrace: fn.Body.Rbrace, List: []ast.Stmt{
				&ast.ForStmt{For: at, Body: &ast.BlockStmt{Lbrace: at, Rbrace: at}},
			}}
			g.Decls[i] = &c
		}
	}
	return &g
}

// collect takes the findings of a target into the result.
func (s *session) collect(t *target) {
	for part, want := range []bool{t.plain, t.test, t.xtest} {
		if !want {
			continue
		}
		s.findings = append(s.findings, t.p.outcomes[part].findings...)
		for _, x := range t.p.part(part) {
			if x.rel != "" && (s.wanted == nil || s.wanted[x.path]) {
				s.checked[x.path] = true
			}
			s.cgo = s.cgo || x.cgo
		}
	}
	if s.in.Progress != nil {
		s.in.Progress(len(t.p.files) + len(t.p.tests) + len(t.p.xtests))
	}
}

// forget lets go of trees, except those of a few files that are asked about: the next
// question is most likely about them again.
func (s *session) forget(targets []*target) {
	keep := map[*text]bool{}
	if s.scope.Files != nil && len(targets) <= 4 {
		for _, t := range targets {
			for _, x := range slices.Concat(t.p.files, t.p.tests, t.p.xtests) {
				keep[x] = true
			}
		}
	}
	for path, t := range s.c.texts {
		if !keep[t] && t.parsed {
			t.release()
		}
		if s.files[path] == nil && s.c.root != "" && !isFile(path) {
			delete(s.c.texts, path)
		}
	}
}
