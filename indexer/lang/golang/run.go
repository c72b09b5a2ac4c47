package golang

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// A pkg is a package as its importers see it.
type pkg struct {
	path     string // the module of its symbols
	name     string
	external bool
	types    *types.Package // what go/types made of it; objects point here
	seen     *types.Package // what importers get; nil until checked
	deps     map[string]*pkg
	outline  *outline // one of these two is set
	source   *source
}

// A run is one call of Extract.
type run struct {
	ctx     context.Context
	in      *lang.Input
	repo    *repo
	outside *outsideFinder
	fset    *token.FileSet
	sizes   types.Sizes
	emit    func(*graph.Facts) error

	units    []*unit
	sources  map[variant]*source  // of primary packages
	outlines map[variant]*outline // of packages of the project
	beyond   map[variant]*outline // of packages outside, by import path
	same     map[variant]bool
	names    map[string]string // package names found in folders outside

	mu     sync.RWMutex
	owners map[*types.Package]*pkg
	varied map[*directory]func() map[string]kindTable
}

// A variant is a package under a configuration.
type variant struct{ path, config string }

// A unit collects the facts of one directory.
type unit struct {
	lang.Unit
	dir     *directory
	sources []*source // in the order of their facts
}

// extract is the Language's Extract.
func extract(ctx context.Context, in *lang.Input, todo []lang.Unit, emit func(*graph.Facts) error) error {
	if len(todo) == 0 {
		return ctx.Err()
	}
	r := &run{
		ctx: ctx, in: in, repo: newRepo(in), fset: token.NewFileSet(), sizes: types.SizesFor("gc", "amd64"), emit: emit,
		sources: map[variant]*source{}, outlines: map[variant]*outline{}, beyond: map[variant]*outline{},
		same: map[variant]bool{}, names: map[string]string{}, owners: map[*types.Package]*pkg{},
		varied: map[*directory]func() map[string]kindTable{},
	}
	r.outside = newOutsideFinder(in.Root, r.repo.modules)
	for _, u := range todo {
		d := r.repo.dirs[strings.TrimPrefix(u.Name, langName+":")]
		if d == nil {
			return fmt.Errorf("extracting %s: no such directory", u.Name)
		}
		r.plan(&unit{Unit: u, dir: d})
	}
	order, err := r.prepare()
	if err != nil {
		return err
	}
	if err := r.checkAll(order); err != nil {
		return err
	}
	return r.finishAll()
}

// plan decides under which configurations a unit's packages are checked.
func (r *run) plan(u *unit) {
	r.units = append(r.units, u)
	configs, takes := cover(u.dir.sources())
	for i, c := range configs {
		for _, g := range u.dir.groups(c) {
			taken := map[*file]bool{}
			for _, list := range [][]*file{g.files, g.tests, g.xtests} {
				for _, f := range list {
					if slices.Contains(takes[i], f) {
						taken[f] = true
					}
				}
			}
			if len(taken) == 0 {
				continue
			}
			s := &source{run: r, unit: u, cfg: c, group: g, taken: taken}
			s.pkg = pkg{path: g.path, name: g.name, source: s, deps: map[string]*pkg{}}
			u.sources = append(u.sources, s)
			if g.primary {
				r.sources[variant{u.dir.path, c.id}] = s
			}
		}
	}
}

// prepare reads what the sources name, finds the packages that declare it, and returns
// all packages in dependency order.
func (r *run) prepare() ([]*pkg, error) {
	var sources []*source
	for _, u := range r.units {
		sources = append(sources, u.sources...)
	}
	// A source's text is read once here and kept until it is parsed.
	texts := make([][]*text, len(sources))
	var g errgroup.Group
	g.SetLimit(r.in.Workers)
	for i, s := range sources {
		g.Go(func() error {
			if err := r.ctx.Err(); err != nil {
				return err
			}
			texts[i] = s.read()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	sh := newShaker(r)
	for i, s := range sources {
		for _, t := range texts[i] {
			for m := range t.names.members {
				sh.want(m)
			}
			r.seed(sh, s, t)
		}
	}
	if err := sh.settle(); err != nil {
		return nil, err
	}
	// Names of packages outside become known while outlines load.
	for i, s := range sources {
		for _, t := range texts[i] {
			r.seedNames(sh, s, t)
		}
	}
	if err := sh.settle(); err != nil {
		return nil, err
	}
	for i, s := range sources {
		for _, t := range texts[i] {
			r.nameShells(s, t)
			t.names = nil
		}
	}
	return r.sort(sh, sources), nil
}

// seed resolves a file's imports and asks for the interfaces of those outside.
func (r *run) seed(sh *shaker, s *source, t *text) {
	for _, imp := range t.names.imports {
		if imp.path == "C" || imp.path == "unsafe" {
			continue
		}
		p, known := s.deps[imp.path]
		if !known {
			p = r.target(s.unit.dir, imp.path, s.cfg)
			s.deps[imp.path] = p
		}
		if !t.test {
			s.build[imp.path] = true
		}
		if p == nil || p.outline == nil {
			continue
		}
		o := p.outline
		if imp.name == "." {
			sh.demand(o, demand{level: full})
		}
		if o.dir == nil && !o.keepAll {
			o.keepAll = true
			sh.demand(o, demand{})
		}
		if !o.loaded && o.waiting == nil {
			sh.demand(o, demand{name: "_"}) // its name at least
		}
	}
}

// seedNames asks the packages that a file imports for what it names of them.
func (r *run) seedNames(sh *shaker, s *source, t *text) {
	local := map[string]*outline{}
	for _, imp := range t.names.imports {
		p := s.deps[imp.path]
		if p == nil || p.outline == nil {
			continue
		}
		switch imp.name {
		case "":
			local[p.outline.name] = p.outline
		case "_", ".":
		default:
			local[imp.name] = p.outline
		}
	}
	for k, embeds := range t.names.pairs {
		if o := local[k.x]; o != nil {
			sh.demand(o, demand{name: k.y, level: full, all: embeds})
		}
	}
}

// nameShells guesses the names of imported packages that were not found: the likeliest
// that the file uses.
func (r *run) nameShells(s *source, t *text) {
	for _, imp := range t.names.imports {
		if s.deps[imp.path] != nil || imp.name != "" {
			continue
		}
		if s.shellNames[imp.path] != "" {
			continue
		}
		heads := map[string]bool{}
		for k := range t.names.pairs {
			heads[k.x] = true
		}
		for _, name := range assumedNames(imp.path) {
			if heads[name] {
				if s.shellNames == nil {
					s.shellNames = map[string]string{}
				}
				s.shellNames[imp.path] = name
				break
			}
		}
	}
}

// assumedNames returns what a package is likely called, by its import path, the
// likeliest first.
func assumedNames(p string) []string {
	base := assumedName(p)
	out := []string{base}
	if !strings.ContainsAny(base, "-.") && !strings.HasPrefix(base, "go") {
		return append(out, path.Base(p))
	}
	first, _, _ := strings.Cut(base, "-")
	joined := func(with string) string {
		return strings.ReplaceAll(strings.ReplaceAll(base, "-", with), ".", with)
	}
	for _, name := range []string{
		strings.TrimPrefix(base, "go-"), strings.TrimPrefix(base, "go."), strings.TrimSuffix(base, "-go"),
		strings.TrimSuffix(base, ".go"), strings.TrimPrefix(base, "go"), base[strings.LastIndexAny(base, "-.")+1:],
		first, joined(""), joined("_"), path.Base(p),
	} {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// assumedName returns the last element of an import path, without its version.
func assumedName(p string) string {
	dir, base := path.Split(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && dir != "" {
		base = path.Base(dir)
	}
	if i := strings.LastIndex(base, ".v"); i > 0 {
		base = base[:i]
	}
	return base
}

// target returns the package that an import gives; nil when it cannot be found.
func (r *run) target(from *directory, p string, c *config) *pkg {
	d, missing := r.repo.resolve(from, p)
	if d != nil {
		if r.repo.cut()[[2]*directory{from, d}] {
			return nil
		}
		return r.inside(d, c)
	}
	if missing {
		return nil
	}
	return r.beyondPkg(p, from.module, false, c)
}

// inside returns a package of the project: its source when that is to be extracted,
// and an outline otherwise.
func (r *run) inside(d *directory, c *config) *pkg {
	if d.primary == "" {
		return nil
	}
	if c.id != "" && r.unchanged(d, c) {
		c = defaultConfig()
	}
	key := variant{d.path, c.id}
	if s := r.sources[key]; s != nil {
		return &s.pkg
	}
	o := r.outlines[key]
	if o == nil {
		o = &outline{dir: d, cfg: c}
		o.pkg = pkg{path: d.imports, name: d.primary, outline: o, deps: map[string]*pkg{}}
		r.outlines[key] = o
	}
	return &o.pkg
}

// unchanged reports whether a directory's package, and all of the project that it
// depends on, is the same under c as under the default configuration.
func (r *run) unchanged(d *directory, c *config) bool {
	key := variant{d.path, c.id}
	if same, ok := r.same[key]; ok {
		return same
	}
	r.same[key] = true // as long as a cycle does not say otherwise
	def := defaultConfig()
	same := true
	for _, f := range d.files {
		if f.info.Summary.Test || f.pkg != d.primary {
			continue
		}
		if f.build != nil && def.match(f) != c.match(f) {
			same = false
			break
		}
		if !def.match(f) {
			continue
		}
		for _, p := range f.imports {
			if t, _ := r.repo.resolve(d, p); t != nil && t != d && !r.unchanged(t, c) {
				same = false
			}
		}
	}
	r.same[key] = same
	return same
}

// beyondPkg returns a package outside the project. Configurations under which it has
// the same files share it.
func (r *run) beyondPkg(p string, m *goModule, std bool, c *config) *pkg {
	disk, isStd := r.outside.find(p, m, std)
	if disk == "" {
		return nil
	}
	key := variant{disk, ""}
	o := r.beyond[key]
	if o == nil {
		o = r.newBeyond(p, disk, m, isStd, defaultConfig())
		r.beyond[key] = o
	}
	if c.id == "" {
		return &o.pkg
	}
	r.load(o)
	files := o.folder.matching(c)
	if files == o.folder.matching(o.cfg) {
		return &o.pkg
	}
	key.config = files
	v := r.beyond[key]
	if v == nil {
		v = r.newBeyond(p, disk, m, isStd, c)
		v.folder = o.folder
		r.beyond[key] = v
	}
	return &v.pkg
}

func (r *run) newBeyond(p, disk string, m *goModule, std bool, c *config) *outline {
	o := &outline{disk: disk, std: std, module: m, cfg: c}
	o.pkg = pkg{path: p, external: true, outline: o, deps: map[string]*pkg{}}
	return o
}

// use returns the package that an outline's import gives, and notes the dependency.
func (r *run) use(o *outline, p string) *pkg {
	if t, ok := o.deps[p]; ok {
		return t
	}
	var t *pkg
	switch {
	case p == "unsafe" || p == "C":
	case o.dir != nil:
		t = r.target(o.dir, p, o.cfg)
	default:
		if d := r.repo.byPath[p]; d != nil {
			t = r.inside(d, o.cfg)
		} else {
			t = r.beyondPkg(p, o.module, o.std, o.cfg)
		}
	}
	o.deps[p] = t
	return t
}

// importNamed finds the import that a file of an outline calls x.
func (r *run) importNamed(o *outline, file *outlineFile, x string) (string, bool) {
	p, ok := file.local[x]
	if !ok {
		p = r.findImport(o, file, x)
		if file.local == nil {
			file.local = map[string]string{}
		}
		file.local[x] = p
	}
	return p, p != ""
}

func (r *run) findImport(o *outline, file *outlineFile, x string) string {
	var unsure []string
	for _, imp := range file.text.imports {
		switch {
		case imp.name == x:
			return imp.path
		case imp.name != "":
		case assumedName(imp.path) == x:
			return imp.path
		default:
			unsure = append(unsure, imp.path)
		}
	}
	for _, p := range unsure {
		if slices.Contains(assumedNames(p), x) || r.nameOf(o, p) == x {
			return p
		}
	}
	return ""
}

// nameOf returns the name of a package that an outline imports, without loading it.
func (r *run) nameOf(o *outline, p string) string {
	t := r.use(o, p)
	switch {
	case t == nil:
		return ""
	case t.name != "" || t.outline == nil || t.outline.dir != nil:
		return t.name
	}
	name, ok := r.names[t.outline.disk]
	if !ok {
		name = packageClause(t.outline.disk)
		r.names[t.outline.disk] = name
	}
	return name
}

// sort returns all packages that take part, each after those that it imports. Where a
// cycle is, one of its imports finds nothing.
func (r *run) sort(sh *shaker, sources []*source) []*pkg {
	var order []*pkg
	state := map[*pkg]int{} // 1 on the stack, 2 done
	var visit func(p *pkg)
	visit = func(p *pkg) {
		state[p] = 1
		for _, path := range sortedKeys(p.deps) {
			d := p.deps[path]
			if d == nil || p.source != nil && !p.source.build[path] {
				continue
			}
			switch state[d] {
			case 0:
				visit(d)
			case 1:
				p.deps[path] = nil
			}
		}
		state[p] = 2
		if p.outline != nil {
			p.outline.close(sh)
		}
		order = append(order, p)
	}
	for _, s := range sources {
		if state[&s.pkg] == 0 {
			visit(&s.pkg)
		}
	}
	// What only tests import.
	for _, s := range sources {
		for _, path := range sortedKeys(s.deps) {
			if d := s.deps[path]; d != nil && state[d] == 0 {
				visit(d)
			}
		}
	}
	r.beyond, r.outlines = nil, nil
	return order
}

// own says whose package objects point to.
func (r *run) own(t *types.Package, p *pkg) {
	r.mu.Lock()
	r.owners[t] = p
	r.mu.Unlock()
}

func (r *run) owner(t *types.Package) *pkg {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.owners[t]
}
